"""torch.fft: which dimensions, sizes and scales ATen transforms with (SpectralOps.cpp), and how its results lie in memory
(mkl/SpectralOps.cpp)."""
import math
import torch
from torch import _dft, _refuse
from torch._casts import _autocast_rule
from torch._math import _scalar_name, _wrapped


# One or more dimensions, as ATen's operators below those of torch.fft ------------------------------


def _by_stride(x, dims):
    """Those with larger strides first."""
    if x.is_contiguous():
        return sorted(dims)
    return sorted(dims, key=lambda dim: -x.stride(dim))


def _order(x, dims):
    """How the result lies in memory: `dims` in their order behind the others."""
    if x.dtype in (torch.float16, torch.bfloat16):
        raise RuntimeError(f"MKL FFT doesn't support tensors of type: {_scalar_name(x.dtype)}")
    if 0 in x.shape and x.device.type == "cpu":
        raise RuntimeError("MKL FFT error: Intel oneMKL DFTI ERROR: Inconsistent configuration parameters")
    return _by_stride(x, [d for d in range(x.dim()) if d not in dims]) + dims


def _back(order):
    return [order.index(d) for d in range(len(order))]


def _along(pairs, dim, sign, scale):
    """`dim` counts from the end, before the parts."""
    if dim == -1:
        return _dft.transform(pairs, sign, scale)
    return _dft.transform(pairs.transpose(dim - 1, -2), sign, scale).transpose(dim - 1, -2)


def _dense(t):
    """Contiguous, by strides that are those of its sizes where these are 1, too."""
    return t.clone(memory_format=torch.contiguous_format) if 1 in t.shape else t.contiguous()


def _as_complex(pairs, order):
    return torch.view_as_complex(_dense(pairs)).permute(_back(order))


def _c2c(x, dims, sign, scale):
    if not dims:
        return x.clone()
    order = _order(x, _by_stride(x, dims))
    pairs = torch.view_as_real(x.permute(order))
    for k in range(len(dims)):
        pairs = _along(pairs, -1 - k, sign, scale if k == 0 else 1.0)
    return _as_complex(pairs, order)


def _r2c(x, dims, sign, scale, onesided=True):
    order = _order(x, _by_stride(x, dims[:-1]) + dims[-1:])
    pairs = (_dft.of_reals if onesided else _dft.whole_of_reals)(x.permute(order), sign, scale)
    for k in range(1, len(dims)):
        pairs = _along(pairs, -1 - k, sign, 1.0)
    return _as_complex(pairs, order)


def _c2r(x, dims, sign, scale, last):
    if len(dims) > 1:
        x = _c2c(x, dims[:-1], sign, 1.0)
    order = _order(x, dims[-1:])
    made = _dft.to_reals(torch.view_as_real(x.permute(order)), last, sign, scale)
    return _dense(made).permute(_back(order))


# Arguments ----------------------------------------------------------------------------------------


def _of_floats(x, complex=False):
    """In the type that is transformed."""
    if not x.is_floating_point() and not x.is_complex():
        x = x.to(torch.get_default_dtype())
    if x.dtype in (torch.float16, torch.bfloat16):
        if x.device.type != "cpu":
            _refuse("torch.fft of halves")
        raise RuntimeError(f"Unsupported dtype {_scalar_name(x.dtype)}")
    return x.to(x.dtype.to_complex()) if complex and not x.is_complex() else x


def _scale(norm, forward, count):
    if norm is None or norm == "backward":
        return 1.0 if forward else 1.0 / count
    if norm == "forward":
        return 1.0 / count if forward else 1.0
    if norm == "ortho":
        return 1.0 / math.sqrt(count)
    raise RuntimeError(f'Invalid normalization mode: "{norm}"')


def _resized(x, dims, sizes):
    """Cut, or with zeros behind."""
    pad = [0] * (2 * x.dim())
    for dim, size in zip(dims, sizes):
        if x.size(dim) < size:
            pad[2 * (x.dim() - 1 - dim) + 1] = size - x.size(dim)
        elif x.size(dim) > size:
            x = x.narrow(dim, 0, size)
    if not any(pad):
        return x
    if not x.is_complex():
        return torch.nn.functional.pad(x, pad)
    return torch.view_as_complex(torch.nn.functional.pad(torch.view_as_real(x), [0, 0] + pad))


def _one(x, n, dim):
    """The dimension, if there is one, and a number of points that is possible."""
    if x.dim() == 0:
        raise IndexError("Dimension specified as " + str(dim) + " but tensor has no dimensions")
    return _wrapped(dim, x.dim())


def _check_points(n):
    if n < 1:
        raise RuntimeError(f"Invalid number of data points ({n}) specified")


