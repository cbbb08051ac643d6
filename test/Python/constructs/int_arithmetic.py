"""int: operators with floor semantics, powers, bits, methods, conversions, big values."""
pairs = [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (6, 2), (1, 10), (2 ** 70, 3 ** 20), (-2 ** 70, 10 ** 9 + 7), (10 ** 18, -(10 ** 9))]
for a, b in pairs:
    print(a + b, a - b, a * b, a // b, a % b, divmod(a, b), a / b, a & b, a | b, a ^ b, a == (a // b) * b + a % b)
print(2 ** 10, 2 ** 100, (-2) ** 3, -2 ** 2, 2 ** -1, 0 ** 0, 10 ** 30, (-3) ** 0, 1 ** 10 ** 6, 7 ** 77 % 1000, pow(7, 77, 1000), pow(-3, 5, 7), pow(3, -2, 11))
print(1 << 5, 1 << 70, -1 << 3, 1024 >> 3, -1 >> 10, -7 >> 1, 2 ** 80 >> 70, ~0, ~5, ~-1, ~(2 ** 65), 5 & -2, -8 | 3, -5 ^ 3, 2 ** 64 & -1, -(2 ** 64) & (2 ** 63), -2 ** 70 | 5, -2 ** 70 ^ 2 ** 70)
print((5).bit_length(), (0).bit_length(), (-8).bit_length(), (2 ** 100).bit_length(), (255).bit_count(), (-3).bit_count(), (10).conjugate(), (3).real, (3).imag, (4).numerator, (4).denominator, (7).as_integer_ratio(), (5).__add__(3), (-5).__abs__(), (3).is_integer() if hasattr(int, "is_integer") and False else True)
print(int("123"), int("-0b11", 2), int("0o17", 8), int("ff", 16), int("0xFF", 0), int(" 12 \n"), int("1_000_000"), int(1e15), int(-2.7), int(True), int(b"42"), int("٣"), int("0"), int("-0"), int("00012"), int("z9", 36))
print(str(10 ** 50), repr(-10 ** 25), hex(2 ** 70), oct(-64), bin(2 ** 40), f"{2 ** 90:x}", f"{10 ** 24:,}", "%d" % 10 ** 30, len(str(3 ** 1000)), str(7 ** 100)[:10], 3 ** 200 % 10 ** 15)
print(10 ** 20 == 10.0 ** 20, 10 ** 400 > 1e308, 2 ** 1023 * 1.0 == 2.0 ** 1023, 2 ** 53 + 1 == float(2 ** 53 + 1), 1 == 1.0, 3 < 3.5, -1 < 0.0, 10 ** 30 // 10 ** 28, 10 ** 30 % 7, -10 ** 30 // 7, 10 ** 17 / 3, (10 ** 40) / (10 ** 38), 2 ** 2000 / 2 ** 1999, 1 / 3, 10 / 5, 7 // 2.0, 7 % 2.5, -7 // 2.0)
fact = 1
for i in range(1, 41):
    fact *= i
print(fact, fact // 2 ** 38, fact % (10 ** 9 + 7), len(str(fact)))
a, b = 0, 1
for _ in range(300):
    a, b = b, a + b
print(a, a % 10 ** 9, a >> 200, -a // 12345678901234567890, a * b % (2 ** 89 - 1))


def isqrt(n):
    x = n
    y = (x + 1) // 2
    while y < x:
        x, y = y, (y + n // y) // 2
    return x


print(isqrt(2 * 10 ** 60), isqrt(99), isqrt(10 ** 40) ** 2 == 10 ** 40)


def egcd(a, b):
    if not b:
        return a, 1, 0
    g, x, y = egcd(b, a % b)
    return g, y, x - a // b * y


print(egcd(240, 46), egcd(2 ** 64, 3 ** 40), egcd(10 ** 25 + 7, 10 ** 20 + 3))
x = 5
x += 2; x *= 3; x -= 1; x //= 3; x **= 3; x %= 100; x <<= 2; x |= 1; x ^= 3; x &= 0xff; x >>= 1
print(x, -x, +x, abs(-x), True + 1, True * 3, -True, ~True, 5 .__class__.__name__, 0x_ff, 0b1010, 0o17, 1_0)
digits = []
n = 2 ** 64
while n:
    n, d = divmod(n, 10)
    digits.append(d)
print(digits[::-1], sum(digits), max(digits), all(isinstance(d, int) for d in digits), round(12345, -2), round(15, -1), round(25, -1), round(-15, -1), round(5), round(10 ** 20 + 5, -1))
for f in (lambda: 1 // 0, lambda: 1 % 0, lambda: divmod(5, 0), lambda: 0 ** -1, lambda: 1 << -1, lambda: 2 ** 2000 * 1.0, lambda: (2 ** 2000) / 3, lambda: float(10 ** 400), lambda: int("1__0"), lambda: int(""), lambda: int("0b12", 2), lambda: pow(2, -1, 6), lambda: int("9" * 10 + "x")):
    try:
        print(f())
    except (ArithmeticError, ValueError) as e:
        print(type(e).__name__)
