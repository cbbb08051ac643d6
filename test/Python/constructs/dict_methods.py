"""Dicts: insertion order, every method, views, merging, keys that are equal, iteration, repr."""
d = {"b": 2, "a": 1}
d["c"] = 3
d["b"] = 20
print(d, len(d), list(d), d["a"], d.get("z"), d.get("z", 0), "a" in d, "z" not in d)
print(d.keys(), d.values(), d.items(), list(d.items())[0], list(reversed(d)))
print(d.pop("a"), d.pop("zz", "default"), d.popitem(), d)
print(d.setdefault("b", 1), d.setdefault("n", []), d)
d["n"].append(1)
d.update({"x": 1}, y=2)
d.update([("z", 3)])
d.update(b=0)
print(d)
e = d.copy()
e["b"] = "changed"
e["n"].append(2)
print(d["b"], d["n"], d == e, d is e)
del d["x"]
d.clear()
print(d, bool(d))
print(dict(a=1, b=2), dict([("k", "v")]), dict({"a": 1}, b=2), dict(zip("ab", [1, 2])), dict.fromkeys("abc"), dict.fromkeys([1, 2], 0), dict())
print({"a": 1} | {"b": 2, "a": 3}, {**{"a": 1}, "a": 2}, {"a": 1} == {"a": 1.0})
m = {"a": 1}
m |= {"c": 3}
m |= [("d", 4)]
print(m)
k = {1: "int", 1.0: "float", True: "bool", "1": "str", (1,): "tuple", None: "none", frozenset(): "fs"}
print(k, len(k), k[1], k[(1,)], k[None])
views = m.keys()
m["later"] = 5
print(list(views), "later" in views, views & {"a", "zz"}, sorted(views | {"q"}), sorted(views - {"a"}), m.items() >= {("a", 1)}, {"a"} <= views)
print(views == set(m), sorted(views ^ {"a", "new"}), m.values() == m.values(), ("a", 1) in m.items(), 5 in m.values(), len(m.items()))
for i, (key, value) in enumerate(m.items()):
    print(i, key, value, end="; ")
print()
print({k: v for k, v in sorted(m.items(), key=lambda kv: -kv[1])}, min(m), max(m, key=m.get), sum(m.values()), sorted(m, reverse=True))
nested = {"a": {"b": {"c": [1, {"d": 2}]}}}
nested["a"]["b"]["c"][1]["d"] += 5
print(nested, nested.get("a", {}).get("x", {}).get("y", "deep default"))
groups = {}
for w in "apple avocado bean blueberry cherry".split():
    groups.setdefault(w[0], []).append(w)
print(groups)
counts = {}
for c in "mississippi":
    counts[c] = counts.get(c, 0) + 1
print(counts, sorted(counts, key=lambda c: (-counts[c], c)))
order = {}
for i in range(5):
    order[i] = i
del order[1], order[3]
order[1] = "again"
print(order, next(iter(order)), list(order)[-1])
big = {i: i * i for i in range(100)}
for i in range(0, 100, 3):
    del big[i]
print(len(big), sum(big), sum(big.values()), list(big)[:5])
inv = {v: k for k, v in {"x": 1, "y": 2, "z": 1}.items()}
print(inv, {1: {2: {3: {}}}}, {"self": {}.keys()}, str({}), repr({"a": "b'c"}))
cyc = {}
cyc["me"] = cyc
print(cyc)


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: {}["x"])
attempt(lambda: {}[("a", 1)])
attempt(lambda: {}.popitem())
attempt(lambda: {}.pop("q"))
attempt(lambda: dict([("a",)]))
attempt(lambda: {} | 5)
attempt(lambda: dict(**{"a": 1}, **{"a": 2}))


def grow():
    x = {1: 1}
    for key in x:
        x[key + 1] = 1


attempt(grow)


class K:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return self.v % 3

    def __eq__(self, o):
        return self.v == o.v

    def __repr__(self):
        return f"K{self.v}"


t = {K(i): i for i in range(7)}
print(t, t[K(4)], K(9) in t, t.pop(K(3)), list(t))
