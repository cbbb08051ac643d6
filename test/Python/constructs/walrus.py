"""Assignment expressions: in conditions, comprehensions, arguments, nested scopes."""
if (n := len("hello")) > 3:
    print(n)
data = iter([3, 1, 4, 1, 5])
while (v := next(data, None)) is not None:
    print(v, end=" ")
print()
print([y := 1, y ** 2, y + 5], y)
print([last := x for x in range(4)], last)
print([(s := s2 + i) for i, s2 in enumerate([10, 20])], s)
print(any((hit := w).startswith("b") for w in ["ab", "bc", "cd"]), hit)
print((a := 1, b := a + 1), a, b)


def f(x, y=(z := 5)):
    return x + y


print(f(z), f(w := 3, w), z)
total = 0
print([total := total + i for i in range(5)], total)


def inner():
    values = [acc := 0]
    for i in range(3):
        values.append(acc := acc + i)
    return values, acc


print(inner())
print({(k := c): k * 2 for c in "ab"}, k)
if not (m := "") or (m := "second"):
    print(repr(m))
print(f"{(q := 5)} {q:=^5}")
print((t := (1, 2))[0], t)
x = (y := 1) + (y := 2) * y
print(x, y)
