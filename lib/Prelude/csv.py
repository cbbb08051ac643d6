"""csv: rows of texts that are known, read and written. Guessing a dialect is refused."""

from _ptc import _is_opaque, _python_minor
from _ptc_torch import _refuse

QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = range(4)
if _python_minor() >= 12:
    QUOTE_STRINGS, QUOTE_NOTNULL = 4, 5
__all__ = ["QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect", "excel", "excel_tab", "field_size_limit", "reader", "writer",
           "register_dialect", "get_dialect", "list_dialects", "Sniffer", "unregister_dialect", "DictReader", "DictWriter", "unix_dialect"]
if _python_minor() >= 12:
    __all__ += ["QUOTE_STRINGS", "QUOTE_NOTNULL"]


class Error(Exception):
    _ptc_known_as = "_csv.Error"


class Dialect:
    delimiter = quotechar = escapechar = lineterminator = quoting = None
    doublequote = skipinitialspace = None

    def __init__(self):
        try:
            _Form(self, {})
        except TypeError as error:
            raise Error(str(error)) from None


class excel(Dialect):
    delimiter, quotechar, doublequote, skipinitialspace, lineterminator, quoting = ",", '"', True, False, "\r\n", QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(Dialect):
    delimiter, quotechar, doublequote, skipinitialspace, lineterminator, quoting = ",", '"', True, False, "\n", QUOTE_ALL


class _Form:
    """What a dialect and options say."""
    _ptc_known_as = "_csv.Dialect"

    def __init__(self, dialect, options):
        if isinstance(dialect, str):
            dialect = get_dialect(dialect)
        for name in options:
            if name not in _DEFAULTS:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function" if _python_minor() < 14 else
                                f"this function got an unexpected keyword argument '{name}'")
        for name, default in _DEFAULTS.items():
            found = options[name] if name in options else getattr(dialect, name, default)
            if _is_opaque(found):
                _refuse("csv with options that are not known")
            setattr(self, name, found)
        if self.quotechar is None and dialect is None and "quoting" not in options:
            self.quoting = QUOTE_NONE
        for name in ("delimiter", "quotechar", "escapechar"):
            c = getattr(self, name)
            if c is None and name != "delimiter":
                continue
            if not isinstance(c, str):
                raise TypeError(f'"{name}" must be string' + (" or None" if name != "delimiter" else "") + f", not {type(c).__name__}" if _python_minor() < 14 else
                                f'"{name}" must be a unicode character' + (" or None" if name != "delimiter" else "") + f", not {type(c).__name__}")
            if len(c) != 1:
                if name != "delimiter" and not c:
                    _refuse("csv with an empty quotechar or escapechar")
                raise TypeError(f'"{name}" must be a 1-character string' if _python_minor() < 14 else
                                f'"{name}" must be a unicode character' + (" or None" if name != "delimiter" else "") + f", not a string of length {len(c)}")
            if c in "\r\n" or c == " " and _python_minor() >= 13 and name != "delimiter":
                _refuse(f"csv with a line end or space as {name}")
        if self.lineterminator is None and _python_minor() < 14:
            raise TypeError("lineterminator must be set")
        for name, kind in (("lineterminator", str), ("quoting", int)):
            given = getattr(self, name)
            if not isinstance(given, str) if kind is str else type(given) is not int:
                raise TypeError(f'"{name}" must be {"a string" if kind is str else "an integer"}' +
                                (f", not {type(given).__name__}" if _python_minor() >= 14 else ""))
        if not 0 <= self.quoting <= (5 if _python_minor() >= 12 else 3):
            raise TypeError('bad "quoting" value')
        self.doublequote, self.skipinitialspace, self.strict = bool(self.doublequote), bool(self.skipinitialspace), bool(self.strict)
        if self.quoting != QUOTE_NONE and self.quotechar is None:
            raise TypeError("quotechar must be set if quoting enabled")


_DEFAULTS = {"delimiter": ",", "doublequote": True, "escapechar": None, "lineterminator": "\r\n", "quotechar": '"', "quoting": QUOTE_MINIMAL,
             "skipinitialspace": False, "strict": False}


class _Registered:
    """Dialects by name, and the most characters of a field."""
    dialects = {}
    limit = 131072


_registered = _Registered()


def register_dialect(name, dialect=None, **options):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _registered.dialects[name] = _Form(dialect, options)


def unregister_dialect(name):
    if name not in _registered.dialects:
        raise Error("unknown dialect")
    del _registered.dialects[name]


