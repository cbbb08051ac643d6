#!/usr/bin/env python3
"""Products with what follows them, as native code, against eager PyTorch.

    epilogues.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module with one linear layer, matrix product or convolution and a chain of elementwise operations
behind it that broadcast, read it twice, read other layouts or hand it out as well; sizes lie around those of tiles, some
are known only at run time. The library runs with one thread and with three, for two CPUs.
"""
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

import compiled  # noqa: F401  (finds notation)
import pycs
from notation import save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/Runtime"))
import ptc_loader  # noqa: E402
import runner  # noqa: E402

CPUS = ["x86-64-v3", "x86-64-v4"]
SIZES = [1, 2, 3, 5, 8, 13, 16, 17, 31, 33, 48, 65]
# {h}: the value so far; the other names are arguments that broadcast to it.
STEPS = ["{h} + row", "{h} * column", "{h} + full", "full - {h}", "{h} * 0.5", "{h} + number", "torch.relu({h})",
         "F.gelu({h})", "F.gelu({h}, approximate='tanh')", "{h} * torch.sigmoid({h})", "torch.tanh({h})",
         "torch.where(mask, {h}, number)", "{h}.clamp(-0.5, 0.75)", "{h} + other", "torch.exp(-{h}.abs())",
         "{h} * row + column", "F.leaky_relu({h}, 0.1) - row", "{h} + {h} * {h}", "{h} / (1 + full.abs())"]


def draw_chain(rng):
    lines, kept = [], []
    for i in range(rng.randint(1, 4)):
        lines.append(f"h = {rng.choice(STEPS).format(h='h')}")
        if rng.random() < 0.15:
            lines.append(f"kept{i} = h")
            kept.append(f"kept{i}")
    ends = ["h", "h", "h", "h.transpose(-1, -2)", "h.sum(-1)", "h > 0", "h.to(torch.bfloat16)"]
    return lines, ", ".join([rng.choice(ends), *kept])


def draw_product(rng, size):
    """(what __init__ does, expression, shape of x, shape of the result)"""
    rows, columns, inner = size(), size(), size()
    bias = rng.random() < 0.6
    kind = rng.choice(["linear", "linear", "linear", "batch", "matmul", "turned", "conv", "conv", "grouped"])
    if kind == "linear":
        return f"self.f = nn.Linear({inner}, {columns}, bias={bias})", "self.f(x)", (rows, inner), (rows, columns)
    if kind == "batch":
        return (f"self.f = nn.Linear({inner}, {columns}, bias={bias})", "self.f(x)", (2, rows, inner),
                (2, rows, columns))
    if kind in ("matmul", "turned"):
        shape, text = ((inner, columns), "x @ self.w") if kind == "matmul" else ((columns, inner), "x @ self.w.t()")
        return f"self.w = nn.Parameter(torch.empty{shape})", text, (rows, inner), (rows, columns)
    groups = 2 if kind == "grouped" else 1
    n, out, kernel = rng.choice([1, 2]), groups * rng.choice([1, 3, 8, 17]), rng.choice([1, 3])
    channels, side, stride, padding = groups * rng.choice([1, 3, 4]), rng.choice([4, 7, 18]), rng.choice([1, 2]), kernel // 2
    made = f"self.f = nn.Conv2d({channels}, {out}, {kernel}, {stride}, {padding}, groups={groups}, bias={bias})"
    end = (side + 2 * padding - kernel) // stride + 1
    return made, "self.f(x)", (n, channels, side, side), (n, out, end, end)


def program(seed):
    rng = random.Random(seed)
    made, product, x, result = draw_product(rng, lambda: rng.choice(SIZES))
    lines, end = draw_chain(rng)
    shapes = {"row": result[-1:], "column": (*result[:-1], 1), "full": result, "number": (),
              "other": (*result[:-2], result[-1], result[-2]), "mask": result}
    text = "\n".join(lines)
    if len(result) == 4 and rng.random() < 0.5:
        shapes["row"] = (1, result[1], 1, 1)  # per channel
    used = [n for n in shapes if n in text]
    body = "\n        ".join([f"h = {product}", *(["other = other.transpose(-1, -2)"] if "other" in used else []), *lines])
    source = f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, {", ".join(["x", *used])}):
        {body}
        return {end}
