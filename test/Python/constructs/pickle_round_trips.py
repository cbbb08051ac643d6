"""pickle and copyreg: data and instances through dumps() and loads()."""
import collections
import copy
import copyreg
import dataclasses
import enum
import pickle


def trip(x, **options):
    return pickle.loads(pickle.dumps(x, **options))


data = {"a": [1, -2.5, "text", None, True, (1, 2, ()), 10**30], "b": {1, 2}, "c": b"12", "e": 1 + 2j, "f": bytearray(b"q"), 5: ...}
back = trip(data)
print(back == data, back is data, back["a"] is data["a"], sorted(back["b"]), back["f"], list(back), back[5])
print(trip(range(1, 9, 2)), trip(slice(1, 2)), sorted(trip(frozenset("ab"))), type(trip(frozenset())).__name__)
shared = [1]
both = trip([shared, shared, {"k": shared}])
both[0].append(2)
print(both, both[0] is both[2]["k"])
cycle = [0]
cycle.append((cycle, "t"))
there = trip(cycle)
print(there[1][0] is there, there[0], len(there))


class A:
    made = 0

    def __init__(self, k):
        self.k = k
        A.made += 1

    def __eq__(self, other):
        return type(other) is A and self.k == other.k

    __hash__ = None


class Slotted:
    __slots__ = ("x", "y")


class Stateful:
    def __getstate__(self):
        return {"kept": self.kept}

    def __setstate__(self, state):
        print("setstate", state)
        self.kept = state["kept"] + 1


class Reduced:
    def __init__(self, *args):
        self.args = args

    def __reduce__(self):
        return Reduced, (1, 2), {"more": 3}


class NewArgs(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))

    def __getnewargs__(self):
        return self[0] * 10, self[1]


class Numbers(list):
    def extend(self, items):
        print("extend", list(items))
        super().extend(items)


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: list


Pair = collections.namedtuple("Pair", "a b")
a = A([1])
print(trip(a) == a, A.made, trip(a).k is a.k)
s = Slotted()
s.x = 4
print(trip(s).x, hasattr(trip(s), "y"))
st = Stateful()
st.kept = 5
print(trip(st).kept)
r = trip(Reduced(7))
print(r.args, r.more)
n = trip(NewArgs(1, 2))
print(n, type(n) is NewArgs)
numbers = Numbers([1, 2])
numbers.name = "n"
m = trip(numbers)
print(m, type(m).__name__, m.name)
print(trip(Colour.BLUE) is Colour.BLUE, trip(Point(1, [2])), trip(Pair(1, [2])), trip(A) is A, trip(trip) is trip, trip(len) is len, trip([int, str]) == [int, str])
print(list(trip(collections.OrderedDict(b=1, a=2)).items()), trip(collections.defaultdict(list, k=[1])), trip(collections.deque([1, 2], 5)), trip(collections.Counter("aab")))
e = trip(ValueError("no", 3))
print(type(e).__name__, e.args)
for wrong in (pickle, [copy]):
    try:
        pickle.dumps(wrong)
    except TypeError as error:
        print(error)
try:
    pickle.dumps(1, protocol=9)
except ValueError as error:
    print(error)
print(trip([1], protocol=2), trip([1], protocol=pickle.HIGHEST_PROTOCOL), issubclass(pickle.PicklingError, pickle.PickleError), isinstance(pickle.dumps(1), bytes))


class Registered:
    def __init__(self, v):
        self.v = v


def reduce_registered(x):
    print("reduced")
    return Registered, (x.v + 1,)


copyreg.pickle(Registered, reduce_registered)
print(trip(Registered(1)).v, copy.copy(Registered(5)).v, copy.deepcopy(Registered(7)).v, copyreg.dispatch_table[Registered] is reduce_registered)
try:
    copyreg.pickle(Registered, 5)
except TypeError as error:
    print(error)
