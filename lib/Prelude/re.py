"""re: regular expressions. What patterns mean and where they match is computed natively (ptc/Python/Regex.h)."""
import enum
import warnings
from types import GenericAlias as _GenericAlias, MappingProxyType as _MappingProxyType
from operator import index as _index
from _ptc import _forget, _keep, _kept, _python_minor
from _ptc_re import _compile, _find, _find_all, _template
from _ptc_torch import _refuse

_MINOR = _python_minor()
_MAX = (1 << 63) - 1
_SEARCH, _MATCH, _FULL_MATCH = range(3)


class RegexFlag(enum.IntFlag, boundary=enum.KEEP):
    NOFLAG = 0
    ASCII = A = 256
    IGNORECASE = I = 2
    LOCALE = L = 4
    UNICODE = U = 32
    MULTILINE = M = 8
    DOTALL = S = 16
    VERBOSE = X = 64
    if _MINOR < 13:
        TEMPLATE = T = 1
    DEBUG = 128

    def __repr__(self):
        if self._name_ is None:
            return f"re.RegexFlag({self._value_})"
        names = _flag_texts(self._value_, RegexFlag)
        return "|".join(names) if self._value_ else "re.NOFLAG"

    __str__ = __repr__

    def __format__(self, spec):
        return format(repr(self), spec)


globals().update(RegexFlag.__members__)


def _flag_texts(flags, known):
    """The names of the flags that are set, and what is left as a number."""
    names = []
    for flag in known:
        if flags & flag._value_:
            names.append("re." + flag._name_)
            flags &= ~flag._value_
    return names + [hex(flags)] if flags else names


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            msg = f"{msg} at position {pos}"
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            if newline in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


if _MINOR >= 13:
    error.__name__ = error.__qualname__ = "PatternError"
    PatternError = error


def _is_text(value):
    """Is it a str, or bytes? None: neither."""
    return True if isinstance(value, str) else False if isinstance(value, (bytes, bytearray, memoryview)) else None


def _plain(value, is_text):
    """The characters of a str of any class; the bytes of an object that has some."""
    return str.__getitem__(value, slice(None)) if is_text else bytes(value)


def _checked(found, pattern):
    if found[0] == "error":
        raise error(found[1], pattern, found[2])
    return found


def _make(pattern, flags):
    if isinstance(flags, int):
        flags = flags._value_ if isinstance(flags, RegexFlag) else int(flags)
    is_plain = type(pattern) is str or type(pattern) is bytes
    known = _kept("re", (pattern, flags)) if is_plain else None
    if known is not None:
        return known
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    is_text = _is_text(pattern)
    if is_text is None:
        hash(pattern)
        raise TypeError("first argument must be string or compiled pattern")
    if flags & RegexFlag.DEBUG:
        _refuse("re.compile() with DEBUG")
    plain = _plain(pattern, is_text)
    _, real, groups, names, noted = _checked(_compile(plain, flags), pattern)
    for text, is_deprecation in noted:
        warnings.warn(text, DeprecationWarning if is_deprecation else FutureWarning, stacklevel=3)
    made = object.__new__(Pattern)
    for name, value in (("pattern", pattern), ("flags", real), ("groups", groups), ("groupindex", _MappingProxyType(dict(names))),
                        ("_ptc_plain", plain), ("_ptc_is_text", is_text)):
        object.__setattr__(made, name, value)
    if is_plain:
        _keep("re", (pattern, flags), made)
    return made


def _set_attribute(self, name, value):
    if name in ("__doc__", *dir(object)) or hasattr(self, name):
        raise AttributeError("readonly attribute")
    raise AttributeError(f"'re.{type(self).__name__}' object has no attribute '{name}'"
                         + (" and no __dict__ for setting new attributes" if _MINOR >= 13 else ""))


def _no_instances(cls, *args, **keywords):
    raise TypeError(f"cannot create 're.{cls.__name__}' instances")


def _no_subclasses(cls, **keywords):
    raise TypeError(f"type 're.{cls.__mro__[1].__name__}' is not an acceptable base type")


def _no_pickle(self, protocol, /):
    _refuse(f"pickling of an re.{type(self).__name__}")


def _closed(cls):
    """A class of C: nobody makes instances, derives from it or sets attributes; copies are the object itself."""
    cls.__new__ = staticmethod(_no_instances)
    cls.__init_subclass__ = classmethod(_no_subclasses)
    cls.__setattr__ = _set_attribute
    cls.__delattr__ = lambda self, name: _set_attribute(self, name, None)
    cls.__copy__ = lambda self: self
    cls.__deepcopy__ = lambda self, memo, /: self
    cls.__reduce_ex__ = _no_pickle
    cls.__class_getitem__ = classmethod(lambda cls, item, /: _GenericAlias(cls, item))
    return cls


