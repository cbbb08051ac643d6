"""pickle: plain data and instances there and back. What dumps() gives is known to loads() alone, since which strings of a program are one object,
which the bytes show, is not known; anything else that asks for it is refused."""
import copy as _copy
import sys as _sys

from _ptc import _python_minor
from _ptc_torch import _refuse, is_tensor as _is_tensor

HIGHEST_PROTOCOL, DEFAULT_PROTOCOL = 5, 5 if _python_minor() >= 14 else 4


class PickleError(Exception):
    pass


class PicklingError(PickleError):
    pass


class UnpicklingError(PickleError):
    pass


PickleError.__module__ = PicklingError.__module__ = UnpicklingError.__module__ = "_pickle"
_PLAIN = type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented)


class _Pickled:
    """Nodes, each a kind and what it is made of; the last one is the object."""
    _ptc_known_as = "builtins.bytes"

    def __init__(self, nodes, root):
        self._ptc_nodes, self._ptc_root = nodes, root

    @property
    def __class__(self):
        return bytes

    def __getattr__(self, name):
        _refuse(f"'{name}' of what pickle.dumps() gives")


def _refused(name):
    def method(self, *args):
        _refuse(f"{name} of what pickle.dumps() gives")
    return method


for _name in "len getitem iter contains eq ne lt le gt ge add radd mul rmul mod bool str repr bytes hash format".split():
    setattr(_Pickled, f"__{_name}__", _refused(f"__{_name}__"))


class _Taker:
    def __init__(self):
        self.nodes, self.memo, self.kept = [], {}, []

    def add(self, kind, what):
        self.nodes.append((kind, what))
        return len(self.nodes) - 1

    def remember(self, x, place):
        self.memo[id(x)] = place
        self.kept.append(x)
        return place

    def all(self, items):
        return [self.take(item) for item in items]

    def pairs(self, items):
        return [(self.take(key), self.take(value)) for key, value in items]

    def take(self, x):
        cls = type(x)
        if cls in _PLAIN:
            return self.add("plain", x)
        known = self.memo.get(id(x))
        if known is not None:
            return known
        if cls is list or cls is dict:
            place = self.remember(x, self.add(None, None))
            self.nodes[place] = ("list", self.all(x)) if cls is list else ("dict", self.pairs(x.items()))
            return place
        if cls in (tuple, frozenset):
            parts = self.all(x)
            known = self.memo.get(id(x))
            return self.remember(x, self.add(cls.__name__, parts)) if known is None else known
        if cls is set:
            place = self.remember(x, self.add(None, None))
            self.nodes[place] = "set", self.all(x)
            return place
        if cls is bytearray:
            return self.remember(x, self.add("bytearray", bytes(x)))
        if isinstance(x, type) or cls is type(_refused) or cls is type(len):
            return self.remember(x, self.add("plain", _named(x)))
        if _is_tensor(x):
            _refuse("pickle of a tensor")
        return self.reduced(x, (range, (x.start, x.stop, x.step)) if cls is range else _copy._reduce(x))

    def reduced(self, x, made):
        if isinstance(made, str):
            return self.remember(x, self.add("plain", _named(x)))
        if not isinstance(made, tuple) or not 2 <= len(made) <= 6:
            raise PicklingError(f"__reduce__ must return a string or tuple, not {type(made).__name__}")
        func, args, state, items, pairs, setter = (*made, *[None] * (6 - len(made)))
        func = self.add("plain", func) if func in (_copy._new, _copy._new_ex) else self.take(func)
        args = self.take(tuple(args))
        known = self.memo.get(id(x))
        if known is not None:
            return known
        place = self.remember(x, self.add(None, None))
        items = None if items is None else self.all(items)
        pairs = None if pairs is None else self.pairs(pairs)
        setter = None if setter is None else self.take(setter)
        self.nodes[place] = "object", (func, args, items, pairs, None if state is None else self.take(state), setter)
        return place


def _named(x):
    """A class or function, which has to be what its module has under its name."""
    found = _sys.modules.get(x.__module__) if isinstance(x.__module__, str) else None
    for part in x.__qualname__.split("."):
        if found is None or part == "<locals>" or part == "<lambda>":
            break
        found = getattr(found, part, None)
    if x.__module__ not in ("builtins", "__main__") and found is not x or "<" in x.__qualname__:
        _refuse(f"pickle of '{x.__qualname__}', which its module has under another name or not at all,")
    return x


class _Maker:
    def __init__(self, nodes):
        self.nodes, self.made = nodes, {}

    def all(self, places):
        return [self.make(place) for place in places]

    def make(self, place):
        if place in self.made:
            return self.made[place]
        kind, what = self.nodes[place]
        if kind == "plain":
            return what
        if kind in ("list", "dict", "set"):
            y = self.made[place] = [] if kind == "list" else {} if kind == "dict" else set()
            if kind == "dict":
                for key, value in what:
                    key = self.make(key)
                    y[key] = self.make(value)
            elif kind == "list":
                y.extend(self.all(what))
            else:
                y.update(self.all(what))
            return y
        if kind == "object":
            return self.object(place, *what)
        parts = bytearray(what) if kind == "bytearray" else tuple(self.all(what)) if kind == "tuple" else frozenset(self.all(what))
        return self.made.setdefault(place, parts)

    def object(self, place, func, args, items, pairs, state, setter):
        func, args = self.make(func), self.make(args)
        y = self.made[place] = func(*args)
        if items:
            y.extend(self.all(items))
        for key, value in pairs or ():
            key = self.make(key)
            y[key] = self.make(value)
        if setter is not None:
            self.make(setter)(y, self.make(state))
        elif state is not None:
            _copy._set_state(y, self.make(state))
        return y


def dumps(obj, protocol=None, *, fix_imports=True, buffer_callback=None):
    if buffer_callback is not None:
        _refuse("pickle.dumps with a buffer_callback")
    if protocol is not None and protocol > HIGHEST_PROTOCOL:
        raise ValueError(f"pickle protocol must be <= {HIGHEST_PROTOCOL}")
    if protocol is not None and 0 <= protocol < 2:
        _refuse("a protocol of pickle before 2")
    taker = _Taker()
    root = taker.take(obj)
    return _Pickled(taker.nodes, root)


def loads(data, /, *, fix_imports=True, encoding="ASCII", errors="strict", buffers=()):
    if type(data) is not _Pickled:
        _refuse("pickle.loads of what pickle.dumps() of the same program did not give")
    return _Maker(data._ptc_nodes).make(data._ptc_root)
