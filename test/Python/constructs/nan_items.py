"""NaN in sets: one object is one item, whatever it compares equal to."""
import math

n, m = float("nan"), float("nan")
print(n is m, n in [m], {n: 1}.get(m), len({n, m}), n in {m}, math.nan in {n})
print(n in {n}, n in frozenset((n,)), len({n, n}), len({math.nan, math.nan}), len(set([n, n, 1.0])), len({(n,), (n,)}))
s = {n}
s.add(n)
s.discard(m)
print(len(s))
s.discard(n)
print(s, {1.0, n} - {n}, {n} & {n} == {n}, 0.0 ** -math.inf, 0.0 ** math.inf)
