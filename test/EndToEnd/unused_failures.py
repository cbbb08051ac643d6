#!/usr/bin/env python3
"""What raises raises where nobody uses its result: on the null target and as native libraries, against eager PyTorch.

    unused_failures.py --ptc PTC [FILTER] [--every] [-j N] [-v]

Each expression takes an int n or a float a that the run reads from a tensor, and tensors. It is compiled once for each way in
which its result is lost, and called with numbers of which none raises and with others, on both sides of a branch. Loops
whose results are lost stay in the program where nothing proves that they end.
"""
import sys
import tempfile
from pathlib import Path

import compiled
import one_library
import pycs
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

INF, NAN = float("inf"), float("nan")
# {expression in n or a: (the number for which it does not raise, others)}
NUMBERS = {
    "math.sqrt(a)": (1.0, [-1.0, -INF]), "math.log(a)": (1.0, [0.0, -1.0]), "math.log2(a)": (1.0, [0.0]), "math.log10(a)": (1.0, [-1.0]),
    "math.log1p(a)": (1.0, [-1.0]), "math.exp(a)": (1.0, [1000.0]), "math.expm1(a)": (1.0, [1000.0]), "math.exp2(a)": (1.0, [5000.0]),
    "math.sin(a)": (1.0, [INF]), "math.cos(a)": (1.0, [INF]), "math.tan(a)": (1.0, [-INF]), "math.asin(a)": (0.5, [2.0]),
    "math.acos(a)": (0.5, [2.0]), "math.acosh(a)": (2.0, [0.0]), "math.atanh(a)": (0.5, [1.0]), "math.sinh(a)": (1.0, [1000.0]),
    "math.cosh(a)": (1.0, [1000.0]), "math.fmod(5.0, a)": (1.0, [0.0]), "math.remainder(5.0, a)": (1.0, [0.0]), "math.gamma(a)": (2.0, [-1.0, 500.0]),
    "math.lgamma(a)": (2.0, [-1.0]), "math.pow(a, 0.5)": (1.0, [-1.0]), "math.pow(10.0, a)": (1.0, [5000.0]), "math.floor(a)": (1.5, [NAN, INF]),
    "math.ceil(a)": (1.5, [NAN, -INF]), "math.trunc(a)": (1.5, [NAN, INF]), "int(a)": (1.5, [NAN, INF]), "round(a)": (1.5, [NAN, INF]),
    "2.0 ** a": (1.0, [5000.0]), "0.0 ** a": (1.0, [-1.0]), "5.0 // a": (1.0, [0.0]), "5.0 % a": (1.0, [0.0]), "1.0 / a": (1.0, [0.0]),
    "divmod(1.0, a)": (1.0, [0.0]), "range(int(a))": (2.0, [NAN]), "math.factorial(n)": (3, [-1]), "math.comb(n, 2)": (3, [-1]),
    "math.perm(n, 2)": (3, [-1]), "math.isqrt(n)": (4, [-1]), "math.ldexp(1.0, n)": (3, [5000]), "math.sqrt(n)": (4, [-1]), "math.log(n)": (4, [0]),
    "1 << n": (2, [-1]), "5 >> n": (2, [-1]), "5 // n": (2, [0]), "5 % n": (2, [0]), "5 / n": (2, [0]), "divmod(5, n)": (2, [0]), "0 ** n": (2, [-1]),
    "pow(3, 2, n)": (2, [0]), "0.0 ** n": (2, [-1]), "[1, 2, 3][n]": (1, [3, -4]), "(1, 2, 3)[n]": (1, [3]), "'abc'[n]": (1, [3]),
    "b'abc'[n]": (1, [3]), "range(3)[n]": (1, [3]), "[1, 2, 3].pop(n)": (1, [7]), "[1, 2, 3].index(n)": (1, [7]), "[1, 2, 3].remove(n)": (1, [7]),
    "{1: 2, 2: 3}[n]": (1, [7]), "{1: 2, 2: 3}.pop(n)": (1, [7]), "{1, 2}.remove(n)": (1, [7]), "range(0, 5, n)": (1, [0]),
    "[1, 2, 3][::n]": (1, [0]), "next(iter(range(n)))": (1, [0]), "max(range(n))": (1, [0]), "min([i for i in range(n)])": (1, [0]),
    "list(range(n)).pop()": (1, [0]), "list(range(n))[1]": (3, [1]), "list(range(n)).index(2)": (3, [1]), "int('abc'[n:] or '7')": (3, [1]),
    "float('abc'[n:] or '7')": (3, [1]), "list(zip('ab', range(n), strict=True))": (2, [3]), "dict.fromkeys(range(n))[2]": (3, [1]),
    "math.gcd(5 // n, 2)": (1, [0]), "[5][n - 1]": (1, [2]), "operator.truediv(1, n)": (1, [0]), "functools.reduce(max, range(n))": (1, [0]),
    "sum(5 // i for i in range(n, 3))": (1, [0]), "[i for i in (1, 2)][n]": (1, [2]), "'a,b'.split(',')[n]": (1, [2]),
    "'abc'.index('abcd'[n])": (1, [3]), "check(n)": (1, [-1]), "needs(n)": (1, [-1]), "C(n)": (1, [7]), "float(n) ** 400.0": (2, [10]),
}
# All elements of k are n.
TENSORS = {
    "x[n]": (1, [4, -5]), "x[:n].item()": (1, [2, 0]), "bool(x[:n])": (1, [2]), "float(x[:n])": (1, [2]), "x.view(n, 2)": (2, [3]),
    "x.reshape(n, 2)": (2, [3]), "x.reshape(n, -1)": (2, [3]), "x.expand(n)": (4, [3]), "x + torch.ones(n)": (4, [3]), "x @ torch.ones(n)": (4, [3]),
    "m @ torch.ones(n, 2)": (6, [3]), "torch.cat([m, torch.ones(2, n)])": (6, [3]), "torch.stack([x, torch.ones(n)])": (4, [3]),
    "torch.ones(n)": (4, [-1]), "torch.zeros(2, n)": (4, [-1]), "torch.full((n,), 1.0)": (4, [-1]), "torch.eye(n)": (4, [-1]),
    "torch.arange(n, 5)": (1, [6]), "torch.linspace(0, 1, n)": (4, [-1]), "torch.randperm(n)": (4, [-1]), "x.unfold(0, n, 1)": (2, [5]),
    "x.unfold(0, 2, n)": (2, [0]), "x.narrow(0, n, 2)": (1, [3]), "x.repeat(n)": (1, [-1]), "x.select(0, n)": (1, [4]), "x.topk(n)": (1, [5]),
    "x.kthvalue(n)": (1, [5]), "x[:n].max()": (1, [0]), "x[:n].argmax()": (1, [0]), "m[:, :n].amax(1)": (1, [0]), "m[:, :n].max(1)": (1, [0]),
    "x.repeat_interleave(n)": (1, [-1]), "x.long() // n": (1, [0]), "x.long() % n": (1, [0]),
    "torch.div(x.long(), n, rounding_mode='floor')": (1, [0]), "x.long() // k[:1]": (1, [0]), "x.long() % k": (1, [0]),
    "torch.fmod(x.long(), k)": (1, [0]), "k[:n].tolist()[1]": (2, [1]), "x[k]": (1, [9]), "x.index_select(0, k)": (1, [9]),
    "x.gather(0, k)": (1, [9]), "x.take(k)": (1, [9]), "x.scatter(0, k, x)": (1, [9]), "x.index_add(0, k, x)": (1, [9]),
    "x.index_fill(0, k, 2.0)": (1, [9]), "x.index_copy(0, k, x)": (1, [9]), "x.scatter_add(0, k, x)": (1, [9]), "x.index_put((k,), x)": (1, [9]),
    "F.embedding(k, m.T)": (1, [9]), "F.one_hot(k, 3)": (1, [9, -1]), "F.nll_loss(m.T[:4], k)": (1, [9]), "F.cross_entropy(m.T[:4], k)": (1, [9]),
    "torch.bincount(k)": (1, [-1]), "x.take_along_dim(k)": (1, [9]), "x[torch.ones(n) > 0]": (4, [3]),
    "torch.multinomial(x.abs() * a, 2)": (1.0, [NAN, INF]), "torch.bernoulli(x * 0 + a)": (0.5, [2.0]),
    "torch.linalg.cholesky(torch.eye(2) * a)": (1.0, [-1.0]), "torch.linalg.inv(torch.eye(2) * a)": (1.0, [0.0]),
    "torch.linalg.solve(torch.eye(2) * a, torch.ones(2))": (1.0, [0.0]), "torch.normal(x, x * 0 + a)": (1.0, [-1.0]), "F.pad(x, (0, n))": (1, [-5]),
    "F.interpolate(m[None], size=n)": (3, [0]), "F.avg_pool1d(m, n)": (2, [0, 7]), "F.max_pool1d(m, n)": (2, [0]),
    "F.unfold(m[None, None], n)": (2, [9]), "F.dropout(x, a)": (0.5, [2.0]), "x.clamp(min=n).view(n)": (4, [2]), "m.unflatten(1, (n, 2))": (3, [2]),
    "m.view(-1, n)": (3, [5]), "torch.histc(x, n)": (2, [0]), "torch.hann_window(n)": (2, [-1]), "torch.randint(0, n, (2,))": (2, [0]),
    "torch.empty(n).fill_(1)": (2, [-1]),
}
NULL_ONLY = {"x.take_along_dim(k)", "torch.randint(0, n, (2,))", "torch.bernoulli(x * 0 + a)", "F.dropout(x, a)"}
HEAD = """import enum
import functools
import math
import operator
import torch
import torch.nn.functional as F


class C(enum.Enum):
    ONE = 1
    TWO = 2


def check(n):
    assert n > 0, f"is {n}"


def needs(n):
    if n < 0:
        raise LookupError(n)


def entry(v, w, c, x, m, k):
    NUMBER, z = READ[0].item(), v[1].item()
"""
WAYS = {
    "unused": "EXPRESSION",
    "printed between": "print('before')\nEXPRESSION\nprint('behind')",
    "overwritten": "r = EXPRESSION\nr = 0.0",
    "used on one side": "r = EXPRESSION\nif c.sum() > 0:\n    print('some')\n    used = r\nelse:\n    used = 1.0",
    "on one side": "if c.sum() > 0:\n    EXPRESSION",
    "in a loop": "for _ in range(int(c.sum())):\n    EXPRESSION",
    "in a loop that stores": "for i in range(int(c.sum())):\n    j = EXPRESSION",
    "twice": "EXPRESSION\nEXPRESSION",
    "before another": "EXPRESSION\nmath.sqrt(z)",
    "behind another": "math.sqrt(z)\nEXPRESSION",
}
TYPES = {"v": "f64[2]", "w": "i64[1]", "c": "f32[1]", "x": "f32[4]", "m": "f32[2,6]", "k": "i64[4]"}
TARGETS = ["null", "x86-64"]
DAYS = 20
# {body of a function of x: whether its loop stays}
LOOPS = {
    "n = 0\nwhile x.sum() < 10:\n    n += 1": True,
    "y = x\nwhile y.sum() < 10:\n    y = y * 2": True,
    "n = 0\nwhile True:\n    n += 1\n    if x.sum() * n > 10:\n        break": True,
    "i = 0\nwhile i < x.sum():\n    i += 0": True,
    "i, f = 0, x.sum().item()\nwhile i < f:\n    i += 1": True,
    "i, f = 0, x.sum().item()\nwhile not i > f:\n    i += 1": True,
    "i, n = 0, int(x.sum())\nwhile i < n:\n    i += 1": False,
    "for i in itertools.count():\n    if x.sum() + i > 10:\n        break": True,
    "for y in x:\n    math.sqrt(y.item())": True,
    "for y in x:\n    math.sqrt(abs(y.item()))": False,
    "y = x\nfor i in range(int(x.sum())):\n    y = y + 1": False,
    "y = x\nfor i in range(x.shape[0]):\n    y = y + 1": False,
    "y = x\nfor i, row in enumerate(x):\n    y = y + row": False,
    "i, y = 0, x\nwhile i < x.shape[0]:\n    i += 1\n    y = y + i": False,
    "i, y = x.shape[0], x\nwhile i > 0:\n    i -= 1\n    y = y + i": False,
    "a = []\nfor row in x:\n    a.append(row * 2)": False,
    "for i in range(int(x.sum())):\n    math.floor(i / 3), int(float(i)), math.cos(i), math.sqrt(abs(i)), 1 << abs(i)": False,
}


