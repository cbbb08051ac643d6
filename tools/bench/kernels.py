#!/usr/bin/env python3
"""Single kernels as native code: against the peak of one core, and against eager PyTorch, on this machine.

    kernels.py --ptc PTC [KERNEL…] [--pairs 5] [--threads 1]

Processes alternate: the peak of multiply-adds (peak.c, built with cc), `ptc bench` of the library, eager PyTorch with as
many threads. The table gives medians over the pairs: median time of a call, billions of operations a second, their share
of the peaks of all threads (the median call of the median round of multiply-adds, and the best of the best), and the
ratio to eager (above 1: the library is faster). For products also the time of a library for the rows of the call by that
of one that takes any number of rows.
"""
import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from processes import output

HERE = Path(__file__).resolve().parent
SECONDS = 1.0  # of calls in each process
HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"


def gemm(m, n, k):
    """x [m, k] by a weight [n, k]: a module, as its weight lies in panels."""
    source = f"""from torch import nn


class Entry(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear({k}, {n}, bias=False)

    def forward(self, x):
        return self.f(x)
"""
    return source, {"x": (m, k)}, 2 * m * n * k


def function(expression, shapes, operations):
    return f"def Entry({', '.join(shapes)}):\n    return {expression}\n", shapes, operations


def attention(batch, heads, rows, width, more=""):
    shape = (batch, heads, rows, width)
    # Half of the scores of causal attention are not computed: operations are those that are needed.
    operations = 4 * batch * heads * rows * rows * width / (2 if "causal" in more else 1)
    return function(f"F.scaled_dot_product_attention(q, k, v{more})", {n: shape for n in "qkv"}, operations)


KERNELS = {
    "gemm-512-512-512": gemm(512, 512, 512),
    "gemm-128-3072-768": gemm(128, 3072, 768),
    "gemm-8-4096-4096": gemm(8, 4096, 4096),
    "gemv-4096-4096": gemm(1, 4096, 4096),
    "attention-12x512x64": attention(1, 12, 512, 64),
    "attention-causal-12x512x64": attention(1, 12, 512, 64, ", is_causal=True"),
    "attention-causal-12x1024x64": attention(1, 12, 1024, 64, ", is_causal=True"),
    "softmax-4096-1024": function("torch.softmax(x, -1)", {"x": (4096, 1024)}, 0),
    "layer-norm-4096-1024": function("F.layer_norm(x, (1024,))", {"x": (4096, 1024)}, 0),
}


def inputs(shapes):
    import torch
    generator = torch.Generator().manual_seed(1)
    return {name: torch.randn(shape, generator=generator) for name, shape in shapes.items()}


def load(name):
    """The entry in eager PyTorch, its weights drawn."""
    import torch
    scope = {}
    exec(compile(HEAD + KERNELS[name][0], "kernel.py", "exec"), scope)
    entry = scope["Entry"]
    if isinstance(entry, type):
        torch.manual_seed(0)
        entry = entry()
    return entry


def eager(name, threads):
    """Prints the median time of calls of the Python program, in microseconds."""
    import torch
    torch.set_num_threads(threads)
    entry, given, times = load(name), inputs(KERNELS[name][1]), []
    with torch.no_grad():
        end = time.perf_counter() + SECONDS
        while len(times) < 8 or time.perf_counter() < end:
            start = time.perf_counter()
            entry(**given)
            times.append((time.perf_counter() - start) * 1e6)
    print(statistics.median(times[3:]))


