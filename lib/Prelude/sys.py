"""sys: streams that print() knows. What it says about the machine is in the table of answers about the
world, which takes lists and versions from here."""
import operator as _operator
from operator import index as _index
from _ptc import _assume, _hide_contents, _is_in_modules, _print, _python_minor, _python_versions, _replace_module
from _ptc_torch import _refuse


class _Stream:
    """Standard output or error: print() looks at _ptc_fd. What else text files have is io.TextIOWrapper's, without a model."""
    _ptc_known_as = "_io.TextIOWrapper"
    encoding = "utf-8"
    newlines = None
    closed = write_through = False
    mode = "w"

    def __init__(self, fd, name, errors):
        self._ptc_fd, self.name, self.errors = fd, name, errors

    def __init_subclass__(cls, **kwargs):
        _refuse("classes derived of type(sys.stdout)")

    def __enter__(self):
        _refuse("sys.stdout as a context manager")

    def __exit__(self, *exc):
        pass

    def __iter__(self):
        _refuse("iterating over sys.stdout")

    def __getattr__(self, name):
        import io
        if not hasattr(io.TextIOWrapper, name):
            raise AttributeError(f"'_io.TextIOWrapper' object has no attribute {name!r}")
        return getattr(io.TextIOWrapper, name)

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        _print([text], "", "", self._ptc_fd)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def isatty(self):
        return False

    def readable(self):
        return False

    def writable(self):
        return True

    def fileno(self):
        return self._ptc_fd

    def reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, write_through=None):
        """When text reaches the file is not observed; which bytes it becomes is."""
        if encoding not in (None, "utf-8", "utf8", "UTF-8") or errors is not None or newline is not None:
            _refuse("reconfigure() of a stream with another encoding, errors or newline")

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode='w' encoding='utf-8'>"


class _Fields(tuple):
    """A tuple whose items have names, which come with the values."""

    def __new__(cls, title, names, values):
        self = tuple.__new__(cls, values)
        self._ptc_title, self._ptc_names = title, names
        self.n_fields = self.n_sequence_fields = len(names)
        self.n_unnamed_fields = 0
        self.__match_args__ = tuple(names)
        return self

    def __getattr__(self, name):
        if name in self._ptc_names:
            return self[self._ptc_names.index(name)]
        raise AttributeError(f"'{self._ptc_title}' object has no attribute '{name}'")

    def __repr__(self):
        return f"{self._ptc_title}({', '.join([f'{n}={v!r}' for n, v in zip(self._ptc_names, self)])})"


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


class _SimpleNamespace:
    """types.SimpleNamespace."""

    def __init__(self, /, *args, **kwargs):
        if _python_minor() < 13 and args:
            raise TypeError("no positional arguments expected")
        if len(args) > 1:
            raise TypeError(f"SimpleNamespace expected at most 1 argument, got {len(args)}")
        for k, v in dict(*args).items():
            setattr(self, k, v)
        for k, v in kwargs.items():
            setattr(self, k, v)

    def __eq__(self, other):
        if isinstance(self, _SimpleNamespace) and isinstance(other, _SimpleNamespace):
            return self.__dict__ == other.__dict__
        return NotImplemented

    def _ptc_compared(self, other, compare):
        both = isinstance(self, _SimpleNamespace) and isinstance(other, _SimpleNamespace)
        return compare(self.__dict__, other.__dict__) if both else NotImplemented

    def __lt__(self, other):
        return self._ptc_compared(other, _operator.lt)

    def __le__(self, other):
        return self._ptc_compared(other, _operator.le)

    def __gt__(self, other):
        return self._ptc_compared(other, _operator.gt)

    def __ge__(self, other):
        return self._ptc_compared(other, _operator.ge)

    def __repr__(self):
        name = "namespace" if type(self) is _SimpleNamespace else type(self).__name__
        items = [(k, v) for k, v in self.__dict__.items() if not k.startswith("_ptc_")]
        if len(items) < len(self.__dict__):    # in its own text
            return f"{name}(...)"
        object.__setattr__(self, "_ptc_is_shown", True)
        try:
            return f"{name}({', '.join([f'{k}={v!r}' for k, v in items])})"
        finally:
            object.__delattr__(self, "_ptc_is_shown")


_SimpleNamespace.__name__ = _SimpleNamespace.__qualname__ = "SimpleNamespace"
_SimpleNamespace.__module__ = "types"
stdout = __stdout__ = _Stream(1, "<stdout>", "strict")
stderr = __stderr__ = _Stream(2, "<stderr>", "backslashreplace")
maxunicode = 1114111
hash_info = _Fields("sys.hash_info", ("width", "modulus", "inf", "nan", "imag", "algorithm", "hash_bits", "seed_bits", "cutoff"),
                    (64, (1 << 61) - 1, 314159, 0, 1000003, "siphash13", 64, 128, 0))
