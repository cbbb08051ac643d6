#!/usr/bin/env python3
"""A chain of linear layers as a native library against OpenVINO (`pip install openvino`), on this machine.

    openvino_mlp.py --ptc PTC [--layers 8] [--width 512] [--batch 1] [--threads 2] [--pairs 5]

Results are compared with eager PyTorch first. Then processes alternate; the table gives the median over the pairs of
the median and the best call, and of our time over OpenVINO's (below 1: the library is faster).
"""
import argparse
import json
import py_compile
import statistics
import sys
import tempfile
import time
from pathlib import Path

from processes import output

SECONDS = 1.5  # of calls in each process

PROGRAM = """
import torch
from torch import nn


class Chain(nn.Module):
    def __init__(self, layers: int, width: int):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, width) for _ in range(layers))

    def forward(self, x):
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x
"""


def load(folder):
    sys.path.insert(0, str(folder))
    import chain
    import torch
    from safetensors.torch import load_file
    weights = load_file(folder / "chain.safetensors")
    layers = len(weights) // 2
    model = chain.Chain(layers, weights["layers.0.bias"].shape[0]).eval()
    model.load_state_dict(weights)
    return torch, model


def openvino(folder, threads):
    """Prints the times of calls by OpenVINO in microseconds."""
    import numpy
    import openvino as ov
    torch, model = load(folder)
    x = numpy.load(folder / "x.npy")
    converted = ov.convert_model(model, example_input=torch.from_numpy(x), input=list(x.shape))
    compiled = ov.Core().compile_model(converted, "CPU", {
        "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1, "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32", "ENABLE_CPU_PINNING": True})
    request = compiled.create_infer_request()
    request.set_input_tensor(ov.Tensor(x, shared_memory=True))
    with torch.no_grad():
        wanted = model(torch.from_numpy(x)).numpy()
    request.infer()
    assert abs(request.get_output_tensor().data - wanted).max() < 1e-4
    times = []
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.perf_counter()
        request.infer()
        times.append((time.perf_counter() - start) * 1e6)
    print(json.dumps({"median": statistics.median(times), "min": min(times)}))


def prepare(args, folder):
    """The library, compared with eager."""
    import numpy
    source = folder / "chain.py"
    source.write_text(PROGRAM)
    py_compile.compile(str(source), cfile=str(folder / "chain.pyc"), doraise=True)
    sys.path.insert(0, str(folder))
    import chain
    import torch
    from safetensors.torch import load_file, save_file
    torch.manual_seed(0)
    model = chain.Chain(args.layers, args.width).eval()
    save_file(model.state_dict(), folder / "chain.safetensors")
    x = torch.randn(args.batch, args.width)
    numpy.save(folder / "x.npy", x.numpy())
    (folder / "call.json").write_text(json.dumps({"args": [{"$tensor": "x.npy"}]}))
    output(args.ptc, "compile", folder / "chain.pyc", "--entry", "Chain", "--init",
           json.dumps({"args": [args.layers, args.width]}), "--weights", folder / "chain.safetensors",
           "--example", folder / "call.json", "-o", folder / "libchain.so")
    output(args.ptc, "run", folder / "libchain.so", "--call", folder / "call.json", "--save", folder / "result.jsonl")
    result, = load_file(folder / "result.safetensors").values()
    with torch.no_grad():
        assert (result - model(x)).abs().max() < 1e-4


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptc", type=Path)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--openvino", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.openvino:
        return openvino(args.openvino, args.threads)
    if not args.ptc:
        parser.error("--ptc says which ptc to measure")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(args, folder)
        ours, theirs = [], []
        for _ in range(args.pairs):
            ours.append(json.loads(output(args.ptc, "bench", folder / "libchain.so", "--call", folder / "call.json",
                                          "--threads", args.threads, "--seconds", SECONDS, "--json"))[0]["latency_us"])
            theirs.append(json.loads(output(sys.executable, __file__, "--openvino", folder, "--threads", args.threads)))
    for what in ("median", "min"):
        a, b = [row[what] for row in ours], [row[what] for row in theirs]
        ratio = statistics.median([x / y for x, y in zip(a, b)])
        print(f"{what:6}  ptc {statistics.median(a):10.1f} us   OpenVINO {statistics.median(b):10.1f} us   "
              f"ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
