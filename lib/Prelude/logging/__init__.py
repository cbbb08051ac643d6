"""logging: records go through filters, levels and handlers of all loggers above, as documented.

The function in which a record was made, when, and the text of tracebacks are not known. In formats of messages for standard error such
fields are "?" and tracebacks are left out; anywhere else asking for them is refused.
"""
import sys
from _ptc import _caller_place, _is_opaque, _is_stream
from _ptc_torch import _refuse

CRITICAL = FATAL = 50
ERROR = 40
WARNING = WARN = 30
INFO = 20
DEBUG = 10
NOTSET = 0
BASIC_FORMAT = "%(levelname)s:%(name)s:%(message)s"
raiseExceptions = True
_names = {CRITICAL: "CRITICAL", ERROR: "ERROR", WARNING: "WARNING", INFO: "INFO", DEBUG: "DEBUG", NOTSET: "NOTSET"}
_numbers = {**{name: level for level, name in _names.items()}, "FATAL": FATAL, "WARN": WARN}
_NOT_KNOWN = object()
_PLACE = ("pathname", "filename", "module", "lineno", "funcName", "created", "msecs", "relativeCreated", "thread", "threadName",
          "processName", "process", "taskName", "asctime")
_OF_LINE = ("pathname", "filename", "module", "lineno")


def _is_tensor(value):
    from _ptc_torch import Tensor    # programs without torch log, too
    return isinstance(value, Tensor)


def getLevelName(level):
    if level in _names:
        return _names[level]
    return _numbers.get(level, f"Level {level}")


def getLevelNamesMapping():
    return dict(_numbers)


def addLevelName(level, levelName):
    _names[level] = levelName
    _numbers[levelName] = level


def _checked(level):
    if isinstance(level, int):
        return level
    if not isinstance(level, str):
        raise TypeError(f"Level not an integer or a valid string: {level!r}")
    if level not in _numbers:
        raise ValueError(f"Unknown level: {level!r}")
    return _numbers[level]


class LogRecord:
    def __init__(self, name, level, pathname, lineno, msg, args, exc_info, func=None, sinfo=None, **kwargs):
        if args and len(args) == 1 and isinstance(args[0], dict) and args[0]:
            args = args[0]
        self.name, self.msg, self.args = name, msg, args
        self.levelname, self.levelno = getLevelName(level), level
        self._ptc_exc_info, self.exc_text, self.stack_info = exc_info, None, sinfo
        self._ptc_has_line = pathname is not _NOT_KNOWN
        if self._ptc_has_line:
            self.pathname, self.lineno, self.funcName = pathname, lineno, func
            self._ptc_name_file()

    def _ptc_name_file(self):
        self.filename, self.module = self.pathname, "Unknown module"
        if isinstance(self.pathname, str):
            self.filename = self.pathname.rpartition("/")[2]
            stem = self.filename.rpartition(".")[0]
            self.module = stem if stem.strip(".") else self.filename

    def _ptc_place_at(self, place):
        """`place`: what _caller_place gave."""
        if place is not None:
            self._ptc_has_line, self.pathname, self.lineno = True, place[1], place[2]
            self._ptc_name_file()

    @property
    def exc_info(self):
        if self._ptc_exc_info is _NOT_KNOWN:
            _refuse("logging.LogRecord.exc_info of the exception that is being handled")
        if isinstance(self._ptc_exc_info, BaseException):
            return type(self._ptc_exc_info), self._ptc_exc_info, self._ptc_exc_info.__traceback__
        return self._ptc_exc_info

    @exc_info.setter
    def exc_info(self, value):
        self._ptc_exc_info = value

    @property
    def __dict__(self):
        _refuse("logging.LogRecord.__dict__")

    def __getattr__(self, name):
        if name in _PLACE and name != "asctime":
            _refuse("logging.LogRecord." + name)
        raise AttributeError(f"'LogRecord' object has no attribute {name!r}")

    def getMessage(self):
        msg = str(self.msg)
        return msg % self.args if self.args else msg

    def __repr__(self):
        return f'<LogRecord: {self.name}, {self.levelno}, {self.pathname}, {self.lineno}, "{self.msg}">'


