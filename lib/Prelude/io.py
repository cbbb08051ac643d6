"""io: text in memory. Files and bytes have no model."""

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


class UnsupportedOperation(OSError, ValueError):
    pass


class StringIO:
    """Pieces of text, one behind the other, and a position among their characters; None is the end of them."""
    encoding = errors = newlines = None
    line_buffering = False

    def __init__(self, initial_value="", newline="\n"):
        if newline != "\n":
            from _ptc_torch import _refuse
            _refuse("io.StringIO with another newline")
        if initial_value is not None and not isinstance(initial_value, str):
            raise TypeError(f"initial_value must be str or None, not {type(initial_value).__name__}")
        self._pieces = [initial_value] if initial_value else []
        self._position = 0 if initial_value else None
        self._closed = False

    @property
    def closed(self):
        return self._closed

    def _check(self):
        if self._closed:
            raise ValueError("I/O operation on closed file")

    def close(self):
        self._closed = True
        self._pieces = []

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        self._check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def getvalue(self):
        self._check()
        return "".join(self._pieces)

    def write(self, s, /):
        self._check()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got {type(s).__name__!r}")
        if self._position is None:
            self._pieces.append(s)
        elif s:
            text = self.getvalue()
            at = self._position
            end = at + len(s)
            self._pieces = [text[:at] + "\0" * (at - len(text)) + s + text[end:]]
            self._position = end if end < len(text) else None
        return len(s)

    def writelines(self, lines, /):
        self._check()
        for line in lines:
            self.write(line)

    def _rest(self):
        self._check()
        return "" if self._position is None else self.getvalue()[self._position:]

    def _advance(self, count):
        if self._position is not None:
            self._position += count

    def read(self, size=-1, /):
        text = self._rest()
        if size is not None and size >= 0:
            text = text[:size]
        self._advance(len(text))
        return text

    def readline(self, size=-1, /):
        text = self._rest()
        line = text[:text.find("\n") + 1] or text
        if size is not None and size >= 0:
            line = line[:size]
        self._advance(len(line))
        return line

    def readlines(self, hint=-1, /):
        lines, length = [], 0
        for line in self:
            lines.append(line)
            length += len(line)
            if hint is not None and 0 < hint <= length:
                break
        return lines

    def tell(self):
        self._check()
        return len(self.getvalue()) if self._position is None else self._position

    def seek(self, offset, whence=0, /):
        self._check()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and offset:
            raise OSError("Can't do nonzero cur-relative seeks")
        if offset < 0:
            raise ValueError(f"Negative seek position {offset}")
        if whence == 1:
            return self.tell()
        self._position = None if whence == 2 else offset
        return self.tell()

    def truncate(self, pos=None, /):
        self._check()
        at = self.tell()
        size = at if pos is None else pos
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        text = self.getvalue()
        self._pieces, self._position = [text[:size]], at
        return size

    def flush(self):
        self._check()

    def isatty(self):
        self._check()
        return False

    def readable(self):
        self._check()
        return True

    writable = seekable = readable

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def detach(self):
        raise UnsupportedOperation("detach")

    def __repr__(self):
        return object.__repr__(self)
