"""Classes: attributes, methods, bound methods, class versus instance, repr and str."""


class Point:
    """A point."""
    dims = 2
    made = []

    def __init__(self, x, y=0):
        self.x, self.y = x, y
        Point.made.append(x)

    def norm1(self):
        return abs(self.x) + abs(self.y)

    def moved(self, dx=0, dy=0):
        return type(self)(self.x + dx, self.y + dy)

    def __repr__(self):
        return f"Point({self.x}, {self.y})"

    def __str__(self):
        return f"<{self.x};{self.y}>"


p = Point(3, -4)
print(p, repr(p), [p], f"{p} {p!r} {p!s}", p.norm1(), p.moved(1).moved(dy=2))
print(Point.dims, p.dims, Point.made, Point.__doc__, Point.__name__, type(p).__name__)
p.dims = 3
print(Point.dims, p.dims, p.__dict__)
del p.dims
print(p.dims)
Point.dims = 5
print(p.dims, vars(p))
m = p.norm1
print(m(), m.__self__ is p, m.__func__ is Point.norm1, m.__name__)
Point.extra = lambda self, k: (self.x, k)
print(p.extra(9))
p.own = lambda k: ("own", k)
print(p.own(1))
print(Point.norm1(p), isinstance(p, Point), isinstance(p, object), type(p) is Point)


class Empty:
    pass


e = Empty()
e.a = e.b = 1
e.__dict__["c"] = 2
print(sorted(vars(e)), e.c, Empty.__bases__, Empty.__mro__[-1] is object)


class Counter:
    count = 0
    names = []

    def __init__(self, name):
        self.count += 1
        type(self).count += 10
        self.names.append(name)
        self.names = self.names + ["private"]


a, b = Counter("a"), Counter("b")
print(a.count, b.count, Counter.count, a.names, b.names, Counter.names)


class Config:
    width = 4
    depth = width * 2
    table = {k: k * 2 for k in range(3)}

    for _i in range(2):
        table[_i] = "loop"
    if depth > 5:
        flag = True

    class Nested:
        level = 2

        def get(self):
            return self.level


print(Config.depth, Config.table, Config.flag, Config.Nested().get(), Config.Nested.__qualname__)


class Private:
    def __init__(self):
        self.__secret = 1
        self._hint = 2

    def __hidden(self):
        return self.__secret

    def get(self):
        return self.__hidden()


q = Private()
print(q.get(), sorted(vars(q)), hasattr(q, "__secret"), q._Private__secret)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: p.missing)
attempt(lambda: Point.missing)
attempt(lambda: Point())
attempt(lambda: Empty(1))
attempt(lambda: p())
attempt(lambda: object().__init__(1) or "fine")
method = Point.__init__
print(method.__qualname__, Point.moved.__module__ == __name__)


class WithCall:
    def __init__(self, f):
        self.f = f

    def __call__(self, *a, **k):
        return self.f(*a, **k)


print(WithCall(max)(3, 8, 2), callable(WithCall(None)), callable(p), WithCall(sorted)([2, 1], reverse=True))


class Returns:
    def __init__(self):
        return 5


attempt(Returns)


class Chain:
    def __init__(self):
        self.items = []

    def add(self, x):
        self.items.append(x)
        return self


print(Chain().add(1).add(2).add(3).items)
print(repr(Point), str(Point).endswith(".Point'>"), hasattr(Point, "norm1"), hasattr(p, "norm1"))
