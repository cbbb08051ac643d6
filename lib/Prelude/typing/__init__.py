"""typing: names for annotations. Nothing is checked at run time."""
import collections as _collections
import collections.abc as _abc
import contextlib as _contextlib
from abc import ABCMeta as _ABCMeta

from _ptc import _caller_place, _is_program_code, _python_minor, _unmodelled_module
from _ptc_torch import _refuse
from typing._forms import (  # noqa: F401
    Annotated, ClassVar, Concatenate, Final, ForwardRef, Generic, Literal, NotRequired, Optional, ParamSpec, ParamSpecArgs, ParamSpecKwargs,
    Required, TypeGuard, TypeVar, TypeVarTuple, Union, Unpack, _Alias, _AnnotatedAlias, _CallableAlias, _CallableName, _check_members, _Form,
    _BuiltinAlias, _is_protocol, _LiteralAlias, _Name, _Special, _TupleName, _type_argument, _union, _union_args, _UnionType)
from typing._text import _evaluated

_GenericAlias = _Alias

TYPE_CHECKING = False
_MINOR = _python_minor()


class _AnyMeta(type):
    def __instancecheck__(self, obj):
        if self is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(obj)

    def __repr__(self):
        return "typing.Any" if self is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    def __new__(cls, *args, **kwargs):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


NoReturn, Never, Self = _Form("NoReturn"), _Form("Never"), _Form("Self")
TypeAlias, LiteralString = _Form("TypeAlias"), _Form("LiteralString")
Callable = _CallableName("Callable", _abc.Callable, 2)
List, Dict, Set, FrozenSet = _Name("List", list, 1), _Name("Dict", dict, 2), _Name("Set", set, 1), _Name("FrozenSet", frozenset, 1)
Tuple, Type = _TupleName("Tuple", tuple, -1), _Name("Type", type, 1)
DefaultDict, OrderedDict = _Name("DefaultDict", _collections.defaultdict, 2), _Name("OrderedDict", _collections.OrderedDict, 2)
Counter, Deque = _Name("Counter", _collections.Counter, 1), _Name("Deque", _collections.deque, 1)
ChainMap = _Name("ChainMap", _collections.ChainMap, 2)
Iterable, Iterator, Reversible = _Name("Iterable", _abc.Iterable, 1), _Name("Iterator", _abc.Iterator, 1), _Name("Reversible", _abc.Reversible, 1)
Generator = _Name("Generator", _abc.Generator, 3, (type(None), type(None)) if _MINOR >= 13 else ())
Awaitable, Coroutine = _Name("Awaitable", _abc.Awaitable, 1), _Name("Coroutine", _abc.Coroutine, 3)
AsyncIterable, AsyncIterator = _Name("AsyncIterable", _abc.AsyncIterable, 1), _Name("AsyncIterator", _abc.AsyncIterator, 1)
Sequence, MutableSequence = _Name("Sequence", _abc.Sequence, 1), _Name("MutableSequence", _abc.MutableSequence, 1)
Mapping, MutableMapping = _Name("Mapping", _abc.Mapping, 2), _Name("MutableMapping", _abc.MutableMapping, 2)
Collection, Container = _Name("Collection", _abc.Collection, 1), _Name("Container", _abc.Container, 1)
Hashable, Sized = _Name("Hashable", _abc.Hashable, 0), _Name("Sized", _abc.Sized, 0)
AbstractSet, MutableSet = _Name("AbstractSet", _abc.Set, 1), _Name("MutableSet", _abc.MutableSet, 1)
KeysView, ValuesView, ItemsView = _Name("KeysView", _abc.KeysView, 1), _Name("ValuesView", _abc.ValuesView, 1), _Name("ItemsView", _abc.ItemsView, 2)
ContextManager = _Name("ContextManager", _contextlib.AbstractContextManager, *((2, (bool | None,)) if _MINOR >= 13 else (1,)))
Text = str


AnyStr = TypeVar("AnyStr", bytes, str)


# What the compiler and the class machinery put into every namespace is no member of a protocol.
_NO_MEMBERS = frozenset((
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__class_getitem__",
    "__classcell__", "__dict__", "__doc__", "__firstlineno__", "__init__", "__match_args__", "__module__", "__new__",
    "__non_callable_proto_members__", "__orig_bases__", "__parameters__", "__protocol_attrs__", "__qualname__", "__slots__",
    "__static_attributes__", "__subclasshook__", "__type_params__", "__weakref__", "_is_protocol", "_is_runtime_protocol", "_ptc_registry",
    "_ptc_unknown"))


