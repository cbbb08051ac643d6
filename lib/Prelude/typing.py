"""typing: names for annotations. Nothing is checked at run time."""
import collections as _collections
import collections.abc as _abc
import builtins as _builtins
import sys as _sys
from abc import ABCMeta as _ABCMeta

from _ptc import _caller_place, _is_opaque, _is_unknown, _refuse_class
from _ptc_torch import _refuse

TYPE_CHECKING = False
_MINOR = _sys.version_info[1]
_UnionType, _GenericAlias = type(int | str), type(list[int])


class _Special:
    """A name of typing, alone or with arguments, and what an instance of Generic is subscripted to."""
    _ptc_classvar = False

    def __init__(self, name, args=None, origin=None):
        self._ptc_name, self._ptc_args = name, args
        self._ptc_classvar = name == "typing.ClassVar"
        if origin is not None:
            self.__origin__ = origin
        if args is not None:
            self.__args__ = tuple([*args[0], args[1]]) if name == "typing.Callable" and isinstance(args[0], list) else args
            self.__parameters__ = _parameters(self.__args__)
            if not name.startswith("typing."):
                self.__module__ = origin.__module__

    def __getitem__(self, item):
        args = item if isinstance(item, tuple) else (item,)
        if self._ptc_args is not None:
            return self._ptc_substituted(args)
        if self is Union or self is Optional:
            if self is Optional and isinstance(item, tuple):
                raise TypeError(f"typing.Optional requires a single type. Got {item!r:.100}.")
            if not args:
                raise TypeError("Cannot take a Union of no types.")
            return _union(args if self is Union else (item, None))
        if self is Literal:
            return _literal(args)
        if self is Annotated:
            if len(args) < 2:
                raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
            made = _Special(self._ptc_name, (_type_argument(args[0]),), _type_argument(args[0]))
            made.__metadata__ = args[1:]
            return made
        return _Special(self._ptc_name, tuple([_type_argument(a) for a in args]), getattr(self, "__origin__", self))

    def _ptc_substituted(self, given):
        if not self.__parameters__:
            raise TypeError(f"{self!r} is not a generic class")
        _check_count(repr(self), self.__parameters__, given)
        values = dict(zip(self.__parameters__, [_type_argument(a) for a in given]))
        if self.__origin__ is Union:
            return _union(tuple([_with_values(a, values) for a in self._ptc_args]))
        made = _Special(self._ptc_name, tuple([_with_values(a, values) for a in self._ptc_args]),
                        _with_values(self.__origin__, values) if self._ptc_name == "typing.Annotated" else self.__origin__)
        if self._ptc_name == "typing.Annotated":
            made.__metadata__ = self.__metadata__
        return made

    def __getattr__(self, name):
        if name in _NOT_OF_ALIASES or name.startswith("_ptc_"):
            raise AttributeError(name)
        if name.startswith("_") or name == "copy_with" or not isinstance(getattr(self, "__origin__", None), type):
            _refuse(f"'{name}' of '{self._ptc_name}'")
        return getattr(self.__origin__, name)

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __subclasscheck__(self, cls):
        origin = getattr(self, "__origin__", None)
        if origin is Union:
            return any([issubclass(cls, a) for a in self.__args__])
        if self._ptc_args is not None and isinstance(origin, type):
            raise TypeError("Subscripted generics cannot be used with class and instance checks")
        if not isinstance(origin, type):
            raise TypeError(f"{self!r} cannot be used with isinstance()")
        return issubclass(cls, origin)

    def __call__(self, *args, **kwargs):
        origin = getattr(self, "__origin__", None)
        name = self._ptc_name[len("typing."):]
        if not isinstance(origin, type):
            raise TypeError(f"Cannot instantiate {self!r}")
        if origin is Generic or self._ptc_name.startswith("typing.") and name in _NOT_MADE:
            raise TypeError(f"Type {name if origin is not Generic else 'Generic'} cannot be instantiated; use {origin.__name__}() instead")
        made = origin(*args, **kwargs)
        if self._ptc_args is not None and not self._ptc_name.startswith("typing."):
            try:
                made.__orig_class__ = self
            except AttributeError:
                pass
            except Exception:
                if _MINOR < 12:
                    raise
        return made

    def __repr__(self):
        if self._ptc_args is None:
            return "<class 'typing.Annotated'>" if self is Annotated and _MINOR < 13 else self._ptc_name
        for a in self._ptc_args:
            if _is_opaque(a):    # says where it is defined
                _refuse_class(a, True)
        if self.__origin__ is Union:
            if len(self.__args__) == 2 and type(None) in self.__args__:
                return f"typing.Optional[{_text(self.__args__[self.__args__[0] is type(None)])}]"
            return f"typing.Union[{', '.join([_text(a) for a in self.__args__])}]"
        texts = [_text(a) for a in self._ptc_args]
        if self._ptc_name == "typing.Literal":
            texts = [repr(a) for a in self._ptc_args]
        elif self._ptc_name == "typing.Annotated":
            texts += [repr(a) for a in self.__metadata__]
        return f"{self._ptc_name}[{', '.join(texts) or '()'}]"

    def _ptc_key(self):
        if self._ptc_args is None:
            return id(self)
        if self.__origin__ is Union:
            return frozenset(self.__args__)
        if self._ptc_name == "typing.Literal":
            return frozenset([(a, type(a)) for a in self.__args__])
        key = (self.__origin__, self.__args__)
        return key + self.__metadata__ if self._ptc_name == "typing.Annotated" else key

    def __eq__(self, other):
        if self is other:
            return True
        _check_members(self)
        if getattr(self, "__origin__", None) is Union:
            return _union_args(other) is not None and set(self.__args__) == set(_union_args(other))
        if not isinstance(other, _Special):
            return NotImplemented
        return (self._ptc_args is None) == (other._ptc_args is None) and self._ptc_key() == other._ptc_key()

    def __hash__(self):
        return hash(self._ptc_key())

    def __mro_entries__(self, bases):
        origin = getattr(self, "__origin__", None)
        if not isinstance(origin, type):
            return ()
        later = bases[[b is self for b in bases].index(True) + 1:]
        if origin is Generic:
            if Protocol in bases or any([isinstance(b, _Special) and b is not self for b in later]):
                return ()
            return (origin,)
        if not self._ptc_name.startswith("typing.") or origin is Protocol:
            return (origin,)
        is_generic = any([isinstance(b, _Special) or isinstance(b, type) and issubclass(b, Generic) for b in later])
        return (() if origin in bases else (origin,)) + (() if is_generic else (Generic,))


