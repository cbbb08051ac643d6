"""asyncio.futures"""
from contextvars import copy_context as _copy_context
from types import GenericAlias as _GenericAlias

from _ptc_torch import _refuse
from asyncio.events import get_event_loop as _get_event_loop
from asyncio.exceptions import CancelledError, InvalidStateError


def isfuture(obj):
    return hasattr(obj.__class__, "_asyncio_future_blocking") and obj._asyncio_future_blocking is not None


class Future:
    _ptc_known_as = "_asyncio.Future"
    _asyncio_future_blocking = False
    __class_getitem__ = classmethod(_GenericAlias)

    def __init__(self, *, loop=None):
        self._ptc_loop = _get_event_loop() if loop is None else loop
        self._ptc_state = "PENDING"
        self._ptc_result = self._ptc_exception = self._ptc_message = None
        self._ptc_callbacks = []

    def __repr__(self):
        _refuse(f"the text of a {type(self).__name__} of asyncio")

    def get_loop(self):
        return self._ptc_loop

    def cancelled(self):
        return self._ptc_state == "CANCELLED"

    def done(self):
        return self._ptc_state != "PENDING"

    def cancel(self, msg=None):
        if self._ptc_state != "PENDING":
            return False
        self._ptc_state, self._ptc_message = "CANCELLED", msg
        self._ptc_schedule()
        return True

    def _ptc_schedule(self):
        callbacks, self._ptc_callbacks = self._ptc_callbacks, []
        for callback, context in callbacks:
            self._ptc_loop.call_soon(callback, self, context=context)

    def _make_cancelled_error(self):
        return CancelledError() if self._ptc_message is None else CancelledError(self._ptc_message)

    def result(self):
        if self._ptc_state == "CANCELLED":
            raise self._make_cancelled_error()
        if self._ptc_state != "FINISHED":
            raise InvalidStateError("Result is not set.")
        if self._ptc_exception is not None:
            raise self._ptc_exception
        return self._ptc_result

    def exception(self):
        if self._ptc_state == "CANCELLED":
            raise self._make_cancelled_error()
        if self._ptc_state != "FINISHED":
            raise InvalidStateError("Exception is not set.")
        return self._ptc_exception

    def add_done_callback(self, fn, *, context=None):
        if context is None:
            context = _copy_context()
        if self._ptc_state != "PENDING":
            self._ptc_loop.call_soon(fn, self, context=context)
        else:
            self._ptc_callbacks.append((fn, context))

    def remove_done_callback(self, fn, /):
        kept = [(f, context) for f, context in self._ptc_callbacks if f != fn]
        removed = len(self._ptc_callbacks) - len(kept)
        if removed:
            self._ptc_callbacks[:] = kept
        return removed

    def set_result(self, result, /):
        if self._ptc_state != "PENDING":
            raise InvalidStateError("invalid state")
        self._ptc_result, self._ptc_state = result, "FINISHED"
        self._ptc_schedule()

    def set_exception(self, exception, /):
        if self._ptc_state != "PENDING":
            raise InvalidStateError("invalid state")
        if isinstance(exception, type):
            exception = exception()
        if not isinstance(exception, BaseException):
            raise TypeError("invalid exception object")
        if isinstance(exception, StopIteration):
            raise TypeError("StopIteration interacts badly with generators and cannot be raised into a Future")
        self._ptc_exception, self._ptc_state = exception, "FINISHED"
        self._ptc_schedule()

    def __await__(self):
        if self._ptc_state == "PENDING":
            self._asyncio_future_blocking = True
            yield self
        if self._ptc_state == "PENDING":
            raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__
