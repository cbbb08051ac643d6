"""What the engine does in Python because it may call the user's code.

Names without a leading underscore become builtins. The others are called by the engine. Natives of
the module `_ptc` are global here: _lookup, _missing and so on.
"""

# Operators ---------------------------------------------------------------------------------------


def _repeated(f, sequence, count):
    if _lookup(type(count), "__index__") is _missing:
        raise TypeError(f"can't multiply sequence by non-int of type '{type(count).__name__}'")
    return f(sequence, _index(count))


def _repeats(t, f):
    """Whether `*` of this type is that of a sequence, which every number has a say before."""
    for sequence in (str, list, tuple, bytes, bytearray):
        if _subclass(t, sequence):
            return f is _lookup(sequence, "__mul__") or f is _lookup(sequence, "__rmul__")
    return False


def _multiply(a, b):
    ta, tb = type(a), type(b)
    f, r = _lookup(ta, "__mul__"), _lookup(tb, "__rmul__")
    first, second = _repeats(ta, f), _repeats(tb, r)
    if not first and f is not _missing:
        result = f(a, b)
        if result is not NotImplemented:
            return result
    if not second and r is not _missing and ta is not tb:
        result = r(b, a)
        if result is not NotImplemented:
            return result
    return _repeated(f, a, b) if first else _repeated(r, b, a)


def _binary_op(a, b, name, rname, symbol):
    ta, tb = type(a), type(b)
    f = _lookup(ta, name)
    r = _lookup(tb, rname)
    if name == "__mul__" and (_repeats(ta, f) or _repeats(tb, r)):
        return _multiply(a, b)
    if ta is tb:
        r = _missing
    elif r is not _missing and _subclass(tb, ta) and r is not _lookup(ta, rname):
        result = r(b, a)
        if result is not NotImplemented:
            return result
        r = _missing
    if f is not _missing:
        result = f(a, b)
        if result is not NotImplemented:
            return result
    if r is not _missing:
        result = r(b, a)
        if result is not NotImplemented:
            return result
    return _unsupported(symbol, a, b)


def _inplace_op(a, b, name, rname, symbol, iname):
    f = _lookup(type(a), iname)
    if f is not _missing:
        result = f(a, b)
        if result is not NotImplemented:
            return result
    return _binary_op(a, b, name, rname, symbol + "=")


def _compare_op(a, b, name, rname, symbol):
    ta, tb = type(a), type(b)
    f = _lookup(ta, name)
    r = _lookup(tb, rname)
    if ta is not tb and r is not _missing and _subclass(tb, ta):
        result = r(b, a)
        if result is not NotImplemented:
            return result
        r = _missing
    if f is not _missing:
        result = f(a, b)
        if result is not NotImplemented:
            return result
    if r is not _missing:
        result = r(b, a)
        if result is not NotImplemented:
            return result
    if symbol == "==":
        return a is b
    if symbol == "!=":
        return a is not b
    raise TypeError(f"'{symbol}' not supported between instances of '{type(a).__name__}' and '{type(b).__name__}'")


def _ne_by_eq(a, b):
    result = type(a).__eq__(a, b)
    return result if result is NotImplemented else not result


def _compare_containers(a, b, symbol):
    if symbol == "==":
        return _containers_equal(a, b)
    if symbol == "!=":
        return not _containers_equal(a, b)
    n = min(len(a), len(b))
    for i in range(n):
        x, y = a[i], b[i]
        if x is y or x == y:
            continue
        if symbol == "<":
            return x < y
        if symbol == "<=":
            return x <= y
        if symbol == ">":
            return x > y
        return x >= y
    if symbol == "<":
        return len(a) < len(b)
    if symbol == "<=":
        return len(a) <= len(b)
    if symbol == ">":
        return len(a) > len(b)
    return len(a) >= len(b)


def _containers_equal(a, b):
    if type(a) is not type(b) and not (_is_builtin_container(a) and _is_builtin_container(b)):
        return a is b
    if len(a) != len(b):
        return False
    if isinstance(a, dict):
        for k in a:
            if k not in b:
                return False
            x, y = a[k], b[k]
            if not (x is y or x == y):
                return False
        return True
    if isinstance(a, (set, frozenset)):
        for k in a:
            if k not in b:
                return False
        return True
    for i in range(len(a)):
        x, y = a[i], b[i]
        if not (x is y or x == y):
            return False
    return True


# Containers ----------------------------------------------------------------------------------------


def _contains_any(container, item):
    for x in container:
        if x is item or x == item:
            return True
    return False


def _contains(container, item):
    f = _lookup(type(container), "__contains__")
    if f is None:
        raise TypeError(f"'{type(container).__name__}' object is not a container")
    if f is not _missing:
        return True if f(container, item) else False
    if _lookup(type(container), "__iter__") is _missing and _lookup(type(container), "__getitem__") is _missing:
        raise TypeError(f"argument of type '{type(container).__name__}' is not iterable")
    for x in container:
        if x is item or x == item:
            return True
    return False


def _len(v):
    n = _lookup(type(v), "__len__")(v)
    n = _index(n)
    if n < 0:
        raise ValueError("__len__() should return >= 0")
    return n


def _index(v):
    if isinstance(v, int):
        return v
    f = _lookup(type(v), "__index__")
    if f is _missing:
        raise TypeError(f"'{type(v).__name__}' object cannot be interpreted as an integer")
    return f(v)


def _index_getitem(container, key):
    f = _lookup(type(key), "__index__")
    if f is not _missing and not isinstance(key, int):
        return container[f(key)]
    if isinstance(key, int):
        return container[_unbox(key)]
    return _bad_index(container, key)


def _dict_place(d, key):
    h = hash(key)
    n = 0
    for k in _keys_list(d):
        if k is key or (hash(k) == h and k == key):
            return n
        n += 1
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
    n = _dict_place(d, key)
    if n < 0:
        _dict_append(d, key, value)
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
    n = _dict_place(d, key)
    if n >= 0:
        return _dict_at(d, n)
    _dict_append(d, key, default)
    return default


