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
        self._ptc_pieces = [initial_value] if initial_value else []
        self._ptc_position = 0 if initial_value else None
        self._ptc_closed = False

    @property
    def closed(self):
        return self._ptc_closed

    def _ptc_check(self):
        if self._ptc_closed:
            raise ValueError("I/O operation on closed file")

    def close(self):
        self._ptc_closed = True
        self._ptc_pieces = []

    def __enter__(self):
        self._ptc_check()
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        self._ptc_check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def getvalue(self):
        self._ptc_check()
        return "".join(self._ptc_pieces)

    def write(self, s, /):
        self._ptc_check()
        if not isinstance(s, str):
            raise TypeError(f"string argument expected, got {type(s).__name__!r}")
        if self._ptc_position is None:
            self._ptc_pieces.append(s)
        elif s:
            text = self.getvalue()
            at = self._ptc_position
            end = at + len(s)
            self._ptc_pieces = [text[:at] + "\0" * (at - len(text)) + s + text[end:]]
            self._ptc_position = end if end < len(text) else None
        return len(s)

    def writelines(self, lines, /):
        self._ptc_check()
        for line in lines:
            self.write(line)

    def _ptc_rest(self):
        self._ptc_check()
        return "" if self._ptc_position is None else self.getvalue()[self._ptc_position:]

    def _ptc_advance(self, count):
        if self._ptc_position is not None:
            self._ptc_position += count

    def read(self, size=-1, /):
        text = self._ptc_rest()
        if size is not None and size >= 0:
            text = text[:size]
        self._ptc_advance(len(text))
        return text

    def readline(self, size=-1, /):
        text = self._ptc_rest()
        line = text[:text.find("\n") + 1] or text
        if size is not None and size >= 0:
            line = line[:size]
        self._ptc_advance(len(line))
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
        self._ptc_check()
        return len(self.getvalue()) if self._ptc_position is None else self._ptc_position

    def seek(self, offset, whence=0, /):
        self._ptc_check()
        if whence not in (0, 1, 2):
            raise ValueError(f"Invalid whence ({whence}, should be 0, 1 or 2)")
        if whence and offset:
            raise OSError("Can't do nonzero cur-relative seeks")
        if offset < 0:
            raise ValueError(f"Negative seek position {offset}")
        if whence == 1:
            return self.tell()
        self._ptc_position = None if whence == 2 else offset
        return self.tell()

    def truncate(self, pos=None, /):
        self._ptc_check()
        at = self.tell()
        size = at if pos is None else pos
        if size < 0:
            raise ValueError(f"Negative size value {size}")
        text = self.getvalue()
        self._ptc_pieces, self._ptc_position = [text[:size]], at
        return size

    def flush(self):
        self._ptc_check()

    def isatty(self):
        self._ptc_check()
        return False

    def readable(self):
        self._ptc_check()
        return True

    writable = seekable = readable

    def fileno(self):
        raise UnsupportedOperation("fileno")

    def detach(self):
        raise UnsupportedOperation("detach")

    def __repr__(self):
        return object.__repr__(self)
