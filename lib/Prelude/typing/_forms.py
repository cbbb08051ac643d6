"""Special forms of typing, what they and generic classes are subscripted to, and type variables."""
import collections as _collections

from _ptc import _is_opaque, _is_unknown, _keep, _kept, _python_minor, _refuse_class
from _ptc_torch import _refuse

_MINOR = _python_minor()
_UnionType, _BuiltinAlias = type(int | str), type(list[int])
_set = object.__setattr__


class _Special:
    """What typing has names for and makes of them: no classes, but annotations."""
    _ptc_classvar = False
    __iter__ = None

    def __getattr__(self, name):
        if name in _NOT_OF_ALIASES or name.startswith("_ptc_"):
            raise AttributeError(name)
        _refuse(f"'{name}' of '{self!r}'")

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __call__(self, *args, **kwargs):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __instancecheck__(self, obj):
        raise TypeError(f"{self!r} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"{self!r} cannot be used with issubclass()")

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass {self!r}")


class _Form(_Special):
    """A special form: `make` gives what it is subscripted to, None: it takes nothing."""
    _ptc_known_as = "typing._SpecialForm"

    def __init__(self, name, make=None):
        _set(self, "_ptc_name", name)
        _set(self, "_name", name)
        _set(self, "_ptc_make", make)
        _set(self, "_ptc_classvar", name == "ClassVar")
        _set(self, "__module__", "typing")

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__"):
            return self._ptc_name
        return super().__getattr__(name)

    def __call__(self, *args, **kwargs):
        if self._ptc_name == "Annotated" and _MINOR < 13:
            raise TypeError("Type Annotated cannot be instantiated.")
        super().__call__()

    def __setattr__(self, name, value):
        raise AttributeError(f"'_SpecialForm' object has no attribute {name!r}"
                             + (" and no __dict__ for setting new attributes" if _MINOR >= 13 else ""))

    def __getitem__(self, item):
        if self._ptc_make is None:
            raise TypeError(f"{self!r} is not subscriptable")
        return _remembered(self, item, self._ptc_make)

    def __repr__(self):
        return "<class 'typing.Annotated'>" if self._ptc_name == "Annotated" and _MINOR < 13 else "typing." + self._ptc_name


class _Subscripted(_Special):
    """Aliases: attributes that are no special names are those of the class that they stand for."""

    def __getattr__(self, name):
        if name in ("__name__", "__qualname__"):
            return self._ptc_title or self.__origin__.__name__
        if name == "_name":
            return None if self._ptc_title in _NAMELESS else self._ptc_title
        if name in _NOT_OF_ALIASES or name.startswith("_ptc_"):
            raise AttributeError(name)
        if _is_dunder(name) or name in _OWN_OF_ALIASES:
            _refuse(f"'{name}' of '{self!r}'")
        return getattr(self.__origin__, name)

    def __setattr__(self, name, value):
        if _is_dunder(name) or name.startswith("_ptc_"):
            _set(self, name, value)
        elif name in _OWN_OF_ALIASES:
            _refuse(f"setting '{name}' of '{self!r}'")
        elif self.__origin__ in _CLASSES_OF_C:
            raise TypeError(f"cannot set {name!r} attribute of immutable type {_text(self.__origin__)!r}")
        else:
            setattr(self.__origin__, name, value)

    @property
    def __dict__(self):
        _refuse(f"'__dict__' of '{self!r}'")

    def __instancecheck__(self, obj):
        return self.__subclasscheck__(type(obj))

    def __call__(self, *args, **kwargs):
        origin = self.__origin__
        if self._ptc_title in _NOT_MADE or self._ptc_title in ("Generic", "Protocol"):
            raise TypeError(f"Type {self._ptc_title} cannot be instantiated; use {origin.__name__}() instead")
        if not isinstance(origin, type):
            return origin(*args, **kwargs)
        made = origin(*args, **kwargs)
        if self._ptc_title is None:
            try:
                made.__orig_class__ = self
            except AttributeError:
                pass
            except Exception:
                if _MINOR < 12:
                    raise
        return made

    def __mro_entries__(self, bases):
        origin = self.__origin__
        if not isinstance(origin, type):
            raise TypeError(f"Cannot subclass {self!r}")
        later = bases[[b is self for b in bases].index(True) + 1:]
        if origin is Generic:
            is_listed = any([b is not self and isinstance(b, _Subscripted) for b in later])
            return () if is_listed or any([_is_protocol(b) for b in bases]) else (origin,)
        if self._ptc_title is None or _is_protocol(origin):
            return (origin,)
        is_generic = any([isinstance(b, _Subscripted) or isinstance(b, type) and issubclass(b, Generic) for b in later])
        return (() if origin in bases else (origin,)) + (() if is_generic else (Generic,))


class _Name(_Subscripted):
    """An alias of a class that is there for annotations, like List, with the number of arguments that it takes (-1: any) and
    what the last of them are by themselves."""
    _ptc_known_as = "typing._SpecialGenericAlias"

    def __init__(self, title, origin, count, defaults=()):
        _set(self, "_ptc_title", title)
        _set(self, "__origin__", origin)
        _set(self, "_ptc_count", count)
        _set(self, "_ptc_defaults", defaults)
        _set(self, "__module__", "typing")

    def __getitem__(self, item):
        return _remembered(self, item, self._ptc_make)

    def _ptc_make(self, item):
        args = tuple([_type_argument(a) for a in (item if isinstance(item, tuple) else (item,))])
        count = self._ptc_count
        if count == 0:
            raise TypeError(f"{self!r} is not a generic class")
        if count > 0 and len(args) < count and len(args) + len(self._ptc_defaults) >= count:
            args += self._ptc_defaults[len(args) - count:]
        if count > 0 and len(args) != count:
            if self._ptc_defaults:
                _refuse(f"a wrong number of arguments for {self!r}")
            raise TypeError(f"Too {'many' if len(args) > count else 'few'} arguments for {self!r}; actual {len(args)}, expected {count}")
        return _Alias(self._ptc_title, self.__origin__, args)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)

    def __repr__(self):
        return "typing." + self._ptc_title


