"""threading: locks and events of the one thread that there is. Others are not started, so waiting for one has no end."""
from _ptc import _python_minor
from _ptc_torch import _refuse

TIMEOUT_MAX = 9223372036.0


def _check_wait(blocking, timeout):
    """Raises what acquire() does of its arguments."""
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout != -1 and timeout < 0:
        raise ValueError("timeout value must be " + ("positive" if _python_minor() < 13 else "a non-negative number"))


class _Lock:
    _ptc_known_as = "_thread.lock"

    def __init__(self):
        self._ptc_locked = False

    def acquire(self, blocking=True, timeout=-1):
        _check_wait(blocking, timeout)
        if self._ptc_locked:
            if blocking and timeout == -1:
                _refuse("a lock that its own thread waits for")
            return False
        self._ptc_locked = True
        return True

    def release(self):
        if not self._ptc_locked:
            raise RuntimeError("release unlocked lock")
        self._ptc_locked = False

    def locked(self):
        return self._ptc_locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()

    def __repr__(self):
        _refuse("the text of a lock")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle '_thread.lock' object")


class _RLock:
    _ptc_known_as = "_thread.RLock"

    def __init__(self):
        self._ptc_count = 0

    def acquire(self, blocking=True, timeout=-1):
        _check_wait(blocking, timeout)
        self._ptc_count += 1
        return True

    def release(self):
        if not self._ptc_count:
            raise RuntimeError("cannot release un-acquired lock")
        self._ptc_count -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()

    def __repr__(self):
        _refuse("the text of a lock")

    def __reduce_ex__(self, protocol):
        raise TypeError("cannot pickle '_thread.RLock' object")


def Lock():
    return _Lock()


def RLock():
    return _RLock()


class Event:
    def __init__(self):
        self._ptc_set = False

    def is_set(self):
        return self._ptc_set

    def set(self):
        self._ptc_set = True

    def clear(self):
        self._ptc_set = False

    def wait(self, timeout=None):
        if not self._ptc_set and timeout is None:
            _refuse("waiting for an event that nobody sets")
        return self._ptc_set

    def __repr__(self):
        _refuse("the text of an event")
