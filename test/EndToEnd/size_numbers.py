#!/usr/bin/env python3
"""Every function and method of numbers on numbers that the run knows, against CPython.

    size_numbers.py --ptc PTC [FILTER] [--kind KIND] [--target TARGET] [--every] [-j N] [-v]

The expressions come from tables (size_number_rows.py) that name all of math, operator, int, float and bool; a name without
a row is a failure. Their operands are sizes, numbers made of sizes, declared ints, numbers that data decide, lengths that data
decide, and arguments. What CPython computes or raises is what the null target and a library must give, bit for bit; what
is refused is listed there, so that another refusal fails. Without --every each expression has one kind of operands,
another one each day, and of those whose operands are sizes a fifth are made.
"""
import math
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch

import compiled
import pycs
from compare import EXACT, difference
from size_number_rows import IMPORTS, REFUSED, all_rows, missing_names

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TARGETS = ("null", "x86-64")
INF, NAN = math.inf, math.nan
GROUP = 12                                        # expressions of one program


@dataclass
class Kind:
    """Where an int n, a positive int m, floats v and w and a bool t come from."""
    parameters: str
    head: str
    options: list                                 # of the compilation; `{call}` is the first call
    calls: list                                   # arguments
    large: list = ()                              # those whose results may leave 64 bits


def numbers(dtype, *values):
    return {"$tensor": f"{dtype}[{len(values)}]", "values": list(values)}


def shaped(*shape):
    return {"$tensor": f"f32[{','.join(map(str, shape))}]", "values": torch.zeros(shape).tolist()}


SIZES = ["--input", "x=f32[B in 0..64,K in 1..9]"]
SHAPES = [[shaped(*s)] for s in [(5, 2), (0, 1), (1, 3), (2, 9), (3, 3), (64, 7), (33, 4)]]
PAIRS = [(3, 2, 1.5, 0.5), (0, 1, 0.0, 1.0), (1, 3, -0.0, 2.0), (-1, 2, 0.5, -3.0), (2, 7, 1.0, -0.0), (-7, 3, -1.5, 2.5), (12, 5, 2.5, 0.25),
         (5, 5, NAN, 1.5), (63, 9, INF, 2.0), (-64, 4, -INF, 0.5), (4, 1, 1e-310, 1e300), (6, 6, 1e300, NAN), (8, 2, -1e300, INF), (9, 8, -2.0, -INF),
         (20, 1, 710.5, 3.0), (10, 4, 0.1, 0.3), (31, 2, 123456789.125, 7.0), (7, 3, -0.75, 1e-5), (33, 6, 171.7, 0.5), (17, 9, 2.675, -1.0)]
LARGE = [(2 ** 31, 2, 1.0, 1.0), (2 ** 53 + 1, 3, 1e16, 3.0), (2 ** 62, 5, 2.0 ** 62, 0.1),
         (-2 ** 62, 7, -2.0 ** 63, 1.0), (2 ** 63 - 1, 2, 9.3e18, 1.0),
         (-2 ** 63, 9, 1e308, 10.0)]
ARGUMENTS = "n, m, v, w"
KINDS = {
    "size": Kind("x", "n, m = x.shape\nv, w, t = n / 4, m / 2, n > 3", SIZES, SHAPES),
    "made": Kind("x", "n, m = 3 * x.shape[0] - 7, x.shape[1] * 2\nv, w, t = (x.shape[0] - 3) * 0.5, m - 4.5, n % 2 == 0", SIZES, SHAPES),
    "int": Kind("n, m", "v, w, t = n * 0.25, m - 3.0, n > 3", ["--input", "n=N in 0..30", "--input", "m=M in 1..9"],
                [[3, 2], [0, 1], [1, 3], [2, 9], [30, 4], [17, 9]]),
    "data": Kind("a, b", "n, m, t = int(a[0]), int(a[1].item()), bool(a[2] > 0)\nv, w = b[0].item(), float(b[1])", ["--example", "{call}"],
                 *[[[numbers("i64", n, m, int(i % 2)), numbers("f64", v, w)] for i, (n, m, v, w) in enumerate(rows)] for rows in (PAIRS, LARGE)]),
    "count": Kind("a", "n, m = a.nonzero().shape[0], a.unique().shape[0]\nv, w, t = n / 3, m * 0.5, n > 2", ["--example", "{call}"],
                  [[numbers("i64", *row)] for row in [(1, 0, 2, 5, 0, 0), (0,) * 6, (1,) * 6, (3, 3, 0, 0, 0, 0), (1, 2, 3, 4, 5, 6)]]),
    "argument": Kind(ARGUMENTS, "t = n > m", ["every"], [list(row) for row in PAIRS], [list(row) for row in LARGE]),
}


