"""Text as model code handles it: names of parameters, tables of layers, parsing of numbers, nested formats."""
import math
import string

PATTERN = "blocks.{layer}.attn.{which}_proj.{kind}"
names = [PATTERN.format(layer=i, which=w, kind=k) for i in range(2) for w in "qkv" for k in ("weight", "bias")]
print(names[:3], len(names), names[-1].rsplit(".", 1), names[0].partition(".attn."), names[3].split("."))
renamed = {n.replace("blocks.", "layers.", 1).removesuffix(".weight"): n for n in names if n.endswith("weight")}
print(sorted(renamed)[0], renamed["layers.1.attn.v_proj"])
tree = {}
for name in names:
    node = tree
    *path, leaf = name.split(".")
    for part in path:
        node = node.setdefault(part, {})
    node[leaf] = len(name)


def show(node, depth=0):
    for key, value in node.items():
        if isinstance(value, dict):
            print(f"{'  ' * depth}{key}/")
            show(value, depth + 1)
        else:
            print(f"{'':{depth * 2}}{key:<8}|{value:>4}|")


show(tree)
rows = [("conv1", (3, 64, 7, 7), 9408), ("fc", (512, 10), 5130), ("bn", (), 0)]
width = max(len(n) for n, *_ in rows) + 2
for name, shape, count in rows:
    print(f"{name:<{width}}{'x'.join(map(str, shape)) or '-':^12}{count:>{10},}{count / 14538:>8.1%}")
for number in (0, 1, -1, 1234567.891, 1e-5, 1e16, 1.5e300, float("inf"), float("nan"), 255, 10 ** 20):
    specs = ["", ">12", "+", ".3e", ".2f", "g", ".4g", ",", "010"] if isinstance(number, float) else ["", ">12", "+d", "x", "#b", "#o", ",", "_", "08d", ".2f", "e", "c" if number in (255, 1) else "n"]
    print([format(number, s) for s in specs])
value, spec, places = math.pi, ".3f", 5
print(f"{value:{spec}} {value:.{places}} {value!r:>{places * 4}} {'a' 'b'!r} {value=:.2f} {places = } {{literal}} {'nested ' + f'{places:0{places}d}'}")
print("%5.2f|%-6s|%06d|%x|%r|%%|%+d|%s" % (1.005, "ab", -42, 255, "q", 7, None), "%(a)s-%(b)03d" % {"a": 1, "b": 2})
print("{0[k]} {1.real} {2!r:>5} {:>{w}}".format({"k": 1}, 2, "x") if False else "{0[k]} {1.real} {2!r:>5} {3:>{w}}".format({"k": 1}, 2, "x", 4, w=5))
for text in ("12", " 7 ", "-0", "1_000", "0x1f", "1e3", "3.", ".5", "inf", "-nan", "", "abc", "1__0", "٣", "1.5e-3", "+4", "0b11"):
    out = []
    for parse in (int, float, lambda t: int(t, 0), lambda t: int(t, 36)):
        try:
            out.append(parse(text))
        except ValueError:
            out.append("ValueError")
    print(repr(text), out)
print(int(3.99), int(-3.99), float("1e400"), round(2.5), round(-1.5), round(1.25, 1), round(1234, -2), (2.0).is_integer(), (0.1).as_integer_ratio(), float.fromhex("0x1.8p1"), (1.5).hex(), (255).bit_length(), (-5) // 2, -5 % 3, divmod(-7, 2), math.floor(-0.5), math.ceil(0.5), math.trunc(-1.7))
print("snake_case_name".title().replace("_", ""), "".join("_" + c.lower() if c.isupper() else c for c in "camelCaseName").lstrip("_"), "a,b;c".replace(";", ",").split(","), "  x y ".split(), "x".join("abc"), "abc"[::-1], "Hello"[1:-1], "ab" * 2, "b" in "abc")
print("tab\tx".expandtabs(4), "é".encode(), "ß".upper(), "ǅ".lower(), "abc".translate(str.maketrans({"a": "1", "b": None})), "x=1".partition("="), "line1\nline2\r\nline3".splitlines(), "a-b-c".rsplit("-", 1), "q".zfill(3), "-5".zfill(4), "mid".center(9, "*"))
print(string.ascii_lowercase[:3], string.digits, string.Template("$a-${b}").substitute(a=1, b=2), "abc".isidentifier(), "1a".isidentifier(), "12".isdigit(), "½".isnumeric(), "Ab".swapcase(), "a" < "b" < "c", sorted("bca", reverse=True), min("bca"), ord("a"), chr(8364), ascii("é"), repr("it's \"x\"\n"))
words = "the quick brown fox jumps over the lazy dog the end".split()
print(sorted(set(words), key=lambda w: (-len(w), w)), max(words, key=len), {w: words.count(w) for w in dict.fromkeys(words) if words.count(w) > 1}, [w for i, w in enumerate(words) if w not in words[:i]][:4])
matrix = [[r * 3 + c for c in range(3)] for r in range(3)]
print([list(col) for col in zip(*matrix)], [x for row in matrix for x in row if x % 2], {(r, c): v for r, row in enumerate(matrix) for c, v in enumerate(row) if r == c}, [[y for y in x if y] for x in matrix], {x % 4 for row in matrix for x in row})
first, *middle, last = range(6)
(a, (b, *c)), d = (1, (2, 3, 4)), 5
print(first, middle, last, a, b, c, d, [*middle, *"xy"], {**{"a": 1}, "b": 2, **{"a": 3}}, (*range(2), 9))
if (n := len(words)) > 5 and (longest := max(words, key=len)):
    print(n, longest, [y := 1, y + 1], [(x, z) for x in range(4) if (z := x * x) > 1], y)
total = 0
while (chunk := words[total:total + 4]):
    total += len(chunk)
print(total)


def parse(text):
    """A small grammar: expressions with + - * / ( ) and names."""
    tokens, number = [], ""
    for ch in text + " ":
        if ch.isdigit() or ch == ".":
            number += ch
            continue
        if number:
            tokens.append(float(number) if "." in number else int(number))
            number = ""
        if not ch.isspace():
            tokens.append(ch)
    at = 0

    def peek():
        return tokens[at] if at < len(tokens) else None

    def take():
        nonlocal at
        at += 1
        return tokens[at - 1]

    def factor():
        match take():
            case "(":
                inner = expression()
                if take() != ")":
                    raise SyntaxError("no )")
                return inner
            case "-":
                return -factor()
            case int() | float() as n:
                return n
            case other:
                raise SyntaxError(f"unexpected {other!r} at {at - 1}")

    def term():
        left = factor()
        while peek() in ("*", "/"):
            left = left * factor() if take() == "*" else left / factor()
        return left

    def expression():
        left = term()
        while peek() in ("+", "-"):
            left = left + term() if take() == "+" else left - term()
        return left

    return expression()


for text in ("1 + 2 * 3", "(1+2)*3 - -4", "7/2", "2*(3", "4 $", "1.5*2", "1/0"):
    try:
        print(text, "=", parse(text))
    except (SyntaxError, ZeroDivisionError, IndexError) as e:
        print(text, type(e).__name__, e)
