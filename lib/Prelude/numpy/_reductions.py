"""Sums, extremes, orders and products of arrays.

Sums of floats whose values are known are added in numpy's order: neighbours in memory in blocks of 128 with eight partial
sums, everything else one after the other. What the run brings is summed in the order of the target.
"""
import torch
from _ptc_torch import _constant_elements, _refuse
from numpy import _ufuncs as _u
from numpy._arrays import _array, _axes, _axis, _own, _result, _t, asarray, ndarray
from numpy._types import (_bool, _dtype_of, _float16, _float32, _float64, _int64, _promote, _scalar, _uint8, _wrapped, generic)
import builtins

_EXACT = 1 << 14                       # elements that are added one by one


def _python_ints(a):
    """Ints of a plain sequence, such as a shape, whose sizes may be known when the program runs only."""
    return isinstance(a, (list, tuple)) and len(a) and builtins.all([type(v) is builtins.int for v in a])


def _pairwise(t):
    """Of the last axis, as numpy adds neighbours."""
    n = t.shape[-1]
    if n < 8:
        return _in_order(t)
    if n <= 128:
        parts = [t[..., i:i + 8] for i in range(0, n - n % 8, 8)]
        r = parts[0]
        for p in parts[1:]:
            r = r + p
        made = (((r[..., 0] + r[..., 1]) + (r[..., 2] + r[..., 3])) + ((r[..., 4] + r[..., 5]) + (r[..., 6] + r[..., 7])))
        for i in range(n - n % 8, n):
            made = made + t[..., i]
        return made
    half = n // 2
    half -= half % 8
    return _pairwise(t[..., :half]) + _pairwise(t[..., half:])


def _in_order(t):
    made = t[..., 0]
    for i in range(1, t.shape[-1]):
        made = made + t[..., i]
    return made


def _known_sum(t, dims):
    """A sum of floats in numpy's order; None: it is not followed, or the values are not known."""
    if not t.is_floating_point() or t.dtype is torch.float16 or not 0 < t.numel() <= _EXACT or _constant_elements(t) is None:
        return None
    # From the longest step in memory to the shortest, as numpy's iterator goes.
    order = sorted(range(t.dim()), key=lambda d: -t.stride(d))
    there = t.permute(order)
    where = [order.index(d) for d in dims]
    if len(dims) == t.dim():
        # Axes that are one run of equal steps in memory are one axis.
        first = t.dim() - 1
        while first and there.stride(first - 1) == there.stride(first) * there.shape[first]:
            first -= 1
        return _in_order(_pairwise(there.reshape([-1] + [there.shape[first:].numel()])))
    if not there.is_contiguous() or len(dims) != 1:
        return None
    left = [d for i, d in enumerate(order) if d not in dims]
    at = where[0]
    made = _pairwise(there) if at == t.dim() - 1 else _in_order(there.movedim(at, -1))
    return made.permute([left.index(d) for d in sorted(left)]) if made.dim() > 1 else made


def _wide(dt, dtype, what):
    """The type that sums and products of a type have."""
    if dtype is not None:
        return _dtype_of(dtype)
    if dt is _uint8:
        _refuse(f"{what} of uint8, which gives uint64: say dtype=")
    return _int64 if dt.kind in "bi" else dt


def _finish(t, dt, axes, ndim, keepdims, shape):
    if keepdims:
        t = t.reshape([1 if d in axes else n for d, n in enumerate(shape)])
        return _array(t, dt)
    return _result(t, dt)


def _stored(made, out):
    if out is None:
        return made
    out[...] = made
    return out


def _only(what, initial=None, where=True):
    if initial is not None or where is not True:
        _refuse(f"numpy.{what}(initial=..., where=...)")


