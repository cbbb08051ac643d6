"""collections: containers on top of dict, list and tuple."""
from collections import abc  # noqa: F401
from operator import index as _index, itemgetter as _itemgetter

from _ptc import _dict_key, _is_item, _is_table, _python_minor
from _ptc_torch import _refuse

_KEYWORDS = frozenset("""False None True and as assert async await break class continue def del elif else except finally
for from global if import in is lambda nonlocal not or pass raise return try while with yield""".split())
_absent = object()


def _put_all(made, other):
    """What OrderedDict makes of another mapping or of pairs: an assignment of each item."""
    if type(other) is dict:
        pairs = other.items()
    elif hasattr(other, "keys"):
        for key in other.keys():
            made[key] = other[key]
        return
    else:
        pairs = other.items() if hasattr(other, "items") else other
    for pair in pairs:
        pair = tuple(pair)
        if len(pair) < 2:
            raise ValueError(f"need more than {len(pair)} value{'s'[:len(pair) != 1]} to unpack")
        if len(pair) > 2:
            raise ValueError("too many values to unpack (expected 2)")
        made[pair[0]] = pair[1]


def _state(instance, own=()):
    """Attributes of an instance of a subclass, for copies: what `own` names is not in its __dict__ elsewhere."""
    getter = getattr(type(instance), "__getstate__", None)
    if getter is not None and getter is not getattr(object, "__getstate__", None):
        return getter(instance)
    return {k: v for k, v in instance.__dict__.items() if k not in own} or None


class OrderedDict(dict):
    """Its own methods go past those of a subclass where CPython's do."""
    _ptc_keyed = True                         # dict() and update() ask for keys() and items
    _ptc_named_arguments = True               # of its methods, in C, too

    def __init__(self, *args, **kwds):
        if len(args) > 1:
            raise TypeError(f"expected at most 1 argument{'s' if _python_minor() < 14 else ''}, got {len(args)}")
        _OrderedDict_update(self, *args, **kwds)

    def update(self, *args, **kwds):
        if len(args) > 1:
            raise TypeError(f"update() takes at most 1 positional argument ({len(args)} given)")
        if args:
            _put_all(self, args[0])
        if kwds:
            _put_all(self, kwds)

    def setdefault(self, key, default=None):
        if type(self) is OrderedDict:
            return dict.setdefault(self, key, default)
        if key in self:
            return self[key]
        self[key] = default
        return default

    def pop(self, key, default=_absent):
        return dict.pop(self, key) if default is _absent else dict.pop(self, key, default)

    def popitem(self, last=True):
        if not dict.__len__(self):
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = next(dict.__iter__(self))
        return key, dict.pop(self, key)

    def move_to_end(self, key, last=True):
        if not dict.__contains__(self, key):
            raise KeyError(key)
        there = _dict_key(self, -1 if last else 0)
        if _is_item(there, key) or there == key:
            return
        value = dict.pop(self, key)
        if last:
            dict.__setitem__(self, key, value)
            return
        others = list(dict.items(self))
        dict.clear(self)
        dict.__setitem__(self, key, value)
        for k, v in others:
            dict.__setitem__(self, k, v)

    def copy(self):
        made = type(self)()
        if type(self) is OrderedDict:
            dict.update(made, self)
        else:
            for key in dict.keys(self):
                made[key] = self[key]
        return made

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made

    def __eq__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        same = dict.__eq__(self, other)
        if isinstance(other, OrderedDict):
            return same and list(dict.keys(self)) == list(dict.keys(other))
        return same

    def __ne__(self, other):
        same = OrderedDict.__eq__(self, other)
        return same if same is NotImplemented else not same

    __hash__ = None

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = type(self)(self)
        _put_all(made, other)
        return made

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = type(self)(other)
        _put_all(made, self)
        return made

    def __ior__(self, other):
        _put_all(self, other)
        return self

    def __repr__(self):
        if not dict.__len__(self):
            return f"{type(self).__name__}()"
        if _python_minor() >= 12:
            return f"{type(self).__name__}({_plain_dict(self)!r})"
        return f"{type(self).__name__}({list(dict.items(self) if type(self) is OrderedDict else self.items())!r})"

    def __reduce__(self):
        return self.__class__, (), _state(self), None, iter(self.items())


