"""Classes of the interpreter that are written in Python; they need __build_class__."""

# Type parameters ----------------------------------------------------------------------------------


def _type_parameter(kind, name):
    return _TypeParameter(kind, name)


class _TypeParameter:
    def __init__(self, kind, name):
        self.kind = kind
        self.__name__ = name if isinstance(name, str) else kind

    def __repr__(self):
        return self.__name__


# Classes, which need __build_class__ ----------------------------------------------------------------------


class _ModuleNames(list):
    """dir() of a module of a library: whether a name is among them is known; what else is, and in which order, is not."""

    _ptc_known_as = "builtins.list"

    def __contains__(self, name):
        return isinstance(name, str) and hasattr(self._ptc_module, name)


def _names_of(module):
    made = _ModuleNames()
    made._ptc_module = module
    _hide_contents(made, f"a list of all names of module '{module.__name__}'")
    return made


def _parameters_in(a):
    """The type parameters of one argument of a generic class or a union."""
    if _is_opaque(a):
        return ()
    return (a,) if _getattr_or(a, "_ptc_parameter", False) else () if _is_class(a) else _getattr_or(a, "__parameters__", ())


def _parameters_of(args):
    found = []
    for a in args:
        for p in _parameters_in(a):
            if p not in found:
                found.append(p)
    return tuple(found)


def _with_parameters(alias, item):
    """The arguments, where `item` has what the parameters stand for."""
    given = item if isinstance(item, tuple) else (item,)
    names = alias.__parameters__
    if not names:
        raise TypeError(f"{alias!r} is not a generic class")
    if len(given) != len(names):
        raise TypeError(f"Too {'many' if len(given) > len(names) else 'few'} arguments for {alias!r}; actual {len(given)}, expected {len(names)}")
    values = dict(zip(names, given))
    args = []
    for a in alias.__args__:
        inner = () if a in values else _parameters_in(a)
        args.append(a[tuple([values[p] for p in inner])] if inner else values.get(a, a))
    return args


class _GenericAlias:
    _ptc_known_as = "types.GenericAlias"

    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if not _is_opaque(args) and isinstance(args, tuple) else (args,)

    @property
    def __parameters__(self):
        return _parameters_of(self.__args__)

    def __getitem__(self, item):
        return _GenericAlias(self.__origin__, tuple(_with_parameters(self, item)))

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __reduce__(self):
        return _GenericAlias, (self.__origin__, self.__args__)

    def __getattr__(self, name):
        return _getattr(self.__origin__, name)

    def __repr__(self):
        if self.__origin__.__name__ == "Callable" and len(self.__args__) == 2 and isinstance(self.__args__[0], list):
            given = ", ".join([_class_text(a) for a in self.__args__[0]])
            return f"{_class_text(self.__origin__)}[[{given}], {_class_text(self.__args__[1])}]"
        args = ", ".join(["..." if a is ... else _class_text(a) for a in self.__args__]) if self.__args__ else "()"
        return f"{_class_text(self.__origin__)}[{args}]"

    def __instancecheck__(self, obj):
        raise TypeError("isinstance() argument 2 cannot be a parameterized generic")

    def __subclasscheck__(self, cls):
        raise TypeError("issubclass() argument 2 cannot be a parameterized generic")

    def __or__(self, other):
        return _union_of(self, other)

    def __ror__(self, other):
        return _union_of(other, self)

    def __eq__(self, other):
        return isinstance(other, _GenericAlias) and self.__origin__ is other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash(self.__origin__)


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass


IOError = EnvironmentError = OSError


class _GroupMethods:
    def derive(self, exceptions, /):
        return BaseExceptionGroup(self._ptc_message, exceptions)

    def _ptc_part(self, found):
        """A group of these members, with what the whole was raised with."""
        if not found:
            return None
        part = self.derive(found)
        if not isinstance(part, BaseExceptionGroup):
            raise TypeError("derive must return an instance of BaseExceptionGroup")
        part.__traceback__ = self.__traceback__
        part.__context__ = self.__context__
        hides = self.__suppress_context__
        part.__cause__ = self.__cause__
        part.__suppress_context__ = hides
        notes = getattr(self, "__notes__", None)
        if isinstance(notes, (list, tuple)):
            part.__notes__ = list(notes)
        return part

    def _ptc_split(self, test, both):
        """What the test is true of, and, for `both`, what it is not."""
        if test(self):
            return self, None
        matched, rest = [], []
        for e in self._ptc_exceptions:
            if isinstance(e, BaseExceptionGroup):
                yes, no = e._ptc_split(test, both)
            else:
                yes, no = (e, None) if test(e) else (None, e)
            if yes is not None:
                matched.append(yes)
            if no is not None:
                rest.append(no)
        return self._ptc_part(matched), self._ptc_part(rest) if both else None

    def subgroup(self, condition, /):
        return self._ptc_split(_group_test(condition), False)[0]

    def split(self, condition, /):
        return self._ptc_split(_group_test(condition), True)

    def __str__(self):
        n = len(self._ptc_exceptions)
        plural = "" if n == 1 else "s"
        return f"{self._ptc_message} ({n} sub-exception{plural})"

    if _python_minor() >= 15:
        def __repr__(self):
            parts = self._ptc_exceptions
            is_list = len(self.args) == 2 and isinstance(self.args[1], list)
            return f"{type(self).__name__}({self._ptc_message!r}, {list(parts) if is_list else parts!r})"


