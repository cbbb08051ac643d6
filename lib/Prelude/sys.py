"""sys: streams that print() knows. What it says about the machine is in the table of answers about the
world, which takes lists and versions from here."""
from _ptc import _python_version


class _Stream:
    """Standard output or error: print() looks at _ptc_fd."""

    def __init__(self, fd):
        self._ptc_fd = fd

    def write(self, text):
        print(text, end="", file=self)
        return len(text)

    def flush(self):
        pass

    def isatty(self):
        return False


class _VersionInfo(tuple):
    major = property(lambda self: self[0])
    minor = property(lambda self: self[1])
    micro = property(lambda self: self[2])
    releaselevel = property(lambda self: self[3])
    serial = property(lambda self: self[4])

    def __repr__(self):
        return f"sys.version_info(major={self[0]}, minor={self[1]}, micro={self[2]}, releaselevel={self[3]!r}, serial={self[4]})"


stdout = __stdout__ = _Stream(1)
stderr = __stderr__ = _Stream(2)
maxunicode = 1114111
flags = None
warnoptions = []
_argv = [""]
_path = []
_version_info = _VersionInfo((*map(int, _python_version().split(".")), 0, "final", 0))
_version = _python_version() + ".0"
_hexversion = _version_info[0] << 24 | _version_info[1] << 16 | 0xF0
_limit = [1000]


def exit(status=None, /):
    raise SystemExit(status)


def intern(string, /):
    return string


def getrecursionlimit():
    return _limit[0]


def setrecursionlimit(limit, /):
    _limit[0] = limit


def getdefaultencoding():
    return "utf-8"


def is_finalizing():
    return False
