"""Cells: shared between closures, rebound, unbound."""


def counter(start=0):
    count = start

    def step(by=1):
        nonlocal count
        count += by
        return count

    def peek():
        return count

    return step, peek


step, peek = counter()
print(step(), step(), step(5), peek())
other, _ = counter(100)
print(other(), peek())
print(step.__closure__[0].cell_contents, step.__code__.co_freevars)


def layers(a):
    def second(b):
        def third(c):
            def fourth(d):
                return a, b, c, d
            return fourth
        return third
    return second


print(layers(1)(2)(3)(4))


def unbound():
    def read():
        return later
    try:
        read()
    except NameError as e:
        print(type(e).__name__, e)
    later = 5
    return read()


print(unbound())


def shared():
    box = []

    def put(x):
        box.append(x)

    def get():
        return list(box)

    return put, get


put, get = shared()
put(1), put("two")
print(get())


def rebinding():
    x = 1
    f = lambda: x
    x = 2
    g = lambda: x
    x = 3
    return f(), g()


print(rebinding())


def deleted():
    value = 1

    def use():
        return value

    del value
    try:
        return use()
    except NameError as e:
        return str(e)


print(deleted())


def parameter_cell(p):
    def change():
        nonlocal p
        p = p * 2
        return p
    return change(), change(), p


print(parameter_cell(3))


class Holder:
    base = 10

    def make(self):
        base = 20

        class Inner:
            base_seen = base

            def look(self):
                return base

        return Inner

    def methods(self):
        return [lambda k=k: (k, self.base) for k in "ab"]


inner = Holder().make()
print(inner.base_seen, inner().look())
print([m() for m in Holder().methods()])


def recursive():
    def fact(n):
        return 1 if n < 2 else n * fact(n - 1)
    return fact


print(recursive()(20), recursive()(25))


def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x
    return run


print(compose(lambda x: x + 1, str, len)(99), compose()(5))
