"""Decorators: plain, with arguments, stacked, on methods and classes, as classes."""
import functools


def trace(f):
    def wrapper(*args, **kwargs):
        print("call", f.__name__, args, kwargs)
        result = f(*args, **kwargs)
        print("done", result)
        return result
    return wrapper


def repeat(times):
    def decorate(f):
        @functools.wraps(f)
        def wrapper(*args):
            return [f(*args) for _ in range(times)]
        return wrapper
    return decorate


@trace
def add(a, b=1):
    "adds"
    return a + b


@repeat(3)
def one():
    "gives one"
    return 1


@repeat(2)
@trace
def two(x):
    return x * 2


print(add(1), add(1, b=5))
print(one(), one.__name__, one.__doc__, add.__name__)
print(two(4))
print(one.__wrapped__())


class Count:
    def __init__(self, f):
        self.f = f
        self.n = 0

    def __call__(self, *args):
        self.n += 1
        return self.f(*args)


@Count
def counted(x):
    return x


counted(1), counted(2)
print(counted.n, counted(3), counted.n)

registry = {}


def register(name):
    def put(thing):
        registry[name] = thing
        return thing
    return put


@register("f")
def f():
    return "f"


@register("C")
class C:
    @staticmethod
    def s(x):
        return x + 1

    @classmethod
    def c(cls, x):
        return cls.__name__, x

    @property
    def p(self):
        return "p"

    @trace
    def m(self_, x):
        return x * 3

    @staticmethod
    @repeat(2)
    def both(x):
        return x


print(sorted(registry), registry["f"](), C.s(1), C().c(2), C().p, C.both(5))


class Quiet:
    def __repr__(self):
        return "<quiet>"

    @trace
    def m(self, x):
        return x


Quiet().m(4)


def add_method(cls):
    cls.extra = lambda self: "extra " + type(self).__name__
    return cls


@add_method
class D:
    pass


print(D().extra())


def not_a_function(f):
    return 42


@not_a_function
def gone():
    pass


print(gone)
order = []


def mark(n):
    order.append(("make", n))

    def deco(f):
        order.append(("apply", n))
        return f
    return deco


@mark(1)
@mark(2)
@mark(3)
def marked():
    pass


print(order)
handlers = [lambda f: (f, "zero"), lambda f: (f(), "one")]


@handlers[1]
def picked():
    return "picked"


print(picked)
