"""typing: names for annotations. Nothing is checked at run time."""
import collections as _collections
import collections.abc as _abc
from abc import ABCMeta as _ABCMeta

TYPE_CHECKING = False


class _Special:
    """A name that can be subscripted and combined, and means nothing."""

    def __init__(self, name, args=(), origin=None):
        self._name, self.__args__, self.__origin__ = name, args, origin
        self._ptc_classvar = name.split("[")[0] == "ClassVar"

    def __getitem__(self, item):
        args = item if isinstance(item, tuple) else (item,)
        return _Special(f"{self._name}[{', '.join([_text(a) for a in args])}]", args, self.__origin__ or self)

    def __or__(self, other):
        return _Special("Union", (self, other), Union)

    __ror__ = __or__

    def __call__(self, *args, **kwargs):
        if self.__origin__ is not None and isinstance(self.__origin__, type):
            return self.__origin__(*args, **kwargs)
        raise TypeError(f"Cannot instantiate typing.{self._name}")

    def __repr__(self):
        return f"typing.{self._name}"

    def __eq__(self, other):
        return isinstance(other, _Special) and self._name == other._name and self.__args__ == other.__args__

    def __hash__(self):
        return hash(self._name)

    def __mro_entries__(self, bases):
        return (self.__origin__,) if isinstance(self.__origin__, type) else ()


def _text(a):
    return a.__name__ if isinstance(a, type) else "..." if a is ... else repr(a)


Any = _Special("Any")
Union = _Special("Union")
Optional = _Special("Optional")
Literal = _Special("Literal")
ClassVar = _Special("ClassVar")
Final = _Special("Final")
Annotated = _Special("Annotated")
NoReturn = _Special("NoReturn")
Never = _Special("Never")
Self = _Special("Self")
Concatenate = _Special("Concatenate")
TypeAlias = _Special("TypeAlias")
LiteralString = _Special("LiteralString")
Required = _Special("Required")
NotRequired = _Special("NotRequired")
Unpack = _Special("Unpack")
TypeGuard = _Special("TypeGuard")
AnyStr = _Special("AnyStr")
Callable = _Special("Callable", (), _abc.Callable)
List = _Special("List", (), list)
Dict = _Special("Dict", (), dict)
Set = _Special("Set", (), set)
FrozenSet = _Special("FrozenSet", (), frozenset)
Tuple = _Special("Tuple", (), tuple)
Type = _Special("Type", (), type)
DefaultDict = _Special("DefaultDict", (), _collections.defaultdict)
OrderedDict = _Special("OrderedDict", (), _collections.OrderedDict)
Counter = _Special("Counter", (), _collections.Counter)
Deque = _Special("Deque", (), _collections.deque)
Iterable, Iterator, Generator, Sequence = _abc.Iterable, _abc.Iterator, _Special("Generator"), _Special("Sequence", (), _abc.Sequence)
MutableSequence, Mapping = _Special("MutableSequence", (), _abc.MutableSequence), _Special("Mapping", (), _abc.Mapping)
MutableMapping, Collection = _Special("MutableMapping", (), _abc.MutableMapping), _Special("Collection", (), _abc.Collection)
Hashable, Sized, Container, Reversible = _abc.Hashable, _abc.Sized, _abc.Container, _abc.Reversible
AbstractSet, MutableSet = _Special("AbstractSet", (), _abc.Set), _Special("MutableSet", (), _abc.MutableSet)
KeysView, ValuesView, ItemsView = _abc.KeysView, _abc.ValuesView, _abc.ItemsView
ContextManager = _Special("ContextManager")
Awaitable, Coroutine, AsyncIterator = _Special("Awaitable"), _Special("Coroutine"), _Special("AsyncIterator")
Text = str
IO = TextIO = BinaryIO = _Special("IO")


class _Parameter:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, infer_variance=False, default=None):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound

    def __or__(self, other):
        return _Special("Union", (self, other), Union)

    __ror__ = __or__

    def __repr__(self):
        return f"~{self.__name__}"

    @property
    def args(self):
        return _Special("args")

    @property
    def kwargs(self):
        return _Special("kwargs")


