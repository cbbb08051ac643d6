"""Aliases, views and in-place writes across joins and loops; inputs that are written."""
import torch


class Box:
    def __init__(self, v):
        self.v, self.n = v, 0


def view_chosen(x):
    r = x[0:2]
    if x.sum() > 0:
        r = x[1:3]
    r.add_(5)
    return x


def view_of_fresh(x):
    y = x.clone()
    r = y[0:2]
    if x.sum() > 0:
        y = y * 2
        r = y[1:]
    r.mul_(3)
    return y, r


def replaced_then_written(x):
    y = x.clone()
    if x.sum() > 0:
        y = y * 2
    y.add_(1)
    return y, x


def two_names(x):
    y = x.clone()
    z = y
    if x.sum() > 0:
        y = y * 2
    y.add_(1)
    return y, z


def list_shared(x):
    a = [x]
    b = a
    if x.sum() > 0:
        a = [x * 2]
    b.append(x + 1)
    return len(a), a, b


def objects_swapped(x):
    a, b = Box(x), Box(x + 1)
    if x.sum() > 0:
        a, b = b, a
    a.v = a.v * 2
    a.n += 1
    return a.v, b.v, a.n, b.n, a is b


def choice_and_pair(x):
    m = None
    if x.sum() > 0:
        n = [x + 1, 1]
        m = n
    else:
        n = [x + 2, 2]
    n[0].add_(5)
    n.append(3)
    return m, n


def taken_then_pair(x):
    m = r = None
    if x.sum() > 0:
        m = x + 1
        r = m
    elif x.max() > 0.5:
        r = x + 2
    if r is not None:
        r.add_(5)
    return m, r


def pair_then_old(x):
    y = x.clone()
    z = [y]
    if x.sum() > 0:
        y = y * 2
        z = None
    y.add_(1)
    return y, z


def through_views(x):
    m = x.view(3, 1).expand(3, 2).clone()
    t = m.t()
    t[0, 1:] = 7
    m[2].zero_()
    if x.sum() > 0:
        t.mul_(2)
    return m, t


def input_written_twice(x):
    if x.sum() > 0:
        x.add_(1)
    x[0] = 9
    if x.max() > 9:
        x[1:].zero_()
    return x.sum()


def returned_input(x):
    return x, x[1:], x + 0, [x]


def masked_write(x):
    y = x.clone()
    y[y < 0] = 0.5
    if y.sum() > 3:
        y[0] += 10
    return y


def copy_between(x):
    a, b = x.clone(), x * 2
    if a.sum() > 0:
        a.copy_(b)
    else:
        a, b = b, a
    b.fill_(3)
    return a, b


def augmented(x):
    y = x
    y += 1
    z = x
    z = z + 1
    if z.sum() > 3:
        y *= 2
        z -= y
    return y, z


def container_changes(x):
    d = {"a": x}
    keep = d
    if x.sum() > 0:
        d["b"] = x + 1
        d = dict(d)
    d["a"] = x - 1
    return keep, d


def slice_of_list(x):
    parts = [x, x + 1, x + 2]
    if x.sum() > 0:
        parts[0:2] = [x * 3]
    else:
        del parts[1]
    first, *others = parts
    others[-1].add_(1)
    return parts, first


def function_writes(x):
    def bump(t, by=1):
        t.add_(by)
        return t

    y = bump(x.clone())
    if bump(y, 2).sum() > 5:
        bump(x)
    return x, y


def closure_state(x):
    seen = []

    def record(t):
        seen.append(t)
        return t

    record(x)
    if x.sum() > 0:
        record(x * 2)
    return sum(record(x + 1) for _ in range(2)), len(seen)


def contiguous_without_elements(x):
    e = torch.zeros(0, 4).t()
    return e.is_contiguous(), x[x > 100].is_contiguous(), torch.zeros(2, 4).t().is_contiguous()


def masked_update(x):
    y = x.clone()
    y[y > 1] += 5
    y[x > 2] = -x[x > 2]
    m = torch.stack([x, y])
    m[m > 3] *= 2
    m[0, x > 0] = 1.5
    return y, m


def masked_by_another(x):
    y = x.clone()
    try:
        y[x > 1] = torch.ones(2)
    except RuntimeError:
        y[0] = 7
    return y


def written_where_it_reads(x):
    y, seen = torch.stack([x, x + 1, x + 2]), []
    for write in (lambda: x.expand(3, 3).add_(1), lambda: y.mul_(y[0]), lambda: y.add_(y.t()), lambda: y[0, 1:].copy_(y[0, :-1]),
                  lambda: y.sub_(y.mean(0, keepdim=True)), lambda: y[::2].add_(y[1:2]), lambda: y.mul_(y)):
        try:
            write()
            seen.append("written")
        except RuntimeError:
            seen.append("overlaps")
    return seen, y
