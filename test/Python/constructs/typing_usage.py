"""Annotations and typing names: no effect at run time, generics subscripted, NamedTuple, Protocol, cast."""
from __future__ import annotations

import typing
from typing import Any, Callable, Dict, Generic, Iterable, List, Literal, NamedTuple, Optional, Protocol, Tuple, TypedDict, TypeVar, Union, cast, overload

if typing.TYPE_CHECKING:
    from nowhere import Nothing

T = TypeVar("T")
Number = Union[int, float]


def f(x: int, y: "undefined" = 3, *args: str, k: Optional[List[int]] = None, **kw: Dict[str, Nothing]) -> Tuple[int, ...]:
    z: int = x + y
    w: float
    return z, len(args)


print(f(1), f(1, 2, "a", k=[1], q=3), f.__annotations__)


class Stack(Generic[T]):
    size: int
    name: str = "stack"

    def __init__(self) -> None:
        self.items: List[T] = []

    def push(self, x: T) -> Stack[T]:
        self.items.append(x)
        return self


print(Stack[int]().push(1).push(2).items, Stack.name, hasattr(Stack, "size"), sorted(Stack.__annotations__))


class Pt(NamedTuple):
    x: int
    y: int = 5

    def total(self) -> int:
        return self.x + self.y


print(Pt(1), Pt(1, 2).total(), Pt(x=3)._asdict(), Pt._fields)


class Movie(TypedDict, total=False):
    title: str
    year: int


print(Movie(title="x", year=1), cast(int, "not checked"), cast("List[int]", [1]))


class Shape(Protocol):
    def area(self) -> float: ...


class Sq:
    def area(self) -> float:
        return 4.0


def show(s: Shape) -> str:
    return f"{s.area():.1f}"


print(show(Sq()))


@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x):
    return x * 2


print(g(2), g("a"))
Alias = Callable[[int], Optional[str]]
mode: Literal["a", "b"] = "a"
bare: int
x: List[int] = [1, 2]
x[0]: int = 5
print(mode, x, isinstance(1, (int, float)), isinstance("a", int | str), typing.get_type_hints is not None)
try:
    bare
except NameError as e:
    print(e)


class C:
    a: int = 1
    b: list[int]
    c: "C | None" = None

    def m(self: C, o: C) -> C:
        return o or self


print(C().m(None).a, list(C.__annotations__), C.c)
UserId = typing.NewType("UserId", int)
print(UserId(5) + 1, typing.Any is Any, T.__name__)


def deco(fn: Callable[..., T]) -> Callable[..., T]:
    def inner(*a: Any, **k: Any) -> T:
        return fn(*a, **k)
    return inner


@deco
def typed(v: Iterable[int]) -> int:
    return sum(v)


print(typed([1, 2]), typing.Final is not None)
import typing as _t


class Node:
    pass


def hinted(a: _t.List['Node'], b: _t.Dict[str, 'Node'], c: 'list[Node]', d: _t.Optional['Node'], e: _t.Callable[['Node'], 'Node'],
           f: _t.List[_t.Annotated[int, 5]], g: _t.Optional[_t.Annotated[int, 3]], h: _t.Literal['Node'] = 'Node', i: list['Node'] = None):
    pass


hints = _t.get_type_hints(hinted)
print([str(hints[k]).replace(__name__ + '.', '') for k in 'abcefhi'], hints['d'] == _t.Optional[Node], hints['g'] == _t.Optional[int])
print(_t.get_type_hints(hinted, include_extras=True)['f'])
try:
    class Late(_t.NamedTuple):
        a: int = 1
        b: str
except TypeError as e:
    print(e)
try:
    class New(_t.NamedTuple):
        a: int

        def __new__(cls):
            pass
except AttributeError as e:
    print(e)
