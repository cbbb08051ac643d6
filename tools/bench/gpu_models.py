#!/usr/bin/env python3
"""Whole models in bfloat16 on an NVIDIA GPU, beside eager PyTorch and torch.compile, by artefacts that were made elsewhere.

    gpu_models.py make FOLDER [MODEL…] --ptc PTC [--gpu sm_90a]                     PyTorch, no GPU
    gpu_models.py run FOLDER [MODEL…] [--rounds 9] [--modes default reduce-overhead]  PyTorch with CUDA and nothing else

The models are those of `examples/models`; weights are made by a formula on both machines. Each artefact is checked against
eager in single precision: its error must not be more than 4 times that of eager in bfloat16. Then rounds alternate; a round
is many calls and one wait for the device. The table gives medians over the rounds, in microseconds of a call, with inputs
and results on the device, and the ratio of the best of the others to the artefact (above 1: the artefact is faster).
"""
import importlib
import json
import lzma
import math
import py_compile
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import gpu

HERE = Path(__file__).resolve().parent
PERIOD = 8191  # of weights in memory, so that an artefact is small when it is compressed

# Name: the file, its class, arguments of the class, inputs.
MODELS = {
    "mlp-32": ("mlp", "MLP", {"features": 512, "hidden": [512] * 7, "classes": 512}, {"x": (32, 512)}),
    "resnet18-1": ("resnet18", "ResNet18", {}, {"x": (1, 3, 224, 224)}),
    "resnet18-64": ("resnet18", "ResNet18", {}, {"x": (64, 3, 224, 224)}),
    **{f"resnet18-run-{b}": ("resnet18", "ResNet18", {}, {"x": (("B", b), 3, 224, 224)}) for b in (1, 8, 64)},
    "gpt2-8x256": ("gpt2", "GPT2", {}, {"idx": (8, 256)}),
}
TOKENS = 50257


def build(name):
    """The module, in single precision, with weights that depend on their names alone."""
    import torch
    file, entry, init, _ = MODELS[name]
    module = getattr(importlib.import_module(file), entry)(**init)
    for number, (key, t) in enumerate(sorted(module.state_dict().items())):
        if not t.is_floating_point():
            continue
        i = torch.arange(t.numel()) % PERIOD
        noise = (((i * 31 + 40503) * i + number * 977) % 65521).double() / 65521 - 0.5
        is_scale = key.endswith("running_var") or (t.dim() == 1 and key.endswith("weight"))
        values = 1 + noise / 4 if is_scale else noise / 4 if t.dim() < 2 else noise * math.sqrt(12 / t[0].numel())
        t.copy_(values.view_as(t))
    return module


def make(args):
    sys.path[:0] = [str(HERE.parent.parent / "examples"), str(HERE.parent.parent / "examples/models")]
    from make_weights import untied
    from notation import save_safetensors
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    for file in ("lib/Runtime/ptc_loader.py", "tools/bench/gpu.py", "tools/bench/gpu_models.py"):
        shutil.copy(HERE.parent.parent / file, args.folder)
    for name in args.models or MODELS:
        file, entry, init, inputs = MODELS[name]
        shutil.copy(HERE.parent.parent / f"examples/models/{file}.py", args.folder)
        weights, pyc, library = (args.folder / f for f in ("weights.safetensors", "model.pyc", f"{name}.so"))
        save_safetensors(weights, untied(build(name).state_dict()))
        py_compile.compile(str(args.folder / f"{file}.py"), cfile=str(pyc), doraise=True)
        given = [f"--input={n}={'i64' if n == 'idx' else 'bf16'}{gpu.notation(shape)}" for n, shape in inputs.items()]
        subprocess.run([args.ptc, "compile", pyc, "-q", "--target=cuda", "--cpu=x86-64-v3", f"--gpu={args.gpu}", "--dtype=bf16", "--entry", entry,
                        "--init", json.dumps({"kwargs": init}), "--weights", weights, *given, "--strip-ir", "-o", library], check=True)
        library.with_suffix(".so.xz").write_bytes(lzma.compress(library.read_bytes(), preset=0))
        for made in (weights, pyc, library, library.with_suffix(".h"), args.folder / f"lib{name}.h"):
            made.unlink(missing_ok=True)
    return 0


def tensors(result):
    """Those of a result, in order."""
    import torch
    if isinstance(result, torch.Tensor):
        return [result]
    return [t for part in result for t in tensors(part)] if isinstance(result, (tuple, list)) else []


def inputs_of(name):
    import torch
    generator = torch.Generator().manual_seed(1)
    shapes = {n: gpu.sizes_of(shape) for n, shape in MODELS[name][3].items()}
    return {n: torch.randint(0, TOKENS, shape, generator=generator).cuda() if n == "idx"
            else torch.randn(shape, generator=generator).bfloat16().cuda() for n, shape in shapes.items()}


def measure(name, args):
    """(what is wrong or nothing, error, medians by column)"""
    import ptc_loader
    import torch
    packed = args.folder / f"{name}.so.xz"
    library = packed.with_suffix("")
    library.write_bytes(lzma.decompress(packed.read_bytes()))
    module, inputs = build(name).cuda(), inputs_of(name)
    exact = tensors(module(**{n: t.float() if t.is_floating_point() else t for n, t in inputs.items()}))[0].double()
    module = module.to(torch.bfloat16)
    model = ptc_loader.Model(library)
    opened = []
    for _ in range(5):
        start = time.perf_counter()
        with ptc_loader.Model(library):
            opened.append((time.perf_counter() - start) * 1e3)
    print(f"{name}: opened in {statistics.median(opened):.1f} ms", flush=True)
    out, eager = tensors(model(**inputs))[0], tensors(module(**inputs))[0]
    mine, others = gpu.error(out, exact), gpu.error(eager, exact)
    if not mine <= max(4 * others, gpu.LEAST_ERROR):
        return f"error {mine:.2g}, eager's {others:.2g}", mine, {}
    calls = {"ptc": gpu.prepared(model, inputs, out), "eager": lambda: module(**inputs)}
    for mode in args.modes:
        torch._dynamo.reset()
        compiled = torch.compile(module, mode=mode)
        for _ in range(5):
            compiled(**inputs)
        calls[mode] = lambda compiled=compiled: compiled(**inputs)
    counts = {column: max(3, min(500, int(gpu.SECONDS * 1e6 / gpu.time_calls(call, 3)))) for column, call in calls.items()}
    rounds = [{column: gpu.time_calls(call, counts[column]) for column, call in calls.items()} for _ in range(args.rounds)]
    return None, mine, {column: statistics.median(row[column] for row in rounds) for column in calls}


def run(args):
    sys.path.insert(0, str(args.folder))
    import torch
    columns = ["ptc", "eager", *args.modes]
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    print(f"{'model':14}" + "".join(f"{column:>17}" for column in columns) + f"{'ratio':>8}{'error':>10}")
    wrong = 0
    for name in args.models or MODELS:
        with torch.no_grad():
            problem, error, times = measure(name, args)
        if problem:
            wrong += 1
            print(f"{name:14}WRONG: {problem}", flush=True)
            continue
        ratio = min(times[column] for column in columns[1:]) / times["ptc"]
        print(f"{name:14}" + "".join(f"{times[column]:17.1f}" for column in columns) + f"{ratio:8.2f}{error:10.1e}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(gpu.main(__doc__, "models", MODELS, make, run, 9, {"--modes": {"nargs": "*", "default": ["default", "reduce-overhead"]}}))
