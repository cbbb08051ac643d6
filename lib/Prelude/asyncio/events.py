"""asyncio.events: the loop, with what is ready in the order in which it became so."""
from collections import deque as _deque
from contextvars import copy_context as _copy_context

from _ptc_torch import _refuse
from asyncio.exceptions import CancelledError


class _Loops:
    """The loop that runs, and the one that was set."""
    running = None
    here = None


_loops = _Loops()


class Handle:
    def __init__(self, callback, args, loop, context=None):
        self._ptc_callback, self._ptc_args, self._ptc_loop = callback, args, loop
        self._ptc_context = _copy_context() if context is None else context
        self._ptc_cancelled = False

    def cancel(self):
        self._ptc_cancelled = True
        self._ptc_callback = self._ptc_args = None

    def cancelled(self):
        return self._ptc_cancelled

    def get_context(self):
        return self._ptc_context

    def _ptc_run(self):
        try:
            self._ptc_context.run(self._ptc_callback, *self._ptc_args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            self._ptc_loop.call_exception_handler({"message": "Exception in callback", "exception": error, "handle": self})


class TimerHandle(Handle):
    def when(self):
        _refuse("the time of an event loop")


class AbstractEventLoop:
    pass


class _EventLoop(AbstractEventLoop):
    _ptc_known_as = "asyncio.unix_events._UnixSelectorEventLoop"

    def __init__(self):
        self._ptc_ready, self._ptc_timers = _deque(), []
        self._ptc_stopping = self._ptc_closed = False
        self._ptc_tasks, self._ptc_generators, self._ptc_factory, self._ptc_handler, self._ptc_debug = [], [], None, None, False

    def _ptc_check(self):
        if self._ptc_closed:
            raise RuntimeError("Event loop is closed")

    def is_running(self):
        return _loops.running is self

    def is_closed(self):
        return self._ptc_closed

    def get_debug(self):
        return self._ptc_debug

    def set_debug(self, enabled):
        self._ptc_debug = enabled

    def time(self):
        _refuse("the time of an event loop")

    def call_soon(self, callback, *args, context=None):
        self._ptc_check()
        handle = Handle(callback, args, self, context)
        self._ptc_ready.append(handle)
        return handle

    call_soon_threadsafe = call_soon

    def call_later(self, delay, callback, *args, context=None):
        """It is called if the loop ever waits, and that is refused."""
        if delay is None:
            raise TypeError("delay must not be None")
        self._ptc_check()
        handle = TimerHandle(callback, args, self, context)
        if delay <= 0:
            _refuse("loop.call_later() without a delay")
        self._ptc_timers.append(handle)
        return handle

    def call_at(self, when, callback, *args, context=None):
        _refuse("loop.call_at()")

    def create_future(self):
        from asyncio.futures import Future
        return Future(loop=self)

    def create_task(self, coro, **kwargs):
        from asyncio.tasks import Task
        self._ptc_check()
        if self._ptc_factory is not None:
            _refuse("a factory of tasks")
        return Task(coro, loop=self, **kwargs)

    def set_task_factory(self, factory):
        if factory is not None:
            _refuse("a factory of tasks")

    def get_task_factory(self):
        return None

    def set_exception_handler(self, handler):
        if handler is not None and not callable(handler):
            raise TypeError(f"A callable object or None is expected, got {handler!r}")
        self._ptc_handler = handler

    def get_exception_handler(self):
        return self._ptc_handler

    def default_exception_handler(self, context):
        """It writes to the log of asyncio, for people."""

    def call_exception_handler(self, context):
        if self._ptc_handler is None:
            return self.default_exception_handler(context)
        try:
            self._ptc_handler(self, context)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException:
            pass

    def run_in_executor(self, executor, func, *args):
        """Functions end when they are submitted; that is told in the loop's next turn."""
        if executor is not None:
            _refuse("an executor of an event loop")
        self._ptc_check()
        future = self.create_future()
        try:
            result, error = func(*args), None
        except StopIteration:
            raise
        except BaseException as raised:
            result, error = None, raised
        self.call_soon(self.call_soon, _tell, future, result, error)
        return future

    def stop(self):
        self._ptc_stopping = True

    def close(self):
        if self.is_running():
            raise RuntimeError("Cannot close a running event loop")
        self._ptc_closed = True
        self._ptc_ready.clear()
        self._ptc_timers.clear()

    def run_forever(self):
        self._ptc_check()
        if self.is_running():
            raise RuntimeError("This event loop is already running")
        if _loops.running is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        _loops.running = self
        try:
            while True:
                self._ptc_turn()
                if self._ptc_stopping:
                    break
        finally:
            self._ptc_stopping = False
            _loops.running = None

    def _ptc_turn(self):
        """What is ready now; what becomes so is for the next turn."""
        if not self._ptc_ready and not self._ptc_stopping:
            timers = [timer for timer in self._ptc_timers if not timer.cancelled()]
            _refuse("an event loop that waits until a time" if timers else "an event loop that waits for what is outside of it")
        for _ in range(len(self._ptc_ready)):
            handle = self._ptc_ready.popleft()
            if not handle._ptc_cancelled:
                handle._ptc_run()

    def run_until_complete(self, future):
        from asyncio.futures import isfuture
        from asyncio.tasks import ensure_future
        self._ptc_check()
        if self.is_running():
            raise RuntimeError("This event loop is already running")
        if _loops.running is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        future = ensure_future(future, loop=self)
        future.add_done_callback(_stop_loop)
        try:
            self.run_forever()
        finally:
            future.remove_done_callback(_stop_loop)
        if not future.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return future.result()

    async def shutdown_asyncgens(self):
        pass

    async def shutdown_default_executor(self, timeout=None):
        pass


def _tell(future, result, error):
    if not future.cancelled():
        future.set_exception(error) if error is not None else future.set_result(result)


def _stop_loop(future):
    error = None if future.cancelled() else future._ptc_exception
    if not isinstance(error, (SystemExit, KeyboardInterrupt)):
        future.get_loop().stop()


def get_running_loop():
    if _loops.running is None:
        raise RuntimeError("no running event loop")
    return _loops.running


def _get_running_loop():
    return _loops.running


def get_event_loop():
    if _loops.running is not None:
        return _loops.running
    if _loops.here is None:
        _refuse("asyncio.get_event_loop() where no loop runs and none was set")
    return _loops.here


def new_event_loop():
    return _EventLoop()


def set_event_loop(loop):
    if loop is not None and not isinstance(loop, AbstractEventLoop):
        raise TypeError(f"loop must be an instance of AbstractEventLoop or None, not '{type(loop).__name__}'")
    _loops.here = loop
