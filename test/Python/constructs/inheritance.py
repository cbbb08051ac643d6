"""Inheritance, method resolution order, super with and without arguments, mixins."""


class Base:
    tag = "base"

    def __init__(self, x=0):
        self.x = x
        self.log = ["Base"]

    def who(self):
        return "base"

    def call_who(self):
        return self.who() + "!"

    @classmethod
    def make(cls, *args):
        return cls(*args)

    @staticmethod
    def helper(v):
        return v * 2


class Left(Base):
    def __init__(self, x=1):
        super().__init__(x)
        self.log.append("Left")

    def who(self):
        return "left>" + super().who()


class Right(Base):
    tag = "right"

    def __init__(self, x=2):
        super().__init__(x)
        self.log.append("Right")

    def who(self):
        return "right>" + super().who()


class Both(Left, Right):
    def __init__(self):
        super().__init__(9)
        self.log.append("Both")

    def who(self):
        return "both>" + super(Both, self).who()


b = Both()
print([c.__name__ for c in Both.__mro__], b.who(), b.call_who(), b.log, b.x, b.tag)
print(Left.make(7).x, Right.make().x, Both.make().who(), Both.helper(4), b.helper(5))
print(isinstance(b, Right), issubclass(Both, (int, Left)), issubclass(Left, Right), Both.__bases__ == (Left, Right))
print(super(Left, b).who(), super(Both, Both).helper(1), Base.who(b))


class Grand(Both):
    pass


g = Grand()
print(g.who(), type(g).__name__, Grand.__mro__.index(Base))


class Abstract:
    def run(self):
        return self.step() * 2

    def step(self):
        raise NotImplementedError(f"{type(self).__name__} has no step")


class Concrete(Abstract):
    def step(self):
        return 21


print(Concrete().run())
try:
    Abstract().run()
except NotImplementedError as e:
    print(e)


class Log:
    def save(self, data):
        self.saved = getattr(self, "saved", []) + [data]
        return super().save(data) if hasattr(super(), "save") else "end"


class Upper:
    def save(self, data):
        return super().save(data.upper())


class Store:
    def save(self, data):
        return "stored " + data


class Mixed(Upper, Log, Store):
    pass


m = Mixed()
print(m.save("abc"), m.saved)


class CountingDict(dict):
    sets = 0

    def __setitem__(self, k, v):
        self.sets += 1
        super().__setitem__(k, v)

    def __missing__(self, k):
        return f"no {k}"


d = CountingDict(a=1)
d["b"] = 2
d["b"] = 3
print(d, d.sets, d["zz"], d.get("zz"), len(d), isinstance(d, dict))


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def peek(self):
        return self[-1]


s = Stack([1]).push(2).push(3)
print(s, s.peek(), len(s), s[0], s == [1, 2, 3], type(s[:2]).__name__, sorted(s, reverse=True))


class Meters(float):
    def __str__(self):
        return f"{float(self):.1f}m"

    def __add__(self, other):
        return Meters(float(self) + other)


print(str(Meters(2) + 3), Meters(2) * 3, type(Meters(2) + 1).__name__, Meters(1) < 2)


class Name(str):
    def shout(self):
        return self.upper() + "!"


print(Name("bob").shout(), Name("bob") == "bob", type(Name("a") + "b").__name__, {Name("k"): 1}["k"])


class Id(int):
    def __repr__(self):
        return f"#{int(self)}"


print([Id(3), Id(4)], Id(3) + 1, Id(5) == 5, {5: "five"}[Id(5)])


class Pair(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))

    @property
    def first(self):
        return self[0]


print(Pair(1, 2), Pair(3, 4).first, Pair(1, 2) == (1, 2), len(Pair(1, 2)))

try:
    class Broken(Base, Left):
        pass
except TypeError as e:
    print(str(e)[:44])
try:
    class Broken2(5):
        pass
except TypeError as e:
    print("TypeError")
try:
    class Broken3(bool):
        pass
except TypeError as e:
    print(e)
