"""os: what concerns names of files as text. No file system, process or environment exists."""
from os import path  # noqa: F401

name = "posix"
sep = "/"
altsep = None
linesep = "\n"
curdir, pardir, extsep, pathsep, devnull = ".", "..", ".", ":", "/dev/null"
environ = {}


def getenv(key, default=None):
    return environ.get(key, default)


def fspath(p):
    if isinstance(p, (str, bytes)):
        return p
    return type(p).__fspath__(p)


def cpu_count():
    return 1
