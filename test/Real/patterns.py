"""What `regex` finds, of patterns and texts that its model in lib/Prelude takes: run by CPython with the package, and by ptc."""
import regex

PATTERNS = [
    r"\[(.+?)\]\((https://huggingface\.co/.+?)\)", r"(?m)^([ \t]*)(?=Example|Return|```)", r"(?:Args:)(\n.*)?(\n)?$", r"(of shape\s*(?:`.*?`|\(.*?\)))",
    r"(defaults to \s*[^)]*)", r"ForwardRef\('([\w.]+)'\)", r"{(.*?)}", r"^\s{0,2}(\w+)\s*\(\s*([^, \)]*)(\s*.*?)\s*\)\s*:\s*((?:(?!\n^\s{0,2}\w+\s*\().)*)",
    r"(a|b*)*c?", r"(?P<x>\w)(?P=x)", r"(?i:ab)+", r"\b\w+?\b|$", r"(?<=a)b|(?<!a)c", r"(?>a+)b", r"a*+b|a{1,2}?", r"[a\-\]]|[^\W_]", r"\x41|\u00e9",
    r"", r"(|a)+", r"(\d+)-(?:(x)|(y))", r"\.|\{|\}", r"(?s)a.b", r"\A.|.\Z"]
TEXTS = ["", "aab abc AB ab", "see [x](https://huggingface.co/y) and [z](no)", "  Example\nReturn\n```", "Args:\n a", "of shape `(1, 2)`, defaults to  3) {k} {}",
         "ForwardRef('a.b')", "name (int, *optional*) : text\n  more\nother(`str`): rest\n", "a\nb aéb É → ×", "12-x 3-y 4-z", "a-b]_c.{}", "\t x\r\n"]
FLAGS = [0, regex.MULTILINE, regex.DOTALL | regex.MULTILINE, regex.A]


def spans(match):
    return match and (match.span(), match.groups(), match.groupdict(), match[0], match.start(), match.string == match.string)


def words(pattern, text, flags):
    """All that is asked of a pattern and a text."""
    compiled = regex.compile(pattern, flags)
    found = [spans(m) for m in compiled.finditer(text)]
    return (found, spans(compiled.search(text)), spans(regex.match(pattern, text, flags)), spans(compiled.fullmatch(text)), compiled.findall(text),
            compiled.sub(r"<\g<0>\n>", text), regex.sub(pattern, lambda m: m.group().upper(), text, count=2, flags=flags), compiled.split(text, 1),
            compiled.subn("-", text), compiled.pattern, compiled.groups)


for number, pattern in enumerate(PATTERNS):
    for flags in FLAGS:
        for text in TEXTS:
            if "é" in text and regex.search(r"\(\?i", pattern):
                continue
            print(number, int(flags), words(pattern, text, flags))
print(regex.compile("a") is regex.compile("a"), regex.I | regex.M == regex.RegexFlag(10), issubclass(regex.error, Exception))
