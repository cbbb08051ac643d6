#!/usr/bin/env python3
"""Dicts, sets and lists that data fill, of one library for all sizes, against CPython.

    run_time_tables.py --ptc PTC [FILTER] [--target TARGET]... [--count N] [--seed S] [--every] [-j N] [-v]

Each program is a function of x (f32[N,3], N in 0..64) and compiled once, for all sizes. FORMS run; of REFUSED the diagnostic
is known. The random ones change a dict or a set whose keys data say in a loop, in ways that raise, alias and walk over what
they change: a result is CPython's, or the program is refused with a line. Without --every, FILTER or --target the library of a
program is made on one day of five.
"""
import random
import sys
from pathlib import Path

import one_library
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

HEAD = """\
import bisect
import heapq
import itertools
import torch
from collections import Counter, OrderedDict, defaultdict, deque


def entry(x):
"""
SIZES = [0, 1, 2, 3, 5, 8, 33, 64]
TARGETS = ["null", "x86-64"]
XS = "xs = (x[:, 0] * 2).long().tolist()\n"
YS = XS + "ys = (x[:, 1] * 2).long().tolist()\n"
COUNTED = XS + "d = {}\nfor v in xs:\n    d[v] = d.get(v, 0) + 1\n"
GRAPH = "n = len(x)\ng = (torch.cdist(x, x) < 1.5).tolist()\n"

