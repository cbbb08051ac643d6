"""time: clocks, which the run reads, and texts of times that are given. There is no time zone: what asks for one is refused."""
from operator import index as _index

from _ptc import _clock
from _ptc_torch import _refuse

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December")
_COMPOSED = {"c": "%a %b %e %H:%M:%S %Y", "D": "%m/%d/%y", "F": "%Y-%m-%d", "h": "%b", "R": "%H:%M", "r": "%I:%M:%S %p", "T": "%H:%M:%S",
             "x": "%m/%d/%y", "X": "%H:%M:%S"}
_RANGES = (("month", 1, 1, 12), ("day of month", 2, 1, 31), ("hour", 3, 0, 23), ("minute", 4, 0, 59), ("seconds", 5, 0, 61),
           ("day of year", 7, 1, 366))


class struct_time(tuple):
    """Nine numbers with names, and the two that say the time zone."""
    n_sequence_fields, n_fields, n_unnamed_fields = 9, 11, 0
    __match_args__ = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst")

    def __new__(cls, sequence, dict={}):
        values = tuple(sequence)
        if not 9 <= len(values) <= 11:
            raise TypeError(f"time.struct_time() takes an {'at least 9' if len(values) < 9 else 'at most 11'}-sequence ({len(values)}-sequence given)")
        self = tuple.__new__(cls, values[:9])
        self._ptc_zone = (*values[9:], *[dict.get(name) for name in ("tm_zone", "tm_gmtoff")[len(values) - 9:]])
        return self

    def __repr__(self):
        return f"time.struct_time({', '.join([f'{name}={value!r}' for name, value in zip(self.__match_args__, self)])})"

    tm_year = property(lambda self: self[0])
    tm_mon = property(lambda self: self[1])
    tm_mday = property(lambda self: self[2])
    tm_hour = property(lambda self: self[3])
    tm_min = property(lambda self: self[4])
    tm_sec = property(lambda self: self[5])
    tm_wday = property(lambda self: self[6])
    tm_yday = property(lambda self: self[7])
    tm_isdst = property(lambda self: self[8])
    tm_zone = property(lambda self: self._ptc_zone[0])
    tm_gmtoff = property(lambda self: self._ptc_zone[1])


def _fields(t):
    """The nine numbers of a time, in the ranges that strftime() takes; Monday is 0."""
    if not isinstance(t, tuple):
        raise TypeError("Tuple or struct_time argument required")
    if len(t) != 9:
        raise TypeError("strftime(): illegal time tuple argument")
    fields = [_index(v) for v in t]
    for i in (1, 2, 7):
        fields[i] = fields[i] or 1
    for what, i, least, most in _RANGES:
        if not least <= fields[i] <= most:
            raise ValueError(f"{what} out of range")
    if fields[6] < -1:
        raise ValueError("day of week out of range")
    fields[6] %= 7
    return fields


def _days_in(year):
    return 366 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 365


def _iso_week(year, wday, yday):
    """Year and week of ISO 8601: weeks begin on Monday and belong to the year of their Thursday. `yday` counts from 1."""
    thursday = yday + 3 - wday
    if thursday < 1:
        year -= 1
        thursday += _days_in(year)
    elif thursday > _days_in(year):
        thursday -= _days_in(year)
        year += 1
    return year, (thursday - 1) // 7 + 1


def _directive(c, t):
    """What the C locale writes for `%c`."""
    year, month, day, hour, minute, second, wday, yday, _ = t
    if c in _COMPOSED:
        return _text(_COMPOSED[c], t)
    if c in "aA":
        return _DAYS[wday] if c == "A" else _DAYS[wday][:3]
    if c in "bB":
        return _MONTHS[month - 1] if c == "B" else _MONTHS[month - 1][:3]
    if c in "%nt":
        return {"%": "%", "n": "\n", "t": "\t"}[c]
    if c == "p":
        return "AM" if hour < 12 else "PM"
    if c in "GgV":
        of, week = _iso_week(year, wday, yday)
        return f"{week:02}" if c == "V" else str(of) if c == "G" else f"{of % 100:02}"
    numbers = {"d": day, "H": hour, "I": hour % 12 or 12, "m": month, "M": minute, "S": second, "y": year % 100,
               "U": (yday + 6 - (wday + 1) % 7) // 7, "W": (yday + 6 - wday) // 7, "C": year // 100}
    if c in numbers:
        return f"{numbers[c]:02}"
    if c == "e":
        return f"{day:2}"
    if c == "j":
        return f"{yday:03}"
    if c in "uw":
        return str(wday + 1 if c == "u" else (wday + 1) % 7)
    if c == "Y":
        return str(year)
    _refuse(f"the directive '%{c}' of strftime()")


def _text(format, t):
    parts, at = [], 0
    while (found := format.find("%", at)) >= 0:
        if found + 1 == len(format):
            _refuse("a format of strftime() that ends with '%'")
        parts += [format[at:found], _directive(format[found + 1], t)]
        at = found + 2
    return "".join(parts) + format[at:]


def strftime(format, t=None, /):
    """The text of a time in the C locale, as glibc writes it."""
    if not isinstance(format, str):
        raise TypeError(f"strftime() argument 1 must be str, not {type(format).__name__}")
    if t is None:
        _refuse("time.strftime() of the present time")
    t = _fields(t)
    if not 1000 <= t[0] < 10000:
        _refuse("strftime() of a year that does not have four digits")
    return _text(format, t)


# CPython's on Linux: perf_counter() is the monotonic clock, and seconds are the quotient of two floats.

def time():
    return _clock(0) / 1e9


def time_ns():
    return _clock(0)


def monotonic():
    return _clock(1) / 1e9


def monotonic_ns():
    return _clock(1)


def perf_counter():
    return _clock(1) / 1e9


def perf_counter_ns():
    return _clock(1)


def process_time():
    return _clock(2) / 1e9


def process_time_ns():
    return _clock(2)


def thread_time():
    return _clock(3) / 1e9


def thread_time_ns():
    return _clock(3)
