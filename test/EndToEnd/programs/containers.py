"""Containers and objects under data-dependent control: dicts, lists, tuples, classes, generators."""
import heapq

import torch
from collections import deque, namedtuple, OrderedDict
from dataclasses import dataclass, replace

Pair = namedtuple("Pair", "a b")


@dataclass
class State:
    value: torch.Tensor
    step: int = 0
    note: str = ""

    def advanced(self, by):
        return replace(self, value=self.value + by, step=self.step + 1)


def dict_sides(x):
    d = {"a": x}
    if x.sum() > 0:
        d["b"] = x + 1
    else:
        d["a"] = x - 1
    return d


def list_lengths(x):
    out = [x]
    if x.sum() > 0:
        out.append(x + 1)
    if x.max() > 2:
        out.append(x + 2)
    return torch.stack(out).sum(0), len(out)


def linked(x):
    t = None
    for i in range(3):
        if x.sum() > i:
            t = (t, x + i)
    n = 0
    while t is not None:
        n += 1
        t = t[0]
    return n


def dataclass_loop(x):
    s = State(x)
    while s.value.sum() < 10:
        s = s.advanced(2)
    if s.step > 2:
        s.note = "many"
    return s.value, s.step, s.note


def named(x):
    p = Pair(x, 1)
    if x.sum() > 0:
        p = p._replace(b=2)
    return p.a + p.b, p.b


def generators(x):
    def evens(ts):
        for i, t in enumerate(ts):
            if i % 2 == 0:
                yield t
            elif t.sum() > 0:
                yield t * 10

    return [t for t in evens([x, x + 1, x - 1])]


def sends(x):
    def accumulate():
        total = None
        while True:
            t = yield total
            total = t if total is None else total + t

    a = accumulate()
    next(a)
    a.send(x)
    if x.sum() > 0:
        a.send(x * 2)
    return a.send(x + 1)


def sorted_names(x):
    scores = {"b": x[0].item(), "a": x[1].item(), "c": x[2].item()}
    return sorted(scores, key=scores.get, reverse=True)


def max_by_key(x):
    ts = [x, x * -1, x + 0.5]
    return max(ts, key=lambda t: t.max().item()), min(ts, key=lambda t: t.sum().item())


def comprehension(x):
    rows = [x * i for i in range(4)]
    return [r for r in rows if r.sum() > 2], len([r for r in rows if r.max() > 1])


def any_all(x):
    ts = [x, x + 1, x * 2]
    return any(t.sum() > 5 for t in ts), all(t.min() > -3 for t in ts), sum(t.sum() for t in ts)


def polymorphic(x):
    class Add:
        def __init__(self, k):
            self.k = k

        def __call__(self, t):
            return t + self.k

    class Scale(Add):
        def __call__(self, t):
            return t * self.k

    op = Add(1)
    if x.sum() > 0:
        op = Scale(2) if x.max() > 2 else Add(3)
    return op(x), op.k


def operators(x):
    class V:
        def __init__(self, t):
            self.t = t

        def __add__(self, o):
            return V(self.t + (o.t if isinstance(o, V) else o))

        __radd__ = __add__

        def __bool__(self):
            return bool(self.t.sum() > 0)

    v = V(x)
    w = 1 + v if v else v + v
    return (w + 2).t


def popped(x):
    todo, done = [x, x + 1, x + 2], []
    while todo:
        t = todo.pop(0)
        if t.sum() > 4 and len(done) < 3:
            done.append(t)
        else:
            done.insert(0, t)
    return done


def ordered(x):
    d = OrderedDict(first=x)
    d["second"] = x + 1
    if x.sum() > 0:
        d.move_to_end("first")
    return list(d), list(d.values())


def string_building(x):
    parts = []
    for i in range(3):
        parts.append(f"{i}:{x[i].item():.1f}")
        if x[i] > 1:
            parts.append("*")
    print(" ".join(parts[:2]))
    return len(parts)


