"""warnings: shown on standard error, ignored, raised, or recorded, by CPython's rules. Warnings of libraries themselves
are there for who looks: a recorder, a filter that raises, a function in the place of showwarning().

Where a warning counts (once for a line, by the module) it counts where the program's code stands; where
that is behind code of a library, it is not known, and what depends on it is refused."""
import sys
from _ptc import _caller_place
from _ptc_torch import _refuse

_ACTIONS = ("default", "error", "ignore", "always", "module", "once", "all")
_ALWAYS = ("always", "all")

_shown = {}                                     # by place and text, since the filters changed last
_once = {}
_recorders = []
_watched = False                                # somebody looks at all warnings, or raises them


def _matches(pattern, text, fold):
    if not pattern:
        return True
    import re
    return re.match(pattern, text, re.IGNORECASE if fold else 0) is not None


# action, pattern of the text, category, pattern of the module, line: as CPython begins.
_filters = [("default", "", DeprecationWarning, "__main__", 0), ("ignore", "", DeprecationWarning, "", 0),
            ("ignore", "", PendingDeprecationWarning, "", 0), ("ignore", "", ImportWarning, "", 0),
            ("ignore", "", ResourceWarning, "", 0)]


def _changed():
    """The filters are others: what was shown may be shown again."""
    global _watched
    if _shown:
        _shown.clear()
    _watched = True if _recorders else any([f[0] == "error" for f in _filters])


def _is_watched():
    return _watched or showwarning is not _showwarning


def _action(category, text, place):
    for action, message, kind, module, line in _filters:
        if not issubclass(category, kind):
            continue
        if not _matches(message, text, True):
            continue
        is_known = True
        if module or line:
            if place is None:
                if module == "__main__":        # no library is, nor who calls a compiled program
                    continue
                is_known = False
            elif line and line != place[2]:
                continue
            elif not _matches(module, place[0], False):
                continue
        if not is_known and not _is_watched():
            return "ignore"                     # all that is left open is a line on standard error
        if not is_known:
            _refuse("a filter of warnings whose module or line may be those of a warning")
        return action
    return "default"


class WarningMessage:
    def __init__(self, message, category, filename, lineno, file=None, line=None, source=None):
        self.message, self.category, self.filename, self.lineno = message, category, filename, lineno
        self.file, self.line, self.source = file, line, source
        self._category_name = category.__name__ if category else None

    def __str__(self):
        return (f"{{message : {self.message!r}, category : {self._category_name!r}, filename : {self.filename!r}, "
                f"lineno : {self.lineno}, line : {self.line!r}}}")


class _Elsewhere(WarningMessage):
    """One whose place is in a library."""

    def __init__(self, message, category):
        self.message, self.category, self.file, self.line, self.source = message, category, None, None, None
        self._category_name = category.__name__

    def __getattr__(self, name):
        if name in ("filename", "lineno"):
            _refuse("warnings.WarningMessage." + name + " of a warning that a library gives")
        raise AttributeError(f"'WarningMessage' object has no attribute {name!r}")


def _showwarning(message, category, filename, lineno, file=None, line=None):
    _refuse("warnings.showwarning")


showwarning = _showwarning


def _formatwarning(message, category, filename, lineno, line=None):
    _refuse("warnings.formatwarning")


formatwarning = _formatwarning


def _show(message, category, place):
    if showwarning is not _showwarning:
        _refuse("warnings.showwarning that the program sets")
    if not _recorders:
        if formatwarning is not _formatwarning:
            _refuse("warnings.formatwarning that the program sets")
        if sys.stderr is not None and sys.stderr is not sys.__stderr__:
            _refuse("the text of a warning for another stream than standard error")
        where = "" if place is None or place[1] is None else f"{place[1]}:{place[2]}: "
        print(f"{where}{category.__name__}: {message}", file=sys.stderr)
    elif place is None:
        _recorders[-1].append(_Elsewhere(message, category))
    else:
        _recorders[-1].append(WarningMessage(message, category, place[1], place[2]))


def _is_new(action, category, text, place):
    """Whether the warning is shown now; from then on it was."""
    if action in _ALWAYS or (place is not None and place[3] is None and action != "once"):  # no registry
        return True
    if action == "once":
        seen, key = _once, (category, text)
    elif place is None:
        seen, key = _shown, (None, category, text)
    else:
        seen, key = _shown, (place[3], category, text, 0 if action == "module" else place[2])
    if key in seen:
        if place is None and _recorders and action != "once":
            _refuse("whether a warning that a library gives was shown before")
        return False
    seen[key] = True
    return True


