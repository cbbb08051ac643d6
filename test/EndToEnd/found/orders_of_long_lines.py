"""Sorts, the first few and the first one of lines longer than any table of numerics has."""
import torch


def lines(seed: int, sizes, dtype, special: bool):
    """Many equal entries; with `special` NaN, infinities and zeros of both signs among them."""
    x = torch.arange(seed, seed + sizes[0] * sizes[1] * sizes[2]).reshape(sizes)
    x = (x * 7919 + (x * x) % 1237) % 257
    if dtype == torch.bool:
        return x > 128
    if dtype == torch.uint8:
        return x.to(dtype)
    x = (x - 128).to(dtype)
    if not special:
        return x
    y = x / 16
    for value, every in ((float("nan"), 61), (float("inf"), 67), (-float("inf"), 71), (-0.0, 5)):
        y = torch.where(x.abs() % every == every - 1, torch.tensor(value, dtype=dtype), y)
    return y


def sorts(x):
    out = []
    for dim in (0, 1, 2):
        for descending in (False, True):
            values, places = torch.sort(x, dim=dim, descending=descending, stable=True)
            out.append((values, places))
    return out


def few(x, k):
    """Which of equal entries topk takes is not defined, nor which zero: the values alone, and that the places have them."""
    out = []
    for largest in (True, False):
        for dim in (0, 1, 2):
            count = min(k, x.shape[dim])
            values, places = torch.topk(x, count, dim, largest)
            taken = torch.gather(x, dim, places)
            out.append((torch.where(values == 0, torch.zeros_like(values), values), ((values == taken) | (values != values) & (taken != taken)).all()))
    return out


def first(x):
    out = [x.argmax(), x.argmin()]
    for dim in (0, 1, 2):
        out += [x.argmax(dim), x.argmin(dim, keepdim=True), *x.max(dim), *x.min(dim)]
    return out


def entry(kind: str, sizes: tuple, special: bool, k: int):
    dtype = getattr(torch, kind)
    x = lines(11, sizes, dtype, special)
    one = lines(5, (1, 1, 67), dtype, special)
    return sorts(x), few(x, k), [] if dtype == torch.bool else first(x), sorts(one), few(one, 3)


def sized(x, k: int):
    """The length of the line is known only at run time."""
    return torch.sort(x, -1), torch.topk(x, k).values, x.argmax(-1), x.min(0), x.median(-1)
