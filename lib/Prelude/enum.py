"""enum: members are made by the metaclass from the class body."""
import sys as _sys
from types import DynamicClassAttribute as _DynamicClassAttribute, MappingProxyType as _MappingProxyType

from _ptc_torch import _refuse
from _ptc import _is_opaque, _is_program_code, _lookup, _refuse_class

_MINOR = _sys.version_info[1]
_no_names = object()


class _Null:
    def __repr__(self):
        return "_auto_null"


_auto_null = _Null()


class auto:
    def __init__(self, value=_auto_null):
        self.value = value

    def __repr__(self):
        return f"auto({self.value!r})"


class nonmember:
    def __init__(self, value):
        self.value = value


class member:
    def __init__(self, value):
        self.value = value


_python_property = property


class property(_DynamicClassAttribute):
    """An attribute of members that may share a member's name: asked of the class, it is that member."""
    fget = None
    if _MINOR >= 12:
        member = None
        _attr_type = None
        _cls_type = None

    def __get__(self, instance, ownerclass=None):
        if instance is None:
            if _MINOR < 12:
                return self._ptc_member_of(ownerclass)
            if self.member is not None:
                return self.member
            raise AttributeError(f"{ownerclass!r} has no attribute {self.name!r}")
        if self.fget is not None:
            return self.fget(instance)
        if _MINOR >= 12 and self._attr_type == "attr":
            return getattr(self._cls_type, self.name)
        if _MINOR >= 12 and self._attr_type == "desc":
            return getattr(instance._value_, self.name)
        return self._ptc_member_of(ownerclass)

    def _ptc_member_of(self, ownerclass):
        found = ownerclass._member_map_.get(self.name)
        if found is None:
            raise AttributeError(f"{ownerclass!r} has no attribute {self.name!r}")
        return found

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError(f"<enum {self.clsname!r}> cannot set attribute {self.name!r}")
        return self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError(f"<enum {self.clsname!r}> cannot delete attribute {self.name!r}")
        return self.fdel(instance)

    def __set_name__(self, ownerclass, name):
        self.name, self.clsname = name, ownerclass.__name__


_DESCRIPTORS_OF_C = (type(int.real), type(str.upper))


class _Redirect(property):
    """What a member is in the class where a base has a property of its name, for members."""
    _ptc_known_as = "enum.property"

    def __init__(self, member, hidden, kind, owner):
        self.fget = getattr(hidden, "fget", None)
        self.fset = getattr(hidden, "fset", None)
        self.fdel = getattr(hidden, "fdel", None)
        self.member = member
        if _MINOR >= 12:
            self._attr_type, self._cls_type = kind, owner


def _bind_member(cls, name, member):
    """Makes the member an attribute of the class."""
    hidden = kind = owner = None
    for base in cls.__mro__[1:]:
        found = base.__dict__.get(name)
        if found is None:
            continue
        if isinstance(found, (property, _DynamicClassAttribute)):
            hidden, kind, owner = found, "enum", base
            break
        if _MINOR < 12:
            if hasattr(found, "fget") and hasattr(found, "fset") and hasattr(found, "fdel"):
                hidden = found
        elif _is_descriptor(found) or isinstance(found, _DESCRIPTORS_OF_C):
            hidden, kind, owner = found, kind or "desc", owner or base
        else:
            kind, owner = "attr", base
    if hidden is not None:
        member = _Redirect(member, hidden, kind, owner)
        member.__set_name__(cls, name)
    type.__setattr__(cls, name, member)


class _Coming:
    """What stands for a member while its class is made."""
    _ptc_known_as = "enum._proto_member"

    def __init__(self, value):
        self.value = value

    def __set_name__(self, cls, name):
        type.__delattr__(cls, name)
        cls._ptc_add_member(name, self.value, cls._ptc_member_new)


def _is_descriptor(v):
    return hasattr(v, "__get__") or hasattr(v, "__set__") or hasattr(v, "__delete__")


def _unmodelled_values(values):
    """Values without a model, alone or in a tuple: whether one is a member, or another name of one, is not known."""
    return [part for _, value in values for part in (value if not _is_opaque(value) and isinstance(value, tuple) else (value,))
            if _is_opaque(part)]


