"""Element types of arrays, and numpy's scalars.

The elements lie in torch tensors, so types are those that tensors have: no unsigned ones beyond uint8, no complex
ones, no text, no objects, no other byte order. Scalars hold a Python number, which the run may decide.
"""
import torch
from _ptc import _is_opaque
from _ptc_torch import _constant_elements, _is_constant, _refuse
import builtins
import math as _math


class generic:
    __slots__ = ()
    _ptc_is_of_numpy = True
    _ptc_dtype = None
    _ptc_as_result = "return `s.item()` of a scalar `s`"

    def __new__(cls, *args, **named):
        raise TypeError(f"cannot create '{_path(cls)}' instances")

    @property
    def dtype(self):
        return self._ptc_dtype

    @property
    def shape(self):
        return ()

    @property
    def ndim(self):
        return 0

    @property
    def size(self):
        return 1

    @property
    def itemsize(self):
        return self._ptc_dtype.itemsize

    @property
    def nbytes(self):
        return self._ptc_dtype.itemsize

    @property
    def T(self):
        return self

    @property
    def real(self):
        return self

    def item(self, *args):
        for index in args:
            if index != 0 and index != (0,) and index != ():
                _refuse("an index of a scalar")
        return self._ptc_value

    def tolist(self):
        return self._ptc_value

    def copy(self):
        return self

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    __hash__ = None

    def __bool__(self):
        return self._ptc_value != 0

    def __int__(self):
        return int(self._ptc_value)

    def __float__(self):
        return float(self._ptc_value)

    def __complex__(self):
        return complex(self._ptc_value)

    def __str__(self):
        from numpy._text import _str_of
        return _str_of(self)

    def __repr__(self):
        from numpy._text import _repr_of
        return _repr_of(self)

    def __format__(self, spec):
        return format(self._ptc_value, spec)

    def __getitem__(self, key):
        if key == () or key is ...:
            if key is ...:
                _refuse("scalar[...]")
            return self
        raise IndexError("invalid index to scalar variable.")


class number(generic):
    __slots__ = ()


class integer(number):
    __slots__ = ()
    _ptc_as_result = "return `int(s)` of a scalar `s`"

    def __index__(self):
        return self._ptc_value

    @property
    def numerator(self):
        return self

    @property
    def denominator(self):
        return type(self)(1)

    def is_integer(self):
        return True

    def bit_count(self):
        return abs(self._ptc_value).bit_count()


class signedinteger(integer):
    __slots__ = ()


class unsignedinteger(integer):
    __slots__ = ()


class inexact(number):
    __slots__ = ()


class floating(inexact):
    __slots__ = ()
    _ptc_as_result = "return `float(s)` of a scalar `s`"

    def is_integer(self):
        return float(self._ptc_value).is_integer()

    def as_integer_ratio(self):
        return float(self._ptc_value).as_integer_ratio()


class complexfloating(inexact):
    __slots__ = ()


class flexible(generic):
    __slots__ = ()


class character(flexible):
    __slots__ = ()


def _path(cls):
    return f"numpy.{cls.__name__}"


def _made(cls, value):
    """numpy's call of a scalar type: an array where it is given more than one number."""
    from numpy._arrays import array, ndarray
    if isinstance(value, builtins.str):
        value = int(value) if issubclass(cls, integer) else float(value)
    made = array(value, dtype=cls)
    return made if made.ndim else made[()]


def _new(cls, value=0, /):
    kind = type(value)
    if kind is builtins.bool or kind is builtins.int or kind is builtins.float or isinstance(value, generic):
        return _convert(cls, value)
    return _made(cls, value)


