"""os.path for POSIX names, as far as it is text."""

import os as _os

from _ptc import _is_file_there, _is_opaque, _python_minor, _real_path, _unmodelled_module
from _ptc_torch import _refuse

sep, curdir, pardir, extsep, altsep = "/", ".", "..", ".", None


def _text(path):
    """The text of a path, which may be an object that has one."""
    if _is_opaque(path):
        return path
    path = _os.fspath(path)
    if not isinstance(path, str):
        _refuse("os.path of bytes")
    return path


def isabs(s):
    return _text(s).startswith("/")


def join(a, *p):
    a = _text(a)
    for b in p:
        if not (_is_opaque(b) or isinstance(b, (str, bytes)) or hasattr(type(b), "__fspath__")):
            raise TypeError(f"join() argument must be str, bytes, or os.PathLike object, not {type(b).__name__!r}")
        b = _text(b)
        if b.startswith("/") or not a:
            a = b
        elif a.endswith("/"):
            a += b
        else:
            a += "/" + b
    return a


def split(p):
    p = _text(p)
    i = p.rfind("/") + 1
    head, tail = p[:i], p[i:]
    if head and head != "/" * len(head):
        head = head.rstrip("/")
    return head, tail


def basename(p):
    return split(p)[1]


def dirname(p):
    return split(p)[0]


def splitext(p):
    p = _text(p)
    slash, dot = p.rfind("/"), p.rfind(".")
    if dot > slash:
        i = slash + 1
        while i < dot:
            if p[i] != ".":
                return p[:dot], p[dot:]
            i += 1
    return p, ""


def normpath(path):
    path = _text(path)
    if not path:
        return "."
    slashes = 1 if path.startswith("/") else 0
    if path.startswith("//") and not path.startswith("///"):
        slashes = 2
    out = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or (not slashes and not out) or (out and out[-1] == ".."):
            out.append(part)
        elif out:
            out.pop()
    return "/" * slashes + "/".join(out) or "."


def abspath(path):
    path = _text(path)
    return normpath(path) if not _is_opaque(path) and path.startswith("/") else _unmodelled_module("os.path.abspath")(path)


def realpath(filename, *, strict=False):
    if strict is not False:
        return _unmodelled_module("os.path.realpath")(filename, strict=strict)
    found = None if _is_opaque(filename) else _real_path(_text(filename))
    return _unmodelled_module("os.path.realpath")(filename) if found is None else found


def commonprefix(m):
    if not m:
        return ""
    if not isinstance(m[0], (list, tuple)):    # the parts of paths are as good
        m = [_text(p) for p in m]
    low, high = min(m), max(m)
    for i, c in enumerate(low):
        if c != high[i]:
            return low[:i]
    return low


def _unknown(name):
    return _unmodelled_module(f"os.path.{name}")()


def expanduser(path):
    if _is_opaque(path):
        return _unknown("expanduser")
    path = _text(path)
    if not path.startswith("~"):
        return path
    from os import environ
    home = environ.get("HOME")
    if home is None or path[1:2] not in ("", "/"):
        return _unknown("expanduser")
    return home.rstrip("/") + path[1:] or "/"


def expandvars(path):
    path = _text(path)
    if _is_opaque(path) or "$" in path:
        return _unknown("expandvars")
    return path


def _asked(question, path):
    """No file is there; whether the program's own are is not known."""
    if not _is_opaque(path) and hasattr(type(path), "__fspath__"):
        path = _text(path)
    there = _is_file_there(f"os.path.{question}", path)
    return _unknown(question) if there is None else there


def exists(path):
    return _asked("exists", path)


def isfile(path):
    return _asked("isfile", path)


def isdir(s):
    return _asked("isdir", s)


def normcase(path):
    return _text(path)


def splitdrive(path):
    path = _text(path)
    return path[:0], path


def commonpath(paths):
    paths = [_text(p) for p in paths]
    if not paths:
        raise ValueError(f"commonpath() arg is an empty {'sequence' if _python_minor() < 13 else 'iterable'}")
    rooted = [p.startswith("/") for p in paths]
    if True in rooted and False in rooted:
        raise ValueError("Can't mix absolute and relative paths")
    parts = [[c for c in p.split("/") if c and c != "."] for p in paths]
    low, high = min(parts), max(parts)
    common = low
    for i, c in enumerate(low):
        if i >= len(high) or c != high[i]:
            common = low[:i]
            break
    return ("/" if rooted[0] else "") + "/".join(common)


__name__, __package__ = "posixpath", ""
