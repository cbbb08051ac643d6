"""State over calls: module globals and attributes that are numbers, tensors, None, lists."""
from collections import deque

import torch
from torch import nn

count, history, flag, best = 0, None, False, -100.0
table = {"calls": 0, "last": 0.0}


def counted(x):
    global count
    count += 1
    if x.sum() > 0:
        count += 10
    return x + count


def kind_changes(x):
    global history
    old = history
    history = x * 2
    return x if old is None else x + old


def toggled(x):
    global flag
    flag = not flag
    return x if flag else -x


def running_best(x):
    global best
    s = x.sum().item()
    if s > best:
        best = s
        return "new", best
    return "old", best


def dict_state(x):
    table["calls"] += 1
    if x.max() > 1:
        table["last"] = float(x.max())
    return table["calls"], table["last"], x


recent = deque(maxlen=3)


def bounded_history(x):
    recent.append(int(x[0]))
    return list(recent)


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.last is None or x.sum() > 3:
            self.last = x * 2
        return self.last + self.calls


class Average(nn.Module):
    def __init__(self, size=3, momentum=0.5):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("seen", torch.tensor(0))
        self.momentum = momentum

    def forward(self, x):
        self.seen += 1
        self.mean.mul_(1 - self.momentum).add_(x * self.momentum)
        if self.mean.sum() > 3:
            self.mean.zero_()
        return x - self.mean, self.seen.item()


class Warmup(nn.Module):
    def __init__(self, steps=2):
        super().__init__()
        self.steps, self.scale = steps, 1.0

    def forward(self, x):
        if self.steps > 0:
            self.steps -= 1
            self.scale = self.scale / 2
            return x * self.scale
        return x


class Alternating(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [1.0, 2.0, 4.0]
        self.at = 0

    def forward(self, x):
        k = self.parts[self.at]
        self.at = (self.at + 1) % len(self.parts)
        return x * k


class Optimizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.velocity = None

    def forward(self, x):
        with torch.no_grad():
            g = x - self.weight
            self.velocity = g if self.velocity is None else 0.5 * self.velocity + g
            self.weight.add_(self.velocity, alpha=0.25)
        return self.weight * 1


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Warmup(1), Alternating()

    def forward(self, x):
        y = self.b(self.a(x))
        if y.sum() > 2:
            y = self.b(y)
        return y


class Words(nn.Module):
    """What data chose of known values, in state that is not there at first."""

    def __init__(self):
        super().__init__()
        self.found, self.last, self.kind = {}, None, None
        self.names = []

    def forward(self, x):
        n = int(x.sum())
        if n > 3:
            self.found["word"] = "odd" if n % 2 else "even"
            self.last = (n, "few" if n < 9 else "many")
            self.kind = n if n % 2 else n * 0.5
        self.names.append("odd" if n % 2 else "even" if n % 3 else "third")
        if len(self.names) > 2:
            self.names.pop(0)
        return n, self.found.get("word", "none"), self.last, self.kind, list(self.names)
