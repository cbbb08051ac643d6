"""Configurations as model code has them: dataclasses with inheritance, factories, checks, overrides."""
from __future__ import annotations

import dataclasses
import enum
from abc import ABC, abstractmethod
from dataclasses import InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, replace
from typing import Any, ClassVar, Dict, Generic, List, NamedTuple, Optional, Tuple, TypeVar, Union


class Activation(str, enum.Enum):
    RELU = "relu"
    GELU = "gelu"
    SILU = "silu"

    @classmethod
    def parse(cls, text: str) -> "Activation":
        try:
            return cls(text.lower())
        except ValueError:
            raise KeyError(f"no activation {text!r}; there are {', '.join(m.value for m in cls)}") from None

    @property
    def is_smooth(self) -> bool:
        return self is not Activation.RELU

    def __str__(self):
        return self.value


class Size(enum.IntEnum):
    TINY = 1
    BASE = 2
    LARGE = enum.auto()


class Flags(enum.Flag):
    BIAS = enum.auto()
    NORM = enum.auto()
    DROPOUT = enum.auto()
    ALL = BIAS | NORM | DROPOUT


class Kind(enum.Enum):
    ENCODER = ("enc", 1)
    DECODER = ("dec", 2)

    def __init__(self, short, code):
        self.short = short
        self.code = code

    def describe(self):
        return f"{self.name.title()}<{self.short}:{self.code}>"


@dataclass
class BaseConfig:
    hidden: int = 64
    heads: int = 4
    activation: Activation = Activation.GELU
    extra: Dict[str, Any] = field(default_factory=dict)
    version: ClassVar[int] = 3

    def __post_init__(self):
        if self.hidden % self.heads:
            raise ValueError(f"hidden={self.hidden} is not a multiple of heads={self.heads}")

    @property
    def head_dim(self) -> int:
        return self.hidden // self.heads

    @classmethod
    def from_dict(cls, data: Dict[str, Any], **overrides: Any):
        names = {f.name for f in fields(cls)}
        known = {k: v for k, v in {**data, **overrides}.items() if k in names}
        rest = sorted(set(data) - names)
        return cls(**known), rest


@dataclass
class EncoderConfig(BaseConfig):
    layers: int = 2
    ratios: Tuple[float, ...] = (1.0, 0.5)
    names: List[str] = field(default_factory=lambda: ["a", "b"], repr=False)
    scale: InitVar[Optional[float]] = None
    computed: float = field(init=False, default=0.0)

    def __post_init__(self, scale):
        super().__post_init__()
        self.computed = (scale or 1.0) * self.hidden


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int = 0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


@dataclass(slots=True, kw_only=True)
class Slotted:
    a: int
    b: str = "b"


class Shape(NamedTuple):
    rows: int
    columns: int = 1

    @property
    def count(self):
        return self.rows * self.columns


T = TypeVar("T")


class Registry(Generic[T]):
    _items: Dict[str, T]

    def __init__(self) -> None:
        self._items = {}

    def register(self, name: str):
        def wrap(item: T) -> T:
            if name in self._items:
                raise KeyError(name)
            self._items[name] = item
            return item
        return wrap

    def __getitem__(self, name: str) -> T:
        return self._items[name]

    def __iter__(self):
        return iter(sorted(self._items))

    def __len__(self):
        return len(self._items)


registry: Registry[type] = Registry()


class Layer(ABC):
    kind: ClassVar[str] = "layer"

    @abstractmethod
    def forward(self, x): ...

    @property
    @abstractmethod
    def width(self): ...

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def __init_subclass__(cls, /, tag=None, **kwargs):
        super().__init_subclass__(**kwargs)
        cls.tag = tag or cls.__name__.lower()


@registry.register("scale")
class Scale(Layer, tag="s"):
    def __init__(self, by):
        self.by = by

    def forward(self, x):
        return x * self.by

    @property
    def width(self):
        return 1


@registry.register("chain")
class Chain(Layer):
    def __init__(self, *layers):
        self.layers = list(layers)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    @property
    def width(self):
        return sum(l.width for l in self.layers)