def _dict_update(d, other, pairs):
    if other is not _missing:
        if hasattr(other, "keys"):
            for k in other.keys():
                d[k] = other[k]
        else:
            n = 0
            for pair in other:
                try:
                    pair = tuple(pair)
                except TypeError:
                    raise TypeError(f"cannot convert dictionary update sequence element #{n} to a sequence") from None
                if len(pair) != 2:
                    raise ValueError(f"dictionary update sequence element #{n} has length {len(pair)}; 2 is required")
                d[pair[0]] = pair[1]
                n += 1
    for i in range(0, len(pairs), 2):
        d[pairs[i]] = pairs[i + 1]


def _dict_init(d, other, pairs):
    if other is not _missing and not hasattr(other, "keys") and not _iterable(other):
        raise TypeError(f"'{type(other).__name__}' object is not iterable")
    _dict_update(d, other, pairs)
    return d


def _dict_ior(a, b):
    a.update(b)
    return a


def _digits_by_index(v, base):
    n = _index(v)
    return bin(n) if base == 2 else oct(n) if base == 8 else hex(n)


def _containers_differ(a, b):
    return not _containers_equal(a, b)


def _list_iadd(a, b):
    for x in b:
        a.append(x)
    return a


def _list_fill(target, iterable):
    for x in iterable:
        _list_append(target, x)
    return target


def _setslice(target, key, value):
    target[key] = [x for x in value]


def _list_of(iterable):
    return [x for x in iterable]


def _tuple_of(iterable):
    return _tuple_from_list([x for x in iterable])


def _set_of(cls, iterable):
    return _set_python(cls, [x for x in iterable])


def _distinct(items):
    found = []
    for x in items:
        h = hash(x)
        for y in found:
            if x is y or (hash(y) == h and x == y):
                break
        else:
            found.append(x)
    return found


def _set_python(cls, iterable):
    return _native_set(cls, _distinct(iterable))


def _make_set(cls, items):
    return _native_set(cls, _distinct(items))


def _in_items(items, x):
    h = hash(x)
    for y in items:
        if x is y or (hash(y) == h and x == y):
            return True
    return False


def _set_add(s, x):
    items = [y for y in s]
    if not _in_items(items, x):
        items.append(x)
        _set_assign(s, items)


def _set_discard(s, x):
    h = hash(x)
    _set_assign(s, [y for y in s if not (x is y or (hash(y) == h and x == y))])


def _set_remove(s, x):
    n = len(s)
    _set_discard(s, x)
    if len(s) == n:
        raise KeyError(x)


def _set_update(s, iterable):
    for x in iterable:
        s.add(x)


def _dict_of(items):
    d = {}
    for i in range(0, len(items), 2):
        d[items[i]] = items[i + 1]
    return d


def _dict_merge(d, other):
    for k in other.keys():
        d[k] = other[k]


def _dict_fromkeys(cls, iterable, value):
    d = cls()
    for k in iterable:
        d[k] = value
    return d


def _slice_by_index(container, start, stop, step):
    """container[start:stop:step] where a bound has __index__."""
    bounds = [x if x is None or not hasattr(x, "__index__") else _index(x) for x in (start, stop, step)]
    return container[bounds[0] : bounds[1] : bounds[2]]


def _list_init(target, iterable):
    for x in iterable:
        _list_append(target, x)


def _list_extend(target, iterable):
    for x in iterable:
        _list_append(target, x)


def _list_remove(target, value):
    for i in range(len(target)):
        if target[i] is value or target[i] == value:
            del target[i]
            return
    raise ValueError("list.remove(x): x not in list")


def _sequence_index(s, value, start, stop):
    for i in range(start, stop):
        if s[i] is value or s[i] == value:
            return i
    raise ValueError("tuple.index(x): x not in tuple" if isinstance(s, tuple) else f"{value!r} is not in list")


def _sequence_count(s, value):
    n = 0
    for x in s:
        if x is value or x == value:
            n += 1
    return n


def _tuple_sub(cls, iterable):
    return tuple.__new__(cls, [x for x in iterable])


def _bytes_of(cls, iterable):
    return cls([x for x in iterable])


def _range_of(args):
    return range(*[_index(x) for x in args])


def _range_len(r):
    n = (r.stop - r.start + r.step - 1) // r.step if r.step > 0 else (r.start - r.stop - r.step - 1) // -r.step
    return n if n > 0 else 0


def _hash_tuple(v):
    return hash(tuple([hash(x) for x in v]))


def _call_star(f, args, kwargs):
    return f(*[x for x in args], **kwargs)


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
    for x in it:
        items.append(x)
        if len(items) == limit:
            break
    return items


def _with_list(f, first, iterables):
    """Calls a native method of set with iterables made into lists."""
    return f(first, *[[x for x in it] for it in iterables])


def _generic_alias(cls, key):
    return _GenericAlias(cls, key)


# Iteration -----------------------------------------------------------------------------------------


def _iter(v):
    f = _lookup(type(v), "__iter__")
    if f is None:
        raise TypeError(f"'{type(v).__name__}' object is not iterable")
    if f is _missing:
        if _lookup(type(v), "__getitem__") is _missing:
            raise TypeError(f"'{type(v).__name__}' object is not iterable")
        return _iter_items(v)
    it = f(v)
    if _lookup(type(it), "__next__") is _missing:
        raise TypeError(f"iter() returned non-iterator of type '{type(it).__name__}'")
    return it


def _iter_items(v):
    i = 0
    while True:
        try:
            x = v[i]
        except (IndexError, StopIteration):
            return
        yield x
        i += 1


def _loop_iter(v):
    it = _iter(v)
    if _is_native_iterator(it):
        return it
    return _step(it, _lookup(type(it), "__next__"))


def _step(it, f):
    while True:
        try:
            x = f(it)
        except StopIteration as stop:
            return stop.value
        yield x


def _iter_until(f, sentinel):
    while True:
        x = f()
        if x == sentinel:
            return
        yield x