# What libraries ask any object for, and aliases have not.
_NOT_OF_ALIASES = frozenset((
    "__abstractmethods__", "__args__", "__bases__", "__bound__", "__code__", "__constraints__", "__dataclass_fields__", "__delete__", "__enter__",
    "__fields__", "__forward_arg__", "__get__", "__isabstractmethod__", "__len__", "__metadata__", "__next__", "__origin__", "__parameters__", "__set__", "__set_name__",
    "__supertype__", "__torch_function__", "__total__", "__wrapped__"))
# What typing has names for, and does not make.
_NOT_MADE = ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")


def _type_argument(a):
    return type(None) if a is None else ForwardRef(a) if isinstance(a, str) else [_type_argument(b) for b in a] if isinstance(a, list) else a


def _parameters(args):
    """The type variables in arguments, in order."""
    found = []
    for a in args:
        inner = (a,) if isinstance(a, _Parameter) else _parameters(a) if isinstance(a, (list, tuple)) else \
            () if isinstance(a, type) or _is_opaque(a) else getattr(a, "__parameters__", ())
        found += [p for p in inner if not any([p is q for q in found])]
    return tuple(found)


def _with_values(a, values):
    if isinstance(a, _Parameter):
        return values.get(a, a)
    if isinstance(a, list):
        return [_with_values(b, values) for b in a]
    inner = () if isinstance(a, type) or _is_opaque(a) else getattr(a, "__parameters__", ())
    return a[tuple([values.get(p, p) for p in inner])] if inner else a


