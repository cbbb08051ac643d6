"""Names that CPython has only since a version: programs ask for them and go another way."""
import copy
import itertools
import sys
import typing
import warnings

minor = sys.version_info[1]
for owner, name, since in ((1, "is_integer", 12), (True, "is_integer", 12), (1.0, "is_integer", 11), (int, "is_integer", 12),
                           (itertools, "batched", 12), (copy, "replace", 13), (typing, "override", 12), (warnings, "deprecated", 13)):
    print(name, hasattr(owner, name) == (minor >= since))

try:
    from itertools import batched
except ImportError:
    def batched(iterable, n):
        it = iter(iterable)
        while row := tuple(itertools.islice(it, n)):
            yield row
print(list(batched("abcde", 2)), batched.__module__ == ("itertools" if minor >= 12 else __name__))
try:
    list(batched("abcd", 2, strict=True))
    print(minor >= 13)
except TypeError:
    print(minor < 13)
try:
    print((2).is_integer() and minor >= 12)
except AttributeError as e:
    print(minor < 12 and "has no attribute" in str(e))
