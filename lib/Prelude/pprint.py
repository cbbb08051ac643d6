"""pprint: containers over several lines where one does not do. Keys that have no order, and containers of other types that do not fit
one line, are refused."""
import dataclasses as _dataclasses
import re as _re
from collections import defaultdict as _defaultdict, OrderedDict as _OrderedDict
from types import SimpleNamespace as _Namespace

from _ptc_torch import _refuse

_BREAKABLE = ("bytes", "bytearray", "mappingproxy", "Counter", "ChainMap", "deque", "UserDict", "UserList", "UserString")


def _ordered(items, key):
    try:
        return sorted(items, key=key)
    except TypeError:
        _refuse("pprint of keys that have no order")


def _is_plain_dataclass(v):
    """Is its text the one that @dataclass makes?"""
    if not _dataclasses.is_dataclass(v) or isinstance(v, type) or not type(v).__dataclass_params__.repr:
        return False
    for cls in type(v).__mro__:
        if "__repr__" in cls.__dict__:
            return "__dataclass_params__" in cls.__dict__ and cls.__dataclass_params__.repr
    return False


class PrettyPrinter:
    def __init__(self, indent=1, width=80, depth=None, stream=None, *, compact=False, sort_dicts=True, underscore_numbers=False, **options):
        if options:
            _refuse("pprint with options of later versions")
        indent, width = int(indent), int(width)
        if indent < 0:
            raise ValueError("indent must be >= 0")
        if depth is not None and depth <= 0:
            raise ValueError("depth must be > 0")
        if not width:
            raise ValueError("width must be != 0")
        self._ptc_indent, self._ptc_width, self._ptc_depth, self._ptc_stream = indent, width, depth, stream
        self._ptc_compact, self._ptc_sort, self._ptc_underscores = bool(compact), sort_dicts, underscore_numbers

    def pprint(self, object):
        import sys
        stream = sys.stdout if self._ptc_stream is None else self._ptc_stream
        if stream is not None:
            stream.write(self.pformat(object) + "\n")

    def pformat(self, object):
        out = []
        self._ptc_put(object, out, 0, 0, [], 0)
        return "".join(out)

    def isreadable(self, object):
        return isreadable(object)

    def isrecursive(self, object):
        return isrecursive(object)

    def format(self, object, context, maxlevels, level):
        _refuse("PrettyPrinter.format()")

    def _ptc_line(self, v, inside, level):
        """The text in one line, with keys in order."""
        kind = type(v)
        if kind is int and self._ptc_underscores:
            return f"{v:_d}"
        if kind.__repr__ not in (dict.__repr__, list.__repr__, tuple.__repr__):
            return repr(v)
        is_dict = kind.__repr__ is dict.__repr__
        if not v:
            return "{}" if is_dict else "[]" if isinstance(v, list) else "()"
        first, last = ("{", "}") if is_dict else ("[", "]") if isinstance(v, list) else ("(", ",)" if len(v) == 1 else ")")
        if self._ptc_depth is not None and level >= self._ptc_depth:
            return "{...}" if is_dict else first + "..." + last
        if any([v is other for other in inside]):
            _refuse("pprint of what contains itself")
        inside = [*inside, v]
        if is_dict:
            items = _ordered(v.items(), lambda item: item[0]) if self._ptc_sort else v.items()
            texts = [self._ptc_line(k, inside, level + 1) + ": " + self._ptc_line(x, inside, level + 1) for k, x in items]
        else:
            texts = [self._ptc_line(x, inside, level + 1) for x in v]
        return first + ", ".join(texts) + last

    def _ptc_put(self, v, out, column, behind, inside, level):
        """Writes `v` from a column on; `behind`: how many characters follow it in its last line."""
        text = self._ptc_line(v, inside, level)
        if len(text) <= self._ptc_width - column - behind:
            return out.append(text)
        if any([v is other for other in inside]):
            _refuse("pprint of what contains itself")
        inside, level, own = [*inside, v], level + 1, type(v).__repr__
        if own is dict.__repr__:
            self._ptc_put_dict(v, out, column, behind, inside, level)
        elif own is list.__repr__:
            self._ptc_put_items(v, out, column, "[", "]", behind, inside, level)
        elif own is tuple.__repr__:
            self._ptc_put_items(v, out, column, "(", ",)" if len(v) == 1 else ")", behind, inside, level)
        elif own in (set.__repr__, frozenset.__repr__) and v:
            name, plain = type(v).__name__, type(v) is set
            items = _ordered(v, lambda item: item)
            self._ptc_put_items(items, out, column + (0 if plain else len(name) + 1), "{" if plain else name + "({", "}" if plain else "})", behind, inside, level)
        elif own is str.__repr__:
            self._ptc_put_text(v, out, column, behind, level)
        elif own is _OrderedDict.__repr__ and v:
            name = type(v).__name__ + "("
            out.append(name)
            self._ptc_put(list(v.items()), out, column + len(name), behind + 1, inside, level)
            out.append(")")
        elif own is _defaultdict.__repr__ and v:
            factory = self._ptc_line(v.default_factory, inside, level)
            column += len(type(v).__name__) + 1
            out.append(f"{type(v).__name__}({factory},\n{' ' * column}")
            self._ptc_put_dict(v, out, column, behind + 1, inside, level)
            out.append(")")
        elif own is _Namespace.__repr__:
            name = "namespace" if type(v) is _Namespace else type(v).__name__
            self._ptc_put_fields(name, list(v.__dict__.items()), out, column, behind, inside, level)
        elif _is_plain_dataclass(v):
            fields = [(f.name, getattr(v, f.name)) for f in _dataclasses.fields(v) if f.repr]
            self._ptc_put_fields(type(v).__name__, fields, out, column, behind, inside, level)
        elif any([cls.__name__ in _BREAKABLE for cls in type(v).__mro__]):
            _refuse(f"pprint of a {type(v).__name__} that does not fit one line")
        else:
            out.append(text)

    def _ptc_put_dict(self, v, out, column, behind, inside, level):
        out.append("{" + " " * (self._ptc_indent - 1))
        if v:
            items = _ordered(v.items(), lambda item: item[0]) if self._ptc_sort else v.items()
            column += self._ptc_indent
            for at, (key, item) in enumerate(items):
                if at:
                    out.append(",\n" + " " * column)
                text = self._ptc_line(key, inside, level)
                out.append(text + ": ")
                self._ptc_put(item, out, column + len(text) + 2, behind + 1 if at + 1 == len(v) else 1, inside, level)
        out.append("}")

    def _ptc_put_items(self, items, out, column, first, last, behind, inside, level):
        out.append(first + " " * (self._ptc_indent - 1))
        column += self._ptc_indent
        behind += len(last)
        between = ",\n" + " " * column
        room = left = self._ptc_width - column + 1
        items, pending = list(items), ""
        for at, item in enumerate(items):
            if at + 1 == len(items):
                room -= behind
                left -= behind
            if self._ptc_compact:
                text = self._ptc_line(item, inside, level)
                need = len(text) + 2
                if left < need:
                    left = room
                    if pending:
                        pending = between
                if left >= need:
                    left -= need
                    out.append(pending + text)
                    pending = ", "
                    continue
            out.append(pending)
            pending = between
            self._ptc_put(item, out, column, behind if at + 1 == len(items) else 1, inside, level)
        out.append(last)

    def _ptc_put_fields(self, name, fields, out, column, behind, inside, level):
        column += len(name) + 1
        out.append(name + "(")
        for at, (field, value) in enumerate(fields):
            is_last = at + 1 == len(fields)
            if at:
                out.append(",\n" + " " * column)
            out.append(field + "=")
            if any([value is other for other in inside]):
                out.append("...")
            else:
                self._ptc_put(value, out, column + len(field) + 1, behind if is_last else 1, inside, level)
        out.append(")")

    def _ptc_put_text(self, v, out, column, behind, level):
        if not v:
            return out.append(repr(v))
        if level == 1:
            column, behind = column + 1, behind + 1
        room, chunks, lines = self._ptc_width - column, [], v.splitlines(True)
        for at, line in enumerate(lines):
            is_last = at + 1 == len(lines)
            text = repr(line)
            if len(text) <= room - (behind if is_last else 0):
                chunks.append(text)
                continue
            words, current = _re.findall(r"\S*\s*", line)[:-1], ""
            for number, word in enumerate(words):
                if len(repr(current + word)) > room - (behind if is_last and number + 1 == len(words) else 0):
                    if current:
                        chunks.append(repr(current))
                    current = word
                else:
                    current += word
            if current:
                chunks.append(repr(current))
        if len(chunks) == 1:
            return out.append(chunks[0])
        body = ("\n" + " " * column).join(chunks)
        out.append("(" + body + ")" if level == 1 else body)


def pformat(object, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False, **options):
    return PrettyPrinter(indent, width, depth, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers, **options).pformat(object)


def pprint(object, stream=None, indent=1, width=80, depth=None, *, compact=False, sort_dicts=True, underscore_numbers=False, **options):
    PrettyPrinter(indent, width, depth, stream, compact=compact, sort_dicts=sort_dicts, underscore_numbers=underscore_numbers, **options).pprint(object)


def pp(object, *args, sort_dicts=False, **kwargs):
    pprint(object, *args, sort_dicts=sort_dicts, **kwargs)


def saferepr(object):
    return PrettyPrinter()._ptc_line(object, [], 0)


def isreadable(object):
    _refuse("pprint.isreadable()")


def isrecursive(object):
    _refuse("pprint.isrecursive()")
