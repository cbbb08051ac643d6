"""math: integer functions, roots, exponentials, trigonometry, constants, errors."""
import math
from math import ceil, comb, factorial, floor, gcd, lcm, perm, prod, sqrt

print(floor(2.7), floor(-2.7), ceil(2.1), ceil(-2.1), math.trunc(2.9), math.trunc(-2.9), floor(5), ceil(10 ** 20), floor(1e20), floor(-0.5), type(floor(2.0)).__name__)
print(gcd(12, 18), gcd(0, 5), gcd(-4, 6), gcd(), gcd(2 ** 80, 6 ** 30), gcd(12, 18, 27), lcm(4, 6), lcm(3, 0), lcm(2, 3, 5), factorial(0), factorial(20), factorial(30), comb(10, 3), comb(5, 7), comb(60, 30), perm(5, 2), perm(4), prod([1, 2, 3, 4]), prod([]), prod([1.5, 2], start=2), math.isqrt(17), math.isqrt(10 ** 30))
print(sqrt(2), sqrt(16), sqrt(0), sqrt(1e-300), math.hypot(3, 4), math.hypot(1, 2, 2), math.dist([0, 0], [3, 4]), math.pow(2, 0.5), math.pow(2, 3), math.fabs(-3), math.fmod(-7, 3), math.remainder(7, 4), math.modf(3.25), math.frexp(10.0), math.ldexp(0.625, 4))
print(math.exp(0), f"{math.exp(1):.12f}", f"{math.exp(-3.5):.12f}", math.log(1), f"{math.log(10):.12f}", math.log2(8), math.log10(1000), f"{math.log(100, 7):.12f}", f"{math.log1p(1e-10):.15e}", f"{math.expm1(1e-10):.15e}", f"{math.log(10 ** 400):.9f}", f"{math.exp2(3) if hasattr(math, 'exp2') else 8.0}", math.log2(2 ** 100))
print([f"{f(0.5):.12f}" for f in (math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.sinh, math.cosh, math.tanh, math.asinh, math.atanh, math.erf, math.erfc, math.gamma, math.lgamma)], f"{math.atan2(-1, -1):.12f}", math.degrees(math.pi), math.radians(180), math.sin(0), math.cos(0), f"{math.acosh(2):.12f}")
print(math.isclose(0.1 + 0.2, 0.3), math.isclose(1, 1.1), math.isclose(1, 1.1, rel_tol=0.2), math.isclose(0, 1e-10, abs_tol=1e-9), math.isnan(math.nan), math.isinf(math.inf), math.isfinite(0), math.copysign(3, -1), math.nextafter(1.0, 2.0), math.ulp(1.0), math.fsum([1e20, 1, -1e20]), math.pi, math.e, math.tau)
for f in (lambda: sqrt(-1), lambda: math.log(0), lambda: math.log(-1), lambda: factorial(-1), lambda: factorial(2.5), lambda: math.acos(2), lambda: math.exp(1000), lambda: math.isqrt(-1), lambda: floor(math.inf), lambda: ceil(math.nan), lambda: gcd(1.5, 2), lambda: math.pow(0, -1), lambda: math.fmod(1, 0), lambda: comb(-1, 2), lambda: sqrt("4"), lambda: math.atanh(1)):
    try:
        print(f())
    except (ValueError, OverflowError, TypeError) as e:
        print(type(e).__name__)


def primes(n):
    sieve = [True] * (n + 1)
    for i in range(2, math.isqrt(n) + 1):
        if sieve[i]:
            for j in range(i * i, n + 1, i):
                sieve[j] = False
    return [i for i in range(2, n + 1) if sieve[i]]


print(primes(60), len(primes(1000)), math.fsum(1 / p for p in primes(50)))
positions = [[round(math.sin(p / 10000 ** (2 * (i // 2) / 4)), 6) if i % 2 == 0 else round(math.cos(p / 10000 ** (2 * (i // 2) / 4)), 6) for i in range(4)] for p in range(3)]
print(positions, math.ceil(10 / 3), -(-10 // 3), 2 ** math.ceil(math.log2(100)), math.floor(math.log10(12345)))


def said(function, *args):
    try:
        return f"{function(*args):.9e}"
    except (ValueError, OverflowError) as e:
        return type(e).__name__


special = (math.inf, -math.inf, math.nan, 0.0, -0.0, -1.0, -2.0, 1.5, 1e308, 171.7)
print([said(f, x) for f in (math.gamma, math.lgamma, math.asin, math.atanh, sqrt, math.acosh, math.log1p, math.sin, math.expm1) for x in special])
print([said(f, x, y) for f in (math.fmod, math.remainder, math.atan2, math.nextafter, math.copysign, math.pow) for x in special[:6] for y in special[:6]])
print([said(math.fsum, v) for v in ([1e308, 1e308], [math.inf, 1], [math.inf, -math.inf], [math.nan, 1], [1e308, -1e308, 2], [-math.inf, -math.inf])])