warnoptions = []


class _SearchPath(list):
    """sys.path: the program may add folders, which change nothing. What else is there is not known: whether a folder is
    among the others is taken for no, which the output says."""
    _ptc_known_as = "builtins.list"

    def __contains__(self, folder):
        added = folder in self._ptc_added
        if not added:
            _assume(f"{folder!r} is not in sys.path")
        return added

    def __add__(self, other):
        return _search_path([*self._ptc_added, *other])

    def __radd__(self, other):
        return _search_path([*other, *self._ptc_added])

    def __iadd__(self, other):
        self._ptc_added.extend(other)
        return self

    def __setitem__(self, index, folders):
        if not isinstance(index, slice) or index.stop != 0 or index.start not in (None, 0):
            _refuse("sys.path")
        self._ptc_added[index] = folders

    def append(self, folder):
        self._ptc_added.append(folder)

    def extend(self, folders):
        self._ptc_added.extend(folders)

    def insert(self, index, folder):
        self._ptc_added.append(folder)

    def remove(self, folder):
        if folder not in self._ptc_added:
            _refuse("sys.path.remove() of what the program did not add")
        self._ptc_added.remove(folder)


def _search_path(added):
    made = _SearchPath()
    made._ptc_added = added
    _hide_contents(made, "sys.path")
    return made


class _Finders(list):
    """sys.meta_path: behind those that are there without the program, which find what imports find without it. The program
    may add finders, which are asked for what those did not find."""
    _ptc_known_as = "builtins.list"

    def __iter__(self):
        from importlib.machinery import BuiltinImporter, FrozenImporter, PathFinder
        yield from (BuiltinImporter, FrozenImporter, PathFinder, *self._ptc_added)

    def append(self, finder):
        self._ptc_added.append(finder)

    def extend(self, finders):
        self._ptc_added.extend(finders)

    def __iadd__(self, finders):
        self._ptc_added.extend(finders)
        return self

    def remove(self, finder):
        if finder not in self._ptc_added:
            _refuse("sys.meta_path.remove() of what the program did not add")
        self._ptc_added.remove(finder)


class _Modules(dict):
    """sys.modules. Whether a module is there that the program has not imported itself is known of some; all names
    are not."""
    _ptc_known_as = "builtins.dict"

    def __contains__(self, name):
        hash(name)
        return isinstance(name, str) and _is_in_modules(name)

    def __getitem__(self, name):
        if name not in self:
            raise KeyError(name)
        return _imported(name)

    def get(self, name, default=None, /):
        return _imported(name) if name in self else default

    def setdefault(self, name, module=None, /):
        if name not in self:
            self[name] = module
        return self[name]

    def __setitem__(self, name, module):
        if not isinstance(name, str):
            _refuse("a name in sys.modules that is no str")
        _replace_module(name, module)

    def update(self, *modules, **more):
        for name, module in dict(*modules, **more).items():
            self[name] = module


def _imported(name):
    return __import__(name, fromlist=("__name__",))


_finders = []    # of the program
meta_path = _Finders()
meta_path._ptc_added = _finders
_hide_contents(meta_path, "sys.meta_path")
modules = _Modules()
_hide_contents(modules, "sys.modules")
_argv = [""]
_path = _search_path([])
_version_info = {v: _version_fields(*[int(part) for part in v.split(".")]) for v in _python_versions()}
_version = {v: v + ".0" for v in _version_info}
_hexversion = {v: info[0] << 24 | info[1] << 16 | 0xF0 for v, info in _version_info.items()}
_implementation = {v: _SimpleNamespace(name="cpython", cache_tag=f"cpython-{info[0]}{info[1]}", version=info, hexversion=_hexversion[v],
                                      _multiarch="x86_64-linux-gnu") for v, info in _version_info.items()}
_flags = {v: _flag_fields(info[1]) for v, info in _version_info.items()}
_limit = [1000]


def exit(status=None, /):
    raise SystemExit(status)


def intern(string, /):
    if not isinstance(string, str):
        raise TypeError(f"intern() argument must be str, not {type(string).__name__}")
    return string


def getrecursionlimit():
    return _limit[0]


def setrecursionlimit(limit, /):
    """A higher one is of no use: what goes deeper than the engine does is refused."""
    limit = _index(limit)
    if limit < 1:
        raise ValueError("recursion limit must be greater or equal than 1")
    if limit < 1000:
        _refuse("sys.setrecursionlimit() below 1000")
    _limit[0] = limit


def getdefaultencoding():
    return "utf-8"


def is_finalizing():
    return False