class _TupleName(_Name):
    _ptc_known_as = "typing._TupleType"


class _CallableName(_Name):
    _ptc_known_as = "typing._CallableType"

    def _ptc_make(self, item):
        if not isinstance(item, tuple) or len(item) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        given, result = item
        if isinstance(given, (list, tuple)):
            given = [_type_argument(a, "Callable[[arg, ...], result]: each arg must be a type.") for a in given]
        elif given is not ... and not (isinstance(given, ParamSpec) or isinstance(given, _Alias) and given.__origin__ is Concatenate):
            given = [_type_argument(given)]
        return _CallableAlias("Callable", self.__origin__, (given, _type_argument(result, "Callable[args, result]: result must be a type.")))


class _Alias(_Subscripted):
    """What a generic class, or a name of typing with a `title`, is subscripted to."""
    _ptc_known_as = "typing._GenericAlias"

    def __init__(self, title, origin, args):
        _set(self, "_ptc_title", title)
        _set(self, "_ptc_args", args)
        _set(self, "__origin__", origin)
        _set(self, "__args__", self._ptc_flat(args))
        _set(self, "__parameters__", _parameters(args))
        _set(self, "__module__", "typing" if title else origin.__module__)
        if title == "ClassVar":
            _set(self, "_ptc_classvar", True)

    def _ptc_flat(self, args):
        return args

    def _ptc_with(self, args):
        """The same of other arguments."""
        return type(self)(self._ptc_title, self.__origin__, args)

    def __getitem__(self, item):
        if self.__origin__ is Generic or _is_protocol(self.__origin__):
            raise TypeError(f"Cannot subscript already-subscripted {self!r}")
        return _remembered(self, item, self._ptc_substituted)

    def _ptc_substituted(self, item):
        given = item if isinstance(item, tuple) else (item,)
        if not self.__parameters__:
            raise TypeError(f"{self!r} is not a generic class")
        _check_count(repr(self), self.__parameters__, given)
        values = dict(zip(self.__parameters__, [_type_argument(a) for a in given]))
        return self._ptc_with(tuple([_with_values(a, values) for a in self._ptc_args]))

    def __iter__(self):
        yield Unpack[self]

    def __subclasscheck__(self, cls):
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def _ptc_texts(self):
        for a in self._ptc_args:
            if _is_opaque(a):    # says where it is defined
                _refuse_class(a, True)
        return [_text(a) for a in self._ptc_args]

    def __repr__(self):
        name = f"typing.{self._ptc_title}" if self._ptc_title else f"{self.__origin__.__module__}.{self.__origin__.__qualname__}"
        return f"{name}[{', '.join(self._ptc_texts()) or '()'}]"

    def _ptc_key(self):
        return self.__origin__, self.__args__

    def __eq__(self, other):
        if self is other:
            return True
        _check_members(self)
        return self._ptc_key() == other._ptc_key() if isinstance(other, _Alias) else NotImplemented

    def __hash__(self):
        return hash(self._ptc_key())


