"""collections: OrderedDict, defaultdict, Counter, deque, namedtuple, ChainMap, UserDict."""
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

o = OrderedDict([("b", 1), ("a", 2)])
o["c"] = 3
o.move_to_end("b")
o.move_to_end("c", last=False)
print(list(o.items()), o.popitem(), o.popitem(last=False), list(o), o == {"a": 2}, OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), isinstance(o, dict), list(reversed(OrderedDict(x=1, y=2))))
d = defaultdict(list)
d["x"].append(1)
d["x"].append(2)
d["y"]
print(dict(d), d.get("zz"), "zz" in d, len(d), d.default_factory is list, defaultdict(int, a=1)["b"], defaultdict(lambda: "dflt")[5])
n = defaultdict(lambda: defaultdict(int))
n["a"]["b"] += 5
n["a"]["c"] -= 1
print({k: dict(v) for k, v in n.items()})
try:
    defaultdict(None)["q"]
except KeyError as e:
    print("KeyError", e)
c = Counter("mississippi")
print(c, c["s"], c["zz"], c.most_common(2), sorted(c.elements()), sum(c.values()), c.total())
c.update("sip")
c.subtract({"m": 5})
print(c, +c, c - Counter("ssss"), Counter(a=3) + Counter(a=1, b=2), Counter(a=3, b=1) & Counter(a=1, b=5), Counter(a=3) | Counter(a=1, b=2), Counter([1, 1, 2]), dict(Counter()), Counter(x=0) == Counter())
del c["s"]
print("s" in c, list(Counter("abca")), Counter(["b", "a", "b"]).most_common(), Counter({"q": 2})["q"])
q = deque([1, 2, 3], maxlen=4)
q.append(4)
q.append(5)
q.appendleft(0)
print(q, len(q), q[0], q[-1], q.maxlen, q.pop(), q.popleft(), list(q), 2 in q, q.count(2), q.index(3))
q.rotate(1)
q.extend([7, 8])
q.extendleft("ab")
print(q, list(reversed(q)), deque("abc"), deque(), bool(deque()), deque([1]) == deque([1]), deque([3, 1]) < deque([3, 2]))
q.reverse()
q.remove("a")
q.insert(1, "ins")
q[0] = "first"
print(q, q.copy() == q, [x for x in q], q.clear(), q)
for f in (lambda: deque().pop(), lambda: deque().popleft(), lambda: deque([1])[5], lambda: deque([1], maxlen=1).insert(0, 2)):
    try:
        f()
    except (IndexError, ValueError) as e:
        print(type(e).__name__, e)
P = namedtuple("P", "x y")
p = P(1, y=2)
print(p, p.x, p[1], p == (1, 2), p._asdict(), p._replace(x=5), P._fields, P._make([7, 8]), *p, len(p), isinstance(p, tuple), p + (3,), max(P(1, 2), P(0, 9)), {p: 1}[(1, 2)], hash(p) == hash((1, 2)))
Q = namedtuple("Q", ["a", "b", "c"], defaults=[10, 20])
print(Q(1), Q(1, 2), Q(a=0, c=5), Q._field_defaults, Q.__name__, Q(1) < Q(2))
a, b = p
print(a, b, f"{p}", "%s %s" % p, p.index(2), [v for v in p], P.x.__doc__)


class R(namedtuple("R", "w h")):
    __slots__ = ()

    @property
    def area(self):
        return self.w * self.h

    def __str__(self):
        return f"{self.w}x{self.h}"


print(R(2, 3).area, str(R(2, 3)), repr(R(2, 3)), R(1, 2)._replace(h=5).area)
for f in (lambda: P(1), lambda: P(1, 2, 3), lambda: setattr(p, "x", 3), lambda: p.zzz, lambda: namedtuple("B", "a a"), lambda: namedtuple("B", "class")):
    try:
        print(f())
    except (TypeError, AttributeError, ValueError) as e:
        print(type(e).__name__, e if not isinstance(e, AttributeError) or "zzz" in str(e) else "")
print(namedtuple("B", "a class _x", rename=True)._fields)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
m["c"] = 9
print(m["a"], m["b"], sorted(m), m.maps, m.new_child({"a": 0})["a"], len(m), m.parents["a"], m.get("zz", 0))
words = "one two three two one two".split()
by_len = defaultdict(set)
for w in words:
    by_len[len(w)].add(w)
print({k: sorted(v) for k, v in by_len.items()}, Counter(words).most_common(1), Counter(map(len, words)))


def bfs(graph, start):
    seen, queue, order = {start}, deque([start]), []
    while queue:
        node = queue.popleft()
        order.append(node)
        for nxt in graph.get(node, ()):
            if nxt not in seen:
                seen.add(nxt)
                queue.append(nxt)
    return order


print(bfs({1: [2, 3], 2: [4], 3: [4, 5], 4: [6], 5: [6]}, 1))
match p:
    case P(x=1, y=yy):
        print("matched", yy)
match Q(1, 2, 3):
    case (first, *others):
        print(first, others)
