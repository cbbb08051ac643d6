"""Methods behind comparisons, called by name, and bytes() of objects: what each answers for, and what it leaves to others."""


def answer(f):
    try:
        return repr(f())[:5]
    except (TypeError, AttributeError, ValueError) as error:
        return type(error).__name__


filled = {1: 2, 3: 4}
others = ({}, [], (), set(), frozenset(), range(0), "", b"", 1, 1.5, None, 1j, {}.keys(), {}.items(), slice(1), {1, 3}, filled.keys(), [1], (1,))
for value in ({}, [], (), set(), frozenset(), range(0), "", b"", 1, 1.5, None, True, 1j, {}.keys(), {}.items(), slice(1), int, len, object(), NotImplemented, ..., filled, filled.keys()):
    print(type(value).__name__, [[answer(lambda: getattr(value, name)(other)) for name in ("__eq__", "__ne__", "__lt__", "__ge__")] for other in others])
print(filled.keys() == {1, 3}, {1, 3} == filled.keys(), {}.keys() == set(), filled.items() == {(1, 2), (3, 4)}, filled.keys() < {1, 3, 5}, {1} < filled.keys(), {}.keys() == {}.items())
print(hasattr(object(), "__lt__"), hasattr({}, "__ge__"), "__lt__" in dir(object), object.__lt__(1, 2), object.__ge__(1, 2))


class Own(dict):
    def __eq__(self, other):
        return dict.__eq__(self, other)


class Late:
    def __eq__(self, other):
        return "asked"


print(Own(a=1) == {"a": 1}, Own(a=1) == [], Own(a=1) == Late(), {} == Late(), [] == Late(), [].__eq__(Late()), set() == Late())


class Packed:
    def __bytes__(self):
        return b"ab"


class PackedText(str):
    def __bytes__(self):
        return b"q"


class PackedBytes(bytes):
    def __bytes__(self):
        return b"r"


class Index:
    def __index__(self):
        return 3


class Both(Index, Packed):
    pass


class Wrong:
    def __bytes__(self):
        return "w"


class Items(list):
    pass


class Sub(bytes):
    pass


class Number(int):
    pass


def outcome(f):
    try:
        value = f()
        return type(value).__name__, value
    except (TypeError, ValueError) as error:
        return type(error).__name__


print([outcome(f) for f in (
    lambda: bytes(Packed()), lambda: bytes(PackedText("x")), lambda: bytes(PackedBytes(b"x")), lambda: bytes(Index()), lambda: bytes(Both()), lambda: bytes(Wrong()),
    lambda: bytes(Items([1, 2])), lambda: Sub(Packed()), lambda: bytes(Number(2)), lambda: bytes(Packed(), "utf8"), lambda: bytes(b"a", "utf8"), lambda: bytes("a"),
    lambda: bytes("a", "ascii"), lambda: bytes("e", errors="ignore"), lambda: bytearray(Packed()), lambda: bytearray(Index()), lambda: b"%b|%s" % (Packed(), b"x"),
    lambda: bytes(object()), lambda: bytes(1.5), lambda: bytes([1.5]), lambda: bytes([Index(), 1]), lambda: bytes(source=b"a"), lambda: bytes([Number(7)]), lambda: bytes(None),
    lambda: bytearray(b"abc").endswith((b"c",)), lambda: bytearray(b"abc").startswith((bytearray(b"a"), b"x")), lambda: bytearray(b"abc").endswith([b"c"]),
    lambda: bytearray(b"a").join([bytearray(b"b"), b"c"]))])
