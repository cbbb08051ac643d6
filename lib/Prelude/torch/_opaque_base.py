"""torch._opaque_base: objects that graphs of torch.compile hold as they are. A program here has none."""
from _ptc_torch import _refuse


class OpaqueBaseMeta(type):
    def __instancecheck__(cls, instance):
        return cls is not OpaqueBase and super().__instancecheck__(instance)


class OpaqueBase(metaclass=OpaqueBaseMeta):
    def __init_subclass__(cls, **kwargs):
        _refuse("a class derived from torch._opaque_base.OpaqueBase")
