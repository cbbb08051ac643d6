#!/usr/bin/env python3
"""Seeded random Python programs with tensors: nested control flow on data, aliasing, state, effects.

    generate.py SEED [SIZE]        print the program of this seed

A program is one module with an entry `entry(x, y)` or `Net.forward(x, y)` over two f32[3] tensors. It
ends in eager: every `while` counts its passes, and what the sides may raise is mostly caught. Values
stay multiples of small powers of two, so that sums do not depend on their order.
"""
import random
import sys

PRELUDE = '''import contextlib
import math

import torch


class Box:
    total = 0

    def __init__(self, v, n=0):
        self.v, self.n, self.r = v, n, None

    def scaled(self, k):
        return Box(self.v * k, self.n + 1)

    def bump(self):
        self.n += 1
        return self


class Scope:
    def __init__(self, log, swallow=False):
        self.log, self.swallow = log, swallow

    def __enter__(self):
        self.log[0] += 1
        return self

    def __exit__(self, kind, value, tb):
        self.log[1] += 1 if kind is None else 10
        return self.swallow and kind is ValueError


class Part:
    pass


class Slotted:
    __slots__ = ("v", "w")


class Preset:
    v, w = torch.ones(3), 4


class Asked:
    def __getattr__(self, name):
        if name != "w":
            raise AttributeError(name)
        return 7


@contextlib.contextmanager
def shifted(t, k):
    t.add_(k)
    try:
        yield t
    finally:
        t.sub_(k)


g_n, g_t, g_flag = 0, None, False
'''

NET = '''

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("buf", torch.zeros(3))
        self.count, self.last, self.flag = 0, None, False

    def forward(self, x, y):
'''

TENSORS = ["a", "b", "c", "p.v", "q.v", "l[0]", "l[1]", "d['t']", "m[0]", "m[1]"]
OWN = ["self.buf"]


