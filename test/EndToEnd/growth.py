#!/usr/bin/env python3
"""Growth of captured programs: IR operations and executor steps against the shape of the source.

    growth.py --ptc PTC [--markdown] [-j N] [-v]

Fails when a program outgrows its bound. The numbers are `counts` of `ptc inspect-graph --format=json`. What `ptc compile` (or
`inspect-graph`) takes beyond what an empty program takes may grow half as much again as the source, not with its square:
instructions where the kernel counts them, else processor time, the least of several.
"""
import ctypes
import fcntl
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import compiled
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402


def branches(n):
    """n nested branches, both sides alive."""
    out, pad = ["    r = x"], "    "
    for i in range(n):
        out += [pad + f"if x.sum() > {i}:", pad + f"    r = r + {i}"]
        pad += "    "
    for i in reversed(range(n)):
        pad = pad[4:]
        out += [pad + "else:", pad + f"    r = r - {i}"]
    return out + ["    return r"]


def sequence(n):
    """n branches one after the other."""
    out = ["    r = x"]
    for i in range(n):
        out += [f"    if r.sum() > {i}:", f"        r = r + {i}", "    else:", "        r = r * 2"]
    return out + ["    return r"]


def none_choices(n):
    """n names that are None or a tensor."""
    out = []
    for i in range(n):
        out += [f"    r{i} = None", f"    if x.sum() > {i}:", f"        r{i} = x + {i}"]
    return out + ["    y = x"] + [f"    if r{i} is not None:\n        y = y + r{i}" for i in range(n)] + ["    return y"]


def one_choice(n):
    """One name, None or one of n tensors."""
    out = ["    r = None"]
    for i in range(n):
        out += [f"    if x.sum() > {i}:", f"        r = x + {i}"]
    return out + ["    return x if r is None else r"]


def early_return(n):
    """A return under a branch in each of n layers."""
    return [f"    for i in range({n}):", "        if x.sum() > 0:", "            x = x * 2",
            "            if x.max() > 100:", "                return x - i", "        x = x + 1", "    return x"]


def early_exit(n):
    """A break in a loop of n passes."""
    return [f"    for i in range({n}):", "        x = x * 2 + 1", "        if x.max() > 100:", "            break", "    return x"]


def loops(n):
    """n nested loops."""
    out, pad = [], "    "
    for i in range(n):
        out += [pad + f"while x.sum() < {50 - 10 * i}:"]
        pad += "    "
        out += [pad + f"x = x + {i + 1}"]
    return out + ["    return x"]


def loop_branches(n):
    """n nested loops, each with a break on data and a name that is None or a tensor."""
    out, pad = ["    p = None"], "    "
    for i in range(n):
        out += [pad + f"while x.sum() < {50 - 10 * i}:"]
        pad += "    "
        out += [pad + "if p is not None:", pad + "    x = x + p", pad + "p = x.abs() + 1",
                pad + f"if x.max() > {20 - i}:", pad + "    break"]
    return out + ["    return x if p is None else p"]


def and_chain(n):
    """One condition of n terms."""
    return ["    if " + " and ".join(f"x.sum() > {i}" for i in range(n)) + ":", "        r = x + 1", "    else:",
            "        r = (x * 2 + x).abs()", "    return r"]


def tries(n):
    """n try blocks, each left by a raise on data."""
    out = []
    for i in range(n):
        out += ["    try:", f"        if x.sum() > {i}:", "            raise ValueError('v')", "        x = x + 1",
                "    except ValueError:", "        x = x * 0.5"]
    return out + ["    return x"]


def aliases(n):
    """n times: a name leaves an alias or stays, then is written."""
    out = ["    y = x"]
    for i in range(n):
        out += [f"    if x.sum() > {i}:", "        y = y.clone()", "    y.add_(1)"]
    return out + ["    return y"]


def generators(n):
    """A generator with n yields under branches."""
    out = ["    def g():"]
    for i in range(n):
        out += [f"        if x.sum() > {i}:", f"            yield x + {i}"]
    return out + ["    s = x", "    for v in g():", "        s = s + v", "    return s"]


def joined_sizes(n):
    """Two caches and a length that grow under n branches: equal on each side, so never compared."""
    out = ["    k, v, t = x * 3, x * 2, 2"]
    for i in range(n):
        out += [f"    if x.sum() > {i}:", "        k, v = torch.cat([k, x]), torch.cat([v, x])", "        t = v.shape[0]"]
    return out + ["    return k + v, k * torch.ones(t)"]


