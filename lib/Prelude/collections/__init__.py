"""collections: containers on top of dict, list and tuple."""
from collections import abc  # noqa: F401
from operator import index as _index, itemgetter as _itemgetter

from _ptc import _dict_key, _is_item, _python_minor

_KEYWORDS = frozenset("""False None True and as assert async await break class continue def del elif else except finally
for from global if import in is lambda nonlocal not or pass raise return try while with yield""".split())
_absent = object()


class OrderedDict(dict):
    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return super().popitem()
        key = next(iter(self))
        return key, self.pop(key)

    def move_to_end(self, key, last=True):
        there = _dict_key(self, len(self) - 1 if last else 0)
        if _is_item(there, key) or there == key:
            return
        value = self[key]
        if last:
            del self[key]
            self[key] = value
            return
        others = [(k, v) for k, v in self.items() if k != key]
        for k, _ in others:
            del self[k]
        for k, v in others:
            self[k] = v

    def copy(self):
        return type(self)(self)

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = type(self)(self)
        made.update(other)
        return made

    def __ior__(self, other):
        self.update(other)
        return self

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({list(self.items()) if _python_minor() < 12 else dict(self)!r})"

    def _ptc_reduce(self, conv):
        made = type(self)()
        for k, v in self.items():
            made[conv(k)] = conv(v)
        return made