FORMS = {
    # sets
    "how many differ": XS + "return len(set(xs)), len(xs) != len(set(xs))",
    "a set in order": XS + "return sorted(set(xs)), sorted(set(xs), reverse=True)",
    "members of a set": XS + "s = set(xs)\nreturn [v in s for v in range(-3, 4)], 0.0 in s, 1.5 in s, 'a' in s, None in s, (1,) in s",
    "other numbers in a set": YS + "s = set(xs)\nreturn sum(1 for v in ys if v in s), [v for v in ys if v not in s]",
    "the least and the greatest of a set": XS + "s = set(xs)\nreturn (min(s), max(s), sum(s)) if s else min(s, default=7)",
    "what was seen": XS + "seen = set()\nout = []\nfor v in xs:\n    if v not in seen:\n        seen.add(v)\n        out.append(v)\nreturn out, len(seen)",
    "what came twice": XS + "seen, twice = set(), set()\nfor v in xs:\n    if v in seen:\n        twice.add(v)\n    seen.add(v)\nreturn sorted(twice)",
    "a set comprehension": XS + "s = {v % 3 for v in xs}\nreturn sorted(s), len(s)",
    "a set of a generator": XS + "s = set(v // 2 for v in xs)\nreturn sorted(s)",
    "a set of pairs": YS + "s = set(zip(xs, ys))\nreturn len(s), (0, 0) in s, sorted(s)",
    "pairs that were seen": YS + "seen = set()\nn = 0\nfor p in zip(xs, ys):\n    if p in seen:\n        n += 1\n    seen.add(p)\nreturn n, len(seen)",
    "operators of sets": YS + "a, b = set(xs), set(ys)\nreturn len(a & b), sorted(a | b), sorted(a - b), sorted(a ^ b), a <= b, a < b, a >= b, a > b, a == b, a != b",
    "operators of sets in place": YS + "a, b = set(xs), set(ys)\nc, d, e, f = set(a), a.copy(), set(xs), set(ys)\nk = c\nc |= b\nd &= b\ne -= b\nf ^= a\nreturn sorted(c), sorted(d), sorted(e), sorted(f), c is k, len(a)",
    "methods of sets": YS + "a = set(xs)\nb = a.union(ys, [40, 41])\nc = a.intersection(ys)\nd = a.difference(ys, [0])\ne = a.symmetric_difference(ys)\nreturn sorted(b), sorted(c), sorted(d), sorted(e), a.issubset(b), a.issuperset(c), c.isdisjoint(d)",
    "a set and one that is known": XS + "a = set(xs)\nb = {0, 1, 2}\nreturn sorted(a & b), sorted(b & a), sorted(b - a), sorted(b | a), b <= a, b.issubset(a), b == a",
    "a known set is given what a set has": XS + "a = {0, 1}\na.update(set(xs))\na |= {50}\nreturn sorted(a)",
    "a set is discarded from": XS + "s = set(xs)\ns.discard(1)\ns.discard(77)\nt = s\nt.add(5)\nreturn sorted(s), len(t)",
    "what is not in a set is removed": XS + "s = set(xs)\ntry:\n    s.remove(1)\nexcept KeyError as e:\n    return str(e)\nreturn sorted(s)",
    "a set is cleared": XS + "s = set(xs)\nn = len(s)\ns.clear()\ns.add(n)\nreturn sorted(s), bool(s)",
    "a set in an object": XS + "class A: pass\na = A()\na.s = set()\nfor v in xs:\n    a.s.add(v)\nreturn len(a.s)",
    "sets on a condition": XS + "s = set(xs) if x.sum() > 0 else {1}\nreturn len(s), 1 in s",
    "numbers by their ranks": XS + "m = {v: i for i, v in enumerate(sorted(set(xs)))}\nreturn [m[v] for v in xs], len(m)",
    "many known numbers": "xs = (x.sum(0).repeat(8) * torch.arange(24)).long().tolist()\nreturn len(set(xs)), sorted(set(xs))",
    "many known numbers that were seen": "xs = (x.sum(0).repeat(8) * torch.arange(24)).long().tolist()\nseen = set()\nout = []\nfor v in xs:\n    if v not in seen:\n        seen.add(v)\n        out.append(v)\nreturn out",
    # dicts
    "counted by get": COUNTED + "return list(d.items()), len(d), sum(d.values()), bool(d)",
    "counted by a condition": XS + "d = {}\nfor v in xs:\n    if v in d:\n        d[v] += 1\n    else:\n        d[v] = 1\nreturn list(d.items())",
    "counted by setdefault": XS + "d = {}\nfor v in xs:\n    d.setdefault(v, 0)\n    d[v] += 1\nreturn list(d.items())",
    "counted by an exception": XS + "d = {}\nfor v in xs:\n    try:\n        d[v] += 1\n    except KeyError:\n        d[v] = 1\nreturn list(d.items())",
    "counted by a defaultdict": XS + "d = defaultdict(int)\nfor v in xs:\n    d[v] += 1\nreturn len(d), sorted(d.items()), d[99], len(d)",
    "a Counter": XS + "c = Counter(xs)\nreturn c[0], c[99], len(c), sum(c.values())",
    "the most common": XS + "c = Counter(xs)\nreturn c.most_common(1), c.most_common(3), c.most_common()",
    "a Counter in order": XS + "c = Counter(xs)\nreturn sorted(c, key=lambda v: (-c[v], v))",
    "a Counter of two lists": YS + "c = Counter(xs)\nc.update(ys)\nc.subtract(xs)\nreturn sorted(c.items())",
    "pairs of a dict": COUNTED + "s = 0\nfor k, v in d.items():\n    s = s * 3 % 1000003 + k * v\nreturn s",
    "keys of a dict": COUNTED + "s = 0\nfor k in d:\n    s = s * 3 % 1000003 + k\nfor k in d.keys():\n    s = s * 3 % 1000003 + d[k]\nreturn s, sorted(d), list(d), list(d.keys())",
    "values of a dict": COUNTED + "return list(d.values()), max(d.values(), default=0), sorted(d.values()), len(d.values()), 1 in d.keys()",
    "the key of the greatest value": COUNTED + "return max(d, key=d.get) if d else None, min(d, key=lambda k: (d[k], k)) if d else None",
    "a dict in the order of its values": COUNTED + "return sorted(d.items(), key=lambda p: -p[1]), sorted(d.items()), sorted(d.items(), key=lambda p: (p[1], p[0]), reverse=True)",
    "first places": XS + "first = {}\nfor i, v in enumerate(xs):\n    if v not in first:\n        first[v] = i\nreturn list(first.items())",
    "last places": XS + "d = {v: i for i, v in enumerate(xs)}\nreturn list(d.items()), len(d)",
    "two that add up": XS + "seen = {}\nfor i, v in enumerate(xs):\n    if 3 - v in seen:\n        return seen[3 - v], i\n    seen[v] = i\nreturn None",
    "a dict of pairs": YS + "d = {}\nfor a, b in zip(xs, ys):\n    d[a, b] = d.get((a, b), 0) + 1\nreturn sorted(d.items()), len(d), (0, 0) in d",
    "distinct in order": XS + "return list(dict.fromkeys(xs))",
    "values of tensors": XS + "d = {}\nfor i, v in enumerate(xs):\n    d[v] = x[i] * 2\ny = torch.zeros(3)\nfor k, t in d.items():\n    y = y * 0.5 + t * k\nreturn y",
    "a memo": XS + "memo = {}\ns = 0\nfor v in xs:\n    if v not in memo:\n        memo[v] = v * v + 1\n    s += memo[v]\nreturn s, len(memo)",
    "a memo of a sequence": "n = len(x)\nmemo = {0: 0, 1: 1}\nfor i in range(2, n):\n    memo[i] = (memo[i - 1] + memo[i - 2]) % 1000007\nreturn memo[max(n - 1, 0)]",
    "a key that is not there": COUNTED + "return d[2]",
    "what a missing key says": COUNTED + "try:\n    return d[2]\nexcept KeyError as e:\n    return str(e)",
    "a key is taken out": COUNTED + "a = d.pop(1, None)\nif 0 in d:\n    del d[0]\nreturn a, list(d.items())",
    "the last pair is taken out": COUNTED + "try:\n    p = d.popitem()\nexcept KeyError as e:\n    return str(e)\nreturn p, list(d.items())",
    "two names of a dict": COUNTED + "e = d\nf = d.copy()\ng = dict(d)\ne[7] = 1\nf[8] = 2\ng[9] = 3\nreturn list(d.items()), len(e), len(f), len(g), d is e, d == e",
    "dicts that are equal": COUNTED + "e = {}\nfor v in xs[::-1]:\n    e[v] = e.get(v, 0) + 1\na = d == e\ne[77] = 0\nreturn a, d == e, d != e",
    "a dict is given another one": YS + "d = {}\nfor v in xs:\n    d[v] = 1\ne = {5: 5}\nfor v in ys:\n    e[v] = 2\nd.update(e)\nreturn list(d.items())",
    "values change while they are walked over": COUNTED + "for k, v in d.items():\n    d[k] = v * 10\nreturn list(d.items())",
    "a dict grows while it is walked over": COUNTED + "try:\n    for k in d:\n        d[k + 100] = 1\nexcept RuntimeError as e:\n    return str(e), len(d)\nreturn len(d)",
    "keys are taken out of a dict by a list of them": COUNTED + "for k in list(d):\n    if k % 2:\n        del d[k]\nreturn list(d.items())",
    # methods of the program, and what changes meanwhile
    "Counters are compared by their counts": YS + "c, d = Counter(xs), Counter(xs)\nc[77] = 0\na = c == d, c != d, c <= d\nc.update(ys)\nreturn a, c == d, d <= c, d < c, c >= d, c > d",
    "OrderedDicts are compared in order": XS + "a, b = OrderedDict(), OrderedDict()\nfor v in xs:\n    a[v] = 1\nfor v in xs[::-1]:\n    b[v] = 1\nreturn a == b, a != b, a == dict(b), dict(a) == b",
    "a dict of a class with __eq__": XS + "class D(dict):\n    def __eq__(self, other):\n        return 'mine'\na = D()\nfor v in xs:\n    a[v] = 1\nreturn a == {}, {} == a, a != {1: 1}",
    "a set of a class with __lt__ and __eq__": XS + "class S(set):\n    def __lt__(self, other):\n        return 'lt'\n    def __eq__(self, other):\n        return 'eq'\na = S()\nfor v in xs:\n    a.add(v)\nreturn a < {1}, {1} > a, a == {1}, {1} == a",
    "a dict of a class with __ne__": XS + "class D(dict):\n    def __ne__(self, o):\n        return 'ne'\na = D()\nfor v in xs:\n    a[v] = 1\nreturn a != {}, {} != a, a == {}",
    "sets of subclasses are compared": XS + "class S(set):\n    pass\nclass T(S):\n    def __ge__(self, o):\n        return 'ge'\na, b = S(), T()\nfor v in xs:\n    a.add(v)\n    b.add(v)\nreturn a <= b, b <= a, a == b, b >= {1}, {1} <= b, a >= {1}",
    "a set and an object with __eq__": XS + "class S:\n    def __eq__(self, other):\n        return 'eq'\n    def __gt__(self, other):\n        return 'gt'\na = set(xs)\nreturn a == S(), S() == a, a < S()",
    "an object with __eq__ and a set": XS + "class S:\n    def __eq__(self, other):\n        return len(other) < 3\nreturn S() != set(xs), set(xs) != S()",
    "a set of a subclass and other objects": XS + "class S(set):\n    pass\na = S()\nfor v in xs:\n    a.add(v)\nreturn a == 5, a != 5, a == [1]",
    "a set of a class with __iter__": XS + "class S(set):\n    def __iter__(self):\n        return iter([5, 7])\na = S()\nfor v in xs:\n    a.add(v)\nreturn sorted(a), sum(a), min(a), max(a)",
    "the sum of a set and a start": XS + "return sum(set(xs), 5), sum(set(xs), True)",
    "a set is updated until a generator raises": XS + "def g():\n    for v in xs:\n        yield v + 1\n        if v > 1:\n            raise ValueError('g')\ns = set(xs)\ntry:\n    s.update(g())\nexcept ValueError as e:\n    return sorted(s), 1\nreturn sorted(s)",
    "a set is taken from until a generator raises": XS + "def g():\n    yield 0\n    if len(xs) > 2:\n        raise ValueError('g')\n    yield 1\ns = set(xs)\ntry:\n    s.difference_update(g())\nexcept ValueError as e:\n    return sorted(s), 1\nreturn sorted(s)",
    "a set is as it was where a generator raises": XS + "def g():\n    yield 0\n    if len(xs) > 2:\n        raise ValueError('g')\n    yield 1\ns = set(xs)\ntry:\n    s.intersection_update([0, 1, 2], g())\nexcept ValueError as e:\n    return sorted(s), 1\nreturn sorted(s)",
    "a known set is updated until a generator raises": "def g():\n    yield 40\n    if len(x) > 2:\n        raise ValueError('g')\n    yield 41\ns = {1}\ntry:\n    s.update(g())\nexcept ValueError as e:\n    return sorted(s), 1\nreturn sorted(s)",
    "a known set is taken from until a generator raises": "def g():\n    yield 40\n    if len(x) > 2:\n        raise ValueError('g')\n    yield 41\ns = {1, 40}\ntry:\n    s.difference_update(g())\nexcept ValueError as e:\n    return sorted(s), 1\nreturn sorted(s)",
    "a known set is updated by generators": "s = {1}\ns.update((v for v in (1, 2, 3)), [5], {6}, {7: 8}, range(2))\ns.difference_update((v for v in (2, 5)), [1])\nreturn sorted(s), list(s)",
    "a dict grows before a generator begins": COUNTED + "g = (k for k in d)\nd[200] = 3\ntry:\n    return list(g)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows before an iterator of pairs begins": COUNTED + "it = iter(d.items())\nd[200] = 3\ntry:\n    return list(it)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows before an iterator begins": COUNTED + "it = iter(d)\nd[200] = 3\ntry:\n    return next(it)\nexcept (RuntimeError, StopIteration) as e:\n    return type(e).__name__, str(e)",
    "a dict grows before enumerate() begins": COUNTED + "it = enumerate(d)\nd[200] = 3\ntry:\n    return list(it)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows before zip() begins": COUNTED + "it = zip(d, [1, 2])\nd[200] = 3\ntry:\n    return list(it)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows before map() begins": COUNTED + "it = map(abs, d.values())\nd[200] = 3\ntry:\n    return list(it)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows before filter() begins": COUNTED + "it = filter(None, d)\nd[200] = 3\ntry:\n    return list(it)\nexcept RuntimeError as e:\n    return str(e)",
    "a dict grows in the middle of a walk": COUNTED + "n = 0\ntry:\n    for k in d.values():\n        n += 1\n        if n == 2:\n            d[99] = 1\nexcept RuntimeError as e:\n    return str(e), n\nreturn n",
    "a key is taken out and the walk left": COUNTED + "for k in d:\n    if k > 0:\n        del d[k]\n        break\nreturn list(d.items())",
    "the first key is taken out": COUNTED + "if d:\n    k = next(iter(d))\n    del d[k]\nfor k in d:\n    d[k] += 1\nreturn list(d.items())",
    "a dict is given an object with keys": COUNTED + "class M:\n    def keys(self):\n        return [1, 2, 300]\n    def __getitem__(self, k):\n        return k + 1\nd.update(M())\nreturn list(d.items())",
    "a dict is given what is no pairs": COUNTED + "try:\n    d.update([(5, 6), (7, 8, 9)])\nexcept ValueError as e:\n    return str(e), list(d.items())\nreturn 0",
    "update() goes past __setitem__": XS + "class D(dict):\n    def __setitem__(self, k, v):\n        raise ValueError\nd = D()\nd.update({v: 1 for v in xs})\nreturn len(d)",
    "update() asks a class with keys": COUNTED + "class D(dict):\n    def __iter__(self):\n        return iter([7, 8])\n    def keys(self):\n        return [7, 8]\n    def __getitem__(self, k):\n        return 5\ne = D()\nfor v in xs:\n    dict.__setitem__(e, v, 1)\nd.update(e)\nreturn list(d.items())",
    "pairs that are in a dict": COUNTED + "k = d.items()\nreturn [(v, c) in k for v in range(-2, 3) for c in range(3)], (1,) in k, 5 in k, (1, 1, 1) in k",
    "a pair of a tensor that is in a dict": "d = {}\nfor i in range(len(x)):\n    d[i] = x[i].sum() * 0 + 4\nreturn (1, 4.0) in d.items(), (90, 4.0) in d.items(), (0, 5.0) in d.items()",
    "a frozenset of a class with __iter__": XS + "class F(frozenset):\n    def __iter__(self):\n        return iter([99])\ns, t, u = set(xs), set(xs), set(xs)\ns.update(F([1, 50]))\nt.difference_update(F([1, 50]))\nu.intersection_update(F([1, 50]))\nreturn sorted(s), sorted(t), sorted(u)",
    "a value that is in a dict": COUNTED + "return 1 in d.values()",
    # lists
    "runs as pairs": XS + "out = []\nfor v in xs:\n    if out and out[-1][0] == v:\n        out[-1] = (v, out[-1][1] + 1)\n    else:\n        out.append((v, 1))\nreturn out",
    "runs as two lists": XS + "vals, counts = [], []\nfor v in xs:\n    if vals and vals[-1] == v:\n        counts[-1] += 1\n    else:\n        vals.append(v)\n        counts.append(1)\nreturn vals, counts",
    "pairs in order": YS + "return sorted(zip(xs, ys)), sorted(zip(xs, ys), reverse=True), sorted(zip(xs, range(len(xs))), key=lambda p: p[0])",
    "columns of rows": "return [sum(c) for c in zip(*x.tolist())], [list(c) for c in zip(*x.tolist())]",
    "columns of pairs": YS + "p = list(zip(xs, ys))\na, b = zip(*p)\nreturn sum(a), sum(b)",
    "the first and the rest": XS + "if not xs:\n    return 0\na, *rest = xs\n*most, b = xs\nreturn a, sum(rest), rest, b, len(most)",
    "the first and the rest of rows": "a, *rest = x\nreturn a, len(rest)",
    "the first and the rest of pieces": "a, *rest = x.split(4)\nreturn a * 1, len(rest), [bool(r.sum() > 0) for r in rest]",
    "the first two, the last and the rest": XS + "try:\n    a, b, *c, d = xs\nexcept ValueError as e:\n    return str(e)\nreturn a, b, c, d",
    "as many as names": XS + "try:\n    a, b = xs\nexcept ValueError as e:\n    return str(e)\nreturn a, b",
    "pieces that are kept": "c = list(x.split(4))\nreturn [bool(p.sum() > 0) for p in c], len(c)",
    "chains of lists": YS + "s = 0\nfor v in itertools.chain(xs, ys, (1, 2), range(3)):\n    s = s * 3 % 10007 + v\nreturn s, sum(itertools.chain(xs, ys)), list(itertools.chain(ys, xs))",
    "a heap of pairs": "h = []\nfor i, v in enumerate((x[:, 0] * 2).long().tolist()):\n    heapq.heappush(h, (v, -i))\nout = []\nwhile h:\n    out.append(heapq.heappop(h))\nreturn out",
    "the largest and the smallest": XS + "h = []\nfor v in xs:\n    heapq.heappush(h, v)\n    if len(h) > 3:\n        heapq.heappop(h)\nreturn sorted(h)",
    "shortest paths": "n = len(x)\nw = (torch.cdist(x, x) * 10).long().tolist()\ndist = [10**9] * (n + 1)\ndone = [False] * n\ndist[0] = 0\nfor _ in range(n):\n    u = -1\n    for v in range(n):\n        if not done[v] and (u < 0 or dist[v] < dist[u]):\n            u = v\n    done[u] = True\n    for v in range(n):\n        if dist[u] + w[u][v] < dist[v]:\n            dist[v] = dist[u] + w[u][v]\nreturn dist",
    "a search by breadth": GRAPH + "if n == 0:\n    return 0\ndist = {0: 0}\nq = deque([0])\nwhile q:\n    u = q.popleft()\n    for v in range(n):\n        if g[u][v] and v not in dist:\n            dist[v] = dist[u] + 1\n            q.append(v)\nreturn sorted(dist.items())",
    "a search by breadth and a set": GRAPH + "if n == 0:\n    return 0\nseen = {0}\nq = [0]\nwhile q:\n    u = q.pop(0)\n    for v in range(n):\n        if g[u][v] and v not in seen:\n            seen.add(v)\n            q.append(v)\nreturn len(seen)",
    "elements set by index": XS + "a = []\nfor v in xs:\n    a.append(v)\nfor i in range(len(a)):\n    a[i] = a[i] * 2\n    a[-1] += 1\nb = a[:]\nif a:\n    a[0] = 5\nreturn a, b",
    "an element set behind the end": XS + "a = []\nfor v in xs:\n    a.append(v)\ntry:\n    a[3] = 7\n    a[-5] = 8\nexcept IndexError as e:\n    return str(e), a\nreturn a",
    "tensors set by index": "a = []\nfor r in x:\n    a.append(r)\nfor i in range(len(a) - 1):\n    a[i] = a[i + 1] + a[i]\nreturn torch.stack(a) if a else x",
    "rising numbers": XS + "t = []\nfor v in xs:\n    i = bisect.bisect_left(t, v)\n    if i == len(t):\n        t.append(v)\n    else:\n        t[i] = v\nreturn t",
}
REFUSED = {
    "the order of a set": (XS + "s = 0\nfor v in set(xs):\n    s = s * 3 + v\nreturn s", "program.py:11:5: error: the order of a set whose members the run decides"),
    "a list of a set": (XS + "return list(set(xs))", "the order of a set whose members the run decides"),
    "a member of a set": (XS + "s = set(xs)\nreturn s.pop()", "the order of a set whose members the run decides"),
    "a set in order by a key": (XS + "return sorted(set(xs), key=abs)", "the order of a set whose members the run decides"),
    "a set as a result": (XS + "return set(xs)", "a set whose members the run decides as a result"),
    "a dict as a result": (COUNTED + "return d", "a dict whose keys the run decides as a result"),
    "a set of floats": ("return len(set(x[:, 0].tolist()))", "a key of type 'float' of a dict or a set whose keys the run decides"),
    "a key of another type": (COUNTED + "d[1.5] = 1\nreturn len(d)", "a key of type 'float' of a dict or a set whose keys the run decides"),
    "a tensor looked for": (XS + "return x.sum() in set(xs)", "a key of type 'Tensor' of a dict or a set whose keys the run decides"),
    "the text of a set": (XS + "return str(set(xs))", "this use of a dict or a set whose keys the run decides"),
    "a frozenset": (XS + "return len(frozenset(xs))", "a frozenset whose members the run decides"),
    "the sum of a set behind an object": (XS + "class A:\n    def __init__(self, t=''):\n        self.t = t\n    def __add__(self, o):\n        return A(self.t + 'x' + str(o))\nreturn sum(set(xs), A()).t", "the order of a set whose members the run decides"),
    "the sum of a set behind a float": (XS + "return sum(set(xs), 0.1)", "the order of a set whose members the run decides"),
    "the sum of a set behind a tensor": (XS + "return sum(set(xs), torch.tensor(0.1))", "the order of a set whose members the run decides"),
    "keys are exchanged in a walk": (COUNTED + "n = 0\ntry:\n    for k in d:\n        n += 1\n        del d[k]\n        d[k + 1000] = 1\nexcept RuntimeError as e:\n    return str(e), n\nreturn n", "keys taken out of a dict and others put in while it is walked over"),
    "the last key is exchanged in a walk": ("xs = x[:, 0].long().tolist()\nd = {}\nfor v in xs:\n    d[v * 0] = 1\nn = 0\ntry:\n    for k in d:\n        n += 1\n        del d[k]\n        d[k + 1000] = 1\nexcept RuntimeError as e:\n    return str(e), n\nreturn n", "keys taken out of a dict and others put in while it is walked over"),
    "a key is put in again in a walk": (COUNTED + "n = 0\ntry:\n    for k in d:\n        n += 1\n        v = d.pop(k)\n        d[k] = v\n        if n > 200:\n            break\nexcept Exception as e:\n    return n\nreturn n", "keys taken out of a dict and others put in while it is walked over"),
    "a list that chain() goes through grows": (YS + "n = 0\ntry:\n    for v in itertools.chain(xs, ys):\n        n += 1\n        if n < 5:\n            xs.append(v)\nexcept RuntimeError:\n    return 'no', n\nreturn n", "a list that gets another length while itertools.chain() goes through it"),
    "a sort that may find a NaN": ("xs = x[:, 0].sqrt().tolist()\ntry:\n    return sorted(xs)\nexcept RuntimeError:\n    return 'no'", "the order of numbers of which one is NaN"),
    "an IntEnum looked for": (COUNTED + "import enum\nclass E(enum.IntEnum):\n    A = 1\nreturn d.get(E.A), E.A in d", "a key of type 'E' of a dict or a set whose keys the run decides"),
    "an int of a class looked for": (COUNTED + "class I(int):\n    pass\nreturn I(1) in d", "a key of type 'I' of a dict or a set whose keys the run decides"),
    "a str of a class looked for": (COUNTED + "class I(str):\n    pass\nreturn d.get(I('1')), I('1') in d", "a key of type 'I' of a dict or a set whose keys the run decides"),
    "an object looked for": (COUNTED + "class K:\n    def __eq__(self, o):\n        return o == 1\n    def __hash__(self):\n        return 1\nreturn d.get(K())", "a key of type 'K' of a dict or a set whose keys the run decides"),
    "an object as a key": (COUNTED + "class K:\n    def __eq__(self, o):\n        return o == 1\n    def __hash__(self):\n        return 1\nd[K()] = 1\nreturn len(d)", "a key of type 'K' of a dict or a set whose keys the run decides"),
    "the elements of a Counter": (XS + "return list(Counter(xs).elements())", "elements() of a Counter whose keys the run decides"),
    "a chain of a list of lists": (YS + "return list(itertools.chain.from_iterable([xs, ys]))", "itertools.chain.from_iterable() of lists whose lengths the run decides"),
    "a value of another type": (COUNTED + "d[0] = 'a'\nreturn len(d)", "gets an element of another dtype, shape, layout or kind"),
}