class _Fields:
    """The attributes of a record as a mapping."""

    def __init__(self, record, defaults):
        self._record, self._ptc_defaults = record, defaults

    def keys(self):
        _refuse("names of the attributes of a logging.LogRecord")

    def __getitem__(self, name):
        if name in self._ptc_defaults and not hasattr(self._record, name):
            return self._ptc_defaults[name]
        try:
            return getattr(self._record, name)
        except AttributeError:
            raise KeyError(name) from None


def _without_places(fmt, record):
    """A format with "?" in place of what is not known."""
    out, rest = "", fmt
    while "%(" in rest:
        head, _, rest = rest.partition("%(")
        name, _, tail = rest.partition(")")
        if name not in _PLACE or record._ptc_has_line and name in _OF_LINE:
            out += head + "%(" + name + ")"
        else:
            out += head + "?"
            while tail and not tail[0].isalpha():
                tail = tail[1:]
            tail = tail[1:]
        rest = tail
    return out + rest


class Formatter:
    def __init__(self, fmt=None, datefmt=None, style="%", validate=True, *, defaults=None):
        if style not in ("%", "{", "$"):
            raise ValueError("Style must be one of: %,{,$")
        if style != "%":
            _refuse(f"logging.Formatter with style={style!r}")
        self._fmt, self.datefmt, self._ptc_defaults = fmt or "%(message)s", datefmt, defaults or {}
        if validate and "%(" not in self._fmt:
            raise ValueError(f"Invalid format '{self._fmt}' for '%' style")

    def usesTime(self):
        return "%(asctime)" in self._fmt

    def formatTime(self, record, datefmt=None):
        _refuse("logging.Formatter.formatTime()")

    def formatException(self, ei):
        _refuse("logging.Formatter.formatException()")

    def formatStack(self, stack_info):
        return stack_info

    def formatMessage(self, record):
        fmt = _without_places(self._fmt, record) if _is_dropped(record) else self._fmt
        try:
            return fmt % _Fields(record, self._ptc_defaults)
        except KeyError as error:
            raise ValueError(f"Formatting field not found in record: {error}")

    def format(self, record):
        record.message = record.getMessage()
        dropped = _is_dropped(record)
        if self.usesTime() and not (dropped and type(self).formatTime is Formatter.formatTime):
            record.asctime = self.formatTime(record, self.datefmt)
        text = self.formatMessage(record)
        if record._ptc_exc_info and not (dropped and type(self).formatException is Formatter.formatException):
            if not record.exc_text:
                record.exc_text = self.formatException(record.exc_info)
        if record.exc_text:
            text = (text if text[-1:] == "\n" else text + "\n") + record.exc_text
        if record.stack_info:
            text = (text if text[-1:] == "\n" else text + "\n") + self.formatStack(record.stack_info)
        return text


_dropped = []    # records whose text goes to standard error or to a file now


def _is_dropped(record):
    return bool(_dropped) and _dropped[-1] is record


_plain = Formatter()


class Filter:
    def __init__(self, name=""):
        self.name, self.nlen = name, len(name)

    def filter(self, record):
        return not self.name or record.name == self.name or record.name.startswith(self.name + ".")


class Filterer:
    def __init__(self):
        self.filters = []

    def addFilter(self, filter):
        if not (filter in self.filters):
            self.filters.append(filter)

    def removeFilter(self, filter):
        if filter in self.filters:
            self.filters.remove(filter)

    def filter(self, record):
        answer = True
        for f in self.filters:
            result = f.filter(record) if hasattr(f, "filter") else f(record)
            if not result:
                return False
            if sys.version_info >= (3, 12) and isinstance(result, LogRecord):
                answer = record = result
        return answer