@_closed
class Pattern:
    _ptc_named_arguments = True               # of its methods, in C, too

    def _ptc_subject(self, string):
        """The characters of what is searched."""
        is_text = _is_text(string)
        if is_text is None:
            raise TypeError(f"expected string or bytes-like object, got '{type(string).__name__}'")
        if is_text != self._ptc_is_text:
            raise TypeError("cannot use a string pattern on a bytes-like object" if self._ptc_is_text else
                            "cannot use a bytes pattern on a string-like object")
        return string if type(string) is str or type(string) is bytes else _plain(string, is_text)

    def _ptc_find(self, string, pos, endpos, mode):
        plain = self._ptc_subject(string)
        pos, endpos = _clamped(pos, len(plain)), _clamped(endpos, len(plain))
        found = _find(self._ptc_plain, self.flags, plain, pos, endpos, mode)
        return None if found is None else _matched(self, string, plain, pos, endpos, found)

    def _ptc_find_all(self, string, pos=0, endpos=_MAX, most=0):
        plain = self._ptc_subject(string)
        pos, endpos = _clamped(pos, len(plain)), _clamped(endpos, len(plain))
        return plain, pos, endpos, _find_all(self._ptc_plain, self.flags, plain, pos, endpos, most)

    def match(self, string, pos=0, endpos=_MAX):
        return self._ptc_find(string, pos, endpos, _MATCH)

    def fullmatch(self, string, pos=0, endpos=_MAX):
        return self._ptc_find(string, pos, endpos, _FULL_MATCH)

    def search(self, string, pos=0, endpos=_MAX):
        return self._ptc_find(string, pos, endpos, _SEARCH)

    if _MINOR >= 15:
        prefixmatch = match

    def finditer(self, string, pos=0, endpos=_MAX):
        plain, pos, endpos, all = self._ptc_find_all(string, pos, endpos)
        rest = iter([_matched(self, string, plain, pos, endpos, found) for found in all])
        return iter(lambda: next(rest, None), None)

    def findall(self, string, pos=0, endpos=_MAX):
        plain, _, _, all = self._ptc_find_all(string, pos, endpos)
        if self.groups < 2:
            at = 1 + 2 * self.groups
            return [plain[found[at]:found[at + 1]] if found[at] >= 0 else plain[:0] for found in all]
        ends = range(3, 3 + 2 * self.groups, 2)
        return [tuple([plain[found[n]:found[n + 1]] if found[n] >= 0 else plain[:0] for n in ends]) for found in all]

    def split(self, string, maxsplit=0):
        plain, _, _, all = self._ptc_find_all(string, most=max(_index(maxsplit), 0)) if maxsplit >= 0 else (
            self._ptc_subject(string), 0, 0, [])
        last, parts = 0, []
        for found in all:
            parts.append(plain[last:found[1]])
            parts += [plain[found[n]:found[n + 1]] if found[n] >= 0 else None for n in range(3, len(found), 2)]
            last = found[2]
        parts.append(plain[last:])
        return parts

    def _ptc_replaced(self, repl, string, count):
        expand = repl if callable(repl) else self._ptc_template(repl)
        plain, pos, endpos, all = self._ptc_find_all(string, most=count) if count >= 0 else (self._ptc_subject(string), 0, 0, [])
        if not all:
            return string if type(string) in (str, bytes) else plain, 0
        last, parts = 0, []
        for found in all:
            if last < found[1]:
                parts.append(plain[last:found[1]])
            item = expand(_matched(self, string, plain, pos, endpos, found))
            if item is not None:
                parts.append(item)
            last = found[2]
        if last < len(plain):
            parts.append(plain[last:])
        return plain[:0].join(parts), len(all)

    def _ptc_template(self, repl):
        """A function of a match that gives what a replacement is for it."""
        is_text = _is_text(repl)
        if is_text is None:
            raise TypeError(f"decoding to str: need a bytes-like object, {type(repl).__name__} found")
        plain = _plain(repl, is_text)
        if ("\\" if is_text else b"\\") not in plain:
            return lambda match: repl
        parts = _checked(_template(self._ptc_plain, self.flags, plain), repl)[1]
        return lambda match: _expanded(parts, match, plain[:0])

    def sub(self, repl, string, count=0):
        return self._ptc_replaced(repl, string, _index(count))[0]

    def subn(self, repl, string, count=0):
        return self._ptc_replaced(repl, string, _index(count))

    def __repr__(self):
        flags = self.flags
        if self._ptc_is_text and flags & _TYPES == _TYPE_OF_TEXT:
            flags &= ~_TYPE_OF_TEXT
        names = _flag_texts(flags, _BY_BIT)
        return f"re.compile({repr(self.pattern)[:200]}{', ' if names else ''}{'|'.join(names)})"

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        return self.flags == other.flags and self._ptc_is_text == other._ptc_is_text and self._ptc_plain == other._ptc_plain

    def __hash__(self):
        return hash((self.flags, self._ptc_plain))


