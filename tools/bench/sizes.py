#!/usr/bin/env python3
"""One library for declared sizes against a library of its own for each size, on this machine.

    sizes.py --ptc PTC [MODEL…] [--threads 1] [--rounds 3] [--target x86-64]

Each model is compiled once for its ranges and once for each of the sizes below them. `ptc bench --against` makes the calls of both in
turns, in one process; the table gives the median over the rounds of the time of the library for all sizes, and of its speed relative to
the library for that size alone (1: the same; above 1: faster). Beside it: seconds of a processor that the compiler took for the one
library, and for one of those for a single size; and how many variants the one library has.
"""
import argparse
import json
import py_compile
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy

from processes import output

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n"


@dataclass
class Model:
    source: str              # of a class Net
    inputs: dict             # name: element type and sizes, names of sizes among them
    ranges: dict             # name of a size: what is declared of it
    sizes: list              # of sizes by their names: what is measured


BATCH = {"B": "B=8 in 1..64"}
MODELS = {
    "mlp": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(256, 1024), nn.GELU(), nn.Linear(1024, 1024), nn.GELU(), nn.Linear(1024, 256))

    def forward(self, x):
        return self.layers(x)
""", {"x": ("f32", "B", 256)}, BATCH, [{"B": 1}, {"B": 8}, {"B": 33}, {"B": 64}]),
    "convolutions": Model("""
def block(i, o, stride):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(block(3, 32, 2), block(32, 64, 1), block(64, 64, 2), block(64, 128, 1), block(128, 128, 2))
        self.head = nn.Linear(128, 100)

    def forward(self, x):
        return self.head(self.layers(x).mean((2, 3)))
""", {"x": ("f32", "B", 3, "S", "S")}, {"B": "B=4 in 1..16", "S": "S=96 in 32..256"}, [{"B": 1, "S": 96}, {"B": 4, "S": 96}, {"B": 4, "S": 161}, {"B": 16, "S": 64}]),
    "depthwise": Model("""
class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(c, 4 * c, 1), nn.Hardswish(), nn.Conv2d(4 * c, 4 * c, 3, 1, 1, groups=4 * c), nn.Hardswish(), nn.Conv2d(4 * c, c, 1))

    def forward(self, x):
        return x + self.body(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 32, 4, 4), Block(32), Block(32), Block(32))

    def forward(self, x):
        return self.layers(x).amax((2, 3))
""", {"x": ("f32", "B", 3, 128, 128)}, {"B": "B=4 in 1..16"}, [{"B": 1}, {"B": 4}, {"B": 16}]),
    "encoder": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(1000, 256)
        layer = nn.TransformerEncoderLayer(256, 8, 1024, 0.0, "gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False)

    def forward(self, ids):
        return self.layers(self.embed(ids)).mean(1)
""", {"ids": ("i64", "B", "L")}, {"B": "B=4 in 1..32", "L": "L=64 in 2..256"}, [{"B": 1, "L": 64}, {"B": 4, "L": 64}, {"B": 3, "L": 129}, {"B": 16, "L": 32}]),
    "causal": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv, self.out = nn.Linear(384, 1152), nn.Linear(384, 384)
        self.up, self.down = nn.Linear(384, 1536), nn.Linear(1536, 384)
        self.norms = nn.ModuleList(nn.LayerNorm(384) for _ in range(2))

    def forward(self, x):
        b, n, _ = x.shape
        q, k, v = self.qkv(self.norms[0](x)).view(b, n, 3, 6, 64).permute(2, 0, 3, 1, 4)
        x = x + self.out(F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(b, n, 384))
        return x + self.down(F.gelu(self.up(self.norms[1](x))))
""", {"x": ("f32", "B", "L", 384)}, {"B": "B=2 in 1..16", "L": "L=128 in 1..512"}, [{"B": 1, "L": 1}, {"B": 2, "L": 128}, {"B": 1, "L": 333}, {"B": 8, "L": 64}]),
    "lstm": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(64, 128, 2, batch_first=True, bidirectional=True), nn.Linear(256, 10)

    def forward(self, x):
        return self.head(self.rnn(x)[0][:, -1])
""", {"x": ("f32", "B", "T", 64)}, {"B": "B=4 in 1..32", "T": "T=32 in 1..256"}, [{"B": 1, "T": 32}, {"B": 4, "T": 32}, {"B": 7, "T": 100}]),
    "scan": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.rand(128, 16))

    def forward(self, x, b):
        h = x.new_zeros(x.shape[1], 128, 16)
        out = []
        for t in range(x.shape[0]):
            h = h * torch.sigmoid(self.a) + x[t, :, :, None] * b[t, :, None, :]
            out.append(h.sum(-1))
        return torch.stack(out)
