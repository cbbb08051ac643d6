"""statistics of ints and floats. Sums are exact fractions, rounded once, as CPython's are."""

import math as _math
import sys as _sys
from _ptc_torch import _refuse


class StatisticsError(ValueError):
    pass


def _ratio(x):
    if not hasattr(x, "as_integer_ratio"):
        raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")
    if not isinstance(x, (int, float)):
        _refuse("statistics of what is no int and no float")
    return x.as_integer_ratio()


def _not_finite(data):
    """The sum of the infinities and NaNs in data, None where all is finite."""
    total = None
    for x in data:
        if isinstance(x, float) and x - x != 0.0:
            total = x if total is None else total + x
    return total


def _exact_sum(data):
    """The sum of finite numbers as (numerator, denominator)."""
    top, bottom = 0, 1
    for x in data:
        n, d = _ratio(x)
        top = top * d + n * bottom
        bottom = bottom * d
        if bottom > 1 and d > 1:
            top, bottom = _reduce(top, bottom)
    return top, bottom


def _reduce(top, bottom):
    a, b = top if top >= 0 else -top, bottom
    while b:
        a, b = b, a % b
    return top // a, bottom // a


def _number(top, bottom, data):
    if any([isinstance(x, float) for x in data]):
        return top / bottom
    top, bottom = _reduce(top, bottom)
    return top if bottom == 1 else top / bottom


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    special = _not_finite(data)
    if special is not None:
        return special / len(data)
    top, bottom = _exact_sum(data)
    return _number(top, bottom * len(data), data)


def fmean(data, weights=None):
    data = list(data)
    if not data and weights is None:
        raise StatisticsError("fmean requires at least one data point")
    if weights is None:
        return _math.fsum(data) / len(data)
    weights = list(weights)
    if len(weights) != len(data):
        raise StatisticsError("data and weights must be the same length")
    if _sys.version_info >= (3, 12):
        top = _math.sumprod(data, weights)
    else:
        top = _math.fsum([a * b for a, b in zip(data, weights)])
    bottom = _math.fsum(weights)
    if not bottom:
        raise StatisticsError("sum of weights must be non-zero")
    return top / bottom


def median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise StatisticsError("no median for empty data")
    return data[n // 2] if n % 2 else (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data[len(data) // 2]


def multimode(data):
    counts = {}
    for x in data:
        counts[x] = counts.get(x, 0) + 1
    most = max(counts.values(), default=0)
    return [x for x, n in counts.items() if n == most]


def mode(data):
    found = multimode(data)
    if not found:
        raise StatisticsError("no mode for empty data")
    return found[0]


def _squares(data, center):
    """The sum of squared deviations as a fraction, exact but for those from a given center, and what it is a sum of.
    Where not all is finite, the first is a float and the second 1."""
    if center is not None:
        data = [(x - center) * (x - center) for x in data]
    special = _not_finite(data)
    if special is not None:
        return special, 1, data
    top, bottom = _exact_sum(data)
    if center is not None:
        return top, bottom, data
    n = len(data)
    total, under = 0, 1
    for x in data:
        a, b = _ratio(x)
        d, db = a * bottom * n - top * b, b * bottom * n
        total, under = _reduce(total * db * db + d * d * under, under * db * db)
    return total, under, data


def _spread(name, data, center, sample):
    """The sum of squares and its divisor; `sample`: of one value less."""
    data = list(data)
    if len(data) < 1 + sample:
        raise StatisticsError(f"{name} requires at least {'two data points' if sample else 'one data point'}")
    top, bottom, parts = _squares(data, center)
    return top, bottom * (len(data) - sample), parts


def _root(top, bottom):
    """The square root of a fraction, rounded once: of the integer root's last bit only whether all is exact counts."""
    if isinstance(top, float):
        if _sys.version_info >= (3, 14):
            raise ValueError("inf or nan encountered in data")
        raise AttributeError("'float' object has no attribute 'numerator'")
    shift = (top.bit_length() - bottom.bit_length() - 109) // 2
    over, under = (top, bottom << 2 * shift) if shift >= 0 else (top << -2 * shift, bottom)
    root = _math.isqrt(over // under)
    root = root | (root * root * under != over)
    return float(root << shift) if shift >= 0 else root / (1 << -shift)


def variance(data, xbar=None):
    return _number(*_spread("variance", data, xbar, 1))


def pvariance(data, mu=None):
    return _number(*_spread("pvariance", data, mu, 0))


def stdev(data, xbar=None):
    return _root(*_spread("stdev", data, xbar, 1)[:2])


def pstdev(data, mu=None):
    return _root(*_spread("pstdev", data, mu, 0)[:2])
