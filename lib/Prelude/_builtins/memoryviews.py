"""memoryview: some positions of a bytes or bytearray."""


def _mv_bytes(value):
    return value.tobytes() if isinstance(value, memoryview) else bytes(value)


class memoryview:
    """Bytes of a bytes or bytearray, in the format `B`; which of them is a range of positions."""

    format, itemsize, ndim, suboffsets = "B", 1, 1, ()
    _ptc_as_result = "return `bytes(m)` of a memoryview `m`"

    def __init__(self, object):
        if isinstance(object, memoryview):
            self.obj, self._at = object.obj, object._where()
        elif isinstance(object, (bytes, bytearray)):
            self.obj, self._at = object, range(len(object))
        else:
            raise TypeError(f"memoryview: a bytes-like object is required, not '{_type_name(object)}'")
        self.readonly = isinstance(self.obj, bytes)
        self._held = 0
        self._count(1)

    def _count(self, change):
        if not isinstance(self.obj, bytes):
            _exports(self.obj, change)

    def _where(self):
        """The positions of its bytes."""
        if self._at is None:
            raise ValueError("operation forbidden on released memoryview object")
        return self._at

    def __repr__(self):
        return f"<{'memory' if self._at is not None else 'released memory'} at {object.__repr__(self).rpartition(' ')[2]}"

    @property
    def nbytes(self):
        return len(self._where())

    @property
    def shape(self):
        return (len(self._where()),)

    @property
    def strides(self):
        return (self._where().step,)

    @property
    def contiguous(self):
        return self._where().step == 1 or len(self._where()) < 2

    def _positions(self, key):
        if not isinstance(key, slice) and _lookup(type(key), "__index__") is _missing:
            raise TypeError("memoryview: invalid slice key")
        try:
            return self._where()[key]
        except IndexError:
            raise IndexError("index out of bounds on dimension 1") from None

    def __len__(self):
        return len(self._where())

    def __getitem__(self, key):
        at = self._positions(key)
        if not isinstance(key, slice):
            return self.obj[at]
        part = memoryview(self.obj)
        part._at = at
        part.readonly = self.readonly
        return part

    def __setitem__(self, key, value):
        if self.readonly:
            raise TypeError("cannot modify read-only memory")
        at = self._positions(key)
        if not isinstance(key, slice):
            if _lookup(type(value), "__index__") is _missing:
                raise TypeError("memoryview: invalid type for format 'B'")
            n = _index(value)
            if not 0 <= n < 256:
                raise ValueError("memoryview: invalid value for format 'B'")
            self.obj[at] = n
            return
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise TypeError(f"a bytes-like object is required, not '{_type_name(value)}'")
        data = _mv_bytes(value)
        if len(data) != len(at):
            raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
        for n, byte in zip(at, data):
            self.obj[n] = byte

    def __iter__(self):
        for n in self._where():
            yield self.obj[n]

    def __eq__(self, other):
        if not isinstance(other, (bytes, bytearray, memoryview)):
            return NotImplemented
        return self.tobytes() == _mv_bytes(other)

    def __hash__(self):
        if not self.readonly:
            raise ValueError("cannot hash writable memoryview object")
        return hash(self.tobytes())

    def __enter__(self):
        self._where()
        self._held += _HELD
        self._count(_HELD)
        return self

    def __exit__(self, *raised):
        self.release()

    def tobytes(self, order="C"):
        return bytes([self.obj[n] for n in self._where()])

    def tolist(self):
        return [self.obj[n] for n in self._where()]

    def hex(self, *separator):
        return self.tobytes().hex(*separator)

    def toreadonly(self):
        view = self[:]
        view.readonly = True
        return view

    def release(self):
        if self._at is not None:
            self._count(-1 - self._held)
            self._at = None
