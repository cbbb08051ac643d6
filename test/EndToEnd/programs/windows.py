"""Windows over the last calls that begin empty: lists and deques that fill up, and what is asked of them."""
from collections import deque

import torch
from torch import nn

frames, sums, marks, pairs, recent = [], [], [], [], []
queue, bounded = deque(), deque(maxlen=3)
ups, downs = [], []
text = []


def popped(x):
    frames.append(x)
    if len(frames) > 3:
        frames.pop(0)
    return torch.stack(frames).mean(0), len(frames)


def deleted(x):
    sums.append(x.sum().item())
    if len(sums) > 2:
        del sums[0]
    return sum(sums) / len(sums), max(sums), sums


def sliced(x):
    global recent
    recent = (recent + [x * 2])[-3:]
    return torch.cat(recent), recent[0] is recent[-1]


def queued(x):
    queue.append((x, len(queue)))
    if len(queue) > 2:
        queue.popleft()
    return [n for _, n in queue], sum(f for f, _ in queue)


def ring(x):
    bounded.append(x)
    if len(bounded) < bounded.maxlen:
        return None
    first, second, third = bounded
    return (first + second + third) / 3


def marked_sometimes(x):
    if x.sum() > 0:
        marks.append(x)
    if len(marks) == 3:
        whole = torch.stack(marks)
        marks.clear()
        return whole
    return len(marks)


def newest_first(x):
    pairs.insert(0, {"value": x, "sum": float(x.sum())})
    if len(pairs) > 2:
        pairs.pop()
    return [p["sum"] for p in pairs], pairs[-1]["value"]


def two_lists(x):
    if x.sum() > 0:
        ups.append(x)
        if len(ups) > 1:
            ups.pop(0)
    else:
        downs.append(x)
        if len(downs) > 2:
            downs.pop(0)
    return len(ups), len(downs), (ups or downs)[0]


def words(x):
    text.append("up" if x.sum() > 0 else "down")
    text[:] = text[-2:]
    return " ".join(text)


class Smooth(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.size, self.held, self.total = size, [], 0.0

    def forward(self, x):
        s = x.sum().item()
        self.held.append(s)
        self.total += s
        if len(self.held) > self.size:
            self.total -= self.held.pop(0)
        return x - self.total / len(self.held)


class Delay(nn.Module):
    """The input of two calls ago, zeros before there is one."""

    def __init__(self):
        super().__init__()
        self.line = deque([], 3)

    def forward(self, x):
        self.line.append(x)
        return self.line[-3] if len(self.line) == 3 else torch.zeros_like(x)


class Dilated(nn.Module):
    """A stream of samples through dilated causal layers, with a ring of past inputs for each."""

    def __init__(self, layers=3, width=4):
        super().__init__()
        for i in range(layers):
            self.register_buffer(f"ring{i}", torch.zeros(1, width, 2**i))
        self.layers, self.pos = layers, 0

    def forward(self, x):
        x = x.sum() * torch.arange(4.0).reshape(1, 4, 1)
        for i in range(self.layers):
            ring = getattr(self, f"ring{i}")
            at = self.pos % 2**i
            old = ring[:, :, at : at + 1].clone()
            ring[:, :, at : at + 1] = x
            a, b = (torch.cat([old, x], -1) * 0.5).unbind(-1)
            x = x + (a - b).clamp(-4, 4).flip(1).unsqueeze(-1)
        self.pos += 1
        return x