_OrderedDict_update = OrderedDict.update


def _plain_dict(given):
    """A dict of the items that are there, whatever methods there are."""
    made = {}
    for key, value in dict.items(given):
        made[key] = value
    return made


class defaultdict(dict):
    _ptc_factory = None

    def __init__(self, default_factory=None, /, *args, **kwargs):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **kwargs)
        self._ptc_factory = default_factory

    def _ptc_set_factory(self, factory):
        self._ptc_factory = factory

    default_factory = property(lambda self: self._ptc_factory, _ptc_set_factory)

    def __missing__(self, key):
        if self._ptc_factory is None:
            raise KeyError(key)
        value = self[key] = self._ptc_factory()
        return value

    def copy(self):
        return type(self)(self._ptc_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = type(self)(self._ptc_factory, self)
        dict.update(made, other)
        return made

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        made = type(self)(self._ptc_factory, other)
        dict.update(made, self)
        return made

    def __repr__(self):
        return f"{type(self).__name__}({self._ptc_factory!r}, {_plain_dict(self)!r})"

    def __reduce__(self):
        factory = self._ptc_factory
        return type(self), () if factory is None else (factory,), None, None, iter(self.items())


def _combined(counter, other, of_both, of_other):
    """The positive counts of what is in a counter, and of what is in another one alone."""
    if not isinstance(other, Counter):
        return NotImplemented
    result = Counter()
    for elem, count in counter.items():
        n = of_both(count, other[elem])
        if n > 0:
            result[elem] = n
    for elem, count in other.items():
        if elem not in counter and (n := of_other(count)) > 0:
            result[elem] = n
    return result


def _repeated_elements(counts):
    for key, count in counts:
        for _ in range(count):
            yield key


class Counter(dict):
    def __init__(self, iterable=None, /, **kwds):
        super().__init__()
        self.update(iterable, **kwds)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        if n is None:
            return sorted(self.items(), key=_itemgetter(1), reverse=True)
        import heapq
        return heapq.nlargest(n, self.items(), key=_itemgetter(1))

    def elements(self):
        if _is_table(self):
            _refuse("elements() of a Counter whose keys the run decides")
        return _repeated_elements(iter(self.items()))

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError("Counter.fromkeys() is undefined.  Use Counter(iterable) instead.")

    def update(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, abc.Mapping):
                if self:
                    for key, count in iterable.items():
                        self[key] = count + self.get(key, 0)
                else:
                    super().update(iterable)
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) + 1
        if kwds:
            self.update(kwds)

    def subtract(self, iterable=None, /, **kwds):
        if iterable is not None:
            if isinstance(iterable, abc.Mapping):
                for key, count in iterable.items():
                    self[key] = self.get(key, 0) - count
            else:
                for key in iterable:
                    self[key] = self.get(key, 0) - 1
        if kwds:
            self.subtract(kwds)

    def copy(self):
        return self.__class__(self)

    def __reduce__(self):
        return self.__class__, (_plain_dict(self),)

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
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] <= other[e] for c in (self, other) for e in c])

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all([self[e] >= other[e] for c in (self, other) for e in c])

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def __add__(self, other):
        return _combined(self, other, lambda a, b: a + b, lambda b: b)

    def __sub__(self, other):
        return _combined(self, other, lambda a, b: a - b, lambda b: 0 - b if b < 0 else 0)

    def __or__(self, other):
        return _combined(self, other, lambda a, b: b if a < b else a, lambda b: b)

    def __and__(self, other):
        return _combined(self, other, lambda a, b: a if a < b else b, lambda b: 0)

    def __pos__(self):
        result = Counter()
        for elem, count in self.items():
            if count > 0:
                result[elem] = count
        return result

    def __neg__(self):
        result = Counter()
        for elem, count in self.items():
            if count < 0:
                result[elem] = 0 - count
        return result

    def __iadd__(self, other):
        for elem, count in other.items():
            self[elem] += count
        return self._keep_positive()

    def __isub__(self, other):
        for elem, count in other.items():
            self[elem] -= count
        return self._keep_positive()

    if _python_minor() >= 15:
        def __xor__(self, other):
            if not isinstance(other, Counter):
                return NotImplemented
            result = Counter()
            for elem, count in self.items():
                n = abs(count - other[elem])
                if n:
                    result[elem] = n
            for elem, count in other.items():
                if elem not in self and count:
                    result[elem] = abs(count)
            return result

        def __ixor__(self, other):
            for elem, count in self.items():
                self[elem] = abs(count - other[elem])
            for elem, count in other.items():
                if elem not in self:
                    self[elem] = abs(count)
            return self._keep_positive()

    def __ior__(self, other):
        for elem, other_count in other.items():
            count = self[elem]
            if other_count > count:
                self[elem] = other_count
        return self._keep_positive()

    def __iand__(self, other):
        for elem, count in self.items():
            other_count = other[elem]
            if other_count < count:
                self[elem] = other_count
        return self._keep_positive()

    def _keep_positive(self):
        for key in [k for k, n in self.items() if not n > 0]:
            del self[key]
        return self

    def __repr__(self):
        if not self:
            return f"{type(self).__name__}()"
        try:
            items = dict(self.most_common())
        except TypeError:
            items = dict(self)
        return f"{self.__class__.__name__}({items!r})"


