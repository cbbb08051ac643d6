"""f-strings: conversions, format specs, nesting, debug form, quotes, braces, expressions, evaluation order."""
x, y, name, pi = 42, -7, "world", 3.14159265
print(f"{x} {y} {name} {pi}", f"{x!r} {name!r} {name!s} {'é'!a}", f"{{}} {{{x}}}", f"", f"plain")
print(f"{x:5}|{x:<5}|{x:>5}|{x:^5}|{x:05}|{x:+}|{x: }|{x:,}|{x:_}|{x:x}|{x:#x}|{x:#o}|{x:b}|{x:#010b}|{x:c}|{x:e}|{x:%}")
print(f"{pi:.2f}|{pi:8.3f}|{pi:<8.1f}|{pi:+.0f}|{pi:e}|{pi:.3e}|{pi:g}|{pi:.3g}|{pi:%}|{pi:.1%}|{pi:010.4f}|{pi:}|{pi!r:>12}")
print(f"{name:>10}|{name:<10}|{name:^10}|{name:*^11}|{name:.3}|{name:>6.2}|{name!r:^10}|{'':5}|{name:s}")
print(f"{x=} {x = } {name=} {pi=:.2f} {x + y=} {name=!s} {pi = !r:>12}")
width, prec, fill = 10, 3, "~"
print(f"{pi:{width}.{prec}}|{pi:{width}.{prec}f}|{name:{fill}^{width}}|{x:{'0'}{width}}|{x:{'x' if x > 10 else 'd'}}")
print(f"{x if x > 0 else -x} {[i for i in range(3)]} { {'a': 1}['a'] } {(lambda v: v * 2)(4)} {len(name):03d} {name.upper()[::-1]} {x > 3} {not x}")
print(f"{f'{x}' + f'{y:+}'} {'nested ' + f'{name:{width}}'}")
print(f"{x}" "joined" f"{y}" ' and ' f'{"double inside"}', f"a{'b'}c{'d' 'e'}f", f'''triple {x}
second line {y}''', rf"raw\n{x}\t", f"tab\t{x}\n", fr'{x}\d')
print(f"{1_000_000:,} {1234567.891:,.2f} {0:,} {-1234:,} {1e10:,.0f} {123456789:_} {255:_x} {0b11110000:_b}")
print(f"{True} {True:d} {None} {None!r} {[1, 'a']} {(1,)} {{1}} {type(x).__name__} {b'x'} {1 + 2j} {range(3)} {...}")


class Fmt:
    def __format__(self, spec):
        return f"<{spec}>"

    def __str__(self):
        return "str"

    def __repr__(self):
        return "repr"


f = Fmt()
print(f"{f} {f:abc} {f!s} {f!r:>6} {f!s:*<5} {f:%Y-%m}", format(f), format(f, "z"), "{:q}".format(f), str(f), [f])


class OnlyStr:
    def __str__(self):
        return "only"


o = OnlyStr()
print(f"{o} {o!s:>6}")
try:
    f"{o:>5}"
except TypeError as e:
    print(e)
log = []


def t(v):
    log.append(v)
    return v


f"{t(1)} {t(2):{t(3)}} {t(4)!r}"
print(log)
for bad in (lambda: f"{x:q}", lambda: f"{name:d}", lambda: f"{pi:d}", lambda: f"{undefined}", lambda: f"{x:.2}", lambda: f"{[]:5}", lambda: f"{name:+}", lambda: f"{name:,}", lambda: f"{None:5}", lambda: f"{x!r:d}"):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__ + ":", e)
rows = [("apple", 1.5, 10), ("kiwi", 0.25, 200)]
for n, p, q in rows:
    print(f"{n:<8}{p:>8.2f}{q:>6d} | {p * q:^10.1f}|")
print("\n".join(f"{i:2d}: {'#' * i:<5}|" for i in range(4)))
print(f"{'yes' if x else 'no':>5}", f"{'a' 'b'}", f"{x:{x}}", f"{3.0}", f"{1e100}", f"{float('nan'):5}", f"{float('inf'):+}", f"{-0.0}", f"{-0.0:.1f}", f"{1e-7}", f"{123456789.123}")
print(f"{2 ** 70}", f"{2 ** 70:,}", f"{-5 // 2}", f"{-5 % 3}", f"{10:>{width}}", f"{'é':>3}", f"{'日本':<4}|", f"{chr(10)!r}", f"{'{'}", f"{'}'}", f"{'it' + chr(39) + 's'}")
