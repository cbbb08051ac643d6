"""Sizes that data decide: nonzero, masks, unique, slices with run-time bounds, repeats."""
import torch


def count_positive(x):
    return (x > 0).nonzero().shape[0]


def masked(x):
    y = x[x > 0]
    return y, y.numel()


def masked_sum(x):
    y = x[x > 0] * 2
    if y.numel() > 1:
        return y.sum()
    return x


def two_masks(x):
    a, b = x[x > 0], x[x <= 0]
    return torch.cat([b, a])


def concatenated(x):
    y = torch.cat([x[x > 1], x])
    return y, len(y)


def run_time_slice(x):
    n = int(x.max().clamp(0, 3).item())
    return x[:n], x[n:]


def sliced_from_either_end(x):
    k = int(x.sum().clamp(-9, 9))
    y = x.flatten()
    return len(y[k:]), len(y[:k]), y[k : k + 3].shape[0], y[k:], y[:k:2].shape, len([1, 2, 3, 4, 5][k:]), "abcdef"[:k]


def written_from_either_end(x):
    k = int(x.sum().clamp(-9, 9))
    y = x.flatten().clone()
    y[k:] = 0
    y[:k] += 1
    for i in range(2):
        y[i:k] *= 2
        y[-k:i] -= 3
    z = y.unsqueeze(0).repeat(2, 1)
    z[:, k:] = torch.arange(y.numel())[k:] * 10
    return y, z, torch.cat([z[0, k:], z[1, :k]])


def places_of_places(x):
    """Lengths that follow from how the bounds were computed of each other."""
    k = int(x.sum().clamp(-90, 90))
    y = x.flatten().clone()
    at, n = k % 3, y.numel()
    y[at] = y[at : at + 1] * 2
    y[at : at + 1] += 1
    low, half = n - 1 - at, k // 4
    pair = torch.cat([y[low : low + 1], y[at - 1 : at] if at else y[:1]])
    spread = y[2 * at : 2 * at + 2], y[half : half + 2], y[k : k + 1], y[at - k : at - k + 1]
    back = y[-at - 1 : -at] if at else y[-1:]
    y[at % 2 : at % 2 + 2] = y[:2].flip(0)
    if (at + 1) % 3 > at:
        pair = pair * (at + 1 - at)
    return pair, spread, back, y, (k + 1) % 3, len(y[at : at + 4]), (at + 5) // 5


def views_from_either_end(x):
    k = int(x.sum().clamp(-9, 9))
    y = x.flatten().clone()
    v = y[k:]
    v.add_(1)
    w = v[1:]
    w.mul_(2)
    if len(y[:k]) == len(v):
        return y, v * y[:k], w
    return y, v, w, v[:2].sum(), v.max() if len(v) else y[k : k + 2]


def views_by_numbers(x):
    n = int(x.abs().max().clamp(1, 3))
    y = torch.arange(12.0)
    parts = y.narrow(0, n - 2, 3), y.unflatten(0, (n, -1)), y.view(n, 12 // n), torch.ones(1, 2).expand(n, 2)
    z = y.clone()
    z.narrow(0, n, 2).add_(parts[0][:2])
    return parts, z


def made_by_formulas(x):
    k = int(x.sum().clamp(-9, 9))
    return torch.zeros(abs(k) + 1) + 1, torch.arange(k * k), torch.ones(2, abs(k - 1) + 2).sum(0)


def loop_over_selected(x):
    s = 0.0
    for v in x[x > 0]:
        s = s + v
    return s


def empty_or_not(x):
    y = x[x > 2]
    if len(y) == 0:
        return "empty", x
    return "some", y.max()


def made(x):
    n = int(x.abs().max().item())
    return torch.arange(n), torch.zeros(n, 2)


def shape_in_text(x):
    y = x[x != 0]
    print("kept", y.shape[0], tuple(y.shape))
    return y


def broadcast_one(x):
    return x[x > 0] + torch.ones(3)


def indexed(x):
    i = x.argmax()
    return x[i], x[i:], int(i)


def sorted_prefix(x):
    v, i = x.sort(descending=True)
    k = int((x > 0).sum())
    return v[:k], i[:k]


def mismatch_text(x):
    """Sizes of the run stand in the texts of exceptions."""
    y = x[x > 0]
    for other in (torch.zeros(7), torch.zeros(2, 7)):
        try:
            print((y + other).sum())
        except RuntimeError as e:
            print(e, len(y))
    return torch.cat([y[None], torch.zeros(1, 7)])