_BY_BIT = sorted(RegexFlag, key=lambda flag: flag._value_)
_TYPE_OF_TEXT = RegexFlag.UNICODE._value_
_TYPES = _TYPE_OF_TEXT | RegexFlag.LOCALE._value_ | RegexFlag.ASCII._value_


def _clamped(at, length):
    return min(max(_index(at), 0), length)


def _expanded(parts, match, empty):
    texts = [match.group(part) if isinstance(part, int) else part for part in parts]
    texts = [match.string[:0] if text is None else text for text in texts]
    if _MINOR >= 12 and not [part for part in parts if isinstance(part, int)]:
        return empty.join(texts)
    return match.string[:0].join(texts)


def _matched(pattern, string, plain, pos, endpos, found):
    made = object.__new__(Match)
    for name, value in (("re", pattern), ("string", string), ("pos", pos), ("endpos", endpos), ("lastindex", found[0] or None),
                        ("_ptc_plain", plain), ("_ptc_spans", found)):
        object.__setattr__(made, name, value)
    return made


@_closed
class Match:
    _ptc_named_arguments = True

    def _ptc_number(self, group):
        if isinstance(group, int) or hasattr(type(group), "__index__"):
            n = _index(group)
        else:
            n = self.re.groupindex.get(group, -1) if isinstance(group, (str, bytes)) else -1
        if not 0 <= n <= self.re.groups:
            raise IndexError("no such group")
        return n

    __iter__ = None                             # __getitem__ alone makes no sequence of it

    def _ptc_text(self, n, default=None):
        start, end = self._ptc_spans[1 + 2 * n], self._ptc_spans[2 + 2 * n]
        if start < 0:
            return default
        plain = _plain(self.string, False) if isinstance(self.string, (bytearray, memoryview)) else self._ptc_plain
        return plain[start:end]

    def group(self, *groups):
        if not groups:
            return self._ptc_text(0)
        texts = [self._ptc_text(self._ptc_number(g)) for g in groups]
        return texts[0] if len(texts) == 1 else tuple(texts)

    def __getitem__(self, group, /):
        return self._ptc_text(self._ptc_number(group))

    def groups(self, default=None):
        return tuple([self._ptc_text(n, default) for n in range(1, self.re.groups + 1)])

    def groupdict(self, default=None):
        return {name: self._ptc_text(n, default) for name, n in self.re.groupindex.items()}

    def start(self, group=0, /):
        return self._ptc_spans[1 + 2 * self._ptc_number(group)]

    def end(self, group=0, /):
        return self._ptc_spans[2 + 2 * self._ptc_number(group)]

    def span(self, group=0, /):
        n = self._ptc_number(group)
        return self._ptc_spans[1 + 2 * n], self._ptc_spans[2 + 2 * n]

    def expand(self, template):
        return self.re._ptc_template(template)(self)

    @property
    def regs(self):
        return tuple([self.span(n) for n in range(self.re.groups + 1)])

    @property
    def lastgroup(self):
        for name, n in self.re.groupindex.items():
            if n == self.lastindex:
                return name
        return None

    def __repr__(self):
        return f"<re.Match object; span={self.span()}, match={repr(self.group())[:50]}>"


def compile(pattern, flags=0):
    return _make(pattern, flags)


def match(pattern, string, flags=0):
    return _make(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return _make(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return _make(pattern, flags).search(string)


if _MINOR >= 15:
    prefixmatch = match


def sub(pattern, repl, string, count=0, flags=0):
    return _make(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return _make(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return _make(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return _make(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return _make(pattern, flags).finditer(string)


def purge():
    _forget("re")


_ESCAPED = {ord(c): "\\" + c for c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, str):
        return pattern.translate(_ESCAPED)
    return str(pattern, "latin1").translate(_ESCAPED).encode("latin1")
