"""What containers do where keys or elements are objects of the program."""


def _contains_any(container, item):
    for x in container:
        if _is_item(x, item) or x == item:
            return True
    return False


def _contains(container, item):
    f = _lookup(type(container), "__contains__")
    if f is None:
        raise TypeError(f"'{_type_name(container)}' object is not a container")
    if f is not _missing:
        return True if f(container, item) else False
    if _lookup(type(container), "__iter__") is _missing and _lookup(type(container), "__getitem__") is _missing:
        raise TypeError(f"argument of type '{_type_name(container)}' is not iterable")
    if _lookup(type(container), "__iter__") is None:
        raise TypeError(f"argument of type '{_type_name(container)}' is not " +
                        ("iterable" if _python_minor() < 14 else "a container or iterable"))
    for x in container:
        if _is_item(x, item) or x == item:
            return True
    return False


def _len(v):
    n = _index(_lookup(type(v), "__len__")(v))
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    return _fitting(n)


def _fitting(n):
    try:
        return _ssize(n)
    except OverflowError:
        raise OverflowError("cannot fit 'int' into an index-sized integer") from None


def _len_truth(n):
    """The truth of an object by what its __len__ gave."""
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    return n != 0


def _index(v):
    if isinstance(v, int):
        return int.__index__(v)               # __int__ of a subclass has no say
    f = _lookup(type(v), "__index__")
    if f is _missing:
        raise TypeError(f"'{_type_name(v)}' object cannot be interpreted as an integer")
    n = f(v)
    if not isinstance(n, int):
        raise TypeError(f"__index__ returned non-int (type {_type_name(n)})")
    return int.__index__(n)


def _real(v):
    """What a C function that takes a double makes of an object: a float, or an int."""
    if isinstance(v, float):
        return float.__float__(v)
    f = _lookup(type(v), "__float__")
    if f is _missing:
        return _index(v)
    x = f(v)
    if not isinstance(x, float):
        raise TypeError(f"{_type_name(v)}.__float__ returned non-float (type {_type_name(x)})")
    return float.__float__(x)


def _float_of(cls, v):
    f = _lookup(type(v), "__float__")         # its own, which may hide that of float
    return float.__new__(cls, _index(v) if f is _missing or not _is_python(f) else _number_method(v, "__float__", float))


def _complex_of(real, imag):
    """complex() of objects that say which number they are."""
    real = _complex_part(real, True)
    return complex(real) if imag is _missing else complex(real, _complex_part(imag, False))


def _complex_part(v, is_real):
    f = _lookup(type(v), "__complex__") if is_real else _missing
    if _is_python(f):
        return _unbox(_number_method(v, "__complex__", complex))
    for name in ("__float__", "__index__"):
        if not isinstance(v, float) and _is_python(_lookup(type(v), name)):
            return _real(v)
    # A float was asked for a __float__ of its own until 3.14, and still is for the imaginary part.
    asks = not is_real or _python_minor() < 14
    return _number_method(v, "__float__", float) if asks and _is_python(_lookup(type(v), "__float__")) else _unbox(v)


def _call_converted(f, args, names, values, how):
    """Calls a native function with those of the arguments made numbers that it takes as such."""
    args = [_converted(x, c) for x, c in zip(args + values, how)]
    keywords = {}
    for i in range(len(names)):
        keywords[names[i]] = args[i - len(names)]
    return f(*args[:len(args) - len(names)], **keywords)


def _converted(v, how):
    return v if how is None else _index(v) if how == "index" else _real(v)


def _index_getitem(container, key):
    f = _lookup(type(key), "__index__")
    if f is not _missing and not isinstance(key, int):
        return container[_index(key)]
    if isinstance(key, int):
        return container[_unbox(key)]
    return _bad_index(container, key)


def _hash_by_method(v):
    return _as_hash(_lookup(type(v), "__hash__")(v))


def _index_setitem(container, key, value):
    container[_index(key)] = value


def _index_delitem(container, key):
    del container[_index(key)]


def _is_key(now, before):
    """Is a dict's key the one that it was? Floats have no identity here: one that is equal is as good."""
    if type(now) is float and type(before) is float:
        return now == before or now != now and before != before
    return _is_item(now, before)


def _dict_place(d, key):
    return _dict_place_hashed(d, key, hash(key))


