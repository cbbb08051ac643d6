"""yield from: delegation of next, send, throw and close, return values, over plain iterables."""


def inner():
    try:
        x = yield "inner 1"
        print("inner got", x)
        y = yield "inner 2"
        return (x, y)
    except ValueError as e:
        print("inner caught", e)
        yield "recovered"
        return "after error"
    finally:
        print("inner finally")


def outer():
    result = yield from inner()
    print("result", result)
    yield "outer"
    return "outer done"


g = outer()
print(next(g), g.send("A"), g.send("B"))
try:
    next(g)
except StopIteration as e:
    print(e.value)
g = outer()
next(g)
print(g.throw(ValueError("thrown")), next(g))
g.close()
g = outer()
next(g)
g.close()


def flat(x):
    if isinstance(x, list):
        for y in x:
            yield from flat(y)
    else:
        yield x


print(list(flat([1, [2, [3, [4]], 5], [[]], 6])))


def chain(*its):
    for it in its:
        yield from it


print(list(chain("ab", [1, 2], range(2), {"k": 1}, (x for x in (9,)))))


def total():
    s = 0
    while True:
        v = yield
        if v is None:
            return s
        s += v


def report(out):
    while True:
        out.append((yield from total()))


out = []
r = report(out)
next(r)
for v in (1, 2, None, 10, None, 5):
    r.send(v)
print(out)


def returns_only():
    return 7
    yield


def uses():
    v = yield from returns_only()
    w = yield from []
    yield v, w


print(list(uses()))


class Iter:
    def __init__(self):
        self.n = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.n += 1
        if self.n > 2:
            raise StopIteration("iter value")
        return self.n


def delegate():
    return (yield from Iter())


d = delegate()
print(next(d), next(d))
try:
    next(d)
except StopIteration as e:
    print(e.value)
d = delegate()
next(d)
try:
    d.send(5)
except AttributeError as e:
    print(e)


def deep(n):
    if n == 0:
        got = yield "bottom"
        return [got]
    return (yield from deep(n - 1)) + [n]


d = deep(5)
print(next(d))
try:
    d.send("sent")
except StopIteration as e:
    print(e.value)


def bad():
    yield from 5


try:
    next(bad())
except TypeError as e:
    print(e)


def expr():
    x = [(yield 1), (yield 2)]
    y = {"k": (yield from [3, 4])}
    yield x, y


e = expr()
print(next(e), e.send("a"), e.send("b"), next(e), next(e))