def clusters(n):
    """n turns with a break on data and a branch on data for each of three rows."""
    return ["    c = x[:3].clone()", f"    for i in range({n}):", "        near = torch.cdist(x, c).argmin(1)",
            "        new = torch.stack([x[near == j].mean(0) if (near == j).any() else c[j] for j in range(3)])",
            "        if (new - c).norm().item() < 1e-4:", "            break", "        c = new", "    return c"]


def numbers(n):
    """A list of n numbers that Python makes, changes and takes apart."""
    return [f"    a = [i * 3 for i in range({n})]", "    for i in range(len(a)):", "        a[i] += 1",
            "    while len(a) > 10:", "        a.pop()", "    return x + a[5]"]


def queue(n):
    """A list that becomes shorter from the front."""
    return [f"    a = list(range({n}))", "    while len(a) > 10:", "        a.pop(0)", "    return x + a[5]"]


def pairs(n):
    """A dict of n entries, each changed."""
    return ["    d = {}", f"    for i in range({n}):", "        d[i] = i * 2", f"    for i in range({n}):", "        d[i] += 1",
            "    return x + d[7]"]


def members(n):
    """A set that grows, is asked and becomes smaller."""
    return ["    s = set()", f"    for i in range({n}):", "        s.add(i * 3)", f"    for i in range({n}):", "        if i in s and i % 2:",
            "            s.remove(i)", f"    for i in range({n}):", "        s.discard(i * 5)", "    while len(s) > 10:", "        s.pop()",
            "    return x + sum(s)"]


def stacked(n):
    """n products by a number, as one tensor; too small for threads, whose code is another, at any size."""
    return [f"    return torch.stack([x[0] * i for i in range({n})])"]


def joined(n):
    """The same, in a row."""
    return [f"    return torch.cat([x[0] * i for i in range({n})])"]


def sines(n):
    """n functions of functions, elementwise."""
    return [f"    for i in range({n}):", "        x = torch.sin(x) + 0.5", "    return x"]


def shifted(n):
    """As sines, each with a number of its own."""
    return [f"    for i in range({n}):", "        x = torch.sin(x) + i * 0.37", "    return x"]


def results(n):
    """n results of kernels that differ in a number."""
    return [f"    return [torch.sin(x * i) for i in range({n})]"]


def arguments(n):
    """n arguments, each of which guards look at."""
    return ["    return x + more[-1]"]


def products(n):
    """n kernels, each of which reads the one before."""
    return ["    w = x.T @ x", f"    for i in range({n}):", "        x = torch.sin(x @ w)", "    return x"]


def softmaxes(n):
    """n functions of rows, each of which reads the one before: kernels that are candidates for common loops."""
    return [f"    for i in range({n}):", "        x = torch.softmax(x, -1)", "    return x"]


def matmuls(n):
    """n products of matrices, each of which reads the one before."""
    return ["    w = x.T @ x", f"    for i in range({n}):", "        x = x @ w", "    return x"]


def states(n):
    """n steps of a recurrence, as a list."""
    return ["    w, h, all = x.T @ x, x[0], []", f"    for i in range({n}):", "        h = torch.tanh(h @ w + x[i % 20])",
            "        all.append(h)", "    return all"]


def stacked_states(n):
    """n steps of a recurrence, as one tensor."""
    return [*states(n)[:-1], "    return torch.stack(all)"]


def left_states(n):
    """n changes of what a call leaves behind, with a return between each two."""
    out = ["    global kept"]
    for i in range(n):
        out += [f"    if x[0, 0] > {i}:", "        return x + kept", f"    kept = kept + {i}"]
    return out + ["    return x + kept", "", "", "kept = torch.zeros(2)"]


def carried(n):
    """A loop that carries n tensors, each changed under a branch of its own."""
    out = [f"    v{i} = x[0] + {i}" for i in range(n)] + ["    while x.sum() < 100:", "        x = x * 2 + 1"]
    for i in range(n):
        out += [f"        if x[0, 0] > {i}:", f"            v{i} = v{i} + {i}"]
    return out + ["    return [" + ", ".join(f"v{i}" for i in range(n)) + "]"]


def counted(n):
    """A loop over a number that the call gives."""
    return ["    for i in range(more[0]):", "        x = torch.sin(x) + i", "    return x"]


def bounds(n):
    """n bounds of a number that the call gives, each narrower than the one before, by lines of their own."""
    return [line for i in reversed(range(n)) for line in (f"    if more[0] > {i + 1}:", "        x = x + 1")] + ["    return x"]


