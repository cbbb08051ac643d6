"""Dicts that change while they are walked over."""
import collections


def walk(d, change, view=lambda d: d):
    out = []
    try:
        for k in view(d):
            out.append(k)
            change(d, k)
            if len(out) > 8:
                break
    except RuntimeError as e:
        out.append(str(e))
    print(out, dict(d))


def grow(d, k):
    d[k, 1] = 0


def shrink(d, k):
    del d["c"]


def put(d, k):
    d[k] = 5


def replace_before(d, k):
    if k == "b":
        put_back = d.pop("a")
        d["a"] = put_back


for change in (grow, shrink, put):
    walk({"a": 1, "b": 2, "c": 3}, change)
walk({"a": 1, "b": 2, "c": 3}, lambda d, k: d.update(a=7), lambda d: d.values())
walk({"a": 1, "b": 2, "c": 3}, lambda d, k: d.clear(), lambda d: d.items())

# What was taken out before, or after, is another matter; so is another dict.
d = {"a": 1, "b": 2, "c": 3}
del d["a"]
d["a"] = 4
walk(d, put)
first = iter(d)
print(next(first))
d["b"] = d.pop("b")
print(list(d), [k for k in d])
walk({"a": 1}, lambda _, k: d.pop("a", None))
q = {i: i for i in range(50)}
n = 0
while q:
    n = n * 3 % 1000003 + q.pop(next(iter(q)))
print(n)

O = collections.OrderedDict
for change in (lambda d, k: d.move_to_end("a"), lambda d, k: d.move_to_end("c"), lambda d, k: d.move_to_end("a", last=False), put, grow,
               shrink, replace_before, lambda d, k: d.popitem()):
    walk(O(a=1, b=2, c=3), change)
    walk(O(a=1, b=2, c=3), change, lambda d: d.keys())
o = O(a=1, b=2, c=3)
try:
    for k in o:
        o.clear()
except RuntimeError as e:
    print(type(e).__name__)
walk(O(a=1, b=2, c=3), lambda d, k: (d.clear(), d.update(x=1, y=2, z=3)))
walk(O(a=1, b=2, c=3), lambda d, k: d.move_to_end("a") if k == "c" else None)
walk(O(a=1, b=2, c=3), lambda d, k: d.pop("a") if k == "c" else None)
walk(O(a=1, b=2, c=3), lambda d, v: d.move_to_end("a") if v == 1 else None, lambda d: d.values())