def _check_count(text, parameters, given):
    if any([not isinstance(p, TypeVar) for p in parameters]):
        _refuse("arguments for a ParamSpec or TypeVarTuple")
    if len(given) != len(parameters):
        raise TypeError(f"Too {'many' if len(given) > len(parameters) else 'few'} arguments for {text}; actual {len(given)}, expected {len(parameters)}")


def _literal(args):
    found = []
    for a in args:
        for b in a.__args__ if isinstance(a, _Special) and a._ptc_name == "typing.Literal" and a._ptc_args is not None else (a,):
            if not any([type(b) is type(c) and b == c for c in found]):
                found.append(b)
    return _Special("typing.Literal", tuple(found), Literal)


def _text(a):
    if isinstance(a, type):
        return a.__qualname__ if a.__module__ == "builtins" else f"{a.__module__}.{a.__qualname__}"
    if isinstance(a, list):
        return f"[{', '.join([_text(b) for b in a])}]"
    return "..." if a is ... else repr(a)


def _union_args(tp):
    """The members of a union of either form, None of anything else."""
    return tp.__args__ if isinstance(tp, _UnionType) or isinstance(tp, _Special) and tp._ptc_name == "typing.Union" and tp._ptc_args is not None else None


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
    return _Special("typing.Union", tuple(args), Union)


Any = _Special("typing.Any")
Union = _Special("typing.Union")
Optional = _Special("typing.Optional")
Literal = _Special("typing.Literal")
ClassVar = _Special("typing.ClassVar")
Final = _Special("typing.Final")
Annotated = _Special("typing.Annotated")
NoReturn = _Special("typing.NoReturn")
Never = _Special("typing.Never")
Self = _Special("typing.Self")
Concatenate = _Special("typing.Concatenate")
TypeAlias = _Special("typing.TypeAlias")
LiteralString = _Special("typing.LiteralString")
Required = _Special("typing.Required")
NotRequired = _Special("typing.NotRequired")
Unpack = _Special("typing.Unpack")
TypeGuard = _Special("typing.TypeGuard")
Callable = _Special("typing.Callable", None, _abc.Callable)
List = _Special("typing.List", None, list)
Dict = _Special("typing.Dict", None, dict)
Set = _Special("typing.Set", None, set)
FrozenSet = _Special("typing.FrozenSet", None, frozenset)
Tuple = _Special("typing.Tuple", None, tuple)
Type = _Special("typing.Type", None, type)
DefaultDict = _Special("typing.DefaultDict", None, _collections.defaultdict)
OrderedDict = _Special("typing.OrderedDict", None, _collections.OrderedDict)
Counter = _Special("typing.Counter", None, _collections.Counter)
Deque = _Special("typing.Deque", None, _collections.deque)
Iterable, Iterator = _Special("typing.Iterable", None, _abc.Iterable), _Special("typing.Iterator", None, _abc.Iterator)
Generator, Sequence = _Special("typing.Generator", None, _abc.Generator), _Special("typing.Sequence", None, _abc.Sequence)
MutableSequence, Mapping = _Special("typing.MutableSequence", None, _abc.MutableSequence), _Special("typing.Mapping", None, _abc.Mapping)
MutableMapping, Collection = _Special("typing.MutableMapping", None, _abc.MutableMapping), _Special("typing.Collection", None, _abc.Collection)
Hashable, Sized = _Special("typing.Hashable", None, _abc.Hashable), _Special("typing.Sized", None, _abc.Sized)
Container, Reversible = _Special("typing.Container", None, _abc.Container), _Special("typing.Reversible", None, _abc.Reversible)
AbstractSet, MutableSet = _Special("typing.AbstractSet", None, _abc.Set), _Special("typing.MutableSet", None, _abc.MutableSet)
KeysView, ValuesView = _Special("typing.KeysView", None, _abc.KeysView), _Special("typing.ValuesView", None, _abc.ValuesView)
ItemsView = _Special("typing.ItemsView", None, _abc.ItemsView)
ContextManager = _Special("typing.ContextManager")
Awaitable, Coroutine, AsyncIterator = _Special("typing.Awaitable"), _Special("typing.Coroutine"), _Special("typing.AsyncIterator")
Text = str


