"""Every binary, unary and in-place operator on user classes, reflected forms, NotImplemented."""
OPS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor", "lshift", "rshift"]


class Full:
    def __init__(self, tag):
        self.tag = tag


def make(kind, op):
    def method(self, other):
        return f"{kind}{op}({self.tag},{getattr(other, 'tag', other)})"
    return method


for op in OPS:
    setattr(Full, f"__{op}__", make("", op))
    setattr(Full, f"__r{op}__", make("r", op))
a, b = Full("a"), Full("b")
print(a + b, a - 1, 1 - a, a * b, a / 2, 2 / a, a // b, 3 // a, a % b, 3 % a, a ** b, 2 ** a, a @ b, [] @ a)
print(a & 1, 1 & a, a | b, "s" | a, a ^ b, 1 ^ a, a << 1, 1 << a, a >> 1, 1 >> a)
x = a
x += 1
print(x)
x = a
x @= b
print(x)


class InPlace:
    def __init__(self):
        self.log = []

    def __iadd__(self, o):
        self.log.append(("iadd", o))
        return self

    def __imul__(self, o):
        return ("replaced", o)

    def __isub__(self, o):
        return NotImplemented

    def __sub__(self, o):
        return "fell back"

    def __ior__(self, o):
        self.log.append(("ior", o))
        return self


i = InPlace()
same = i
i += 5
i |= 6
print(i.log, i is same)
i *= 2
print(i)
same -= 1
print(same)


class Unary:
    def __neg__(self):
        return "neg"

    def __pos__(self):
        return "pos"

    def __invert__(self):
        return "inv"

    def __abs__(self):
        return "abs"

    def __round__(self, n=None):
        return f"round {n}"

    def __index__(self):
        return 3

    def __int__(self):
        return 30

    def __float__(self):
        return 0.5

    def __complex__(self):
        return 1j

    def __trunc__(self):
        return 9

    def __floor__(self):
        return "floor"

    def __ceil__(self):
        return "ceil"

    def __divmod__(self, o):
        return ("divmod", o)

    def __rdivmod__(self, o):
        return ("rdivmod", o)


u = Unary()
print(-u, +u, ~u, abs(u), round(u), round(u, 2), int(u), float(u), [0, 1, 2, 3, 4][u], list(range(u)), "x" * 2, hex(u), bin(u))
print(divmod(u, 2), divmod(2, u), "abcdef"[:u], pow(2, 3))
import math

print(math.floor(u), math.ceil(u))


class Poly:
    def __init__(self, *c):
        self.c = list(c)

    def __add__(self, o):
        if isinstance(o, (int, float)):
            o = Poly(o)
        if not isinstance(o, Poly):
            return NotImplemented
        n = max(len(self.c), len(o.c))
        pad = lambda c: c + [0] * (n - len(c))
        return Poly(*[p + q for p, q in zip(pad(self.c), pad(o.c))])

    __radd__ = __add__

    def __mul__(self, o):
        if isinstance(o, (int, float)):
            return Poly(*[o * v for v in self.c])
        if isinstance(o, Poly):
            out = [0] * (len(self.c) + len(o.c) - 1)
            for p, v in enumerate(self.c):
                for q, w in enumerate(o.c):
                    out[p + q] += v * w
            return Poly(*out)
        return NotImplemented

    def __rmul__(self, o):
        return self * o

    def __neg__(self):
        return self * -1

    def __sub__(self, o):
        return self + -o

    def __call__(self, x):
        return sum(v * x ** k for k, v in enumerate(self.c))

    def __repr__(self):
        return " + ".join(f"{v}x^{k}" for k, v in enumerate(self.c) if v) or "0"

    def __eq__(self, o):
        return self.c == o.c


p, q = Poly(1, 2), Poly(0, 1, 3)
print(p + q, p * q, 3 * p, p - q, -p, (p * p)(2), sum([p, q, p]), p == Poly(1, 2), 1 + p)


class Base:
    def __add__(self, o):
        return "base add"

    def __radd__(self, o):
        return "base radd"


class Sub(Base):
    def __radd__(self, o):
        return "sub radd"


print(Base() + Sub(), Sub() + Base(), Base() + Base(), 1 + Sub())


class Never:
    def __add__(self, o):
        return NotImplemented

    def __eq__(self, o):
        return NotImplemented


def attempt(f):
    try:
        print(f())
    except TypeError as e:
        print("TypeError:", e)


attempt(lambda: Never() + 1)
attempt(lambda: 1 + Never())
attempt(lambda: Never() - Never())
attempt(lambda: -Never())
attempt(lambda: Never() == Never())
attempt(lambda: 1 + "a")
attempt(lambda: "a" + 1)
attempt(lambda: [1] + (2,))
attempt(lambda: "a" * "b")
attempt(lambda: {} + {})
attempt(lambda: 1 @ 2)
attempt(lambda: None + 1)
attempt(lambda: ~1.5)
attempt(lambda: -"a")
attempt(lambda: 1 << 1.0)
attempt(lambda: [1] * 1.5)
attempt(lambda: abs("x"))
attempt(lambda: round("x"))
attempt(lambda: 5 % None)
attempt(lambda: pow("a", 2))
attempt(lambda: divmod(1, "a"))
y = [1]
attempt(lambda: y.__iadd__([2]))
try:
    z = 1
    z += "a"
except TypeError as e:
    print(e)
try:
    t = (1, [2])
    t[1] += [3]
except TypeError as e:
    print(e, t)
