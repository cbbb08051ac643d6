"""copy and deepcopy of containers and instances."""
import sys as _sys


class Error(Exception):
    pass


error = Error
_ATOMIC = (type(None), type(Ellipsis), type(NotImplemented), int, float, bool, complex, str, bytes, type, range, slice, property)


def _is_atomic(x):
    cls = type(x)
    return cls in _ATOMIC or isinstance(x, type) or cls is type(_is_atomic) or cls is type(len)


def _state_of(x):
    """Attributes in __dict__ and slots."""
    state = dict(x.__dict__) if hasattr(x, "__dict__") else {}
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(x, name):
                state[name] = getattr(x, name)
    return state


def _empty_like(x):
    cls = type(x)
    for base in (dict, list, set):
        if isinstance(x, base):
            return base.__new__(cls)
    for base in (int, float, str, bytes, frozenset, tuple):
        if isinstance(x, base):
            return base.__new__(cls, x)
    return object.__new__(cls)


def _restore(y, state, names=None):
    setter = getattr(type(y), "__setstate__", None)
    if setter is not None:
        setter(y, state)
        return y
    for k, v in state.items():
        object.__setattr__(y, k, v)
    return y


def _given_state(x):
    getter = type(x).__dict__.get("__getstate__")
    return getter(x) if getter is not None else _state_of(x)


def copy(x):
    cls = type(x)
    if _is_atomic(x):
        return x
    if cls is list or cls is dict or cls is set or cls is bytearray:
        return x.copy()
    if cls is tuple or cls is frozenset:
        return x
    hook = getattr(cls, "__copy__", None)
    if hook is not None:
        return hook(x)
    reduce = getattr(cls, "_ptc_reduce", None)
    y = _empty_like(x) if reduce is None else reduce(x, lambda v: v)
    if reduce is None:
        if isinstance(x, list):
            list.extend(y, x)
        elif isinstance(x, dict):
            for k, v in x.items():
                dict.__setitem__(y, k, v)
        elif isinstance(x, set):
            set.update(y, x)
    return _restore(y, _given_state(x))


def deepcopy(x, memo=None, _nil=[]):
    if _is_atomic(x):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    if key in memo:
        return memo[key]
    cls = type(x)
    if cls is list:
        y = memo[key] = []
        for v in x:
            y.append(deepcopy(v, memo))
        return y
    if cls is dict:
        y = memo[key] = {}
        for k, v in x.items():
            y[deepcopy(k, memo)] = deepcopy(v, memo)
        return y
    if cls is tuple:
        parts = [deepcopy(v, memo) for v in x]
        if key in memo:
            return memo[key]
        y = x
        for a, b in zip(x, parts):
            if a is not b:
                y = tuple(parts)
                break
        memo[key] = y
        return y
    hook = getattr(cls, "__deepcopy__", None)
    if hook is not None:
        y = memo[key] = hook(x, memo)
        return y
    if isinstance(x, (set, frozenset)):
        y = memo[key] = cls([deepcopy(v, memo) for v in x])
        return y
    if cls is bytearray:
        return x.copy()
    if cls.__name__ == "method":
        return type(x)(x.__func__, deepcopy(x.__self__, memo))
    return _deepcopy_instance(x, memo, key)


def _deepcopy_instance(x, memo, key):
    reduce = getattr(type(x), "_ptc_reduce", None)
    deep = lambda v: deepcopy(v, memo)
    if reduce is not None:
        y = memo[key] = reduce(x, deep)
        return _restore(y, {k: deep(v) for k, v in _given_state(x).items()})
    if isinstance(x, tuple):
        y = memo[key] = tuple.__new__(type(x), [deep(v) for v in x])
    else:
        y = memo[key] = _empty_like(x)
    if isinstance(x, list):
        for v in x:
            list.append(y, deep(v))
    elif isinstance(x, dict):
        for k, v in x.items():
            dict.__setitem__(y, deep(k), deep(v))
    return _restore(y, {k: deep(v) for k, v in _given_state(x).items()})


if _sys.version_info >= (3, 13):
    def replace(obj, /, **changes):
        func = getattr(type(obj), "__replace__", None)
        if func is None:
            raise TypeError(f"replace() does not support {type(obj).__name__} objects")
        return func(obj, **changes)
