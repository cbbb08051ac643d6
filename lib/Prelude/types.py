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


class _IsAbstract:
    """Instances have it, their class does not."""

    def __get__(self, made, cls=None):
        if made is None:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute '__isabstractmethod__'")
        return True if getattr(made.fget, "__isabstractmethod__", False) else False


class DynamicClassAttribute(property):
    __isabstractmethod__ = _IsAbstract()


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
GenericAlias = type(list[int])


MappingProxyType = _mapping_proxy()
