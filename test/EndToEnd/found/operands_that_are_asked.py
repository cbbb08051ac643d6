"""Who is asked about operators and functions: tensors of derived classes, lists of them, modes."""
import operator

import torch
import torch.nn.functional as F
from torch.overrides import TorchFunctionMode


class Asked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func.__name__, [t.__name__ for t in types], [type(a).__name__ for a in args], kwargs)
        return NotImplemented


class Derived(Asked):
    pass


class Other(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        print(cls.__name__, func.__name__, [t.__name__ for t in types], len(args))
        return NotImplemented


class Answers(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, [type(a).__name__ for a in args], kwargs


class Mode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        print("mode", func.__name__, len(args), kwargs)
        return func(*args, **(kwargs or {}))


class ModeOfClass(TorchFunctionMode):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def operators(x):
    a, b, c = x.as_subclass(Asked), x.as_subclass(Derived), x.as_subclass(Other)
    for p, q in ((a, b), (a, c), (c, a), (a, x), (x, a), (a, 1), (2.0, a), (a, None), (a, "s")):
        for op in (operator.eq, operator.ne, operator.lt, operator.add, operator.sub, operator.floordiv, operator.pow, operator.matmul):
            try:
                print(op.__name__, op(p, q))
            except TypeError as e:
                print(op.__name__, e)


def functions(x):
    a = x.as_subclass(Answers)
    print(F.kl_div(a, x), torch.meshgrid(a, a), torch.meshgrid(a, a, indexing="xy"), torch.meshgrid([a, a]))
    print(torch.einsum("ij->j", [a]), torch.einsum("ij,kj->ik", (a, x)), torch.einsum("ij,kj->ik", a, x))
    print(torch.atleast_2d([a, x]), torch.atleast_1d(a, x), F.threshold(a, 1, 2), F.threshold(a, 1, 2, True))
    print(torch.sinc(a), torch.take(a, torch.tensor([0])), a.is_signed(), torch.nansum(a))


def modes(x):
    with Mode():
        F.threshold(x, 1, 2)
        torch.sinc(x)
        x == x, x != x, x == 1
    try:
        with ModeOfClass():
            x + 1
    except RuntimeError as e:
        print(e)
    with ModeOfClass():
        print(F.relu(x) if False else "a function of Python")


def entry(x):
    operators(x)
    functions(x)
    modes(x)
    print(torch.Tensor.__rsub__.__module__, torch.Tensor.__rpow__.__module__, hasattr(torch.Tensor.__add__, "__module__"))
    return x