class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        value = self[key] = self.default_factory()
        return value

    def copy(self):
        return type(self)(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = self.copy()
        made.update(other)
        return made

    def __repr__(self):
        return f"{type(self).__name__}({self.default_factory!r}, {dict(self)!r})"

    def _ptc_reduce(self, conv):
        made = type(self)(self.default_factory)
        for k, v in self.items():
            made[conv(k)] = conv(v)
        return made


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        ordered = sorted(self.items(), key=_itemgetter(1), reverse=True)
        return ordered if n is None else ordered[:n]

    def elements(self):
        for key, count in self.items():
            for _ in range(count):
                yield key

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if hasattr(iterable, "items"):
                for key, count in iterable.items():
                    self[key] = count + self.get(key, 0)
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        for key, count in kwds.items():
            self[key] = count + self.get(key, 0)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if hasattr(iterable, "items"):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) - count
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        for key, count in kwds.items():
            self[key] = self.get(key, 0) - count

    def copy(self):
        return type(self)(self)

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] == other[e] for c in (self, other) for e in c])

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        return all([self[e] <= other[e] for c in (self, other) for e in c])

    def __lt__(self, other):
        return self <= other and self != other

    def __ge__(self, other):
        return all([self[e] >= other[e] for c in (self, other) for e in c])

    def __gt__(self, other):
        return self >= other and self != other

    def _merged(self, other, count):
        made = Counter()
        for key in list(self) + [k for k in other if k not in self]:
            n = count(self[key], other[key])
            if n > 0:
                made[key] = n
        return made

    def __add__(self, other):
        return self._merged(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._merged(other, lambda a, b: a - b)

    def __or__(self, other):
        return self._merged(other, lambda a, b: a if a > b else b)

    def __and__(self, other):
        return self._merged(other, lambda a, b: a if a < b else b)

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._keep_positive()

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._keep_positive()

    def _keep_positive(self):
        for key in [k for k, n in self.items() if not n > 0]:
            del self[key]
        return self

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        return f"{type(self).__name__}({dict(self.most_common())!r})"

    def _ptc_reduce(self, conv):
        made = type(self)()
        for k, v in self.items():
            made[conv(k)] = conv(v)
        return made


class deque:
    _ptc_sequence = True
    __hash__ = None

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self._items = []
        self._maxlen = maxlen
        self.extend(iterable)

    maxlen = property(lambda self: self._maxlen)

    def append(self, x):
        self._items.append(x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            del self._items[0]

    def appendleft(self, x):
        self._items.insert(0, x)
        if self._maxlen is not None and len(self._items) > self._maxlen:
            self._items.pop()

    def extend(self, iterable):
        for x in list(iterable):
            self.append(x)

    def extendleft(self, iterable):
        for x in list(iterable):
            self.appendleft(x)

    def pop(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop()

    def popleft(self):
        if not self._items:
            raise IndexError("pop from an empty deque")
        return self._items.pop(0)

    def clear(self):
        self._items.clear()

    def copy(self):
        return type(self)(self._items, self._maxlen)

    __copy__ = copy

    def count(self, x):
        return self._items.count(x)

    def index(self, x, *bounds):
        if x not in self._items:
            raise ValueError(f"{x!r} is not in deque")
        return self._items.index(x, *bounds)

    def insert(self, i, x):
        if self._maxlen is not None and len(self._items) >= self._maxlen:
            raise IndexError("deque already at its maximum size")
        self._items.insert(i, x)

    def remove(self, x):
        if x not in self._items:
            raise ValueError(f"{x!r} is not in deque")
        self._items.remove(x)

    def reverse(self):
        self._items.reverse()

    def rotate(self, n=1):
        n = _index(n)
        if self._items:
            k = n % len(self._items)
            self._items = self._items[len(self._items) - k:] + self._items[:len(self._items) - k]

    def __len__(self):
        return len(self._items)

    def __iter__(self):
        n = len(self._items)
        for x in self._items:
            if len(self._items) != n:
                raise RuntimeError("deque mutated during iteration")
            yield x

    def __reversed__(self):
        return iter(self._items[::-1])

    def __contains__(self, x):
        return x in self._items

    def _place(self, i):
        if not isinstance(i, int):
            raise TypeError(f"sequence index must be integer, not '{type(i).__name__}'")
        if not -len(self._items) <= i < len(self._items):
            raise IndexError("deque index out of range")
        return i

    def __getitem__(self, i):
        return self._items[self._place(i)]

    def __setitem__(self, i, x):
        self._items[self._place(i)] = x

    def __delitem__(self, i):
        del self._items[self._place(i)]

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, deque) else NotImplemented

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, deque) else NotImplemented

    def __le__(self, other):
        return self._items <= other._items if isinstance(other, deque) else NotImplemented

    def __gt__(self, other):
        return self._items > other._items if isinstance(other, deque) else NotImplemented

    def __ge__(self, other):
        return self._items >= other._items if isinstance(other, deque) else NotImplemented

    def __add__(self, other):
        if not isinstance(other, deque):
            return NotImplemented
        return type(self)(self._items + other._items, self._maxlen)

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, n):
        return type(self)(self._items * n, self._maxlen)

    def __repr__(self):
        tail = "" if self._maxlen is None else f", maxlen={self._maxlen}"
        return f"{type(self).__name__}({self._items!r}{tail})"

    def __class_getitem__(cls, item):
        return cls

    def _ptc_reduce(self, conv):
        return type(self)([conv(v) for v in self._items], self._maxlen)


class _TupleField:
    def __init__(self, index):
        self._index = index
        self.__doc__ = f"Alias for field number {index}"

    def __get__(self, obj, cls=None):
        return self if obj is None else tuple.__getitem__(obj, self._index)

    def __set__(self, obj, value):
        raise AttributeError("can't set attribute")


def _check_names(typename, names, rename):
    seen = set()
    for i, name in enumerate(names):
        bad = not name.isidentifier() or name in _KEYWORDS or name.startswith("_") or name in seen
        if rename and bad:
            names[i] = name = f"_{i}"
        seen.add(name)
    for name in [typename, *names]:
        if not isinstance(name, str):
            raise TypeError("Type names and field names must be strings")
        if not name.isidentifier():
            raise ValueError(f"Type names and field names must be valid identifiers: {name!r}")
        if name in _KEYWORDS:
            raise ValueError(f"Type names and field names cannot be a keyword: {name!r}")
    seen = set()
    for name in names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)