class Handler(Filterer):
    def __init__(self, level=NOTSET):
        Filterer.__init__(self)
        self._name, self.level, self.formatter = None, _checked(level), None

    def get_name(self):
        return self._name

    def set_name(self, name):
        self._name = name

    name = property(get_name, set_name)

    def createLock(self):
        pass

    def acquire(self):
        pass

    def release(self):
        pass

    def setLevel(self, level):
        self.level = _checked(level)

    def setFormatter(self, fmt):
        self.formatter = fmt

    def format(self, record):
        return (self.formatter or _plain).format(record)

    def emit(self, record):
        raise NotImplementedError("emit must be implemented by Handler subclasses")

    def handle(self, record):
        answer = self.filter(record)
        if isinstance(answer, LogRecord):
            record = answer
        if answer:
            self.emit(record)
        return answer

    def flush(self):
        pass

    def close(self):
        pass

    def handleError(self, record):
        if raiseExceptions and sys.stderr:
            if not _is_stream(sys.stderr):
                _refuse("logging.Handler.handleError() with another sys.stderr")
            print("--- Logging error ---", file=sys.stderr)

    def __repr__(self):
        return f"<{type(self).__name__} ({getLevelName(self.level)})>"


class StreamHandler(Handler):
    terminator = "\n"

    def __init__(self, stream=None):
        Handler.__init__(self)
        self.stream = sys.stderr if stream is None else stream

    def flush(self):
        if self.stream and hasattr(self.stream, "flush"):
            self.stream.flush()

    def emit(self, record):
        stream = self.stream
        dropped = _is_stream(stream) and stream._ptc_fd == 2
        if dropped:
            _dropped.append(record)
        try:
            stream.write(self.format(record) + self.terminator)
            self.flush()
        except RecursionError:
            raise
        except Exception:
            self.handleError(record)
        finally:
            if dropped:
                _dropped.pop()

    def setStream(self, stream):
        if stream is self.stream:
            return None
        old = self.stream
        self.flush()
        self.stream = stream
        return old

    def __repr__(self):
        name = str(getattr(self.stream, "name", ""))
        return f"<{type(self).__name__} {name + ' ' if name else ''}({getLevelName(self.level)})>"


class _LastResort(StreamHandler):
    def __init__(self):
        Handler.__init__(self, WARNING)

    @property
    def stream(self):
        return sys.stderr


class _File(StreamHandler):
    """What basicConfig(filename=...) adds: messages are formatted, and the file is not written."""

    def __init__(self):
        Handler.__init__(self)
        self.stream = None

    def emit(self, record):
        _dropped.append(record)
        try:
            self.format(record)
        except Exception:
            self.handleError(record)
        finally:
            _dropped.pop()


class NullHandler(Handler):
    def handle(self, record):
        pass

    def emit(self, record):
        pass


lastResort = _LastResort()


def _give(handler, record):
    """A handler without a model writes to a file: that is not observed unless code of the program makes the text."""
    if not _is_opaque(handler):
        if record.levelno >= handler.level:
            handler.handle(record)
        return
    arguments = record.args.values() if isinstance(record.args, dict) else record.args or ()
    for part in (record.msg, *arguments):
        if not (part is None or isinstance(part, (str, int, float)) or _is_tensor(part)):
            _refuse("messages that are made of other objects than texts, numbers and tensors, for a handler without a model")


class _Manager:
    def __init__(self):
        self.loggerDict, self.disable, self.loggerClass, self.emittedNoHandlerWarning = {}, NOTSET, None, False

    def getLogger(self, name):
        return getLogger(name)


