"""__len__, __getitem__, __setitem__, __delitem__, __contains__, __iter__, __reversed__, slices, old iteration."""


class Grid:
    def __init__(self, w, h):
        self.w, self.h, self.cells = w, h, {}

    def __len__(self):
        return self.w * self.h

    def __getitem__(self, key):
        if isinstance(key, slice):
            return ("slice", key.start, key.stop, key.step)
        if isinstance(key, tuple):
            return tuple("..." if k is Ellipsis else k for k in key)
        if key is ...:
            return "all"
        return self.cells.get(key, 0)

    def __setitem__(self, key, value):
        print("set", key, value)
        self.cells[key if not isinstance(key, slice) else (key.start, key.stop)] = value

    def __delitem__(self, key):
        print("del", key)
        self.cells.pop((key.start, key.stop) if isinstance(key, slice) else key, None)

    def __contains__(self, key):
        return key in self.cells


g = Grid(3, 4)
g[5] = "five"
g[1:2] = "range"
g[5] += "!"
print(len(g), g[5], g[7], g[1:2], g[:], g[::2], g[1, 2], g[..., 1:3][0], g[...], 5 in g, 6 not in g, bool(g))
del g[5]
del g[1:2]
print(g.cells)


class Old:
    def __getitem__(self, i):
        if i > 3:
            raise IndexError(i)
        return i * i


o = Old()
print(list(o), 4 in o, 5 in o, [x for x in o], dict(enumerate(o)), max(o), sum(o))
a, b, *c = o
print(a, b, c)


class It:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        print("iter")
        return iter(range(self.n))

    def __reversed__(self):
        return iter("reversed")


i = It(3)
print(list(i), list(reversed(i)), 2 in i, tuple(i), sorted(i, reverse=True))
for x in i:
    for y in i:
        print(x, y, end=";")
print()


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


c = Countdown(3)
print(next(c), list(c), next(c, "end"), list(c))
try:
    next(c)
except StopIteration as e:
    print("stopped", e.args)


class Seq:
    def __init__(self, *a):
        self.a = a

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i]


s = Seq(1, 2, 3)
print(list(reversed(s)), s[-1], s[0:2], list(iter(s)), list(zip(s, s)), *s)


class Missing(dict):
    def __missing__(self, k):
        self[k] = k * 2
        return self[k]


m = Missing(a=1)
print(m["a"], m["b"], m, m.get("c"), "c" in m)


class Hint:
    def __length_hint__(self):
        return 10

    def __iter__(self):
        yield 1


print(list(Hint()))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ":", e)


class Nothing:
    pass


attempt(lambda: len(Nothing()))
attempt(lambda: Nothing()[0])
attempt(lambda: iter(Nothing()))
attempt(lambda: next([]))
attempt(lambda: [x for x in 5])
attempt(lambda: list(reversed({1})))


def assign():
    Nothing()[0] = 1


def remove():
    del Nothing()[0]


attempt(assign)
attempt(remove)
attempt(lambda: (1, 2)["a"])
attempt(lambda: [1][1.0])
attempt(lambda: "abc"["a"])


class BadIter:
    def __iter__(self):
        return 5


try:
    list(BadIter())
except TypeError as e:
    print("TypeError")


class BadLen:
    def __len__(self):
        return "x"


attempt(lambda: len(BadLen()))