class deque:
    _ptc_sequence = True
    _ptc_as_result = "return `list(q)` of a deque `q`"
    __hash__ = None

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None:
            maxlen = _index(maxlen)
            if maxlen < 0:
                raise ValueError("maxlen must be non-negative")
        self._ptc_items = []
        self._ptc_maxlen = maxlen
        _deque_extend(self, iterable)

    maxlen = property(lambda self: self._ptc_maxlen)

    def append(self, x, /):
        self._ptc_items.append(x)
        if self._ptc_maxlen is not None and len(self._ptc_items) > self._ptc_maxlen:
            del self._ptc_items[0]

    def appendleft(self, x, /):
        self._ptc_items.insert(0, x)
        if self._ptc_maxlen is not None and len(self._ptc_items) > self._ptc_maxlen:
            self._ptc_items.pop()

    def extend(self, iterable, /):
        for x in list(iterable):
            _deque_append(self, x)

    def extendleft(self, iterable, /):
        for x in list(iterable):
            _deque_appendleft(self, x)

    def pop(self, /):
        if not self._ptc_items:
            raise IndexError("pop from an empty deque")
        return self._ptc_items.pop()

    def popleft(self, /):
        if not self._ptc_items:
            raise IndexError("pop from an empty deque")
        return self._ptc_items.pop(0)

    def clear(self, /):
        self._ptc_items.clear()

    def copy(self, /):
        if type(self) is deque:
            made = deque((), self._ptc_maxlen)
            made._ptc_items = self._ptc_items[:]
            return made
        return type(self)(self) if self._ptc_maxlen is None else type(self)(self, self._ptc_maxlen)

    __copy__ = copy

    def count(self, x, /):
        return self._ptc_items.count(x)

    def index(self, x, /, *bounds):
        if x not in self._ptc_items:
            raise ValueError(f"{x!r} is not in deque")
        return self._ptc_items.index(x, *bounds)

    def insert(self, i, x, /):
        if self._ptc_maxlen is not None and len(self._ptc_items) >= self._ptc_maxlen:
            raise IndexError("deque already at its maximum size")
        self._ptc_items.insert(i, x)

    def remove(self, x, /):
        if x not in self._ptc_items:
            raise ValueError(f"{x!r} is not in deque")
        self._ptc_items.remove(x)

    def reverse(self, /):
        self._ptc_items.reverse()

    def rotate(self, n=1, /):
        n = _index(n)
        if self._ptc_items:
            k = n % len(self._ptc_items)
            self._ptc_items = self._ptc_items[len(self._ptc_items) - k:] + self._ptc_items[:len(self._ptc_items) - k]

    def __len__(self):
        return len(self._ptc_items)

    def __iter__(self):
        n = len(self._ptc_items)
        for x in self._ptc_items:
            if len(self._ptc_items) != n:
                raise RuntimeError("deque mutated during iteration")
            yield x

    def __reversed__(self):
        return iter(self._ptc_items[::-1])

    def __contains__(self, x):
        return x in self._ptc_items

    def __getitem__(self, i):
        return self._ptc_items[_deque_place(self, i, True)]

    def __setitem__(self, i, x):
        self._ptc_items[_deque_place(self, i, False)] = x

    def __delitem__(self, i):
        del self._ptc_items[_deque_place(self, i, False)]

    def __eq__(self, other):
        return self._ptc_items == other._ptc_items if isinstance(other, deque) else NotImplemented

    def __ne__(self, other):
        return self._ptc_items != other._ptc_items if isinstance(other, deque) else NotImplemented

    def __lt__(self, other):
        return self._ptc_items < other._ptc_items if isinstance(other, deque) else NotImplemented

    def __le__(self, other):
        return self._ptc_items <= other._ptc_items if isinstance(other, deque) else NotImplemented

    def __gt__(self, other):
        return self._ptc_items > other._ptc_items if isinstance(other, deque) else NotImplemented

    def __ge__(self, other):
        return self._ptc_items >= other._ptc_items if isinstance(other, deque) else NotImplemented

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(f"can only concatenate deque (not \"{type(other).__name__}\") to deque")
        made = _deque_copy(self)
        _deque_extend(made, other)
        return made

    def __iadd__(self, other):
        _deque_extend(self, other)
        return self

    def __mul__(self, n):
        return _deque_imul(_deque_copy(self), n)

    __rmul__ = __mul__

    def __imul__(self, n):
        items = self._ptc_items * n
        if self._ptc_maxlen is not None:
            items = items[max(len(items) - self._ptc_maxlen, 0):]
        self._ptc_items = items
        return self

    def __repr__(self):
        tail = "" if self._ptc_maxlen is None else f", maxlen={self._ptc_maxlen}"
        return f"{type(self).__name__}({(self._ptc_items if type(self).__iter__ is deque.__iter__ else list(self))!r}{tail})"

    def __reduce__(self):
        return type(self), () if self._ptc_maxlen is None else ((), self._ptc_maxlen), _state(self, ("_ptc_items", "_ptc_maxlen")), iter(self)


