"""torch._C: who is asked by functions of torch; the rest of it has no model, or is spelled by operations."""
from torch._overridden import _AllDisabled, _Disabled, _SUBCLASSES


class DisableTorchFunctionSubclass(_Disabled):
    _ptc_mode = _SUBCLASSES


class DisableTorchFunction(_AllDisabled):
    pass


def _disabled_torch_function_impl(cls, func, types, args=(), kwargs=None):
    return func(*args, **kwargs or {})
