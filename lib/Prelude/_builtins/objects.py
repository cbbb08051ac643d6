"""Attributes, classes, generators, match statements, exceptions, imports."""

# Attributes ----------------------------------------------------------------------------------------


def _hooked_getattr(obj, name):
    try:
        return _lookup(type(obj), "__getattribute__")(obj, name)
    except AttributeError:
        f = _lookup(type(obj), "__getattr__")
        if f is _missing:
            raise
    return f(obj, name)


def getattr(obj, name, default=_missing, /):
    if default is _missing:
        return _getattr(obj, name)
    if _is_opaque(obj):
        return _opaque_getattr(obj, name, default)
    try:
        return _getattr(obj, name)
    except AttributeError:
        return default


def hasattr(obj, name, /):
    if _is_opaque(obj):
        return _opaque_hasattr(obj, name)
    if _has_unmodelled_data(obj, name):
        return True
    try:
        found = _getattr(obj, name)
    except AttributeError:
        return False
    if _is_opaque(found) and _is_library_module(obj):    # of a package there may be other versions
        return _opaque_hasattr(_unmodelled_module(obj), name)
    return True


def isinstance(obj, cls, /):
    fast = _isinstance(obj, cls)
    if fast is not None:
        return fast
    return _ask_classes(isinstance, "__instancecheck__", obj, cls,
                        "isinstance() arg 2 must be a type, a tuple of types, or a union")


def issubclass(cls, base, /):
    fast = _issubclass(cls, base)
    if fast is not None:
        return fast
    return _ask_classes(issubclass, "__subclasscheck__", cls, base,
                        "issubclass() arg 2 must be a class, a tuple of classes, or a union")


def _claims_class(obj, cls):
    """Is an object of another class one of `cls` by what it says its __class__ is?"""
    claimed = _getattr_or(obj, "__class__", None)
    return claimed is not type(obj) and _is_class(claimed) and _subclass(claimed, cls)


def _ask_classes(test, hook, v, cls, expected):
    if isinstance(cls, tuple):
        for c in cls:
            if test(v, c):
                return True
        return False
    f = _lookup(type(cls), hook)
    if f is _missing:
        if test is issubclass:
            return _derives(v, cls)
        if _bases_of(cls) is None:
            raise TypeError(expected)
        return _derives_by_bases(_getattr_or(v, "__class__", None), cls)
    return True if f(cls, v) else False


def _bases_of(obj):
    """What makes any object as good as a class: a tuple of bases. None: it has none."""
    bases = _getattr_or(obj, "__bases__", None)
    return bases if _isinstance(bases, tuple) else None


def _derives(v, cls):
    """issubclass() where one of the two is no class."""
    if not _is_class(v) and _bases_of(v) is None:
        raise TypeError("issubclass() arg 1 must be a class")
    if not _is_class(cls) and _bases_of(cls) is None:
        raise TypeError("issubclass() arg 2 must be a class, a tuple of classes, or a union")
    return _derives_by_bases(v, cls)


def _derives_by_bases(v, cls):
    if v is cls:
        return True
    for base in _bases_of(v) or ():
        if _derives_by_bases(base, cls):
            return True
    return False


def dir(obj=_missing, /):
    if obj is _missing:
        return sorted(_caller_names())
    f = _lookup(type(obj), "__dir__")
    if _is_python(f):
        return sorted(f(obj))
    if _is_library_module(obj):
        return _names_of(obj)
    own = _dir_of_module(obj)
    return _dir(obj) if own is None else sorted(own())


def _dir_of_module(obj):
    """What a module has itself to be called for its names; None: it has nothing."""
    if not _isinstance(obj, type(_module("builtins"))) or "__dir__" not in obj.__dict__:
        return None
    own = obj.__dict__["__dir__"]
    return own if own is not None else own()


def setattr(obj, name, value, /):
    type(obj).__setattr__(obj, name, value)


def delattr(obj, name, /):
    type(obj).__delattr__(obj, name)


# Classes ---------------------------------------------------------------------------------------------


def __build_class__(func, name, /, *bases, metaclass=_missing, **kwds):
    original = bases
    for b in (*bases, metaclass):
        if _is_opaque(b):
            ns = {}
            _run_body(func, ns)
            return _refuse_class(b, _announces_classes(bases))
    for b in bases:
        if not _is_class(b) and _getattr_or(b, "__mro_entries__", _missing) is not _missing:
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
            _conflict(bases)
    if meta is type or not _has_prepare(meta):
        ns = {}
    else:
        ns = meta.__prepare__(name, bases, **kwds)
    _run_body(func, ns)
    if bases is not original:
        ns["__orig_bases__"] = original
    return meta(name, bases, ns, **kwds)