def _convert(cls, value):
    """A Python number or a scalar as a scalar of another type."""
    dt, source = cls._ptc_dtype, value
    if isinstance(value, generic):
        value = value._ptc_value
    elif type(value) is builtins.int and dt.kind in "iu":
        _check_bounds(value, dt)
    if dt.kind == "b":
        return _scalar(dt, value != 0)
    if dt.kind in "iu":
        if type(value) is builtins.float:
            if not _is_constant(value) or not -2.0 ** 63 <= value < 2.0 ** 63:
                return _scalar_of(torch.tensor(value, dtype=torch.float64).to(dt._ptc_torch), dt)
            value = _math.trunc(value)
        return _scalar(dt, _wrapped(int(value), dt))
    if dt is not _float64:
        if type(value) is builtins.float and type(source) is cls:
            return source
        return _scalar_of(torch.tensor(float(value), dtype=torch.float64).to(dt._ptc_torch), dt)
    return _scalar(dt, float(value))


def _check_bounds(value, dt):
    """What an integer type holds of Python's ints."""
    if dt.kind == "b" or not _is_constant(value):
        return
    low, high = dt._ptc_range
    if not low <= value <= high:
        raise OverflowError(f"Python integer {value} out of bounds for {dt.name}")


def _check_stored(value, dt):
    """What an integer type holds of numbers that are stored in an array: numpy makes Python's ints of them, but casts its own scalars to unsigned types."""
    if dt.kind not in "iu":
        return
    if isinstance(value, generic):
        if dt.kind == "u":
            return
        value = value._ptc_value
    if isinstance(value, builtins.float):
        value = float.__float__(value)
        if value != value:
            raise ValueError("cannot convert float NaN to integer")
        if not _is_constant(value):
            low, high = dt._ptc_range
            if not (float(low) - 1 < value < float(high) + 1 or value == float(low)):
                if value in (_math.inf, -_math.inf):
                    raise OverflowError("cannot convert float infinity to integer")
                if not -2.0 ** 63 <= value < 2.0 ** 63:
                    raise OverflowError("Python int too large to convert to C long")
                raise OverflowError(f"Python integer {int(value)} out of bounds for {dt.name}")
            return
        if _math.isinf(value):
            raise OverflowError("cannot convert float infinity to integer")
        value = _math.trunc(value)
    if type(value) is builtins.int:
        if _is_constant(value) and not -2 ** 63 <= value < 2 ** 63:
            raise OverflowError("Python int too large to convert to C long")
        _check_bounds(value, dt)


def _wrapped(value, dt):
    if not _is_constant(value):
        if dt.itemsize < 8:
            return _first(torch.tensor(value, dtype=torch.int64).to(dt._ptc_torch))
        return value
    low, high = dt._ptc_range
    return value if low <= value <= high else (value - low) % (high - low + 1) + low


def _first(t):
    found = _constant_elements(t)
    return t.item() if found is None else found[0]


def _scalar_of(t, dt):
    """The scalar that a tensor of one element holds."""
    return _scalar(dt, _first(t))


def _scalar(dt, value):
    """Of a Python number that is one of the type."""
    if dt is _float64:
        return float.__new__(float64, value)
    if dt is _bool and _is_constant(value) and _bools:
        return _bools[1 if value else 0]
    made = object.__new__(dt.type)
    made._ptc_value = value
    return made


def _hash(self):
    return hash(self._ptc_value)


def _concrete(name, base):
    return type(name, (base,), {"__slots__": ("_ptc_value",), "__new__": _new, "__hash__": _hash, "__module__": "numpy", "__qualname__": name})


class float64(floating, float):
    __slots__ = ()
    _ptc_holds_data = True
    _ptc_value = property(float.__float__)
    __hash__ = _hash

    def __new__(cls, value=0.0, /):
        if cls is float64:
            return _new(cls, value)
        return float.__new__(cls, _new(float64, value)._ptc_value)


int8, int16, int32, int64 = [_concrete(n, signedinteger) for n in ("int8", "int16", "int32", "int64")]
uint8 = _concrete("uint8", unsignedinteger)
float16, float32 = [_concrete(n, floating) for n in ("float16", "float32")]


