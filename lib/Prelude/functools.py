"""functools: what CPython's module does, in Python alone."""
import types as _types

from _ptc import (_cache_find, _cache_finish, _cache_key, _cache_start, _caches_are_state, _is_unknown, _needs_code, _python_minor,
                  _refuse_class)
from _ptc_torch import _refuse

_MINOR = _python_minor()

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)
_absent = object()


def _plain(func):
    """The function of a class or static method, which has its name and annotations, too."""
    return func.__func__ if isinstance(func, (classmethod, staticmethod)) else func


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    if updated and _is_unknown(wrapped):    # which attributes it has is not known
        return _refuse_class(wrapped, not isinstance(wrapper, _types.FunctionType))
    named = _plain(wrapped)
    for name in assigned:
        try:
            value = getattr(named, name)
        except AttributeError:
            continue
        setattr(wrapper, name, value)
    for name in updated:
        if isinstance(wrapper, type):
            raise AttributeError("'mappingproxy' object has no attribute 'update'")
        theirs = getattr(wrapped, name, {})
        if name != "__dict__" or not isinstance(wrapper, _types.FunctionType):
            getattr(wrapper, name).update(theirs)
            continue
        for key, value in dict(theirs).items():
            if key not in ("__dict__", "__weakref__"):    # of classes
                setattr(wrapper, key, value)
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    return partial(update_wrapper, wrapped=wrapped, assigned=assigned, updated=updated)


def _read_only(name):
    """An attribute of C that __new__ has set."""
    def refuse(self, value=None):
        raise AttributeError("readonly attribute")
    return property(lambda self: getattr(self, "_ptc_" + name), refuse, refuse)


class partial:
    def __new__(cls, /, *args, **keywords):
        if not args:
            raise TypeError("type 'partial' takes at least one argument")
        func, *args = args
        if not callable(func):
            raise TypeError("the first argument must be callable")
        args = tuple(args)
        if isinstance(func, partial) and not [k for k in func.__dict__ if not k.startswith("_ptc_")]:
            args = func._ptc_args + args
            keywords = {**func._ptc_keywords, **keywords}
            func = func._ptc_func
        self = super().__new__(cls)
        self._ptc_func, self._ptc_args, self._ptc_keywords = func, args, keywords
        return self

    func, args, keywords = _read_only("func"), _read_only("args"), _read_only("keywords")

    def __call__(self, /, *args, **keywords):
        return self._ptc_func(*self._ptc_args, *args, **{**self._ptc_keywords, **keywords})

    def __reduce__(self):
        own = {k: v for k, v in self.__dict__.items() if not k.startswith("_ptc_")}
        return type(self), (self.func,), (self.func, self.args, self.keywords, own or None)

    def __setstate__(self, state):
        if not isinstance(state, tuple) or len(state) != 4:
            raise TypeError("invalid partial state")
        self._ptc_func, self._ptc_args, keywords, own = state
        self._ptc_keywords = dict(keywords or {})
        self.__dict__.update(own or {})

    def __repr__(self):
        parts = [repr(self.func)] + [repr(x) for x in self.args]
        parts += [f"{k}={v!r}" for k, v in self.keywords.items()]
        name = "functools.partial" if type(self) is partial else type(self).__qualname__
        return f"{name}({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        if isinstance(func, partialmethod):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, obj, cls=None):
        get = getattr(type(self.func), "__get__", None)
        bound = self.func if get is None else get(self.func, obj, cls)
        if bound is not self.func:
            return partial(bound, *self.args, **self.keywords)

        def _method(cls_or_self, /, *args, **keywords):
            return self.func(cls_or_self, *self.args, *args, **{**self.keywords, **keywords})

        return _method.__get__(obj, cls)

    def __repr__(self):
        args = ", ".join([repr(x) for x in self.args])
        keywords = ", ".join([f"{k}={v!r}" for k, v in self.keywords.items()])
        if _MINOR >= 13:
            return f"functools.partialmethod({', '.join([t for t in (repr(self.func), args, keywords) if t])})"
        return f"functools.partialmethod({self.func}, {args}, {keywords})"


def reduce(function, iterable, initial=_absent, /):
    try:
        it = iter(iterable)
    except TypeError:
        raise TypeError("reduce() arg 2 must support iteration") from None
    if initial is _absent:
        try:
            value = next(it)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial
    for x in it:
        value = function(value, x)
    return value


