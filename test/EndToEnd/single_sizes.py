#!/usr/bin/env python3
"""Dimensions of one element among all sizes of a declared range: variants of their own only where somebody sees a difference.

    single_sizes.py --ptc PTC [FILTER] [-j N] [-v]

Each program is compiled for ranges that begin at 1 and called with sizes of 1 and others, on the null target and as a
library, and compared with eager PyTorch: elements, shapes, strides, what shares memory with what, what was written. Rows
of INDIFFERENT have one variant; those of SHOWN say what a view of one element and a copy of several differ in.
"""
import itertools
import sys
from pathlib import Path

from size_language import Row, check_row

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

X = "f32[A in 1..4,B in 1..5,8]"
HEADS = "h = x.view(x.shape[0], x.shape[1], 2, 4).transpose(1, 2)\n"
AB, IMAGES = "x=f32[A in 1..4,B in 1..5]", "x=f32[2,3,H in 1..4,W in 1..4]"
INDIFFERENT = {
    "a product of permuted views": ("return (x.transpose(0, 1).reshape(x.shape[1], -1) * 2).sum(0, keepdim=True)", "x=f32[A in 1..4,B in 1..5,4]"),
    "heads": (HEADS + "return (h @ h.mT).softmax(-1) @ h", X),
    "heads that come together again": (HEADS + "y = (h @ h.mT).softmax(-1) @ h\nreturn y.transpose(1, 2).reshape(x.shape[0], x.shape[1], -1) @ torch.eye(8)", X),
    "heads and contiguous": (HEADS + "y = h.transpose(1, 2).contiguous().view(x.shape[0], x.shape[1], 8)\nreturn y.tanh()", X),
    "half rotated": (HEADS + "return torch.cat((-h[..., 2:], h[..., :2]), -1) * 2", X),
    "expanded": ("return x.sum(0, keepdim=True).expand(x.shape[0], -1, -1) * x", X),
    "a row for all": ("return torch.arange(3)[None].expand(x.shape[0], 3) + x.shape[0]", "x=f32[A in 1..4]"),
    "einsum": ('return torch.einsum("abc,adc->abd", x, x)', X),
    "einsum of two inputs": ('return torch.einsum("bij,bkj->bik", x, y)', "x=f32[B in 1..3,I in 1..4,4]", "y=f32[B,K in 1..5,4]"),
    "an outer product": ('return torch.einsum("bi,bj->bij", x, y)', "x=f32[B in 1..3,I in 1..4]", "y=f32[B,K in 1..5]"),
    "flattened": ("return x.permute(1, 0, 2).flatten(1).exp()", X),
    "attention": (HEADS + "return torch.nn.functional.scaled_dot_product_attention(h, h, h).transpose(1, 2).flatten(2) + x", X),
    "in a loop": ("y = torch.zeros(x.shape[0], 8)\nfor i in range(x.shape[1]):\n    y = torch.tanh(y + x.transpose(0, 1).contiguous()[i])\nreturn y", X),
    "on a side": ("if x.sum() > 0:\n    y = x.transpose(0, 1).contiguous()\nelse:\n    y = x.transpose(0, 1) * 3\nreturn y.exp()", X),
    "a view of what is computed": ("return (x * 2).transpose(0, 1).contiguous()", "x=f32[A in 1..4,B in 1..5]"),
}
# Where a view begins, and how it lies, whatever the sizes are.
PLACES = {
    "a row of one row": ("return x[:1].expand(x.shape[0], -1)[x.shape[0] - 1] * 2", "x=f32[A in 1..4,3]"),
    "a row of one row for another": ("return x.expand(y.shape[0], -1)[y.shape[0] - 1] * 2", "x=f32[1,3]", "y=f32[B=4 in 4..6]"),
    "a row of one row that data choose": ("return x.expand(y.shape[0], -1)[int(y.argmax())] * 2", "x=f32[1,3]", "y=f32[B=4 in 4..6]"),
    "rows of one row": ("z = torch.zeros(3)\nfor r in x[:1].expand(x.shape[0], -1):\n    z = z * 0.5 + r\nreturn z", "x=f32[A in 1..4,3]"),
    "a part in a row": ("return x[:, x.shape[1] // 2:].reshape(-1)", AB),
    "a part in a row, doubled": ("return x[:, x.shape[1] // 2:].reshape(-1) * 2", AB),
    "the last column in a row": ("return x[:, x.shape[1] - 1:].reshape(-1)", AB),
    "a piece in a row": ("return x.chunk(2, 1)[0].reshape(-1)", AB),
    "one for all, the last": ("return x[:1, :1].expand(x.shape[0], x.shape[1])[-1]", AB),
    "a written part": ("y = x * 1\ny[:, x.shape[1] // 2:].reshape(-1)[:1].add_(y.sum())\ny[x.shape[0] - 1:, :1].mul_(3)\nreturn y", AB),
    "a written part of a part": ("y = (x * 1).t()\ny[x.shape[1] // 2:][:, x.shape[0] // 2:] += 1\nreturn y", AB),
    "shifted": ("z = torch.cat([x[:, :1], x], 1).view(x.shape[1] + 1, x.shape[0])[1:].view_as(x)\nreturn z[:, : x.shape[1] // 2 + 1]", AB),
}
SHOWN = {
    "einsum of heads": ('return torch.einsum("bqhd,bkhd->bhqk", x, y)', "x=f32[B in 1..3,Q in 1..4,2,4]", "y=f32[B,K in 1..5,2,4]"),
    "the result": ("return x.transpose(0, 1).contiguous()", "x=f32[A in 1..4,B in 1..5]"),
    "a view of the result": ("return x.transpose(0, 1).reshape(-1)[1:]", "x=f32[A in 1..4,B in 2..5]"),
    "two results": ("y = x * 2\nreturn y, y.transpose(0, 1).contiguous()", "x=f32[A in 1..4,B in 1..5]"),
    "written": ("y = x.transpose(0, 1).contiguous()\ny.add_(1)\nreturn x * 2", "x=f32[A in 1..4,B in 1..5]"),
    "written before": ("x.mul_(2)\ny = x.transpose(0, 1).contiguous()\nreturn y + 1", "x=f32[A in 1..4,B in 1..5]"),
    "the base written": ("y = x.transpose(0, 1).reshape(-1)\nx.add_(1)\nreturn y * 2", "x=f32[A in 1..4,B in 1..5]"),
    "written in a loop": ("y = x.transpose(0, 1).contiguous()\nfor i in range(x.shape[0]):\n    y[:, i] += 1\nreturn x * 2", "x=f32[A in 1..4,B in 1..5]"),
    "written on a side": ("y = x.transpose(0, 1).contiguous() if x.sum() > 0 else x.clone().t()\ny.add_(1)\nreturn x * 2", "x=f32[A in 1..4,B in 1..5]"),
    "the same object": ("y = x.transpose(0, 1)\nreturn x + (1 if y.contiguous() is y else 2)", "x=f32[A in 1..4,B in 1..5]"),
    "id": ("y = x.transpose(0, 1)\nreturn x + (1 if id(y.contiguous()) == id(y) else 2)", "x=f32[A in 1..4,B in 1..5]"),
    "among others": ("y = x.transpose(0, 1)\nz = y.contiguous()\nreturn x + (1 if any(t is z for t in [x, y]) else 2)", "x=f32[A in 1..4,B in 1..5]"),
    "in a list": ("out = [x.transpose(0, 1).contiguous() for i in range(x.shape[0])]\nreturn out", "x=f32[A in 1..4,B in 1..5]"),
    "is_contiguous": ("return x + x.transpose(0, 1).is_contiguous()", "x=f32[A in 1..4,B in 1..5]"),
    "kept in a dict": ("d = {'y': x.transpose(0, 1).contiguous()}\nd['y'] += 1\nreturn x - 1", "x=f32[A in 1..4,B in 1..5]"),
    "out": ("y = torch.empty(x.shape[1], x.shape[0])\ntorch.add(x.t().contiguous(), 1, out=y)\nreturn y", "x=f32[A in 1..4,B in 1..5]"),
}