class _CallableAlias(_Alias):
    _ptc_known_as = "typing._CallableGenericAlias"
    __iter__ = None

    def _ptc_flat(self, args):
        return (*args[0], args[1]) if isinstance(args[0], list) else args


class _UnionAlias(_Alias):
    _ptc_known_as = "typing._UnionGenericAlias"
    __iter__ = None

    def _ptc_with(self, args):
        return _union(args)

    def __instancecheck__(self, obj):
        if _MINOR < 13:
            return self.__subclasscheck__(type(obj))
        for a in self.__args__:
            if isinstance(obj, a):
                return True
        return False

    def __subclasscheck__(self, cls):
        for a in self.__args__:
            if issubclass(cls, a):
                return True
        return False

    def __repr__(self):
        if self._ptc_title == "Optional":
            return f"typing.Optional[{self._ptc_texts()[self.__args__[0] is type(None)]}]"
        return f"typing.Union[{', '.join(self._ptc_texts())}]"

    def _ptc_key(self):
        return frozenset(self.__args__)

    def __eq__(self, other):
        if self is other:
            return True
        _check_members(self)
        return _union_args(other) is not None and set(self.__args__) == set(_union_args(other))

    __hash__ = _Alias.__hash__


class _LiteralAlias(_Alias):
    _ptc_known_as = "typing._LiteralGenericAlias"

    def _ptc_texts(self):
        return [repr(a) for a in self.__args__]

    def _ptc_key(self):
        return frozenset([(a, type(a)) for a in self.__args__])

    def __eq__(self, other):
        return self is other or (self._ptc_key() == other._ptc_key() if isinstance(other, _LiteralAlias) else NotImplemented)

    __hash__ = _Alias.__hash__


class _AnnotatedAlias(_Alias):
    _ptc_known_as = "typing._AnnotatedAlias"
    __iter__ = None

    def __init__(self, origin, metadata):
        if isinstance(origin, _AnnotatedAlias):
            origin, metadata = origin.__origin__, origin.__metadata__ + metadata
        super().__init__("Annotated", origin, (origin,))
        _set(self, "__metadata__", metadata)
        if _MINOR < 12:
            _set(self, "__module__", origin.__module__)

    def _ptc_with(self, args):
        return _AnnotatedAlias(args[0], self.__metadata__)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __repr__(self):
        return f"typing.Annotated[{', '.join(self._ptc_texts() + [repr(a) for a in self.__metadata__])}]"

    def _ptc_key(self):
        return self.__origin__, self.__metadata__

    def __eq__(self, other):
        return self is other or (self._ptc_key() == other._ptc_key() if isinstance(other, _AnnotatedAlias) else NotImplemented)

    __hash__ = _Alias.__hash__


