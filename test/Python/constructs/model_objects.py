"""Objects as model code defines them: modules with attributes, descriptors, operators, containers, hooks."""
import copy
import operator
import math
from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from typing import Any, Callable, Optional, Protocol, runtime_checkable


class Parameter:
    """A descriptor with a check and a name."""

    def __init__(self, default=None, *, check: Optional[Callable[[Any], bool]] = None):
        self.default, self.check = default, check

    def __set_name__(self, owner, name):
        self.name, self.slot = name, "_" + name
        owner.parameters = getattr(owner, "parameters", ()) + (name,)

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.slot, self.default)

    def __set__(self, instance, value):
        if self.check and not self.check(value):
            raise ValueError(f"{self.name}={value!r}")
        setattr(instance, self.slot, value)

    def __delete__(self, instance):
        delattr(instance, self.slot)


class Module:
    training = True

    def __init__(self):
        object.__setattr__(self, "_modules", {})
        object.__setattr__(self, "_buffers", {})

    def __setattr__(self, name, value):
        if isinstance(value, Module):
            self._modules[name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        modules = self.__dict__.get("_modules", {})
        if name in modules:
            return modules[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name):
        if name in self._modules:
            del self._modules[name]
        else:
            object.__delattr__(self, name)

    def __dir__(self):
        return sorted([*self.__dict__, *self._modules])

    def children(self):
        yield from self._modules.values()

    def named_modules(self, prefix="", memo=None):
        memo = set() if memo is None else memo
        if id(self) in memo:
            return
        memo.add(id(self))
        yield prefix, self
        for name, child in self._modules.items():
            yield from child.named_modules(prefix + ("." if prefix else "") + name, memo)

    def apply(self, fn):
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def train(self, mode=True):
        return self.apply(lambda m: setattr(m, "training", mode))

    def extra_repr(self):
        return ""

    def __repr__(self):
        lines = [f"({k}): " + repr(m).replace("\n", "\n  ") for k, m in self._modules.items()]
        head = type(self).__name__ + "(" + self.extra_repr()
        return head + ("\n  " + "\n  ".join(lines) + "\n)" if lines else ")")


class Linear(Module):
    width = Parameter(1, check=lambda v: v > 0)
    gain = Parameter(1.0)

    def __init__(self, width, gain=None):
        super().__init__()
        self.width = width
        if gain is not None:
            self.gain = gain

    def extra_repr(self):
        return f"width={self.width}, gain={self.gain}"

    def __call__(self, x):
        return [v * self.gain for v in x][: self.width]


class Sequential(Module):
    def __init__(self, *modules, **named):
        super().__init__()
        for n, m in enumerate(modules):
            setattr(self, str(n), m)
        for n, m in named.items():
            setattr(self, n, m)

    def __len__(self):
        return len(self._modules)

    def __getitem__(self, key):
        items = list(self._modules.values())
        return Sequential(*items[key]) if isinstance(key, slice) else items[operator.index(key)]

    def __iter__(self):
        return iter(self._modules.values())

    def __call__(self, x):
        for m in self:
            x = m(x)
        return x


net = Sequential(Linear(3, 2.0), Sequential(Linear(2), head=Linear(1, gain=0.5)))
print(net)
print([n for n, _ in net.named_modules()], net([1, 2, 3, 4]), len(net), net[1].head.gain, net[-1] is net[1], len(net[:1]), dir(net[1])[-2:])
print(net.train(False).training, net[1].head.training, Linear.training, Linear.parameters, Linear.width.name)
for bad in (lambda: Linear(0), lambda: net.missing, lambda: net["a"], lambda: setattr(net[0], "width", -1), lambda: delattr(net, "zz")):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e if not isinstance(e, TypeError) else "")
del net[0].gain
print(net[0].gain, hasattr(net, "1"), getattr(net, "2", "none"))
deep = copy.deepcopy(net)
deep[0].width = 9
print(net[0].width, deep[0].width, deep[1] is net[1], copy.copy(net)._modules is net._modules)
shared = Linear(4)
print([n for n, _ in Sequential(shared, shared, Sequential(shared)).named_modules()])


