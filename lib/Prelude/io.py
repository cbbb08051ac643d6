"""io: text and bytes in memory. Files have no model."""
from operator import index as _index
from _ptc_builtins import _check_no_exports

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


def _bytes_of(value):
    """The bytes of an object that has a buffer."""
    if isinstance(value, memoryview) and not value.contiguous:
        raise BufferError("memoryview: underlying buffer is not C-contiguous")
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    raise TypeError(f"a bytes-like object is required, not {type(value).__name__!r}")


def _limit(size):
    """The number of bytes that `size` allows to be read; None: all."""
    if size is None:
        return None
    if not hasattr(type(size), "__index__"):
        raise TypeError(f"argument should be integer or None, not {type(size).__name__!r}")
    size = _index(size)
    return None if size < 0 else size


class BytesIO:
    """Bytes, and a position among or behind them."""

    def __init__(self, initial_bytes=b""):
        self._ptc_data = bytearray() if initial_bytes is None else bytearray(_bytes_of(initial_bytes))
        self._ptc_position = 0
        self._ptc_closed = False

    @property
    def closed(self):
        return self._ptc_closed

    def _ptc_check(self):
        if self._ptc_closed:
            raise ValueError("I/O operation on closed file.")

    def close(self):
        self._ptc_closed = True
        self._ptc_data = bytearray()

    def __enter__(self):
        self._ptc_check()
        return self

    def __exit__(self, *exc):
        self.close()

    def __iter__(self):
        return self

    def __next__(self):
        self._ptc_check()
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def getvalue(self):
        self._ptc_check()
        return bytes(self._ptc_data)

    def getbuffer(self):
        self._ptc_check()
        return memoryview(self._ptc_data)

    def _ptc_take(self, end):
        """What lies between the position and `end`, which becomes the position; None is the end of all."""
        at, length = self._ptc_position, len(self._ptc_data)
        end = length if end is None else min(end, length)
        if end <= at:
            return b""
        self._ptc_position = end
        return bytes(self._ptc_data[at:end])

    def read(self, size=-1, /):
        self._ptc_check()
        size = _limit(size)
        return self._ptc_take(None if size is None else self._ptc_position + size)

    def read1(self, size=-1, /):
        return self.read(size)

    def readinto(self, buffer, /):
        self._ptc_check()
        if not isinstance(buffer, (bytearray, memoryview)):
            raise TypeError(f"readinto() argument must be read-write bytes-like object, not {type(buffer).__name__}")
        data = self.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)

    def readline(self, size=-1, /):
        self._ptc_check()
        size, at = _limit(size), self._ptc_position
        end = self._ptc_data.find(b"\n", at) + 1 or None
        if size is not None and (end is None or at + size < end):
            end = at + size
        return self._ptc_take(end)

    def readlines(self, size=None, /):
        self._ptc_check()
        limit = _limit(size) or None
        lines, length = [], 0
        while line := self.readline():
            lines.append(line)
            length += len(line)
            if limit is not None and length >= limit:
                break
        return lines

    def write(self, b, /):
        self._ptc_check()
        _check_no_exports(self._ptc_data)
        data = _bytes_of(b)
        at, length = self._ptc_position, len(self._ptc_data)
        if data:
            if at > length:
                self._ptc_data += bytes(at - length)
            self._ptc_data[at:at + len(data)] = data
            self._ptc_position = at + len(data)
        return len(data)

    def writelines(self, lines, /):
        self._ptc_check()
        for line in lines:
            self.write(line)

    def tell(self):
        self._ptc_check()
        return self._ptc_position

    def seek(self, pos, whence=0, /):
        self._ptc_check()
        pos, whence = _index(pos), _index(whence)
        if whence == 0:
            if pos < 0:
                raise ValueError(f"negative seek value {pos}")
        elif whence == 1:
            pos = max(0, self._ptc_position + pos)
        elif whence == 2:
            pos = max(0, len(self._ptc_data) + pos)
        else:
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        self._ptc_position = pos
        return pos

    def truncate(self, size=None, /):
        self._ptc_check()
        size = self._ptc_position if size is None else _index(size)
        if size < 0:
            raise ValueError(f"negative size value {size}")
        del self._ptc_data[size:]
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
