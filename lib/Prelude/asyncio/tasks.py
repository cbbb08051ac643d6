"""asyncio.tasks"""
import inspect as _inspect
from contextvars import copy_context as _copy_context

from _ptc import _python_minor
from _ptc_torch import _refuse
from asyncio import events as _events, exceptions as _exceptions
from asyncio.futures import Future, isfuture

FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"


class _Counter:
    named = 0
    running = None


_counter = _Counter()


def iscoroutine(obj):
    return _inspect.iscoroutine(obj) or isinstance(obj, _Coroutine)


def iscoroutinefunction(func):
    return _inspect.iscoroutinefunction(func)



class Task(Future):
    _ptc_known_as = "_asyncio.Task"

    def __init__(self, coro, *, loop=None, name=None, context=None, eager_start=False):
        if not iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        if eager_start:
            _refuse("a task that starts at once")
        super().__init__(loop=loop)
        _counter.named += name is None
        self._ptc_name = f"Task-{_counter.named}" if name is None else str(name)
        self._ptc_must_cancel, self._ptc_cancels, self._ptc_waiter = False, 0, None
        self._ptc_coro, self._ptc_context = coro, _copy_context() if context is None else context
        self._ptc_loop.call_soon(self._ptc_step, context=self._ptc_context)
        self._ptc_loop._ptc_tasks.append(self)

    def get_coro(self):
        return self._ptc_coro

    def get_context(self):
        return self._ptc_context

    def get_name(self):
        return self._ptc_name

    def set_name(self, value, /):
        self._ptc_name = str(value)

    def set_result(self, result, /):
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception, /):
        raise RuntimeError("Task does not support set_exception operation")

    def get_stack(self, *, limit=None):
        _refuse("the stack of a task")

    def print_stack(self, *, limit=None, file=None):
        _refuse("the stack of a task")

    def cancel(self, msg=None):
        if self.done():
            return False
        self._ptc_cancels += 1
        if self._ptc_waiter is not None and self._ptc_waiter.cancel(msg=msg):
            return True
        self._ptc_must_cancel, self._ptc_message = True, msg
        return True

    def cancelling(self):
        return self._ptc_cancels

    def uncancel(self):
        if self._ptc_cancels > 0:
            self._ptc_cancels -= 1
            if not self._ptc_cancels and _python_minor() >= 13:
                self._ptc_must_cancel = False
        return self._ptc_cancels

    def _ptc_step(self, error=None):
        if self._ptc_must_cancel:
            if not isinstance(error, _exceptions.CancelledError):
                error = self._make_cancelled_error()
            self._ptc_must_cancel = False
        self._ptc_waiter, before, _counter.running = None, _counter.running, self
        try:
            result = self._ptc_coro.send(None) if error is None else self._ptc_coro.throw(error)
        except StopIteration as stop:
            if self._ptc_must_cancel:
                self._ptc_must_cancel = False
                super().cancel(msg=self._ptc_message)
            else:
                super().set_result(stop.value)
        except _exceptions.CancelledError as cancelled:
            super().cancel(msg=cancelled.args[0] if cancelled.args else None)
        except (KeyboardInterrupt, SystemExit) as raised:
            super().set_exception(raised)
            raise
        except BaseException as raised:
            super().set_exception(raised)
        else:
            self._ptc_wait_for(result)
        finally:
            _counter.running = before
        if self.done():
            self._ptc_loop._ptc_tasks.remove(self)

    def _ptc_wait_for(self, result):
        blocking = getattr(result, "_asyncio_future_blocking", None)
        if blocking:
            result._asyncio_future_blocking = False
            if result.get_loop() is not self._ptc_loop:
                _refuse("a task that waits for a future of another loop")
            if result is self:
                _refuse("a task that waits for itself")
            result.add_done_callback(self._ptc_wake, context=self._ptc_context)
            self._ptc_waiter = result
            if self._ptc_must_cancel and result.cancel(msg=self._ptc_message):
                self._ptc_must_cancel = False
        elif blocking is None and result is None:
            self._ptc_loop.call_soon(self._ptc_step, context=self._ptc_context)
        else:
            text = "yield was used instead of yield from" if blocking is not None else f"Task got bad yield: {result!r}"
            if blocking is not None:
                _refuse("a task whose coroutine yields a future")
            self._ptc_loop.call_soon(self._ptc_step, RuntimeError(text), context=self._ptc_context)

    def _ptc_wake(self, future):
        try:
            future.result()
        except BaseException as error:
            self._ptc_step(error)
        else:
            self._ptc_step()


