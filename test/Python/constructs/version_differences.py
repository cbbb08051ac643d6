"""What differs between the versions of Python: names that came later, texts of OrderedDict, texts of TypeErrors."""
import copy
import itertools
import sys
import typing
import warnings
from collections import OrderedDict

LATER = [(int, "is_integer", 12), (bool, "is_integer", 12), (float, "is_integer", 0), (itertools, "batched", 12), (typing, "override", 12),
         (copy, "replace", 13), (warnings, "deprecated", 13)]
print([hasattr(owner, name) == (sys.version_info >= (3, minor)) for owner, name, minor in LATER])
try:
    from itertools import batched
except ImportError:
    def batched(items, n):
        items = list(items)
        return [tuple(items[i:i + n]) for i in range(0, len(items), n)]
print(list(batched("abcde", 2)))
if sys.version_info >= (3, 12):
    print((3).is_integer(), True.is_integer(), typing.override(len) is len)
else:
    print(True, True, True)


class Named(OrderedDict):
    pass


def text(name, pairs):
    if not pairs:
        return name + "()"
    return f"{name}({pairs!r})" if sys.version_info < (3, 12) else f"{name}({dict(pairs)!r})"


for pairs in ([], [("a", 1)], [("b", [1]), (2, "x")], [("in", OrderedDict(a=1))]):
    print(repr(OrderedDict(pairs)) == text("OrderedDict", pairs), str(Named(pairs)) == text("Named", pairs), f"{OrderedDict(pairs)}" == text("OrderedDict", pairs))


def refused(f):
    try:
        return f()
    except TypeError as error:
        return str(error)


def unknown(name, same=False):
    if same or sys.version_info < (3, 13):
        return f"'foo' is an invalid keyword argument for {name}()"
    return f"{name}() got an unexpected keyword argument 'foo'"


for name, call in (("print", lambda: print(1, foo=2)), ("sort", lambda: sorted([1], foo=2)), ("max", lambda: max(1, 2, foo=2)), ("min", lambda: min([1], foo=1)),
                   ("sort", lambda: [].sort(foo=1)), ("int", lambda: int("1", foo=1)), ("sum", lambda: sum([1], foo=1)), ("zip", lambda: zip(foo=1)),
                   ("round", lambda: round(1.5, foo=1)), ("str", lambda: str(foo=1)), ("split", lambda: "a".split(foo=1)), ("pow", lambda: pow(2, 3, foo=1)),
                   ("encode", lambda: "a".encode(foo=1)), ("complex", lambda: complex(foo=1)), ("bytes", lambda: bytes(foo=1)),
                   ("bytearray", lambda: bytearray(foo=1)), ("splitlines", lambda: "a".splitlines(foo=1))):
    print(name, refused(call) == unknown(name))
print(refused(lambda: enumerate([], foo=1)) == unknown("enumerate", True))
for call in (lambda: len([], foo=1), lambda: divmod(1, 2, foo=1), lambda: isinstance(1, int, foo=1), lambda: repr(1, foo=1), lambda: any([], foo=1), lambda: float(foo=1),
             lambda: tuple(foo=1), lambda: bool(foo=1), lambda: set(foo=1), lambda: frozenset(foo=1), lambda: list(foo=1), lambda: filter(foo=1),
             lambda: reversed([], foo=1), lambda: getattr(1, "a", foo=1), lambda: slice(1, foo=1), lambda: [].append(foo=1)):
    print(refused(call))
