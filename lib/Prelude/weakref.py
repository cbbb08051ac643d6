"""weakref: references that keep nothing. Whether an object is still there is known by who else refers to it (`_held`), as
CPython counts references; asking is refused where only objects in a cycle do, which the collector takes at a time of its own.
Nothing is called when an object goes, so callbacks are refused."""
from collections.abc import Mapping as _Mapping, MutableMapping as _MutableMapping, MutableSet as _MutableSet

from _ptc import _held, _is_in_call, _weak_reference
from _ptc_torch import _refuse

_absent, _attribute, _set_attribute = object(), object.__getattribute__, object.__setattr__
_PLAIN = int, float, complex, str, bytes, bytearray, tuple, list, dict, range, slice, type(None), type(NotImplemented), type(...), BaseException
_NEVER = int, tuple, bytes                      # objects of classes derived from these have no room for it


def _check_referent(object):
    kind = type(object)
    if kind in _PLAIN or isinstance(object, _NEVER) and not isinstance(object, type):
        raise TypeError(f"cannot create weak reference to {kind.__name__!r} object")
    # Instances of a class of the program's have room for it where the class, or one that it is derived from, has no slots or names it.
    if kind.__module__ != "builtins" and not any([cls.__module__ != "builtins" and ("__slots__" not in vars(cls) or "__weakref__" in vars(cls)["__slots__"])
                                                  for cls in kind.__mro__]):
        raise TypeError(f"cannot create weak reference to {kind.__name__!r} object")


class ReferenceType:
    def __new__(cls, object, callback=None, /, **kwargs):
        if cls is not ReferenceType and cls is not KeyedRef and cls is not WeakMethod:
            _refuse("an object of a class derived from weakref.ref")
        if callback is not None:
            _refuse("weakref with a callback, which runs when the object goes")
        _check_referent(object)
        known = _weak_reference(object, None) if cls is ReferenceType else None
        if known is not None:
            return known
        self = super().__new__(cls)
        self._ptc_referent = object
        if cls is ReferenceType and not _is_in_call():
            _weak_reference(object, self)
        return self

    @property
    def __callback__(self):
        return None

    def __call__(self):
        return self._ptc_referent if _held((self._ptc_referent,))[0] else None

    def __eq__(self, other):
        if not isinstance(other, ReferenceType):
            return NotImplemented
        mine, its = self(), other()
        return self is other if mine is None or its is None else mine == its

    def __hash__(self):
        found = self()
        if found is None:
            _refuse("hash() of a weak reference whose object is gone")
        return hash(found)

    def __repr__(self):
        _refuse("repr() of a weak reference")

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


ref = ReferenceType


class KeyedRef(ReferenceType):
    def __init__(self, ob, callback, key):
        self.key = key


class WeakMethod(ReferenceType):
    def __new__(cls, meth, callback=None):
        try:
            owner, function = meth.__self__, meth.__func__
        except AttributeError:
            raise TypeError(f"argument should be a bound method, not {type(meth)}") from None
        self = super().__new__(cls, owner, callback)
        self._ptc_function, self._ptc_type = function, type(meth)
        return self

    def __call__(self):
        owner = super().__call__()
        return None if owner is None else self._ptc_type(self._ptc_function, owner)

    def __eq__(self, other):
        if not isinstance(other, WeakMethod):
            return NotImplemented
        mine, its = super().__call__(), ReferenceType.__call__(other)
        return self is other if mine is None or its is None else mine is its and self._ptc_function == other._ptc_function

    __hash__ = ReferenceType.__hash__


def _alive(proxy):
    """What the proxy stands for. A variable of this function would hold it."""
    if not _held((_attribute(proxy, "_ptc_referent"),))[0]:
        raise ReferenceError("weakly-referenced object no longer exists")
    return _attribute(proxy, "_ptc_referent")


class ProxyType:
    __hash__ = None

    @property
    def __class__(self):
        return type(_alive(self))

    def __getattr__(self, name):
        return getattr(_alive(self), name)

    def __setattr__(self, name, value):
        setattr(_alive(self), name, value)

    def __delattr__(self, name):
        delattr(_alive(self), name)

    def __repr__(self):
        _refuse("repr() of a weak proxy")

    def __str__(self):
        return str(_alive(self))

    def __bool__(self):
        return bool(_alive(self))

    def __len__(self):
        return len(_alive(self))

    def __contains__(self, key):
        return key in _alive(self)

    def __getitem__(self, key):
        return _alive(self)[key]

    def __setitem__(self, key, value):
        _alive(self)[key] = value

    def __delitem__(self, key):
        del _alive(self)[key]

    def __iter__(self):
        return iter(_alive(self))

    def __next__(self):
        return next(_alive(self))


