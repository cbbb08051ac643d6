"""Assignment to tuples, lists, stars, nested targets; swaps; star expressions; errors."""
a, b = 1, 2
a, b = b, a
print(a, b)
[c, d] = "xy"
(e, (f, g)), h = (1, (2, 3)), 4
print(c, d, e, f, g, h)
first, *middle, last = range(6)
print(first, middle, last)
*init, tail = "abc"
head, *none = [1]
print(init, tail, head, none)
(x, *y), *z = [[1, 2, 3], 4, 5]
print(x, y, z)
for i, (j, *k) in enumerate([(1, 2, 3), (4,), "pq"]):
    print(i, j, k)
obj = {"k": 0}
lst = [0, 0, 0]
obj["k"], lst[1], lst[-1:] = 5, 6, [7, 8]
print(obj, lst)
i, lst[i] = 2, "set"
print(i, lst)
p = q = r = []
p.append(1)
print(q is r, r)
print([*range(3), *"ab", *{"k": 1}], (*[1], 2, *(3,)), {*[1, 2], *[2, 3]} == {1, 2, 3})
print({**{"a": 1, "b": 2}, "b": 3, **{"c": 4}})
print(*[1, 2], *"ab", sep="-")


def swap3(a, b, c):
    a, b, c = c, a, b
    return a, b, c


def rotate4(a, b, c, d):
    a, b, c, d = d, c, b, a
    return a, b, c, d


print(swap3(1, 2, 3), rotate4(1, 2, 3, 4))


def it():
    yield 1
    yield 2


m, n = it()
print(m, n)


def attempt(f):
    try:
        print(f())
    except (ValueError, TypeError) as e:
        print(type(e).__name__ + ":", e)


def too_few():
    a, b, c = 1, 2
    return a


def star_few():
    a, b, *c = [1]
    return a


def not_iterable():
    a, b = 5
    return a


def none_iterable():
    a, b = None
    return a


for f in (too_few, star_few, not_iterable, none_iterable):
    attempt(f)
attempt(lambda: [*5])
attempt(lambda: {**[1]})
a = b, c = 3, 4
print(a, b, c)
(a), b = 1, 2
print(a, b)


def returns():
    return 1, *[2, 3]


print(returns())
total = 0
for total, in [(1,), (2,)]:
    pass
print(total)


def raises_behind_one():
    yield 1
    raise ValueError("behind one")


class NotIterated:
    def __iter__(self):
        raise KeyError("iter")


class Pair:
    def __iter__(self):
        return iter([1, 2])


def caught():
    seen = []
    try:
        a, *b = raises_behind_one()
    except ValueError as problem:
        seen.append(str(problem))
    try:
        a, b = raises_behind_one()
    except ValueError as problem:
        seen.append(str(problem))
    try:
        a, b = NotIterated()
    except KeyError as problem:
        seen.append(str(problem))
    for a, b in [Pair(), Pair()]:
        seen.append(a + b)
    try:
        for a in (each for each in NotIterated()):
            pass
    except KeyError:
        seen.append("loop")
    return seen


print(caught())
try:
    a, b = raises_behind_one()
except ValueError:
    print("at the top")
