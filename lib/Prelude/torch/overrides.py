"""torch.overrides: objects with a __torch_function__."""
import torch
from torch._overridden import _ALL, _ask, _no_implementation
from _ptc_torch import _function_modes, _functions_disabled, _overrides, _set_function_modes


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args):
    if _functions_disabled() < _ALL and _function_modes():
        return True
    return not _functions_disabled() and any([_overrides(arg) for arg in relevant_args])


def has_torch_function_unary(obj):
    return has_torch_function((obj,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    answered = _ask(public_api, relevant_args, True, args, kwargs)
    if answered is not None and answered[0]:
        return answered[1]
    _no_implementation(public_api, [] if answered is None else answered[1])


class TorchFunctionMode:
    """What is asked before every function of torch, until it is left."""

    def __init__(self):
        pass

    def __torch_function__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _set_function_modes(_function_modes() + (self,))
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        _set_function_modes(_function_modes()[:-1])

    @classmethod
    def push(cls, *args, **kwargs):
        return cls(*args, **kwargs)


class BaseTorchFunctionMode(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **kwargs or {})