def sum(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    _only("sum", initial, where)
    if _python_ints(a) and dtype is None and axis is None and not keepdims:
        return _scalar(_int64, _wrapped(builtins.sum(a), _int64))
    a = _own(a, "sum")
    dt, axes = _wide(a._ptc_type, dtype, "a sum"), _axes(axis, a.ndim)
    t = _u._cast(_t(a), dt)
    if not axes:
        return _finish(t.clone(), dt, axes, a.ndim, keepdims, a.shape)
    made = _known_sum(t, axes)
    if made is None:
        made = t.sum(axes)
    return _stored(_finish(_u._cast(made, dt), dt, axes, a.ndim, keepdims, a.shape), out)


def prod(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    _only("prod", initial, where)
    if _python_ints(a) and dtype is None and axis is None and not keepdims:
        made = 1
        for n in a:
            made = made * n
        return _scalar(_int64, _wrapped(made, _int64))
    a = _own(a, "prod")
    dt, axes = _wide(a._ptc_type, dtype, "a product"), _axes(axis, a.ndim)
    t = _u._cast(_t(a), dt)
    rest = [d for d in range(a.ndim) if d not in axes]
    t = t.permute(rest + list(axes)).reshape([a.shape[d] for d in rest] + [-1])
    if dt.kind == "f" and 0 < t.numel() <= _EXACT and _constant_elements(t) is not None:
        made = t[..., 0]
        for i in range(1, t.shape[-1]):
            made = made * t[..., i]
    else:
        made = t.prod(-1)
    return _stored(_finish(made, dt, axes, a.ndim, keepdims, a.shape), out)


def _count(a, axes):
    n = 1
    for d in axes:
        n = n * a.shape[d]
    return n


def mean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    _only("mean", None, where)
    a = _own(a, "mean")
    axes, dt = _axes(axis, a.ndim), _dtype_of(dtype) if dtype is not None else a._ptc_type if a._ptc_type.kind == "f" else _float64
    wide = _float32 if dt is _float16 and dtype is None else dt
    total = asarray(sum(a, tuple(axes), dtype=wide, keepdims=keepdims)) if axes else a.astype(wide)
    made = _t(total) / torch.tensor(_count(a, axes), dtype=wide._ptc_torch)
    made = _u._cast(made, dt)
    return _stored(_array(made, dt) if keepdims else _result(made, dt), out)


def var(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    _only("var", None, where)
    if mean is not None or correction is not None:
        _refuse("numpy.var(mean=..., correction=...)")
    a = _own(a, "var")
    axes, dt = _axes(axis, a.ndim), _dtype_of(dtype) if dtype is not None else a._ptc_type if a._ptc_type.kind == "f" else _float64
    wide = _float32 if dt is _float16 else dt
    a = a.astype(wide)
    n = _count(a, axes)
    middle = asarray(sum(a, tuple(axes), keepdims=True))
    middle = _array(_t(middle) / torch.tensor(n, dtype=wide._ptc_torch), wide)
    away = a - middle
    total = asarray(sum(away * away, tuple(axes), keepdims=keepdims))
    made = _u._cast(_t(total) / torch.tensor(builtins.max(n - ddof, 0), dtype=wide._ptc_torch), dt)
    return _stored(_array(made, dt) if keepdims else _result(made, dt), out)


def std(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None):
    return _stored(_u.sqrt(var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)), out)


def _extreme(name, of_tensor, at_tensor):
    def reduce(a, axis=None, out=None, keepdims=False, initial=None, where=True):
        _only(name, initial, where)
        a = _own(a, name)
        axes = _axes(axis, a.ndim)
        if _count(a, axes) == 0:
            raise ValueError(f"zero-size array to reduction operation {name}imum which has no identity")
        t = _t(a)
        made = of_tensor(t.to(torch.uint8), axes).to(torch.bool) if a._ptc_type is _bool and axes else of_tensor(t, axes) if axes else t.clone()
        return _stored(_finish(made, a._ptc_type, axes, a.ndim, keepdims, a.shape), out)

    def place(a, axis=None, out=None, *, keepdims=False):
        a = _own(a, "arg" + name)
        if a.size == 0:
            raise ValueError(f"attempt to get arg{name} of an empty sequence")
        t = _t(a).reshape(-1) if axis is None else _t(a)
        t = t.to(torch.uint8) if a._ptc_type is _bool else t
        at = 0 if axis is None else _axis(axis, a.ndim)
        made = at_tensor(t, at)
        return _stored(_finish(made, _int64, range(a.ndim) if axis is None else (at,), a.ndim, keepdims, a.shape), out)
    reduce.__name__, place.__name__ = name, "arg" + name
    return reduce, place


max, argmax = _extreme("max", lambda t, dims: torch.amax(t, dims), lambda t, d: torch.argmax(t, d))
min, argmin = _extreme("min", lambda t, dims: torch.amin(t, dims), lambda t, d: torch.argmin(t, d))
amax, amin = max, min


def ptp(a, axis=None, out=None, keepdims=False):
    return _stored(_u.subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims)), out)


