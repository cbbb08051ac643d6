"""The part of numpy.linalg that is sums and roots."""
from _ptc_torch import _refuse
from numpy import _reductions as _r, _ufuncs as _u
from numpy._arrays import asarray


def norm(x, ord=None, axis=None, keepdims=False):
    a = asarray(x)
    a = a.astype(float) if a.dtype.kind != "f" else a
    if axis is None and (ord is None or ord == 2 and a.ndim == 1 or ord in ("f", "fro") and a.ndim == 2):
        flat = a.ravel()
        made = _u.sqrt(_r.dot(flat, flat))
        return asarray(made).reshape((1,) * a.ndim) if keepdims else made
    if axis is None and a.ndim == 1:
        axis = 0
    if isinstance(axis, (tuple, list)) and len(axis) == 1:
        axis, = axis
    if not isinstance(axis, int):
        _refuse("numpy.linalg.norm of matrices")
    if ord is None or ord == 2:
        return _u.sqrt(_r.sum(_u.multiply(a, a), axis, keepdims=keepdims))
    size = _u.absolute(a)
    if ord == 1:
        return _r.sum(size, axis, keepdims=keepdims)
    if ord == 0:
        return _r.sum(_u.not_equal(a, 0).astype(a.dtype), axis, keepdims=keepdims)
    if ord == float("inf"):
        return _r.max(size, axis, keepdims=keepdims)
    if ord == float("-inf"):
        return _r.min(size, axis, keepdims=keepdims)
    if not isinstance(ord, (int, float)):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    return _u.power(_r.sum(_u.power(size, ord), axis, keepdims=keepdims), 1.0 / ord)
