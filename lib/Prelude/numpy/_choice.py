"""Functions of numpy that choose elements, compare arrays, and make windows."""
import torch
from _ptc_torch import _refuse
from numpy import _reductions as _r, _ufuncs as _u
from numpy._arrays import _array, _axis, _operand_of, _own, _result, _sizes, _t, asarray, ndarray
from numpy._functions import arange, broadcast_arrays, ones, stack, take, zeros
from numpy._types import _bool, _dtype_of, _float64, _int64, _promote, generic
import builtins
import math as _math


# Choosing ---------------------------------------------------------------------------------------------------------


def where(condition, x=None, y=None, /):
    if x is None and y is None:
        return _r.nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    operands = [_u._operand(x), _u._operand(y)]
    dt = _u._common(operands)
    chosen = _t(asarray(condition)).to(torch.bool)
    one, two = [_u._tensor(v, dt) for _, v in operands]
    _u._check_broadcast(tuple(chosen.shape), tuple(one.shape), tuple(two.shape))
    made = torch.where(chosen, one, two)
    return _array(made, dt)


def take_along_axis(arr, indices, axis=-1):
    a, places = asarray(arr), asarray(indices)
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    found = _t(places).to(torch.int64)
    found = torch.where(found < 0, found + a.shape[at], found)
    return _array(torch.gather(_t(a), at, found), a._ptc_type)


def put_along_axis(arr, indices, values, axis):
    if axis is None:
        _refuse("numpy.put_along_axis(axis=None)")
    arr._ptc_check_write()
    at = _axis(axis, arr.ndim)
    places = _t(asarray(indices)).to(torch.int64)
    places = torch.where(places < 0, places + arr.shape[at], places)
    sizes = [places.shape[d] if d == at else arr.shape[d] for d in range(arr.ndim)]
    places = places.expand(sizes)
    new = _operand_of(values, arr._ptc_type)
    arr._ptc_t.scatter_(at, places, new.expand(sizes))


def compress(condition, a, axis=None, out=None):
    held = asarray(condition).tolist()
    return _r._stored(take(a, [i for i, v in enumerate(held) if v], axis), out)


def select(condlist, choicelist, default=0):
    made = asarray(default)
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        made = where(condition, choice, made)
    return made


def diag(v, k=0):
    a = asarray(v)
    if a.ndim == 1:
        n = a.shape[0] + abs(k)
        made = zeros((n, n), a._ptc_type)
        made._ptc_t.diagonal(k).copy_(_t(a))
        return made
    if a.ndim != 2:
        raise ValueError("Input must be 1- or 2-d.")
    return a.diagonal(k)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return _own(a, "diagonal").diagonal(offset, axis1, axis2)


def _below(n, m, k):
    return torch.arange(n)[:, None] >= torch.arange(m)[None, :] - k


def tri(N, M=None, k=0, dtype=float, *, like=None):
    dt = _dtype_of(dtype)
    return _array(_below(N, N if M is None else M, k).to(dt._ptc_torch), dt)


def tril(m, k=0):
    a = asarray(m)
    return where(_array(_below(a.shape[-2], a.shape[-1], k), _bool), a, zeros(1, a._ptc_type))


def triu(m, k=0):
    a = asarray(m)
    return where(_array(_below(a.shape[-2], a.shape[-1], k - 1), _bool), zeros(1, a._ptc_type), a)


def triu_indices(n, k=0, m=None):
    return _r.nonzero(_u.logical_not(tri(n, m, k - 1, bool)))


def tril_indices(n, k=0, m=None):
    return _r.nonzero(tri(n, m, k, bool))


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    n = len(xi)
    made = [asarray(x).reshape([-1 if e == d else 1 for e in range(n)]) for d, x in enumerate(xi)]
    if indexing == "xy" and n > 1:
        made[0], made[1] = made[0].reshape((1, -1) + (1,) * (n - 2)), made[1].reshape((-1, 1) + (1,) * (n - 2))
    if not sparse:
        made = broadcast_arrays(*made)
    return tuple([m.copy() for m in made]) if copy else tuple(made)


