"""Comprehensions: whose their variables are, and what is left of them."""


def outer_variable():
    k = "mine"
    a = [k for k in range(3)]
    b = {k: [k for k in range(k)] for k in range(3)}
    return k, a, b, {k for k in "aab"} == {"a", "b"}


def never_bound():
    a = [k for k in range(3)]
    try:
        return k
    except NameError as e:
        return a, type(e).__name__


def after_an_exception():
    k = "mine"
    try:
        [1 // k for k in (2, 1, 0)]
    except ZeroDivisionError:
        return k


def unbound_after_an_exception(n):
    for _ in range(n):
        try:
            [1 // k for k in (1, 0)]
        except ZeroDivisionError:
            pass
    try:
        return k
    except NameError as e:
        return type(e).__name__


def in_a_loop():
    out = []
    for k in range(3):
        out.append([k * j for j in range(k + 1)])
        out.append([k for k in range(2)])
        out.append(k)
    return out


def captured():
    k = 10
    f = [lambda: k for k in range(3)]
    g = lambda: k
    k = 11
    return [h() for h in f], g(), k


def captured_outer(x):
    total = 0

    def add(v):
        nonlocal total
        total += v
        return total

    return [add(v) + x for v in range(3)], total, [(lambda: v + x)() for v in range(2)]


def nested(rows):
    return [[v * len(row) for v in row if v] for row in rows if row], [v for row in rows for v in row], \
        {len(r): {v: -v for v in r} for r in rows}


def in_the_iterable(x):
    return [a + 1 for a in [b * 2 for b in [c for c in x if c] if b > 2] if a], [a for a in (x if x else [5])]


def as_arguments(*args, **kw):
    return args, kw


def calls(xs):
    return as_arguments(*[x for x in xs], k=[x + 1 for x in xs], **{f"n{x}": x for x in xs})


def walrus(xs):
    a = [last := x for x in xs if x % 2]
    return a, last, [y for x in xs if (y := x * 2) > 3], y


def deleted():
    v = 1
    del v
    try:
        return [v for _ in range(1)]
    except NameError as e:
        return "NameError"


def deleted_inside(xs):
    v = 5
    a = [v + x for x in xs]
    del v
    v = 6
    return a, [v + x for x in xs]


def many_variables(pairs):
    a = b = c = "kept"
    d = [(a, b, c) for a, (b, *c) in pairs]
    return a, b, c, d


def first_of_each(xs):
    # The second iterable may name a variable that is not bound yet.
    try:
        return [a for a in xs for b in b]
    except NameError as e:
        return type(e).__name__


def generator_with_list(n):
    for k in range(n):
        got = yield [j * k for j in range(k)]
        if got:
            yield {got for _ in range(2)}


class Box:
    sizes = [s for s in range(3)]

    def __init__(self, n):
        self.items = [self.make(i) for i in range(n)]

    def make(self, i):
        return [__class__.__name__ + str(j) for j in range(i)]

    def twice(self):
        return [self.__class__(len(x)).items for x in self.items]


def in_finally(xs):
    out = []
    try:
        out += [10 // x for x in xs]
    except ZeroDivisionError:
        out += [x for x in xs]
    finally:
        out += [-x for x in xs]
    return out


def many_locals(a, b=2, *c, d=4, **e):
    f = [a + g for g in range(b)]
    h = {i: [j for j in c] for i in e}
    return f, h, sorted([d] + [k for k in c])


def conditional(flag, xs):
    return [x if flag else -x for x in xs] if xs else [flag for _ in range(2)], [x for x in xs or [0]][0]


print(outer_variable(), never_bound(), after_an_exception(), unbound_after_an_exception(2))
print(in_a_loop(), captured(), captured_outer(100))
print(nested([[1, 0, 2], [], [3]]), in_the_iterable([1, 0, 2]), in_the_iterable([]))
print(calls([1, 2]), walrus([1, 2, 3]), deleted(), deleted_inside([1, 2]))
print(many_variables([(1, (2, 3, 4)), (5, "ab")]), first_of_each([1]))
gen = generator_with_list(3)
print(next(gen), gen.send(7), next(gen), next(gen))
print(Box.sizes, Box(3).items, Box(2).twice(), in_finally([1, 2]), in_finally([1, 0]))
print(many_locals(1, 2, 3, 4, x=5), conditional(True, [1]), conditional(False, [1]), conditional(None, []))
