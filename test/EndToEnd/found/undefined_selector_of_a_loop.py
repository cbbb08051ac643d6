"""A branch condition that names alternatives may be undefined where a loop hands them on."""
import torch


def entry(x, y):
    m, n, r = torch.zeros(2, 3), 1, None
    try:
        if x.norm() > 4:
            r = y - 1
            if y.min() < 0:
                raise ValueError("y")
        i = 0
        while len(y.nonzero()) > 1:
            i += 1
            if i > 3:
                break
            n += 1
    except ValueError:
        i = 0
        while (x > 1).any():
            i += 1
            if i > 3:
                break
            n = i
        if len(x.nonzero()) > 1:
            return x, n
    return x, r, n
