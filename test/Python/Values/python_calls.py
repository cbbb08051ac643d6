"""The calls that the fixtures hold: how a name is called, and which arguments it gets."""
import math
import types
import regex_calls
from math_calls import math_fixed, math_random
CALLS = dict(regex_calls.CALLS)          # what is no method of a builtin type


def register(function):
    CALLS[function.__name__.replace("__", ".")] = function
    return function


TYPES = {"str": str, "bytes": bytes, "int": int, "float": float, "math": math, "complex": complex}


def call(name, args):
    if name in CALLS:
        return CALLS[name](*args)
    owner, method = name.split(".")
    return getattr(TYPES[owner], method)(*args)


def table(fixed, rand, sample):
    """fixed() gives the calls that are always in the fixtures, random(rng) endless others, of which
    the fixtures take `sample`."""
    return types.SimpleNamespace(fixed=fixed, random=rand, sample=sample)


# int -------------------------------------------------------------------------------------------

BINARY = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%", "truediv": "/",
          "and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "pow": "**",
          "lt": "<", "eq": "=="}
for _name, _sign in BINARY.items():
    CALLS["int." + _name] = eval("lambda a, b: a %s b" % _sign)
CALLS["int.divmod"] = divmod
CALLS["int.powmod"] = pow
CALLS["int.lt_float"] = CALLS["int.lt"]
CALLS["int.eq_float"] = CALLS["int.eq"]
CALLS["int.neg"] = lambda a: -a
CALLS["int.abs"] = abs
CALLS["int.invert"] = lambda a: ~a
CALLS["int.round"] = round
CALLS["int.parse"] = int
CALLS["int.repr"] = repr
CALLS["int.from_float"] = int
CALLS["int.round_float"] = round
CALLS["int.floor"] = math.floor
CALLS["int.ceil"] = math.ceil
CALLS["int.float"] = float
CALLS["int.hash"] = hash
CALLS["int.bin"] = lambda a: format(a, "b")
CALLS["int.oct"] = lambda a: format(a, "o")
CALLS["int.hex"] = lambda a: format(a, "x")
CALLS["int.to_bytes"] = lambda a, n, big, signed: a.to_bytes(
    n, "big" if big else "little", signed=signed)
CALLS["int.from_bytes"] = lambda y, big, signed: int.from_bytes(
    y, "big" if big else "little", signed=signed)

EDGES = [0, 1, -1, 2, -2, 3, 7, -7, 10, 255, 256, -256, 2**31, -2**31, 2**32, 2**32 - 1, 2**53 + 1,
         2**61 - 1, -(2**61 - 1), 2**63 - 1, -2**63, 2**63, -2**63 - 1, 2**64, -2**64, 2**64 - 1,
         2**96, 10**30, -10**30, 2**128 - 1, 3**200, -(7**150), 10**400]


def some_int(rng):
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice(EDGES)
    if kind == 1:
        return rng.randint(-20, 20)
    size = rng.choice([8, 16, 31, 32, 33, 62, 63, 64, 65, 96, 128, 200, 500, 1500])
    value = rng.getrandbits(size) if kind < 4 else (1 << size) - rng.getrandbits(3)
    return -value if rng.random() < 0.4 else value


def some_float(rng):
    kind = rng.randrange(7)
    if kind == 0:
        return rng.choice([0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e16, 1e22, 1e-5, 1e300, 5e-324,
                           2.2250738585072014e-308, 1.7976931348623157e308, float("inf"),
                           float("-inf"), float("nan"), 0.1, 123456789.125, 2.0**53, 2.0**63])
    if kind == 1:
        return float(rng.randint(-1000, 1000)) / rng.choice([1, 2, 4, 8, 10, 100])
    if kind == 2:
        return rng.uniform(-10, 10)
    if kind == 3:
        return float("%.*e" % (rng.randrange(17), rng.uniform(-10, 10) * 10.0 ** rng.randint(-30, 30)))
    if kind == 4:
        return rng.randint(-10**6, 10**6) * 0.01
    value = math.ldexp(rng.random(), rng.randint(-1080, 1024))
    return -value if rng.random() < 0.5 else value


INT_TEXTS = ["", " ", "0", "-0", "+5", "12a", "1_000", "1__0", "_1", "1_", "0x1F", "0X_ff", "0b101",
             "0o17", "0x", "0b12", "010", "00", "0_0", "-0x10", "+ 5", "--5", " 42\n", "\u3000 7",
             "\uff11\uff12", "\u0663", "z", "ZZ", "9" * 30, "9" * 4300, "9" * 4301, "f" * 5000, "12\ud800",
             "1" * 250 + "a", "\x00", "1\x00", "0_7", "1_0_0", "\x1c5", "5\x85", "\u00b2"]


