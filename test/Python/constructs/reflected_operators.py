"""Each operator, in place or not, of each builtin type with an object whose reflected method answers, and with each other
type; in-place forms change the object that others refer to."""
import collections
import collections.abc
import operator
import types

NAMES = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and_", "or_", "xor", "matmul"]


class Answering:
    def __repr__(self):
        return "x"


class Declining:
    def __repr__(self):
        return "y"

    def __iter__(self):
        return iter([1, 5])


for name in NAMES:
    setattr(Answering, f"__r{name.strip('_')}__", lambda self, other, name=name: "r" + name)
    setattr(Declining, f"__r{name.strip('_')}__", lambda self, other: NotImplemented)


MAKERS = [
    lambda: None, lambda: True, lambda: 3, lambda: 1.5, lambda: 2j, lambda: "a%s", lambda: b"a", lambda: bytearray(b"a"), lambda: [1], lambda: (1,),
    lambda: {1: 2}, lambda: {1}, lambda: frozenset({1}), lambda: range(2), lambda: {1: 2}.keys(), lambda: {1: 2}.items(), lambda: {1: 2}.values(),
    lambda: slice(1), lambda: collections.deque([1]), lambda: collections.deque([1, 2], 2), lambda: collections.OrderedDict(a=1),
    lambda: collections.defaultdict(int, a=1), lambda: collections.Counter("a"), lambda: collections.ChainMap({1: 2}),
    lambda: collections.UserDict({1: 2}), lambda: collections.UserList([1]), lambda: collections.UserString("a"), lambda: types.MappingProxyType({1: 2}),
    lambda: iter([]), lambda: ..., lambda: (x for x in ())]


def text(v):
    if isinstance(v, (set, frozenset)):
        return type(v).__name__ + repr(sorted(map(repr, v)))
    if isinstance(v, collections.OrderedDict):
        return f"OrderedDict{list(v.items())}"
    if isinstance(v, type(iter([]))) or isinstance(v, types.GeneratorType):
        return type(v).__name__
    return repr(v)


def result(f, a, b):
    """What comes of it, and whether that is the left operand, changed."""
    before = text(a)
    try:
        made = f(a, b)
    except (TypeError, ValueError, AttributeError, KeyError) as e:
        return type(e).__name__ if text(a) == before else type(e).__name__ + " changed"
    return text(made) + ("" if text(a) == before else " itself" if made is a else " and another")


def line(title, pairs):
    """The operators by their result, without those that raise TypeError; Counter has ^ since 3.15."""
    print(title, ", ".join([f"{name}: {r}" for name, r in pairs if r != "TypeError" and (name != "xor" or "Counter" not in title)]) or "-")


for make in MAKERS:
    title = text(make())
    for kind in (Answering, Declining):
        line(f"{title} {kind.__name__}", [(n, result(getattr(operator, n), make(), kind())) for n in NAMES])
        line(f"{title} = {kind.__name__}", [(n, result(getattr(operator, "i" + n.strip("_")), make(), kind())) for n in NAMES])
        line(f"{kind.__name__} {title}", [(n, result(getattr(operator, n), kind(), make())) for n in NAMES])

for make in MAKERS:
    for name in ["add", "or_", "contains"]:
        rows = []
        for other in MAKERS:
            a, b = make(), other()
            if name == "contains" and isinstance(b, slice):
                continue                      # hashable since 3.12
            if collections.UserString in (type(a), type(b)) and not isinstance(a, (int, str, list)) and not isinstance(b, (int, str, list)):
                continue                      # adds texts with addresses
            rows.append((text(b), result(getattr(operator, name), a, b)))
            if name != "contains":
                rows.append(("= " + text(b), result(getattr(operator, "i" + name.strip("_")), make(), b)))
        line(f"{text(make())} {name}", [(n, r) for n, r in rows if r != "False"])


class Index:
    def __index__(self):
        return 2


class Grown(list):
    """A list with an operator of numbers."""

    def __radd__(self, other):
        return "Grown.__radd__"


class Members(collections.abc.MutableSet):
    def __init__(self, items):
        self.items = list(items)

    def __contains__(self, x):
        return x in self.items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def add(self, x):
        if x not in self.items:
            self.items.append(x)

    def discard(self, x):
        if x in self.items:
            self.items.remove(x)

    def __repr__(self):
        return f"Members{self.items}"


print(result(operator.imul, [1], Index()), result(operator.mul, [1], Index()), result(operator.mul, Index(), (1,)))
print(result(operator.add, [1], Grown([2])), result(operator.add, (1,), Grown()), result(operator.iadd, [1], Grown([2])))
print(sum([Answering()], []), sum([[1], [2]], []))
for name in ("or_", "and_", "xor", "sub"):
    for other in ({2, 3}, [2, 3], Members([2, 3]), {2: 0}.keys(), 5):
        print(name, text(other), result(getattr(operator, name), Members([1, 2]), other),
              result(getattr(operator, "i" + name.strip("_")), Members([1, 2]), other), result(getattr(operator, name), other, Members([1, 2])))
for other in ({2, 3}, Members([1, 2, 3]), {1: 0, 2: 0}.keys(), [1]):
    print([result(getattr(operator, n), Members([1, 2]), other) for n in ("lt", "le", "gt", "ge", "eq", "ne")])
d = {1: 2}
alias = d
d |= [(3, 4)]
d |= collections.OrderedDict(a=5)
d |= collections.UserDict(b=6)
print(alias, alias is d)
s = {1}
alias = s
s |= frozenset({2})
s -= {1}
print(alias, alias is s, {frozenset({1})}.__contains__({1}), {1} in {frozenset({1})}, bytearray(b"b") in b"abc")
