"""Operators of tensors take numbers of the user's classes, and leave what they do not take to the other operand."""
from abc import ABC
from enum import IntEnum, IntFlag


class Life(IntEnum):
    FREE = 0
    BUSY = 1


class Flag(IntFlag):
    A = 1
    B = 2


class Pixels(int):
    def __radd__(self, other):
        return "radd"


class Ratio(float):
    def __sub__(self, other):
        return NotImplemented


class Odd:
    def __eq__(self, other):
        return "odd"

    def __radd__(self, other):
        return "radd"

    def __rmatmul__(self, other):
        return "rmatmul"


class Named(ABC):
    made = {}

    def __init_subclass__(cls, name=None, func=None, **more):
        super().__init_subclass__(**more)
        Named.made[name or cls.__name__] = func

    def __init__(self, cls=0):
        self.cls = cls


class One(Named, name="one", func=len):
    pass


def text_of(f):
    try:
        return f()
    except TypeError as e:
        return str(e)


def entry(x):
    y = x.clone()
    y[0] = Life.BUSY
    y[1] = Ratio(0.5)
    i = x.int()
    z = i.clone()
    z += Pixels(3)
    z |= Flag.B
    compared = x == Life.BUSY, x != Life.FREE, x > Life.BUSY, Ratio(1.0) < x, Life.BUSY >= x, (x == Life.FREE) | (x == 2)
    bits = i & Flag.A, Flag.B | i, Flag.A ^ i, i << Flag.A, z
    sums = x + Pixels(2), Pixels(2) - x, Ratio(1.5) - x, x - Ratio(1.5), Life.BUSY + x, i // Pixels(2), Pixels(7) % (i * i + 1)
    powers = x ** Pixels(2), Pixels(2) ** x, x / Pixels(4), Pixels(4) * x
    other = x == Odd(), Odd() == x, x + Odd(), x @ Odd(), x == None, x != "a"
    asked = x.__eq__("a") is NotImplemented, x.__add__("a") is NotImplemented, x.__rsub__(2), x.__lt__([1]) is NotImplemented
    side = "busy" if y[0] == Life.BUSY and x.flatten()[0] == Life.BUSY else [v.name for v in Life if x.flatten()[0] == v]
    texts = text_of(lambda: x < "a"), text_of(lambda: x + "a")
    return compared, bits, sums, powers, other, asked, side, texts, list(Named.made), One(cls=3).cls
