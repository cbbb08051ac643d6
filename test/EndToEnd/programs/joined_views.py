"""Names that are one of several views: of other strides, other pieces, other dimensions."""
import torch


def _square(x):
    return torch.stack([x, x + 1, x * 2])


def other_strides(x):
    m = _square(x)
    q = m.t() if x[0] > 0 else m.reshape(3, 3)
    return q.is_contiguous(), q.stride(), q + 1


def copied_if_needed(x):
    m = _square(x)
    q = m.t() if x[0] > 0 else m.reshape(3, 3)
    q.contiguous().add_(1)
    q.reshape(-1).mul_(2)
    return m, q


def argument_or_copy(x):
    q = x[:] if x[0] > 0 else x.clone()
    q.contiguous().add_(1)
    return x


def viewed(x):
    m = _square(x)
    q = m.t() if x[0] > 0 else m.reshape(3, 3)
    try:
        return q.view(9)
    except RuntimeError:
        return None


def pieces(x):
    a, b, c = _square(x).unbind()
    m = a if a.sum() > 4 else b
    first, rest = c.split([1, 2])
    last = rest if x[1] > 0 else rest.flip(0)
    return m + 1, max(_square(x).unbind(), key=lambda v: v[0].item()), first, last


def swapped_pieces(x):
    a, b = torch.cat([x, x + 1]).chunk(2)
    if x[0] > 0:
        a, b = b, a
    a.add_(1)
    found = (x > 0).nonzero(as_tuple=True) if x[1] > 0 else (x < 1).nonzero(as_tuple=True)
    return a, b, found[0]


def row_or_column(x):
    m = _square(x)
    q = m[0] if x[0] > 0 else m[:, 0]
    q.add_(1)
    return m, q, q.stride()


def transposed_or_not(x):
    m = _square(x)[None]
    q = m.transpose(0, 1) if x[0] > 0 else m.transpose(1, 2).transpose(0, 1)
    return q.flatten(), q * 2


def counted(x):
    """Elements chosen by data, changed in place."""
    c = torch.zeros(3)
    for t in x.clamp(0, 2).tolist():
        c[int(t)] += 1
    i = int(x[0].clamp(0, 2).item())
    m = _square(x)
    m[i, 1] *= 3
    m[i:i + 2] -= 1
    return c, m


def scaled(x):
    y = x[x > 0]
    return y * y.shape[0] ** -0.5 if len(y) else y, torch.zeros(len(y) + 1) + (len(y) + 1) ** 0.5
