"""os: what concerns names of files as text. No file system, process or environment exists."""
from os import path  # noqa: F401

sep = "/"
altsep = None
linesep = "\n"
curdir, pardir, extsep, pathsep, devnull = ".", "..", ".", ":", "/dev/null"
_environ = {}


def getenv(key, default=None):
    from os import environ
    return environ.get(key, default)


def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    return type(p).__fspath__(p)
