"""send, throw, close, yield as an expression, finally inside generators, GeneratorExit."""


def echo():
    received = []
    while True:
        value = yield len(received)
        if value is None:
            break
        received.append(value)
    return received


g = echo()
print(next(g), g.send("a"), g.send("b"))
try:
    g.send(None)
except StopIteration as e:
    print(e.value)


def averager():
    total = n = 0
    average = None
    while True:
        x = yield average
        total += x
        n += 1
        average = total / n


a = averager()
next(a)
print([a.send(v) for v in (10, 20, 60)])


def catching():
    log = []
    while True:
        try:
            x = yield list(log)
            log.append(x)
        except ValueError as e:
            log.append(f"caught {e}")
        except GeneratorExit:
            print("closing", log)
            raise
        finally:
            log.append("f")


c = catching()
print(next(c), c.send(1), c.throw(ValueError("bad")), c.send(2))
c.close()
c.close()
try:
    next(c)
except StopIteration:
    print("closed")


def uncaught():
    yield 1
    yield 2


u = uncaught()
next(u)
try:
    u.throw(KeyError("thrown"))
except KeyError as e:
    print("through", e)
print(list(u))
fresh = uncaught()
try:
    fresh.throw(ValueError("not started"))
except ValueError as e:
    print(e, list(fresh))
try:
    uncaught().send(5)
except TypeError as e:
    print(e)


def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2


s = stubborn()
next(s)
try:
    s.close()
except RuntimeError as e:
    print(e)


def cleanup():
    try:
        yield "resource"
    finally:
        print("cleaned")


k = cleanup()
print(next(k))
del k
for x in cleanup():
    print(x)
    break
print("after the loop")


def converts():
    yield 1
    raise StopIteration("inside")


try:
    list(converts())
except RuntimeError as e:
    print(e, repr(e.__cause__))


def two_way():
    x = yield "first"
    y = yield x * 2
    z = (yield y) + (yield "mid")
    return x, y, z


t = two_way()
print(next(t), t.send(4), t.send(5), t.send(1))
try:
    t.send(2)
except StopIteration as e:
    print(e.value)


def scheduler(*tasks):
    queue, log = list(tasks), []
    while queue:
        task = queue.pop(0)
        try:
            log.append(next(task))
            queue.append(task)
        except StopIteration as e:
            log.append(("done", e.value))
    return log


def task(name, n):
    for i in range(n):
        yield f"{name}{i}"
    return name


print(scheduler(task("a", 2), task("b", 3), task("c", 0)))


def throw_value():
    while True:
        try:
            yield "waiting"
        except Exception as e:
            yield type(e).__name__, e.args


v = throw_value()
next(v)
print(v.throw(IndexError("i", 2)), next(v), v.throw(TypeError))
coro = (x * 2 for x in range(3))
print(coro.send(None), next(coro), coro.close(), list(coro))
