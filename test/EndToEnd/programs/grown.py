"""Lists that grow in loops on data: of numbers, of views, made by comprehensions, read in every way."""
import torch


def numbers(x):
    out = [1, 2]
    while x.sum() > 1:
        out.append(int(x.sum().item()))
        x = x * 0.5
    out.append(7)
    total = 0
    for i in out:
        total += i * 2
    return out, total, out[0], out[-1], len(out)


def floats(x):
    sums = []
    while x.sum() > 1:
        sums.append(x.sum().item())
        x = x * 0.5
    return sums


def flags(x):
    big = []
    for v in x[x > 0.25]:
        big.append(bool(v > 1))
    return big, any(big)


def comprehension(x):
    y = x[x > 0.5]
    return [y[i].item() for i in range(len(y))]


def filtered(x):
    return [i for i in x.argsort().tolist() if x[i] > 0.5]


def to_list(x):
    indices = (x > 0.5).nonzero(as_tuple=True)[0].tolist()
    if not indices:
        return None
    worst = max(indices, key=lambda i: abs(x[i].item()))
    return {"indices": indices, "worst": worst, "count": len(indices), "value": x[worst] * 1}


def views(x):
    y = x[x > 0.5]
    keep = []
    i = 0
    while i < y.shape[0]:
        keep.append(y[i])
        i += 2
    return torch.stack(keep) if keep else y


def non_maximum_suppression(x):
    starts, scores = x, x * x + 1
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        i = order[0]
        keep.append(i)
        if order.numel() == 1:
            break
        rest = order[1:]
        overlap = 1 - (starts[rest] - starts[i]).abs()
        order = rest[overlap <= 0.5]
    kept = torch.stack(keep)
    return starts[kept], scores[kept]


def _halves(x):
    while x.sum() > 1:
        yield x
        x = x * 0.5


def generated(x):
    n = 0
    for _ in _halves(x):
        n += 1
    return n, [v.sum().item() for v in _halves(x)]


def numbered(x):
    total = 0.0
    for i, v in enumerate(_halves(x)):
        total = total + v.sum() * i
    return total


def left_early(x):
    for i, v in enumerate(_halves(x)):
        if i == 2:
            return v * 1
    return x * 1


def generator_over_grown(x):
    y = x[x > 0.5]
    return sum(v for v in y.tolist()) / max(1, len(y))


def appended_before(x):
    out = []
    while x.sum() > 1:
        out.append(x)
        x = x * 0.5
    return len(out), sum(v.sum() for v in out)


def stack_of_numbers(x):
    return torch.stack([v for v in x[x > 0.5].tolist()])


def cat_of_numbers(x):
    return torch.cat([v for v in x[x > 0.5].tolist()])


def cat_of_scalars(x):
    return torch.cat([v for v in x[x > 0.5]])


def stack_out_of_range(x):
    out = []
    while x.sum() > 1:
        out.append(x)
        x = x * 0.5
    return torch.stack(out, -3)


def cat_last(x):
    out = []
    while x.sum() > 1:
        out.append(x)
        x = x * 0.5
    return torch.cat(out, dim=-1)


def joined_along_axis(x):
    out = [x]
    while x.sum() > 1:
        x = x * 0.5
        out.append(x)
    return torch.cat(out, axis=-1), torch.stack(out, axis=1)


def extremes(x):
    at = (x > 0.5).nonzero(as_tuple=True)[0].tolist()
    if not at:
        return None
    return max(at), min(at), max(at, key=lambda i: x[i].item())


def as_tensor_of_numbers(x):
    at = (x > 0.5).nonzero().flatten().tolist()
    half = []
    while x.sum() > 1:
        half.append(x.sum().item())
        x = x * 0.5
    return torch.tensor(at), torch.tensor(half), torch.tensor(half, dtype=torch.float64)


def lists_of_two_kinds(x):
    numbers = [v.item() for v in x if v > 0.5]
    return torch.stack([x * n for n in numbers]) if numbers else x