async def _no_coroutine():
    pass


_Coroutine = type(_no_coroutine())


def current_task(loop=None):
    if loop is None:
        loop = _events.get_running_loop()
    return _counter.running if _events._loops.running is loop else None


def all_tasks(loop=None):
    if loop is None:
        loop = _events.get_running_loop()
    return {task for task in loop._ptc_tasks if not task.done()}


def create_task(coro, *, name=None, context=None, **kwargs):
    loop = _events.get_running_loop()
    return loop.create_task(coro, name=name, context=context, **kwargs)


def ensure_future(coro_or_future, *, loop=None):
    if isfuture(coro_or_future):
        if loop is not None and loop is not coro_or_future.get_loop():
            raise ValueError("The future belongs to a different loop than the one specified as the loop argument")
        return coro_or_future
    if not iscoroutine(coro_or_future):
        if not _inspect.isawaitable(coro_or_future):
            raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        coro_or_future = _await(coro_or_future)
    return (_events.get_event_loop() if loop is None else loop).create_task(coro_or_future)


async def _await(awaitable):
    return await awaitable


class _Turn:
    """What lets others run once."""

    def __await__(self):
        yield


async def sleep(delay, result=None):
    if _python_minor() >= 13 and delay != delay:
        raise ValueError("Invalid delay: NaN (not a number)")
    if delay > 0:
        _refuse("asyncio.sleep() for more than no time: a compiled program does not wait")
    await _Turn()
    return result


class _Gathered(Future):
    _ptc_known_as = "asyncio.tasks._GatheringFuture"

    def __init__(self, children, *, loop):
        super().__init__(loop=loop)
        self._ptc_children, self._ptc_requested = children, False

    def cancel(self, msg=None):
        if self.done():
            return False
        cancelled = False
        for child in self._ptc_children:
            if child.cancel(msg=msg):
                cancelled = True
        if cancelled:
            self._ptc_requested = True
        return cancelled


def gather(*coros_or_futures, return_exceptions=False):
    if not coros_or_futures:
        outer = _events.get_event_loop().create_future()
        outer.set_result([])
        return outer
    finished, children, of, loop, outer = 0, [], {}, None, None

    def done(future):
        nonlocal finished
        finished += 1
        if outer is None or outer.done():
            return
        if not return_exceptions:
            if future.cancelled():
                return outer.set_exception(future._make_cancelled_error())
            if future.exception() is not None:
                return outer.set_exception(future.exception())
        if finished == len(of):
            results = [_exceptions.CancelledError(child._ptc_message or "") if child.cancelled() else child.exception() if child.exception() is not None else child.result()
                       for child in children]
            if outer._ptc_requested:
                outer.set_exception(future._make_cancelled_error())
            else:
                outer.set_result(results)

    done_before = []
    for arg in coros_or_futures:
        if id(arg) not in of:
            future = ensure_future(arg, loop=loop)
            loop = future.get_loop() if loop is None else loop
            of[id(arg)] = future
            if future.done() and _python_minor() >= 12:
                done_before.append(future)
            else:
                future.add_done_callback(done)
        children.append(of[id(arg)])
    outer = _Gathered(children, loop=loop)
    for future in done_before:
        done(future)
    return outer


