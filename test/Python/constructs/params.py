"""Every kind of parameter, and every way to bind arguments to them."""


def plain(a, b):
    return a, b


def defaults(a, b=2, c=(3, 4)):
    return a, b, c


def rest(a, *more):
    return a, more


def keywords(a, **named):
    return a, named


def only(a, *, key, other="o"):
    return a, key, other


def positional(a, b=1, /, c=2):
    return a, b, c


def everything(a, b=1, /, c=2, *rest, d, e=5, **named):
    return a, b, c, rest, d, e, named


print(plain(1, 2), plain(b=1, a=2), plain(1, b=2))
print(defaults(1), defaults(1, 5), defaults(1, c=6), defaults(c=1, b=2, a=3))
print(rest(1), rest(1, 2), rest(1, 2, 3), rest(*[4, 5, 6]), rest(*"xyz"))
print(keywords(1), keywords(1, x=2, y=3), keywords(a=5, b=6), keywords(**{"a": 1, "z": 2}))
print(only(1, key=2), only(1, other=3, key=4), only(a=1, key=0))
print(positional(1), positional(1, 2), positional(1, 2, 3), positional(1, c=9))
print(everything(1, d=4))
print(everything(1, 2, 3, 4, 5, d=6, e=7, f=8, g=9))
print(everything(*range(6), d="d", **{"a": "kw a", "b": "kw b"}))
print(everything(*[1], *[2, 3], d=0, **{"p": 1}, **{"q": 2}))


def fails(call):
    try:
        print("no error", call())
    except TypeError as e:
        print("TypeError:", e)


fails(lambda: plain(1))
fails(lambda: plain())
fails(lambda: plain(1, 2, 3))
fails(lambda: plain(1, a=2))
fails(lambda: plain(1, 2, c=3))
fails(lambda: defaults())
fails(lambda: defaults(1, 2, 3, 4))
fails(lambda: rest())
fails(lambda: keywords())
fails(lambda: only(1))
fails(lambda: only(1, 2, key=3))
fails(lambda: positional(a=1))
fails(lambda: positional(1, b=2))
fails(lambda: everything(1))
fails(lambda: everything())
fails(lambda: keywords(1, **{"a": 2}))
fails(lambda: plain(**{"a": 1, "b": 2, "c": 3}))


class C:
    def method(self, x, y=0):
        return self is not None, x, y


c = C()
print(c.method(1), c.method(1, 2), c.method(y=3, x=4), C.method(c, 5))
fails(lambda: c.method())
fails(lambda: C.method())
fails(lambda: c.method(1, 2, 3))
print(plain.__name__, everything.__defaults__, everything.__kwdefaults__)
print((lambda *a, **k: (a, k))(1, 2, x=3))


def evaluation_order():
    seen = []

    def note(x):
        seen.append(x)
        return x

    keywords(note(1), b=note(2), c=note(3))
    plain(note("a"), note("b"))
    return seen


print(evaluation_order())
