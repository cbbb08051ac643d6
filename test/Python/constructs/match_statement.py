"""match: literals, captures, sequences, mappings, classes, guards, or, as, nested, stars."""


class Point:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


class Named(Point):
    __match_args__ = ("name",)

    def __init__(self, name):
        super().__init__(0, 0)
        self.name = name


def describe(v):
    match v:
        case None:
            return "none"
        case True | False:
            return f"bool {v}"
        case 0:
            return "zero"
        case -1 | 1.5:
            return "minus one or one and a half"
        case int(n) if n > 1000:
            return f"big {n}"
        case int() | float():
            return f"number {v}"
        case "hello" | "hi" as greeting:
            return f"greeting {greeting}"
        case str() as s if s.startswith("x"):
            return f"x string {s}"
        case str():
            return "string"
        case b"raw":
            return "bytes"
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [1, y, *rest] if rest:
            return f"one then {y} and {rest}"
        case ["cmd", ("go" | "stop") as verb, {"speed": s, **others}]:
            return f"{verb} at {s} {others}"
        case [first, *_, last]:
            return f"from {first} to {last}"
        case {"type": "point", "pos": [px, py]}:
            return f"point at {px},{py}"
        case {"type": kind, **rest} if rest:
            return f"{kind} with {sorted(rest)}"
        case {}:
            return f"mapping of {len(v)}"
        case Named("bob"):
            return "bob"
        case Named(name=n):
            return f"named {n}"
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=yy) | Point(x=yy, y=0):
            return f"axis {yy}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point():
            return "point"
        case _:
            return "unknown"


for v in [None, True, 0, -1, 1.5, 5000, 7, 2.5, "hi", "xyz", "abc", b"raw", [], [3], (1, 2, 3), [1, 2], ["cmd", "go", {"speed": 5, "a": 1}],
          ["cmd", "fly", {}], {"type": "point", "pos": (1, 2)}, {"type": "t", "z": 1}, {"type": "t"}, {}, {"q": 1}, Named("bob"),
          Named("al"), Point(0, 0), Point(0, 3), Point(4, 0), Point(2, 2), Point(1, 2), {1}, range(3), range(0), object]:
    print(describe(v))


def nested(v):
    match v:
        case [[a, b], {"k": [c, *d]}]:
            return a, b, c, d
        case [Point(x=px), [*_, Point(y=py)]]:
            return "points", px, py
        case (a, b) | (a, b, _):
            return "two", a, b
        case {"a": {"b": {"c": deep}}}:
            return "deep", deep
    return "fell through"


print(nested([[1, 2], {"k": "no"}]), nested([[1, 2], {"k": [3, 4, 5]}]), nested([Point(1, 2), [0, Point(3, 4)]]),
      nested((1, 2, 3)), nested({"a": {"b": {"c": 9}}}), nested({"a": {"b": {}}}), nested("ab"))


class Const:
    RED = "red"
    LIMIT = 10


def constants(v):
    match v:
        case Const.RED:
            return "red constant"
        case Const.LIMIT:
            return "limit"
        case "red":
            return "never"
        case x:
            return f"other {x}"


print(constants("red"), constants(10), constants(10.0), constants(5))


def fizz(n):
    match n % 3, n % 5:
        case 0, 0:
            return "FizzBuzz"
        case 0, _:
            return "Fizz"
        case _, 0:
            return "Buzz"
        case _:
            return n


print([fizz(i) for i in range(1, 16)])


def evaluate(e):
    match e:
        case int() | float():
            return e
        case ("+", *args):
            return sum(map(evaluate, args))
        case ("*", a, b):
            return evaluate(a) * evaluate(b)
        case ("-", a):
            return -evaluate(a)
        case ("let", {**env}, str(name)):
            return env[name]
        case ("if", c, t, f):
            return evaluate(t) if evaluate(c) else evaluate(f)
        case _:
            raise ValueError(f"bad expression {e!r}")


print(evaluate(("+", 1, ("*", 2, 3), ("-", 4))), evaluate(("if", 0, 1, ("let", {"x": 5}, "x"))))
try:
    evaluate(("?",))
except ValueError as err:
    print(err)
match [1, 2]:
    case [a, b] if a > b:
        print("guard failed")
    case [b, a]:
        print(a, b)
match "x":
    case str(s) | s:
        print(s)
try:
    match Point(1, 2):
        case Point(1, 2, 3):
            pass
except TypeError as err:
    print(err)
match {"x": 1, "y": None}:
    case {"y": None, "x": x}:
        print("x", x)