def shield(arg):
    inner = ensure_future(arg)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def inner_done(inner):
        if outer.cancelled():
            return
        if inner.cancelled():
            outer.cancel()
        elif inner.exception() is not None:
            outer.set_exception(inner.exception())
        else:
            outer.set_result(inner.result())

    def outer_done(outer):
        if not inner.done():
            inner.remove_done_callback(inner_done)

    inner.add_done_callback(inner_done)
    outer.add_done_callback(outer_done)
    return outer


def _end(waiter, *_):
    if not waiter.done():
        waiter.set_result(None)


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    if isfuture(fs) or iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    if not fs:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when}")
    fs = set(fs)
    for f in fs:
        if iscoroutine(f):
            raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    return await _wait(fs, timeout, return_when, _events.get_running_loop())


async def _wait(fs, timeout, return_when, loop):
    waiter = loop.create_future()
    timer = None if timeout is None else loop.call_later(timeout, _end, waiter)
    left = len(fs)

    def completed(f):
        nonlocal left
        left -= 1
        if left <= 0 or return_when == FIRST_COMPLETED or return_when == FIRST_EXCEPTION and not f.cancelled() and f.exception() is not None:
            if timer is not None:
                timer.cancel()
            _end(waiter)

    for f in fs:
        f.add_done_callback(completed)
    try:
        await waiter
    finally:
        if timer is not None:
            timer.cancel()
        for f in fs:
            f.remove_done_callback(completed)
    done, pending = set(), set()
    for f in fs:
        (done if f.done() else pending).add(f)
    return done, pending


async def _cancel_and_wait(future, loop):
    waiter = loop.create_future()

    def end(_):
        _end(waiter)

    future.add_done_callback(end)
    try:
        future.cancel()
        await waiter
    finally:
        future.remove_done_callback(end)


async def wait_for(fut, timeout):
    if _python_minor() >= 12:
        if fut is not None and not isfuture(fut) and not iscoroutine(fut):
            if not _inspect.isawaitable(fut):
                raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        if timeout is not None and timeout <= 0:
            fut = ensure_future(fut)
            if fut.done():
                return fut.result()
            await _cancel_and_wait(fut, _events.get_running_loop())
            try:
                return fut.result()
            except _exceptions.CancelledError as error:
                raise TimeoutError from error
        from asyncio.timeouts import timeout as limit
        async with limit(timeout):
            return await fut
    loop = _events.get_running_loop()
    if timeout is None:
        return await fut
    if timeout <= 0:
        fut = ensure_future(fut, loop=loop)
        if fut.done():
            return fut.result()
        await _cancel_and_wait(fut, loop)
        try:
            return fut.result()
        except _exceptions.CancelledError as error:
            raise TimeoutError() from error
    waiter = loop.create_future()
    timer = loop.call_later(timeout, _end, waiter)

    def end(_):
        _end(waiter)

    fut = ensure_future(fut, loop=loop)
    fut.add_done_callback(end)
    try:
        try:
            await waiter
        except _exceptions.CancelledError:
            if fut.done():
                return fut.result()
            fut.remove_done_callback(end)
            await _cancel_and_wait(fut, loop)
            raise
        return fut.result()
    finally:
        timer.cancel()


def as_completed(fs, *, timeout=None):
    if isfuture(fs) or iscoroutine(fs):
        raise TypeError(f"expect an iterable of futures, not {type(fs).__name__}")
    if timeout is not None:
        _refuse("asyncio.as_completed() with a timeout")
    from asyncio.queues import Queue
    done = Queue()
    todo = {ensure_future(f, loop=_events.get_event_loop()) for f in set(fs)}

    def completed(f):
        if todo:
            todo.remove(f)
            done.put_nowait(f)

    async def next_one():
        return (await done.get()).result()

    for f in todo:
        f.add_done_callback(completed)
    if _python_minor() >= 13:
        _refuse("asyncio.as_completed() since Python 3.13")
    return (next_one() for _ in range(len(todo)))