def other_data(n):
    """A module and a parameter that are given other data n times."""
    return ["    net, p = torch.nn.Linear(2, 2), torch.nn.Parameter(torch.ones(2))", f"    for i in range({n}):", "        net.half()",
            "        net.float()", "        p.data = p.data * 1.5", "    return net(x) + p"]


def nothing(_):
    """A program of no size."""
    return ["    return x"]


def layers(n):
    """A module of n layers, whose weights are drawn when it is made."""
    return ["    return net(x)", "", "", f"net = torch.nn.Sequential(*[m for _ in range({n}) for m in (torch.nn.Linear(2, 2), torch.nn.ReLU())])"]


# (program, sizes, bound of operations as a function of the size)
SWEEPS = [
    (branches, (1, 2, 4, 8, 12), lambda n: 30 * n + 30), (sequence, (1, 2, 4, 8, 16), lambda n: 20 * n + 20),
    (and_chain, (1, 2, 4, 8), lambda n: 15 * n + 20), (early_exit, (3, 6, 12, 24), lambda n: 20 * n + 30),
    (early_return, (3, 6, 12, 24), lambda n: 24 * n + 11), (tries, (1, 2, 4, 8), lambda n: 25 * n + 20),
    (none_choices, (1, 2, 4, 8), lambda n: 40 * n + 20), (one_choice, (1, 2, 4, 8, 12), lambda n: 30 * n + 30),
    (aliases, (1, 2, 4, 8), lambda n: 40 * n + 30), (generators, (1, 2, 4, 8), lambda n: 60 * n + 40),
    (joined_sizes, (1, 2, 4, 8), lambda n: 9 * n + 12), (loops, (1, 2, 3, 4, 5), lambda n: 40 * n + 20), (loop_branches, (1, 2, 3), lambda n: 120 * n + 40),
]

# (program, a size, a larger one, seconds for that, times the smaller one's): the time to compile
LINEAR, ROUNDS = 6, 8
SHORT, ROUNDS_OF_SHORT = 0.3, 24               # what takes fewer seconds is measured more often
COMPILED = [
    (clusters, 12, 48, 60, LINEAR), (numbers, 25000, 100000, 10, LINEAR), (queue, 25000, 100000, 10, LINEAR), (pairs, 5000, 20000, 10, LINEAR),
    (members, 5000, 20000, 10, LINEAR), (stacked, 250, 1000, 12, LINEAR), (joined, 250, 1000, 12, LINEAR), (sines, 500, 2000, 20, LINEAR),
    (softmaxes, 500, 2000, 10, LINEAR), (matmuls, 100, 400, 10, LINEAR), (states, 100, 400, 10, LINEAR), (stacked_states, 100, 400, 10, LINEAR),
    (products, 500, 2000, 10, LINEAR), (shifted, 500, 2000, 20, LINEAR), (results, 250, 1000, 20, LINEAR), (arguments, 250, 1000, 20, LINEAR),
    (layers, 125, 500, 30, LINEAR), (left_states, 25, 100, 30, LINEAR),
]
# The same for the graph alone, of programs whose machine code LLVM takes longer for.
GRAPHED = [(carried, 50, 200, 10, LINEAR), (counted, 500, 2000, 10, LINEAR), (bounds, 2000, 8000, 10, LINEAR),
           (other_data, 75, 300, 10, LINEAR)]


def measure(ptc, name, lines):
    """(counts or None, milliseconds, what is wrong)"""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{name}.py"
        source.write_text("import torch\n\n\ndef entry(x):\n" + "\n".join(lines) + "\n")
        pyc = source.with_suffix(".pyc")
        compile_pyc(source, pyc)
        example, = compiled.write_calls([{"args": [{"$tensor": "f32[2]", "values": [1.0, 2.0]}]}], source.parent)
        start = time.time()
        text, err = compiled.graph(ptc, pyc, example, form="json")
        ms = 1000 * (time.time() - start)
    return (json.loads(text)["counts"] if text else None), ms, err.strip()[:200]


class Counter:
    """What processes take that this thread starts and waits for."""

    def __init__(self):
        # perf_event_open: instructions of user mode, disabled, with those of children.
        attributes = struct.pack("IIQQQQQ", 0, 112, 1, 0, 0, 0, 1 | 2 | 1 << 5 | 1 << 6).ljust(112, b"\0")
        self.file = ctypes.CDLL(None).syscall(298, attributes, 0, -1, -1, 0)
        if self.file >= 0:
            fcntl.ioctl(self.file, 0x2400, 0)

    def read(self):
        """(seconds of a processor in user mode, instructions or all seconds: the kernel tells those of user mode apart by samples)"""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime, struct.unpack("Q", os.read(self.file, 8))[0] if self.file >= 0 else used.ru_utime + used.ru_stime


