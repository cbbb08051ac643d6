"""types: names of built-in classes, and SimpleNamespace."""
import abc as _abc
import sys as _sys
from collections.abc import Mapping as _Mapping


def _function():
    yield


class _Class:
    def method(self):
        pass


class SimpleNamespace:
    def __init__(self, /, **kwargs):
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


class MappingProxyType:
    def __init__(self, mapping):
        self._ptc_mapping = mapping

    def __getitem__(self, key):
        return self._ptc_mapping[key]

    def __iter__(self):
        return iter(self._ptc_mapping)

    def __len__(self):
        return len(self._ptc_mapping)

    def __contains__(self, key):
        return key in self._ptc_mapping

    def __reversed__(self):
        return reversed(self._ptc_mapping)

    def __eq__(self, other):
        return self._ptc_mapping == _unwrapped(other)

    def __ne__(self, other):
        return self._ptc_mapping != _unwrapped(other)

    if _sys.version_info < (3, 12):
        __hash__ = None
    else:
        def __hash__(self):
            return hash(self._ptc_mapping)

    def __setitem__(self, key, value):
        raise TypeError("'mappingproxy' object does not support item assignment")

    def __delitem__(self, key):
        raise TypeError("'mappingproxy' object does not support item deletion")

    def __repr__(self):
        return f"mappingproxy({self._ptc_mapping!r})"

    def __str__(self):
        return str(self._ptc_mapping)

    def __or__(self, other):
        return self._ptc_mapping | _unwrapped(other)

    def __ror__(self, other):
        return _unwrapped(other) | self._ptc_mapping

    def __ior__(self, other):
        raise TypeError("'|=' is not supported by mappingproxy; use '|' instead")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle 'mappingproxy' object")

    def get(self, key, default=None):
        return self._ptc_mapping.get(key, default)

    def keys(self):
        return self._ptc_mapping.keys()

    def values(self):
        return self._ptc_mapping.values()

    def items(self):
        return self._ptc_mapping.items()

    def copy(self):
        return self._ptc_mapping.copy()


MappingProxyType.__name__ = MappingProxyType.__qualname__ = "mappingproxy"
MappingProxyType.__module__ = "builtins"


def _unwrapped(mapping):
    return mapping._ptc_mapping if isinstance(mapping, MappingProxyType) else mapping


_Mapping.register(MappingProxyType)
