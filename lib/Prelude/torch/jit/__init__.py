"""torch.jit: decorators are the identity, questions are answers about the world."""
from typing import Final
import sys
import warnings


def _warn_of(name):
    how = "is not supported in Python 3.14+ and may break" if sys.version_info >= (3, 14) else "is deprecated"
    warnings._of_library(f"`torch.jit.{name}` {how}. Please switch to `torch.compile` or `torch.export`.", DeprecationWarning)


def script(obj=None, *args, **kwargs):
    _warn_of("script")
    return obj


def ignore(drop=False, **kwargs):
    return drop if callable(drop) else lambda function: function


def unused(function):
    return function


def export(function):
    return function


def script_if_tracing(function):
    return function


def annotate(kind, value):
    return value


def interface(cls):
    return cls


def _script_if_tracing(function):
    return function


def _overload(function):
    return function


def _overload_method(function):
    return function


script.__module__ = "torch.jit._script"
script_if_tracing.__module__ = _script_if_tracing.__module__ = "torch.jit._trace"
for _function in (export, ignore, unused, _overload, _overload_method):
    _function.__module__ = "torch._jit_internal"
