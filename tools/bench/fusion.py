#!/usr/bin/env python3
"""Chains of operations that fusion makes few kernels of, by two compilers, side by side in one process.

    fusion.py --ptc PTC --against OTHER_PTC [CHAIN…] [--threads 1] [--seconds 1]

For each chain: kernels that both make, the median of a call, and the ratio (above 1: the first compiler's is faster).
"""
import argparse
import json
import sys
import tempfile
from pathlib import Path

from processes import output

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "examples"), str(ROOT / "test/EndToEnd")]

WIDE = (128, 768)
# (lines, what is returned, shapes); "at" is of integers, "half" of bfloat16.
CHAINS = {
    "norm-of-sum": ("", "F.layer_norm(x + y, (768,))", {"x": WIDE, "y": WIDE}),
    "norm-of-residual": ("h = x + y", "F.layer_norm(h, (768,)), h", {"x": WIDE, "y": WIDE}),
    "squared-distance": ("", "((x - y) ** 2).mean()", {"x": WIDE, "y": WIDE}),
    "masked-softmax": ("", "torch.softmax(x * 0.125 + y, -1)", {"x": (12, 128, 128), "y": (128, 128)}),
    "softmax-times": ("", "torch.softmax(x, -1) * y", {"x": (12, 128, 128), "y": (128, 128)}),
    "gelu-of-norm": ("", "F.gelu(F.layer_norm(x, (768,)))", {"x": WIDE}),
    "rms-norm": ("", "x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-6) * y", {"x": WIDE, "y": (768,)}),
    "root-of-sum": ("", "x.sum(-1).sqrt()", {"x": WIDE}),
    "sum-of-log-softmax": ("", "torch.log_softmax(x, -1).sum(-1)", {"x": WIDE}),
    "gate": ("h = x + y", "h * torch.sigmoid(h)", {"x": WIDE, "y": WIDE}),
    "two-results": ("h = torch.sigmoid(x + y)", "h, h * x", {"x": WIDE, "y": WIDE}),
    "two-readers": ("h = x * 2 + 1", "h.sum(-1), h.sum(0)", {"x": WIDE}),
    "pool-of-relu": ("", "F.max_pool2d(torch.relu(x), 2)", {"x": (1, 64, 56, 56)}),
    "embedding-and-place": ("", "F.embedding(at, y) + x", {"at": (128,), "x": WIDE, "y": (1000, 768)}),
    "relu-times-weight": ("", "torch.relu(x) @ y", {"x": WIDE, "y": (768, 768)}),
    "half-times-weight": ("", "half.float() @ y", {"half": WIDE, "y": (768, 768)}),
    "times-half-weight": ("", "x @ half.float()", {"x": WIDE, "half": (768, 768)}),
}


def write_chain(name, folder):
    import pycs
    import torch
    from notation import TensorStore, encode
    lines, result, shapes = CHAINS[name]
    body = "".join(f"    {line}\n" for line in [*filter(None, [lines]), f"return {result}"])
    (folder / f"{name}.py").write_text(
        f"import torch\nimport torch.nn.functional as F\n\n\ndef chain({', '.join(shapes)}):\n{body}")
    pycs.compile_pyc(folder / f"{name}.py", folder / f"{name}.pyc")
    generator = torch.Generator().manual_seed(1)
    store, kwargs = TensorStore(folder / f"{name}.safetensors"), {}
    for argument, shape in shapes.items():
        value = torch.randint(0, 1000, shape, generator=generator) if argument == "at" else torch.randn(shape, generator=generator)
        kwargs[argument] = encode(value.to(torch.bfloat16) if argument == "half" else value, store, argument)
    store.save()
    (folder / f"{name}.json").write_text(json.dumps({"args": [], "kwargs": kwargs}))


def compare(args, name, folder):
    write_chain(name, folder)
    pyc, call = folder / f"{name}.pyc", folder / f"{name}.json"
    libraries, kernels = [], []
    for i, ptc in enumerate([args.ptc, args.against]):
        libraries.append(folder / f"lib{name}-{i}.so")
        output(ptc, "compile", pyc, "--entry", "chain", "--example", call, "-o", libraries[i])
        kernels.append(output(ptc, "inspect-graph", pyc, "--entry", "chain", "--example", call, "--to=fuse",
                              "--format=mlir").count("= plan.kernel"))
    rows = json.loads(output(args.ptc, "bench", libraries[0], "--against", libraries[1], "--call", call, "--json",
                             "--threads", args.threads, "--seconds", args.seconds))
    own, other = [row["latency_us"]["median"] for row in rows]
    print(f"{name:22} {kernels[1]:2} -> {kernels[0]:2} kernels {other:9.2f} -> {own:9.2f} us {other / own:6.2f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chains", nargs="*", default=list(CHAINS))
    parser.add_argument("--ptc", required=True)
    parser.add_argument("--against", required=True)
    parser.add_argument("--threads", default=1)
    parser.add_argument("--seconds", default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        for chain in arguments.chains:
            compare(arguments, chain, Path(temporary))