def indices(dimensions, dtype=int, sparse=False):
    if sparse:
        _refuse("numpy.indices(sparse=True)")
    sizes = _sizes(dimensions)
    return stack(meshgrid(*[arange(n, dtype=dtype) for n in sizes], indexing="ij")) if sizes else zeros((0,), dtype)


def ix_(*args):
    made = []
    for d, x in enumerate(args):
        a = asarray(x)
        a = _r.nonzero(a)[0] if a._ptc_type is _bool else a.astype(_int64) if a.size == 0 else a
        made.append(a.reshape([-1 if e == d else 1 for e in range(len(args))]))
    return tuple(made)


def unravel_index(indices, shape, order="C"):
    sizes, flat = _sizes(shape), asarray(indices)
    made = []
    for n in reversed(sizes):
        made.append(_u.remainder(flat, n))
        flat = _u.floor_divide(flat, n)
    return tuple([m[()] if isinstance(m, ndarray) and m.ndim == 0 else m for m in reversed(made)])


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    sizes, made = _sizes(dims), 0
    for place, n in zip(multi_index, sizes):
        made = _u.add(_u.multiply(made, n), place)
    return made


def diff(a, n=1, axis=-1, prepend=None, append=None):
    if prepend is not None or append is not None:
        _refuse("numpy.diff(prepend=..., append=...)")
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n!r}")
    a = asarray(a)
    at = _axis(axis, a.ndim)
    for _ in range(n):
        later, sooner = a[(slice(None),) * at + (slice(1, None),)], a[(slice(None),) * at + (slice(None, -1),)]
        a = _u.not_equal(later, sooner) if a._ptc_type is _bool else _u.subtract(later, sooner)
    return a


def interp(x, xp, fp, left=None, right=None, period=None):
    if period is not None:
        _refuse("numpy.interp(period=...)")
    given, xp, fp = x, asarray(xp).astype(_float64), asarray(fp).astype(_float64)
    if xp.ndim != 1 or xp.shape != fp.shape:
        raise ValueError("fp and xp are not of the same length.")
    at = asarray(x).astype(_float64)
    t, known, values = _t(at), _t(xp).contiguous(), _t(fp)
    n = xp.shape[0]
    if n < 2:
        _refuse("numpy.interp of one point")
    place = (torch.searchsorted(known, t.contiguous(), right=True) - 1).clamp(0, n - 2)
    low, high = known[place], known[place + 1]
    slope = (values[place + 1] - values[place]) / (high - low)
    made = slope * (t - low) + values[place]
    made = torch.where(t == high, values[place + 1], made)
    made = torch.where(t == low, values[place], made)
    made = torch.where(t < known[0], values[0] if left is None else torch.tensor(float(left), dtype=torch.float64), made)
    made = torch.where(t > known[-1], values[-1] if right is None else torch.tensor(float(right), dtype=torch.float64), made)
    made = torch.where(torch.isnan(t), t, made)
    return _result(made, _float64) if not isinstance(given, ndarray) or made.dim() else _array(made, _float64)


# Questions --------------------------------------------------------------------------------------------------------


def array_equal(a1, a2, equal_nan=False):
    a, b = asarray(a1), asarray(a2)
    if a.shape != b.shape:
        return False
    same = _u.equal(a, b)
    if equal_nan and a._ptc_type.kind == "f":
        same = _u.logical_or(same, _u.logical_and(_u.not_equal(a, a), _u.not_equal(b, b)))
    return builtins.bool(_r.all(same))


