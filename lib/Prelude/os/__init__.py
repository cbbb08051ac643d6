"""os: what concerns names of files as text, and the environment that --env gives. No file system or process exists."""
from abc import ABC as _ABC, abstractmethod as _abstractmethod
from collections.abc import Mapping as _Mapping, MutableMapping as _MutableMapping, _GenericAlias, _has
from os import path  # noqa: F401
from _ptc import _environment_names, _environment_value, _installed_entries, _unmodelled_module

sep = "/"
altsep = None
linesep = "\n"
curdir, pardir, extsep, pathsep, devnull = ".", "..", ".", ":", "/dev/null"
_gone = object()


def _text(value):
    if not isinstance(value, str):
        raise TypeError(f"str expected, not {type(value).__name__}")
    return value


class _Environ(_MutableMapping):
    """What the program has written itself, over the facts about the world."""

    def __init__(self):
        self._ptc_written = {}

    def _ptc_find(self, key):
        value = self._ptc_written.get(_text(key))
        if value is None:
            value = _environment_value(key)
        return None if value is _gone else value

    def __getitem__(self, key):
        value = self._ptc_find(key)
        if value is None:
            raise KeyError(key) from None
        return value

    def __setitem__(self, key, value):
        key, value = _text(key), _text(value)
        if "=" in key or not key:
            raise OSError(22, "Invalid argument")
        if "\0" in key or "\0" in value:
            raise ValueError("embedded null byte")
        gone = self._ptc_written.get(key) is _gone
        if gone:
            del self._ptc_written[key]
        self._ptc_written[key] = value

    def __delitem__(self, key):
        if self._ptc_find(key) is None:
            raise KeyError(key) from None
        self._ptc_written[key] = _gone

    def __iter__(self):
        given = _environment_names()
        for key in given:
            if self._ptc_written.get(key) is not _gone:
                yield key
        for key, value in list(self._ptc_written.items()):
            if value is not _gone and key not in given:
                yield key

    def __len__(self):
        return len(list(iter(self)))

    def __repr__(self):
        return f"environ({{{', '.join([f'{key!r}: {self[key]!r}' for key in self])}}})"

    def copy(self):
        return dict(self)

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def __or__(self, other):
        if not isinstance(other, _Mapping):
            return NotImplemented
        return {**dict(self), **dict(other)}

    def __ror__(self, other):
        if not isinstance(other, _Mapping):
            return NotImplemented
        return {**dict(other), **dict(self)}

    def __ior__(self, other):
        self.update(other)
        return self


environ = _Environ()


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(key, value, /):
    """What programs that are started see, not this one."""
    _text(key), _text(value)


def unsetenv(key, /):
    _text(key)


def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    if not hasattr(type(p), "__fspath__"):
        raise TypeError(f"expected str, bytes or os.PathLike object, not {type(p).__name__}")
    path = type(p).__fspath__(p)
    if not isinstance(path, (str, bytes)):
        raise TypeError(f"expected {type(p).__name__}.__fspath__() to return str or bytes, not {type(path).__name__}")
    return path


class PathLike(_ABC):
    __slots__ = ()

    @_abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        return _has(subclass, "__fspath__") if cls is PathLike else NotImplemented

    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class DirEntry:
    """What scandir() gives of a folder of an installed package."""
    __slots__ = ("name", "path", "_ptc_is_folder")

    def __new__(cls):
        raise TypeError("cannot create 'posix.DirEntry' instances")

    def is_dir(self, *, follow_symlinks=True):
        return self._ptc_is_folder

    def is_file(self, *, follow_symlinks=True):
        return not self._ptc_is_folder

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"


class _Entries:
    _ptc_known_as = "posix.ScandirIterator"

    def __init__(self, entries):
        self._ptc_entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._ptc_entries)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        self._ptc_entries = iter(())


def _entry(folder, name, is_folder):
    entry = object.__new__(DirEntry)
    entry.name, entry.path, entry._ptc_is_folder = name, path.join(folder, name), is_folder
    return entry


def scandir(path=None):
    entries = None if path is None else _installed_entries(fspath(path))
    if entries is None:
        return _unmodelled_module("os.scandir")(path)
    return _Entries(iter([_entry(fspath(path), name, is_folder) for name, is_folder in entries]))


def listdir(path=None):
    entries = None if path is None else _installed_entries(fspath(path))
    if entries is None:
        return _unmodelled_module("os.listdir")(path)
    return [name for name, _ in entries]


class terminal_size(tuple):
    def __new__(cls, sequence, /):
        sequence = tuple(sequence)
        if len(sequence) != 2:
            raise TypeError(f"os.terminal_size() takes a 2-sequence ({len(sequence)}-sequence given)")
        return super().__new__(cls, sequence)

    @property
    def columns(self):
        return self[0]

    @property
    def lines(self):
        return self[1]

    def __repr__(self):
        return f"os.terminal_size(columns={self[0]!r}, lines={self[1]!r})"
