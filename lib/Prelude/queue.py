"""queue: of the one thread that runs. Those that wait for another thread, which has ended, would wait for ever."""
from collections import deque
from heapq import heappop, heappush
from _ptc import _python_minor
from threading import _check_end
from _ptc_torch import _refuse


__all__ = ["Empty", "Full", *(["ShutDown"] if _python_minor() >= 13 else []), "Queue", "PriorityQueue", "LifoQueue", "SimpleQueue"]


class Empty(Exception):
    _ptc_known_as = "_queue.Empty"


class Full(Exception):
    pass


class ShutDown(Exception):
    """Since Python 3.13."""


def _check_wait(block, timeout, is_ready, what, error):
    """Nobody else will change the queue any more: a wait that ends does so by its timeout."""
    if block and timeout is not None and timeout < 0:
        raise ValueError("'timeout' must be a non-negative number")
    if not is_ready:
        if block:
            _check_end(timeout, what)
        raise error


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._ptc_shut = False
        self._init(maxsize)

    def _init(self, maxsize):
        self.queue = deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        if self._ptc_shut:
            raise ShutDown
        if self.maxsize > 0:
            _check_wait(block, timeout, self._qsize() < self.maxsize, "a full queue that nobody takes from", Full)
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if self._ptc_shut and not self._qsize():
            raise ShutDown
        _check_wait(block, timeout, self._qsize(), "an empty queue that nobody puts into", Empty)
        return self._get()

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _refuse("a queue that waits for tasks that nobody finishes")

    def shutdown(self, immediate=False):
        if _python_minor() < 13:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'shutdown'")
        self._ptc_shut = True
        if immediate:
            while self._qsize():
                self._get()
                if self.unfinished_tasks > 0:
                    self.unfinished_tasks -= 1


class PriorityQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        heappush(self.queue, item)

    def _get(self):
        return heappop(self.queue)


class LifoQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.pop()


class SimpleQueue:
    _ptc_known_as = "_queue.SimpleQueue"

    def __init__(self):
        self._ptc_items = deque()

    def put(self, item, block=True, timeout=None):
        self._ptc_items.append(item)

    def put_nowait(self, item):
        self._ptc_items.append(item)

    def get(self, block=True, timeout=None):
        _check_wait(block, timeout, self._ptc_items, "an empty queue that nobody puts into", Empty)
        return self._ptc_items.popleft()

    def get_nowait(self):
        return self.get(block=False)

    def qsize(self):
        return len(self._ptc_items)

    def empty(self):
        return not self._ptc_items
