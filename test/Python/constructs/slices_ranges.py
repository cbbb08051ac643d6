"""slice objects, slices of every sequence, range objects and their operations."""
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, slice(5), slice(None), s.indices(6), slice(None, None, -1).indices(4), s == slice(1, 10, 2), slice(-3, None).indices(10))
seq = "abcdefghij"
for sl in (slice(3), slice(2, 5), slice(None, None, 3), slice(-3, None), slice(None, -8), slice(8, 2, -2), slice(20, 30), slice(None, None, -1), slice(-100, 100, 4)):
    print(seq[sl], list(range(10))[sl], tuple(range(10))[sl], range(10)[sl], b"abcdefghij"[sl])
r = range(2, 20, 3)
print(r, list(r), len(r), r[0], r[-1], r[2:4], r[::-1], 8 in r, 9 in r, r.index(11), r.count(5), r.start, r.stop, r.step)
print(range(0), list(range(5, 0)), list(range(5, 0, -2)), len(range(10, 0, -3)), range(3) == range(0, 3), range(0) == range(5, 5), bool(range(0)), bool(range(1)))
print(list(reversed(range(4))), sum(range(101)), max(range(5)), min(range(5, 0, -1)), sorted(range(3), reverse=True), list(range(-3, 3)), tuple(range(2)), hash(range(3)) == hash(range(0, 3, 1)))
print(10 ** 20 in range(10 ** 21), range(10 ** 20, 10 ** 20 + 3)[1], list(range(2 ** 62, 2 ** 62 + 2)))
it = iter(range(3))
print(next(it), list(it), list(it), 2.0 in range(5), 2.5 in range(5), "a" in range(5), [i for i in range(3) for j in range(i)])
a = list(range(10))
a[slice(2, 4)] = []
print(a, a[a.index(5):], a[-1], a[-len(a)])
m = [list(range(i, i + 3)) for i in range(3)]
print([row[::-1] for row in m[::-1]], [m[i][j] for i in range(3) for j in range(3) if i == j])


class Rec:
    def __getitem__(self, k):
        return k


g = Rec()
print(g[1:2], g[:], g[1:2:3], g[1:2, ::3], g[...], g[()], g[1,], g["a":"b"], g[None], g[-1])


def attempt(fn):
    try:
        print(fn())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: range(5)[10])
attempt(lambda: range(1, 2, 0))
attempt(lambda: slice(1, 2, 0).indices(5))

# Slices compare as tuples of their three members.
print(slice(1, 2) < slice(1, 3), slice(1, 2) <= slice(1, 2), slice(1, 2) > slice(0, 5, 1), slice(2) == slice(None, 2), slice(2) != slice(0, 2))
print([slice(1, 2)] == [slice(1, 2.0)], slice("a", "b") >= slice("a", "a"), slice([1]) == slice([1]))
for a, b in ((slice(None), slice(1)), (slice(1), (None, 1, None)), (slice(1), 1)):
    try:
        print(a < b)
    except TypeError as e:
        print(e)
