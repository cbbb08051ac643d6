"""Abstract base classes: what cannot be instantiated, registered and structural subclasses."""
from _ptc import _is_opaque, _is_unknown, _python_minor, _refuse_class


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True


class abstractproperty(property):
    __isabstractmethod__ = True


def _is_abstract(value):
    if _is_opaque(value):
        return False
    if isinstance(value, (abstractclassmethod, abstractstaticmethod, abstractproperty)):
        return True
    if isinstance(value, property):
        return _is_abstract(value.fget) or _is_abstract(value.fset) or _is_abstract(value.fdel)
    if isinstance(value, (classmethod, staticmethod)):
        return _is_abstract(value.__func__)
    return True if getattr(value, "__isabstractmethod__", False) else False


def _refuse(cls):
    names = sorted(cls.__abstractmethods__)
    plural = "s" if len(names) > 1 else ""
    if _python_minor() < 12:
        raise TypeError(f"Can't instantiate abstract class {cls.__name__} with abstract method{plural} {', '.join(names)}")
    listed = ", ".join([f"'{n}'" for n in names])
    raise TypeError(f"Can't instantiate abstract class {cls.__name__} without an implementation for abstract method{plural} {listed}")


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        names = {n for n, v in namespace.items() if _is_abstract(v)}
        for base in bases:
            for n in getattr(base, "__abstractmethods__", ()):
                if _is_abstract(getattr(cls, n, None)):
                    names.add(n)
        cls.__abstractmethods__ = frozenset(names)
        unknown = {n: v for n, v in namespace.items() if _is_unknown(v)}    # may be abstract
        for base in bases:
            for n, v in getattr(base, "_ptc_unknown", {}).items():
                if n not in unknown and _is_unknown(getattr(cls, n, None)):
                    unknown[n] = v
        cls._ptc_unknown = unknown
        cls._ptc_registry = []
        return cls

    def __call__(cls, /, *args, **kwargs):
        if cls.__abstractmethods__:
            _refuse(cls)
        for value in cls._ptc_unknown.values():
            _refuse_class(value, True)
        return super().__call__(*args, **kwargs)

    def register(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("Can only register classes")
        if not issubclass(subclass, cls):
            cls._ptc_registry.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        kind = type(instance)
        if cls.__subclasscheck__(kind):
            return True
        claimed = instance.__class__
        return claimed is not kind and cls.__subclasscheck__(claimed)

    def __subclasscheck__(cls, subclass):
        if not isinstance(subclass, type):
            raise TypeError("issubclass() arg 1 must be a class")
        hook = cls.__subclasshook__(subclass)
        if hook is not NotImplemented:
            return True if hook else False
        if cls in subclass.__mro__:
            return True
        for other in cls._ptc_registry:
            if issubclass(subclass, other):
                return True
        for child in cls.__subclasses__():
            if issubclass(subclass, child):
                return True
        return False


class ABC(metaclass=ABCMeta):
    __slots__ = ()


def update_abstractmethods(cls):
    if not hasattr(cls, "__abstractmethods__"):
        return cls
    names = {n for b in cls.__bases__ for n in getattr(b, "__abstractmethods__", ()) if _is_abstract(getattr(cls, n, None))}
    cls.__abstractmethods__ = frozenset(names | {n for n, v in cls.__dict__.items() if _is_abstract(v)})
    return cls


def get_cache_token():
    return 0