def _next_default(it, default):
    try:
        return _next(it)
    except StopIteration:
        return default


def _make_enumerate(iterable=_missing, start=0):
    if iterable is _missing:
        raise TypeError("enumerate() missing required argument 'iterable'")
    return _enumerate(iter(iterable), start)


def _enumerate(iterable, n):
    for x in iterable:
        yield n, x
        n += 1


def _make_zip(*iterables, strict=False):
    its = []
    for n, it in _enumerate(iterables, 1):
        if not _iterable(it):
            raise TypeError(f"'{type(it).__name__}' object is not iterable")
        its.append(iter(it))
    return _zip(its, strict)


def _zip(its, strict):
    if not its:
        return
    n = len(its)
    while True:
        row = []
        for it in its:
            x = _next_default(it, _missing)
            if x is _missing:
                break
            row.append(x)
        if len(row) < n:
            if strict:
                k = len(row)
                if k:
                    plural = " " if k == 1 else "s 1-"
                    raise ValueError(f"zip() argument {k + 1} is shorter than argument{plural}{k}")
                for k in range(1, n):
                    if _next_default(its[k], _missing) is not _missing:
                        plural = " " if k == 1 else "s 1-"
                        raise ValueError(f"zip() argument {k + 1} is longer than argument{plural}{k}")
            return
        yield _tuple_from_list(row)


def _make_map(function, *iterables):
    if not iterables:
        raise TypeError("map() must have at least two arguments.")
    its = [iter(it) for it in iterables]
    return _map1(function, its[0]) if len(its) == 1 else _mapn(function, its)


def _map1(function, it):
    for x in it:
        yield function(x)


def _mapn(function, its):
    for row in _zip(its, False):
        yield function(*row)


def _make_filter(function, iterable):
    return _filter(function, iter(iterable))


def _filter(function, it):
    if function is None:
        for x in it:
            if x:
                yield x
    else:
        for x in it:
            if function(x):
                yield x


def _make_reversed(sequence):
    f = _lookup(type(sequence), "__reversed__")
    if f is None:
        raise TypeError(f"'{type(sequence).__name__}' object is not reversible")
    if f is not _missing:
        return f(sequence)
    if _lookup(type(sequence), "__getitem__") is _missing or _lookup(type(sequence), "__len__") is _missing:
        raise TypeError(f"'{type(sequence).__name__}' object is not reversible")
    return _reversed(sequence)


def _reversed(sequence):
    i = len(sequence) - 1
    while i >= 0:
        yield sequence[i]
        i -= 1


def any(iterable, /):
    for x in iterable:
        if x:
            return True
    return False


def all(iterable, /):
    for x in iterable:
        if not x:
            return False
    return True


