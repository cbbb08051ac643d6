import math
from contextlib import contextmanager


@contextmanager
def scaled(by=2, *, log):
    log.append(f"in {by!r:>4}")
    try:
        yield by
    finally:
        log.append("out")


class Base:
    __slots__ = ()

    def name(self):
        return __class__.__name__

    @property
    def size(self):
        return len(self.name())


class Derived(Base):
    def name(self):
        return super().name() + "!"


def numbers(n):
    for i in range(n):
        got = yield i
        if got:
            return got


def chain(n):
    return (yield from numbers(n))


def shape(v):
    match v:
        case [a, *rest]:
            return a, rest
        case {"k": k, **more}:
            return k, more
        case int(n) | float(n):
            return n
    return None


def groups(n):
    try:
        if n:
            raise ExceptionGroup("g", [ValueError(n), TypeError("t")]) from None
    except* ValueError as found:
        n += len(found.exceptions)
    except* TypeError:
        n += 10
    return n


def entry(x, *args, k=1, **named):
    log = []
    table = {i: j for i, j in zip("ab", (1, 2.5))} | {**named}
    odd = {i for i in chain(5) if i % 2}
    total = 0

    def add(n):
        nonlocal total
        total += n
        return lambda m: n + m

    with scaled(3, log=log) as by:
        x = x * by + add(k)(2)
    try:
        a, *b, c = [*odd, *args, 7]
        assert a < c, "order"
        table["zz"]
    except (KeyError, ValueError) as e:
        log.append(str(e))
    while total < 3 and not x.requires_grad:
        total -= -1
        if total == 2:
            continue
    log += [shape(v) for v in ([1, 2], {"k": 3}, 2.5)]
    del table["a"]
    print(*log, Derived().size, math.floor(2.5), groups(1), sep=", ")
    return x[..., 1:], b, sorted(table.items(), key=lambda kv: kv[0])
