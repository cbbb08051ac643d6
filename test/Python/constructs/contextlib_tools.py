"""contextmanager, ExitStack, suppress, closing, nullcontext, redirect_stdout, ContextDecorator."""
import contextlib
from contextlib import ExitStack, contextmanager, nullcontext, suppress


@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name * 2
    except ValueError as e:
        print("handled", e)
    finally:
        print(f"</{name}>")


with tag("a") as t:
    print(t)
with tag("b"):
    raise ValueError("bad")
try:
    with tag("c"):
        raise KeyError("out")
except KeyError as e:
    print("out", e)


@tag("deco")
def decorated(x):
    print("inside", x)
    return x + 1


print(decorated(1), decorated(2))
with suppress(ZeroDivisionError, KeyError):
    1 / 0
with suppress(KeyError):
    {}["x"]
print("suppressed")
with nullcontext(5) as n:
    print(n)


class Res:
    def __init__(self, n):
        self.n = n

    def close(self):
        print("close", self.n)


with contextlib.closing(Res(1)) as r:
    print(r.n)
with ExitStack() as stack:
    names = [stack.enter_context(tag(n)) for n in "xy"]
    stack.callback(print, "callback", 1, sep="-")
    stack.push(lambda *exc: print("pushed", exc[0]) or False)
    print(names)
with ExitStack() as stack:
    stack.enter_context(suppress(ValueError))
    stack.callback(lambda: print("runs"))
    raise ValueError
print("done")


def conditional(flag):
    with tag("on") if flag else nullcontext("off") as v:
        return v


print(conditional(True), conditional(False))


@contextmanager
def twice():
    yield 1
    yield 2


try:
    with twice():
        pass
except RuntimeError as e:
    print(e)


@contextmanager
def never():
    return
    yield


try:
    with never():
        pass
except RuntimeError as e:
    print(e)


class Timer(contextlib.ContextDecorator):
    def __enter__(self):
        print("start")
        return self

    def __exit__(self, *exc):
        print("stop")
        return False


@Timer()
def work():
    return "worked"


print(work())


@contextmanager
def swap(d, k, v):
    old = d[k]
    d[k] = v
    try:
        yield d
    finally:
        d[k] = old


settings = {"mode": "train"}
with swap(settings, "mode", "eval") as s:
    print(s)
print(settings)
