"""Equal views are different objects; True and False are one object each; a call with * of an open list."""
import torch


def each(*tensors):
    return sum(tensors), len(tensors)


def entry(x, y):
    a, b = x.view(3), x.view(3)
    c, n = a, 0
    if a is b:
        n += 1
    if a is c:
        n += 10
    if y.sum() > 0:
        d = x[0:2]
        e = d
        keep = d
    else:
        d, e = y[1:], y[1:]
        keep = x[0:2]
    if d is keep:
        n += 100
    p, q = x[:], y[:]
    if x.sum() > 0:
        p, q = q, p
    if p is q:
        n += 1000
    positive = (x.sum() > 0).item()
    if positive is True:
        n += 10000
    if positive is False:
        n += 20000
    count = len(x.nonzero())
    if positive is (len(x.nonzero()) > 2):
        n += 100000
    shown = [x]
    if y.sum() > 0:
        shown.append(y)
    first, *others = shown
    e.add_(1)
    return n, keep, each(*shown), others, a