def sum(iterable, /, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if isinstance(start, (bytes, bytearray)):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    fast = _sum_constants(iterable, start)
    if fast is not _missing:
        return fast
    total = start
    for x in iterable:
        total = total + x
    return total


def _extreme(args, key, default, name, larger):
    if len(args) == 0:
        raise TypeError(f"{name} expected at least 1 argument, got 0")
    if len(args) > 1:
        if default is not _missing:
            raise TypeError(f"Cannot specify a default for {name}() with multiple positional arguments")
        items = args
    else:
        items = args[0]
    best = _missing
    bestkey = None
    for x in items:
        k = x if key is None else key(x)
        if best is _missing:
            best, bestkey = x, k
        elif (k > bestkey) if larger else (k < bestkey):
            best, bestkey = x, k
    if best is _missing:
        if default is _missing:
            raise ValueError(f"{name}() iterable argument is empty")
        return default
    return best


def min(*args, key=None, default=_missing):
    return _extreme(args, key, default, "min", False)


def max(*args, key=None, default=_missing):
    return _extreme(args, key, default, "max", True)


def sorted(iterable, /, *, key=None, reverse=False):
    items = [x for x in iterable]
    _sort(items, key, reverse)
    return items


def _sort(items, key, reverse):
    values = items[:]
    _list_assign(items, [])
    try:
        keys = values if key is None else [key(x) for x in values]
        order = _sort_constants(keys, True if reverse else False)
        if order is False:
            order = _sort_network(keys, reverse)
            values = _permuted(values, order)
        else:
            if order is None:
                order = _merge_sort(keys, reverse)
            values = [values[i] for i in order]
        changed = len(items) > 0
    finally:
        _list_assign(items, values)
    if changed:
        raise ValueError("list modified during sort")


def _sort_network(keys, reverse):
    """Stable order of keys that are compared when the program runs: which are compared does not depend on them."""
    n = len(keys)
    order = [i for i in range(n)]
    keys = keys[:]
    if reverse:
        order = order[::-1]
        keys = keys[::-1]
    unordered = False
    if n > 2:
        for k in keys:
            unordered = unordered | _is_unordered(k)
    if unordered:
        order = _permuted(order, _sort_partly_ordered(keys))
    else:
        for i in range(1, n):
            for j in range(i, 0, -1):
                if keys[j] < keys[j - 1]:
                    keys[j - 1], keys[j] = keys[j], keys[j - 1]
                    order[j - 1], order[j] = order[j], order[j - 1]
    return order[::-1] if reverse else order


def _is_unordered(key):
    """Is there a NaN in it? Then < is no order, and the result what CPython's own comparisons make of it."""
    if isinstance(key, tuple):
        found = False
        for part in key:
            found = found | _is_unordered(part)
        return found
    return bool(key != key)


_BINARY_SORT_MOST = 63  # CPython sorts longer lists by merging runs


def _too_long_unordered():
    raise NotImplementedError(f"sorting more than {_BINARY_SORT_MOST} keys of which one is not a number")


def _sort_partly_ordered(keys):
    """What _binary_sort does, with positions that are known when the program runs. Numbers stand for branches."""
    n = len(keys)
    if n > _BINARY_SORT_MOST:
        _too_long_unordered()
    less = [0 if i == j else int(keys[i] < keys[j]) for i in range(n) for j in range(n)]
    down = less[n]
    end = 2
    going = 1
    for i in range(2, n):
        going = going * int(less[i * n + i - 1] == down)
        end = end + going
    order = [j + (end - 1 - 2 * j) * down * int(j < end) for j in range(n)]
    for start in range(2, n):
        pivot = order[start]
        lo, hi = start * int(start < end), start
        for _ in range(start.bit_length()):
            mid = (lo + hi) // 2
            left = _permuted(less, [pivot * n + _permuted(order, [mid])[0]])[0]
            is_open = int(lo < hi)
            lo = lo + (mid + 1 - lo) * is_open * (1 - left)
            hi = hi + (mid - hi) * is_open * left
        for j in range(start, 0, -1):
            order[j] = order[j] + (order[j - 1] - order[j]) * int(lo < j)
        for j in range(start):
            order[j] = order[j] + (pivot - order[j]) * int(lo == j)
    return order


def _merge_sort(keys, reverse):
    """Stable order of the keys, by < alone."""
    n = len(keys)
    order = [i for i in range(n)]
    if reverse:
        order = order[::-1]
    if n <= _BINARY_SORT_MOST:
        _binary_sort(keys, order)
    else:
        for k in keys:
            if isinstance(k, float | tuple) and _is_unordered(k):
                _too_long_unordered()
        order = _merge_runs(keys, order)
    return order[::-1] if reverse else order


def _binary_sort(keys, order):
    """CPython's: turns the first run, if it goes down, then takes each of the others to its place. Which keys it
    compares is visible, in __lt__ and in the result where < is no order."""
    n = len(order)
    if n < 2:
        return
    down = True if keys[order[1]] < keys[order[0]] else False
    end = 2
    while end < n and (True if keys[order[end]] < keys[order[end - 1]] else False) is down:
        end += 1
    if down:
        order[:end] = order[:end][::-1]
    for start in range(end, n):
        pivot = order[start]
        lo, hi = 0, start
        while lo < hi:
            mid = (lo + hi) // 2
            if keys[pivot] < keys[order[mid]]:
                hi = mid
            else:
                lo = mid + 1
        order[lo + 1:start + 1] = order[lo:start]
        order[lo] = pivot


def _merge_runs(keys, order):
    n = len(order)
    width = 1
    while width < n:
        result = []
        at = 0
        while at < n:
            i, mid = at, (at + width if at + width < n else n)
            j, end = mid, (at + 2 * width if at + 2 * width < n else n)
            while i < mid and j < end:
                if keys[order[j]] < keys[order[i]]:
                    result.append(order[j])
                    j += 1
                else:
                    result.append(order[i])
                    i += 1
            result.extend(order[i:mid])
            result.extend(order[j:end])
            at = end
        order = result
        width *= 2
    return order


# Text ------------------------------------------------------------------------------------------------


_repr_active = []


def _repr_enter(v):
    for x in _repr_active:
        if x is v:
            return True
    _repr_active.append(v)
    return False


def _repr_leave(v):
    _repr_active.pop()


def _repr(v):
    """repr() of what the engine cannot do alone."""
    f = _lookup(type(v), "__repr__")
    if _is_python(f):
        text = f(v)
        if not isinstance(text, str):
            raise TypeError(f"__repr__ returned non-string (type {type(text).__name__})")
        return text
    return _repr_container(v)


def _ascii(v):
    return _repr(v).encode("ascii", "backslashreplace").decode("ascii")


def _repr_container(v):
    if _repr_enter(v):
        return "[...]" if isinstance(v, list) else "{...}" if isinstance(v, dict) else "(...)"
    try:
        if isinstance(v, dict):
            parts = []
            for k in _keys_list(v):
                parts.append(repr(k) + ": " + repr(_dict_at(v, len(parts))))
            return "{" + ", ".join(parts) + "}"
        if isinstance(v, BaseException):
            return type(v).__name__ + "(" + ", ".join([repr(x) for x in v.args]) + ")"
        kind = type(v).__name__
        if kind == "dict_values" or kind == "dict_keys" or kind == "dict_items":
            return kind + "([" + ", ".join([repr(x) for x in v]) + "])"
        if isinstance(v, list):
            return "[" + ", ".join([repr(x) for x in v]) + "]"
        if isinstance(v, tuple):
            parts = [repr(x) for x in v]
            return "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
        if isinstance(v, set):
            return ("{" if type(v) is set else kind + "({") + ", ".join([repr(x) for x in v]) + ("}" if type(v) is set else "})")
        if isinstance(v, frozenset):
            return "frozenset({" + ", ".join([repr(x) for x in v]) + "})"
        if kind == "method":
            return f"<bound method {v.__func__.__qualname__} of {v.__self__!r}>"
        if kind == "slice":
            return f"slice({v.start!r}, {v.stop!r}, {v.step!r})"
        if kind == "type":
            return object.__repr__(v)
    finally:
        _repr_leave(v)
    return object.__repr__(v)


def _str(v):
    f = _lookup(type(v), "__str__")
    if _is_python(f):
        text = f(v)
        if not isinstance(text, str):
            raise TypeError(f"__str__ returned non-string (type {type(text).__name__})")
        return text
    if isinstance(v, BaseException):
        args = v.args
        if len(args) == 1:
            return repr(args[0]) if isinstance(v, KeyError) else str(args[0])
        return "" if len(args) == 0 else repr(args)
    if f is not object.__str__ and isinstance(v, (int, float, complex, str)):
        return f(v)                           # __str__ = int.__repr__
    return repr(v)


def _format(v, spec):
    f = _lookup(type(v), "__format__")
    if _is_python(f):
        text = f(v, spec)
        if not isinstance(text, str):
            raise TypeError(f"__format__ must return a str, not {type(text).__name__}")
        return text
    if spec == "":
        return str(v)
    base = _unbox(v)
    if base is not v:
        return format(base, spec)
    raise TypeError(f"unsupported format string passed to {type(v).__name__}.__format__")


def _str_join(separator, iterable):
    return separator.join([x for x in iterable])


def _percent_number(v, kind):
    """What %d, %x and %f take of an object that is no number: the object itself where nothing fits."""
    names = ("__float__", "__index__") if kind in "eEfFgG" else ("__int__", "__index__") if kind in "diu" else ("__index__",)
    for name in names:
        f = _lookup(type(v), name)
        if f is not _missing:
            return f(v) if kind not in "eEfFgG" else float(v)
    return v


def _percent(format, values):
    """format % values."""
    rows = _percent_conversions(format)
    single = False
    mapping = False
    if isinstance(values, tuple):
        items = list(values)
    elif len(rows) > 0 and rows[0][1] is not None:
        if not hasattr(values, "keys"):
            return _percent_with(format, [values], [None], False, False)
        mapping = True
        items = [values[key.encode() if isinstance(format, bytes) else key] for kind, key in rows]
    else:
        items = [values]
        single = len(rows) == 0 and (isinstance(values, dict) or hasattr(values, "keys"))
    texts = []
    n = 0
    for kind, key in rows:
        if n >= len(items):
            break
        v = items[n]
        if kind == "b" or (kind == "s" and isinstance(format, bytes)):
            f = _missing if isinstance(v, bytes) else _lookup(type(v), "__bytes__")
            items[n] = v if f is _missing else f(v)
            texts.append(None)
        elif kind == "r" and isinstance(format, bytes):
            texts.append(ascii(v))
        elif kind == "s":
            texts.append(v if isinstance(v, bytes) and isinstance(format, bytes) else str(v))
        elif kind == "r":
            texts.append(repr(v))
        elif kind == "a":
            texts.append(ascii(v))
        else:
            if not isinstance(v, (int, float, str, bytes)):
                items[n] = _percent_number(v, kind)
            texts.append(None)
        n += 1
    return _percent_with(format, items, texts, mapping, single)


def _str_format(template, args, kwargs):
    """str.format: fields may call Python code."""
    return _format_rows(_format_parse(template), args, kwargs)


def _format_rows(template, args, kwargs):
    out = []
    for literal, field in template[0]:
        out.append(literal)
        if field is None:
            continue
        first, accesses, access_error, conversion, conversion_error, spec = field
        if isinstance(first, int):
            if first >= len(args):
                _format_index_error(first)
            value = args[first]
        else:
            value = kwargs[first]
        for is_attr, name in accesses:
            value = _getattr(value, name) if is_attr else value[name]
        if access_error is not None:
            _raise_named(access_error)
        if conversion_error is not None:
            _raise_named(conversion_error)
        if conversion == "r":
            value = repr(value)
        elif conversion == "s":
            value = str(value)
        elif conversion == "a":
            value = ascii(value)
        out.append(format(value, _format_rows(spec, args, kwargs)))
    if template[1] is not None:
        _raise_named(template[1])
    return "".join(out)


def _raise_named(error):
    kinds = {"ValueError": ValueError, "KeyError": KeyError, "IndexError": IndexError, "AttributeError": AttributeError}
    raise kinds.get(error[0], TypeError)(error[1])


def print(*args, sep=" ", end="\n", file=None, flush=False):
    if sep is None:
        sep = " "
    elif not isinstance(sep, str):
        raise TypeError(f"sep must be None or a string, not {type(sep).__name__}")
    if end is None:
        end = "\n"
    elif not isinstance(end, str):
        raise TypeError(f"end must be None or a string, not {type(end).__name__}")
    if file is None or _is_stream(file):
        _print([str(x) for x in args], sep, end, 2 if file is not None and file._ptc_fd == 2 else 1)
        return
    file.write(sep.join([str(x) for x in args]))
    file.write(end)


# Attributes ----------------------------------------------------------------------------------------


def _hooked_getattr(obj, name):
    try:
        return _lookup(type(obj), "__getattribute__")(obj, name)
    except AttributeError:
        f = _lookup(type(obj), "__getattr__")
        if f is _missing:
            raise
    return f(obj, name)


def _property_getattr(obj, name):
    try:
        return object.__getattribute__(obj, name)
    except AttributeError:
        f = _lookup(type(obj), "__getattr__")
        if f is _missing:
            raise
    return f(obj, name)


def getattr(obj, name, default=_missing, /):
    if default is _missing:
        return _getattr(obj, name)
    try:
        return _getattr(obj, name)
    except AttributeError:
        return default


def hasattr(obj, name, /):
    try:
        _getattr(obj, name)
    except AttributeError:
        return False
    return True


def isinstance(obj, cls, /):
    fast = _isinstance(obj, cls)
    if fast is not None:
        return fast
    if isinstance(cls, tuple):
        for c in cls:
            if isinstance(obj, c):
                return True
        return False
    f = _lookup(type(cls), "__instancecheck__")
    if f is not _missing:
        return True if f(cls, obj) else False
    raise TypeError("isinstance() arg 2 must be a type, a tuple of types, or a union")


def issubclass(cls, base, /):
    fast = _issubclass(cls, base)
    if fast is not None:
        return fast
    if isinstance(base, tuple):
        for c in base:
            if issubclass(cls, c):
                return True
        return False
    f = _lookup(type(base), "__subclasscheck__")
    if f is not _missing:
        return True if f(base, cls) else False
    raise TypeError("issubclass() arg 2 must be a class, a tuple of classes, or a union")


def dir(obj=_missing, /):
    if obj is _missing:
        return sorted(_caller_names())
    f = _lookup(type(obj), "__dir__")
    if _is_python(f):
        return sorted(f(obj))
    return sorted(set(_dir(obj)))


def setattr(obj, name, value, /):
    type(obj).__setattr__(obj, name, value)


def delattr(obj, name, /):
    type(obj).__delattr__(obj, name)


# Classes ---------------------------------------------------------------------------------------------


def __build_class__(func, name, *bases, metaclass=_missing, **kwds):
    original = bases
    for b in bases:
        if not _is_class(b) and _lookup(type(b), "__mro_entries__") is not _missing:
            bases = _mro_entries(bases)
            break
    if metaclass is _missing:
        meta = type(bases[0]) if bases else type
    else:
        meta = metaclass
    if _is_class(meta):
        for b in bases:
            t = type(b)
            if _subclass(meta, t):
                continue
            if _subclass(t, meta):
                meta = t
                continue
            raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
    if meta is type or not _has_prepare(meta):
        ns = {}
    else:
        ns = meta.__prepare__(name, bases, **kwds)
    _run_body(func, ns)
    if bases is not original:
        ns["__orig_bases__"] = original
    return meta(name, bases, ns, **kwds)


def _mro_entries(bases):
    result = []
    for b in bases:
        f = _missing if _is_class(b) else _lookup(type(b), "__mro_entries__")
        if f is _missing:
            result.append(b)
        else:
            result.extend(f(b, bases))
    return tuple(result)


def _type_new(meta, name, bases, ns, kwds):
    for b in bases:
        t = type(b)
        if t is not meta and not _subclass(meta, t):
            if _subclass(t, meta):
                return t.__new__(t, name, bases, ns, **kwds)
            raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")
    cls = _make_class(meta, name, bases, dict(ns) if type(ns) is not dict else ns)
    for key, value in _set_name_hooks(cls):
        _lookup(type(value), "__set_name__")(value, cls, key)
    super(cls, cls).__init_subclass__(**kwds)
    return cls


def _class_annotations(cls, annotate):
    cls.__annotations__ = annotate(1)
    return cls.__annotations__


def _type_call(cls, args, kwds):
    obj = cls.__new__(cls, *args, **kwds)
    if _subclass(type(obj), cls):
        f = _lookup(type(obj), "__init__")
        if not _is_object_init(f):
            result = f(obj, *args, **kwds)
            if result is not None:
                raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
    return obj


# Generators --------------------------------------------------------------------------------------------


def _gen_throw(gen, kind, value=None, tb=None):
    exc = _exception_of(kind, value)
    if _gen_created(gen):
        gen.close()
    sub = _gen_delegate(gen)
    if sub is not None:
        f = _lookup(type(sub), "close" if isinstance(exc, GeneratorExit) else "throw")
        if f is not _missing:
            if isinstance(exc, GeneratorExit):
                try:
                    f(sub)
                except BaseException as error:
                    return _gen_raise(gen, error)
            else:
                try:
                    return f(sub, exc)
                except StopIteration as stop:
                    return _gen_finish_send(gen, stop.value)
                except BaseException as error:
                    return _gen_raise(gen, error)
    return _gen_raise(gen, exc)


def _exception_of(kind, value=None):
    if isinstance(kind, BaseException):
        return kind
    if _is_class(kind) and issubclass(kind, BaseException):
        if isinstance(value, kind):
            return value
        if value is None:
            return kind()
        return kind(*value) if isinstance(value, tuple) else kind(value)
    raise TypeError(f"exceptions must be classes or instances deriving from BaseException, not {type(kind).__name__}")


def _gen_close_dropped(gen):
    """What happens to a generator that nothing refers to any more."""
    try:
        _gen_close(gen)
    except BaseException as error:
        _print(["Exception ignored in: " + repr(gen), type(error).__name__ + ": " + str(error)], "\n", "\n", 2)


def _gen_close(gen):
    if not _gen_suspended(gen):
        return None
    try:
        _gen_throw(gen, GeneratorExit())
    except (GeneratorExit, StopIteration):
        return None
    raise RuntimeError("generator ignored GeneratorExit")


# match --------------------------------------------------------------------------------------------------


def _match_keys(subject, keys):
    values = []
    for k in keys:
        v = subject.get(k, _missing)
        if v is _missing:
            return None
        values.append(v)
    return tuple(values)


_self_matching = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def _match_class(subject, cls, count, names):
    if not isinstance(cls, type):
        raise TypeError("called match pattern must be a class")
    if not isinstance(subject, cls):
        return None
    values = []
    if count:
        args = _getattr_or(cls, "__match_args__", _missing)
        if args is _missing:
            if _in_mro(cls, _self_matching):
                if count > 1:
                    raise TypeError(f"{cls.__name__}() accepts 1 positional sub-pattern ({count} given)")
                values.append(subject)
                args = ()
                count = 0
            else:
                args = ()
        if count > len(args):
            plural = "" if len(args) == 1 else "s"
            raise TypeError(f"{cls.__name__}() accepts {len(args)} positional sub-pattern{plural} ({count} given)")
        for i in range(count):
            v = _getattr_or(subject, args[i], _missing)
            if v is _missing:
                return None
            values.append(v)
    for name in names:
        v = _getattr_or(subject, name, _missing)
        if v is _missing:
            return None
        values.append(v)
    return tuple(values)


def _in_mro(cls, classes):
    for c in classes:
        if _subclass(cls, c):
            return True
    return False


def _getattr_or(obj, name, default):
    try:
        return _getattr(obj, name)
    except AttributeError:
        return default


# Exceptions ----------------------------------------------------------------------------------------------


def _raise(exc, cause=_missing):
    if _is_class(exc):
        exc = exc()
    if cause is not _missing and _is_class(cause):
        cause = cause()
    _raise_object(exc, cause)


def _exit_code(error):
    return error.code


# Numbers --------------------------------------------------------------------------------------------------


def _number_method(v, name, cls):
    """int(), float(), complex(), round()… of an object with the special method."""
    f = _lookup(type(v), name)
    result = f(v)
    if not isinstance(result, cls):
        raise TypeError(f"{type(v).__name__}.{name} returned non-{cls.__name__} (type {type(result).__name__})" if cls is float else f"{name} returned non-{cls.__name__} (type {type(result).__name__})")
    return result


def round(number, ndigits=None):
    f = _lookup(type(number), "__round__")
    if f is _missing:
        raise TypeError(f"type {type(number).__name__} doesn't define __round__ method")
    return f(number) if ndigits is None else f(number, ndigits)


def divmod(a, b, /):
    return _binary_op(a, b, "__divmod__", "__rdivmod__", "divmod()")


def pow(base, exp, mod=None):
    if mod is None:
        return base**exp
    f = _lookup(type(base), "__pow__")
    if f is _missing:
        raise TypeError(f"unsupported operand type(s) for ** or pow(): '{type(base).__name__}', '{type(exp).__name__}', '{type(mod).__name__}'")
    return f(base, exp, mod)


def __import__(name, globals=None, locals=None, fromlist=(), level=0):
    parts = name.split(".")
    at = ""
    for part in parts:
        at = at + "." + part if at else part
        _module_step(at)
    return _module(name if fromlist else parts[0])


def _type_parameter(kind, name):
    return _TypeParameter(kind, name)


class _TypeParameter:
    def __init__(self, kind, name):
        self.kind = kind
        self.__name__ = name if isinstance(name, str) else kind

    def __repr__(self):
        return self.__name__


def _delegate_iter(v):
    it = _iter(v)
    return it if _is_native_iterator(it) else _delegate(it)


def _delegate(it):
    """`yield from` an iterator that is no generator: values and exceptions go through to it."""
    sent = None
    while True:
        try:
            x = _next(it) if sent is None else it.send(sent)
        except StopIteration as stop:
            return stop.value
        try:
            sent = yield x
            continue
        except GeneratorExit:
            close = _getattr_or(it, "close", _missing)
            if close is not _missing:
                close()
            raise
        except BaseException as error:
            throw = _getattr_or(it, "throw", _missing)
            if throw is _missing:
                raise
            thrown = error
        it = _thrown_into(it, throw, thrown)
        sent = None


def _thrown_into(it, throw, error):
    """The iterator that goes on after throw(): what throw() gave comes first."""
    yield throw(error)
    return (yield from it)


# Classes, which need __build_class__ ----------------------------------------------------------------------


class _GenericAlias:
    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __call__(self, *args, **kwargs):
        return self.__origin__(*args, **kwargs)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __getattr__(self, name):
        return _getattr(self.__origin__, name)

    def __repr__(self):
        return self.__origin__.__name__ + "[" + ", ".join([a.__name__ if _is_class(a) else repr(a) for a in self.__args__]) + "]"

    def __or__(self, other):
        return self

    def __ror__(self, other):
        return self

    def __eq__(self, other):
        return isinstance(other, _GenericAlias) and self.__origin__ is other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash(self.__origin__)


class ExceptionGroup(BaseExceptionGroup, Exception):
    pass


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
        self.__args__ = args

    def __or__(self, other):
        return _UnionType(self.__args__ + (other,))

    def __ror__(self, other):
        return _UnionType((other,) + self.__args__)

    def __instancecheck__(self, obj):
        for c in self.__args__:
            if obj is None if c is None else isinstance(obj, c):
                return True
        return False

    def __subclasscheck__(self, cls):
        for c in self.__args__:
            if c is not None and issubclass(cls, c):
                return True
        return False

    def __eq__(self, other):
        return isinstance(other, _UnionType) and set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __repr__(self):
        return " | ".join([a.__name__ if _is_class(a) else repr(a) for a in self.__args__])


class _TypeMethods:
    def __or__(self, other):
        return _UnionType((self, other))

    def __ror__(self, other):
        return _UnionType((other, self))


_adopt(type, _TypeMethods)


# bytearray -----------------------------------------------------------------------------------------


def _ba(data):
    return bytes.__new__(bytearray, data)


def _ba_new(cls, source=_missing, encoding=_missing, errors="strict"):
    if source is _missing:
        return bytes.__new__(cls, b"")
    if isinstance(source, str):
        if encoding is _missing:
            raise TypeError("string argument without an encoding")
        return bytes.__new__(cls, source.encode(encoding, errors))
    if isinstance(source, int) and source < 0:
        raise ValueError("negative count")
    if not isinstance(source, (int, bytes, bytearray)) and _iterable(source):
        return bytes.__new__(cls, bytes([_ba_byte(x) for x in source]))
    if not isinstance(source, (int, bytes, bytearray)) and _lookup(type(source), "__index__") is _missing:
        raise TypeError(f"cannot convert '{type(source).__name__}' object to bytearray")
    return bytes.__new__(cls, bytes(source))


def _ba_byte(value):
    n = _index(value)
    if not 0 <= n < 256:
        raise ValueError("byte must be in range(0, 256)")
    return n


def _ba_put(self, data):
    if not isinstance(self, bytearray):
        raise TypeError(f"descriptor requires a 'bytearray' object but received a '{type(self).__name__}'")
    _list_assign(self, _ba(data))


def _ba_items(value):
    if isinstance(value, (bytes, bytearray)):
        return list(_unbox(value))
    return [_ba_byte(x) for x in value]


def _ba_getitem(self, key):
    try:
        found = _unbox(self)[key]
    except IndexError:
        raise IndexError("bytearray index out of range") from None
    return _ba(found) if isinstance(key, slice) else found


def _ba_change(self, key, change):
    items = list(_unbox(self))
    try:
        change(items, key)
    except IndexError:
        raise IndexError("bytearray index out of range") from None
    _ba_put(self, bytes(items))


def _ba_setitem(self, key, value):
    value = _ba_items(value) if isinstance(key, slice) else _ba_byte(value)
    _ba_change(self, key, lambda items, at: items.__setitem__(at, value))


def _ba_delitem(self, key):
    _ba_change(self, key, lambda items, at: items.__delitem__(at))


def _ba_iadd(self, other):
    if not isinstance(other, (bytes, bytearray)):
        raise TypeError(f"can't concat {type(other).__name__} to bytearray")
    _ba_put(self, _unbox(self) + _unbox(other))
    return self


def _ba_extend(self, items):
    _ba_put(self, _unbox(self) + bytes(_ba_items(items)))


def _ba_append(self, item):
    _ba_put(self, _unbox(self) + bytes([_ba_byte(item)]))


def _ba_insert(self, index, item):
    items = list(_unbox(self))
    items.insert(index, _ba_byte(item))
    _ba_put(self, bytes(items))


def _ba_pop(self, index=-1):
    items = list(_unbox(self))
    if not items:
        raise IndexError("pop from empty bytearray")
    item = items.pop(index)
    _ba_put(self, bytes(items))
    return item


def _ba_remove(self, item):
    items = list(_unbox(self))
    if item not in items:
        raise ValueError("value not found in bytearray")
    items.remove(item)
    _ba_put(self, bytes(items))


def _ba_reverse(self):
    _ba_put(self, _unbox(self)[::-1])


def _ba_clear(self):
    _ba_put(self, b"")


def _ba_operand(symbol):
    def method(self, other):
        if not isinstance(other, (bytes, bytearray)):
            return NotImplemented
        a, b = _unbox(self), _unbox(other)
        if symbol == "==":
            return a == b
        if symbol == "!=":
            return a != b
        if symbol == "<":
            return a < b
        if symbol == "<=":
            return a <= b
        return a > b if symbol == ">" else a >= b
    return method


def _ba_result(r):
    if isinstance(r, bytes):
        return _ba(r)
    if isinstance(r, list):
        return [_ba(x) for x in r]
    if isinstance(r, tuple):
        return tuple([_ba(x) for x in r])
    return r


def _ba_method(f):
    def method(self, *args, **kwargs):
        args = [[_unbox(y) for y in x] if isinstance(x, (list, tuple)) else _unbox(x) for x in args]
        return _ba_result(f(_unbox(self), *args, **kwargs))
    return method


for _name in ("upper", "lower", "title", "capitalize", "swapcase", "isalpha", "isalnum", "isdigit", "isspace", "isupper", "islower", "istitle", "isascii",
              "split", "rsplit", "splitlines", "partition", "rpartition", "join", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix",
              "center", "ljust", "rjust", "zfill", "expandtabs", "find", "rfind", "index", "rindex", "count", "startswith", "endswith", "replace",
              "decode", "hex", "translate", "__len__", "__contains__", "__mul__", "__rmul__", "__mod__", "__add__"):
    setattr(bytearray, _name, _ba_method(_lookup(bytes, _name)))
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    setattr(bytearray, f"__{_name}__", _ba_operand(_symbol))
bytearray.__new__ = staticmethod(_ba_new)
bytearray.__repr__ = bytearray.__str__ = lambda self: f"{type(self).__name__}({_unbox(self)!r})"
bytearray.__iter__ = lambda self: iter(_unbox(self))
bytearray.__getitem__, bytearray.__setitem__, bytearray.__delitem__ = _ba_getitem, _ba_setitem, _ba_delitem
bytearray.__iadd__, bytearray.__imul__ = _ba_iadd, lambda self, n: (_ba_put(self, _unbox(self) * n), self)[1]
bytearray.append, bytearray.extend, bytearray.insert, bytearray.pop = _ba_append, _ba_extend, _ba_insert, _ba_pop
bytearray.remove, bytearray.reverse, bytearray.clear = _ba_remove, _ba_reverse, _ba_clear
bytearray.copy = lambda self: _ba(_unbox(self))


# memoryview ----------------------------------------------------------------------------------------


def _mv_bytes(value):
    return value.tobytes() if isinstance(value, memoryview) else bytes(value)


class memoryview:
    """Bytes of a bytes or bytearray, in the format `B`; which of them is a range of positions."""

    format, itemsize, ndim, suboffsets = "B", 1, 1, ()

    def __init__(self, object):
        if isinstance(object, memoryview):
            self.obj, self._at = object.obj, object._at
        elif isinstance(object, (bytes, bytearray)):
            self.obj, self._at = object, range(len(object))
        else:
            raise TypeError(f"memoryview: a bytes-like object is required, not '{type(object).__name__}'")
        self.readonly = isinstance(self.obj, bytes)

    @property
    def nbytes(self):
        return len(self._at)

    @property
    def shape(self):
        return (len(self._at),)

    @property
    def strides(self):
        return (self._at.step,)

    @property
    def contiguous(self):
        return self._at.step == 1 or len(self._at) < 2

    def _positions(self, key):
        if not isinstance(key, slice) and _lookup(type(key), "__index__") is _missing:
            raise TypeError("memoryview: invalid slice key")
        try:
            return self._at[key]
        except IndexError:
            raise IndexError("index out of bounds on dimension 1") from None

    def __len__(self):
        return len(self._at)

    def __getitem__(self, key):
        at = self._positions(key)
        if not isinstance(key, slice):
            return self.obj[at]
        part = memoryview(self.obj)
        part._at = at
        part.readonly = self.readonly
        return part

    def __setitem__(self, key, value):
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        at = self._positions(key)
        if not isinstance(key, slice):
            if _lookup(type(value), "__index__") is _missing:
                raise TypeError("memoryview: invalid type for format 'B'")
            n = _index(value)
            if not 0 <= n < 256:
                raise ValueError("memoryview: invalid value for format 'B'")
            self.obj[at] = n
            return
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise TypeError(f"a bytes-like object is required, not '{type(value).__name__}'")
        data = _mv_bytes(value)
        if len(data) != len(at):
            raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
        for n, byte in zip(at, data):
            self.obj[n] = byte

    def __iter__(self):
        for n in self._at:
            yield self.obj[n]

    def __eq__(self, other):
        if not isinstance(other, (bytes, bytearray, memoryview)):
            return NotImplemented
        return self.tobytes() == _mv_bytes(other)

    def __hash__(self):
        if not self.readonly:
            raise ValueError("cannot hash writable memoryview object")
        return hash(self.tobytes())

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.release()

    def tobytes(self, order="C"):
        return bytes([self.obj[n] for n in self._at])

    def tolist(self):
        return [self.obj[n] for n in self._at]

    def hex(self, *separator):
        return self.tobytes().hex(*separator)

    def toreadonly(self):
        view = self[:]
        view.readonly = True
        return view

    def release(self):
        pass