def _is_nested(cls_name, value):
    """Is it a class that was written in the body?"""
    return isinstance(value, type) and getattr(value, "__qualname__", "").endswith(f"{cls_name}.{getattr(value, '__name__', '')}")


def _is_private(cls_name, name):
    return name.startswith(f"_{cls_name}__") and not name.endswith("__")


class _EnumDict(dict):
    """The body of an enumeration: remembers what becomes a member, and gives auto() its value."""

    def __init__(self, cls_name, bases):
        super().__init__()
        self._ptc_cls_name = cls_name
        self._member_names = []
        self._ptc_ignored = []
        self._ptc_values = []
        self._ptc_generate = None
        for base in bases:
            found = getattr(base, "_generate_next_value_", None)
            if found is not None:
                self._ptc_generate = found
                break

    def _ptc_is_member(self, key, value):
        if key.startswith("__") and key.endswith("__") or key in ("_ignore_", "_order_", "_generate_next_value_", "_missing_"):
            return False
        if key.startswith("_") and key.endswith("_") or _is_private(self._ptc_cls_name, key) or key in self._ptc_ignored:
            return False
        if _is_opaque(value):    # the class is refused
            return True
        if isinstance(value, nonmember) or _is_descriptor(value):
            return False
        return _MINOR < 13 or not _is_nested(self._ptc_cls_name, value)

    def __setitem__(self, key, value):
        if key == "_generate_next_value_":
            self._ptc_generate = value.__func__ if isinstance(value, staticmethod) else value
        elif key == "_ignore_":
            self._ptc_ignored = value.replace(",", " ").split() if isinstance(value, str) else list(value)
        if key in self._member_names:
            raise TypeError(f"{key!r} already defined as {self[key]!r}")
        if not _is_opaque(value) and isinstance(value, member):
            value = value.value
            self._member_names.append(key)
        elif self._ptc_is_member(key, value):
            value = self._ptc_resolved(key, value)
            self._member_names.append(key)
            self._ptc_values.append(value)
        elif not _is_opaque(value) and isinstance(value, nonmember):
            value = value.value
        super().__setitem__(key, value)

    def _ptc_resolved(self, key, value):
        if _is_opaque(value):
            return value
        if isinstance(value, auto):
            if value.value is _auto_null:
                value.value = self._ptc_generate(key, 1, len(self._member_names), self._ptc_values[:])
            return value.value
        if isinstance(value, tuple) and any([not _is_opaque(v) and isinstance(v, auto) for v in value]):
            return tuple([self._ptc_resolved(key, v) for v in value])
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


def _is_single_bit(value):
    return value > 0 and value & (value - 1) == 0


def _without_negative(values):
    """The values of a flag's members, negative ones as the bits of the others that they stand for."""
    bits = 0
    for name, value in values:
        first = value[0] if isinstance(value, tuple) and value else value
        if isinstance(first, int) and first >= 0:
            bits |= first
    made = []
    for name, value in values:
        if isinstance(value, int) and value < 0:
            value = bits & value
        elif isinstance(value, tuple) and value and isinstance(value[0], int) and value[0] < 0:
            value = (bits & value[0],) + value[1:]
        made.append((name, value))
    return made


def _inherited_new(bases):
    """The __new__ that an enumeration among the bases was written with."""
    for base in bases:
        for cls in base.__mro__:
            found = cls.__dict__.get("_ptc_own_new")
            if found is not None:
                return found
    return None


