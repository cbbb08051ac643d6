"""heapq, bisect and statistics: which items are compared, what comes of NaN and infinities, of what is no sequence or number."""
import bisect
import heapq
import math
import statistics

inf, nan = float("inf"), float("nan")


class Noted:
    def __init__(self, value):
        self.value = value

    def __lt__(self, other):
        print("less", self.value, other.value)
        return self.value < other.value

    def __repr__(self):
        return f"<{self.value}>"


class Real:
    def __float__(self):
        return 2.5


class Whole:
    def __index__(self):
        return 3


def outcome(f):
    try:
        return f()
    except (TypeError, ValueError, OverflowError, statistics.StatisticsError) as error:
        return type(error).__name__


print(heapq.nsmallest(2, [nan, 1.0, 3.0, 2.0]), heapq.nsmallest(2, [3.0, nan, 1.0, 2.0, 0.0]), heapq.nlargest(2, [3.0, nan, 1.0, 2.0, 5.0]), heapq.nlargest(1, [3.0, nan, 1.0]))
for function in (heapq.nsmallest, heapq.nlargest):
    for n in (0, 1, 2):
        print(function(n, [Noted(v) for v in (3, 1, 2, 0, 5)][:n + 3]), function(n, (Noted(v) for v in (2, 1, 3)), key=lambda item: item))
print(heapq.nsmallest(2, [(1, "b"), (0, "c"), (1, "a")], key=lambda item: item[0]), heapq.nlargest(2, ["aa", "b", "cc"], key=len), outcome(lambda: heapq.nlargest(2, [3, "a", 1])))

for call in (lambda: bisect.bisect({}, 1), lambda: bisect.bisect({1: 2}, 1), lambda: bisect.bisect_left({1}, 1), lambda: bisect.bisect({0: 1}, 1, 0, 1), lambda: bisect.bisect_right("abc", "b"),
             lambda: bisect.bisect(range(5), 3), lambda: bisect.bisect(5, 3), lambda: bisect.bisect([1], 2, -1), lambda: bisect.bisect([1, 2, 3], 2, 0, 2),
             lambda: math.hypot("3", 4), lambda: math.fsum(["1", 2]), lambda: math.isclose(inf, "a"), lambda: math.hypot(Real(), Whole()), lambda: math.fsum([Real(), Whole()]),
             lambda: math.isclose(Real(), 2.5), lambda: math.floor("3"), lambda: math.ceil("3"), lambda: math.fabs("1"), lambda: math.degrees("1"), lambda: math.dist((1,), ("a",)),
             lambda: math.dist((1, 2), (Real(), Whole())), lambda: math.isclose(1, 1, rel_tol="a"),
             lambda: statistics.mean(["a"]), lambda: statistics.mean([None]), lambda: statistics.fmean(["1"]), lambda: statistics.fmean([1], [0]), lambda: statistics.stdev([1]),
             lambda: statistics.fmean([1, inf], [1, 2]), lambda: statistics.variance([1, 2, 4], inf)):
    print(outcome(call))
for data in ([inf, 1], [inf, inf], [inf, -inf], [nan, 1], [1, inf, 2.5], [-inf, 3]):
    print(statistics.mean(data), statistics.variance(data), statistics.pvariance(data), statistics.variance(data, 1), statistics.pvariance(data, 2.5))
seed = 12345
for _ in range(40):
    data = []
    for _ in range(4):
        seed = (seed * 1103515245 + 12345) % 2**31
        data.append((seed / 7 - 2**27) / 10 ** (seed % 9) if seed % 3 else seed % 1000)
    print(statistics.stdev(data), statistics.pstdev(data), statistics.variance(data, data[0]), statistics.pvariance(data, 1.5), statistics.stdev(data, 1.5))
print(statistics.pstdev([2**60, 1]), statistics.pstdev([5e-324, 1e-320]), statistics.pstdev([10**300, 10**200]), statistics.stdev([1, 1]))

texts = ["%5%", "%-5%", "%l%", "%.3%", "%*%", "%(a)%", "%%", "%d%%"]
print([[outcome(lambda: text % values) for values in ((), 1, (1,), (3, 4), {"a": 1}, {})] for text in texts])
print([[outcome(lambda: text % values) for values in ((), 1, (1,), (3, 4))] for text in (b"%5%", b"%*%", b"%%")])