class Vec:
    __slots__ = ("x", "y")
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __repr__(self):
        return f"Vec({self.x}, {self.y})"

    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y) if isinstance(o, Vec) else NotImplemented

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k) if isinstance(k, (int, float)) else NotImplemented

    __rmul__ = __mul__

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def __eq__(self, o):
        return isinstance(o, Vec) and (self.x, self.y) == (o.x, o.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __bool__(self):
        return bool(self.x or self.y)

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __len__(self):
        return 2

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __format__(self, spec):
        return f"<{self.x:{spec}},{self.y:{spec}}>"

    def __divmod__(self, k):
        return Vec(self.x // k, self.y // k), Vec(self.x % k, self.y % k)

    def __round__(self, n=None):
        return Vec(round(self.x, n), round(self.y, n))

    def __float__(self):
        return float(abs(self))

    def __index__(self):
        return self.x


v, w = Vec(3, 4), Vec(1, -2)
u = v
u += w
print(v, u is v, v + w, 2 * v, v * 0.5, v @ w, -v, v - w, abs(v), bool(Vec(0, 0)), list(v), 4 in v, f"{v:.1f}|{w:>3}", divmod(Vec(7, 9), 4), round(Vec(1.26, 2.5), 1), float(w), [10, 20, 30, 40, 50][v], {Vec(1, 2): "k"}[Vec(1, 2)], v != w, len(v), sum([v, w], Vec(0, 0)), hex(Vec(255, 0)))
for bad in (lambda: v + 1, lambda: v * "ab", lambda: [0] * Vec(2, 0), lambda: Vec(1, 1) * (1,), lambda: "a" * object(), lambda: v < w, lambda: setattr(v, "z", 1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)


def where(p):
    match p:
        case Vec(0, 0):
            return "origin"
        case Vec(x=0) | Vec(y=0):
            return "axis"
        case Vec(x, y) if x == y:
            return f"diagonal {x}"
        case [Vec() as a, *rest]:
            return f"list of {1 + len(rest)} from {a}"
        case {"v": Vec(x, _), **others}:
            return f"mapping {x} {sorted(others)}"
        case None | True | False:
            return "constant"
        case str() | bytes():
            return "text"
        case _:
            return "?"


print([where(p) for p in (Vec(0, 0), Vec(0, 5), Vec(2, 2), Vec(1, 2), [Vec(1, 1), 2], {"v": v, "b": 1}, None, "s", b"", 4)])


class Config(MutableMapping):
    def __init__(self, *args, **kwargs):
        self._data = {}
        self.update(*args, **kwargs)

    def __getitem__(self, key):
        node = self._data
        for part in key.split("."):
            node = node[part]
        return node

    def __setitem__(self, key, value):
        *path, last = key.split(".")
        node = self._data
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value

    def __delitem__(self, key):
        del self._data[key]

    def __iter__(self):
        return iter(self._data)

    def __len__(self):
        return len(self._data)


c = Config({"model.depth": 2}, lr=0.1)
c["model.width"] = 8
c.setdefault("seed", 0)
print(c["model"], c.get("none", "d"), dict(c), "lr" in c, list(c.items()), c.pop("lr"), len(c), c == {"model": {"depth": 2, "width": 8}, "seed": 0}, isinstance(c, Mapping), sorted(c.keys()), c.popitem())


class Window(Sequence):
    def __init__(self, *items):
        self.items = items

    def __getitem__(self, i):
        return self.items[i]

    def __len__(self):
        return len(self.items)


win = Window(1, 2, 3, 2)
print(list(win), 2 in win, win.index(3), win.count(2), list(reversed(win)), isinstance(win, Iterable), isinstance(5, Iterable))


@runtime_checkable
class Sized(Protocol):
    def __len__(self) -> int: ...


print(isinstance(win, Sized), isinstance(5, Sized))


class Once:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

    def __init__(self, n=0):
        self.n = n

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *error):
        self.n -= 1
        return error[0] is LookupError


a, b = Once(1), Once(2)
with a as o:
    with o:
        print(o.n)
        raise LookupError
print(a is b, a.n)


class Temperature:
    def __init__(self, c):
        self._c = c

    @property
    def celsius(self):
        """Degrees."""
        return self._c

    @celsius.setter
    def celsius(self, value):
        if value < -273.15:
            raise ValueError("too cold")
        self._c = value

    @celsius.deleter
    def celsius(self):
        self._c = None

    fahrenheit = property(lambda self: self._c * 9 / 5 + 32, lambda self, f: setattr(self, "celsius", (f - 32) * 5 / 9))

    @staticmethod
    def parse(text):
        return Temperature(float(text.rstrip("C")))

    @classmethod
    def zero(cls):
        return cls(0)


t = Temperature.parse("21.5C")
t.fahrenheit = 212
print(t.celsius, t.fahrenheit, type(t).zero().fahrenheit, Temperature.celsius.__doc__)
try:
    t.celsius = -300
except ValueError as e:
    print(e, t.celsius)
del t.celsius
print(t.celsius)


class Base:
    def __init__(self, **kwargs):
        self.log = [f"Base {sorted(kwargs)}"]

    def run(self):
        return ["base"]


class Left(Base):
    def __init__(self, left=1, **kwargs):
        super().__init__(**kwargs)
        self.log.append(f"Left {left}")

    def run(self):
        return ["left", *super().run()]


class Right(Base):
    def __init__(self, right=2, **kwargs):
        super().__init__(**kwargs)
        self.log.append(f"Right {right}")

    def run(self):
        return ["right", *super().run()]


class Both(Left, Right):
    def run(self):
        return ["both", *super().run(), *Right.run(self)]


print(Both(right=5, extra=0).log, Both().run(), [k.__name__ for k in Both.__mro__], Both.__bases__ == (Left, Right), issubclass(Both, Base), super(Left, Both()).run())