class bool(generic):
    __slots__ = ("_ptc_value",)
    _ptc_as_result = "return `bool(s)` of a scalar `s`"
    __new__, __hash__ = _new, _hash

    def __bool__(self):
        return self._ptc_value

    def __index__(self):
        raise TypeError("'numpy.bool' object cannot be interpreted as an integer")


for _class in (generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating, flexible, character,
               float64, bool):
    _class.__module__ = "numpy"
bool.__qualname__ = bool.__name__ = "bool"
bool_, double, half, single = bool, float64, float16, float32
byte, short, intc, int_, intp, longlong, long, ubyte = int8, int16, int32, int64, int64, int64, int64, uint8


# dtype -----------------------------------------------------------------------------------------------------------


class dtype:
    """One class and one object per type."""
    __slots__ = ("kind", "char", "num", "itemsize", "name", "_ptc_torch", "_ptc_range")
    _ptc_as_result = "return `str(d)` of a type `d`"

    type = None

    def __new__(cls, dtype, align=False, copy=False):
        return _dtype_of(dtype)

    def __eq__(self, other):
        if isinstance(other, _dtype_class):
            return self is other
        try:
            return self is _dtype_of(other)
        except (TypeError, ValueError):
            return False

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        return hash(("numpy.dtype", self.name))

    def __repr__(self):
        return f"dtype('{self.name}')"

    def __str__(self):
        return self.name

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @property
    def str(self):
        return ("|" if self.itemsize == 1 else "<") + self.kind + f"{self.itemsize}"

    @property
    def byteorder(self):
        return "|" if self.itemsize == 1 else "="

    @property
    def alignment(self):
        return self.itemsize

    @property
    def fields(self):
        return None

    @property
    def names(self):
        return None

    @property
    def subdtype(self):
        return None

    @property
    def shape(self):
        return ()

    @property
    def ndim(self):
        return 0

    @property
    def base(self):
        return self

    @property
    def isnative(self):
        return True

    @property
    def hasobject(self):
        return False

    def newbyteorder(self, *order):
        _refuse("numpy.dtype.newbyteorder")


_dtype_class = dtype
dtype.__module__ = "numpy"


def _row(cls, kind, char, num, itemsize, kept):
    name = cls.__name__.replace("ui", "UI") if kind == "u" else cls.__name__.capitalize()
    made = object.__new__(type(name + "DType", (_dtype_class,), {"__slots__": (), "__module__": "numpy.dtypes", "type": cls}))
    made.kind, made.char, made.num, made.itemsize, made.name = kind, char, num, itemsize, cls.__name__
    made._ptc_torch = kept
    bits = 8 * itemsize
    made._ptc_range = {"i": (-2 ** (bits - 1), 2 ** (bits - 1) - 1), "u": (0, 2 ** bits - 1)}.get(kind)
    cls._ptc_dtype = made
    return made


_bools = ()
_bool = _row(bool, "b", "?", 0, 1, torch.bool)
_int8, _uint8 = _row(int8, "i", "b", 1, 1, torch.int8), _row(uint8, "u", "B", 2, 1, torch.uint8)
_int16, _int32 = _row(int16, "i", "h", 3, 2, torch.int16), _row(int32, "i", "i", 5, 4, torch.int32)
_int64 = _row(int64, "i", "l", 7, 8, torch.int64)
_float16, _float32 = _row(float16, "f", "e", 23, 2, torch.float16), _row(float32, "f", "f", 11, 4, torch.float32)
_float64 = _row(float64, "f", "d", 12, 8, torch.float64)
_all = (_bool, _int8, _uint8, _int16, _int32, _int64, _float16, _float32, _float64)
_of_torch = {d._ptc_torch: d for d in _all}
_bools = (_scalar(_bool, False), _scalar(_bool, True))
False_, True_ = _bools

