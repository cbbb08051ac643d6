"""The end-to-end programs: models with small configurations, examples/control, and programs/ here."""
import inspect
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch

from compare import EXACT, Tolerance
from eager import load_module
from pycs import VERSIONS

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
sys.path[:0] = [str(EXAMPLES), str(EXAMPLES / "models")]
import make_weights  # noqa: E402
from notation import TensorStore, encode, save_safetensors  # noqa: E402

FIXTURES = HERE / "fixtures"
MODEL_CONFIGS = {"mlp": ["small", "predict"], "resnet18": ["small", "training"],
                 "gpt2": ["small", "loss", "generate"]}

# Files of programs/ that hold rows of modules, which get random weights and inputs.
KINDS = ("layers", "architectures")

# Eager sums in another order: f32 results of models, and of the programs named here.
LAYERS = Tolerance(rtol=1e-5, atol=2e-6)
MODELS = Tolerance(rtol=2e-4, atol=2e-5)
CAST = Tolerance(rtol=2e-2, atol=2e-2)         # numbers of 8 bits
ROUNDED = Tolerance(rtol=1e-6, atol=1e-7)
REDUCED = Tolerance(rtol=1e-5, atol=1e-6)
TOLERANCES = {"tensor_api": REDUCED, "initial": ROUNDED, "caches": REDUCED, "functions": REDUCED, "everyday": REDUCED, "sampling": REDUCED,
              "autocast": CAST, "lengths": REDUCED, "composed": REDUCED, "subclasses": REDUCED, "meta": REDUCED,
              "until_tolerance": ROUNDED, "early_return_layers": ROUNDED, "rarer_layers": LAYERS, "counter": EXACT,
              "paths_of_attention": LAYERS, "attention_of_weights": LAYERS, "lazy_layers": LAYERS, "layer_classes": LAYERS,
              "complex_pairs": LAYERS, "fourier": MODELS, "complex_arithmetic": LAYERS, "names_with_numbers": LAYERS}

# Where the default rule finds several entries, the control program's is named here.
ENTRIES = {"early_return_layers": "EarlyExit"}

# What one example says of a size holds for others.
OPTIONS = {"lengths": ("--dynamic", "all")}

# Programs that the design lets ptc refuse; a refusal passes, a wrong result never does.
MAY_REFUSE = {"written_after_append", "memos.written", "memos.table_changes", "memos.aliased", "memos.branch_in_body",
              "memos.writes_key", "memos.made_by_a_call", "memos.FlagIsSeen", "memos.HooksAreDoubled"}


@dataclass
class Case:
    name: str
    source: Path
    entry: str = None
    init: dict = None
    weights: Path = None
    calls: list = field(default_factory=list)
    folder: Path = EXAMPLES                    # tensor files of the calls are looked up here
    tolerance: Tolerance = EXACT
    may_refuse: bool = False
    versions: tuple = tuple(VERSIONS)
    every: bool = False                        # every version from every example, every day
    options: tuple = ()                        # of every capture


def model_cases(scratch):
    """Weights and inputs go into `scratch`."""
    configs = json.loads((EXAMPLES / "models/configs.json").read_text())
    for model, sizes in MODEL_CONFIGS.items():
        for size in sizes:
            config = configs[model][size]
            out = scratch / f"{model}-{size}"
            out.mkdir(parents=True, exist_ok=True)
            instance, _, inputs = make_weights.build(model, config)
            weights = out / f"{model}.safetensors"
            save_safetensors(weights, make_weights.untied(instance.state_dict()))
            store = TensorStore(out / "inputs.safetensors")
            calls = [{"kwargs": encode(kwargs, store, f"{n}")} for n, kwargs in enumerate(inputs)]
            store.save()
            yield Case(f"{model}-{size}", EXAMPLES / f"models/{model}.py", config["entry"], config["init"], weights,
                       calls, out, MODELS, every=True)


def control_cases():
    for source in sorted((EXAMPLES / "control").glob("*.py")):
        lines = source.with_suffix(".jsonl").read_text().splitlines()
        yield Case(source.stem, source, ENTRIES.get(source.stem), calls=[json.loads(l) for l in lines if l.strip()],
                   tolerance=TOLERANCES.get(source.stem, EXACT), may_refuse=source.stem in MAY_REFUSE, every=True)


def entries(module):
    """Public functions and nn.Module classes that the module itself defines."""
    for name, v in vars(module).items():
        mine = getattr(v, "__module__", None) == module.__name__ and not name.startswith("_")
        if mine and (inspect.isfunction(v) or inspect.isclass(v) and issubclass(v, torch.nn.Module)):
            yield name


