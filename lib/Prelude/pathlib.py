"""pathlib: POSIX paths as text. Of files it asks what os.path does, and reads those of installed packages; everything else that touches them has no model."""
import os as _os
from collections.abc import Sequence as _Sequence
from os import path as _path
from _ptc import _installed_bytes, _installed_text, _is_opaque, _python_minor, _real_path, _unmodelled_module
from _ptc_torch import _refuse


def _split(text):
    """Root and names: two slashes at the front, and no third, are a root of their own (POSIX)."""
    root = ""
    if text.startswith("/"):
        root = "//" if text.startswith("//") and not text.startswith("///") else "/"
    return root, tuple([part for part in text.split("/") if part and part != "."])


def _text_of(segment):
    if isinstance(segment, PurePath):
        return str(segment)
    text = _os.fspath(segment)
    if not isinstance(text, str):
        what = f"a str object or an os.PathLike object returning str, not {type(text)!r}" if _python_minor() < 12 else \
            f"a str or an os.PathLike object where __fspath__ returns a str, not {type(text).__name__!r}"
        raise TypeError(f"argument should be {what}")
    return text


def _made(cls, root, tail):
    self = object.__new__(cls)
    self._ptc_root, self._ptc_tail = root, tail
    return self


def _joined(cls, segments):
    text = ""
    for segment in segments:
        text = _path.join(text, _text_of(segment))
    return _made(cls, *_split(text))


class PurePath:
    __slots__ = ("_ptc_root", "_ptc_tail")

    def __new__(cls, *args):
        if cls is PurePath:
            cls = PurePosixPath
        for a in args:
            if _is_opaque(a):
                return _unmodelled_module(f"pathlib.{cls.__name__}")(*args)
        return _joined(cls, args)

    def __reduce__(self):
        return type(self), self.parts

    def __str__(self):
        return self._ptc_root + "/".join(self._ptc_tail) or "."

    def __fspath__(self):
        return str(self)

    def as_posix(self):
        return str(self)

    def __repr__(self):
        return f"{type(self).__name__}({str(self)!r})"

    def _ptc_order(self):
        return list(self.parts) if _python_minor() < 12 else str(self).split("/")

    def __eq__(self, other):
        if not isinstance(other, PurePath):
            return NotImplemented
        return self._ptc_root == other._ptc_root and self._ptc_tail == other._ptc_tail

    def __hash__(self):
        return hash(self.parts if _python_minor() < 12 else str(self))

    def __lt__(self, other):
        return self._ptc_order() < other._ptc_order() if isinstance(other, PurePath) else NotImplemented

    def __le__(self, other):
        return self._ptc_order() <= other._ptc_order() if isinstance(other, PurePath) else NotImplemented

    def __gt__(self, other):
        return self._ptc_order() > other._ptc_order() if isinstance(other, PurePath) else NotImplemented

    def __ge__(self, other):
        return self._ptc_order() >= other._ptc_order() if isinstance(other, PurePath) else NotImplemented

    def with_segments(self, *pathsegments):
        return type(self)(*pathsegments)

    def joinpath(self, *pathsegments):
        return type(self)(self, *pathsegments)

    def __truediv__(self, key):
        try:
            return type(self)(self, key)
        except TypeError:
            return NotImplemented

    def __rtruediv__(self, key):
        try:
            return type(self)(key, self)
        except TypeError:
            return NotImplemented

    @property
    def drive(self):
        return ""

    @property
    def root(self):
        return self._ptc_root

    @property
    def anchor(self):
        return self._ptc_root

    @property
    def parts(self):
        return (self._ptc_root, *self._ptc_tail) if self._ptc_root else self._ptc_tail

    @property
    def name(self):
        return self._ptc_tail[-1] if self._ptc_tail else ""

    @property
    def suffix(self):
        return self.name[len(self.stem):]

    @property
    def suffixes(self):
        name = self.name
        if name.endswith(".") and _python_minor() < 14:
            return []
        return ["." + part for part in name.lstrip(".").split(".")[1:]]

    @property
    def stem(self):
        name = self.name
        if _python_minor() >= 14:
            return _path.splitext(name)[0]
        dot = name.rfind(".")
        return name[:dot] if 0 < dot < len(name) - 1 else name

    @property
    def parent(self):
        return _made(type(self), self._ptc_root, self._ptc_tail[:-1]) if self._ptc_tail else self

    @property
    def parents(self):
        return _PathParents(self)

    def is_absolute(self):
        return self._ptc_root != ""

    def with_name(self, name):
        root, tail = _split(name)
        if not self.name:
            raise ValueError(f"{self!r} has an empty name")
        if len(tail) != 1 or root or name.endswith("/") or ("/" in name and _python_minor() >= 12):
            raise ValueError(f"Invalid name {name!r}")
        return _made(type(self), self._ptc_root, (*self._ptc_tail[:-1], name))

    def with_stem(self, stem):
        suffix = self.suffix
        if suffix and not stem and _python_minor() >= 13:
            raise ValueError(f"{self!r} has a non-empty suffix")
        return self.with_name(stem + suffix)

    def with_suffix(self, suffix):
        minor, stem = _python_minor(), self.stem
        wrong = (suffix and not suffix.startswith(".")) or (minor < 14 and suffix == ".")
        if minor < 13 and ("/" in suffix or wrong):
            raise ValueError(f"Invalid suffix {suffix!r}")
        if not stem:
            raise ValueError(f"{self!r} has an empty name")
        if wrong:
            raise ValueError(f"Invalid suffix {suffix!r}")
        return self.with_name(stem + suffix)

    def relative_to(self, other, /, *more, walk_up=False):
        if more and _python_minor() >= 12:
            _refuse("relative_to() of several segments")
        other = type(self)(other, *more)
        step = 0
        for path in (other, *other.parents):
            if path == self or path in self.parents:
                break
            if not walk_up:
                why = " OR one path is relative and the other is absolute." if _python_minor() < 12 else ""
                raise ValueError(f"{str(self)!r} is not in the subpath of {str(other)!r}{why}")
            if path.name == "..":
                raise ValueError(f"'..' segment in {str(other)!r} cannot be walked")
            step += 1
        else:
            raise ValueError(f"{str(self)!r} and {str(other)!r} have different anchors")
        return _made(type(self), "", (*[".."] * step, *self._ptc_tail[len(path._ptc_tail):]))

    def is_relative_to(self, other, /, *more):
        if more and _python_minor() >= 12:
            _refuse("is_relative_to() of several segments")
        other = type(self)(other, *more)
        return other == self or other in self.parents


