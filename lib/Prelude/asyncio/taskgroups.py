"""asyncio.taskgroups"""
from asyncio import events as _events, exceptions as _exceptions, tasks as _tasks


class TaskGroup:
    def __init__(self):
        self._ptc_entered = self._ptc_exiting = self._ptc_aborting = self._ptc_cancelled_parent = False
        self._ptc_loop = self._ptc_parent = self._ptc_base_error = self._ptc_waiter = None
        self._ptc_tasks, self._ptc_errors = [], []

    async def __aenter__(self):
        if self._ptc_entered:
            raise RuntimeError(f"TaskGroup {self!r} has already been entered")
        self._ptc_entered, self._ptc_loop, self._ptc_parent = True, _events.get_running_loop(), _tasks.current_task()
        if self._ptc_parent is None:
            raise RuntimeError(f"TaskGroup {self!r} cannot determine the parent task")
        return self

    def create_task(self, coro, **kwargs):
        if not self._ptc_entered:
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._ptc_exiting and not self._ptc_tasks:
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        if self._ptc_aborting:
            raise RuntimeError(f"TaskGroup {self!r} is shutting down")
        task = self._ptc_loop.create_task(coro, **kwargs)
        self._ptc_tasks.append(task)
        task.add_done_callback(self._ptc_ended)
        return task

    async def __aexit__(self, et, exc, tb):
        self._ptc_exiting = True
        if et is not None and _is_base(exc) and self._ptc_base_error is None:
            self._ptc_base_error = exc
        cancelled = exc if et is not None and issubclass(et, _exceptions.CancelledError) else None
        if self._ptc_cancelled_parent and self._ptc_parent.uncancel() == 0:
            cancelled = None
        if et is not None and not self._ptc_aborting:
            self._ptc_abort()
        while self._ptc_tasks:
            if self._ptc_waiter is None:
                self._ptc_waiter = self._ptc_loop.create_future()
            try:
                await self._ptc_waiter
            except _exceptions.CancelledError as error:
                if not self._ptc_aborting:
                    cancelled = error
                    self._ptc_abort()
            self._ptc_waiter = None
        if self._ptc_base_error is not None:
            raise self._ptc_base_error
        if cancelled is not None and not self._ptc_errors:
            raise cancelled
        if et is not None and not issubclass(et, _exceptions.CancelledError):
            self._ptc_errors.append(exc)
        if self._ptc_errors:
            errors, self._ptc_errors = self._ptc_errors, None
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", errors) from None

    def _ptc_abort(self):
        self._ptc_aborting = True
        for task in self._ptc_tasks:
            if not task.done():
                task.cancel()

    def _ptc_ended(self, task):
        self._ptc_tasks.remove(task)
        if self._ptc_waiter is not None and not self._ptc_tasks and not self._ptc_waiter.done():
            self._ptc_waiter.set_result(True)
        if task.cancelled() or task.exception() is None:
            return
        error = task.exception()
        self._ptc_errors.append(error)
        if _is_base(error) and self._ptc_base_error is None:
            self._ptc_base_error = error
        if self._ptc_parent.done():
            return
        if not self._ptc_aborting and not self._ptc_cancelled_parent:
            self._ptc_abort()
            self._ptc_cancelled_parent = True
            self._ptc_parent.cancel()


def _is_base(error):
    return isinstance(error, (SystemExit, KeyboardInterrupt))
