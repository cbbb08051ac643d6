"""torch._C: who is asked by functions of torch; the rest of it has no model, or is spelled by operations."""
from torch._overridden import _Disabled, _SUBCLASSES, _ALL


class DisableTorchFunctionSubclass(_Disabled):
    _ptc_mode = _SUBCLASSES


class DisableTorchFunction(_Disabled):
    _ptc_mode = _ALL


def _disabled_torch_function_impl(cls, func, types, args=(), kwargs=None):
    return func(*args, **kwargs or {})
