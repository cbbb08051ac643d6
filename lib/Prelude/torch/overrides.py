"""torch.overrides: objects with a __torch_function__."""
import torch
from torch._overridden import _ask, _functions_disabled, _no_implementation, _overrides


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args):
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
