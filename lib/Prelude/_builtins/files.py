"""Files of installed packages, open for reading."""


class _OpenedText:
    _ptc_known_as = "_io.TextIOWrapper"
    newlines = None
    errors = "strict"

    def __init__(self, name, mode, encoding, text):
        self.name, self.mode, self.encoding = name, mode, encoding
        self._ptc_text, self._ptc_at, self._ptc_closed = text, 0, False

    @property
    def closed(self):
        return self._ptc_closed

    def _ptc_check(self):
        if self._ptc_closed:
            raise ValueError("I/O operation on closed file.")

    def close(self):
        self._ptc_closed = True

    def __enter__(self):
        self._ptc_check()
        return self

    def __exit__(self, *exc):
        self._ptc_closed = True

    def __iter__(self):
        self._ptc_check()
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def _ptc_take(self, end, size):
        self._ptc_check()
        at, end = self._ptc_at, len(self._ptc_text) if end < 0 else end
        if size is not None and size >= 0:
            end = min(end, at + size)
        self._ptc_at = max(at, end)
        return self._ptc_text[at:end]

    def read(self, size=-1, /):
        return self._ptc_take(-1, size)

    def readline(self, size=-1, /):
        self._ptc_check()
        return self._ptc_take(self._ptc_text.find("\n", self._ptc_at) + 1 or -1, size)

    def readlines(self, hint=-1, /):
        lines, length = [], 0
        for line in self:
            lines.append(line)
            length += len(line)
            if hint is not None and 0 < hint <= length:
                break
        return lines

    def readable(self):
        self._ptc_check()
        return True

    def writable(self):
        self._ptc_check()
        return False

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={self.encoding!r}>"


def _opened_text(name, mode, encoding, text):
    return _OpenedText(name, mode, encoding, text)


def _no_such_file(name):
    raise FileNotFoundError(2, "No such file or directory", name)
