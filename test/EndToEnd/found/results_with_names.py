"""Results of torch.return_types: their classes, fields, texts, copies and containers of them."""
import copy

import torch
import torch.utils._pytree as pytree

MAX_OF_LINES = torch.ops.aten.max.dim


def noted(call):
    try:
        return call()
    except Exception as e:
        return f"{type(e).__name__}: {e}"


def classes(x):
    r = x.max(0)
    print(type(r), type(r) is tuple, isinstance(r, tuple), isinstance(r, torch.return_types.max), isinstance(r, torch.return_types.min))
    print(type(x.max(1)) is torch.return_types.max, type(r).__name__, type(r).__qualname__, type(r).__module__, type(r).__mro__)
    print([type(v).__name__ for v in (x.sort(), x.topk(1), x.min(1), x.median(1), x.cummax(1), x.cummin(1), x.kthvalue(1), torch.aminmax(x))])
    print(type(r).n_fields, r.n_sequence_fields, r.n_unnamed_fields, r.__match_args__, hasattr(r, "_fields"), type(r).values)
    print(type(torch.max(x, 0, out=(torch.empty(x.size(1)), torch.empty(x.size(1), dtype=torch.int64)))), type(MAX_OF_LINES(x, 0)))
    print(type(r + (1,)), type(r[:1]), type(tuple(r)), type(r * 2), r == (r[0], r[1]), len(r))


def made():
    r = torch.return_types.max((1, 2))
    print(r, r.values, r.indices, r == (1, 2), hash(r) == hash((1, 2)), {r: 3}[1, 2], torch.return_types.sort(sequence=[1, 2]))
    for call in (lambda: torch.return_types.max([1]), lambda: torch.return_types.max(5), lambda: torch.return_types.max(),
                 lambda: torch.return_types.max((1, 2), 3), lambda: setattr(r, "values", 3), lambda: setattr(r, "other", 3), lambda: r.other,
                 lambda: type("Derived", (torch.return_types.max,), {}), lambda: setattr(torch.return_types.max, "other", 1)):
        print(noted(call))


def texts(x):
    print(x.max(0), [x.min(1)], f"{x.sort()}", str(x.median(0)))
    match torch.max(x, 0):
        case torch.return_types.max(values, indices):
            print(values, indices)
    print(type(copy.copy(x.max(0))), pytree.tree_map(lambda t: t * 2, x.max(0)), len(pytree.tree_leaves({"a": x.topk(1)})))


def joined(x):
    r = x.max(0) if x.sum() > 2 else x.min(0)
    print(type(r) is torch.return_types.max, r)
    rows = [x[i % 2].sort() for i in range(3)]
    return rows[0].values, type(rows[0]).__name__


def entry(x):
    classes(x)
    made()
    texts(x)
    return joined(x)
