"""heapq: a list whose item i is not larger than items 2i+1 and 2i+2.

Items sink to a leaf and rise again, as in CPython: the order inside the list is the same.
"""


def _rise(heap, first, at):
    item = heap[at]
    while at > first:
        parent = (at - 1) // 2
        if not item < heap[parent]:
            break
        heap[at] = heap[parent]
        at = parent
    heap[at] = item


def _sink(heap, at):
    first = at
    n = len(heap)
    item = heap[at]
    child = 2 * at + 1
    while child < n:
        if child + 1 < n and not heap[child] < heap[child + 1]:
            child += 1
        heap[at] = heap[child]
        at = child
        child = 2 * at + 1
    heap[at] = item
    _rise(heap, first, at)


def heappush(heap, item, /):
    heap.append(item)
    _rise(heap, 0, len(heap) - 1)


def heappop(heap, /):
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
    if not heap:
        raise IndexError("index out of range")
    result = heap[0]
    heap[0] = item
    _sink(heap, 0)
    return result


def heappushpop(heap, item, /):
    if heap and heap[0] < item:
        result = heap[0]
        heap[0] = item
        _sink(heap, 0)
        return result
    return item


def heapify(x, /):
    for i in range(len(x) // 2 - 1, -1, -1):
        _sink(x, i)


def nlargest(n, iterable, key=None):
    items = sorted(iterable, key=key, reverse=True)
    return items[:n] if n > 0 else []


def nsmallest(n, iterable, key=None):
    items = sorted(iterable, key=key)
    return items[:n] if n > 0 else []


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
