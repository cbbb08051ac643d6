"""collections.abc: interfaces by their methods, and the mixins of containers."""
import sys as _sys
from abc import ABCMeta as _ABCMeta, abstractmethod as _abstractmethod

from _ptc import _mapping_proxy

if _sys.version_info >= (3, 13):
    __package__ = ""  # it is the module _collections_abc

_GenericAlias = type(list[int])

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


class Awaitable(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __await__(self):
        yield

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__await__") if cls is Awaitable else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class Coroutine(Awaitable):
    __slots__ = ()

    @_abstractmethod
    def send(self, value):
        raise StopIteration

    @_abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise _given(typ, val, tb)

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            pass
        else:
            raise RuntimeError("coroutine ignored GeneratorExit")

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__await__", "send", "throw", "close") if cls is Coroutine else NotImplemented


def _given(typ, val, tb):
    if val is None:
        if tb is None:
            return typ
        val = typ()
    return val if tb is None else val.with_traceback(tb)


class AsyncIterable(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __aiter__(self):
        return AsyncIterator()

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__aiter__") if cls is AsyncIterable else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class AsyncIterator(AsyncIterable):
    __slots__ = ()

    @_abstractmethod
    async def __anext__(self):
        raise StopAsyncIteration

    def __aiter__(self):
        return self

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__anext__", "__aiter__") if cls is AsyncIterator else NotImplemented


class AsyncGenerator(AsyncIterator):
    __slots__ = ()

    async def __anext__(self):
        return await self.asend(None)

    @_abstractmethod
    async def asend(self, value):
        raise StopAsyncIteration

    @_abstractmethod
    async def athrow(self, typ, val=None, tb=None):
        raise _given(typ, val, tb)

    async def aclose(self):
        try:
            await self.athrow(GeneratorExit)
        except (GeneratorExit, StopAsyncIteration):
            pass
        else:
            raise RuntimeError("asynchronous generator ignored GeneratorExit")

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__aiter__", "__anext__", "asend", "athrow", "aclose") if cls is AsyncGenerator else NotImplemented


class Hashable(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __hash__(self):
        return 0

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__hash__") if cls is Hashable else NotImplemented


class Iterable(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __iter__(self):
        while False:
            yield None

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__") if cls is Iterable else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class Iterator(Iterable):
    __slots__ = ()

    @_abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__", "__next__") if cls is Iterator else NotImplemented


class Reversible(Iterable):
    __slots__ = ()

    @_abstractmethod
    def __reversed__(self):
        while False:
            yield None

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__reversed__", "__iter__") if cls is Reversible else NotImplemented


class Generator(Iterator):
    __slots__ = ()

    def __next__(self):
        return self.send(None)

    @_abstractmethod
    def send(self, value):
        raise StopIteration

    @_abstractmethod
    def throw(self, typ, val=None, tb=None):
        raise _given(typ, val, tb)

    def close(self):
        try:
            self.throw(GeneratorExit)
        except (GeneratorExit, StopIteration):
            pass
        else:
            raise RuntimeError("generator ignored GeneratorExit")

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__iter__", "__next__", "send", "throw", "close") if cls is Generator else NotImplemented


class Sized(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __len__(self):
        return 0

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__len__") if cls is Sized else NotImplemented


class Container(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __contains__(self, x):
        return False

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__contains__") if cls is Container else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class Collection(Sized, Iterable, Container):
    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__len__", "__iter__", "__contains__") if cls is Collection else NotImplemented


if _sys.version_info >= (3, 12):
    class Buffer(metaclass=_ABCMeta):
        __slots__ = ()

        @_abstractmethod
        def __buffer__(self, flags, /):
            raise NotImplementedError

        @classmethod
        def __subclasshook__(cls, other):
            return _has(other, "__buffer__") if cls is Buffer else NotImplemented


class Callable(metaclass=_ABCMeta):
    __slots__ = ()

    @_abstractmethod
    def __call__(self, *args, **kwds):
        return False

    @classmethod
    def __subclasshook__(cls, other):
        return _has(other, "__call__") if cls is Callable else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class Set(Collection):
    __slots__ = ()

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        if len(self) > len(other):
            return False
        for elem in self:
            if elem not in other:
                return False
        return True

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        if len(self) < len(other):
            return False
        for elem in other:
            if elem not in self:
                return False
        return True

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    @classmethod
    def _from_iterable(cls, it):
        return cls(it)

    def __and__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(value for value in other if value in self)

    __rand__ = __and__

    def isdisjoint(self, other):
        for value in other:
            if value in self:
                return False
        return True

    def __or__(self, other):
        if not isinstance(other, Iterable):
            return NotImplemented
        return self._from_iterable(e for s in (self, other) for e in s)

    __ror__ = __or__

    def __sub__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(value for value in self if value not in other)

    def __rsub__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return self._from_iterable(value for value in other if value not in self)

    def __xor__(self, other):
        if not isinstance(other, Set):
            if not isinstance(other, Iterable):
                return NotImplemented
            other = self._from_iterable(other)
        return (self - other) | (other - self)

    __rxor__ = __xor__

    def _hash(self):
        most = 2 * _sys.maxsize + 1
        n = len(self)
        h = 1927868237 * (n + 1)
        h &= most
        for x in self:
            hx = hash(x)
            h ^= (hx ^ (hx << 16) ^ 89869747) * 3644798167
            h &= most
        h ^= (h >> 11) ^ (h >> 25)
        h = h * 69069 + 907133923
        h &= most
        if h > _sys.maxsize:
            h -= most + 1
        return 590923713 if h == -1 else h


class MutableSet(Set):
    __slots__ = ()

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
        it = iter(self)
        try:
            value = next(it)
        except StopIteration:
            raise KeyError from None
        self.discard(value)
        return value

    def clear(self):
        try:
            while True:
                self.pop()
        except KeyError:
            pass

    def __ior__(self, it):
        for value in it:
            self.add(value)
        return self

    def __iand__(self, it):
        for value in self - it:
            self.discard(value)
        return self

    def __ixor__(self, it):
        if it is self:
            self.clear()
        else:
            if not isinstance(it, Set):
                it = self._from_iterable(it)
            for value in it:
                if value in self:
                    self.discard(value)
                else:
                    self.add(value)
        return self

    def __isub__(self, it):
        if it is self:
            self.clear()
        else:
            for value in it:
                self.discard(value)
        return self


class Mapping(Collection):
    __slots__ = ()
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
        else:
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


class MappingView(Sized):
    __slots__ = ("_mapping",)

    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{self.__class__.__name__}({self._mapping!r})"

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class KeysView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    __slots__ = ()

    @classmethod
    def _from_iterable(cls, it):
        return set(it)

    def __contains__(self, item):
        key, value = item
        try:
            v = self._mapping[key]
        except KeyError:
            return False
        else:
            return v is value or v == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    __slots__ = ()

    def __contains__(self, value):
        for key in self._mapping:
            v = self._mapping[key]
            if v is value or v == value:
                return True
        return False

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


_marker = object()


class MutableMapping(Mapping):
    __slots__ = ()

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
        else:
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
        if isinstance(other, Mapping):
            for key in other:
                self[key] = other[key]
        elif hasattr(other, "keys"):
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


class Sequence(Reversible, Collection):
    __slots__ = ()
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
        for i in reversed(range(len(self))):
            yield self[i]

    def index(self, value, start=0, stop=None):
        if start is not None and start < 0:
            start = max(len(self) + start, 0)
        if stop is not None and stop < 0:
            stop += len(self)
        i = start
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
    __slots__ = ()

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
        try:
            while True:
                self.pop()
        except IndexError:
            pass

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        if values is self:
            values = list(values)
        for v in values:
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


if _sys.version_info < (3, 15):
    class ByteString(Sequence):
        __slots__ = ()

    ByteString._ptc_registry += [bytes, bytearray]


# What is known of the classes of C is said here once: their dicts do not name all that they do.
Hashable._ptc_registry += [type(len), type(lambda: 0)]
Iterable._ptc_registry.append(type(list[int]))
Iterator._ptc_registry += [type(x for x in ()), type(iter([])), type(iter(())), type(iter("")), type(iter(range(0))), type(iter({})), type(iter(set())),
                           type(iter(b"")), type(reversed([])), type(zip()), type(map(len, ())), type(filter(None, ())), type(enumerate(()))]
Generator._ptc_registry.append(type(x for x in ()))
Reversible._ptc_registry += [dict, type({}.keys()), type({}.values()), type({}.items())]
Set._ptc_registry.append(frozenset)
MutableSet._ptc_registry.append(set)
Mapping._ptc_registry.append(_mapping_proxy())
KeysView._ptc_registry.append(type({}.keys()))
ItemsView._ptc_registry.append(type({}.items()))
ValuesView._ptc_registry.append(type({}.values()))
MutableMapping._ptc_registry.append(dict)
Sequence._ptc_registry += [tuple, str, range, bytes, memoryview]
MutableSequence._ptc_registry += [list, bytearray]
for _interface in (Reversible, Collection) if _Tensor is not None else ():
    _interface._ptc_registry.append(_Tensor)
