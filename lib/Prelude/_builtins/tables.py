"""Dicts and sets whose keys the run decides: lists of keys that differ, or of pairs, which are walked over."""


def _table_distinct(items):
    """A list of the items without those that are equal to one before."""
    made = []
    for x in items:
        x = _table_key(x)
        for y in made:
            if y == x:
                break
        else:
            made.append(x)
    return made


def _set_of_grown(items):
    made = set()
    _table_assign(made, _table_distinct(items))
    return made


# Dicts -------------------------------------------------------------------------------------


def _table_contains(table, key):
    if isinstance(table, dict):
        for k, _ in _table_members(table):
            if k == key:
                return True
        return False
    for k in _table_members(table):
        if k == key:
            return True
    return False


def _table_getitem(d, key):
    for k, v in _table_members(d):
        if k == key:
            return v
    f = _lookup(type(d), "__missing__")
    if f is not _missing:
        return f(d, key)
    raise KeyError(key)


def _table_get(d, key, default=None):
    for k, v in _table_members(d):
        if k == key:
            return v
    return default


def _table_setitem(d, key, value):
    pairs = _table_members(d)
    n = 0
    for k, _ in pairs:
        if k == key:
            break
        n += 1
    else:
        pairs.append((key, value))
        _table_assign(d, pairs)
        return
    _table_put(d, n, value)


def _table_setdefault(d, key, default=None):
    pairs = _table_members(d)
    for k, v in pairs:
        if k == key:
            return v
    pairs.append((key, default))
    _table_assign(d, pairs)
    return default


def _table_delitem(d, key):
    pairs = _table_members(d)
    n = 0
    for k, _ in pairs:
        if k == key:
            break
        n += 1
    else:
        raise KeyError(key)
    del pairs[n]
    _table_assign(d, pairs)
    _table_disturb(d)


def _table_pop(d, key, default=_missing):
    pairs = _table_members(d)
    n = 0
    for k, _ in pairs:
        if k == key:
            break
        n += 1
    else:
        if default is _missing:
            raise KeyError(key)
        return default
    value = pairs[n][1]
    del pairs[n]
    _table_assign(d, pairs)
    _table_disturb(d)
    return value


def _table_popitem(d):
    pairs = _table_members(d)
    if not pairs:
        raise KeyError("popitem(): dictionary is empty")
    pair = pairs.pop()
    _table_assign(d, pairs)
    _table_disturb(d)
    return pair


def _table_update(d, other=()):
    if isinstance(other, dict):
        other = _table_members(other)
    for k, v in other:
        dict.__setitem__(d, k, v)


def _table_fill(d, other, pairs):
    _table_update(d, other)
    for n in range(0, len(pairs), 2):
        dict.__setitem__(d, pairs[n], pairs[n + 1])
    return d


def _table_clear(table):
    _table_assign(table, [])
    if isinstance(table, dict):
        _table_disturb(table)


def _table_copy(table):
    made = {} if isinstance(table, dict) else set()
    _table_assign(made, _table_members(table))
    return made


def _table_keys(d, walk):
    return _table_walk_keys(_table_items(d, walk))


def _table_walk_keys(pairs):
    for k, _ in pairs:
        yield k


def _table_values(d, walk):
    return _table_walk_values(_table_items(d, walk))


def _table_walk_values(pairs):
    for _, v in pairs:
        yield v


def _table_items(d, walk):
    """The pairs, each as it is when the walk comes to it. It begins here: the keys may not change from here on."""
    return _table_walk(d, walk, len(_table_members(d)))


def _table_walk(d, walk, n):
    for i in range(n):
        pairs = _table_members(d)
        _table_check(d, pairs, walk, n)
        yield pairs[i]
    _table_check(d, _table_members(d), walk, n)


def _table_check(d, pairs, walk, n):
    """What CPython makes of as many keys as there were, of which some were taken out, depends on where they lay in its table."""
    if len(pairs) != n:
        if _lookup(type(d), "_ptc_keyed") is not _missing:
            _uncomputed("an OrderedDict that changes while it is walked over")
        raise RuntimeError("dictionary changed size during iteration")
    if _table_disturbed(walk):
        _uncomputed("keys taken out of a dict and others put in while it is walked over")


def _table_has_value(d, value):
    """value in d.values()"""
    for _, v in _table_members(d):
        if _is_item(v, value) or v == value:
            return True
    return False


def _table_has_pair(d, pair):
    """pair in d.items()"""
    if not isinstance(pair, tuple) or len(pair) != 2 or not dict.__contains__(d, pair[0]):
        return False
    value = _table_getitem(d, pair[0])
    return _is_item(value, pair[1]) or bool(value == pair[1])


