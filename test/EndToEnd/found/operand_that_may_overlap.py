import torch


def entry(x, k):
    pivot = x[0]
    while k > 0:
        pivot = pivot * 0.5
        k = k - 1
    x /= pivot
    row = x[1:2] if x.sum() > 8 else x + 1
    try:
        x.add_(row)
    except RuntimeError as e:
        return x, str(e)
    target = x[:2] if x[0, 0] > 4 else x[1:]
    target.mul_(x[1:])
    return x