def int_fixed():
    for a in EDGES:
        for name in ("neg", "abs", "invert", "bit_length", "bit_count", "hash", "repr", "float",
                     "bin", "oct", "hex"):
            yield "int." + name, (a,)
        for b in EDGES:
            for name in ("add", "sub", "floordiv", "mod", "truediv", "and", "or", "xor", "lt"):
                yield "int." + name, (a, b)
    for a in (0, 1, -1, 2, -2, 10, -7, 2**63):
        for b in (0, 1, 2, 5, 64, 99, -1, -2, -5):
            yield "int.pow", (a, b)
        for b in (0, 1, -1, 63, 64, 65, 200):
            yield "int.lshift", (a, b)
            yield "int.rshift", (a, b)
        for m in (1, -1, 0, 7, -7, 2**64 + 13):
            for b in (0, 1, 5, -1, 2**70):
                yield "int.powmod", (a, b, m)
    for text in INT_TEXTS:
        for base in (10, 0, 2, 8, 16, 36, 1, 37, -1):
            if len(text) < 1000 or base in (10, 16):
                yield "int.parse", (text, base)
    for text in (b"12", b" 1_0 ", b"1a", b"\xff", b"", b"0x1f"):
        yield "int.parse", (text, 10)
    for value in (0.0, -0.5, 0.5, 1.5, 2.5, -2.5, 1e22, -1e300, 5e-324, math.inf, -math.inf, math.nan,
                  2.0**52 + 0.5, 0.49999999999999994, 4503599627370497.5):
        for name in ("from_float", "round_float", "floor", "ceil"):
            yield "int." + name, (value,)
        for a in EDGES:
            yield "int.lt_float", (a, value)
            yield "int.eq_float", (a, value)
    for a in EDGES:
        for digits in (0, 1, 5, -1, -2, -3, -15, -30, -200):
            yield "int.round", (a, digits)
        for n in (-1, 0, 1, 2, 4, 8, 16, 200):
            for signed in (False, True):
                yield "int.to_bytes", (a, n, n % 3 == 0, signed)
    for y in (b"", b"\x00", b"\xff", b"\x80", b"\x7f\xff", b"\xff\x00", b"\x01" * 9, b"\xff" * 12):
        for big in (False, True):
            for signed in (False, True):
                yield "int.from_bytes", (y, big, signed)
    for n in (-1, 0, 1, 2, 5, 10, 30, 100):
        yield "math.factorial", (n,)
        yield "math.isqrt", (n,)
        for k in (-1, 0, 1, 3, 10, 50, 200):
            yield "math.comb", (n, k)
            yield "math.perm", (n, k)
    yield "int.repr", (10**4299,)
    yield "int.repr", (10**4300,)
    yield "int.repr", (1 - 10**4300,)
    yield "int.repr", (10**5000,)


def int_random(rng):
    while True:
        a, b = some_int(rng), some_int(rng)
        name = rng.choice(["add", "sub", "mul", "floordiv", "mod", "divmod", "truediv", "and", "or",
                           "xor", "lt", "eq", "lshift", "rshift", "pow", "powmod", "float",
                           "lt_float", "eq_float", "hash", "repr", "gcd", "lcm", "isqrt", "comb",
                           "round", "to_bytes", "parse", "hex", "from_float", "bit_count"])
        if name in ("float", "hash", "repr", "bit_count", "hex"):
            yield "int." + name, (a,)
        elif name in ("lshift", "rshift"):
            yield "int." + name, (a, rng.randint(-2, 300))
        elif name == "pow":
            yield "int.pow", (rng.randint(-30, 30), rng.randint(-5, 200))
        elif name == "powmod":
            yield "int.powmod", (a, rng.randint(-9, 10**rng.randint(0, 40)), b)
        elif name in ("lt_float", "eq_float"):
            value = some_float(rng)
            if rng.random() < 0.5 and abs(value) < 1e300:
                a = int(value) + rng.randint(-1, 1)
            yield "int." + name, (a, value)
        elif name in ("gcd", "lcm"):
            common = some_int(rng)
            yield "math." + name, (a * common, b * common)
        elif name == "isqrt":
            yield "math.isqrt", (abs(a) if rng.random() < 0.5 else a * a + rng.randint(-1, 1),)
        elif name == "comb":
            yield "math.comb", (rng.randint(0, 300), rng.randint(0, 300))
        elif name == "round":
            yield "int.round", (a, rng.randint(-40, 2))
        elif name == "to_bytes":
            yield "int.to_bytes", (a, rng.randint(0, 30), rng.random() < .5, rng.random() < .5)
        elif name == "from_float":
            yield "int." + rng.choice(["from_float", "round_float", "floor", "ceil"]), (
                some_float(rng),)
        elif name == "parse":
            base = rng.choice([0, 2, 8, 10, 16, 36])
            text = rng.choice(["%d", "0x%x", " 0b%s ", "%x", "0o%o", "-%d", "1_%d", "%d_"])
            text = text.replace("%s", "{:b}".format(abs(a))).replace("%d", str(abs(a))).replace(
                "%x", "%x" % abs(a)).replace("%o", "%o" % abs(a))
            yield "int.parse", (text, base)
        else:
            yield "int." + name, (a, b)


# str and bytes ---------------------------------------------------------------------------------

CALLS["str.repr"] = repr
CALLS["str.ascii"] = ascii
CALLS["str.at"] = lambda s, i: s[i]
CALLS["str.slice"] = lambda s, a, b, c: s[a:b:c]
CALLS["str.repeat"] = lambda s, n: s * n
CALLS["str.contains"] = lambda s, t: t in s
CALLS["str.lt"] = lambda s, t: s < t
CALLS["str.chr"] = chr
CALLS["str.ord"] = ord
CALLS["str.splitlines"] = lambda s, keep: s.splitlines(keep)
CALLS["bytes.splitlines"] = CALLS["str.splitlines"]
CALLS["str.translate"] = lambda s, a, b, c: s.translate(str.maketrans(a, b, c))
CALLS["bytes.translate"] = lambda s, a, b, c: s.translate(bytes.maketrans(a, b), c)
CALLS["bytes.repr"] = repr
CALLS["bytes.at"] = CALLS["str.at"]
CALLS["bytes.slice"] = CALLS["str.slice"]
CALLS["bytes.repeat"] = CALLS["str.repeat"]
CALLS["bytes.contains"] = CALLS["str.contains"]
CALLS["bytes.from_ints"] = bytes
CALLS["bytes.zeros"] = bytes
CALLS["bytes.ord"] = ord