class EnumType(type):
    if _MINOR < 12:
        def __getattr__(cls, name):
            raise AttributeError(name)

    @classmethod
    def __prepare__(metacls, cls, bases, **kwds):
        for base in bases:
            if isinstance(base, EnumType) and base._member_names_:
                raise TypeError(f"<enum {cls!r}> cannot extend <enum {base.__name__!r}>")
        return _EnumDict(cls, bases)

    def __new__(metacls, name, bases, body, *, boundary=None, **kwds):
        if not isinstance(body, _EnumDict):
            raise AttributeError(f"'{type(body).__name__}' object has no attribute '_member_names'")
        names = body._member_names
        namespace = {k: _Coming(v) if k in names else v for k, v in body.items() if k != "_ignore_"}
        own_new = namespace.pop("__new__", None) if bases else None    # Enum's own looks members up
        values = [(n, body[n]) for n in names]
        unmodelled = _unmodelled_values(values)
        if unmodelled:
            return _refuse_class(unmodelled[0], any([_is_program_code(_lookup(b, "__init_subclass__")) for b in bases]))
        namespace["_member_names_"] = []
        namespace["_member_map_"] = {}
        namespace["_value2member_map_"] = {}
        boundary = boundary or (getattr(bases[-1], "_boundary_", None) if bases else None)
        if boundary is not None:
            namespace["_boundary_"] = boundary
            namespace["_flag_mask_"] = namespace["_singles_mask_"] = namespace["_all_bits_"] = 0
            if _MINOR >= 15:
                for n, value in _without_negative(values):
                    namespace[n] = _Coming(value)
        namespace["_member_type_"] = _data_type(bases)
        namespace["_ptc_own_new"] = own_new
        namespace["_ptc_member_new"] = own_new if own_new is not None else _inherited_new(bases)
        cls = metacls._ptc_made(name, bases, namespace, kwds)
        if bases:
            cls._ptc_prefer_enum_methods(namespace, bases[-1])
        if boundary is not None:
            type.__setattr__(cls, "_bits_", [1 << n for n in range(cls._flag_mask_.bit_length()) if cls._flag_mask_ >> n & 1])
        return cls

    @classmethod
    def _ptc_made(metacls, name, bases, namespace, kwds):
        """The class with its members; what their making raises goes on as it is."""
        if _MINOR < 12:
            try:
                return super().__new__(metacls, name, bases, namespace, **kwds)
            except RuntimeError as e:
                error = e.__cause__ or e
            raise error
        try:
            return super().__new__(metacls, name, bases, namespace, **kwds)
        except Exception as e:
            if _MINOR >= 13:
                if hasattr(e, "__notes__"):
                    del e.__notes__
                raise
            error = type(e)(str(e))
        raise error

    def _ptc_prefer_enum_methods(cls, body, first_enum):
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

    def _ptc_add_member(cls, name, value, own_new):
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
        if "_flag_mask_" in cls.__dict__ and isinstance(value, int):
            cls._ptc_widen_masks(value)
        made._name_ = name
        made.__objclass__ = cls
        made.__init__(*args)
        made._sort_order_ = len(cls._member_names_)
        other = cls._ptc_member_of(value)
        if other is not None:
            _bind_member(cls, name, other)
            cls._member_map_[name] = other
            return
        _bind_member(cls, name, made)
        cls._member_map_[name] = made
        if cls._ptc_counts_as_member(value):
            cls._member_names_.append(name)
        try:
            cls._value2member_map_[value] = made
        except TypeError:
            pass

    def _ptc_member_of(cls, value):
        """The member with the value, None where there is none. Only values without a hash are compared one by one."""
        try:
            return cls._value2member_map_.get(value)
        except TypeError:
            for m in cls._member_map_.values():
                if m._value_ == value:
                    return m
        return None

    def _ptc_widen_masks(cls, value):
        type.__setattr__(cls, "_flag_mask_", cls._flag_mask_ | value)
        if _is_single_bit(value):
            type.__setattr__(cls, "_singles_mask_", cls._singles_mask_ | value)
        type.__setattr__(cls, "_all_bits_", (1 << cls._flag_mask_.bit_length()) - 1)

    def _ptc_counts_as_member(cls, value):
        if not issubclass(cls, Flag) if "Flag" in globals() else True:
            return True
        return isinstance(value, int) and _is_single_bit(value)

    def __call__(cls, value, names=_no_names, *, module=None, qualname=None, type=None, start=1, boundary=None):
        if _MINOR >= 12 and names is _no_names and type is None and not cls._member_map_:
            raise TypeError(f"{cls} has no members; specify `names=()` if you meant to create a new, empty, enum")
        if names is None or names is _no_names:
            return Enum.__new__(cls, value)
        return cls._ptc_create(value, names, start, type, module, qualname)

    def _ptc_create(cls, class_name, names, start, mixin, module, qualname):
        bases = (cls,) if mixin is None else (mixin, cls)
        body = _EnumDict(class_name, bases)
        if module is not None:
            body["__module__"] = module
        if qualname is not None:
            body["__qualname__"] = qualname
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        pairs = names.items() if isinstance(names, dict) else names
        count = start
        values = []
        for item in pairs:
            if isinstance(item, str):
                values.append(cls._generate_next_value_(item, start, count - start, values[:]))
                body[item] = values[-1]
                count += 1
            else:
                body[item[0]] = item[1]
        return EnumType.__new__(EnumType, class_name, bases, body)

    def __contains__(cls, value):
        if _MINOR < 12:
            if not isinstance(value, Enum):
                raise TypeError(f"unsupported operand type(s) for 'in': '{type(value).__qualname__}' and '{type(cls).__qualname__}'")
            return isinstance(value, cls) and value._name_ in cls._member_map_
        if isinstance(value, cls):
            return True
        if _MINOR == 12:
            return value in cls._value2member_map_
        try:
            if value in cls._value2member_map_:
                return True
        except TypeError:
            return any([value == m._value_ for m in cls._member_map_.values()])
        if _MINOR < 14 or not issubclass(cls, Flag):
            return False
        try:
            return isinstance(cls._missing_(value), cls)
        except ValueError:
            return False

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __iter__(cls):
        return (cls._member_map_[n] for n in cls._member_names_)

    def __reversed__(cls):
        return (cls._member_map_[n] for n in reversed(cls._member_names_))

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    @_python_property
    def __members__(cls):
        return _MappingProxyType(cls._member_map_)

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
        found = cls._ptc_member_of(value)
        if found is not None:
            return found
        if not cls._member_map_:
            raise TypeError(f"{cls!r} has no members defined")
        return cls._ptc_found_missing(value)

    def __dir__(self):
        _refuse("dir() of a member of an enumeration")

    @classmethod
    def _ptc_found_missing(cls, value):
        try:
            error = None
            found = cls._missing_(value)
        except Exception as e:
            error = e
            found = None
        if isinstance(found, cls) or (issubclass(cls, Flag) and cls._boundary_ is EJECT and isinstance(found, int)):
            return found
        invalid = ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        if found is None and error is None:
            raise invalid
        if error is None:
            error = TypeError(f"error in {cls.__name__}._missing_: returned {found!r} instead of None or a valid member")
        if not isinstance(error, ValueError):
            error.__context__ = invalid
        raise error

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