def sorted_with_nan(x):
    """What CPython's own comparisons make of keys of which one is not a number."""
    values = [x[0].item(), (x[1] / x[0]).item(), (x[2] / x[2]).item(), x[1].item(), x.sum().item()]
    down = sorted(values, reverse=True)
    order = sorted(range(5), key=lambda i: values[i] * values[2])
    values.sort()
    return values, down, order


def _two_or_three(x):
    rows = [x, x * 2, x * 3]
    if x.max() > 2:
        rows = [x + 1, x + 2]
    return rows


def ended_by_choice(x):
    it = iter(_two_or_three(x))
    out = []
    while True:
        v = next(it, None)
        if v is None:
            return out
        out.append(v)


def zipped_by_hand(x):
    its = [iter("abc"), iter(_two_or_three(x))]
    out = []
    while True:
        row = []
        for it in its:
            v = next(it, None)
            if v is None:
                break
            row.append(v)
        if len(row) < 2:
            return out
        out.append(row[1])


def chosen_range(x):
    n = 3 if x.sum() > 0 else 2
    d = {}
    for i in range(n):
        d[i] = x * i
    return d, [i for i in range(n)]


def smallest_of_four(x):
    q = []
    for v in torch.cat([x, x[:1] * 2]).tolist():
        heapq.heappush(q, v)
    return heapq.heappop(q), q


def zipped_by_choice(x):
    pairs = {name: r for name, r in zip("abc", _two_or_three(x))}
    strict = [a - b for a, b in zip(_two_or_three(x), _two_or_three(x), strict=True)]
    return pairs, strict


def zipped_by_two_choices(x):
    out = []
    for a, b in zip(_two_or_three(x), _two_or_three(x * 2)):
        out.append(a + b)
    return out


def counted_by_choice(x):
    out = []
    for i, r in enumerate(_two_or_three(x), 1):
        out.append((i, r))
    return out, [i * r for i, r in enumerate(reversed(_two_or_three(x)))]


def mapped_by_choice(x):
    n = 0
    for r in map(lambda v: v, _two_or_three(x)):
        n += 1
    tests = [x.sum() > 0, *[r.sum() for r in _two_or_three(x)]]
    return n, list(map(lambda v: v * 2, _two_or_three(x))), [t for t in filter(None, tests)]


def _rows_of(rows):
    for r in rows:
        yield r


def _rows_back(rows):
    n = len(rows) - 1
    while n >= 0:
        yield rows[n]
        n -= 1


def one_of_two_generators(x):
    """Of one function, made on each side, and of two functions."""
    if x.max() > 2:
        rows = _rows_of([x + 1, x + 2])
        other = _rows_of([x])
    else:
        rows = _rows_of([x, x * 2, x * 3])
        other = _rows_back([x, x * 2, x * 3])
    return list(rows), [r + 1 for r in other]


def generator_begun_on_one_side(x):
    rows = enumerate(_two_or_three(x))
    first = -1
    if x.sum() > 0:
        first, _ = next(rows)
    return first, [(i, r) for i, r in rows], next(rows, None)


def generator_replaced_on_one_side(x):
    old = rows = _rows_of([x, x * 2])
    if x.sum() > 0:
        rows = _rows_of([x * 3])
    taken = next(rows)
    return taken, list(old), list(rows)


def generator_in_a_generator(x):
    return [v.sum() for _, v in enumerate(r for r in map(lambda v: v + 1, _two_or_three(x)))]


def ranked(x):
    scores = [(x.sum().item(), "sum"), (x.max().item(), "max"), (x.min().item(), "min")]
    best = max(scores)
    return sorted(scores, reverse=True), best[1], (x.max().item(), 1) < (x.sum().item(), 0)


def counts_compared(x):
    n, m = int((x > 0).sum()), int((x > 1).sum())
    return (n, m) == (m, n), [n, 1] < [m, 2], (n, m) in [(1, 1), (0, 0)], [n, m].count(1), [m, n].index(n)


def bounded_turned(x):
    recent = deque(maxlen=3)
    for i, n in enumerate(x):
        if n > 0:
            recent.append(i)
    recent.rotate(1)
    turned = list(recent)
    recent.rotate(-2)
    return turned, list(recent), turned[len(turned) - 1:]
