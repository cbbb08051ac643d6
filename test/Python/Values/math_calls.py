"""Calls of the functions of math that CPython computes itself, in floats."""
import itertools
import math

SIZES = [0.0, 1.0, 0.5, 1.5, 2.5, 3.0, 0.1, 1e-4, 1e22, 1e300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, math.inf, math.nan,
         4.0, 5.5, 5.524680040776729, 5.0, 4.999999999999999, 22.0, 23.0, 24.0, 139.9, 140.0, 171.6, 171.7, 200.0, 200.5, 1e-20, 9e-21,
         1e-308, 0.75, 1.25, 30.5, 170.5, 184.0, 1e17, 1e306]
COORDINATES = [0.0, -1.0, 3.0, 0.1, 1e-200, 1e300, 5e-324, 1.7976931348623157e308, math.inf, -math.inf, math.nan]


def math_fixed():
    for size in SIZES:
        for sign in (1, -1):
            yield "math.gamma", (sign * size,)
            yield "math.lgamma", (sign * size,)
    for n in range(4):
        for coordinates in itertools.product(COORDINATES, repeat=n):
            yield "math.hypot", coordinates


def math_random(rng):
    while True:
        name = rng.choice(["gamma", "lgamma", "hypot"])
        wide = math.ldexp(rng.random() - 0.5, rng.randint(-1070, 1025))
        if name == "hypot":
            yield "math.hypot", tuple(rng.choice([rng.uniform(-10, 10), wide]) for _ in range(rng.randint(1, 5)))
        else:
            yield "math." + name, (rng.choice([rng.uniform(-6, 6), rng.uniform(-200, 200), 180 * rng.random(), wide]),)