def _group_test(condition):
    """What split() asks of each member."""
    parts = condition if isinstance(condition, tuple) else (condition,)
    if isinstance(condition, (type, tuple)):
        if all([isinstance(c, type) and issubclass(c, BaseException) for c in parts]):
            return lambda e: isinstance(e, condition)
    elif callable(condition):
        return condition
    raise TypeError("expected a function, exception type or tuple of exception types" if _python_minor() < 13 else
                    "expected an exception type, a tuple of exception types, or a callable (other than a class)")


class _GroupMember:
    """A member that was given when the group was made."""
    _ptc_known_as = "builtins.member_descriptor"

    def __init__(self, name):
        self._ptc_name = name

    def __get__(self, group, cls=None):
        return self if group is None else getattr(group, self._ptc_name)

    def __set__(self, group, value):
        raise AttributeError("readonly attribute")

    def __delete__(self, group):
        raise AttributeError("readonly attribute")


_adopt(BaseExceptionGroup, _GroupMethods)


def _set_group_properties():
    setattr(BaseExceptionGroup, "message", _GroupMember("_ptc_message"))
    setattr(BaseExceptionGroup, "exceptions", _GroupMember("_ptc_exceptions"))
    setattr(BaseExceptionGroup, "__class_getitem__", classmethod(lambda cls, item, /: _GenericAlias(cls, item)))


_set_group_properties()


def _reraise_star(original, errors):
    """What goes on behind except* clauses: what they raised, and what they left or raised again as the part of one group."""
    errors = [e for e in errors if e is not None]
    if not errors:
        return None
    if not isinstance(original, BaseExceptionGroup):
        return errors[0]
    again = [e for e in errors if _is_raised_again(e, original)]
    found = [e for e in errors if not any([e is other for other in again])]
    if again:
        kept = {id(leaf) for e in again for leaf in _leaves(e)}
        found.append(original._ptc_split(lambda e: id(e) in kept, False)[0])
    return found[0] if len(found) == 1 else BaseExceptionGroup("", found)


def _leaves(e):
    if not isinstance(e, BaseExceptionGroup):
        return [e]
    return [leaf for part in e._ptc_exceptions for leaf in _leaves(part)]


class _UnionType:
    _ptc_known_as = "types.UnionType"

    def __new__(cls, *args, **more):
        raise TypeError(f"cannot create '{'types.UnionType' if _python_minor() < 14 else 'typing.Union'}' instances")

    @classmethod
    def _ptc_of(cls, args):
        # Members of one union differ already.
        self = object.__new__(cls)
        found = list(args[0].__args__) if isinstance(args[0], _UnionType) else []
        for a in args[1:] if found else args:
            for b in a.__args__ if isinstance(a, _UnionType) else (type(None) if a is None else a,):
                if b not in found:
                    found.append(b)
        self.__args__ = tuple(found)
        return self

    def __or__(self, other):
        return _union_of(self, other)

    def __ror__(self, other):
        return _union_of(other, self)

    @property
    def __parameters__(self):
        return _parameters_of(self.__args__)

    def __getitem__(self, item):
        first, *others = _with_parameters(self, item)
        for a in others:
            first = first | a
        return first

    def __instancecheck__(self, obj):
        for c in self.__args__:
            if isinstance(obj, c):
                return True
        return False

    def __subclasscheck__(self, cls):
        for c in self.__args__:
            if issubclass(cls, c):
                return True
        return False

    def __eq__(self, other):
        if not isinstance(other, _UnionType):
            return NotImplemented
        # Members differ from each other: unions of other lengths are told apart without looking into what they nest.
        return len(self.__args__) == len(other.__args__) and set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        return " | ".join([_class_text(a) for a in self.__args__])


def _class_text(a):
    if a is type(None):
        return "None"
    if not _is_class(a):
        return repr(a)
    return a.__qualname__ if a.__module__ == "builtins" else f"{a.__module__}.{a.__qualname__}"


def _union_of(a, b):
    """a | b of classes, None and what classes are made into; what else there is has its own `|`."""
    for x in (a, b):
        if x is not None and not _is_class(x) and not isinstance(x, (_UnionType, _GenericAlias)):
            return NotImplemented
    union = _UnionType._ptc_of((a, b))
    return union if len(union.__args__) > 1 else union.__args__[0]


class _TypeMethods:
    def __or__(self, other):
        return _union_of(self, other)

    def __ror__(self, other):
        return _union_of(other, self)


_adopt(type, _TypeMethods)


_package_enumerations = {}                      # by their paths


def _enumeration_of_package(path, base, members, doc):
    """The class that a class statement of a package makes of which no other code is run."""
    import enum
    if path not in _package_enumerations:
        module, _, name = path.rpartition(".")
        _package_enumerations[path] = made = getattr(enum, base)(name, members, module=module, qualname=name)
        if doc is not None:
            made.__doc__ = doc
    return _package_enumerations[path]


class _MappingProxy:
    """A read-only view of a mapping: what the __dict__ of a class is."""
    _ptc_known_as = "builtins.mappingproxy"
    _ptc_as_result = "return `dict(m)` of a mappingproxy `m`"

    def __init__(self, mapping):
        if not hasattr(type(mapping), "__getitem__") or isinstance(mapping, (list, tuple)):
            raise TypeError(f"mappingproxy() argument must be a mapping, not {_type_name(mapping)}")
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

    if _python_minor() < 12:
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


def _unwrapped(mapping):
    return mapping._ptc_mapping if isinstance(mapping, _MappingProxy) else mapping
