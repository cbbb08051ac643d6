"""The order of string sets is that of CPython's hash with seed 0, on a 64-bit machine."""
# needs: 64-bit
print({"a", "b", "c"})
print({"apple", "banana", "cherry", "date", "elderberry", "fig", "grape"})
print(set("hello world"))
print(frozenset(["x", "y", "zz", ""]))
s = set()
for w in "the quick brown fox jumps over the lazy dog".split():
    s.add(w)
    print(sorted(s) == sorted(set(s)), list(s)[0])
print(s)
print(list({"k1": 1, "k2": 2}.keys() | {"k3"}), {b"a", b"b", b"c"}, {1, "one", 2.5, None is None, (1, "t")} == {1, "one", 2.5, (1, "t")})
print({("a", 1), ("b", 2), ("c", 3)}, {1.5, 2.5, 3.0, -1.0, 1e10}, set([2 ** 61 - 1, 2 ** 61, 2 ** 64, -2 ** 61]))
print(hash("a"), hash(""), hash("hello"), hash(b"hello"), hash(1.5), hash((1, 2)), hash(()), hash(("a", 1.0)), hash(frozenset([1, 2, 3])))
print(hash(2 ** 61 - 1), hash(2 ** 61), hash(-1), hash(-2), hash(10 ** 30), hash(0.1), hash(float("inf")), hash(True), hash("é"), hash("日本"), hash(3 + 4j))
t = {"one", "two", "three", "four", "five", "six"}
t.discard("three")
t |= {"seven", "eight", "nine", "ten"}
print(t, t - {"one"}, t & {"two", "six", "ten"}, t ^ {"one", "zero"})
while len(t) > 5:
    print(t.pop(), end=" ")
print(t)
for word in {"loop", "over", "set"}:
    print(word, end=" ")
print(",".join({"join", "these"}), max({"b", "a"}), dict.fromkeys({"m", "n"}))
itself = set([7, 0, 255, 3, 2 ** 31, "a"])
itself &= itself
print(list(itself), list(itself & itself), list(itself | itself), list(itself - itself), list(itself ^ itself))
itself |= itself
itself.update(itself, itself)
print(list(itself), list(itself.union(itself)), list(itself.intersection(itself)), list(frozenset(itself) & frozenset(itself)))
itself -= itself
itself.update([9, 1, 17, 33])
print(list(itself), itself.symmetric_difference_update(itself), itself)
fixed = frozenset([255, 3, 0, 7])
print(list(fixed & fixed), list(fixed | fixed), list(fixed.intersection(fixed)))
