"""What model code builds from collections, itertools and functools: caches, counters, schedules, tables."""
import collections
import contextlib
import functools
import itertools
import math
import operator
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from typing import Callable, Iterable, Iterator, Sequence


@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


@functools.lru_cache(maxsize=2)
def squared(n, *, scale=1):
    calls.append(n)
    return n * n * scale


calls = []
print(fib(80), fib.cache_info().misses, fib.cache_info().hits > 70)
print([squared(n) for n in (1, 2, 1, 3, 2, 2)], squared(2, scale=3), calls, squared.cache_info())
squared.cache_clear()
print(squared.cache_info(), squared.__wrapped__(5), squared.__name__)


class Model:
    def __init__(self):
        self.builds = 0

    @functools.cached_property
    def table(self):
        self.builds += 1
        return {i: i ** 2 for i in range(4)}

    @functools.singledispatchmethod
    def show(self, x):
        return f"object {x}"

    @show.register
    def _(self, x: int):
        return f"int {x}"

    @show.register(list)
    def _(self, x):
        return "list " + ",".join(map(self.show, x))


m = Model()
print(m.table, m.table is m.table, m.builds, m.show(1), m.show([1, "a", [2]]), m.show(1.5))


@functools.total_ordering
class Version:
    def __init__(self, text):
        self.parts = tuple(int(p) for p in text.split("."))

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts

    def __repr__(self):
        return "v" + ".".join(map(str, self.parts))


versions = [Version(t) for t in ("1.10", "1.2.3", "1.2", "0.9")]
print(sorted(versions), max(versions), Version("1.2") >= Version("1.2"), Version("2") > Version("1.9"))


def timed(label=None, *, log):
    def wrap(f):
        @functools.wraps(f)
        def inner(*args, **kwargs):
            log.append((label or f.__name__, len(args), sorted(kwargs)))
            return f(*args, **kwargs)
        inner.log = log
        return inner
    return wrap


log = []


@timed(log=log)
@timed("outer", log=log)
def step(a, b=2, *rest, c=3, **more):
    """Doc of step."""
    return a + b + c + sum(rest) + sum(more.values())


print(step(1), step(1, 2, 3, c=4, d=5), step.__name__, step.__doc__, log, step.log is log)
add3 = functools.partial(step, 3, c=10)
print(add3(), add3(1, 1), add3(c=0), add3.args, add3.keywords, add3.func is step)
print(functools.reduce(lambda a, b: a * b, range(1, 6)), functools.reduce(operator.mul, [], 7))

od = OrderedDict([("conv", 1), ("relu", 2), ("fc", 3)])
od.move_to_end("conv")
od["bn"] = 4
print(od.popitem(last=False), list(od.items()), list(reversed(od)), od == OrderedDict(od), od == {"bn": 4, "fc": 3, "conv": 1})
dd = defaultdict(list)
for word in "the cat the dog a cat".split():
    dd[word[0]].append(word)
dd["z"]
print(dict(dd), dd["q"] == [], sorted(dd), dd.default_factory is list)
nested = defaultdict(lambda: defaultdict(int))
for a, b in [("x", "y"), ("x", "z"), ("x", "y")]:
    nested[a][b] += 1
print({k: dict(v) for k, v in nested.items()})
c = Counter("abracadabra")
print(c.most_common(2), c["z"], sum(c.values()), c + Counter("abc"), c - Counter("aaab"), c & Counter("aab"), c | Counter("zz"), sorted(c.elements())[:6])
c.update("zzz")
c.subtract("a")
print(c["z"], c["a"], c.total(), Counter(a=1) == Counter({"a": 1}))
d = deque(range(5), maxlen=5)
d.append(5)
d.appendleft(-1)
d.rotate(2)
print(d, d[0], d[-1], list(itertools.islice(d, 1, 3)), d.count(3), d.maxlen, d.popleft(), d.pop(), len(d))
d.extendleft([8, 9])
d.remove(8)
print(d, 9 in d, d.index(9), deque([1]) + deque([2]), list(reversed(d)))
cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(cm["a"], cm["b"], sorted(cm), cm.new_child({"b": 0})["b"], len(cm), cm.maps)
P = namedtuple("P", "x y z", defaults=(0, 0))
print(P(1), P(1, 2)._asdict(), P._fields, P(3, z=4), P.__name__, P(1) + (2,), P._field_defaults)

it = itertools
print(list(it.chain([1], (2, 3), "a")), list(it.chain.from_iterable([[1], [2]])), list(it.accumulate([1, 2, 3], operator.mul)), list(it.accumulate([1, 2], initial=10)))
print(list(it.combinations("abc", 2)), list(it.permutations([1, 2, 3], 2))[:4], list(it.product([0, 1], repeat=2)), list(it.product("ab", [1, 2])), list(it.combinations_with_replacement("ab", 2)))
print([(k, list(g)) for k, g in it.groupby([1, 3, 2, 4, 5], key=lambda n: n % 2)], list(it.zip_longest([1, 2], "a", fillvalue=None)), list(it.pairwise([1, 2, 3])), list(it.starmap(pow, [(2, 3), (3, 2)])))
print(list(it.takewhile(lambda n: n < 3, it.count(1))), list(it.dropwhile(lambda n: n < 3, [1, 3, 1])), list(it.islice(it.cycle("ab"), 5)), list(it.repeat(7, 2)), list(it.compress("abc", [1, 0, 1])), list(it.filterfalse(None, [0, 1, 2])))
a, b = it.tee(iter([1, 2, 3]))
print(next(a), list(b), list(a))


def batches(items: Iterable[int], size: int) -> Iterator[list]:
    batch: list = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def running_mean():
    total, n, value = 0.0, 0, None
    while True:
        try:
            got = yield value
        except KeyError as e:
            got = e.args[0]
        if got is None:
            return f"{n} values"
        total, n = total + got, n + 1
        value = total / n


print(list(batches(range(7), 3)))
g = running_mean()
next(g)
print(g.send(2), g.send(4), g.throw(KeyError(9)))
try:
    g.send(None)
except StopIteration as e:
    print("stopped", e.value)


def delegated():
    result = yield from (n * n for n in range(3))
    inner = yield from running()
    return [result, inner]


def running():
    try:
        yield "in"
    finally:
        print("closed")
    return "done"


g = delegated()
print([next(g) for _ in range(4)])
g.close()
print(list(delegated()))


def schedule(step, warmup=3, total=10, *, floor=0.1):
    if step < warmup:
        return step / warmup
    progress = min(1.0, (step - warmup) / max(1, total - warmup))
    return max(floor, 0.5 * (1 + math.cos(math.pi * progress)))


print([round(schedule(s), 4) for s in range(12)])


class Tracker(contextlib.AbstractContextManager):
    def __init__(self, name, swallow=()):
        self.name, self.swallow, self.events = name, swallow, []

    def __enter__(self):
        self.events.append("enter")
        return self

    def __exit__(self, kind, value, tb):
        self.events.append(kind.__name__ if kind else "exit")
        return kind is not None and issubclass(kind, self.swallow)


with Tracker("a", (KeyError, ValueError)) as t, contextlib.suppress(ZeroDivisionError):
    1 / 0
with t:
    raise KeyError("k")
print(t.events)
with contextlib.ExitStack() as stack:
    ts = [stack.enter_context(Tracker(n)) for n in "xy"]
    stack.callback(print, "callback")
    stack.push(lambda *e: print("pushed", e[0]) or False)
print([t.events for t in ts])
try:
    with Tracker("b") as t:
        raise ValueError("v")
except ValueError as e:
    print(t.events, e, e.__context__)