def all(a, axis=None, out=None, keepdims=False, *, where=True):
    _only("all", None, where)
    a = _own(a, "all")
    axes, t = _axes(axis, a.ndim), _t(a).to(torch.bool)
    for d in sorted(axes, reverse=True):
        t = t.all(d)
    return _stored(_finish(t, _bool, axes, a.ndim, keepdims, a.shape), out)


def any(a, axis=None, out=None, keepdims=False, *, where=True):
    _only("any", None, where)
    a = _own(a, "any")
    axes, t = _axes(axis, a.ndim), _t(a).to(torch.bool)
    for d in sorted(axes, reverse=True):
        t = t.any(d)
    return _stored(_finish(t, _bool, axes, a.ndim, keepdims, a.shape), out)


def count_nonzero(a, axis=None, *, keepdims=False):
    return sum(_u.not_equal(asarray(a), 0) if asarray(a)._ptc_type is not _bool else asarray(a), axis, keepdims=keepdims)


def _running(name, operate, of_tensor):
    def run(a, axis=None, dtype=None, out=None):
        a = _own(a, name)
        dt = _wide(a._ptc_type, dtype, "running sums")
        t = _u._cast(_t(a), dt)
        t = t.reshape(-1) if axis is None else t
        at = 0 if axis is None else _axis(axis, a.ndim)
        if dt in (_float32, _float16) and 0 < t.numel() <= _EXACT and _constant_elements(t) is not None:
            rows = [t.select(at, 0)]
            for i in range(1, t.shape[at]):
                rows.append(operate(rows[-1], t.select(at, i)))
            made = torch.stack(rows, at)
        else:
            made = of_tensor(t, at)
        return _stored(_array(made, dt), out)
    run.__name__ = name
    return run


cumsum = _running("cumsum", lambda a, b: a + b, lambda t, d: torch.cumsum(t, d))
cumprod = _running("cumprod", lambda a, b: a * b, lambda t, d: torch.cumprod(t, d))


