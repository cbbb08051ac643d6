"""Loops on data: break, continue, else, carried state of every kind, run-time trip counts, nesting."""
import torch


def until_large(x):
    n = 0
    while x.sum() < 20:
        x = x + 3
        n += 1
    return x, n


def break_else(x):
    n = 0
    while x.sum() < 50:
        x = x * 2 + 1
        n += 1
        if x.max() > 20:
            break
        if n > 8:
            return x, -1
    else:
        n += 100
    return x, n


def with_continue(x):
    n = odd = 0
    while n < 6:
        n += 1
        if x.sum() > 3:
            x = x - 1
            continue
        odd += 1
        x = x + 2
    return x, odd


def previous(x):
    prev = None
    while x.sum() < 20:
        if prev is not None:
            x = x + prev.abs()
        prev = x * 1
        x = x + 2
    return x if prev is None else prev, x


def swapped(x, y):
    while x.sum() < 20:
        x, y = y, x
        x = x + 3
    return x, y


def in_place(x):
    y = x
    while y.sum() < 10:
        y.add_(1)
        y = y * 1
    return y, x


def run_time_range(x):
    n = int(x.max().item())
    s = x * 0
    for i in range(n):
        s = s + x * i
        if s.sum() > 40:
            break
    else:
        s = s + 100
    return s


def nested(x):
    t = 0
    while x.sum() < 40:
        y, k = x, 0
        while y.sum() < 10:
            y = y + 1
            k += 1
            if k > 6:
                break
        t += k
        x = x + y.abs() + 1
    return x, t


def grow_and_stack(x):
    out = []
    while x.sum() < 30:
        x = x.abs() + 2
        out.append(x)
    return torch.stack(out).sum(0) if len(out) > 0 else x


def grow_and_read(x):
    out = [x]
    while x.sum() < 30:
        x = x.abs() + 2
        out.append(x)
    s = x * 0
    for o in out:
        s = s + o
    return s, out[-1] * 1, len(out)


def objects(x):
    class Node:
        def __init__(self, v):
            self.v, self.n = v, 0

    b = Node(x)
    while b.v.sum() < 20:
        b.v = b.v + 4
        b.n += 1
        if b.n > 4:
            b = Node(x * 3)
            break
    return b.v, b.n


def best_written(x):
    best, n = x, 0
    while x.sum() < 30:
        x = x * 1.5 + 1
        n += 1
        if x.max() > 8:
            best = x
            if n > 3:
                x.sub_(1)
        if n > 6:
            break
    best.add_(100)
    return best, x, n


def alias_carried(x):
    y = x.clone()
    z = y
    n = 0
    while y.sum() < 20:
        y.add_(1)
        if y.max() > 4:
            z = y
            y = y * 2
        n += 1
    z.mul_(2)
    return y, z, n


def generator(x):
    def steps(t):
        for _ in range(3):
            if t.sum() > 5:
                return
            yield t
            t = t * 2 + 1

    s = x * 0
    for v in steps(x):
        s = s + v
    return s


def endless_generator(x):
    def naturals():
        n = 0
        while True:
            yield n
            n += 1

    for n in naturals():
        x = x + 1
        if x.sum() > 10:
            break
    return x, n


def bisection(x):
    low, high, target = x * 0, x.abs() + 8, x.abs()
    n = 0
    while (high - low).max() > 0.5:
        mid = (low + high) / 2
        if (mid * 2).sum() > target.sum():
            high = mid
        else:
            low = mid
        n += 1
    return low, high, n


def unrolled_with_exit(x):
    for i in range(24):
        x = x + 1
        if x.max() > 9:
            break
    else:
        return x, "ran out"
    return x, i


def list_rebuilt(x):
    h = [x, x + 1]
    while h[0].sum() < 15:
        h = [t + 2 for t in reversed(h)]
    return h


def dict_carried(x):
    d = {"v": x, "n": 0}
    while d["v"].sum() < 12:
        d["v"] = d["v"] + 2
        d["n"] += 1
    return d


def float_carried(x):
    rate, n = 1.0, 0
    while rate > 0.1 and x.sum() < 20:
        x = x + rate
        rate = rate * 0.5 if x.max() > 2 else rate
        n += 1
        if n > 9:
            break
    return x, rate, n


def over_tensor(x):
    total = 0
    for v in x:
        if v > 0:
            total = total + v
    return total


def while_true(x):
    while True:
        x = x + 2
        if x.sum() > 12:
            return x
        if x.max() > 50:
            raise ValueError("never")