TEXTS = ["", "a", "abc", "Hello World", "  lead", "trail  ", " a  b c ", "aaa", "abab", "\t\n x \r",
         "it's", 'say "hi"', "it's \"both\"", "back\\slash", "\x00\x1f\x7f\x80\xa0\xad", "caf\xe9",
         "\xdf\xc0\xff", "\u20ac uro", "\U0001f600 smile", "\ud800", "a\udc80b", "\u03a3\u03a3 A\u03a3",
         "\u0130I\u0131i", "\u01c5 \u01c4", "\ufb01n", "one\ntwo\r\nthree\rfour\x0bfive\x85six\u2028seven",
         "\x1c\x1d a \u3000", "1_000", "+42", "-7", "\u0663", "\xb2\xbd", "x1", "_y", "9z", "title Case Here",
         "UPPER", "lower", "Ab Cd", "A", "\t\ta\tbc\td", "12\t345\n6\t7", "\u0345\u03a3", "a\u0300\u03a3",
         "\u10d0\u1c90", "\uabcd", "\u1fc3", "i\u0307", "a.b.c", "a,b,,c,", "==x==", "\u2029\u2028", "\u200b", "\ue000",
         "\U000e0001", "\U00010400\U00010428"]
OCTETS = [b"", b"a", b"abc", b"Hello World", b"  lead", b"trail  ", b" a  b c ", b"aaa", b"abab",
          b"\t\n x \r", b"it's", b'say "hi"', b"it's \"both\"", b"back\\slash", b"\x00\x7f\xff\x80",
          b"one\ntwo\r\nthree\rfour\x0bfive\x85six", b"+42", b"-7", b"x1", b"Title Case", b"UPPER",
          b"a,b,,c,", b"\t\ta\tbc\td", b"\xe9\xc0", b"\x1c a"]
UNARY = ["upper", "lower", "title", "capitalize", "swapcase", "strip", "lstrip", "rstrip", "split",
         "rsplit", "isalpha", "isalnum", "isdigit", "isspace", "isupper", "islower", "istitle",
         "isascii", "expandtabs", "repr"]
STR_UNARY = ["casefold", "isdecimal", "isnumeric", "isidentifier", "isprintable", "ascii", "ord"]
PAIRS = ["find", "rfind", "index", "rindex", "count", "startswith", "endswith", "split", "rsplit",
         "partition", "rpartition", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix",
         "contains"]
ENCODINGS = ["utf-8", "ascii", "latin-1", "UTF8", "us-ascii", "ISO-8859-1", "nope"]
HANDLERS = ["strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass",
            "xmlcharrefreplace", "nope"]
BAD_UTF8 = [b"\xff", b"\xe2\x82", b"\xe2\x28\xa1", b"\xf0\x9f\x98", b"\xf0\x9f\x98\x80", b"\xc0\xaf",
            b"\xed\xa0\x80", b"a\xed\xb0\x80b", b"\xf4\x90\x80\x80", b"\xf5", b"a\x80b", b"\xe0\x80\x80",
            b"\xf0\x80\x80\x80", b"\xc3", b"ok \xc3\xa9", b"\xe2\x82\xac\xe2", b"\xf0\x9f\x28\x80",
            b"\xf0\x9f\x98\x28", b"\xe1\x80\xe1\x80\x80"]


def same_for_both(kind, texts, empty, space, seps):
    for s in texts:
        for name in UNARY:
            yield "%s.%s" % (kind, name), (s,)
        for keep in (False, True):
            yield kind + ".splitlines", (s, keep)
        for limit in (0, 1, 2):
            yield kind + ".split", (s, None, limit)
            yield kind + ".rsplit", (s, None, limit)
        for i in (0, 1, -1, 5, -30):
            yield kind + ".at", (s, i)
        for a, b, c in ((None, None, -1), (1, -1, None), (None, None, 2), (-3, None, None),
                        (10, 0, -3), (None, None, 0)):
            yield kind + ".slice", (s, a, b, c)
        for width in (0, 4, 7, 20, -1):
            yield kind + ".center", (s, width)
            yield kind + ".ljust", (s, width, seps[0])
            yield kind + ".rjust", (s, width)
            yield kind + ".zfill", (s, width)
        for tab in (0, 1, 4, -1):
            yield kind + ".expandtabs", (s, tab)
        for n in (-1, 0, 1, 3):
            yield kind + ".repeat", (s, n)
        yield kind + ".join", (s, [seps[0], empty, space])
        yield kind + ".join", (s, [])
        for sep in (*seps, empty):
            for name in PAIRS:
                yield "%s.%s" % (kind, name), (s, sep)
            yield kind + ".replace", (s, sep, seps[1])
            yield kind + ".replace", (s, sep, empty, 1)
    for n in (10**30, -10**30):
        for name in ("center", "zfill", "repeat", "expandtabs"):
            yield "%s.%s" % (kind, name), (seps[0], n)
    yield kind + ".center", (seps[0], 5, seps[1])


def str__digest(method, start, end):
    """One number for what a method says of each character of a range."""
    answers = [getattr(chr(point), method)() for point in range(start, end)]
    return hash("".join(a if isinstance(a, str) else "%d" % a for a in answers))


CALLS["str.digest"] = str__digest


def str_fixed():
    for method in ("upper", "lower", "title", "casefold", "swapcase", "isalpha", "isalnum", "isdecimal", "isdigit",
                   "isnumeric", "isspace", "isupper", "islower", "istitle", "isidentifier", "isprintable"):
        for start in (0, 0x1000, 0x2000, 0x3000, 0xa000, 0xf000, 0x10000, 0x11000, 0x16000, 0x1d000, 0x1f000,
                      0x20000, 0x30000, 0xe0000, 0x10f000):
            yield "str.digest", (method, start, start + 0x1000)
    yield from same_for_both("str", TEXTS, "", " ", ["a", "ab", "\u03a3"])
    yield from (("str.chr", (point,)) for point in (0, 97, 0xe9, 0x20ac, 0xd800, 0x10ffff))
    for s in TEXTS:
        for name in STR_UNARY:
            yield "str." + name, (s,)
        for t in TEXTS[::3]:
            yield "str.lt", (s, t)
        for encoding in ENCODINGS:
            for handler in HANDLERS:
                yield "str.encode", (s, encoding, handler)
        yield "str.translate", (s, "abc", "x\u20acz", "l ")
        yield "str.hash", (s,)
    yield "str.translate", ("abc", "ab", "c", "")
    for point in (0, 97, 0xe9, 0x20ac, 0xd800, 0x10ffff, 0x110000, -1, 2**31, 10**30):
        yield "str.chr", (point,)
    for s in ("", "a", "aa", "\u20aca\u20ac"):
        for sub in ("", "a", "\u20ac"):
            for start in (-5, -1, 0, 1, 2, 3, 9):
                for end in (-5, -1, 0, 1, 2, 3, 9):
                    for name in ("find", "rfind", "count", "startswith", "endswith"):
                        yield "str." + name, (s, sub, start, end)