def _without_nan(name, fill, reduce):
    def run(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        _only(name, initial, where)
        a = _own(a, name)
        if a._ptc_type.kind == "f":
            t = _t(a)
            if name in ("nanmax", "nanmin"):
                if _constant_elements(t) is None or builtins.bool(all(_u.isnan(a))):
                    _refuse(f"numpy.{name} of what may be NaN only")
            a = _array(torch.where(torch.isnan(t), torch.full_like(t, fill), t), a._ptc_type)
        named = {} if dtype is None else {"dtype": dtype}
        return _stored(reduce(a, axis, keepdims=keepdims, **named), out)
    run.__name__ = name
    return run


nansum, nanprod = _without_nan("nansum", 0.0, sum), _without_nan("nanprod", 1.0, prod)
nanmax, nanmin = _without_nan("nanmax", float("-inf"), max), _without_nan("nanmin", float("inf"), min)


def nanmean(a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    a = _own(a, "nanmean")
    if a._ptc_type.kind != "f":
        return mean(a, axis, dtype, out, keepdims, where=where)
    total = nansum(a, axis, dtype, keepdims=keepdims)
    return _stored(_u.divide(total, sum(_u.logical_not(_u.isnan(a)), axis, dtype=total.dtype, keepdims=keepdims)), out)


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    if weights is None:
        made = mean(a, axis, keepdims=keepdims)
        if returned:
            _refuse("numpy.average(returned=True) without weights")
        return made
    a, weights = asarray(a), asarray(weights)
    dt = _promote(_promote(a._ptc_type, weights._ptc_type), _float64) if a._ptc_type.kind in "biu" else _promote(a._ptc_type, weights._ptc_type)
    if weights.shape != a.shape:
        if axis is None:
            raise TypeError("Axis must be specified when shapes of a and weights differ.")
        at = _axis(axis, a.ndim)
        weights = weights.reshape([n if d == at else 1 for d, n in enumerate(a.shape)])
        total = sum(weights, dtype=dt)
    else:
        total = sum(weights, axis, dtype=dt, keepdims=keepdims)
    made = _u.divide(sum(_u.multiply(a, weights), axis, dtype=dt, keepdims=keepdims), total)
    return (made, total) if returned else made


def _flat_last(a, axis):
    """The axes of a reduction as the last one, and where it comes from."""
    axes = _axes(axis, a.ndim)
    rest = [d for d in range(a.ndim) if d not in axes]
    return _t(a).permute(rest + list(axes)).reshape([a.shape[d] for d in rest] + [-1]), axes


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    a = _own(a, "median")
    t, axes = _flat_last(a, axis)
    dt = a._ptc_type if a._ptc_type.kind == "f" else _float64
    n = t.shape[-1]
    if n == 0:
        _refuse("numpy.median of nothing")
    in_order = torch.sort(t, -1)[0]
    low, high = in_order[..., (n - 1) // 2], in_order[..., n // 2]
    made = _u._cast(high, dt) if n % 2 else (_u._cast(low, dt) + _u._cast(high, dt)) / 2
    if dt is a._ptc_type:
        made = torch.where(torch.isnan(in_order[..., -1]), in_order[..., -1], made)
    return _stored(_finish(made, dt, axes, a.ndim, keepdims, a.shape), out)


# Orders -----------------------------------------------------------------------------------------------------------


def sort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = _own(a, "sort")
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    t = _t(a).to(torch.uint8) if a._ptc_type is _bool else _t(a)
    return _array(_u._cast(torch.sort(t, at)[0], a._ptc_type), a._ptc_type)


def argsort(a, axis=-1, kind=None, order=None, *, stable=None):
    a = _own(a, "argsort")
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    t = _t(a).to(torch.uint8) if a._ptc_type is _bool else _t(a)
    if kind not in ("stable", "mergesort") and not stable and t.shape[at] > 1:
        held = _constant_elements(t)
        if held is None or len(set(held)) != len(held):
            _refuse("the order that numpy.argsort gives to equal elements: say kind='stable'")
    return _array(torch.sort(t, dim=at, stable=True)[1], _int64)


def unique(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    a = asarray(ar)
    held = _constant_elements(_t(a))
    if return_index or return_inverse or axis is not None or held is None or a._ptc_type.kind == "f" and builtins.any([v != v for v in held]):
        _refuse("numpy.unique of data, by an axis, or with places")
    counts = {}
    for v in held:
        counts[v] = counts.get(v, 0) + 1
    found = builtins.sorted(counts)
    made = _array(torch.tensor(found, dtype=torch.float64 if a._ptc_type.kind == "f" else torch.int64).to(a._ptc_type._ptc_torch), a._ptc_type)
    return (made, _array(torch.tensor([counts[v] for v in found], dtype=torch.int64), _int64)) if return_counts else made


def searchsorted(a, v, side="left", sorter=None):
    if sorter is not None:
        _refuse("numpy.searchsorted(sorter=...)")
    a, wanted = asarray(a), asarray(v)
    dt = _promote(a._ptc_type, wanted._ptc_type)
    made = torch.searchsorted(_u._cast(_t(a), dt).contiguous(), _u._cast(_t(wanted), dt).contiguous(), right=side == "right")
    return _result(made, _int64)


def nonzero(a):
    a = _own(a, "nonzero")
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context of this error is of "
                         "the form `arr[nonzero(cond)]`, just use `arr[cond]`.")
    held = _constant_elements(_t(a))
    if held is None:
        return tuple([_array(p, _int64) for p in torch.nonzero(_t(a), as_tuple=True)])
    places = [i for i, v in enumerate(held) if v]
    made, step = [], 1
    for n in reversed(a.shape):
        made.append([i // step % n for i in places])
        step *= n
    return tuple([_array(torch.tensor(p, dtype=torch.int64), _int64) for p in reversed(made)])


def argwhere(a):
    found = nonzero(a)
    return _array(torch.stack([_t(p) for p in found], 1), _int64)


def flatnonzero(a):
    return nonzero(asarray(a).ravel())[0]


# Products ---------------------------------------------------------------------------------------------------------


def _pair(a, b):
    a, b = asarray(a), asarray(b)
    dt = _promote(a._ptc_type, b._ptc_type)
    if dt is _bool:
        _refuse("a product of matrices of bools")
    return _u._cast(_t(a), dt), _u._cast(_t(b), dt), dt


def matmul(x1, x2, /):
    a, b, dt = _pair(x1, x2)
    if a.dim() == 0 or b.dim() == 0:
        raise ValueError("matmul: Input operand does not have enough dimensions (has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)")
    k, place = (b.shape[-2], 0) if b.dim() > 1 else (b.shape[0], 0)
    if a.shape[-1] != k:
        raise ValueError("matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
                         f"(size {k} is different from {a.shape[-1]})")
    return _result(torch.matmul(a, b), dt)


def dot(a, b, out=None):
    if asarray(a).ndim == 0 or asarray(b).ndim == 0:
        return _stored(_u.multiply(a, b), out)
    one, two, dt = _pair(a, b)
    if one.shape[-1] != (two.shape[-2] if two.dim() > 1 else two.shape[0]):
        from numpy._arrays import _shape_text
        raise ValueError(f"shapes {_shape_text(one.shape)} and {_shape_text(two.shape)} not aligned: {one.shape[-1]} (dim {one.dim() - 1}) != "
                         f"{two.shape[-2] if two.dim() > 1 else two.shape[0]} (dim {builtins.max(two.dim() - 2, 0)})")
    if one.dim() > 2 or two.dim() > 2:
        return _stored(_result(torch.tensordot(one, two, ([one.dim() - 1], [builtins.max(two.dim() - 2, 0)])), dt), out)
    return _stored(_result(torch.matmul(one, two), dt), out)


def vdot(a, b, /):
    return dot(asarray(a).ravel(), asarray(b).ravel())


def inner(a, b, /):
    one, two, dt = _pair(a, b)
    if one.dim() == 0 or two.dim() == 0:
        return _u.multiply(a, b)
    return _result(torch.tensordot(one, two, ([one.dim() - 1], [two.dim() - 1])), dt)


def outer(a, b, out=None):
    return _stored(_u.multiply(asarray(a).ravel()[:, None], asarray(b).ravel()[None, :]), out)


def tensordot(a, b, axes=2):
    one, two, dt = _pair(a, b)
    return _result(torch.tensordot(one, two, axes), dt)


def einsum(*operands, out=None, optimize=False, **named):
    if not isinstance(operands[0], str) or named:
        _refuse("numpy.einsum of lists")
    arrays = [asarray(a) for a in operands[1:]]
    dt = arrays[0]._ptc_type
    for a in arrays[1:]:
        dt = _promote(dt, a._ptc_type)
    return _stored(_result(torch.einsum(operands[0], *[_u._cast(_t(a), dt) for a in arrays]), dt), out)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return sum(asarray(a).diagonal(offset, axis1, axis2), -1, dtype, out)


# Rounding and limits ----------------------------------------------------------------------------------------------


def round(a, decimals=0, out=None):
    given = a
    a = _own(a, "round")
    if a._ptc_type.kind in "iu":
        if decimals < 0:
            scale = 10.0 ** -decimals
            return _stored(_as_given(_u.multiply(_u.rint(_u.divide(a, scale)), scale), a._ptc_type), out)
        return _stored(a.copy() if isinstance(given, (ndarray, list, tuple)) else a[()], out)
    if a._ptc_type is _bool:
        _refuse("numpy.round of bools")
    if decimals == 0:
        made = _u.rint(given)
    else:
        scale = 10.0 ** abs(decimals)
        made = (_u.divide(_u.rint(_u.multiply(a, scale)), scale) if decimals > 0 else
                _u.multiply(_u.rint(_u.divide(a, scale)), scale))
    return _stored(made, out)


def _as_given(made, dt):
    return made.astype(dt) if isinstance(made, ndarray) else dt.type(made)


around = round


def clip(a, a_min=None, a_max=None, out=None, *, min=None, max=None, **named):
    if named:
        _refuse("numpy.clip with options")
    low, high = a_min if min is None else min, a_max if max is None else max
    if low is None and high is None:
        return _stored(asarray(a).copy(), out)
    made = a if isinstance(a, (ndarray, generic)) or not isinstance(a, (list, tuple)) else asarray(a)
    made = made if low is None else _u.maximum(made, low)
    return _stored(made if high is None else _u.minimum(made, high), out)


def _method(function):
    """A function whose first argument is an array, as its method."""
    def method(self, *args, **named):
        return function(self, *args, **named)
    method.__name__ = function.__name__
    return method


def _adopt():
    for function in (sum, prod, mean, var, std, max, min, argmax, argmin, all, any, cumsum, cumprod, argsort, nonzero, searchsorted, trace, round,
                     clip):
        setattr(ndarray, function.__name__, _method(function))
        if function not in (argsort, nonzero, searchsorted, trace):
            setattr(generic, function.__name__, _method(function))
    setattr(ndarray, "__matmul__", lambda self, other: matmul(self, other) if _u._takes(other) else _u._not_ours(self, other, "matmul", False))
    setattr(ndarray, "__rmatmul__", lambda self, other: matmul(other, self) if _u._takes(other) else _u._not_ours(self, other, "matmul", True))


_u._adopt(ndarray, True)
_adopt()
