"""enum: members are made by the metaclass from the class body."""


class auto:
    def __init__(self):
        self.value = None


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


class property(property):
    """An attribute of members that may share a member's name."""


def _is_descriptor(v):
    return hasattr(v, "__get__") or hasattr(v, "__set__") or hasattr(v, "__delete__")


def _is_private(cls_name, name):
    return name.startswith(f"_{cls_name}__") and not name.endswith("__")


class _EnumDict(dict):
    """The body of an enumeration: remembers what becomes a member, and gives auto() its value."""

    def __init__(self, cls_name, bases):
        super().__init__()
        self._cls_name = cls_name
        self._member_names = []
        self._ignored = []
        self._values = []
        self._generate = None
        for base in bases:
            found = getattr(base, "_generate_next_value_", None)
            if found is not None:
                self._generate = found
                break

    def _is_member(self, key, value):
        if key.startswith("__") and key.endswith("__") or key in ("_ignore_", "_order_", "_generate_next_value_", "_missing_"):
            return False
        if key.startswith("_") and key.endswith("_") or _is_private(self._cls_name, key) or key in self._ignored:
            return False
        return not isinstance(value, nonmember) and not isinstance(value, type) and not (_is_descriptor(value) and not isinstance(value, auto))

    def __setitem__(self, key, value):
        if key == "_generate_next_value_":
            self._generate = value.__func__ if isinstance(value, staticmethod) else value
        elif key == "_ignore_":
            self._ignored = value.replace(",", " ").split() if isinstance(value, str) else list(value)
        if key in self._member_names:
            raise TypeError(f"{key!r} already defined as {self[key]!r}")
        if isinstance(value, member):
            value = value.value
            self._member_names.append(key)
        elif self._is_member(key, value):
            value = self._resolved(key, value)
            self._member_names.append(key)
            self._values.append(value)
        elif isinstance(value, nonmember):
            value = value.value
        super().__setitem__(key, value)

    def _resolved(self, key, value):
        if isinstance(value, auto):
            if value.value is None:
                value.value = self._generate(key, 1, len(self._member_names), self._values[:])
            return value.value
        if isinstance(value, tuple) and any([isinstance(v, auto) for v in value]):
            return tuple([self._resolved(key, v) for v in value])
        return value


def _data_type(bases):
    """The class that holds a member's value, object where there is none."""
    for base in bases:
        for cls in base.__mro__:
            if cls is object or isinstance(cls, EnumType):
                continue
            if "__new__" in cls.__dict__ or cls in (int, str, float, tuple, bytes):
                return cls
    return object


class EnumType(type):
    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        for base in bases:
            if isinstance(base, EnumType) and base._member_names_:
                raise TypeError(f"<enum {cls!r}> cannot extend <enum {base.__name__!r}>")
        return _EnumDict(cls, bases)

    def __new__(metacls, name, bases, body, *, boundary=None, **kwds):
        if not isinstance(body, _EnumDict):
            given = body
            body = _EnumDict(name, bases)
            for k, v in given.items():
                body[k] = v
        names = body._member_names
        namespace = {k: v for k, v in body.items() if k not in names and k != "_ignore_"}
        own_new = namespace.pop("__new__", None) if bases else None    # Enum's own looks members up
        values = [(n, body[n]) for n in names]
        namespace["_member_names_"] = []
        namespace["_member_map_"] = {}
        namespace["_value2member_map_"] = {}
        cls = super().__new__(metacls, name, bases, namespace, **kwds)
        cls._member_type_ = _data_type(bases)
        if bases:
            cls._prefer_enum_methods(namespace, bases[-1])
        cls._own_new_ = own_new
        if own_new is None:
            for base in cls.__mro__[1:]:
                own_new = base.__dict__.get("_own_new_")
                if own_new is not None:
                    break
        for member_name, value in values:
            cls._add_member(member_name, value, own_new)
        return cls

    def _prefer_enum_methods(cls, body, first_enum):
        """Methods that the data type would otherwise give: those of the enumeration come first."""
        names = ["__repr__", "__str__", "__format__"]
        if any([base.__name__ in ("Flag", "IntFlag") for base in cls.__mro__]):
            names += ["__or__", "__and__", "__xor__", "__ror__", "__rand__", "__rxor__", "__invert__"]
        for name in names:
            if name in body:
                continue
            for base in cls.__mro__:
                if name in base.__dict__:
                    break
            if not isinstance(base, EnumType):
                type.__setattr__(cls, name, getattr(first_enum, name))

    def _add_member(cls, name, value, own_new):
        kind = cls._member_type_
        args = value if isinstance(value, tuple) else (value,)
        if kind is tuple:
            args = (args,)
        if own_new is not None:
            made = own_new(cls, *args)
        elif kind is object:
            made = object.__new__(cls)
        else:
            made = kind.__new__(cls, *args)
        if not hasattr(made, "_value_"):
            made._value_ = value if kind is object or own_new is not None else kind(*args)
        value = made._value_
        for other in cls._member_map_.values():
            if other._value_ == value:
                type.__setattr__(cls, name, other)
                cls._member_map_[name] = other
                return
        made._name_ = name
        made.__objclass__ = cls
        made._sort_order_ = len(cls._member_names_)
        made.__init__(*args)
        cls._member_map_[name] = made
        type.__setattr__(cls, name, made)
        if cls._counts_as_member(value):
            cls._member_names_.append(name)
        try:
            cls._value2member_map_[value] = made
        except TypeError:
            pass

    def _counts_as_member(cls, value):
        if not issubclass(cls, Flag) if "Flag" in globals() else True:
            return True
        return isinstance(value, int) and value > 0 and value & (value - 1) == 0

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if names is None:
            return Enum.__new__(cls, value)
        return cls._create(value, names, start, type)

    def _create(cls, class_name, names, start, mixin):
        bases = (cls,) if mixin is None else (mixin, cls)
        body = _EnumDict(class_name, bases)
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        pairs = names.items() if isinstance(names, dict) else names
        count = start
        for item in pairs:
            if isinstance(item, str):
                body[item] = count if not issubclass(cls, Flag) else 1 << (count - start)
                count += 1
            else:
                body[item[0]] = item[1]
        return EnumType.__new__(EnumType, class_name, bases, body)

    def __contains__(cls, value):
        if isinstance(value, cls):
            return value._name_ in cls._member_map_
        return value in cls._value2member_map_

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return iter([cls._member_map_[n] for n in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[n] for n in cls._member_names_[::-1]])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    @property
    def __members__(cls):
        return dict(cls._member_map_)

    def __setattr__(cls, name, value):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)

    def __repr__(cls):
        return f"<{'flag' if 'Flag' in globals() and issubclass(cls, Flag) else 'enum'} {cls.__name__!r}>"


