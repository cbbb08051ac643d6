"""What arrays and scalars of numpy look like as text."""
import torch
from _ptc_torch import _constant_elements, _is_constant, _refuse
from numpy import _arrays
from numpy._types import _bool, _first, _float64, _float32, _int64
import math as _math

_DIGITS = {"float16": 6, "float32": 10}      # as many as tell all of them apart
_CUTOFF = {"float16": 1e3, "float32": 1e6, "float64": 1e8}      # arrays: by exponents from here on
_options = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False}


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, **others):
    if [v for v in others.values() if v is not None]:
        _refuse("numpy.set_printoptions with " + ", ".join(others))
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth, "suppress": suppress}
    _options.update({k: v for k, v in given.items() if v is not None})


class printoptions:
    def __init__(self, **named):
        self._ptc_named = named

    def __enter__(self):
        self._ptc_before = dict(_options)
        set_printoptions(**self._ptc_named)

    def __exit__(self, *exception):
        _options.update(self._ptc_before)


# Scalars ----------------------------------------------------------------------------------------------------------


def _shortest(value, dt):
    """(digits, exponent of ten of the first one) of the shortest decimal number that a positive float rounds from."""
    if dt is _float64:
        shown = float.__repr__(float(value))
        if "e" in shown:
            mantissa, exponent = shown.split("e")
        else:
            mantissa, exponent = shown, "0"
        whole, _, part = mantissa.partition(".")
        digits = whole + part
        at = len(whole) - 1 + int(exponent)
        stripped = digits.lstrip("0")
        return stripped.rstrip("0") or "0", at - (len(digits) - len(stripped))
    for n in range(_DIGITS[dt.name]):
        shown = format(value, f".{n}e")
        if _first(torch.tensor(float(shown), dtype=torch.float64).to(dt._ptc_torch)) == value:
            break
    mantissa, exponent = shown.split("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(exponent)


def _positional(digits, at):
    """(before the point, behind it)"""
    if at < 0:
        return "0", "0" * (-at - 1) + digits
    whole = digits[:at + 1]
    return whole + "0" * (at + 1 - len(whole)), digits[at + 1:]


def _float_text(value, dt):
    if value != value:
        return "nan"
    sign = "-" if _math.copysign(1.0, value) < 0 else ""
    size = abs(value)
    if size == float("inf"):
        return sign + "inf"
    if size == 0:
        return sign + "0.0"
    digits, at = _shortest(size, dt)
    if 1e-4 <= size < (1e16 if dt is _float64 else 1e6 if dt is _float32 else 1e3):
        whole, part = _positional(digits, at)
        return f"{sign}{whole}.{part or '0'}"
    return f"{sign}{digits[0]}{'.' + digits[1:] if len(digits) > 1 else ''}e{'-' if at < 0 else '+'}{abs(at):02d}"


def _check_known(value):
    if not _is_constant(value):
        _refuse("the text of a numpy scalar that the run decides")


def _str_of(scalar):
    dt, value = scalar._ptc_dtype, scalar._ptc_value
    if dt.kind != "f":
        return str(value)
    _check_known(value)
    return _float_text(value, dt)


def _repr_of(scalar):
    dt = scalar._ptc_dtype
    return f"np.{_str_of(scalar)}" + ("_" if dt is _bool else "") if dt is _bool else f"np.{dt.name}({_str_of(scalar)})"


# Arrays -----------------------------------------------------------------------------------------------------------


def _shown_elements(t):
    """Those of an array that are shown; `edge` of them at each side where there are many."""
    edge = _options["edgeitems"]
    for d in range(t.dim()):
        n = t.shape[d]
        if n > 2 * edge:
            t = torch.cat([t.narrow(d, 0, edge), t.narrow(d, n - edge, edge)], d)
    return t


def _cut(value, digits, at, dt):
    """(before the point, behind it) with at most `precision` digits behind."""
    most = _options["precision"]
    whole, part = _positional(digits, at)
    if len(part) > most:
        whole, part = format(value, f".{most}f").split(".") if most else (format(value, ".0f"), "")
    return whole, part.rstrip("0")


def _cut_exponent(value, digits, at):
    """(mantissa behind the point, exponent)"""
    most = _options["precision"]
    if len(digits) - 1 <= most:
        return digits[0], digits[1:], at
    mantissa, exponent = format(value, f".{most}e").split("e")
    return mantissa[0], mantissa[2:].rstrip("0"), int(exponent)


def _in(value, dt):
    return _first(torch.tensor(value, dtype=torch.float64).to(dt._ptc_torch))


def _float_format(values, dt):
    """A function that gives the text of one of these."""
    finite = [v for v in values if _math.isfinite(v)]
    sizes = [abs(v) for v in finite if v != 0]
    by_exponent = False
    if sizes:
        largest, least = max(sizes), min(sizes)
        ratio = largest / least if dt is _float64 else _first(torch.tensor(largest, dtype=dt._ptc_torch) / torch.tensor(least, dtype=dt._ptc_torch))
        by_exponent = largest >= _CUTOFF[dt.name] or not _options["suppress"] and (least < _in(1e-4, dt) or ratio > 1000.0)
    rows = {}
    for v in finite:
        size = abs(v)
        digits, at = _shortest(size, dt) if size else ("0", 0)
        sign = "-" if _math.copysign(1.0, v) < 0 else ""
        if by_exponent:
            whole, part, exponent = _cut_exponent(size, digits, at)
            rows[v, sign] = (sign + whole, part, exponent)
        else:
            whole, part = _cut(size, digits, at, dt)
            rows[v, sign] = (sign + whole, part, 0)
    if not rows:
        left, right, wide = 0, 0, 0
    else:
        left = max([len(r[0]) for r in rows.values()])
        right = max([len(r[1]) for r in rows.values()])
        wide = max([len(str(abs(r[2]))) for r in rows.values()] + [2])
    special = [v for v in values if not _math.isfinite(v)]
    tail = 2 + wide if by_exponent else 0
    if special:
        longest = 4 if [v for v in special if v < 0] else 3
        left = max(left, longest - (right + 1 + tail))

    def show(v):
        if not _math.isfinite(v):
            text = "nan" if v != v else "inf" if v > 0 else "-inf"
            return text.rjust(left + 1 + right + tail)
        whole, part, exponent = rows[v, "-" if _math.copysign(1.0, v) < 0 else ""]
        if by_exponent:
            sign = "-" if exponent < 0 else "+"
            return f"{whole.rjust(left)}.{part.ljust(right, '0')}e{sign}{str(abs(exponent)).rjust(wide, '0')}"
        return f"{whole.rjust(left)}.{part.ljust(right)}"
    return show


def _element_format(values, dt):
    if dt.kind == "f":
        return _float_format(values, dt)
    texts = [str(v) for v in values]
    wide = max([len(s) for s in texts] + [0])
    if dt is _bool:
        wide = 5
    return lambda v: str(v).rjust(wide)


def _array_text(a, separator, prefix, suffix=""):
    t = _arrays._t(a)
    edge, left_out = _options["edgeitems"], a.size > _options["threshold"]
    part = _shown_elements(t) if left_out else t
    held = _constant_elements(part)
    if held is None:
        _refuse("the text of an array that the run decides")
    show = _element_format(list(held), a._ptc_type)
    rows = _arrays._nest(list(held), tuple(part.shape))

    def mark(rows, shape):
        if not shape:
            return rows
        rows = [mark(r, shape[1:]) for r in rows]
        return rows[:edge] + [None] + rows[-edge:] if left_out and shape[0] > 2 * edge else rows
    hanging = " " + " " * len(prefix)
    return _nested(mark(rows, a.shape), a.ndim, show, separator, _options["linewidth"] - len(suffix), hanging)


def _nested(items, ndim, show, separator, width, hanging):
    def walk(rows, depth, hanging, width):
        if depth == 0:
            return show(rows)
        inner, inner_width = hanging + " ", width - 1
        if depth == 1:
            text, line = "", hanging
            room = width - max(len(separator.rstrip()), 1)
            for n, item in enumerate(rows):
                last = n == len(rows) - 1
                word = "..." if item is None else show(item)
                if len(line) + len(word) > room and len(line) > len(hanging):
                    text += line.rstrip() + "\n"
                    line = hanging
                line += word + ("" if last else separator)
            return "[" + (text + line)[len(hanging):] + "]"
        text = ""
        between = separator.rstrip() + "\n" * (depth - 1)
        for n, item in enumerate(rows):
            shown = "..." if item is None else walk(item, depth - 1, inner, inner_width)
            text += hanging + shown + ("" if n == len(rows) - 1 else between)
        return "[" + text[len(hanging):] + "]"
    return walk(items, ndim, hanging, width)


def _array_str(a):
    if a.ndim == 0:
        return _str_of(a[()])
    if a.size == 0:
        return "[" * 1 + "]"
    return _array_text(a, " ", "")


def _array_repr(a):
    dt = a._ptc_type
    plain = dt in (_bool, _int64, _float64)
    extra = [] if plain and a.size else [f"dtype={dt.name}"]
    if a.ndim == 0:
        body = _str_of(a[()])
        if dt.kind == "f":
            body = _float_format([a.item()], dt)(a.item())
    elif a.size == 0:
        body = "[]"
        if a.shape != (0,):
            extra = [f"shape={a.shape}"] + extra
    else:
        body = _array_text(a, ", ", "array(", ")")
        if a.size > _options["threshold"]:
            extra = [f"shape={a.shape}"] + extra
    if not extra:
        return f"array({body})"
    text, tail = f"array({body},", ", ".join(extra) + ")"
    last = len(text) - (text.rfind("\n") + 1)
    return text + (" " if last + len(tail) + 1 <= _options["linewidth"] else "\n" + " " * len("array(")) + tail


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    return _array_repr(arr)


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    return _array_str(a)
