"""What functions keep of earlier calls: functools.lru_cache, tables that are filled once, and programs that can tell."""
import contextvars
import functools
import threading

import torch

CALLS = []


class _Plan:
    def __init__(self, n):
        self.n = n
        self.order = list(range(n))


@functools.lru_cache
def _plan(n):
    return _Plan(n)


@functools.lru_cache(maxsize=8)
def _apply(made, shape, scale=1):
    return {"sizes": [n * scale for n in shape], "n": made.n}


def nested(x):
    """Keyed by an object that another cache made in the call."""
    found = _apply(_plan(3), tuple(x.shape))
    more = _apply(_plan(3), tuple(x.shape), scale=2)
    again = _apply(_plan(4), tuple(x.shape))
    return x * found["n"] + sum(more["sizes"]) + sum(again["sizes"])


def same_in_call(x):
    return x + (_plan(3) is _plan(3)) + 2 * (_plan(3) is _plan(4))


@functools.cache
def _mask(n):
    return torch.arange(n) % 2


def tensors(x):
    return x * _mask(3) + _mask(2).sum() + _mask(3)


def by_data(x):
    if x.sum() > 3:
        a = _plan(3)
    else:
        a = _plan(5)
    return x + a.n + _plan(3).n + len(_plan(5).order)


def in_loop(x):
    n = 0
    while x.sum() < 40 and n < 6:
        x = x * 2 + _plan(2).n + _apply(_plan(2), (1, 2))["n"]
        n += 1
    return x, n


@functools.lru_cache
def _counted(n):
    CALLS.append(n)
    return n * 2


def with_effect(x):
    """The body runs once in all calls."""
    return x + _counted(3) + len(CALLS)


def written(x):
    """The list that the cache keeps grows with every call."""
    found = _plan(6)
    found.order.append(1)
    return x + len(found.order)


def written_tensor(x):
    m = _mask(3)
    m += 1
    return x + m


class Holder:
    last = None
    n = 1


HOLDER = Holder()


def outlives(x):
    """The program holds what the cache gave in the call before, and writes to it."""
    if HOLDER.last is not None:
        HOLDER.last.order.append(1)
    HOLDER.last = _plan(7)
    return x + len(HOLDER.last.order)


@functools.lru_cache
def _stale(key):
    return HOLDER.n


def reads_state(x):
    """What the first call saw is what all get."""
    r = x + _stale("a")
    HOLDER.n = HOLDER.n + 1
    return r


def counters(x):
    _plan(1), _plan(1), _plan(2)
    info = _plan.cache_info()
    return x + info.hits + 10 * info.misses + 100 * info.currsize


def cleared(x):
    before = _plan(9)
    _plan.cache_clear()
    return x + (_plan(9) is before)


@functools.lru_cache
def _kind(v):
    return type(v).__name__


def equal_keys(x):
    return x + len(_kind((1,))) + len(_kind((True,))) + len(_kind(2)) + len(_kind(2.0))


@functools.lru_cache
def _failing(n):
    if n > 2:
        raise ValueError("too many")
    return n


def raises(x):
    try:
        return x + _failing(2) + _failing(3)
    except ValueError as e:
        return x * 2 + len(str(e))


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
        self.tables = {}

    @functools.cached_property
    def sizes(self):
        return [len(self.weight), 4]

    @functools.lru_cache(None)
    def scaled(self, k):
        return self.weight.detach() * k

    def forward(self, x):
        if "plan" not in self.tables:
            self.tables["plan"] = _Plan(self.sizes[0])
        return self.scaled(2) * x + self.tables["plan"].n + sum(self.sizes)


layer = Layer().eval()
TABLE, NAMES, SEEN = {}, [], set()


def _lookup(n):
    if n not in TABLE:
        TABLE[n] = _Plan(n)
    return TABLE[n]


def filled_once(x):
    return x + _lookup(2).n + _lookup(3).order[2]


