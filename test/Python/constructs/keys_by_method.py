"""Dicts and sets whose keys have __hash__ and __eq__ written in Python, beside keys of builtin classes."""
import collections


class K:
    asked = []

    def __init__(self, v):
        self.v = v

    def __hash__(self):
        K.asked.append(("hash", self.v))
        return hash(self.v)

    def __eq__(self, other):
        K.asked.append(("eq", self.v, getattr(other, "v", other)))
        return self.v == getattr(other, "v", other)

    def __repr__(self):
        return f"K({self.v!r})"


def asked():
    found, K.asked = K.asked, []
    return found


# A builtin key finds one of the class, and the other way round.
d = {K(1): "a"}
print(1 in d, d[1], d.get(1), d.get(2), K(1) in d, K(2) in d, True in d, 1.0 in d)
d[1] = "c"
print(d, len(d))
d = {K("x"): "a"}
d["x"] = 2
print(d, d.setdefault("x", 9), d.pop("x"), d)
d = {K(1): "a", 5: 6}
print(d.setdefault(1, 9), d.pop(1, None), d, d.pop(1, "none"))
d = {K(2): 0, 3: 1}
del d[2]
print(d, {1: 2}.get(K(1)), {1: 2} == {K(1): 2}, {K(1): 2} == {1: 2})
try:
    {K(1): "a"}[2]
except KeyError as e:
    print("KeyError", e)
d = {(1, K(2)): "pair"}
print(d[1, 2], d[1, K(2)], (1, 3) in d, hash((1, K("q"))) == hash((1, "q")))
s = {K(1.5), K((1, 2)), K(None)}
print(1.5 in s, (1, 2) in s, None in s, 2 in s, 1 in {K(1)}, K(1) in {1})

# The hash is asked for once when a key comes in; only keys of the same hash are compared, the dict's own first.
asked()
d = {}
a, b = K(1), K(2)
d[a] = 1
d[b] = 2
print(asked())
d[a] += 1
print(asked())
print(3 in d, asked())
print(1 in d, asked())
print(K(2) in d, asked())
d[-1] = "m"
print(K(-2) in d)
asked()
del d[a]
print(list(d.values()), asked())
a.v = 77
d[b] = 3
print(asked(), d)


a, b = K("a"), K("b")
d = {a: 1, b: 2}
asked()
e = {**d, "c": 3}
e.update(d)
e |= d.copy()
print(e, d | e == e, dict(d) == d, asked()[:0])


class Same:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return 5

    def __eq__(self, other):
        print("==", self.n, getattr(other, "n", other))
        return False


d = {Same(1): 1, Same(2): 2}
print(5 in d, 6 in d)
d[5] = 3
print(5 in d, d[5])


class Odd:
    def __init__(self, h):
        self.h = h

    def __hash__(self):
        return self.h

    def __eq__(self, other):
        return self.h == other.h


print(hash(Odd(-1)), hash(Odd(2**30)), hash(Odd(2**70)) == hash(2**70), hash(Odd(True)), type(hash(Odd(True))))
for h in ("a", 1.5, None):
    for use in (hash, lambda k: {k: 1}, lambda k: {}.get(k), lambda k: {k}):
        try:
            print(use(Odd(h)))
        except TypeError as e:
            print("TypeError", "__hash__ method should return an integer" in str(e))


class Grows:
    """Its comparison changes the dict."""

    def __init__(self, d):
        self.d = d

    def __hash__(self):
        return 1

    def __eq__(self, other):
        self.d.pop(self, None)
        return False


d = {}
d[Grows(d)] = 1
print(1 in d, d)

# Many of them: a look-up costs what one does.
class P:
    def __init__(self, n):
        self.n = n

    def __hash__(self):
        return hash(self.n)

    def __eq__(self, other):
        return isinstance(other, P) and self.n == other.n


N = 3000
d = {}
for i in range(N):
    d[P(i)] = i
for i in range(0, N, 3):
    del d[P(i)]
for i in range(0, N, 2):
    d[P(i)] = -i
print(len(d), sum(d.values()), P(1) in d, P(3) in d, 1 in d)

d = {}
for i in range(20000):
    d[i, str(i)] = i
for i in range(0, 20000, 2):
    d[i, str(i)] += 1
    del d[i + 1, str(i + 1)]
print(len(d), sum(d.values()), (0, "0") in d, (1, "1") in d)


class Plain:
    pass


objects = [Plain() for _ in range(5000)]
d = {}
for o in objects:
    d[o] = 1
for o in objects[::2]:
    del d[o]
print(len(d), objects[0] in d, objects[1] in d)

c = collections.Counter()
for i in range(20000):
    c[i % 15000] += 1
print(len(c), c[1], c[14999], sum(c.values()))
o = collections.OrderedDict.fromkeys(range(20000))
n = 0
while o:
    n += o.popitem(last=False)[0]
print(n)
for i in range(20000):
    o[i] = i
    if len(o) > 100:
        o.popitem(last=False)
    o.move_to_end(i)
    o.move_to_end(next(iter(o)))
o.move_to_end(list(o)[50], last=False)
print(len(o), list(o)[:3])
