"""Calls of module re: what compiles to what, what is found, how replacements are read."""
import re
import warnings


class Limit(Exception):
    """What ptc refuses."""


def _groups(tree):
    """Has a part of a tree of re._parser a group?"""
    if isinstance(tree, (tuple, list)) and len(tree) == 2 and tree[0] is re._constants.SUBPATTERN and tree[1][0]:
        return True
    return isinstance(tree, (tuple, list, re._parser.SubPattern)) and any(map(_groups, tree))


def _possessive_groups(tree):
    if isinstance(tree, tuple) and len(tree) == 2 and tree[0] is re._constants.POSSESSIVE_REPEAT and _groups(tree[1][2]):
        return True
    return isinstance(tree, (tuple, list, re._parser.SubPattern)) and any(map(_possessive_groups, tree))


def _compiled(pattern, flags=0):
    """As re.compile(); possessive repetitions with groups are wrong in CPython 3.11."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        p = re.compile(pattern, flags)
        if _possessive_groups(re._parser.parse(pattern, flags)):
            raise Limit("a possessive repetition with a group before CPython 3.13")
        return p


def _described(found):
    return None if found is None else [found.lastindex or 0, *(at for span in found.regs for at in span)]


def re__compile(pattern, flags):
    """Flags, groups, names with their groups, warnings; or the error with its position."""
    re.purge()
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        try:
            p = re.compile(pattern, flags)
        except re.error as e:
            return ["error", e.msg, e.pos]
    _compiled(pattern, flags)
    return [p.flags, p.groups, *(part for item in p.groupindex.items() for part in item), *(str(w.message) for w in noted)]


def re__find(pattern, flags, text, mode, start, end):
    try:
        p = _compiled(pattern, flags)
    except (re.error, OverflowError):
        return "error"
    return _described(getattr(p, mode)(text, start, end))


def re__all(pattern, flags, text, most):
    try:
        p = _compiled(pattern, flags)
    except (re.error, OverflowError):
        return "error"
    return [str(_described(m)) for m, _ in zip(p.finditer(text), range(most or 1000))]


def re__template(pattern, text):
    """Parts: texts, and groups as numbers."""
    p = _compiled(pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            groups, literals = re._parser.parse_template(text, p)
    except re.error as e:
        return ["error", e.msg, e.pos]
    at = dict(groups)
    return [at[n] if n in at else part for n, part in enumerate(literals)]


CALLS = {"re.compile": re__compile, "re.find": re__find, "re.all": re__all, "re.template": re__template}

# Patterns that stand for a rule each; what is wrong with some of them is the rule.
PATTERNS = [
    "", "a", "abc", "a.c", ".", "^", "$", "^$", r"\A", r"\Z", r"\b", r"\B", r"\bfoo\b", r"\d+", r"\D", r"\w+", r"\W+", r"\s*", r"\S+",
    "[abc]", "[^abc]", "[a-c]+", "[]a]", "[^]a]", "[a-]", "[-a]", r"[\d-]", r"[\w.]+", r"[\]\\]", "[a", "[", "[z-a]", r"[\d-z]", r"[a-\d]",
    "[[a]", "[a--b]", "[a&&b]", "[a||b]", "[a~~b]", "[a-a]", "[a-b-c]", "[\\x41-\\x43]", r"[\b]", r"[\0]", r"[\400]", r"[\8]", r"[\q]",
    "a*", "a+", "a?", "a*?", "a+?", "a??", "a*+", "a++", "a?+", "a{2}", "a{2,}", "a{,2}", "a{1,3}", "a{1,3}?", "a{1,3}+", "a{", "a{}", "a{,}",
    "a{x}", "a{1", "a{1,", "a{3,1}", "a{99999999999}", "a{0}", "a**", "a*{2}", "*", "+a", "?", "^*", r"\b+", "(*)", "|*", "{1}", "a|*",
    "(a)", "(a)(b)?", "(a|b)*", "(a|b)*?c", "(?:a)", "(?:a|b)+", "(?:)", "()", "(|a)+", "(a|)*", "(a*)*", "(a*)+", "(a?)*?b", "(?:a*)*b", "(a+)+b",
    "((a)|b)*", "((a)|(b))+", "(a)|b", "(?:(a)|(b)|c)*", r"(a)\1", r"(a|b)\1", r"(a)?\1", r"\1", r"(a)\2", r"(a\1)", r"(a)\10", r"\01", r"\08", r"\8", r"(a)\1{2}",
    r"\x41", r"\x4", r"\xg", r"\u0041", r"\u41", r"\U00000041", r"\U00110000", r"\141", r"\477", r"\q", r"\_", r"\-", "\\", "a\\", r"\N{DIGIT ONE}"[:2], r"\z",
    "(?P<x>a)", "(?P<x>a)(?P=x)", "(?P<x>a)(?P<x>b)", "(?P<1>a)", "(?P<>a)", "(?P<x", "(?P=x)", "(?P=x", "(?Px)", "(?P", "(?P<x>a(?P=x))", "(?P<\u00e4>a)",
    "(", ")", "(a", "a)", "(?", "(?:", "(?#", "(?#c)a", "(?z)", "(?i)a", "(?i:a)b", "(?-i:a)", "(?i-s:a.)", "(?s).", "(?m)^a$", "(?x) a b # c\n d", "(?x:a b)c d",
    "a(?i)", "(?i)(?m)a", "(?a)\\w", "(?u)a", "(?L)a", "(?au)a", "(?a:\\w)\\w", "(?i", "(?i-", "(?i-a:x)", "(?i-i:x)", "(?i:x", "(?-:x)", "(?9)", "(?i9)", "(?-9)", "(?i-9)", "(?ix: A b )",
    "(?=a)", "(?=a)a", "(?!a)b", "a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", "(?<=ab|cd)e", "(?<=a|bc)d", "(?<=a*)b", r"(a)(?<=\1)b", r"(?<=(a)\1)b", "(?<a", "(?<", "(?<x>a)", "(?=(a))", "(?!(a))b|a",
    "(?=(a)b)(?:a|b)+", r"(?=(\w+))\1:", "(?<=(.))b", "(?<!(a))b", "(?=a|(b))*",
    "(?>a+)a", "(?>a|ab)c", "(?>(a))b", "(?:a|b)++c", "(?:ab?)*+b", "(a)++", "(a|b){2}+", "((a)(b)?)+", "(?:(a)|b)*+", "(?>a*)*",
    "(a)?(?(1)b|c)", "(?P<x>a)?(?(x)b|c)", "(a)?(?(1)b)", "(?(1)a|b)", "(?(1)a|b|c)", "(?(0)a)", "(?(x)a)", "(?(2)a)(b)", "(?(-1)a)", "(?(1", "(?(1)a", "(?(a b)c)", "(?(1)b|c)(a)",
    "a|b|c", "abc|abd", "|a", "a|", "(?:abc|ab)(?:cd|d)?", "ab|a", r"^(\w+)\s+(\w+)$", r"(\d+)\.(\d+)\.(\d+)", r"([a-z]+)(\d*)", r"(?P<k>\w+)=(?P<v>[^;]*);?", r"\.(\d+)\.", r"blocks\.(\d+)", r"^layers?\.(\d+)\.(.*)$",
    "\u00e4", "[\u00e4-\u00fc]", "(?i)\u00c4", "(?i)[\u00e0-\u00e9]", "(?i)stra\u00dfe", "(?i)\u0130", "(?i)s", "(?i)[k-l]", "(?i)\u03c3+", "(?i)[^a]", "(?ai)s", "(?i)\U00010400", "(?i)[\U00010400-\U00010410]", "(?i)[a-\U00010400]",
    r"(?i)(a)\1", "(?i)\ufb05", "(?i)\u01c5", "(?i)[\u01c4]", "x{0,1}x{0,1}xx", "(x??)(x??)xx", "(?:x|xx){2}$", "(a{2}){3}", "((?:ab){1,2}?)*", "(?s:.*)b", "(?:.*\n)*", "(.+?)(,|$)", '"(?:[^"\\\\]|\\\\.)*"', "(?:(?:(?:a)))",
]
TEXTS = ["", "a", "b", "aa", "ab", "abc", "aab", "abab", "aaaab", "cab", "a\n", "a\nb", "foo bar", "12.5.7", "blocks.12.attn", "layers.3.weight", "key=value;k=v", "xxxx", "aAbB", "\u00c4\u00e4", "\u03c3\u03c2\u03a3",
         "s\u017fS", "K\u212ak", "i\u0130\u0131I", "\U00010400\U00010428", "\ufb05\ufb06", '"a\\"b" c', "_-]", "abcd"]
TEMPLATES = ["", "x", r"\1", r"\g<1>", r"\g<x>", r"\g<0>", r"\0", r"\01", r"\012", r"\10", r"\2", r"\400", r"\177", r"\n\t\\", r"\q", r"\-", r"\b", "\\", r"\g", r"\g<", r"\g<>", r"\g<y>", r"\g<-1>", r"\g<99>", r"\g<a b>", r"<\1-\g<x>>",
             r"\g<1", r"\g<\u00e4>", "\u00e4\\1", r"\g<01>", r"\g< 1>"]
FLAGS = [0, re.I, re.M, re.S, re.X, re.A, re.I | re.A, re.M | re.S]


def regex_fixed():
    for pattern in PATTERNS:
        for flags in (0, re.I, re.X, re.A, re.L, re.U, re.A | re.U):
            yield "re.compile", (pattern, flags)
        if pattern.isascii():
            for flags in (0, re.I, re.L, re.A, re.U, re.A | re.L):
                yield "re.compile", (pattern.encode(), flags)
        for text in TEXTS:
            yield "re.find", (pattern, 0, text, "search", 0, len(text))
            yield "re.all", (pattern, 0, text, 0)
        for text in TEXTS[:14]:
            for mode in ("match", "fullmatch"):
                yield "re.find", (pattern, 0, text, mode, 0, len(text))
            yield "re.find", (pattern, 0, text, "search", 1, max(len(text) - 1, 0))
            yield "re.all", (pattern, re.M, text, 2)
            if pattern.isascii():
                yield "re.find", (pattern.encode(), 0, text.encode(), "search", 0, len(text))
    for text in TEMPLATES:
        for pattern in ("a", "(a)", "(?P<x>a)(b)"):
            yield "re.template", (pattern, text)
        if text.isascii():
            yield "re.template", (b"(?P<x>a)", text.encode())


ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\w", r"\d", r"\b", "^", "$", "(a)", "(b|c)", "(?:ab)", "()", r"\1", r"\2", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)", "(?>a|ab)", "(?(1)a|b)", "\u00e4", "[a-\u00e4]", "(?i:A)", "1"]
REPEATS = ["", "", "", "*", "+", "?", "*?", "+?", "??", "*+", "++", "?+", "{2}", "{1,2}", "{,2}?", "{2,}"]


def some_pattern(rng, depth=0):
    parts = []
    for _ in range(rng.randint(1, 3)):
        if depth < 2 and rng.random() < 0.3:
            atom = rng.choice(["(", "(", "(?:", "(?>", "(?=", "(?!", "(?i:"]) + some_pattern(rng, depth + 1) + ")"
        else:
            atom = rng.choice(ATOMS)
        parts.append(atom + rng.choice(REPEATS))
        if rng.random() < 0.15:
            parts.append("|")
    return "".join(parts)


def regex_random(rng):
    while True:
        if rng.random() < 0.1:
            pattern = "".join(rng.choice("ab()[]{}|*+?^$.\\1dwx<>=!P:i-,#\n ") for _ in range(rng.randrange(1, 12)))
            yield "re.compile", (pattern, rng.choice(FLAGS))
            continue
        pattern = some_pattern(rng)
        text = "".join(rng.choice("aaabbbccA1 \n\u00e4\u00c4") for _ in range(rng.randrange(8)))
        flags = int(rng.choice(FLAGS))
        if rng.random() < 0.3:
            yield "re.all", (pattern, flags, text, rng.choice([0, 0, 1]))
        else:
            yield "re.find", (pattern, flags, text, rng.choice(["search", "match", "fullmatch"]), rng.choice([0, 0, 1]), len(text))