def _quoted(names):
    """'a', 'b' and 'c' as messages about arguments list them."""
    quoted = [repr(n) for n in names]
    if len(quoted) < 3:
        return " and ".join(quoted)
    return ", ".join(quoted[:-1]) + ", and " + quoted[-1]


def _bind(function, names, defaults, args, kwargs):
    """Values of positional-or-keyword parameters; the texts of CPython's errors. `self` is counted."""
    if len(args) > len(names):
        least = len(names) - len(defaults)
        takes = f"from {least + 1} to {len(names) + 1}" if defaults else f"{len(names) + 1}"
        raise TypeError(f"{function}() takes {takes} positional argument{'s' if names else ''} but {len(args) + 1} were given")
    values = dict(zip(names, args))
    for key, value in kwargs.items():
        if key in values:
            raise TypeError(f"{function}() got multiple values for argument '{key}'")
        if key not in names:
            raise TypeError(f"{function}() got an unexpected keyword argument '{key}'")
        values[key] = value
    missing = [n for n in names if n not in values and n not in defaults]
    if missing:
        raise TypeError(f"{function}() missing {len(missing)} required positional argument{'s' if len(missing) > 1 else ''}: {_quoted(missing)}")
    return [values[n] if n in values else defaults[n] for n in names]


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    names = [str(n) for n in field_names]
    _check_names(typename, names, rename)
    fields = tuple(names)
    given = () if defaults is None else tuple(defaults)
    if len(given) > len(fields):
        raise TypeError("Got more default values than field names")
    field_defaults = dict(zip(fields[len(fields) - len(given):], given))

    def __new__(_cls, *args, **kwargs):
        if not kwargs and len(args) == len(fields):
            return tuple.__new__(_cls, args)
        return tuple.__new__(_cls, _bind(f"{typename}.__new__", fields, field_defaults, args, kwargs))

    def _make(cls, iterable):
        values = tuple(iterable)
        if len(values) != len(fields):
            raise TypeError(f"Expected {len(fields)} arguments, got {len(values)}")
        return tuple.__new__(cls, values)

    def _replace(self, /, **kwds):
        values = [kwds.pop(n) if n in kwds else v for n, v in zip(fields, self)]
        if kwds:
            raise ValueError(f"Got unexpected field names: {list(kwds)!r}")
        return tuple.__new__(type(self), values)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([f'{n}={v!r}' for n, v in zip(fields, self)])})"

    def _asdict(self):
        return dict(zip(fields, self))

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(fields)})", "__slots__": (), "_fields": fields, "_field_defaults": field_defaults,
        "__new__": __new__, "_make": classmethod(_make), "_replace": _replace, "__repr__": __repr__, "_asdict": _asdict,
        "__getnewargs__": __getnewargs__, "__match_args__": fields,
    }
    for index, name in enumerate(fields):
        namespace[name] = _TupleField(index)
    made = type(typename, (tuple,), namespace)
    if module is not None:
        made.__module__ = module
    return made


class ChainMap(abc.MutableMapping):
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
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
        return len(list(iter(self)))

    def __contains__(self, key):
        return any([key in m for m in self.maps])

    def __bool__(self):
        return any([True for m in self.maps if m])

    def new_child(self, m=None, **kwargs):
        return type(self)({**(m or {}), **kwargs} if m is None or kwargs else m, *self.maps)

    @property
    def parents(self):
        return type(self)(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        if key not in self.maps[0]:
            raise KeyError(f"Key not found in the first mapping: {key!r}")
        del self.maps[0][key]

    def __repr__(self):
        return f"{type(self).__name__}({', '.join([repr(m) for m in self.maps])})"


class UserDict(abc.MutableMapping):
    def __init__(self, dict=None, /, **kwargs):
        self.data = {}
        if dict is not None:
            self.update(dict)
        self.update(kwargs)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(type(self), "__missing__"):
            return type(self).__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def __repr__(self):
        return repr(self.data)


abc.MutableSequence._abc_registry.append(deque)


from collections._user import UserList, UserString  # noqa: E402,F401
