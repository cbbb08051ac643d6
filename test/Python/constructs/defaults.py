"""Defaults are evaluated once, where the function is defined."""


def collect(x, into=[]):
    into.append(x)
    return into


print(collect(1), collect(2), collect(3, []), collect(4))

n = 10


def scaled(x, by=n * 2):
    return x * by


n = 0
print(scaled(3), n)

made = []
for i in range(3):
    def bound(x, i=i):
        return x + i
    made.append(bound)
print([f(10) for f in made])

late = [lambda: i for i in range(3)]
print([f() for f in late])
late = [lambda i=i: i for i in range(3)]
print([f() for f in late])


def sentinel(value=None, *, cache={}):
    key = "none" if value is None else value
    cache[key] = cache.get(key, 0) + 1
    return dict(cache)


print(sentinel())
print(sentinel(3))
print(sentinel())


def outer(k):
    def inner(a, b=k, *, c=k + 1):
        return a, b, c
    return inner


print(outer(1)(0), outer(5)(0, c=2), outer(7)(0, 1))
collect.__defaults__ = ("fresh",)
try:
    collect(1)
except AttributeError as e:
    print(e)
scaled.__defaults__ = None
try:
    scaled(1)
except TypeError as e:
    print(e)
