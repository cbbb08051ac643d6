"""Functions of numpy that make arrays, join, cut and move them."""
import torch
from _ptc_torch import _constant_elements, _is_constant, _refuse
from numpy import _reductions as _r, _ufuncs as _u
from numpy._arrays import (_array, _axes, _axis, _operand_of, _own, _sizes, _t, _view, array, asarray, ndarray)
from numpy._types import (_bool, _dtype_of, _float64, _int64, _promote, _result_type, _scalar, generic)
import builtins
import math as _math
import operator as _operator


def _check_plain(what, order="C", like=None, device=None):
    if order not in ("C", "K", "A", None) or like is not None or device not in (None, "cpu"):
        _refuse(f"numpy.{what}(order={order!r}, like=..., device=...)")


def _filled(shape, value, dt):
    return _array(torch.full(_sizes(shape), value, dtype=dt._ptc_torch), dt)


def zeros(shape, dtype=None, order="C", *, device=None, like=None):
    _check_plain("zeros", order, like, device)
    return _filled(shape, 0, _dtype_of(dtype))


def ones(shape, dtype=None, order="C", *, device=None, like=None):
    _check_plain("ones", order, like, device)
    return _filled(shape, 1, _dtype_of(dtype))


def empty(shape, dtype=None, order="C", *, device=None, like=None):
    _check_plain("empty", order, like, device)
    dt = _dtype_of(dtype)
    return _array(torch.empty(_sizes(shape), dtype=dt._ptc_torch), dt)


def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    _check_plain("full", order, like, device)
    value = asarray(fill_value)
    dt = value._ptc_type if dtype is None else _dtype_of(dtype)
    t = _operand_of(fill_value, dt)
    sizes = _sizes(shape)
    _u._check_assigned(tuple(t.shape), sizes)
    return _array(t.expand(sizes).clone(memory_format=torch.contiguous_format), dt)


def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    a = asarray(a)
    return zeros(a.shape if shape is None else shape, a._ptc_type if dtype is None else dtype)


def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    a = asarray(a)
    return ones(a.shape if shape is None else shape, a._ptc_type if dtype is None else dtype)


def empty_like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
    a = asarray(prototype)
    return empty(a.shape if shape is None else shape, a._ptc_type if dtype is None else dtype)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    a = asarray(a)
    return full(a.shape if shape is None else shape, fill_value, a._ptc_type if dtype is None else dtype)


def eye(N, M=None, k=0, dtype=float, order="C", *, device=None, like=None):
    _check_plain("eye", order, like, device)
    made = zeros((N, N if M is None else M), dtype)
    made._ptc_t.diagonal(k).fill_(1)
    return made


def identity(n, dtype=None, *, like=None):
    return eye(n, dtype=dtype, like=like)


def _number(v):
    return v._ptc_value if isinstance(v, generic) else v.item() if isinstance(v, (ndarray, torch.Tensor)) else v


