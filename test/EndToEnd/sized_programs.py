#!/usr/bin/env python3
"""Seeded random programs with loops over sizes, branches on sizes and lists, each compiled once for all sizes, against eager PyTorch.

    sized_programs.py --ptc PTC [FILTER] [--from SEED] [--count N] [--target TARGET]... [--show] [-j N] [-v]

A program is a function of x (f32[N,3], N from 0 or 1 to 30) and y (f32[N,3] or f32[M,3], M in 1..6); loops nest and end early, lists
of rows and of ints grow, shrink and change under conditions on sizes and on data, rows are written. Values are multiples of small
powers of two, so that sums do not depend on their order. Each is called with every small size, the limit and some others. It may be
refused, with a line of its own; of all that are made at most REFUSED_AT_MOST are. Without --target a program is made natively on one day of two,
and on the others it is run by `ptc run`.
"""
import random
import sys
from pathlib import Path

import one_library
import torch
from compare import Tolerance

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TARGETS = ["null", "x86-64"]
REFUSED_AT_MOST = 0.15
TOLERANCE = Tolerance(rtol=1e-5, atol=1e-6)    # sums of many halves are rounded
SIZES, LIMIT = [0, 1, 2, 3, 4, 7, 8], 30


class Writer:
    """The source of one program. Names by what they hold: t u v: f32[3]; k s: ints; l w: lists of f32[3]; q p: lists of ints."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.lines = []
        self.rows, self.ints = [], []          # of the loops around: names of rows, and of ints
        self.places = []                       # indices that are below n
        self.loops = self.names = 0
        self.room = self.rng.randint(4, 11)    # statements
        self.two_sizes = self.rng.random() < 0.4
        self.least = self.rng.choice([0, 0, 1])

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, p):
        return self.rng.random() < p

    def emit(self, depth, text):
        for line in text.split("\n"):
            self.lines.append("    " * depth + line)

    # Values

    def row(self):
        options = ["t", "u", "v", *self.rows * 2, *[f"x[{i}]" for i in self.places], "x.sum(0)"]
        if not self.two_sizes:
            options += [f"y[{i}]" for i in self.places]
        return self.rng.choice(options)

    def tensor(self):
        a, b = self.row(), self.row()
        i = self.integer()
        return self.pick(a, f"{a} + {b}", f"{a} * 0.5 - {b}", f"torch.relu({a})", f"({a} + {b}).clamp(-8, 8)", f"{a}.flip(0)", f"torch.where({a} > {b}, {a}, {b} * 0.5)",
                         f"{a} + {i} % 5", f"({a} if {self.condition()} else {b})", f"(l[-1] if l else {a})", f"(l[0] * 0.5 if len(l) > 1 else {a})",
                         f"sum(l[-5:], {a}).clamp(-9, 9)", f"x[:{i} % (n + 1)].sum(0)", f"x[{i} % (n + 1):].sum(0)", f"torch.maximum({a}, {b})", f"{a} - (w[{self.pick('0', '-1')}] if w else {b})")

    def integer(self):
        some = ["k", "s", "n", "m", "len(l)", "len(q)", "n // 2", "n % 3", "max(n, 3)", "min(n, 4)", "n - 1", "len(w)", *self.ints * 3]
        a, b = self.rng.choice(some), self.rng.choice(some)
        return self.pick(a, a, f"({a} + {b})", f"({a} * 2 - {b})", f"abs({a} - {b})", f"(sum(q) % 11)", f"(q[-1] if q else {a})", f"(max(q, default={a}) % 13)",
                         str(self.rng.randint(0, 4)), f"int({self.row()}.sum() > 0)", f"(q.count({b}) + 1)", f"(({a} * 3 + {b}) % 17)")

    def condition(self):
        c = self.rng.randint(0, 5)
        sizes = [f"n > {c}", "n % 2 == 0", f"n == {c}", "n == m", f"len(l) > {c}", "l", "not q", f"len(w) < {c}", "n > 2 and l", f"n % {c + 1} == 1 or n > 6"]
        sizes += [text for i in self.places for text in (f"{i} > 0", f"{i} % 2", f"{i} == n - 1", f"{i} < n // 2")]
        ints = [f"k > {c}", f"s % 2 == {c % 2}", f"{self.integer()} > {c}", f"{c} in q", "q and q[0] > 1", "k < s"]
        a = self.row()
        data = [f"{a}.sum() > 0", f"{a}[0] > {a}[1]", f"{a}.max() > {c - 2}", f"bool(({a} > 0).any())", f"float({a}[2]) < {c - 2}"]
        return self.rng.choice(self.rng.choice([sizes, sizes, ints, data]))

    # Statements

    def simple(self):
        r, i, i2 = self.tensor(), self.integer(), self.integer()
        options = [f"{self.pick('t', 'u', 'v')} = {r}"] * 3 + [f"l.append({r})"] * 4 + [f"q.append({i})"] * 2 + [
            f"k = (k + {i}) % 101", f"s += {i} % 7", f"s = (s * 3 + {i}) % 1009", "if l:\n    u = l.pop()", f"if q:\n    k = q.pop() % 50",
            f"if q:\n    q[0] = {i}", f"if q:\n    q[{i} % len(q)] = {i2}", f"if l:\n    l[-1] = {r}", f"if l:\n    l[{i} % len(l)] = {r}", "l = l[::-1]", "l = l[1:]", f"l = l + [{r}]",
            "l = [r * 0.5 for r in l]", f"q = [a % 5 for a in q if a != {i}]", f"q = [j * 2 for j in range({i} % 7) if j % 2]", "q = sorted(q)", "q.reverse()", "q.sort()",
            f"q.insert(0, {i})", "w = list(l)", "w, l = l, w", "l = [r for r in x if r.sum() > 0]", "p = q", "p = q[:2]", f"if len(q) > {self.rng.randint(0, 3)}:\n    del q[0]",
            "t = torch.stack(l).sum(0) if l else t", "v = torch.cat([x, y]).sum(0)", "u = torch.stack([t, *l[:2]])[-1]", "if len(l) > 9:\n    l = l[:3]", "k = k + sum(a > 2 for a in q)",
            "s = s + any(a == 3 for a in q)", "t = t + sum(x[a % n] for a in q) if n else t", "if len(q) > 12:\n    q = q[-4:]"]
        if self.chance(0.04):
            options = [f"u = x[{i}]", f"u = l[{i}]", "k = q[1]", "u = l.pop()", f"q.remove({i})"]  # what may raise
        return self.rng.choice(options)

    def header(self, depth):
        """(lines before, head of the loop, names of rows, of ints, of places, lines at its end)"""
        name = f"{'ijgh'[self.loops]}{self.names}"
        self.names += 1
        rows, count = f"r{name}", self.pick("n", "n", "n", "m", "n - 1", "min(n, 5)", "n // 2", "min(len(l), 9)", "min(len(q), 9)", "k % 6")
        sure = [name] if count in ("n", "n - 1", "min(n, 5)", "n // 2") or (count == "m" and not self.two_sizes) else []
        both = "y" if not self.two_sizes else "x.flip(0)"
        return self.pick(
            *[("", f"for {name} in range({count}):", [], [name], sure, "")] * 4,
            ("", f"for {name} in range(n - 1, -1, -1):", [], [name], [name], ""), ("", f"for {name} in reversed(range(n)):", [], [name], [name], ""),
            ("", f"for {name} in range(1, n, 2):", [], [name], [name], ""), ("", f"for {rows} in x:", [rows], [], [], ""),
            ("", f"for {rows} in x.unbind(0):", [rows], [], [], ""), ("", f"for {name}, {rows} in enumerate(x):", [rows], [name], [name], ""),
            ("", f"for {rows}, b{name} in zip(x, {both}):", [rows, f"b{name}"], [], [], ""), ("", f"for {name}, {rows} in enumerate(l[:9]):", [rows], [name], [], ""),
            ("", f"for {rows} in l[-6:]:", [rows], [], [], ""), ("", f"for {name} in q[:6]:", [], [name], [], ""),
            *([("", f"for c{name} in x.split(2):\n    {rows} = c{name}.sum(0)", [rows], [f"len(c{name})"], [], "")] if self.least else []),
            (f"{name} = 0", f"while {name} < n:", [], [name], [name], f"{name} += {self.rng.randint(1, 2)}"),
            ("", f"for {name} in range({self.ints[-1]}):" if self.places and self.ints[-1:] == self.places[-1:] else f"for {name} in range(2):", [], [name],
             [name] if self.places and self.ints[-1:] == self.places[-1:] else [], ""))

    def loop(self, depth):
        before, head, rows, ints, places, end = self.header(depth)
        kept = self.rows, self.ints, self.places
        if before:
            self.emit(depth, before)
        self.emit(depth, head)
        self.rows, self.ints, self.places = self.rows + rows, self.ints + ints, self.places + places
        self.loops += 1
        if self.chance(0.2):
            way = "break" if end or self.chance(0.6) else "continue"
            self.emit(depth + 1, f"if {self.condition()}:\n    {way}")
        if places and "range" in head and self.chance(0.25):
            self.emit(depth + 1, f"o[{places[-1]}] = {self.tensor()}")
        self.block(depth + 1, self.rng.randint(1, 3))
        if end:
            self.emit(depth + 1, end)
        self.loops -= 1
        self.rows, self.ints, self.places = kept
        if self.chance(0.1):
            self.emit(depth, "else:\n    s += 1")

    def block(self, depth, count):
        for _ in range(count):
            self.room -= 1
            if self.loops < 2 and self.room > 0 and self.chance(0.5 if not self.loops else 0.2):
                self.loop(depth)
            elif self.room > 0 and self.chance(0.25):
                self.emit(depth, f"if {self.condition()}:")
                self.block(depth + 1, self.rng.randint(1, 2))
                if self.chance(0.4):
                    self.emit(depth, "else:")
                    self.block(depth + 1, 1)
            else:
                self.emit(depth, self.simple())

    def source(self):
        self.emit(0, "import torch\n\n\ndef entry(x, y):")
        self.emit(1, "n, m, k, s = x.shape[0], len(y), 1, 0\nt, u, v = x.sum(0), y.sum(0), torch.ones(3)\nl, w, q, p = [], [], [], []\no = x * 0.5")
        self.loop(1)
        while self.room > 0:
            self.block(1, 1)
        ends = ["t", "u, v", "l", "q", "k, s", "torch.stack(l) if l else t", "o", "len(l), len(w)", "p", "w", "torch.cat([x, *[r[None] for r in l]])", "sum(q)"]
        self.emit(1, f"return {', '.join(self.rng.sample(ends, self.rng.randint(2, 4)))}")
        return "\n".join(self.lines) + "\n"


def program(seed):
    """(source, declared sizes, calls)"""
    writer = Writer(seed)
    source = writer.source()
    rng = random.Random(f"calls {seed}")
    generator = torch.Generator().manual_seed(seed)

    def values(rows):
        return {"$tensor": f"f32[{rows},3]", "values": (torch.randint(-8, 9, (rows, 3), generator=generator) * 0.25).tolist()}

    sizes = [n for n in SIZES if n >= writer.least] + rng.sample(range(9, LIMIT), 2) + [LIMIT]
    calls = [{"args": [values(n), values(rng.randint(1, 6) if writer.two_sizes else n)]} for n in sizes]
    second = "M in 1..6" if writer.two_sizes else "N"
    return source, ["--input", f"x=f32[N in {writer.least}..{LIMIT},3]", "--input", f"y=f32[{second},3]"], calls


def check(ptc, seed, target):
    """(what is wrong, refusal)"""
    source, declared, calls = program(seed)
    difference, refusal = one_library.outcome(ptc, source, declared, calls, target, limit=60, tolerance=TOLERANCE)
    return difference and f"{difference}\n{source}", refusal


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--from", dest="start", type=int, default=0)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: one of them")
    parser.add_argument("--show", action="store_true", help="print the programs and end")
    args = parser.parse_args()
    seeds = [seed for seed in range(args.start, args.start + args.count) if args.filter in f"seed {seed}"]
    if args.show:
        print("\n".join(program(seed)[0] for seed in seeds))
        return 0
    cases = runner.part_of(args, [(seed, target) for seed in seeds for target in args.target or [runner.turn_of(f"sized {seed}", TARGETS)]])
    report, refused = runner.Report(args.v), 0
    for (seed, target), outcome in zip(cases, runner.outcomes(lambda case: check(args.ptc, *case), cases, args.j)):
        difference, refusal = outcome.value or (outcome.wrong, None)
        if refusal and not difference:
            refused += 1
            first = next(line for line in refusal.splitlines() if "error" in line)
            print(f"refused seed {seed} ({target}): {first}", flush=True)
        else:
            report.case(f"seed {seed} ({target})", difference)
    if len(cases) >= 20 and refused > REFUSED_AT_MOST * len(cases):
        report.case("too many refused", f"{refused} of {len(cases)}")
    print(f"{refused} of {len(cases)} refused")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