class Generator:
    def __init__(self, seed, size=14, depth=3):
        self.rng = random.Random(seed)
        self.left, self.max_depth = size, depth
        self.lines, self.counters, self.loops = [], 0, 0
        self.method = self.rng.random() < 0.3
        self.base = 2 if self.method else 1
        # Which optional ingredients this program uses: few at a time, so that programs differ in kind.
        self.uses = {k for k in ("random", "print", "objects", "views", "state", "try", "with", "yield",
                                 "lists", "dicts", "scalars", "matrix", "closures", "match", "comprehensions", "sizes",
                                 "arithmetic", "calls", "text")
                     if self.rng.random() < 0.55}
        # Two names for one thing, each of which a rule of joins and loops is about.
        self.aliases = random.Random(f"aliases {seed}").random() < 0.4
        self.paired = random.Random(f"paired {seed}")
        # Attributes that objects have on some sides only.
        self.partial = random.Random(f"partial {seed}")
        self.partials = self.partial.random() < 0.3
        # Operations that fail for some data, where the program notices.
        self.fallible = random.Random(f"fallible {seed}")
        self.fails = self.fallible.random() < 0.3
        # A tensor whose size the data decides.
        self.sized = random.Random(f"sized {seed}")
        self.resizes = self.sized.random() < 0.03
        # A generator that is resumed here and there.
        self.resumed = random.Random(f"resumed {seed}")
        self.resumes = self.resumed.random() < 0.2

    def pick(self, *xs):
        return self.rng.choice(xs)

    def chance(self, p):
        return self.rng.random() < p

    def on(self, ingredient, *xs):
        """The alternatives that an ingredient brings, if this program uses it."""
        return list(xs) if ingredient in self.uses else []

    # -- expressions ----------------------------------------------------------------------------

    def tensor(self):
        names = ["a", "b", "c", "a", "b", "c"]
        names += self.on("objects", "p.v", "q.v") + self.on("lists", "l[0]", "l[1]", "l[-1]")
        names += self.on("dicts", "d['t']") + self.on("matrix", "m[0]", "m[1]", "m.t()[:, 1]")
        names += ["self.buf"] if self.method else []
        return self.rng.choice(names)

    def target(self):
        """Where a new tensor may be stored."""
        names = ["a", "b", "c", "a", "b"]
        names += self.on("objects", "p.v", "q.v") + self.on("lists", "l[0]", "l[1]") + self.on("dicts", "d['t']")
        return self.rng.choice(names)

    def expr(self):
        t, u = self.tensor(), self.tensor()
        k = self.pick("0.5", "2", "1", "-1", "n", "k")
        forms = [f"{t} + {k}", f"{t} * 0.5", f"{t} - {u}", f"{t}.abs()", f"{u} + {t}", f"{t}.clone()", t, t,
                 f"torch.relu({t})", f"f({t})", f"torch.where({t} > 0, {t}, {u})", f"torch.maximum({t}, {u})",
                 f"torch.stack([{t}, {u}]).sum(0)", f"{t}.flip(0)", f"torch.cat([{t}[1:], {u}[:1]])",
                 f"{t}.clamp(-8, 8)", f"({t} if {self.cond()} else {u})", f"{t}.masked_fill({u} > 1, 0.5)",
                 f"{t} * ({u} > 0)", f"-{t}", f"{t}[[2, 0, 1]]"]
        forms += self.on("random", "torch.rand(3).round()", "torch.randint(0, 4, (3,)).float()", f"{t} + torch.rand(3).ceil()")
        forms += self.on("lists", "l[n % 2]", f"max([{t}, {u}], key=lambda v: v.sum().item())",
                         f"sorted([{t}, {u}, a], key=lambda v: v[0].item())[1]", f"sum([v * 0.5 for v in [{t}, {u}]])")
        forms += self.on("objects", f"p.scaled(0.5).v", "(p if n > k else q).v")
        forms += self.on("closures", f"inner({t})")
        forms += self.on("comprehensions", f"sum(v * 0.5 for v in ({t}, {u}, b))", f"[v + 1 for v in ({t}, {u}) if v.sum() > 0 or n > 1 or True][0]",
                         f"{{i: v for i, v in enumerate([{t}, {u}])}}[1]", f"torch.stack([v * n for v in ({t}, {u})]).sum(0)")
        forms += self.on("sizes", f"torch.cat([{t}[{t} > 0], {u}])[:3]", f"{t} + {u}[{u} > 1].sum()", f"{t} * len({u}.nonzero())",
                         f"torch.cat([{u}[:n % 3], {t}])[-3:]", f"{t} + torch.ones(abs(n) % 4).sum()")
        forms += self.on("calls", f"recur({t}, 2)", f"spread({t}, {u}, k=n)", f"spread(*[{t}, {u}])", f"(lambda v: v * 0.5 if n > k else v)({t})")
        forms += self.on("views", f"{t}.view(3)", f"{t}[:]", f"{t}.reshape(1, 3)[0]")
        return self.rng.choice(forms)

    def cond(self):
        t, u = self.tensor(), self.tensor()
        forms = [f"{t}.sum() > {self.pick(-2, 0, 1, 3)}", f"{t}.max() < {self.pick(0, 1, 2)}",
                 f"{t}.sum() > 0 and {u}.min() < 1", "n > k", "r is None", f"({t} > 1).any()",
                 f"{t}.sum() < 2 or n < 2", f"{t}[0] < {u}[1]", "n", f"not {t}.sum() > 0", f"{t}.norm() > 4",
                 f"0 < {t}.max() < 2", f"len({t}.nonzero()) > 1", f"n % 2 == {self.pick(0, 1)}"]
        forms += self.on("objects", "p is q", "p.n > q.n", "p.r is not None") + self.on("lists", "len(s) > 1", "s and s[0] > 1", "len(out) > 1")
        forms += self.on("dicts", "'e' in d", "d['n'] > 1", "len(d) > 2")
        forms += self.on("state", "g_flag", "g_n % 3 == 1", "g_t is None")
        forms += self.on("scalars", "w > 1.5", "int(w) == n", f"{t}.sum().item() > w")
        forms += self.on("comprehensions", f"any(v.sum() > 1 for v in ({t}, {u}))", f"all(v.min() < k for v in ({t}, {u}))")
        forms += self.on("sizes", f"len({t}[{t} > 0]) > len({u}[{u} > 0])", f"{t}.nonzero().numel() == 2", f"{t}[{t} > 1].sum() > 2")
        forms += self.on("arithmetic", "n // 2 == k", "n % 3 > k % 2", "min(n, k) < 1", "n in (0, 2, k)", "abs(n - k) >= 2", "-n // 2 < -1")
        forms += self.on("calls", "isinstance(r, torch.Tensor)", "a is b", f"(z := {t}.sum()) > 1 and z < 5", "callable(r)")
        forms += self.on("text", "name == 'v'", "name.startswith('u')", "name in ('u', 'w')")
        forms += ["self.flag", "self.count > 1", "self.last is None"] if self.method and "state" in self.uses else []
        return self.rng.choice(forms)

    # -- statements -----------------------------------------------------------------------------

    def emit(self, depth, text):
        self.lines.append("    " * (self.base - 1 + depth) + text)

    def block(self, depth, low, high):
        for _ in range(self.rng.randint(low, high)):
            self.statement(depth)

    def statement(self, d):
        self.left -= 1
        if self.aliases and self.chance(0.25):
            return self.alias(d)
        if self.partials and self.partial.random() < 0.3:
            return self.partial_attribute(d)
        if self.fails and self.fallible.random() < 0.25:
            return self.failure(d)
        if self.resizes and self.sized.random() < 0.3:
            return self.resized(d)
        if self.resumes and self.resumed.random() < 0.3:
            return self.resumption(d)
        if d > self.max_depth or self.left <= 0 or self.chance(0.5):
            return self.simple(d)
        kinds = [self.branch] * 5 + [self.while_loop if self.loops < 2 else self.branch] * 2
        kinds += [self.for_loop if self.loops < 2 else self.branch] * 2 + [self.leave_entry]
        kinds += self.on("try", self.try_block, self.try_block, self.try_finally)
        kinds += self.on("with", self.with_block) + self.on("match", self.match_block)
        self.rng.choice(kinds)(d)

    def branch(self, d):
        self.emit(d, f"if {self.cond()}:")
        self.block(d + 1, 1, 3)
        if self.chance(0.2):
            self.emit(d, f"elif {self.cond()}:")
            self.block(d + 1, 1, 2)
        if self.chance(0.6):
            self.emit(d, "else:")
            self.block(d + 1, 1, 2)

    def while_loop(self, d):
        i = f"i{self.counters}"
        self.counters += 1
        self.emit(d, f"{i} = 0")
        head = self.cond()
        if self.chance(0.15):
            self.emit(d, "while True:")
            self.emit(d + 1, f"if not ({head}):")
            self.emit(d + 2, "break")
        else:
            self.emit(d, f"while {head}:")
        self.emit(d + 1, f"{i} += 1")
        self.emit(d + 1, f"if {i} > {self.pick(2, 3, 4)}:")
        self.emit(d + 2, "break")
        self.body(d)
        if self.chance(0.2):
            self.emit(d, "else:")
            self.simple(d + 1)

    def for_loop(self, d):
        t, u = self.tensor(), self.tensor()
        heads = ["for i in range(3):", f"for t in [{t}, {u}]:", "for i in range(int(abs(n)) % 3):",
                 f"for i, t in enumerate([{t}, {u}]):", f"for t, v in zip([{t}, b], [c, {u}]):"]
        heads += self.on("sizes", f"for i in range(len({t}.nonzero())):", f"for i in range(abs(n) % 3):", f"for v in {t}[{u} > 0]:")
        heads += self.on("calls", f"for i, v in enumerate(reversed([{t}, {u}])):") + self.on("dicts", "for key, v in list(d.items()):")
        heads += self.on("yield", f"for t in g({t}):", f"for t in g({t}):", f"for t in chained({t}, {u}):")
        heads += self.on("lists", "for v in list(l):", "for v in list(out):") + self.on("dicts", "for key in list(d):")
        self.emit(d, self.rng.choice(heads))
        if self.chance(0.4):
            self.emit(d + 1, self.pick("n += 1", "k = n", "c = c + 1"))
        self.body(d)
        if self.chance(0.15):
            self.emit(d, "else:")
            self.simple(d + 1)

    def body(self, d):
        self.loops += 1
        self.block(d + 1, 1, 3)
        if self.chance(0.35):
            self.emit(d + 1, f"if {self.cond()}:")
            self.emit(d + 2, self.pick("break", "continue", "break", f"return {self.tensor()}, k"))
        self.loops -= 1

    def try_block(self, d):
        self.emit(d, "try:")
        self.block(d + 1, 0, 1)
        self.emit(d + 1, f"if {self.cond()}:")
        self.emit(d + 2, self.pick("raise ValueError('v', n)", "raise KeyError('k')", f"a = h({self.tensor()})", f"b = h({self.tensor()}) + 1"))
        self.block(d + 1, 1, 1)
        self.emit(d, self.pick("except ValueError:", "except (KeyError, ValueError):", "except (KeyError, ValueError) as e:"))
        if self.lines[-1].endswith("as e:"):
            self.emit(d + 1, "k = len(e.args)")
        self.block(d + 1, 1, 1)
        if self.chance(0.2):
            self.emit(d, "else:")
            self.simple(d + 1)
        if self.chance(0.2):
            self.emit(d, "finally:")
            self.simple(d + 1)

    def try_finally(self, d):
        self.emit(d, "try:")
        self.block(d + 1, 1, 2)
        if self.chance(0.4):
            self.emit(d + 1, f"if {self.cond()}:")
            self.emit(d + 2, f"return {self.tensor()}, n")
        self.emit(d, "finally:")
        self.simple(d + 1)

    def with_block(self, d):
        self.emit(d, self.pick("with Scope(log):", "with Scope(log, True):", f"with shifted({self.tensor()}, 1) as t:",
                               f"with Scope(log), shifted({self.tensor()}, 2):"))
        self.block(d + 1, 1, 2)
        if "Scope(log, True)" in self.lines[-1] or self.chance(0.25):
            self.emit(d + 1, f"if {self.cond()}:")
            self.emit(d + 2, self.pick(f"return {self.tensor()}, n", "n = 5"))

    def match_block(self, d):
        self.emit(d, self.pick("match n % 4:", "match (n % 2, k % 2):"))
        pair = self.lines[-1].strip().startswith("match (")
        for case in (["(0, 0)", "(1, z)"] if pair else ["0", "1 | 2"]):
            self.emit(d + 1, f"case {case}:")
            self.block(d + 2, 1, 1)
        self.emit(d + 1, "case _:")
        self.simple(d + 2)

    def alias(self, d):
        t, u = self.tensor(), self.tensor()
        o, z = self.pick("a", "b", "c"), f"z{self.counters}"
        i = f"i{self.counters}"
        self.counters += 1
        forms = [
            # Only the handler of a call still knows what the callee was given.
            f"{z} = {t} * {self.pick('0.5', '1', '-1')}\ntry:\n    {o} = stir({z})\nexcept ValueError:\n    {o} = {z}",
            f"{z} = [{t}, {u} * 1]\ntry:\n    {o} = stir_list({z})[0]\nexcept ValueError:\n    {o} = {z}[1]",
            # One side knows an object by two names, the other has none, or another one, for each of them.
            f"r, {z} = None, ()\nif {self.cond()}:\n    {o} = {t} * 2\n    r = {o}\n    {z} = ({o}, n)\nelse:\n    {z} = ({u} + 1, k)\n"
            f"{z}[0].add_({self.pick('1', '0.5')})",
            f"r = None\nif {self.cond()}:\n    {z} = [{t} * 1, {u}]\n    r, two = {z}[0], ({z}, n)\nelse:\n    two = ([{u} * 2, {t}], k)\n"
            f"two[0][0].mul_(2)\n{o} = two[0][1] + two[1]",
            # What passes of a loop made goes from name to name.
            f"{i}, {z}, best = 0, {t}, {u}\nwhile {z}.sum() < 6 and {i} < {self.pick(3, 4)}:\n    {i} += 1\n    if {z}[0] < best[1]:\n"
            f"        best = {z}\n    {z} = {z} + {self.pick('1', 'best', u)}\n{self.pick('best', z)}.add_(1)\n{o} = best + {z}",
            f"{i}, {z}, best, old = 0, {t} * 1, {u} * 1, {t}\nwhile best.max() < 5 and {i} < 4:\n    {i} += 1\n    old, {z}, best = {z}, best, {z} + 1\n"
            f"    if {self.cond()}:\n        best = old\nbest.mul_(2)\n{o} = old + best * {z}",
            # Kinds of one name in the order in which the branches of a loop leave them.
            f"{i}, {z} = 0, None\nwhile {t}.sum() < 7 and {i} < 4:\n    {i} += 1\n    if {self.cond()}:\n        {z} = ({i}, {t})\n    elif {self.cond()}:\n"
            f"        {z} = 'text'\n    elif {z} == 'text':\n        {z} = [{t} + 1, n]\n    {o} = {o} + 1\n"
            f"if isinstance({z}, list):\n    {o} = {z}[0]\nelif {z} is None:\n    n += 1",
            f"{i}, {z}, two = 0, (), {{'n': 0}}\nwhile {o}.sum() < 6 and {i} < 4:\n    {i} += 1\n    if {self.cond()}:\n        two = dict(two)\n"
            f"    elif len({z}) > 1:\n        two['e'] = {t} + 1\n    elif len({z}) < 3:\n        {z} = {z} + ({i},)\n    {o} = {o} + 1\ntwo.pop('e', None)\nn = len({z}) + len(two)",
            # Views of what is replaced, and the same object or another that shows the same elements.
            f"{z} = {t}[0:2]\nif {self.cond()}:\n    {z} = {z}[:]\nelse:\n    {o} = {o} * 1\n{z}.add_(1)",
            f"{z} = {t}.view(3)\nbest = {z} if {self.cond()} else {t}[:]\nif best is {z}:\n    best.add_(1)\n{o} = best",
        ]
        form = self.rng.choice(forms)
        if self.paired.random() < 0.25:
            form = self.one_or_two(t, u, o, z)
        for line in form.split("\n"):
            self.emit(d, line)

    def partial_attribute(self, d):
        t, u, o = self.tensor(), self.tensor(), self.pick("a", "b", "c")
        h, other = self.partial.sample(["h", "j"], 2)
        forms = [
            f"if {self.cond()}:\n    {h}.v = {t}", f"if {self.cond()}:\n    {h}.w = n", f"{h}.v = {u} * 1",
            f"if {self.cond()}:\n    {h}.w = k\nelse:\n    {other}.v = {t} + 1",
            f"try:\n    del {h}.v\nexcept AttributeError:\n    n += 1",
            f"if {self.cond()} and hasattr({h}, 'w'):\n    try:\n        del {h}.w\n    except AttributeError as e:\n        k = len(e.args)",
            f"{o} = getattr({h}, 'v', {u})", f"n = getattr({h}, 'w', k)", f"n += hasattr({h}, 'v') + 2 * hasattr({h}, 'w')",
            f"if hasattr({h}, 'v'):\n    {o} = {h}.v + {t}", f"try:\n    {o} = {o} + {h}.v\nexcept AttributeError:\n    {o} = {o} * 0.5",
            f"try:\n    k = {h}.w\nexcept AttributeError:\n    k = -1", "h, j = j, h", f"{h} = {other} if {self.cond()} else {h}",
            f"{h} = {self.partial.choice(['Part', 'Slotted', 'Preset', 'Asked'])}()",
            f"if hasattr({h}, '__dict__'):\n    n = len(vars({h}))\n    {h}.__dict__.update(v={t})",
            f"if {self.cond()}:\n    Preset.w = n\nk = Preset.w", f"setattr({h}, 'w', k)\nvars({h}).pop('w', 0) if hasattr({h}, '__dict__') else 0",
        ]
        for line in self.partial.choice(forms).split("\n"):
            self.emit(d, line)

    def failure(self, d):
        t, o = self.tensor(), self.pick("a", "b", "c")
        number = self.fallible.choice([f"{t}.sum().item()", f"{t}.min().item()", f"{o}.max().item()", "float(n)"])
        whole = self.fallible.choice(["n", "k", "n - k", f"int({t}.sum())", f"len({t}.nonzero())"])
        work, kind = self.fallible.choice([
            (f"{o} = {o} + x[{whole}]", "IndexError"), (f"{o}[{whole}] = 2.0", "IndexError"),
            (f"n = [4, 5, 6][{whole}]", "IndexError"), (f"k = 7 // ({whole})", "ZeroDivisionError"),
            (f"k = 5 % ({whole})", "ZeroDivisionError"), (f"n = int(8.0 / ({whole}))", "ZeroDivisionError"),
            (f"{o} = {o} + int(math.sqrt({number}))", "ValueError"), (f"k = int(math.log2({number}))", "ValueError"),
            (f"n = 1 << (({whole}) % 5 - 1)", "ValueError"),
            (f"{o} = {o} + {t}[{t} > 1].max()", "RuntimeError"), (f"n = {{1: 2, 2: 3}}[{whole}]", "KeyError"),
            (f"{o} = {o} + torch.gather(x, 0, torch.tensor([{whole}]))", "RuntimeError"),
            (f"k = int({t}[0].item() / ({whole}))", "(ZeroDivisionError, OverflowError)"),
        ])
        caught = self.fallible.choice(["n = 0", f"{o} = {o} * 0.5", "k = len(str(e))", "n, k = k, n", f"{o} = {t} + len(e.args)"])
        end = self.fallible.choice(["", "", "else:\n    k += 1", "finally:\n    n += 1"])
        for line in f"try:\n    {work}\nexcept {kind} as e:\n    {caught}\n{end}".rstrip().split("\n"):
            self.emit(d, line)

    def resized(self, d):
        t, u, o, i = self.tensor(), self.tensor(), self.pick("a", "b", "c"), f"i{self.counters}"
        self.counters += 1
        grow = f"grown = torch.cat([grown, {self.sized.choice([t, t + '[1:]', 'grown[:1]', t + f'[{u} > 0]'])}])"
        forms = [
            f"if grown.numel() < 12:\n    {grow}", f"{i} = 0\nwhile grown.sum() < 6 and {i} < 3:\n    {i} += 1\n    {grow}",
            f"for {i} in range(2):\n    if {self.cond()}:\n        {grow}\n    else:\n        grown = grown[1:]",
            f"grown = {t}", f"grown = {t}[{u} > 0]", "grown = grown[grown > k]", "grown = grown[:n]", "grown = grown[-3:]", f"grown = grown * 2 if {self.cond()} else grown",
            "grown = grown.view(-1)", "grown = grown.reshape(1, -1)[0]", "grown = grown.view(grown.numel(), 1).squeeze(1)", "grown = grown.flip(0)", "grown = grown.clone()",
            "grown.add_(1)", "grown[:2].mul_(0.5)", f"{o} = {o} + grown.sum()", f"{o} = torch.cat([grown, {t}])[:3]", "n = grown.numel()", "k = len(grown)",
            f"{o} = {o} + torch.stack([grown, grown], dim=1).view(-1, 2).sum(0)[0]", f"for v in grown[:2]:\n    {o} = {o} + v",
            f"{o} = {o} + (grown.clamp(-4, 4).view(-1, 1) * grown.clamp(-2, 2).view(1, -1)).sum()", f"try:\n    {o} = {o} + grown\nexcept RuntimeError:\n    grown = {o}",
            f"try:\n    {o} = grown.view(n, -1).sum(0).sum() + {o}\nexcept RuntimeError:\n    n = 1",
            f"if grown.shape[0] == {self.sized.choice(['k', 'n', '3', 'len(b)'])}:\n    grown = grown + {t}[0]", f"if {self.cond()}:\n    grown = {o} * 1",
        ]
        for line in self.sized.choice(forms).split("\n"):
            self.emit(d, line)

    def one_or_two(self, t, u, o, z):
        """Two names for one object on one side, and for two on the other."""
        one, two, use = self.paired.choice([
            (f"[{t} * 1]", f"[{u} + 1]", f"two.append({u})\n{o} = {z}[-1] + len({z})"),
            (f"{t} * 1", f"{u} * 2", f"two.add_(1)\n{o} = {z} + two"),
            (f"{{'t': {t}}}", f"{{'t': {u}, 'n': n}}", f"two['n'] = k\n{o} = {z}['t'] * len({z})"),
        ])
        return f"if {self.cond()}:\n    {z} = {one}\n    two = {z}\nelse:\n    {z}, two = {one}, {two}\n{use}"

    def leave_entry(self, d):
        self.emit(d, f"if {self.cond()}:")
        self.emit(d + 1, self.pick(f"return {self.tensor()}, n", f"return {self.tensor()} * 1", "return None",
                                   "raise ValueError(f'stop {n} {k}')"))

    def resumption(self, d):
        """Some in a row: where the generator goes on is then another place than where it was left."""
        t, o, z = self.resumed.sample("abc", 3)
        fresh = [f"it = g({t})", f"it = g({t} + 1)", f"it = chained({t}, {o})"]
        steps = ["r = next(it, None)", f"{o} = next(it)", f"{z} = next(it)", f"{o} = next(it, {t})", f"{z} = next(it, {o})", f"{z} = {z} + next(it, {o})",
                 f"try:\n    {o} = next(it)\nexcept StopIteration:\n    n -= 1"]
        forms = [*steps, f"{o} = next(g({t}), {o})", "it.close()", "for t in it:\n    n += 1\n    if n > k:\n        break",
                 f"for t in it:\n    {o} = {o} + t", f"{o} = sum(it, {t})", "first, *rest = [*it, a]\nk = len(rest)",
                 "try:\n    it.throw(KeyError('k'))\nexcept (KeyError, StopIteration):\n    k += 1"]
        chosen = self.resumed.choices(forms, k=self.resumed.randint(1, 2))
        if self.resumed.random() < 0.7:
            chosen = [self.resumed.choice(fresh), *self.resumed.choices(steps, k=self.resumed.randint(1, 3)), *chosen]
        for line in "\n".join(chosen).split("\n"):
            self.emit(d, line)

    def simple(self, d):
        for line in self.rng.choice(self.simple_forms()).split("\n"):
            self.emit(d, line)

    def simple_forms(self):
        t, u = self.tensor(), self.tensor()
        forms = [f"{self.target()} = {self.expr()}" for _ in range(5)]
        forms += [f"{t}.add_({self.pick('1', '0.5', u)})", f"{t}.mul_(0.5)", f"{t}[{self.pick('0', '1', '1:3')}] = {self.pick('0.5', '2')}",
                  f"{self.target()} += {u}", f"{t}.copy_({u})", "n += 1", "n += k", "k = n - k", "n = 3 - n", "n, k = k, n",
                  f"r = {t}", "r = None", "b = a if r is None else r", "a, b = b, a", f"n = int({t}.sum().clamp(-9, 9))",
                  f"{t}[{u} > 0] = 1", f"fn = torch.relu if n > 1 else torch.abs\nc = fn({t})"]
        forms += self.on("views", f"{t}[0].add_(1)", f"{t}[1:].mul_(2)", f"v = {t}[0:2]\nv.add_(1)", f"b = {t}.view(3, 1).squeeze(1)", f"{t}.zero_()")
        forms += self.on("matrix", f"m[0] = {t}", "m = m + 1", "m.t()[0].add_(1)", f"a = m[k % 2]", f"m = torch.stack([{t}, {u}])")
        forms += self.on("objects", "p, q = q, p", f"p = Box({t})", "q = p", "p.n += 1", "n = p.n + q.n", "p.r = r", "r = p.r", "q = p.scaled(2).bump()")
        forms += self.on("lists", f"l = [{t}, {u}]", "l[0], l[1] = l[1], l[0]", "s = s + (n,) if len(s) < 3 else s", "s = ()", "s = (n, k)",
                         f"out.append({t} * 1)", "l = l[::-1]", "l = [v * 0.5 for v in l]", "out = [a * 1]")
        forms += self.on("dicts", f"d['t'] = {t}", f"d['e'] = {t} + 1", "d.pop('e', None)", "d['n'] += 1", "d = dict(d)", "a = d.get('e', a)")
        forms += self.on("scalars", f"w = {t}.sum().item()", "w = w * 0.5", "w = float(n)", "a = a + w", "n = n // 2", "n = 7 // k if k else 0", "n = abs(n) % 5")
        forms += self.on("state", "g_n += 1", "n = g_n", f"g_t = {t}.clone()", "c = a if g_t is None else g_t + 1", "g_flag = not g_flag", "g_n = g_n % 4")
        forms += self.on("comprehensions", f"a, b = (v * 0.5 for v in [{t}, {u}])", f"k = len([v for v in ({t}, {u}, a) if v.sum() > 1])",
                         f"a, *rest = [{t}, {u}, b]\nb = rest[1]", f"n = sum(1 for v in ({t}, {u}) if v.max() > 1)")
        forms += self.on("sizes", f"z = {t}[{t} > 0]\nn = len(z)", f"n = {t}.nonzero().numel()", f"c = torch.cat([{t}[{u} > 0], c])[:3]",
                         f"try:\n    a = {t}[{t} > 0] + {u}\nexcept RuntimeError:\n    a = {u} * 1")
        forms += self.on("arithmetic", "try:\n    n = 7 // (n - k)\nexcept ZeroDivisionError:\n    n = -1", "n = n % (abs(k) + 1)", "k = n ** 2 % 5",
                         "k = n & 3", "n = -n // 2", "n, k = divmod(n, 3)", "n = min(n, k) - max(k, 1)", "k = int(n / 2)", "k = n << 1 if 0 <= n < 9 else 1",
                         "try:\n    k = n % k\nexcept ZeroDivisionError as e:\n    n = len(e.args)")
        forms += self.on("calls", "fn = (lambda v: v * 2) if n > k else torch.relu\nb = fn(b)", f"a, b = b, spread({t}, k=1)", "Box.total += 1\nn = Box.total % 3",
                         "with torch.no_grad():\n    b = b + 1", f"try:\n    assert {t}.sum() < 4, n\nexcept AssertionError:\n    a = a * 0.5")
        forms += self.on("text", "name = 'v' if n > k else 'u'", "name = 'w'", "print(name, n)", "print(f'{name}{n + k}')",
                         f"try:\n    if {t}.sum() > 1:\n        raise KeyError(name)\nexcept KeyError as e:\n    name = e.args[0] + 'x' if len(name) < 3 else 'u'")
        forms += self.on("print", "print('n', n, k)", f'print(f"{{{t}.sum().item():.3f}} {{n:>3}}")', "print('r', r is None, end=';')")
        forms += self.on("random", f"{self.target()} = torch.rand(3).round() + {t}", "n = int(torch.randint(0, 5, ()))")
        if self.method:
            forms += [f"self.buf.add_({t})", "self.buf.mul_(0.5)", f"self.buf[0] = n"]
            forms += self.on("state", "self.count += 1", f"self.last = {t} * 1", "a = a if self.last is None else self.last + 1", "self.flag = not self.flag", "n = self.count")
        return forms

    # -- the module -----------------------------------------------------------------------------

    def functions(self):
        emit = self.lines.append
        emit("\n\ndef f(t):")
        emit(self.pick("    return t * 2 if t.sum() > 0 else t", "    return t - 1", "    return t.add_(1) if t.max() < 1 else t.clone()",
                       "    for i in range(2):\n        if t.sum() > 2:\n            return t\n        t = t + 1\n    return t * 0.5"))
        emit("\n\ndef h(t):\n    if t.min() < 0:\n        raise ValueError('h')\n    return t + 1")
        if self.aliases:
            emit("\n\ndef stir(t):\n    if t.sum() > 1:\n        t = t.clone()\n    t.add_(1)")
            emit(self.pick("    if t.min() < 1:\n        raise ValueError('stir')\n    return t", "    return h(t)"))
            emit("\n\ndef stir_list(l):\n    if l[0].sum() > 0:\n        l = [l[0], l[1] * 2]\n    l[1] = l[1] + 1\n    h(l[0])\n    return l")
        emit("\n\ndef g(t):")
        emit(self.pick("    if t.sum() > 1:\n        yield t * 2\n    yield t + 1",
                       "    for i in range(3):\n        if t.max() > 2 + i:\n            return\n        yield t\n        t = t + 1",
                       "    try:\n        yield t\n        if t.sum() < 0:\n            yield -t\n    finally:\n        t = t + 1"))
        emit("\n\ndef recur(t, n):")
        emit(self.pick("    return t if n == 0 or t.sum() > 3 else recur(t * 2, n - 1)",
                       "    if n == 0:\n        return t\n    return recur(t + 1, n - 1) if t.max() < 1 else t.abs()"))
        emit("\n\ndef spread(t, *more, k=2, **rest):\n    for v in more:\n        t = t + v * 0.5\n    return t * 0.5 if k > 1 else t + len(rest)")
        emit("\n\ndef chained(t, u):\n    yield from g(t)\n    yield u")

    def source(self):
        self.functions()
        if self.method:
            self.lines.append(NET.rstrip("\n"))
        else:
            self.lines.append("\n\ndef entry(x, y):")
        setup = ["global g_n, g_t, g_flag", f"a, b, c = {self.pick('x, y, x * 1', 'x, y, y - x', 'x.clone(), y, x', 'x, x, y')}",
                 "n, k = 1, 2", "r = None", "log = [0, 0]"] + self.on("text", "name = 'u'")
        setup += self.on("objects", f"p, q = Box({self.pick('a', 'a', 'y * 2')}), Box(y + 1, 1)")
        setup += self.on("lists", f"l, s, out = [{self.pick('x', 'x[:]', 'y')}, y + 2], (), [x * 1]")
        setup += self.on("dicts", "d = {'t': x + 1, 'n': 0}") + self.on("scalars", "w = 1.0")
        setup += self.on("matrix", self.pick("m = torch.stack([x, y])", "m = torch.zeros(2, 3)"))
        if self.partials:
            setup.append(self.partial.choice(["h, j = Part(), Slotted()", "h, j = Part(), Preset()", "h, j = Asked(), Part()", "h = j = Part()"]))
            setup.append("Preset.w = 4")
        if self.resizes:
            setup.append(self.sized.choice(["grown = x", "grown = x * 1", "grown = y[1:]", "grown = torch.zeros(0)", "grown = y"]))
        if self.resumes:
            setup.append(self.resumed.choice(["it = g(x)", "it = g(x * 1)", "it = chained(y, x)"]))
        for text in setup:
            self.emit(1, text)
        if "closures" in self.uses:
            self.emit(1, "def inner(t):")
            self.emit(2, "nonlocal n, b")
            self.emit(2, self.pick("n += 1", "b = t"))
            self.emit(2, self.pick("return t + 1", f"return t * 2 if {self.pick('t.sum() > 1', 'n > 2')} else b"))
        while self.left > 0:
            self.statement(1)
        self.emit(1, self.result())
        return PRELUDE + "\n".join(self.lines) + "\n"

    def result(self):
        parts = ["a", "b", "c", "n", "r", "k"]
        parts += self.on("objects", "p.v", "q.v", "p.n", "p is q") + self.on("lists", "l", "s", "out") + self.on("dicts", "d")
        parts += self.on("text", "name") + self.on("scalars", "w") + self.on("matrix", "m") + self.on("state", "g_n") + self.on("with", "log")
        parts += ["self.buf * 1"] if self.method else []
        if self.partials:
            parts += ["getattr(h, 'v', None)", "hasattr(j, 'v')", "getattr(j, 'w', 'none')", "len(getattr(h, '__dict__', {}))"]
        if self.resizes:
            parts += ["grown", "grown.numel()"]
        if self.chance(0.1):
            return f"return {self.rng.choice(parts)}"
        chosen = [p for p in parts if self.chance(0.6)]
        if "n" not in chosen and not chosen:
            chosen = ["a", "n"]
        return self.pick("return {0}", "return [{0}]", "return {0}").format(", ".join(chosen) + ("," if len(chosen) == 1 else ""))


def program(seed, size=14):
    """(source, entry) of this seed."""
    generator = Generator(seed, size)
    text = generator.source()
    return text, "Net" if generator.method else "entry"


def inputs(seed, count=8):
    """Rows of (x, y): multiples of 1/8, small, of both signs, with zeros and equal elements among them."""
    rng = random.Random(f"inputs {seed}")
    draw = lambda scale: [rng.randint(-8 * scale, 8 * scale) / 8 for _ in range(3)]
    rows = [(draw(rng.choice((1, 2, 4))), draw(rng.choice((1, 2)))) for _ in range(count - 2)]
    return rows + [([0.0, 0.0, 0.0], [1.0, -1.0, 0.5]), ([6.0, 5.0, 4.0], [2.0, 2.0, 2.0])]


if __name__ == "__main__":
    print(program(int(sys.argv[1]), *map(int, sys.argv[2:3]))[0], end="")
