"""copy and deepcopy by the protocol of pickle: __copy__ and __deepcopy__, then __reduce_ex__ and what it stands for."""
import sys as _sys
from copyreg import dispatch_table as _dispatch_table
from types import ModuleType as _ModuleType

from _ptc import _is_program_code
from _ptc_torch import _refuse


class Error(Exception):
    pass


error = Error
_ATOMIC = (type(None), type(Ellipsis), type(NotImplemented), int, float, bool, complex, str, bytes, type, range, property)
_VALUES = (tuple, str, bytes, int, float, complex)
# What C keeps beside attributes, and no class of theirs knows how to make again.
_UNPICKLED = ("generator", "module", "dict_keys", "dict_values", "dict_items", "mappingproxy", "memoryview", "cell", "classmethod", "staticmethod",
              "frame", "traceback", "coroutine")
_REFUSED = ("zip", "map", "filter", "enumerate", "reversed", "super")
_CONSTANTS_OF_TORCH = ("dtype", "layout", "memory_format", "device")
_absent = object()


def _is_atomic(x):
    cls = type(x)
    return cls in _ATOMIC or isinstance(x, type) or cls is type(_is_atomic) or cls is type(len) or cls.__name__ == "code" or \
        cls.__name__ in _CONSTANTS_OF_TORCH and cls.__module__ == "torch"


def _has_own(cls, name):
    """Whether a class has this method of the protocol from another class than object."""
    for base in cls.__mro__:
        if base is not object and name in base.__dict__:
            return True
    return False


def _slots_of(x):
    found = {}
    for cls in type(x).__mro__:
        slots = cls.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__") and cls.__name__.lstrip("_"):
                name = f"_{cls.__name__.lstrip('_')}{name}"
            value = getattr(x, name, _absent)
            if value is not _absent:
                found[name] = value
    return found


def _state_of(x):
    if _has_own(type(x), "__getstate__"):
        return x.__getstate__()
    state = dict(x.__dict__) if hasattr(x, "__dict__") else None
    slots = _slots_of(x)
    return (state, slots) if slots else state


def _new(cls, *args):
    return cls.__new__(cls, *args)


def _new_ex(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


def _reduce(x):
    """What x.__reduce_ex__(4) gives."""
    cls = type(x)
    if cls in _dispatch_table:
        return _dispatch_table[cls](x)
    if _has_own(cls, "__reduce_ex__"):
        return x.__reduce_ex__(4)
    if _has_own(cls, "__reduce__"):
        return x.__reduce__()
    if cls.__module__ == "torch.return_types":
        return cls, (tuple(x), {})
    if cls.__name__ == "generator" and not _is_program_code(x):
        _refuse("copy.copy of an iterator of itertools")
    if cls.__name__ in _UNPICKLED and not _has_own(cls, "__getnewargs__") or isinstance(x, _ModuleType):
        raise TypeError("cannot pickle memoryview objects" if cls.__name__ == "memoryview" else f"cannot pickle '{cls.__name__}' object")
    if cls.__name__ in _REFUSED or cls.__module__ == "builtins" and cls.__name__.endswith("iterator"):
        _refuse(f"copy.copy of a {cls.__name__}")
    if isinstance(x, BaseException):
        state = dict(x.__dict__)
        if "__notes__" not in state and hasattr(x, "__notes__"):
            state["__notes__"] = x.__notes__
        for name in ("name", "path") if isinstance(x, ImportError) else ():
            if getattr(x, name) is not None:
                state[name] = getattr(x, name)
        return (cls, x.args, state) if state else (cls, x.args)
    if isinstance(x, (set, frozenset)):
        return cls, (list(x),), x.__dict__ if hasattr(x, "__dict__") and x.__dict__ else None
    if cls is slice:
        return slice, (x.start, x.stop, x.step)
    if cls.__name__ == "method":
        return cls, (x.__func__, x.__self__)
    if _has_own(cls, "__getnewargs_ex__"):
        args, kwargs = x.__getnewargs_ex__()
        make, args = (_new_ex, (cls, args, kwargs)) if kwargs else (_new, (cls, *args))
    elif _has_own(cls, "__getnewargs__"):
        make, args = _new, (cls, *x.__getnewargs__())
    else:
        make, args = _new, (cls,)
        for base in _VALUES:
            if isinstance(x, base):
                args = (cls, base(base.__iter__(x)) if base is tuple else base.__new__(base, x))
                break
    return make, args, _state_of(x), iter(x) if isinstance(x, list) else None, iter(x.items()) if isinstance(x, dict) else None


def _reconstruct(x, memo, func, args, state=None, listiter=None, dictiter=None):
    deep = memo is not None
    if deep and args:
        args = [deepcopy(arg, memo) for arg in args]
    y = func(*args)
    if deep:
        memo[id(x)] = y
    if state is not None:
        _set_state(y, deepcopy(state, memo) if deep else state)
    if listiter is not None:
        for item in listiter:
            y.append(deepcopy(item, memo) if deep else item)
    if dictiter is not None:
        for key, value in dictiter:
            if deep:
                key, value = deepcopy(key, memo), deepcopy(value, memo)
            y[key] = value
    return y


def _set_state(y, state):
    if hasattr(y, "__setstate__") and not (isinstance(y, BaseException) and not _has_own(type(y), "__setstate__")):
        y.__setstate__(state)
        return
    if isinstance(y, BaseException):
        for key, value in state.items():
            setattr(y, key, value)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state is not None:
        y.__dict__.update(state)
    if slots is not None:
        for key, value in slots.items():
            setattr(y, key, value)


def copy(x):
    cls = type(x)
    if _is_atomic(x) or cls in (tuple, frozenset, slice):
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    hook = getattr(cls, "__copy__", None)
    if hook is not None:
        return hook(x)
    made = _reduce(x)
    return x if isinstance(made, str) else _reconstruct(x, None, *made)


def deepcopy(x, memo=None, _nil=[]):
    if _is_atomic(x):
        return x
    if memo is None:
        memo = {}
    key = id(x)
    y = memo.get(key, _nil)
    if y is not _nil:
        return y
    cls, is_new = type(x), False
    if cls is list:
        y = memo[key] = []
        for v in x:
            y.append(deepcopy(v, memo))
    elif cls is dict:
        y = memo[key] = {}
        for k, v in x.items():
            y[deepcopy(k, memo)] = deepcopy(v, memo)
    elif cls is tuple:
        y = _deepcopy_tuple(x, memo, key)
    elif cls is bytearray:
        y = x.copy()
    elif cls.__name__ == "method":
        y = cls(x.__func__, deepcopy(x.__self__, memo))
    else:
        hook = getattr(x, "__deepcopy__", None)
        if hook is not None:
            y = hook(memo)
        else:
            made = _reduce(x)
            is_new = not isinstance(made, str)
            y = _reconstruct(x, memo, *made) if is_new else x
    if is_new or y is not x:
        memo[key] = y
        if id(memo) in memo:                  # keeps what is copied alive as long as its id stands here
            memo[id(memo)].append(x)
        else:
            memo[id(memo)] = [x]
    return y


def _deepcopy_tuple(x, memo, key):
    parts = [deepcopy(v, memo) for v in x]
    if key in memo:
        return memo[key]
    for a, b in zip(x, parts):
        if not _is_atomic(a) and a is not b:
            return tuple(parts)
    return x


if _sys.version_info >= (3, 13):
    def replace(obj, /, **changes):
        func = getattr(type(obj), "__replace__", None)
        if func is None:
            raise TypeError(f"replace() does not support {type(obj).__name__} objects")
        return func(obj, **changes)
