"""logging: records through filters, levels, handlers and formatters."""
import io
import logging
import sys


class Keeper(logging.Handler):
    def __init__(self, level=logging.NOTSET):
        super().__init__(level)
        self.records = []

    def emit(self, record):
        self.records.append((record.name, record.levelname, record.levelno, record.getMessage()))


class OddLength(logging.Filter):
    def filter(self, record):
        return len(record.getMessage()) % 2 == 1


class Counted:
    calls = 0

    def __str__(self):
        Counted.calls += 1
        return "counted"


log = logging.getLogger("a.b")
keeper, high = Keeper(), Keeper(logging.ERROR)
log.addHandler(keeper)
log.addHandler(high)
log.addHandler(high)
log.propagate = False
log.setLevel(logging.INFO)
log.debug("not shown")
log.info("a %d", 3)
log.warning("%s and %s", "b", [1])
log.error("%(key)s", {"key": "value"})
log.log(35, "between")
log.critical(Counted())
log.debug("%s", Counted())
print(keeper.records, high.records, Counted.calls, sep="\n")
print(log, keeper, log.handlers == [keeper, high], log.isEnabledFor(10), log.hasHandlers())

# Filters of loggers and handlers
keeper.records.clear()
log.addFilter(OddLength())
log.info("odd")
log.info("even")
log.filters.clear()
keeper.addFilter(lambda record: record.levelno > logging.INFO)
log.info("left out")
log.warning("kept")
keeper.filters.clear()
keeper.addFilter(logging.Filter("a"))
log.info("below a")
keeper.addFilter(logging.Filter("a.bc"))
log.info("not below a.bc")
keeper.filters.clear()
print(keeper.records)

# Levels come from above, records go there, and parents that are made later are parents
keeper.records.clear()
child = logging.getLogger("a.b.c.d")
child.info("to the keeper")
middle = logging.getLogger("a.b.c")
print(child.parent is middle, middle.parent is log, log.parent.name, child.getEffectiveLevel(), log.getChild("c") is middle)
middle.setLevel("ERROR")
child.warning("too low")
child.error("high enough")
middle.propagate = False
child.error("stops")
logging.disable(logging.ERROR)
log.error("disabled")
logging.disable(logging.NOTSET)
log.disabled = True
log.error("disabled, too")
log.disabled = False
print(keeper.records)
log.removeHandler(keeper)
log.removeHandler(high)

# Streams and formats
text = io.StringIO()
handler = logging.StreamHandler(text)
handler.setFormatter(logging.Formatter("%(levelname)-8s|%(name)5s|%(message)s"))
log.addHandler(handler)
log.info("first")
log.warning("second %.2f", 1.5)


class Shout(logging.Formatter):
    def format(self, record):
        return super().format(record).upper() + "!"


handler.setFormatter(Shout())
handler.terminator = ";"
log.info("third")
log.info("%d", "no number")
handler.setFormatter(logging.Formatter("%(user)s: %(message)s", defaults={"user": "nobody"}))
log.info("fourth", extra={"user": "me"})
log.info("fifth")
print(repr(text.getvalue()))
try:
    log.info("x", extra={"message": 1})
except KeyError as error:
    print(error)
adapter = logging.LoggerAdapter(log, {"user": "adapted"})
adapter.warning("sixth")
print(repr(text.getvalue()[-17:]))
to_output = logging.StreamHandler(sys.stdout)
to_output.setFormatter(Shout("%(message)s"))
log.handlers = [to_output]
log.info("to standard output")

# The root
logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s:%(message)s")
logging.info("by the root")
logging.debug("not shown")
logging.getLogger("other").warning("goes up")
logging.basicConfig(level=logging.DEBUG)
logging.debug("still not shown")
logging.basicConfig(stream=sys.stdout, force=True)
logging.error("another format")
try:
    raise KeyError("k")
except KeyError as error:
    keeper.emit = lambda record: print(record.exc_info[0].__name__, record.exc_info[1] is error)
    log.handlers = [keeper]
    log.error("with an exception", exc_info=error)
for wrong in (lambda: log.setLevel("LOUD"), lambda: log.setLevel(1.5), lambda: log.log("x", "y"), lambda: logging.getLogger(3),
              lambda: logging.Formatter("no field"), lambda: logging.Formatter("%(message)s", style="!"),
              lambda: logging.basicConfig(force=True, stream=1, handlers=[]), lambda: logging.Handler().emit(None)):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
logging.addLevelName(15, "FINE")
print(logging.getLevelName(15), logging.getLevelName("FINE"), logging.getLevelName(99), logging.getLevelNamesMapping()["FINE"])