_by_name = {**{d.name: d for d in _all}, **{d.char: d for d in _all}, **{d.str: d for d in _all}, **{d.str[1:]: d for d in _all},
            "bool_": _bool, "int": _int64, "float": _float64, "int_": _int64, "intp": _int64, "long": _int64, "double": _float64,
            "single": _float32, "half": _float16, "byte": _int8, "short": _int16, "intc": _int32, "ubyte": _uint8, "q": _int64,
            "p": _int64, "longlong": _int64, "=f4": _float32, "=f8": _float64, "=i4": _int32, "=i8": _int64}
# Names that numpy has beside these.
_without_model = ("uint16", "uint32", "uint64", "complex64", "complex128", "complex", "object", "str", "bytes", "float128", "longdouble", "O", "S", "U",
                  "datetime64", "timedelta64", "void", "u2", "u4", "u8", "c8", "c16", "uint", "ulong", "ushort", "uintp", "csingle", "cdouble")
_by_class = {builtins.bool: _bool, builtins.int: _int64, builtins.float: _float64}


def _dtype_of(given):
    if isinstance(given, _dtype_class):
        return given
    if given is None:
        return _float64
    if isinstance(given, type):
        if given in _by_class:
            return _by_class[given]
        if issubclass(given, generic) and given._ptc_dtype is not None:
            return given._ptc_dtype
        _refuse(f"numpy.dtype({given.__name__})")
    if isinstance(given, builtins.str):
        if given in _by_name:
            return _by_name[given]
        if given in _without_model or given[:1] in "<>=|" or "," in given or given[-1:].isdigit() or given == "":
            _refuse(f"numpy.dtype({given!r})")
        raise TypeError(f"data type {given!r} not understood")
    if isinstance(given, torch.dtype):
        raise TypeError(f"Cannot interpret '{given}' as a data type")
    if isinstance(given, (generic, builtins.int, builtins.float)):
        raise TypeError(f"Cannot interpret '{given}' as a data type")
    if hasattr(given, "dtype") and isinstance(given.dtype, _dtype_class) and not hasattr(given, "shape"):
        return given.dtype
    _refuse(f"numpy.dtype of {type(given).__name__}")


# Promotion (NEP 50) ----------------------------------------------------------------------------------------------

_floats = (_float16, _float32, _float64)


def _float_for(dt):
    """The smallest floating type that holds an integer type, in numpy's opinion."""
    return dt if dt.kind == "f" else _float16 if dt.itemsize == 1 else _float32 if dt.itemsize == 2 else _float64


def _promote(a, b):
    if a is b or b is _bool:
        return a
    if a is _bool:
        return b
    if a.kind == "f" or b.kind == "f":
        a, b = _float_for(a), _float_for(b)
        return a if a.itemsize >= b.itemsize else b
    if a.kind == b.kind:
        return a if a.itemsize >= b.itemsize else b
    signed = a if a.kind == "i" else b              # the other is uint8
    return _int16 if signed is _int8 else signed


def _promote_weak(dt, kind):
    """With a Python number: `kind` is "i" or "f"."""
    if kind == "i":
        return _int64 if dt is _bool else dt
    return dt if dt.kind == "f" else _float64


def _weak_kind(value):
    """Of a Python int or float, which takes the type of what it meets."""
    kind = type(value)
    return "i" if kind is builtins.int else "f" if kind is builtins.float else None


def _result_type(operands):
    """Of types, arrays, scalars and Python numbers."""
    found, weak = None, ""
    for operand in operands:
        kind = _weak_kind(operand)
        if kind is not None:
            weak = "f" if kind == "f" or weak == "f" else "i"
            continue
        if operand is True or operand is False:
            dt = _bool
        else:
            dt = operand.dtype if hasattr(operand, "_ptc_is_of_numpy") and not isinstance(operand, type) else _dtype_of(operand)
        found = dt if found is None else _promote(found, dt)
    if found is None:
        return _float64 if weak == "f" else _int64
    return _promote_weak(found, weak) if weak else found


def result_type(*arrays_and_dtypes):
    if not arrays_and_dtypes:
        raise ValueError("at least one array or dtype is required")
    from numpy._arrays import asarray
    return _result_type([asarray(a) if isinstance(a, (list, tuple)) else a for a in arrays_and_dtypes])


