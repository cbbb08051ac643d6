"""Functions of numpy that work element by element, and the operators that they are.

All of them compute with tensors of one type, found by numpy's rules of promotion (NEP 50): Python numbers take the type
of what they meet. Numbers whose values are known, and sizes, stay Python numbers where the result is the same.
"""
import torch
from _ptc_torch import _constant_elements, _is_constant, _refuse
from numpy._types import (_bool, _can_cast, _check_bounds, _dtype_of, _first, _float64, _float_for, _int8,
                          _int64, _promote, _promote_weak, _scalar, _scalar_of, _uint8, _wrapped, generic,
                          integer)
import builtins
import math as _math

_Tensor = torch.Tensor


class UFuncTypeError(TypeError):
    __module__ = "numpy._core._exceptions"


class _UFuncOutputCastingError(UFuncTypeError):
    __module__ = "numpy._core._exceptions"


class _UFuncNoLoopError(UFuncTypeError):
    __module__ = "numpy._core._exceptions"


for _class in (_UFuncOutputCastingError, _UFuncNoLoopError):      # as numpy shows them
    _class.__name__ = _class.__qualname__ = "UFuncTypeError"


def _arrays():
    from numpy import _arrays
    return _arrays


def _cast(t, dt):
    return t if t.dtype is dt._ptc_torch else t.to(dt._ptc_torch)


def _tensor(value, dt):
    """A number or a tensor in a type."""
    return _cast(value, dt) if isinstance(value, _Tensor) else torch.tensor(value, dtype=dt._ptc_torch)


def _check_cast(a, b, casting):
    if not _can_cast(a, b, casting):
        raise TypeError(f"Cannot cast array data from {a!r} to {b!r} according to the rule '{casting}'")


def _fits(have, want):
    return have == want or have == 1


def _check_broadcast(*shapes):
    deepest = builtins.max([len(s) for s in shapes])
    for d in range(1, deepest + 1):
        found = 1
        for s in shapes:
            n = s[-d] if d <= len(s) else 1
            if found == 1:
                found = n
            elif n != 1 and n != found:
                text = " ".join([_arrays()._shape_text(s) for s in shapes])
                raise ValueError(f"operands could not be broadcast together with shapes {text} ")


def _check_assigned(new, place):
    if len(new) > len(place) or builtins.any([not _fits(n, m) for n, m in zip(reversed(new), reversed(place))]):
        one, two = _arrays()._shape_text(new), _arrays()._shape_text(place)
        raise ValueError(f"could not broadcast input array from shape {one} into shape {two}")


def _operand(x):
    """(its type, None of a Python number; a tensor or a number; whether it is an array of dimensions)."""
    if isinstance(x, generic):
        return x._ptc_dtype, x._ptc_value
    kind = type(x)
    if kind is builtins.int or kind is builtins.float:
        return None, x
    if kind is builtins.bool:
        return _bool, x
    A = _arrays()
    if isinstance(x, A.ndarray):
        return x._ptc_type, A._t(x)
    if isinstance(x, (_Tensor, list, tuple, range)):
        made = A.asarray(x)
        return made._ptc_type, A._t(made)
    if isinstance(x, builtins.float):
        return None, float.__float__(x)
    return _refuse(f"a number or array of type {kind.__name__} for numpy")


def _takes(x):
    """Is it something that operators of arrays and scalars work with?"""
    return isinstance(x, (generic, builtins.int, builtins.float, list, tuple, range)) or hasattr(x, "_ptc_make")


def _common(operands):
    found, weak = None, ""
    for dt, value in operands:
        if dt is None:
            weak = "f" if weak == "f" or type(value) is builtins.float else "i"
        else:
            found = dt if found is None else _promote(found, dt)
    if found is None:
        return _float64 if weak == "f" else _int64
    return _promote_weak(found, weak) if weak else found


class _OfInstances:
    def __get__(self, instance, owner):
        raise AttributeError("__signature__")


