"""string: constants, capwords, Template, Formatter."""

whitespace = " \t\n\r\v\f"
ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdefABCDEF"
octdigits = "01234567"
punctuation = r"""!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~"""
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (sep or " ").join([w.capitalize() for w in s.split(sep)])


class Template:
    delimiter = "$"

    def __init__(self, template):
        self.template = template

    def _parts(self):
        """(text, name, raw, place): a name is None for text, "" where the placeholder is invalid."""
        s, i, n = self.template, 0, len(self.template)
        while i < n:
            at = s.find(self.delimiter, i)
            if at < 0:
                yield s[i:], None, "", i
                return
            if at > i:
                yield s[i:at], None, "", i
            rest = s[at + 1:]
            if rest.startswith(self.delimiter):
                yield self.delimiter, None, "", at
                i = at + 2
                continue
            braced = rest.startswith("{")
            j = at + 1 + braced
            start = j
            while j < n and (s[j] == "_" or s[j].isascii() and s[j].isalnum()):
                j += 1
            name = s[start:j]
            if not name or name[0].isdigit() or braced and not s[j:j + 1] == "}":
                yield self.delimiter, "", self.delimiter, at
                i = at + 1
                continue
            i = j + braced
            yield "", name, s[at:i], at

    def _invalid(self, at):
        lines = self.template[:at].splitlines(keepends=True)
        colno = at + 1 - len("".join(lines[:-1])) if lines else 1
        raise ValueError(f"Invalid placeholder in string: line {len(lines) or 1}, col {colno}")

    def substitute(self, mapping={}, /, **kws):
        values = {**mapping, **kws}
        out = []
        for text, name, raw, at in self._parts():
            if name is None:
                out.append(text)
            elif name == "":
                self._invalid(at)
            else:
                out.append(str(values[name]))
        return "".join(out)

    def safe_substitute(self, mapping={}, /, **kws):
        values = {**mapping, **kws}
        out = []
        for text, name, raw, at in self._parts():
            if name is None:
                out.append(text)
            elif name in values:
                out.append(str(values[name]))
            else:
                out.append(raw)
        return "".join(out)


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return format_string.format(*args, **kwargs)

    def vformat(self, format_string, args, kwargs):
        return format_string.format(*args, **kwargs)
