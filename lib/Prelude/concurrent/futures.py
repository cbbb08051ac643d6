"""concurrent.futures: what is submitted runs to its end at once, in a thread of the pool, which is an order that CPython may take, too."""
from collections import namedtuple as _namedtuple
from threading import Thread as _Thread, _check_end, _run_in
from _ptc_torch import _refuse

FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED = "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED"
_pools = 0


class Error(Exception):
    _ptc_known_as = "concurrent.futures._base.Error"


class CancelledError(Error):
    _ptc_known_as = "concurrent.futures._base.CancelledError"


class InvalidStateError(Error):
    _ptc_known_as = "concurrent.futures._base.InvalidStateError"


class BrokenExecutor(RuntimeError):
    _ptc_known_as = "concurrent.futures._base.BrokenExecutor"


TimeoutError = TimeoutError
_PENDING, _RUNNING, _CANCELLED, _FINISHED = range(4)


class Future:
    _ptc_known_as = "concurrent.futures._base.Future"

    def __init__(self):
        self._ptc_state = _PENDING
        self._result = self._exception = None
        self._ptc_callbacks = []

    def cancel(self):
        if self._ptc_state in (_RUNNING, _FINISHED):
            return False
        if self._ptc_state != _CANCELLED:
            self._ptc_end(_CANCELLED)
        return True

    def cancelled(self):
        return self._ptc_state == _CANCELLED

    def running(self):
        return self._ptc_state == _RUNNING

    def done(self):
        return self._ptc_state in (_CANCELLED, _FINISHED)

    def _ptc_end(self, state):
        self._ptc_state = state
        for callback in self._ptc_callbacks:
            self._ptc_tell(callback)

    def _ptc_tell(self, callback):
        try:
            callback(self)
        except Exception:
            pass          # is logged on standard error

    def add_done_callback(self, fn):
        if self.done():
            self._ptc_tell(fn)
        else:
            self._ptc_callbacks.append(fn)

    def _ptc_wait(self, timeout):
        if self._ptc_state == _CANCELLED:
            raise CancelledError
        if self._ptc_state != _FINISHED:
            _check_end(timeout, "a future that nobody finishes")
            raise TimeoutError

    def result(self, timeout=None):
        self._ptc_wait(timeout)
        if self._exception is not None:
            raise self._exception
        return self._result

    def exception(self, timeout=None):
        self._ptc_wait(timeout)
        return self._exception

    def set_running_or_notify_cancel(self):
        if self._ptc_state == _CANCELLED:
            return False
        if self._ptc_state != _PENDING:
            _refuse("a future that runs twice")
        self._ptc_state = _RUNNING
        return True

    def _ptc_check_open(self):
        if self.done():
            state = "CANCELLED" if self._ptc_state == _CANCELLED else "FINISHED"
            _refuse(f"a result for a future that is {state}")

    def set_result(self, result):
        self._ptc_check_open()
        self._result = result
        self._ptc_end(_FINISHED)

    def set_exception(self, exception):
        self._ptc_check_open()
        self._exception = exception
        self._ptc_end(_FINISHED)

    def __repr__(self):
        _refuse("the text of a future")


class Executor:
    _ptc_known_as = "concurrent.futures._base.Executor"

    def submit(self, fn, /, *args, **kwargs):
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        futures = [self.submit(fn, *args) for args in zip(*iterables)]
        return (future.result() for future in futures)

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.shutdown(wait=True)
        return False


class ThreadPoolExecutor(Executor):
    _ptc_known_as = "concurrent.futures.thread.ThreadPoolExecutor"

    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        global _pools
        if max_workers is not None and max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        prefix = thread_name_prefix
        if not prefix:
            prefix = f"ThreadPoolExecutor-{_pools}"
            _pools += 1
        self._ptc_prefix, self._ptc_worker, self._ptc_ended = prefix, None, False
        self._ptc_initializer = (initializer, initargs)

    def submit(self, fn, /, *args, **kwargs):
        if self._ptc_ended:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self._ptc_worker is None:
            self._ptc_worker = _Thread(name=f"{self._ptc_prefix}_0", daemon=False)
            initializer, initargs = self._ptc_initializer
            if initializer is not None:
                try:
                    _run_in(self._ptc_worker, lambda: initializer(*initargs))
                except BaseException:
                    _refuse("a pool whose initializer raises")
        future = Future()
        future.set_running_or_notify_cancel()

        def run():
            try:
                result = fn(*args, **kwargs)
            except BaseException as problem:
                future.set_exception(problem)
            else:
                future.set_result(result)
        _run_in(self._ptc_worker, run)
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._ptc_ended = True


DoneAndNotDoneFutures = _namedtuple("DoneAndNotDoneFutures", "done not_done")


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    fs = set(fs)
    done = {future for future in fs if future.done()}
    open_ = fs - done
    if open_ and not (done and return_when == FIRST_COMPLETED):
        _check_end(timeout, "waiting for futures that nobody finishes")
    return DoneAndNotDoneFutures(done, open_)


def as_completed(fs, timeout=None):
    """In the order in which they are given, which is one of those that CPython may take."""
    seen = []
    for future in fs:
        if not any(future is other for other in seen):
            seen.append(future)
    if not all(future.done() for future in seen):
        _refuse("waiting for futures that nobody finishes")
    yield from seen