def program(expression, way, number):
    body = WAYS[way].replace("EXPRESSION", expression)
    return HEAD.replace("NUMBER", number).replace("READ", {"a": "v", "n": "w"}[number]) + "".join(f"    {line}\n" for line in body.split("\n")) + "    return 5\n"


def call(number, side, other):
    isInt = isinstance(number, int)
    values = {"v": [1.0 if isInt else number, other], "w": [number if isInt else 1], "c": [side], "x": [1.0, 2.0, 3.0, 4.0],
              "m": [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]] * 2, "k": [number if isInt else 1] * 4}
    return {"args": [{"$tensor": kind, "values": values[name]} for name, kind in TYPES.items()]}


def check(ptc, expression, way, good, bad, target):
    number = "n" if isinstance(good, int) else "a"
    others = [1.0, -1.0] if "another" in way else [1.0]
    calls = [call(n, side, other) for n in (good, *bad) for side in (1.0, 0.0) for other in others]
    declared = [word for name, kind in TYPES.items() for word in ("--input", f"{name}={kind}")]
    outcome = one_library.outcome(ptc, program(expression, way, number), declared, calls, target)
    return outcome.difference or outcome.refusal


def check_loop(ptc, body, stays):
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "program.py"
        source.write_text("import itertools\nimport math\n\n\ndef entry(x):\n" + "".join(f"    {line}\n" for line in body.split("\n")) + "    return 5\n")
        pycs.compile_pyc(source, source.with_suffix(".pyc"))
        code, text, said = compiled.execute([*compiled.command(ptc, "inspect-graph", source.with_suffix(".pyc")), "--to=normalise", "--format=mlir", "--input", "x=f32[N in 1..64]"], 60)
        if code:
            return f"exit code {code}: {said[:300]}"
        found = "scf.while" in text
        return None if found == stays else f"the loop {'stays' if found else 'is gone'}"


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--every", action="store_true", help="every expression in every way on every target")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cases = [(f"{expression}, {way} ({target})", check, (args.ptc, expression, way, good, bad, target))
             for expression, (good, bad) in {**NUMBERS, **TENSORS}.items() for way in WAYS for target in TARGETS
             if target == "null" or expression not in NULL_ONLY]
    if not (args.every or args.filter):
        cases = [case for case in cases if runner.is_turn(case[0], of=2 if case[0].endswith(", unused (null)") else DAYS)]
    cases += [(f"a loop: {body}", check_loop, (args.ptc, body, stays)) for body, stays in LOOPS.items()]
    return runner.run([(name, (function, values)) for name, function, values in cases], lambda function, values: function(*values), args)


if __name__ == "__main__":
    sys.exit(main())
