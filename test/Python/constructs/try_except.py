"""try, except by class, tuple and expression, else, finally, re-raise, nested handlers, names unbound after."""


def run(f, *args):
    try:
        result = f(*args)
    except ZeroDivisionError:
        return "zero"
    except (KeyError, IndexError) as e:
        return f"lookup {type(e).__name__} {e}"
    except Exception as e:
        return f"other {type(e).__name__} {e}"
    else:
        return f"fine {result}"
    finally:
        print("finally", end=" ")


print(run(lambda: 1 / 0))
print(run(lambda: {}["k"]))
print(run(lambda: [][1]))
print(run(lambda: int("x")))
print(run(lambda: 5))
print(run(len, "abc"))


def nested(n):
    out = []
    try:
        out.append("outer")
        try:
            out.append("inner")
            if n == 1:
                raise ValueError("v")
            if n == 2:
                raise TypeError("t")
            if n == 3:
                return out
            out.append("no error")
        except ValueError as e:
            out.append(f"caught {e}")
            if n == 1:
                raise KeyError("from handler") from e
        else:
            out.append("else")
        finally:
            out.append("finally inner")
        out.append("after")
    except KeyError as e:
        out.append(f"key {e} cause {e.__cause__!r}")
    except TypeError:
        out.append("type")
    finally:
        out.append("finally outer")
    return out


for i in range(4):
    print(nested(i))


def reraise():
    try:
        try:
            raise ValueError("original")
        except ValueError:
            print("first")
            raise
    except ValueError as e:
        return str(e)


print(reraise())


def unbound():
    try:
        raise ValueError
    except ValueError as e:
        pass
    try:
        return e
    except NameError as err:
        return type(err).__name__


print(unbound())
kinds = (OSError, LookupError)
for exc in (KeyError("k"), IndexError("i"), FileNotFoundError("f"), ArithmeticError("a")):
    try:
        raise exc
    except kinds as e:
        print("kinds", type(e).__name__)
    except Exception as e:
        print("rest", type(e).__name__)


def choose():
    print("evaluated")
    return ValueError


try:
    raise ValueError
except choose():
    print("chosen")
try:
    pass
except choose():
    print("never")
try:
    raise ValueError
except:
    print("bare")


def loop():
    seen = []
    for i in range(6):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            if i == 2:
                raise ValueError(i)
            seen.append(i)
        except ValueError as e:
            seen.append(("error", e.args[0]))
        finally:
            seen.append(("finally", i))
    else:
        seen.append("else")
    return seen


print(loop())


def retry(fails):
    attempts = 0
    while True:
        attempts += 1
        try:
            if attempts <= fails:
                raise ConnectionError(f"attempt {attempts}")
            return attempts
        except ConnectionError as e:
            last = e
            if attempts > 3:
                raise RuntimeError("gave up") from last


print(retry(0), retry(2))
try:
    retry(9)
except RuntimeError as e:
    print(e, "|", e.__cause__)


class Custom(Exception):
    pass


class Narrow(Custom):
    def __init__(self, code, detail="none"):
        super().__init__(f"code {code}")
        self.code, self.detail = code, detail


class Silent(Custom):
    def __str__(self):
        return "silent text"


for make in (lambda: Custom(), lambda: Custom("a", 1), lambda: Narrow(5), lambda: Narrow(6, "d"), lambda: Silent("x")):
    try:
        raise make()
    except Narrow as e:
        print("narrow", e, e.code, e.detail, e.args)
    except Custom as e:
        print("custom", str(e), repr(e), e.args)
try:
    raise Custom
except Custom as e:
    print(repr(e), isinstance(e, Exception))
for bad in (lambda: exec_raise(5), lambda: exec_raise("text"), lambda: exec_raise(None)):
    def exec_raise(x):
        raise x
    try:
        bad()
    except TypeError as e:
        print(e)
try:
    try:
        raise ValueError
    except 5:
        pass
except TypeError as e:
    print(e)


def in_args():
    def inner():
        raise LookupError("deep")
    return [inner() if i == 2 else i for i in range(3)]


try:
    in_args()
except LookupError as e:
    print("deep", e)
