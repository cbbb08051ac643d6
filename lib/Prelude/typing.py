"""typing: names for annotations. Nothing is checked at run time."""
import collections as _collections
import collections.abc as _abc
import builtins as _builtins
import sys as _sys
from abc import ABCMeta as _ABCMeta

from _ptc import _is_opaque, _is_unknown, _refuse_class
from _ptc_torch import _refuse

TYPE_CHECKING = False
_MINOR = _sys.version_info[1]
_UnionType = type(int | str)


class _Special:
    """A name that can be subscripted and combined, and means nothing."""

    def __init__(self, name, args=(), origin=None):
        self._ptc_name, self.__args__, self.__origin__ = name, args, origin
        self._ptc_classvar = name.split("[")[0] == "ClassVar"

    def __getitem__(self, item):
        args = item if isinstance(item, tuple) else (item,)
        if self is Union or self is Optional:
            return _union(args if self is Union else (item, None))
        if self is not Literal:
            args = tuple([type(None) if a is None else a for a in args])
        return _Special(f"{self._ptc_name}[{', '.join([_text(a) for a in args])}]", args, self.__origin__ or self)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        if self.__origin__ is Union:
            return any([issubclass(cls, a) for a in self.__args__])
        if self.__args__ and isinstance(self.__origin__, type):
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        if not isinstance(self.__origin__, type):
            raise TypeError(f"{self!r} cannot be used with isinstance()")
        return issubclass(cls, self.__origin__)

    def __call__(self, *args, **kwargs):
        if self.__origin__ is not None and isinstance(self.__origin__, type):
            return self.__origin__(*args, **kwargs)
        raise TypeError(f"Cannot instantiate typing.{self._ptc_name}")

    def __repr__(self):
        for a in self.__args__:
            if _is_opaque(a):    # says where it is defined
                _refuse_class(a, True)
        return f"typing.{self._ptc_name}"

    def __eq__(self, other):
        if self is other:
            return True
        _check_members(self)
        if self.__origin__ is Union:
            return _union_args(other) is not None and set(self.__args__) == set(_union_args(other))
        return isinstance(other, _Special) and self._ptc_name == other._ptc_name and self.__args__ == other.__args__

    def __hash__(self):
        return hash(frozenset(self.__args__) if self.__origin__ is Union else self._ptc_name)

    def __mro_entries__(self, bases):
        return (self.__origin__,) if isinstance(self.__origin__, type) else ()


def _text(a):
    if isinstance(a, type):
        return a.__qualname__ if a.__module__ == "builtins" else f"{a.__module__}.{a.__qualname__}"
    if isinstance(a, list):
        return f"[{', '.join([_text(b) for b in a])}]"
    return "..." if a is ... else repr(a)


def _union_args(tp):
    """The members of a union of either form, None of anything else."""
    return tp.__args__ if isinstance(tp, _UnionType) or isinstance(tp, _Special) and tp.__origin__ is Union else None


def _check_members(tp):
    """Which members a union with an unknown one has is not known: that may be a union, None, or one of the others."""
    for a in _union_args(tp) or ():
        if _is_unknown(a):
            _refuse_class(a, True)


def _union(given):
    """What Union[given] is: without the doubles, and of one member that itself."""
    args = []
    for a in given:
        for b in _union_args(a) or (type(None) if a is None else ForwardRef(a) if isinstance(a, str) else a,):
            if b not in args:
                args.append(b)
    if len(args) == 1:
        return args[0]
    if _MINOR >= 14:
        return _UnionType(args)
    if len(args) == 2 and type(None) in args:
        return _Special(f"Optional[{_text(args[args[0] is type(None)])}]", tuple(args), Union)
    return _Special(f"Union[{', '.join([_text(a) for a in args])}]", tuple(args), Union)


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
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __repr__(self):
        return f"~{self.__name__}"

    def __reduce__(self):
        return self.__name__


class TypeVar(_Parameter):
    pass


AnyStr = TypeVar("AnyStr", bytes, str)


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
    "__qualname__", "__slots__", "__static_attributes__", "__subclasshook__", "__type_params__", "__weakref__", "_abc_registry", "_abc_unknown", "_is_protocol",
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
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))