class _UnpackAlias(_Alias):
    _ptc_known_as = "typing._UnpackGenericAlias"

    def __repr__(self):
        return "*" + self._ptc_texts()[0] if _MINOR < 12 else super().__repr__()


# What libraries ask any object for, and aliases have not.
_NOT_OF_ALIASES = frozenset((
    "__abstractmethods__", "__args__", "__bases__", "__bound__", "__code__", "__constraints__", "__dataclass_fields__", "__delete__", "__enter__",
    "__fields__", "__forward_arg__", "__get__", "__isabstractmethod__", "__len__", "__metadata__", "__next__", "__origin__", "__parameters__", "__set__", "__set_name__",
    "__supertype__", "__torch_function__", "__total__", "__wrapped__"))
# What CPython keeps in aliases themselves.
# Forms whose aliases have no name of their own.
_NAMELESS = ("Union", "Literal", "ClassVar", "Final", "Required", "NotRequired", "Concatenate", "TypeGuard", "TypeIs", "ReadOnly", "Unpack",
             *(() if _MINOR >= 12 else ("Annotated",)))
_OWN_OF_ALIASES = ("_name", "_inst", "_nparams", "_paramspec_tvars", "_typevar_types", "_defaults", "copy_with", "_determine_new_args",
                   "_make_substitution", "_is_protocol")
_CLASSES_OF_C = (list, dict, set, frozenset, tuple, type, int, float, str, bytes, bool, complex, object, _collections.deque, _collections.defaultdict,
                 _collections.OrderedDict)
# What typing has names for, and does not make.
_NOT_MADE = ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")


def _is_dunder(name):
    return name.startswith("__") and name.endswith("__")


def _remembered(form, item, make):
    """make(item), once for each item: typing keeps what it has made."""
    key = (form, item)
    if isinstance(form, _CallableName) and isinstance(item, tuple):
        key = form, tuple([tuple(a) if isinstance(a, list) else a for a in item])
    found = _kept("typing", key)
    if found is None:
        found = make(item)
        _keep("typing", key, found)
    return found


def _is_protocol(cls):
    """Is it Protocol itself?"""
    return isinstance(cls, type) and cls.__name__ == "Protocol" and cls.__module__ == "typing"


def _type_argument(a, says="Parameters to generic types must be types.", in_annotation=False):
    """What stands for an argument: `says` what there has to be. ClassVar and Final do for one of an annotation alone."""
    if a is None:
        return type(None)
    if isinstance(a, str):
        return ForwardRef(a)
    if isinstance(a, list):
        return [_type_argument(b) for b in a]
    if _is_opaque(a):
        return a
    if isinstance(a, _Alias):
        if a.__origin__ is Generic or _is_protocol(a.__origin__) or not in_annotation and a._ptc_title in ("ClassVar", "Final"):
            raise TypeError(f"{a!r} is not valid as type argument")
    elif a is Generic or _is_protocol(a):
        raise TypeError(f"Plain {a!r} is not valid as type argument")
    elif isinstance(a, _Form):
        fits = a._ptc_make is None or in_annotation and a._ptc_name in ("ClassVar", "Final") or \
            a._ptc_name == "Annotated" and _MINOR < 13 or a._ptc_name == "Union" and _MINOR >= 14
        if not fits:
            raise TypeError(f"Plain {a!r} is not valid as type argument")
    elif type(a) is tuple:
        raise TypeError(f"{says} Got {a!r:.100}.")
    return a


def _single(title, says=None, in_annotation=False):
    """What makes an alias of one argument."""
    says = says or f"typing.{title} accepts only single type."
    return lambda item: _Alias(title, globals()[title], (_type_argument(item, says, in_annotation),))


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


