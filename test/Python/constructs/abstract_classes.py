"""abc: abstract methods and properties, errors, register, ABC subclass checks."""
from abc import ABC, ABCMeta, abstractmethod


class Shape(ABC):
    @abstractmethod
    def area(self):
        "area"

    @property
    @abstractmethod
    def name(self):
        ...

    def describe(self):
        return f"{self.name}: {self.area()}"

    @classmethod
    @abstractmethod
    def unit(cls):
        return "base unit"


class Square(Shape):
    def __init__(self, s):
        self.s = s

    def area(self):
        return self.s ** 2

    @property
    def name(self):
        return "square"

    @classmethod
    def unit(cls):
        return super().unit() + "+"


print(Square(3).describe(), Square.unit(), sorted(Shape.__abstractmethods__))
for make in (Shape, lambda: type("Half", (Shape,), {"area": lambda self: 0})()):
    try:
        make()
    except TypeError as e:
        print("TypeError", "abstract" in str(e))


class Half(Shape):
    def area(self):
        return super().area()


print(sorted(Half.__abstractmethods__), isinstance(Square(1), Shape), issubclass(Half, Shape))


class Visitor(metaclass=ABCMeta):
    @abstractmethod
    def visit(self, x):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, other):
        return True if any("visit" in c.__dict__ for c in other.__mro__) else NotImplemented


class Duck:
    def visit(self, x):
        return x


print(issubclass(Duck, Visitor), isinstance(Duck(), Visitor), issubclass(int, Visitor))
Shape.register(Duck)
print(isinstance(Duck(), Shape), Duck.__mro__[1] is object)


class Template(ABC):
    def run(self):
        return [self.first(), self.second()]

    def first(self):
        return 1

    @abstractmethod
    def second(self):
        ...


class Full(Template):
    second = lambda self: 2


print(Full().run())
from collections.abc import Callable, Hashable, Iterable, Mapping, MutableMapping, Sequence, Sized

print(isinstance([], Sequence), isinstance({}, Mapping), isinstance(len, Callable), isinstance(3, Hashable),
      isinstance([], Hashable), isinstance("s", Iterable), isinstance(5, Sized), isinstance((), MutableMapping))


class Bag(Sequence):
    def __init__(self, *items):
        self.items = items

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


b = Bag(3, 1, 2, 1)
print(list(b), b.index(2), b.count(1), 3 in b, list(reversed(b)), isinstance(b, Sequence))


class Table(MutableMapping):
    def __init__(self):
        self.rows = []

    def __getitem__(self, k):
        for a, b in self.rows:
            if a == k:
                return b
        raise KeyError(k)

    def __setitem__(self, k, v):
        self.rows = [r for r in self.rows if r[0] != k] + [(k, v)]

    def __delitem__(self, k):
        self.rows = [r for r in self.rows if r[0] != k]

    def __iter__(self):
        return (a for a, _ in self.rows)

    def __len__(self):
        return len(self.rows)


t = Table()
t["a"] = 1
t.update(b=2, c=3)
print(dict(t), t.pop("a"), t.get("zz", 0), t.setdefault("d", 4), list(t.items()), "b" in t, list(t.keys()))
