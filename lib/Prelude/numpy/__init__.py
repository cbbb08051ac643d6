"""numpy 2, without numpy: arrays are tensors. What is not here is known to exist and refused by its name."""
from numpy import _types
from numpy._types import (False_, True_, bool, bool_, byte, can_cast, character, complexfloating, double, dtype, finfo, flexible, float16,
                          float32, float64, floating, generic, half, iinfo, inexact, int16, int32, int64, int8, int_, intc, integer, intp,
                          isdtype, issubdtype, long, longlong, number, promote_types, result_type, short, signedinteger, single, ubyte, uint8,
                          unsignedinteger)
from numpy._ufuncs import (absolute, acos, acosh, add, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, asin, asinh, atan, atan2,
                           atanh, bitwise_and, bitwise_invert, bitwise_left_shift, bitwise_not, bitwise_or, bitwise_right_shift, bitwise_xor,
                           ceil, copysign, cos, cosh, deg2rad, degrees, divide, equal, exp, exp2, expm1, fabs, float_power, floor,
                           floor_divide, fmax, fmin, fmod, greater, greater_equal, heaviside, hypot, invert, isfinite, isinf, isnan, left_shift,
                           less, less_equal, log, log10, log1p, log2, logaddexp, logical_and, logical_not, logical_or, logical_xor, maximum,
                           minimum, mod, multiply, negative, not_equal, positive, pow, power, rad2deg, radians, reciprocal, remainder,
                           right_shift, rint, sign, signbit, sin, sinh, sqrt, square, subtract, tan, tanh, true_divide, trunc, ufunc)
from numpy._arrays import array, asarray, ndarray
from numpy._reductions import (all, amax, amin, any, argmax, argmin, argsort, argwhere, around, average, clip, count_nonzero, cumprod, cumsum,
                               dot, einsum, flatnonzero, inner, matmul, max, mean, median, min, nanmax, nanmean, nanmin, nanprod, nansum,
                               nonzero, outer, prod, ptp, round, searchsorted, sort, std, sum, tensordot, trace, unique, var, vdot)
from numpy._functions import (append, arange, array_split, asanyarray, ascontiguousarray, atleast_1d, atleast_2d, atleast_3d,
                              broadcast_arrays, broadcast_shapes, broadcast_to, column_stack, concat, concatenate, copy, delete, dstack,
                              empty, empty_like, expand_dims, eye, flip, fliplr, flipud, fromiter, full, full_like, hsplit, hstack,
                              identity, insert, linspace, logspace, matrix_transpose, moveaxis, ndim, ones, ones_like, pad, permute_dims,
                              ravel, repeat, reshape, roll, rollaxis, rot90, shape, size, split, squeeze, stack, swapaxes, take, tile,
                              transpose, vsplit, vstack, zeros, zeros_like)
from numpy._choice import (allclose, array_equal, bartlett, blackman, compress, cross, diag, diagonal, diff, errstate, hamming, hanning,
                           index_exp, indices, interp, isclose, iscomplexobj, isin, isrealobj, isscalar, ix_, meshgrid, nan_to_num,
                           put_along_axis, ravel_multi_index, real, s_, select, take_along_axis, tri, tril, tril_indices, triu,
                           triu_indices, unravel_index, where)
from numpy._text import array_repr, array_str, printoptions, set_printoptions
from numpy import linalg, exceptions
import math as _math

abs = absolute
pi, e, inf, nan, newaxis, euler_gamma = _math.pi, _math.e, _math.inf, _math.nan, None, 0.5772156649015329
little_endian = True


def _place_names():
    """Where numpy says that its functions and classes are."""
    for name, value in list(globals().items()):
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("numpy._"):
            value.__module__ = "numpy"


_place_names()
