#!/usr/bin/env python3
"""Networks of convolutions as native code, against eager PyTorch: results and their strides.

    convolutions.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module of convolutions in one, two or three dimensions, plain, grouped, per channel or transposed, with
steps, padding and dilation, and of what stands between them: norms, activations, pooling, additions over other layers,
branches that are joined. The input is contiguous or has its channels last; what lies between two layers is looked at,
viewed or returned as well; the batch or the height is known only at run time. The library runs with one thread and with
three, for two CPUs.
"""
import math
import random
import sys

import drawn

CHANNELS = [1, 3, 4, 8, 16, 17, 32, 33, 48]
SIDES = [1, 2, 5, 7, 8, 14, 19]


class Network:
    """Lines of __init__ and forward while layers are drawn; `channels` and `sides` of the value h."""

    def __init__(self, rng, rank, sides, channels, is_open, strides):
        self.rng, self.rank, self.sides, self.channels, self.strides = rng, rank, sides, channels, strides
        self.is_open = is_open  # the first side is known only at run time: layers take any
        self.made, self.lines, self.kept, self.earlier = [], [], [], []

    def add(self, module):
        self.made.append(f"self.f{len(self.made)} = nn.{module}")
        return f"self.f{len(self.made) - 1}"

    def pick_window(self):
        """kernel, stride, padding, dilation: windows fit wherever a side has at least one entry."""
        rng = self.rng
        kernel, stride, dilation = rng.choice([1, 1, 2, 3, 3, 3, 5]), rng.choice(self.strides), rng.choice([1, 1, 1, 2])
        reach = dilation * (kernel - 1)
        padding = (reach + 1) // 2
        if not self.is_open and min(self.sides) + 2 * (padding - 1) > reach and padding:
            padding = rng.choice([padding, padding - 1, padding + 1])
        return kernel, stride, padding, dilation

    def shrink(self, kernel, stride, padding, dilation):
        self.sides = [(s + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1 for s in self.sides]

    def convolution(self):
        rng, channels = self.rng, self.channels
        kernel, stride, padding, dilation = self.pick_window()
        groups = rng.choice([1, 1, 1, channels] + ([2] if channels % 2 == 0 else []))
        out = groups * rng.choice([1, 2]) if groups == channels else groups * rng.choice([1, 4, 16, 17]) \
            if groups > 1 else rng.choice(CHANNELS)
        bias = rng.random() < 0.5
        scale = 1 / math.sqrt(channels // groups * kernel ** self.rank)
        if rng.random() < 0.1 and stride <= 2 and padding <= dilation * (kernel - 1):
            f = self.add(f"ConvTranspose{self.rank}d({channels}, {out}, {kernel}, {stride}, {padding}, 0, {groups}, {bias}, {dilation})")
            sides = [(s - 1) * stride - 2 * padding + dilation * (kernel - 1) + 1 for s in self.sides]
            if min(sides) < 1 or self.is_open:
                self.made.pop()
                return
            self.sides = sides
        else:
            f = self.add(f"Conv{self.rank}d({channels}, {out}, {kernel}, {stride}, {padding}, {dilation}, {groups}, {bias})")
            self.shrink(kernel, stride, padding, dilation)
        self.channels, self.earlier = out, []
        self.lines.append(f"h = {f}(h) * {scale:.4f}")

    def pool(self):
        kernel = self.rng.choice([2, 3])
        stride = min(2, self.rng.choice(self.strides))
        kind = self.rng.choice(["max", "max", "avg"])
        if kernel == 2 and (self.is_open or min(self.sides) < 2):
            kernel = 3
        if self.rank == 3 and (self.is_open or min(self.sides) < kernel):
            return  # eager wants no smaller side there, whatever the padding
        padding = kernel // 2
        self.lines.append(f"h = F.{kind}_pool{self.rank}d(h, {kernel}, {stride}, {padding})")
        self.shrink(kernel, stride, padding, 1)
        self.earlier = []

    def between(self):
        rng, n = self.rng, len(self.lines)
        ones = ", ".join(["1"] * self.rank)
        kind = rng.choice(["relu", "relu", "norm", "residual", "residual", "scale", "silu", "keep", "look", "view", "join",
                           "mean", "turn", "softmax"])
        if kind == "relu":
            self.lines.append("h = torch.relu(h)")
        elif kind == "silu":
            self.lines.append("h = F.silu(h)")
        elif kind == "norm":
            self.lines.append(f"h = {self.add(f'BatchNorm{self.rank}d({self.channels}).eval()')}(h)")
        elif kind == "scale":
            self.made.append(f"self.f{len(self.made)} = nn.Parameter(torch.empty(1, {self.channels}, {ones}))")
            self.lines.append(f"h = h + self.f{len(self.made) - 1}")
        elif kind == "residual" and self.earlier:
            self.lines.append(f"h = h + {rng.choice(self.earlier)}")
        elif kind == "keep":
            self.lines.append(f"k{n} = h")
            self.kept.append(f"k{n}")
        elif kind == "look":  # what the program sees is what eager has
            self.lines.append("h = h * (2.0 if h.is_contiguous() else 0.5) + h.stride(1) * 0.001")
        elif kind == "view":
            self.lines.append("h = h.flatten(1).view(h.shape) * 0.5" if rng.random() < 0.5 else "h = h.transpose(-1, -2).transpose(-2, -1) * 2")
            if self.rank == 1 and "transpose" in self.lines[-1]:
                self.lines.pop()
        elif kind == "join" and self.earlier:
            self.lines.append(f"h = torch.cat([h, {rng.choice(self.earlier)}], 1)")
            self.channels, self.earlier = 2 * self.channels, []
        elif kind == "mean":
            self.lines.append(f"h = h - h.mean({tuple(range(2, 2 + self.rank))}, keepdim=True)")
        elif kind == "turn" and self.rank == 2 and not self.is_open:
            self.lines.append("h = h.transpose(2, 3)")
            self.sides, self.earlier = self.sides[::-1], []
        elif kind == "softmax":
            self.lines.append(f"h = torch.softmax(h, {rng.choice([1, -1])})")
        self.lines.append(f"h{n} = h")
        self.earlier.append(f"h{n}")

    def end(self):
        dims = tuple(range(2, 2 + self.rank))
        ends = ["h", "h", "h > 0.3", "h.contiguous()", f"h.mean({dims})", "h.flatten(1)"]
        if self.rank == 2:
            ends += ["h.permute(0, 2, 3, 1)", "h.contiguous(memory_format=torch.channels_last)"]
        return ", ".join([self.rng.choice(ends), *self.kept])


def program(seed):
    rng = random.Random(seed)
    rank = rng.choice([1, 2, 2, 2, 2, 2, 3])
    channels = rng.choice(CHANNELS)
    sides = [rng.choice(SIDES[: 4 if rank == 3 else None]) for _ in range(rank)]
    batch, layout = rng.choice([1, 1, 2, 3]), rng.choice(["plain", "plain", "view", "copied"]) if rank == 2 else "plain"
    which = rng.choice(["", "", "", "batch", "side"])
    # A side that may have become 1 leaves open how a tensor lies: eager decides that at run time.
    strides = [1] if which == "side" else [1, 1, 1, 2, 3]
    net = Network(rng, rank, sides, channels, which == "side", strides)
    if layout == "view":
        net.lines.append("h = x.permute(0, 3, 1, 2)")
    elif layout == "copied":
        net.lines.append("h = x.contiguous(memory_format=torch.channels_last)")
    else:
        net.lines.append("h = x")
    for _ in range(rng.choice([1, 2, 3, 4])):
        net.convolution() if rng.random() < 0.8 else net.pool()
        for _ in range(rng.choice([0, 1, 2, 3])):
            net.between()
    made = "\n        ".join(net.made or ["pass"])
    end = net.end()
    body = "\n        ".join(net.lines)
    source = f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x):
        {body}
        return {end}
"""
    lead = "B" if which == "batch" else batch
    first = "B" if which == "side" else sides[0]
    places = [first, *sides[1:]]
    return source, {"x": (lead, *places, channels) if layout == "view" else (lead, channels, *places)}


if __name__ == "__main__":
    sys.exit(drawn.main(program, __doc__, 60))
