"""repr, str, format and print."""


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
    if _has_own_text(v, "__repr__"):
        return _text_by(_lookup(type(v), "__repr__"), v, "__repr__")
    return _repr_container(v)


def _text_by(f, v, name):
    text = f(v)
    if not isinstance(text, str):
        raise TypeError(f"{name} returned non-string (type {_type_name(text)})")
    return text


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
            if type(v).__module__ == "torch.return_types":
                fields = [f"{name}={x!r}" for name, x in zip(v.__match_args__, v)]
                return f"torch.return_types.{kind}(\n" + ",\n".join(fields) + ")"
            parts = [repr(x) for x in v]
            return "(" + ", ".join(parts) + (",)" if len(parts) == 1 else ")")
        if isinstance(v, (set, frozenset)):
            parts = ", ".join([repr(x) for x in v])
            return f"{kind}()" if not parts else f"{{{parts}}}" if type(v) is set else f"{kind}({{{parts}}})"
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
    if _has_own_text(v, "__str__"):
        return _text_by(f, v, "__str__")
    return f(v) if isinstance(v, BaseException) else repr(v)


def _leaving(exception):
    """Raises it again, with the text that it leaves the entry with."""
    try:
        text = str(exception)
    except BaseException:
        text = None
    _keep_text(exception, text)
    raise exception


def _format(v, spec):
    f = _lookup(type(v), "__format__")
    if _is_python(f):
        text = f(v, spec)
        if not isinstance(text, str):
            raise TypeError(f"__format__ must return a str, not {_type_name(text)}")
        return text
    if spec == "":
        return str(v)
    base = _unbox(v)
    if base is not v:
        return format(base, spec)
    raise TypeError(f"unsupported format string passed to {_type_name(v)}.__format__")


def _str_join(separator, iterable):
    return separator.join([x for x in _collected(iter(iterable))])


def _percent_number(v, kind):
    """What %d, %x and %f take of an object that is no number: the object itself where nothing fits."""
    names = ("__float__", "__index__") if kind in "eEfFgG" else ("__int__", "__index__") if kind in "diu" else ("__index__",)
    for name in names:
        f = _lookup(type(v), name)
        if f is not _missing:
            return f(v) if kind not in "eEfFgG" else float(v)
    return v


def _takes_keys(format, values):
    """Whether % takes the values from one operand by keys, and takes it for all of them where there are none."""
    if isinstance(values, (tuple, str)) or isinstance(format, bytes) and isinstance(values, (bytes, bytearray)):
        return False
    if _lookup(type(values), "_ptc_sequence_type") is not _missing:
        return False                          # found by numbers alone
    return isinstance(values, (list, dict, bytes, bytearray, range)) or _lookup(type(values), "__getitem__") is not _missing


def _percent(format, values):
    """format % values."""
    rows = _percent_conversions(format)
    single = False
    mapping = False
    if isinstance(values, tuple):
        items = list(_unbox(values))
    elif len(rows) > 0 and rows[0][1] is not None:
        if not _takes_keys(format, values):
            return _percent_with(format, [values], [None], False, False)
        mapping = True
        items = [values[key.encode() if isinstance(format, bytes) else key] for kind, key in rows]
    else:
        items = [values]
        single = len(rows) == 0 and _takes_keys(format, values)
    texts = []
    n = 0
    for kind, key in rows:
        if n >= len(items):
            break
        v = items[n]
        if kind == "b" or (kind == "s" and isinstance(format, bytes)):
            f = _missing if isinstance(v, bytes) else _lookup(type(v), "__bytes__")
            items[n] = v if f is _missing else f(v)
            if isinstance(v, str):
                raise TypeError("%b requires a bytes-like object, or an object that implements __bytes__, "
                                f"not '{_type_name(v)}'")
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
            elif kind in "diu" and isinstance(v, float):
                items[n] = int(v)
            elif kind in "eEfFgG" and isinstance(v, int) and _is_python(_lookup(type(v), "__float__")):
                items[n] = _real(v)
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
    if file is None:
        sys = _module("sys")
        if sys is not None:
            file = sys.stdout
            if file is None:
                return
    if sep is None:
        sep = " "
    elif not isinstance(sep, str):
        raise TypeError(f"sep must be None or a string, not {_type_name(sep)}")
    if end is None:
        end = "\n"
    elif not isinstance(end, str):
        raise TypeError(f"end must be None or a string, not {_type_name(end)}")
    if file is None or _is_stream(file):
        fd = 1 if file is None else file._ptc_fd
        if _is_printed_at_once(args):
            _print([str(x) for x in args], sep, end, fd)
        else:
            # What str() of one argument prints, or raises, comes behind the arguments before it.
            separator = ""
            for x in args:
                _print([separator], "", "", fd)
                _print([str(x)], "", "", fd)
                separator = sep
            _print([end], "", "", fd)
    else:
        write = file.write
        for n, x in enumerate(args):
            if n:
                write(sep)
            write(str(x))
        write(end)
    if flush and file is not None:
        file.flush()
