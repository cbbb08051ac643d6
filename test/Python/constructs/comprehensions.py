"""List, set and dict comprehensions: nesting, conditions, scopes, unpacking, evaluation order."""
print([x * x for x in range(6)], [x for x in range(10) if x % 2 if x % 3], [(x, y) for x in range(3) for y in range(x)])
print({x % 3: x for x in range(7)}, sorted({x % 3 for x in range(7)}), {k: v for k, v in zip("abc", range(3))})
print([[j * i for j in range(3)] for i in range(3)], [row[1] for row in [[1, 2], [3, 4]]], [c for w in ["ab", "cd"] for c in w])
m = [[1, 2, 3], [4, 5, 6]]
print([[r[i] for r in m] for i in range(3)], list(zip(*m)), [x for r in m for x in r if x % 2 == 0])
x = "outer"
print([x for x in range(2)], x)
print([a + b for a, b in [(1, 2), (3, 4)]], [a for a, *b in ["xyz", "pq"]], [b for a, *b in ["xyz", "pq"]])
print([y := 10, *[y + i for i in range(2)]])


def outer(k):
    items = [k * i for i in range(3)]
    fs = [lambda: k + i for i in range(3)]
    return items, [f() for f in fs], {i: [k] * i for i in range(2)}, (lambda: [k for _ in range(2)])()


print(outer(5))


class C:
    n = 3
    squares = [i * i for i in range(n)]
    names = {str(i): i for i in squares}


print(C.squares, C.names)
log = []


def note(v):
    log.append(v)
    return v


[note(a) for a in [note("it1"), note("it2")] if note("cond")]
{note("k"): note("v") for _ in range(1)}
print(log)
print([i if i % 2 else -i for i in range(5)], [i and 1 or 0 for i in range(3)], [not i for i in (0, 1)])
print({frozenset([1, 2]): "fs"}, {(i, j): i * j for i in range(2) for j in range(2)}, {i: {j: i + j for j in range(2)} for i in range(2)})
print(sum([len(w) for w in "the quick brown fox".split()]), max([w for w in ["b", "aa"]], key=len), [*(i for i in range(3))], [*map(str, range(3))])
print([[]] * 2, [[] for _ in range(2)], [f"{i:02}" for i in range(3)], [i for i in "hello" if i not in "aeiou"])
print([n for n in range(2, 30) if all(n % d for d in range(2, int(n ** 0.5) + 1))])
print([(i, j) for i, row in enumerate(m) for j, v in enumerate(row) if v > 2], [s.strip() for s in " a , b ".split(",")])
try:
    [1 / i for i in (1, 0)]
except ZeroDivisionError as e:
    print(e)
try:
    [undefined_name for _ in range(1)]
except NameError as e:
    print(e)
print([i for i in range(3) for _ in range(i)], [[k for k in range(j)] for j in range(3)], [i for i in []])
nested = [[[i, j] for j in range(2)] for i in range(2)]
nested[0][0].append("x")
print(nested, [z for y in nested for x in y for z in x])
g = {k: [v for v in vs if v > 1] for k, vs in {"a": [1, 2], "b": [3]}.items()}
print(g, {v: k for k, v in {"a": 1}.items()}, {**{i: i for i in range(2)}, 5: 5})
funcs = {name: (lambda v, name=name: f"{name}{v}") for name in ("p", "q")}
print(funcs["p"](1), funcs["q"](2))
