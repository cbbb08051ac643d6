"""logging: levels and messages on standard error. Handlers and formats are accepted and not used."""
import sys

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
_NAMES = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}
_loggers = {}


def getLevelName(level):
    if isinstance(level, str):
        for number, name in _NAMES.items():
            if name == level:
                return number
    return _NAMES.get(level, f"Level {level}")


def _number(level):
    return level if isinstance(level, int) else getLevelName(level)


class Handler:
    def __init__(self, *args, **kwargs):
        self.level = NOTSET

    def setLevel(self, level):
        self.level = _number(level)

    def setFormatter(self, fmt):
        pass

    def addFilter(self, filter):
        pass


class StreamHandler(Handler):
    pass


class NullHandler(Handler):
    pass


class Formatter:
    def __init__(self, *args, **kwargs):
        pass


class Filter:
    def __init__(self, name=""):
        self.name = name


class Logger:
    def __init__(self, name, parent):
        self.name, self.parent = name, parent
        self.level = NOTSET
        self.handlers = []
        self.propagate = True
        self.disabled = False

    def setLevel(self, level):
        self.level = _number(level)

    def getEffectiveLevel(self):
        logger = self
        while logger is not None:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level >= self.getEffectiveLevel()

    def log(self, level, msg, *args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if not self.isEnabledFor(level):
            return
        text = str(msg)
        if args:
            text = text % (args[0] if len(args) == 1 and isinstance(args[0], dict) and args[0] else args)
        if _configured:
            text = f"{getLevelName(level)}:{self.name}:{text}"
        print(text, file=sys.stderr)

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    warn = warning

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    fatal = critical

    def addHandler(self, handler):
        self.handlers.append(handler)

    def removeHandler(self, handler):
        if handler in self.handlers:
            self.handlers.remove(handler)

    def hasHandlers(self):
        return bool(self.handlers)

    def addFilter(self, filter):
        pass

    def getChild(self, suffix):
        return getLogger(suffix if self is root else f"{self.name}.{suffix}")

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


root = Logger("root", None)
root.level = WARNING
_configured = []


def getLogger(name=None):
    if not name or name == "root":
        return root
    if name not in _loggers:
        parent = root
        head = name
        while "." in head:
            head = head.rpartition(".")[0]
            if head in _loggers:
                parent = _loggers[head]
                break
        _loggers[name] = Logger(name, parent)
    return _loggers[name]


def basicConfig(**kwargs):
    _configured.append(True)
    if "level" in kwargs:
        root.setLevel(kwargs["level"])


def _on_root(level, msg, args, kwargs):
    if not _configured:
        basicConfig()
    root.log(level, msg, *args, **kwargs)


def debug(msg, *args, **kwargs):
    _on_root(DEBUG, msg, args, kwargs)


def info(msg, *args, **kwargs):
    _on_root(INFO, msg, args, kwargs)


def warning(msg, *args, **kwargs):
    _on_root(WARNING, msg, args, kwargs)


def error(msg, *args, **kwargs):
    _on_root(ERROR, msg, args, kwargs)


def critical(msg, *args, **kwargs):
    _on_root(CRITICAL, msg, args, kwargs)


def disable(level=CRITICAL):
    root.disabled = level >= CRITICAL