def bytes_fixed():
    yield from same_for_both("bytes", OCTETS, b"", b" ", [b"a", b"ab", b"\xe9"])
    for b in OCTETS + BAD_UTF8:
        for encoding in ENCODINGS:
            for handler in HANDLERS:
                yield "bytes.decode", (b, encoding, handler)
        yield "bytes.hex", (b,)
        for sep, group in ((":", 1), (":", 2), ("-", -2), (" ", 3), (":", 0), ("xx", 1), ("\xe9", 1),
                           ("", 1)):
            yield "bytes.hex", (b, sep, group)
        yield "bytes.translate", (b, b"abc", b"xyz", b"l ")
        yield "bytes.hash", (b,)
        yield "bytes.ord", (b,)
    yield "bytes.translate", (b"abc", b"ab", b"c", b"")
    for text in ("", "00ff", "0 0", "00 fF\n", "zz", "abc", "a", "ab\xe9", "ab cd e", "\u20acab", "  ", "1g"):
        yield "bytes.fromhex", (text,)
    for items in ([], [0, 255], [256], [-1], [10**30]):
        yield "bytes.from_ints", (items,)
    for n in (0, 3, -1, 10**30):
        yield "bytes.zeros", (n,)


ALPHABETS = ["ab", "abcXYZ 019", "aA \t\n.,", "a\xe9\xdf\xc0 B", "\u03a3\u03c3 aA\u0345.", "\u20aca\U0001f600\ud800\udc80 ",
             "'\"\\\n\x00\x7f\xa0\u2028a"]


def some_text(rng, alphabet=None):
    if alphabet is None and rng.random() < 0.15:
        return "".join(chr(rng.choice([rng.randrange(0x100), rng.randrange(0x3000),
                                       rng.randrange(0x110000)])) for _ in range(rng.randrange(6)))
    alphabet = alphabet or rng.choice(ALPHABETS)
    return "".join(rng.choice(alphabet) for _ in range(rng.randrange(rng.choice([3, 8, 30]))))


def both_random(rng, kind, make):
    unary = UNARY + (STR_UNARY if kind == "str" else [])
    while True:
        alphabet = rng.choice(ALPHABETS)
        s, t, u = (make(rng, alphabet) for _ in range(3))
        if rng.random() < 0.2:
            s = make(rng)
        t = t[:rng.choice([1, 2, 5])]
        choice = rng.randrange(9)
        if choice == 0:
            yield "%s.%s" % (kind, rng.choice(unary)), (s,)
        elif choice == 1:
            name = rng.choice(["find", "rfind", "index", "rindex", "count", "startswith", "endswith"])
            yield "%s.%s" % (kind, name), (s, t, rng.randint(-9, 9), rng.randint(-9, 12))
        elif choice == 2:
            yield "%s.%s" % (kind, rng.choice(PAIRS)), (s, t)
        elif choice == 3:
            yield "%s.%s" % (kind, rng.choice(["split", "rsplit"])), (
                s, rng.choice([t, None]), rng.randint(-1, 4))
        elif choice == 4:
            yield kind + ".replace", (s, t, u, rng.randint(-1, 4))
        elif choice == 5:
            ends = [rng.choice([None, rng.randint(-12, 12)]) for _ in range(2)]
            yield kind + ".slice", (s, *ends, rng.choice([None, 1, -1, 2, -3, 0]))
        elif choice == 6:
            yield "%s.%s" % (kind, rng.choice(["center", "ljust", "rjust", "zfill"])), (
                s, rng.randint(-2, 40))
        elif choice == 7:
            yield kind + ".hash", (s,)
        elif kind == "str":
            yield "str.encode", (s, rng.choice(ENCODINGS), rng.choice(HANDLERS))
        else:
            yield "bytes.decode", (bytes(rng.choice(b"a\x80\x9f\xa0\xbf\xc2\xe0\xe2\xed\xf0\xf4\xff") for _ in range(
                rng.randrange(8))), rng.choice(ENCODINGS), rng.choice(HANDLERS))


def str_random(rng):
    return both_random(rng, "str", some_text)


def bytes_random(rng):
    return both_random(rng, "bytes",
                       lambda r, alphabet=None: some_text(r, alphabet).encode("utf-8", "surrogatepass"))


# hashes, sets, slices, ranges ------------------------------------------------------------------

CALLS["str.hash"] = hash
CALLS["bytes.hash"] = hash
CALLS["hash.float"] = lambda a: 0 if a != a else hash(a)
CALLS["hash.complex"] = hash
CALLS["hash.tuple"] = lambda a: hash(tuple(a))
CALLS["hash.frozenset"] = lambda a: hash(frozenset(a))
CALLS["slice.indices"] = lambda a, b, c, n: slice(a, b, c).indices(n)
CALLS["range.items"] = lambda a, b, c: list(range(a, b, c))[:50]
CALLS["range.len"] = lambda a, b, c: len(range(a, b, c))
CALLS["range.at"] = lambda a, b, c, i: range(a, b, c)[i]
CALLS["range.index"] = lambda a, b, c, i: range(a, b, c).index(i)
CALLS["range.slice"] = lambda a, b, c, d, e, f: repr(range(a, b, c)[d:e:f])
CALLS["range.eq"] = lambda a, b, c, d, e, f: range(a, b, c) == range(d, e, f)
CALLS["range.reversed"] = lambda a, b, c: list(reversed(range(a, b, c)))[:50]


