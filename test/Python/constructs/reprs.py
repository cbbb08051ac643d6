"""repr and str of everything that has a fixed text: containers, types, functions by name, nested."""
import enum
from collections import OrderedDict, deque


class A:
    pass


class B:
    def __repr__(self):
        return "B()"


class C:
    def __str__(self):
        return "str of C"

    def __repr__(self):
        return "repr of C"


class D(B):
    pass


class E(dict):
    pass


class F(list):
    def __repr__(self):
        return "F" + super().__repr__()


class G(Exception):
    pass


print([1, "a", 2.0, None, True, b"x", 1j, ...], (1,), {"k": (1, [2])}, {1}, frozenset({1}), range(3), slice(1), [[]], [()], [{}], NotImplemented)
print(B(), [B()], {"b": B()}, (B(), D()), str(C()), repr(C()), [C()], f"{C()} {C()!r}", "%s %r" % (C(), C()), E(a=1), F([1, C()]), D())
print(int, str, A.__name__, type(None), type(A()).__name__, [int, float], type(type), type(...), type(NotImplemented), type(len).__name__, type(print), type(lambda: 0), type((lambda: (yield))()).__name__, Exception, KeyError)
print(repr(ValueError("x")), repr(ValueError()), repr(ValueError("a", 1)), repr(KeyError("k")), repr(G("g")), [OSError("o")], str(OSError("no file")), repr(StopIteration(1)))
print(OrderedDict(a=1).__class__.__name__, deque([1, [2]]), {1: {2: {3}}}, {"a": 1}.keys(), {"a": 1}.values(), {"a": 1}.items(), reversed([1]).__class__.__name__)
x = [1, 2]
x.append(x)
y = {"d": x}
y["self"] = y
print(x, y)
t = ([],)
t[0].append(t)
print(t)
print(repr("\\"), repr("'"), repr('"'), repr("'\""), repr("\n\t\r\0\x1b"), repr("é€😀"), repr("\x80\xa0\u2028"), repr(b"\x00'\"\\\n\xff"), str(b"a"), repr(""))


class Outer:
    class Inner:
        def m(self):
            pass


def func():
    def inner():
        pass
    return inner


print(Outer.Inner.__qualname__, Outer.Inner.m.__qualname__, func().__qualname__, func.__name__, (lambda: 0).__qualname__, Outer.Inner.m.__name__, len.__name__, "".join.__name__, int.__qualname__)
print(str(Outer).split(".")[-1], repr(func).split(" at ")[0].split(" ")[:2], repr(len), repr(A()).split(" object at ")[0].endswith("A"), repr(print))
print(bool.__mro__, [c.__name__ for c in G.__mro__], type(G("x")).__bases__)
print(str(1.0), str(10 ** 20), str(True), str([1.50, "q"]), str(("t",)), str({"a": None}), repr(1e16), repr(0.1), ascii("é'"), ascii(["ü"]), format("x"), str(), repr(str))


class Weird:
    def __repr__(self):
        return 5


try:
    repr(Weird())
except TypeError as e:
    print("TypeError")


class Raises:
    def __repr__(self):
        raise ValueError("in repr")


try:
    print([Raises()])
except ValueError as e:
    print(e)


class Color(enum.Enum):
    RED = "r"


print([Color.RED], {Color.RED: 1}, str(Color.RED), (Color.RED,))
