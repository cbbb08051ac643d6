"""functools.singledispatch: classes, abstract classes, unions, annotations as text; which of several is taken."""
import abc
import collections
import functools
import typing
from collections.abc import Callable, Collection, Container, Hashable, Iterable, Mapping, MutableMapping, Sequence, Set, Sized
from typing import Optional, Union


@functools.singledispatch
def kind(v, *more, **names):
    return "default"


@kind.register(int)
@kind.register(str)
def _(v, *more, **names):
    return f"text or int {more} {names}"


@kind.register(Sequence)
def _(v):
    return "sequence " + str([kind(x) for x in v])


@kind.register(Mapping)
def _(v):
    return "mapping " + str({k: kind(x) for k, x in v.items()})


@kind.register(Set)
def _(v):
    return "set"


class Base:
    pass


class Derived(Base):
    pass


class Own(abc.ABC):
    pass


class Adopted:
    pass


class OwnList(list, Own):
    pass


kind.register(Base, lambda v: "base")
kind.register(Own, lambda v: "own")
Own.register(Adopted)
for value in (1, True, "a", 1.5, None, [1, "a"], (2.5,), {"a": [1]}, {1}, frozenset(), range(2), b"a", bytearray(b"a"), Base(), Derived(),
              Adopted(), OwnList(), collections.OrderedDict(a=1), collections.Counter("a"), collections.UserDict(), collections.defaultdict(int),
              {}.keys(), {1: 2}.items(), kind, Base):
    print(type(value).__name__, kind(value))
print(kind(1, 2, a=3), kind.dispatch(bool)(1), kind.dispatch(list) is kind.registry[Sequence], kind.dispatch(float) is kind.registry[object])
print(kind.__name__, kind.__wrapped__(1), sorted([c.__name__ for c in kind.registry]), list in kind.registry)


@functools.singledispatch
def area(v):
    return "default"


@area.register
def _(v: "Base"):
    return "base"


@area.register
def _(v: list | tuple):
    return "list or tuple"


@area.register
def _(v: "dict | None", w: "list[int]" = ()) -> "str":
    return "dict or none"


@area.register
def _(v: Union[int, str], w=1) -> int:
    return "int or str"


@area.register
def _(v: "typing.Union[float, 'Adopted']"):
    return "float or adopted"


@area.register
def _(v: Optional[bytes]):
    return "bytes or none"


@area.register(set | frozenset)
def _(v):
    return "sets"


for value in (Base(), Derived(), [], (), {}, None, 1, "a", 1.5, Adopted(), b"", set(), frozenset(), 1j, True):
    print(type(value).__name__, area(value))


class Shape:
    @functools.singledispatchmethod
    def put(self, v):
        return "default", v

    @put.register
    def _(self, v: int):
        return "int", v

    @put.register
    def _(self, v: "str"):
        return "str", v

    @put.register(Mapping)
    def _(self, v):
        return "mapping", len(v)

    @functools.singledispatchmethod
    @classmethod
    def make(cls, v):
        return cls.__name__, "default"

    @make.register
    @classmethod
    def _(cls, v: Sequence):
        return cls.__name__, "sequence"

    @functools.singledispatchmethod
    @staticmethod
    def plain(v):
        return "default"

    @plain.register(int)
    @staticmethod
    def _(v):
        return "int"

    @functools.singledispatch
    def on_self(self, v):
        return "default", v


Shape.on_self.register(Shape)(lambda self, v: ("shape", v))
shape = Shape()
print(shape.put(1), shape.put("a"), shape.put({}), shape.put(1.5), shape.put.__name__, Shape.make([1]), shape.make(1), shape.plain(1), Shape.plain(""))
print(shape.on_self(3), Shape.on_self(3, 4))


def order(cls, *kinds):
    """Which of the implementations for the kinds is taken for the class."""
    @functools.singledispatch
    def f(v):
        return "object"

    for k in kinds:
        f.register(k, lambda v, name=k.__name__: name)
    try:
        return f.dispatch(cls)(0)
    except RuntimeError as error:
        return str(error)


class Both(Sized, Iterable):
    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())


class Mapped(MutableMapping):
    __getitem__ = __setitem__ = __delitem__ = __iter__ = __len__ = None


class Calls:
    def __call__(self):
        pass

    def __len__(self):
        return 0


class WithOwn(Calls, Own):
    pass


print([order(c, *k) for c in (dict, list, str, set, int, Both, Mapped, Calls, WithOwn, OwnList, collections.deque, Derived, type(None), collections.Counter)
       for k in ((Sized, Iterable), (Iterable, Sized), (Sized, Iterable, Container), (Collection, Sized), (Mapping, Collection), (Hashable,), (Callable, Sized),
                 (Own, Sized), (Own, Callable), (Sequence, list, Own), (MutableMapping, Sized), (Container, Hashable), (Base, Hashable))])


def failure(f):
    try:
        return f()
    except (TypeError, NameError) as error:
        return type(error).__name__


def missing(v: "Missing"):
    pass


def generic(v: list[int]):
    pass


def mixed(v: "list[int] | str"):
    pass


def bare(v):
    pass


print([failure(f) for f in (lambda: area.register(generic), lambda: area.register(mixed), lambda: area.register(bare),
                            lambda: area.register(1), lambda: area.register("int", bare), lambda: kind(), lambda: functools.singledispatchmethod(1))])


def hinted(a: "int | None", b: "typing.List[int]", c: None, d: "typing.Union[int, 'str']", e: "tuple[int, ...]", f: "typing.Callable[[int], str]",
           g: "typing.Literal['a', 1]", h: "(int)", i: float) -> "None":
    pass


class First:
    x: "int"


class Second(First):
    y: "First"
    z: int


print(typing.get_type_hints(hinted)["a"], {k: v for k, v in typing.get_type_hints(hinted).items() if k not in "ad"})
print(typing.get_type_hints(Second), failure(lambda: typing.get_type_hints(missing)))
print(typing.get_args(Union[int, str, None]), typing.get_args(Optional[int]), Union[int, int], typing.get_args(Union[Union[int, str], float]),
      Union[int, str] == Union[str, int], int | str == str | int, Optional[int] == Union[int, None], {Union[int, str]: 1}[Union[str, int]])
print(int | None, None | int, (int | str) | (str | float), int | int, typing.get_args(int | None), failure(lambda: int | 3), failure(lambda: 3 | int))
print(isinstance(1, Union[int, str]), isinstance(None, Optional[str]), isinstance([], typing.List), issubclass(int, Union[int, str]),
      isinstance(None, int | None), isinstance(1.5, int | None), failure(lambda: isinstance([], typing.List[int])))
