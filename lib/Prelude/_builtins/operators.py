"""Operators, comparisons and numbers."""

# Operators ---------------------------------------------------------------------------------------


def _repeated(f, sequence, count):
    if _lookup(type(count), "__index__") is _missing:
        raise TypeError(f"can't multiply sequence by non-int of type '{_type_name(count)}'")
    return f(sequence, _index(count))


def _is_of_sequence(t, f, name):
    """Whether this method of a type for `+` or `*` is that of a sequence of C, which every number has a say before."""
    if f is _missing:
        return False
    owner = _lookup(t, "_ptc_sequence_type")
    if owner is not _missing:
        return f is _lookup(owner, name)
    for sequence in (str, list, tuple, bytes, bytearray):
        if _subclass(t, sequence):
            return f is _lookup(sequence, name)
    return False


def _sequence_op(a, b, f, r, first, second, name):
    """`+` and `*` of what is a sequence, on either side of numbers and objects."""
    result = _ask_both(_missing if first else f, a, b, _missing if second or type(a) is type(b) else r)
    if result is not NotImplemented:
        return result
    if name == "__mul__":
        return _repeated(f, a, b) if first else _repeated(r, b, a)
    return f(a, b)


def _ask_both(f, a, b, r):
    """What the left operand's method answers, else the right one's."""
    if f is not _missing:
        result = f(a, b)
        if result is not NotImplemented:
            return result
    return NotImplemented if r is _missing else r(b, a)


def _binary_op(a, b, name, rname, symbol):
    ta, tb = type(a), type(b)
    f = _lookup(ta, name)
    r = _lookup(tb, rname)
    if name == "__mul__" or name == "__add__":
        # What a subclass adds with __radd__ is asked as that of a number.
        first = _is_of_sequence(ta, f, name) and (name == "__mul__" or _lookup(ta, rname) is _missing)
        second = _is_of_sequence(tb, r, rname)
        if first or second:
            return _sequence_op(a, b, f, r, first, second, name)
    if ta is tb:
        r = _missing
    elif r is not _missing and _subclass(tb, ta) and r is not _lookup(ta, rname):
        result = r(b, a)
        if result is not NotImplemented:
            return result
        r = _missing
    result = _ask_both(f, a, b, r)
    return _unsupported(symbol, a, b) if result is NotImplemented else result


def _inplace_op(a, b, name, rname, symbol, iname):
    ta, tb = type(a), type(b)
    f = _lookup(ta, iname)
    if _is_of_sequence(ta, f, iname):
        plain, r = _lookup(ta, name), _lookup(tb, rname)
        if _is_of_sequence(ta, plain, name):
            plain = _missing
        if ta is tb or _is_of_sequence(tb, r, rname):
            r = _missing
        result = _ask_both(plain, a, b, r)
        if result is not NotImplemented:
            return result
        return _repeated(f, a, b) if name == "__mul__" else f(a, b)
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
    result = _ask_both(f, a, b, r)
    if result is not NotImplemented:
        return result
    if symbol == "==":
        return a is b
    if symbol == "!=":
        return a is not b
    raise TypeError(f"'{symbol}' not supported between instances of '{_type_name(a)}' and '{_type_name(b)}'")


def _compare_with_name(user, named, equal):
    """An object of the program and a module, class or function without a model, which is another object."""
    f = _lookup(type(user), "__eq__" if equal else "__ne__")
    result = NotImplemented if f is _missing else f(user, named)
    return not equal if result is NotImplemented else result


def _ne_by_eq(a, b):
    result = type(a).__eq__(a, b)
    return result if result is NotImplemented else not result


def _compare_views(a, b, symbol):
    """Views that are sets, and sets: what is in the smaller is looked for in the larger."""
    if symbol in (">", ">="):
        a, b, symbol = b, a, "<" if symbol == ">" else "<="
    n, m = len(a), len(b)
    if n > m or n == m and symbol == "<" or n != m and symbol == "==":
        return False
    for x in a:
        if x not in b:
            return False
    return True


def _is_set_like(v):
    return isinstance(v, (set, frozenset)) or isinstance(v, _set_views)


def _compare_containers(a, b, symbol):
    if (isinstance(a, _set_views) or isinstance(b, _set_views)) and symbol not in ("==", "!="):
        return _compare_views(a, b, symbol)
    if symbol == "==":
        return _containers_equal(a, b)
    if symbol == "!=":
        return not _containers_equal(a, b)
    n = min(len(a), len(b))
    for i in range(n):
        x, y = a[i], b[i]
        if _is_item(x, y) or x == y:
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
    """== of containers, whatever methods their classes have beside __eq__."""
    if isinstance(a, dict) and isinstance(b, dict):
        if dict.__len__(a) != dict.__len__(b):
            return False
        for k, x in dict.items(a):
            y = dict.get(b, k, _missing)
            if y is _missing or not (_is_item(x, y) or x == y):
                return False
        return True
    if isinstance(a, _set_views) or isinstance(b, _set_views):
        return _compare_views(a, b, "==") if _is_set_like(a) and _is_set_like(b) else False
    if type(a) is not type(b) and not (_is_builtin_container(a) and _is_builtin_container(b)):
        return a is b
    if len(a) != len(b):
        return False
    if isinstance(a, (set, frozenset)):
        for k in a:
            if k not in b:
                return False
        return True
    for i in range(len(a)):
        x, y = a[i], b[i]
        if not (_is_item(x, y) or x == y):
            return False
    return True


# Numbers --------------------------------------------------------------------------------------------------


def _number_method(v, name, cls):
    """int(), float(), complex(), round()… of an object with the special method."""
    f = _lookup(type(v), name)
    result = f(v)
    if not isinstance(result, cls):
        raise TypeError(f"{_type_name(v)}.{name} returned non-{cls.__name__} (type {_type_name(result)})" if cls is float else f"{name} returned non-{cls.__name__} (type {_type_name(result)})")
    return result if cls is complex or type(result) is cls else cls.__pos__(result)


def round(number, ndigits=None):
    f = _lookup(type(number), "__round__")
    if f is _missing:
        raise TypeError(f"type {_type_name(number)} doesn't define __round__ method")
    return f(number) if ndigits is None else f(number, ndigits)


def divmod(a, b, /):
    return _binary_op(a, b, "__divmod__", "__rdivmod__", "divmod()")


def pow(base, exp, mod=None):
    if mod is None:
        return base**exp
    f = _lookup(type(base), "__pow__")
    if f is _missing or not _is_python(f) and not (isinstance(exp, (int, float, complex)) and isinstance(mod, (int, float, complex))):
        raise TypeError(f"unsupported operand type(s) for ** or pow(): '{_type_name(base)}', '{_type_name(exp)}', '{_type_name(mod)}'")
    return f(base, exp, mod)