class _CacheInfo(tuple):
    def __new__(cls, hits, misses, maxsize, currsize):
        return super().__new__(cls, (hits, misses, maxsize, currsize))

    hits = property(lambda self: self[0])
    misses = property(lambda self: self[1])
    maxsize = property(lambda self: self[2])
    currsize = property(lambda self: self[3])

    def __repr__(self):
        return f"CacheInfo(hits={self[0]}, misses={self[1]}, maxsize={self[2]}, currsize={self[3]})"


_CacheInfo.__name__ = _CacheInfo.__qualname__ = "CacheInfo"


_KEYWORDS = object()    # in keys, between positional arguments and others


class _HashedKey:
    """A key whose hash and equality code of the program says, asked as often as CPython asks."""
    __slots__ = ("_ptc_key", "_ptc_hash", "_ptc_same")

    def __init__(self, key):
        self._ptc_key, self._ptc_hash, self._ptc_same = key, hash(key), None

    def __hash__(self):
        return self._ptc_hash

    def __eq__(self, other):
        if not isinstance(other, _HashedKey):
            return self._ptc_key == other
        if other._ptc_same is not self:
            if not self._ptc_key == other._ptc_key:
                return False
            other._ptc_same = self
        return True


class _Cached:
    """A function and its results, the one that was asked for longest ago first."""
    _ptc_known_as = "functools._lru_cache_wrapper"

    def __init__(self, function, maxsize, typed):
        self._ptc_function = function
        self._ptc_maxsize = maxsize
        self._ptc_typed = typed
        self._ptc_results = {}
        self._ptc_hits = self._ptc_misses = 0
        self.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
        update_wrapper(self, function)

    def _ptc_key(self, args, keywords):
        key = (*args, _KEYWORDS, *[v for item in keywords.items() for v in item]) if keywords else args
        if self._ptc_typed:
            return (*key, *[type(v) for v in args], *[type(v) for v in keywords.values()])
        # One int or str is the key itself, and only equal to one that is, too: 1.0 and True stand in a tuple.
        return key[0] if len(key) == 1 and type(key[0]) in (int, str) else key

    def __call__(self, *args, **keywords):
        if self._ptc_maxsize == 0:
            self._ptc_misses += 1
            return self._ptc_function(*args, **keywords)
        key = self._ptc_key(args, keywords)
        name = _cache_key(self, key, None if self._ptc_maxsize is None else self._ptc_maxsize - len(self._ptc_results))
        if name is not None:
            return self._ptc_in_call(name, key, args, keywords)
        if _needs_code(key):
            return self._ptc_by_code(_HashedKey(key), args, keywords)
        if key in self._ptc_results:
            self._ptc_hits += 1
            value = self._ptc_results[key]
            if self._ptc_maxsize is not None:
                del self._ptc_results[key]
                self._ptc_results[key] = value
            return value
        self._ptc_misses += 1
        value = self._ptc_function(*args, **keywords)
        self._ptc_results[key] = value
        self._ptc_drop_oldest()
        return value

    def _ptc_by_code(self, key, args, keywords):
        value = self._ptc_results.get(key, _absent)
        if value is not _absent:
            self._ptc_hits += 1
            if self._ptc_maxsize is not None:
                key = key._ptc_same or key    # as which it was found
                del self._ptc_results[key]
                self._ptc_results[key] = value
            return value
        self._ptc_misses += 1
        value = self._ptc_function(*args, **keywords)
        if self._ptc_maxsize is None or key not in self._ptc_results:    # the call may have put it there
            self._ptc_results[key] = value
            self._ptc_drop_oldest()
        return value

    def _ptc_drop_oldest(self):
        if self._ptc_maxsize is not None and len(self._ptc_results) > self._ptc_maxsize:
            del self._ptc_results[next(iter(self._ptc_results))]

    def _ptc_in_call(self, name, key, args, keywords):
        """The result in a call of the entry, under the text `name`: nothing is counted, nothing is dropped, and keys may have
        no hash."""
        if self._ptc_results and key in self._ptc_results:
            return self._ptc_results[key]
        found = _cache_find(name)
        if found is not None:
            return found[0]
        run = _cache_start()
        value = self._ptc_function(*args, **keywords)
        _cache_finish(run, name, value)
        return value

    def __get__(self, obj, cls=None):
        return self if obj is None else _types.MethodType(self, obj)

    def cache_info(self):
        _caches_are_state()
        return _CacheInfo(self._ptc_hits, self._ptc_misses, self._ptc_maxsize, len(self._ptc_results))

    def cache_clear(self):
        _caches_are_state()
        self._ptc_results = {}
        self._ptc_hits = self._ptc_misses = 0


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize):
        return _Cached(maxsize, 128, typed)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    size = None if maxsize is None else max(maxsize, 0)

    def decorating_function(function):
        return _Cached(function, size, typed)

    return decorating_function