EnumMeta = EnumType


class Enum(metaclass=EnumType):
    def __new__(cls, value):
        if type(value) is cls:
            return value
        try:
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        except TypeError:
            for other in cls._member_map_.values():
                if other._value_ == value:
                    return other
        found = cls._missing_(value)
        if isinstance(found, cls):
            return found
        if not cls._member_map_:
            raise TypeError(f"{cls!r} has no members")
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")

    def __init__(self, *args, **kwds):
        pass

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        return max([v for v in last_values if isinstance(v, (int, float))]) + 1

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{type(self).__name__}.{self._name_}"

    def __format__(self, spec):
        return format(str(self), spec)

    def __hash__(self):
        return hash(self._name_)

    def __dir__(self):
        return ["name", "value"]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce_ex__(self, proto):
        return type(self), (self._value_,)


class ReprEnum(Enum):
    """str() and format() are those of the value's class."""


class IntEnum(int, ReprEnum):
    __str__ = int.__repr__
    __format__ = int.__format__
    __hash__ = int.__hash__


class StrEnum(str, ReprEnum):
    __str__ = str.__str__
    __format__ = str.__format__
    __hash__ = str.__hash__

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _all_bits(cls):
        bits = 0
        for m in cls._member_map_.values():
            bits |= m._value_
        return bits

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            return None
        known = cls._all_bits()
        if value < 0:
            value = known & value
            if value in cls._value2member_map_:
                return cls._value2member_map_[value]
        if value & ~known and not issubclass(cls, int):
            return None
        made = int.__new__(cls, value) if issubclass(cls, int) else object.__new__(cls)
        made._value_ = value
        parts = [n for n in cls._member_names_ if value & cls._member_map_[n]._value_]
        made._name_ = "|".join(parts) if parts else None
        cls._value2member_map_[value] = made
        return made

    def _bits(self, other):
        if isinstance(other, type(self)):
            return other._value_
        if issubclass(type(self), int) and isinstance(other, int):
            return other
        return None

    def __or__(self, other):
        v = self._bits(other)
        return NotImplemented if v is None else type(self)(self._value_ | v)

    def __and__(self, other):
        v = self._bits(other)
        return NotImplemented if v is None else type(self)(self._value_ & v)

    def __xor__(self, other):
        v = self._bits(other)
        return NotImplemented if v is None else type(self)(self._value_ ^ v)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        return type(self)(type(self)._all_bits() & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter([m for m in type(self) if m._value_ & self._value_])

    def __len__(self):
        return self._value_.bit_count()

    def __bool__(self):
        return bool(self._value_)

    def __hash__(self):
        return hash(self._value_)

    def __str__(self):
        if self._name_ is None:
            return f"{type(self).__name__}({self._value_!r})"
        return f"{type(self).__name__}.{self._name_}"

    def __repr__(self):
        if self._name_ is None:
            return f"<{type(self).__name__}: {self._value_!r}>"
        return f"<{type(self).__name__}.{self._name_}: {self._value_!r}>"


class IntFlag(int, ReprEnum, Flag):
    __str__ = int.__repr__
    __format__ = int.__format__


def unique(enumeration):
    doubles = [(alias, m._name_) for alias, m in enumeration.__members__.items() if alias != m._name_]
    if doubles:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join([f'{a} -> {n}' for a, n in doubles])}")
    return enumeration


def global_enum(cls):
    return cls
