"""Results of every structure, on both sides of branches, and what they share."""
import torch
from collections import OrderedDict, namedtuple, defaultdict
from dataclasses import dataclass, field

Pair = namedtuple("Pair", "first second")


@dataclass
class Out:
    loss: torch.Tensor
    notes: list = field(default_factory=list)
    extra: object = None


class Custom(Exception):
    def __init__(self, step, value):
        super().__init__(step, value)
        self.step, self.value = step, value


def lengths(x):
    out = [x]
    if x.sum() > 0:
        out.append(x + 1)
        if x.max() > 2:
            out.extend([x.sum().item(), "tail"])
    return out


def keys(x):
    d = {"x": x}
    if x.sum() > 4:
        d["big"] = x.max()
    elif x.sum() > 0:
        d["mid"] = [x.min()]
    else:
        del d["x"]
    return d


def kinds(x):
    if x.sum() > 4:
        return x, [1, 2]
    if x.sum() > 0:
        return {"k": (x, None)}
    return None


def records(x):
    o = Out(x.sum())
    if x.sum() > 4:
        o.notes.append("big")
        o.extra = Pair(x, x.sum().item())
    return o, Pair(x.max(), o.notes)


def ordered(x):
    d = OrderedDict()
    d["b"] = x
    d["a"] = x + 1
    if x.sum() > 4:
        d.move_to_end("b")
    return d, list(d)


def defaults(x):
    d = defaultdict(list)
    d["p"].append(x)
    if x.sum() > 0:
        d["q"].append(x * 2)
        d["p"].append(1)
    return d


class Fields(OrderedDict):
    def __setattr__(self, name, value):
        super().__setitem__(name, value)
        super().__setattr__(name, value)


def fields(x):
    """Attributes that are items, or None, and a factory that is set anew."""
    d, unset, made = Fields(), Fields(b=x), defaultdict(list, a=[x])
    d.a = x
    if x.sum() > 0:
        d.b = x + 1
    if x.sum() > 4:
        d.a = x * 2
    OrderedDict.__setattr__(unset, "c", None)
    made.default_factory = int
    return d, unset, made, made["n"], vars(type("Made", (defaultdict,), {})(int))


def seen_as_bytes(x):
    b = x > 0
    same = b.view(torch.uint8).view(torch.bool)
    b.logical_not_()
    return b.view(torch.uint8).sum(), same


def shared(x):
    a = [x]
    b = a if x.sum() > 0 else [x]
    b.append(x + 1)
    return a, b, a is b


def nested(x):
    inner = {"n": 1}
    outer = [inner, inner]
    if x.sum() > 4:
        outer.append(inner)
        inner["n"] = x.sum().item()
    else:
        outer = (inner, [outer, inner])
    return outer, inner


def aliased(x):
    y = x if x.sum() > 4 else x.clone()
    z = y[1:]
    return y, [z, y.view(3, 1)], {"x": x}


def comprehensions(x):
    k = 3 if x.sum() > 0 else 2
    rows = [x * i for i in range(3)]
    if x.max() > 2:
        rows = [r + 1 for r in rows[:2]]
    return rows, {i: r for i, r in enumerate(rows)}, [i for i in range(k)], tuple(r.sum() for r in rows)


def sets(x):
    s = {1, 2}
    if x.sum() > 0:
        s.add(7)
    return s, 7 in s, sorted(s)


def scalars(x):
    v = x.sum().item()
    return v, int(v), v > 1, None, "text", x.shape, x.dtype, -0.0, 10 ** 20


def raises_custom(x):
    if x.sum() > 4:
        raise Custom(3, x.sum().item())
    if x.sum() > 0:
        raise Custom("low", [x.max().item(), 1])
    return x


def raises_kinds(x):
    v = x.sum().item()
    if v > 4:
        raise ValueError(f"v={v:.2f}")
    if v > 0:
        raise KeyError(f"k={v:.2f}")
    raise IndexError


def asserts(x):
    assert x.sum() > 0, f"sum is {x.sum().item():.1f}"
    assert x.max() < 3, (x.max().item(), "max")
    assert x.min() != 1
    return x


def raise_after_print(x):
    for i in range(3):
        print("at", i, x[i])
        if x[i] > 1.5:
            raise RuntimeError(f"element {i} is {x[i]}")
    return x


def reraises(x):
    try:
        if x.sum() > 0:
            raise ValueError(f"in {x.sum().item()}")
    except ValueError as e:
        print("caught", e)
        if x.max() > 2:
            raise
        raise RuntimeError("other") from e
    return x


def in_one_order(x):
    """The sides give values in orders that do not contradict each other."""
    o, p = Out(x), type("Free", (), {})()
    del o.loss
    p.a = 1
    if x.sum() > 0:
        p.b = 2
        p.c = x
    else:
        p.c = x + 1
    p.d = 3
    return p, vars(p), o