@register
def set__run(steps):
    """Runs `steps`, each "operation register argument...", and lists the registers."""
    sets = {"A": set(), "B": set(), "C": set()}
    for step in steps:
        op, r, *rest = step.split(" ")
        values = [int(v[1:]) if v[0] == "i" else v[1:] for v in rest]
        names = [sets.get(v) for v in rest]
        if op == "items":
            sets[r] = set(values)
        elif op == "add":
            sets[r].add(values[0])
        elif op == "discard":
            sets[r].discard(values[0])
        elif op == "pop":
            if sets[r]:
                sets[r].pop()
        elif op == "clear":
            sets[r].clear()
        elif op == "copy":
            sets[r] = names[0].copy()
        elif op == "frozen":
            sets[r] = set(frozenset(names[0]))
        elif op == "or":
            sets[r] = names[0] | names[1]
        elif op == "update":
            sets[r] |= names[0]
        elif op == "keys":
            sets[r].update(dict.fromkeys(values))
        elif op == "and":
            sets[r] = names[0] & names[1]
        elif op == "iand":
            sets[r] &= names[0]
        elif op == "anditems":
            sets[r] = sets[r].intersection(values)
        elif op == "sub":
            sets[r] = names[0] - names[1]
        elif op == "isub":
            sets[r] -= names[0]
        elif op == "subitems":
            sets[r].difference_update(values)
        elif op == "xor":
            sets[r] = names[0] ^ names[1]
        elif op == "ixor":
            sets[r] ^= names[0]
        else:
            raise AssertionError(op)
    return [str(item) for name in "ABC" for item in [name, *sets[name]]]


def some_member(rng, span):
    if rng.random() < 0.6:
        return "i%d" % rng.choice([rng.randrange(span), rng.randrange(span), -rng.randrange(9),
                                   rng.getrandbits(70)])
    return "s" + "".join(rng.choice("abcxyz") for _ in range(rng.randint(1, 4)))


def set_script(rng):
    span = rng.choice([10, 50, 300, 3000])
    steps = []
    for _ in range(rng.randint(1, 25)):
        r, p, q = (rng.choice("ABC") for _ in range(3))
        many = [some_member(rng, span) for _ in range(rng.choice([0, 3, 8, 30, 200]))]
        op = rng.choice(["items", "items", "add", "add", "discard", "discard", "pop", "pop", "clear", "copy",
                         "frozen", "or", "update", "keys", "and", "iand", "anditems", "sub", "isub",
                         "subitems", "xor", "ixor"])
        if op in ("items", "keys", "anditems", "subitems"):
            steps.append(" ".join([op, r, *many]))
        elif op in ("add", "discard"):
            steps += ["%s %s %s" % (op, r, v) for v in many[:20]]
        elif op in ("pop", "clear"):
            steps.append("%s %s" % (op, r))
        elif op in ("copy", "frozen", "update", "iand", "isub", "ixor"):
            steps.append("%s %s %s" % (op, r, p))
        else:
            steps.append("%s %s %s %s" % (op, r, p, q))
    return steps


def container_fixed():
    for value in (0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 1e300, 5e-324, 2.0**61, 2.0**61 - 512, math.inf,
                  -math.inf, math.nan, 1e16):
        yield "hash.float", (value,)
        yield "hash.complex", (complex(0.0 if value != value else value, 2.5),)
    for items in ([], [1], [1, "a"], [-1, -2, 2**70], ["", "abc", 1.5], list(range(20))):
        yield "hash.tuple", (items,)
        yield "hash.frozenset", (items,)
    yield "set.run", (["items A " + " ".join("i%d" % i for i in range(0, 40, 7))],)
    yield "set.run", (["items A sapple sbanana scherry sdate", "add A selder"],)
    ends = [None, 0, 1, -1, 3, -3, 10, -10, 10**30, -10**30]
    for a in ends:
        for b in ends:
            for c in (None, 1, -1, 2, -2, 0, 10**30, -10**30):
                yield "slice.indices", (a, b, c, 5)
        yield "slice.indices", (a, None, -1, 0)
        yield "slice.indices", (a, None, None, 10**40)
    yield "slice.indices", (1, 2, 3, -5)
    for a, b, c in ((0, 5, 1), (5, 0, -2), (0, 0, 1), (3, 3, -1), (0, 10, 3), (0, 10**30, 10**28),
                    (10**30, -10**30, -10**29), (0, 5, 0), (-5, 5, 4), (0, 10**30, 1)):
        for name in ("items", "reversed", "hash", "len"):
            if not (name in ("items", "reversed") and c == 1 and b > 10):
                yield "range." + name, (a, b, c)
        for i in (0, 1, -1, 4, 5, 99, -99, 10**29):
            yield "range.at", (a, b, c, i)
            yield "range.index", (a, b, c, i)
        yield "range.slice", (a, b, c, 1, None, 2)
        yield "range.slice", (a, b, c, None, None, -1)
        yield "range.slice", (a, b, c, -2, 1, -1)


def range__hash(a, b, c):
    r = range(a, b, c)
    none = 0xfca86420
    return _TUPLE_HASH([hash(len_of(r)), hash(r.start) if r else none,
                        hash(r.step) if len_of(r) > 1 else none])


def len_of(r):
    return (r[-1] - r[0]) // r.step + 1 if r else 0


class _Hashed:
    def __init__(self, value):
        self.value = value

    def __hash__(self):
        return self.value


def _TUPLE_HASH(hashes):
    return hash(tuple(map(_Hashed, hashes)))


CALLS["range.hash"] = range__hash