def random_program(seed):
    """A program that changes a dict or a set in a loop over numbers of data."""
    r = random.Random(seed)
    pairs, isSet = r.random() < 0.25, r.random() < 0.4

    def key():
        one = ["v", "v % 3", "v // 2", "abs(v)", "i", "ys[i]", "v + ys[i]", str(r.randint(-1, 3))]
        return f"({r.choice(one)}, {r.choice(one)})" if pairs else r.choice(one)

    def value():
        return r.choice(["i", "v", "n", "1", "v * i", "ys[i] - v"])

    def change(name):
        if isSet:
            return r.choice([f"{name}.add({key()})", f"{name}.add({key()})", f"{name}.discard({key()})", f"if {key()} not in {name}:\n    {name}.add({key()})\n    n += 1",
                             f"{name}.remove({key()})", f"n += len({name})", f"{name} = set({name})", f"{name} |= {{{key()}}}", f"{name} -= {{{key()}}}",
                             f"if len({name}) > 4:\n    {name}.clear()"])
        return r.choice([f"{name}[{key()}] = {value()}", f"{name}[{key()}] = {name}.get({key()}, 0) + 1", f"{name}.setdefault({key()}, {value()})",
                         f"n += {name}.pop({key()}, 3)", f"if {key()} in {name}:\n    n += 1\nelse:\n    {name}[{key()}] = {value()}", f"k = {key()}\nif k in {name}:\n    del {name}[k]",
                         f"n = n * 3 % 101 + {name}[{key()}]", f"{name}[{key()}] += 1", f"n += len({name})", f"{name} = {name}.copy()", f"if len({name}) > 5:\n    {name}.popitem()",
                         f"n += sum({name}.values()) % 7"])

    def indented(text, by):
        return "".join("    " * by + line + "\n" for line in text.split("\n"))

    lines = "d = set()\n" if isSet else r.choice(["d = {}\n", "d = {}\n", "d = defaultdict(int)\n", "d = Counter()\n"])
    if r.random() < 0.5:
        lines += f"d{'.add(' if isSet else '['}{'(0, 1)' if pairs else '0'}{')' if isSet else '] = 4'}\n"
    lines += "e = d\nn = 0\n"
    loop = [change(r.choice("dde")) for _ in range(r.randint(1, 3))]
    if r.random() < 0.3:
        loop.append(f"if n > {r.randint(3, 40)}:\n    break")
    lines += "for i, v in enumerate(xs):\n" + "".join(indented(one, 1) for one in loop)
    if not isSet and r.random() < 0.6:
        walks = ["for k in d:\n    n = n * 3 % 1009 + d[k]", "for k, q in d.items():\n    d[k] = q + 1", "for k in list(d):\n    if d[k] % 2:\n        del d[k]",
                 "for q in d.values():\n    n = n * 5 % 1009 + q", "for k, q in d.items():\n    if q > 2:\n        d[" + ("(k[0] + 9, 0)" if pairs else "k + 9") + "] = 0"]
        lines += r.choice(walks) + "\n"
    lines += "return " + ("sorted(d), sorted(e), n, d is e, d == e, len(d)" if isSet else "list(d.items()), list(e.items()), n, d is e, len(d)")
    caught = "try:\n" + indented(lines, 1) + "except (KeyError, RuntimeError) as error:\n    return type(error).__name__, str(error), " + ("sorted(e)" if isSet else "list(e.items())")
    return YS + caught