def _several(x, s, dim):
    """The dimensions that are transformed, and their sizes."""
    if isinstance(dim, int):
        dim = [dim]
    if isinstance(s, int):
        s = [s]
    if dim is not None:
        dims = [_wrapped(d, x.dim()) for d in dim]
        if len(set(dims)) != len(dims):
            raise RuntimeError("FFT dims must be unique")
        if s is not None and len(s) != len(dims):
            raise RuntimeError("When given, dim and shape arguments must have the same length")
    else:
        if s is not None and len(s) > x.dim():
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {x.dim()} dimensions.")
        dims = list(range(x.dim() - (x.dim() if s is None else len(s)), x.dim()))
    sizes = [x.size(d) for d in dims] if s is None else [x.size(d) if n == -1 else n for d, n in zip(dims, s)]
    for n in sizes:
        _check_points(n)
    return dims, sizes


def _product(sizes):
    made = 1
    for n in sizes:
        made = made * n
    return made


def _check_real(name, x):
    if x.is_complex():
        raise RuntimeError(f"{name} expects a real input tensor, but got {_scalar_name(x.dtype)}")


def _named(function, name):
    """`function` is none of those that stand in the tables for one of PyTorch in C, whose names nobody changes."""
    function.__module__ = "torch._C._fft"
    function.__name__ = function.__qualname__ = "fft_" + name
    return function


def _public(function):
    """`out` is refused; inside of a region of autocast halves are widened on a CPU, but for what has no rule of its own there."""
    name = function.__name__

    def wrapper(input, *args, out=None, **named):
        if out is not None:
            _refuse(f"torch.fft.{name}(out=…)")
        return function(input, *args, **named)
    rule = "as given" if name in ("hfft2", "ihfft2", "hfftn", "ihfftn") else "float32"
    return _named(_autocast_rule(rule, "as given")(wrapper), name)


def _plain(function):
    def of(*args, **named):
        return function(*args, **named)
    return _named(of, function.__name__)


# One dimension ------------------------------------------------------------------------------------


def _of_one(input, n, dim, norm, forward):
    x = _of_floats(input)
    dim = _one(x, n, dim)
    count = x.size(dim) if n is None else n
    _check_points(count)
    if n is not None:
        x = _resized(x, [dim], [n])
    scale, sign = _scale(norm, forward, count), -1 if forward else 1
    return _c2c(x, [dim], sign, scale) if x.is_complex() else _r2c(x, [dim], sign, scale, onesided=False)


def _real_of_one(name, input, n, dim, norm, forward):
    _check_real(name, input)
    x = _of_floats(input)
    dim = _one(x, n, dim)
    count = x.size(dim) if n is None else n
    _check_points(count)
    if n is not None:
        x = _resized(x, [dim], [n])
    return _r2c(x, [dim], -1 if forward else 1, _scale(norm, forward, count))