def _check_count(text, parameters, given, least=""):
    if any([not isinstance(p, TypeVar) for p in parameters]):
        _refuse("arguments for a ParamSpec or TypeVarTuple")
    if len(given) != len(parameters):
        few = len(given) < len(parameters)
        raise TypeError(f"Too {'few' if few else 'many'} arguments for {text}; actual {len(given)}, expected {least if few else ''}{len(parameters)}")


def _literal(item):
    found = []
    for a in item if isinstance(item, tuple) else (item,):
        for b in a.__args__ if isinstance(a, _LiteralAlias) else (a,):
            if not any([type(b) is type(c) and b == c for c in found]):
                found.append(b)
    return _LiteralAlias("Literal", Literal, tuple(found))


def _annotated(item):
    if not isinstance(item, tuple) or len(item) < 2:
        raise TypeError("Annotated[...] should be used with at least two arguments (a type and an annotation).")
    return _AnnotatedAlias(_type_argument(item[0], "Annotated[t, ...]: t must be a type.", True), item[1:])


def _concatenated(item):
    if item == ():
        raise TypeError("Cannot take a Concatenate of no types.")
    args = item if isinstance(item, tuple) else (item,)
    if args[-1] is not ... and not isinstance(args[-1], ParamSpec):
        raise TypeError("The last parameter to Concatenate should be a ParamSpec variable or ellipsis.")
    return _Alias("Concatenate", Concatenate, tuple([_type_argument(a, "Concatenate[arg, ...]: each arg must be a type.") for a in args[:-1]]) + args[-1:])


def _text(a):
    if isinstance(a, type):
        return a.__qualname__ if a.__module__ == "builtins" else f"{a.__module__}.{a.__qualname__}"
    if isinstance(a, list):
        return f"[{', '.join([_text(b) for b in a])}]"
    return "..." if a is ... else repr(a)


def _union_args(tp):
    """The members of a union of either form, None of anything else."""
    return tp.__args__ if isinstance(tp, (_UnionType, _UnionAlias)) else None


def _unknown_part(a):
    """What is unknown in an argument; None: all of it is known."""
    if _is_unknown(a):
        return a
    for part in () if _is_opaque(a) or isinstance(a, type) else a if isinstance(a, list) else getattr(a, "__args__", ()):
        found = _unknown_part(part)
        if found is not None:
            return found
    return None


def _check_members(tp):
    """Which members a union with an unknown one has is not known: that may be a union, None, or one of the others. An alias with
    an unknown argument may be equal to another one of the same origin."""
    args = _union_args(tp) or ()
    for a in args:
        unknown = _unknown_part(a)
        if unknown is not None and (_is_unknown(a) or [b for b in args if b is not a and getattr(b, "__origin__", None) is a.__origin__]):
            _refuse_class(unknown, True)


def _is_member(b, args):
    """Of the arguments of a union so far. What is unknown, or has unknown parts, is taken to differ: `_check_members`."""
    if _unknown_part(b) is not None:
        return False
    return b in [a for a in args if _unknown_part(a) is None]


def _union(given, says="Union[arg, ...]: each arg must be a type."):
    """What Union[given] is: without the doubles, and of one member that itself."""
    args = []
    for a in given:
        a = _type_argument(a, says)
        for b in _union_args(a) or (a,):
            if not _is_member(b, args):
                args.append(b)
    if len(args) == 1:
        return args[0]
    if _MINOR >= 14:
        return _UnionType._ptc_of(tuple(args))
    return _UnionAlias("Optional" if len(args) == 2 and type(None) in args else "Union", Union, tuple(args))


def _union_of(item):
    if item == ():
        raise TypeError("Cannot take a Union of no types.")
    return _union(item if isinstance(item, tuple) else (item,))


def _optional_of(item):
    says = "typing.Optional requires a single type."
    return _union((_type_argument(item, says), None))


_no_default = object()


