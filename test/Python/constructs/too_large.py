"""Numbers of items that no memory holds, and ints that no C integer holds: exceptions, at once."""
import itertools
import math


def attempt(name, f):
    try:
        print(name, f())
    except (MemoryError, OverflowError, ValueError) as e:
        print(name, type(e).__name__, e)


attempt("tee", lambda: itertools.tee("ab", 10 ** 30))
attempt("tee", lambda: itertools.tee("ab", 10 ** 15))
attempt("tee", lambda: itertools.tee("ab", -1))
attempt("tee", lambda: [list(it) for it in itertools.tee("ab", 3)])
attempt("repeat", lambda: itertools.repeat(1, 10 ** 30))
attempt("repeat", lambda: list(itertools.repeat(1, 10 ** 18)))
attempt("repeat", lambda: tuple(itertools.repeat(1, 10 ** 15)))
attempt("repeat", lambda: next(itertools.repeat(1, 10 ** 15)))
attempt("product", lambda: itertools.product([1], repeat=10 ** 30))
attempt("product", lambda: itertools.product([1], repeat=10 ** 15))
attempt("combinations", lambda: itertools.combinations([1], 10 ** 30))
attempt("permutations", lambda: list(itertools.permutations([1], 10 ** 30)))
attempt("list", lambda: list(range(10 ** 30)))
attempt("list", lambda: list(range(10 ** 15)))
attempt("tuple", lambda: tuple(range(10 ** 15)))
attempt("reversed", lambda: list(reversed(range(10 ** 15))))
attempt("star", lambda: [*range(10 ** 15)])
attempt("sorted", lambda: sorted(range(10 ** 15)))
attempt("extend", lambda: [].extend(range(10 ** 15)))
attempt("slice", lambda: [0].__setitem__(slice(0, 0), range(10 ** 15)))
attempt("times", lambda: [0] * 10 ** 15)
attempt("times", lambda: (0,) * 10 ** 30)
attempt("times", lambda: "a" * 10 ** 30)
attempt("factorial", lambda: math.factorial(10 ** 30))
attempt("comb", lambda: math.comb(10 ** 30, 10 ** 29))
attempt("comb", lambda: math.comb(10 ** 30, 10 ** 30 - 1) == 10 ** 30)
attempt("perm", lambda: math.perm(10 ** 30, 10 ** 29))
attempt("perm", lambda: math.perm(10 ** 30))
attempt("perm", lambda: math.perm(-1))
attempt("perm", lambda: (math.perm(5, 10 ** 30), math.perm(6, 2), math.perm(4)))
attempt("comb", lambda: (math.comb(5, 2), math.comb(40, 20), math.factorial(25)))
attempt("islice", lambda: itertools.islice(itertools.count(), 10 ** 30))
attempt("int", lambda: int("9" * 5000))
attempt("str", lambda: str(10 ** 5000))
attempt("shift", lambda: 1 >> 10 ** 30)
