"""Exceptions on data: raised, caught, chained, through calls, loops, finally and with."""
import contextlib
import math
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


def index_of_data(x):
    i = int(x.sum().item())
    try:
        return x[i]
    except IndexError:
        return x * 0


def index_in_callee(x):
    def at(t, i):
        return t[i] + 1

    log = []
    try:
        try:
            y = at(x, int(x.max().item()))
        finally:
            log.append(x.sum())
    except IndexError:
        return log
    return y, log


def viewed_selection(x):
    y = x[x > 0]
    try:
        z = y.view(2)
    except RuntimeError:
        z = y.sum()
    return z


def int_of_no_number(x):
    try:
        return int((x[0] / (x[1] - x[1])).item())
    except OverflowError:
        return "infinite"
    except ValueError:
        return "none"


def math_domain(x):
    try:
        return math.sqrt(x[0].item()), math.log(x[1].item()), math.atanh(x[2].item() / 4)
    except ValueError:
        return "outside"


def math_range(x):
    a = x[0].item()
    try:
        y = math.exp(a * 1000)
    except OverflowError:
        y = "exp"
    try:
        z = (a * 1e200) ** 3.0
    except OverflowError:
        z = "power"
    try:
        p = math.pow(a, -1.5)
    except (ValueError, OverflowError) as e:
        p = type(e).__name__
    return y, z, p


def shifted_by_data(x):
    n = int(x[0].item())
    try:
        return 1 << n, 8 >> n
    except ValueError as e:
        return str(e)


def cleaned_up(x):
    try:
        math.sqrt(x.sum().item())
    finally:
        x.mul_(2)
    return x


class Ignore:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        return kind is not None and issubclass(kind, (IndexError, ValueError))


def swallowed_by_manager(x):
    y = x
    with Ignore():
        y = y + 1
        y = y * math.sqrt(x.sum().item())
    with contextlib.suppress(IndexError):
        y = y + x[int(x[0].item())]
    return y


def gathered(x):
    i = x.to(torch.int64)
    try:
        y = torch.gather(x, 0, i)
    except RuntimeError as e:
        y = str(e)
    try:
        z = x[i]
    except IndexError as e:
        z = str(e)
    try:
        w = x.index_select(0, i)
    except IndexError:
        w = None
    return y, z, w


def embedded(x):
    table = torch.arange(6.0).reshape(3, 2)
    try:
        return torch.nn.functional.embedding(x.to(torch.int64), table)
    except IndexError:
        return table.sum()


def scattered(x):
    i = x.to(torch.int64)
    try:
        x = x.scatter(0, i, 7.0)
        x[i] = 5.0
    except (RuntimeError, IndexError) as e:
        return x, type(e).__name__
    return x


def target_of_data(x):
    scores = torch.arange(9.0).reshape(3, 3)
    try:
        return torch.nn.functional.nll_loss(scores, x.to(torch.int64))
    except IndexError as e:
        return str(e)


def divided_elements(x):
    i = x.to(torch.int64)
    try:
        return 12 // i, 7 % i
    except RuntimeError as e:
        return str(e)


def one_hot_of_data(x):
    try:
        return torch.nn.functional.one_hot(x.to(torch.int64), 4)
    except RuntimeError as e:
        return str(e)


def greatest_of_selection(x):
    y = x[x > 1]
    try:
        a = y.max()
    except RuntimeError as e:
        a = str(e)
    try:
        b = y.argmin(0)
    except IndexError as e:
        b = str(e)
    return a, b


def text_of_either(x):
    try:
        if x.sum() > 0:
            raise RuntimeError("more")
        if x.sum() < 0:
            raise RuntimeError("less")
        y = x[int(x[1].item()) + 1]
    except RuntimeError as e:
        return str(e)
    except IndexError as e:
        return e.args
    return y


def text_of_index(x):
    m = x.reshape(1, 3, 1)
    try:
        return m[0, None, int(x[0].item())]
    except IndexError as e:
        return str(e)


class Exceeded(ValueError):
    def __init__(self, limit, value):
        super().__init__(limit, value)
        self.limit, self.value = limit, value

    def __str__(self):
        return f"{self.value:.2f} is more than {self.limit}"


class Named(KeyError):
    def __str__(self):
        return "<" + ", ".join(self.args) + ">"


def own_texts(x):
    if x.sum() > 4:
        raise Exceeded(4, x.sum().item())
    if x.sum() < -2:
        raise Named("a", "b")
    if x.max() > 2:
        raise KeyError("plain")
    return x * 2


def own_text_from_a_loop(x):
    for i in range(3):
        try:
            if x.sum() > i:
                raise Exceeded(i, x.max().item())
        except Exceeded as e:
            if e.limit == 1:
                raise
            x = x - 1
    return x


def many_ways_to_leave(x):
    for k in range(40):
        if x.sum() > 100 - 4 * k:
            raise (KeyError if k % 2 else ValueError)("limit", str(k))
        x = x + 1
    return x


def _checked(x):
    for k in range(14):
        if x.sum() > 50 - 4 * k:
            raise (KeyError if k % 3 else Exceeded)(f"limit {k}", k * 0.5)
        x = x + 1
    return x


def many_ways_caught(x):
    try:
        return _checked(x)
    except Exceeded as e:
        return str(e), e.limit, e.value
    except KeyError as e:
        return e.args, repr(e)


def views_of_other_sizes(x):
    rows = torch.stack([x, x + 1, x, x * 2])
    told = []
    for view in (rows.t().view, rows[:3].t().view, rows[:, :2].view, torch.stack([rows] * 2)[:, :, :2].view, rows.t()[0].view):
        for dtype in (torch.float64, torch.int16):
            try:
                told.append(view(dtype).shape)
            except RuntimeError as e:
                told.append(str(e))
    return told


def views_between_elements(x):
    """As larger elements: where they may begin, and where views of them do."""
    rows, told = torch.stack([torch.cat([x, x + 1, x * 2]), torch.cat([x, x * 3, x])]), []
    made = [rows[:, at:at + 4].view for at in range(4)] + [rows[1:, 1:5].view, rows[:, 1:4].view, rows[:, 1:5].t().view, rows[0, 3].view]
    for view in made:
        for dtype in (torch.float64, torch.complex64, torch.complex128, torch.int16):
            try:
                v = view(dtype)
                told.append((v.shape, v.stride(), v.storage_offset()))
            except RuntimeError as e:
                told.append(str(e))
    pairs = rows.view(2, 6, 2)
    for act in (lambda: torch.view_as_complex(rows[:, 1:3]), lambda: torch.view_as_complex(pairs[:, 1:]), lambda: torch.view_as_real(torch.view_as_complex(pairs[:, 1:])),
                lambda: torch.view_as_complex(pairs[:, 1:]).imag, lambda: rows.view(torch.int16).as_strided((49,), (1,)), lambda: rows.view(torch.int16).as_strided((48,), (1,), 0),
                lambda: rows.view(torch.float64).as_strided((24,), (1,)), lambda: rows[:, 2:].view(torch.float64).as_strided((2,), (1,))):
        try:
            v = act()
            told.append((v.shape, v.storage_offset()))
        except RuntimeError as e:
            told.append(str(e))
    rows[:, 2:4].view(torch.int64).zero_()
    return told, rows