class ufunc:
    """`loop` gives the type computed in for the common type of the operands, and that of the result; `compute` takes
    tensors of the first and that type; `known` takes numbers, and gives None for what tensors are needed for."""
    __slots__ = ("__name__", "nin", "_ptc_loop", "_ptc_compute", "_ptc_known", "_ptc_identity")
    nout, signature, __signature__ = 1, None, _OfInstances()

    def __init__(self, name, nin, loop, compute, known=None, identity=None):
        self.__name__, self.nin, self._ptc_loop, self._ptc_compute = name, nin, loop, compute
        self._ptc_known, self._ptc_identity = known, identity

    @property
    def nargs(self):
        return self.nin + 1

    @property
    def identity(self):
        return self._ptc_identity

    def __repr__(self):
        return f"<ufunc '{self.__name__}'>"

    def __call__(self, *args, out=None, where=True, casting="same_kind", order="K", dtype=None, subok=True, signature=None):
        if where is not True or signature is not None:
            _refuse(f"numpy.{self.__name__}(where=...)")
        if len(args) == self.nin + 1 and out is None:
            args, out = args[:-1], args[-1]
        if len(args) != self.nin:
            raise TypeError(f"{self.__name__}() takes from {self.nin} to {self.nin + 1} positional arguments but {len(args)} {'was' if len(args) == 1 else 'were'} given")
        of_torch = builtins.any([isinstance(a, _Tensor) for a in args])
        if isinstance(out, tuple):
            out, = out
        wanted = None if dtype is None else _dtype_of(dtype)
        made = self._ptc_apply([_operand(a) for a in args], wanted)
        if out is not None:
            return self._ptc_store(out, made)
        return _back_to_torch(made) if of_torch else made

    def _ptc_store(self, out, made):
        A = _arrays()
        if not isinstance(out, A.ndarray):
            raise TypeError("return arrays must be of ArrayType")
        if not _can_cast(made.dtype, out._ptc_type, "same_kind"):
            raise _UFuncOutputCastingError(f"Cannot cast ufunc '{self.__name__}' output from {made.dtype!r} to {out._ptc_type!r} with "
                                           "casting rule 'same_kind'")
        if out.shape != made.shape and len(made.shape) >= len(out.shape):
            raise ValueError(f"non-broadcastable output operand with shape {A._shape_text(out.shape)} doesn't match the broadcast shape "
                             f"{A._shape_text(made.shape)}")
        if not out._ptc_writeable:
            raise ValueError("output array is read-only")
        out._ptc_check_write()
        out._ptc_put(A._index(out, ...), A._t(A.asarray(made)).to(out._ptc_type._ptc_torch))
        return out

    def _ptc_apply(self, operands, wanted=None):
        if self._ptc_loop is _real and self.nin == 2:
            # Each is a float of its own before both have a type.
            weak = [type(value) for own, value in operands if own is None]
            operands = [(own and (_float64 if builtins.float in weak and own.kind != "f" or weak and own is _bool else _float_for(own)), value)
                        for own, value in operands]
        elif self._ptc_loop is _truth_of_any:
            operands = [(_bool, value != 0) if own is None else (own, value) for own, value in operands]
        dt = _common(operands)
        if wanted is not None:
            dt = wanted
        loop, kind = self._ptc_loop(self, dt)
        if loop.kind in "iu":
            for own, value in operands:
                if own is None and type(value) is builtins.int:
                    _check_bounds(value, loop)
        values = [value for _, value in operands]
        if self._ptc_known is not None and not builtins.any([isinstance(v, _Tensor) for v in values]):
            found = self._ptc_known(loop, *values)
            if found is not None:
                return _scalar(kind, found)
        tensors = [_tensor(v, loop) for v in values]
        if len(tensors) > 1:
            _check_broadcast(*[tuple(t.shape) for t in tensors])
        made = self._ptc_compute(loop, *tensors)
        made = _cast(made, kind)
        return _scalar_of(made, kind) if made.dim() == 0 else _arrays()._array(made, kind)

    def reduce(self, array, axis=0, dtype=None, out=None, keepdims=False):
        from numpy import _reductions
        named = {"add": _reductions.sum, "multiply": _reductions.prod, "maximum": _reductions.max, "minimum": _reductions.min,
                 "logical_and": _reductions.all, "logical_or": _reductions.any}
        if self.__name__ not in named or out is not None or dtype is not None:
            _refuse(f"numpy.{self.__name__}.reduce")
        return named[self.__name__](array, axis=axis, keepdims=keepdims)

    def accumulate(self, array, axis=0, dtype=None, out=None):
        from numpy import _reductions
        named = {"add": _reductions.cumsum, "multiply": _reductions.cumprod}
        if self.__name__ not in named or out is not None or dtype is not None:
            _refuse(f"numpy.{self.__name__}.accumulate")
        return named[self.__name__](array, axis=axis)

    def outer(self, A, B):
        a, b = _arrays().asarray(A), _arrays().asarray(B)
        return self(a.reshape(a.shape + (1,) * b.ndim), b)


