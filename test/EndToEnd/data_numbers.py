#!/usr/bin/env python3
"""What Python's builtins do with numbers that data decides, against eager PyTorch.

    data_numbers.py --ptc PTC [FILTER] [-j N] [-v]

Each expression in an int n, a float v and a bool t, all read from a tensor, is captured from one call and made for many.
"""
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
ROWS = [(3, 1.5, 1), (0, -0.5, -1), (1, 0.0, 2), (2, 2.0, 0), (5, 7.25, 3), (-1, -3.0, 1), (4, 0.5, -2)]
CALLS = [{"args": [{"$tensor": "f32[3]", "values": list(row)}]} for row in ROWS]

PROGRAM = """import bisect, dataclasses, enum, functools, heapq, itertools, math, operator, torch
from collections import Counter, deque


@dataclasses.dataclass
class P:
    a: int
    b: float


class C(enum.Enum):
    X = 1
    Y = 2
    Z = 3


def f(x):
    n, v, t = int(x[0].item()), x[1].item(), bool(x[2] > 0)
    try:
        return EXPRESSION
    except (ValueError, OverflowError, ZeroDivisionError, IndexError, RuntimeError, KeyError) as e:
        return type(e).__name__
"""

ANSWERED = [
    'n.__float__(), t.__index__(), +t, t.real',
    'n in range(5), sorted([3, 1, 2], reverse=t)',
    'x.shape[0] ** 0.5',
    "[0, 1, 2, 3, 4, 5, 6, 7][n]",
    '"abcdefgh"[n]',
    'b"abcdefgh"[n]',
    "(1, 2, 3)[:n]",
    '"abcdef"[n:]',
    "[1, 2] * n, n * [v]",
    "list(range(n))",
    "list(range(0, 10, n + 2))",
    "round(n)",
    # What follows from constants is known where a program cannot be captured without.
    "f'{n:>{(torch.arange(9) == 7).nonzero()[0].item()}}', [n] * len((torch.arange(9) % 3 == 0).nonzero())",
    "round(v, 1), round(v / 7, 3), round(v, 0), round(-v / 3, 2), round(n, 2), round(n / 3, 15)",
    "int(v), float(n), bool(n), str(n), str(v), repr(t)",
    'f"{n:>4}|{v:8.2f}|{t}|{n:x}|{n:03d}|{n!r}"',
    '"%d %s %.2f" % (n, t, v)',
    '"{} {:.1f}".format(n, v)',
    'format(n, "05d")',
    "math.gcd(n, 6), math.lcm(n, 4)",
    "math.factorial(abs(n))",
    "math.comb(6, abs(n)), math.perm(6, abs(n))",
    "math.sqrt(abs(v)), math.exp(v), math.atan2(v, n), math.hypot(v, n)",
    "math.copysign(1.0, v), math.trunc(v), math.floor(v), math.ceil(v)",
    "math.isclose(v, n), math.isfinite(v)",
    "math.fsum([v, n, 0.5]), sum([v, n, t])",
    "math.prod([v, n])",
    "math.dist([v, 1.0], [n, 2.0])",
    "divmod(n, 3), divmod(v, 2)",
    "abs(n), abs(v), -n, +v, ~n",
    "n & 3, n | 8, n ^ 1, n << 2, n >> 1",
    "t & True, t | False, t ^ True, not t, t + 1",
    "n and v, n or v, t and n",
    "max(n, v, 1), min(n, v, t)",
    "max([n, 2, 1]), min((v, 0.5))",
    "sorted([n, 2, 0, v])",
    "sorted([3, n], reverse=True)",
    "[3, 1, 2].index(n) if n in [3, 1, 2] else None",
    "[1, n, 2].count(n)",
    "[1, 2, 3, n].index(max([1, 2, 3, n]))",
    "n in [1, 2, 3], n in (1, v), n in {1, 2, 3}, n in range(4)",
    '{1: "a", 2: "b", 3: "c"}.get(n, "none")',
    "{n: 1}",
    "{n, 1}",
    "len({n, 1, 2})",
    '{"a": n}["a"]',
    "dict(a=n, b=v)",
    "list(zip(range(3), [n, v, t]))",
    "list(enumerate([n, v], n))",
    "list(map(lambda i: i * n, [1, 2, 3]))",
    "list(filter(lambda i: i > n, [1, 2, 3]))",
    "any([n, v]), all([n, v, t])",
    "isinstance(n, int), isinstance(t, int), isinstance(v, float), type(n) is int, type(t) is bool",
    "n == 3, n == v, n != t, n < v <= 7",
    "n.as_integer_ratio()",
    "list(itertools.repeat(n, 2))",
    "list(itertools.accumulate([n, 1, 2]))",
    "list(itertools.combinations([n, 1, 2], 2))",
    "list(itertools.product([n], [v]))",
    "list(itertools.chain([n], [v]))",
    "list(itertools.count(n))[:0] if False else next(itertools.count(n))",
    "functools.reduce(lambda a, b: a * b, [n, v, 2])",
    "[9, 8, 7].pop(n) if 0 <= n < 3 else None",
    "(lambda l: (l.insert(n, 5), l)[1])([1, 2, 3])",
    "(lambda l: (l.append(n), l.sort(), l)[2])([1, 2, 3])",
    "(lambda l: (l.extend([n, v]), l)[1])([1])",
    "(lambda l: (l.remove(n), l)[1])([n, 1])",
    '(lambda d: (d.update(k=n), d.setdefault("z", v), d)[2])({})',
    'str(n) + "!" , repr(v)',
    'bytearray(b"abc")[n]',
    "list(reversed([n, v]))",
    "torch.arange(n + 2), torch.zeros(n + 2)",
    "torch.tensor([n, 1]), torch.tensor(v), torch.tensor([[v, n]])",
    "x[n % 3], x[:n], x + n, x * v",
    "x.repeat(n + 2), x.roll(n), x.sum() > v",
    "torch.full((2,), n), torch.full((2,), v), torch.full((2,), t)",
    "x.clamp(min=v), x.clamp(-1, n)",
    "torch.where(x > n, x, v)",
    "x.view(n, -1) if n in (1, 3) else 0",
    "torch.eye(abs(n)), torch.ones(abs(n), 2)",
    "x.topk(abs(n) % 3 + 1)",
    "x ** n, x.pow(v), n ** x.abs()",
    "x.sum().item() + n, x.tolist()[n % 3]",
    'x.div(2, rounding_mode="floor") + n',
    "P(n, v), dataclasses.replace(P(1, 2.0), a=n), P(n, v) == P(3, 1.5)",
    "C(abs(n) % 3 + 1).name",
    "Counter([n, 1, 1])",
    "heapq.nsmallest(2, [n, 3, 1])",
    "(lambda h: (heapq.heappush(h, n), heapq.heappop(h))[1])([1, 4])",
    "bisect.bisect([1, 2, 3], n), bisect.bisect_left([1, 2, 3], v)",
    "statistics.mean([n, 1]) if False else 0",
    "operator.add(n, 1), operator.itemgetter(n % 2)([5, 6]), operator.index(n)",
    "operator.mul(v, n), operator.neg(n)",
    "random.seed(n) if False else 0",
    'print(n, v, t, sep="-")',
    'print(f"{n} {v:.3f}", end="!\\n")',
    'getattr(P(1, 2.0), "a" if t else "b")',
    "[n] + [v] == [v] + [n], (n, v) < (2, 1.0), [n, 1] < [2]",
    "n.__index__(), n.__add__(2), n.__eq__(3), v.__float__() if False else v.__lt__(2)",
    "min([P(n, v), P(2, 1.0)], key=lambda p: p.a).a",
    "[i for i in range(5) if i > n], sum(i for i in range(n + 2))",
    '"yes" if n else "no", "abc" < "abd" if t else n',
    "[[1, 2], [3, 4], [5, 6]][n % 3][n % 2]",
    "(lambda a, *r: (a, r))(*[n] * 2)",
    "n if n > 2 else v if v > 1 else t",
    'int.from_bytes(b"ab", "big") + n',
    "hex(n), bin(n), oct(n)",
    "round(v, n)",
    "round(n, -1)",
    "n.bit_length()",
    "n.bit_count()",
    "math.isqrt(abs(n))",
    "math.ldexp(v, n)",
    "math.frexp(v), math.modf(v)",
    "pow(n, 2), pow(2, abs(n)), pow(n, 2, 5)",
    "n.real, n.imag, n.numerator, v.is_integer(), n.conjugate()",
    "range(n)[0] if n > 0 else len(range(max(n, 0)))",
]

