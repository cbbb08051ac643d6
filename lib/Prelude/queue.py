"""queue: of one thread. What would wait for another one is refused."""
from collections import deque
from heapq import heappop, heappush
from _ptc_torch import _refuse

__all__ = ["Empty", "Full", "Queue", "PriorityQueue", "LifoQueue", "SimpleQueue"]


class Empty(Exception):
    _ptc_known_as = "_queue.Empty"


class Full(Exception):
    pass


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self._init(maxsize)
        self.unfinished_tasks = 0

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1

    def join(self):
        if self.unfinished_tasks:
            _refuse("queue.Queue.join(), which waits for another thread")

    def qsize(self):
        return self._qsize()

    def empty(self):
        return not self._qsize()

    def full(self):
        return 0 < self.maxsize <= self._qsize()

    def put(self, item, block=True, timeout=None):
        if 0 < self.maxsize <= self._qsize():
            if not block:
                raise Full
            if timeout is not None and timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            if timeout is None:
                _refuse("queue.Queue.put(), which waits for another thread")
            raise Full
        self._put(item)
        self.unfinished_tasks += 1

    def get(self, block=True, timeout=None):
        if not self._qsize():
            if not block:
                raise Empty
            if timeout is not None and timeout < 0:
                raise ValueError("'timeout' must be a non-negative number")
            if timeout is None:
                _refuse("queue.Queue.get(), which waits for another thread")
            raise Empty
        return self._get()

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def _init(self, maxsize):
        self.queue = deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()


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

    def get(self, block=True, timeout=None):
        if not self._ptc_items:
            if block and timeout is None:
                _refuse("queue.SimpleQueue.get(), which waits for another thread")
            raise Empty
        return self._ptc_items.popleft()

    def put_nowait(self, item):
        self.put(item)

    def get_nowait(self):
        return self.get(False)

    def empty(self):
        return not self._ptc_items

    def qsize(self):
        return len(self._ptc_items)