class _Parameter:
    _ptc_parameter = True

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, infer_variance=False, default=None):
        self.__name__, self.__constraints__, self.__bound__ = name, constraints, bound
        self.__covariant__, self.__contravariant__ = bool(covariant), bool(contravariant)
        self._ptc_mark = "+" if covariant else "-" if contravariant else "" if infer_variance else "~"

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __repr__(self):
        return self._ptc_mark + self.__name__

    def __reduce__(self):
        return self.__name__


class TypeVar(_Parameter):
    pass


AnyStr = TypeVar("AnyStr", bytes, str)


class ParamSpec(_Parameter):
    pass


class TypeVarTuple(_Parameter):
    def __iter__(self):
        yield _Special("typing.Unpack")


class Generic:
    __slots__ = ()

    def __class_getitem__(cls, item):
        args = tuple([_type_argument(a) for a in (item if isinstance(item, tuple) else (item,))])
        if cls is Generic or cls.__name__ == "Protocol" and cls.__module__ == "typing":
            if any([not isinstance(a, _Parameter) and not (isinstance(a, _Special) and a._ptc_name == "typing.Unpack") for a in args]):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be type variables or parameter specification variables.")
            if len(set(args)) != len(args):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be unique")
            return _Special(f"typing.{cls.__name__}", args, cls)
        if not cls.__parameters__:
            raise TypeError(f"{cls!r} is not a generic class")
        if not any([not isinstance(p, TypeVar) for p in cls.__parameters__]):
            _check_count(repr(cls), cls.__parameters__, args)
        return _Special(f"{cls.__module__}.{cls.__qualname__}", args, cls)

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        written = cls.__dict__.get("__orig_bases__", cls.__bases__)
        if Generic in written and cls.__name__ != "Protocol":
            raise TypeError("Cannot inherit from plain Generic")
        found = _parameters([b for b in written if not _is_opaque(b)])
        for b in written:
            if isinstance(b, _Special) and b._ptc_args is not None and (b.__origin__ is Generic or b.__origin__.__name__ == "Protocol"):
                missing = [p for p in found if p not in b.__parameters__]
                if missing:
                    raise TypeError(f"Some type variables ({', '.join([str(p) for p in missing])}) are not listed in "
                                    f"{b.__origin__.__name__}[{', '.join([str(p) for p in b.__parameters__])}]")
                found = b.__parameters__
        cls.__parameters__ = tuple(found)


