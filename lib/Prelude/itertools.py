"""itertools in Python: classes where their names, repr or class methods are seen, else generators."""

from operator import index as _index
from sys import version_info as _version_info

from _ptc import _is_grown, _item_count, _no_end, _ssize, _uncomputed
from _ptc_torch import _refuse


class count:
    def __init__(self, start=0, step=1):
        if not hasattr(start, "__add__") or isinstance(start, (str, list, tuple)):
            raise TypeError("a number is required")
        self._ptc_n = start
        self._ptc_step = step

    def __iter__(self):
        return self

    def _ptc_length(self):
        return _no_end()

    def __next__(self):
        n = self._ptc_n
        self._ptc_n = n + self._ptc_step
        return n

    def __repr__(self):
        return f"count({self._ptc_n!r})" if self._ptc_step == 1 and isinstance(self._ptc_step, int) else f"count({self._ptc_n!r}, {self._ptc_step!r})"


def cycle(iterable, /):
    return _cycle(iter(iterable))


def _cycle(it):
    saved = []
    for x in it:
        yield x
        saved.append(x)
    while saved:
        for x in saved:
            yield x


class repeat:
    def __init__(self, object, times=None):
        self._ptc_object = object
        if times is not None:
            times = _index(times)
        self._ptc_left = None if times is None else (times if _ssize(times) > 0 else 0)

    def __iter__(self):
        return self

    def __next__(self):
        if self._ptc_left is not None:
            if self._ptc_left == 0:
                raise StopIteration
            self._ptc_left -= 1
        return self._ptc_object

    def __length_hint__(self):
        if self._ptc_left is None:
            raise TypeError("len() of unsized object")
        return self._ptc_left

    def _ptc_length(self):
        return _no_end() if self._ptc_left is None else self._ptc_left

    def __repr__(self):
        return f"repeat({self._ptc_object!r})" if self._ptc_left is None else f"repeat({self._ptc_object!r}, {self._ptc_left})"


class chain:
    def __init__(self, *iterables):
        self._ptc_it = _chain(iterables)

    @classmethod
    def from_iterable(cls, iterables, /):
        made = cls()
        if type(iterables) is list or type(iterables) is tuple:
            for items in iterables:
                if _is_grown(items):
                    _refuse("itertools.chain.from_iterable() of lists whose lengths the run decides")
        made._ptc_it = _chain(iter(iterables))
        return made

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._ptc_it)


def _chain(iterables):
    if isinstance(iterables, tuple) and len(iterables) > 1:
        grown = False
        for items in iterables:
            if type(items) not in (list, tuple, range):
                break
            grown = grown or _is_grown(items)
        else:
            if grown:
                return _chain_grown(iterables)
    return _chain_each(iterables)


def _chain_each(iterables):
    for iterable in iterables:
        for x in iterable:
            yield x


def _chain_grown(sequences):
    """Sequences of which the run decides some lengths are one, whose elements are found by their places."""
    lengths = [len(items) for items in sequences]
    n = sum(lengths)
    for place in range(n):
        for items, length in zip(sequences, lengths):
            if len(items) != length:
                _uncomputed("a list that gets another length while itertools.chain() goes through it")
        i = place
        for items in sequences:
            if i < len(items):
                x = items[i]
                break
            i -= len(items)
        yield x


def accumulate(iterable, func=None, *, initial=None):
    return _accumulate(iter(iterable), func, initial)


def _accumulate(it, func, initial):
    total = initial
    if initial is None:
        try:
            total = next(it)
        except StopIteration:
            return
    yield total
    for x in it:
        total = total + x if func is None else func(total, x)
        yield total


def compress(data, selectors):
    return (d for d, s in zip(data, selectors) if s)


def dropwhile(predicate, iterable, /):
    return _dropwhile(predicate, iter(iterable))


def _dropwhile(predicate, it):
    for x in it:
        if not predicate(x):
            yield x
            break
    for x in it:
        yield x


def takewhile(predicate, iterable, /):
    return _takewhile(predicate, iter(iterable))


def _takewhile(predicate, it):
    for x in it:
        if not predicate(x):
            return
        yield x


def filterfalse(predicate, iterable, /):
    if predicate is None:
        return (x for x in iterable if not x)
    return (x for x in iterable if not predicate(x))


def starmap(function, iterable, /):
    return (function(*args) for args in iterable)


def pairwise(iterable, /):
    return _pairwise(iter(iterable))


def _pairwise(it):
    try:
        a = next(it)
    except StopIteration:
        return
    for b in it:
        yield a, b
        a = b


if _version_info >= (3, 13):
    def batched(iterable, n, *, strict=False):
        return _batched(iter(iterable), _batch_size(n), strict)
elif _version_info >= (3, 12):
    def batched(iterable, n):
        return _batched(iter(iterable), _batch_size(n), False)


def _batch_size(n):
    n = _index(n)
    if n < 1:
        raise ValueError("n must be at least one")
    return n


def _batched(it, n, strict):
    row = []
    for x in it:
        row.append(x)
        if len(row) == n:
            yield tuple(row)
            row = []
    if row:
        if strict:
            raise ValueError("batched(): incomplete batch")
        yield tuple(row)


def _fits(n):
    try:
        _ssize(n)
    except OverflowError:
        return False
    return True


def _position(v):
    return v if v is None or isinstance(v, int) or not hasattr(type(v), "__index__") else _index(v)


def islice(iterable, *args):
    if not 1 <= len(args) <= 3:
        raise TypeError(f"islice expected at {'least 2' if not args else 'most 4'} arguments, got {len(args) + 1}")
    s = slice(*[_position(x) for x in args])
    start = 0 if s.start is None else s.start
    step = 1 if s.step is None else s.step
    stop = s.stop
    for what, v in (("Indices for", start), ("Indices for", stop)):
        if v is not None and (not isinstance(v, int) or v < 0 or not _fits(v)):
            if len(args) == 1:
                raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
            raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if not isinstance(step, int) or step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start, stop, step)


