"""The % operator on strings and bytes: every conversion, flags, widths, mappings, errors."""
print("%d %i %u" % (1, 2.9, True), "%s %r %a" % ("é", "é", "é"), "%x %X %#x %o %#o" % (255, 255, 255, 8, 8), "%c%c" % (65, "b"), "%%" % ())
print("%5d|%-5d|%05d|%+d|% d|%5.3d|%+05d" % (42, 42, 42, 42, 42, 42, 42), "%.2f|%8.3f|%-8.1f|%08.2f|%+.1f|%.0f" % ((3.14159,) * 6), "%e %E %.2e %g %G %.3g %g" % (12345.678, 12345.678, 12345.678, 12345.678, 1e-10, 12345.678, 1e20))
print("%5s|%-5s|%.2s|%5.1s|%r" % ("abc", "abc", "abc", "abc", "abc"), "%*d|%-*s|%.*f" % (5, 42, 6, "x", 2, 3.14159), "%(a)s %(b)03d %(a)r" % {"a": "x", "b": 7, "c": 9}, "%s" % [1, 2], "%s" % ((1, 2),), "%s" % None, "%s %s" % (1, [2]))
print("%d%%" % 50, "%s" % 5, "no args" % (), "%d" % -0.9, "%d" % 10 ** 20, "%x" % -255, "%#b" % 5 if False else "%.3d" % 7, "%f" % 1, "%f" % float("inf"), "%g" % float("nan"), "%5.1f%%" % 12.345, "%s" % b"x", "%s" % (True,), "%i" % 10 ** 3)
print(b"%d %s %r %x" % (1, b"b", "r", 16), b"%5.1f|%-4d|" % (2.25, 3), b"%c" % 65, b"%(k)s" % {b"k": b"v"}, b"%a" % "é", b"%b" % b"bytes")
for fmt, args in [("%d", "x"), ("%d", None), ("%s %s", (1,)), ("%s", (1, 2)), ("%(a)s", {}), ("%q", 1), ("%", ()), ("%c", "ab"), ("%c", -1), ("%x", 1.5), ("%(a)s", (1,)), ("%*d", ("a", 1)), ("%f", "1"), ("%d", 1j), ("%s", ())]:
    try:
        print(fmt % args)
    except Exception as e:
        print(repr(fmt), type(e).__name__)


class S:
    def __str__(self):
        return "str!"

    def __repr__(self):
        return "repr!"

    def __int__(self):
        return 5

    def __float__(self):
        return 2.5

    def __index__(self):
        return 6


print("%s %r %f" % (S(), S(), S()), "%x %o" % (S(), S()), "%(x)s" % {"x": S()})
text = "%-10s|%6.2f|%4d"
for row in [("apple", 1.5, 3), ("banana", 22.333, 44)]:
    print(text % row)
x = "%s"
x %= "assigned"
print(x)
