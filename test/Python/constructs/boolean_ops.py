"""and, or, not and conditional expressions: values, short circuit, nesting."""
log = []


def t(x):
    log.append(x)
    return x


print(t(1) and t(2), t(0) and t(3), t("") or t("d"), t([]) or t(0) or t(None), t(1) or t(9))
print(log)
print(1 and 2 or 3, 0 and 2 or 3, not 0 and 1, not (0 or ""), (1 or 0) and [])
print([a and b for a in (0, 1) for b in (0, 2)], [a or b for a in (0, 1) for b in (0, 2)])
print("yes" if 1 else "no", "a" if 0 else "b" if 0 else "c", (1 if [] else 2) + 3)
log.clear()
x = t(5) if t(0) else t(6)
print(x, log)


class Truth:
    def __init__(self, value):
        self.value = value

    def __bool__(self):
        print("bool", self.value)
        return self.value


print((Truth(True) and Truth(False)).value)
print((Truth(False) or Truth(False)).value)
print(not Truth(True))
if Truth(True) and not Truth(False) or Truth(True):
    print("taken")
while Truth(False):
    pass
print([i for i in range(3) if Truth(i == 1)])


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


print(bool(Sized(0)), bool(Sized(2)), Sized(0) or "empty")


class Bad:
    def __bool__(self):
        return 1


try:
    bool(Bad())
except TypeError as e:
    print("TypeError")


class BadLen:
    def __len__(self):
        return -1


try:
    if BadLen():
        pass
except ValueError as e:
    print(e)
print(all([1, "a", [0]]), all([]), any([0, "", None]), any([0, 3]), all(i < 3 for i in range(3)))


def classify(a, b, c):
    if a and (b or not c):
        return 1
    elif not a and b and c:
        return 2
    elif not (a or b or c):
        return 3
    return 4


print([classify(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1)])
print(True & False, True | False, True ^ True, ~True, True and 3, type(True & 1).__name__, True & 3)
