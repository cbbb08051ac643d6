"""Chained comparisons, identity, membership, ordering of containers, errors."""


def note(x, log=[]):
    log.append(x)
    return x


print(1 < 2 < 3, 1 < 3 < 2, 3 > 2 > 1 > 0, 1 == 1.0 == True, 1 < 2 > 1 != 0)
print(note(1) < note(5) < note(3) < note(9), note.__defaults__[0])
print(None is None, [] is [], (1 is not None), not 1 == 2)
print(1 in [1, 2], 3 not in [1, 2], "b" in "abc", "" in "", "bc" in "abc", 2 in {2: 3}, 3 in {2: 3}, 1.0 in (1,))
print([1, 2] < [1, 3], [1, 2] < [1, 2, 0], [2] > [1, 9], [] < [0], (1, "a") < (1, "b"), (1,) == (1.0,))
print("a" < "b", "a" < "B", "abc" < "abd", "ab" < "abc", "Z" < "a", "é" > "z")
print(True < 2, True == 1, False == 0, True + True, 1 == "1", None == 0, [] == (), {} == set())
print({1, 2} < {1, 2, 3}, {1} <= {1}, {1, 2} > {3}, {1} == {1.0}, {"a": 1} == {"a": 1.0}, {"a": 1, "b": 2} == {"b": 2, "a": 1})
print(float("nan") == float("nan"), float("inf") > 10 ** 400, 2 ** 53 == 2.0 ** 53, 2 ** 53 + 1 == 2.0 ** 53)
print(0.1 + 0.2 == 0.3, 0.5 == 0.5, -0.0 == 0.0, 1 != 1.0)
nan = float("nan")
print(nan in [nan], [nan] == [nan], nan != nan)
print(range(3) == range(0, 3, 1), range(0) == range(2, 1), range(0, 10, 3) == range(0, 12, 3))
print(b"a" == "a", b"a" < b"b", b"" == b"")


def attempt(f):
    try:
        print(f())
    except TypeError as e:
        print("TypeError:", e)


attempt(lambda: 1 < "a")
attempt(lambda: [1] < (1,))
attempt(lambda: None < 1)
attempt(lambda: {} < {})
attempt(lambda: 5 in "abc")
attempt(lambda: (1, 2) < (1, "x"))
attempt(lambda: max([1, "a"]))
attempt(lambda: sorted([1, None]))
attempt(lambda: 3 <= None)
attempt(lambda: object() > 1)
attempt(lambda: 1j < 2j)
print(min("b", "a"), max([[1], [0, 5]]), max("apple", "fig", key=len), min([3, 1, 2], default=0), min([], default="d"))
print(not [], not [0], not 0.0, not "0", not None, bool(range(0)), bool({}), bool(b""), bool(0j))