class PurePosixPath(PurePath):
    __slots__ = ()


class _PathParents(_Sequence):
    """What is above a path, nearest first."""

    def __init__(self, path):
        self._ptc_path = path

    def __len__(self):
        return len(self._ptc_path._ptc_tail)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return tuple([self[i] for i in range(*idx.indices(len(self)))])
        if idx >= len(self) or idx < -len(self):
            raise IndexError(idx)
        if idx < 0:
            idx += len(self)
        path = self._ptc_path
        return _made(type(path), path._ptc_root, path._ptc_tail[:-idx - 1])

    def __repr__(self):
        return f"<{type(self._ptc_path).__name__}.parents>"


class Path(PurePath):
    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        if kwargs:
            _refuse("keyword arguments of pathlib.Path")
        if cls is Path:
            cls = PosixPath
        return PurePath.__new__(cls, *args)

    @classmethod
    def home(cls):
        return cls("~").expanduser()

    def expanduser(self):
        if self._ptc_root or not self.name or not self._ptc_tail[0].startswith("~"):
            return self
        return type(self)(_path.expanduser(self._ptc_tail[0]), *self._ptc_tail[1:])

    def absolute(self):
        return self if self._ptc_root else _unmodelled_module("pathlib.Path.absolute")(self)

    def resolve(self, strict=False):
        found = _real_path(str(self))
        return _unmodelled_module("pathlib.Path.resolve")(self) if found is None else type(self)(found)

    def exists(self, *, follow_symlinks=True):
        return _path.exists(str(self))

    def is_file(self, *, follow_symlinks=True):
        return _path.isfile(str(self))

    def is_dir(self, *, follow_symlinks=True):
        return _path.isdir(str(self))

    def read_text(self, encoding=None, errors=None, newline=None):
        text = _installed_text(str(self)) if errors in (None, "strict") and newline is None else None
        known = encoding is not None and encoding.lower().replace("_", "-") in ("utf-8", "utf8")
        # The encoding of the machine is taken to have ASCII in it.
        if text is None or not known and (encoding is not None or not text.isascii()):
            return _unmodelled_module("pathlib.Path.read_text")(self)
        return text

    def read_bytes(self):
        data = _installed_bytes(str(self))
        return _unmodelled_module("pathlib.Path.read_bytes")(self) if data is None else data

    def iterdir(self):
        return iter([self / name for name in _os.listdir(self)])

    def open(self, mode="r", buffering=-1, encoding=None, errors=None, newline=None):
        if buffering != -1 or errors not in (None, "strict") or newline is not None:
            return _unmodelled_module("pathlib.Path.open")(self)
        return open(self, mode, encoding=encoding)


class PosixPath(Path, PurePosixPath):
    __slots__ = ()


def _refuse_subclass(cls, **kwargs):
    _refuse("classes derived of pathlib's")


PurePath.__init_subclass__ = classmethod(_refuse_subclass)