def _members(cls):
    """Attributes and methods that a protocol asks for, its bases' included."""
    return {n for base in cls.__mro__ if base.__dict__.get("_is_protocol", False)
            for n in (*base.__dict__, *getattr(base, "__annotations__", ())) if n not in _NO_MEMBERS}


# Classes that are no protocols and that protocols may be derived from.
_LIKE_PROTOCOLS = {
    "collections.abc": ("Callable", "Awaitable", "Iterable", "Iterator", "AsyncIterable", "Hashable", "Sized", "Container", "Collection",
                        "Reversible", *(("Buffer",) if _MINOR >= 12 else ()), *(("AsyncIterator",) if _MINOR >= 13 else ())),
    "contextlib": ("AbstractContextManager", "AbstractAsyncContextManager"),
    "io": ("Reader", "Writer") if _MINOR >= 14 else (),
    "os": ("PathLike",) if _MINOR >= 14 else (),
}


def _is_base_of_protocols(cls):
    return cls is object or cls is Generic or _is_protocol(cls) or cls.__name__ in _LIKE_PROTOCOLS.get(cls.__module__, ()) or (
        issubclass(cls, Generic) and getattr(cls, "_is_protocol", False))


class _ProtocolMeta(_ABCMeta):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        cls._is_protocol = any([_is_protocol(b) for b in bases])
        for base in bases if cls._is_protocol else ():
            if not _is_base_of_protocols(base):
                raise TypeError(f"Protocols can only inherit from other protocols, got {base!r}")
        return cls

    def __call__(cls, /, *args, **kwargs):
        if cls._is_protocol:
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def _ptc_check_runtime(cls):
        if cls is Protocol or cls._is_protocol and not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")

    def __instancecheck__(cls, instance):
        cls._ptc_check_runtime()
        if super().__instancecheck__(instance):
            return True
        if not cls._is_protocol:
            return False
        # A method that is None is one that the class says it has not.
        return all([hasattr(instance, n) and (not callable(getattr(cls, n, None)) or getattr(instance, n) is not None)
                    for n in _members(cls)])

    def __subclasscheck__(cls, subclass):
        if not cls._is_protocol:
            return super().__subclasscheck__(subclass)
        cls._ptc_check_runtime()
        members = _members(cls)
        if any([not callable(getattr(cls, n, None)) for n in members]):
            _refuse(f"issubclass() of the protocol '{cls.__name__}', which has members that are no methods,")
        if super().__subclasscheck__(subclass):
            return True
        found = [[k.__dict__[n] for k in subclass.__mro__ if n in k.__dict__][:1] for n in members]
        return all([f and f[0] is not None for f in found])


class Protocol(Generic, metaclass=_ProtocolMeta):
    __slots__ = ()


class IO(Generic[AnyStr]):
    __slots__ = ()


class BinaryIO(IO[bytes]):
    __slots__ = ()


class TextIO(IO[str]):
    __slots__ = ()


def runtime_checkable(cls):
    if not issubclass(cls, Generic) or not getattr(cls, "_is_protocol", False):
        raise TypeError(f"@runtime_checkable can be only applied to protocol classes, got {cls!r}")
    cls._is_runtime_protocol = True
    return cls


@runtime_checkable
class SupportsInt(Protocol):
    def __int__(self): ...


@runtime_checkable
class SupportsFloat(Protocol):
    def __float__(self): ...


@runtime_checkable
class SupportsIndex(Protocol):
    def __index__(self): ...


@runtime_checkable
class SupportsAbs(Protocol):
    def __abs__(self): ...


class NamedTupleMeta(type):
    def __new__(cls, name, bases, ns, **kwargs):
        if not kwargs.pop("_fields", True) or bases == ():
            return super().__new__(cls, name, bases, ns)
        annotations = ns.get("__annotations__", None)
        if annotations is None:
            probe = type(name, (), {k: v for k, v in ns.items() if k.startswith("__annot")})
            annotations = getattr(probe, "__annotations__", {})
        fields = list(annotations)
        defaults = [ns[n] for n in fields if n in ns]
        for at, n in enumerate(fields):
            before = [f for f in fields[:at] if f in ns]
            if before and n not in ns:
                raise TypeError(f"Non-default namedtuple field {n} cannot follow default field{'s' if len(before) > 1 else ''} "
                                f"{', '.join(before)}")
        for n in ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields", "_field_defaults", "_field_types", "_make", "_replace",
                  "_asdict", "_source"):
            if n in ns:
                raise AttributeError("Cannot overwrite NamedTuple attribute " + n)
        made = _collections.namedtuple(name, fields, defaults=defaults)
        for k, v in ns.items():
            if k not in fields and k not in ("__annotations__", "__annotate__", "__annotate_func__", "__classcell__", "__orig_bases__"):
                setattr(made, k, v)
        made.__annotations__ = made.__new__.__annotations__ = dict(annotations)
        made.__orig_bases__ = (NamedTuple,)
        return made


