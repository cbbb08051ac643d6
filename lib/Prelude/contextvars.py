"""contextvars: variables of the one context that each thread has. Contexts themselves have no model."""
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
        self._ptc_own, self._ptc_others = _unset, []    # of the main thread, and pairs of the others

    @property
    def name(self):
        return self._ptc_name

    @property
    def _ptc_value(self):
        if _threading._current is _threading._main:
            return self._ptc_own
        for thread, value in self._ptc_others:
            if thread is _threading._current:
                return value
        return _unset

    @_ptc_value.setter
    def _ptc_value(self, value):
        if _threading._current is _threading._main:
            self._ptc_own = value
        else:
            others = [pair for pair in self._ptc_others if pair[0] is not _threading._current]
            self._ptc_others = others if value is _unset else others + [(_threading._current, value)]

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
