"""types: names of built-in classes, and SimpleNamespace."""
import abc as _abc

from _ptc import _mapping_proxy, _python_minor


def _function():
    yield


class _Class:
    def method(self):
        pass


class SimpleNamespace:
    def __init__(self, /, *args, **kwargs):
        if _python_minor() < 13 and args:
            raise TypeError("no positional arguments expected")
        if len(args) > 1:
            raise TypeError(f"SimpleNamespace expected at most 1 argument, got {len(args)}")
        for k, v in dict(*args).items():
            setattr(self, k, v)
        for k, v in kwargs.items():
            setattr(self, k, v)

    def __eq__(self, other):
        if isinstance(self, SimpleNamespace) and isinstance(other, SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

    def __repr__(self):
        name = "namespace" if type(self) is SimpleNamespace else type(self).__name__
        return f"{name}({', '.join([f'{k}={v!r}' for k, v in self.__dict__.items()])})"


class DynamicClassAttribute(property):
    pass


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