def container_random(rng):
    while True:
        choice = rng.randrange(5)
        if choice == 0:
            yield "set.run", (set_script(rng),)
        elif choice == 1:
            yield "hash.float", (some_float(rng),)
        elif choice == 2:
            items = [rng.choice([some_int, some_float, some_text])(rng) for _ in range(rng.randrange(6))]
            items = [0 if item != item else item for item in items]
            yield rng.choice(["hash.tuple", "hash.frozenset"]), (items,)
        elif choice == 3:
            ends = [rng.choice([None, rng.randint(-20, 20), some_int(rng)]) for _ in range(3)]
            yield "slice.indices", (*ends, rng.randint(0, 20))
        else:
            ends = [rng.randint(-20, 20) for _ in range(3)]
            name = rng.choice(["items", "reversed", "hash", "len", "at", "index", "slice", "eq"])
            more = {"at": 1, "index": 1, "slice": 3, "eq": 3}.get(name, 0)
            others = [rng.randint(-20, 20) for _ in range(more)]
            if name == "slice":
                others = [rng.choice([None, v]) for v in others]
            yield "range." + name, (*ends, *others)



# floats and complex numbers --------------------------------------------------------------------

CALLS["float.repr"] = repr
CALLS["float.parse"] = float
CALLS["float.truediv"] = lambda a, b: a / b
CALLS["float.floordiv"] = lambda a, b: a // b
CALLS["float.mod"] = lambda a, b: a % b
CALLS["float.divmod"] = divmod
CALLS["float.pow"] = lambda a, b: a ** b
CALLS["float.round"] = round
CALLS["complex.repr"] = repr
CALLS["complex.parse"] = complex
CALLS["complex.mul"] = lambda a, b: a * b
CALLS["complex.truediv"] = lambda a, b: a / b
CALLS["complex.pow"] = lambda a, b: a ** b
CALLS["complex.abs"] = abs

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, 0.1, 0.2, 1e16, 9999999999999998.0, 123456.789,
          1e22, 1e23, 1e-4, 1e-5, 0.00012, 1e100, 1e300, 5e-324, 2.2250738585072014e-308, 1e-310,
          1.7976931348623157e308, math.inf, -math.inf, math.nan, 2.0**53, 2.675, 1e15, 25.0, 35.0, -125.0,
          5.000001, 9.5, 0.05, 100.0, 12345678.0]
FLOAT_TEXTS = ["", " 1.5\n", "1_0.5_0", "1__0", "_1", "1_", "1_.5", "1._5", "1e1_0", "1_e5", "inf", "-Infinity",
               "+nan", "nan1", "infin", "1e400", "-1e400", "1e-400", "0e9999999999999999999", "1e99999999999999999999",
               "1e-99999999999999999999", ".5", "5.", ".", "e5", "1e", "1e+", "+-1", "0x10", "1.5j", "\uff11.\uff15",
               "\u20031", "1\x00", "\u20ac", "it's", "0.1e-320", "2.4703282292062327e-324", "2.4703282292062328e-324",
               "179769313486231580793728971405301e276", "1.7976931348623159e308", "0" * 400 + "1", "0." + "0" * 400 + "1e401",
               "1" + "0" * 400 + "e-400", "9007199254740993", "9007199254740992.999999999999999", "1 2", "\x1c1"]
HEX_TEXTS = ["0x1p0", "0x1.8p1", "-0x.8p-3", "1.8", "0x1.fffffffffffff8p0", "0x1.fffffffffffff7p0", "0x1.00000000000008p0",
             "0x1.000000000000080000001p0", "0x1.00000000000018p0", "0x1p1024", "0x1p-1074", "0x1p-1075", "0x1.8p-1075",
             "0x1p-1076", "0x0.0000000000001p-1022", "inf", "-INF", "nan", "+Infinity", "0x", "0x.", "0x1p", "p1", "", " 0x1 ",
             "0x1p99999999999999999999", "0x0p99999999999999999999", "0x1p-99999999999999999999", "0x1g", "abc.defP4", "1 2",
             "0x1.fffffffffffffp1023", "0x1.fffffffffffff8p1023", "0x" + "1" * 100 + "p-400", "0x1_0", "--1", "0x1.p1"]
COMPLEX_TEXTS = ["1", "1j", "j", "-j", "+1-j", "1+2j", "(1+2j)", " ( 1+2j ) ", "1+2", "1+", "1 + 2j", "1+2jj", "nan+infj",
                 "(1", "1)", "", "()", "1e5-1e-5j", "1_0+2_0j", "1_+2j", "1+-2j", "1j+2", "-0-0j", "1J", "inf", "-nanj", "((1))",
                 "\uff11+\uff12j", "++j"]
COMPLEXES = [0j, complex(-0.0, 0.0), complex(0.0, -0.0), complex(-0.0, -0.0), 1 + 0j, 1j, -1j, 1 + 2j, 1.5 - 2.5j, 3 - 4j,
             1e200 + 1e200j, complex(math.inf, 1), complex(1, math.nan), complex(1e16, -1e-5), 0.1 + 0.2j, 100j, 1e308 + 1e308j]


def float_fixed():
    for a in FLOATS:
        yield "float.repr", (a,)
        yield "float.hex", (a,)
        yield "float.as_integer_ratio", (a,)
        yield "float.is_integer", (a,)
        for b in FLOATS[::2]:
            for name in ("truediv", "floordiv", "mod", "divmod"):
                yield "float." + name, (a, b)
        for b in (0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 3.0, 0.5, -0.5, math.inf, -math.inf, math.nan, 1e300, -3.0, 1 / 3):
            yield "float.pow", (a, b)
        for digits in (0, 1, 2, 5, 15, 20, 400, -1, -2, -5, -307, -308, -309, 10**30, -10**30):
            yield "float.round", (a, digits)
    for text in FLOAT_TEXTS:
        yield "float.parse", (text,)
        yield "float.parse", (text.encode("utf-8", "surrogatepass"),)
    for text in HEX_TEXTS:
        yield "float.fromhex", (text,)
    for text in COMPLEX_TEXTS:
        yield "complex.parse", (text,)
    for a in COMPLEXES:
        yield "complex.repr", (a,)
        yield "complex.abs", (a,)
        for b in COMPLEXES:
            yield "complex.mul", (a, b)
            yield "complex.truediv", (a, b)
        for b in (0j, 1 + 0j, 2 + 0j, -1 + 0j, -3 + 0j, 100 + 0j, 0.5 + 0j, 1j, -1 + 1j, 101 + 0j, 50 + 0j):
            yield "complex.pow", (a, b)