def _announces_classes(bases):
    """Does code of the program run when a class is derived from them?"""
    for b in bases:
        if not _is_opaque(b) and (not _is_class(b) or _is_program_code(type(b)) or _is_program_code(_lookup(b, "__init_subclass__"))):
            return True
    return False


def _conflict(bases):
    raise TypeError("metaclass conflict: the metaclass of a derived class must be a (non-strict) subclass of the metaclasses of all its bases")


def _mro_entries(bases):
    result = []
    for b in bases:
        f = _missing if _is_class(b) else _getattr_or(b, "__mro_entries__", _missing)
        if f is _missing:
            result.append(b)
        else:
            result.extend(f(bases))
    return tuple(result)


def _type_new(meta, name, bases, ns, kwds):
    for b in bases:
        t = type(b)
        if t is not meta and not _subclass(meta, t):
            if _subclass(t, meta):
                return t.__new__(t, name, bases, ns, **kwds)
            _conflict(bases)
    cls = _make_class(meta, name, bases, dict(ns) if type(ns) is not dict else ns)
    for key, value in _set_name_hooks(cls):
        try:
            _lookup(type(value), "__set_name__")(value, cls, key)
        except BaseException as e:
            text = f"Error calling __set_name__ on '{type(value).__name__}' instance {key!r} in '{name}'"
            if _python_minor() < 12:
                raise RuntimeError(text) from e
            e.add_note(text)
            raise
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
                raise TypeError(f"__init__() should return None, not '{_type_name(result)}'")
    return obj


# Generators --------------------------------------------------------------------------------------------


def _gen_throw(gen, kind, value=None, tb=None):
    exc = _exception_of(kind, value)
    if _gen_created(gen):
        _gen_finish(gen)
        raise exc
    sub = _gen_delegate(gen)
    if sub is not None:
        f = _lookup(type(sub), "close" if isinstance(exc, GeneratorExit) else "throw")
        if f is not _missing:
            if isinstance(exc, GeneratorExit):
                try:
                    f(sub)
                except BaseException as error:
                    return _raise_at_delegate(gen, error)
            else:
                try:
                    return f(sub, exc)
                except StopIteration as stop:
                    return _gen_finish_send(gen, stop.value)
                except BaseException as error:
                    return _gen_raise(gen, error)
        return _raise_at_delegate(gen, exc)
    return _gen_raise(gen, exc)


def _ends_delegation(error):
    """Is it, unhandled by the iterator of a `yield from`, the end of that? StopIteration is, since 3.12."""
    return isinstance(error, StopIteration) and _python_minor() >= 12


def _raise_at_delegate(gen, error):
    return _gen_finish_send(gen, error.value) if _ends_delegation(error) else _gen_raise(gen, error)


def _exception_of(kind, value=None):
    if isinstance(kind, BaseException):
        if value is not None:
            raise TypeError("instance exception may not have a separate value")
        return kind
    if _is_class(kind) and issubclass(kind, BaseException):
        if isinstance(value, kind):
            return value
        if value is None:
            return kind()
        return kind(*value) if isinstance(value, tuple) else kind(value)
    raise TypeError(f"exceptions must be classes or instances deriving from BaseException, not {_type_name(kind)}")


def _gen_close_dropped(gen):
    """What happens to a generator that nothing refers to any more; an asynchronous one is its loop's to close."""
    if type(gen) is _AsyncGenerator:
        from _ptc_torch import _refuse
        _refuse("leaving an asynchronous generator before its end, inside of try or with")
    try:
        _gen_close(gen)
    except BaseException as error:
        _print(["Exception ignored in: " + repr(gen), type(error).__name__ + ": " + str(error)], "\n", "\n", 2)


def _gen_close(gen):
    if not _gen_suspended(gen):
        return None
    try:
        _gen_throw(gen, GeneratorExit())
    except GeneratorExit:
        return None
    except StopIteration as stop:
        return stop.value if _python_minor() >= 13 else None
    raise RuntimeError(f"{'coroutine' if type(gen) is _Coroutine else 'generator'} ignored GeneratorExit")


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
                if _ends_delegation(error):
                    return error.value
                raise
            thrown = error
        it = _thrown_into(it, throw, thrown)
        sent = None


