"""float: repr, rounding, arithmetic, special values, methods, conversions, formatting edge cases."""
import math

vals = [0.0, -0.0, 1.0, 0.1, 0.2, 0.3, 1 / 3, 2 / 3, 1e15, 1e16, 1e17, 123456789012345678.0, 1e22, 1e23, 1e-4, 1e-5, 1.5e-7, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 100.0, 1e2, 1e5, 12345.678, 9007199254740993.0, 0.1 + 0.2, 4.35, 1.005, 2.5, 1e100, 1.1e1, 3.0e0, float("inf"), float("-inf"), float("nan")]
print(vals)
print([str(v) for v in vals[:6]], [repr(-v) for v in vals[:6]], [f"{v}" for v in vals[-4:]])
print(0.1 + 0.2, 0.1 * 3, 1.1 + 2.2, 1e16 + 1, 0.5 - 0.1, 1 / 7, 2 ** 0.5, 10 ** -3, 1e308 * 10, -1e308 * 10, 5.0 // 2, -5.0 // 2, 5.5 % 2, -5.5 % 2, 5.5 % -2, 1e20 % 7, divmod(7.5, 2), divmod(-7.5, 2), 0.0 * -1, -0.0 + 0.0, 2.0 ** 0.5 ** 2, (-8) ** (1 / 3))
print(1.0 == 1, 0.1 + 0.2 == 0.3, float("nan") == float("nan"), float("inf") == float("inf"), -0.0 == 0.0, 1e400 == float("inf"), 0.1 < 1 / 3 < 0.5, 2.5 > 2, float("nan") < 1, float("nan") != 1, max(1.0, float("nan")), min(float("nan"), 1.0), sorted([2.5, -1.0, 0.0]), hash(2.0) == hash(2))
print(round(0.5), round(1.5), round(2.5), round(-1.5), round(2.675, 2), round(1.005, 2), round(0.15, 1), round(0.25, 1), round(0.35, 1), round(1234.5678, -2), round(1e22), round(5e-324, 5), round(1.1), round(-0.3), round(123.456, 0), round(2.5, None), round(1e16 + 2.0), round(0.1 + 0.2, 15), round(1e300, -290), round(99.995, 2))
print((2.5).is_integer(), (2.0).is_integer(), (0.75).as_integer_ratio(), (-1.5).hex(), (0.1).hex(), float.fromhex("0x1.8p3"), float.fromhex("-0x.8"), (3.7).__int__(), (3.7).__trunc__(), (3.2).__ceil__(), (3.7).__floor__(), (5.0).real, (5.0).imag, (1e300).hex(), (0.0).hex())
print(float("1.5"), float("  -2e-3 "), float("1_0.5"), float("INF"), float("-Infinity"), float("nAn"), float(".5"), float("5."), float("1e5"), float("+3"), float(10 ** 20), float(True), int(1e20), int(-0.9), int(1e300) % 1000, float("1e-400"), float("1e400"), float("0x10" if False else "16"))
print(math.isnan(float("nan")), math.isinf(-math.inf), math.isfinite(1e308), math.copysign(1, -0.0), math.pi, math.e, math.tau, math.inf, math.nan)
print(1e3, 1E3, 1_000.5, .5, 5., 1e-10, 0.00001, 0.0001, 1234567.0, 12345678901234567890.0, 1e21, 1.0e-5, 3.14159265358979, 2.718281828459045, 1.0000000000000002, 0.9999999999999999, 4.9e-324, 1.23e4, 6.02214076e23, 6.62607015e-34, 299792458.0)
s = 0.0
for i in range(10):
    s += 0.1
print(s, s == 1.0, sum([0.1] * 10) in (s, 1.0), math.fsum([0.1] * 10), abs(s - 1) < 1e-9)
x = 1.0
for i in range(60):
    x /= 3
print(x, x * 3 ** 60, x ** 2, x ** 10, x + 1, 1 - x)


def newton(a):
    x = a
    for _ in range(20):
        x = 0.5 * (x + a / x)
    return x


print(newton(2.0), newton(2.0) == math.sqrt(2), newton(1e10), newton(0.01), -newton(3.0))
h = 1.0
while 1.0 + h > 1.0:
    h /= 2
print(h * 2, h * 2 == 2 ** -52)
x = 2.5
x += 1; x -= 0.25; x *= 2; x /= 3; x //= 1; x **= 3; x %= 5
print(x, -x, +x, abs(-x), 7.0 // 0.1, 7.0 % 0.1, 1e-300 * 1e-300, 1e300 ** 1.0, 0.0 ** 0, 1.0 ** float("nan"), float("inf") - 1, -float("inf") // 1 if False else "skip", (-2.0) ** 3, 4 ** 0.5, 2 ** 0.5 * 2 ** 0.5)
for f in (lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0, lambda: 0.0 ** -1, lambda: 10.0 ** 400, lambda: int(math.inf), lambda: int(math.nan), lambda: float(""), lambda: float("1,5"), lambda: round(math.inf), lambda: round(math.nan), lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.inf.as_integer_ratio(), lambda: 1.5 << 1, lambda: 1.5 & 1, lambda: "a" * 1.5, lambda: range(1.0), lambda: [1][0.0]):
    try:
        print(f())
    except (ArithmeticError, ValueError, TypeError) as e:
        print(type(e).__name__, str(e) if isinstance(e, TypeError) else "")
