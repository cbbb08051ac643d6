#!/usr/bin/env python3
"""Networks of images in bfloat16 as native code, against eager PyTorch.

    images.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module of convolutions, plain or with steps and padding, of 3 to 72 channels, norms, activations, pools
and additions over other layers; the batch is known, or only at run time. Products are scaled to numbers around 1: eager
rounds between layers, where sums differ in their last bits.
"""
import random
import sys

import drawn

CHANNELS = [3, 8, 20, 24, 64, 64, 72]
SIDES = [3, 5, 6, 7]


def layer(rng, number, channels, sides):
    """(lines of __init__, of forward, channels, sides behind it)"""
    kernel, more = rng.choice([1, 3, 3, 3, 5]), rng.choice(CHANNELS[1:])
    stride, padding = rng.choice([1, 1, 2]), kernel // 2 + rng.choice([0, 0, 0, 1])
    made = [f"self.f{number} = nn.Conv2d({channels}, {more}, {kernel}, {stride}, {padding}, bias={rng.random() < 0.5}, dtype=torch.bfloat16)"]
    scaled = f"self.f{number}(h) * {(channels * kernel ** 2) ** -0.5:.4f}"
    sides = [(n + 2 * padding - kernel) // stride + 1 for n in sides]
    lines = [f"h = {rng.choice(['F.relu', 'F.relu', 'torch.tanh', ''])}({scaled})"]
    if rng.random() < 0.4:
        made.append(f"self.n{number} = nn.BatchNorm2d({more}, dtype=torch.bfloat16)")
        lines.append(f"h = F.relu(self.n{number}(h))")
    if rng.random() < 0.3:
        made.append(f"self.s{number} = nn.Conv2d({more}, {more}, 3, 1, 1, dtype=torch.bfloat16)")
        lines.append(f"h = F.relu(self.s{number}(h) * {(more * 9) ** -0.5:.4f} + h)")
    if min(sides) > 2 and rng.random() < 0.3:
        lines.append(f"h = F.{rng.choice(['max_pool2d(h, 3, 2, 1)', 'avg_pool2d(h, 2)', 'max_pool2d(h, 2, 1)'])}")
        sides = [(n + 2 - 3) // 2 + 1 if "3, 2, 1" in lines[-1] else n // 2 if "avg" in lines[-1] else n - 1 for n in sides]
    return made, lines, more, sides


def program(seed):
    rng = random.Random(seed)
    first = channels = rng.choice(CHANNELS)
    at = sides = [rng.choice(SIDES), rng.choice(SIDES)]
    made, lines = [], []
    for number in range(rng.choice([1, 2, 2, 3])):
        more = layer(rng, number, channels, at)
        made, lines, channels, at = made + more[0], lines + more[1], *more[2:]
    last = rng.choice(["h", "h", "h.mean((2, 3))", "h.flatten(1)"])
    made, body = ("\n        ".join(part) for part in (made, lines))
    source = f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {made}
        self.eval()

    def forward(self, x):
        h = x.bfloat16()
        {body}
        return {last}
"""
    return source, {"x": (rng.choice(["B", "B", 1, 3]), first, *sides)}


if __name__ == "__main__":
    sys.exit(drawn.main(program, __doc__, 40))
