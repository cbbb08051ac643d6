"""asyncio.locks"""
from collections import deque as _deque

from _ptc_torch import _refuse
from asyncio import events as _events, exceptions as _exceptions


class _Managed:
    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, exc_type, exc, tb):
        self.release()

    async def _ptc_wait(self):
        """Until this waiter is woken."""
        waiter = _future()
        self._ptc_waiters.append(waiter)
        try:
            await waiter
        finally:
            self._ptc_waiters.remove(waiter)


def _future():
    return _events.get_running_loop().create_future()


class Lock(_Managed):
    def __init__(self):
        self._ptc_waiters, self._ptc_locked = _deque(), False

    def locked(self):
        return self._ptc_locked

    async def acquire(self):
        if not self._ptc_locked and all([w.cancelled() for w in self._ptc_waiters]):
            self._ptc_locked = True
            return True
        try:
            await self._ptc_wait()
        except _exceptions.CancelledError:
            if not self._ptc_locked:
                self._ptc_wake()
            raise
        self._ptc_locked = True
        return True

    def release(self):
        if not self._ptc_locked:
            raise RuntimeError("Lock is not acquired.")
        self._ptc_locked = False
        self._ptc_wake()

    def _ptc_wake(self):
        if self._ptc_waiters and not self._ptc_waiters[0].done():
            self._ptc_waiters[0].set_result(True)


class Event:
    def __init__(self):
        self._ptc_waiters, self._ptc_value = _deque(), False

    def is_set(self):
        return self._ptc_value

    def set(self):
        if not self._ptc_value:
            self._ptc_value = True
            for waiter in self._ptc_waiters:
                if not waiter.done():
                    waiter.set_result(True)

    def clear(self):
        self._ptc_value = False

    async def wait(self):
        if self._ptc_value:
            return True
        waiter = _future()
        self._ptc_waiters.append(waiter)
        try:
            await waiter
            return True
        finally:
            self._ptc_waiters.remove(waiter)


class Condition(_Managed):
    def __init__(self, lock=None):
        lock = Lock() if lock is None else lock
        self._ptc_lock, self._ptc_waiters = lock, _deque()
        self.locked, self.acquire, self.release = lock.locked, lock.acquire, lock.release

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        waiter = _future()
        self._ptc_waiters.append(waiter)
        try:
            await waiter
        except _exceptions.CancelledError:
            _refuse("cancelling a wait for a Condition of asyncio")
        finally:
            self._ptc_waiters.remove(waiter)
        await self.acquire()
        return True

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in [w for w in self._ptc_waiters if not w.done()][:n]:
            waiter.set_result(False)

    def notify_all(self):
        self.notify(len(self._ptc_waiters))


class Semaphore(_Managed):
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._ptc_waiters, self._ptc_value = _deque(), value

    def locked(self):
        return self._ptc_value == 0 or any([not w.cancelled() for w in self._ptc_waiters])

    async def acquire(self):
        if not self.locked():
            self._ptc_value -= 1
            return True
        try:
            await self._ptc_wait()
        except _exceptions.CancelledError:
            _refuse("cancelling a wait for a Semaphore of asyncio")
        if self._ptc_value > 0:
            self._ptc_wake()
        return True

    def release(self):
        self._ptc_value += 1
        self._ptc_wake()

    def _ptc_wake(self):
        for waiter in self._ptc_waiters:
            if not waiter.done():
                self._ptc_value -= 1
                waiter.set_result(True)
                return


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._ptc_bound = value

    def release(self):
        if self._ptc_value >= self._ptc_bound:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()