NUMBERS = [[(2, 3), 1], [(2, 3), 2], [(2, 3), 4]]
TWO = "y = (x * 2).t()\nz = y.contiguous()\n"
LAST = "h = (x * 2).contiguous(memory_format=torch.channels_last)\n"
SHOWN |= {
    "two of one base": ("y = x * 2\nreturn y.t().contiguous(), y.t().contiguous()", AB),
    "two in a dict": ("y = x * 2\nreturn {'a': y.t().contiguous(), 'b': y.t().reshape(-1)}", AB),
    "two of a part": ("y = x * 2\nreturn y.narrow(1, 0, x.shape[0]).contiguous(), y.narrow(1, 0, x.shape[0]).contiguous()", "x=f32[A in 2..4,4]"),
    "in a set": (TWO + "return x * len({y, z})", AB),
    "a key": (TWO + "return x * {y: 1}.get(z, 2)", AB),
    "in a frozenset": (TWO + "return x * len(frozenset([y, z]))", AB),
    "an element of a set": (TWO + "return x * (2 if z in {y} else 3)", AB),
    "as_strided": ("y = (x * 2)[1:].t()\nreturn x + y.contiguous().as_strided((1,), (1,), 0)", "x=f32[A in 2..4,B in 1..5]"),
    "interpolated images": (LAST + "y = F.interpolate(h, scale_factor=2)\nreturn y * (2 if y.is_contiguous() else 3)", IMAGES),
    "a convolution of images": (LAST + "return x * (2 if F.conv2d(h, torch.ones(4, 3, 3, 3), padding=2).is_contiguous() else 3)", IMAGES),
    "the strides of a convolution": ("a, b, c, d = F.conv2d(x[:, None, :, None], torch.ones(2, 1, 1, 1)).stride()\nreturn x * 2 + a * 1000 + b * 100 + c * 10 + d", "x=f32[A in 1..3,B in 1..3]"),
    "strides and their order": ("a, b = x.stride()\nreturn x * (2 if x.t().is_contiguous() else 3) + a * 10 + b", "x=f32[A in 1..3,B in 1..3]"),
    "an image of a text": ("r = x.transpose(1, 2).reshape(x.shape[0], 3, x.shape[1], 1)\nreturn F.conv2d(r, torch.ones(4, 3, 1, 1), padding=1) * 2",
                           "x=f32[B in 1..3,L in 1..4,3]"),
    "as complex numbers": ("return torch.view_as_real(torch.view_as_complex((x * 1)[:, :, :2].contiguous()) * 2)", "x=f32[A in 1..4,B in 1..4,4]"),
    "einsum without what is summed": ("r = torch.einsum('abc,abc->ca', x, x)\nreturn r + (1 if r.is_contiguous() else 2)", "x=f32[A in 1..3,B in 1..3,4]"),
    "einsum into another order": ("r = torch.einsum('abc,abd->dca', x, x)\nreturn r + (1 if r.is_contiguous() else 2)", "x=f32[A in 1..3,B in 1..3,4]"),
    "einsum of heads into another order": ("r = torch.einsum('bhqd,bhkd->hkqb', x, y)\nreturn r + (1 if r.is_contiguous() else 2)",
                                           "x=f32[B in 1..2,2,Q in 1..3,4]", "y=f32[B,2,K in 1..3,4]"),
}
STRIDES = {
    "strides": Row("return x + torch.zeros(1, 3).expand(n, 3).stride(0)", {"x": "f32[2,3]", "n": "N in 1..4"}, NUMBERS, variants=0),
    "all strides": Row("a, b, c = (-torch.zeros(n, 4)[:, 1:].t()).unsqueeze(0).stride()\nreturn x + a * 100 + b * 10 + c", {"x": "f32[2,3]", "n": "N in 1..4"},
                       NUMBERS, variants=0),
}


