"""singledispatch with tensors: abstract classes, unions, annotations as text, methods."""
from __future__ import annotations

import functools
from collections.abc import Collection, Container, Iterable, Mapping, Reversible, Sequence, Sized

import torch
from torch import nn


@functools.singledispatch
def move(value):
    return value


@move.register(Sequence)
def _(value):
    return [move(v) for v in value]


@move.register(Mapping)
def _(value):
    return {k: move(v) for k, v in value.items()}


@move.register
def _(value: torch.Tensor):
    return value + 1


@functools.singledispatch
def kind(value):
    return "default"


@kind.register
def _(value: Iterable):
    return "iterable"


@kind.register
def _(value: nn.Module | None):
    return "module or none"


@kind.register
def _(value: str | torch.dtype):
    return "text or dtype"


class Ops:
    def __init__(self, factor):
        self.factor = factor

    @functools.singledispatchmethod
    def scaled(self, value):
        return None

    @scaled.register
    def _(self, value: torch.Tensor):
        return value * self.factor

    @scaled.register
    def _(self, value: list | tuple):
        return [self.scaled(v) for v in value]


def entry(x):
    kinds = [kind(v) for v in (x, [x], {"a": x}, x.shape, nn.Linear(1, 1), None, "a", x.dtype, 1, x.shape[0], nn.Parameter(x))]
    classes = [isinstance(x, c) for c in (Iterable, Sized, Reversible, Collection, Container, Sequence)]
    return move({"a": [x], "b": (x, 1)}), kinds, classes, Ops(3).scaled([x, (x,), "a"])