class _NamedTuple(metaclass=NamedTupleMeta):
    pass


def NamedTuple(typename, fields=None, /, **kwargs):
    pairs = list(fields or kwargs.items())
    made = _collections.namedtuple(typename, [n for n, _ in pairs], module=_caller_place(1)[0])
    made.__annotations__ = made.__new__.__annotations__ = {n: _type_argument(t) for n, t in pairs}
    return made


def _named_tuple_bases(bases):
    if len(bases) > 1:
        _refuse("typing.NamedTuple with other bases")
    return (_NamedTuple,)


NamedTuple.__mro_entries__ = _named_tuple_bases


class _TypedDictMeta(type):
    def __new__(cls, name, bases, ns, total=True):
        if any([type(b) is not _TypedDictMeta and b is not Generic for b in bases]):
            raise TypeError("cannot inherit from both a TypedDict type and a non-TypedDict base class")
        is_generic = any([issubclass(b, Generic) for b in bases if b is Generic or b._ptc_is_generic])
        made = super().__new__(cls, name, (*((Generic,) if is_generic else ()), dict), dict(ns))
        made._ptc_is_generic = is_generic
        own = {n: ForwardRef(t, module=made.__module__) if isinstance(t, str) else
               _type_argument(t, "TypedDict('Name', {f0: t0, f1: t1, ...}); each t must be a type", True)
               for n, t in getattr(made, "__annotations__", {}).items()}
        hints, required, optional = {}, set(), set()
        for b in bases:
            if b is not Generic:
                hints.update(b.__annotations__)
                required |= b.__required_keys__
                optional |= b.__optional_keys__
        hints.update(own)
        for n, t in own.items():
            t = t.__origin__ if isinstance(t, _AnnotatedAlias) else t
            form = get_origin(t)
            is_required = form is Required or total and form is not NotRequired
            (required if is_required else optional).add(n)
            (optional if is_required else required).discard(n)
        made.__annotations__ = hints
        made.__required_keys__, made.__optional_keys__ = frozenset(required), frozenset(optional)
        made.__total__ = total
        return made

    def __init__(cls, name, bases, ns, total=True):
        pass

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")

    __subclasscheck__ = __instancecheck__

    def __call__(cls, /, *args, **kwargs):
        return dict(*args, **kwargs)


_TypedDict = type.__new__(_TypedDictMeta, "TypedDict", (), {"__annotations__": {}})
_TypedDict.__required_keys__ = _TypedDict.__optional_keys__ = frozenset()
_TypedDict._ptc_is_generic = False


def TypedDict(typename, fields=None, /, *, total=True, **kwargs):
    if fields is None or kwargs:
        _refuse("typing.TypedDict without a dict of its fields")
    made = _TypedDictMeta(typename, (), {"__annotations__": dict(fields), "__module__": _caller_place(1)[0]}, total=total)
    if _MINOR >= 12:
        made.__orig_bases__ = (TypedDict,)
    return made


TypedDict.__mro_entries__ = lambda bases: (_TypedDict,)


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)


class NewType:
    def __init__(self, name, tp):
        self.__name__, self.__supertype__ = name.rpartition(".")[2], tp
        self.__qualname__, self.__module__ = name, _caller_place(1)[0]

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

    def __call__(self, x):
        return x

    def __mro_entries__(self, bases):
        of = self.__name__

        class Derived:
            def __init_subclass__(cls):
                raise TypeError(f"Cannot subclass an instance of NewType. Perhaps you were looking for: "
                                f"`{cls.__name__} = NewType({cls.__name__!r}, {of})`")

        return (Derived,)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))


def cast(typ, val):
    return val


def _overload_dummy(*args, **kwds):
    raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated functions outside a stub module "
                              "should always be followed by an implementation that is not @overload-ed.")


def overload(func):
    return _overload_dummy


def _mark(obj, name):
    try:
        setattr(obj, name, True)
    except (AttributeError, TypeError):    # of what has no place for it
        pass
    return obj


def final(f):
    return _mark(f, "__final__")


