"""Complex numbers inside of a program whose arguments and results are real: rotary positions, and what else has a formula on parts."""
import torch


def positions(width, count):
    angles = torch.outer(torch.arange(count), 1.0 / 100 ** (torch.arange(0, width, 2).float() / width)).float()
    return torch.polar(torch.ones_like(angles), angles)


TABLE = positions(4, 8)


def rotate(x, table):
    pairs = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(pairs * table.view(1, x.shape[1], 1, -1)).flatten(3).type_as(x)


def rotate_heads(x, table):
    x = x.transpose(1, 2)
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))
    out = torch.view_as_real(pairs * table.unsqueeze(0).unsqueeze(0)).flatten(3)
    return out, out.transpose(1, 2).contiguous()


def arithmetic(x, y):
    a, b = torch.complex(x, y), torch.complex(y[0], x[0])
    c = (a * b + a - b * 2).mean(-1) * (1 - 2j)
    d = torch.exp(1j * x) * a.conj() / (y.abs() + 1)
    e = torch.cat([a, d], 1)[:, 1:4].transpose(1, 2)
    f = torch.where(x > 0, a, d) + 3 + x - 0.5
    g = torch.stack([a, d], -1).sum((0, -1)).permute(1, 0, 2).flip(-1)
    h = torch.complex(x.transpose(1, 2), y.transpose(1, 2)) * 0.5 * y.transpose(1, 2)
    return (torch.view_as_real(c), d.real, d.imag, e.abs(), torch.view_as_real(f).flatten(-2), torch.view_as_real(g), h.real.contiguous(), h.imag, (-e).imag.sum(),
            torch.view_as_real(h.reshape(2, -1)), a.abs().max(), a[:, torch.tensor([1, 0, 1])].real, torch.view_as_real(a.transpose(0, 2).clone()),
            torch.view_as_real(2 * a.repeat(2, 1, 1, 1) / 4), torch.view_as_real(a[..., None] * x[..., None]).shape)


def control(x, y):
    table = positions(4, 3)
    if x.sum() > 0:
        table = table * 0.5
    for _ in range(int(y.abs().max()) + 1):
        table = table * table
    return rotate(x, table), torch.view_as_real(table)


def infinite(x):
    """Reals are x + 0i: what is infinite gives NaN in the other part."""
    a = torch.complex(x * float("inf"), x)
    return torch.view_as_real(a * 2), torch.view_as_real(a * x), torch.view_as_real(a / 2), torch.view_as_real(a * (1 + 1j))


def zeros(x):
    """x + 0i and its products: signs of zeros show in angles and quotients."""
    size = x.abs() + 1
    below, above = torch.complex(-size, size * -0.0), torch.complex(-size, size * 0.0)
    sums = [below + 0.5, below - 0.5, below + 0, above - 0.0, below + size / 4, below - size / 4, below + x / 4, above.conj() + 0.25, above.conj() - x / 4, below + torch.tensor([1, -2, 3, 0])]
    turned, whole = size * -1j, size * (2 + 0j)
    return (*[s.angle() for s in sums], 1 / turned.real, torch.atan2(turned.real, -size), torch.atan2(whole.imag, -size),
            torch.view_as_real(torch.complex(x, x) + size / 0), torch.view_as_real(torch.exp(torch.complex(size / 0, x * 0))), torch.view_as_real(torch.exp(below)))


def entry(x, y, at):
    return rotate(x, TABLE[: x.shape[1]]), rotate(x, TABLE[at]), rotate_heads(y, TABLE[: y.shape[1]]), arithmetic(x, y), control(x, y), infinite(x[0, 0, 0]), zeros(x[0, 0])
