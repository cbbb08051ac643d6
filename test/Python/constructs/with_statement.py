"""with: order, suppression, several managers, nested, exceptions inside enter and exit, return inside."""


class Manager:
    def __init__(self, name, suppress=False, fail=None):
        self.name, self.suppress, self.fail = name, suppress, fail

    def __enter__(self):
        print("enter", self.name)
        if self.fail == "enter":
            raise RuntimeError("enter " + self.name)
        return self.name.upper()

    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind.__name__ if kind else None, value, tb is not None)
        if self.fail == "exit":
            raise RuntimeError("exit " + self.name)
        return self.suppress


with Manager("a") as a:
    print("body", a)
with Manager("a") as a, Manager("b") as b:
    print(a, b)
with (Manager("p") as p, Manager("q")):
    print(p)
with Manager("s", suppress=True):
    raise ValueError("hidden")
print("after")
try:
    with Manager("outer"), Manager("inner"):
        raise KeyError("k")
except KeyError as e:
    print("caught", e)
with Manager("outer", suppress=True):
    with Manager("inner"):
        1 / 0
try:
    with Manager("x"), Manager("y", fail="enter"):
        print("never")
except RuntimeError as e:
    print(e)
try:
    with Manager("z", fail="exit"):
        raise ValueError("first")
except RuntimeError as e:
    print(e, "context:", repr(e.__context__))


def returns():
    with Manager("r") as r:
        return r + " returned"


print(returns())


def loops():
    for i in range(4):
        with Manager(str(i)):
            if i == 1:
                continue
            if i == 2:
                break
    return i


print(loops())


def swallow():
    with Manager("sw", suppress=True):
        raise ValueError
    return "went on"


print(swallow())


class Target:
    pass


t = Target()
with Manager("attr") as t.value:
    pass
box = {}
with Manager("item") as box["k"]:
    pass


class Pair:
    def __enter__(self):
        return 1, (2, 3)

    def __exit__(self, *args):
        return None


with Pair() as (x, (y, z)):
    print(x, y, z)
print(t.value, box)


def generator():
    with Manager("gen"):
        yield 1
        yield 2


print(list(generator()))
g = generator()
print(next(g))
g.close()
try:
    with 5:
        pass
except (TypeError, AttributeError) as e:
    print("not a manager")


class Truthy:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        return "yes"


with Truthy() as same:
    raise Exception("gone")
print(type(same).__name__)


def finally_and_with():
    try:
        with Manager("fw"):
            return "value"
    finally:
        print("finally")


print(finally_and_with())
