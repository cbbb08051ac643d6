"""fractions: arithmetic, texts, comparisons, rounding, hashes."""
import math
import numbers
from fractions import Fraction as F

def tried(act):
    try:
        return act()
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"


print([F(), F(3), F(6, -4), F(-0.125), F("3/4"), F(" -7 "), F("1.5e2"), F(".25"), F("-2.5E-1"), F("1_000/3"), F(F(1, 2), F(3, 4)), F(True)])
print(str(F(3)), str(F(-3, 9)), repr(F(7, 21)), f"{F(1, 3)}", F(2, 3).as_integer_ratio())
for bad in ("", "1/", "a", "1/0", "1.", "0x1", "--1", "1__0"):
    print(bad, tried(lambda: F(bad)))
print(tried(lambda: F(1, 0)), tried(lambda: F(1.5, 2)), tried(lambda: F("1", 2)), tried(lambda: F(float("nan"))), tried(lambda: F(math.inf)))
a, b = F(3, 4), F(-5, 6)
print(a + b, a - b, a * b, a / b, a // b, a % b, divmod(a, b), a ** 2, a ** -3, b ** 3, abs(b), -a, +b)
print(a + 1, 2 - a, 3 * a, 1 / a, 7 // a, 7 % a, divmod(7, a), 2 ** F(3), 4 ** F(1, 2), a ** 0.5, a + 0.5, 1.5 * a, a * 2j, a ** F(1, 2), 2.0 ** F(2))
for act in (lambda: a / 0, lambda: F(0) ** -2, lambda: a + "x", lambda: "x" + a,
            lambda: a < "x", lambda: 1 / F(0)):
    print(tried(act))
print([math.floor(x) for x in (a, b)], [math.ceil(x) for x in (a, b)], [int(F(n, 4)) for n in range(-9, 10, 3)], [math.trunc(F(n, 4)) for n in (-7, 7)])
print([round(F(n, 2)) for n in range(-5, 6)], round(F(22, 7), 3), round(F(1555, 1), -2), round(F(1, 3), 0), float(F(1, 3)), bool(F(0)), bool(a))
print(a < b, a <= F(6, 8), a > 0.5, a >= 1, a == 0.75, a == F(3, 4), F(4) == 4, F(1, 3) == 1 / 3, a != b, a < math.inf, a == math.nan, a < math.nan, a == 0.75 + 0j)
print(hash(F(5)) == hash(5), hash(F(1, 2)) == hash(0.5), hash(F(-1)), hash(F(-13, 8)) == hash(-1.625), hash(F(1, 3)) == hash(F(-2, -6)) != hash(F(2, 3)))
print(F(math.pi).limit_denominator(1000), F(math.e).limit_denominator(10), F(1, 3).limit_denominator(5), tried(lambda: F(1, 3).limit_denominator(0)))
print(F.from_float(0.3), F.from_float(2), tried(lambda: F.from_float("x")), isinstance(a, numbers.Rational), a.numerator, b.denominator, a.real, a.imag, a.conjugate())
print(sum([F(1, n) for n in range(1, 11)]), max(a, b), sorted([a, b, F(1, 2)]), {F(1, 2): "half"}[0.5], tried(lambda: setattr(a, "numerator", 1)))