def _dict_place_hashed(d, key, h):
    """As CPython: only keys of the same hash are compared, in the order in which they were added."""
    for n in _dict_unhashed(d):
        _dict_note_hash(d, n, hash(_dict_key(d, n)))
    for n in _dict_candidates(d, h):
        unhashed = n < 0
        if unhashed:
            n = -n - 1
        k = _dict_key(d, n)
        if _is_item(k, key):
            return n
        if unhashed and hash(k) != h:
            continue
        same = k == key
        if not _is_key(_dict_key(d, n), k):
            return _dict_place_hashed(d, key, h)
        if same:
            return n
    return -1


def _dict_getitem(d, key):
    n = _dict_place(d, key)
    if n < 0:
        f = _lookup(type(d), "__missing__")
        if f is not _missing:
            return f(d, key)
        raise KeyError(key)
    return _dict_at(d, n)


def _dict_setitem(d, key, value):
    h = hash(key)
    n = _dict_place_hashed(d, key, h)
    if n < 0:
        _dict_append(d, key, value, h)
    else:
        _dict_put(d, n, value)


def _dict_delitem(d, key):
    n = _dict_place(d, key)
    if n < 0:
        raise KeyError(key)
    _dict_erase(d, n)


def _dict_contains(d, key):
    return _dict_place(d, key) >= 0


def _dict_get(d, key, default):
    n = _dict_place(d, key)
    return default if n < 0 else _dict_at(d, n)


def _dict_pop(d, key, default):
    n = _dict_place(d, key)
    if n < 0:
        if default is _missing:
            raise KeyError(key)
        return default
    value = _dict_at(d, n)
    _dict_erase(d, n)
    return value


def _dict_setdefault(d, key, default):
    h = hash(key)
    n = _dict_place_hashed(d, key, h)
    if n >= 0:
        return _dict_at(d, n)
    _dict_append(d, key, default, h)
    return default


def _dict_update(d, other, pairs):
    if other is not _missing:
        if hasattr(other, "keys"):
            for k in other.keys():
                dict.__setitem__(d, k, other[k])
        else:
            n = 0
            for pair in other:
                try:
                    pair = tuple(pair)
                except TypeError:
                    raise TypeError(f"cannot convert dictionary update sequence element #{n} to a sequence") from None
                if len(pair) != 2:
                    raise ValueError(f"dictionary update sequence element #{n} has length {len(pair)}; 2 is required")
                dict.__setitem__(d, pair[0], pair[1])
                n += 1
    for i in range(0, len(pairs), 2):
        dict.__setitem__(d, pairs[i], pairs[i + 1])


def _dict_init(d, other, pairs):
    if other is not _missing and not hasattr(other, "keys") and not _iterable(other):
        raise TypeError(f"'{_type_name(other)}' object is not iterable")
    _dict_update(d, other, pairs)
    return d


def _dict_ior(a, b):
    dict.update(a, b)
    return a


def _digits_by_index(v, base):
    n = _index(v)
    return bin(n) if base == 2 else oct(n) if base == 8 else hex(n)


def _containers_differ(a, b):
    return not _containers_equal(a, b)


def _list_iadd(a, b):
    if a is b:
        b = b[:]
    for x in _collected(b):
        a.append(x)
    return a


def _reserve(iterable):
    """Before items are collected: an exception where no memory holds as many as there will be."""
    length = _lookup(type(iterable), "_ptc_length")
    hint = _lookup(type(iterable), "__length_hint__")
    if length is not _missing:
        iterable = length(iterable)
    elif hint is not _missing and not _is_program_code(hint):
        iterable = hint(iterable)
    _item_count(iterable)


def _length_hint(v, default=0):
    """operator.length_hint()."""
    try:
        if _lookup(type(v), "__len__") is not _missing:
            return len(v)
    except TypeError:
        pass
    hint = _lookup(type(v), "__length_hint__")
    if hint is _missing:
        return default
    try:
        n = hint(v)
    except TypeError:
        return default
    if n is NotImplemented:
        return default
    if not isinstance(n, int):
        raise TypeError(f"__length_hint__ must be an integer, not {_type_name(n)}")
    n = +_ssize(n)
    if n < 0:
        raise ValueError("__length_hint__() should return >= 0")
    return n


def _collected(iterable):
    """What is gone through to collect items in a list: how many there will be is asked as CPython does."""
    cls = type(iterable)
    if not _is_program_code(_lookup(cls, "__len__")) and not _is_program_code(_lookup(cls, "__length_hint__")):
        _reserve(iterable)
        return iterable
    it = iter(iterable)
    _item_count(_length_hint(iterable))
    return it


def _collected_in_tuple(iterable):
    if _python_minor() < 14:
        return _collected(iterable)
    _reserve(iterable)
    return iterable


