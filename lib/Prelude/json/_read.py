"""The reader of json: one pass over the text."""


class JSONDecodeError(ValueError):
    __module__ = "json.decoder"
    _ptc_known_as = "json.decoder.JSONDecodeError"

    def __init__(self, msg, doc, pos):
        lineno = doc.count("\n", 0, pos) + 1
        colno = pos - doc.rfind("\n", 0, pos)
        ValueError.__init__(self, f"{msg}: line {lineno} column {colno} (char {pos})")
        self.msg, self.doc, self.pos, self.lineno, self.colno = msg, doc, pos, lineno, colno


_escapes = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_words = (("null", None), ("true", True), ("false", False), ("NaN", float("nan")),
          ("Infinity", float("inf")), ("-Infinity", float("-inf")))


def parse(text, object_hook, pairs_hook, parse_float, parse_int):
    reader = _Reader(text, object_hook, pairs_hook, parse_float, parse_int)
    if text.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    value = reader.value(reader.space(0))
    at = reader.space(reader.at)
    if at != len(text):
        raise JSONDecodeError("Extra data", text, at)
    return value


class _Reader:
    def __init__(self, text, object_hook, pairs_hook, parse_float, parse_int):
        self.text = text
        self.at = 0
        self.object_hook, self.pairs_hook = object_hook, pairs_hook
        self.parse_float, self.parse_int = parse_float, parse_int

    def space(self, at):
        while at < len(self.text) and self.text[at] in " \t\n\r":
            at += 1
        return at

    def peek(self, at):
        return self.text[at] if at < len(self.text) else ""

    def value(self, at):
        c = self.peek(at)
        if c == '"':
            return self.string(at + 1)
        if c == "{":
            return self.object(at + 1)
        if c == "[":
            return self.array(at + 1)
        for word, value in _words:
            if self.text.startswith(word, at):
                self.at = at + len(word)
                return value
        return self.number(at)

    def digits(self, at):
        while "0" <= self.peek(at) <= "9":
            at += 1
        return at

    def number(self, start):
        at = start + 1 if self.peek(start) == "-" else start
        end = at + 1 if self.peek(at) == "0" else self.digits(at)
        if end == at:
            raise JSONDecodeError("Expecting value", self.text, start)
        whole = True
        if self.peek(end) == ".":
            more = self.digits(end + 1)
            if more > end + 1:
                end, whole = more, False
        if self.peek(end) in ("e", "E"):
            first = end + 2 if self.peek(end + 1) in ("+", "-") else end + 1
            more = self.digits(first)
            if more > first:
                end, whole = more, False
        self.at = end
        return self.parse_int(self.text[start:end]) if whole else self.parse_float(self.text[start:end])

    def unicode(self, at):
        digits = self.text[at:at + 4]
        if len(digits) != 4 or not all([c in "0123456789abcdefABCDEF" for c in digits]):
            raise JSONDecodeError("Invalid \\uXXXX escape", self.text, at - 1)
        return int(digits, 16)

    def string(self, at):
        begin = at - 1
        out = []
        while True:
            c = self.peek(at)
            if c == "":
                raise JSONDecodeError("Unterminated string starting at", self.text, begin)
            if c == '"':
                self.at = at + 1
                return "".join(out)
            if c < " ":
                raise JSONDecodeError("Invalid control character at", self.text, at)
            if c != "\\":
                out.append(c)
                at += 1
                continue
            c = self.peek(at + 1)
            if c == "u":
                n = self.unicode(at + 2)
                at += 6
                if 0xD800 <= n < 0xDC00 and self.text.startswith("\\u", at):
                    low = self.unicode(at + 2)
                    if 0xDC00 <= low < 0xE000:
                        n = 0x10000 + ((n - 0xD800) << 10) + (low - 0xDC00)
                        at += 6
                out.append(chr(n))
                continue
            if c == "":
                raise JSONDecodeError("Unterminated string starting at", self.text, begin)
            if c not in _escapes:
                raise JSONDecodeError("Invalid \\escape", self.text, at)
            out.append(_escapes[c])
            at += 2

    def array(self, at):
        items = []
        at = self.space(at)
        if self.peek(at) == "]":
            self.at = at + 1
            return items
        while True:
            items.append(self.value(at))
            at = self.space(self.at)
            c = self.peek(at)
            if c == "]":
                self.at = at + 1
                return items
            if c != ",":
                raise JSONDecodeError("Expecting ',' delimiter", self.text, at)
            at = self.space(at + 1)

    def object(self, at):
        pairs = []
        at = self.space(at)
        if self.peek(at) != "}":
            while True:
                if self.peek(at) != '"':
                    raise JSONDecodeError("Expecting property name enclosed in double quotes", self.text, at)
                key = self.string(at + 1)
                at = self.space(self.at)
                if self.peek(at) != ":":
                    raise JSONDecodeError("Expecting ':' delimiter", self.text, at)
                pairs.append((key, self.value(self.space(at + 1))))
                at = self.space(self.at)
                if self.peek(at) == "}":
                    break
                if self.peek(at) != ",":
                    raise JSONDecodeError("Expecting ',' delimiter", self.text, at)
                at = self.space(at + 1)
        self.at = at + 1
        if self.pairs_hook is not None:
            return self.pairs_hook(pairs)
        result = dict(pairs)
        return result if self.object_hook is None else self.object_hook(result)
