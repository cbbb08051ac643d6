"""bisect: binary search in sorted sequences."""
from operator import index as _index
from sys import version_info as _version_info


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    lo, hi = _bounds(a, lo, hi)
    while lo < hi:
        mid = (lo + hi) // 2
        if (a[mid] if key is None else key(a[mid])) < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    lo, hi = _bounds(a, lo, hi)
    while lo < hi:
        mid = (lo + hi) // 2
        if x < (a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def _bounds(a, lo, hi):
    lo, hi = _index(lo), None if hi is None else _index(hi)
    if lo < 0:
        raise ValueError("lo cannot be negative" if _version_info >= (3, 15) else "lo must be non-negative")
    hi = None if hi == -1 else hi             # as the default of the C function
    if type(a) is dict and (hi is None or lo < hi or _version_info >= (3, 12)):
        raise TypeError(f"{type(a).__name__} is not a sequence")
    hi = len(a) if hi is None else hi
    if not hasattr(type(a), "__getitem__") and (lo < hi or _version_info >= (3, 12)):
        raise TypeError(f"'{type(a).__name__}' object does not support indexing")
    return lo, hi


def insort_left(a, x, lo=0, hi=None, *, key=None):
    at = bisect_left(a, x if key is None else key(x), lo, hi, key=key)
    a.insert(at, x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    at = bisect_right(a, x if key is None else key(x), lo, hi, key=key)
    a.insert(at, x)


bisect = bisect_right
insort = insort_right