c = EncoderConfig(hidden=128, scale=0.5, extra={"k": [1]})
print(c, c.head_dim, c.computed, c.version, EncoderConfig.version)
print(asdict(c))
print(astuple(replace(c, heads=8, scale=2.0)))
print([f.name for f in fields(c)], is_dataclass(c), is_dataclass(EncoderConfig), is_dataclass(3))
print(EncoderConfig.from_dict({"hidden": 32, "zeta": 1, "alpha": 2}, heads=2))
print(c == replace(c, scale=0.5), c == replace(c, layers=3), c != c)
for bad in (lambda: EncoderConfig(hidden=5), lambda: BaseConfig.from_dict({"heads": 7}), lambda: Point(1, 2).__setattr__("x", 3),
            lambda: Slotted(1), lambda: Layer(), lambda: Activation.parse("tanh"), lambda: registry["none"]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, len(str(e)) > 0)
print(Point(1, 2) + Point(3), Point(1, 2) < Point(1, 3), sorted([Point(2), Point(1, 5), Point(1)]), hash(Point(1, 2)) == hash(Point(1, 2)), {Point(1): "p"}[Point(1, 0)])
s = Slotted(a=1)
s.b += "c"
print(s, hasattr(s, "__dict__"), Slotted.__slots__)
try:
    s.c = 1
except AttributeError as e:
    print("AttributeError")
print(Activation.parse("GELU"), Activation.RELU == "relu", Activation("silu").is_smooth, [a.name for a in Activation], f"{Activation.GELU!s:>6}|", Activation["RELU"].value, "gelu" in [a.value for a in Activation])
print(Size.LARGE > Size.TINY, Size.BASE + 1, int(Size.LARGE), list(Size), Size(2).name, isinstance(Size.TINY, int), sorted(Size, reverse=True)[0].name)
print(Flags.ALL & ~Flags.NORM == Flags.BIAS | Flags.DROPOUT, Flags.BIAS in Flags.ALL, bool(Flags.BIAS & Flags.NORM), Flags.ALL.value, Flags(3) == Flags.BIAS | Flags.NORM)
print(Kind.ENCODER.describe(), Kind(("dec", 2)) is Kind.DECODER, Kind.DECODER.value, {k: k.code for k in Kind}[Kind.ENCODER], Kind.__members__.keys() == {"ENCODER", "DECODER"})
sh = Shape(2, columns=3)
print(sh, sh.count, sh[1], sh._replace(rows=5), Shape._fields, sh._asdict(), Shape(4), sh == (2, 3), [*sh], Shape._make([7, 8]))
print(list(registry), len(registry), registry["scale"] is Scale, Scale.tag, Chain.tag, Scale.kind)
print(Chain(Scale(2), Chain(Scale(3), Scale(0.5)))(7), Chain(Scale(2), Scale(1)).width, isinstance(Chain(), Layer), issubclass(Scale, Layer), Layer.__abstractmethods__ == frozenset({"forward", "width"}))
Dyn = dataclasses.make_dataclass("Dyn", [("a", int), ("b", str, field(default="x"))])
print(Dyn(1), Dyn(2, "y").b)


def build(config: Union[BaseConfig, Dict[str, Any], None] = None, **kwargs: Any) -> BaseConfig:
    match config:
        case None:
            return BaseConfig(**kwargs)
        case BaseConfig(hidden=h) if h > 100:
            return replace(config, extra={"big": h})
        case BaseConfig():
            return config
        case {"kind": "encoder", **rest}:
            return EncoderConfig(**rest, **kwargs)
        case {"hidden": int() as h}:
            return BaseConfig(hidden=h, **kwargs)
        case [int() as h, *_] | (int() as h):
            return BaseConfig(hidden=h)
        case str(name):
            return BaseConfig(extra={"name": name})
        case _:
            raise TypeError(f"cannot build from {config!r}")


for given in (None, BaseConfig(200), BaseConfig(), {"kind": "encoder", "layers": 7}, {"hidden": 12}, [16, 1], 20, "n", 1.5):
    try:
        print(build(given))
    except TypeError as e:
        print("TypeError", e)