# What the compiler and the class machinery put into every namespace is no member of a protocol.
_NO_MEMBERS = frozenset((
    "__abstractmethods__", "__annotate__", "__annotate_func__", "__annotations__", "__annotations_cache__", "__class_getitem__", "__classcell__",
    "__dict__", "__doc__", "__firstlineno__", "__init__", "__match_args__", "__module__", "__new__", "__orig_bases__", "__parameters__",
    "__qualname__", "__slots__", "__static_attributes__", "__subclasshook__", "__type_params__", "__weakref__", "_ptc_registry", "_ptc_unknown", "_is_protocol",
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
        made.__annotations__ = dict(annotations)
        made.__orig_bases__ = (NamedTuple,)
        return made


class _NamedTuple(metaclass=NamedTupleMeta):
    pass


def NamedTuple(typename, fields=None, /, **kwargs):
    pairs = list(fields or kwargs.items())
    made = _collections.namedtuple(typename, [n for n, _ in pairs], module=_caller_place(1)[0])
    made.__annotations__ = {n: _type_argument(t) for n, t in pairs}
    return made


def _named_tuple_bases(bases):
    if len(bases) > 1:
        _refuse("typing.NamedTuple with other bases")
    return (_NamedTuple,)


NamedTuple.__mro_entries__ = _named_tuple_bases


class _TypedDictMeta(type):
    def __new__(cls, name, bases, ns, total=True):
        return super().__new__(cls, name, (dict,) if bases else (), {k: v for k, v in ns.items()})

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")

    def __subclasscheck__(cls, subclass):
        raise TypeError("TypedDict does not support instance and class checks")

    def __init__(cls, name, bases, ns, total=True):
        pass

    def __call__(cls, /, *args, **kwargs):
        if cls is TypedDict:
            _refuse("typing.TypedDict as a function")
        return dict(*args, **kwargs)


class TypedDict(metaclass=_TypedDictMeta):
    pass


class NewType:
    def __init__(self, name, tp):
        self.__name__, self.__supertype__ = name.rpartition(".")[2], tp
        self.__qualname__, self.__module__ = name, _caller_place(1)[0]

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"

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


def _overload_dummy(*args, **kwds):
    raise NotImplementedError("You should not call an overloaded function. A series of @overload-decorated functions outside a stub module "
                              "should always be followed by an implementation that is not @overload-ed.")


def overload(func):
    return _overload_dummy


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
    if members is not None:
        return _union([_evaluated(m, names) for m in members]) if any([_refers(m) for m in members]) else hint
    if isinstance(hint, _GenericAlias) and _refers(hint):
        return _GenericAlias(hint.__origin__, tuple([_evaluated(a, names) if isinstance(a, str) or _refers(a) else a for a in hint.__args__]))
    if isinstance(hint, _Special) and _refers(hint):
        made = _Special(hint._ptc_name, tuple([_evaluated_part(a, names) for a in hint._ptc_args]), hint.__origin__)
        if hint._ptc_name == "typing.Annotated":
            made = _Special(hint._ptc_name, made._ptc_args, made._ptc_args[0])
            made.__metadata__ = hint.__metadata__
        return made
    return hint


def _evaluated_part(a, names):
    if isinstance(a, list):
        return [_evaluated_part(b, names) for b in a]
    return _evaluated(a, names) if _refers(a) else a


def _refers(a):
    """Does a type name another one by text, itself or in its arguments?"""
    if isinstance(a, ForwardRef) or isinstance(a, list):
        return isinstance(a, ForwardRef) or any([_refers(b) for b in a])
    if isinstance(a, _GenericAlias):
        return any([isinstance(b, str) or _refers(b) for b in a.__args__])
    if isinstance(a, _UnionType):
        return any([_refers(b) for b in a.__args__])
    return isinstance(a, _Special) and a._ptc_args is not None and a._ptc_name != "typing.Literal" and any([_refers(b) for b in a._ptc_args])


def _without_extras(hint):
    """The same without the Annotated in it."""
    if get_origin(hint) is Annotated:
        return _without_extras(hint.__origin__)
    args = get_args(hint)
    if get_origin(hint) is Literal or not any([_without_extras(a) is not a for a in args if not isinstance(a, list)]):
        return hint
    args = tuple([a if isinstance(a, list) else _without_extras(a) for a in args])
    if _union_args(hint) is not None:
        return _union(args)
    return _GenericAlias(hint.__origin__, args) if isinstance(hint, _GenericAlias) else _Special(hint._ptc_name, args, hint.__origin__)


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
    if isinstance(tp, _Special) and tp._ptc_name == "typing.Annotated" and tp._ptc_args is not None:
        return Annotated
    if tp is Generic:
        return Generic
    return getattr(tp, "__origin__", None) if isinstance(tp, (_Special, _GenericAlias)) else None


def get_args(tp):
    _check_members(tp)
    if isinstance(tp, _Special):
        return () if tp._ptc_args is None else tp._ptc_args + (tp.__metadata__ if tp._ptc_name == "typing.Annotated" else ())
    return tp.__args__ if isinstance(tp, (_UnionType, _GenericAlias)) else ()


def dataclass_transform(**kwargs):
    return lambda cls: cls