def verb_cost(ptc, verb, make, n, counter, imports="torch"):
    """The same of `ptc compile`, or another verb."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / f"{make.__name__}.py"
        source.write_text(f"import {imports}\n\n\ndef entry(x, *more):\n" + "\n".join(make(n)) + "\n")
        compile_pyc(source, source.with_suffix(".pyc"))
        example = Path(folder) / "call.json"
        more = {counted: [n], bounds: [1]}.get(make, [])
        example.write_text(json.dumps({"args": [{"$tensor": "f32[20,2]"}] * (n if make is arguments else 1) + more}))
        before = counter.read()
        output = ["-o", f"{folder}/lib.so"] if verb == "compile" else []
        subprocess.run([str(ptc), verb, str(source.with_suffix(".pyc")), "--example", str(example), *output],
                       check=True, capture_output=True, timeout=300)
        return [b - a for a, b in zip(before, counter.read())]


def compared_times(ptc, verb, make, small, large, most, bound):
    """What is wrong with how what the verb takes grows, or None."""
    counter, rows = Counter(), []
    # All sizes in each turn, so that what else the machine does meets all; again while that may be the reason.
    seconds = 0
    while len(rows) < (ROUNDS if seconds > SHORT else ROUNDS_OF_SHORT):
        rows.append([verb_cost(ptc, verb, *at, counter) for at in ((nothing, 1), (make, small), (make, large))])
        (_, none), (_, few), (seconds, many) = [map(min, zip(*costs)) for costs in zip(*rows)]
        if seconds <= most and many - none <= bound * (few - none):
            return None
    if seconds > most:
        return f"{seconds:.1f} s for {large}: more than {most} s"
    unit = "s" if counter.file < 0 else "instructions"
    return f"{many:.4g} {unit} for {large}, {few:.4g} for {small}, {none:.4g} for nothing: more than {bound} times"


# What the image of lib/Prelude holds.
IMAGED = ("abc, collections, contextlib, contextvars, copy, dataclasses, enum, functools, inspect, itertools, logging, math, operator, os, "
          "random, re, sys, threading, time, types, typing, warnings, torch, torch.nn, torch.nn.functional")
MOST_OF_IMPORTS = 2.5                          # times what `import torch` takes; their code takes more than 20 times as long


def imports_cost(ptc):
    """What is wrong with the time that a program takes that imports much of lib/Prelude, or None."""
    counter, rows = Counter(), []
    while len(rows) < ROUNDS_OF_SHORT:
        rows.append([verb_cost(ptc, "inspect-graph", nothing, 1, counter, names)[1] for names in ("torch", IMAGED)])
        few, many = map(min, zip(*rows))
        if many <= MOST_OF_IMPORTS * few:
            return None
    return f"{many:.4g}, {few:.4g} for torch alone: more than {MOST_OF_IMPORTS} times"


def main():
    parser = runner.options(__doc__, pattern=False)
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    row = "| {:14} | {:>2} | {:>5} | {:>5} | {:>6} | {:>5} | {:>5} |" if args.markdown else "{:14} {:>2} {:>6} {:>5} {:>7} {:>5} {:>6}"
    print(row.format("program", "n", "ops", "depth", "steps", "forks", "ms"))
    if args.markdown:
        print("|---|--:|--:|--:|--:|--:|--:|")
    report = runner.Report(args.v)
    programs = [(make, n, bound) for make, sizes, bound in SWEEPS for n in sizes]
    found = runner.outcomes(lambda at: measure(args.ptc, f"{at[0].__name__}_{at[1]}", at[0](at[1])), programs, args.j)
    for (make, n, bound), outcome in zip(programs, found):
        counts, ms, wrong = outcome.value or (None, 0, outcome.wrong)
        if counts:
            print(row.format(make.__name__, n, *(counts.get(k, "") for k in ("ops", "depth", "steps", "forks")), f"{ms:.0f}"))
            wrong = f"{counts['ops']} operations, the bound is {bound(n)}" if counts["ops"] > bound(n) else None
        report.case(f"{make.__name__} {n}", wrong)
    timed = [("compile", *row) for row in COMPILED] + [("inspect-graph", *row) for row in GRAPHED]
    found = runner.outcomes(lambda at: compared_times(args.ptc, *at), timed, args.j)
    for (verb, make, small, large, *_), outcome in zip(timed, found):
        report.case(f"{make.__name__} {small} to {large}, time of {verb}", outcome.wrong)
    report.case("imports from the image", imports_cost(args.ptc))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
