"""types: names of built-in classes, and SimpleNamespace."""


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
ModuleType = type(__import__("abc"))
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
UnionType = type(int | str)


def new_class(name, bases=(), kwds=None, exec_body=None):
    ns = {}
    if exec_body is not None:
        exec_body(ns)
    kwds = dict(kwds or {})
    meta = kwds.pop("metaclass", type(bases[0]) if bases else type)
    return meta(name, bases, ns, **kwds)
