"""Tuples: immutability, operations, nesting, comparison, singletons, methods, as keys."""
t = (1, "two", 3.0, None)
print(t, len(t), t[0], t[-1], t[1:3], t[::-1], (5,), (), tuple(), tuple("ab"), tuple([1]), 1, )
print((1, 2) + (3,), (0,) * 3, 2 * (1, 2), (1, 2) == (1, 2), (1, 2) < (1, 3), (1,) < (1, 0), (2,) > (1, 9), () < (0,))
print(t.index("two"), (1, 2, 1).count(1), "two" in t, 5 not in t, hash((1, 2)) == hash((1, 2)), {(1, 2): "k"}[1, 2])
x = 1, 2
x += (3,)
y = x
x += (4,)
print(x, y, x is y)
nested = ((1, (2, 3)), [4, (5,)])
nested[1].append(6)
(a, (b, c)), d = nested
print(nested, a, b, c, d, nested[0][1][0])
print(max((1, 5), (1, 3)), min([(2, "a"), (1, "z")]), sorted([(2, 1), (1, 2), (1, 1)]), sum((1, 2, 3)), list(zip(*((1, 2), (3, 4)))))
print(isinstance(t, tuple), type(()) is tuple, bool(()), bool((0,)), (1, 2, 3)[True], ((),) == ((),), repr((1,)), str(("a", "b'")))
for i, v in enumerate(("p", "q")):
    print(i, v, end=" ")
print(*(1, 2), sep="|")


def several():
    return 1, (2, 3), [4]


one, (two, three), [four] = several()
print(one, two, three, four, several()[1])
swap = (1, 2)
swap = swap[::-1]
print(swap, (*swap, 0), (lambda *a: a)(1, 2), tuple(i * 2 for i in range(3)), tuple(reversed((1, 2))))


def attempt(fn):
    try:
        print(fn())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: (1,)[3])
attempt(lambda: hash(([],)))
attempt(lambda: (1,) + [2])
attempt(lambda: (1, 2).index(5))
attempt(lambda: (1, "a") < (1, 2))
attempt(lambda: (1,).append(2))
print((1, 2, 3) == [1, 2, 3], (1, 2).__class__.__name__, (1, 2).__len__(), ((1, 2), 3) > ((1, 1), 9), (float("nan"),) == (float("nan"),))