def some_complex(rng):
    return complex(some_float(rng), some_float(rng))

def float_random(rng):
    while True:
        a, b = some_float(rng), some_float(rng)
        name = rng.choice(["repr", "hex", "as_integer_ratio", "truediv", "floordiv", "mod", "divmod", "pow",
                           "round", "parse", "fromhex", "complex"])
        if name in ("repr", "hex", "as_integer_ratio"):
            yield "float." + name, (a,)
        elif name == "pow":
            yield "float.pow", (a, rng.choice([b, float(rng.randint(-20, 20)), 0.5]))
        elif name == "round":
            yield "float.round", (a, rng.randint(-20, 25))
        elif name == "parse":
            digits = str(rng.getrandbits(rng.choice([8, 53, 64, 200])))
            at = rng.randint(0, len(digits))
            yield "float.parse", (digits[:at] + "." + digits[at:] + rng.choice(["", "e%d" % rng.randint(-340, 320)]),)
        elif name == "fromhex":
            yield "float.fromhex", ("%x.%xp%d" % (rng.getrandbits(rng.choice([1, 60, 100])), rng.getrandbits(70),
                                                  rng.randint(-1150, 1030)),)
        elif name == "complex":
            x, y = some_complex(rng), some_complex(rng)
            op = rng.choice(["repr", "mul", "truediv", "parse", "pow"])
            if op == "repr":
                yield "complex.repr", (x,)
            elif op == "parse":
                yield "complex.parse", (repr(x),)
            elif op == "pow":
                yield "complex.pow", (complex(rng.uniform(-3, 3), rng.uniform(-3, 3)), rng.choice([complex(rng.randint(-5, 9), 0), complex(rng.random()), y]))
            else:
                yield "complex." + op, (x, y)
        else:
            yield "float." + name, (a, b)


# formats ---------------------------------------------------------------------------------------

CALLS["format.value"] = format
CALLS["format.percent"] = lambda template, args: template % tuple(args)
CALLS["format.mapping"] = lambda template, keys, values: template % dict(zip(keys, values))


class Limit(Exception):
    """What the driver on the other side does not look up: attributes but .real, items but characters."""


@register
def format__template(template, args, keys, values):
    try:
        return template.format(*args, **dict(zip(keys, values)))
    except AttributeError:
        raise Limit("an attribute") from None
    except TypeError as exc:
        if "subscriptable" in str(exc) or "indices" in str(exc):
            raise Limit("an item") from None
        raise

SPECS = ["", "d", "5", "<5", ">5", "^7", "^6", "=6", "05", "+", " ", "-", "+d", "x", "X", "#x", "#X", "#o", "#b", "b", "o", "c",
         "n", ",", "_", ",d", "_d", "_x", "_b", "#_x", "020,", "#020_x", "08_b", "*^15", "x<5", "\u20ac>8", "e", "E", "f", "F", "g",
         "G", "%", ".0f", ".1f", ".2f", ".3e", ".0e", "#.0f", "#.0e", "#g", ".3g", ".10g", ".0g", "#.3g", ".3", ".0", ".1", "#.3",
         "#", ".17", "015.3f", "+.2f", " .2f", "<10.2f", "^+10.2f", "=+10", "010.2%", ",.2f", "_.2f", "020,.2f", "012,e", "z",
         "z.1f", "+z.0f", "s", "10s", ".2s", "^10.2s", "-s", "#s", "=10s", ",s", "_s", "zs", "q", "\u20ac", "\x01", ".", "5.d", ".3d",
         ".2.3f", ",_d", "_,d", ",,d", "__d", "dd", "99999999999999999999d", ".99999999999999999999f", ".99999999999f",
         ",x", ",b", ",n", "_n", ",c", "+c", "#c", "05c", "^5c", "zd", "\u0661\u0660d", "<05", "x<05", "=5", "0=5", "0<5", "10", "010",
         "+010,", "0000010d", "\ud800>4", "}>4", "{^5"]
VALUES = [0, 1, -1, 7, 255, -255, 12345678, -1234567, 10**30, 0x110000, 0x20ac, True, False, 0.0, -0.0, 1.0, 1.5, -2.5, 0.05,
          -0.001, 1e16, 123456.0, 1234567.891, 1e-7, 1e300, math.inf, -math.inf, math.nan, "", "a", "abc", "\u20acuro", "abcdef",
          0j, 1 + 2j, -1.5 - 0.25j, 1234567 + 1e20j, complex(-0.0, 1), complex(math.nan, math.inf), 10**400]
TEMPLATES = ["%d", "%5d", "%-5d|", "%05d", "%+d", "% d", "%x", "%#x", "%#X", "%#o", "%08x", "%#08x", "%-#8x|", "%.5d", "%+.5d",
             "%8.5d", "%08.5d", "%s", "%10s", "%-10s|", "%.2s", "%r", "%a", "%.3r", "%f", "%.0f", "%#.0f", "%.3e", "%E", "%g",
             "%G", "%#g", "%010.2f", "%+010.2f", "%-10.2f|", "% f", "%c", "%5c", "%-3c|", "%05c", "%i", "%u", "%o", "%X", "%y",
             "%hd", "%ld", "%hld", "%5%", "%", "abc", "%%", "a%%b %d", "%(a)d", "%-05d|", "%+s", "%05s", "% 5d", "%+ d", "%.d",
             "%.f", "%F", "%b", "%\u20ac", "%99999999999999999999d", "%.99999999999d", "%.99999999999999999999d"]