# No wrong answer either: a diagnostic that says what is not known.
REFUSED = [
    'v in range(5)',
    'range(10).count(n), range(10).index(n)',
    '"%*d" % (n, 3)',
    'n in b"abc"',
    '"abc".translate({97: n})',
    '{f"k{n}": 1}.get("k3")',
    'getattr(P(1, 2.0), f"a{n}", 0)',
    'dict(**{f"k{n}": 1})',
    'f"{n}".join(["a", "b"])',
    'x[t]',
    'str(n)[:1], f"v={n}"[2:]',
    '"-" in str(n)',
    'list(str(n))',
    'ord(str(n)[0]), ord(f"{n}")',
    '[c for c in f"{v:.1f}"]',
    'min(str(n), "5")',
    "chr(n + 97)",
    '"".join(chr(97 + i) for i in [n, 1])',
    '"ab" * n',
    "(0,) * n",
    'n.to_bytes(2, "little", signed=True)',
    '(5).to_bytes(n + 2, "big")',
    "v ** 0.5 if v > 0 else 0",
    "n is None, t is True, n is n",
    "hash(n), hash(v), hash(t)",
    "int(n), int(t), float(t), complex(n, v)",
    "v.hex()",
    "v.as_integer_ratio()",
    "list(itertools.islice([1, 2, 3, 4], abs(n)))",
    '"a,b,c,d".split(",", n)',
    '"abc".center(n + 5), "abc".ljust(n + 5), "abc".zfill(n + 5)',
    '"aXbX".replace("X", "y", n)',
    '"abcabc".find("c", n)',
    '"x".join(["a"] * n)',
    '"a\\tb".expandtabs(n)',
    'str(n).zfill(3), str(v).split(".")',
    "int(str(n)), float(str(v))",
    "bytes([abs(n), 1])",
    "bytes(abs(n))",
    "torch.linspace(0, n, 3), torch.arange(0, v, 0.5) if v > 0 else 0",
    "range(3)[n % 3], range(10)[n:], n in range(0, 10, 2), range(n) == range(3)",
]


def check(ptc, expression, refused):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        py = folder / "program.py"
        py.write_text(PROGRAM.replace("EXPRESSION", expression))
        compile_pyc(py, folder / "program.pyc")
        paths = compiled.write_calls(CALLS, folder)
        got = compiled.run(ptc, folder / "program.pyc", paths[0], paths, folder / "o.jsonl", "f")
        if got.kind != ("refused" if refused else "ran"):
            return f"{got.kind}: {got.first_error[:200]}"
        program = EagerProgram(py, "f")
        for row, call, seen in zip(ROWS, CALLS, got.calls):
            if text := observation_difference(program.observe(call), seen, TOLERANCE):
                return f"{row}: {text}"
        return None


def main():
    args = runner.options(__doc__).parse_args()
    cases = [(e, False) for e in ANSWERED] + [(e, True) for e in REFUSED]
    return runner.run([(e, (args.ptc, e, refused)) for e, refused in cases], check, args)


if __name__ == "__main__":
    sys.exit(main())
