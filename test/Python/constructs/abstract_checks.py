"""isinstance and issubclass of values of many kinds against the abstract classes of collections.abc, numbers, typing and
contextlib, and what is abstract in these."""
import collections
import collections.abc
import contextlib
import functools
import io
import itertools
import numbers
import types
import typing


class Plain:
    def method(self):
        pass


class Sequence:
    def __getitem__(self, i):
        return 1

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([])

    def __contains__(self, x):
        return True


class Unhashable:
    __hash__ = None


class Indexed:
    def __index__(self):
        return 1

    def __int__(self):
        return 1

    def __float__(self):
        return 1.0

    def __abs__(self):
        return 1


class Managed:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return None


class Claims:
    __class__ = property(lambda self: dict)


VALUES = {
    "1": 1, "True": True, "1.5": 1.5, "1j": 1j, "'a'": "a", "b'a'": b"a", "bytearray": bytearray(b"a"), "[1]": [1], "{1: 2}": {1: 2},
    "{1}": {1}, "frozenset": frozenset([1]), "(1,)": (1,), "range": range(3), "None": None, "...": ..., "NotImplemented": NotImplemented, "type": type, "object": object(),
    "lambda": lambda: 1, "generator": (i for i in [1]), "len": len, "append": [].append, "property": property(), "module": collections, "keys": {}.keys(),
    "items": {}.items(), "values": {}.values(), "list iterator": iter([]), "dict iterator": iter({}), "tuple iterator": iter(()), "str iterator": iter(""),
    "range iterator": iter(range(1)), "set iterator": iter(set()), "items iterator": iter({}.items()), "enumerate": enumerate([]), "zip": zip(),
    "map": map(len, []), "filter": filter(None, []), "reversed": reversed([]), "exception": ValueError("a"), "partial": functools.partial(len),
    "deque": collections.deque(), "Counter": collections.Counter(), "OrderedDict": collections.OrderedDict(), "defaultdict": collections.defaultdict(int),
    "namedtuple": collections.namedtuple("A", "a b")(1, 2), "ChainMap": collections.ChainMap(), "UserDict": collections.UserDict(),
    "UserList": collections.UserList(), "UserString": collections.UserString("a"), "count": itertools.count(), "class": Plain, "instance": Plain(),
    "bound method": Plain().method, "list[int]": list[int], "SimpleNamespace": types.SimpleNamespace(a=1), "StringIO": io.StringIO(), "int": int, "dict": dict, "str.upper": str.upper, "upper": "a".upper, "Sequence": Sequence(), "Unhashable": Unhashable(),
    "Indexed": Indexed(), "Managed": Managed(), "Claims": Claims()}
NAMES = "Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Hashable Iterable Iterator Generator Reversible Sized Container Callable Collection " \
    "Set MutableSet Mapping MutableMapping MappingView KeysView ItemsView ValuesView Sequence MutableSequence"
ABSTRACT = {n: getattr(collections.abc, n) for n in NAMES.split()}
ABSTRACT.update({n: getattr(numbers, n) for n in ("Number", "Complex", "Real", "Rational", "Integral")})
ABSTRACT.update({n: getattr(typing, n) for n in ("SupportsInt", "SupportsFloat", "SupportsIndex", "SupportsAbs")})
ABSTRACT["AbstractContextManager"] = contextlib.AbstractContextManager
for title, value in VALUES.items():
    of_type = [n for n, c in ABSTRACT.items() if issubclass(type(value), c)]
    found = [n for n, c in ABSTRACT.items() if isinstance(value, c)]
    print(f"{title}:", *found, *["!" + n for n in found if n not in of_type])


def abstract(c):
    return sorted(c.__abstractmethods__)


for n, c in ABSTRACT.items():
    if not n.startswith("Supports"):
        print(n, abstract(c))
    try:
        c()
        print("  made")
    except TypeError:
        pass


@functools.singledispatch
def kind(x):
    return "object"


for c in (collections.abc.Sequence, collections.abc.Mapping, collections.abc.KeysView, collections.abc.Set, numbers.Real, collections.abc.Iterator):
    kind.register(c, lambda x, c=c: c.__name__)
print([kind(v) for title, v in VALUES.items() if title != "type" and title != "Claims"])
print(isinstance(types.MappingProxyType({}), collections.abc.Mapping), kind(types.MappingProxyType({})))


class Fraction(numbers.Rational):
    pass


try:
    Fraction()
except TypeError:
    print("abstract")


class Turning(collections.abc.Generator):
    def __init__(self):
        self.n = 0

    def send(self, value):
        self.n += 1
        if self.n > 3:
            raise StopIteration
        return self.n, value

    def throw(self, kind, value=None, tb=None):
        raise kind if value is None else value


t = Turning()
print(next(t), t.send(5), list(t), t.close())
