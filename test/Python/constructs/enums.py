"""Enum, IntEnum, Flag, auto, look-up, iteration, members with methods, aliases, errors."""
from enum import Enum, Flag, IntEnum, IntFlag, auto, unique


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    @property
    def lower(self):
        return self.name.lower()

    @classmethod
    def default(cls):
        return cls.GREEN


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"], Color.CRIMSON is Color.RED)
print(list(Color), len(Color), Color.RED in Color, [c.lower for c in Color], Color.default())
print(Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.BLUE, Color.RED is Color(1), isinstance(Color.RED, Color))
print({Color.RED: "r", Color.BLUE: "b"}[Color.BLUE], f"{Color.GREEN}", "%s" % Color.BLUE, sorted(Color, key=lambda c: -c.value))
print(list(Color.__members__), Color.__members__["CRIMSON"], type(Color.RED).__name__, Color.__name__)
for bad in (lambda: Color(9), lambda: Color["PINK"], lambda: Color.RED < Color.BLUE):
    try:
        bad()
    except (ValueError, KeyError, AttributeError, TypeError) as e:
        print(type(e).__name__, e)
try:
    Color.RED = 5
except AttributeError as e:
    print("AttributeError")


class Level(IntEnum):
    LOW = 1
    MID = 5
    HIGH = 10


print(Level.LOW < Level.HIGH, Level.MID + 1, Level(10).name, sorted([Level.HIGH, Level.LOW]), Level.LOW == 1, [0, "one"][Level.LOW])
print(max(Level), sum(Level), int(Level.MID), Level.MID, repr(Level.MID), f"{Level.MID:03d}")


class Auto(Enum):
    A = auto()
    B = auto()
    C = "text"
    D = (1, 2)


print([(m.name, m.value) for m in Auto])


class Planet(Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.64, 3.39)

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius

    def ratio(self):
        return round(self.mass / self.radius, 3)


print(Planet.MARS.mass, Planet.EARTH.ratio(), Planet((0.64, 3.39)))


class Perm(Flag):
    R = 4
    W = 2
    X = 1
    RW = R | W


print(Perm.R | Perm.W == Perm.RW, Perm.R in Perm.RW, Perm.X in Perm.RW, bool(Perm.R & Perm.W), (Perm.RW & Perm.R).name, Perm.RW.value, (Perm.R ^ Perm.RW) is Perm.W)
print(Perm(6) is Perm.RW, (~Perm.R).value, [p.name for p in Perm])


class Bits(IntFlag):
    A = auto()
    B = auto()
    C = auto()


print((Bits.A | Bits.C).value, Bits.B + 1, Bits.C.value, int(Bits.A | Bits.B))


class Op(str, Enum):
    ADD = "+"
    SUB = "-"

    def apply(self, a, b):
        return a + b if self is Op.ADD else a - b


print(Op("+").apply(2, 3), Op.SUB.apply(2, 3), Op.ADD == "+", Op.ADD.value, Op.ADD.upper(), {"+": 1}[Op.ADD])
Animal = Enum("Animal", "CAT DOG")
print(list(Animal), Animal.DOG.value, Enum("N", {"x": 10, "y": 20}).y.value)
try:
    @unique
    class Dup(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)
try:
    class More(Color):
        PINK = 4
except TypeError as e:
    print("TypeError")


def act(c):
    match c:
        case Color.RED | Color.BLUE:
            return "primary"
        case Color.GREEN:
            return "green"
        case _:
            return "other"


print([act(c) for c in (*Color, 5)])
