"""torch.nn.Parameter: a tensor that a module registers."""
from _ptc_torch import Tensor, make_parameter, is_parameter, _refuse


class _ParameterMeta(type(Tensor)):
    def __instancecheck__(cls, value):
        if cls is UninitializedParameter:
            return type(value) is _Uninitialized and value._ptc_is_parameter
        return is_parameter(value) or type(value) is _Uninitialized and value._ptc_is_parameter if cls is Parameter else super().__instancecheck__(value)


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
    def __new__(cls, requires_grad=True, device=None, dtype=None):
        if not requires_grad or device is not None and str(device) != "cpu":
            _refuse("torch.nn.parameter.UninitializedParameter without gradients, or on a device")
        return _Uninitialized(True, dtype, None)


class _Uninitialized:
    """A tensor of a module that gets its sizes later: another one takes its place then, so nothing else is known of it."""

    def __init__(self, is_parameter, dtype, owner):
        self._ptc_is_parameter, self._ptc_dtype, self._ptc_owner = is_parameter, dtype, owner

    @property
    def __class__(self):
        return UninitializedParameter if self._ptc_is_parameter else Tensor

    def __getattr__(self, name):
        _refuse(f"'{name}' of a parameter or buffer of a lazy module that was not called")

    def _ptc_put_into(self, module, name):
        if self._ptc_owner is not None:
            _refuse("an uninitialized parameter of several modules")
        self._ptc_owner = module, name
        module._parameters[name] = self

    def materialize(self, shape, device=None, dtype=None):
        import torch
        if self._ptc_owner is None:
            _refuse("an uninitialized parameter of no module")
        module, name = self._ptc_owner
        data = torch.empty(shape, device=device, dtype=self._ptc_dtype if dtype is None else dtype)
        if self._ptc_is_parameter:
            module._parameters[name] = Parameter(data)
        else:
            module._buffers[name] = data


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