class _Parameter:
    _ptc_parameter = True
    _ptc_default = _no_default

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __repr__(self):
        return self._ptc_mark + self.__name__

    def __reduce__(self):
        return self.__name__

    def __mro_entries__(self, bases):
        if _MINOR < 12:
            _refuse(f"a class derived from {self!r}")
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")

    def _ptc_fill(self, name, bound, covariant, contravariant, infer_variance):
        if not isinstance(name, str):
            _refuse(f"{type(self).__name__}() with a name that is no str")
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        if infer_variance and (covariant or contravariant):
            raise ValueError("Variance cannot be specified with infer_variance.")
        self.__name__ = name
        self.__bound__ = None if bound is None else _type_argument(bound, "Bound must be a type.")
        self.__covariant__, self.__contravariant__ = bool(covariant), bool(contravariant)
        self._ptc_mark = "+" if covariant else "-" if contravariant else "" if infer_variance else "~"


def _has_default(parameter):
    """Of Python 3.13 and later, or by typing_extensions."""
    return parameter._ptc_default is not _no_default


class TypeVar(_Parameter):
    _ptc_known_as = "typing.TypeVar"

    if _MINOR >= 13:
        @property
        def __default__(self):
            if self._ptc_default is _no_default:
                _refuse("typing.NoDefault")
            return self._ptc_default

        def has_default(self):
            return self._ptc_default is not _no_default

    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False, infer_variance=False, default=_no_default):
        if default is not _no_default:
            if _MINOR < 13:
                raise TypeError("TypeVar.__init__() got an unexpected keyword argument 'default'" if _MINOR < 12 else
                                "'default' is an invalid keyword argument for typevar()")
            self._ptc_default = default
        self._ptc_fill(name, bound, covariant, contravariant, infer_variance)
        if constraints and bound is not None:
            raise TypeError("Constraints cannot be combined with bound=...")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        self.__constraints__ = constraints if _MINOR >= 12 else \
            tuple([_type_argument(c, "TypeVar(name, constraint, ...): constraints must be types.") for c in constraints])


class ParamSpec(_Parameter):
    _ptc_known_as = "typing.ParamSpec"

    def __init__(self, name, *, bound=None, covariant=False, contravariant=False, infer_variance=False, default=None):
        self._ptc_fill(name, bound, covariant, contravariant, infer_variance)

    @property
    def args(self):
        return ParamSpecArgs(self)

    @property
    def kwargs(self):
        return ParamSpecKwargs(self)


class _ParamSpecPart:
    def __init__(self, origin):
        self.__origin__ = origin

    def __repr__(self):
        return f"{self.__origin__.__name__}.{self._ptc_part}"

    def __eq__(self, other):
        return self.__origin__ == other.__origin__ if type(self) is type(other) else NotImplemented

    __hash__ = None


class ParamSpecArgs(_ParamSpecPart):
    _ptc_known_as, _ptc_part = "typing.ParamSpecArgs", "args"


class ParamSpecKwargs(_ParamSpecPart):
    _ptc_known_as, _ptc_part = "typing.ParamSpecKwargs", "kwargs"


class TypeVarTuple(_Parameter):
    _ptc_known_as = "typing.TypeVarTuple"

    def __init__(self, name, *, default=None):
        self.__name__ = name
        self._ptc_mark = "" if _MINOR < 15 else "~"

    def __iter__(self):
        yield Unpack[self]


class ForwardRef:
    _ptc_known_as = "typing.ForwardRef"

    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f"Forward reference must be a string -- got {arg!r}")
        if _MINOR < 14 and _is_no_expression(arg):
            raise SyntaxError(f"Forward reference must be an expression -- got {arg!r}")
        self.__forward_arg__, self._ptc_module = arg, module

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__ and self._ptc_module == other._ptc_module

    def __hash__(self):
        return hash((self.__forward_arg__, self._ptc_module))

    def __or__(self, other):
        return _union((self, other))

    def __ror__(self, other):
        return _union((other, self))

    def __repr__(self):
        if self._ptc_module is None:
            return f"ForwardRef({self.__forward_arg__!r})"
        if _MINOR >= 14:
            _refuse("repr() of a ForwardRef with a module")
        return f"ForwardRef({self.__forward_arg__!r}, module={self._ptc_module!r})"