def cache(function, /):
    return _Cached(function, None, False)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = getattr(func, "__doc__", None)

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(f"Cannot assign the same cached_property to two different names ({self.attrname!r} and {name!r}).")

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        if self.attrname is None:
            raise TypeError("Cannot use cached_property instance without calling __set_name__ on it.")
        value = self.func(instance)
        instance.__dict__[self.attrname] = value
        return value


class _KeyWrapper:
    _ptc_known_as = "functools.KeyWrapper"
    __slots__ = ("_ptc_compare", "obj")
    __hash__ = None

    def __init__(self, compare):
        self._ptc_compare = compare

    def __call__(self, obj=_absent):
        if obj is _absent:
            raise TypeError("K() missing required argument 'obj' (pos 1)")
        made = _KeyWrapper(self._ptc_compare)
        made.obj = obj
        return made

    def _ptc_order(self, other):
        if not isinstance(other, _KeyWrapper):
            raise TypeError("other argument must be K instance")
        return self._ptc_compare(self.obj, other.obj)

    def __lt__(self, other):
        return self._ptc_order(other) < 0

    def __gt__(self, other):
        return self._ptc_order(other) > 0

    def __eq__(self, other):
        return self._ptc_order(other) == 0

    def __ne__(self, other):
        return self._ptc_order(other) != 0

    def __le__(self, other):
        return self._ptc_order(other) <= 0

    def __ge__(self, other):
        return self._ptc_order(other) >= 0


def cmp_to_key(mycmp):
    return _KeyWrapper(mycmp)


def _not(result):
    return result if result is NotImplemented else not result


def _strict(result, self, other):
    return result if result is NotImplemented else bool(result and self != other)


def _or_equal(result, self, other):
    return result if result is NotImplemented else bool(result or self == other)


def _not_or_equal(result, self, other):
    return result if result is NotImplemented else bool(not result or self == other)


def _not_strict(result, self, other):
    return result if result is NotImplemented else bool(not result and self != other)


_ORDERINGS = {
    "__lt__": {"__gt__": lambda s, o: _not_strict(type(s).__lt__(s, o), s, o), "__le__": lambda s, o: _or_equal(type(s).__lt__(s, o), s, o),
               "__ge__": lambda s, o: _not(type(s).__lt__(s, o))},
    "__le__": {"__ge__": lambda s, o: _not_or_equal(type(s).__le__(s, o), s, o), "__lt__": lambda s, o: _strict(type(s).__le__(s, o), s, o),
               "__gt__": lambda s, o: _not(type(s).__le__(s, o))},
    "__gt__": {"__lt__": lambda s, o: _not_strict(type(s).__gt__(s, o), s, o), "__ge__": lambda s, o: _or_equal(type(s).__gt__(s, o), s, o),
               "__le__": lambda s, o: _not(type(s).__gt__(s, o))},
    "__ge__": {"__le__": lambda s, o: _not_or_equal(type(s).__ge__(s, o), s, o), "__gt__": lambda s, o: _strict(type(s).__ge__(s, o), s, o),
               "__lt__": lambda s, o: _not(type(s).__ge__(s, o))},
}


def total_ordering(cls):
    given = [name for name in ("__lt__", "__le__", "__gt__", "__ge__") if getattr(cls, name, None) is not getattr(object, name, None)]
    if not given:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    for name, function in _ORDERINGS[given[0]].items():
        if name not in given:
            function.__name__ = name
            setattr(cls, name, function)
    return cls


def _merged(sequences):
    """One order of classes that keeps each of the given ones (C3)."""
    result = []
    sequences = [list(s) for s in sequences if s]
    while sequences:
        for s in sequences:
            if not any([s[0] in other[1:] for other in sequences]):
                first = s[0]
                break
        else:
            raise RuntimeError("Inconsistent hierarchy")
        result.append(first)
        sequences = [s[1:] if s[0] == first else s for s in sequences]
        sequences = [s for s in sequences if s]
    return result


