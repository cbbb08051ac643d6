"""Lambdas with every parameter kind, nested, immediately called, in containers."""
square = lambda x: x * x
print(square(5), (lambda: "none")(), (lambda a, b=2, *c, d=4, **e: (a, b, c, d, e))(1, 5, 6, d=7, z=8))
print((lambda x: lambda y: lambda z: x + y + z)(1)(2)(3))
table = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "neg": lambda a, *_: -a}
for key in table:
    print(key, table[key](7, 3))
print(sorted(["bb", "a", "ccc"], key=lambda s: -len(s)))
print(list(map(lambda p: p[0] * p[1], [(1, 2), (3, 4)])))
print((lambda n: [i for i in range(n) if i % 2])(9))
print((lambda *a: sum(a))(*range(5)), (lambda **k: sorted(k))(b=1, a=2))
fact = lambda n: 1 if n <= 1 else n * fact(n - 1)
print(fact(10))
y = lambda f: (lambda x: x(x))(lambda x: f(lambda v: x(x)(v)))
print(y(lambda self: lambda n: 1 if n == 0 else n * self(n - 1))(6))
print((lambda x, /, y, *, z: (x, y, z))(1, y=2, z=3))
print(square.__name__, (lambda: (yield 3))().__next__())
print([f(2) for f in [lambda x, k=k: x ** k for k in range(5)]])
print((lambda x: (x, x := x + 1, x))(1))