def check(ptc, body, target, text):
    """`text`: what a refusal says; None: it must not be refused; empty: it may be, with a line."""
    generator = torch.Generator().manual_seed(3)
    calls = [{"args": [{"$tensor": f"f32[{n},3]", "values": torch.randn(n, 3, generator=generator).tolist()}]} for n in SIZES]
    source = HEAD + "".join(f"    {line}\n" for line in body.split("\n"))
    difference, refusal = one_library.outcome(ptc, source, ["--input", "x=f32[N in 0..64,3]"], calls, target)
    if difference or (text and refusal is None):
        return f"{difference or 'not refused'}\n{body}"
    return f"refused: {refusal[:900]}" if refusal and (text is None or text not in refusal) else None


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: all")
    parser.add_argument("--count", type=int, default=40, help="random programs")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument("--every", action="store_true", help="every program on every target")
    args = parser.parse_args()
    every = args.every or args.filter or args.target
    made = {**{name: (body, None) for name, body in FORMS.items()},
            **{f"random {seed}": (random_program(seed), "") for seed in range(args.seed, args.seed + args.count)}}
    cases = [(f"{name} ({target})", (args.ptc, body, target, text)) for name, (body, text) in made.items() for target in args.target or TARGETS
             if every or target == "null" or runner.is_turn(f"{name} {target}")]
    return runner.run(cases + [(name, (args.ptc, body, "null", text)) for name, (body, text) in REFUSED.items()], check, args)


if __name__ == "__main__":
    sys.exit(main())