def _deque_place(self, i, is_read):
    if not isinstance(i, int):
        f = getattr(type(i), "__index__", None)
        if f is None:
            if is_read:
                raise TypeError(f"sequence index must be integer, not '{type(i).__name__}'")
            raise TypeError(f"'{type(i).__name__}' object cannot be interpreted as an integer")
        i = f(i)
    if not -len(self._ptc_items) <= i < len(self._ptc_items):
        raise IndexError("deque index out of range")
    return i


# What methods of deques call goes past those of a subclass.
_deque_append, _deque_appendleft, _deque_extend, _deque_copy = deque.append, deque.appendleft, deque.extend, deque.copy
_deque_imul = deque.__imul__
deque._ptc_sequence_type = deque    # `+` and `*` come behind those of numbers


class _TupleField:
    _ptc_known_as = "_collections._tuplegetter"

    def __init__(self, index):
        self._ptc_index = index
        self.__doc__ = f"Alias for field number {index}"

    def __get__(self, obj, cls=None):
        return self if obj is None else tuple.__getitem__(obj, self._ptc_index)

    def __repr__(self):
        return f"_tuplegetter({self._ptc_index}, {self.__doc__!r})"

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
    typename, names = str(typename), [str(n) for n in field_names]
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

    for method in (_make, _replace, __repr__, _asdict, __getnewargs__):
        method.__qualname__ = f"{typename}.{method.__name__}"
    namespace = {
        "__doc__": f"{typename}({', '.join(fields)}{',' if len(fields) == 1 else ''})", "__slots__": (), "_fields": fields, "_field_defaults": field_defaults,
        "__new__": __new__, "_make": classmethod(_make), "_replace": _replace, "__repr__": __repr__, "_asdict": _asdict,
        "__getnewargs__": __getnewargs__, "__match_args__": fields,
    }
    for index, name in enumerate(fields):
        namespace[name] = _TupleField(index)
    made = type(typename, (tuple,), namespace)
    if module is not None:
        made.__module__ = module
    return made


from collections._user import ChainMap, UserDict, UserList, UserString  # noqa: E402,F401


abc.MutableSequence.register(deque)
