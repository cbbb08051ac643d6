"""staticmethod, classmethod, alternative constructors, inheritance of both, class-level state."""


class Date:
    count = 0

    def __init__(self, y, m, d):
        self.parts = (y, m, d)
        type(self).count += 1

    @classmethod
    def parse(cls, text):
        return cls(*map(int, text.split("-")))

    @classmethod
    def total(cls):
        return cls.__name__, cls.count

    @staticmethod
    def valid(m):
        return 1 <= m <= 12

    def __repr__(self):
        return "{}({})".format(type(self).__name__, "/".join(map(str, self.parts)))


class Holiday(Date):
    @classmethod
    def parse(cls, text):
        made = super().parse(text.strip())
        made.name = "holiday"
        return made

    @staticmethod
    def valid(m):
        return Date.valid(m) and m != 2


print(Date.parse("2020-01-02"), Holiday.parse(" 2021-03-04 ").name)
print(Date.total(), Holiday.total(), Date(1, 2, 3).total())
print(Date.valid(13), Holiday.valid(2), Holiday(1, 1, 1).valid(3))
f = Holiday.parse
print(f("1-2-3"), f.__self__ is Holiday, f.__func__ is Holiday.__dict__["parse"].__func__)
print(type(Date.__dict__["valid"]).__name__, type(Date.__dict__["parse"]).__name__, type(Date.valid).__name__)


class Registry:
    items = {}

    @classmethod
    def add(cls, key):
        def deco(fn):
            cls.items[key] = fn
            return fn
        return deco


@Registry.add("x")
def x():
    return "x!"


print(Registry.items["x"](), list(Registry.items))


def plain(a):
    return a * 2


class Uses:
    helper = staticmethod(plain)
    shared = classmethod(lambda cls, k: (cls.__name__, k))
    unbound = plain


print(Uses.helper(4), Uses().helper(5), Uses.shared(1), Uses.unbound(3))
try:
    Uses().unbound(3)
except TypeError as e:
    print(e)
print(staticmethod(plain)(21))
