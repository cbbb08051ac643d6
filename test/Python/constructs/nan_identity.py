"""A NaN is found in a set by being the same object, as in a list and a dict."""
import math

n, m = float("nan"), float("nan")
made = math.inf - math.inf
print(n in {n}, m in {n}, len({n, n}), len({n, m}), made in {made}, len({made, made}))
print((n,) in {(n,)}, len({(n,), (n,)}), len({(n,), (m,)}), len(set([n, n, m])), len(frozenset((n, n))))
print(n in frozenset([n]), m in frozenset([n]), {n} == {n}, {n} == {m}, {n} <= {n, m}, {n} < {n, m})

s = {n, 1.0}
s.add(n)
s.add(m)
print(len(s), n in s, m in s, 1 in s)
s.discard(n)
print(len(s), n in s, m in s)
s.remove(m)
print(s)
try:
    s.remove(n)
except KeyError as e:
    print("KeyError", e)

print(len({n, m} & {m}), len({n, m} - {n}), len({n} | {n, m}), len({n} ^ {n, m}), {n}.isdisjoint({m}), {n}.isdisjoint({n}))
d = {n: 1}
d[n], d[m] = 2, 3
print(len(d), d[n], d[m], d.keys() == {n, m}, d.keys() & {n} == {n})
print([n] == [n], [n] == [m], [n, m].index(m), n in [n], m in (n,), {1: n} == {1: n}, {1: n} == {1: m})
print(type(None)(), type(...)(), type(NotImplemented)(), type(None)() is None, bool(type(None)()))