class TypeVar(_Parameter):
    pass


class ParamSpec(_Parameter):
    pass


class TypeVarTuple(_Parameter):
    def __iter__(self):
        yield _Special("Unpack")


class Generic:
    def __class_getitem__(cls, item):
        return cls


# What the compiler and the class machinery put into every namespace is no member of a protocol.
_NO_MEMBERS = frozenset((
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__class_getitem__", "__classcell__",
    "__dict__", "__doc__", "__firstlineno__", "__init__", "__match_args__", "__module__", "__new__", "__orig_bases__", "__parameters__",
    "__qualname__", "__slots__", "__static_attributes__", "__subclasshook__", "__type_params__", "__weakref__", "_abc_registry", "_is_protocol",
    "_is_runtime_protocol"))


def _members(cls):
    """Attributes and methods that a protocol asks for, its bases' included."""
    return {n for base in cls.__mro__ if base.__dict__.get("_is_protocol", False)
            for n in (*base.__dict__, *getattr(base, "__annotations__", ())) if n not in _NO_MEMBERS}


class _ProtocolMeta(_ABCMeta):
    def __new__(mcls, name, bases, namespace, /, **kwargs):
        cls = super().__new__(mcls, name, bases, namespace, **kwargs)
        cls._is_protocol = any([b.__name__ == "Protocol" and b.__module__ == "typing" for b in bases])
        return cls

    def __call__(cls, /, *args, **kwargs):
        if cls._is_protocol:
            raise TypeError("Protocols cannot be instantiated")
        return super().__call__(*args, **kwargs)

    def __instancecheck__(cls, instance):
        if cls._is_protocol and not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError("Instance and class checks can only be used with @runtime_checkable protocols")
        if super().__instancecheck__(instance):
            return True
        return cls._is_protocol and all([hasattr(instance, n) for n in _members(cls)])

    def __subclasscheck__(cls, subclass):
        if super().__subclasscheck__(subclass):
            return True
        if not cls._is_protocol:
            return False
        members = _members(cls)
        return getattr(cls, "_is_runtime_protocol", False) and all([any([n in k.__dict__ for k in subclass.__mro__]) for n in members])


class Protocol(metaclass=_ProtocolMeta):
    def __class_getitem__(cls, item):
        return cls


def runtime_checkable(cls):
    if not getattr(cls, "_is_protocol", False):
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
        made = _collections.namedtuple(name, fields, defaults=defaults)
        for k, v in ns.items():
            if k not in fields and k not in ("__annotations__", "__annotate__", "__annotate_func__", "__classcell__", "__orig_bases__"):
                setattr(made, k, v)
        made.__annotations__ = dict(annotations)
        return made


class NamedTuple(metaclass=NamedTupleMeta):
    def __new__(cls, typename, fields=None, /, **kwargs):
        pairs = list(fields or kwargs.items())
        return _collections.namedtuple(typename, [n for n, _ in pairs])


class _TypedDictMeta(type):
    def __new__(cls, name, bases, ns, total=True):
        made = super().__new__(cls, name, (dict,) if bases else (), {k: v for k, v in ns.items()})
        return made

    def __init__(cls, name, bases, ns, total=True):
        pass

    def __call__(cls, /, *args, **kwargs):
        return dict(*args, **kwargs)


class TypedDict(metaclass=_TypedDictMeta):
    pass


class NewType:
    def __init__(self, name, tp):
        self.__name__, self.__supertype__ = name, tp

    def __call__(self, x):
        return x

    def __or__(self, other):
        return _Special("Union", (self, other), Union)

    __ror__ = __or__


class ForwardRef:
    def __init__(self, arg):
        self.__forward_arg__ = arg


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def override(method):
    return method


def no_type_check(arg):
    return arg


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return dict(getattr(obj, "__annotations__", {}))


def get_origin(tp):
    return getattr(tp, "__origin__", None)


def get_args(tp):
    return getattr(tp, "__args__", ())


def dataclass_transform(**kwargs):
    return lambda cls: cls
