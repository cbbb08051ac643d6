"""string: constants, Template, capwords, Formatter; textwrap-like helpers written by hand."""
import string
from string import Template

print(string.ascii_lowercase, string.ascii_uppercase, string.digits, string.hexdigits, string.octdigits, string.punctuation, repr(string.whitespace), len(string.printable), string.ascii_letters[:3])
t = Template("$who likes ${what}, costs $$5 and ${what}s")
print(t.substitute(who="bob", what="tea"), t.safe_substitute(who="al"), t.substitute({"who": 1}, what=2), t.template[:4])
for bad in (lambda: t.substitute(who="x"), lambda: Template("$").substitute(), lambda: Template("a $1").substitute()):
    try:
        print(bad())
    except (KeyError, ValueError) as e:
        print(type(e).__name__, e)
print(string.capwords("hello wORLD  again"), string.capwords("a-b-c", "-"))
print(Template("$a$b ${a}b").substitute(a=1, b=2), Template("none").substitute(), Template("$a").safe_substitute())


def wrap(text, width):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return lines + [line] if line else lines


for l in wrap("the quick brown fox jumps over the lazy dog again and again", 16):
    print(f"|{l:<16}|")


def roman(n):
    out = ""
    for v, s in [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        out += s * (n // v)
        n %= v
    return out


print([roman(n) for n in (1, 4, 9, 14, 40, 90, 400, 1994, 2024)])


def rle(s):
    out, i = [], 0
    while i < len(s):
        j = i
        while j < len(s) and s[j] == s[i]:
            j += 1
        out.append(f"{s[i]}{j - i}" if j - i > 1 else s[i])
        i = j
    return "".join(out)


print(rle("aaabccdddd"), rle(""), rle("abc"))
table = [["name", "qty"], ["apple", 3], ["fig", 12]]
widths = [max(len(str(r[i])) for r in table) for i in range(2)]
print("\n".join(" | ".join(str(c).ljust(w) if isinstance(c, str) else str(c).rjust(w) for c, w in zip(r, widths)) for r in table))