ufunc.__module__ = "numpy"


def _back_to_torch(made):
    """torch.Tensor.__array_wrap__: functions of numpy give tensors of tensors."""
    if isinstance(made, generic):
        made = _arrays().asarray(made)
    return _arrays()._shared(made.astype(_uint8) if made._ptc_type is _bool else made)


# Types that functions compute in ---------------------------------------------------------------------------------


def _no_loop(uf, dt):
    raise TypeError(f"ufunc '{uf.__name__}' not supported for the input types, and the inputs could not be safely coerced to any supported "
                    "types according to the casting rule ''safe''")


def _any(uf, dt):
    return dt, dt


def _numbers(uf, dt):
    if dt is _bool:
        sign = {"subtract": "subtract, the `-` operator,", "negative": "negative, the `-` operator,", "positive": "positive"}
        if uf.__name__ == "subtract":
            raise TypeError("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor "
                            "function instead.")
        if uf.__name__ == "negative":
            raise TypeError("The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the logical_not function instead.")
        if uf.__name__ in ("floor_divide", "remainder", "power", "square", "left_shift", "right_shift"):
            return _int8, _int8
        raise _UFuncNoLoopError(f"ufunc '{uf.__name__}' did not contain a loop with signature matching types {type(dt)} -> None")
    return dt, dt


def _real(uf, dt):
    dt = _float_for(dt)
    return dt, dt


def _quotient(uf, dt):
    dt = dt if dt.kind == "f" else _float64
    return dt, dt


def _truth(uf, dt):
    return dt, _bool


def _truth_of_any(uf, dt):
    return dt, _bool


def _bits(uf, dt):
    if dt.kind == "f":
        _no_loop(uf, dt)
    return dt, dt


def _shifted(uf, dt):
    if dt.kind == "f":
        _no_loop(uf, dt)
    return (_int8, _int8) if dt is _bool else (dt, dt)


def _both_int(dt, a, b):
    return dt.kind in "iu" and type(a) is builtins.int and type(b) is builtins.int


def _is_exact(dt, *values):
    """Numbers that Python computes with as C does with doubles."""
    return dt is _float64 and builtins.all([_is_constant(v) for v in values])


# Arithmetic ----------------------------------------------------------------------------------------------------


def _known_add(dt, a, b):
    if _both_int(dt, a, b):
        return _wrapped(a + b, dt)
    return float(a) + float(b) if dt is _float64 else None


def _known_subtract(dt, a, b):
    if _both_int(dt, a, b):
        return _wrapped(a - b, dt)
    return float(a) - float(b) if dt is _float64 else None


def _known_multiply(dt, a, b):
    if _both_int(dt, a, b):
        return _wrapped(a * b, dt)
    return float(a) * float(b) if dt is _float64 else None


def _known_divide(dt, a, b):
    if dt is not _float64 or not _is_constant(b) or b == 0:
        return None
    return float(a) / float(b) if _is_constant(a) or type(a) is builtins.float else a / b


