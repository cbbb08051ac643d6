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


class _GenericAlias:
    _ptc_known_as = "types.GenericAlias"

    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __reduce__(self):
        return _GenericAlias, (self.__origin__, self.__args__)

    def __getattr__(self, name):
        return _getattr(self.__origin__, name)

    def __repr__(self):
        return _class_text(self.__origin__) + "[" + ", ".join(["..." if a is ... else _class_text(a) for a in self.__args__]) + "]"

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
    def _message(self):
        return self.args[0]

    def _exceptions(self):
        return tuple(self.args[1])

    def derive(self, exceptions, /):
        return type(self)(self.args[0], exceptions)

    def _cut(self, condition, keep):
        if _group_test(condition, self):
            return self if keep else None
        found = []
        for e in self.args[1]:
            if isinstance(e, BaseExceptionGroup):
                e = e._cut(condition, keep)
                if e is not None:
                    found.append(e)
            elif _group_test(condition, e) == keep:
                found.append(e)
        return self.derive(found) if found else None

    def subgroup(self, condition, /):
        return self._cut(condition, True)

    def split(self, condition, /):
        return self._cut(condition, True), self._cut(condition, False)

    def __str__(self):
        n = len(self.args[1])
        plural = "" if n == 1 else "s"
        return f"{self.args[0]} ({n} sub-exception{plural})"

    def __repr__(self):
        return f"{type(self).__name__}({self.args[0]!r}, {list(self.args[1])!r})"


def _group_test(condition, e):
    if isinstance(condition, (type, tuple)):
        return isinstance(e, condition)
    return True if condition(e) else False


_adopt(BaseExceptionGroup, _GroupMethods)


def _set_group_properties():
    setattr(BaseExceptionGroup, "message", property(BaseExceptionGroup._message))
    setattr(BaseExceptionGroup, "exceptions", property(BaseExceptionGroup._exceptions))


_set_group_properties()


def _reraise_star(original, errors):
    left = [e for e in errors if e is not None]
    if not left:
        return None
    if len(left) == 1:
        return left[0]
    return ExceptionGroup("", left)


class _UnionType:
    def __init__(self, args):
        # Members of one union differ already.
        found = list(args[0].__args__) if isinstance(args[0], _UnionType) else []
        for a in args[1:] if found else args:
            for b in a.__args__ if isinstance(a, _UnionType) else (type(None) if a is None else a,):
                if b not in found:
                    found.append(b)
        self.__args__ = tuple(found)

    def __or__(self, other):
        return _union_of(self, other)

    def __ror__(self, other):
        return _union_of(other, self)

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
        # Members differ from each other: unions of other lengths are told apart without looking into what they nest.
        return isinstance(other, _UnionType) and len(self.__args__) == len(other.__args__) and \
            set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        return " | ".join([_class_text(a) for a in self.__args__])


_UnionType.__module__, _UnionType.__name__, _UnionType.__qualname__ = "types", "UnionType", "UnionType"


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
    union = _UnionType((a, b))
    return union if len(union.__args__) > 1 else union.__args__[0]


class _TypeMethods:
    def __or__(self, other):
        return _union_of(self, other)

    def __ror__(self, other):
        return _union_of(other, self)


_adopt(type, _TypeMethods)
