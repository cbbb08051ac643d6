"""Iterators, and the built-in functions on iterables."""


def _iter(v):
    f = _lookup(type(v), "__iter__")
    if f is None:
        raise TypeError(f"'{_type_name(v)}' object is not iterable")
    if f is _missing:
        if _lookup(type(v), "__getitem__") is _missing:
            raise TypeError(f"'{_type_name(v)}' object is not iterable")
        return _iter_items(v)
    it = f(v)
    if _lookup(type(it), "__next__") is _missing:
        raise TypeError(f"iter() returned non-iterator of type '{_type_name(it)}'")
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
        if _is_item(sentinel, x) or sentinel == x:
            return
        yield x


def _stopped():
    raise StopIteration


def _next_default(it, default):
    try:
        return _next(it)
    except StopIteration:
        return default


def _make_enumerate(iterable=_missing, start=0):
    if iterable is _missing:
        raise TypeError("enumerate() missing required argument 'iterable'")
    return _enumerate(iter(iterable), _index(start))


def _enumerate(iterable, n):
    for x in iterable:
        yield n, x
        n += 1


def _make_zip(*iterables, strict=False):
    its = []
    for n, it in _enumerate(iterables, 1):
        if not _iterable(it):
            raise TypeError(f"'{_type_name(it)}' object is not iterable")
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


def _make_map(function, /, *iterables):
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


def _make_filter(function, iterable, /):
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


def _make_reversed(sequence, /):
    f = _lookup(type(sequence), "__reversed__")
    if f is None:
        raise TypeError(f"'{_type_name(sequence)}' object is not reversible")
    if f is not _missing:
        return f(sequence)
    if _lookup(type(sequence), "__getitem__") is _missing:
        raise TypeError(f"'{_type_name(sequence)}' object is not reversible")
    if _lookup(type(sequence), "__len__") is _missing:
        raise TypeError(f"object of type '{_type_name(sequence)}' has no len()")
    return _reversed(sequence)


def _reversed(sequence):
    for i in range(len(sequence) - 1, -1, -1):
        yield sequence[i]


def any(iterable, /):
    for x in iterable:
        if x:
            return True
    return False


def all(iterable, /):
    if isinstance(iterable, range):
        zero = _range_has_zero(iterable)
        if zero is not _missing:
            return not zero
    for x in iterable:
        if not x:
            return False
    return True


def sum(iterable, /, start=0):
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    if isinstance(start, (bytes, bytearray)):
        raise TypeError("sum() can't sum bytes [use b''.join(seq) instead]")
    if type(start) is int or type(start) is bool:  # others show in which order they are added
        iterable = _table_unordered(iterable)
    fast = _sum_constants(iterable, start)
    if fast is not _missing:
        return fast
    _bounded(iterable)
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
    if key is None:
        items = _table_unordered(items)
        best = _extreme_constant(items, larger)
        if best is not _missing:
            return best
    _bounded(items)
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
            raise ValueError(f"{name}() {'arg is an empty sequence' if _python_minor() < 12 else 'iterable argument is empty'}")
        return default
    return best


def min(*args, key=None, default=_missing):
    return _extreme(args, key, default, "min", False)


def max(*args, key=None, default=_missing):
    return _extreme(args, key, default, "max", True)


def sorted(iterable, /, *, key=None, reverse=False):
    items = [x for x in _collected(_table_unordered(iterable) if key is None else iterable)]
    _sort(items, key, reverse)
    return items


def _sort(items, key, reverse):
    if _python_minor() < 12:
        reverse = _index(reverse)
    values = list.copy(items)
    _list_assign(items, [])
    try:
        keys = values if key is None else [key(x) for x in values]
        order = _sort_constants(keys, True if reverse else False)
        if order is False:
            order = _sort_by_method(keys, reverse)
        if order is False:
            values = _permuted(values, _sort_network(keys, reverse))
        else:
            if order is None:
                order = _merge_sort(keys, reverse)
            values = [values[i] for i in order]
        changed = list.__len__(items) > 0
    finally:
        _list_assign(items, values)
    if changed:
        raise ValueError("list modified during sort")


def _sort_by_method(keys, reverse):
    """The order of objects with a method for <, called as CPython calls it; False where it answers when the program runs."""
    n = len(keys)
    if not 1 < n <= _BINARY_SORT_MOST or not _is_python(_lookup(type(keys[0]), "__lt__")):
        return False
    order = [i for i in range(n)]
    if reverse:
        order = order[::-1]
    if not _binary_sort(keys, order, True):
        return False
    return order[::-1] if reverse else order


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
                if _less_ordered(keys[j], keys[j - 1]) if n > 2 else keys[j] < keys[j - 1]:
                    keys[j - 1], keys[j] = keys[j], keys[j - 1]
                    order[j - 1], order[j] = order[j], order[j - 1]
    return order[::-1] if reverse else order


