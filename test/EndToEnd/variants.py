#!/usr/bin/env python3
"""Random entries with branches on sizes, scalars, strides and flags: variants against eager PyTorch.

    variants.py --ptc PTC [--from SEED] [--count N] [-j N] [-v]

Each entry is captured from two to four example calls together and then called with those and with other random
arguments. A call that no variant fits is refused, which is right; a result that differs from eager's never is.
State of the module goes from call to call over all variants; behind a miss a new context begins.
"""
import random
import sys
import tempfile
from pathlib import Path

import compiled
from compare import Tolerance, observation_difference
from eager import EagerProgram
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TOLERANCE = Tolerance(rtol=1e-5, atol=1e-6)
CALLS = 10
# Most calls must be answered, not refused: else the test shows nothing.
ANSWERED_AT_LEAST = 0.3
REFUSED_AT_MOST = 0.02

CONDITIONS = [
    "x.shape[0] > {n}", "x.shape[1] == y.shape[1]", "x.shape[0] == x.shape[1]", "x.shape[1] % {n} == 0",
    "x.shape[0] * x.shape[1] > {m}", "y.shape[0] < x.shape[0]", "x.numel() % 2 == 0", "len(x) <= {n}",
    "k > {n}", "k % 2 == 0", "k * 2 + 1 > {m}", "k == {n}", "k > x.shape[0]", "k // 2 < {n}", "not k", "k < 0 or k > {n}",
    "scale > 0.5", "scale == 2.0", "scale < 0", "scale", "scale >= 1 and k > 1", "flag", "not flag", "mode == 'b'",
    "x.is_contiguous()", "x.stride(0) > x.stride(1)", "x.stride(0) == {n}", "opt is None", "x.dtype == torch.float64",
    "len(sizes) > 1", "sizes[0] > {n}", "'bias' in extra",
]
STEPS = [
    "h = h + {c}", "h = h * scale", "h = h * k", "h = h - x.shape[0]", "h = h / (abs(k) + 1)", "h = h + x.mean()",
    "h = torch.cat([h, h.mean(0, keepdim=True)])", "h = h[:max(1, k)]", "h = h.reshape(-1)[:4].reshape(1, -1)",
    "h = h + y.sum()", "h = h * float(k)", "h = torch.relu(h)", "h = h + torch.ones(h.shape[1])", "h = h.t()",
    "h = h * (x.shape[1] // 2 + 1)", "h = h + (scale if flag else k)", "h = h + sum(sizes)",
    "h = h + extra.get('bias', 1)", "h = h if opt is None else h * opt",
]
EFFECTS = [
    "x.add_(1)", "y.mul_(2)", "x[0] = y.sum()", "y.zero_()", "x += scale", "counter += 1", "counter += k",
    "total = total + x.sum()", "total.add_(h.sum())", "last = h.shape[0]", "last = (k, scale)", "last = None",
    "seen = [k]", "seen = [len(seen)]", "seen = seen[:1] + [scale]", "print('at', mode)",
]
RETURNS = ["h", "h, k", "h, counter", "(h, total + 0)", "{{'h': h, 'n': x.shape[0], 's': scale * 2}}", "h, last",
           "h, k * k - 1", "h, len(seen)"]


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def fill(self, text):
        return text.format(n=self.rng.randint(0, 4), m=self.rng.randint(3, 14), c=self.rng.choice([0.5, 1, 2]))

    def block(self, depth, indent):
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            kind = self.rng.random()
            if kind < 0.4 and depth:
                lines += [f"{indent}if {self.fill(self.rng.choice(CONDITIONS))}:", *self.block(depth - 1, indent + "    ")]
                if self.rng.random() < 0.6:
                    lines += [f"{indent}else:", *self.block(depth - 1, indent + "    ")]
            elif kind < 0.47 and depth:
                lines += [f"{indent}for i in range(min(k, 4)):", f"{indent}    {self.fill(self.rng.choice(STEPS))}"]
            elif kind < 0.52:
                lines += [f"{indent}if {self.fill(self.rng.choice(CONDITIONS))}:",
                          f"{indent}    return {self.fill(self.rng.choice(RETURNS))}"]
            elif kind < 0.75:
                lines.append(indent + self.fill(self.rng.choice(EFFECTS)))
            else:
                lines.append(indent + self.fill(self.rng.choice(STEPS)))
        return lines

    def source(self):
        return "\n".join([
            "import torch", "counter = 0", "total = torch.zeros(())", "last = None", "seen = []", "", "",
            "def f(x, y, k, scale=1.0, flag=False, mode='a', opt=None, sizes=(1,), extra={}):",
            "    global counter, total, last, seen", "    h = x + 0", *self.block(2, "    "),
            f"    return {self.fill(self.rng.choice(RETURNS))}", ""])


