"""bisect: binary search in sorted sequences."""
import sys as _sys


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
    if lo < 0:
        raise ValueError("lo cannot be negative" if _sys.version_info >= (3, 15) else "lo must be non-negative")
    if isinstance(a, dict):
        raise TypeError(f"{type(a).__name__} is not a sequence")
    if not hasattr(type(a), "__getitem__") and hasattr(type(a), "__len__"):
        raise TypeError(f"'{type(a).__name__}' object does not support indexing")
    return lo, len(a) if hi is None else hi


def insort_left(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_left(a, x if key is None else key(x), lo, hi, key=key), x)


def insort_right(a, x, lo=0, hi=None, *, key=None):
    a.insert(bisect_right(a, x if key is None else key(x), lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