def isclose(a, b, rtol=1.e-5, atol=1.e-8, equal_nan=False):
    given = a, b
    a, b = asarray(a), asarray(b)
    dt = _promote(a._ptc_type, b._ptc_type)
    y = b.astype(_promote(b._ptc_type, _float64)) if b._ptc_type.kind != "f" else b
    near = _u.less_equal(_u.absolute(_u.subtract(a, y)), _u.add(atol, _u.multiply(rtol, _u.absolute(y))))
    made = _u.logical_or(_u.logical_and(near, _u.isfinite(y)), _u.equal(a, y))
    return _u.logical_or(made, _u.logical_and(_u.isnan(a), _u.isnan(y))) if equal_nan else made


def allclose(a, b, rtol=1.e-5, atol=1.e-8, equal_nan=False):
    return builtins.bool(_r.all(isclose(a, b, rtol, atol, equal_nan)))


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    a, b = asarray(element), asarray(test_elements).ravel()
    dt = _promote(a._ptc_type, b._ptc_type)
    one, two = _u._cast(_t(a), dt), _u._cast(_t(b), dt)
    made = (one.unsqueeze(-1) == two).any(-1)
    return _result(torch.logical_not(made) if invert else made, _bool) if a.ndim == 0 else _array(torch.logical_not(made) if invert else made, _bool)


def isscalar(element):
    return isinstance(element, (generic, builtins.int, builtins.float, complex, str, bytes))


def iscomplexobj(x):
    asarray(x)
    return False


def isrealobj(x):
    return not iscomplexobj(x)


def real(val):
    return val if isinstance(val, (ndarray, generic)) else asarray(val)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    a, b = asarray(a), asarray(b)
    if (axisa, axisb, axisc, axis) != (-1, -1, -1, None) or a.shape[-1] != 3 or b.shape[-1] != 3:
        _refuse("numpy.cross by an axis, or of other than three numbers")
    x, y, z = [a[..., i] for i in range(3)]
    u, v, w = [b[..., i] for i in range(3)]
    return stack([_u.subtract(_u.multiply(y, w), _u.multiply(z, v)), _u.subtract(_u.multiply(z, u), _u.multiply(x, w)),
                  _u.subtract(_u.multiply(x, v), _u.multiply(y, u))], -1)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    a = asarray(x)
    if not copy:
        _refuse("numpy.nan_to_num(copy=False)")
    if a._ptc_type.kind != "f":
        return a.copy() if isinstance(x, ndarray) else a[()]
    return _result(torch.nan_to_num(_t(a), nan, posinf, neginf), a._ptc_type)


# Windows ----------------------------------------------------------------------------------------------------------


def _window(M, weights):
    if M < 1:
        return zeros(0)
    if M == 1:
        return ones(1)
    n = arange(1 - M, M, 2)
    made = weights[0]
    for k, weight in enumerate(weights[1:], 1):
        made = _u.add(made, _u.multiply(weight, _u.cos(_u.divide(_u.multiply(k * _math.pi, n), M - 1))))
    return made


def hanning(M):
    return _window(M, (0.5, 0.5))


def hamming(M):
    return _window(M, (0.54, 0.46))


def blackman(M):
    return _window(M, (0.42, 0.5, 0.08))


def bartlett(M):
    if M < 1:
        return zeros(0)
    if M == 1:
        return ones(1)
    n = arange(1 - M, M, 2)
    return where(_u.less_equal(n, 0), _u.add(1, _u.divide(n, M - 1)), _u.subtract(1, _u.divide(n, M - 1)))


class _Indexed:
    def __init__(self, name):
        self._ptc_name = name

    def __getitem__(self, item):
        return item if self._ptc_name == "s_" or isinstance(item, tuple) else (item,)


s_, index_exp = _Indexed("s_"), _Indexed("index_exp")


class errstate:
    """What numpy warns of is not modelled."""

    def __init__(self, **named):
        if "raise" in named.values() or "call" in named.values():
            _refuse("numpy.errstate that raises")

    def __enter__(self):
        return None

    def __exit__(self, *exception):
        return None

    def __call__(self, function):
        return function
