"""threading: threads that run to their end when they are started, which is an order that CPython may take, too.

So there is one thread that runs, and those that wait for it: who would wait for another one waits for ever, or until its timeout.
"""
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


def _check_end(timeout, what):
    """Of a wait for what does not come: nobody else runs before its end, but where a thread waits, who started it goes on in CPython."""
    if timeout is None or timeout > 0 and _current is not _main:
        _refuse(what)


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
            if waits:
                _check_end(None if timeout == -1 else timeout, "a lock that nobody releases")
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

    def __init__(self):
        self._ptc_count = 0
        self._ptc_owner = None

    def acquire(self, blocking=True, timeout=-1):
        waits = _check_wait(blocking, timeout)
        if self._ptc_count and self._ptc_owner is not _current:
            if waits:
                _check_end(None if timeout == -1 else timeout, "a lock that another thread holds, which waits for this one")
            return False
        self._ptc_count += 1
        self._ptc_owner = _current
        return True

    def release(self):
        if not self._ptc_count or self._ptc_owner is not _current:
            raise RuntimeError("cannot release un-acquired lock")
        self._ptc_count -= 1

    def _is_owned(self):
        return self._ptc_count > 0 and self._ptc_owner is _current


def Lock():
    return _Lock()


def RLock():
    return _RLock()


class Event:
    def __init__(self):
        self._ptc_set = False

    def is_set(self):
        if not self._ptc_set and _current is not _main:
            _refuse("asking in a thread for an event that is not set: who started it may set it at any time")
        return self._ptc_set

    def set(self):
        self._ptc_set = True

    def clear(self):
        self._ptc_set = False

    def wait(self, timeout=None):
        if not self._ptc_set:
            _check_end(timeout, "waiting for an event that nobody sets")
            if timeout > 0:
                _check_wait(True, timeout)
        return self._ptc_set

    def __repr__(self):
        _refuse("the text of an event")


class Condition:
    """Nobody else runs while a thread waits, so that a wait ends by its timeout alone."""

    def __init__(self, lock=None):
        self._ptc_lock = RLock() if lock is None else lock
        self.acquire = self._ptc_lock.acquire
        self.release = self._ptc_lock.release

    def __enter__(self):
        return self._ptc_lock.__enter__()

    def __exit__(self, *exc):
        return self._ptc_lock.__exit__(*exc)

    def _ptc_check(self, what):
        if not (self._ptc_lock._is_owned() if hasattr(self._ptc_lock, "_is_owned") else self._ptc_lock.locked()):
            raise RuntimeError(f"cannot {what} on un-acquired lock")

    def wait(self, timeout=None):
        self._ptc_check("wait")
        _check_end(timeout, "waiting for a condition that nobody notifies")
        return False

    def wait_for(self, predicate, timeout=None):
        result = predicate()
        if not result:
            self.wait(timeout)
            result = predicate()
        return result

    def notify(self, n=1):
        self._ptc_check("notify")

    def notify_all(self):
        self.notify()

    def __repr__(self):
        _refuse("the text of a condition")


class Semaphore:
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value:
            if blocking:
                _check_end(timeout, "waiting for a semaphore that nobody releases")
            return False
        self._value -= 1
        return True

    __enter__ = acquire

    def __exit__(self, *exc):
        self.release()

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n

    def __repr__(self):
        _refuse("the text of a semaphore")


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        self._value += n


class _Arguments:
    _ptc_known_as = "threading.ExceptHookArgs"

    def __init__(self, exc_type, exc_value, exc_traceback, thread):
        self.exc_type, self.exc_value, self.exc_traceback, self.thread = exc_type, exc_value, exc_traceback, thread


def excepthook(args, /):
    """What it writes to standard error is left out."""


_started = 0          # threads without a name of their own, which are numbered


class Thread:
    def __init__(self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None, context=None):
        if group is not None:
            raise AssertionError("group argument must be None for now")
        if context is not None:
            _refuse("a thread with a context")
        if name is None:
            global _started
            _started += 1
            name = f"Thread-{_started}"
            if target is not None and hasattr(target, "__name__"):
                name = f"{name} ({target.__name__})"
        self._name = str(name)
        self._target, self._args, self._kwargs = target, args, {} if kwargs is None else kwargs
        self._daemonic = current_thread().daemon if daemon is None else daemon
        self._ptc_state = 0          # 1: runs, 2: has ended
        self._ptc_modes = None       # of torch, while another thread runs; None: as they are at first

    @property
    def name(self):
        return self._name

    @name.setter
    def name(self, name):
        self._name = str(name)

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    @property
    def daemon(self):
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic):
        if self._ptc_state == 1:
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemonic = daemonic

    @property
    def ident(self):
        if self._ptc_state:
            _refuse("the number of a thread")
        return None

    native_id = ident

    def is_alive(self):
        return self._ptc_state == 1

    def run(self):
        try:
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        finally:
            del self._target, self._args, self._kwargs

    def start(self):
        if self._ptc_state:
            raise RuntimeError("threads can only be started once")
        self._ptc_state = 1
        try:
            _run_in(self, self.run)
        except SystemExit:
            pass
        except BaseException as problem:
            excepthook(_Arguments(type(problem), problem, problem.__traceback__, self))
        self._ptc_state = 2

    def join(self, timeout=None):
        if not self._ptc_state:
            raise RuntimeError("cannot join thread before it is started")
        if self is _current:
            raise RuntimeError("cannot join current thread")
        if self._ptc_state == 1:
            _refuse("a thread that waits for one that waits for it")

    def __repr__(self):
        if self._ptc_state:
            _refuse("the text of a thread")
        return f"<{type(self).__name__}({self._name}, initial{' daemon' if self._daemonic else ''})>"


class _MainThread(Thread):
    def __init__(self):
        self._name, self._daemonic, self._ptc_state, self._ptc_modes = "MainThread", False, 1, None


_main = _current = _MainThread()


def _run_in(thread, function):
    """Calls the function as what `thread` does: modes of torch are each thread's own, and begin as they are at first."""
    global _current
    import torch
    from _ptc_torch import _set_thread_modes, _thread_modes
    if torch.is_inference_mode_enabled():
        _refuse("a thread that is started in inference mode")
    caller, _current = _current, thread
    caller._ptc_modes = _thread_modes()
    _set_thread_modes(thread._ptc_modes)
    try:
        return function()
    finally:
        thread._ptc_modes = _thread_modes()
        _current = caller
        _set_thread_modes(caller._ptc_modes)


def current_thread():
    return _current


def main_thread():
    return _main


class local:
    """Attributes of each thread: those of the main thread lie in the object, the others' in the threads."""

    def __getattribute__(self, name):
        if _current is _main or name.startswith("__") and name != "__dict__":
            return object.__getattribute__(self, name)
        if name == "__dict__":
            return _values_of(self)
        values = _values_of(self)
        if name in values:
            return values[name]
        raise AttributeError(f"'_thread._local' object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if _current is _main:
            object.__setattr__(self, name, value)
        else:
            _values_of(self)[name] = value

    def __delattr__(self, name):
        if _current is _main:
            object.__delattr__(self, name)
        elif name in _values_of(self):
            del _values_of(self)[name]
        else:
            raise AttributeError(f"'_thread._local' object has no attribute {name!r}")


def _values_of(holder):
    if type(holder) is not local:
        _refuse("an object of a class derived from threading.local in another thread, where its __init__() runs again")
    return _current.__dict__.setdefault("_ptc_locals", {}).setdefault(id(holder), {})
