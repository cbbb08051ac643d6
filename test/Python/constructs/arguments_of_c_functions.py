"""What functions written in C take for numbers, sequences and texts, and what statistics makes of infinities."""
import bisect
import heapq
import math
import statistics

inf, nan = float("inf"), float("nan")


class Float:
    def __float__(self):
        return 2.5


class Index:
    def __index__(self):
        return 3


class NoFloat:
    def __float__(self):
        return "2.5"


class Hundred(float):
    def __float__(self):
        return 100.0


class Hidden(float):
    def __index__(self):
        return 5


class Words(str):
    def __float__(self):
        return 2.5

    def __int__(self):
        return 8


class Ones(int):
    def __index__(self):
        return 1


def show(f, *args, **kwargs):
    try:
        print(f.__name__, repr(f(*args, **kwargs))[:40])
    except Exception as e:
        print(f.__name__, type(e).__name__)


def say(f, *args, **kwargs):
    try:
        print(f.__name__, repr(f(*args, **kwargs))[:40])
    except Exception as e:
        print(f.__name__, type(e).__name__, e)


def fsum(v):
    return math.fsum([v, 2])


def hypot(v):
    return math.hypot(v, 4)


def near(v):
    return math.isclose(v, 2.5)


for v in ("3", b"3", [1], None, 1j, Float(), Index(), NoFloat(), Hundred(3.0), True, 2, -2.5, 10**400, inf, nan):
    for f in (math.fabs, math.degrees, math.radians, math.sqrt, fsum, hypot, near, math.floor, math.ceil):
        if not (f in (math.floor, math.ceil) and v in (10**400, inf)):
            (show if v == -2.5 or isinstance(v, NoFloat) else say)(f, v)

for a, b in ((inf, "a"), ("a", inf), ("a", "a"), (1j, 1), (Float(), 2.5), (2, Index()), (inf, None), ([1], [1])):
    say(math.isclose, a, b)
say(math.isclose, 1, 1, rel_tol="a")
say(math.isclose, 1, 1, abs_tol=None)
say(math.isclose, 1, 2, rel_tol=Index())
say(math.hypot, Hundred(3.0), 4)
say(math.fsum, "12")
say(math.fsum, [Float(), Index(), True, Hundred(1.0)])
say(math.dist, ("1",), (2,))
say(math.dist, (Float(), 2), (Index(), 2))
say(math.dist, iter([1]), [2])
say(math.lcm, 0, "4")
say(math.lcm, 4, 0, 6)
show(math.log, 8, 2, 3)

# Classes of numbers and texts with methods of their own.
for x in (Hundred(3.0), Hidden(2.5), Words("7"), Ones(3), NoFloat(), Index(), "12", b"3"):
    show(float, x)
    show(int, x)
    show(Hidden, x)

for data in ([inf, 2], [-inf, 2], [inf, -inf], [nan, 1], [2, inf, inf], [1, 2, 4], [1.5, 2], [True, 2], ["a", "b"], [1, "2"],
             [1j, 2], [None, 3], [], [5], (1, 2), {1: 2, 3: 4}, range(4)):
    for f in (statistics.mean, statistics.fmean, statistics.variance, statistics.pvariance):
        say(f, data)
    if inf not in data and -inf not in data and nan not in data:
        say(statistics.stdev, data)
        say(statistics.pstdev, data)
say(statistics.fmean, [1, 2], weights=[1, 3])
say(statistics.fmean, [1, 2], weights=[0, 0])
show(statistics.fmean, [1, 2], weights=["1", 3])
say(statistics.variance, [1, 2, 4], 2.5)
say(statistics.variance, [0.1, 0.2, 0.3], 0.2)
say(statistics.pvariance, [0.1, 0.7, 0.3], 0.4)
for n in range(2, 40):
    row = [(i * 37 % 101) / 7 for i in range(n)]
    print(statistics.stdev(row), statistics.pstdev(row), statistics.stdev([i * i * 10**n for i in range(n)]))
print(statistics.pstdev([1e-160, 3e-160]), statistics.stdev([1e150, 3e150, 2]), statistics.stdev([3, 3]))


def startswith(text, *args):
    return text.startswith(*args)


def endswith(text, *args):
    return text.endswith(*args)


for text in (b"abc", bytearray(b"abc")):
    for f in (startswith, endswith):
        for part in ((b"c",), (b"a", b"c"), (), b"c", bytearray(b"c"), (bytearray(b"c"), b"x"), "c", [b"c"], (1,), ("c", b"c"), 99):
            show(f, text, part)
        show(f, text, (b"b", b"c"), 1, 3)
        show(f, text, (b"",), 4)
for part in (("c",), ("a", "c"), (), (1,), (b"c", "c"), ("c", b"c"), b"c", 3):
    say("abc".startswith, part)
    say("abc".endswith, part)

print({}.__eq__([]), {}.__eq__({}), {}.__ne__([]), [].__eq__({}), set().__eq__({}), set().__eq__(frozenset()), [].__eq__(()))
print({} == [], [] == {}, {} != set(), {1} == frozenset([1]), [1] != {1})

for template in ("%5%", "%-5%|", "%5%%", "%.3%", "%l%", "%(a)%", "%%", "a%%b", "%%%d"):
    for values in ((), (1,), {"a": 1}):
        for t in (template, template.encode()):
            try:
                print(template, values, t % values)
            except Exception as e:
                print(template, values, type(e).__name__)


class Rows(dict):
    pass


for a in ({0: 1, 1: 2}, {}, {1, 2}, (1, 2, 3), range(4), iter([1]), 3, None, Rows({0: 1, 1: 2}), b"abc"):
    say(bisect.bisect, a, 1)
    say(bisect.bisect_left, a, 1)
    say(bisect.insort, a, 1)
for lo, hi in ((0, -1), (Ones(2), None), (1.0, None), ("1", None), (None, None), (0, 2), (0, "2"), (-1, None), (True, 3)):
    show(bisect.bisect, [1, 2, 3], 2, lo, hi)

for heap in ({0: 1}, (1, 2), "ab", None, {1}, [3, 2]):
    for f, args in ((heapq.heappush, (1,)), (heapq.heappushpop, (1,)), (heapq.heapreplace, (1,)), (heapq.heapify, ()), (heapq.heappop, ())):
        say(f, heap, *args)