_WORDS = ("and", "or", "not", "if", "else", "in", "is", "for", "lambda", "await", "async")


def _is_no_expression(text):
    """Is it certainly no expression: nothing, or two names with nothing between them?"""
    text = text.strip()
    if text.isidentifier():
        return False
    words = text.split()
    return not words or any([a.isidentifier() and b.isidentifier() and a not in _WORDS and b not in _WORDS for a, b in zip(words, words[1:])])


class Generic:
    _ptc_known_as = "typing.Generic"
    __slots__ = ()

    def __class_getitem__(cls, item):
        return _remembered(cls, item, lambda item: _subscripted_class(cls, item))

    def __init_subclass__(cls, *args, **kwargs):
        super().__init_subclass__(*args, **kwargs)
        written = cls.__dict__.get("__orig_bases__", cls.__bases__)
        if Generic in written and cls.__name__ != "Protocol":
            raise TypeError("Cannot inherit from plain Generic")
        found = _parameters([b for b in written if not _is_opaque(b)])
        if [p for p, after in zip(found, found[1:]) if _has_default(p) and not _has_default(after)]:
            _refuse("a type parameter without a default behind one with a default")
        for b in written:
            if isinstance(b, _Alias) and (b.__origin__ is Generic or _is_protocol(b.__origin__)):
                missing = [p for p in found if p not in b.__parameters__]
                if missing:
                    raise TypeError(f"Some type variables ({', '.join([str(p) for p in missing])}) are not listed in "
                                    f"{b.__origin__.__name__}[{', '.join([str(p) for p in b.__parameters__])}]")
                found = b.__parameters__
        cls.__parameters__ = tuple(found)


def _subscripted_class(cls, item):
    args = tuple([_type_argument(a) for a in (item if isinstance(item, tuple) else (item,))])
    if cls is Generic or _is_protocol(cls):
        if not args:
            raise TypeError(f"Parameter list to {cls.__name__}[...] cannot be empty")
        if any([not isinstance(a, _Parameter) and not isinstance(a, _UnpackAlias) for a in args]):
            raise TypeError(f"Parameters to {cls.__name__}[...] must all be type variables or parameter specification variables.")
        if len(set(args)) != len(args):
            raise TypeError(f"Parameters to {cls.__name__}[...] must all be unique")
        return _Alias(cls.__name__, cls, args)
    if not cls.__parameters__:
        raise TypeError(f"{cls!r} is not a generic class")
    if not any([not isinstance(p, TypeVar) for p in cls.__parameters__]):
        rest = cls.__parameters__[len(args):]
        if rest and _has_default(rest[0]):    # those behind it have one, too
            return _Alias(None, cls, args + tuple([p.__default__ for p in rest]))
        required = [p for p in cls.__parameters__ if not _has_default(p)]
        _check_count(repr(cls), cls.__parameters__ if len(args) > len(required) else required, args,
                     "at least " if _MINOR >= 13 or len(required) < len(cls.__parameters__) else "")
    return _Alias(None, cls, args)


Union = _Form("Union", _union_of)
Optional = _Form("Optional", _optional_of)
Literal = _Form("Literal", _literal)
Annotated = _Form("Annotated", _annotated)
Concatenate = _Form("Concatenate", _concatenated)
ClassVar, Final = _Form("ClassVar", _single("ClassVar")), _Form("Final", _single("Final"))
TypeGuard = _Form("TypeGuard", _single("TypeGuard"))
Required = _Form("Required", _single("Required", "Required accepts only a single type.", True))
NotRequired = _Form("NotRequired", _single("NotRequired", "NotRequired accepts only a single type.", True))
Unpack = _Form("Unpack", lambda item: _UnpackAlias("Unpack", Unpack, (_type_argument(item, "typing.Unpack accepts only single type."),)))
