"""What annotations mean that name types by text."""
import builtins as _builtins

from _ptc_torch import _refuse
from typing._forms import ForwardRef, _Alias, _BuiltinAlias, _LiteralAlias, _UnionType, _union, _union_args


class _Annotation:
    """An annotation given as text: names and their attributes, subscripts, `|`, tuples, lists, constants."""

    def __init__(self, text, names):
        self._text, self._names, self._at = text, names, 0

    def value(self):
        found = self._union()
        if self._peek():
            self._give_up()
        return found

    def _give_up(self):
        _refuse(f"the annotation {self._text!r} as text")

    def _peek(self):
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at:self._at + 1]

    def _take(self, mark):
        if self._peek() != mark:
            return False
        self._at += 1
        return True

    def _union(self):
        found = self._primary()
        while self._take("|"):
            found = found | self._primary()
        return found

    def _primary(self):
        found = self._atom()
        while True:
            if self._take("."):
                self._peek()
                found = getattr(found, self._word())
            elif self._take("["):
                items, single = self._items("]")
                found = found[items[0] if single else tuple(items)]
            else:
                return found

    def _items(self, end):
        """The items up to the closing bracket; whether it is one without a comma."""
        items, comma = [], False
        while not self._take(end):
            if items and not comma:
                self._give_up()
            items.append(self._union())
            comma = self._take(",")
        return items, len(items) == 1 and not comma

    def _word(self):
        start = self._at
        while self._at < len(self._text) and (self._text[self._at].isalnum() or self._text[self._at] == "_"):
            self._at += 1
        if start == self._at:
            self._give_up()
        return self._text[start:self._at]

    def _atom(self):
        if self._take("("):
            items, single = self._items(")")
            return items[0] if single else tuple(items)
        if self._take("["):
            return self._items("]")[0]
        mark = self._peek()
        if mark in ("'", '"') and mark:
            end = self._text.find(mark, self._at + 1)
            if end <= self._at + 1 or "\\" in self._text[self._at:end]:
                self._give_up()
            found = self._text[self._at + 1:end]
            self._at = end + 1
            return found
        if self._text[self._at:self._at + 3] == "...":
            self._at += 3
            return ...
        return self._named(self._word())

    def _named(self, word):
        if word.isdecimal():
            return int(word)
        if not word.isidentifier():
            self._give_up()
        if word in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[word]
        for names in (*self._names, _builtins.__dict__):
            if word in names:
                return names[word]
        raise NameError(f"name '{word}' is not defined", name=word)


def _evaluated(hint, names):
    """What an annotation means, where text stands for the objects that it names."""
    if hint is None:
        return type(None)
    if isinstance(hint, ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        return _evaluated(_Annotation(hint, names).value(), names)
    members = _union_args(hint)
    if members is not None:
        return _union([_evaluated(m, names) for m in members]) if any([_refers(m) for m in members]) else hint
    if isinstance(hint, _BuiltinAlias) and _refers(hint):
        return _BuiltinAlias(hint.__origin__, tuple([_evaluated(a, names) if isinstance(a, str) or _refers(a) else a for a in hint.__args__]))
    if isinstance(hint, _Alias) and _refers(hint):
        return hint._ptc_with(tuple([_evaluated_part(a, names) for a in hint._ptc_args]))
    return hint


def _evaluated_part(a, names):
    if isinstance(a, list):
        return [_evaluated_part(b, names) for b in a]
    return _evaluated(a, names) if _refers(a) else a


def _refers(a):
    """Does a type name another one by text, itself or in its arguments?"""
    if isinstance(a, ForwardRef) or isinstance(a, list):
        return isinstance(a, ForwardRef) or any([_refers(b) for b in a])
    if isinstance(a, _BuiltinAlias):
        return any([isinstance(b, str) or _refers(b) for b in a.__args__])
    if isinstance(a, _UnionType):
        return any([_refers(b) for b in a.__args__])
    return isinstance(a, _Alias) and not isinstance(a, _LiteralAlias) and any([_refers(b) for b in a._ptc_args])
