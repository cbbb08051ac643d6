"""Classes of the standard library with arguments: an alias, which derived classes remember."""
import collections
import contextlib
import dataclasses
import functools
import inspect
import itertools
import types
from typing import Generic, List, TypeVar, Union


def show(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)


class OwnDict(dict):
    pass


class OwnList(list):
    pass


class Ordered(collections.OrderedDict[str, int]):
    pass


class Plain:
    pass


show("dict", lambda: OwnDict[str, int])
show("list", lambda: OwnList[str])
show("ordered", lambda: (Ordered[1], Ordered.__orig_bases__, [c.__name__ for c in Ordered.__mro__], Ordered(a=1)["a"]))
for module, names in ((collections, "ChainMap Counter OrderedDict UserDict UserList defaultdict deque"),
                      (contextlib, "AbstractContextManager ExitStack closing nullcontext redirect_stdout suppress"),
                      (functools, "cached_property partial partialmethod"), (itertools, "chain"), (types, "MappingProxyType"), (dataclasses, "Field")):
    for name in names.split():
        show(name, lambda: (getattr(module, name)[int].__origin__ is getattr(module, name), getattr(module, name)[int].__args__))
show("enumerate", lambda: (enumerate[int], type[int], frozenset[int]))
show("plain", lambda: Plain[int])
show("range", lambda: range[int])
show("zip", lambda: zip[int])
show("calls", lambda: (collections.Counter[str]("aab"), collections.deque[int]([1, 2])))
show("union", lambda: (Union[OwnList[int], OwnList[int], None].__args__, len(Union[list[int], List[int], list[str]].__args__)))

T = TypeVar("T")


class Pair(Generic[T]):
    first: T
    second: "T"

    def swap(self, by: int) -> "Pair":
        return self


class Derived(Pair[int]):
    pass


show("annotations", lambda: (inspect.get_annotations(Pair), inspect.get_annotations(Derived), inspect.get_annotations(Pair.swap)))
show("annotations of none", lambda: (inspect.get_annotations(len), inspect.get_annotations(3)))


class Told:
    """Of Told."""
    __class_getitem__ = classmethod(types.GenericAlias)


class Untold(Told):
    pass


for alias in (tuple[int], list[Told], dict[str, int], Told[int], Untold[int], frozenset[int]):
    show("text", lambda: (alias.__doc__ == alias.__origin__.__doc__, getattr(alias, "__doc__", 3) is None, hasattr(alias, "__doc__")))
show("own text", lambda: Told[int].__doc__)
