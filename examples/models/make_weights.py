#!/usr/bin/env python3
"""Writes what `ptc` needs to run one of the models here, for a configuration of configs.json.

    make_weights.py MODEL [CONFIG] [-o DIR]      e.g. make_weights.py gpt2 small -o /tmp/gpt2

DIR gets MODEL.pyc (of the Python that runs this), MODEL.safetensors (the state dict; a tied tensor is
stored once, under its first name), one call_N.json per call with its inputs, and expected.jsonl: what
eager PyTorch returns when the calls are made one after the other. The command that runs `ptc` on it is
printed. With `--check`, DIR/result.jsonl is compared with expected.jsonl instead.
"""
import argparse
import importlib.util
import json
import py_compile
import sys
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from notation import SPECS, TensorStore, decode, encode, save_safetensors  # noqa: E402


def load_module(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module             # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def draw(spec, generator):
    """A value for `f32[2,3]` (normal), `i64[4]<61` (uniform below 61), or the value itself."""
    if not isinstance(spec, str) or "[" not in spec:
        return spec
    head, _, bound = spec.partition("<")
    dtype, _, dims = head.rstrip("]").partition("[")
    shape = [int(d) for d in dims.split(",") if d]
    if bound:
        return torch.randint(int(bound), shape, generator=generator, dtype=SPECS[dtype])
    return torch.randn(shape, generator=generator, dtype=torch.float32).to(SPECS[dtype])


def randomize(model, generator):
    """Weights that make every layer matter: norms away from one, statistics away from zero."""
    with torch.no_grad():
        for name, t in model.state_dict().items():
            if not t.is_floating_point():
                continue
            fan = max(1, t[0].numel()) if t.dim() > 1 else 16
            noise = torch.randn(t.shape, generator=generator)
            if name.endswith("running_var"):
                t.copy_(0.5 + noise.abs())
            elif name.endswith("weight") and t.dim() == 1:
                t.copy_(1 + 0.1 * noise)
            else:
                t.copy_(noise * (1.5 / fan) ** 0.5 if t.dim() > 1 else 0.1 * noise)


def untied(state):
    """The state dict with each storage once."""
    seen, out = set(), {}
    for name, t in state.items():
        if t.data_ptr() not in seen or not t.numel():
            seen.add(t.data_ptr())
            out[name] = t
    return out


def build(model_name, config, seed=0):
    """The module, its class instance with random weights, and the calls as keyword arguments."""
    generator = torch.Generator().manual_seed(seed)
    module = load_module(HERE / f"{model_name}.py")
    cls, _, method = config["entry"].partition(".")
    init = config["init"]
    model = getattr(module, cls)(*init.get("args", []), **init.get("kwargs", {}))
    randomize(model, generator)
    calls = [{k: draw(v, generator) for k, v in inputs.items()} for inputs in config["inputs"]]
    return model, getattr(model, method) if method else model, calls


def write(model_name, config, out):
    out.mkdir(parents=True, exist_ok=True)
    source = HERE / f"{model_name}.py"
    py_compile.compile(str(source), cfile=str(out / f"{model_name}.pyc"), dfile=source.name, doraise=True)
    model, entry, calls = build(model_name, config)
    save_safetensors(out / f"{model_name}.safetensors", untied(model.state_dict()))
    results = []
    store = TensorStore(out / "expected.safetensors")
    for n, kwargs in enumerate(calls):
        inputs = TensorStore(out / f"call_{n}.safetensors")
        notation = {"args": [], "kwargs": encode(kwargs, inputs, "in")}
        inputs.save()
        (out / f"call_{n}.json").write_text(json.dumps(notation) + "\n")
        with torch.no_grad():
            results.append({"result": encode(entry(**kwargs), store, f"{n}.result")})
    store.save()
    (out / "expected.jsonl").write_text("".join(json.dumps(r) + "\n" for r in results))
    return len(calls)


def leaves(value):
    """The tensors of a nested value, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple, dict)):
        for v in value.values() if isinstance(value, dict) else value:
            yield from leaves(v)


def check(out):
    """The largest difference between the results in DIR and eager's; exits with 1 if it is no rounding."""
    worst = 0.0
    read = lambda name: [json.loads(line) for line in (out / name).read_text().splitlines()]
    for n, (want, got) in enumerate(zip(read("expected.jsonl"), read("result.jsonl"), strict=True)):
        pairs = zip(leaves(decode(want["result"], out)), leaves(decode(got["result"], out)), strict=True)
        for a, b in pairs:
            if a.shape != b.shape or a.dtype != b.dtype:
                sys.exit(f"call {n}: {b.dtype} {list(b.shape)}, eager gives {a.dtype} {list(a.shape)}")
            worst = max(worst, (a.double() - b.double()).abs().max().item() if a.numel() else 0.0)
    print(f"largest difference from eager: {worst:.2g}")
    sys.exit(worst > 1e-3)


def main():
    configs = json.loads((HERE / "configs.json").read_text())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", choices=sorted(configs))
    parser.add_argument("config", nargs="?", default="small")
    parser.add_argument("-o", "--out", type=Path, help="folder to write to (default: MODEL-CONFIG)")
    parser.add_argument("--check", action="store_true", help="compare DIR/result.jsonl with eager's results")
    args = parser.parse_args()
    known = configs[args.model]
    if args.config not in known:
        parser.error(f"{args.model} has the configurations {', '.join(known)}, not {args.config}")
    config = known[args.config]
    out = args.out or Path(f"{args.model}-{args.config}")
    if args.check:
        check(out)
    count = write(args.model, config, out)
    calls = " ".join(f"--call {out}/call_{n}.json" for n in range(count))
    init = json.dumps(config["init"])
    print(f"ptc run {out}/{args.model}.pyc --entry {config['entry']} --init '{init}' "
          f"--weights {out}/{args.model}.safetensors --example {out}/call_0.json {calls} "
          f"--save {out}/result.jsonl")


if __name__ == "__main__":
    main()
