"""One exception of several lines and texts: which of them is known at run time only."""
import torch


def entry(x):
    k = int(x[:, 0].sum())
    w = x[k]
    v = x[:, k].clone()
    x[k] = float("inf")
    x[:, k] = v[0]
    return v.sum() + w.sum(), x, x[k, k]
