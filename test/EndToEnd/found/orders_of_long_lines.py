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


def one_kind(dtype, sizes, k: int, seed: int):
    special = dtype.is_floating_point
    x, one = lines(seed, sizes, dtype, special), lines(seed - 6, (1, 1, 67), dtype, special)
    return sorts(x), few(x, k), few(x, 1), [] if dtype == torch.bool else first(x), sorts(one), few(one, 3), few(one, 1)


def entry(seed: int):
    kinds = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16,
             torch.int8, torch.uint8, torch.bool)
    return [one_kind(dtype, (2, 44, 37), 5, seed) for dtype in kinds], one_kind(torch.float32, (10, 3, 90), 40, seed)