def row_of(variants, body, *inputs):
    """Sizes of 1, of 3, and the largest of each name."""
    inputs = dict(text.split("=", 1) for text in (i if "=f32" in i else f"x={i}" for i in inputs))
    ranges = {}
    for spec in inputs.values():
        for dim in spec[4:-1].split(","):
            name, _, bounds = dim.partition(" in ")
            if bounds:
                low, high = map(int, bounds.split(".."))
                ranges[name] = sorted({low, max(low, min(3, high)), high})
    calls = []
    for sizes in itertools.product(*ranges.values()):
        where = dict(zip(ranges, sizes))
        calls.append([tuple(where.get(dim.split()[0]) or int(dim) for dim in spec[4:-1].split(",")) for spec in inputs.values()])
    return Row(body, inputs, calls, variants=variants)


def main():
    args = runner.options(__doc__).parse_args()
    rows = [(name, row_of(1, *row)) for name, row in INDIFFERENT.items()] + [(f"shown: {name}", row_of(0, *row)) for name, row in (PLACES | SHOWN).items()]
    rows += STRIDES.items()
    cases = [(f"{name} ({target})", (check_row, row, target)) for name, row in rows for target in ("null", "x86-64")]
    return runner.run(cases, lambda check, *more: check(args.ptc, *more), args)


if __name__ == "__main__":
    sys.exit(main())
