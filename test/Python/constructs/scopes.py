"""global, nonlocal, class scope, comprehension scope, builtins shadowed, `del`."""
total = 0
name = "module"


def add(x):
    global total
    total += x
    return total


print(add(1), add(2), total)


def create():
    global made_here
    made_here = "made"


create()
print(made_here)


def local_first():
    try:
        print(name)
    except UnboundLocalError as e:
        print(type(e).__name__, isinstance(e, NameError))
    name = "local"
    return name


print(local_first(), name)


def outer():
    name = "outer"

    def middle():
        nonlocal name
        name = "middle"

        def inner():
            nonlocal name
            name += "+inner"
            return name
        return inner()
    return middle(), name


print(outer(), name)


class Body:
    name = "class"
    copy = name
    listed = [name for _ in range(2)]
    upper = [n.upper() for n in (name, copy)]

    def method(self):
        return name


print(Body.copy, Body.listed, Body.upper, Body().method())


def shadow(list=tuple):
    return list("ab")


print(shadow(), list("ab"))
len = lambda x: "shadowed"
print(len([1]))
del len
print(len([1]))

x = 5
del x
try:
    x
except NameError as e:
    print(e)

values = [1, 2, 3, 4, 5]
del values[0], values[-1]
print(values)
d = {"a": 1, "b": 2}
del d["a"]
print(d)
del values[:2]
print(values)


class A:
    pass


a = A()
a.field = 1
del a.field
print(hasattr(a, "field"))
try:
    del a.field
except AttributeError as e:
    print("AttributeError", e)
try:
    del d["zz"]
except KeyError as e:
    print("KeyError", e)
print([x for x in range(3)], "x" in globals())


def loop_variable():
    for i in range(3):
        last = i
    return i, last


print(loop_variable())
print(sorted(k for k in locals() if k in ("total", "name", "values")))


def local_names(p, q=2):
    r = p + q
    return sorted(locals().items())


print(local_names(1))
(total, name), *others = (7, "again"), 8, 9
print(total, name, others)
