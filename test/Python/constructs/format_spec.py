"""format(), str.format and the format mini-language over ints, floats, strings, complex and bool."""
ints = [0, 1, -1, 42, -255, 10 ** 12, 2 ** 65]
for spec in ["", "d", "5", "<8", ">8", "^8", "08", "+", " ", "-", ",", "_", "x", "X", "#x", "#X", "o", "#o", "b", "#b", "+,d", "*^15,", "=+10", "0=8", "020,d", "e", ".2e", "f", ".1f", "g", "%", "n", "#_x", "_b", "1", ">+6d"]:
    print(repr(spec), [format(i, spec) for i in ints])
floats = [0.0, -0.0, 1.0, -1.5, 3.14159, 1e-5, 123456789.0, 1e16, 1e22, 1.5e300, float("inf"), float("-inf"), float("nan")]
for spec in ["", "f", ".0f", ".2f", "e", ".0e", ".3e", "E", "g", ".3g", ".10g", "G", "%", ".1%", "+", " ", "10", "<12.2f", "^12.1f", "012.3f", ",", ",.2f", "_.1f", "#.0f", "#g", "+.2e", "*>12", "n", ".0", ".1", ".3", ".17g", "z.1f", "=+12.1f", "-", "5.0f"]:
    print(repr(spec), [format(f, spec) for f in floats])
for spec in ["", "s", "10", "<10", ">10", "^10", "*^10", ".2", "10.2", "-<6.3s", "05", "é>5"]:
    print(repr(spec), [format(s, spec) for s in ["", "a", "hello", "日本語"]])
print([format(b, spec) for b in (True, False) for spec in ("", "d", "5", "x", "<6", ".1f")])
print([format(c, spec) for c in (1 + 2j, -1.5j, 0j) for spec in ("", ".2f", "g", ">12", "+")])
print("{} {} {}".format(1, "two", 3.0), "{2} {0} {1}".format("a", "b", "c"), "{a} {b}".format(a=1, b=2), "{0[1]} {1.real} {x[k]}".format([1, 2], 5, x={"k": "v"}), "{!r} {!s} {!a}".format("q", "q", "é"))
print("{:>{w}.{p}f}|{:{f}^{w}}".format(3.14159, "mid", w=10, p=2, f="*"), "{{}} {{{}}}".format(1), "{0}{0}{0}".format("ab"), "{:d} {:x}".format(10, 255), "{0:}".format(5), "{:%}".format(0.25), "{:,}".format(1234567))
print("{a[0][1]} {b.x.y}".format(a=[[1, 2]], b=type("B", (), {"x": type("X", (), {"y": "deep"})})), "{:<5}|{:>5}|{:^5}".format("a", "b", "c"), "{x}".format_map({"x": 1}))
print("{0:{1}}".format("v", ">4"), "{:{}{}}".format("s", "<", 4) + "|", "{!r:>8}".format("r"))


class Point:
    def __init__(self):
        self.x, self.y = 1, 2

    def __format__(self, spec):
        return f"({self.x:{spec}}, {self.y:{spec}})" if spec else "point"


print("{} {:03d} {:.1f}".format(Point(), Point(), Point()), "{0.x} {0.y:>3}".format(Point()))
for args in [(5, "s"), ("a", "x"), (3.5, "x"), (5, ".2d"), (1, "c,"), ("a", "="), (5, "10.3"), (True, "s"), (1, "zz"), ([], "d"), (1j, "d"), (300, "c") if False else (-1, "c"), (5, "^^^"), (1.0, ",n")]:
    try:
        print(args, format(*args))
    except (ValueError, TypeError, OverflowError) as e:
        print(args, type(e).__name__, e)
for text, a in [("{", ()), ("}", ()), ("{} {0}", (1, 2)), ("{1}", (0,)), ("{x}", ()), ("{0.nope}", (1,)), ("{0[k]}", ([],)), ("{!z}", (1,)), ("{0", (1,))]:
    try:
        print(text.format(*a))
    except (ValueError, IndexError, KeyError, AttributeError, TypeError) as e:
        print(text, type(e).__name__, e)
