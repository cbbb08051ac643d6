"""Objects that say which number they are: __index__, __float__, __len__, __hash__."""
import collections
import itertools
import math
import operator


class A:
    def __index__(self):
        return 2


class F:
    def __float__(self):
        return 2.5


a, f = A(), F()
l = [1, 2, 3, 4]
m = list(l)
m[a] = 9
print(m)
del m[a]
print(m)


def tried(call):
    try:
        print(repr(call()))
    except (TypeError, ValueError, OverflowError, IndexError) as e:
        print(type(e).__name__, e)


for call in (
    lambda: list(l).pop(a), lambda: l.insert(a, "q"), lambda: l, lambda: l.index(3, a), lambda: l.index(4, a), lambda: l.__getitem__(a),
    lambda: (1, 2, 3).index(3, a), lambda: (1, 2, 3).__getitem__(a), lambda: "abc".__getitem__(a), lambda: l.__setitem__(a, 0), lambda: l,
    lambda: round(1.2345, a), lambda: round(1234, a), lambda: chr(a), lambda: bytes(a), lambda: int("11", a), lambda: (5).to_bytes(a, "big"),
    lambda: "x".center(a), lambda: "x".zfill(a), lambda: "x".ljust(a, "-"), lambda: "x".rjust(a, "-"), lambda: "a,b,c,d".split(",", a),
    lambda: "a,b,c,d".rsplit(",", maxsplit=a), lambda: "aaaa".replace("a", "b", a), lambda: "a\tb".expandtabs(a),
    lambda: "a\tb".expandtabs(tabsize=a), lambda: "abcabc".find("c", a), lambda: "abcabc".rfind("a", 0, a), lambda: "abcabc".count("c", a),
    lambda: "abc".startswith("c", a), lambda: "abc".endswith("b", 0, a), lambda: "abc".index("c", a), lambda: b"abc".find(b"c", a),
    lambda: b"x".center(a), lambda: list(enumerate("ab", a)), lambda: list(enumerate("ab", start=a)),
    lambda: list(itertools.islice(range(9), a)), lambda: list(itertools.islice(range(9), a, None, a)), lambda: list(itertools.repeat(1, a)),
    lambda: itertools.repeat(1, a), lambda: list(itertools.combinations("abc", a)), lambda: list(itertools.permutations("ab", a)),
    lambda: list(itertools.combinations_with_replacement("ab", a)), lambda: len(itertools.tee([1], a)),
    lambda: list(itertools.product("ab", repeat=a)), lambda: operator.index(a), lambda: range(10)[a], lambda: l[a:], lambda: [0] * a,
    lambda: math.sqrt(a), lambda: math.sqrt(f), lambda: math.exp(f), lambda: math.atan2(f, a), lambda: math.hypot(f, 1), lambda: math.floor(f),
    lambda: math.ldexp(1.0, a), lambda: math.ldexp(f, a), lambda: math.isnan(f), lambda: math.fsum([f, 1]), lambda: math.log(f),
    lambda: math.log(f, a), lambda: math.pow(a, f), lambda: math.copysign(f, -1), lambda: math.fabs(f), lambda: math.degrees(f),
    lambda: float(a), lambda: float(f), lambda: type(float(a)), lambda: int(a), lambda: "%d" % a, lambda: "%.1f" % f,
):
    tried(call)
q = collections.deque([1, 2, 3])
q.rotate(a)
print(q)


class L:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


for n in (0, 3, True, False, -1, 2**70, -2**70, "a", 1.0, a):
    tried(lambda: (len(L(n)), type(len(L(n)))))
    if not isinstance(n, (str, float)):
        tried(lambda: bool(L(n)))


class Wrong:
    def __index__(self):
        return 1.0

    def __float__(self):
        return 1


w = Wrong()
for call in (lambda: l[w], lambda: l.pop(w), lambda: operator.index(w), lambda: float(w), lambda: math.sqrt(w), lambda: chr(w),
             lambda: "x".center(w), lambda: list(enumerate("a", w)), lambda: range(w), lambda: [0] * w):
    try:
        print(call())
    except TypeError as e:
        print("TypeError", "non-" in str(e) or "must return" in str(e))


class Nothing:
    pass


for call in (lambda: l.pop(Nothing()), lambda: math.sqrt(Nothing()), lambda: chr(Nothing()), lambda: list(enumerate("a", Nothing())),
             lambda: "x".center(Nothing()), lambda: list(enumerate("a", 1.5)), lambda: list(itertools.repeat(1, 2.0))):
    tried(call)


class Limit(float):
    pass


print(type(Limit(a)), Limit(a), type(Limit(f)))
print(bytearray.fromhex("0a0b"), bytearray.maketrans(b"a", b"b")[97])