""", {"x": ("f32", "T", "B", 128), "b": ("f32", "T", "B", 16)}, {"B": "B=2 in 1..8", "T": "T=64 in 1..512"}, [{"B": 1, "T": 16}, {"B": 2, "T": 64}, {"B": 5, "T": 200}]),
    "gru cell": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(64, 128)

    def forward(self, x):
        h = x.new_zeros(x.shape[1], 128)
        for row in x:
            h = self.cell(row, h)
        return h
""", {"x": ("f32", "T", "B", 64)}, {"B": "B=4 in 1..32", "T": "T=32 in 1..256"}, [{"B": 1, "T": 32}, {"B": 4, "T": 32}, {"B": 9, "T": 77}]),
    "u-net": Model("""
def pair(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.GroupNorm(8, o), nn.SiLU(), nn.Conv2d(o, o, 3, padding=1), nn.SiLU())


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c, self.up, self.out = pair(3, 32), pair(32, 64), pair(64, 64), pair(128, 32), nn.Conv2d(64, 2, 1)

    def forward(self, x):
        a = self.a(x)
        b = self.b(F.max_pool2d(a, 2))
        c = self.c(F.max_pool2d(b, 2))
        b = self.up(torch.cat([F.interpolate(c, size=b.shape[-2:], mode="nearest"), b], 1))
        return self.out(torch.cat([F.interpolate(b, size=a.shape[-2:], mode="bilinear"), a], 1))
""", {"x": ("f32", "B", 3, "H", "W")}, {"B": "B=1 in 1..8", "H": "H=96 in 16..256", "W": "W=96 in 16..256"}, [{"B": 1, "H": 96, "W": 96}, {"B": 2, "H": 63, "W": 101}]),
    "vision transformer": Model("""
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch, self.cls = nn.Conv2d(3, 192, 16, 16), nn.Parameter(torch.rand(1, 1, 192))
        self.place = nn.Parameter(torch.rand(1, 197, 192))
        self.layers = nn.Sequential(*(nn.TransformerEncoderLayer(192, 3, 768, 0.0, "gelu", batch_first=True, norm_first=True) for _ in range(3)))

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.layers(x)[:, 0]
""", {"x": ("f32", "B", 3, 224, 224)}, {"B": "B=4 in 1..32"}, [{"B": 1}, {"B": 4}, {"B": 9}]),
}


def texts(model, sizes):
    """Of the inputs, each size by what `sizes` says of its name; what is declared is said once."""
    said, out = set(), {}
    for name, (kind, *dims) in model.inputs.items():
        words = []
        for dim in dims:
            words.append(str(sizes[dim]) if dim in sizes and dim not in said else str(dim))
            if dim in model.ranges and sizes is model.ranges:
                said.add(dim)
        out[name] = f"{kind}[{','.join(words)}]"
    return out


def save_weights(folder, model):
    """Weights come from a file, as they do where models are used: the compiler may choose how they lie."""
    import torch
    sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "examples")]
    from notation import save_safetensors
    scope = {}
    exec(HEAD + model.source, scope)
    torch.manual_seed(0)
    save_safetensors(folder / "weights.safetensors", {key: tensor.clone() for key, tensor in scope["Net"]().state_dict().items()})


def compile_library(args, folder, model, sizes, name):
    """The library and the seconds of a processor that it took, or None and what the compiler said."""
    library = folder / f"{name}.so"
    inputs = [word for item in texts(model, sizes).items() for word in ("--input", "=".join(item))]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([args.ptc, "compile", folder / "net.pyc", "--entry", "Net", "--eval", "--weights", folder / "weights.safetensors", "--target", args.target,
                           *inputs, "-o", library], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.splitlines()[0]
    return library, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def variants_of(args, library):
    return len(json.loads(output(args.ptc, "inspect-graph", library, "--format=json"))["variants"])


def measure(args, folder, model, library, alone, sizes):
    """(microseconds of a call, speed relative to the library for these sizes alone), medians over the rounds."""
    random = numpy.random.default_rng(0)
    for name, (kind, *dims) in model.inputs.items():
        shape = [sizes.get(dim, dim) for dim in dims]
        numpy.save(folder / f"{name}.npy", random.integers(0, 1000, shape) if kind == "i64" else random.standard_normal(shape, numpy.float32))
    (folder / "call.json").write_text(json.dumps({"kwargs": {name: {"$tensor": f"{name}.npy"} for name in model.inputs}}))
    times, ratios = [], []
    for _ in range(args.rounds):
        told = json.loads(output(args.ptc, "bench", library, "--against", alone, "--call", folder / "call.json", "--threads", args.threads,
                                 "--seconds", args.seconds, "--samples", 10, "--json"))
        one, other = (row["latency_us"]["median"] for row in told[:2])
        times.append(one)
        ratios.append(other / one)
    return statistics.median(times), statistics.median(ratios)


def show(args, name, model, folder):
    (folder / "net.py").write_text(HEAD + model.source)
    py_compile.compile(str(folder / "net.py"), cfile=str(folder / "net.pyc"), doraise=True)
    save_weights(folder, model)
    library, seconds = compile_library(args, folder, model, model.ranges, "all")
    if library is None:
        print(f"{name}: {seconds}", flush=True)
        return
    for number, sizes in enumerate(model.sizes):
        alone, one_seconds = compile_library(args, folder, model, sizes, f"alone{number}")
        if number == 0:
            print(f"{name}: {variants_of(args, library)} variants, compiled in {seconds:.1f} s of a processor, for one size in {one_seconds:.1f} s", flush=True)
        where = ", ".join(f"{key} = {value}" for key, value in sizes.items())
        if alone is None:
            print(f"  {where}: {one_seconds}", flush=True)
            continue
        time, ratio = measure(args, folder, model, library, alone, sizes)
        print(f"  {where:20} {time:12.1f} us   {ratio:6.2f} of the library for this size alone", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=list(MODELS))
    parser.add_argument("--ptc", type=Path, required=True)
    parser.add_argument("--target", default="x86-64")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="of calls in each round")
    args = parser.parse_args()
    args.ptc = args.ptc.resolve()
    for name in args.models:
        with tempfile.TemporaryDirectory() as folder:
            show(args, name, MODELS[name], Path(folder))


if __name__ == "__main__":
    main()
