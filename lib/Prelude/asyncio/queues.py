"""asyncio.queues"""
from collections import deque as _deque
from heapq import heappop as _pop, heappush as _push
from types import GenericAlias as _GenericAlias

from asyncio import events as _events, locks as _locks
from _ptc_torch import _refuse


class QueueEmpty(Exception):
    """There is no item."""


class QueueFull(Exception):
    """There is no room."""


class QueueShutDown(Exception):
    """Since Python 3.13."""


class Queue:
    __class_getitem__ = classmethod(_GenericAlias)

    def __init__(self, maxsize=0):
        self._ptc_most, self._ptc_getters, self._ptc_putters = maxsize, _deque(), _deque()
        self._ptc_unfinished, self._ptc_finished = 0, _locks.Event()
        self._ptc_finished.set()
        self._init(maxsize)

    def _init(self, maxsize):
        self._queue = _deque()

    def _get(self):
        return self._queue.popleft()

    def _put(self, item):
        self._queue.append(item)

    @property
    def maxsize(self):
        return self._ptc_most

    def qsize(self):
        return len(self._queue)

    def empty(self):
        return not self._queue

    def full(self):
        return 0 < self._ptc_most <= self.qsize()

    async def _ptc_wait(self, waiters, is_blocked):
        while is_blocked():
            waiter = _events.get_running_loop().create_future()
            waiters.append(waiter)
            try:
                await waiter
            except BaseException:
                waiter.cancel()
                if waiter in waiters:
                    waiters.remove(waiter)
                if not is_blocked() and not waiter.cancelled():
                    _wake(waiters)
                raise

    async def put(self, item):
        await self._ptc_wait(self._ptc_putters, self.full)
        return self.put_nowait(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._put(item)
        self._ptc_unfinished += 1
        self._ptc_finished.clear()
        _wake(self._ptc_getters)

    async def get(self):
        await self._ptc_wait(self._ptc_getters, self.empty)
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._get()
        _wake(self._ptc_putters)
        return item

    def task_done(self):
        if self._ptc_unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._ptc_unfinished -= 1
        if self._ptc_unfinished == 0:
            self._ptc_finished.set()

    async def join(self):
        if self._ptc_unfinished > 0:
            await self._ptc_finished.wait()

    def shutdown(self, immediate=False):
        _refuse("Queue.shutdown() of asyncio")


def _wake(waiters):
    while waiters:
        waiter = waiters.popleft()
        if not waiter.done():
            waiter.set_result(None)
            return


class PriorityQueue(Queue):
    def _init(self, maxsize):
        self._queue = []

    def _put(self, item):
        _push(self._queue, item)

    def _get(self):
        return _pop(self._queue)


class LifoQueue(Queue):
    def _init(self, maxsize):
        self._queue = []

    def _put(self, item):
        self._queue.append(item)

    def _get(self):
        return self._queue.pop()