def arange(start=None, stop=None, step=None, dtype=None, *, device=None, like=None):
    _check_plain("arange", "C", like, device)
    if stop is None:
        if start is None:
            raise TypeError("arange() requires stop to be specified.")
        start, stop = 0, start
    step = 1 if step is None else step
    given = [start, stop, step]
    dt = _result_type([asarray(g) if isinstance(g, (list, tuple)) else g for g in given]) if dtype is None else _dtype_of(dtype)
    start, stop, step = _number(start), _number(stop), _number(step)
    if dt is _bool:
        _refuse("numpy.arange of bools")
    if _is_constant(step) and step == 0:
        raise ZeroDivisionError("division by zero" if builtins.all([type(g) is builtins.int for g in (start, stop, step)]) else "float division by zero")
    if builtins.all([type(g) is builtins.int for g in (start, stop, step)]):
        if not (_is_constant(start) and _is_constant(step) and _is_constant(stop)) or dt is _int64:
            if _is_constant(stop) and _is_constant(start) and _is_constant(step) and (stop - start) * step <= 0:
                return zeros(0, dt)
            return _array(torch.arange(start, stop, step, dtype=torch.int64).to(dt._ptc_torch), dt)
        count = -((start - stop) // step)
    else:
        if not (_is_constant(start) and _is_constant(step) and _is_constant(stop)):
            _refuse("numpy.arange of floats that the run decides")
        count = _math.ceil((stop - start) / step)
    count = builtins.max(0, count)
    if dt.kind == "f":
        first = torch.tensor(start, dtype=dt._ptc_torch)
        second = torch.tensor(start + step, dtype=dt._ptc_torch)
        return _array(first + torch.arange(count, dtype=dt._ptc_torch) * (second - first), dt)
    first, second = int(start), int(start + step)
    return _array((first + torch.arange(count, dtype=torch.int64) * (second - first)).to(dt._ptc_torch), dt)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    num = _operator.index(num)
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    div = num - 1 if endpoint else num
    start, stop = _u.multiply(asarray(start), 1.0), _u.multiply(asarray(stop), 1.0)
    within = _result_type([start, stop, float(num)])
    dt = within if dtype is None else _dtype_of(dtype)
    delta = asarray(_u.subtract(stop, start))
    made = arange(0, num, dtype=within).reshape((-1,) + (1,) * delta.ndim)
    if div > 0:
        step = _u.divide(delta, div)
        still = _constant_elements(_t(asarray(step)))
        if still is None:
            _refuse("numpy.linspace between numbers that the run decides")
        made = _u.multiply(_u.divide(made, div), delta) if 0 in still else _u.multiply(made, step)
    else:
        step = _scalar(_float64, float("nan"))
        made = _u.multiply(made, delta)
    made = _u.add(made, start)
    if endpoint and num > 1:
        made[-1, ...] = stop
    if axis != 0:
        made = moveaxis(made, 0, axis)
    made = (_u.floor(made) if dt.kind in "iu" else made).astype(dt, copy=False)
    return (made, step) if retstep else made


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    made = _u.power(base, linspace(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else made.astype(dtype)


def ascontiguousarray(a, dtype=None, *, like=None):
    a = asarray(a, dtype)
    a = a.reshape(1) if a.ndim == 0 else a
    return a if a._ptc_make is None and a._ptc_t.is_contiguous() else a.copy()


def copy(a, order="K", subok=False):
    return array(a, copy=True)


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    return asarray(a, dtype, order, copy=copy)


def fromiter(iter, dtype, count=-1, *, like=None):
    items = list(iter)
    return array(items if count < 0 else items[:count], dtype)


# Shape ------------------------------------------------------------------------------------------------------------


def shape(a):
    return asarray(a).shape if not isinstance(a, torch.Tensor) else tuple(a.shape)


def ndim(a):
    return a.ndim if hasattr(a, "ndim") else asarray(a).ndim


def size(a, axis=None):
    a = asarray(a)
    return a.size if axis is None else a.shape[_axis(axis, a.ndim)]


def reshape(a, /, shape, order="C", *, copy=None):
    return _own(a, "reshape").reshape(shape, order=order)


def ravel(a, order="C"):
    return _own(a, "ravel").reshape(-1, order=order)


def transpose(a, axes=None):
    return _own(a, "transpose").transpose(axes)


permute_dims = transpose


def matrix_transpose(x, /):
    return asarray(x).swapaxes(-1, -2)


def swapaxes(a, axis1, axis2):
    return _own(a, "swapaxes").swapaxes(axis1, axis2)


def moveaxis(a, source, destination):
    a = asarray(a)
    one, two = _axes(source, a.ndim), _axes(destination, a.ndim)
    if len(one) != len(two):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [d for d in range(a.ndim) if d not in one]
    for to, from_ in sorted(zip(two, one)):
        order.insert(to, from_)
    return a.transpose(order)


def rollaxis(a, axis, start=0):
    a = asarray(a)
    at = _axis(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    start = start - 1 if at < start else start
    order = [d for d in range(a.ndim) if d != at]
    order.insert(start, at)
    return a.transpose(order)


def squeeze(a, axis=None):
    return _own(a, "squeeze").squeeze(axis)


def expand_dims(a, axis):
    a = asarray(a)
    n = a.ndim + (len(axis) if isinstance(axis, (tuple, list)) else 1)
    new = _axes(axis, n)
    old = iter(a.shape)
    return a.reshape([1 if d in new else next(old) for d in range(n)])


def _at_least(n, arrays, grow):
    made = [a if a.ndim >= n else grow(a) for a in [asarray(a) for a in arrays]]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_1d(*arys):
    return _at_least(1, arys, lambda a: a.reshape(1))


def atleast_2d(*arys):
    return _at_least(2, arys, lambda a: a.reshape(1, 1) if a.ndim == 0 else a[None, :])


def atleast_3d(*arys):
    return _at_least(3, arys, lambda a: a.reshape(1, 1, 1) if a.ndim == 0 else a[None, :, None] if a.ndim == 1 else a[:, :, None])


def broadcast_to(array, shape, subok=False):
    a, sizes = asarray(array), _sizes(shape)
    if len(sizes) < a.ndim or builtins.any([n not in (1, m) for n, m in zip(reversed(a.shape), reversed(sizes))]):
        from numpy._arrays import _shape_text
        raise ValueError("operands could not be broadcast together with remapped shapes [original->remapped]: "
                         f"{_shape_text(a.shape)}  and requested shape {_shape_text(sizes)}")
    made = _view(a, lambda t: t.expand(sizes))
    made._ptc_writeable = False
    return made


def broadcast_shapes(*args):
    sizes = [_sizes(s) for s in args]
    _u._check_broadcast(*sizes, ())
    deepest = builtins.max([len(s) for s in sizes] + [0])
    made = []
    for d in range(deepest, 0, -1):
        have = [s[-d] for s in sizes if d <= len(s)]
        others = [n for n in have if n != 1]
        made.append(others[0] if others else 1)
    return tuple(made)


def broadcast_arrays(*args, subok=False):
    arrays = [asarray(a) for a in args]
    common = broadcast_shapes(*[a.shape for a in arrays])
    return tuple([broadcast_to(a, common) for a in arrays])


# Joining and cutting ------------------------------------------------------------------------------------------------


def _joined(arrays, dtype=None):
    arrays = [asarray(a) for a in arrays]
    dt = _dtype_of(dtype) if dtype is not None else None
    if dt is None and arrays:
        dt = arrays[0]._ptc_type
        for a in arrays[1:]:
            dt = _promote(dt, a._ptc_type)
    return arrays, dt


def concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays, dt = _joined(arrays, dtype)
    if not arrays:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        arrays, axis = [a.ravel() for a in arrays], 0
    n = arrays[0].ndim
    if n == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    at = _axis(axis, n)
    for i, a in enumerate(arrays):
        if a.ndim != n:
            raise ValueError("all the input arrays must have same number of dimensions, but the array at index 0 has "
                             f"{n} dimension(s) and the array at index {i} has {a.ndim} dimension(s)")
        for d in range(n):
            if d != at and a.shape[d] != arrays[0].shape[d]:
                raise ValueError("all the input array dimensions except for the concatenation axis must match exactly, but along dimension "
                                 f"{d}, the array at index 0 has size {arrays[0].shape[d]} and the array at index {i} has size {a.shape[d]}")
    return _r._stored(_array(torch.cat([_u._cast(_t(a), dt) for a in arrays], at), dt), out)


concat = concatenate


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    arrays, dt = _joined(arrays, dtype)
    if not arrays:
        raise ValueError("need at least one array to stack")
    if builtins.any([a.shape != arrays[0].shape for a in arrays]):
        raise ValueError("all input arrays must have the same shape")
    at = _axis(axis, arrays[0].ndim + 1)
    return _r._stored(_array(torch.stack([_u._cast(_t(a), dt) for a in arrays], at), dt), out)


def vstack(tup, *, dtype=None, casting="same_kind"):
    return concatenate([atleast_2d(a) for a in tup], 0, dtype=dtype)


def hstack(tup, *, dtype=None, casting="same_kind"):
    arrays = [atleast_1d(a) for a in tup]
    return concatenate(arrays, 0 if arrays and arrays[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup):
    return concatenate([atleast_3d(a) for a in tup], 2)


def column_stack(tup):
    return concatenate([a.reshape(-1, 1) if a.ndim < 2 else a for a in [asarray(a) for a in tup]], 1)


def append(arr, values, axis=None):
    arr = asarray(arr)
    if axis is None:
        return concatenate([arr.ravel(), asarray(values).ravel()])
    return concatenate([arr, values], axis)


def insert(arr, obj, values, axis=None):
    a = asarray(arr)
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    if not isinstance(_number(obj), builtins.int) or a.ndim != 1:
        _refuse("numpy.insert of more than one place, or by an axis")
    n, place = a.shape[at], _number(obj)
    if not -n <= place <= n:
        raise IndexError(f"index {place} is out of bounds for axis {at} with size {n}")
    place = place + n if place < 0 else place
    new = atleast_1d(asarray(values)).astype(a._ptc_type)
    return concatenate([a[:place], new, a[place:]])


def delete(arr, obj, axis=None):
    a = asarray(arr)
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    n = a.shape[at]
    if isinstance(obj, slice):
        gone = set(range(*obj.indices(n)))
    else:
        places = obj if isinstance(obj, (list, tuple, range)) else asarray(obj).ravel().tolist()
        for p in places:
            if not -n <= p < n:
                raise IndexError(f"index {p} is out of bounds for axis {at} with size {n}")
        gone = {p % n for p in places}
    return take(a, [i for i in range(n) if i not in gone], at)


def array_split(ary, indices_or_sections, axis=0):
    a = asarray(ary)
    at = _axis(axis, a.ndim)
    n = a.shape[at]
    if isinstance(indices_or_sections, (builtins.int, generic)):
        parts = _operator.index(indices_or_sections)
        if parts <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, more = divmod(n, parts)
        ends = [0]
        for i in range(parts):
            ends.append(ends[-1] + each + (1 if i < more else 0))
    else:
        places = indices_or_sections.tolist() if isinstance(indices_or_sections, ndarray) else list(indices_or_sections)
        ends = [0] + places + [n]
    return [a[(slice(None),) * at + (slice(ends[i], ends[i + 1]),)] for i in range(len(ends) - 1)]


def split(ary, indices_or_sections, axis=0):
    a = asarray(ary)
    if isinstance(indices_or_sections, (builtins.int, generic)) and a.shape[_axis(axis, a.ndim)] % indices_or_sections:
        raise ValueError("array split does not result in an equal division")
    return array_split(a, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    a = asarray(ary)
    return split(a, indices_or_sections, 1 if a.ndim > 1 else 0)


def vsplit(ary, indices_or_sections):
    return split(ary, indices_or_sections, 0)


def repeat(a, repeats, axis=None):
    a = _own(a, "repeat")
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    counts = _number(repeats) if not isinstance(repeats, (list, tuple, ndarray)) else asarray(repeats).tolist()
    if isinstance(counts, list) and len(counts) == 1:
        counts = counts[0]
    if isinstance(counts, list):
        if len(counts) != a.shape[at]:
            raise ValueError(f"operands could not be broadcast together with shape ({a.shape[at]},) ({len(counts)},)")
        return take(a, [i for i, n in enumerate(counts) for _ in range(n)], at)
    return _array(_t(a).repeat_interleave(counts, dim=at), a._ptc_type)


def tile(A, reps):
    a = asarray(A)
    counts = list(reps) if isinstance(reps, (tuple, list)) else asarray(reps).tolist() if isinstance(reps, ndarray) else [reps]
    counts = [_operator.index(n) for n in (counts if isinstance(counts, list) else [counts])]
    counts = [1] * (a.ndim - len(counts)) + counts
    return _array(_t(a).repeat(counts), a._ptc_type)


def flip(m, axis=None):
    m = asarray(m)
    turned = _axes(axis, m.ndim)
    return m[tuple([slice(None, None, -1 if d in turned else None) for d in range(m.ndim)])]


def flipud(m):
    return flip(m, 0)


def fliplr(m):
    if asarray(m).ndim < 2:
        raise ValueError("Input must be >= 2-d.")
    return flip(m, 1)


def rot90(m, k=1, axes=(0, 1)):
    m = asarray(m)
    one, two = _axes(tuple(axes), m.ndim)
    k = k % 4
    if k == 0:
        return m[:]
    if k == 2:
        return flip(flip(m, one), two)
    return flip(m, two).swapaxes(one, two) if k == 1 else flip(m.swapaxes(one, two), two)


def roll(a, shift, axis=None):
    a = asarray(a)
    if axis is None:
        return roll(a.ravel(), shift, 0).reshape(a.shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = shift if isinstance(shift, (tuple, list)) else (shift,) * len(axes)
    axes = axes * len(shifts) if len(axes) == 1 else axes
    t = _t(a)
    for n, d in zip(shifts, axes):
        t = torch.roll(t, _number(n), _axis(d, a.ndim))
    return _array(t if len(shifts) else t.clone(), a._ptc_type)


_modes = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(array, pad_width, mode="constant", **named):
    a = asarray(array)
    if mode not in _modes or [k for k in named if k != "constant_values"]:
        _refuse(f"numpy.pad(mode={mode!r})")
    value = named.get("constant_values", 0)
    if isinstance(value, (tuple, list, ndarray)) and asarray(value).size != 1:
        _refuse("numpy.pad with several constants")
    value = asarray(value).item() if not isinstance(value, (builtins.int, builtins.float)) else value
    widths = pad_width if isinstance(pad_width, (builtins.int, generic)) else asarray(pad_width).tolist()
    widths = _number(widths)
    if isinstance(widths, builtins.int):
        widths = [[widths, widths]] * a.ndim
    elif not isinstance(widths[0], list):
        widths = [[widths[0], widths[-1]]] * a.ndim
    elif len(widths) == 1:
        widths = [[widths[0][0], widths[0][-1]]] * a.ndim
    if len(widths) != a.ndim:
        _refuse("numpy.pad of widths that are broadcast")
    t = _t(a)
    for d, (before, after) in enumerate(widths):
        if before < 0 or after < 0:
            raise ValueError("index can't contain negative values")
        n = t.shape[d]
        if not before and not after:
            continue
        if mode == "constant":
            ends = [torch.full([k if e == d else m for e, m in enumerate(t.shape)], value, dtype=t.dtype) for k in (before, after)]
            t = torch.cat([ends[0], t, ends[1]], d)
            continue
        if n == 0:
            raise ValueError(f"can't extend empty axis {d} using modes other than 'constant' or 'empty'")
        t = t.index_select(d, torch.tensor([_place_of(i, n, mode) for i in range(-before, n + after)], dtype=torch.int64))
    return _array(t.clone() if t is _t(a) else t, a._ptc_type)


def _place_of(i, n, mode):
    if mode == "edge":
        return builtins.min(builtins.max(i, 0), n - 1)
    if mode == "wrap":
        return i % n
    if mode == "symmetric":
        i %= 2 * n
        return i if i < n else 2 * n - 1 - i
    if n == 1:
        return 0
    i %= 2 * (n - 1)
    return i if i < n else 2 * (n - 1) - i


def take(a, indices, axis=None, out=None, mode="raise"):
    if mode != "raise":
        _refuse(f"numpy.take(mode={mode!r})")
    a = _own(a, "take")
    if axis is None:
        a, axis = a.ravel(), 0
    at = _axis(axis, a.ndim)
    places = indices if isinstance(_number(indices), builtins.int) else asarray(indices)
    places = places.astype(_int64) if isinstance(places, ndarray) and places.size == 0 else places
    return _r._stored(a[(slice(None),) * at + (places,)], out)


for _function in (take, repeat):
    setattr(ndarray, _function.__name__, _r._method(_function))
