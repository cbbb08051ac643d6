"""Iterator objects: shared state, exhaustion, classes as iterators, iter with sentinel, lazy chains."""
it = iter([1, 2, 3])
print(next(it), list(it), list(it), next(it, "done"))
a = [1, 2, 3]
i1, i2 = iter(a), iter(a)
print(next(i1), next(i1), next(i2), iter(i1) is i1)
a.append(4)
print(list(i1), list(i1))
a.append(5)
print(list(i1), next(i2))


class Fib:
    def __init__(self, limit):
        self.limit = limit

    def __iter__(self):
        self.a, self.b = 0, 1
        return self

    def __next__(self):
        if self.a > self.limit:
            raise StopIteration
        value = self.a
        self.a, self.b = self.b, self.a + self.b
        return value


f = Fib(20)
print(list(f), sum(f), max(f), 8 in f, 9 in f, [x for x in f if x % 2], dict(zip(f, "abc")))
first, second, *rest = f
print(first, second, rest, tuple(map(str, f)), sorted(f, reverse=True)[:2])


class Paged:
    def __init__(self, pages):
        self.pages, self.log = pages, []

    def __getitem__(self, i):
        self.log.append(i)
        return self.pages[i]


p = Paged(["x", "y"])
print(list(p), p.log, "y" in p, p.log)
d = {"a": 1, "b": 2}
print(next(iter(d)), list(iter(d.values())), next(iter(d.items())), list(reversed(d)))
values = [5, 3, 0, 7]
print(list(iter(values.pop, 0)), values)
z = zip(iter("abc"), iter("xyz"))
print(next(z), list(z))
e = enumerate(iter("ab"), 1)
print(next(e), list(e), list(e))
s = iter("hi")
print(next(s) + next(s), next(s, None), list(map(lambda p: p, iter(range(2)))), list(reversed(range(3))), next(reversed([1, 2])))
m = map(lambda x: x + 1, filter(lambda x: x % 2, iter(range(10))))
print(next(m), next(m), list(m))
pairs = iter([1, 2, 3, 4])
print([(x, next(pairs)) for x in pairs])
nested = [iter([1, 2]), iter("ab")]
print([next(n) for n in nested for _ in range(2)], [list(n) for n in nested])


class Ctx:
    def __iter__(self):
        print("open")
        try:
            yield from (1, 2, 3)
        finally:
            print("close")


for v in Ctx():
    if v == 2:
        break
print(list(zip(Ctx(), "ab")), v)
try:
    next(iter([]))
except StopIteration as err:
    print("stop", err.value)


def peek(xs):
    xs = iter(xs)
    try:
        head = next(xs)
    except StopIteration:
        return None, xs
    return head, xs


print(peek([])[0], peek("q")[0], list(peek([1, 2, 3])[1]))
