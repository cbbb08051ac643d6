"""Sets and frozensets: operators, methods, comparisons, order of small integers, errors."""
a, b = {1, 2, 3, 4}, {3, 4, 5}
print(a | b, a & b, a - b, a ^ b, b - a, a.union(b, [9]), a.intersection([1, 3]), a.difference([1], (2,)), a.symmetric_difference("x") == {1, 2, 3, 4, "x"})
print(a <= a, a < a, {3} < a, a > {1}, a >= b, a == {4, 3, 2, 1}, a != b, a.issubset(range(10)), a.issuperset([1]), a.isdisjoint({9}), {1} <= {1, 2})
c = set()
c.add(1)
c.add(1)
c.add(2)
c.update([5, 6], {7})
print(c, len(c), 5 in c, 9 not in c)
c.discard(5)
c.discard(100)
c.remove(1)
print(c)
c |= {8, 9}
c &= {2, 6, 8, 9}
c -= {9}
c ^= {2, 3}
print(c, sorted(c, reverse=True))
d = c.copy()
d.clear()
print(d, c is not d, set("") == set(), set([1, 1, 1]), {x % 3 for x in range(10)})
c.intersection_update([3, 8])
c.difference_update([3])
c.symmetric_difference_update([8, 10])
print(c)
f = frozenset([1, 2])
print(f, f | {3}, {3} | f, type(f | {3}).__name__, type({3} | f).__name__, f == {1, 2}, hash(f) == hash(frozenset([2, 1])), {f: "key"}[frozenset({2, 1})], {f, f})
print(set(range(8)), {0, 8, 16}, {5, 3, 1}, {10, 2, 33, 7}, {-1, 0, 1}, {100, 50, 25}, set(range(20, 0, -3)))
print({True, 1, 1.0}, {0, False, None} == {0, None}, {(1, 2), (1, 2)}, len({"a", "b", "a"}))
print(sum({1, 2, 3}), min({3, 1}), max({"a", "b"}), sorted({"pear", "fig", "apple"}), list({7}), tuple({8}), all({1, 2}), any({0}))
unique = []
seen = set()
for x in [3, 1, 3, 2, 1]:
    if x not in seen:
        seen.add(x)
        unique.append(x)
print(unique, {*unique, 9} - {9})
it = iter({42})
print(next(it), next(it, "end"), {1, 2}.pop() in (1, 2))


def attempt(fn):
    try:
        print(fn())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: {1}.remove(2))
attempt(lambda: set().pop())
attempt(lambda: {1} | [2])
attempt(lambda: {1} < [2])
attempt(lambda: set(5))
attempt(lambda: frozenset([1]).add(2))
attempt(lambda: {1}[0])
attempt(lambda: {1} + {2})
attempt(lambda: hash({1}))
print(set.union({1}, {2}), set.intersection(*[{1, 2}, {2, 3}]), frozenset().union([1]), {1}.union(), repr(set()), repr(frozenset()))
graph = {1: {2, 3}, 2: {4}, 3: {4}, 4: set()}


def reach(n, seen=frozenset()):
    return seen if n in seen else frozenset().union({n}, *(reach(m, seen | {n}) for m in sorted(graph[n])))


print(sorted(reach(1)), sorted(reach(3)))
# What comes before an item without a hash is added, or taken out.
for change in ("update", "difference_update", "intersection_update", "symmetric_difference_update", "__init__"):
    for items in ([1, 7, [3], 2], (1, (7, {}), 2), [[1], 2], [8, {9}]):
        s = {1, 2, 3}
        try:
            getattr(s, change)(items)
        except TypeError as e:
            print(change, items, type(e).__name__, sorted(s))
s = {1}
try:
    s.update([2], [[]], [5])
except TypeError:
    print(sorted(s))