def filled_by_data(x):
    """Which entries the table has depends on the calls before; nothing that is returned does."""
    if x[0] > 3:
        x = x + _lookup(8).n
    if x[1] > 0:
        x = x + _lookup(9).n
    return x


def table_is_seen(x):
    """How many entries it has depends on the calls before, and is returned."""
    if x[0] > 3:
        _lookup(20)
    return x + len(TABLE)


def table_changes(x):
    entry = _lookup(30)
    entry.order.append(0)
    return x + len(entry.order)


def first_call(x):
    if "first" not in SEEN:
        SEEN.add("first")
        return x * 100
    return x


def prints_once(x):
    if "hello" not in NAMES:
        NAMES.append("hello")
        print("hello")
    return x + 1


def aliased(x):
    """What the table holds is held elsewhere, too."""
    if 40 not in TABLE:
        HOLDER.shared = TABLE[40] = [1]
    HOLDER.shared.append(2)
    return x + len(TABLE[40])


class _Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = torch.nn.BatchNorm1d(3, momentum=0.5)
        self.steps = 0
        self.scale = 1.0

    @functools.lru_cache(None)
    def mean(self, k):
        return self.bn.running_mean * k

    @functools.lru_cache(None)
    def weight(self, k):
        return self.bn.weight.detach() * k

    @functools.lru_cache(None)
    def mode(self):
        return self.training

    def forward(self, x):
        raise NotImplementedError


class StaleTensor(_Net):
    """What is cached has been computed from state that every call changes."""

    def forward(self, x):
        self.bn(torch.stack([x, x * 2]))
        return x + self.mean(2) + self.weight(3)


class StaleMode(_Net):
    def forward(self, x):
        was = self.mode()
        self.train(not self.training)
        return x + was + 2 * self.mode()


class SetAndRestored(_Net):
    """What the body reads is written before it, and as it was when the call ends."""

    @functools.lru_cache(None)
    def scaled(self):
        return self.scale * 2

    def forward(self, x):
        if x[0] > 3:
            self.scale = 5.0
        y = x * self.scaled()
        self.scale = 1.0
        return y


@functools.lru_cache
def _iterator(n):
    return iter(list(range(n)))


def iterators(x):
    return x + sum(_iterator(5))


@functools.lru_cache
def _random(n):
    return torch.rand(n)


def random_once(x):
    torch.manual_seed(3)
    return x + _random(3) + torch.rand(3)


@functools.lru_cache
def _branch(v, n):
    return [n, n + 1] if v else [n]


def branch_in_body(x):
    found = _branch(bool(x[0] > 3), 2)
    return x + sum(found) + len(_branch(True, 2))


@functools.lru_cache(maxsize=None)
def _fib(n):
    return n if n < 2 else _fib(n - 1) + _fib(n - 2)


def recursion(x):
    return x + _fib(12)


def local_cache(x):
    calls = []

    @functools.lru_cache
    def f(n):
        calls.append(n)
        return n * 2

    return x + f(2) + f(2) + f(3) + len(calls)


@functools.lru_cache
def _maker(o):
    o.seen = getattr(o, "seen", 0) + 1
    return o.seen


def writes_key(x):
    a = _Plan(2)
    return x + _maker(a) + _maker(a) + a.seen


@functools.lru_cache
def _text(v):
    return f"{v!r}"


def zeros(x):
    return x + len(_text(0.0)) + len(_text(-0.0)) + len(_text(0.5))


COUNTS = {}


def counts(x):
    COUNTS["a"] = COUNTS.get("a", 0) + 1
    return x + COUNTS["a"]


def counts_unseen(x):
    COUNTS["b"] = COUNTS.get("b", 0) + 1
    return x


def second_call_fails(x):
    if "done" in SEEN:
        raise KeyError("done")
    SEEN.add("done")
    return x


def printed_table(x):
    if x[0] > 3:
        _lookup(50)
    print(len(TABLE))
    return x


