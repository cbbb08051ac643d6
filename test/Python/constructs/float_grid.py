"""Arithmetic of floats, ints and complex numbers at zeros, infinities, NaN and the ends of the range."""
import math

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, -3.0, 4.0, 1e300, -1e300, 1e-300, 5e-324, math.inf, -math.inf, math.nan]
INTS = [0, 1, -1, 2, -3, 2**62, -2**70, True]


def shown(f, *args):
    try:
        return repr(f(*args))
    except (ZeroDivisionError, OverflowError, ValueError, TypeError) as e:
        return type(e).__name__


def power(a, b):
    return a ** b


# Roots of these are no floats, and their last digits the C library's.
ROOTS = [2.0, -2.0, 3.0, -3.0, 1e300, -1e300, 1e-300, 5e-324]


def floats(name, f):
    for a in FLOATS:
        print(name, a, [shown(f, a, b) for b in FLOATS + INTS
                        if f is not power or a not in ROOTS or (b == int(b) and abs(b) < 5 if math.isfinite(b) else True)])


def ints(name, f):
    for a in INTS:
        print(name, a, [shown(f, a, b) for b in FLOATS if f is not power or not 0.0 < abs(b) < 1.0])


for kinds in (floats, ints):
    kinds("/", lambda a, b: a / b)
    kinds("//", lambda a, b: a // b)
    kinds("%", lambda a, b: a % b)
    kinds("divmod", divmod)
    kinds("**", power)
    kinds("in place", lambda a, b: a.__class__.__pow__(a, b) if isinstance(b, type(a)) else None)

print([shown(divmod, a, 0.0) for a in (1, 1.0, True)])
for text in ("divmod(1, 0.0)", "1.0 // 0", "1.0 % 0", "1.0 / 0", "0.0 ** -1", "0 ** -1", "1e200 ** 2", "(-1e200) ** 3"):
    a, b = {"d": (1.0, 0.0), "1": (1.0, 0), "0": (0.0, -1), "(": (-1e200, 3)}[text[0]]
    try:
        print(eval_ := (divmod(a, b) if text[0] == "d" else a ** b if "**" in text else a // b if "//" in text else a % b))
    except (ZeroDivisionError, OverflowError) as e:
        print(text, type(e).__name__)

COMPLEXES = [0j, 1j, -1j, 1 + 0j, -2 + 0j, 3 + 4j, -1.5 + 2.5j, 1e200 + 0j, 1e200 - 1e200j]
for a in COMPLEXES:
    print("complex *", a, [shown(lambda: a * b) for b in COMPLEXES[:7]])
    print("complex /", a, [shown(lambda: a / b) for b in COMPLEXES[:7]])
    powers = (0, 1, -1, 0j) if abs(a) > 5 else (0, 1, 2, 3, 5, -1, -2, 100, 2.0, -3.0, 0j, 1 + 0j, 2 + 0j)
    print("complex **", a, [shown(power, a, b) for b in powers])
    print("complex abs", shown(abs, a), shown(lambda: a // 1), shown(lambda: a % 1))
print(shown(power, 1e200 + 0j, 2), shown(power, 1e200 + 0j, 2.5), shown(abs, 1e308 + 1e308j), shown(power, 0j, 1j), shown(power, 0j, -1), shown(power, 0.0, 1j), shown(power, -8, 1 / 3)[:18])
print([shown(lambda: x.as_integer_ratio()) for x in (0.0, -0.5, 3.0, 0.1, 5e-324, 1e300, math.inf, math.nan)])
print(float(b" 1_0.5e1 "), float(b"-inf"), float(b"nan"), shown(float, b"1.5x"), shown(float, b""))
