"""regex, where it is installed: patterns that mean to it, in version 0, what they mean to re, on text where both know the same classes of
characters. Everything else is refused."""
import enum
import re as _re
from _ptc import _keep, _kept
from _ptc_torch import _refuse


class RegexFlag(enum.IntFlag):
    A = ASCII = 0x80
    B = BESTMATCH = 0x1000
    D = DEBUG = 0x200
    E = ENHANCEMATCH = 0x8000
    F = FULLCASE = 0x4000
    I = IGNORECASE = 0x2
    L = LOCALE = 0x4
    M = MULTILINE = 0x8
    P = POSIX = 0x10000
    R = REVERSE = 0x400
    S = DOTALL = 0x10
    U = UNICODE = 0x20
    V0 = VERSION0 = 0x2000
    V1 = VERSION1 = 0x100
    W = WORD = 0x800
    X = VERBOSE = 0x40
    T = TEMPLATE = 0x1

    def __repr__(self):
        _refuse("the text of a flag of regex")

    __str__ = __repr__


RegexFlag._ptc_known_as = "regex._regex_core.RegexFlag"
globals().update(RegexFlag.__members__)
_SHARED = {RegexFlag.A: _re.A, RegexFlag.I: _re.I, RegexFlag.M: _re.M, RegexFlag.S: _re.S, RegexFlag.U: _re.U, RegexFlag.V0: _re.NOFLAG}

# Escapes that both know, sets without others in them, counts; a flag of the whole pattern stands at its start. `\B` differs in empty text, a brace
# behind an item may ask for a fuzzy match.
_ITEM = (r"\\[AbdDsSwWZnrtfv\\]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[1-9](?!\d)|\\[^a-zA-Z0-9]"
         r"|\[\^?\]?(?:[^\[\]\\&|~-]|-(?!-)|&(?!&)|\|(?!\|)|~(?!~)|\\[dDsSwWnrtfv\\]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[^a-zA-Z0-9])*\]"
         r"|\((?:\?(?:[:=!>]|<[=!]|P?<[a-zA-Z_]\w*>|P=\w+\)))?|\{\d*,?\d*\}|(?<![^(|])(?<!\\.)\{|[^\\\[\](){]|[)\]]")
_PLAIN = _re.compile(rf"(?:\(\?[ims]+\))?(?:{_ITEM})*", _re.ASCII)
_CLASSES = _re.compile(r"\\[bdDsSwW]")
# Of the others some are a digit, a letter or white space for one of the two only.
_COMMON = _re.compile("[\0-\x1b\x20-\x7f\xc0-\u0130\u0132-\u024f\u2010-\u2027\u2190-\u22ff]*")
_ASCII = _re.compile("[\0-\x1b\x20-\x7f]*")
_ANY = _re.compile(".*", _re.DOTALL)
_TEMPLATE = _re.compile(r"(?:[^\\]|\\[\\n]|\\[1-9](?!\d)|\\g<\w+>)*", _re.ASCII | _re.DOTALL)


class error(Exception):
    _ptc_known_as = "regex._regex_core.error"

    def __init__(self, *args, **kwargs):
        _refuse("an exception of regex")


def _flags_of_re(flags):
    found, left = _re.NOFLAG, int(flags)
    for flag, same in _SHARED.items():
        if left & flag:
            found |= same
            left &= ~int(flag)
    if left:
        _refuse("a flag of regex beyond A, I, M, S, U and V0")
    return found


def _text_for(plain, flags):
    """What the text must be so that both find the same in it."""
    if flags & _re.I:
        return _ASCII
    return _COMMON if _CLASSES.search(plain) and not flags & _re.A else _ANY


def _make(pattern, flags):
    if isinstance(pattern, Pattern):
        if flags:
            _refuse("a compiled pattern of regex with flags")
        return pattern
    if type(pattern) is not str:
        _refuse("a pattern of regex that is no str")
    flags = _flags_of_re(flags)
    known = _kept("regex", (pattern, int(flags)))
    if known is not None:
        return known
    if not _PLAIN.fullmatch(pattern):
        _refuse(f"the pattern {pattern!r} of regex, which may mean something else to re,")
    try:
        compiled = _re.compile(pattern, flags)
    except _re.error:
        _refuse(f"the pattern {pattern!r} of regex, which re does not know,")
    made = object.__new__(Pattern)
    made._ptc_re, made._ptc_text = compiled, _text_for(pattern, compiled.flags)
    _keep("regex", (pattern, int(flags)), made)
    return made


def _template(repl):
    """A replacement, as re takes it."""
    if callable(repl):
        return lambda match: repl(_matched(match))
    if type(repl) is not str or not _TEMPLATE.fullmatch(repl):
        _refuse("a replacement of regex that may mean something else to re")
    return repl


def _count(count):
    if type(count) is not int or count < 0:
        _refuse("a count of regex that is negative or no int")
    return count


class Pattern:
    _ptc_known_as = "_regex.Pattern"

    def _ptc_on(self, string):
        """The pattern of re, for that text."""
        if type(string) is not str:
            _refuse("text of regex that is no str")
        if not self._ptc_text.fullmatch(string):
            _refuse("text of regex with characters of which re knows something else")
        return self._ptc_re

    @property
    def pattern(self):
        return self._ptc_re.pattern

    @property
    def groups(self):
        return self._ptc_re.groups

    def match(self, string):
        return _matched(self._ptc_on(string).match(string))

    def fullmatch(self, string):
        return _matched(self._ptc_on(string).fullmatch(string))

    def search(self, string):
        return _matched(self._ptc_on(string).search(string))

    def finditer(self, string):
        return map(_matched, self._ptc_on(string).finditer(string))

    def findall(self, string):
        return self._ptc_on(string).findall(string)

    def split(self, string, maxsplit=0):
        return self._ptc_on(string).split(string, _count(maxsplit))

    def sub(self, repl, string, count=0):
        return self._ptc_on(string).sub(_template(repl), string, _count(count))

    def subn(self, repl, string, count=0):
        return self._ptc_on(string).subn(_template(repl), string, _count(count))

    def __repr__(self):
        _refuse("the text of a pattern of regex")


def _matched(found):
    if found is None:
        return None
    made = object.__new__(Match)
    made._ptc_re = found
    return made


class Match:
    _ptc_known_as = "_regex.Match"
    __iter__ = None

    @property
    def string(self):
        return self._ptc_re.string

    def group(self, *groups):
        return self._ptc_re.group(*groups)

    def __getitem__(self, group, /):
        return self._ptc_re[group]

    def groups(self, default=None):
        return self._ptc_re.groups(default)

    def groupdict(self, default=None):
        return self._ptc_re.groupdict(default)

    def start(self, group=0, /):
        return self._ptc_re.start(group)

    def end(self, group=0, /):
        return self._ptc_re.end(group)

    def span(self, group=0, /):
        return self._ptc_re.span(group)

    def __repr__(self):
        _refuse("the text of a match of regex")


def compile(pattern, flags=0):
    return _make(pattern, flags)


def match(pattern, string, flags=0):
    return _make(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return _make(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return _make(pattern, flags).search(string)


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