def _is_unordered(key, outer=()):
    """Is there a NaN in it? Then < is no order, and the result what CPython's own comparisons make of it. A tensor of
    more elements has no order either, but comparing it raises; `outer` are the sequences that the key is in."""
    if isinstance(key, (tuple, list)):
        found = False
        if not _in_identical(outer, key):
            outer = outer + (key,)
            for part in key:
                found = found | _is_unordered(part, outer)
        return found
    if isinstance(key, (str, bytes)):
        return False
    if _is_tensor(key):
        return key.numel() == 1 and key.is_floating_point() and bool(key != key)
    return bool(key != key)


def _compared_by_the_run(keys):
    """Are the keys compared when the program runs? Then they have an order: other ones are refused."""
    if _sort_constants(keys, False) is not False:
        return False
    unordered = False
    for k in keys:
        unordered = unordered | _is_unordered(k)
    if unordered:
        _uncomputed("selecting from keys of which one is not a number")
    return True


def _in_identical(items, x):
    for y in items:
        if y is x:
            return True
    return False


def _less_ordered(a, b):
    """a < b where there is no NaN in either: whether numbers are one object does not matter then."""
    if not _both_plain(a, b):
        return a < b
    for i in range(min(len(a), len(b))):
        if not _equal_ordered(a[i], b[i]):
            return _less_ordered(a[i], b[i])
    return len(a) < len(b)


def _equal_ordered(a, b):
    if (_is_tensor(a) or type(a) is list) and a is b:
        return True
    if not _both_plain(a, b):
        return a == b
    if len(a) != len(b):
        return False
    for i in range(len(a)):
        if not _equal_ordered(a[i], b[i]):
            return False
    return True


def _both_plain(a, b):
    return type(a) is type(b) and (type(a) is tuple or type(a) is list)


_BINARY_SORT_MOST = 63  # CPython sorts longer lists by merging runs


def _too_long_unordered():
    _uncomputed(f"sorting more than {_BINARY_SORT_MOST} keys of which one is not a number")


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
            if isinstance(k, (float, tuple, list)) and _is_unordered(k):
                _too_long_unordered()
        order = _merge_runs(keys, order)
    return order[::-1] if reverse else order


def _binary_sort(keys, order, known=False):
    """CPython's: turns the first run, if it goes down, then takes each of the others to its place. Which keys it
    compares is visible, in __lt__ and in the result where < is no order. `known`: False at an answer of the run."""
    n = len(order)
    if n < 2:
        return True
    less = keys[order[1]] < keys[order[0]]
    if known and _is_of_the_run(less):
        return False
    down = True if less else False
    end = 2
    while end < n:
        less = keys[order[end]] < keys[order[end - 1]]
        if known and _is_of_the_run(less):
            return False
        if (True if less else False) is not down:
            break
        end += 1
    if down:
        order[:end] = order[:end][::-1]
    for start in range(end, n):
        pivot = order[start]
        lo, hi = 0, start
        while lo < hi:
            mid = (lo + hi) // 2
            less = keys[pivot] < keys[order[mid]]
            if known and _is_of_the_run(less):
                return False
            if less:
                hi = mid
            else:
                lo = mid + 1
        order[lo + 1:start + 1] = order[lo:start]
        order[lo] = pivot
    return True


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


# Parts of a tensor, one after the other, where a size says how many there are.


def _rows_along(x, dim, n, _):
    for i in range(n):
        yield x.select(dim, i)


def _listed_rows_along(x, dim, n, step):
    return [row for row in _rows_along(x, dim, n, step)]


def _listed_pieces_along(x, dim, n, width):
    return [piece for piece in _pieces_along(x, dim, n, width)]


def _pieces_of_lengths(x, dim, lengths):
    """x.split(lengths, dim), one part after the other, where the run knows how many lengths there are."""
    lengths = lengths[:]
    total = 0
    for n in lengths:
        if n < 0:
            raise RuntimeError(f"split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={lengths}")
        total += n
    if total != x.size(dim):
        raise RuntimeError(f"split_with_sizes expects split_sizes to sum exactly to {x.size(dim)} (input tensor's size at dimension "
                           f"{dim}), but got split_sizes={lengths}")
    return _each_of_lengths(x, (slice(None),) * dim, lengths)


def _each_of_lengths(x, before, lengths):
    at = 0
    for n in lengths:
        yield x[(*before, slice(at, at + n))]
        at += n


def _tuple_of_lengths(x, dim, lengths):
    return _tuple_from_list([piece for piece in _pieces_of_lengths(x, dim, lengths)])


def _tuple_of_rows(x, dim, n, step):
    return _tuple_from_list(_listed_rows_along(x, dim, n, step))


def _tuple_of_pieces(x, dim, n, width):
    return _tuple_from_list(_listed_pieces_along(x, dim, n, width))


def _pieces_along(x, dim, n, width):
    before = (slice(None),) * dim
    for i in range(0, n, width):
        yield x[(*before, slice(i, i + width))]
