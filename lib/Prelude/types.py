"""types: names of built-in classes, and SimpleNamespace."""
import abc as _abc

from _ptc import _mapping_proxy, _python_minor
from sys import _SimpleNamespace


def _function():
    yield


class _Class:
    def method(self):
        pass


SimpleNamespace = _SimpleNamespace


class DynamicClassAttribute:
    """A property of instances; asked of the class, it is for the metaclass's __getattr__ to say what there is."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget, self.fset, self.fdel = fget, fset, fdel
        self.__doc__ = doc or fget.__doc__
        self.overwrite_doc = doc is None
        self.__isabstractmethod__ = True if getattr(fget, "__isabstractmethod__", False) else False

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            if self.__isabstractmethod__:
                return self
            raise AttributeError()
        if self.fget is None:
            raise AttributeError("unreadable attribute")
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def _ptc_with(self, fget, fset, fdel, doc):
        made = type(self)(fget, fset, fdel, doc)
        made.overwrite_doc = self.overwrite_doc
        return made

    def getter(self, fget):
        doc = fget.__doc__ if self.overwrite_doc else None
        return self._ptc_with(fget, self.fset, self.fdel, doc or self.__doc__)

    def setter(self, fset):
        return self._ptc_with(self.fget, fset, self.fdel, self.__doc__)

    def deleter(self, fdel):
        return self._ptc_with(self.fget, self.fset, fdel, self.__doc__)


class _Slotted:
    __slots__ = ("slot",)


FunctionType = LambdaType = type(_function)
MethodType = type(_Class().method)
GeneratorType = type(_function())
BuiltinFunctionType = BuiltinMethodType = type(len)
ModuleType = type(_abc)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
try:
    UnionType = type(int | str)
except TypeError:
    pass  # The engine has no unions of classes: the name stays undefined.


def new_class(name, bases=(), kwds=None, exec_body=None):
    ns = {}
    if exec_body is not None:
        exec_body(ns)
    kwds = dict(kwds or {})
    meta = kwds.pop("metaclass", type(bases[0]) if bases else type)
    ns.setdefault("__module__", "types")
    return meta(name, bases, ns, **kwds)


def _cell():
    value = None

    def inner():
        return value

    return inner.__closure__[0]


CodeType = type(_function.__code__)
CellType = type(_cell())
MethodDescriptorType = type(str.join)
MemberDescriptorType = type(_Slotted.slot)
GenericAlias = type(list[int])


MappingProxyType = _mapping_proxy()


def get_original_bases(cls, /):
    try:
        return cls.__dict__.get("__orig_bases__", cls.__bases__)
    except AttributeError:
        raise TypeError(f"Expected an instance of type, not {type(cls).__name__!r}") from None