class ForwardRef:
    def __init__(self, arg):
        self.__forward_arg__ = arg

    def __eq__(self, other):
        return isinstance(other, ForwardRef) and self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


if _MINOR >= 12:
    def override(method):
        return method


def no_type_check(arg):
    return arg


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


class _Annotation:
    """An annotation given as text: names and their attributes, subscripts, `|`, tuples, lists, constants."""

    def __init__(self, text, names):
        self._text, self._names, self._at = text, names, 0

    def value(self):
        found = self._union()
        if self._peek():
            self._give_up()
        return found

    def _give_up(self):
        _refuse(f"the annotation {self._text!r} as text")

    def _peek(self):
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._text[self._at:self._at + 1]

    def _take(self, mark):
        if self._peek() != mark:
            return False
        self._at += 1
        return True

    def _union(self):
        found = self._primary()
        while self._take("|"):
            found = found | self._primary()
        return found

    def _primary(self):
        found = self._atom()
        while True:
            if self._take("."):
                self._peek()
                found = getattr(found, self._word())
            elif self._take("["):
                items, single = self._items("]")
                found = found[items[0] if single else tuple(items)]
            else:
                return found

    def _items(self, end):
        """The items up to the closing bracket; whether it is one without a comma."""
        items, comma = [], False
        while not self._take(end):
            if items and not comma:
                self._give_up()
            items.append(self._union())
            comma = self._take(",")
        return items, len(items) == 1 and not comma

    def _word(self):
        start = self._at
        while self._at < len(self._text) and (self._text[self._at].isalnum() or self._text[self._at] == "_"):
            self._at += 1
        if start == self._at:
            self._give_up()
        return self._text[start:self._at]

    def _atom(self):
        if self._take("("):
            items, single = self._items(")")
            return items[0] if single else tuple(items)
        if self._take("["):
            return self._items("]")[0]
        mark = self._peek()
        if mark in ("'", '"') and mark:
            end = self._text.find(mark, self._at + 1)
            if end <= self._at + 1 or "\\" in self._text[self._at:end]:
                self._give_up()
            found = self._text[self._at + 1:end]
            self._at = end + 1
            return found
        if self._text[self._at:self._at + 3] == "...":
            self._at += 3
            return ...
        return self._named(self._word())

    def _named(self, word):
        if word.isdecimal():
            return int(word)
        if not word.isidentifier():
            self._give_up()
        if word in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[word]
        for names in (*self._names, _builtins.__dict__):
            if word in names:
                return names[word]
        raise NameError(f"name '{word}' is not defined", name=word)


def _evaluated(hint, names):
    """What an annotation means, where text stands for the objects that it names."""
    if hint is None:
        return type(None)
    if isinstance(hint, ForwardRef):
        hint = hint.__forward_arg__
    if isinstance(hint, str):
        return _evaluated(_Annotation(hint, names).value(), names)
    members = _union_args(hint)
    if members is not None and any([isinstance(m, ForwardRef) for m in members]):
        return _union([_evaluated(m, names) for m in members])
    return hint


def _own_hints(obj):
    """The annotations of a class alone, or of a function."""
    if not isinstance(obj, type):
        return getattr(obj, "__annotations__", None)
    own = obj.__dict__.get("__annotations__")
    if own is None and ("__annotate__" in obj.__dict__ or "__annotate_func__" in obj.__dict__):
        own = obj.__annotations__
    return own or {}


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    hints = {}
    for owner in reversed(obj.__mro__) if isinstance(obj, type) else (obj,):
        if _own_hints(owner) is None:
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
        for name, hint in _own_hints(owner).items():
            hint = _evaluated(hint, [n for n in (localns, _names_around(owner) if globalns is None else globalns) if n is not None])
            annotated = isinstance(hint, _Special) and hint.__origin__ is Annotated and not include_extras
            hints[name] = hint.__args__[0] if annotated else hint
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
    return getattr(tp, "__origin__", None)


def get_args(tp):
    _check_members(tp)
    return getattr(tp, "__args__", ())


def dataclass_transform(**kwargs):
    return lambda cls: cls