def get_dialect(name):
    if name not in _registered.dialects:
        raise Error("unknown dialect")
    return _registered.dialects[name]


def list_dialects():
    return list(_registered.dialects)


def field_size_limit(*limit):
    before = _registered.limit
    if limit:
        if not isinstance(limit[0], int):
            raise TypeError("limit must be an integer")
        _registered.limit = limit[0]
    return before


class _Reader:
    _ptc_known_as = "_csv.reader"

    def __init__(self, lines, dialect, options):
        self._ptc_lines, self._ptc_form, self.line_num = iter(lines), _Form(dialect, options), 0
        quoting = self._ptc_form.quoting
        if quoting >= 4 or quoting == QUOTE_NONNUMERIC and self._ptc_form.escapechar is not None and _python_minor() >= 12:
            _refuse("csv.reader() with this quoting")

    @property
    def dialect(self):
        return self._ptc_form

    def __iter__(self):
        return self

    def __next__(self):
        form, parse = self._ptc_form, _Row(self._ptc_form)
        while True:
            try:
                line = next(self._ptc_lines)
            except StopIteration:
                if parse.is_open:
                    if form.strict:
                        raise Error("unexpected end of data") from None
                    parse.end_field()
                    return parse.fields
                raise
            if not isinstance(line, str):
                raise Error(f"iterator should return strings, not {type(line).__name__} (the file should be opened in text mode)")
            if _is_opaque(line):
                _refuse("csv.reader() of text that is not known")
            self.line_num += 1
            if parse.take(line):
                return parse.fields


class _Row:
    """Reads one row, which may go over several lines."""

    def __init__(self, form):
        self.form, self.fields, self.field, self.state, self.is_number = form, [], [], "row", False

    @property
    def is_open(self):
        return self.field or self.state == "quoted"

    def end_field(self):
        text = "".join(self.field)
        if self.is_number and self.form.quoting == QUOTE_NONNUMERIC:
            text = float(text)
        self.fields.append(text)
        self.field, self.is_number = [], False

    def add(self, c):
        if len(self.field) >= _registered.limit:
            raise Error(f"field larger than field limit ({_registered.limit})")
        self.field.append(c)

    def take(self, line):
        """Whether the row ends in this line."""
        for c in line:
            self.step(c)
        return self.end_line()

    def end_line(self):
        if self.state == "quoted":
            return False
        if self.state == "escaped":
            self.add("\n")
            self.state = "plain"
            return False
        if self.state == "escaped line":
            return False
        if self.state == "escaped quoted":
            self.add("\n")
            self.state = "quoted"
            return False
        if self.state in ("field", "plain", "closed"):
            self.end_field()
        return True

    def step(self, c):
        form, state = self.form, self.state
        quote, escape = (None if form.quoting == QUOTE_NONE else form.quotechar), form.escapechar
        ends = c == "\n" or c == "\r"
        if state == "ended":
            if not ends:
                raise Error("new-line character seen in unquoted field - do you need to open the file in universal-newline mode?" if _python_minor() < 12 else
                            "new-line character seen in unquoted field - do you need to open the file with newline=''?")
        elif state in ("row", "field"):
            if ends:
                if state == "field":
                    self.end_field()
                self.state = "ended"
            elif quote is not None and c == quote:
                self.state = "quoted"
            elif escape is not None and c == escape:
                self.state = "escaped"
            elif c == " " and form.skipinitialspace:
                self.state = "field"
            elif c == form.delimiter:
                self.end_field()
                self.state = "field"
            else:
                self.is_number = form.quoting == QUOTE_NONNUMERIC
                self.add(c)
                self.state = "plain"
        elif state == "escaped":
            self.add(c)
            self.state = "escaped line" if ends else "plain"
        elif state in ("plain", "escaped line"):
            if ends:
                self.end_field()
                self.state = "ended"
            elif escape is not None and c == escape:
                self.state = "escaped"
            elif c == form.delimiter:
                self.end_field()
                self.state = "field"
            else:
                self.add(c)
        elif state == "quoted":
            if escape is not None and c == escape:
                self.state = "escaped quoted"
            elif c == form.quotechar and form.quoting != QUOTE_NONE:
                self.state = "closed" if form.doublequote else "plain"
            else:
                self.add(c)
        elif state == "escaped quoted":
            self.add(c)
            self.state = "quoted"
        elif state == "closed":
            if form.quoting != QUOTE_NONE and c == form.quotechar:
                self.add(c)
                self.state = "quoted"
            elif c == form.delimiter:
                self.end_field()
                self.state = "field"
            elif ends:
                self.end_field()
                self.state = "ended"
            elif not form.strict:
                self.add(c)
                self.state = "plain"
            else:
                raise Error(f"'{form.delimiter}' expected after '{form.quotechar}'")


