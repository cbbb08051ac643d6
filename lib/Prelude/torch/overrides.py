"""torch.overrides: whether arguments have a __torch_function__ of their own. Tensors of a program are plain ones."""
import torch
from _ptc_torch import _refuse


def is_tensor_like(inp):
    return type(inp) is torch.Tensor or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args):
    return bool([arg for arg in relevant_args if not isinstance(arg, torch.Tensor) and hasattr(type(arg), "__torch_function__")])


def has_torch_function_unary(obj):
    return has_torch_function((obj,))


def has_torch_function_variadic(*args):
    return has_torch_function(args)


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    _refuse("torch.overrides.handle_torch_function")