def vector(values):
    return {"$tensor": f"f32[{len(values)}]", "values": values}


def program_cases():
    spec = json.loads((HERE / "programs/calls.json").read_text())
    for source in sorted((HERE / "programs").glob("*.py")):
        for entry in entries(load_module(source)) if source.stem not in (*KINDS, "tensor_texts") else ():
            name = f"{source.stem}.{entry}"
            whole = f"{source.stem}.*"
            rows = spec["sets"][spec["use"].get(name) or spec["use"].get(whole, "one")]
            calls = [{"args": [vector(r)]} for r in rows]
            if name in spec["two"]:
                for call, other in zip(calls, rows[1:] + rows[:1]):
                    call["args"].append(vector([v / 2 for v in other]))
            yield Case(name, source, entry, calls=calls, tolerance=TOLERANCES.get(source.stem, EXACT),
                       may_refuse=name in MAY_REFUSE, options=OPTIONS.get(source.stem, ()))


def layer_cases(scratch, stem):
    """One case for each row of a file of KINDS, with random weights."""
    source = HERE / f"programs/{stem}.py"
    inputs = json.loads(source.with_suffix(".json").read_text())
    rows = load_module(source).ROWS
    for kind in rows:
        specs = inputs.get(kind, inputs["default"])
        generator = torch.Generator().manual_seed(1)
        instance = load_module(source).Layer(kind)
        make_weights.randomize(instance, generator)
        out = scratch / f"{stem}-{kind}"
        out.mkdir(parents=True, exist_ok=True)
        state = instance.state_dict()
        weights = out / "weights.safetensors"
        save_safetensors(weights, state)
        store = TensorStore(out / "inputs.safetensors")
        calls = [{"args": [encode(make_weights.draw(s, generator), store, f"{n}.{i}") for i, s in enumerate(specs)]}
                 for n in range(2)]
        store.save()
        yield Case(f"{stem}.{kind}", source, "Layer", {"args": [kind]}, weights if state else None, calls, out, LAYERS)


def tensors_to_print(generator):
    """Tensors of all element types whose texts differ in notation, width, cuts and breaks of lines."""
    draw = lambda n: torch.randint(0, n, (1,), generator=generator).item()
    floats = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
    ints = [torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
    special = torch.tensor([0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1.0, -3.0, 1e-5, 1e9, 0.1])
    for _ in range(160):
        shape = [[0, 1, 2, 3, 5, 7, 17][draw(7)] for _ in range(draw(4))]
        t = torch.randn(shape, generator=generator) * 10.0 ** (draw(13) - 6)
        if draw(3) == 0:
            t = t.round()
        if draw(4) == 0:
            picked = special[torch.randint(0, len(special), shape, generator=generator)]
            t = torch.where(torch.rand(shape, generator=generator) < 0.4, picked, t)
        yield t.to(floats[draw(4)])
        yield torch.randint(-100 if draw(2) else 0, 10 ** (1 + draw(2)), shape, generator=generator).to(ints[draw(5)])
        if draw(4) == 0:
            yield torch.rand(shape, generator=generator) < 0.5
    yield special
    for shape in [(1000,), (1001,), (7, 200), (40, 5, 6), (2, 3, 4, 50), (1001, 1), (0, 3), (3, 0, 2)]:
        yield torch.randn(shape, generator=generator)
        yield torch.randint(0, 5000, shape, generator=generator)


def text_cases(scratch):
    """Every tensor is printed by one call, so that capture is paid once."""
    out = scratch / "tensor-texts"
    out.mkdir(parents=True, exist_ok=True)
    store = TensorStore(out / "inputs.safetensors")
    tensors = list(tensors_to_print(torch.Generator().manual_seed(20)))
    calls = [{"args": [[encode(t, store, f"t{n}") for n, t in enumerate(tensors)]]}]
    store.save()
    yield Case("tensor-texts", HERE / "programs/tensor_texts.py", "shown", calls=calls, folder=out)


def found_cases():
    """Failures that fuzz.py found and minimised; the first call names the entry."""
    for source in sorted((HERE / "found").glob("*.py")):
        calls = [json.loads(l) for l in source.with_suffix(".jsonl").read_text().splitlines()]
        entry = calls[0].pop("entry")
        yield Case(source.stem, source, entry, calls=calls, versions=(VERSIONS[0],), folder=source.parent,
                   tolerance=TOLERANCES.get(source.stem, EXACT))


def all_cases(scratch, pattern=""):
    cases = [*model_cases(scratch), *control_cases(), *program_cases(),
             *(case for stem in KINDS for case in layer_cases(scratch, stem)), *text_cases(scratch), *found_cases()]
    return [c for c in cases if pattern in c.name]
