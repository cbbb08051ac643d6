"""Recursive functions over numbers, lists and trees; mutual recursion; memo."""


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def hanoi(n, a, b, c, moves):
    if n:
        hanoi(n - 1, a, c, b, moves)
        moves.append(a + c)
        hanoi(n - 1, b, a, c, moves)
    return moves


def flatten(x):
    return [z for y in x for z in flatten(y)] if isinstance(x, (list, tuple)) else [x]


def permutations(items):
    if not items:
        yield []
    for i, first in enumerate(items):
        for tail in permutations(items[:i] + items[i + 1:]):
            yield [first, *tail]


def is_even(n):
    return n == 0 or is_odd(n - 1)


def is_odd(n):
    return n != 0 and is_even(n - 1)


def depth(tree):
    return 0 if tree is None else 1 + max(depth(tree[0]), depth(tree[2]))


def insert(tree, x):
    if tree is None:
        return None, x, None
    left, value, right = tree
    if x < value:
        return insert(left, x), value, right
    return left, value, insert(right, x)


def walk(tree):
    if tree:
        yield from walk(tree[0])
        yield tree[1]
        yield from walk(tree[2])


def quicksort(a):
    if len(a) < 2:
        return a
    p, *others = a
    return quicksort([x for x in others if x < p]) + [p] + quicksort([x for x in others if x >= p])


def gcd(a, b):
    return a if not b else gcd(b, a % b)


def count(n):
    return 0 if n == 0 else 1 + count(n - 1)


memo = {}


def ways(n, coins=(50, 20, 10, 5, 2, 1)):
    if n == 0:
        return 1
    if n < 0 or not coins:
        return 0
    key = n, coins
    if key not in memo:
        memo[key] = ways(n - coins[0], coins) + ways(n, coins[1:])
    return memo[key]


print([fib(i) for i in range(16)])
print(ackermann(2, 3), ackermann(1, 10))
print(hanoi(4, "a", "b", "c", []))
print(flatten([1, [2, (3, [4, [], [5]])], 6]))
print(["".join(p) for p in permutations("abc")] if False else [p for p in permutations([1, 2, 3])])
print(is_even(50), is_odd(51), is_even(7))
tree = None
for v in [5, 2, 8, 1, 9, 3, 7]:
    tree = insert(tree, v)
print(tree)
print(depth(tree), list(walk(tree)))
print(quicksort([3, 6, 1, 8, 2, 9, 2]))
print(gcd(1071, 462), count(300))
print(ways(100), len(memo))


def forever(n):
    return forever(n + 1)


try:
    forever(0)
except RecursionError as e:
    print(type(e).__name__, str(e).startswith("maximum recursion depth exceeded"))