def _known_floor_divide(dt, a, b):
    if not _is_constant(b) or b == 0:
        return None
    if _both_int(dt, a, b):
        return _wrapped(a // b, dt)
    return float(a) // float(b) if _is_exact(dt, a, b) and _math.isfinite(a) else None


def _known_remainder(dt, a, b):
    if not _is_constant(b) or b == 0:
        return None
    if _both_int(dt, a, b):
        return a % b
    return float(a) % float(b) if _is_exact(dt, a, b) and _math.isfinite(a) else None


def _known_power(dt, a, b):
    if _both_int(dt, a, b) and _is_constant(b):
        if b < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        if b <= 64 and (b <= 8 or _is_constant(a)):
            return _wrapped(a ** b, dt)
    return None


def _is_zero_free(b):
    held = _constant_elements(b)
    return held is not None and 0 not in held and -1 not in held


def _whole_quotient(dt, a, b):
    if _is_zero_free(b):
        return torch.floor_divide(a, b)
    none, back = b == 0, b == -1 if dt.kind == "i" else b != b
    found = torch.floor_divide(a, torch.where(none | back, torch.ones_like(b), b))
    return torch.where(none, torch.zeros_like(found), torch.where(back, -a if dt.kind == "i" else a, found))


def _floor_divide(dt, a, b):
    return torch.floor_divide(a, b) if dt.kind == "f" else _whole_quotient(dt, a, b)


def _remainder(dt, a, b):
    if dt.kind == "f":
        rest = torch.remainder(a, b)
        return torch.where(rest == 0, torch.copysign(rest, b), rest)
    if _is_zero_free(b):
        return torch.remainder(a, b)
    bad = (b == 0) | (b == -1) if dt.kind == "i" else b == 0
    rest = torch.remainder(a, torch.where(bad, torch.ones_like(b), b))
    return torch.where(bad, torch.zeros_like(rest), rest)


def _power(dt, a, b):
    if dt.kind != "f":
        held = _constant_elements(b)
        if held is None:
            _refuse("integers to powers that the run decides")
        if builtins.any([v < 0 for v in held]):
            raise ValueError("Integers to negative integer powers are not allowed.")
    return torch.pow(a, b)


def _add(dt, a, b):
    return a | b if dt is _bool else a + b


def _multiply(dt, a, b):
    return a & b if dt is _bool else a * b


add = ufunc("add", 2, _any, _add, _known_add, 0)
subtract = ufunc("subtract", 2, _numbers, lambda dt, a, b: a - b, _known_subtract)
multiply = ufunc("multiply", 2, _any, _multiply, _known_multiply, 1)
divide = true_divide = ufunc("divide", 2, _quotient, lambda dt, a, b: a / b, _known_divide)
floor_divide = ufunc("floor_divide", 2, _numbers, _floor_divide, _known_floor_divide)
remainder = mod = ufunc("remainder", 2, _numbers, _remainder, _known_remainder)
power = pow = ufunc("power", 2, _numbers, _power, _known_power)
fmod = ufunc("fmod", 2, _numbers, lambda dt, a, b: torch.fmod(a, b) if dt.kind == "f" else _refuse("numpy.fmod of integers"))
float_power = ufunc("float_power", 2, lambda uf, dt: (_float64, _float64), lambda dt, a, b: torch.pow(a, b))


def _by_bits(name, tensor, number, identity=None):
    def known(dt, a, b):
        if not (_is_constant(a) and _is_constant(b)):
            return None
        return _wrapped(number(a, b), dt) if dt is not _bool else builtins.bool(number(a, b))
    return ufunc(name, 2, _bits, lambda dt, a, b: tensor(a, b), known, identity)


bitwise_and = _by_bits("bitwise_and", torch.bitwise_and, lambda a, b: a & b, -1)
bitwise_or = _by_bits("bitwise_or", torch.bitwise_or, lambda a, b: a | b, 0)
bitwise_xor = _by_bits("bitwise_xor", torch.bitwise_xor, lambda a, b: a ^ b, 0)


def _left(dt, a, b):
    inside = (b >= 0) & (b < 8 * dt.itemsize)
    return torch.where(inside, torch.bitwise_left_shift(a, torch.where(inside, b, torch.zeros_like(b))), torch.zeros_like(a))


def _right(dt, a, b):
    most = 8 * dt.itemsize - 1
    inside = (b >= 0) & (b <= most)
    sign = torch.where(a < 0, torch.full_like(a, -1), torch.zeros_like(a)) if dt.kind == "i" else torch.zeros_like(a)
    return torch.where(inside, torch.bitwise_right_shift(a, torch.where(inside, b, torch.zeros_like(b))), sign)


left_shift = bitwise_left_shift = ufunc("left_shift", 2, _shifted, _left)
right_shift = bitwise_right_shift = ufunc("right_shift", 2, _shifted, _right)

# Comparison and truth --------------------------------------------------------------------------------------------


class _comparison(ufunc):
    __slots__ = ()

    def _ptc_apply(self, operands, wanted=None):
        # Python's ints are compared by their values, whatever the other type holds.
        (da, a), (db, b) = operands
        for own, value, dt in ((da, a, db), (db, b, da)):
            if own is None and type(value) is builtins.int and dt is not None and dt.kind in "iu" and _is_constant(value):
                low, high = dt._ptc_range
                if not low <= value <= high:
                    return super()._ptc_apply([(_float64, v if isinstance(v, _Tensor) else float(v)) for _, v in operands])
        return super()._ptc_apply(operands)


_comparison.__name__ = _comparison.__qualname__ = "ufunc"
_comparison.__module__ = "numpy"


def _compared(name, tensor, number):
    def known(dt, a, b):
        if dt is _float64 and _is_constant(a) and _is_constant(b):
            a, b = float(a), float(b)
        elif dt.kind == "f" and not (_is_constant(a) and _is_constant(b)):
            return None
        elif dt is not _float64 and dt.kind == "f":
            a, b = _first(_tensor(a, dt)), _first(_tensor(b, dt))
        return number(a, b)
    return _comparison(name, 2, _truth, lambda dt, a, b: tensor(a, b), known)


equal = _compared("equal", torch.eq, lambda a, b: a == b)
not_equal = _compared("not_equal", torch.ne, lambda a, b: a != b)
less = _compared("less", torch.lt, lambda a, b: a < b)
less_equal = _compared("less_equal", torch.le, lambda a, b: a <= b)
greater = _compared("greater", torch.gt, lambda a, b: a > b)
greater_equal = _compared("greater_equal", torch.ge, lambda a, b: a >= b)
logical_and = ufunc("logical_and", 2, _truth_of_any, lambda dt, a, b: torch.logical_and(a, b), None, True)
logical_or = ufunc("logical_or", 2, _truth_of_any, lambda dt, a, b: torch.logical_or(a, b), None, False)
logical_xor = ufunc("logical_xor", 2, _truth_of_any, lambda dt, a, b: torch.logical_xor(a, b), None, False)
logical_not = ufunc("logical_not", 1, _truth, lambda dt, a: torch.logical_not(a))


def _extreme(name, tensor, ints):
    def compute(dt, a, b):
        if dt is _bool:
            return a & b if ints is min else a | b
        return tensor(a, b)

    def known(dt, a, b):
        return ints(a, b) if _both_int(dt, a, b) and _is_constant(a) and _is_constant(b) else None
    return ufunc(name, 2, _any, compute, known)


maximum, minimum = _extreme("maximum", torch.maximum, max), _extreme("minimum", torch.minimum, min)
fmax, fmin = _extreme("fmax", torch.fmax, max), _extreme("fmin", torch.fmin, min)

# One operand ------------------------------------------------------------------------------------------------------


def _of_reals(name, compute):
    return ufunc(name, 1, _real, lambda dt, a: compute(a))


def _rounding(name, compute, of_ints=False):
    def loop(uf, dt):
        if dt.kind == "f":
            return dt, dt
        return _real(uf, dt) if of_ints else (dt, dt)
    return ufunc(name, 1, loop, lambda dt, a: compute(a) if dt.kind == "f" else a)


def _truth_about(name, compute, of_others):
    return ufunc(name, 1, _truth, lambda dt, a: compute(a) if dt.kind == "f" else torch.full_like(a, of_others, dtype=torch.bool))


def _known_negative(dt, a):
    if dt.kind in "iu":
        return _wrapped(-a, dt)
    return -float(a) if dt is _float64 else None


def _known_absolute(dt, a):
    if dt.kind in "iu" and _is_constant(a):
        return _wrapped(abs(a), dt)
    return abs(float(a)) if _is_exact(dt, a) else None


def _sign(dt, a):
    return torch.where(torch.isnan(a), a, torch.sign(a)) if dt.kind == "f" else torch.sign(a)


def _bit_not(dt, a):
    return torch.logical_not(a) if dt is _bool else torch.bitwise_not(a)


def _reciprocal(dt, a):
    return torch.reciprocal(a) if dt.kind == "f" else _refuse("numpy.reciprocal of integers")


negative = ufunc("negative", 1, _numbers, lambda dt, a: -a, _known_negative)
positive = ufunc("positive", 1, _numbers, lambda dt, a: a.clone())
absolute = ufunc("absolute", 1, _any, lambda dt, a: a if dt in (_bool, _uint8) else torch.abs(a), _known_absolute)
fabs = ufunc("fabs", 1, _real, lambda dt, a: torch.abs(a))
sign = ufunc("sign", 1, _numbers, _sign)
square = ufunc("square", 1, _numbers, lambda dt, a: a * a)
reciprocal = ufunc("reciprocal", 1, _any, _reciprocal)
invert = bitwise_not = bitwise_invert = ufunc("invert", 1, _bits, _bit_not)
sqrt, exp, log = _of_reals("sqrt", torch.sqrt), _of_reals("exp", torch.exp), _of_reals("log", torch.log)
exp2, expm1, log2 = _of_reals("exp2", torch.exp2), _of_reals("expm1", torch.expm1), _of_reals("log2", torch.log2)
log10, log1p = _of_reals("log10", torch.log10), _of_reals("log1p", torch.log1p)
sin, cos, tan = _of_reals("sin", torch.sin), _of_reals("cos", torch.cos), _of_reals("tan", torch.tan)
arcsin = asin = _of_reals("arcsin", torch.asin)
arccos = acos = _of_reals("arccos", torch.acos)
arctan = atan = _of_reals("arctan", torch.atan)
sinh, cosh, tanh = _of_reals("sinh", torch.sinh), _of_reals("cosh", torch.cosh), _of_reals("tanh", torch.tanh)
arcsinh = asinh = _of_reals("arcsinh", torch.asinh)
arccosh = acosh = _of_reals("arccosh", torch.acosh)
arctanh = atanh = _of_reals("arctanh", torch.atanh)
_degree = _math.pi / 180.0
deg2rad, radians = _of_reals("deg2rad", lambda a: a * _degree), _of_reals("radians", lambda a: a * _degree)
rad2deg, degrees = _of_reals("rad2deg", lambda a: a * (180.0 / _math.pi)), _of_reals("degrees", lambda a: a * (180.0 / _math.pi))
floor, ceil, trunc = _rounding("floor", torch.floor), _rounding("ceil", torch.ceil), _rounding("trunc", torch.trunc)
rint = _rounding("rint", torch.round, True)
isnan, isinf = _truth_about("isnan", torch.isnan, False), _truth_about("isinf", torch.isinf, False)
isfinite = _truth_about("isfinite", torch.isfinite, True)
signbit = ufunc("signbit", 1, lambda uf, dt: (_float_for(dt), _bool), lambda dt, a: torch.signbit(a))
arctan2 = atan2 = ufunc("arctan2", 2, _real, lambda dt, a, b: torch.atan2(a, b))
hypot = ufunc("hypot", 2, _real, lambda dt, a, b: torch.hypot(a, b))
copysign = ufunc("copysign", 2, _real, lambda dt, a, b: torch.copysign(a, b))
logaddexp = ufunc("logaddexp", 2, _real, lambda dt, a, b: torch.logaddexp(a, b))
heaviside = ufunc("heaviside", 2, _real, lambda dt, a, b: torch.heaviside(a, b))


# Operators --------------------------------------------------------------------------------------------------------


def _operators(name, uf):
    def forward(self, other):
        if name == "mul" and isinstance(other, (list, tuple)) and isinstance(self, generic):
            return _repeated(self, other)
        return uf._ptc_apply([_operand(self), _operand(other)]) if _takes(other) else _not_ours(self, other, name, False)

    def reflected(self, other):
        if name == "mul" and isinstance(other, (list, tuple)) and isinstance(self, generic):
            return _repeated(self, other)
        return uf._ptc_apply([_operand(other), _operand(self)]) if _takes(other) else _not_ours(self, other, name, True)

    def in_place(self, other):
        if not _takes(other):
            return _not_ours(self, other, name, False)
        return uf._ptc_store(self, uf._ptc_apply([_operand(self), _operand(other)]))
    return forward, reflected, in_place


def _repeated(self, other):
    """A list or tuple beside `*`: numpy's integers are counts to it."""
    if isinstance(self, integer):
        return other * self._ptc_value
    raise TypeError(f"can't multiply sequence by non-int of type 'numpy.{type(self).__name__}'")


def _not_ours(self, other, name, reflected):
    if isinstance(other, _Tensor):
        if not isinstance(self, generic):
            _refuse("an operator of an array and a tensor")
        value, operate = self._ptc_value, _of_python[name]
        return operate(other, value) if reflected else operate(value, other)
    if isinstance(other, complex):
        _refuse("an operator of numpy with a complex number")
    if isinstance(other, (str, bytes)) and name != "mul":
        _refuse(f"an operator of numpy with {type(other).__name__}")
    return NotImplemented


_of_python = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "truediv": lambda a, b: a / b,
              "floordiv": lambda a, b: a // b, "mod": lambda a, b: a % b, "pow": lambda a, b: a ** b, "and": lambda a, b: a & b,
              "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "lshift": lambda a, b: a << b, "rshift": lambda a, b: a >> b,
              "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
              "eq": lambda a, b: a == b, "ne": lambda a, b: a != b}


