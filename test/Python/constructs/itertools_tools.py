"""itertools: infinite, terminating and combinatoric iterators; recipes; laziness."""
import itertools as it
import operator
from itertools import accumulate, chain, combinations, count, cycle, groupby, islice, permutations, product, repeat, starmap, takewhile, zip_longest

print(list(islice(count(), 4)), list(islice(count(10, -3), 4)), list(islice(count(0.5, 0.25), 3)), list(islice(cycle("ab"), 5)), list(repeat("x", 3)), list(islice(repeat(1), 2)), next(count(5)))
print(list(chain("ab", [1], ())), list(chain.from_iterable(["ab", [1, 2]])), list(accumulate([1, 2, 3, 4])), list(accumulate([1, 2, 3], operator.mul)), list(accumulate([3, 1, 4], max)), list(accumulate([1, 2], initial=10)), list(accumulate([]))),
print(list(islice("abcdef", 2)), list(islice("abcdef", 2, 4)), list(islice("abcdef", 1, None, 2)), list(islice(iter([1, 2]), 5)), list(takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.filterfalse(lambda x: x % 2, range(5))), list(it.compress("abcd", [1, 0, 1, 0])))
print(list(zip_longest("ab", [1, 2, 3])), list(zip_longest("a", "xyz", fillvalue="-")), list(starmap(pow, [(2, 3), (3, 2)])), list(it.pairwise("abcd")), [(k, list(g)) for k, g in groupby("aaabbca")], [(k, sum(1 for _ in g)) for k, g in groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)])
print(list(product("ab", [1, 2])), list(product([0, 1], repeat=2)), list(product()), list(permutations([1, 2, 3])), list(permutations("abc", 2)), list(combinations("abcd", 2)), list(combinations([1], 2)), list(it.combinations_with_replacement("ab", 2)))
a, b = it.tee(iter(range(4)))
print(next(a), next(a), list(b), list(a))
x, y, z = it.tee("ab", 3)
print(list(x), list(zip(y, z)))


def batches(xs, n):
    i = iter(xs)
    while batch := list(islice(i, n)):
        yield batch


print(list(batches(range(7), 3)), list(batches([], 2)))
source = iter(range(10))
print(list(islice(source, 3)), next(source), list(takewhile(lambda v: v < 6, source)), list(source))
words = ["apple", "avocado", "bean", "cherry", "corn"]
print({k: list(g) for k, g in groupby(words, key=lambda w: w[0])}, [len(list(g)) for _, g in groupby([])], sum(1 for _ in permutations(range(5))), max(combinations([3, 1, 2], 2)))
for f in (lambda: list(islice([1], -1)), lambda: list(zip_longest([1], fill=0)), lambda: list(product(5)), lambda: next(count("a")) + 1, lambda: list(chain(1)), lambda: next(it.repeat(1, 0))):
    try:
        print(f())
    except (ValueError, TypeError, StopIteration) as e:
        print(type(e).__name__)
m = [[1, 2, 3], [4, 5, 6]]
print(list(chain(*m)), [list(r) for r in zip(*m)], list(accumulate(chain(*m))), sum(starmap(operator.mul, zip(*m))), [sum(p) for p in product(*m)])
gen = (print("made", i) or i for i in range(4))
print(list(islice(gen, 2)))
print(type(count()).__name__, type(chain()).__name__, repr(count(3)), repr(count(1, 2)), repr(repeat(5, 2)))
