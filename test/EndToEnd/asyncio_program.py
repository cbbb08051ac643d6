"""asyncio: the order in which coroutines run that wait for nothing outside."""
import asyncio
import contextlib
import contextvars
import inspect


async def step(name, n, log):
    for i in range(n):
        log.append((name, i))
        await asyncio.sleep(0)
    return name


async def fails(after):
    for _ in range(after):
        await asyncio.sleep(0)
    raise ValueError(after)


async def gathers():
    log = []
    print(await asyncio.gather(step("a", 2, log), step("b", 3, log), step("c", 1, log)), log)
    print(await asyncio.gather(), await asyncio.gather(fails(1), step("d", 1, log), return_exceptions=True))
    try:
        await asyncio.gather(fails(2), step("e", 5, log))
    except ValueError as e:
        print("raised", e)
    print(len(log))
    same = asyncio.ensure_future(step("f", 1, log))
    print(await asyncio.gather(same, same), same.done(), same.result())


async def tasks():
    log = []
    made = [asyncio.create_task(step("xyz"[i], 3 - i, log), name=f"t{i}") for i in range(3)]
    print([t.get_name() for t in made], asyncio.current_task().done(), len(asyncio.all_tasks()))
    done, pending = await asyncio.wait(made, return_when=asyncio.FIRST_COMPLETED)
    print(sorted(t.result() for t in done), len(pending), log)
    done, pending = await asyncio.wait(made)
    print(sorted(t.get_name() for t in done), pending)
    called = []
    made[0].add_done_callback(lambda t: called.append(t.result()))
    print(called)
    await asyncio.sleep(0)
    print(called, await asyncio.sleep(0, "result"))


async def cancels():
    async def waits(log):
        try:
            while True:
                await asyncio.sleep(0)
        except asyncio.CancelledError as e:
            log.append(e.args)
            raise

    log = []
    task = asyncio.create_task(waits(log))
    await asyncio.sleep(0)
    print(task.cancel("why"), task.cancelled())
    try:
        await task
    except asyncio.CancelledError as e:
        print("cancelled", e.args, task.cancelled(), task.done(), log)
    early = asyncio.create_task(waits(log))
    early.cancel()
    print(await asyncio.gather(early, return_exceptions=True), log)
    asyncio.create_task(waits(log))
    future = asyncio.get_running_loop().create_future()
    print(future.done(), future.cancel(), future.cancel(), future.cancelled())
    await asyncio.sleep(0)


async def queues():
    q, log = asyncio.Queue(maxsize=2), []

    async def produces():
        for i in range(5):
            await q.put(i)
            log.append(("put", i))

    async def consumes():
        for _ in range(5):
            log.append(("got", await q.get()))
            q.task_done()

    await asyncio.gather(produces(), consumes())
    await q.join()
    print(log, q.empty(), q.qsize(), q.full(), q.maxsize)
    p, s = asyncio.PriorityQueue(), asyncio.LifoQueue()
    for x in (3, 1, 2):
        p.put_nowait(x)
        s.put_nowait(x)
    print([p.get_nowait() for _ in range(3)], [await s.get() for _ in range(3)])
    try:
        p.get_nowait()
    except asyncio.QueueEmpty:
        print("empty")


async def locks():
    lock, event, two, log = asyncio.Lock(), asyncio.Event(), asyncio.Semaphore(2), []
    changed, ready = asyncio.Condition(), []

    async def uses(n):
        async with lock:
            log.append(("lock", n, lock.locked()))
            await asyncio.sleep(0)
        async with two:
            log.append(("two", n, two.locked()))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        await event.wait()
        log.append(("event", n))
        async with changed:
            await changed.wait_for(lambda: ready)
            log.append(("changed", n))

    async def sets():
        for _ in range(20):
            await asyncio.sleep(0)
        event.set()
        await asyncio.sleep(0)
        async with changed:
            ready.append(1)
            changed.notify_all()

    await asyncio.gather(*[uses(n) for n in range(4)], sets())
    print(log, event.is_set(), lock.locked())


async def groups():
    log = []
    async with asyncio.TaskGroup() as group:
        a, b = group.create_task(step("a", 2, log)), group.create_task(step("b", 1, log))
    print(a.result(), b.result(), log)
    try:
        async with asyncio.TaskGroup() as group:
            c = group.create_task(step("c", 9, log))
            group.create_task(fails(1))
    except* ValueError as e:
        print([x.args for x in e.exceptions], c.cancelled(), len(log))
    async with asyncio.timeout(60):
        await asyncio.sleep(0)
    print(await asyncio.wait_for(step("w", 1, log), 60), await asyncio.shield(step("s", 1, log)))
    try:
        await asyncio.wait_for(step("never", 9, log), 0)
    except asyncio.TimeoutError as e:
        print(type(e).__name__)


value = contextvars.ContextVar("value", default=0)


async def contexts():
    async def sets(n):
        before = value.get()
        value.set(n)
        await asyncio.sleep(0)
        return before, value.get()

    print(await asyncio.gather(sets(1), sets(2)), value.get(), await sets(3), value.get())
    loop, seen = asyncio.get_running_loop(), []
    loop.call_soon(seen.append, 1)
    loop.call_soon(seen.append, 2).cancel()
    await asyncio.sleep(0)
    print(seen, await loop.run_in_executor(None, lambda: 5), loop.is_running())
    print(await asyncio.to_thread(lambda a, k: (value.get(), value.set(7) and None, a + k), 1, k=2), value.get())
    other = contextvars.copy_context()
    print(other[value], other.run(lambda: (value.set(9), value.get())[1]), value.get(), other.get(value), value in other, len(other))


@contextlib.asynccontextmanager
async def managed(name, log):
    log.append(("enter", name))
    await asyncio.sleep(0)
    try:
        yield name
    except KeyError as e:
        log.append(("swallowed", e.args))
    finally:
        log.append(("exit", name))


async def managers():
    log = []
    async with managed("a", log) as a, managed("b", log):
        log.append(("body", a))
    async with managed("c", log):
        raise KeyError("k")
    try:
        async with managed("d", log):
            raise ValueError("v")
    except ValueError as e:
        log.append(("out", e.args))
    print(log, isinstance(managed("e", log), contextlib.AbstractAsyncContextManager), managed.__name__)


for main in (gathers, tasks, cancels, queues, locks, groups, contexts, managers):
    print(main.__name__, asyncio.run(main()))
print(value.get(), asyncio.iscoroutinefunction(main), inspect.iscoroutinefunction(main))
try:
    asyncio.run(fails(0))
except ValueError as e:
    print("out", e)
try:
    asyncio.get_running_loop()
except RuntimeError as e:
    print(e)
loop = asyncio.new_event_loop()
print(loop.run_until_complete(step("l", 1, [])), loop.is_closed())
loop.close()
print(loop.is_closed())
with asyncio.Runner() as runner:
    print(runner.run(step("r", 1, [])), runner.run(step("q", 2, [])))