def _bounded(iterable):
    """Before all items are looked at: the limit of steps where there are more than it allows, or no end."""
    length = _lookup(type(iterable), "_ptc_length")
    _step_count(iterable if length is _missing else length(iterable))


def _list_fill(target, iterable):
    for x in _collected(iterable):
        _list_append(target, x)
    return target


def _setslice(target, key, value):
    target[key] = [x for x in _collected(iter(value))]


def _list_of(iterable):
    return [x for x in _collected(iterable)]


def _tuple_of(iterable):
    return _tuple_from_list([x for x in _collected_in_tuple(iterable)])


def _set_of(cls, iterable):
    _reserve(iterable)
    return (frozenset if _subclass(cls, frozenset) else set).__new__(cls, [x for x in iterable])


def _set_python(cls, iterable):
    _reserve(iterable)
    s = set()
    if type(iterable) is dict:
        _set_reserve(s, len(iterable))
    for x in iterable:
        _set_add(s, x)
    return _native_set(cls, s)


def _make_set(cls, items):
    s = set()
    for x in items:
        _set_add(s, x)
    return _native_set(cls, s)


def _set_place(s, x, h):
    """Which of the members with its hash is equal to x, or -1. As CPython: the member is asked first, and all again where it changes the set."""
    found = _set_candidates(s, h, True)
    for n in range(len(found)):
        y = found[n]
        if _is_item(y, x):
            return n
        same = y == x
        now = _set_candidates(s, h, True)
        if len(now) <= n or not _is_item(now[n], y):
            return _set_place(s, x, h)
        if same:
            return n
    return -1


def _in_items(items, x):
    h = hash(x)
    if _set_candidates(items, h, False) is not None:
        return _set_place(items, x, h) >= 0
    for y in items:
        if _is_item(x, y) or (hash(y) == h and x == y):
            return True
    return False


def _set_add(s, x):
    h = hash(x)
    if _set_place(s, x, h) < 0:
        _set_insert(s, x, h)


def _set_take(s, x):
    h = hash(x)
    n = _set_place(s, x, h)
    if n >= 0:
        _set_erase(s, h, n)
    return n >= 0


def _set_discard(s, x):
    _set_take(s, x)


def _set_remove(s, x, given):
    if not _set_take(s, x):
        raise KeyError(given)


def _set_update(s, iterable):
    _reserve(iterable)
    if type(iterable) is dict:
        _set_reserve(s, len(iterable))
    for x in iterable:
        _set_add(s, x)


def _dict_of(items):
    d = {}
    for i in range(0, len(items), 2):
        d[items[i]] = items[i + 1]
    return d


def _dict_merge(d, other):
    for k in other.keys():
        dict.__setitem__(d, k, other[k])


def _dict_or(a, b, in_place):
    """a | b where one of the two has an __iter__ of its own: its keys and items are asked for."""
    made = a if in_place else {}
    if not in_place:
        _dict_merge(made, a)
    _dict_merge(made, b)
    return made


def _dict_fromkeys(cls, iterable, value):
    _reserve(iterable)
    d = cls()
    for k in iterable:
        d[k] = value
    return d


def _slice_by_index(container, start, stop, step):
    """container[start:stop:step] where a bound has __index__."""
    bounds = [x if x is None or not hasattr(x, "__index__") else _index(x) for x in (start, stop, step)]
    return container[bounds[0] : bounds[1] : bounds[2]]


def _list_init(target, iterable):
    for x in _collected(iterable):
        _list_append(target, x)


def _list_extend(target, iterable):
    if iterable is target:
        iterable = iterable[:]
    for x in _collected(iterable):
        _list_append(target, x)


def _list_remove(target, value):
    for i in range(len(target)):
        if _is_item(target[i], value) or target[i] == value:
            del target[i]
            return
    raise ValueError("list.remove(x): x not in list")


def _sequence_index(s, value, start, stop):
    for i in range(start, stop):
        if _is_item(s[i], value) or s[i] == value:
            return i
    raise ValueError("tuple.index(x): x not in tuple" if isinstance(s, tuple) else f"{value!r} is not in list")


def _sequence_count(s, value):
    n = 0
    for x in s:
        if _is_item(x, value) or x == value:
            n += 1
    return n


def _tuple_sub(cls, iterable):
    return tuple.__new__(cls, [x for x in _collected_in_tuple(iterable)])


def _bytes_of(cls, iterable):
    return cls([_index(x) for x in _collected(iterable)])


def _bytes_by_method(cls, source):
    f = _lookup(type(source), "__bytes__")
    if f is _missing:
        try:
            return cls(_index(source))
        except TypeError:
            return _bytes_of(cls, source)
    result = f(source)
    if not isinstance(result, bytes):
        raise TypeError(f"__bytes__ returned non-bytes (type {_type_name(result)})")
    return result if cls is bytes else cls(result)


