"""complex: literals, arithmetic, repr, methods, conversions, errors."""
a, b = 1 + 2j, 3 - 4j
print(a, b, a + b, a - b, a * b, a / b, a ** 2, -a, +a, abs(b), a.conjugate(), a.real, a.imag, a == 1 + 2j, a != b, a * 2, 2 * a, a + 1.5, 1 - a, 1j * 1j)
print(0j, 1j, -1j, -0j, 1 + 0j, complex(1), complex(1, 2), complex("1+2j"), complex("3"), complex("-2.5j"), complex(" (1-1j) "), complex(0.0, -0.0), complex(2, 3j), [1j, 2.5 + 1e20j], str(1e16 + 1j), repr(1.5j))
print(bool(0j), bool(1j), hash(1 + 0j) == hash(1), 1 == 1 + 0j, {1: "k"}[1 + 0j], type(1j).__name__, isinstance(1j, complex), (3 + 4j).__abs__(), sum([1j, 2, 3.5]), pow(1j, 2), 1j ** 4, (2 + 0j) ** -1, 2 ** (1 + 0j))
for f in (lambda: 1j < 2j, lambda: int(1j), lambda: float(1j), lambda: 1j // 2, lambda: 1j % 2, lambda: complex("x"), lambda: 1j / 0, lambda: divmod(1j, 1), lambda: round(1j), lambda: max(1j, 2j)):
    try:
        print(f())
    except (TypeError, ValueError, ZeroDivisionError) as e:
        print(type(e).__name__)
z, n = 0j, 0
c = -0.5 + 0.5j
while abs(z) < 2 and n < 20:
    z = z * z + c
    n += 1
print(n, f"{z.real:.6f} {z.imag:.6f}", f"{a:.2f} {a:>12} {1.5j:g}")
