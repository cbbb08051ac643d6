"""__slots__: no __dict__, errors, inheritance, with defaults through descriptors."""


class P:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)


p = P(1, 2)
print(p.x, p.y, P.__slots__, hasattr(p, "__dict__"), p == P(1, 2))
for f in (lambda: setattr(p, "z", 1), lambda: P.x.missing):
    try:
        f()
    except AttributeError as e:
        print(type(e).__name__)
p.x += 10
del p.y
print(p.x, hasattr(p, "y"))
try:
    p.y
except AttributeError as e:
    print("AttributeError", e)


class Q(P):
    __slots__ = ["z"]


q = Q(5, 6)
q.z = 7
print(q.x, q.y, q.z)


class R(P):
    pass


r = R(1, 2)
r.anything = 3
print(r.__dict__, r.x)


class S:
    __slots__ = "single"


s = S()
s.single = "one"
print(s.single, type(S.single).__name__)
try:
    class Bad:
        __slots__ = ("v",)
        v = 1
except ValueError as e:
    print(e)
print([getattr(P(3, 4), n) for n in P.__slots__])
