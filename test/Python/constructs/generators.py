"""Generators: laziness, several at once, state, return values, expressions, infinite, recursion."""


def count(n):
    print("started")
    for i in range(n):
        print("about to yield", i)
        yield i
    print("finished")


g = count(2)
print(next(g))
print(next(g))
try:
    next(g)
except StopIteration as e:
    print("stop", e.value)
print(next(g, "default"), list(count(1)))


def returns():
    yield 1
    return "result"


g = returns()
next(g)
try:
    next(g)
except StopIteration as e:
    print(e.value, e.args)


def naturals(n=0):
    while True:
        yield n
        n += 1


def take(n, it):
    for _, x in zip(range(n), it):
        yield x


def primes():
    found = []
    for n in naturals(2):
        if all(n % p for p in found):
            found.append(n)
            yield n


print(list(take(10, primes())), list(take(3, naturals(5))))
a, b = naturals(), naturals(10)
print(next(a), next(b), next(a), next(b))


def pipeline(xs):
    evens = (x for x in xs if x % 2 == 0)
    squares = (x * x for x in evens)
    return sum(squares)


print(pipeline(range(10)))
lazy = (print("evaluated", i) or i for i in range(2))
print("made")
print(list(lazy), list(lazy))
source = [1, 2, 3]
gen = (x * len(source) for x in source)
source = [9, 9]
print(list(gen))


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


print([x for _, x in zip(range(12), fib())])


def window(seq, n):
    it, buf = iter(seq), []
    for x in it:
        buf.append(x)
        if len(buf) == n:
            yield tuple(buf)
            buf.pop(0)


print(list(window("abcde", 3)))


def empty():
    return
    yield


print(list(empty()), sum(empty()), max(empty(), default="none"))


def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        for x in tree(n - 1):
            yield -x


print(list(tree(3)))


class Coll:
    def __init__(self, *xs):
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            yield x

    @property
    def doubled(self):
        return (x * 2 for x in self)


c = Coll(1, 2, 3)
print(list(c), list(c), list(c.doubled), sum(x for x in c), dict((x, x * x) for x in c), *c)
print(type(g).__name__, g.gi_frame is None, iter(g) is g, hasattr(g, "send"))


def interleave(*its):
    its = [iter(i) for i in its]
    while its:
        for i in its[:]:
            try:
                yield next(i)
            except StopIteration:
                its.remove(i)


print(list(interleave("abc", [1], (True, False))))
print(any(x > 2 for x in c), all(x > 0 for x in c), sorted((x % 2, x) for x in c), ",".join(str(x) for x in c), set(x % 2 for x in c))


def recursive_error():
    g = None

    def gen():
        yield next(g)
    g = gen()
    try:
        next(g)
    except ValueError as e:
        return str(e)


print(recursive_error())


def running_total():
    total = 0
    for x in (yield_list := [1, 2, 3]):
        total += x
        yield total
    yield_list.append("end")


print(list(running_total()))
matrix = [[1, 2], [3, 4]]
print(list(x * y for row in matrix for x in row for y in (1, 10) if x != 2))
