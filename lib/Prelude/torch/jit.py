"""torch.jit: decorators are the identity, questions are answers about the world."""
from typing import Final


def script(obj=None, *args, **kwargs):
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
