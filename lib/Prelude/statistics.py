"""statistics of ints and floats. Sums are exact fractions, rounded once, as CPython's are."""

from math import sqrt as _sqrt


class StatisticsError(ValueError):
    pass


def _exact_sum(data):
    """The sum as (numerator, denominator)."""
    top, bottom = 0, 1
    for x in data:
        n, d = x.as_integer_ratio()
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
    top, bottom = _exact_sum(data)
    return _number(top, bottom * len(data), data)


def fmean(data, weights=None):
    from math import fsum

    data = [float(x) for x in data]
    if weights is not None:
        weights = list(weights)
        if len(weights) != len(data):
            raise StatisticsError("data and weights must be the same length")
        return fsum([a * b for a, b in zip(data, weights)]) / fsum(weights)
    if not data:
        raise StatisticsError("fmean requires at least one data point")
    return fsum(data) / len(data)


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
    """The exact sum of squared deviations, as a fraction."""
    n = len(data)
    top, bottom = _exact_sum(data)
    if center is not None:
        ctop, cbottom = center.as_integer_ratio()
    else:
        ctop, cbottom = top, bottom * n
    total, under = 0, 1
    for x in data:
        a, b = x.as_integer_ratio()
        dt, db = a * cbottom - ctop * b, b * cbottom
        total, under = _reduce(total * db * db + dt * dt * under, under * db * db)
    return total, under


def variance(data, xbar=None):
    data = list(data)
    if len(data) < 2:
        raise StatisticsError("variance requires at least two data points")
    top, bottom = _squares(data, xbar)
    return _number(top, bottom * (len(data) - 1), data)


def pvariance(data, mu=None):
    data = list(data)
    if not data:
        raise StatisticsError("pvariance requires at least one data point")
    top, bottom = _squares(data, mu)
    return _number(top, bottom * len(data), data)


def stdev(data, xbar=None):
    return _sqrt(variance(data, xbar))


def pstdev(data, mu=None):
    return _sqrt(pvariance(data, mu))
