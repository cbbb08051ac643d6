"""math: integer functions in Python, the others from the engine (`_ptc_math`)."""
from _ptc_math import (acos, acosh, asin, asinh, atan, atan2, atanh, cbrt, copysign, cos, cosh, erf, erfc, exp, exp2, expm1,
                       fmod, frexp, gamma, isfinite, isinf, isnan, ldexp, lgamma, log1p, modf, nextafter, remainder, sin, sinh,
                       sqrt, tan, tanh, ulp)
from _ptc_math import comb as _comb, factorial as _factorial, gcd as _gcd, isqrt as _isqrt, lcm as _lcm, perm as _perm
from _ptc_math import norm as _norm, whole as _whole
import sys as _sys
from _ptc_math import log10, log2, log as _log, pow  # noqa: F401

pi = 3.141592653589793
e = 2.718281828459045
tau = 6.283185307179586
inf = float("inf")
nan = float("nan")


def _integer(x):
    if isinstance(x, int):
        return x if type(x) is int else int.__index__(x)
    f = getattr(type(x), "__index__", None)
    if f is None:
        raise TypeError(f"'{type(x).__name__}' object cannot be interpreted as an integer")
    return f(x)


def _real(x):
    """What a C function that takes a double makes of its argument: no text, other than float()."""
    return float(x) if type(x) in (float, int, bool) else ldexp(x, 0)


def floor(x, /):
    if type(x) is not float:
        f = getattr(type(x), "__floor__", None)
        if f is not None:
            return f(x)
        if isinstance(x, int):
            return x
        x = _real(x)
    n = _whole(x, False)
    if n is not None:
        return n
    n = int(x)
    return n - 1 if n > x else n


def ceil(x, /):
    if type(x) is not float:
        f = getattr(type(x), "__ceil__", None)
        if f is not None:
            return f(x)
        if isinstance(x, int):
            return x
        x = _real(x)
    n = _whole(x, True)
    if n is not None:
        return n
    n = int(x)
    return n + 1 if n < x else n


def trunc(x, /):
    if type(x) in (int, float):
        return int(x)
    f = getattr(type(x), "__trunc__", None)
    if f is None:
        raise TypeError(f"type {type(x).__name__} doesn't define __trunc__ method")
    return f(x)


def fabs(x, /):
    return abs(_real(x))


def log(x, *base):
    if len(base) > 1:
        raise TypeError("math.log requires 1 to 2 arguments" if _sys.version_info < (3, 12) else
                        f"log expected at most 2 arguments, got {len(base) + 1}")
    value = _log(x)
    return value / _log(base[0]) if base else value


def degrees(x, /):
    return _real(x) * (180.0 / pi)


def radians(x, /):
    return _real(x) * (pi / 180.0)


def gcd(*integers):
    result = 0
    for n in integers:
        n = _integer(n)
        found = _gcd(result, n)
        if found is not None:
            result = found
            continue
        a, b = abs(result), abs(n)
        while b:
            a, b = b, a % b
        result = a
    return result


def lcm(*integers):
    result = 1
    for n in integers:
        n = _integer(n)
        found = _lcm(result, n)
        result = found if found is not None else abs(result * n) // gcd(result, n) if n and result else 0
    return result


def factorial(n, /):
    n = _integer(n)
    if n < 0:
        raise ValueError("factorial() not defined for negative values")
    return _factorial(n)


def perm(n, k=None, /):
    n = _integer(n)
    if k is None:
        return factorial(n)
    k = _integer(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    return _perm(n, k)


def comb(n, k, /):
    n, k = _integer(n), _integer(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    return _comb(n, k)


def isqrt(n, /):
    n = _integer(n)
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    root = _isqrt(n)
    if root is not None:
        return root
    if n == 0:
        return 0
    a = 1 << ((n.bit_length() + 1) // 2)
    while True:
        b = (a + n // a) // 2
        if b >= a:
            return a
        a = b


def prod(iterable, /, *, start=1):
    result = start
    for x in iterable:
        result = result * x
    return result


def _two_sum(a, b):
    """a + b, and what rounding left of it."""
    x = a + b
    z = x - a
    return x, (a - (x - z)) + (b - z)


def _product_rest(x, y, z):
    """x * y - z, rounded once."""
    (a, b), (c, d), (e, f) = x.as_integer_ratio(), y.as_integer_ratio(), z.as_integer_ratio()
    return (a * c * f - e * b * d) / (b * d * f)


if _sys.version_info >= (3, 12):
    def sumprod(p, q, /):
        """Pairs of ints up to the first other pair are added exactly; floats, also with ints, up to the first other
        pair in three times the precision (K-fold dot product of Ogita, Rump, Oishi); the others one after the other."""
        total, high, low, tiny = 0, 0.0, 0.0, 0.0
        ints, floats, used = True, True, False
        for a, b in zip(p, q, strict=True):
            if ints:
                if type(a) is int and type(b) is int and -2**63 <= total + a * b < 2**63 and -2**63 <= a * b < 2**63:
                    total += a * b
                    continue
                ints = False
            kinds = type(a), type(b)
            if floats and float in kinds and kinds[0] in (float, int, bool) and kinds[1] in (float, int, bool):
                try:
                    x, y = float(a), float(b)
                except OverflowError:
                    x = y = nan
                z = x * y
                if isfinite(z):
                    sum, rest = _two_sum(high, z)
                    if isfinite(sum):
                        up, down = _two_sum(low, _product_rest(x, y, z))
                        low, more = _two_sum(up, rest)
                        high, tiny, used = sum, tiny + down + more, True
                        continue
            if floats:
                floats = False
                if used:
                    total += _two_sum(high, _two_sum(low, tiny)[0])[0]
            total = total + a * b
        if floats and used:
            total += _two_sum(high, _two_sum(low, tiny)[0])[0]
        return total


def fsum(seq, /):
    """Exact sum of floats, rounded once: partial sums that do not overlap."""
    partials, special, infinite = [], 0.0, 0.0
    for given in seq:
        given = x = _real(given)
        kept = []
        for y in partials:
            if abs(x) < abs(y):
                x, y = y, x
            high = x + y
            low = y - (high - x)
            if low:
                kept.append(low)
            x = high
        if isfinite(x):
            partials = kept + [x]
            continue
        if isfinite(given):
            raise OverflowError("intermediate overflow in fsum")
        if isinf(given):
            infinite += given
        special += given
        partials = []
    if special != 0.0:
        if isnan(infinite):
            raise ValueError("-inf + inf in fsum")
        return special
    total, rest = 0.0, 0.0
    while partials:
        x = partials.pop()
        total_new = total + x
        rest = x - (total_new - total)
        total = total_new
        if rest:
            break
    if partials and (rest < 0) == (partials[-1] < 0) and rest:
        doubled = rest * 2.0
        x = total + doubled
        if doubled == x - total:
            total = x
    return total


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    a, b, rel_tol, abs_tol = _real(a), _real(b), _real(rel_tol), _real(abs_tol)
    if rel_tol < 0 or abs_tol < 0:
        raise ValueError("tolerances must be non-negative")
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    diff = abs(b - a)
    return diff <= abs(rel_tol * b) or diff <= abs(rel_tol * a) or diff <= abs_tol


def hypot(*coordinates):
    return _norm([_real(c) for c in coordinates]) if coordinates else 0.0


def dist(p, q, /):
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return hypot(*[_real(a) - _real(b) for a, b in zip(p, q)])
