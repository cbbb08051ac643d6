"""zipfile: whether a file is an archive. Archives themselves have no model."""
from os import PathLike as _PathLike, fspath as _fspath

from _ptc import _is_opaque, _is_zip, _unmodelled_module


def is_zipfile(filename):
    known = not _is_opaque(filename) and isinstance(filename, (str, _PathLike))
    answer = _is_zip(_fspath(filename)) if known else None
    return _unmodelled_module("zipfile.is_zipfile")(filename) if answer is None else answer
