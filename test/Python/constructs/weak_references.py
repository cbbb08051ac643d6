"""weakref: who is still there, as far as reference counts say it."""
import copy
import weakref


class A:
    def __init__(self, k):
        self.k = k

    def double(self):
        return 2 * self.k

    def __add__(self, other):
        return self.k + (other.k if isinstance(other, A) else other)

    def __len__(self):
        return self.k

    def __getitem__(self, key):
        return self.k + key

    def __call__(self, n):
        return self.k * n


class Slotted:
    __slots__ = ("k",)


class WithRoom:
    __slots__ = ("k", "__weakref__")


a = A(3)
r = weakref.ref(a)
print(r() is a, r() == a, weakref.ref(a) is r, r == weakref.ref(a), hash(r) == hash(a), r.__callback__, type(r).__name__, isinstance(r, weakref.ReferenceType))
b = a
del a
print(r() is b, r().k)
del b
print(r(), r == r)


def local():
    c = A(4)
    found = weakref.ref(c)
    return found, found().k


kept, seen = local()
print(kept(), seen)
print([weakref.ref(A(1))() for _ in range(2)])
holder = [A(5)]
inside = weakref.ref(holder[0])
print(inside().k)
holder.clear()
print(inside())

p_of = A(6)
p = weakref.proxy(p_of)
print(p.k, p.double(), p + 1, 1 + p.k, p + p, len(p), p[2], p(3), isinstance(p, A), bool(p), type(p) is weakref.CallableProxyType)
p.k = 7
print(p_of.k, p == p_of)
del p_of
try:
    p.k
except ReferenceError as e:
    print(e)

for wrong in (1, "s", (1,), [1], {}, None, 2.5, Slotted()):
    try:
        weakref.ref(wrong)
    except TypeError as e:
        print(e)
with_room = WithRoom()
print(weakref.ref(with_room)() is with_room, weakref.ref(A)() is A, weakref.ref(local)() is local, weakref.ref(print)() is print)

values = weakref.WeakValueDictionary()
x, y = A(1), A(2)
values["x"], values["y"] = x, y
print(len(values), sorted(values), sorted(values.keys()), values["x"].k, "y" in values, "z" in values, values.get("z"), [v.k for v in values.values()], [(k, v.k) for k, v in values.items()])
del x
print(len(values), list(values), "x" in values, values.get("x", 5))
try:
    values["x"]
except KeyError as e:
    print("KeyError", e)
print(values.pop("y").k, len(values), values.setdefault("y", y) is y, values.pop("none", None))
values.update({"again": y})
print(sorted(values), sorted(values.copy()), sorted(values | {"more": y}))

keys = weakref.WeakKeyDictionary()
k1, k2 = A(1), A(2)
keys[k1], keys[k2] = "one", "two"
print(len(keys), keys[k1], k2 in keys, 5 in keys, keys.get(A(3), "none"), sorted(keys.values()), [k.k for k in keys])
del k2
print(len(keys), list(keys.values()), keys.pop(k1), len(keys))

members = weakref.WeakSet([k1])
m = A(9)
members.add(m)
members.add(m)
print(len(members), m in members, sorted(e.k for e in members))
del m
print(len(members), k1 in members, 3 in members)
members.discard(k1)
print(len(members))

method = weakref.WeakMethod(k1.double)
print(method()(), method() == k1.double)
print(copy.copy(r) is r, copy.deepcopy(r) is r)


class Node:
    def __init__(self, parent=None):
        self.parent, self.children = parent and weakref.ref(parent), []

    def add(self):
        self.children.append(Node(self))
        return self.children[-1]


root = Node()
child = root.add()
print(child.parent() is root, child.add().parent().parent() is root)
del root
print(child.parent() is None, len(child.children))
