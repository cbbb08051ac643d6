"""Reductions that have no value without elements, where data leave none: each raises."""
import torch


def entry(x, which):
    y, n = x[x > 1], which.item()
    if n == 0:
        return y.max()
    if n == 1:
        return y.min(0)[0]
    if n == 2:
        return y.argmax()
    if n == 3:
        return y[:, None].argmin(0)
    if n == 4:
        return y[None].amax(1)
    if n == 5:
        return y.amin()
    if n == 6:
        return y.median(0)[0]
    return y[3:].max()