def tensor(rng, rows, columns):
    kind = rng.choice(["f32", "f32", "f32", "f64"]) if rng.random() < 0.3 else "f32"
    values = [[round(rng.uniform(-2, 2), 2) for _ in range(columns)] for _ in range(rows)]
    out = {"$tensor": f"{kind}[{rows},{columns}]", "values": values}
    if rng.random() < 0.2:
        out["strides"] = rng.choice([[1, rows], [columns + 1, 1], [2 * columns, 2]])
    return out


def call(rng):
    size = lambda: rng.choice([1, 2, 2, 3, 3, 4, 5])
    args = [tensor(rng, size(), size()), tensor(rng, size(), size()), rng.choice([0, 1, 2, 2, 3, 3, 4, 7, -1])]
    if rng.random() < 0.1:
        args[1] = {"$same": "args[0]"}
    kwargs = {}
    if rng.random() < 0.8:
        kwargs["scale"] = rng.choice([0.25, 0.5, 1.0, 2.0, -1.5, 0.0])
    if rng.random() < 0.4:
        kwargs["flag"] = rng.choice([False, True])
    if rng.random() < 0.3:
        kwargs["mode"] = rng.choice(["a", "b"])
    if rng.random() < 0.2:
        kwargs["opt"] = rng.choice([None, 3.0, 2])
    if rng.random() < 0.2:
        kwargs["sizes"] = {"$tuple": [rng.randint(0, 3) for _ in range(rng.randint(1, 2))]}
    if rng.random() < 0.2:
        kwargs["extra"] = rng.choice([{}, {"bias": 2}, {"bias": 0.5}, {"other": 1}])
    return {"args": args, "kwargs": kwargs}


def changed(rng, old):
    """The call with one property of one argument changed."""
    new = {"args": list(old["args"]), "kwargs": dict(old["kwargs"])}
    other = call(rng)
    place = rng.randrange(3 + len(other["kwargs"]))
    if place < 3:
        new["args"][place] = other["args"][place]
    else:
        name = list(other["kwargs"])[place - 3]
        new["kwargs"][name] = other["kwargs"][name]
    return new


def check(ptc, seed, limit=60):
    """(verdict, text, calls answered)"""
    rng = random.Random(seed)
    source = Writer(rng).source()
    count = rng.randint(2, 4)
    first = call(rng)
    examples = [first] + [changed(rng, first) if rng.random() < 0.6 else call(rng) for _ in range(count - 1)]
    calls = examples + [changed(rng, rng.choice(examples)) for _ in range(CALLS - count)]
    options = ["--dynamic", rng.choice(["none", "auto", "auto", "all"])]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        py = folder / "program.py"
        py.write_text(source)
        pyc = folder / "program.pyc"
        compile_pyc(py, pyc)
        paths = compiled.write_calls(calls, folder)
        answered = 0
        program = EagerProgram(py, "f")
        got = compiled.run(ptc, pyc, paths[:count], paths, folder / "out.jsonl", "f", limit=limit, options=options)
        if got.kind not in ("ran", "miss") or len(got.calls) != len(calls):
            return got.kind, f"{got.text[:600]}\n{source}", answered
        for n, seen in enumerate(got.calls):
            if seen is None and n < count:
                return "wrong", f"example {n} has no variant: {got.text[:400]}\n{source}", answered
            if seen is None:                       # refused, and nothing of it was done
                continue
            text = observation_difference(program.observe(calls[n]), seen, TOLERANCE)
            if text:
                return "wrong", f"call {n} of {calls[:n + 1]} {options}: {text}\n{source}", answered
            answered += 1
    return "ok", "", answered


def main():
    parser = runner.options(__doc__, pattern=False)
    parser.add_argument("--from", dest="start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    args = parser.parse_args()
    report, refused, answered = runner.Report(args.v), 0, 0
    seeds = range(args.start, args.start + args.count)
    for seed, outcome in zip(seeds, runner.outcomes(lambda seed: check(args.ptc, seed), seeds, args.j)):
        kind, text, calls = outcome.value or ("broken", outcome.wrong, 0)
        answered += calls
        if kind == "refused":
            refused += 1
            print(f"refused seed {seed}: {text.splitlines()[0]}", flush=True)
        else:
            report.case(f"seed {seed}", None if kind == "ok" else f"{kind}: {text}")
    if refused > REFUSED_AT_MOST * args.count:
        report.case("too many refused", f"{refused} of {args.count}")
    if answered < ANSWERED_AT_LEAST * CALLS * args.count:
        report.case("too few answered", f"{answered} of {CALLS * args.count} calls")
    print(f"{answered} of {CALLS * args.count} calls answered, {refused} refused")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