def _raised(self, other, modulo=None):
    """`**` of an array: some exponents have functions of their own."""
    if not _takes(other):
        return _not_ours(self, other, "pow", False)
    if type(other) in (builtins.int, builtins.float) and _is_constant(other) and hasattr(self, "_ptc_make"):
        if other == 2:
            return square(self) if self._ptc_type is not _bool or type(other) is builtins.int else power(self, other)
        if self._ptc_type.kind == "f" and other in (0.5, 1, -1):
            return (sqrt if other == 0.5 else positive if other == 1 else reciprocal)(self)
    return power._ptc_apply([_operand(self), _operand(other)])


def _compares(name, uf, otherwise=None):
    def operate(self, other):
        if _takes(other):
            return uf._ptc_apply([_operand(self), _operand(other)])
        if isinstance(other, _Tensor):
            return _not_ours(self, other, name, False)
        if otherwise is None or isinstance(other, complex):
            return _not_ours(self, other, name, False)
        if isinstance(self, generic):
            return _scalar(_bool, otherwise) if isinstance(other, str) else NotImplemented
        if other is None:
            return _arrays()._array(torch.full(self.shape, otherwise, dtype=torch.bool), _bool)
        _refuse(f"an array == {type(other).__name__}")
    return operate


def _round_scalar(self, ndigits=None):
    if ndigits is None:
        return round(self._ptc_value)
    from numpy._reductions import round as _round
    return _round(self, ndigits)


