"""Branches on data: nesting, short circuit, early returns, choices between unlike things."""
import torch
from torch.nn import functional as F


def both_sides(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y + 1


def one_side(x):
    y = x + 1
    if x.max() > 2:
        y = y * 3
    return y


def conjunction(x):
    if x.sum() > 0 and x.max() > 2 and not x.min() > 0:
        r = x * 2
    else:
        r = (x - 1).abs()
    return r


def disjunction(x):
    if x.sum() > 5 or x.min() < -2:
        return x * 0.5
    elif x[0] == 1 or x[1] > x[2]:
        return x + 0.5
    return -x


def ladder(x):
    s = x.sum()
    if s > 5:
        kind = "large"
    elif s > 0:
        kind = "small"
    elif s == 0:
        kind = "zero"
    else:
        kind = "negative"
    return kind, x / 2


def early_returns(x):
    if x.sum() > 5:
        return x
    y = x + 1
    if y.min() < 0:
        return y * 2
    if y.max() > 2:
        return y, "pair"
    return y


def conditional_expression(x):
    scale = 2.0 if x.sum() > 0 else -1.0
    bias = 1 if x.max() > 2 else 0.5 if x.min() < 0 else 0
    return x * scale + bias


def none_or_tensor(x):
    r = None
    if x.sum() > 0:
        r = x
    if r is not None:
        r = r + 1
    return r


def correlated(x):
    a = b = None
    if x.sum() > 0:
        a, b = x, 3
    elif x.max() > 0:
        b = 5
    total = x * 1
    if a is not None:
        total = total + a * b
    if b:
        total = total + b
    return total


def table_of_constants(x):
    k, extra = 0, None
    if x.sum() > 0:
        k, extra = 2, x
    elif x.max() > 0.5:
        k = 1
    y = x * 1
    if k > 1:
        y = y + extra
    if k != 0:
        y = y - k
    return y, k


def functions(x):
    f = torch.relu if x.sum() > 0 else torch.tanh
    g = (lambda t: t + 1) if x.max() > 1 else (lambda t: t * 0.5)
    return g(f(x).round())


def tuple_kinds(x):
    r = (x, None)
    if x.sum() > 0:
        r = (None, x + 1)
    a, b = r
    return a if a is not None else b


def shapes(x):
    y = x if x.sum() > 0 else x[:2]
    return y.sum(), y * 2


def dtypes(x):
    y = x if x.sum() > 0 else x.round().long()
    return y + 1


def unbound(x):
    if x.sum() > 0:
        y = x
    return y + 1


def logical_tensor(x):
    m = x > 0
    if m.any() and not m.all():
        return torch.where(m, x, -x)
    if m.all():
        return x.flip(0)
    return x.clamp(min=-1)


def nested_calls(x):
    def inner(t, k):
        if t.sum() > k:
            return t - k
        return None

    y = inner(x, 0)
    if y is None:
        y = inner(x + 10, 5)
    return x if y is None else y


def same_name_both_kinds(x):
    v = 1
    if x.sum() > 0:
        v = x
    return v + x


def twelve_in_a_row(x):
    for i in range(12):
        if x.sum() > i:
            x = x - 0.5
        else:
            x = x + 1
    return x


def guard_on_item(x):
    n = x.max().item()
    if n > 2.5:
        return n
    if int(n) == 0:
        return x
    return n + x


def match_on_number(x):
    match int(x.sum().item()):
        case 0:
            return "zero", x
        case n if n > 5:
            return "many", x + n
        case 1 | 2 | 3:
            return "few", x
        case _:
            return "other", -x


def boolean_value(x):
    flag = bool(x.sum() > 0)
    other = not flag
    return flag, other, x + flag


def assertion(x):
    assert x.min() > -3, f"too low: {x.min().item()}"
    return F.relu(x)
