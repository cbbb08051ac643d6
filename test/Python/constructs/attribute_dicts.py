"""The dict of an object and the views of a dict, used in every way that looks at their members."""
import copy


class Plain:
    def __init__(self, *names):
        for n, name in enumerate(names):
            setattr(self, name, [n])


USES = {
    "if": lambda d: 1 if d else 2, "not": lambda d: not d, "and": lambda d: d and 3, "bool": bool, "len": len, "list": list,
    "in": lambda d: "a" in d, "get": lambda d: d.get("a"), "items": lambda d: list(d.items()), "eq": lambda d: d == {"a": [0], "b": [1]},
    "eq of": lambda d: {"a": [0], "b": [1]} == d, "ne": lambda d: d != {}, "or": lambda d: d | {"c": 1}, "of or": lambda d: {"c": 1} | d,
    "copy": copy.copy, "deepcopy": copy.deepcopy, "call": lambda d: (lambda **k: k)(**d), "display": lambda d: {**d}, "dict": dict, "sorted": sorted,
    "keys": lambda d: d.keys() & {"a"}, "if keys": lambda d: 1 if d.keys() else 2, "if values": lambda d: 1 if d.values() else 2,
    "not items": lambda d: not d.items(), "bool keys": lambda d: bool(d.keys()), "in a list": lambda d: d in [{"a": [0], "b": [1]}],
    "eq in a list": lambda d: [d] == [{"a": [0], "b": [1]}], "update": lambda d: (lambda made: (made.update(d), made)[1])({}), "any": any,
    "format": lambda d: "%(a)s" % d if "a" in d else None, "reversed": lambda d: list(reversed(d)), "next": lambda d: next(iter(d), None)}
for title, use in USES.items():
    print(title, use(Plain("a", "b").__dict__), use(Plain().__dict__), use({"a": [0], "b": [1]}), use({}))
p = Plain("a")
d = p.__dict__
keys = d.keys()
p.b = [1]
print(len(d), len(keys), 1 if d else 2, d == {"a": [0], "b": [1]})
del p.a, p.b
print(len(d), len(keys), 1 if d else 2, 1 if keys else 2, [d] == [{}])
