#!/usr/bin/env python3
"""Products with what follows them, as native code, against eager PyTorch.

    epilogues.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module with one linear layer, matrix product or convolution and a chain of elementwise operations
behind it that broadcast, read it twice, read other layouts or hand it out as well; sizes lie around those of tiles, some
are known only at run time. Each third seed makes a product of two tensors that are made for it of the same one, in 16 bits
mostly: what it adds to, what it reads and what it writes differ in type. The library runs with one thread and with three,
for two CPUs.
"""
import random
import sys

import drawn

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


# Of h and x, which are square; h is x in another type.
PRODUCTS = ["h @ h", "h @ h", "(h * 2) @ h", "h @ torch.relu(h)", "h @ (x * 2).to(h.dtype)", "F.linear(h, h)", "F.linear(h.sin(), h)",
            "torch.addmm(h, h, h)", "torch.matrix_power(h, 2)", "h @ h.T", "torch.bmm(h[None].expand(2, -1, -1), torch.stack([h, h]))",
            "torch.baddbmm(h[None], h[None], h[None])", "F.conv1d(h[None], h[:, :, None], h[0])"]
TYPES = ["float16", "float16", "bfloat16", "bfloat16", "float64", "float32"]
ENDS = ["h", "h", "torch.relu(h)", "h * 0.5", "h.float() + row", "h.to(torch.float16)", "(h, h.float().sum(-1))"]


def draw_conversions(rng):
    size = rng.choice(SIZES + [40, 64, 100, "B"])
    product, end = rng.choice(PRODUCTS), rng.choice(ENDS)
    source = f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, x{", row" if "row" in end else ""}):
        h = {rng.choice(["x", "x", "x.sin()", "(x + 1)"])}.to(torch.{rng.choice(TYPES)})
        h = {product}
        return {end}
"""
    return source, {"x": (size, size), **({"row": (size,)} if "row" in end else {})}


def program(seed):
    rng = random.Random(seed)
    if seed % 3 == 0:
        return draw_conversions(rng)
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
    shapes = {"x": x, **{n: shapes[n] for n in used}}
    if rng.random() < 0.3 and len(x) == 2 and x[0] > 1 and "other" not in used:
        # The first size is known at run time alone.
        shapes = {n: ("B", *shape[1:]) if shape and n != "row" and shape[0] == x[0] else shape for n, shape in shapes.items()}
    return source, shapes


if __name__ == "__main__":
    sys.exit(drawn.main(program, __doc__, 60))