def source_of(kind, expressions):
    """A function of the operands that gives what each expression is or raises."""
    lines = [IMPORTS, "", "", f"def entry({kind.parameters}):", *(f"    {line}" for line in kind.head.split("\n"))]
    for i, expression in enumerate(expressions):
        lines += ["    try:", f"        r{i} = {expression}", "    except Exception as e:", f"        r{i} = type(e).__name__, str(e)"]
    return "\n".join([*lines, f"    return [{', '.join(f'r{i}' for i in range(len(expressions)))}]", ""])


def line_of(source, i):
    return source.split("\n").index(f"        r{i} = " + source.split(f"        r{i} = ", 1)[1].split("\n")[0]) + 1


def decoded(call):
    return [torch.tensor(a["values"], dtype={"f": torch.float64, "i": torch.int64}[a["$tensor"][0]] if "f32" not in a["$tensor"] else torch.float32)
            .reshape([int(s) for s in re.search(r"\[(.*)\]", a["$tensor"])[1].split(",")]) if isinstance(a, dict) else a for a in call]


def fits(value):
    if isinstance(value, int):
        return -2 ** 63 <= value < 2 ** 63
    if isinstance(value, dict):
        return all(fits(v) for pair in value.items() for v in pair)
    return all(map(fits, value)) if isinstance(value, (list, tuple, set, frozenset, range)) else True


def oracle(kind, expressions, calls):
    """What CPython gives of each call, by expression."""
    space = {}
    exec(compile(source_of(kind, expressions), "program.py", "exec"), space)
    return [space["entry"](*decoded(call)) for call in calls]


def comparable(value):
    """As `ptc run --save` writes it."""
    if isinstance(value, dict) and "$repr" in value:
        return value["$repr"]
    if isinstance(value, (range, set, frozenset, complex, bytes, bytearray)) or value is NotImplemented:
        return repr(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(comparable, value)) if type(value) in (list, tuple) else tuple(map(comparable, value))
    return value


def same(want, got):
    return difference(comparable(want), comparable(got), EXACT)


@dataclass
class World:
    """Programs over one kind of operands, on one target."""
    ptc: str
    name: str
    target: str
    folder: Path

    @property
    def kind(self):
        return KINDS[self.name]

    def run(self, expressions, calls):
        """What came of a program of these, and its text."""
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        source, pyc, library = folder / "program.py", folder / "program.pyc", folder / "libprogram.so"
        source.write_text(source_of(self.kind, expressions))
        pycs.compile_pyc(source, pyc)
        paths = compiled.write_calls([{"args": c} for c in calls], folder)
        options = [o.format(call=paths[0]) for o in self.kind.options]
        if options == ["every"]:
            options = [word for path in paths for word in ("--example", str(path))]
        if self.target == "null":
            return compiled.run(self.ptc, pyc, [], paths, folder / "o.jsonl", "entry", options=options), source.read_text()
        code, out, err = compiled.execute([*compiled.command(self.ptc, "compile", pyc, "entry"), *options, "-o", str(library)], 300)
        if code:
            return compiled.Outcome("refused" if code in (1, 7, 10) else "failed", text=f"{out}{err}"), source.read_text()
        return compiled.run(self.ptc, library, [], paths, folder / "o.jsonl"), source.read_text()

    def verdicts(self, expressions, calls):
        """{expression: None, or what is wrong of it}: alone where it is refused among others."""
        got, source = self.run(expressions, calls)
        if got.kind == "ran" and all(got.calls):
            wanted = oracle(self.kind, expressions, calls)
            return {e: next((f"{decoded(c)}: {text}" for c, want, seen in zip(calls, wanted, got.calls)
                             if (text := f"raised {seen['raised']}" if seen.get("raised") else same(want[i], seen["result"][i]))), None)
                    for i, e in enumerate(expressions)}
        if len(expressions) == 1:
            return {expressions[0]: f"{got.kind}: {got.text[:900]}"}
        named = {int(n) for n in re.findall(r"program\.py:(\d+):\d+: error", got.text)}
        bad = [e for i, e in enumerate(expressions) if line_of(source, i) in named]
        if bad and len(bad) < len(expressions):
            rest = [e for e in expressions if e not in bad]
            return {**self.verdicts(rest, calls), **{e: v for one in bad for e, v in self.verdicts([one], calls).items()}}
        half = len(expressions) // 2
        return {**self.verdicts(expressions[:half], calls), **self.verdicts(expressions[half:], calls)}


