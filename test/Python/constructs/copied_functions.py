"""Functions made of the code of others, modules with an __init__ of their own, and context variables."""
import functools
import types
from contextvars import ContextVar, Token

K = 3


def f(a, b=2, *c, d=4, **e):
    "doc"
    return a + b + d + K


def outer(n):
    def inner(x=1):
        return x + n
    return inner


def attempt(make):
    try:
        return make()
    except Exception as e:
        return type(e).__name__, str(e)


g = types.FunctionType(f.__code__, f.__globals__, name="gg", argdefs=f.__defaults__, closure=f.__closure__)
print(g.__name__, g.__qualname__, g.__doc__, g.__module__ == __name__, g.__defaults__, g.__kwdefaults__, g.__annotations__, g is f)
print(attempt(lambda: g(1))[0], g(1, d=5))
g = functools.update_wrapper(g, f)
g.__kwdefaults__ = f.__kwdefaults__
print(g(1), g.__name__, g.__wrapped__ is f, g == f)
inner = outer(10)
h = types.FunctionType(inner.__code__, globals(), None, (5,), inner.__closure__)
print(h(), inner(), h.__qualname__)
print([attempt(make) for make in (
    lambda: types.FunctionType(inner.__code__, globals()), lambda: types.FunctionType(f.__code__, globals(), closure=inner.__closure__),
    lambda: types.FunctionType(inner.__code__, globals(), closure=()), lambda: types.FunctionType(inner.__code__, globals(), closure=(1,)),
    lambda: types.FunctionType(f.__code__, globals(), 5), lambda: types.FunctionType(f.__code__, globals(), None, 5))])


class Lazy(types.ModuleType):
    def __init__(self, name, extra, *more):
        super().__init__(name)
        self.extra = extra

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return "got " + name


class Hooked(types.ModuleType):
    def __getattribute__(self, name):
        return 7 if name == "special" else super().__getattribute__(name)


m = Lazy("x", 3, 4)
print(m.extra, m.__name__, m.late, m.__doc__, m.__package__, hasattr(m, "__file__"))
hooked = Hooked("hooked")
hooked.__getattr__ = lambda name: "found " + name
hooked.special = 1
print(hooked.special, hooked.other, hooked.__name__, attempt(lambda: object.__getattribute__(hooked, "other"))[0], types.ModuleType.__getattribute__(hooked, "special"), types.ModuleType.__getattribute__(hooked, "more"))
print([attempt(make) for make in (types.ModuleType, lambda: types.ModuleType(3), lambda: types.ModuleType("a", "b", "c"), lambda: Hooked(), lambda: types.ModuleType("a").zz)])
print(types.ModuleType("a", "b").__doc__, types.ModuleType(name="q").__name__, types.ModuleType("a", doc="z").__doc__)

v, w = ContextVar("v", default=7), ContextVar("w")
print(v.get(), v.get(8), w.get(3), v.name, attempt(lambda: ContextVar(3)), attempt(Token))
first = v.set(9)
second = v.set(10)
print(v.get(), first.old_value is Token.MISSING, first.var is v, second.old_value, isinstance(first, Token), hash(v) == hash(v))
v.reset(second)
print(v.get())
v.reset(first)
print(v.get(), ContextVar[int] == ContextVar[int])
words = ["w%d" % (n % 700) for n in range(4000)]
print(len(set(w for w in words)), len(frozenset(iter(words))), sorted(set(map(len, words))))