def _thrown_into(it, throw, error):
    """The iterator that goes on after throw(): what throw() gave comes first."""
    try:
        x = throw(error)
    except StopIteration as stop:
        return stop.value
    yield x
    return (yield from it)


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
        raise TypeError("called match pattern must be a " + ("type" if _python_minor() < 12 else "class"))
    if not isinstance(subject, cls):
        return None
    values, seen = [], []
    if count:
        args = _getattr_or(cls, "__match_args__", _missing)
        if args is not _missing and not isinstance(args, tuple):
            raise TypeError(f"{cls.__name__}.__match_args__ must be a tuple (got {_type_name(args)})")
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
            if not isinstance(args[i], str):
                raise TypeError(f"__match_args__ elements must be strings (got {_type_name(args[i])})")
            _check_matched_once(cls, args[i], seen)
            v = _getattr_or(subject, args[i], _missing)
            if v is _missing:
                return None
            values.append(v)
    for name in names:
        _check_matched_once(cls, name, seen)
        v = _getattr_or(subject, name, _missing)
        if v is _missing:
            return None
        values.append(v)
    return tuple(values)


def _check_matched_once(cls, name, seen):
    if name in seen:
        raise TypeError(f"{cls.__name__}() got multiple sub-patterns for attribute {name!r}")
    seen.append(name)


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


# Imports ------------------------------------------------------------------------------------------


def _import_names(module, names):
    """What `from module import names` imports of a package that has a __getattr__, which is asked first."""
    for name in names:
        if name == "*":
            _import_names(module, [n for n in getattr(module, "__all__", ()) if n != "*"])
        elif not hasattr(module, name):
            _submodule_step(module, name)
    return module


def _import_from(module, full, name):
    """The same name of a module that has a __getattr__."""
    try:
        return getattr(module, name)
    except AttributeError:
        pass
    part = _module(full + "." + name)
    return _no_such_name(module, name) if part is None else part


def _part_of_package(path):
    """A module that its package imports itself."""
    return __import__(path, None, None, ("__name__",))


def _import_star(module, target):
    try:
        names = module.__all__
    except AttributeError:
        names = [n for n in vars(module) if not n.startswith("_")]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"Item in {module.__name__}.__all__ must be str, not {_type_name(name)}")
        setattr(target, name, getattr(module, name))


def _is_found(finders, name, path):
    """Does one of the finders that the program has put into sys.meta_path have the module?"""
    for finder in finders:
        find = getattr(finder, "find_spec", None)
        if find is not None and find(name, path) is not None:
            return True
    return False


def _ask_finders(finders, name, text):
    """Finders of the program are asked last."""
    parent = name.rpartition(".")[0]
    if _is_found(finders, name, _module(parent).__path__ if parent else None):
        len(_unmodelled_module("sys.meta_path"))    # refused: what its loader makes
    raise ModuleNotFoundError(text, name=name)


def _package_of(globals):
    package = globals.get("__package__")
    if package is not None:
        return package
    if "__name__" not in globals:
        raise KeyError("'__name__' not in globals")
    name = globals["__name__"]
    return name if "__path__" in globals else name.rpartition(".")[0]


def _absolute_name(name, package, level):
    if not package:
        raise ImportError("attempted relative import with no known parent package")
    bits = package.rsplit(".", level - 1)
    if len(bits) < level:
        raise ImportError("attempted relative import beyond top-level package")
    return f"{bits[0]}.{name}" if name else bits[0]


def __import__(name, globals=None, locals=None, fromlist=(), level=0):
    if not isinstance(name, str):
        raise TypeError("module name must be a string")
    if level < 0:
        raise ValueError("level must be >= 0")
    if level:
        name = _absolute_name(name, _package_of({} if globals is None else globals), level)
        fromlist = fromlist or ("",)                # the package, not its first part
    elif not name:
        raise ValueError("Empty module name")
    parts = name.split(".")
    at = ""
    for part in parts:
        at = at + "." + part if at else part
        if _module_step(at) is not None:  # what stands for a module without a model
            if at != name:
                _module_step(name)
            return _unmodelled_module(name if fromlist else at) if fromlist or at == parts[0] else _module(parts[0])
    return _module(name if fromlist else parts[0])
