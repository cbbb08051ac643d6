"""asyncio.timeouts: limits that are never met, since time does not pass."""
from asyncio import events as _events, exceptions as _exceptions, tasks as _tasks
from _ptc_torch import _refuse


class Timeout:
    def __init__(self, when):
        self._ptc_delay, self._ptc_handle, self._ptc_task = when, None, None
        self._ptc_fired = False

    def when(self):
        _refuse("the time of an event loop")

    def reschedule(self, when):
        _refuse("Timeout.reschedule()")

    def expired(self):
        return self._ptc_fired

    async def __aenter__(self):
        if self._ptc_task is not None:
            raise RuntimeError("Timeout has already been entered")
        task = _tasks.current_task()
        if task is None:
            raise RuntimeError("Timeout should be used inside a task")
        self._ptc_task, self._ptc_cancels = task, task.cancelling()
        loop = _events.get_running_loop()
        if self._ptc_delay is not None:
            self._ptc_handle = loop.call_soon(self._ptc_end) if self._ptc_delay <= 0 else loop.call_later(self._ptc_delay, self._ptc_end)
        return self

    def _ptc_end(self):
        self._ptc_task.cancel()
        self._ptc_fired, self._ptc_handle = True, None

    async def __aexit__(self, exc_type, exc_val, exc_tb):
        if self._ptc_handle is not None:
            self._ptc_handle.cancel()
            self._ptc_handle = None
        if self._ptc_fired and self._ptc_task.uncancel() <= self._ptc_cancels and exc_type is not None and issubclass(exc_type, _exceptions.CancelledError):
            raise TimeoutError from exc_val


def timeout(delay):
    return Timeout(delay)
