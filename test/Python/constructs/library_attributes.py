"""Attributes of classes of libraries: those that the program sets, those that follow in super(), and what lies in their __dict__."""
import collections
import copy
import dataclasses
import enum
import functools
import io
import itertools
import logging
import types


class Base:
    def ask(self, name):
        return hasattr(super(), name)


class Counted(collections.Counter, Base):
    pass


print(Counted().ask("most_common"), Counted().ask("elements"), Base().ask("__init__"), Base().ask("nothing"))

# What the program sets is there, whatever the class has.
collections.Counter._scale = 2.0
logging.Logger.note = lambda self: self.name + "!"
print(hasattr(collections.Counter, "_scale"), getattr(collections.Counter(), "_scale", 1.0), logging.getLogger("a").note())
del collections.Counter._scale
print(hasattr(collections.Counter, "_scale"), getattr(collections.Counter(), "_scale", 1.0))


@dataclasses.dataclass
class Data:
    a: int = 1


field = dataclasses.fields(Data)[0]
field.default = 3
field.type = "int"
print(field.default, field.type, field.name)
for object_ in (collections.deque(), itertools.count(), object(), 1, [], dataclasses.field()):
    try:
        object_.no_such = 1
    except AttributeError as error:
        print(type(error).__name__)
for cls in (int, collections.OrderedDict, collections.deque, functools.partial, types.SimpleNamespace):
    try:
        cls.no_such = 1
    except TypeError:
        print("fixed", cls.__name__)


class Queue(collections.deque):
    def __init__(self, items):
        super().__init__(items)
        self._items = "own"


queue = Queue([1, 2])
print(queue, queue.__dict__, vars(io.StringIO()), sorted(n for n in dir(queue) if n.startswith("_ptc")))


class Number(int):
    pass


print("__weakref__" in dir(Number()), "__weakref__" in dir(Base()), "__dict__" in dir(Number()), [n for n in dir(Base()) if n[0] != "_"])
print(hasattr([], "__dict__"), hasattr(len, "__dict__"), hasattr(object(), "__dict__"), hasattr(Base(), "__dict__"), hasattr(queue, "__dict__"))
print("__reduce__" in object.__dict__, "__add__" in int.__dict__, "nothing" in int.__dict__, len(dir([])) > 40, "append" in dir([]))
print(copy.deepcopy({1, 2}), copy.copy(ValueError("a", 2)).args, copy.copy(types.SimpleNamespace(a=1)))


class Wrapped:
    reduce = functools.reduce
    show = print


print(Wrapped().reduce(lambda a, b: a + b, [1, 2]), hasattr(functools.reduce, "__code__"), type(Wrapped.__dict__["reduce"]).__name__)
Made = type("Made", (Base,), {})
Pair = collections.namedtuple("Pair", "a b")
print(Made.__module__, Made, Pair.__module__, Pair(1, 2).__module__, enum.Enum("E", "a").a.__module__, type.__module__)
print(type(hasattr(1, "__sizeof__")), hasattr(1, "__reduce_ex__"), hasattr(Base(), "__reduce__"), hasattr(ValueError(), "__setstate__"))
try:
    import __main__
    __main__.nothing
except AttributeError as error:
    print(error)