if _MINOR >= 12:
    def override(method, /):
        return _mark(method, "__override__")


def no_type_check(arg):
    if isinstance(arg, type):
        for name, member in [*arg.__dict__.items()]:
            if isinstance(member, (staticmethod, classmethod)):
                member = member.__func__
            if getattr(member, "__qualname__", None) == f"{arg.__qualname__}.{name}":
                no_type_check(member)
    try:
        arg.__no_type_check__ = True
    except TypeError:    # of a builtin class
        pass
    return arg


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def _without_extras(hint):
    """The same without the Annotated in it, and outside of a TypedDict without Required and NotRequired."""
    if isinstance(hint, _AnnotatedAlias) or isinstance(hint, _Alias) and hint._ptc_title in ("Required", "NotRequired"):
        return _without_extras(hint.__args__[0])
    args = get_args(hint)
    if isinstance(hint, _LiteralAlias) or not any([_without_extras(a) is not a for a in args if not isinstance(a, list)]):
        return hint
    args = tuple([a if isinstance(a, list) else _without_extras(a) for a in args])
    if _union_args(hint) is not None:
        return _union(args)
    return _BuiltinAlias(hint.__origin__, args) if isinstance(hint, _BuiltinAlias) else hint._ptc_with(args)


def _own_hints(obj):
    """The annotations of a class alone, or of a function."""
    if not isinstance(obj, type):
        return getattr(obj, "__annotations__", None)
    own = obj.__dict__.get("__annotations__")
    if own is None and ("__annotate__" in obj.__dict__ or "__annotate_func__" in obj.__dict__):
        own = obj.__annotations__
    return own or {}


# Modules of classes that have no annotations, and objects that may have none.
_WITHOUT_HINTS = ("builtins", "typing", "abc", "collections", "collections.abc", "enum", "contextlib", "numbers", "types")
_WITHOUT_OWN = (type(len), type([].append), type(_abc))


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    if getattr(obj, "__no_type_check__", None):
        return hints
    for owner in reversed(obj.__mro__) if isinstance(obj, type) else (obj,):
        if isinstance(owner, type) and "_ptc_hinted" in owner.__dict__:
            for name in owner._ptc_hinted:
                hints[name] = _unmodelled_module(f"{owner.__module__}.{owner.__qualname__}.__annotations__['{name}']")
            continue
        if isinstance(owner, (type, type(cast))) and not _is_program_code(owner) and getattr(owner, "__module__", None) not in _WITHOUT_HINTS:
            _refuse(f"the annotations of {owner!r}")
        if _own_hints(owner) is None:
            if isinstance(owner, _WITHOUT_OWN):
                continue
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
        for name, hint in _own_hints(owner).items():
            hint = _evaluated(hint, [n for n in (localns, _names_around(owner) if globalns is None else globalns) if n is not None])
            hints[name] = hint if include_extras else _without_extras(hint)
    return hints


def _names_around(obj):
    if isinstance(obj, type):
        return {} if obj.__module__ == "builtins" else __import__(obj.__module__, fromlist=("",)).__dict__
    while hasattr(obj, "__wrapped__"):
        obj = obj.__wrapped__
    return getattr(obj, "__globals__", {})


def get_origin(tp):
    _check_members(tp)
    if isinstance(tp, _UnionType):
        return Union if _MINOR >= 14 else _UnionType
    if isinstance(tp, _AnnotatedAlias):
        return Annotated
    if tp is Generic:
        return Generic
    return getattr(tp, "__origin__", None) if isinstance(tp, (_Special, _BuiltinAlias, ParamSpecArgs, ParamSpecKwargs)) else None


def get_args(tp):
    _check_members(tp)
    if isinstance(tp, _AnnotatedAlias):
        return tp.__args__ + tp.__metadata__
    if isinstance(tp, _CallableAlias):
        given, result = tp._ptc_args
        return [*given] if isinstance(given, list) else given, result
    return tp.__args__ if isinstance(tp, (_UnionType, _BuiltinAlias, _Alias)) else ()


def dataclass_transform(*, eq_default=True, order_default=False, kw_only_default=False, frozen_default=False, field_specifiers=(), **kwargs):
    """Notes for checkers of types."""
    def decorator(cls_or_fn):
        cls_or_fn.__dataclass_transform__ = {
            "eq_default": eq_default, "order_default": order_default, "kw_only_default": kw_only_default, "frozen_default": frozen_default,
            "field_specifiers": field_specifiers, "kwargs": kwargs}
        return cls_or_fn
    return decorator
