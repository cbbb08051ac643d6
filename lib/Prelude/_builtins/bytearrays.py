"""bytearray: its bytes, changed as a list is."""


_HELD = 2 ** 32    # counts a view that is alive for sure


def _ba(data):
    return bytes.__new__(bytearray, data)


def _make_bytearray(cls, source=_missing, encoding=_missing, errors="strict"):
    if source is _missing:
        return bytes.__new__(cls, b"")
    if isinstance(source, str):
        if encoding is _missing:
            raise TypeError("string argument without an encoding")
        return bytes.__new__(cls, source.encode(encoding, errors))
    if _is_tensor(source):
        return bytes.__new__(cls, bytes(source))
    if isinstance(source, int) and _index(source) < 0:
        raise ValueError("negative count")
    if not isinstance(source, (int, bytes, bytearray)) and _iterable(source):
        return bytes.__new__(cls, bytes([_ba_byte(x) for x in source]))
    if not isinstance(source, (int, bytes, bytearray)) and _lookup(type(source), "__index__") is _missing:
        raise TypeError(f"cannot convert '{_type_name(source)}' object to bytearray")
    return bytes.__new__(cls, bytes(source))


def _ba_byte(value):
    n = _index(value)
    if not 0 <= n < 256:
        raise ValueError("byte must be in range(0, 256)")
    return n


def _ba_put(self, data):
    if not isinstance(self, bytearray):
        raise TypeError(f"descriptor requires a 'bytearray' object but received a '{_type_name(self)}'")
    if len(data) != len(_unbox(self)):
        _check_no_exports(self)
    _list_assign(self, _ba(data))


def _check_no_exports(data):
    """Before a bytearray gets another length. When a view of it dies is not known, but for those that a with statement holds."""
    if _exports(data, 0) >= _HELD:
        raise BufferError("Existing exports of data: object cannot be re-sized")
    if _exports(data, 0):
        from _ptc_torch import _refuse
        _refuse("another length of a bytearray with a memoryview that was not released")


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
        raise TypeError(f"can't concat {_type_name(other)} to bytearray")
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
        args = [tuple([_unbox(y) for y in x]) if isinstance(x, tuple) else [_unbox(y) for y in x] if isinstance(x, list) else _unbox(x) for x in args]
        return _ba_result(f(_unbox(self), *args, **kwargs))
    return method


for _name in ("upper", "lower", "title", "capitalize", "swapcase", "isalpha", "isalnum", "isdigit", "isspace", "isupper", "islower", "istitle", "isascii",
              "split", "rsplit", "splitlines", "partition", "rpartition", "join", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix",
              "center", "ljust", "rjust", "zfill", "expandtabs", "find", "rfind", "index", "rindex", "count", "startswith", "endswith", "replace",
              "decode", "hex", "translate", "__len__", "__contains__", "__mul__", "__rmul__", "__mod__", "__add__"):
    setattr(bytearray, _name, _ba_method(_lookup(bytes, _name)))
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    setattr(bytearray, f"__{_name}__", _ba_operand(_symbol))
bytearray.__new__ = staticmethod(_make_bytearray)
bytearray.__repr__ = bytearray.__str__ = lambda self: f"{type(self).__name__}({_unbox(self)!r})"
bytearray.__iter__ = lambda self: iter(_unbox(self))
bytearray.__getitem__, bytearray.__setitem__, bytearray.__delitem__ = _ba_getitem, _ba_setitem, _ba_delitem
bytearray.__iadd__, bytearray.__imul__ = _ba_iadd, lambda self, n: (_ba_put(self, _unbox(self) * n), self)[1]
bytearray.append, bytearray.extend, bytearray.insert, bytearray.pop = _ba_append, _ba_extend, _ba_insert, _ba_pop
bytearray.remove, bytearray.reverse, bytearray.clear = _ba_remove, _ba_reverse, _ba_clear
bytearray.copy = lambda self: _ba(_unbox(self))
bytearray.fromhex, bytearray.maketrans = classmethod(lambda cls, text: cls(bytes.fromhex(text))), staticmethod(bytes.maketrans)
