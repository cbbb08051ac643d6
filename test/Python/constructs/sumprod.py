"""math.sumprod of floats: in three times the precision, so that it is the exact sum, rounded once."""
import math
import sys


class Draws:
    state = 12345

    def next(self):
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state

    def uniform(self, a, b):
        return a + (b - a) * (self.next() / 2**31)

    def randint(self, a, b):
        return a + self.next() // 64 % (b - a + 1)

    def choice(self, l):
        return l[self.next() // 64 % len(l)]


def exact(p, q):
    above, below = 0, 1
    for a, b in zip(p, q):
        (n, d), (m, e) = a.as_integer_ratio(), b.as_integer_ratio()
        above, below = above * d * e + n * m * below, below * d * e
    return above / below if p else 0


sumprod = getattr(math, "sumprod", exact)  # from 3.12 on
print(hasattr(math, "sumprod") == (sys.version_info >= (3, 12)))
draws = Draws()
for n in (0, 1, 2, 3, 7, 20):
    for k in range(6):
        p = [draws.uniform(-1, 1) * 10.0 ** draws.randint(-8, 8) for _ in range(n)]
        q = [draws.choice([draws.uniform(-1, 1) * 10.0 ** draws.randint(-8, 8), draws.randint(-5, 5), True, 1e16]) for _ in range(n)]
        print(repr(exact(p, q)), sumprod(p, q) == exact(p, q), sumprod(q, p) == exact(p, q))
print(sumprod([1e16, 1.0, -1e16], [1, 1, 1]), sumprod([0.1] * 10, [1] * 10) == exact([0.1] * 10, [1] * 10))
print(sumprod([2**62, 2**62, 0.5], [2, 2, 3]), sumprod([], []))
