"""contextvars: variables of contexts, of which each thread has one to begin with. The order of variables in a context is refused."""
import threading as _threading
from collections.abc import _GenericAlias
from _ptc_torch import _refuse


class _Missing:
    _ptc_known_as = "Token.MISSING"

    def __repr__(self):
        return "<Token.MISSING>"


_unset = object()    # Token.MISSING is a value that programs may give


def _refuse_subclass(what):
    def __init_subclass__(cls, **kwargs):
        raise TypeError(f"type '{what}' is not an acceptable base type")
    return classmethod(__init_subclass__)


class Token:
    _ptc_known_as = "_contextvars.Token"
    MISSING = _Missing()
    __hash__ = None
    __init_subclass__ = _refuse_subclass("_contextvars.Token")

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)

    def __new__(cls, *args, **kwargs):
        raise RuntimeError("Tokens can only be created by ContextVars")

    @property
    def var(self):
        return self._ptc_var

    @property
    def old_value(self):
        return Token.MISSING if self._ptc_old is _unset else self._ptc_old

    def __repr__(self):
        _refuse("repr() of a contextvars.Token")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._ptc_var.reset(self)


class ContextVar:
    _ptc_known_as = "_contextvars.ContextVar"
    __init_subclass__ = _refuse_subclass("_contextvars.ContextVar")

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)

    def __init__(self, name, *, default=_unset):
        if not isinstance(name, str):
            raise TypeError("context variable name must be a str")
        self._ptc_name, self._ptc_default = name, default
        self._ptc_own, self._ptc_others = _unset, []    # of the main thread, and pairs of the others, where they entered no context
        _contexts.variables.append(self)

    @property
    def name(self):
        return self._ptc_name

    @property
    def _ptc_value(self):
        context = _entered()
        if context is not None:
            return context._ptc_find(self)
        return _of_thread(self._ptc_own, self._ptc_others, _unset)

    @_ptc_value.setter
    def _ptc_value(self, value):
        context = _entered()
        if context is not None:
            context._ptc_values = [pair for pair in context._ptc_values if pair[0] is not self] + ([] if value is _unset else [(self, value)])
        elif _threading._current is _threading._main:
            self._ptc_own = value
        else:
            self._ptc_others = _with_thread(self._ptc_others, value, _unset)

    def get(self, default=_unset, /):
        for value in (self._ptc_value, default, self._ptc_default):
            if value is not _unset:
                return value
        raise LookupError(self)

    def set(self, value, /):
        token = object.__new__(Token)
        token._ptc_var, token._ptc_old, token._ptc_used = self, self._ptc_value, False
        self._ptc_value = value
        return token

    def reset(self, token, /):
        if not isinstance(token, Token):
            raise TypeError(f"expected an instance of Token, got {token!r}")
        if token._ptc_used or token._ptc_var is not self:
            _refuse("reset() by a contextvars.Token that was used, or of another variable")    # the text has addresses
        token._ptc_used = True
        self._ptc_value = token._ptc_old

    def __repr__(self):
        _refuse("repr() of a contextvars.ContextVar")


class Context:
    _ptc_known_as = "_contextvars.Context"
    __hash__ = None
    __init_subclass__ = _refuse_subclass("_contextvars.Context")

    def __init__(self):
        self._ptc_values, self._ptc_entered = [], False

    def _ptc_find(self, var):
        for other, value in self._ptc_values:
            if other is var:
                return value
        return _unset

    def run(self, callable, /, *args, **kwargs):
        if self._ptc_entered:
            _refuse("entering a contextvars.Context that is entered")    # the text has addresses
        outer, self._ptc_entered = _entered(), True
        _enter(self)
        try:
            return callable(*args, **kwargs)
        finally:
            _enter(outer)
            self._ptc_entered = False

    def copy(self):
        made = Context()
        made._ptc_values = list(self._ptc_values)
        return made

    def get(self, key, default=None, /):
        value = self._ptc_find(_check_key(key))
        return default if value is _unset else value

    def __getitem__(self, key):
        value = self._ptc_find(_check_key(key))
        if value is _unset:
            raise KeyError(key)
        return value

    def __contains__(self, key):
        return self._ptc_find(_check_key(key)) is not _unset

    def __len__(self):
        return len(self._ptc_values)

    def _ptc_ordered(self):
        if len(self._ptc_values) > 1:
            _refuse("the order of variables in a contextvars.Context")
        return self._ptc_values

    def keys(self):
        return iter([var for var, _ in self._ptc_ordered()])

    __iter__ = keys

    def values(self):
        return iter([value for _, value in self._ptc_ordered()])

    def items(self):
        return iter(list(self._ptc_ordered()))

    def __eq__(self, other):
        _refuse("comparing a contextvars.Context")

    def __repr__(self):
        _refuse("repr() of a contextvars.Context")


def _check_key(key):
    if not isinstance(key, ContextVar):
        raise TypeError(f"a ContextVar key was expected, got {key!r}")
    return key


class _Contexts:
    """What threads have entered, None or of the main thread and pairs of the others, and all variables that there are."""
    here = None
    others, variables = [], []


_contexts = _Contexts()


def _of_thread(of_main, others, missing):
    """What this thread has: `others` are pairs of the threads beside the main one."""
    if _threading._current is _threading._main:
        return of_main
    for thread, value in others:
        if thread is _threading._current:
            return value
    return missing


def _with_thread(others, value, missing):
    """The pairs, where this thread has another value; `missing`: none."""
    left = [pair for pair in others if pair[0] is not _threading._current]
    return left if value is missing else left + [(_threading._current, value)]


def _entered():
    return _of_thread(_contexts.here, _contexts.others, None)


def _enter(context):
    if _threading._current is _threading._main:
        _contexts.here = context
    else:
        _contexts.others = _with_thread(_contexts.others, context, None)


def copy_context():
    made = Context()
    made._ptc_values = [(var, var._ptc_value) for var in _contexts.variables if var._ptc_value is not _unset]
    return made
