"""print() writes to what sys.stdout is then, and to any object with a write()."""
import contextlib
import io
import sys


class Sink:
    def __init__(self):
        self.calls = []

    def write(self, text):
        self.calls.append(text)

    def flush(self):
        self.calls.append("flush")


class Loud:
    def __init__(self, text):
        self.text = text

    def __str__(self):
        print("[", end="")
        return self.text


class Broken:
    def __str__(self):
        raise ValueError("no text")


def shown(*args, **kwargs):
    sink = Sink()
    print(*args, file=sink, **kwargs)
    return sink.calls


print(shown(), shown("a"), shown("a", "b"), shown(1, 2.5, None, sep=", ", end=""))
print(shown("a", sep="", end="", flush=True), shown("", "", sep=""))
old = sys.stdout
sink = sys.stdout = Sink()
print("a", 1)
sys.stdout.write("direct")
sys.stdout = None
print("nowhere")
sys.stdout = old
print(sink.calls)
with contextlib.redirect_stdout(None):
    print("nowhere")
with contextlib.redirect_stdout(io.StringIO()) as text:
    print("first", [1, 2])
    with contextlib.redirect_stdout(Sink()) as inner:
        print("inner")
    print("last", flush=True)
print(repr(text.getvalue()), inner.calls)

# In order, where str() prints or raises.
print("a", Loud("b"), "c", Loud("d"), sep="|")
print("list", [1, 2], (3,), {"k": 4})
try:
    print("before", Broken(), "behind")
except ValueError as error:
    print("/", error)
try:
    print("x", file=3)
except AttributeError as error:
    print(error)
for wrong in ({"sep": 1}, {"end": 1}):
    try:
        print("x", **wrong)
    except TypeError as error:
        print(error)

# Streams
print(sys.stdout.write("abc\n"))
sys.stdout.writelines(["a", "b\n"])
print([hasattr(sys.__stdout__, name) for name in ("encoding", "reconfigure", "buffer", "fileno", "no_such_name")])
print(sys.__stdout__.newlines, sys.__stderr__.name, sys.__stdout__.writable(), sys.__stdout__.closed)
patched = []
sys.__stderr__.write = patched.append
print("to standard error", file=sys.__stderr__)
del sys.__stderr__.write
print(patched)

# Text in memory
text = io.StringIO("one\ntwo\nthree")
print(text.read(2), text.tell(), repr(text.readline()), text.readlines(), repr(text.read()))
print(text.write("!"), text.getvalue()[-6:], text.seek(1), text.write("NE"), text.getvalue()[:4], text.tell())
print(text.truncate(5), repr(text.getvalue()), text.seek(0, 2), text.seek(8), text.write("x"), repr(text.getvalue()))
with io.StringIO() as text:
    text.writelines(["a\n", "b\n"])
    text.seek(0)
    print([line for line in text], text.readable(), text.closed)
print(text.closed)
for wrong in (text.getvalue, lambda: io.StringIO().write(3), lambda: io.StringIO(3), lambda: io.StringIO().seek(-1),
              lambda: io.StringIO().seek(1, 1)):
    try:
        wrong()
    except (ValueError, TypeError, OSError) as error:
        print(type(error).__name__, error)