def prepare(ptc, name, folder):
    """The library, its result compared with eager's."""
    import torch
    from safetensors.torch import load_file, save_file
    source, shapes, _ = KERNELS[name]
    (folder / "kernel.py").write_text(HEAD + source)
    output(sys.executable, "-c", "import py_compile, sys; py_compile.compile(sys.argv[1], sys.argv[2])", folder / "kernel.py",
           folder / "kernel.pyc")
    entry, given = load(name), inputs(shapes)
    save_file(given, folder / "call.safetensors")
    call = {"kwargs": {n: {"$tensor": "call.safetensors", "name": n} for n in shapes}}
    (folder / "call.json").write_text(json.dumps(call))
    weights = []
    if isinstance(entry, torch.nn.Module):
        save_file(entry.state_dict(), folder / "weights.safetensors")
        weights = ["--weights", folder / "weights.safetensors"]
    library = folder / "kernel.so"
    output(ptc, "compile", folder / "kernel.pyc", "--entry", "Entry", *weights, "--example", folder / "call.json", "-o", library)
    output(ptc, "run", library, "--call", folder / "call.json", "--save", folder / "out.json")
    got = next(iter(load_file(folder / "out.safetensors").values()))
    with torch.no_grad():
        wanted = entry(**given)
    error = (got - wanted).abs().max().item()
    if not error < 1e-3:
        sys.exit(f"{name}: differs from eager by {error:.3g}")
    return library


def any_rows(ptc, name, folder, threads):
    """Time with the rows of the call known to the compiler by time with them known at run time alone; none: not a product."""
    weights, library = folder / "weights.safetensors", folder / "any.so"
    if not weights.exists() or KERNELS[name][1]["x"][0] < 2:
        return None
    inner = KERNELS[name][1]["x"][1]
    output(ptc, "compile", folder / "kernel.pyc", "--entry", "Entry", "--weights", weights, "--input", f"x=f32[B in 2..4096,{inner}]",
           "-o", library)
    told = output(ptc, "bench", library, "--against", folder / "kernel.so", "--call", folder / "call.json", "--threads", threads,
                  "--seconds", SECONDS, "--samples", 5, "--json")
    run, known = [row["latency_us"]["median"] for row in json.loads(told)[:2]]
    return known / run


def measure(args, name, folder):
    library, peak = prepare(args.ptc, name, folder), folder / "peak"
    output(os.environ.get("CC", "cc"), "-O3", "-march=native", HERE / "peak.c", "-o", peak)
    ours, best, theirs, peaks = [], [], [], []
    for _ in range(args.pairs):
        peaks.append([float(rate) * args.threads for rate in output(peak).split()])
        told = output(args.ptc, "bench", library, "--call", folder / "call.json", "--threads", args.threads, "--seconds", SECONDS,
                      "--samples", 5, "--json")
        latency = json.loads(told)[0]["latency_us"]
        ours.append(latency["median"])
        best.append(latency["min"])
        theirs.append(float(output(sys.executable, __file__, "--eager", name, "--threads", args.threads)))
    rates, bests = ([KERNELS[name][2] / us / 1e3 for us in times] for times in (ours, best))
    shares = [rate / median for rate, (median, _) in zip(rates, peaks)], [rate / top for rate, (_, top) in zip(bests, peaks)]
    ratio = statistics.median(y / x for x, y in zip(ours, theirs))
    rate = " ".join([f"{statistics.median(rates):8.1f}"] + [f"{statistics.median(share):7.1%}" for share in shares]) \
        if rates[0] else f"{'':24}"
    rows = any_rows(args.ptc, name, folder, args.threads)
    print(f"{name:30} {statistics.median(ours):10.1f} {rate} {statistics.median(theirs):10.1f} {ratio:7.2f}"
          + (f" {rows:8.3f}" if rows else ""), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", default=list(KERNELS))
    parser.add_argument("--ptc", type=Path)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--eager", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.eager:
        return eager(args.eager, args.threads)
    if not args.ptc:
        parser.error("--ptc says which ptc to measure")
    print(f"{'kernel':30} {'us':>10} {'GFLOP/s':>8} {'of peak':>7} {'best':>7} {'eager us':>10} {'ratio':>7} {'any rows':>8}")
    for name in args.kernels:
        with tempfile.TemporaryDirectory() as folder:
            measure(args, name, Path(folder))


if __name__ == "__main__":
    main()