def _islice(it, start, stop, step):
    at = 0
    wanted = start
    while stop is None or wanted < stop:
        while at <= wanted:
            try:
                x = next(it)
            except StopIteration:
                return
            at += 1
        yield x
        wanted += step
    if stop is not None:
        while at < stop:
            try:
                next(it)
            except StopIteration:
                return
            at += 1


def zip_longest(*iterables, fillvalue=None):
    return _zip_longest([iter(i) for i in iterables], fillvalue)


def _zip_longest(its, fill):
    active = len(its)
    while active:
        row = []
        for n, it in enumerate(its):
            if it is None:
                row.append(fill)
                continue
            try:
                row.append(next(it))
            except StopIteration:
                active -= 1
                if not active:
                    return
                its[n] = None
                row.append(fill)
        yield tuple(row)


class _Grouper:
    def __init__(self, parent, key):
        self._parent = parent
        self._ptc_key = key
        self._owner = parent._ptc_id

    def __iter__(self):
        return self

    def __next__(self):
        parent = self._parent
        if parent._ptc_id is not self._owner or not parent._ptc_has:
            raise StopIteration
        if not (parent._ptc_key == self._ptc_key):
            raise StopIteration
        value = parent._ptc_value
        parent._ptc_advance()
        return value


class groupby:
    def __init__(self, iterable, key=None):
        self._ptc_it = iter(iterable)
        self._ptc_keyfunc = key
        self._ptc_has = False
        self._ptc_started = False
        self._ptc_key = self._ptc_value = self._ptc_id = None
        self._ptc_last = None

    def _ptc_advance(self):
        try:
            self._ptc_value = next(self._ptc_it)
        except StopIteration:
            self._ptc_has = False
            return
        self._ptc_has = True
        self._ptc_key = self._ptc_value if self._ptc_keyfunc is None else self._ptc_keyfunc(self._ptc_value)

    def __iter__(self):
        return self

    def __next__(self):
        if not self._ptc_started:
            self._ptc_started = True
            self._ptc_advance()
        else:
            while self._ptc_has and self._ptc_key == self._ptc_last:
                self._ptc_advance()
        if not self._ptc_has:
            self._ptc_id = None
            raise StopIteration
        self._ptc_last = self._ptc_key
        self._ptc_id = object()
        return self._ptc_key, _Grouper(self, self._ptc_key)


def tee(iterable, n=2, /):
    n = _index(n)
    if _item_count(n) < 0:
        raise ValueError("n must be >= 0")
    it = iter(iterable)
    queues = [[] for _ in range(n)]
    return tuple([_one_of_tee(it, q, queues) for q in queues])


def _one_of_tee(it, mine, queues):
    while True:
        if not mine:
            try:
                x = next(it)
            except StopIteration:
                return
            for q in queues:
                q.append(x)
        yield mine.pop(0)


def product(*iterables, repeat=1):
    if _item_count(_index(repeat)) < 0:
        raise ValueError("repeat argument cannot be negative")
    pools = [tuple(p) for p in iterables] * _index(repeat)
    return _product(pools)


def _product(pools):
    if any([not p for p in pools]):
        return
    at = [0] * len(pools)
    while True:
        yield tuple([p[i] for p, i in zip(pools, at)])
        k = len(pools) - 1
        while k >= 0:
            at[k] += 1
            if at[k] < len(pools[k]):
                break
            at[k] = 0
            k -= 1
        if k < 0:
            return


def permutations(iterable, r=None):
    pool = tuple(iterable)
    if r is not None and not isinstance(r, int):
        raise TypeError("Expected int as r")
    if r is not None and r < 0:
        raise ValueError("r must be non-negative")
    return _permutations(pool, len(pool) if r is None else _item_count(r))


def _permutations(pool, r):
    n = len(pool)
    if r > n:
        return
    order = list(range(n))
    cycles = list(range(n, n - r, -1))
    yield tuple([pool[i] for i in order[:r]])
    while n:
        for i in range(r - 1, -1, -1):
            cycles[i] -= 1
            if cycles[i] == 0:
                order[i:] = order[i + 1:] + order[i:i + 1]
                cycles[i] = n - i
            else:
                j = cycles[i]
                order[i], order[-j] = order[-j], order[i]
                yield tuple([pool[k] for k in order[:r]])
                break
        else:
            return


def _taken(r):
    if _item_count(_index(r)) < 0:
        raise ValueError("r must be non-negative")
    return _index(r)


def combinations(iterable, r):
    return _combinations(tuple(iterable), _taken(r))


def _combinations(pool, r):
    n = len(pool)
    if r > n:
        return
    at = list(range(r))
    yield tuple([pool[i] for i in at])
    while True:
        k = r - 1
        while k >= 0 and at[k] == k + n - r:
            k -= 1
        if k < 0:
            return
        at[k] += 1
        for j in range(k + 1, r):
            at[j] = at[j - 1] + 1
        yield tuple([pool[i] for i in at])


def combinations_with_replacement(iterable, r):
    return _combinations_with(tuple(iterable), _taken(r))


def _combinations_with(pool, r):
    n = len(pool)
    if not n and r:
        return
    at = [0] * r
    yield tuple([pool[i] for i in at])
    while True:
        k = r - 1
        while k >= 0 and at[k] == n - 1:
            k -= 1
        if k < 0:
            return
        at[k:] = [at[k] + 1] * (r - k)
        yield tuple([pool[i] for i in at])
