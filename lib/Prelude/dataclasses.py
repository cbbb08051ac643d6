"""dataclasses without generated source: methods are closures over the fields."""
import copy as _copy
from types import GenericAlias as _GenericAlias, MappingProxyType as _MappingProxyType, MemberDescriptorType as _MemberDescriptorType

from collections import _quoted
from keyword import iskeyword as _iskeyword
from _ptc import _add_fields, _assume, _init_fields, _is_opaque, _is_unknown, _module, _python_minor, _refuse_class, _unknown_path
from _ptc_torch import _refuse

_MINOR = _python_minor()


class _MISSING_TYPE:
    if _MINOR >= 15:
        def __repr__(self):
            return "MISSING"


class _KW_ONLY_TYPE:
    pass


MISSING = _MISSING_TYPE()
KW_ONLY = _KW_ONLY_TYPE()
_EMPTY_METADATA = _MappingProxyType({})
_KINDS = {"field": "_FIELD", "class": "_FIELD_CLASSVAR", "init": "_FIELD_INITVAR", None: None}
_FIELDS = "__dataclass_fields__"
_PARAMS = "__dataclass_params__"


class FrozenInstanceError(AttributeError):
    pass


class _HAS_DEFAULT_FACTORY_CLASS:
    def __repr__(self):
        return "<factory>"


_HAS_DEFAULT_FACTORY = _HAS_DEFAULT_FACTORY_CLASS()


def _default_shown(f, missing):
    """The default of the parameter of __init__."""
    if f.default_factory is not MISSING:
        return _HAS_DEFAULT_FACTORY
    return missing if f.default is MISSING else f.default