class FlagBoundary(StrEnum):
    """What becomes of a flag's value with bits that are no member's."""
    STRICT = auto()     # an exception
    CONFORM = auto()    # the bits are left out
    EJECT = auto()      # the value is no flag any more
    KEEP = auto()       # the flag has the bits


STRICT, CONFORM, EJECT, KEEP = FlagBoundary


def _signed_bits(number, digits):
    """The two's complement behind its sign: "0b0 0101"."""
    text = f"{number & ((1 << number.bit_length()) - 1):b}" if number.bit_length() else ""
    sign = "1" if number < 0 else "0"
    text = "0" * (number.bit_length() - len(text)) + text
    return f"0b{sign} {sign * (digits - len(text))}{text}"


class Flag(Enum, boundary=STRICT):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _ptc_members_of(cls, value):
        """The members of single bits in the order of their values, or of definition where that is another."""
        found = [cls._value2member_map_.get(bit) for bit in cls._bits_ if value & bit]
        values = [m._value_ for m in cls]
        if all([a < b for a, b in zip(values, values[1:])]):
            return found
        found.sort(key=lambda m: m._sort_order_)
        return found

    @classmethod
    def _ptc_in_bounds(cls, value):
        """The value without what the boundary takes away; an int that is no flag where it ejects."""
        mask, all_bits = cls._flag_mask_, cls._all_bits_
        if ~all_bits <= value <= all_bits and not value & (all_bits ^ mask):
            return value
        if cls._boundary_ is STRICT:
            digits = max(value.bit_length(), mask.bit_length())
            raise ValueError(f"{cls!r} invalid value {value!r}\n    given {_signed_bits(value, digits)}\n  allowed {_signed_bits(mask, digits)}")
        if cls._boundary_ is CONFORM:
            return value & mask
        if cls._boundary_ is KEEP and value < 0:
            return max(all_bits + 1, 1 << value.bit_length()) + value
        return value

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        value = cls._ptc_in_bounds(value)
        if cls._boundary_ is EJECT and (not ~cls._all_bits_ <= value <= cls._all_bits_ or value & (cls._all_bits_ ^ cls._flag_mask_)):
            return value
        negative = value if value < 0 else None
        if value < 0:
            if _MINOR >= 15 and cls._boundary_ is not EJECT and cls._boundary_ is not KEEP:
                value = cls._singles_mask_ & value
            else:
                value = cls._all_bits_ + 1 + value
        unknown = value & ~cls._flag_mask_
        if unknown and cls._boundary_ is not KEEP:
            raise ValueError(f"{cls.__name__}({value!r}) -->  unknown values {unknown!r} [{bin(unknown)}]")
        made = object.__new__(cls) if cls._member_type_ is object else cls._member_type_.__new__(cls, value)
        if not hasattr(made, "_value_"):
            made._value_ = value
        made._name_ = cls._ptc_composed_name(value)
        made = cls._value2member_map_.setdefault(value, made)
        if negative is not None:
            cls._value2member_map_[negative] = made
        return made

    @classmethod
    def _ptc_composed_name(cls, value):
        """"A|B", with bits of no member behind them; None where no member is in the value."""
        members = cls._ptc_members_of(value & cls._singles_mask_)
        combined = 0
        for m in members:
            combined |= m._value_
        if value & ~cls._singles_mask_:
            for m in cls._member_map_.values():
                if m not in members and m._value_ and m._value_ & value == m._value_:
                    members.append(m)
                    combined |= m._value_
        if not combined:
            return None
        unknown = value ^ combined
        if unknown and cls._boundary_ is STRICT:
            raise ValueError(f"{cls!r}: no members with value {unknown!r}")
        name = "|".join([m._name_ for m in members])
        return f"{name}|{unknown!r}" if unknown else name

    def _ptc_bits(self, other):
        if isinstance(other, type(self)):
            return other._value_
        if self._member_type_ is not object and isinstance(other, self._member_type_):
            return other
        return None

    def __or__(self, other):
        v = self._ptc_bits(other)
        return NotImplemented if v is None else type(self)(self._value_ | v)

    def __and__(self, other):
        v = self._ptc_bits(other)
        return NotImplemented if v is None else type(self)(self._value_ & v)

    def __xor__(self, other):
        v = self._ptc_bits(other)
        return NotImplemented if v is None else type(self)(self._value_ ^ v)

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __invert__(self):
        if self._boundary_ is EJECT or self._boundary_ is KEEP:
            return type(self)(~self._value_)
        return type(self)(self._singles_mask_ & ~self._value_)

    def __contains__(self, other):
        if not isinstance(other, type(self)):
            raise TypeError(f"unsupported operand type(s) for 'in': {type(other).__qualname__!r} and {type(self).__qualname__!r}")
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        return iter(self._ptc_members_of(self._value_))

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


class IntFlag(int, ReprEnum, Flag, boundary=KEEP):
    __str__ = int.__repr__
    __format__ = int.__format__


def unique(enumeration):
    doubles = [(alias, m._name_) for alias, m in enumeration.__members__.items() if alias != m._name_]
    if doubles:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join([f'{a} -> {n}' for a, n in doubles])}")
    return enumeration


def global_enum(cls):
    return cls


def _simple_enum(etype=Enum, *, boundary=None, use_args=None):
    """A decorator that makes an enumeration of a class, as the statement `class NAME(etype)` would."""
    def made(cls):
        body = type(etype).__prepare__(cls.__name__, (etype,))
        for name, value in cls.__dict__.items():
            if name not in ("__dict__", "__weakref__", "__static_attributes__", "__firstlineno__", "__members__"):
                body[name] = value
        more = {} if boundary is None else {"boundary": boundary}
        return type(etype)(cls.__name__, (etype,), body, **more)
    return made
