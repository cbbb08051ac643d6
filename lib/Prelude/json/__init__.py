"""json: dumps and loads of plain data. Nothing is read from or written to files by name."""

from json._read import JSONDecodeError, parse
from sys import getrecursionlimit

from _ptc import _python_minor


def loads(s, *, cls=None, object_hook=None, parse_float=None, parse_int=None, parse_constant=None, object_pairs_hook=None):
    if isinstance(s, (bytes, bytearray)):
        s = s.decode("utf-8")
    elif not isinstance(s, str):
        raise TypeError(f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}")
    return parse(s, object_hook, object_pairs_hook, parse_float or float, parse_int or int)


def load(fp, **kwargs):
    return loads(fp.read(), **kwargs)


_escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}


def _hex(n):
    return "\\u" + f"{n:04x}"


def _quote(text, ensure_ascii):
    out = ['"']
    for c in text:
        n = ord(c)
        if c in _escapes:
            out.append(_escapes[c])
        elif n < 32 or ensure_ascii and 126 < n < 65536:
            out.append(_hex(n))
        elif ensure_ascii and n >= 65536:
            n -= 65536
            out.append(_hex(0xD800 + (n >> 10)) + _hex(0xDC00 + (n & 0x3FF)))
        else:
            out.append(c)
    out.append('"')
    return "".join(out)


class _Writer:
    def __init__(self, skipkeys, ensure_ascii, allow_nan, indent, separators, default, sort_keys):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.allow_nan = allow_nan
        self.indent = " " * indent if isinstance(indent, int) else indent
        if separators is None:
            separators = (", " if indent is None else ",", ": ")
        self.comma, self.colon = separators
        self.default = default
        self.sort_keys = sort_keys
        self.active = []

    def scalar(self, v):
        """The text of what is no container, or None."""
        if isinstance(v, str):
            return _quote(v, self.ensure_ascii)
        if v is None:
            return "null"
        if v is True:
            return "true"
        if v is False:
            return "false"
        if isinstance(v, int):
            return int.__repr__(v)
        if isinstance(v, float):
            if v == v and v not in (float("inf"), float("-inf")):
                return float.__repr__(v)
            if not self.allow_nan:
                raise ValueError("Out of range float values are not JSON compliant" + ("" if _python_minor() < 12 else f": {v!r}"))
            return "NaN" if v != v else "Infinity" if v > 0 else "-Infinity"
        return None

    def key(self, k):
        if isinstance(k, str):
            return k
        text = self.scalar(k)
        if text is None and not self.skipkeys:
            raise TypeError(f"keys must be str, int, float, bool or None, not {type(k).__name__}")
        return text

    def write(self, v, depth):
        text = self.scalar(v)
        if text is not None:
            return text
        if len(self.active) >= getrecursionlimit():
            raise RecursionError("maximum recursion depth exceeded while encoding a JSON object")
        # No tuple holds itself but through something else.
        for x in self.active if not isinstance(v, tuple) else ():
            if x is v:
                raise ValueError("Circular reference detected")
        self.active.append(v)
        if isinstance(v, (list, tuple)):
            text = self.join("[", [self.write(x, depth + 1) for x in v], "]", depth)
        elif isinstance(v, dict):
            items = sorted(v.items()) if self.sort_keys else v.items()
            rows = []
            for k, x in items:
                name = self.key(k)
                if name is not None:
                    rows.append(_quote(name, self.ensure_ascii) + self.colon + self.write(x, depth + 1))
            text = self.join("{", rows, "}", depth)
        elif self.default is None:
            raise TypeError(f"Object of type {type(v).__name__} is not JSON serializable")
        else:
            text = self.write(self.default(v), depth)
        self.active.pop()
        return text

    def join(self, opening, parts, closing, depth):
        if not parts:
            return opening + closing
        if self.indent is None:
            return opening + self.comma.join(parts) + closing
        line = "\n" + self.indent * (depth + 1)
        return opening + line + (self.comma + line).join(parts) + "\n" + self.indent * depth + closing


def dumps(obj, *, skipkeys=False, ensure_ascii=True, check_circular=True, allow_nan=True, cls=None, indent=None,
          separators=None, default=None, sort_keys=False):
    return _Writer(skipkeys, ensure_ascii, allow_nan, indent, separators, default, sort_keys).write(obj, 0)


def dump(obj, fp, **kwargs):
    fp.write(dumps(obj, **kwargs))
