"""sum, max, min and all of ranges and of numbers: the same as of their items one by one."""


def items(r):
    for x in r:
        yield x


for r in [range(0), range(1), range(10), range(3, 40, 7), range(40, 3, -7), range(5, -6, -1), range(-9, -2), range(7, 3), range(-3, 4, 3)]:
    print(r, sum(r), sum(r) == sum(items(r)), sum(r, 10), sum(r, 0.5), sum(r, True), all(r), all(r) == all(items(r)), any(r))
    print(max(r, default="none"), min(r, default="none"), max(items(r), default="none") == max(r, default="none"))
    print(max(r, key=lambda x: -x, default="none"), min(r, key=lambda x: x * x, default="none"))
print(sum(range(10 ** 30, 10 ** 30 + 4)), sum(range(-(10 ** 18), 10 ** 18, 10 ** 17)), max(range(10 ** 40, 10 ** 40 + 9, 2)))
for values in [[1, True, 1.0], [True, 1], [2, 3.5, -1], (0.0, -0.0), (-0.0, 0.0), [float("nan"), 1.0], [1.0, float("nan"), 2.0], [10 ** 20, 1e20], [3]]:
    print(values, max(values), min(values), max(*values, 0), min(*values, 0))
try:
    max([1, 2j])
except TypeError as e:
    print("TypeError")
for empty in [range(0), [], ()]:
    try:
        max(empty)
    except ValueError:
        print("ValueError")