def promote_types(type1, type2):
    return _promote(_dtype_of(type1), _dtype_of(type2))


_safe_order = {"b": 0, "u": 1, "i": 2, "f": 3}


def can_cast(from_, to, casting="safe"):
    if _weak_kind(from_) is not None or isinstance(from_, builtins.bool):
        raise TypeError("can_cast() does not support Python ints, floats, and complex because the result used to depend on the value.\n"
                        "This change was part of adopting NEP 50, we may explicitly allow them again in the future.")
    from_ = from_.dtype if isinstance(from_, generic) or hasattr(from_, "_ptc_make") else _dtype_of(from_)
    return _can_cast(from_, _dtype_of(to), casting)


def _can_cast(a, b, casting):
    if casting == "unsafe" or a is b:
        return True
    if casting in ("no", "equiv"):
        return False
    if casting == "safe":
        return _promote(a, b) is b
    if casting == "same_kind":
        return _promote(a, b) is b or _safe_order[a.kind] <= _safe_order[b.kind]
    raise ValueError("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', 'same_value' "
                     f"(got '{casting}')")


def _class_of(given):
    """The scalar class that issubdtype() means."""
    if isinstance(given, type) and issubclass(given, generic):
        return given
    if given in (builtins.int, builtins.float, builtins.bool) or not isinstance(given, type):
        return _dtype_of(given).type
    _refuse(f"numpy.issubdtype of {given}")


def issubdtype(arg1, arg2):
    if _is_opaque(arg1) or _is_opaque(arg2):
        _refuse("numpy.issubdtype of a type without a model")
    return issubclass(_class_of(arg1), _class_of(arg2))


def isdtype(dtype, kind):
    dt, names = _dtype_of(dtype), {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
                                   "complex floating": "c", "numeric": "iufc"}
    for each in kind if isinstance(kind, tuple) else (kind,):
        if dt.kind in names[each] if isinstance(each, builtins.str) else dt is _dtype_of(each):
            return True
    return False




class finfo:
    """Limits of floating types."""
    _ptc_rows = {"float16": (16, 3, 10, 65504.0, 2.0 ** -14, 2.0 ** -24), "float32": (32, 6, 23, 3.4028234663852886e38, 2.0 ** -126, 2.0 ** -149),
                 "float64": (64, 15, 52, 1.7976931348623157e308, 2.0 ** -1022, 5e-324)}

    def __init__(self, dtype):
        dt = dtype.dtype if isinstance(dtype, generic) or hasattr(dtype, "_ptc_make") else _dtype_of(dtype)
        if dt.kind != "f":
            raise ValueError(f"data type {dt.type!r} not inexact")
        self.bits, self.precision, self.nmant, largest, tiny, least = finfo._ptc_rows[dt.name]
        self.dtype, self.max, self.min = dt, dt.type(largest), dt.type(-largest)
        self.eps, self.epsneg = dt.type(2.0 ** -self.nmant), dt.type(2.0 ** -(self.nmant + 1))
        self.tiny = self.smallest_normal = dt.type(tiny)
        self.smallest_subnormal, self.resolution = dt.type(least), dt.type(10.0 ** -self.precision)


class iinfo:
    def __init__(self, type):
        dt = type.dtype if isinstance(type, generic) or hasattr(type, "_ptc_make") else _dtype_of(type)
        if dt.kind not in "iu":
            raise ValueError(f"Invalid integer data type {dt.kind!r}.")
        self.dtype, self.kind, self.bits = dt, dt.kind, 8 * dt.itemsize
        self.min, self.max = dt._ptc_range

    def __str__(self):
        bar = "-" * 63
        return (f"Machine parameters for {self.dtype}\n{bar}\nmin = {self.min}\nmax = {self.max}\n{bar}\n")

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


finfo.__module__ = iinfo.__module__ = "numpy"
