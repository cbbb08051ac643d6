"""A loop leaves a list, a tuple with a tensor of the last pass, or a text in one name; views at run-time places."""
import torch


def kinds(a, b):
    z, i = None, 0
    while a.sum() < 7 and i < 4:
        i += 1
        if b.sum() > i:
            z = (i, a)
        elif b[0] > 1:
            z = 'text'
        elif z == 'text' or b[1] > 0:
            z = [a + 1, i]
        elif isinstance(z, list):
            z[0].add_(1)
            z[1] = 7
        a = a + 1
        b = b.flip(0) - 1
    return z, a


def rows(m, k):
    c, i = m[0], 0
    while c.sum() < 6 and i < 4:
        i += 1
        k = 3 - k if m.sum() > k else k
        c = m[k % 2]
        c.add_(1)
    return c, k


def entry(x, y):
    m = torch.stack([x, y])
    k = 1 if x.sum() > 0 else 2
    return kinds(x, y), rows(m, k), m, kinds(y, x)
