"""torch.nn.Parameter: a tensor that a module registers."""
from _ptc_torch import Tensor, make_parameter, is_parameter, _refuse


class _ParameterMeta(type):
    def __instancecheck__(cls, value):
        return is_parameter(value)


class Parameter(metaclass=_ParameterMeta):
    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            import torch
            data = torch.empty(0)
        if requires_grad and isinstance(data, Tensor) and not (data.is_floating_point() or data.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return make_parameter(data, requires_grad)


class UninitializedParameter:
    def __init__(self, *args, **kwargs):
        _refuse("lazy modules")


class Buffer:
    """A tensor that a module shall register when it is assigned to; nothing else is known of it."""

    def __init__(self, data=None, *, persistent=True):
        if data is None:
            import torch
            data = torch.empty(0)
        self._ptc_data, self._ptc_persistent = data, persistent

    def __getattr__(self, name):
        _refuse("torch.nn.Buffer outside of a module")