FIELDS = ["{}", "{} {}", "{0} {1}", "{1}{0}{1}", "{0}{}", "{}{0}", "{a}", "{a} {b}", "{0!r}", "{!s:>5}", "{!a}", "{a!r:^10}", "{:5}",
          "{:>{}}", "{:{}{}}", "{0:{1}}", "{:{a}}", "{:{:{}}}", "{{}}", "{{{}}}", "}}{{", "{", "}", "{a", "{a!", "{a!x}", "{a!}",
          "{a!rr}", "{a!r:}", "{a.}", "{a[}", "{a[]}", "{0[0]}", "{0[0]b}", "{0.real}", "{99999999999999999999}",
          "{0[99999999999999999999]}", "{:{}", "{!r}{", "{0!r", "{0:", "{a{}}", "{2}", "{c}", "x{}y{}z", "{0:}}", "{:{{}}}", "{:}}}", "",
          "abc", "{\u0661}", "{:\u20ac>{}}", "{0.real.real:>4}", "{0!\u20ac}", "{ }", "{ 0}", "{-1}", "{0 }", "{!}", "{!:}", "{[0]}",
          "{}}", "{{}", "{:d", "{0.real[}", "{0[0}", "{a}{}", "{}{a}{}", "{:.{}f}", "{0:{1}{2}}", "{:!r}", "{0:[}", "{0[:]}", "{0[!]}",
          "{0[{]}", "{a!r!s}"]


def format_fixed():
    for spec in SPECS:
        for value in VALUES:
            yield "format.value", (value, spec)
    for template in TEMPLATES:
        for value in (0, 5, -255, 10**20, 1.5, -2.0, math.inf, math.nan, "abc", "\u20ac", "x", None, 1j, 0x110000, -1, True, 1e300, 10**400):
            yield "format.percent", (template, [value])
        yield "format.percent", (template, [])
        yield "format.percent", (template, [1, 2])
        if "%(" in template or template in ("abc", "%%", "%"):
            yield "format.mapping", (template, ["a"], [5])
        octets = template.encode("latin-1", "ignore")
        for value in (65, -3, 300, 1.5, b"x", b"a\xffb", "abc", None):
            yield "format.percent", (octets, [value])
    for template, args in (("%*d", [6, 3]), ("%*d|", [-6, 3]), ("%.*f", [2, 1.0]), ("%.*f", [-2, 1.0]), ("%*.*f", [8, 2, 1.0]),
                           ("%*d", ["a", 1]), ("%.*d", ["a", 1]), ("%*d", [1]), ("%*d", [10**30, 1]), ("%.*d", [10**30, 1]),
                           ("%*d", []), ("%s %y", ["a"]), ("%d %y", ["a"]), ("%d%", [1])):
        yield "format.percent", (template, args)
    for template in ("%(a)s-%(b)d", "%(a)s %(c)s", "%(a(b))d", "%(a", "%()d", "%(a)5%", "%(a)y", "%(\u20ac)s"):
        yield "format.mapping", (template, ["a", "b", "a(b)", "", "\u20ac"], ["x", 2, 3, 4, 5])
    for template in FIELDS:
        for args in ([], [5], [7, 3], ["abc", 10], ["x", "<5", "d"], [12, "+", "d"], [2.5, 1]):
            yield "format.template", (template, args, ["a", "b"], [42, "it's"])


SPEC_ALPHABET = "<>=^+- z#0,_.123dbocxXeEfFgGn%s*5"


def some_spec(rng):
    if rng.random() < 0.3:
        return "".join(rng.choice(SPEC_ALPHABET) for _ in range(rng.randrange(6)))
    parts = [rng.choice(["", "", "<", ">", "^", "=", "*<", "\u20ac^", "0="]), rng.choice(["", "", "+", "-", " "]),
             rng.choice(["", "", "", "z"]), rng.choice(["", "", "#"]), rng.choice(["", "", "0"]),
             rng.choice(["", "3", "10", "25"]), rng.choice(["", "", ",", "_"]), rng.choice(["", "", ".0", ".2", ".5", ".17", ".30"]),
             rng.choice(["", "d", "b", "x", "X", "o", "n", "e", "f", "g", "G", "%", "s", "c", "E", "F"])]
    return "".join(parts)


def some_value(rng):
    return rng.choice([some_int, some_float, some_text, some_complex, lambda r: r.randint(-300, 300)])(rng)


def format_random(rng):
    while True:
        choice = rng.randrange(4)
        if choice < 2:
            yield "format.value", (some_value(rng), some_spec(rng))
        elif choice == 2:
            template = "%" + "".join([rng.choice(["", "-", "0", "+", " ", "#", "#0", "-0", "+0"]), rng.choice(["", "5", "12"]),
                                      rng.choice(["", ".", ".0", ".3", ".15"]), rng.choice("ddiuxXoeEfFgGcsra%y")])
            args = [rng.choice([some_int, some_float, some_text])(rng) for _ in range(rng.choice([1, 1, 1, 1, 0, 2]))]
            yield "format.percent", (rng.choice(["", "<", "%%"]) + template + rng.choice(["", ">"]), args)
        else:
            template = "".join(rng.choice(["{", "}", "{}", "{0}", "{a}", "x", ":", "!r", "[0]", ".real", "{:5}", "{{", "{0!s:>{1}}", "[", "]"])
                               for _ in range(rng.randint(1, 5)))
            yield "format.template", (template, [3, 8], ["a"], [6])


TABLES = {
    "int": table(int_fixed, int_random, 400),
    "str": table(str_fixed, str_random, 300),
    "bytes": table(bytes_fixed, bytes_random, 200),
    "containers": table(container_fixed, container_random, 150),
    "float": table(float_fixed, float_random, 400),
    "math": table(math_fixed, math_random, 400),
    "format": table(format_fixed, format_random, 400),
    "regex": table(regex_calls.regex_fixed, regex_calls.regex_random, 400),
}
