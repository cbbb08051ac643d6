"""Lists as indices: empty ones, nested ones, which eager takes for tuples, and those that data fills."""
import torch


def entry(x):
    k = [i for i, v in enumerate(x[:, 0].tolist()) if v > 0]
    y, z = x.clone(), x.clone()
    y[[]] = 3
    y[[[0], [1]]] = 7
    y[[0, 1]] *= 2
    z[k] = -1.0
    first = x[k], x[[]], x[:, []], x[[[0], [1]]], x[[[0, 1], [1, 0]]], x[[0, slice(None)]], x[[1.5]]
    second = x[[torch.tensor(0), torch.tensor(1)]], x[[torch.tensor(0)]], x[[0, None]], x[[..., 0]], x[[0, [1]]]
    third = x[[1] * 33].sum(), x[[[0]] * 33].shape, x[[[[0, 1]]]], x[0, [0, 1]], x[[[0, 1]], [1, 0]], x[[[True, False, True]]]
    return first, second, third, y, z
