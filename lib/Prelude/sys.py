"""sys: streams that print() knows. What it says about the machine is in the table of answers about the
world, which takes lists and versions from here."""
from _ptc import _python_versions


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


class _Fields(tuple):
    """A tuple whose items have names, which come with the values."""

    def __new__(cls, title, names, values):
        self = tuple.__new__(cls, values)
        self._title, self._names = title, names
        return self

    def __getattr__(self, name):
        if name in self._names:
            return self[self._names.index(name)]
        raise AttributeError(f"'{self._title}' object has no attribute '{name}'")

    def __repr__(self):
        return f"{self._title}({', '.join([f'{n}={v!r}' for n, v in zip(self._names, self)])})"


def _version_fields(major, minor):
    names = ("major", "minor", "micro", "releaselevel", "serial")
    return _Fields("sys.version_info", names, (major, minor, 0, "final", 0))


def _flag_fields(minor):
    """What CPython without options has; hashes are those of PYTHONHASHSEED=0."""
    values = dict.fromkeys(("debug", "inspect", "interactive", "optimize", "dont_write_bytecode", "no_user_site", "no_site",
                            "ignore_environment", "verbose", "bytes_warning", "quiet", "hash_randomization", "isolated"), 0)
    values["dev_mode"] = False
    values["utf8_mode"] = int(minor >= 15)
    values["warn_default_encoding"] = 0
    values["safe_path"] = False
    values["int_max_str_digits"] = 4300 if minor >= 12 else -1
    flags = _Fields("sys.flags", tuple(values), values.values())
    if minor >= 13:
        flags.gil = 1
    if minor >= 14:
        flags.thread_inherit_context = flags.context_aware_warnings = 0
    if minor >= 15:
        flags.lazy_imports = -1
    return flags


stdout = __stdout__ = _Stream(1)
stderr = __stderr__ = _Stream(2)
maxunicode = 1114111
warnoptions = []
_argv = [""]
_path = []
_version_info = {v: _version_fields(*[int(part) for part in v.split(".")]) for v in _python_versions()}
_version = {v: v + ".0" for v in _version_info}
_hexversion = {v: info[0] << 24 | info[1] << 16 | 0xF0 for v, info in _version_info.items()}
_flags = {v: _flag_fields(info[1]) for v, info in _version_info.items()}
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