def _adopt(cls, is_array):
    for name, uf in (("add", add), ("sub", subtract), ("mul", multiply), ("truediv", divide), ("floordiv", floor_divide),
                     ("mod", remainder), ("and", bitwise_and), ("or", bitwise_or), ("xor", bitwise_xor), ("lshift", left_shift),
                     ("rshift", right_shift)):
        forward, reflected, in_place = _operators(name, uf)
        setattr(cls, f"__{name}__", forward)
        setattr(cls, f"__r{name}__", reflected)
        if is_array:
            setattr(cls, f"__i{name}__", in_place)
    setattr(cls, "__pow__", _raised)
    setattr(cls, "__rpow__", lambda self, other, modulo=None: power._ptc_apply([_operand(other), _operand(self)]) if _takes(other)
            else _not_ours(self, other, "pow", True))
    if is_array:
        setattr(cls, "__ipow__", lambda self, other: power._ptc_store(self, _raised(self, other)))
    setattr(cls, "__divmod__", lambda self, other: (floor_divide(self, other), remainder(self, other)))
    setattr(cls, "__rdivmod__", lambda self, other: (floor_divide(other, self), remainder(other, self)))
    for name, uf, otherwise in (("lt", less, None), ("le", less_equal, None), ("gt", greater, None), ("ge", greater_equal, None),
                                ("eq", equal, False), ("ne", not_equal, True)):
        setattr(cls, f"__{name}__", _compares(name, uf, otherwise))
    for name, uf in (("neg", negative), ("pos", positive), ("abs", absolute), ("invert", invert)):
        setattr(cls, f"__{name}__", _unary(uf))


def _unary(uf):
    return lambda self: uf._ptc_apply([_operand(self)])


_adopt(generic, False)
generic.__round__ = _round_scalar
