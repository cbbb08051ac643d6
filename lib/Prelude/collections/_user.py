"""ChainMap, UserDict, UserList and UserString: what looks like a dict, a list or a text and has others inside."""

import sys as _sys
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence


class ChainMap(MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            try:
                return mapping[key]
            except KeyError:
                pass
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def __iter__(self):
        merged = {}
        for mapping in reversed(self.maps):
            for key in mapping:
                merged[key] = None
        return iter(merged)

    def __len__(self):
        return len(list(ChainMap.__iter__(self)))

    def __contains__(self, key):
        return any([key in m for m in self.maps])

    def __bool__(self):
        return any([True for m in self.maps if m])

    @classmethod
    def fromkeys(cls, iterable, *args):
        return cls(dict.fromkeys(iterable, *args))

    def copy(self):
        return self.__class__(self.maps[0].copy(), *self.maps[1:])

    __copy__ = copy

    def new_child(self, m=None, **kwargs):
        if m is None:
            m = kwargs
        elif kwargs:
            m.update(kwargs)
        return self.__class__(m, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def popitem(self):
        try:
            return self.maps[0].popitem()
        except KeyError:
            raise KeyError("No keys found in the first mapping.")

    def pop(self, key, *args):
        try:
            return self.maps[0].pop(key, *args)
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}")

    def clear(self):
        self.maps[0].clear()

    def __ior__(self, other):
        self.maps[0].update(other)
        return self

    def __or__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        made = self.copy()
        made.maps[0].update(other)
        return made

    def __ror__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        merged = dict(other)
        for child in reversed(self.maps):
            merged.update(child)
        return self.__class__(merged)

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join([repr(m) for m in self.maps])})"


class UserDict(MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        if kwargs:
            self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    if _sys.version_info >= (3, 12):
        def get(self, key, default=None):
            return self[key] if key in self else default

    if _sys.version_info >= (3, 15):
        def popitem(self):
            return self.data.popitem()

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        if isinstance(other, UserDict):
            return self.__class__(self.data | other.data)
        if isinstance(other, dict):
            return self.__class__(self.data | other)
        return NotImplemented

    def __ror__(self, other):
        if isinstance(other, UserDict):
            return self.__class__(other.data | self.data)
        if isinstance(other, dict):
            return self.__class__(other | self.data)
        return NotImplemented

    def __ior__(self, other):
        self.data |= other.data if isinstance(other, UserDict) else other
        return self

    def __copy__(self):
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.__dict__["data"] = self.__dict__["data"].copy()
        return made

    def copy(self):
        if self.__class__ is UserDict:
            return UserDict(self.data.copy())
        import copy
        data = self.data
        try:
            self.data = {}
            made = copy.copy(self)
        finally:
            self.data = data
        made.update(self)
        return made

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made


def _list(other):
    return other.data if isinstance(other, UserList) else other if isinstance(other, list) else list(other)


class UserList(MutableSequence):
    def __init__(self, initlist=None):
        self.data = []
        if initlist is not None:
            if type(initlist) is list:
                self.data[:] = initlist
            elif isinstance(initlist, UserList):
                self.data[:] = initlist.data[:]
            else:
                self.data = list(initlist)

    def __repr__(self):
        return repr(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserList) else other)

    def __lt__(self, other):
        return self.data < (other.data if isinstance(other, UserList) else other)

    def __le__(self, other):
        return self.data <= (other.data if isinstance(other, UserList) else other)

    def __gt__(self, other):
        return self.data > (other.data if isinstance(other, UserList) else other)

    def __ge__(self, other):
        return self.data >= (other.data if isinstance(other, UserList) else other)

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + _list(other))

    def __radd__(self, other):
        return self.__class__(_list(other) + self.data)

    def __iadd__(self, other):
        self.data += _list(other)
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def __copy__(self):
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update(self.__dict__)
        made.__dict__["data"] = self.__dict__["data"][:]
        return made

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **kwds):
        self.data.sort(*args, **kwds)

    def extend(self, other):
        self.data.extend(other.data if isinstance(other, UserList) else other)


class UserString(Sequence):
    def __init__(self, seq):
        self.data = seq if isinstance(seq, str) else seq.data[:] if isinstance(seq, UserString) else str(seq)

    def __str__(self):
        return str(self.data)

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __complex__(self):
        return complex(self.data)

    def __hash__(self):
        return hash(self.data)

    def __getnewargs__(self):
        return (self.data[:],)

    def __eq__(self, string):
        return self.data == (string.data if isinstance(string, UserString) else string)

    def __lt__(self, string):
        return self.data < (string.data if isinstance(string, UserString) else string)

    def __le__(self, string):
        return self.data <= (string.data if isinstance(string, UserString) else string)

    def __gt__(self, string):
        return self.data > (string.data if isinstance(string, UserString) else string)

    def __ge__(self, string):
        return self.data >= (string.data if isinstance(string, UserString) else string)

    def __contains__(self, char):
        return (char.data if isinstance(char, UserString) else char) in self.data

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __add__(self, other):
        return self.__class__(self.data + _text(other))

    def __radd__(self, other):
        return self.__class__((other if isinstance(other, str) else str(other)) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return self.__class__(self.data % args)

    def __rmod__(self, template):
        return self.__class__(str(template) % self)

    def encode(self, encoding="utf-8", errors="strict"):
        return self.data.encode("utf-8" if encoding is None else encoding, "strict" if errors is None else errors)

    maketrans = str.maketrans


def _text(other):
    return other.data if isinstance(other, UserString) else other if isinstance(other, str) else str(other)


def _method_of_text(name, wraps, takes_texts):
    """A method of str as one of UserString: giving UserStrings, and taking them."""
    def method(self, /, *args, **kwds):
        if takes_texts:
            args = [a.data if isinstance(a, UserString) else a for a in args]
        found = getattr(self.data, name)(*args, **kwds)
        return self.__class__(found) if wraps else found

    method.__name__, method.__qualname__ = name, "UserString." + name
    return method


for _name in ("capitalize", "casefold", "center", "expandtabs", "ljust", "lower", "lstrip", "rjust", "rstrip", "strip", "swapcase", "title",
              "translate", "upper", "zfill"):
    setattr(UserString, _name, _method_of_text(_name, True, False))
for _name in ("removeprefix", "removesuffix", "replace"):
    setattr(UserString, _name, _method_of_text(_name, True, True))
for _name in ("endswith", "format", "format_map", "isalpha", "isalnum", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric",
              "isprintable", "isspace", "istitle", "isupper", "join", "partition", "rpartition", "split", "rsplit", "splitlines", "startswith"):
    setattr(UserString, _name, _method_of_text(_name, False, False))
for _name in ("count", "find", "rfind"):
    setattr(UserString, _name, _method_of_text(_name, False, True))
for _name in ("index", "rindex"):
    setattr(UserString, _name, _method_of_text(_name, False, _sys.version_info >= (3, 14)))
del _name
for _class in (ChainMap, UserDict, UserList, UserString):
    _class.__module__ = "collections"
del _class
