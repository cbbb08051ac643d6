"""torch.nn.Parameter: a tensor that a module registers."""
from _ptc_torch import Tensor, make_parameter, is_parameter, _refuse


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(cls, value):
        return is_parameter(value) if cls is Parameter else super().__instancecheck__(value)


class Parameter(Tensor, metaclass=_ParameterMeta):
    def __new__(cls, data=None, requires_grad=True):
        if cls is not Parameter:
            _refuse("an object of a class derived from torch.nn.Parameter")
        if data is None:
            import torch
            data = torch.empty(0)
        if requires_grad and isinstance(data, Tensor) and not (data.is_floating_point() or data.is_complex()):
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        return make_parameter(data, requires_grad)


class UninitializedParameter(Parameter):
    def __new__(cls, *args, **kwargs):
        _refuse("lazy modules")


class _BufferMeta(type(Tensor)):
    def __instancecheck__(cls, value):
        if cls is Buffer and (isinstance(value, _NewBuffer) or isinstance(value, Tensor) and not is_parameter(value)):
            _refuse("isinstance(tensor, torch.nn.Buffer)")  # a module's tensor does not tell where it came from
        return super().__instancecheck__(value)


class Buffer(Tensor, metaclass=_BufferMeta):
    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            import torch
            data = torch.empty(0)
        return _NewBuffer(data, persistent)


class _NewBuffer:
    """A tensor that a module shall register when it is assigned to; nothing else is known of it."""

    def __init__(self, data, persistent):
        self._ptc_data, self._ptc_persistent = data, persistent

    @property
    def __class__(self):
        return Tensor

    def __getattr__(self, name):
        _refuse("torch.nn.Buffer outside of a module")
