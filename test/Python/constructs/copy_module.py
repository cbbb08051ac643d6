"""copy.copy and copy.deepcopy: containers, instances, shared references, cycles, hooks."""
import copy

a = [1, [2, 3], {"k": [4]}, (5, [6])]
s, d = copy.copy(a), copy.deepcopy(a)
a[1].append("new")
a[2]["k"].append("new")
a[3][1].append("new")
print(s, d, s[1] is a[1], d[1] is a[1], s is a)
shared = [0]
both = [shared, shared, {"s": shared}]
e = copy.deepcopy(both)
e[0].append(1)
print(e, e[0] is e[1] is e[2]["s"], both)
cyc = [1]
cyc.append(cyc)
f = copy.deepcopy(cyc)
print(f, f[1] is f, f is not cyc)


class Node:
    def __init__(self, v, nxt=None):
        self.v, self.nxt, self.tags = v, nxt, [v]

    def __repr__(self):
        return f"N{self.v}{self.tags}" + (f">{self.nxt!r}" if self.nxt else "")


n = Node(1, Node(2))
c, dc = copy.copy(n), copy.deepcopy(n)
n.nxt.v = 20
n.tags.append("t")
print(n, c, dc, c.nxt is n.nxt, dc.nxt is n.nxt, type(dc).__name__)


class Hook:
    def __init__(self, v):
        self.v = v

    def __copy__(self):
        return Hook(("copied", self.v))

    def __deepcopy__(self, memo):
        return Hook(("deep", copy.deepcopy(self.v, memo)))


print(copy.copy(Hook(1)).v, copy.deepcopy([Hook([2])])[0].v)
t = (1, "a", (2, 3))
print(copy.copy(t) is t, copy.deepcopy(t) is t, copy.deepcopy((1, [2])) is (1, [2]) if False else True, copy.deepcopy(5), copy.copy("s"), copy.deepcopy(None), copy.deepcopy({1, 2}), copy.copy({"a": []}), copy.deepcopy(frozenset([1])), copy.deepcopy(len) is len, copy.deepcopy(Node) is Node, copy.copy(range(3)), copy.deepcopy(b"x"), copy.deepcopy(slice(1, 2)))


class L(list):
    pass


x = L([1, [2]])
x.extra = "attribute"
y = copy.copy(x)
z = copy.deepcopy(x)
print(type(y).__name__, y, y.extra, y[1] is x[1], z, z.extra, z[1] is x[1])
from dataclasses import dataclass, field


@dataclass
class D:
    v: list = field(default_factory=list)


p = D([1])
q, r = copy.copy(p), copy.deepcopy(p)
p.v.append(2)
print(p, q, r, q.v is p.v)
from collections import OrderedDict, defaultdict, deque

dd = defaultdict(list, a=[1])
ee = copy.deepcopy(dd)
ee["a"].append(2)
ee["b"].append(3)
print(dict(dd), dict(ee), copy.copy(deque([1, 2])), copy.deepcopy(OrderedDict(a=[1])) == OrderedDict(a=[1]))
fns = [lambda: 1]
print(copy.deepcopy(fns)[0] is fns[0], a.copy() == a, {"k": 1}.copy(), {1}.copy(), a[:] is a)