def _warn_at(message, category, place):
    text = str(message)
    action = _action(category, text, place)
    if action == "ignore":
        return
    if not isinstance(message, Warning):
        message = category(message)
    if action == "error":
        raise message
    if _is_new(action, category, text, place):
        _show(message, category, place)


def _checked(message, category):
    if isinstance(message, Warning):
        return type(message)
    category = UserWarning if category is None else category
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    return category


def warn(message, category=None, stacklevel=1, source=None, *, skip_file_prefixes=()):
    category = _checked(message, category)
    _warn_at(message, category, None if skip_file_prefixes else _caller_place(stacklevel))


def warn_explicit(message, category, filename, lineno, module=None, registry=None, module_globals=None, source=None):
    if registry is not None:
        _refuse("warnings.warn_explicit with a registry")
    if module is None:
        module = filename or "<unknown>"
        module = module[:-3] if module[-3:].lower() == ".py" else module
    category = type(message) if isinstance(message, Warning) else category
    _warn_at(message, category, (module, filename, lineno, None))


def _of_library(text, category=UserWarning):
    """A warning of a library, where somebody looks; where it counts depends on who called."""
    if _is_watched():
        _warn_at(text, category, None)


def _refuse_seen(what):
    """A warning that eager gives once in a process, or whose text is not known."""
    if _is_watched():
        _refuse(f"the warning that eager gives of {what}, where the program looks at warnings,")


def _add(item, append):
    if not append:
        if item in _filters:
            _filters.remove(item)
        _filters.insert(0, item)
    elif item not in _filters:
        _filters.append(item)
    _changed()


def _check_filter(action, lineno):
    if action not in _ACTIONS or (action == "all" and sys.version_info < (3, 12)):
        if sys.version_info >= (3, 12):
            _refuse(f"a filter of warnings with the action {action!r}")
        raise AssertionError(f"invalid action: {action!r}")
    if not isinstance(lineno, int) or lineno < 0:
        _refuse(f"a filter of warnings for the line {lineno!r}")


def simplefilter(action, category=Warning, lineno=0, append=False):
    _check_filter(action, lineno)
    _add((action, "", category, "", lineno), append)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _check_filter(action, lineno)
    if not isinstance(message, str) or not isinstance(module, str):
        raise (AssertionError if sys.version_info < (3, 12) else TypeError)(
            "message must be a string" if not isinstance(message, str) else "module must be a string")
    if not isinstance(category, type) or not issubclass(category, Warning):
        _refuse("a filter of warnings for what is no category")
    import re
    re.compile(message, re.IGNORECASE), re.compile(module)
    _add((action, message, category, module, lineno), append)


def resetwarnings():
    _filters.clear()
    _changed()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0, append=False):
        if module is not None:
            _refuse("warnings.catch_warnings(module=…)")
        self._record, self._entered = record, False
        self._filter = None if action is None else (action, category, lineno, append)

    def __enter__(self):
        if self._entered:
            _refuse("a warnings.catch_warnings() that is entered twice")
        global showwarning
        self._entered, self._ptc_saved, self._ptc_shows = True, list(_filters), showwarning
        log = None
        if self._record:
            log, showwarning = [], _showwarning
            _recorders.append(log)
        _changed()
        if self._filter is not None:
            simplefilter(*self._filter)
        return log

    def __exit__(self, *exc):
        global showwarning
        _filters[:], showwarning = self._ptc_saved, self._ptc_shows
        if self._record:
            _recorders.pop()
        _changed()


if sys.version_info >= (3, 13):
    class deprecated:
        def __init__(self, message, /, *, category=DeprecationWarning, stacklevel=1):
            if not isinstance(message, str):
                raise TypeError(f"Expected an object of type str for 'message', not {type(message).__name__!r}")
            self.message, self.category, self.stacklevel = message, category, stacklevel

        def __call__(self, arg, /):
            message, category, stacklevel = self.message, self.category, self.stacklevel
            if category is None:
                arg.__deprecated__ = message
                return arg
            if isinstance(arg, type):
                if _is_watched():
                    _refuse("warnings.deprecated of a class where the program looks at warnings")
                arg.__deprecated__ = message
                return arg

            def wrapper(*args, **kwargs):
                _warn_at(message, category, _caller_place(stacklevel))
                return arg(*args, **kwargs)
            for name in ("__module__", "__name__", "__qualname__", "__doc__"):
                setattr(wrapper, name, getattr(arg, name))
            wrapper.__wrapped__ = arg
            arg.__deprecated__ = wrapper.__deprecated__ = message
            return wrapper