def is_refusal(text):
    """By number, with a line of the program; or a call that ends because an int leaves 64 bits, or is not computed."""
    return bool(re.match(r"refused: (.*\n)*?.*program\.py:\d+(:\d+)?: error: .*\[PTC\d+\]", text)) or "which compiled programs do not compute" in text


def is_due(kind, expression, text):
    """Is it refused by its nature: a result of CPython's leaves 64 bits, or each size would be a variant?"""
    if "[PTC7002]" in text:
        return not all(fits(result) for result in oracle(kind, [expression], kind.calls))
    return "[PTC1401]" in text


def judged(kind, expression, text):
    """What is wrong with a verdict, or None."""
    is_known = text and is_refusal(text) and (expression in REFUSED or is_due(kind, expression, text))
    return None if not text or is_known else f"{expression!r}: {text}"


def check(ptc, name, target, expressions):
    with tempfile.TemporaryDirectory() as folder:
        found = World(ptc, name, target, folder).verdicts(list(expressions), KINDS[name].calls)
        return "\n".join(wrong for e, text in found.items() if (wrong := judged(KINDS[name], e, text))) or None


def check_large(ptc, name, target, expression):
    """Numbers near the ends of 64 bits: what CPython computes, or a call that ends."""
    with tempfile.TemporaryDirectory() as folder:
        for call in KINDS[name].large:
            text = World(ptc, name, target, folder).verdicts([expression], [call])[expression]
            if text and not is_refusal(text) and not (text.startswith("hung") and "range" in expression):
                return text
    return None


def check_names():
    return f"no row for {', '.join(missing)}" if (missing := missing_names()) else None


def groups(name, rows):
    """Sizes lead to variants where one decides: there each expression is a program of its own."""
    alone = [e for e in rows if name in ("size", "made", "int") or e in REFUSED]
    others = [e for e in rows if e not in alone]
    return [[e] for e in alone] + [others[i:i + GROUP] for i in range(0, len(others), GROUP)]


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--target", choices=TARGETS)
    parser.add_argument("--every", action="store_true", help="all combinations, and numbers near the ends of 64 bits")
    args = parser.parse_args()
    cases = [("names", (check_names, ()))]
    filtered, args.filter = args.filter, ""
    for name in [args.kind] if args.kind else KINDS:
        rows = [e for e in all_rows() if filtered in e]
        if not args.every:
            rows = [e for e in rows if runner.turn_of(e, list(KINDS)) == name and (name not in ("size", "made", "int") or runner.is_turn(e))]
        for target in [args.target] if args.target else TARGETS:
            cases += [(f"{name} {target}: {part[0]}{' …' if part[1:] else ''}", (check, (args.ptc, name, target, part)))
                      for part in groups(name, rows)]
            if args.every and KINDS[name].large:
                cases += [(f"large {name} {target}: {e}", (check_large, (args.ptc, name, target, e))) for e in rows if not e in REFUSED]
    return runner.run([(name, (lambda f=f, a=a: f(*a),)) for name, (f, a) in cases], lambda one: one(), args)


if __name__ == "__main__":
    sys.exit(main())
