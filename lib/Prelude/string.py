"""string: constants, capwords, Template, Formatter."""
from _ptc import _python_minor

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

    def _ptc_parts(self):
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
        for text, name, raw, at in self._ptc_parts():
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
        for text, name, raw, at in self._ptc_parts():
            if name is None:
                out.append(text)
            elif name in values:
                out.append(str(values[name]))
            else:
                out.append(raw)
        return "".join(out)


class Formatter:
    """Formats by its methods, which subclasses override."""

    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        result, _ = self._vformat(format_string, args, kwargs, used, 2)
        self.check_unused_args(used, args, kwargs)
        return result

    def _vformat(self, format_string, args, kwargs, used_args, recursion_depth, auto_arg_index=0):
        if recursion_depth < 0:
            raise ValueError("Max string recursion exceeded")
        result = []
        for literal_text, field_name, format_spec, conversion in self.parse(format_string):
            if literal_text:
                result.append(literal_text)
            if field_name is None:
                continue
            numbered = field_name if _python_minor() < 14 else _first_of_field(field_name)[0]
            if numbered == "":
                if auto_arg_index is False:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering")
                field_name = str(auto_arg_index) + field_name
                auto_arg_index += 1
            elif numbered.isdigit():
                if auto_arg_index:
                    raise ValueError("cannot switch from manual field specification to automatic field numbering" if _python_minor() < 14 else
                                     "cannot switch from automatic field numbering to manual field specification")
                auto_arg_index = False
            obj, arg_used = self.get_field(field_name, args, kwargs)
            used_args.add(arg_used)
            obj = self.convert_field(obj, conversion)
            format_spec, auto_arg_index = self._vformat(format_spec, args, kwargs, used_args, recursion_depth - 1, auto_arg_index=auto_arg_index)
            result.append(self.format_field(obj, format_spec))
        return "".join(result), auto_arg_index

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return ascii(value)
        raise ValueError(f"Unknown conversion specifier {conversion!s}")

    def parse(self, format_string):
        return _parsed(format_string)

    def get_field(self, field_name, args, kwargs):
        first, rest = _first_of_field(field_name)
        obj = self.get_value(int(first) if first.isdigit() else first, args, kwargs)
        for is_attr, name in _accesses(rest):
            obj = getattr(obj, name) if is_attr else obj[name]
        return obj, int(first) if first.isdigit() else first


def _parsed(text):
    """(text before it, field, format, conversion) of each replacement field; without a field at the end."""
    literal, i, n = "", 0, len(text)
    while i < n:
        c = text[i]
        if c not in "{}":
            literal += c
            i += 1
        elif text[i + 1:i + 2] == c:
            yield literal + c, None, None, None
            literal = ""
            i += 2
        elif c == "}":
            raise ValueError("Single '}' encountered in format string")
        else:
            field, i = _field_at(text, i + 1)
            yield literal, *field
            literal = ""
    if literal:
        yield literal, None, None, None


def _field_at(text, start):
    """The field whose opening brace is before `start`, in three parts, and where the text goes on."""
    if start == len(text):
        raise ValueError("Single '{' encountered in format string")
    depth, i, in_brackets = 1, start, False
    while i < len(text):
        c = text[i]
        if c == "{":
            depth += 1
        elif c == "}":
            depth -= 1
            if not depth:
                break
        i += 1
    else:
        raise ValueError("expected '}' before end of string")
    field = text[start:i]
    end = 0
    while end < len(field):
        c = field[end]
        if in_brackets:
            in_brackets = c != "]"
        elif c == "[":
            in_brackets = True
        elif c in "{}":
            raise ValueError("unexpected '{' in field name")
        elif c in "!:":
            break
        end += 1
    name, rest = field[:end], field[end:]
    conversion = None
    if rest[:1] == "!":
        if len(rest) == 1:
            raise ValueError("end of string while looking for conversion specifier")
        conversion, rest = rest[1], rest[2:]
        if rest and rest[0] != ":":
            raise ValueError("expected ':' after conversion specifier")
    return (name, rest[1:], conversion), i + 1


def _first_of_field(name):
    for i, c in enumerate(name):
        if c in ".[":
            return name[:i], name[i:]
    return name, ""


def _accesses(rest):
    """(is an attribute, name or number) of what follows the first name of a field."""
    while rest:
        mark, rest = rest[0], rest[1:]
        if mark == ".":
            name, rest = _first_of_field(rest)
            key = name
        elif mark == "[":
            name, bracket, rest = rest.partition("]")
            if not bracket:
                raise ValueError("Missing ']' in format string")
            key = int(name) if name.isdigit() else name
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if not name:
            raise ValueError("Empty attribute in format string")
        yield mark == ".", key
