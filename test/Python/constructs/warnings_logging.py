"""warnings and logging go to standard error; what goes to standard output is unchanged."""
import logging
import warnings

log = logging.getLogger("test")
log.setLevel(logging.ERROR)
log.debug("invisible %d", 1)
log.info("invisible %s", "x")
print(log.name, log.isEnabledFor(logging.DEBUG), log.isEnabledFor(logging.ERROR), logging.WARNING, logging.getLevelName(20))


def old():
    warnings.warn("old is deprecated", DeprecationWarning, stacklevel=2)
    return "value"


print(old())
print(issubclass(UserWarning, Warning), issubclass(DeprecationWarning, Warning), issubclass(RuntimeWarning, Exception))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("ignored")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("now an error", RuntimeWarning)
    except RuntimeWarning as e:
        print("raised", e)
print(logging.getLogger("test") is log, logging.getLogger("test.child").name)
