"""A program with a loop on data, a branch, a print, state over calls and a way to raise."""
import torch
from torch import nn


def grow(h, factor):
    return h * factor + 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.calls = 0

    def forward(self, x, limit=10.0):
        self.calls += 1
        h = self.lin(x)
        n = 0
        while h.abs().sum() < limit:
            h = grow(h, 1.5)
            n += 1
            if n > 40:
                raise ValueError(f"no growth after {n}")
        if h.sum() > 0:
            print("positive", h.sum().item())
            out = {"h": h, "n": n}
        else:
            out = {"h": -h, "n": -n}
        x.add_(1)
        return out, self.calls