"""
    is_dynamic = rng.random() < 0.3 and len(x) == 2 and x[0] > 1 and "other" not in used
    return source, {"x": x, **{n: shapes[n] for n in used}}, is_dynamic


def draw(name, shape, generator):
    return torch.rand(shape, generator=generator) > 0.5 if name == "mask" else torch.randn(shape, generator=generator)


def options_of(shapes, is_dynamic):
    """--input of each argument; the first size by name where only the run knows it."""
    known = shapes["x"][0]
    out = []
    for name, shape in shapes.items():
        runs = is_dynamic and name != "number" and shape and (name != "row")
        named = len(shape) - 1 if name == "other" else 0
        sizes = ["B in 2..65" if runs and d == named and n == known else str(n) for d, n in enumerate(shape)]
        out += ["--input", f"{name}={'bool' if name == 'mask' else 'f32'}[{','.join(sizes)}]"]
    return out


def difference(got, wanted):
    if isinstance(wanted, tuple):
        return next(filter(None, map(difference, got, wanted)), None)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype} {tuple(got.shape)} instead of {wanted.dtype} {tuple(wanted.shape)}"
    if wanted.dtype == torch.bool:
        return None if (got != wanted).float().mean() < 0.01 else "other truth values"
    bound = 2e-2 if wanted.dtype == torch.bfloat16 else 2e-4
    if torch.allclose(got.float(), wanted.float(), rtol=bound, atol=bound, equal_nan=True):
        return None
    return f"differs by {(got.float() - wanted.float()).abs().max():.3g}"


def check(ptc, seed):
    source, shapes, is_dynamic = program(seed)
    generator = torch.Generator().manual_seed(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.py").write_text(source)
        pycs.compile_pyc(folder / "model.py", folder / "model.pyc")
        scope = {}
        exec(compile(source, "model.py", "exec"), scope)
        net = scope["Net"]()
        for p in net.parameters():
            torch.nn.init.normal_(p, generator=generator)
        save_safetensors(folder / "w.safetensors", {k: v.detach() for k, v in net.state_dict().items()})
        for cpu in CPUS:
            library = folder / f"{cpu}.so"
            command = [str(ptc), "compile", str(folder / "model.pyc"), "--entry", "Net", "--weights",
                       str(folder / "w.safetensors"), "--cpu", cpu, "-o", str(library), *options_of(shapes, is_dynamic)]
            made = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if made.returncode:
                return f"{made.stderr[:400]}\n{source}"
            for first in ([shapes["x"][0], 2, 7, 65] if is_dynamic else [shapes["x"][0]]):
                known = shapes["x"][0]
                sized = {n: tuple(first if is_dynamic and n != "row" and s == known and d == (len(shape) - 1 if n == "other" else 0)
                                  else s for d, s in enumerate(shape)) for n, shape in shapes.items()}
                given = {n: draw(n, shape, generator) for n, shape in sized.items()}
                with torch.no_grad():
                    wanted = net(**given)
                for threads in (1, 3):
                    model = ptc_loader.Model(library, threads=threads)
                    text = difference(model(**given), wanted)
                    model.close()
                    if text:
                        return f"{cpu}, {threads} threads, first size {first}: {text}\n{source}\n{shapes}"
    return None


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--seeds", type=int, default=60)
    parser.add_argument("--first", type=int, default=1)
    args = parser.parse_args()
    seeds = range(args.first, args.first + args.seeds)
    return runner.run([(f"seed-{seed}", (args.ptc, seed)) for seed in seeds], check, args)


if __name__ == "__main__":
    sys.exit(main())
