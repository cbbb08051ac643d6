"""threading: locks and events of the one thread that there is. Others are not started, so waiting for one has no end."""
from operator import index as _index

from _ptc import _python_minor
from _ptc_torch import _refuse

TIMEOUT_MAX = 9223372036.0


def _check_wait(blocking, timeout):
    """Raises what acquire() does of its arguments; gives whether it waits."""
    minor = _python_minor()
    if minor < 12:
        blocking = _index(blocking)
        if not -1 << 31 <= blocking < 1 << 31:
            raise OverflowError(f"signed integer is {'less than minimum' if blocking < 0 else 'greater than maximum'}")
    if not isinstance(timeout, float):
        if not hasattr(type(timeout), "__index__"):
            kind = type(timeout).__name__
            raise TypeError(f"must be real number, not {kind}" if minor >= 15 else
                            f"'{kind}' object cannot be interpreted as an integer{' or float' if minor == 14 else ''}")
        timeout = _index(timeout)
    if timeout != timeout:
        raise ValueError("Invalid value NaN (not a number)")
    if abs(timeout) > TIMEOUT_MAX:
        _refuse("a timeout beyond threading.TIMEOUT_MAX")
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout != -1 and timeout < 0:
        raise ValueError("timeout value must be " + ("positive" if minor < 13 else "a non-negative number"))
    return True if blocking else False


class _Held:
    """What the locks have in common: how often they are held."""

    def __init__(self):
        self._ptc_count = 0

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exc):
        self.release()

    def __repr__(self):
        _refuse("the text of a lock")

    def __reduce_ex__(self, protocol):
        raise TypeError(f"cannot pickle '{type(self)._ptc_known_as}' object")


class _Lock(_Held):
    _ptc_known_as = "_thread.lock"

    def acquire(self, blocking=True, timeout=-1):
        waits = _check_wait(blocking, timeout)
        if self._ptc_count:
            if waits and timeout == -1:
                _refuse("a lock that its own thread waits for")
            return False
        self._ptc_count = 1
        return True

    def release(self):
        if not self._ptc_count:
            raise RuntimeError("release unlocked lock")
        self._ptc_count = 0

    def locked(self):
        return self._ptc_count > 0


class _RLock(_Held):
    _ptc_known_as = "_thread.RLock"

    def acquire(self, blocking=True, timeout=-1):
        _check_wait(blocking, timeout)
        self._ptc_count += 1
        return True

    def release(self):
        if not self._ptc_count:
            raise RuntimeError("cannot release un-acquired lock")
        self._ptc_count -= 1


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
        if not self._ptc_set:
            if timeout is None:
                _refuse("waiting for an event that nobody sets")
            if timeout > 0:
                _check_wait(True, timeout)
        return self._ptc_set

    def __repr__(self):
        _refuse("the text of an event")
