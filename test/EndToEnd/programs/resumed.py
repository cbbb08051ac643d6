"""Generators that yield under decisions on data and are resumed by next, send, throw, close, zip, with and for."""
import contextlib

import torch


def _either(x):
    if x[0] > 0:
        yield 2
    else:
        yield 3
    yield 4


def _some(x):
    if x[0] > 0:
        yield x
    yield x * 2


def _more(x):
    if x[0] > 0:
        yield 2
    else:
        yield 3
        yield 4


def _told(x):
    got = yield 1
    if x[0] > 0:
        got = yield got + 10
    while got is not None and got < 5:
        got = yield got * 2
    yield "end"


def _positions(x):
    for i in range(3):
        if x[i] > 0:
            yield i


def _down(x, n):
    if n == 0:
        return
    if x[n - 1] > 0:
        yield n
    yield from _down(x, n - 1)


@contextlib.contextmanager
def _doubled(x):
    if x[0] > 0:
        yield 1
    else:
        yield 2
    x.add_(1)


def next_twice(x):
    it = _either(x)
    a = next(it)
    b = next(it)
    return a + b, a, b


def next_with_default(x):
    it = _more(x)
    a = next(it, 5)
    b = next(it, 5)
    c = next(it, 6)
    print(a, b, c)
    return c


def next_then_rest(x):
    it = _some(x)
    first = next(it)
    y = first + 1
    return y, [v for v in it], next(it, None)


def next_then_for(x):
    it = iter(_some(x * 10))
    total = torch.zeros(3) + next(it)
    n = 1
    for v in it:
        total = total + v
        n += 1
    return total / n


def unpacked(x):
    first, *rest = _some(x)
    return first, rest


def stopped(x):
    it = _more(x)
    next(it)
    try:
        v = next(it)
    except StopIteration:
        v = "stop"
    return v


def closed(x):
    it = _more(x)
    a = next(it)
    it.close()
    return a, next(it, "closed")


def thrown(x):
    it = _either(x)
    a = next(it)
    try:
        it.throw(KeyError("k"))
    except KeyError as e:
        return a, str(e)
    return a


def sent(x):
    it = _told(x)
    out = [next(it)]
    out.append(it.send(3))
    out.append(it.send(4))
    return out, next(it, "done")


def within(x):
    a = 7
    with _doubled(x) as v:
        b = a + v
    return a, b, v, x


def within_two(x):
    y = x * 2
    with _doubled(x) as v, doubled(y) as w:
        z = x * v + y * w
    return z, x, y


def zipped(x):
    return list(zip(_positions(x), _positions(x * -1 + 1)))


def zipped_alike(x):
    return list(zip(_positions(x), _positions(x)))


def new_each_time(x):
    return next(_positions(x), -1), sum(_positions(x)), len(list(_positions(x)))


def alternately(x):
    a, b = _positions(x), _positions(x)
    return next(a, 5), next(b, 5), next(a, 6), next(b, 6)


def delegated(x):
    it = _down(x, 3)
    return [next(it, 0), next(it, 0), next(it, 0), next(it, 0)]


def nested_for(x):
    total = 0
    it = _either(x)
    for u in it:
        for v in it:
            total += 10 * u + v
    return total


def in_a_function(x):
    def outer(k):
        it = _either(x)
        a = next(it) + k
        return a + next(it)
    k = 100
    r = outer(k)
    return r + k


def two_loops(x):
    it = _positions(x)
    a = [v for v, _ in zip(it, range(1))]
    b = list(it)
    return a, b


def deleted_in_one_branch(x):
    class Box:
        pass

    holder = Box()
    holder.b = Box()
    holder.b.v = 1
    if x.sum() > 0:
        del holder.b.v
    else:
        holder.b = None
    return 5 if holder.b is None else hasattr(holder.b, "v")


def _delegating(x):
    got = yield from _some(x)
    y = yield from _told(x)
    yield got, y


def next_of_delegating(x):
    it = _delegating(x)
    return next(it), next(it), next(it), next(it, None)


def send_to_delegating(x):
    it = _delegating(x)
    seen = [next(it) + 0]
    for i in range(3):
        v = it.send(i)
        if v == "end":
            break
        seen.append(v + 0)
    return seen