# Sets --------------------------------------------------------------------------------------


def _table_add(s, x):
    members = _table_members(s)
    for y in members:
        if y == x:
            return
    members.append(x)
    _table_assign(s, members)


def _table_discard(s, x):
    members = _table_members(s)
    n = 0
    for y in members:
        if y == x:
            break
        n += 1
    else:
        return
    del members[n]
    _table_assign(s, members)


def _table_remove(s, x):
    if not _table_contains(s, x):
        raise KeyError(x)
    _table_discard(s, x)


def _table_listed(other):
    """The members of a set, or the items of another iterable, none of which is there twice."""
    return _table_members(other) if isinstance(other, set) else _table_distinct(_items_of(other))


def _items_of(other):
    """What an update goes through: the members of a frozenset, whatever __iter__ its class has."""
    return frozenset.__iter__(other) if isinstance(other, frozenset) else other


def _table_union_update(s, *others):
    for other in others:
        if isinstance(other, set):
            for x in _table_members(other):
                _table_add(s, x)
        else:
            for x in _items_of(other):  # each is there when the next one is asked for
                _table_add(s, _table_key(x))


def _table_union(s, *others):
    made = _table_copy(s)
    _table_union_update(made, *others)
    return made


def _table_among(members, others, inside):
    """Those that are, or are not, among the others."""
    made = []
    for x in members:
        found = False
        for y in others:
            if y == x:
                found = True
                break
        if found == inside:
            made.append(x)
    return made


def _table_intersection_update(s, *others):
    members = _table_members(s)
    for other in others:
        members = _table_among(members, _table_listed(other), True)
    _table_assign(s, members)


def _table_intersection(s, *others):
    made = _table_copy(s)
    _table_intersection_update(made, *others)
    return made


def _table_difference_update(s, *others):
    for other in others:
        if isinstance(other, set):
            _table_assign(s, _table_among(_table_members(s), _table_members(other), False))
        else:
            for x in _items_of(other):
                _table_discard(s, _table_key(x))


def _table_difference(s, *others):
    made = _table_copy(s)
    _table_difference_update(made, *others)
    return made


def _table_symmetric_difference_update(s, other):
    theirs = _table_listed(other)
    mine = _table_members(s)
    made = _table_among(mine, theirs, False)
    for x in _table_among(theirs, mine, False):
        made.append(x)
    _table_assign(s, made)


def _table_symmetric_difference(s, other):
    made = _table_copy(s)
    _table_symmetric_difference_update(made, other)
    return made


def _table_issubset(s, other):
    theirs = _table_listed(other)
    return len(_table_among(_table_members(s), theirs, False)) == 0


def _table_issuperset(s, other):
    theirs = _table_listed(other)
    return len(_table_among(theirs, _table_members(s), False)) == 0


def _table_isdisjoint(s, other):
    theirs = _table_listed(other)
    return len(_table_among(_table_members(s), theirs, True)) == 0


def _table_equal(a, b):
    mine, theirs = _table_members(a), _table_members(b)
    if len(mine) != len(theirs):
        return False
    if isinstance(a, set):
        return len(_table_among(mine, theirs, False)) == 0
    for k, v in mine:
        if not _table_contains(b, k):
            return False
        w = _table_getitem(b, k)
        if not (_is_item(w, v) or w == v):
            return False
    return True


def _table_operation(a, b, symbol):
    if symbol == "|":
        return _table_union(a, b)
    if symbol == "&":
        return _table_intersection(a, b)
    if symbol == "-":
        return _table_difference(a, b)
    if symbol == "^":
        return _table_symmetric_difference(a, b)
    if symbol == "==":
        return _table_equal(a, b)
    if symbol == "!=":
        return not _table_equal(a, b)
    if symbol == "<=":
        return _table_issubset(a, b)
    if symbol == ">=":
        return _table_issuperset(a, b)
    if symbol == "<":
        return len(_table_members(a)) < len(_table_members(b)) and _table_issubset(a, b)
    if symbol == ">":
        return len(_table_members(a)) > len(_table_members(b)) and _table_issuperset(a, b)
    raise TypeError(f"unsupported operand type(s) for {symbol}: 'set' and 'set'")


def _table_in_place(a, b, symbol):
    if symbol == "|":
        _table_union_update(a, b)
    elif symbol == "&":
        _table_intersection_update(a, b)
    elif symbol == "-":
        _table_difference_update(a, b)
    elif symbol == "^":
        _table_symmetric_difference_update(a, b)
    else:
        raise TypeError(f"unsupported operand type(s) for {symbol}=: 'set' and 'set'")
    return a
