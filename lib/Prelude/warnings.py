"""warnings: shown once per text and place on standard error, ignored, or raised."""
import sys

filters = []
_shown = {}
_ALWAYS = ("always", "all")


def _action(category, text):
    for action, kind, message in filters:
        if issubclass(category, kind) and message in text:
            return action
    return "ignore" if issubclass(category, (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning)) else "default"


def warn(message, category=None, stacklevel=1, source=None, **kwargs):
    if isinstance(message, Warning):
        category = type(message)
    category = category or UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        raise TypeError(f"category must be a Warning subclass, not '{type(category).__name__}'")
    text = str(message)
    action = _action(category, text)
    if action == "ignore":
        return
    if action == "error":
        raise message if isinstance(message, Warning) else category(message)
    key = (category, text)
    if action not in _ALWAYS and key in _shown:
        return
    _shown[key] = True
    if _recorders:
        _recorders[-1].append(WarningMessage(message if isinstance(message, Warning) else category(message), category))
    else:
        print(f"{category.__name__}: {text}", file=sys.stderr)


class WarningMessage:
    def __init__(self, message, category):
        self.message, self.category = message, category


_recorders = []


def warn_explicit(message, category, filename, lineno, **kwargs):
    warn(message, category)


def simplefilter(action, category=Warning, lineno=0, append=False):
    filters.insert(len(filters) if append else 0, (action, category, ""))


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    filters.insert(len(filters) if append else 0, (action, category, message.replace(".*", "")))


def resetwarnings():
    filters.clear()


class catch_warnings:
    def __init__(self, *, record=False, module=None, action=None, category=Warning, **kwargs):
        self._record, self._action, self._category = record, action, category

    def __enter__(self):
        self._saved = list(filters)
        if self._action is not None:
            simplefilter(self._action, self._category)
        if self._record:
            _recorders.append([])
            return _recorders[-1]
        return None

    def __exit__(self, *exc):
        filters[:] = self._saved
        if self._record:
            _recorders.pop()


if sys.version_info >= (3, 13):
    def deprecated(message, /, *, category=DeprecationWarning, stacklevel=1):
        return lambda f: f
