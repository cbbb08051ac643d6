"""zip, map, filter, enumerate, reversed, any, all, sum, min, max, iter with sentinel, divmod, pow, round."""
print(list(zip([1, 2, 3], "ab")), list(zip()), list(zip([1])), list(zip([1, 2], [3, 4], [5, 6], strict=True)), dict(zip("ab", range(5))))
print(list(map(abs, [-1, 2])), list(map(lambda a, b: a + b, [1, 2, 3], [10, 20])), list(map(str.upper, "ab")), list(map(int, "123")), tuple(map(bool, [0, "", "a"])))
print(list(filter(None, [0, 1, "", "a", []])), list(filter(lambda x: x > 1, [1, 2, 3])), list(filter(str.isdigit, "a1b2")))
print(list(enumerate("ab")), list(enumerate("ab", 5)), list(enumerate([], start=3)), [f"{i}:{c}" for i, c in enumerate("xyz", -1)])
print(list(reversed([1, 2, 3])), list(reversed("ab")), list(reversed(range(3))), list(reversed((1,))), "".join(reversed("hello")))
print(any([0, 1]), any([]), all([1, 0]), all([]), any(x > 3 for x in range(5)), all(isinstance(x, int) for x in [1, True]))
print(sum([1, 2, 3]), sum([1.5, 2]), sum([], 5), sum([[1], [2]], []), sum(x for x in range(4)), sum([True, True]), sum((0.1,) * 3) == 0.1 + 0.1 + 0.1, sum([1, 2], start=10))
print(min(1, 2), max("abc"), min([3, 1, 2]), max(1, 2.0), max(2, 2.0), min((1, 2), (0, 9)), max({"a": 1, "b": 0}), min("b", "a", key=ord), max([], default="none"))
print(divmod(17, 5), divmod(-17, 5), divmod(17, -5), divmod(5.5, 2), pow(2, 10), pow(2, 10, 1000), pow(3, -1, 7), pow(2.0, 3), pow(2, -1), abs(-3), abs(-2.5), abs(3 + 4j))
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), round(1.0), round(0.5), round(1e20), round(1.25, 1), round(7, 1), round(2.5, 0), round(-0.4))
data = iter([1, 2, 0, 3])
print(list(iter(lambda: next(data), 0)), list(data))
print(chr(65), ord("a"), chr(8364), ord("€"), hex(255), oct(8), bin(10), hex(-255), bin(-2), ascii("é€"), repr("é"), callable(len), callable(5))
print(bool(0), bool("0"), int(3.9), int(-3.9), int("42"), int(" -7 "), int("0x1f", 16), int("101", 2), int("z", 36), int(True), int("1_000"), float("1e3"), float(" 2.5 "), float("inf"), str(5), str(None))
m = map(lambda x: x * 2, [1, 2, 3])
print(next(m), list(m), list(m), type(m).__name__, type(zip()).__name__, type(filter(None, [])).__name__, type(enumerate([])).__name__, type(reversed([])).__name__)
print(isinstance(1, int), isinstance(True, int), isinstance(1, (str, float)), isinstance("a", str | int), issubclass(bool, int), type(1) is int, type(None).__name__, isinstance([], object))
print(list(zip(*[[1, 2, 3], [4, 5, 6]])), list(map(list, zip(*[[1, 2], [3, 4]]))), list(zip("abc", range(3), [True, False, None])))
print(sorted(map(len, ["aaa", "b"])), max(map(len, ["x", "yy"])), sum(map(lambda p: p[0] * p[1], zip([1, 2], [3, 4]))), list(map(lambda x: x, filter(lambda x: x % 2, range(6)))))
it = iter([1, 2, 3])
print(list(zip(it, it)), next(it, "exhausted"), list(map(max, [1, 5], [3, 2])), list(filter(lambda kv: kv[1], {"a": 0, "b": 1}.items())))
print(hash(1) == hash(1.0) == hash(True), id([]) != 0, len("abc"), len({}), len(range(3)), vars(type("V", (), {"__init__": lambda s: setattr(s, "q", 1)})()))
print(print("nested print"), print(1, 2, sep=""), print("end", end="!\n"), print(), print("a", "b", sep="\n"))
print(*[], end="|"); print(*"abc", sep=", ", end=".\n"); print("tab\tq", 'quote"s', "back\\slash", "nul" + chr(0) + "!")
print(format(3.14159, ".2f"), format(5), format("a", ">3"), format(True), format(None), eval("1 + 1") if False else "no eval")


def lazily():
    for i in range(3):
        print("produce", i)
        yield i


for a, b in zip(lazily(), "ab"):
    print("consume", a, b)
print(any(x == 1 for x in lazily()))
print(next(filter(lambda v: v > 0, lazily())))
for i, v in enumerate(map(lambda q: q * 10, lazily())):
    if i == 1:
        break
print(v)
