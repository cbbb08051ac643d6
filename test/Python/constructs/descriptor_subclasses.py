"""Subclasses of property, classmethod and staticmethod with ways of their own; string.Formatter by its methods."""
import string


class classproperty(property):
    def __get__(self, obj, cls=None):
        return self.fget(cls)


class Told(property):
    def __get__(self, obj, cls=None):
        print("  get", obj is None, cls.__name__)
        return super().__get__(obj, cls)


class Kept(property):
    def __set__(self, obj, value):
        obj.__dict__["kept"] = value


class Bound(classmethod):
    def __get__(self, obj, cls=None):
        print("  bind", obj is None)
        return super().__get__(obj, cls)


class Loose(staticmethod):
    def __get__(self, obj, cls=None):
        return lambda *args: ("loose", self.__func__(*args))


class Plain(classmethod):
    pass


class A:
    k = 5

    @classproperty
    def n(cls):
        return cls.k

    @Told
    def told(self):
        return self.k + 1

    @Kept
    def kept(self):
        return self.__dict__.get("kept", "none")

    @Bound
    def bound(cls, x):
        return cls.__name__, x

    @Loose
    def loose(x):
        return x

    @Plain
    def plain(cls):
        return cls.k


class B(A):
    k = 7


a, b = A(), B()
print(A.n, B.n, a.n, b.n, getattr(B, "n"), isinstance(A.n, int), hasattr(A, "n"))
print(a.told, B().told, isinstance(A.told, property))
a.kept = 3
print(a.kept, b.kept)
print(A.bound(1), b.bound(2), A.loose(3), a.loose(4), A.plain(), b.plain())
print(isinstance(A.__dict__["n"], property), type(A.__dict__["loose"]).__name__)
try:
    a.n = 4
except AttributeError:
    print("AttributeError")
b.k = 9
print(b.n, b.told)


class Marked(string.Formatter):
    def format_field(self, value, spec):
        return f"<{value}|{spec}>"


class Converting(string.Formatter):
    def convert_field(self, value, conversion):
        return value * 2 if conversion == "d" else super().convert_field(value, conversion)


class Defaulting(string.Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"no {key}") if isinstance(key, str) else super().get_value(key, args, kwargs)

    def check_unused_args(self, used, args, kwargs):
        print("  used", sorted(map(str, used)), args, kwargs)


class Thing:
    x = [1, {"k": "v"}]

    def __repr__(self):
        return "a thing"

    def __format__(self, spec):
        return f"Thing:{spec}"


def attempt(f):
    try:
        return f()
    except Exception as e:
        return type(e).__name__


FORMATS = ["", "plain", "{}", "{} {}", "{0}{1}{0}", "{a}", "{0.x[0]}", "{0.x[1][k]}", "{a!r:>5}", "{a!s}", "{a!a}", "{{}}", "{{{0}}}", "{0:{1}}", "{:{}}",
           "{0:{w}.{p}}", "{a!x}", "{", "}", "{0", "{0!}", "{0!rx}", "{} {0}", "{0} {}", "{zz}", "{5}", "{a:{b:{c}}}", "{0[a}", "{0.}", "{a[0]}x{a[1]}", "{!r}",
           "a{b"]
for text in FORMATS:
    rows = []
    for formatter in (string.Formatter(), Marked(), Converting()):
        rows.append(attempt(lambda: formatter.format(text, Thing(), 8, a="st", w=6, p=2, b=1, c=2)))
    print(repr(text), rows)
print(Defaulting().format("{a} {b} {0}", 1, 2, a=3), Converting().format("{0!d} {1!r}", 4, "x"))
print(Marked().vformat("{0:>3}{k}", (1,), {"k": 2}), string.Formatter().format("{:>6.2f}|{:<5}|{:^5}", 1.5, "a", 3))
print([tuple(row) for row in string.Formatter().parse("a{b!r:c{d}}e{{f}}g{}")], string.Formatter().get_field("a.x[0]", (), {"a": Thing()}))