def _to_real_of_one(input, n, dim, norm, forward):
    x = _of_floats(input, complex=True)
    dim = _one(x, n, dim)
    count = 2 * (x.size(dim) - 1) if n is None else n
    _check_points(count)
    if n is not None:
        x = _resized(x, [dim], [count // 2 + 1])
    if forward and not x.is_contiguous():
        x = x.clone()                           # of the conjugates, which eager transforms back
    return _c2r(x, [dim], -1 if forward else 1, _scale(norm, forward, count), count)


@_public
def fft(input, n=None, dim=-1, norm=None):
    return _of_one(input, n, dim, norm, True)


@_public
def ifft(input, n=None, dim=-1, norm=None):
    return _of_one(input, n, dim, norm, False)


@_public
def rfft(input, n=None, dim=-1, norm=None):
    return _real_of_one("rfft", input, n, dim, norm, True)


@_public
def ihfft(input, n=None, dim=-1, norm=None):
    return _real_of_one("ihfft", input, n, dim, norm, False)


@_public
def irfft(input, n=None, dim=-1, norm=None):
    return _to_real_of_one(input, n, dim, norm, False)


@_public
def hfft(input, n=None, dim=-1, norm=None):
    return _to_real_of_one(input, n, dim, norm, True)


# Several ------------------------------------------------------------------------------------------


def _of_several(input, s, dim, norm, forward):
    dims, sizes = _several(input, s, dim)
    x = _of_floats(input, complex=True)
    return _c2c(_resized(x, dims, sizes), dims, -1 if forward else 1, _scale(norm, forward, _product(sizes)))


def _real_of_several(name, input, s, dim, norm):
    _check_real(name, input)
    dims, sizes = _several(input, s, dim)
    x = _of_floats(input)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    return dims, sizes, _resized(x, dims, sizes)


def _to_real_of_several(name, input, s, dim):
    dims, sizes = _several(input, s, dim)
    x = _of_floats(input, complex=True)
    if not dims:
        raise RuntimeError(f"{name} must transform at least one axis")
    last = 2 * (x.size(dims[-1]) - 1) if s is None or (s if isinstance(s, int) else s[-1]) == -1 else sizes[-1]
    _check_points(last)
    return dims, sizes[:-1] + [last], _resized(x, dims, sizes[:-1] + [last // 2 + 1])


@_public
def fftn(input, s=None, dim=None, norm=None):
    return _of_several(input, s, dim, norm, True)


@_public
def ifftn(input, s=None, dim=None, norm=None):
    return _of_several(input, s, dim, norm, False)


@_public
def fft2(input, s=None, dim=(-2, -1), norm=None):
    return _of_several(input, s, dim, norm, True)


@_public
def ifft2(input, s=None, dim=(-2, -1), norm=None):
    return _of_several(input, s, dim, norm, False)


def _rfftn(name, input, s, dim, norm):
    dims, sizes, x = _real_of_several(name, input, s, dim, norm)
    return _r2c(x, dims, -1, _scale(norm, True, _product(sizes)))


@_public
def rfftn(input, s=None, dim=None, norm=None):
    return _rfftn("rfftn", input, s, dim, norm)


@_public
def rfft2(input, s=None, dim=(-2, -1), norm=None):
    return _rfftn("rfftn", input, s, dim, norm)


def _irfftn(input, s, dim, norm):
    dims, sizes, x = _to_real_of_several("irfftn", input, s, dim)
    return _c2r(x, dims, 1, _scale(norm, False, _product(sizes)), sizes[-1])


@_public
def irfftn(input, s=None, dim=None, norm=None):
    return _irfftn(input, s, dim, norm)


@_public
def irfft2(input, s=None, dim=(-2, -1), norm=None):
    return _irfftn(input, s, dim, norm)


def _hfftn(input, s, dim, norm):
    dims, sizes, x = _to_real_of_several("hfftn", input, s, dim)
    scale = _scale(norm, True, _product(sizes))
    return _c2r(_c2c(x, dims[:-1], -1, 1.0) if len(dims) > 1 else x, dims[-1:], -1, scale, sizes[-1])


@_public
def hfftn(input, s=None, dim=None, norm=None):
    return _hfftn(input, s, dim, norm)


@_public
def hfft2(input, s=None, dim=(-2, -1), norm=None):
    return _hfftn(input, s, dim, norm)


def _ihfftn(input, s, dim, norm):
    _several(input, s, dim)                     # before the type is looked at
    dims, sizes, x = _real_of_several("ihfftn", input, s, dim, norm)
    made = _r2c(x, dims[-1:], 1, _scale(norm, False, _product(sizes)))
    return _c2c(made, dims[:-1], 1, 1.0) if len(dims) > 1 else made


@_public
def ihfftn(input, s=None, dim=None, norm=None):
    return _ihfftn(input, s, dim, norm)


@_public
def ihfft2(input, s=None, dim=(-2, -1), norm=None):
    return _ihfftn(input, s, dim, norm)


# Frequencies, and their order ---------------------------------------------------------------------


def _frequencies(name, made, n, d, out, requires_grad):
    if out is not None:
        _refuse(f"torch.fft.{name}(out=…)")
    if n == 0 or d == 0:
        # As in C++, where these are infinities and what comes of them.
        scale = math.nan if n * d != n * d else math.copysign(math.inf, n * d)
    else:
        scale = 1.0 / (n * d)
    made = made * scale
    return made.requires_grad_() if requires_grad else made


@_plain
def fftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    kind = torch.get_default_dtype() if dtype is None else dtype
    places = torch.cat([torch.arange(0, (n + 1) // 2, dtype=kind, device=device), torch.arange(-(n // 2), 0, dtype=kind, device=device)])
    return _frequencies("fftfreq", places, n, d, out, requires_grad)


@_plain
def rfftfreq(n, d=1.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    kind = torch.get_default_dtype() if dtype is None else dtype
    return _frequencies("rfftfreq", torch.arange(n // 2 + 1, dtype=kind, device=device), n, d, out, requires_grad)


def _rolled(input, dim, shift):
    dims = list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    return input.roll([shift(input.size(d)) for d in dims], dims)


@_plain
def fftshift(input, dim=None):
    return _rolled(input, dim, lambda n: n // 2)


@_plain
def ifftshift(input, dim=None):
    return _rolled(input, dim, lambda n: (n + 1) // 2)

