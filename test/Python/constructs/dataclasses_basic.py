"""dataclass: fields, defaults, repr, eq, order, frozen, post_init, field(), inheritance."""
from dataclasses import FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, is_dataclass, make_dataclass, replace
from typing import ClassVar


@dataclass
class Point:
    x: int
    y: int = 0
    label: str = "p"

    def norm(self):
        return abs(self.x) + abs(self.y)


p = Point(1, 2)
print(p, Point(1), Point(y=3, x=4), p == Point(1, 2), p != Point(1), p.norm())
print([f.name for f in fields(Point)], [f.default for f in fields(p)][1:], is_dataclass(p), is_dataclass(3))
p.x = 10
print(asdict(p), astuple(p), replace(p, y=5, label="q"))


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    note: str = field(default="", compare=False)


print(Version(1, 2) < Version(1, 3), sorted([Version(2), Version(1, 5), Version(1)]), Version(1, note="a") == Version(1, note="b"))
print(max(Version(1), Version(0, 9)), Version(1) >= Version(1))


@dataclass(frozen=True)
class Frozen:
    a: int
    b: tuple = ()

    @property
    def total(self):
        return self.a + sum(self.b)


f = Frozen(1, (2, 3))
print(f, hash(f) == hash(Frozen(1, (2, 3))), {f: "key"}[Frozen(1, (2, 3))], f.total, replace(f, a=9).total)
for act in (lambda: setattr(f, "a", 2), lambda: delattr(f, "a")):
    try:
        act()
    except FrozenInstanceError as e:
        print(type(e).__name__, e)


@dataclass
class Config:
    sizes: list = field(default_factory=lambda: [1, 2])
    opts: dict = field(default_factory=dict, repr=False)
    hidden: int = field(default=3, init=False)
    total: int = field(init=False)
    scale: InitVar[int] = 2
    kind: ClassVar[str] = "config"

    def __post_init__(self, scale):
        self.total = sum(self.sizes) * scale


c = Config()
c.sizes.append(3)
print(c, Config(), Config(sizes=[5], scale=10), Config.kind, c.opts is Config().opts)


@dataclass
class Base:
    a: int
    b: int = 1

    def describe(self):
        return f"{type(self).__name__}:{self.a},{self.b}"


@dataclass
class Child(Base):
    c: int = 2
    b: int = 10


print(Child(5), Child(5).describe(), [f.name for f in fields(Child)], isinstance(Child(1), Base), Base(1) == Child(1))


@dataclass(kw_only=True)
class Keyword:
    x: int
    y: int = 2


print(Keyword(x=1), Keyword(y=5, x=0))


@dataclass(slots=True)
class Slotted:
    x: int
    y: list = field(default_factory=list)


print(Slotted(1), hasattr(Slotted(1), "__dict__"), Slotted(2, [3]))


@dataclass(repr=False, eq=False)
class Bare:
    x: int

    def __repr__(self):
        return f"bare {self.x}"


print(Bare(1), Bare(1) == Bare(1))


@dataclass
class Tree:
    value: int
    left: "Tree" = None
    right: "Tree" = None

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.value
        if self.right:
            yield from self.right


t = Tree(2, Tree(1), Tree(3))
print(t, list(t), asdict(t))
Made = make_dataclass("Made", [("a", int), ("b", str, field(default="z"))])
print(Made(1), Made(2, "q"))


def attempt(fn):
    try:
        print(fn())
    except (TypeError, ValueError) as e:
        print(type(e).__name__ + ":", str(e).removesuffix(" 'x'"))


attempt(lambda: Point())
attempt(lambda: Point(1, 2, 3, 4))
attempt(lambda: Keyword(1))
attempt(lambda: Point(1) < Point(2))
attempt(lambda: replace(p, zzz=1))


def mutable():
    @dataclass
    class Bad:
        x: list = []


def order():
    @dataclass
    class Bad:
        x: int = 1
        y: int


attempt(mutable)
attempt(order)
match p:
    case Point(x=10, y=yy):
        print("matched", yy)
match Frozen(1, (2,)):
    case Frozen(a, (b,)):
        print(a, b)
print(Point.__match_args__, Point.__annotations__ if False else sorted(Point.__dataclass_fields__))
