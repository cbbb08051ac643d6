"""str: methods, slicing, escapes, unicode, searching, splitting, padding, testing, translating."""
s = "Hello, World"
print(s.upper(), s.lower(), s.swapcase(), s.title(), "hELLO wORLD".capitalize(), "ß".upper(), "ǅ".lower(), s.casefold(), "they're bill's".title())
print(len(s), s[0], s[-1], s[1:5], s[::-1], s[::3], s[-5:], s[50:], s * 2, "a" "b" 'c', "x" in s, "World" in s, s + "!")
print(s.find("o"), s.find("o", 5), s.find("zz"), s.rfind("o"), s.index("W"), s.rindex("l"), s.count("l"), s.count(""), s.find("l", 3, 4), s.count("l", 4), "aaa".count("aa"))
print(s.startswith("He"), s.endswith("ld"), s.startswith(("x", "H")), s.startswith("World", 7), s.endswith("lo", 0, 5), "".startswith(""), s.removeprefix("Hello"), s.removesuffix("World"), s.removeprefix("x"))
print(s.replace("l", "L"), s.replace("l", "L", 2), s.replace("zz", "y"), "abc".replace("", "-"), "aaa".replace("a", "bb", 1), s.replace("o", ""))
print("  pad ".strip() + "|", "  pad ".lstrip() + "|", "  pad ".rstrip() + "|", "xxhixx".strip("x"), "abcba".strip("ab"), "\t\n x".strip(), "www.ex.com".strip("cmow."), repr("\x0b\x1c q ".strip()))
print("a,b,,c".split(","), "a b  c ".split(), "a b  c ".split(" "), "a,b,c".split(",", 1), "a,b,c".rsplit(",", 1), "".split(), "".split(","), "abc".split("abc"), "1<>2<>3".split("<>"), " a  b ".split(None, 1), " a  b ".rsplit(None, 1))
print("l1\nl2\r\nl3\rl4".splitlines(), "a\n\nb\n".splitlines(True), "".splitlines(), "a\x0bb\x1cc\u2028d".splitlines(), "key=value=x".partition("="), "none".partition("="), "a.b.c".rpartition("."), "zz".rpartition("."))
print(",".join(["a", "b"]), "".join("xyz"), "-".join([]), ", ".join(str(i) for i in range(3)), "ab".join("123"), " ".join(["one"]))
print("7".zfill(3), "-7".zfill(4), "+7".zfill(4), "abc".center(9, "*") + "|", "abc".center(6) + "|", "abc".ljust(6, ".") + "|", "abc".rjust(6) + "|", "a\tb\tcc".expandtabs(4), "abcd".center(3), "\t1".expandtabs())
print("abc".isalpha(), "ab1".isalnum(), "123".isdigit(), "½".isnumeric(), "²".isdigit(), "²".isdecimal(), "abc".islower(), "ABC".isupper(), " \t".isspace(), "Title Case".istitle(), "x1".isidentifier(), "1x".isidentifier(), "".isalpha(), "abc\n".isprintable(), "é".isascii(), "".isascii(), "class".isidentifier(), "A1".isupper(), "日本".isalpha())
print("hello".translate(str.maketrans("el", "ip")), "hello".translate({104: "J", 101: None}), "abc".translate(str.maketrans("a", "b", "c")), "abc".translate({97: 120}), str.maketrans({"a": 1, 98: "q"}))
print(repr("a'b"), repr('a"b'), repr("a'b\"c"), repr("tab\t nl\n cr\r bs\\ nul\0 bell\x07 del\x7f é \u200b \U0001f600 \xad \ud800".replace("\ud800", "?")), ascii("é\U0001f600"), r"raw\n", """triple
line""", "\x41\u0042\N{LATIN SMALL LETTER E}\103")
print("é" == "e\u0301", len("😀"), "😀"[0], "日本語"[::-1], "naïve".encode("utf-8"), b"na\xc3\xafve".decode(), "😀".encode("utf-16-le"), "é".encode("latin-1"), "é".encode("ascii", "ignore"), "é".encode("ascii", "replace"), "é".encode("ascii", "backslashreplace"), b"\xff\x41".decode("utf-8", "replace"), b"\xffa".decode("latin-1"), b"ab".decode("ascii"))
print(min("hello"), max("hello"), sorted("hello"), set("aab") == {"a", "b"}, list("abc"), tuple("ab"), "a" < "b" < "c", "Z" < "a", "" < "a", "abc" < "abd", "a" * 0, "ab" * -1, "abc" > "ab")
print("%s and %r" % ("a", "b"), "abc".__len__(), "abc".__contains__("b"), "b".__lt__("c"), str(b"bytes"), str(5.0), str([1, "a"]), str({"a": "b"}), "{}".format("x"), "a" is not "b" if False else "skip")
print("hello world".split()[1][0].upper() + "x".join(["1", "2"]).replace("x", "y").ljust(5, "."), "Mississippi".replace("ss", "SS").split("i"), "a-b_c".replace("-", "_").split("_"))
vowels = sum(c in "aeiou" for c in "programming language")
print(vowels, "".join(c for c in "a1b2" if c.isdigit()), "".join(sorted("python")), "racecar" == "racecar"[::-1], {c: "banana".count(c) for c in "ban"}, "banana".rfind("an"), "banana".index("na", 3))


def caesar(text, k):
    out = []
    for c in text:
        if c.isalpha():
            base = ord("a") if c.islower() else ord("A")
            c = chr((ord(c) - base + k) % 26 + base)
        out.append(c)
    return "".join(out)


print(caesar("Hello, World!", 3), caesar(caesar("Round Trip", 5), -5))
print("abc".ljust(5) + "|", "x".join(("a", "b")), "a\\b", 'it''s', "new\
line", "tab\there", "oct\101", str(object)[:6], "A".isupper(), "1.5".replace(".", "").isdigit(), "  x".lstrip(" "), "end.".rstrip("."))