class InitVar:
    __slots__ = ("type",)

    def __init__(self, type):
        self.type = type

    def __repr__(self):
        return f"dataclasses.InitVar[{self.type.__name__ if isinstance(self.type, type) else repr(self.type)}]"

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = self.type = None
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.hash, self.compare = init, repr, hash, compare
        self.metadata = _EMPTY_METADATA if metadata is None else _MappingProxyType(metadata)
        self.kw_only = kw_only
        self._ptc_kind = None

    def __set_name__(self, owner, name):
        if _is_opaque(self.default):
            return
        told = getattr(type(self.default), "__set_name__", None)
        if told:
            told(self.default, owner, name)

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)

    def __repr__(self):
        shown = [f"{n}={getattr(self, n)!r}" for n in
                 ("name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "metadata", "kw_only")]
        if _MINOR >= 15:
            _refuse("the text of a Field")    # metadata is of another class
        if _MINOR >= 14:
            shown.append(f"doc={self.doc!r}")
        return f"Field({','.join(shown)},_field_type={_KINDS[self._ptc_kind]})"


class _DataclassParams:
    def __init__(self, **kinds):
        self._ptc_names = list(kinds)
        for name, value in kinds.items():
            setattr(self, name, value)

    def __repr__(self):
        return f"_DataclassParams({','.join([f'{n}={getattr(self, n)!r}' for n in self._ptc_names])})"


def field(*, default=MISSING, default_factory=MISSING, init=True, repr=True, hash=None, compare=True, metadata=None, kw_only=MISSING):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _word(text):
    n = 0
    while n < len(text) and (text[n].isalnum() or text[n] == "_"):
        n += 1
    return text[:n], text[n:].lstrip()


def _named(text, cls):
    """What stands at the beginning of an annotation, `name` or `module.name`, in the module of the class; of other modules
    those two that dataclasses looks into. None: nothing that means something to it."""
    first, rest = _word(text.lstrip())
    second = _word(rest[1:].lstrip())[0] if rest.startswith(".") else ""
    module = _module(cls.__module__)
    if module is None:
        _refuse(f"a dataclass with the annotation {text!r} in a module that is not imported under its name")
    found = vars(module).get(first)
    if not second:
        return found
    for name in ("typing", "dataclasses"):
        holder = _module(name)
        if holder is not None and found is holder:
            return getattr(holder, second, None)
    return None


def _kind_of(annotation, cls):
    """field, init or class: also where the annotation is text, or a name of a module without a model."""
    if isinstance(annotation, str):
        annotation = _named(annotation, cls)
    if _is_opaque(annotation):
        text = _unknown_path(annotation)
        if _is_unknown(annotation):
            _assume(f"'{text}' means for a dataclass what its name says")
        head = text.split("[")[0].strip().split(".")[-1]
        return {"ClassVar": "class", "InitVar": "init", "KW_ONLY": "kw"}.get(head, "field")
    if annotation is KW_ONLY:
        return "kw"
    if annotation is InitVar or isinstance(annotation, InitVar):
        return "init"
    return "class" if getattr(annotation, "_ptc_classvar", False) else "field"


def _is_mutable(default):
    """Taken to be so: without a hash."""
    if _is_opaque(default):
        return isinstance(default, (list, dict, set))
    return default.__class__.__hash__ is None


def _make_field(cls, name, annotation, kw_only):
    default = getattr(cls, name, MISSING)    # also of a base, and what a descriptor gives
    if isinstance(default, _MemberDescriptorType):    # of __slots__
        default = MISSING
    made = default if isinstance(default, Field) else field(default=default)
    made.name, made.type, made._ptc_kind = name, annotation, _kind_of(annotation, cls)
    if made._ptc_kind != "field" and made.default_factory is not MISSING:
        raise TypeError(f"field {name} cannot have a default factory")
    if made._ptc_kind == "class":
        if made.kw_only is not MISSING:
            raise TypeError(f"field {name} is a ClassVar but specifies kw_only")
    elif made.kw_only is MISSING:
        made.kw_only = kw_only
    if made._ptc_kind == "field" and _is_mutable(made.default):
        raise ValueError(f"mutable default {type(made.default)} for field {name} is not allowed: use default_factory")
    return made


def _collect(cls, kw_only):
    """Fields of the bases, then of the class itself, in order."""
    fields = {}
    for base in cls.__mro__[-1:0:-1]:
        for f in getattr(base, _FIELDS, {}).values() if _FIELDS in base.__dict__ else ():
            fields[f.name] = f
    for name, annotation in cls.__annotations__.items():
        if _kind_of(annotation, cls) == "kw":
            kw_only = True
            continue
        f = _make_field(cls, name, annotation, kw_only)
        fields[name] = f
        if isinstance(getattr(cls, name, None), Field):
            if f.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, f.default)
    for name, value in cls.__dict__.items():
        if not _is_opaque(value) and isinstance(value, Field) and name not in cls.__annotations__:
            raise TypeError(f"{name!r} is a field but has no type annotation")
    return fields


def _init_error(cls, positional, args, missing_kw, missing):
    name = f"{cls.__qualname__}.__init__"
    if len(args) > len(positional):
        least = len([f for f in positional if _has_no_default(f)])
        takes = f"from {least + 1} to {len(positional) + 1}" if least != len(positional) else f"{len(positional) + 1}"
        plural = "" if takes == "1" else "s"
        raise TypeError(f"{name}() takes {takes} positional argument{plural} but {len(args) + 1} were given")
    names, what = (missing, "positional") if missing else (missing_kw, "keyword-only")
    raise TypeError(f"{name}() missing {len(names)} required {what} argument{'s' if len(names) > 1 else ''}: {_quoted(names)}")


def _has_no_default(f):
    return f.default is MISSING and f.default_factory is MISSING


def _plain_names(fields):
    """Names of the fields, if each is an argument of __init__ that may be given by position; else None."""
    if all([f.init and not f.kw_only and f._ptc_kind == "field" for f in fields.values()]):
        return tuple(fields)
    return None


def _make_init(cls, fields, frozen, slots):
    taken = [f for f in fields.values() if f.init]
    positional = [f for f in taken if not f.kw_only]
    seen = None
    for f in positional:
        if not _has_no_default(f):
            seen = f.name
        elif seen is not None:
            raise TypeError(f"non-default argument {f.name!r} follows default argument")
    unknown = [f.default for f in fields.values() if _is_unknown(f.default)]    # each may be what field() gives
    names = {f.name for f in taken}
    post = [f.name for f in fields.values() if f._ptc_kind == "init"]
    plain = None if unknown else _plain_names(fields)
    defaults = tuple([f.default for f in taken])
    has_post_init = hasattr(cls, "__post_init__")

    def __init__(self, *args, **kwargs):
        if unknown:
            _refuse_class(unknown[0], True)
        if plain is not None and _init_fields(self, plain, defaults, MISSING, args, kwargs, frozen):
            if has_post_init:
                self.__post_init__()
            return
        if len(args) > len(positional):
            _init_error(cls, positional, args, [], [])
        values = {}
        for f, value in zip(positional, args):
            values[f.name] = value
        for key in kwargs:
            if key in values:
                raise TypeError(f"{cls.__qualname__}.__init__() got multiple values for argument '{key}'")
            if key not in names:
                raise TypeError(f"{cls.__qualname__}.__init__() got an unexpected keyword argument '{key}'")
            values[key] = kwargs[key]
        missing = [f.name for f in positional if f.name not in values and _has_no_default(f)]
        missing_kw = [f.name for f in taken if f.kw_only and f.name not in values and _has_no_default(f)]
        if missing or missing_kw:
            _init_error(cls, positional, args, missing_kw, missing)
        for f in fields.values():
            if f.name in values:
                value = values[f.name]
            elif f.default_factory is not MISSING:
                value = f.default_factory()
            elif f.default is not MISSING and (f.init or slots):
                value = f.default
            else:
                continue    # an attribute of the class, or none
            values[f.name] = value
            if f._ptc_kind == "field":
                if frozen:
                    object.__setattr__(self, f.name, value)
                else:
                    setattr(self, f.name, value)
        if has_post_init:
            self.__post_init__(*[values[n] for n in post])

    __init__.__annotations__ = {f.name: f.type for f in (*positional, *[f for f in taken if f.kw_only])} | {"return": None}
    return __init__


def _text_of(cls):
    """The __doc__ that dataclass() gives a class without one: found when it is asked for, as long as nothing of it was replaced since."""
    from inspect import _said_parameters, isfunction, signature

    own = vars(cls)
    init = own.get("__init__")
    # A metaclass may wrap what dataclass() sets: signatures are those of what is wrapped.
    while isfunction(init) and "__wrapped__" in vars(init) and "__signature__" not in vars(init):
        init = init.__wrapped__
    if not isfunction(init) or "__signature__" in vars(init) or _said_parameters(init) is None or "__signature__" in own:
        _refuse(f"{cls.__module__}.{cls.__qualname__}.__doc__")
    return cls.__name__ + str(signature(cls)).replace(" -> None", "")


def _values(self, fields):
    values = tuple([getattr(self, f.name) for f in fields])
    for v in values:
        if _is_unknown(v):    # compared and hashed by all values
            _refuse_class(v, True)
    return values


def _set_method(cls, name, function):
    function.__name__ = name
    function.__qualname__ = f"{cls.__qualname__}.{name}"
    function.__module__ = cls.__module__
    setattr(cls, name, function)


def _set_new(cls, name, function):
    if name in cls.__dict__:
        return True
    _set_method(cls, name, function)
    return False


def _add_repr(cls, fields):
    shown = [f for f in fields if f.repr]
    running = []

    def __repr__(self):
        if id(self) in running:
            return "..."
        running.append(id(self))
        try:
            return f"{type(self).__qualname__}({', '.join([f'{f.name}={getattr(self, f.name)!r}' for f in shown])})"
        finally:
            running.remove(id(self))

    _set_new(cls, "__repr__", __repr__)


def _add_comparisons(cls, fields, eq, order):
    compared = [f for f in fields if f.compare]

    def pair(self, other):
        return (_values(self, compared), _values(other, compared)) if type(other) is type(self) else None

    def __eq__(self, other):
        if self is other:
            return True
        p = pair(self, other)
        return NotImplemented if p is None else p[0] == p[1]

    def __lt__(self, other):
        p = pair(self, other)
        return NotImplemented if p is None else p[0] < p[1]

    def __le__(self, other):
        p = pair(self, other)
        return NotImplemented if p is None else p[0] <= p[1]

    def __gt__(self, other):
        p = pair(self, other)
        return NotImplemented if p is None else p[0] > p[1]

    def __ge__(self, other):
        p = pair(self, other)
        return NotImplemented if p is None else p[0] >= p[1]

    if eq:
        _set_new(cls, "__eq__", __eq__)
    if order:
        for function in (__lt__, __le__, __gt__, __ge__):
            if _set_new(cls, function.__name__, function):
                raise TypeError(f"Cannot overwrite attribute {function.__name__} in class {cls.__name__}. Consider using functools.total_ordering")


def _add_hash(cls, fields, eq, frozen, unsafe_hash, own_eq):
    own = cls.__dict__.get("__hash__", MISSING)
    explicit = not (own is MISSING or (own is None and own_eq))
    if unsafe_hash and explicit:
        raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
    if unsafe_hash or (eq and frozen and not explicit):
        hashed = [f for f in fields if (f.compare if f.hash is None else f.hash)]

        def __hash__(self):
            return hash(_values(self, hashed))

        _set_method(cls, "__hash__", __hash__)
    elif eq and not frozen and not explicit:
        cls.__hash__ = None


def _freeze(cls, fields):
    names = {f.name for f in fields}

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for function in (__setattr__, __delattr__):
        if _set_new(cls, function.__name__, function):
            raise TypeError(f"Cannot overwrite attribute {function.__name__} in class {cls.__name__}")


def _with_slots(cls, fields):
    namespace = {k: v for k, v in cls.__dict__.items() if k not in ("__dict__", "__weakref__")}
    if "__slots__" in namespace:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    inherited = set()
    for base in cls.__mro__[1:-1]:
        slots = base.__dict__.get("__slots__", ())
        inherited.update([slots] if isinstance(slots, str) else slots)
    for f in fields:
        namespace.pop(f.name, None)
    namespace["__slots__"] = tuple([f.name for f in fields if f.name not in inherited])
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    return made


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot):
    if not isinstance(cls, type):
        raise AttributeError(f"'{type(cls).__name__}' object has no attribute '__module__'")
    for base in cls.__mro__[1:]:
        params = base.__dict__.get(_PARAMS)
        if params is not None and params.frozen != frozen:
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one" if params.frozen else "cannot inherit frozen dataclass from a non-frozen one")
    if order and not eq:
        raise ValueError("eq must be true if order is true")
    own_eq = "__eq__" in cls.__dict__
    shown = {"init": init, "repr": repr, "eq": eq, "order": order, "unsafe_hash": unsafe_hash, "frozen": frozen}
    if _MINOR >= 12:
        shown.update(match_args=match_args, kw_only=kw_only, slots=slots, weakref_slot=weakref_slot)
    setattr(cls, _PARAMS, _DataclassParams(**shown))
    if cls.__dict__.get("__doc__") == "":
        cls.__doc__ = None    # a text that is empty counts as none
    fields = _collect(cls, kw_only)
    setattr(cls, _FIELDS, fields)
    fields = {n: f for n, f in fields.items() if f._ptc_kind != "class"}
    real = [f for f in fields.values() if f._ptc_kind == "field"]
    getattr(cls, _PARAMS)._ptc_plain = _plain_names(fields)
    if init:
        _set_new(cls, "__init__", _make_init(cls, fields, frozen, slots))
    if repr:
        _add_repr(cls, real)
    _add_comparisons(cls, real, eq, order)
    if frozen:
        _freeze(cls, real)
    _add_hash(cls, real, eq, frozen, unsafe_hash, own_eq)
    if match_args and "__match_args__" not in cls.__dict__:
        cls.__match_args__ = tuple([f.name for f in fields.values() if f.init and not f.kw_only])
    return _with_slots(cls, real) if slots else cls


def dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, frozen=False, match_args=True,
              kw_only=False, slots=False, weakref_slot=False):
    def wrap(cls):
        return _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots, weakref_slot)

    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    try:
        found = getattr(class_or_instance, _FIELDS)
    except AttributeError:
        raise TypeError("must be called with a dataclass type or instance") from None
    for f in found.values():
        if _is_unknown(f.default):
            _refuse_class(f.default, True)
    return tuple([f for f in found.values() if f._ptc_kind == "field"])


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), _FIELDS)


def _is_instance(obj):
    return hasattr(type(obj), _FIELDS)


def _convert(obj, make):
    if _is_instance(obj):
        return make([(f.name, _convert(getattr(obj, f.name), make)) for f in fields(obj)])
    if isinstance(obj, tuple) and hasattr(obj, "_fields"):
        return type(obj)(*[_convert(v, make) for v in obj])
    if isinstance(obj, (list, tuple)):
        return type(obj)([_convert(v, make) for v in obj])
    if isinstance(obj, dict):
        if _MINOR >= 12 and hasattr(type(obj), "default_factory"):
            made = type(obj)(obj.default_factory)
            for k, v in obj.items():
                made[_convert(k, make)] = _convert(v, make)
            return made
        return type(obj)([(_convert(k, make), _convert(v, make)) for k, v in obj.items()])
    return _copy.deepcopy(obj)


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")
    return _convert(obj, dict_factory)


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")
    return _convert(obj, lambda pairs: tuple_factory([v for _, v in pairs]))


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    plain = getattr(obj, _PARAMS)._ptc_plain
    if plain is not None and _add_fields(obj, plain, changes):
        return type(obj)(**changes)
    for f in getattr(obj, _FIELDS).values():
        if f._ptc_kind == "class":
            continue
        if not f.init:
            if f.name in changes:
                raise (TypeError if _python_minor() >= 13 else ValueError)(
                    f"field {f.name} is declared with init=False, it cannot be specified with replace()")
            continue
        if f.name not in changes:
            if f._ptc_kind == "init" and f.default is MISSING:
                raise TypeError(f"InitVar {f.name!r} must be specified with replace()")
            if f._ptc_kind == "field":
                changes[f.name] = getattr(obj, f.name)
    return type(obj)(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    annotations, ns = {}, dict(namespace or {})
    for item in fields:
        if isinstance(item, str):
            name, kind = item, object
        elif len(item) == 2:
            name, kind = item
        else:
            name, kind, ns[item[0]] = item
        if not isinstance(name, str) or not name.isidentifier():
            raise TypeError(f"Field names must be valid identifiers: {name!r}")
        if _iskeyword(name):
            raise TypeError(f"Field names must not be keywords: {name!r}")
        if name in annotations:
            raise TypeError(f"Field name duplicated: {name!r}")
        annotations[name] = kind
    ns["__annotations__"] = annotations
    if _MINOR < 12:
        ns.setdefault("__module__", "types")
    return dataclass(type(cls_name, bases, ns), **options)
