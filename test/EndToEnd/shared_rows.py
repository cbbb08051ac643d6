#!/usr/bin/env python3
"""Tables of the run whose rows several names hold, against CPython: a result is CPython's, or the program is refused with a line.

    shared_rows.py --ptc PTC [FILTER] [--target TARGET]... [--every] [-j N] [-v]

Each program makes a table, a list of lists whose length a size says, copies it in one of many ways, writes to one of its rows and
gives what a name shows of it then. Without --every and FILTER, of all combinations of the four each has one day of DAYS,
and of these one of ten is made as a library, too; the shortest program for each way to copy is made every day.
"""
import re
import sys
from pathlib import Path

import one_library
import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TABLES = {
    "rows of one number": "a = [[0] * 3 for _ in range(n)]",
    "rows as long as a size": "a = [[0] * (n + 3) for _ in range(n)]",
    "a comprehension in another": "a = [[j for j in range(3)] for i in range(n)]",
    "appended rows": "a = []\nfor i in range(n):\n    row = [0] * (n + 3)\n    a.append(row)",
    "one row again and again": "row = [0] * (n + 3)\na = []\nfor i in range(n):\n    a.append(row)",
    "rows that repeat": "row = [0] * 3\na = []\nfor i in range(n):\n    a.append([0] * 3 if i % 2 else row)",
    "tolist() of rows": "a = [r.tolist() for r in x]",
    "tolist()": "a = x.tolist()",
}
COPIES = {
    "no copy": "b = a",
    "list": "b = list(a)",
    "slice": "b = a[:]",
    "slice from 0": "b = a[0:]",
    "backwards": "b = a[::-1][::-1]",
    "reversed": "b = list(reversed(a))[::-1]",
    "copy": "b = a.copy()",
    "star": "b = [*a]",
    "plus": "b = a + []",
    "sum": "b = sum([a], [])",
    "sorted": "b = sorted(a, key=len)",
    "deque": "b = collections.deque(a)",
    "extend": "b = []\nb.extend(a)",
    "in place": "b = []\nb += a",
    "append": "b = []\nfor r in a:\n    b.append(r)",
    "by index": "b = []\nfor i in range(n):\n    b.append(a[i])",
    "behind fresh rows": "b = []\nfor i in range(n):\n    b.append([0] * 3 if i else a[0])",
    "before old rows": "b = []\nfor i in range(n):\n    b.append(a[i] if i else a[0])",
    "fresh, then old": "b = []\nfor i in range(n):\n    if i == 0:\n        b.append([7] * len(a[0]))\n    else:\n        b.append(a[i])",
    "comprehension": "b = [r for r in a]",
    "with a condition": "b = [r for r in a if len(r) > 1]",
    "map": "b = list(map(lambda r: r, a))",
    "chain": "b = list(itertools.chain(a))",
    "chain of two": "b = list(itertools.chain(a, [[0] * 3]))",
    "chain of itself": "b = list(itertools.chain(a, a))",
    "generator": "def rows():\n    for r in a:\n        yield r\nb = list(rows())",
    "on a condition": "b = a\nif x.sum() > 0:\n    b = list(a)",
    "element put": "b = a\na[0] = a[-1]",
    "element inserted": "b = a\na.insert(0, a[-1])",
    "element appended": "b = a\na.append(a[0])",
    "one row": "b = [a[0]]",
    "a row in a tuple": "b = (a[0], 1)",
    "a row in a dict": "b = {0: a[0], -1: a[-1]}",
    "copied rows": "b = [list(r) for r in a]",
}
WRITES = {
    "first": "a[0][0] = 9",
    "through the copy": "b[-1][0] = 9",
    "first of the copy": "b[0][0] = 9",
    "of a row": "r = b[0]\nr[0] = 9",
    "last": "a[-1][-1] = 9",
    "in a loop": "for i in range(n):\n    a[i][0] = 9",
    "on a condition": "if x.sum() > 0:\n    a[0][0] = 9",
}
READS = {
    "first of the copy": "return b[0][0]",
    "last of the copy": "return b[-1][0]",
    "first": "return a[0][0]",
    "last": "return a[-1][-1]",
    "the copy": "return list(b) if not isinstance(b, (tuple, dict)) else b",
    "the table": "return a",
    "identity": "return b[0] is a[0]",
    "sum": "return sum(r[0] for r in a)",
}
CALLS = [(1, -1.0), (2, 1.0), (5, -1.0), (5, 1.0)]  # n, and the sign of what x holds
TARGETS = ["null", "x86-64"]
DAYS = 60


def programs():
    """{name: body}, and the names of those that are made every day."""
    made, daily = {}, []
    for table, make in TABLES.items():
        for copy, copied in COPIES.items():
            for write, written in WRITES.items():
                for read, shown in READS.items():
                    name = f"{table}, {copy}, written {write}, read {read}"
                    body = f"n = x.shape[0]\n{make}\n{copied}\n{written}\n{shown}"
                    if "tolist" in make:      # a row of floats
                        body = re.sub(r"= 9\b|\[[07]\](?= \*)", lambda m: {"= 9": "= 9.0"}.get(m[0], f"[{m[0][1]}.0]"), body)
                    made[name] = body
                    if (table, write, read) == ("rows of one number", "first", "first of the copy"):
                        daily.append(name)
    return made, daily


def check(ptc, body, target):
    calls = [{"args": [{"$tensor": f"f32[{n},3]", "values": (sign * torch.arange(1.0, 3 * n + 1).reshape(n, 3)).tolist()}]} for n, sign in CALLS]
    source = "import collections\nimport itertools\nimport torch\n\n\ndef entry(x):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return one_library.outcome(ptc, source, ["--input", "x=f32[N in 1..64,3]"], calls, target).difference


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: all")
    parser.add_argument("--every", action="store_true", help="every program on every target")
    args = parser.parse_args()
    made, daily = programs()
    every = args.every or args.filter
    cases = [(f"{name} ({target})", (args.ptc, body, target)) for name, body in made.items() for target in args.target or TARGETS
             if every or (name in daily and target == "null")
             or runner.is_turn(name, of=DAYS) and (target == "null" or runner.is_turn(f"{name} {target}", of=10))]
    return runner.run(cases, check, args)


if __name__ == "__main__":
    sys.exit(main())