def reader(iterable, dialect=None, **options):
    return _Reader(iterable, dialect, options)


class _Writer:
    _ptc_known_as = "_csv.writer"

    def __init__(self, file, dialect, options):
        self._ptc_form = _Form(dialect, options)
        if not callable(getattr(file, "write", None)):
            raise TypeError('argument 1 must have a "write" method')
        self._ptc_file = file

    @property
    def dialect(self):
        return self._ptc_form

    def _ptc_field(self, value, is_only):
        form = self._ptc_form
        is_number = isinstance(value, (int, float)) or hasattr(type(value), "__float__") and not isinstance(value, str)
        text = "" if value is None else value if isinstance(value, str) else str(value)
        if _is_opaque(text):
            _refuse("csv.writer() of text that is not known")
        quoting = form.quoting
        quoted = (quoting == QUOTE_ALL or quoting == QUOTE_NONNUMERIC and not is_number or quoting == 4 and isinstance(value, str)
                  or quoting == 5 and value is not None)
        out = []
        special = [form.delimiter, form.escapechar, form.quotechar, *form.lineterminator, *("\r\n" if _python_minor() >= 12 else "")]
        for c in text:
            escapes = False
            if c in special:
                if quoting == QUOTE_NONE:
                    escapes = True
                elif c == form.quotechar:
                    if form.doublequote:
                        out.append(c)
                    else:
                        escapes = True
                elif c == form.escapechar:
                    escapes = True
                if not escapes:
                    quoted = True
                if escapes:
                    if form.escapechar is None:
                        raise Error("need to escape, but no escapechar set")
                    out.append(form.escapechar)
            out.append(c)
        if not text and is_only and not quoted:
            if quoting == QUOTE_NONE or quoting in (4, 5) and value is None:
                raise Error("single empty field record must be quoted")
            quoted = True
        if text and text[0] == " " and form.delimiter == " " and form.skipinitialspace:
            _refuse("csv.writer() of spaces between spaces")
        text = "".join(out)
        return form.quotechar + text + form.quotechar if quoted else text

    def writerow(self, row):
        try:
            row = iter(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        row = list(row)
        return self._ptc_file.write(self._ptc_form.delimiter.join([self._ptc_field(v, len(row) == 1) for v in row]) + self._ptc_form.lineterminator)

    def writerows(self, rows):
        for row in rows:
            self.writerow(row)


def writer(fileobj, dialect=None, **options):
    return _Writer(fileobj, dialect, options)


class DictReader:
    def __init__(self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey, self.restval, self.reader, self.dialect, self.line_num = restkey, restval, reader(f, dialect, *args, **kwds), dialect, 0

    def __iter__(self):
        return self

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            try:
                self._fieldnames = next(self.reader)
            except StopIteration:
                pass
        self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        self.line_num = self.reader.line_num
        while row == []:
            row = next(self.reader)
        names, found = self.fieldnames, {}
        for name, value in zip(names, row):
            found[name] = value
        if len(names) < len(row):
            found[self.restkey] = row[len(names):]
        for name in names[len(row):]:
            found[name] = self.restval
        return found


class DictWriter:
    def __init__(self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames, self.restval = fieldnames, restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction, self.writer = extrasaction, writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow(dict(zip(self.fieldnames, self.fieldnames)))

    def _ptc_row(self, rowdict):
        if self.extrasaction == "raise":
            wrong = [name for name in rowdict if name not in self.fieldnames]
            if len(wrong) > 1:
                _refuse("csv.DictWriter of several names that it does not have")    # CPython names them in the order of a set
            if wrong:
                raise ValueError("dict contains fields not in fieldnames: " + repr(wrong[0]))
        return [rowdict.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._ptc_row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self._ptc_row(row) for row in rowdicts])


class Sniffer:
    def __init__(self):
        self.preferred = [",", "\t", ";", " ", ":"]

    def sniff(self, sample, delimiters=None):
        _refuse("csv.Sniffer.sniff()")

    def has_header(self, sample):
        _refuse("csv.Sniffer.has_header()")


register_dialect("excel", excel)
register_dialect("excel-tab", excel_tab)
register_dialect("unix", unix_dialect)