def _range_of(args):
    return range(*[_index(x) for x in args])


def _range_len(r):
    n = (r.stop - r.start + r.step - 1) // r.step if r.step > 0 else (r.start - r.stop - r.step - 1) // -r.step
    return n if n > 0 else 0


def _range_item(r, index):
    i, n = _index(index), len(r)
    if i < 0:
        i += n
    if not 0 <= i < n:
        raise IndexError("range object index out of range")
    return r.start + i * r.step


def _hash_tuple(v):
    return _combined_hash(v, [hash(x) for x in v])


def _call_star(f, args, kwargs):
    return f(*[x for x in _collected_in_tuple(args)], **kwargs)


def _unpack(iterable, limit):
    """The first `limit` items; with -n, the first n - 1 and then those of iter() of the iterator."""
    items = []
    it = iter(iterable)
    if limit < 0:
        while len(items) < -limit - 1:
            x = _next_default(it, _missing)
            if x is _missing:
                return items
            items.append(x)
        it = _collected(it)
    for x in it:
        items.append(x)
        if len(items) == limit:
            break
    return items


def _with_list(f, first, iterables):
    """Calls a native method of set with iterables made into lists."""
    if f is set.update:
        _with_each(f, set.add, first, iterables)
    elif f is set.difference_update:
        _with_each(f, set.discard, first, iterables)
    else:
        return f(first, *[[x for x in it] for it in iterables])


def _with_each(f, one, first, iterables):
    """A method that calls `one` for each item: the set is changed when the next one is asked for."""
    for it in iterables:
        if isinstance(it, (set, frozenset)) or type(it) in (list, tuple, dict):
            f(first, [x for x in it])
        else:
            for x in it:
                one(first, x)


def _item_by_item(f, first, iterables):
    """The same where an item has no hash: the set is changed until that comes."""
    for it in iterables:
        if isinstance(it, (set, frozenset, dict)):
            f(first, it)
        else:
            for x in it:
                hash(x)
                (set.add if f is set.update else set.discard)(first, x)


def _int_from_bytes(cls, items, order, signed):
    if not hasattr(type(items), "__bytes__") and not hasattr(type(items), "__iter__") and not hasattr(type(items), "__getitem__"):
        raise TypeError(f"cannot convert '{_type_name(items)}' object to bytes")
    octets = bytes(items) if hasattr(type(items), "__bytes__") else bytes([item for item in items])
    return cls.from_bytes(octets, order, signed=signed)


def _made_of(cls, value):
    return cls(value)


def _generic_alias(cls, key):
    return _GenericAlias(cls, key)


# Operators of the views of dicts that are sets, with any iterable on the other side -----------------------


def _view_set(a, b, symbol):
    """a & b and the like, of which one is a view."""
    if symbol == "&":
        if not isinstance(a, _set_views):
            a, b = b, a
        if type(b) is set and len(a) <= len(b):
            return b.intersection(a)
        if isinstance(b, _set_views) and len(b) > len(a):
            a, b = b, a
        return {x for x in b if x in a}
    made = set(a)
    if symbol == "-":
        made.difference_update(b)
    elif symbol == "|":
        made.update(b)
    else:
        made.symmetric_difference_update(b)
    return made


def _view_is_disjoint(view, other):
    if (isinstance(other, (set, frozenset)) or isinstance(other, _set_views)) and len(other) > len(view):
        view, other = other, view
    for x in other:
        if x in view:
            return False
    return True


def _view_operator(symbol, reflected):
    if reflected:
        return lambda self, other: _view_set(other, self, symbol)
    return lambda self, other: _view_set(self, other, symbol)


if _python_minor() < 12:
    type.__setattr__(slice, "__hash__", None)
for _view in (type({}.keys()), type({}.values()), type({}.items())):
    type.__setattr__(_view, "_ptc_as_result", "return `list(v)` of a view `v` of a dict")
type.__setattr__(bytearray, "_ptc_as_result", "return `bytes(b)` of a bytearray `b`")
_set_views = (type({}.keys()), type({}.items()))
for _view in _set_views:
    type.__setattr__(_view, "__hash__", None)
    for _name, _symbol in (("and", "&"), ("or", "|"), ("sub", "-"), ("xor", "^")):
        type.__setattr__(_view, f"__{_name}__", _view_operator(_symbol, False))
        type.__setattr__(_view, f"__r{_name}__", _view_operator(_symbol, True))
