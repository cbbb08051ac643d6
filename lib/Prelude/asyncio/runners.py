"""asyncio.runners"""
from contextvars import copy_context as _copy_context

from asyncio import events as _events, tasks as _tasks


class Runner:
    def __init__(self, *, debug=None, loop_factory=None):
        self._ptc_loop, self._ptc_factory, self._ptc_context, self._ptc_closed = None, loop_factory, None, False

    def __enter__(self):
        self._ptc_begin()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()

    def _ptc_begin(self):
        if self._ptc_closed:
            raise RuntimeError("Runner is closed")
        if self._ptc_loop is None:
            self._ptc_loop = _events.new_event_loop() if self._ptc_factory is None else self._ptc_factory()
            if self._ptc_factory is None:
                _events.set_event_loop(self._ptc_loop)
            self._ptc_context = _copy_context()

    def get_loop(self):
        self._ptc_begin()
        return self._ptc_loop

    def close(self):
        loop, self._ptc_loop = self._ptc_loop, None
        if loop is None:
            return
        try:
            _cancel_all(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            if self._ptc_factory is None:
                _events.set_event_loop(None)
            loop.close()
            self._ptc_closed = True

    def run(self, coro, *, context=None):
        if not _tasks.iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        if _events._loops.running is not None:
            raise RuntimeError("Runner.run() cannot be called from a running event loop")
        self._ptc_begin()
        return self._ptc_loop.run_until_complete(self._ptc_loop.create_task(coro, context=self._ptc_context if context is None else context))


def run(main, *, debug=None, **kwargs):
    if _events._loops.running is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    with Runner(debug=debug, **kwargs) as runner:
        return runner.run(main)


def _cancel_all(loop):
    left = _tasks.all_tasks(loop)
    if not left:
        return
    for task in left:
        task.cancel()
    loop.run_until_complete(_tasks.gather(*left, return_exceptions=True))
    for task in left:
        if not task.cancelled() and task.exception() is not None:
            loop.call_exception_handler({"message": "unhandled exception during asyncio.run() shutdown", "exception": task.exception(), "task": task})
