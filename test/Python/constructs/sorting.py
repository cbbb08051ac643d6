"""sorted, list.sort, min, max: keys, stability, reverse, ties, cmp, nested keys."""
import operator
from functools import cmp_to_key

words = "The quick brown fox Jumped over the lazy Dog".split()
print(sorted(words), sorted(words, key=str.lower), sorted(words, key=len), sorted(words, key=len, reverse=True))
people = [("bob", 30), ("alice", 25), ("carl", 30), ("dan", 25)]
print(sorted(people, key=lambda p: p[1]), sorted(people, key=lambda p: p[1], reverse=True), sorted(people, key=lambda p: (-p[1], p[0])))
print(sorted(people, key=operator.itemgetter(1, 0)), sorted([3, -1, 2], key=abs), sorted([3, -1, -2], key=lambda x: (x < 0, x)))
print(sorted("hello"), sorted({"b": 1, "a": 2}), sorted((3, 1, 2)), sorted(range(5), key=lambda x: -x), sorted([True, False, 2, 0.5]), sorted([[2], [1, 5], [1]]))
xs = [5, 2, 9, 1]
print(xs.sort(), xs, sorted(xs, reverse=True), xs.sort(key=lambda v: v % 5), xs)
print(min(words, key=len), max(words, key=len), min(3, 1, 2), max([1, 5], [1, 4]), max("a", "b", key=lambda c: -ord(c)), min([], default=None), max(x * x for x in (-3, 2)))
print(sorted(["b2", "a10", "a9"], key=lambda s: (s[0], int(s[1:]))), sorted([0.5, 0.25, -1.0]), sorted([10 ** 20, 5, -10 ** 20]), sorted([], key=len))


def compare(a, b):
    return (a > b) - (a < b)


print(sorted([3, 1, 2], key=cmp_to_key(compare)), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: compare(b, a))))
calls = []
sorted([3, 1, 2], key=lambda v: calls.append(v) or v)
print(calls)
stable = sorted([(i % 3, i) for i in range(12)], key=lambda p: p[0])
print(stable)
print(sorted(stable, key=lambda p: p[0], reverse=True))
data = [((i * 7919) % 101, i) for i in range(60)]
s = sorted(data)
print(s[:5], s[-5:], all(s[i] <= s[i + 1] for i in range(59)), sorted(s, key=lambda p: p[1]) == data)


class Task:
    def __init__(self, p, n):
        self.p, self.n = p, n

    def __lt__(self, o):
        return self.p < o.p

    def __repr__(self):
        return f"{self.n}{self.p}"


ts = [Task(2, "a"), Task(1, "b"), Task(2, "c"), Task(0, "d")]
print(sorted(ts), min(ts), max(ts), sorted(ts, reverse=True), sorted(ts, key=operator.attrgetter("n"), reverse=True))


def insertion(a):
    a = a[:]
    for i in range(1, len(a)):
        j = i
        while j and a[j - 1] > a[j]:
            a[j - 1], a[j] = a[j], a[j - 1]
            j -= 1
    return a


def merge_sort(a):
    if len(a) < 2:
        return a
    l, r = merge_sort(a[:len(a) // 2]), merge_sort(a[len(a) // 2:])
    out = []
    while l and r:
        out.append((l if l[0] <= r[0] else r).pop(0))
    return out + l + r


v = [(i * 37) % 23 for i in range(20)]
print(insertion(v) == sorted(v) == merge_sort(v), merge_sort(v))
nan = float("nan")
for keys in ([6, nan, 1, nan, 8, nan, 7], [nan, 2, 3, nan, 2, 5, nan], [6, nan, 7, 4, 5, 3, 4, nan, nan, 8, 2, 1], [1, nan, 7, 6, 1, 6, 0]):
    print(sorted(keys), sorted([(k, 1) for k in keys]), sorted(range(len(keys)), key=keys.__getitem__))