def _order_with(cls, abstract):
    """The class's method resolution order with abstract classes behind the class that first is a subclass of them:
    after its own last abstract base."""
    bases = list(cls.__bases__)
    last = max([i + 1 for i, base in enumerate(bases) if any(["__abstractmethods__" in k.__dict__ for k in base.__mro__])], default=0)
    here = [a for a in abstract if issubclass(cls, a) and not any([issubclass(b, a) for b in bases])]
    rest = [a for a in abstract if a not in here]
    groups = [bases[:last], here, bases[last:]]
    return _merged([[cls]] + [_order_with(base, rest) for group in groups for base in group] + groups)


def _resolution(cls, kinds):
    """The order in which implementations for `kinds` are looked for: abstract classes that the class is a subclass
    of without inheriting from them have their places in it."""
    related = [k for k in kinds if k not in cls.__mro__ and issubclass(cls, k)]
    related = [k for k in related if not any([k != other and k in other.__mro__ for other in related])]
    abstract = []
    for kind in related:
        found = [[k for k in sub.__mro__ if k in related] for sub in kind.__subclasses__()
                 if sub not in cls.__mro__ and issubclass(cls, sub)]
        found.sort(key=len, reverse=True)
        for k in [k for ks in found for k in ks] if found else [kind]:
            if k not in abstract:
                abstract.append(k)
    return _order_with(cls, abstract)


def _implementation(cls, registry):
    match = None
    for kind in _resolution(cls, registry):
        if match is not None:
            own = cls.__mro__
            if kind in registry and kind not in own and match not in own and not issubclass(match, kind):
                raise RuntimeError(f"Ambiguous dispatch: {match} or {kind}")
            break
        if kind in registry:
            match = kind
    return registry.get(match)


def _kinds_of(cls):
    """The classes that an implementation is registered for, None where there are none."""
    if _is_unknown(cls):
        return _refuse_class(cls, True)
    if isinstance(cls, type):
        return (cls,)
    from typing import _union_args

    kinds = _union_args(cls)
    return kinds if kinds and all([isinstance(k, type) for k in kinds]) else None


def _annotated_kinds(func):
    plain = _plain(func)
    if not getattr(plain, "__annotations__", None):
        raise TypeError(f"Invalid first argument to `register()`: {func!r}. Use either `@register(some_class)` or plain `@register` on an annotated function.")
    from typing import _union_args, get_type_hints

    try:
        name, cls = next(iter(get_type_hints(plain).items()))
    except NameError:
        if _MINOR >= 14:
            _refuse("register() of a function with an annotation of an unknown name")
        raise
    kinds = _kinds_of(cls)
    if kinds is None:
        wrong = "is not a class" if _union_args(cls) is None else "not all arguments are classes"
        raise TypeError(f"Invalid annotation for {name!r}. {cls!r} {wrong}.")
    return kinds


def singledispatch(func):
    registry = {object: func}

    def dispatch(cls):
        return registry[cls] if cls in registry else _implementation(cls, registry)

    def register(cls, func=None):
        kinds = _kinds_of(cls)
        if kinds is None:
            if func is not None:
                raise TypeError(f"Invalid first argument to `register()`. {cls!r} is not a class or union type.")
            func = cls
            kinds = _annotated_kinds(func)
        elif func is None:
            return lambda f: register(cls, f)
        for kind in kinds:
            registry[kind] = func
        return func

    def wrapper(*args, **kw):
        if not args:
            raise TypeError(f"{getattr(func, '__name__', 'singledispatch function')} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **kw)

    wrapper.register = register
    wrapper.dispatch = dispatch
    wrapper._clear_cache = lambda: None
    wrapper.registry = _types.MappingProxyType(registry)
    return update_wrapper(wrapper, func)


class singledispatchmethod:
    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, method)

    def __get__(self, obj, cls=None):
        def method(*args, **kwargs):
            if not args and _MINOR >= 12:
                raise TypeError(f"{getattr(self.func, '__name__', 'singledispatchmethod method')} requires at least 1 positional argument")
            return self.dispatcher.dispatch(args[0].__class__).__get__(obj, cls)(*args, **kwargs)

        method.__isabstractmethod__ = self.__isabstractmethod__
        method.register = self.register
        return update_wrapper(method, self.func)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)
