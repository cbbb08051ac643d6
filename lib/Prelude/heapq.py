"""heapq: a list whose item i is not larger than items 2i+1 and 2i+2.

Items sink to a leaf and rise again, as in CPython: the order inside the list is the same.
"""
import operator

from _ptc import _is_grown
from _ptc_builtins import _compared_by_the_run


def _check(heap, what):
    if not isinstance(heap, list):
        raise TypeError(f"{what} must be list, not {'None' if heap is None else type(heap).__name__}")


def _rise(heap, first, at, down=False):
    """Takes an item to its place above; `down`: the largest item is the first."""
    item = heap[at]
    while at > first:
        parent = (at - 1) // 2
        if not (heap[parent] < item if down else item < heap[parent]):
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def _sink(heap, at, down=False):
    first = at
    n = len(heap)
    item = heap[at]
    child = 2 * at + 1
    while child < n:
        if child + 1 < n and not (heap[child + 1] < heap[child] if down else heap[child] < heap[child + 1]):
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _rise(heap, first, at, down)


def heappush(heap, item, /):
    _check(heap, "heappush() argument 1")
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
    _check(heap, "heappop() argument")
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    if not heap:
        return last
    result = heap[0]
    heap[0] = last
    _sink(heap, 0)
    return result


def heapreplace(heap, item, /):
    _check(heap, "heapreplace() argument 1")
    if not heap:
        raise IndexError("index out of range")
    result = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return result


def heappushpop(heap, item, /):
    _check(heap, "heappushpop() argument 1")
    if heap and heap[0] < item:
        result = heap[0]
        heap[0] = item
        _sink(heap, 0)
        return result
    return item


def heapify(x, /):
    _check(x, "heapify() argument")
    for i in range(len(x) // 2 - 1, -1, -1):
        _sink(x, i)


def _selected(n, iterable, key, larger):
    """The n smallest or largest items in order. Other items are compared with the worst of the selected alone, as
    CPython does: which are compared is visible, in __lt__ and in the result where < is no order."""
    items = list(iterable)
    if _is_grown(items):
        n = operator.index(n)
        return sorted(items, key=key, reverse=larger)[:n if n > 0 else 0]
    keys = items if key is None else [key(x) for x in items]
    n = operator.index(n)
    if n == 1:
        # The first of the best ones.
        best = (max if larger else min)(range(len(keys)), key=keys.__getitem__, default=None)
        return [] if best is None else [items[best]]
    if n >= len(items) and hasattr(iterable, "__len__") or _compared_by_the_run(keys):
        return [items[i] for i in sorted(range(len(keys)), key=keys.__getitem__, reverse=larger)][:n if n > 0 else 0]
    heap = [(keys[i], -i if larger else i) for i in range(min(n, len(items)))]
    if not heap:
        return []
    for i in range(len(heap) // 2 - 1, -1, -1):
        _sink(heap, i, not larger)
    for i in range(n, len(keys)):
        if heap[0][0] < keys[i] if larger else keys[i] < heap[0][0]:
            heap[0] = (keys[i], -i if larger else i)
            _sink(heap, 0, not larger)
    heap.sort(reverse=larger)
    return [items[abs(i)] for _, i in heap]


def nlargest(n, iterable, key=None):
    return _selected(n, iterable, key, True)


def nsmallest(n, iterable, key=None):
    return _selected(n, iterable, key, False)


def merge(*iterables, key=None, reverse=False):
    """The heads are compared one by one; the first of equal ones comes first."""
    its = [iter(it) for it in iterables]
    heads = []
    for it in its:
        for x in it:
            heads.append((x if key is None else key(x), x, it))
            break
    while heads:
        best = 0
        for i in range(1, len(heads)):
            if heads[best][0] < heads[i][0] if reverse else heads[i][0] < heads[best][0]:
                best = i
        k, value, it = heads[best]
        yield value
        for x in it:
            heads[best] = (x if key is None else key(x), x, it)
            break
        else:
            del heads[best]
