"""async def and await, asynchronous loops, managers, comprehensions and generators, driven by hand."""


def run(coroutine, log=None):
    """Sends None until it ends; what it yields goes to the log."""
    try:
        while True:
            x = coroutine.send(None)
            if log is not None:
                log.append(x)
    except StopIteration as stop:
        return stop.value


class Point:
    """What is awaited: yields its name, gives what is sent."""

    def __init__(self, name):
        self.name = name

    def __await__(self):
        sent = yield self.name
        return self.name, sent


async def simple():
    return 1


async def nested(n):
    if n == 0:
        return await Point("end")
    x = await nested(n - 1)
    return (*x, n)


c = simple()
print(type(c).__name__, c.cr_running, c.cr_await, callable(c), hasattr(c, "__iter__"), hasattr(c, "__await__"))
print(run(c), run(simple()))
try:
    c.send(None)
except RuntimeError as e:
    print(e)
c = nested(3)
print(c.send(None), c.cr_await is not None)
try:
    c.send("sent")
except StopIteration as stop:
    print(stop.value)
print(c.cr_frame)
for use in (iter, next, list, lambda c: [x for x in c], lambda c: (lambda a, b: a)(*c)):
    c = simple()
    try:
        use(c)
    except TypeError as e:
        print(type(e).__name__)
    c.close()
c = simple()
try:
    c.send(5)
except TypeError as e:
    print(e)
c.close()


async def bad(what):
    await what


for what in (3, None, [1], simple):
    try:
        run(bad(what))
    except TypeError as e:
        print("TypeError")


class Odd:
    def __init__(self, given):
        self.given = given

    def __await__(self):
        return self.given


for given in (5, simple(), iter("ab"), (x for x in "cd")):
    log = []
    try:
        print(run(bad(Odd(given)), log), log)
    except TypeError as e:
        print(type(e).__name__)
    if type(given).__name__ == "coroutine":
        given.close()

shared = nested(1)
first, second = bad(shared), bad(shared)
print(first.send(None))
try:
    second.send(None)
except RuntimeError as e:
    print(e)
first.close()


async def stops():
    raise StopIteration(4)


try:
    run(stops())
except RuntimeError as e:
    print(e, repr(e.__cause__))


async def guarded(log):
    try:
        await Point("waits")
    except KeyError as e:
        log.append(("caught", e.args))
        return await Point("after")
    finally:
        log.append("finally")


log = []
c = guarded(log)
print(c.send(None), c.throw(KeyError("k")), log)
try:
    c.send(7)
except StopIteration as stop:
    print(stop.value, log)
c = guarded(log)
c.send(None)
c.close()
print(log)
c = guarded(log)
try:
    c.throw(ValueError("at its start"))
except ValueError as e:
    print(e)
w = nested(1).__await__()
print(next(w))
try:
    w.send(8)
except StopIteration as stop:
    print(stop.value)


# async with


class Manager:
    def __init__(self, log, swallows=False):
        self.log, self.swallows = log, swallows

    async def __aenter__(self):
        self.log.append(await Point("enter"))
        return self

    async def __aexit__(self, kind, value, tb):
        self.log.append((await Point("exit"), kind))
        return self.swallows


async def managed(log, error, swallows):
    async with Manager(log, swallows) as m, Manager(log, False):
        log.append("body")
        if error is not None:
            raise error
        return "returned", m.swallows
    return "behind"


for error, swallows in ((None, False), (ValueError("v"), True), (KeyError("k"), False)):
    log, yields = [], []
    try:
        print(run(managed(log, error, swallows), yields))
    except KeyError as e:
        print("raised", e)
    print(log, yields)


async def plain_manager():
    async with open_nothing():
        pass


def open_nothing():
    return object()


try:
    run(plain_manager())
except TypeError:
    print("TypeError")


# async for


class Counter:
    def __init__(self, n):
        self.i, self.n = 0, n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.i == self.n:
            raise StopAsyncIteration
        self.i += 1
        await Point(f"next {self.i}")
        return self.i


async def loops(make):
    total = []
    async for i in make(3):
        if i == 2:
            continue
        total.append(i)
    else:
        total.append("else")
    async for i in make(5):
        if i == 2:
            break
    else:
        total.append("never")
    total.append([i async for i in make(3)])
    total.append({i: j async for i in make(3) if i > 1 async for j in make(2)})
    total.append({await nested(0) for _ in range(1)})
    total.append([x async for x in (y * 2 async for y in make(2))])
    return total


async def generated(n):
    for i in range(1, n + 1):
        await Point(f"item {i}")
        yield i


for make in (Counter, generated):
    log = []
    print(run(loops(make), log), len(log), log[:4])


async def wrong(v):
    async for x in v:
        pass


class NoNext:
    def __aiter__(self):
        return 5


for v in ([1], NoNext(), 3):
    try:
        run(wrong(v))
    except TypeError:
        print("TypeError")


# Asynchronous generators


async def echo(log):
    x = "first"
    try:
        while True:
            try:
                x = yield x
                log.append(await Point("echo"))
            except KeyError as e:
                x = ("caught", e.args)
    finally:
        log.append(await Point("closing"))


async def drives():
    log, out = [], []
    g = echo(log)
    out.append(type(g).__name__)
    out.append(await g.__anext__())
    out.append(await g.asend("a"))
    out.append(await anext(g))
    out.append(await g.athrow(KeyError("k")))
    await g.aclose()
    await g.aclose()
    try:
        await g.asend(None)
    except StopAsyncIteration:
        out.append("ended")
    out.append(await anext(g, "default"))
    out.append(await anext(aiter(Counter(1))))
    return out, log


log = []
print(run(drives(), log), log)


async def raises_stop(kind):
    yield 1
    raise kind


for kind in (StopIteration, StopAsyncIteration):
    try:
        run(wrong(raises_stop(kind)))
    except RuntimeError as e:
        print(e, repr(e.__cause__))


async def throws():
    g = raises_stop(ValueError("out"))
    print(await anext(g))
    try:
        await anext(g)
    except ValueError as e:
        print(e)
    try:
        await anext(g)
    except StopAsyncIteration:
        print("ended by it")


run(throws())


class Methods:
    async def method(self):
        return self.__class__.__name__

    @classmethod
    async def of_class(cls):
        return cls.__name__

    @staticmethod
    async def static(x=3, *, y=4):
        return x, y


async def uses():
    make = lambda x: nested(x)
    return await Methods().method(), await Methods.of_class(), await Methods.static(y=5), await make(0)


print(run(uses()))
