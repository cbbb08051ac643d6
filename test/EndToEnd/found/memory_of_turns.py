"""Loops over tensors whose sizes depend on data: what a turn makes serves the next one, what is carried on stays."""
import torch


def shrinks(x):
    """The tensor itself is carried."""
    while x.sum() > 10.0:
        x = x[x > x.min()]
    return x


def grows(x):
    y = x[x > 0]
    while y.sum() < 50.0:
        more = y[y > 1] * 0.5
        y = torch.cat([y, more, x])
    return y, y.shape[0]


def two_apart(x):
    """A tensor that a turn may leave as it is, one that shrinks, and a number."""
    best, n = x[x > 0], 0
    while x.sum() > 3.0:
        x = x[x > x.min()]
        if x.sum() < 9.0:
            best = x[x > 1] * 2
        n = n + best.shape[0]
    return best, x, n


def view_is_carried(x):
    y = x[x != 0]
    while y.sum() > 4.0:
        kept = y[y > 0] - 0.25
        y = kept[1:]
    return y


def nested(x):
    """What an inner loop makes lives until the outer turn ends."""
    total = x[x > 100]
    while x.sum() > 6.0:
        y = x[x > 0]
        while y.sum() > 2.0:
            y = y[y > y.min()]
        total = torch.cat([total, y, x[:1]])
        x = x[x > x.min()] - 0.125
    return total


def list_is_carried(x):
    parts = []
    while x.sum() > 6.0:
        y = x[x > x.mean()]
        parts.append(y.sum())
        x = x[x > x.min()]
    return torch.stack(parts), x


def lists_of_turns(x):
    """A list that is made anew in each turn."""
    total = x.sum() * 0
    while x.sum() > 6.0:
        parts = []
        for i in range(3):
            parts.append(x[x > float(i)].sum())
        total = total + torch.stack(parts).sum()
        x = x[x > x.min()]
    return total


def entry(x):
    return shrinks(x), grows(x), two_apart(x), view_is_carried(x), nested(x), list_is_carried(x), lists_of_turns(x)
