"""Which attributes a tensor has: those that other libraries ask for, and special methods."""
import torch

NAMES = """
__abs__ __add__ __and__ __array__ __array_api_version__ __array_function__ __array_interface__ __array_namespace__
__array_priority__ __array_struct__ __array_ufunc__ __array_wrap__ __await__ __bool__ __buffer__ __bytes__ __call__
__ceil__ __class__ __complex__ __contains__ __copy__ __coreml__ __cuda_array__ __cuda_array_interface
__cuda_array_interface__ __dataframe__ __deepcopy__ __del__ __delattr__ __delitem__ __dict__ __dir__ __div__
__divmod__ __dlpack__ __dlpack_c_exchange_api__ __dlpack_device__ __doc__ __enter__ __eq__ __exit__ __float__
__floor__ __floordiv__ __format__ __fspath__ __ge__ __getattr__ __getattribute__ __getitem__ __getstate__ __gt__
__hash__ __iadd__ __iand__ __idiv__ __ifloordiv__ __ilshift__ __imatmul__ __imod__ __imul__ __index__ __init__
__init_subclass__ __int__ __invert__ __ior__ __ipow__ __irshift__ __isub__ __iter__ __itruediv__ __ixor__
__jax_array__ __le__ __len__ __length_hint__ __long__ __lshift__ __lt__ __match_args__ __matmul__ __metadata_guard__
__missing__ __mod__ __module__ __mul__ __name__ __ne__ __neg__ __new__ __next__ __nonzero__ __or__ __orig_class__
__pos__ __pow__ __qualname__ __radd__ __rand__ __rdiv__ __rdivmod__ __reduce__ __reduce_ex__ __repr__ __reversed__
__rfloordiv__ __rlshift__ __rmatmul__ __rmod__ __rmul__ __ror__ __round__ __rpow__ __rrshift__ __rshift__ __rsub__
__rtruediv__ __rxor__ __set_name__ __setattr__ __setitem__ __setstate__ __sizeof__ __slots__ __str__ __sub__
__subclasshook__ __tensor__ __torch_dispatch__ __torch_function__ __truediv__ __trunc__ __version__ __xor__
_backward_hooks _base _cdata _fix_weakref _grad _is_view _make_subclass _version
"""


def entry(x):
    asked = [hasattr(x, name) for name in NAMES.split()]
    try:
        x.__cuda_array_interface__
    except AttributeError as e:
        why = str(e)
    return asked, getattr(x, "__cuda_array_interface__", None), why, hasattr(torch.Tensor, "__cuda_array_interface__")
