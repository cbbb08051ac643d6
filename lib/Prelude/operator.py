"""operator: the operators as functions."""


def lt(a, b, /): return a < b
def le(a, b, /): return a <= b
def eq(a, b, /): return a == b
def ne(a, b, /): return a != b
def ge(a, b, /): return a >= b
def gt(a, b, /): return a > b
def not_(a, /): return not a
def truth(a, /): return True if a else False
def is_(a, b, /): return a is b
def is_not(a, b, /): return a is not b
def add(a, b, /): return a + b
def sub(a, b, /): return a - b
def mul(a, b, /): return a * b
def truediv(a, b, /): return a / b
def floordiv(a, b, /): return a // b
def mod(a, b, /): return a % b
def pow(a, b, /): return a ** b
def matmul(a, b, /): return a @ b
def and_(a, b, /): return a & b
def or_(a, b, /): return a | b
def xor(a, b, /): return a ^ b
def lshift(a, b, /): return a << b
def rshift(a, b, /): return a >> b
def neg(a, /): return -a
def pos(a, /): return +a
def invert(a, /): return ~a
def abs(a, /): return _abs(a)
def getitem(a, b, /): return a[b]
def contains(a, b, /): return b in a
def call(obj, /, *args, **kwargs): return obj(*args, **kwargs)


import builtins as _builtins  # noqa: E402

from _ptc_builtins import _length_hint  # noqa: E402

_abs = _builtins.abs
inv = invert


def index(a, /):
    if type(a) is int:
        return a
    if isinstance(a, int):
        return int.__index__(a)
    try:
        f = type(a).__index__
    except AttributeError:
        raise TypeError(f"'{type(a).__name__}' object cannot be interpreted as an integer") from None
    n = f(a)
    if not isinstance(n, int):
        raise TypeError(f"__index__ returned non-int (type {type(n).__name__})")
    return int.__index__(n)


def concat(a, b, /):
    if not hasattr(a, "__getitem__"):
        raise TypeError(f"'{type(a).__name__}' object can't be concatenated")
    return a + b


def countOf(a, b, /):
    count = 0
    for i in a:
        if i is b or i == b:
            count += 1
    return count


def indexOf(a, b, /):
    for i, j in enumerate(a):
        if j is b or j == b:
            return i
    raise ValueError("sequence.index(x): x not in sequence")


def setitem(a, b, c, /):
    a[b] = c


def delitem(a, b, /):
    del a[b]


def length_hint(obj, default=0, /):
    if not isinstance(default, int):
        raise TypeError(f"'{type(default).__name__}' object cannot be interpreted as an integer")
    kind = type(obj)
    if kind.__module__ == "builtins" and kind.__name__.endswith("iterator"):
        from _ptc_torch import _refuse
        _refuse(f"operator.length_hint of a {kind.__name__}")
    return _length_hint(obj, default)


def iadd(a, b, /):
    a += b
    return a


def isub(a, b, /):
    a -= b
    return a


def imul(a, b, /):
    a *= b
    return a


def itruediv(a, b, /):
    a /= b
    return a


def ifloordiv(a, b, /):
    a //= b
    return a


def imod(a, b, /):
    a %= b
    return a


def ipow(a, b, /):
    a **= b
    return a


def iand(a, b, /):
    a &= b
    return a


def ior(a, b, /):
    a |= b
    return a


def ixor(a, b, /):
    a ^= b
    return a


def ilshift(a, b, /):
    a <<= b
    return a


def irshift(a, b, /):
    a >>= b
    return a


def imatmul(a, b, /):
    a @= b
    return a


iconcat = iadd


class itemgetter:
    def __init__(self, item, /, *items):
        self._ptc_items = (item, *items)

    def __call__(self, obj, /):
        if len(self._ptc_items) == 1:
            return obj[self._ptc_items[0]]
        return tuple([obj[i] for i in self._ptc_items])

    def __repr__(self):
        return f"operator.itemgetter({', '.join([repr(i) for i in self._ptc_items])})"


def _resolve(obj, path):
    for name in path.split("."):
        obj = getattr(obj, name)
    return obj


class attrgetter:
    def __repr__(self):
        return f"operator.attrgetter({', '.join([repr(a) for a in self._ptc_attrs])})"

    def __init__(self, attr, /, *attrs):
        self._ptc_attrs = (attr, *attrs)
        for name in self._ptc_attrs:
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")

    def __call__(self, obj, /):
        if len(self._ptc_attrs) == 1:
            return _resolve(obj, self._ptc_attrs[0])
        return tuple([_resolve(obj, a) for a in self._ptc_attrs])


class methodcaller:
    def __repr__(self):
        parts = [repr(self._ptc_name), *[repr(a) for a in self._ptc_args], *[f"{k}={v!r}" for k, v in self._ptc_kwargs.items()]]
        return f"operator.methodcaller({', '.join(parts)})"

    def __init__(self, name, /, *args, **kwargs):
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        self._ptc_name = name
        self._ptc_args = args
        self._ptc_kwargs = kwargs

    def __call__(self, obj, /):
        return getattr(obj, self._ptc_name)(*self._ptc_args, **self._ptc_kwargs)


for _name in ("lt", "le", "eq", "ne", "ge", "gt", "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "lshift", "rshift",
              "neg", "pos", "invert", "abs", "getitem", "contains", "index", "concat", "setitem", "delitem", "iadd", "isub", "imul"):
    globals()[f"__{_name}__"] = globals()[_name]
__and__, __or__, __xor__, __not__ = and_, or_, xor, not_
