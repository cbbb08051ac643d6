"""Lists: every method, slices read and written, multiplication, identity, nesting, repr of cycles."""
a = [3, 1, 2]
a.append(4)
a.extend((5, 6))
a.extend("xy")
a.insert(0, "first")
a.insert(-1, "before last")
a.insert(100, "end")
print(a, len(a), a.pop(), a.pop(0), a.pop(-2), a)
a.remove("x")
a.reverse()
print(a, a.index(5), a.count(1), a[::-1])
b = [v for v in a if isinstance(v, int)]
b.sort()
print(b, sorted(b) == b, a is b, a == a.copy())
b.sort(reverse=True)
b.sort(key=lambda v: v % 3)
print(b)
b.clear()
print(b, bool(b))
xs = list(range(10))
print(xs[2:5], xs[:3], xs[7:], xs[-3:], xs[::3], xs[::-2], xs[8:2:-2], xs[5:2], xs[-100:100], xs[:], xs[-1:-4:-1])
xs[2:4] = ["a", "b", "c"]
print(xs)
xs[1:1] = [99]
xs[-1:] = []
xs[::4] = "ABC"
print(xs)
del xs[::2]
del xs[1:3]
print(xs)
xs[:] = [1]
xs += [2, 3]
xs += (4,)
xs += "5"
xs *= 2
print(xs, xs * 0, 2 * [0], [1] + [2] * 2, -1 * [1])
grid = [[0] * 3 for _ in range(2)]
grid[0][1] = 5
alias = [[0] * 2] * 2
alias[0][0] = 1
print(grid, alias, [1, [2, [3, [4]]]][1][1][0])
cyc = [1]
cyc.append(cyc)
print(cyc, len(cyc), cyc[1][1] is cyc)
print([1, 2] == [1, 2], [1, 2] != [2, 1], [1, 2] < [1, 2, 3], 2 in [1, 2], [2] in [[2]], [] < [1])
print(list("abc"), list((1, 2)), list({"k": 1}), list(range(3)), list(map(str, [1])), list(), list([1]) is list([1]))
stack, queue = [], [1, 2, 3]
for i in range(3):
    stack.append(queue.pop(0))
print(stack, queue, stack[-1])
print([None] * 2, [[]], ["a'b", 'a"b', "a\nb"], [1.0, 1e20, True])
xs = [5, 3, 9]
print(min(xs), max(xs), sum(xs), sorted(xs), list(reversed(xs)), list(enumerate(xs)), any(xs), all(xs))
xs[0], xs[-1] = xs[-1], xs[0]
x = xs
x += [1]
print(xs, x is xs)
x = x + [2]
print(xs, x)
del x[0], x[-1]
print(x, xs.index(3), xs.index(9, 0, 2), [1, 2, 1].index(1, 1))
nested = [[3, "c"], [1, "b"], [3, "a"]]
print(sorted(nested), sorted(nested, key=lambda p: p[0]), sorted(nested, key=lambda p: (-p[0], p[1])))
print(a.append(1), a.sort(key=str), a.reverse(), a)
print([1, 2, 3].__contains__(2), [1].__len__(), [1, 2].__getitem__(1), [1].__add__([2]), repr([1]), str([1]))


def attempt(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__ + ":", e)


attempt(lambda: [][0])
attempt(lambda: [1].remove(9))
attempt(lambda: [].pop())
attempt(lambda: [1]["a"])
attempt(lambda: [1] + "a")
attempt(lambda: [1, "a"].sort())
attempt(lambda: [1, 2].insert("x", 1))
attempt(lambda: [1].extend(5))
attempt(lambda: hash([1]))


def modify_key():
    ys = [3, 1, 2]
    ys.sort(key=lambda v: ys.append(v) or v)


attempt(modify_key)
