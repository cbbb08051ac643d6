"""partial, wraps, reduce, lru_cache, cache, cached_property, cmp_to_key, singledispatch, total_ordering."""
import functools
from functools import cmp_to_key, partial, reduce, total_ordering


def f(a, b, c=3, *rest, d=4, **named):
    return a, b, c, rest, d, named


p = partial(f, 1, d=9)
print(p(2), p(2, 3, 4, 5), p(2, d=0, e=1))
print(p.func is f, p.args, p.keywords)
q = partial(p, 7, z=1)
print(q(), q.args, q.keywords, q(c="c"))
print(list(map(partial(pow, 2), range(6))), partial(int, base=2)("1011"))
print(reduce(lambda a, b: a * b, [1, 2, 3, 4]), reduce(lambda a, b: a + b, ["x", "y"], "s"), reduce(max, [3, 9, 2]))
try:
    reduce(lambda a, b: a, [])
except TypeError as e:
    print("TypeError", e)


def deco(g):
    @functools.wraps(g)
    def inner(*args, **kwargs):
        "inner doc"
        return g(*args, **kwargs)
    return inner


@deco
def named(x: int) -> str:
    "named doc"
    return str(x)


named.tag = 1
print(named.__name__, named.__doc__, named.__wrapped__(5), named(6), deco(named).tag)


@functools.lru_cache(maxsize=None)
def slow(n):
    print("computing", n)
    return n * n


print(slow(3), slow(3), slow(4), slow(3))
print(slow.cache_info().hits, slow.cache_info().misses)
slow.cache_clear()
print(slow(3))


@functools.cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(90))


@functools.lru_cache(maxsize=2)
def small(n):
    print("miss", n)
    return n


for n in (1, 2, 1, 3, 2, 1):
    small(n)


class Circle:
    def __init__(self, r):
        self.r = r

    @functools.cached_property
    def area(self):
        print("area")
        return self.r * self.r * 3

    @functools.partialmethod
    def nothing(self):
        return "n"

    def scale(self, by, plus):
        return self.r * by + plus

    double = functools.partialmethod(scale, 2, plus=1)


c = Circle(2)
print(c.area, c.area, "area" in c.__dict__, c.double())
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
print(sorted(["bb", "a", "cc"], key=cmp_to_key(lambda a, b: len(a) - len(b) or (a > b) - (a < b))))


@total_ordering
class Version:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n


a, b = Version(1), Version(2)
print(a < b, a <= b, a > b, a >= b, a == Version(1), max(a, b).n)


@functools.singledispatch
def show(x):
    return f"object {x}"


@show.register
def _(x: int):
    return f"int {x}"


@show.register(list)
def _(x):
    return f"list of {len(x)}"


print(show(1), show([1, 2]), show("s"), show(True))


def wrapped():
    pass


def wrapper():
    pass


wrapped.d, wrapper.d, wrapped.n = {'k': 1}, {'j': 2}, 5
print(functools.update_wrapper(wrapper, wrapped, updated=('d',)).d, hasattr(wrapper, 'n'))
try:
    functools.update_wrapper(wrapper, wrapped, updated=('nope',))
except AttributeError as e:
    print(e)


class Sees:
    def __setattr__(self, name, value):
        print('set', name)
        object.__setattr__(self, name, value)

    def __call__(self):
        pass


functools.update_wrapper(Sees(), wrapped, assigned=())
