"""for and while: else, break, continue, nesting, modification while looping, ranges, enumerations."""


def find(xs, want):
    for i, x in enumerate(xs):
        if x == want:
            break
    else:
        return -1
    return i


print(find("abc", "b"), find("abc", "z"), find("", "a"))
n, steps = 27, 0
while n != 1:
    n = n * 3 + 1 if n % 2 else n // 2
    steps += 1
else:
    print("else after", steps)
while True:
    steps -= 1
    if steps % 7 == 0:
        break
    if steps % 2:
        continue
else:
    print("never")
print(steps)
for i in range(3):
    for j in range(3):
        if j == 2:
            break
        if i == 1:
            continue
        print(i, j, end="; ")
    else:
        print("inner else")
    print("row", i)
else:
    print("outer else")


def multi():
    out = []
    for i in range(4):
        k = 0
        while k < i:
            k += 1
            if k == 3:
                return out
            for c in "xy":
                if c == "y" and k == 2:
                    break
                out.append((i, k, c))
            else:
                out.append("-")
                continue
            out.append("broke")
    return out


print(multi())
xs = [1, 2, 3, 4, 5, 6]
for x in xs:
    if x % 2:
        xs.remove(x)
print(xs)
xs = [0]
for x in xs:
    if len(xs) < 5:
        xs.append(x + 1)
print(xs)
d = {"a": 1, "b": 2}
for k in list(d):
    d[k + k] = d.pop(k)
print(d)
for i in range(10, 0, -3):
    print(i, end=" ")
for i in range(0):
    print("never")
for i, c in enumerate("ab", start=5):
    print(i, c, end=" ")
for a, b in zip([1, 2, 3], "xy"):
    print(a, b, end=" ")
for k, v in {"p": 1}.items():
    print(k, v)
print(i, c)
i = 100
for i in []:
    pass
print(i)
total = 0
for i in range(1000):
    if i % 3 == 0 or i % 5 == 0:
        total += i
print(total)
count = 0
while count < 3: count += 1
print(count)
for x in (1, 2, 3): pass
print(x)


def bubble(a):
    a = list(a)
    for i in range(len(a)):
        swapped = False
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                swapped = True
        if not swapped:
            break
    return a, i


print(bubble([3, 1, 2, 5, 4]), bubble(range(5)))
for i in range(2):
    try:
        for j in range(3):
            if j == 1:
                raise ValueError
    except ValueError:
        print("raised in", i, j)
        continue
    print("not reached")
it = iter(range(5))
for x in it:
    if x == 1:
        break
print(list(it))
for obj in [[1, 2], [3, 4]]:
    obj[0], obj[1] = obj[1], obj[0]
    print(obj)
for d["key"] in range(2):
    pass
print(d)
t = [0, 1]
for t[0] in [7, 8]:
    pass
print(t)
