"""Orders of sets whose members have a __hash__ written in Python."""
# needs: 64-bit
class H:
    def __init__(self, v): self.v = v
    def __hash__(self): return self.v
    def __eq__(self, o): return isinstance(o, H) and self.v == o.v
    def __repr__(self): return f"H{self.v}"
print({H(3), H(11)}, list({H(11), H(3)}))
print(H(13) in {H(5), H(13)}, 13 in {H(13)})
s = set()
for v in (5, 1, 13, 21, 29, 2, 100, -1, 7, 13, 5):
    s.add(H(v)); print(s)
s.discard(H(13)); s.discard(H(55)); print(s)
s.remove(H(5)); s.add(H(37)); s.add(4); s.add("a"); print(s, 4 in s, "a" in s)
try: s.remove(H(99))
except KeyError as e: print(e.args)
f = frozenset([H(3), H(11), H(19)])
print(f, set(f), frozenset(s), s.copy(), set(s))
t = {H(8), H(16), H(0)}
u = set(t); print(u, t | u, s | t)
a, b, c = H(3), H(11), H(19)
p, q = {a, b, c}, {c, b}
print(p & q, p - q, p ^ q, p | q, q | p, p - {a})
p |= q; p.update([H(27), H(3)]); print(p); p.update(t); print(p)
d = {H(9): 1, H(1): 2, H(17): 3}
print(set(d), {*d}, {*t}, {*t, *p}, set(d.keys()), {x for x in d})
print(p.pop(), p.pop(), p); p.add(H(64)); print(p)
from enum import Enum
class E(Enum):
    A = 1; B = 2; C = 3; D = 4
print({E.A, E.B, E.C, E.D}, frozenset(E), set(E))
from dataclasses import dataclass
@dataclass(frozen=True)
class P:
    x: int
    y: str
print({P(1, "a"), P(2, "b"), P(3, "c")})


class Same:
    """Its comparison changes the set."""
    def __init__(self, n): self.n = n
    def __hash__(self): return 7
    def __eq__(self, other):
        print("==", self.n, getattr(other, "n", other))
        return False
    def __repr__(self): return f"Same{self.n}"


s = {Same(1), Same(2), 7}
print(s, 7 in s, Same(3) in s)
s |= {15, 23}
print(s, 15 in s)


class Gone(Same):
    __hash__ = Same.__hash__

    def __eq__(self, other):
        print("gone", self.n)
        s.clear()
        return True


s = {Gone(1)}
print(Gone(2) in s, s)
for bad in ([], {}, set()):
    try:
        s.add(bad)
    except TypeError as e:
        print(type(e))
s = {Same(1)}
s.discard({1, 2})
print(len(s), (1,) in {(1,), Same(1)}, (2,) in {(1,), Same(1)})