class CallableProxyType:
    __hash__ = None
    __getattr__, __setattr__, __delattr__ = ProxyType.__getattr__, ProxyType.__setattr__, ProxyType.__delattr__
    __repr__, __str__, __bool__, __len__ = ProxyType.__repr__, ProxyType.__str__, ProxyType.__bool__, ProxyType.__len__
    __contains__, __iter__, __next__ = ProxyType.__contains__, ProxyType.__iter__, ProxyType.__next__
    __getitem__, __setitem__, __delitem__ = ProxyType.__getitem__, ProxyType.__setitem__, ProxyType.__delitem__

    @property
    def __class__(self):
        return type(_alive(self))

    def __call__(self, *args, **kwargs):
        return _alive(self)(*args, **kwargs)


def _operator_of(function, is_reflected):
    def method(self, *others):
        others = [_alive(other) if type(other) in ProxyTypes else other for other in others]
        return function(*others, _alive(self)) if is_reflected else function(_alive(self), *others)
    return method


def _in_place(self, other):
    _refuse("an operator in place of a weak proxy")


def _give_operators(cls):
    import operator
    for name in "add sub mul matmul truediv floordiv mod pow lshift rshift and or xor".split():
        function = getattr(operator, name + "_" * (name in ("and", "or")))
        setattr(cls, f"__{name}__", _operator_of(function, False))
        setattr(cls, f"__r{name}__", _operator_of(function, True))
        setattr(cls, f"__i{name}__", _in_place)
    for name in "neg pos abs invert index eq ne lt le gt ge".split():
        setattr(cls, f"__{name}__", _operator_of(getattr(operator, name), False))
    for name, function in (("int", int), ("float", float), ("divmod", divmod)):
        setattr(cls, f"__{name}__", _operator_of(function, False))
    cls.__hash__ = None


ProxyTypes = (ProxyType, CallableProxyType)
for _cls in ProxyTypes:
    _give_operators(_cls)


def proxy(object, callback=None, /):
    if callback is not None:
        _refuse("weakref with a callback, which runs when the object goes")
    _check_referent(object)
    cls = CallableProxyType if callable(object) else ProxyType
    made = cls.__new__(cls)
    _set_attribute(made, "_ptc_referent", object)
    return made


def getweakrefcount(object, /):
    _refuse("weakref.getweakrefcount")


def getweakrefs(object, /):
    _refuse("weakref.getweakrefs")


def finalize(obj, func, /, *args, **kwargs):
    _refuse("weakref.finalize, which calls a function when the object goes")


class _Weak:
    """What stands in a dict for an object that it does not keep."""
    __slots__ = ("_ptc_referent", "_ptc_hash")

    def __init__(self, referent):
        self._ptc_referent = referent

    def __hash__(self):
        return hash(self._ptc_referent)

    def __eq__(self, other):
        return self._ptc_referent is other._ptc_referent or self._ptc_referent == other._ptc_referent


def _drop_dead(entries):
    """Takes out of a dict what stands for objects that are gone, as keys or as values."""
    weak = [(key, key if type(key) is _Weak else value) for key, value in entries.items()]
    if weak:
        for (key, _), is_held in zip(weak, _held(tuple([entry._ptc_referent for _, entry in weak]))):
            if not is_held:
                del entries[key]
    return entries