class Logger(Filterer):
    manager = _Manager()

    def __init__(self, name, level=NOTSET):
        Filterer.__init__(self)
        self.name, self.level, self.parent = name, _checked(level), None
        self.propagate, self.handlers, self.disabled = True, [], False

    def setLevel(self, level):
        self.level = _checked(level)

    def getEffectiveLevel(self):
        logger = self
        while logger:
            if logger.level:
                return logger.level
            logger = logger.parent
        return NOTSET

    def isEnabledFor(self, level):
        return not self.disabled and level > self.manager.disable and level >= self.getEffectiveLevel()

    def debug(self, msg, *args, **kwargs):
        if self.isEnabledFor(DEBUG):
            self._log(DEBUG, msg, args, **kwargs)

    def info(self, msg, *args, **kwargs):
        if self.isEnabledFor(INFO):
            self._log(INFO, msg, args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        if self.isEnabledFor(WARNING):
            self._log(WARNING, msg, args, **kwargs)

    def warn(self, msg, *args, **kwargs):
        self.warning(msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        if self.isEnabledFor(ERROR):
            self._log(ERROR, msg, args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.error(msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        if self.isEnabledFor(CRITICAL):
            self._log(CRITICAL, msg, args, **kwargs)

    def fatal(self, msg, *args, **kwargs):
        self.critical(msg, *args, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        if not isinstance(level, int):
            if raiseExceptions:
                raise TypeError("level must be an integer")
            return
        if self.isEnabledFor(level):
            self._log(level, msg, args, **kwargs)

    def findCaller(self, stack_info=False, stacklevel=1):
        _refuse("logging.Logger.findCaller()")

    def makeRecord(self, name, level, fn, lno, msg, args, exc_info, func=None, extra=None, sinfo=None):
        record = LogRecord(name, level, fn, lno, msg, args, exc_info, func, sinfo)
        for key in extra or ():
            if key in ("message", "asctime") or key in _PLACE or hasattr(LogRecord, key) or key in _OWN:
                raise KeyError(f"Attempt to overwrite {key!r} in LogRecord")
            setattr(record, key, extra[key])
        return record

    def _log(self, level, msg, args, exc_info=None, extra=None, stack_info=False, stacklevel=1):
        if stack_info:
            _refuse("logging with stack_info")
        if type(self).makeRecord is not Logger.makeRecord or type(self).findCaller is not Logger.findCaller:
            _refuse("logging.Logger.makeRecord() or findCaller() of the program")
        if exc_info and not isinstance(exc_info, (BaseException, tuple)):
            exc_info = _NOT_KNOWN
        record = self.makeRecord(self.name, level, _NOT_KNOWN, None, msg, args, exc_info, None, extra, None)
        record._ptc_place_at(_caller_place(stacklevel))
        self.handle(record)

    def handle(self, record):
        if self.disabled:
            return
        answer = self.filter(record)
        if isinstance(answer, LogRecord):
            record = answer
        if answer:
            self.callHandlers(record)

    def callHandlers(self, record):
        logger, found = self, 0
        while logger:
            for handler in logger.handlers:
                found += 1
                _give(handler, record)
            logger = logger.parent if logger.propagate else None
        if not found:
            if lastResort:
                _give(lastResort, record)
            elif raiseExceptions and not self.manager.emittedNoHandlerWarning:
                print(f'No handlers could be found for logger "{self.name}"', file=sys.stderr)
                self.manager.emittedNoHandlerWarning = True

    def addHandler(self, hdlr):
        if not (hdlr in self.handlers):
            self.handlers.append(hdlr)

    def removeHandler(self, hdlr):
        if hdlr in self.handlers:
            self.handlers.remove(hdlr)

    def hasHandlers(self):
        logger = self
        while logger:
            if logger.handlers:
                return True
            logger = logger.parent if logger.propagate else None
        return False

    def getChild(self, suffix):
        return getLogger(suffix if self.root is self else f"{self.name}.{suffix}")

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


_OWN = ("name", "msg", "args", "levelname", "levelno", "exc_text", "stack_info")


class RootLogger(Logger):
    def __init__(self, level):
        Logger.__init__(self, "root", level)


root = Logger.root = RootLogger(WARNING)
_logger_class = [Logger]


class LoggerAdapter:
    def __init__(self, logger, extra=None, merge_extra=False):
        self.logger, self.extra, self.merge_extra = logger, extra, merge_extra

    def process(self, msg, kwargs):
        if self.merge_extra and "extra" in kwargs:
            kwargs["extra"] = {**self.extra, **kwargs["extra"]}
        else:
            kwargs["extra"] = self.extra
        return msg, kwargs

    def debug(self, msg, *args, **kwargs):
        self.log(DEBUG, msg, *args, **kwargs)

    def info(self, msg, *args, **kwargs):
        self.log(INFO, msg, *args, **kwargs)

    def warning(self, msg, *args, **kwargs):
        self.log(WARNING, msg, *args, **kwargs)

    def error(self, msg, *args, **kwargs):
        self.log(ERROR, msg, *args, **kwargs)

    def exception(self, msg, *args, exc_info=True, **kwargs):
        self.log(ERROR, msg, *args, exc_info=exc_info, **kwargs)

    def critical(self, msg, *args, **kwargs):
        self.log(CRITICAL, msg, *args, **kwargs)

    def log(self, level, msg, *args, **kwargs):
        if self.isEnabledFor(level):
            msg, kwargs = self.process(msg, kwargs)
            self.logger.log(level, msg, *args, **kwargs)

    def isEnabledFor(self, level):
        return self.logger.isEnabledFor(level)

    def setLevel(self, level):
        self.logger.setLevel(level)

    def getEffectiveLevel(self):
        return self.logger.getEffectiveLevel()

    def hasHandlers(self):
        return self.logger.hasHandlers()

    @property
    def name(self):
        return self.logger.name

    def __repr__(self):
        return f"<{type(self).__name__} {self.name} ({getLevelName(self.getEffectiveLevel())})>"


def getLoggerClass():
    return _logger_class[0]


def setLoggerClass(klass):
    if klass is not Logger and not issubclass(klass, Logger):
        raise TypeError("logger not derived from logging.Logger: " + klass.__name__)
    _logger_class[0] = klass


def getLogger(name=None):
    if not name or isinstance(name, str) and name == root.name:
        return root
    if not isinstance(name, str):
        raise TypeError("A logger name must be a string")
    loggers = Logger.manager.loggerDict
    if name not in loggers:
        logger = _logger_class[0](name)
        logger.parent = root
        head = name
        while "." in head and logger.parent is root:
            head = head.rpartition(".")[0]
            logger.parent = loggers.get(head, root)
        for other in loggers.values():
            if other.name.startswith(name + ".") and len(other.parent.name if other.parent is not root else "") < len(name):
                other.parent = logger
        loggers[name] = logger
    return loggers[name]


def basicConfig(**kwargs):
    force = kwargs.pop("force", False)
    kwargs.pop("encoding", None), kwargs.pop("errors", None)
    if force:
        for handler in root.handlers[:]:
            root.removeHandler(handler)
            handler.close()
    if root.handlers:
        return
    handlers = kwargs.pop("handlers", None)
    if handlers is None:
        if "stream" in kwargs and "filename" in kwargs:
            raise ValueError("'stream' and 'filename' should not be specified together")
    elif "stream" in kwargs or "filename" in kwargs:
        raise ValueError("'stream' or 'filename' should not be specified together with 'handlers'")
    if handlers is None:
        filename = kwargs.pop("filename", None)
        kwargs.pop("filemode", None)
        handlers = [_File() if filename else StreamHandler(kwargs.pop("stream", None))]
    datefmt, style = kwargs.pop("datefmt", None), kwargs.pop("style", "%")
    formatter = Formatter(kwargs.pop("format", BASIC_FORMAT), datefmt, style)
    for handler in handlers:
        if not _is_opaque(handler) and handler.formatter is None:
            handler.setFormatter(formatter)
        root.addHandler(handler)
    level = kwargs.pop("level", None)
    if level is not None:
        root.setLevel(level)
    if kwargs:
        raise ValueError(f"Unrecognised argument(s): {', '.join(kwargs)}")


def _configured():
    if not root.handlers:
        basicConfig()
    return root


def debug(msg, *args, **kwargs):
    _configured().debug(msg, *args, **kwargs)


def info(msg, *args, **kwargs):
    _configured().info(msg, *args, **kwargs)


def warning(msg, *args, **kwargs):
    _configured().warning(msg, *args, **kwargs)


def error(msg, *args, **kwargs):
    _configured().error(msg, *args, **kwargs)


def exception(msg, *args, exc_info=True, **kwargs):
    error(msg, *args, exc_info=exc_info, **kwargs)


def critical(msg, *args, **kwargs):
    _configured().critical(msg, *args, **kwargs)


fatal = critical


def log(level, msg, *args, **kwargs):
    _configured().log(level, msg, *args, **kwargs)


def disable(level=CRITICAL):
    root.manager.disable = _checked(level)


def shutdown():
    pass


if sys.version_info < (3, 13):
    def warn(msg, *args, **kwargs):
        warning(msg, *args, **kwargs)
