"""Texts of tensors that a call makes: in prints, exceptions, containers, branches and loops."""
import sys

import torch


class Scaled(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.by = torch.nn.Parameter(torch.tensor([0.5, -1.0, 2.0]))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.count += 1
        print("by", self.by, "call", self.count, f"{self.count}")
        return x * self.by


scaled = Scaled()


def kinds(x):
    print(x, x.double() / 3, x.half(), x.bfloat16(), x.long(), x.to(torch.int32), x > 0)
    print(x.to(torch.int8), x.to(torch.int16), (x.abs() * 9).to(torch.uint8), x.new_zeros(2, 0), x[:0].long())
    print(x * 1e-6, x * 1e9, x / 0, torch.log(x), x[0], x.sum().long(), x.t(), x.expand(2, *x.shape), sep="\n")


def shapes(x):
    rows = x[x.sum(-1) > 0]
    print(f"{rows}|{rows[:, ::2]!r}|{rows.t()}", file=sys.stderr)
    print([rows, (x[0], 2.5)], {"first": x[-1], 3: [rows > 1]}, str(rows.shape))
    wide = (x.flatten().repeat(400) * torch.arange(1.0, x.numel() * 400 + 1)).view(-1, 8)
    print(wide, wide.t(), wide.long().view(2, 4, -1, 3)[:, :2, ::25], end="\n\n")
    return rows


def turns(x):
    last = "none"
    i = 0
    while x.abs().max() < 8:
        x = x * 2 + 1
        i += 1
        last = f"{i}: {x[0]}"
        print(last, x[:, i % 3])
    print(last)
    return x, last


def sides(x):
    shown = x[1] if x.sum() > 2 else x.long()[0]
    name = f"big {x.max(0).values}" if x.max() > 4 else f"small {x - 1}"
    print(shown, name)
    if x.min() < -8:
        raise ValueError(f"too low: {x}")
    if x.min() < -4:
        raise IndexError(f"low {x.min()} of {shown}")
    try:
        if x.min() < -2:
            raise RuntimeError(f"below {x[0]}")
    except RuntimeError as e:
        print("caught", e)
    return name


def entry(x):
    kinds(x)
    rows = shapes(x)
    print("scaled", scaled(x).detach())
    grown, last = turns(x + 0)
    before = str(x)
    x += 1
    print(before, x, sep=" -> ")
    before = [before, str(x), f"{x[0]!r}"]
    x *= 2
    if x.max() > 12:
        raise OverflowError("; ".join(before))
    return rows, grown, last, before, sides(x)
