"""warnings: which of the program's own are recorded, by the filters, the place and what was shown before."""
import warnings


def record(give, *filters, begin="always"):
    with warnings.catch_warnings(record=True) as log:
        if begin:
            warnings.simplefilter(begin)
        for rule in filters:
            warnings.filterwarnings(*rule)
        give()
    return [(m.category.__name__, str(m.message)) for m in log]


def same():
    for i in range(3):
        warnings.warn("same")
    warnings.warn("same")


def several():
    for text in ("a", "b a", "B", "a\nb", ""):
        warnings.warn(text)
    warnings.warn("a", FutureWarning)


def deprecated():
    warnings.warn("old", DeprecationWarning)
    warnings.warn("older", PendingDeprecationWarning)


def caller():
    warnings.warn("callee", stacklevel=2)


def lines():
    warnings.warn("here")
    caller()
    caller()


for begin in ("always", "default", "module", "once", "ignore"):
    print(begin, record(same, begin=begin))
print(record(several))
print(record(several, ("ignore", "b")), record(several, ("ignore", "A")), record(several, ("ignore", ".*a")))
print(record(several, ("ignore", "", FutureWarning)), record(several, ("ignore", "a", UserWarning)))
print(record(several, ("ignore", r"b\ a")), record(several, ("ignore", "^a")))
print(record(deprecated), record(deprecated, begin="default"), record(deprecated, begin="ignore"))
print(record(same, ("default", "", Warning, "", 0)))
with warnings.catch_warnings(record=True) as log:
    warnings.simplefilter("default")
    lines()
print(len(log), [m.lineno - log[0].lineno for m in log])
for i in range(2):
    with warnings.catch_warnings(record=True) as log:
        warnings.simplefilter("default")
        caller()
    print(len(log))
with warnings.catch_warnings(record=True) as outer:
    warnings.simplefilter("always")
    with warnings.catch_warnings(record=True) as inner:
        warnings.warn("inner")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            same()
        except UserWarning as e:
            print("raised", e)
    warnings.warn("outer")
print([str(m.message) for m in outer], [str(m.message) for m in inner])
with warnings.catch_warnings(record=True) as log:
    warnings.resetwarnings()
    warnings.filterwarnings("error", "bad", append=True)
    warnings.simplefilter("always", append=True)
    warnings.warn("good")
    try:
        warnings.warn("bad")
    except UserWarning as e:
        print("raised", e)
    warnings.warn_explicit("explicit", ImportWarning, "f.py", 12)
    warnings.warn_explicit("explicit", ImportWarning, "f.py", 12)
print([(str(m.message), m.lineno) for m in log[1:]], str(log[0].message), log[1].filename)
try:
    warnings.warn("a", int)
except TypeError as e:
    print(type(e).__name__)


class Own(UserWarning):
    pass


print(record(lambda: warnings.warn(Own("mine"))), record(lambda: warnings.warn("text", Own), ("ignore", "", Own)))
