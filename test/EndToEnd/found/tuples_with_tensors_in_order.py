import collections
import dataclasses
import heapq

import torch

Pair = collections.namedtuple("Pair", "rank value")


@dataclasses.dataclass(order=True)
class Task:
    rank: int
    value: object


def ranks(items):
    return [item[0] for item in items]


def outcome(f):
    try:
        return f()
    except RuntimeError as error:
        return str(error)


def constant(x):
    pairs = [(3, x), (1, x + 1), (2, x), (0, x)]
    named = [Pair(2, x), Pair(3, x), Pair(1, x)]
    lists = [[2, x], [3, x], [1, x]]
    d = {"b": x, "a": x + 1, "c": x + 2}
    own = pairs[:]
    own.sort(reverse=True)
    heap = pairs[:]
    heapq.heapify(heap)
    return (ranks(sorted(d.items())), ranks(sorted(pairs)), ranks(sorted(pairs, reverse=True)), ranks(sorted(named)),
            ranks(sorted(lists)), ranks(own), ranks(sorted(sorted(pairs))), ranks(sorted(enumerate([x, x, x]), reverse=True)),
            [item[1] for item in sorted([((2, x), 1), ((1, x), 2), ((3, x), 0)])], [t.rank for t in sorted([Task(2, x), Task(3, x), Task(1, x)])],
            sorted(pairs)[0][1], ranks(heapq.nsmallest(2, pairs)), ranks(heapq.nlargest(3, pairs)), ranks([heapq.heappop(heap) for _ in range(4)]),
            ranks(heapq.merge(sorted(pairs), [(1.5, x)])), max(pairs)[0], min(pairs)[0], ranks(sorted([(1, x), (1, x, 2), (1, x)], key=lambda item: item[:1])),
            [len(item) for item in sorted([(1, x, 2), (1, x), (1, x, 1)])], ranks(sorted([("b", 1, x), ("a", 2, x), ("a", 1, x)])))


def compared(x):
    """The tensors are asked where nothing before them decides and they are not one object."""
    y = x.clone()
    # Of one element, which may be a NaN, the smallest are not computed, and no handler may see that.
    smallest = outcome if x.numel() > 1 else lambda f: f()
    return (outcome(lambda: ranks(sorted([(1, x), (1, y), (0, x)]))), outcome(lambda: ranks(sorted([(1, x), (2, x), (1, x)]))),
            outcome(lambda: sorted([(1, x), (1, y)]) and 1), smallest(lambda: ranks(heapq.nsmallest(2, [(1, x), (0, x), (1, y)]))),
            outcome(lambda: sorted([("a", x), ("a", x + 1), ("a", x - 1)])[0][1]), outcome(lambda: ranks(sorted([Pair(1, x), Pair(1, y), Pair(0, x)]))))


def of_the_run(x, scores):
    """The first parts are known when the program runs."""
    boxes = [x, x + 1, x + 2]
    found = outcome(lambda: sorted(zip(scores.tolist(), boxes)))
    back = outcome(lambda: sorted(zip(scores, boxes), reverse=True))
    lists = outcome(lambda: sorted([[s] for s in scores.tolist()]))
    return found, back, lists


def entry(x, scores):
    return constant(x), constant(x[0]), compared(x), compared(x[:1]), of_the_run(x, scores), of_the_run(x[1], scores)
