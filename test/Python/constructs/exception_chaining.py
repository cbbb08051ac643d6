"""__cause__, __context__, `from None`, suppression, add_note, args, traceback attribute, equality."""


def show(e):
    print(repr(e), "| cause", repr(e.__cause__), "| context", repr(e.__context__), "|", e.__suppress_context__)


def explicit():
    try:
        raise ValueError("low")
    except ValueError as e:
        raise RuntimeError("high") from e


def implicit():
    try:
        {}["missing"]
    except KeyError:
        raise RuntimeError("while handling")


def none():
    try:
        {}["missing"]
    except KeyError:
        raise RuntimeError("clean") from None


def from_class():
    raise RuntimeError("x") from KeyError


def three():
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise KeyError(2)
    except KeyError:
        raise IndexError(3)


for f in (explicit, implicit, none, from_class, three):
    try:
        f()
    except Exception as e:
        show(e)
        depth, c = 0, e
        while c is not None:
            depth, c = depth + 1, c.__context__
        print("depth", depth, e.__traceback__ is not None)
e = ValueError("a", 2)
e.add_note("note 1")
e.add_note("note 2")
print(e.args, e.__notes__, str(e), str(ValueError()), str(ValueError("one")), str(ValueError(("t",))))
e.args = ("changed",)
print(e, e.args[0])
print(ValueError("a") == ValueError("a"), repr(KeyError("k")), str(KeyError("k")), str(KeyError()), str(KeyError(1, 2)))
try:
    raise RuntimeError("x") from 5
except TypeError as err:
    print(err)


class Http(Exception):
    status = 500

    def __init__(self, message, *, status=None):
        super().__init__(message)
        if status:
            self.status = status

    def __repr__(self):
        return f"Http({self.status}, {self})"


class NotFound(Http):
    status = 404


for err in (Http("a"), NotFound("b"), NotFound("c", status=410)):
    try:
        raise err
    except NotFound as n:
        print("nf", repr(n), n.status)
    except Http as h:
        print("h", repr(h), h.status)


def context_kept():
    try:
        raise ValueError("outer")
    except ValueError:
        try:
            raise KeyError("inner")
        except KeyError as k:
            print("inner context", repr(k.__context__))
        raise


try:
    context_kept()
except ValueError as v:
    print("again", v, v.__context__)


def generator_context():
    try:
        yield
    except ValueError as v:
        raise KeyError("in generator") from v


g = generator_context()
next(g)
try:
    g.throw(ValueError("sent"))
except KeyError as k:
    print(repr(k), repr(k.__cause__))
print(issubclass(KeyError, LookupError), issubclass(ZeroDivisionError, ArithmeticError), issubclass(UnicodeDecodeError, ValueError),
      issubclass(RecursionError, RuntimeError), issubclass(NotImplementedError, RuntimeError), issubclass(KeyboardInterrupt, Exception),
      issubclass(ModuleNotFoundError, ImportError), issubclass(FileNotFoundError, OSError), issubclass(StopIteration, Exception))
print([c.__name__ for c in KeyError.__mro__])
s = StopIteration(5)
print(s.value, s.args)
try:
    import no_such_module_anywhere
except ImportError as i:
    print(type(i).__name__, i, i.name)
x = SystemExit(3)
print(x.code, isinstance(x, Exception), isinstance(x, BaseException))
