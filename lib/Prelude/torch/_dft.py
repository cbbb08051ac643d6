"""Discrete Fourier transforms of pairs: tensors of reals whose last dimension is (real, imaginary), by products with matrices of roots of
unity. A length that is known and longer than `_WHOLE` is split into two factors (Cooley and Tukey 1965), one without factors becomes a
convolution (Bluestein 1970); a length of the run is one product, which costs n multiplications for each element."""
import math
import torch
from _ptc import _is_of_the_run

# The longest transform that is one product: above it two of them are faster.
_WHOLE = 32
# The longest one without a pair of factors that is one product.
_PRIME = 512


def _roots(n):
    """[n, 2]: cos and sin of 2 pi r / n, in double precision; those that are whole numbers are exact."""
    r = torch.arange(n)
    angle = torch.minimum(r, n - r).double() * (2 * math.pi / n)
    made = torch.stack([angle.cos(), torch.where(2 * r > n, -angle.sin(), angle.sin())], -1)
    return torch.where((4 * r % n == 0).unsqueeze(-1), made.round(), made)


def _powers(n, rows, columns, sign, scale):
    """[rows, columns, 2]: scale exp(2 pi i sign j k / n) at (j, k)."""
    places = torch.arange(rows).unsqueeze(-1) * torch.arange(columns) % n
    return _roots(n)[places] * torch.tensor([scale, sign * scale], dtype=torch.float64)


def _of_pairs(n, sign, scale, dtype):
    """[2 n, 2 n]: a row of pairs times it is the transform."""
    w = _powers(n, n, n, sign, scale)
    cos, sin = w[..., 0], w[..., 1]
    return torch.stack([w, torch.stack([-sin, cos], -1)], 1).reshape(2 * n, 2 * n).to(dtype)


def _factors(n):
    """(a, b) with a b = n and 1 < a <= b, near to each other; None: there are none with a b of at most _PRIME."""
    for a in range(math.isqrt(n), 1, -1):
        if n % a == 0:
            return (a, n // a) if n // a <= _PRIME or _factors(n // a) else None
    return None


def _turned(x, w):
    """The products of two tensors of pairs."""
    a, b, c, d = x[..., 0], x[..., 1], w[..., 0], w[..., 1]
    return torch.stack([a * c - b * d, a * d + b * c], -1)


def _conjugate(x):
    return torch.stack([x[..., 0], -x[..., 1]], -1)


def _is_whole(n):
    return _is_of_the_run(n) or n <= _WHOLE or n <= _PRIME and not _factors(n)


def transform(x, sign, scale, real=False):
    """sum over j of x[..., j, :] exp(2 pi i sign j k / n) scale, for each k, as pairs; `real`: its real part alone."""
    n = x.size(-2)
    if _is_whole(n):
        table = _of_pairs(n, sign, scale, x.dtype)
        made = x.reshape(*x.shape[:-2], 2 * n) @ (table[:, ::2] if real else table)
        return made if real else made.reshape(x.shape)
    factors = _factors(n)
    if factors is None:
        made = _chirp(x, sign, scale)
        return made[..., 0] if real else made
    a, b = factors
    batch = x.shape[:-2]
    # x[j1 b + j2] for j1 < a; the result is that of k1 + a k2 for k1 < a.
    made = transform(x.reshape(*batch, a, b, 2).transpose(-3, -2), sign, 1.0)
    made = _turned(made, _powers(n, b, a, sign, 1.0).to(x.dtype)).transpose(-3, -2)
    made = transform(made, sign, scale, real)
    return made.transpose(-2, -1).reshape(*batch, n) if real else made.transpose(-3, -2).reshape(*batch, n, 2)


def _chirp(x, sign, scale):
    """j k = (j^2 + k^2 - (k - j)^2) / 2: a convolution, whose length may be any number from 2 n - 1 on."""
    n = x.size(-2)
    length = 1 << (2 * n - 2).bit_length()
    j = torch.arange(n)
    w = (_roots(2 * n)[j * j % (2 * n)] * torch.tensor([1.0, sign], dtype=torch.float64))
    kernel = torch.cat([_conjugate(w), torch.zeros(length - 2 * n + 1, 2, dtype=torch.float64), _conjugate(w)[1:].flip(0)])
    ahead = transform(kernel, -1, scale / length).to(x.dtype)
    w = w.to(x.dtype)
    padded = torch.nn.functional.pad(_turned(x, w), [0, 0, 0, length - n])
    return _turned(transform(_turned(transform(padded, -1, 1.0), ahead), 1, 1.0).narrow(-2, 0, n), w)


def of_reals(x, sign, scale):
    """The first n // 2 + 1 pairs of the transform of x[..., n]; the others are their conjugates."""
    n = x.size(-1)
    half = n // 2 + 1
    if _is_whole(n):
        table = _powers(n, n, half, sign, scale).reshape(n, 2 * half).to(x.dtype)
        return (x @ table).reshape(*x.shape[:-1], half, 2)
    factors = _factors(n)
    if factors is None:
        return _chirp(torch.stack([x, torch.zeros_like(x)], -1), sign, scale).narrow(-2, 0, half)
    a, b = factors
    some = a // 2 + 1
    made = of_reals(x.reshape(*x.shape[:-1], a, b).transpose(-2, -1), sign, 1.0)
    made = _turned(made, _powers(n, b, some, sign, 1.0).to(x.dtype)).transpose(-3, -2)
    made = transform(made, sign, scale).transpose(-3, -2)
    # The k1 that are left: those of n - k are the conjugates of those of k.
    rest = _conjugate(made.narrow(-2, 1, a - some).flip(-3, -2))
    return torch.cat([made, rest], -2).reshape(*x.shape[:-1], n, 2).narrow(-2, 0, half)


def to_reals(x, n, sign, scale):
    """The n reals whose transform has the first n // 2 + 1 pairs x; what is no conjugate of itself at 0 and n / 2 counts as real there."""
    half = n // 2 + 1
    if _is_whole(n):
        w = _powers(n, half, n, sign, scale)
        k = torch.arange(half)
        w = w * torch.where((k == 0) | (2 * k == n), 1.0, 2.0).double().view(half, 1, 1)
        table = torch.stack([w[..., 0], -w[..., 1]], 1).reshape(2 * half, n).to(x.dtype)
        return x.reshape(*x.shape[:-2], 2 * half) @ table
    at = [0, n // 2] if n % 2 == 0 else [0]
    keeps = torch.ones(half, 2, dtype=x.dtype)
    keeps[at, 1] = 0
    # Not a product: an imaginary part that is infinite does not count either.
    x = torch.where(keeps != 0, x, 0)
    return transform(torch.cat([x, _conjugate(x.narrow(-2, 1, n - half).flip(-2))], -2), sign, scale, True)


def whole_of_reals(x, sign, scale):
    """All n pairs."""
    n = x.size(-1)
    if _is_whole(n):
        return (x @ _powers(n, n, n, sign, scale).reshape(n, 2 * n).to(x.dtype)).reshape(*x.shape, 2)
    half = of_reals(x, sign, scale)
    return torch.cat([half, _conjugate(half.narrow(-2, 1, n - half.size(-2)).flip(-2))], -2)
