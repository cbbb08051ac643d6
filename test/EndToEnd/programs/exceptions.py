"""Exceptions on data: raised, caught, chained, through calls, loops, finally and with."""
import contextlib
import torch


class Divergence(ArithmeticError):
    def __init__(self, step, value):
        super().__init__(f"diverged at step {step}")
        self.step, self.value = step, value


def raised(x):
    if x.sum() > 4:
        raise ValueError(f"too big: {x.max().item()}")
    x.add_(1)
    if x.sum() < -2:
        raise KeyError("small")
    return x


def caught_in_caller(x):
    def f(t):
        if t.sum() > 0:
            raise ValueError("positive")
        return t * 2

    try:
        y = f(x)
        y = y + 1
    except ValueError as e:
        return x - 1, str(e)
    return y, "fine"


def stops_loop(x):
    def f(t):
        if t.sum() > 20:
            raise StopAsyncIteration("done")
        return t + 3

    n = 0
    try:
        while True:
            x = f(x)
            n += 1
            if n > 12:
                break
    except StopAsyncIteration:
        n += 100
    return x, n


def finally_runs(x):
    n = 0
    try:
        if x.sum() > 0:
            return x, n
        x = x + 1
    finally:
        n += 1
        x.mul_(2)
    return x, n


def else_clause(x):
    try:
        if x.max() > 2:
            raise IndexError("i")
        y = x
    except IndexError:
        y = x - 1
    else:
        y = y * 10
    finally:
        y = y + 0.5
    return y


def two_handlers(x):
    try:
        if x.sum() > 5:
            raise ValueError("v")
        if x.sum() < 0:
            raise KeyError("k")
        r = "none"
    except ValueError:
        r = "value"
    except (KeyError, IndexError) as e:
        r = f"lookup {e}"
    return r, x


def custom(x):
    step = 0
    try:
        while x.norm() < 50:
            x = x * 2
            step += 1
            if step > 4:
                raise Divergence(step, x.sum())
    except Divergence as e:
        return e.step, e.value
    return step, x


def chained(x):
    try:
        if x.sum() > 0:
            raise ValueError("low")
        return x
    except ValueError as e:
        if x.max() > 2:
            raise RuntimeError("high") from e
        return -x


def reraised(x):
    try:
        try:
            if x.sum() > 0:
                raise LookupError(f"{int(x.sum())}")
        except LookupError:
            x = x + 1
            raise
    except Exception as e:
        return x, e.args
    return x, ()


@contextlib.contextmanager
def _scaled(x, by):
    y = x * by
    try:
        yield y
    finally:
        y.zero_()


def context_manager(x):
    with _scaled(x, 2) as y:
        if y.sum() > 5:
            return y, y + 1
        z = y - 1
    return z, y


class Swallow:
    def __init__(self):
        self.seen = None

    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        self.seen = None if kind is None else kind.__name__
        return kind is ValueError


def with_suppresses(x):
    s = Swallow()
    y = x
    with s:
        y = y + 1
        if x.sum() > 0:
            raise ValueError
        y = y * 2
    return y, s.seen


def loop_with_try(x):
    errors = 0
    for i in range(3):
        try:
            if x[i] > 1:
                raise ValueError(i)
            x = x + 1
        except ValueError as e:
            errors += 1
            x = x - e.args[0]
    return x, errors


def zero_division(x):
    n = int(x.sum().item())
    try:
        return 12 // n
    except ZeroDivisionError:
        return "divided by zero"


def key_error_on_data(x):
    names = {1: "one", 6: "six"}
    n = int(x.sum())
    if n in names:
        return names[n]
    return x
