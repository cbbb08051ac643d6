"""Values of flags that no member has: names, texts, boundaries, operators, what is a member of them."""
import sys
from enum import CONFORM, EJECT, KEEP, Enum, Flag, IntFlag, auto


class Mode(IntFlag):
    R = 1
    W = 2
    X = 8


class Letters(Flag):
    A = auto()
    B = auto()
    C = auto()
    AB = A | B


class Unordered(Flag):
    HIGH = 8
    LOW = 1
    MIDDLE = 4


class Conforming(Flag, boundary=CONFORM):
    A = 1
    C = 4


class Ejecting(IntFlag, boundary=EJECT):
    A = 1
    C = 4


class Keeping(Flag, boundary=KEEP):
    A = 1
    C = 4


class WithZero(Flag):
    NONE = 0
    A = 1
    B = 2
    ALL = 3


class Wide(IntFlag):
    A = 1 << 40
    N = 6


class Empty(Flag):
    pass


def show(v):
    print(type(v).__name__, repr(v), str(v), f"{v}", bool(v), end=" ")
    if isinstance(v, Flag):
        print(v.name, v.value, [str(member) for member in v], len(v))
    else:
        print("no flag")


def look_up(cls, value):
    try:
        show(cls(value))
    except (ValueError, TypeError) as e:
        print(type(e).__name__, e, repr(e.__context__))


for value in (0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 16, 19, -1, -2, -3, -9, -17, -100, True):
    for cls in (Mode, Letters, Unordered, Conforming, Ejecting, Keeping, WithZero):
        look_up(cls, value)
for value in ("x", None, 1.5, 1.0, (1,)):
    look_up(Mode, value)
    look_up(Letters, value)
for m in (Mode.R, Mode(3), Mode(0), Mode(9), Mode(16)):
    for made in (~m, m | 4, m & 1, m ^ Mode.W, 1 | m, ~~m, m | Mode.X):
        show(made)
    print(Mode.R in m, m in Mode.R, m == 3, m + 1, m < 5, m is Mode(int(m)))
for m in (Letters.A, Letters.AB, Letters(0), Letters.A | Letters.C, Letters.AB | Letters.C):
    for made in (~m, m & Letters.B, m ^ Letters.AB):
        show(made)
    print(Letters.A in m, m is Letters(m.value), m == m.value)
    try:
        print(m | 1)
    except TypeError as e:
        print(e)
print(list(Letters), list(Unordered), len(Letters), list(reversed(Letters)), Letters.AB in Letters, list(Letters.__members__))
show(Unordered.HIGH | Unordered.LOW)
show(Unordered.LOW | Unordered.MIDDLE | Unordered.HIGH)
for made in (Wide(6), Wide.A | 1, ~Wide.A, Wide(7)):
    show(made)


class Hooked(Enum):
    A = 1

    @classmethod
    def _missing_(cls, value):
        if value == 3:
            raise KeyError(value)
        if value == 4:
            raise ValueError("mine")
        return 5 if value == 2 else None


for value in (1, 2, 3, 4, 5):
    try:
        print(Hooked(value))
    except Exception as e:
        print(type(e).__name__, e, repr(e.__context__))

# What differs between the versions.
minor = sys.version_info[1]


def answer(container, value):
    try:
        return value in container
    except TypeError as e:
        return str(e)


no_member = "unsupported operand type(s) for 'in': '{}' and 'EnumType'"
answers = [answer(Letters, value) for value in (1, 3, 4, "z", Letters.A, 99)]
if minor == 11:
    print(answers == [no_member.format("int")] * 3 + [no_member.format("str"), True, no_member.format("int")])
else:
    print(answers == [True, True, True, False, True, False])
answers = [answer(Mode, value) for value in (99 << 8, [1])]
print(answers == {11: [no_member.format("int"), no_member.format("list")], 12: [False, "unhashable type: 'list'"],
                  13: [False, False], 14: [True, False], 15: [True, False]}[minor])
try:
    Empty(0)
except TypeError as e:
    print(str(e) == ("<flag 'Empty'> has no members defined" if minor == 11 else
                     "<flag 'Empty'> has no members; specify `names=()` if you meant to create a new, empty, enum"))
