"""importlib.resources: files beside modules, in folders and archives of -I."""
from _ptc import _archived, _python_minor
from _ptc_torch import _refuse
from contextlib import contextmanager as _contextmanager
from importlib import import_module as _import_module
from os import path as _path
from types import ModuleType as _ModuleType

_anchor = object()


class _ZipPath:
    """A member of an archive, a folder in it, or what is not there."""
    _ptc_known_as = "zipfile.Path"

    def __init__(self, archive, at):
        self._ptc_archive, self._ptc_at = archive, at

    def _ptc_path(self):
        return f"{self._ptc_archive}/{self._ptc_at}".rstrip("/")

    @property
    def name(self):
        return _path.basename(self._ptc_path())

    def is_dir(self):
        return isinstance(_archived(self._ptc_path()), tuple)

    def is_file(self):
        return isinstance(_archived(self._ptc_path()), bytes)

    def exists(self):
        return _archived(self._ptc_path()) is not False

    def iterdir(self):
        names = _archived(self._ptc_path())
        if not isinstance(names, tuple):
            raise ValueError("Can't listdir a file")
        return map(self.joinpath, names)

    def joinpath(self, *other):
        return _ZipPath(self._ptc_archive, _path.join(self._ptc_at, *other) if self._ptc_at else _path.join(*other))

    __truediv__ = joinpath

    def __str__(self):
        return f"{self._ptc_archive}/{self._ptc_at}" + ("/" if self._ptc_at and self.is_dir() else "")

    def read_bytes(self):
        data = _archived(self._ptc_path())
        if isinstance(data, tuple):
            raise IsADirectoryError(self)
        if data is False:
            raise FileNotFoundError(self)
        return data

    def read_text(self, encoding=None, errors=None, newline=None):
        if newline is not None:
            _refuse("importlib.resources with another newline")
        return _decoded(self.read_bytes(), encoding, errors)

    def open(self, mode="r", encoding=None, errors=None, newline=None):
        from io import BytesIO, StringIO
        if mode == "rb":
            if encoding is not None or errors is not None or newline is not None:
                raise ValueError("encoding args invalid for binary operation")
            return BytesIO(self.read_bytes())
        if mode != "r":
            _refuse(f"importlib.resources: a file opened with mode {mode!r}")
        return StringIO(self.read_text(encoding, errors, newline))


def _decoded(data, encoding, errors):
    """Text as universal newlines leave it. Where no encoding is given, that of the machine is taken to have ASCII in it."""
    known = encoding is not None and encoding.lower().replace("_", "-") in ("utf-8", "utf8")
    if not known and (encoding is not None or not data.isascii()) or errors not in (None, "strict"):
        _refuse("importlib.resources: text in another encoding than UTF-8")
    return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _archive_of(folder):
    """The archive that a folder is in, or None."""
    archive = None
    while _archived(folder) is not None:
        archive, folder = folder, _path.dirname(folder)
    return archive


def _package(anchor):
    if isinstance(anchor, str):
        anchor = _import_module(anchor)
    if not isinstance(anchor, _ModuleType):
        _refuse("importlib.resources of what is no module")
    if hasattr(anchor, "__path__"):
        return anchor
    if _python_minor() < 12:
        raise TypeError(f"{anchor.__name__!r} is not a package")
    return _import_module(anchor.__package__)


def _files_of(package):
    package = _package(package)
    if getattr(package, "__file__", None) is None:
        _refuse("importlib.resources of a package without a file")
    folder = _path.dirname(package.__file__)
    archive = _archive_of(folder)
    if archive is not None:
        return _ZipPath(archive, folder[len(archive) + 1:])
    from pathlib import Path
    return Path(folder)


def files(anchor=_anchor, package=_anchor):
    if package is not _anchor:
        if anchor is not _anchor:
            raise TypeError("files() got some positional-only arguments passed as keyword arguments: 'package'")
        anchor = package
    if anchor is _anchor or anchor is None:
        if _python_minor() < 12:
            raise TypeError("files() missing 1 required positional argument: 'package'")
        _refuse("importlib.resources.files() of who calls it")
    return _files_of(anchor)


@_contextmanager
def as_file(path):
    from pathlib import Path
    if not isinstance(path, Path):
        _refuse("importlib.resources.as_file() of a file in an archive")
    yield path


def _resource(anchor, names):
    if len(names) != 1 or not isinstance(names[0], str) or _path.dirname(names[0]):
        _refuse("importlib.resources: names of files that are not one name")
    return _files_of(anchor).joinpath(names[0])


def read_binary(anchor, *path_names):
    return _resource(anchor, path_names).read_bytes()


def read_text(anchor, *path_names, encoding="utf-8", errors="strict"):
    if len(path_names) == 2 and _python_minor() < 13:
        *path_names, encoding = path_names
    return _resource(anchor, path_names).read_text(encoding=encoding, errors=errors)


def open_binary(anchor, *path_names):
    return _resource(anchor, path_names).open("rb")


def open_text(anchor, *path_names, encoding="utf-8", errors="strict"):
    if len(path_names) == 2 and _python_minor() < 13:
        *path_names, encoding = path_names
    return _resource(anchor, path_names).open("r", encoding=encoding, errors=errors)


def is_resource(anchor, *path_names):
    return _resource(anchor, path_names).is_file()
