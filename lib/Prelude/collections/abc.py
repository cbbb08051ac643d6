"""collections.abc: interfaces by their methods, and the mixins of containers."""
from abc import ABCMeta as _ABCMeta, abstractmethod as _abstractmethod

try:
    from _ptc_torch import Tensor as _Tensor
except ImportError:  # an engine without tensors
    _Tensor = None


def _has(cls, *names):
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return NotImplemented
                break
        else:
            return NotImplemented
    return True


class Hashable(metaclass=_ABCMeta):
    @_abstractmethod
    def __hash__(self):
        return 0

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__hash__") if cls is Hashable else NotImplemented


class Iterable(metaclass=_ABCMeta):
    @_abstractmethod
    def __iter__(self):
        while False:
            yield None

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__") if cls is Iterable else NotImplemented

    def __class_getitem__(cls, item):
        return cls


class Iterator(Iterable):
    @_abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__", "__next__") if cls is Iterator else NotImplemented


class Generator(Iterator):
    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__", "__next__", "send", "throw", "close") if cls is Generator else NotImplemented


class Reversible(Iterable):
    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__reversed__", "__iter__") if cls is Reversible else NotImplemented


class Sized(metaclass=_ABCMeta):
    @_abstractmethod
    def __len__(self):
        return 0

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__len__") if cls is Sized else NotImplemented


class Container(metaclass=_ABCMeta):
    @_abstractmethod
    def __contains__(self, x):
        return False

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__contains__") if cls is Container else NotImplemented

    def __class_getitem__(cls, item):
        return cls


class Collection(Sized, Iterable, Container):
    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__len__", "__iter__", "__contains__") if cls is Collection else NotImplemented


class Callable(metaclass=_ABCMeta):
    @_abstractmethod
    def __call__(self, *args, **kwds):
        return False

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__call__") if cls is Callable else NotImplemented

    def __class_getitem__(cls, item):
        return cls


class Sequence(Reversible, Collection):
    _ptc_sequence = True

    @_abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        i = 0
        try:
            while True:
                v = self[i]
                yield v
                i += 1
        except IndexError:
            return

    def __contains__(self, value):
        for v in self:
            if v is value or v == value:
                return True
        return False

    def __reversed__(self):
        for i in range(len(self) - 1, -1, -1):
            yield self[i]

    def index(self, value, start=0, stop=None):
        i = start if start >= 0 else max(len(self) + start, 0)
        while stop is None or i < stop:
            try:
                v = self[i]
            except IndexError:
                break
            if v is value or v == value:
                return i
            i += 1
        raise ValueError

    def count(self, value):
        return sum([1 for v in self if v is value or v == value])


class MutableSequence(Sequence):
    @_abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @_abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @_abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        for v in list(values):
            self.append(v)

    def pop(self, index=-1):
        v = self[index]
        del self[index]
        return v

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    def __le__(self, other):
        return len(self) <= len(other) and all([e in other for e in self])

    def __lt__(self, other):
        return len(self) < len(other) and self.__le__(other)

    def __gt__(self, other):
        return len(self) > len(other) and self.__ge__(other)

    def __ge__(self, other):
        return len(self) >= len(other) and all([e in self for e in other])

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __and__(self, other):
        return self._from_iterable([v for v in other if v in self])

    __rand__ = __and__

    def __or__(self, other):
        return self._from_iterable([e for s in (self, other) for e in s])

    __ror__ = __or__

    def __sub__(self, other):
        return self._from_iterable([v for v in self if v not in other])

    def __xor__(self, other):
        return (self - other) | (other - self)

    def isdisjoint(self, other):
        return not any([v in self for v in other])


class MutableSet(Set):
    @_abstractmethod
    def add(self, value):
        raise NotImplementedError

    @_abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        try:
            value = next(iter(self))
        except StopIteration:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        while len(self):
            self.pop()


class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{type(self).__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    @classmethod
    def _from_iterable(cls, it):
        return set(it)


class ItemsView(MappingView, Set):
    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        return v is value or v == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]

    @classmethod
    def _from_iterable(cls, it):
        return set(it)


class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        for key in self._mapping:
            v = self._mapping[key]
            if v is value or v == value:
                return True
        return False

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class Mapping(Collection):
    _ptc_mapping = True

    @_abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __reversed__ = None


_marker = object()


class MutableMapping(Mapping):
    @_abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @_abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, default=_marker):
        try:
            value = self[key]
        except KeyError:
            if default is _marker:
                raise
            return default
        del self[key]
        return value

    def popitem(self):
        try:
            key = next(iter(self))
        except StopIteration:
            raise KeyError from None
        value = self[key]
        del self[key]
        return key, value

    def clear(self):
        try:
            while True:
                self.popitem()
        except KeyError:
            pass

    def update(self, other=(), /, **kwds):
        if hasattr(other, "keys"):
            for key in other.keys():
                self[key] = other[key]
        else:
            for key, value in other:
                self[key] = value
        for key, value in kwds.items():
            self[key] = value

    def setdefault(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            self[key] = default
        return default


Sequence._abc_registry += [tuple, str, range, bytes, list, bytearray]
MutableSequence._abc_registry += [list, bytearray]
Set._abc_registry += [set, frozenset, type({}.keys()), type({}.items())]
MutableSet._abc_registry.append(set)
Mapping._abc_registry.append(dict)
MutableMapping._abc_registry.append(dict)
Iterator._abc_registry.append(type(x for x in ()))
for _interface in (Reversible, Collection) if _Tensor is not None else ():
    _interface._abc_registry.append(_Tensor)