def returned_table(x):
    _lookup(2)
    return x, TABLE[2].order, TABLE[2].order


SHOWN, SHOWN_BY_NAME = [], {"old": [1]}


class _Shown:
    items = []


def shown_content(x):
    """What is made anew from constants in each call is part of the result, wherever it lies."""
    SHOWN.clear()
    SHOWN.append(3)
    SHOWN_BY_NAME["old"][:] = [len(SHOWN), 4]
    shown = _Shown()
    shown.items.clear()
    shown.items.append("t")
    return x + len(SHOWN), SHOWN, {"deep": (SHOWN_BY_NAME,)}, [shown.items]


def shown_by_exception(x):
    SHOWN[:] = ["a", "b"]
    raise KeyError(SHOWN)


def optional(x):
    if HOLDER.last is None:
        HOLDER.last = _Plan(2)
    return x + HOLDER.last.n


def flag_and_table(x):
    if "f" not in TABLE:
        TABLE["f"] = (1, 2)
        HOLDER.n = HOLDER.n + 1
    return x + HOLDER.n


@functools.lru_cache
def _double(n):
    return n * 2


RECENT = contextvars.ContextVar("recent", default=())


def context_variable(x):
    """The variable is as it was when the call ends."""
    token = RECENT.set([x, x + 1])
    y = x + _double(len(RECENT.get()))
    RECENT.reset(token)
    return y + len(RECENT.get())


def left_anew(x):
    """Every call leaves another list behind."""
    before = HOLDER.recent[0] if HOLDER.last is not None else x
    HOLDER.recent, HOLDER.last = [x * _double(3)], x
    return before + _double(2)


@functools.lru_cache
def _content(plan):
    return plan.n


def made_by_a_call(x):
    """What the body reads is of an object that the first call made, and changes after it."""
    plan = HOLDER.last
    if plan is None:
        HOLDER.last = _Plan(2)
        return x
    y = x + _content(plan)
    plan.n = plan.n + 1
    return y


LOCK = threading.Lock()


def under_a_lock(x):
    """It is free again when the call ends, so in all calls."""
    with LOCK:
        HOLDER.n = HOLDER.n + 1
        held = LOCK.locked()
    return x + HOLDER.n + held, LOCK.locked()


def set_and_restored_by_data(x):
    """In most calls the attribute is what it was."""
    was, HOLDER.n = HOLDER.n, 7
    y = x * HOLDER.n
    HOLDER.n = was + 1 if x[0] > 3 else was
    return y + HOLDER.n


class _Hooked(torch.nn.Module):
    """Hooks are put in by the first call, under a flag; they collect what the call's own list takes."""
    collected = None

    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.ReLU(), torch.nn.Hardtanh()
        self.lock = threading.Lock()

    def install(self):
        def collect(module, args, output):
            if self.collected is not None:
                self.collected.append(output)

        with self.lock:
            if not getattr(self, "installed", False):
                for part in (self.a, self.b):
                    part.register_forward_hook(collect)
                self.installed = True

    def run(self, x):
        self.install()
        self.collected = collected = []
        y = self.b(self.a(x) if x.sum() > 3 else x)
        self.collected = None
        return y, collected

    def forward(self, x):
        raise NotImplementedError


class HooksOnce(_Hooked):
    def forward(self, x):
        y, collected = self.run(x)
        return y, tuple(collected)


class HooksAreCounted(_Hooked):
    """A count beside the hooks that the result shows."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        y, collected = self.run(x)
        self.calls += 1
        return y + len(collected), self.calls


class FlagIsSeen(_Hooked):
    def forward(self, x):
        was = getattr(self, "installed", False)
        y, collected = self.run(x)
        return y + len(collected), was


class HooksAreDoubled(_Hooked):
    """The second call puts them in once more."""
    rounds = 0

    def forward(self, x):
        if self.rounds < 2:
            self.rounds += 1
            self.installed = False
        y, collected = self.run(x)
        return y, len(collected)