class WeakValueDictionary(_MutableMapping):
    def __init__(self, other=(), /, **kw):
        self._ptc_entries = {}
        self.update(other, **kw)

    def __getitem__(self, key):
        return _drop_dead(self._ptc_entries)[key]._ptc_referent

    def __setitem__(self, key, value):
        _check_referent(value)
        self._ptc_entries[key] = _Weak(value)

    def __delitem__(self, key):
        del _drop_dead(self._ptc_entries)[key]

    def __contains__(self, key):
        return key in _drop_dead(self._ptc_entries)

    def __len__(self):
        return len(_drop_dead(self._ptc_entries))

    def __iter__(self):
        return iter(list(_drop_dead(self._ptc_entries)))

    def __repr__(self):
        _refuse("repr() of a weakref.WeakValueDictionary")

    keys = __iter__

    def values(self):
        return iter([entry._ptc_referent for entry in _drop_dead(self._ptc_entries).values()])

    def items(self):
        return iter([(key, entry._ptc_referent) for key, entry in _drop_dead(self._ptc_entries).items()])

    def get(self, key, default=None):
        entry = _drop_dead(self._ptc_entries).get(key)
        return default if entry is None else entry._ptc_referent

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, other=None, /, **kwargs):
        for key, value in () if other is None else dict(other).items():
            self[key] = value
        for key, value in kwargs.items():
            self[key] = value

    def pop(self, key, *args):
        if key not in self:
            if args:
                return args[0]
            raise KeyError(key)
        return self._ptc_entries.pop(key)._ptc_referent

    def popitem(self):
        key, entry = _drop_dead(self._ptc_entries).popitem()
        return key, entry._ptc_referent

    def clear(self):
        self._ptc_entries.clear()

    def copy(self):
        return WeakValueDictionary(dict(self.items()))

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, _Mapping):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self


class WeakKeyDictionary(_MutableMapping):
    def __init__(self, dict=None):
        self._ptc_entries = {}
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        _check_referent(key)
        found = _drop_dead(self._ptc_entries).get(_Weak(key), _absent)
        if found is _absent:
            _refuse("the KeyError of a weakref.WeakKeyDictionary, which holds a weak reference")
        return found

    def __setitem__(self, key, value):
        _check_referent(key)
        _drop_dead(self._ptc_entries)[_Weak(key)] = value

    def __delitem__(self, key):
        _check_referent(key)
        if _Weak(key) not in _drop_dead(self._ptc_entries):
            _refuse("the KeyError of a weakref.WeakKeyDictionary, which holds a weak reference")
        del self._ptc_entries[_Weak(key)]

    def __contains__(self, key):
        try:
            _check_referent(key)
        except TypeError:
            return False
        return _Weak(key) in _drop_dead(self._ptc_entries)

    def __len__(self):
        return len(_drop_dead(self._ptc_entries))

    def __iter__(self):
        return iter([entry._ptc_referent for entry in _drop_dead(self._ptc_entries)])

    def __repr__(self):
        _refuse("repr() of a weakref.WeakKeyDictionary")

    keys = __iter__

    def values(self):
        return iter(list(_drop_dead(self._ptc_entries).values()))

    def items(self):
        return iter([(entry._ptc_referent, value) for entry, value in _drop_dead(self._ptc_entries).items()])

    def get(self, key, default=None):
        _check_referent(key)
        return _drop_dead(self._ptc_entries).get(_Weak(key), default)

    def setdefault(self, key, default=None):
        _check_referent(key)
        return _drop_dead(self._ptc_entries).setdefault(_Weak(key), default)

    def update(self, dict=None, /, **kwargs):
        for key, value in () if dict is None else (dict.items() if hasattr(dict, "items") else dict):
            self[key] = value
        if kwargs:
            raise TypeError("cannot create weak reference to 'str' object")

    def pop(self, key, *args):
        _check_referent(key)
        return _drop_dead(self._ptc_entries).pop(_Weak(key), *args)

    def clear(self):
        self._ptc_entries.clear()

    def copy(self):
        made = WeakKeyDictionary()
        made.update(self)
        return made

    __copy__ = copy


class WeakSet(_MutableSet):
    def __init__(self, data=None):
        self._ptc_entries = {}
        if data is not None:
            self.update(data)

    def add(self, item):
        _check_referent(item)
        _drop_dead(self._ptc_entries)[_Weak(item)] = None

    def discard(self, item):
        _check_referent(item)
        _drop_dead(self._ptc_entries).pop(_Weak(item), None)

    def __contains__(self, item):
        try:
            _check_referent(item)
        except TypeError:
            return False
        return _Weak(item) in _drop_dead(self._ptc_entries)

    def __len__(self):
        return len(_drop_dead(self._ptc_entries))

    def __iter__(self):
        return iter([entry._ptc_referent for entry in _drop_dead(self._ptc_entries)])

    def __repr__(self):
        _refuse("repr() of a weakref.WeakSet")

    def update(self, other):
        for item in other:
            self.add(item)

    def copy(self):
        return WeakSet(self)

    def clear(self):
        self._ptc_entries.clear()


ReferenceType.__name__ = ReferenceType.__qualname__ = "ReferenceType"
