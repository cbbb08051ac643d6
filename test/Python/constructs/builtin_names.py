"""Names of builtins: aliases, the tree of exceptions, deleting, names that came with a version."""
import builtins
import sys

print(IOError is OSError, EnvironmentError is OSError, IOError.__name__)
for name in ("BlockingIOError", "BrokenPipeError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
             "ConnectionRefusedError", "ConnectionResetError", "EncodingWarning", "IndentationError",
             "InterruptedError", "IsADirectoryError", "NotADirectoryError", "ProcessLookupError", "TabError",
             "UnicodeTranslateError"):
    cls = getattr(builtins, name)
    print([c.__name__ for c in cls.__mro__], cls.__module__)

try:
    raise BrokenPipeError("gone")
except ConnectionError as e:
    print(type(e).__name__, e)
try:
    raise TabError("mixed")
except SyntaxError as e:
    print(type(e).__name__, e)

# Builtins that need a host are there, whether or not they can be called.
for name in ("open", "eval", "exec", "compile", "exit", "quit", "help", "breakpoint", "aiter", "anext"):
    print(name, hasattr(builtins, name), name in dir(builtins), getattr(builtins, name) is not None)


def delete_global():
    global exec
    del exec


for delete in (delete_global,):
    try:
        delete()
    except NameError as e:
        print("NameError:", e)
try:
    del open
except NameError as e:
    print("NameError:", e)
try:
    opn
except NameError as e:
    print("NameError:", e)


class Body:
    try:
        del eval
    except NameError as e:
        print("NameError:", e)


# A name of a later version is not there in an earlier one.
print(hasattr(builtins, "PythonFinalizationError") == (sys.version_info >= (3, 13)))
print(hasattr(builtins, "frozendict") == (sys.version_info >= (3, 15)))
if sys.version_info < (3, 13):
    try:
        PythonFinalizationError
        print("found")
    except NameError:
        print("by version")
else:
    print("by version")

# The program's own names come first.
open = lambda path: "my " + path  # noqa: E731
print(open("file"))
del open
print(hasattr(builtins, "open"), "open" in globals())
print(builtins.__debug__, sys.platform in ("linux", "emscripten"), sys.byteorder, sys.version_info.major, sys.hexversion >> 24)
