#!/usr/bin/env python3
"""One call that passes and one that fails for each kind of guard, through `ptc run`; declared sizes.

    guards.py --ptc PTC [FILTER] [-j N] [-v]

A miss must name what was expected and found, and the line of the program that needed it where one did. Calls that
pass are compared with eager PyTorch, so that a guard that is missing shows as a wrong result, too.
"""
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import compiled
from compare import EXACT, observation_difference
from eager import EagerProgram
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402


def t(*values, **more):
    """A tensor of these rows or numbers."""
    rows = isinstance(values[0], list)
    shape = f"{len(values)},{len(values[0])}" if rows else f"{len(values)}"
    return {"$tensor": f"{more.pop('dtype', 'f32')}[{shape}]", "values": list(values), **more}


V, R, M = t(1, 2, 3), t([1, 2, 3]), t([1, 2, 3], [4, 5, 6])
SAME = {"$same": "args[0]"}


@dataclass
class Row:
    name: str
    source: str                                # of `def f`
    example: list                              # of arguments; a last one {'**': {…}} is of keywords
    passes: list
    fails: list
    says: str                                  # pattern in the text of the miss
    more: list = field(default_factory=list)   # further examples
    options: list = field(default_factory=list)


PLUS = "def f(x):\n    return x + 1\n"
TWO = "def f(x, y):\n    return x + y\n"
MARK = "from torch._dynamo import mark_dynamic, maybe_mark_dynamic, mark_static\n"
ROWS = [
    Row("dtype", PLUS, [V], [t(7, 8, 9)], [t(1, 2, 3, dtype="f64")], r"x\.dtype is torch\.float64, expected torch\.float32"),
    Row("rank", PLUS, [V], [t(7, 8, 9)], [M], r"x\.ndim is 2, expected 1"),
    Row("size", PLUS, [V], [t(7, 8, 9)], [t(1, 2)], r"x\.shape\[0\] is 2, expected 3"),
    Row("size_range", "def f(x):\n    if x.shape[0] > 2:\n        return x * 2\n    return x\n", [V], [t(1, 2, 3, 4, 5)],
        [t(1, 2)], r"x\.shape\[0\] is 2, expected >= 3[^!]*program\.py:2", options=["--dynamic", "all"]),
    Row("size_relation", "def f(x, y):\n    if x.shape[0] < y.shape[0]:\n        return x\n    return y\n",
        [t(1, 2), V], [t(1, 2, 3), t(1, 2, 3, 4)], [V, t(1, 2)], r"x\.shape\[0\] < y\.shape\[0\][^!]*program\.py:2",
        options=["--dynamic", "all"]),
    Row("size_divisible", "def f(x):\n    if x.shape[0] % 2 == 0:\n        return x * 2\n    return x\n", [t(1, 2)],
        [t(1, 2, 3, 4)], [V], r"x\.shape\[0\] % 2 == 0[^!]*program\.py:2", options=["--dynamic", "all"]),
    Row("sizes_0_and_1", PLUS, [V], [t(1, 2)], [t(1)], r"x\.shape\[0\] is 1, expected >= 2", options=["--dynamic", "all"]),
    Row("contiguity", "def f(x):\n    return x.stride()\n", [M], [M], [{**M, "strides": [1, 2]}], r"dense\(x, \(0, 1\)\)"),
    Row("stride", "def f(x):\n    return x.stride()\n", [{**M, "strides": [6, 2]}], [{**M, "strides": [6, 2]}], [M],
        r"x\.stride\(0\) is 3, expected 6"),
    Row("stride_of_one_row", "def f(x):\n    if x.stride(0) > x.stride(1):\n        return x * 10\n    return x + 0\n",
        [{**R, "strides": [6, 2]}], [{**R, "strides": [6, 2]}], [{**R, "strides": [1, 2]}],
        r"x\.stride\(0\) is 1, expected 6[^!]*program\.py:2[^!]*its strides are asked"),
    Row("stride_of_one_dense_row", "def f(x):\n    return x.t().stride()\n", [R], [R], [{**R, "strides": [1, 1]}],
        r"x\.stride\(0\) is 1, expected 3[^!]*program\.py:2[^!]*its strides are asked"),
    Row("requires_grad", PLUS, [V], [V], [{**V, "requires_grad": True}], r"x\.requires_grad is True, expected False"),
    Row("no_overlap", "def f(x, y):\n    x.add_(1)\n    return x + y\n", [V, V], [V, t(4, 5, 6)], [V, SAME],
        r"overlap\(x, y\)[^!]*x is written"),
    Row("overlap", "def f(x, y):\n    x.add_(1)\n    return x + y\n", [V, SAME], [t(4, 5, 6), SAME], [V, V],
        r"overlap\(x, y\)"),
    Row("overlap_read_only", TWO, [V, V], [V, SAME], [V, t(1, 2, dtype="f64")], r"y\.dtype"),
    Row("identity", "def f(x, y):\n    return x + 1 if x is not y else x + 2\n", [V, V], [V, t(4, 5, 6)], [V, SAME],
        r"overlap\(x, y\)[^!]*program\.py:2[^!]*which object it is"),
    Row("identity_both", "def f(x, y):\n    return x + 1 if x is not y else x + 2\n", [V, V], [V, SAME], [V, t(1, 2)],
        r"y\.shape", more=[[V, SAME]]),
    Row("identity_in_a_set", "def f(x, y):\n    return x * len({x, y})\n", [V, V], [V, t(4, 5, 6)], [V, SAME], r"overlap\(x, y\)"),
    Row("identity_as_key", "def f(x, y):\n    return x * {x: 1}.get(y, 0)\n", [V, V], [V, t(4, 5, 6)], [V, SAME], r"overlap\(x, y\)"),
    Row("identity_by_id", "def f(x, y):\n    return x * 2 if id(x) == id(y) else x\n", [V, V], [V, t(4, 5, 6)], [V, SAME],
        r"overlap\(x, y\)"),
    Row("identity_of_views", "def f(x, y):\n    return x + 1 if id(x[0]) == id(x) or x.view(3) is x else x\n", [V, V],
        [V, t(4, 5, 6)], [V, SAME], r"overlap\(x, y\)"),
    Row("both_aliasings", "def f(x, y):\n    x.add_(1)\n    y.mul_(2)\n    return x + y\n", [V, V], [V, SAME],
        [V, t(1, 2)], r"y\.shape", more=[[V, SAME]]),
    Row("tag", "def f(x, k):\n    return x * k\n", [V, 2], [V, 5], [V, 2.5], r"type\(k\) is float, expected int"),
    Row("int_condition", "def f(x, k):\n    if k > 3:\n        return x * k\n    return x\n", [V, 5], [V, 4], [V, 3],
        r"k is 3, expected >= 4[^!]*program\.py:2"),
    Row("float_negative_zero", "def f(x, k):\n    return x + len(k.hex())\n", [V, -0.0], [V, -0.0], [V, 0.0], r"k is 0, expected -0"),
    Row("int_least", f"def f(x, k):\n    return x if k == {-2**63} else x + 1\n", [V, -2**63], [V, -2**63], [V, 2**63 - 1],
        rf"k is {2**63 - 1}, expected {-2**63}[^!]*program\.py:2"),
    Row("int_not_least", f"def f(x, k):\n    return x if k == {-2**63} else x + 1\n", [V, 3], [V, 2**63 - 1], [V, -2**63],
        rf"k is {-2**63}, expected != {-2**63}[^!]*program\.py:2"),
    Row("int_greatest", f"def f(x, k):\n    return x if k < {2**63 - 1} else x + 1\n", [V, -2**63], [V, 2**63 - 2], [V, 2**63 - 1],
        rf"k is {2**63 - 1}, expected <= {2**63 - 2}[^!]*program\.py:2"),
    Row("int_relation", "def f(x, k, n):\n    if k * 2 < n:\n        return x * k\n    return x\n", [V, 1, 5], [V, 3, 7],
        [V, 3, 6], r"2\*k < n[^!]*program\.py:2"),
    Row("int_and_size", "def f(x, k):\n    if k < x.shape[0]:\n        return x[k]\n    return x.sum()\n", [V, 1], [t(1, 2, 3, 4), 3],
        [t(1, 2), 5], r"k[^!]*program\.py:2", options=["--dynamic", "all"]),
    Row("range", "def f(x, k):\n    for i in range(k):\n        x = x * 2 + i\n    return x\n", [V, 3], [t(5, 6, 7), 3], [V, 4],
        r"k is 4, expected[^!]*program\.py:2"),
    Row("float_condition", "def f(x, s):\n    if s > 0.5:\n        return x * s\n    return x\n", [V, 0.75], [V, 2.0], [V, 0.5],
        r"s > 0\.5[^!]*program\.py:2"),
    Row("float_truth", "def f(x, s):\n    return x * s if s else x\n", [V, 0.75], [V, -2.0], [V, 0.0], r"s != 0"),
    Row("float_as_key", "def f(x, s):\n    return x * {0.5: 1, 2.0: 3}[s]\n", [V, 0.5], [t(4, 5, 6), 0.5], [V, 2.0],
        r"s == 0\.5 is False, expected True[^!]*program\.py:2|program\.py:2[^!]*s == 0\.5 is False, expected True"),
    Row("flag", "def f(x, b):\n    return x + 1 if b else x\n", [V, True], [t(4, 5, 6), True], [V, False],
        r"b is False, expected True"),
    Row("string", "def f(x, m):\n    return x + len(m)\n", [V, "ab"], [t(4, 5, 6), "ab"], [V, "abc"], r'm is "abc", expected "ab"'),
    Row("none", "def f(x, o):\n    return x if o is None else x + o\n", [V, None], [t(4, 5, 6), None], [V, 1],
        r"type\(o\) is int, expected NoneType"),
    Row("length", "def f(x, l):\n    return x * sum(l)\n", [V, [1, 2]], [V, [3, 4]], [V, [1, 2, 3]], r"len\(l\) is 3, expected 2"),
    Row("keys", "def f(x, d):\n    return x * d['a']\n", [V, {"a": 1, "b": 2}], [V, {"a": 3, "b": 0}], [V, {"b": 2, "a": 1}],
        r"d\.keys\(\)"),
    Row("elements", "def f(x, s):\n    return x * len(s) if 3 in s else x\n", [V, {"$set": [1, 3]}], [t(4, 5, 6), {"$set": [1, 3]}],
        [V, {"$set": [1, 4]}], r"s\.keys\(\)"),
    Row("given", "def f(x, k=1):\n    return x * k\n", [V], [t(4, 5, 6)], [V, 3],
        r"k is given, expected the arguments x[^!]*program\.py:1"),
    Row("missing", "def f(x, k):\n    return x * k\n", [V, 2], [V, 5], [V], r"k is missing, expected the arguments x, k[^!]*program\.py:1"),
    Row("missing_first", "def f(x, l=None, *, m=1):\n    return x * m\n", [V, [1], {"**": {"m": 2}}], [V, [3], {"**": {"m": 5}}], [V],
        r"l is missing, expected the arguments x, l, m"),
    Row("missing_element", "def f(x, l):\n    return x * l[0][1]\n", [V, [[1, 2], 3]], [V, [[3, 4], 5]], [V, [[3], 5]],
        r"len\(l\[0\]\) is 1, expected 2[^!]*program\.py:2"),
    Row("missing_key", "def f(x, d):\n    return x * d['a']['b']\n", [V, {"a": {"b": 2}}], [V, {"a": {"b": 3}}], [V, {"a": {}}],
        r'len\(d\["a"\]\) is 0, expected 1[^!]*program\.py:2'),
    Row("first_use", "def f(x, k=True, **more):\n    y = x + 1\n    if k:\n        return y + more['z']\n    return more['z']\n",
        [V, {"**": {"z": True}}], [V, {"**": {"z": True}}], [V, {"**": {"z": False}}], r"z is False, expected True[^!]*program\.py:4"),
    Row("not_used", "def f(x, k):\n    return x\n", [V, "a"], [V, "a"], [V, "b"], r'k is "b", expected "a"[^!]*program\.py:1'),
    Row("written", "def f(x, y):\n    z = x + y\n    y.add_(1)\n    return z\n", [V, V], [V, t(4, 5, 6)], [V, SAME],
        r"overlap\(x, y\)[^!]*program\.py:3[^!]*y is written"),
    Row("side", "def f(x):\n    if x.sum() > 0:\n        y = x + 1\n        return y * 2 if x.shape[0] > 2 else y\n    return x\n", [V],
        [t(-1, -2, -3, 4)], [t(1, 2)], r"program\.py:4[^!]*needed only if line 3 is taken", options=["--dynamic", "all"]),
    Row("other_side", "def f(x):\n    if x.sum() > 0:\n        return x\n    if x.shape[0] > 2:\n        return x * 2\n    return x + 1\n",
        [V], [t(-1, -2, -3, 4)], [t(1, 2)], r"program\.py:4[^!]*needed only if line 4 is taken", options=["--dynamic", "all"]),
    Row("side_of_float", "def f(x, s):\n    if x.sum() > 0:\n        x = x * 3\n        if s > 0.5:\n            x = x * 2\n    return x\n",
        [V, 0.75], [t(-1, 2, 3), 1.0], [V, 0.25], r"program\.py:4[^!]*needed only if line 3 is taken"),
    Row("loop_on_data", "def f(x):\n    while x.sum() < 100:\n        x = x * 2\n        if x.shape[0] > 2:\n            x = x + 1\n    return x\n",
        [V], [t(1, 2, 3, 4)], [t(1, 2)], r"program\.py:4[^!]*needed only if line 3 is taken", options=["--dynamic", "all"]),
    *(Row(f"side_and_{name}", "def f(x):\n    if x.sum() > 0:\n        x = x + 1\n        if x.shape[0] > 3:\n            x = x * 2\n"
          f"    if x.shape[0] > {n}:\n        x = x + 3\n    return x\n", [V], [t(-1, -2)], [t(1, 2, 3, 4)],
          r"^(?![^!]*needed only)[^!]*x\.shape\[0\] is 4, expected <= 3", options=["--dynamic", "all"])
      for name, n in (("same", 3), ("implied", 5))),
    Row("marked", MARK + "def f(x, y):\n    mark_dynamic(x, 0)\n    return x * 2 + y\n", [V, t(1)], [t(1, 2, 3, 4, 5), t(2)],
        [t(1, 2), t(2, 3)], r"y\.shape\[0\] is 2, expected 1"),
    Row("marked_several", MARK + "def f(x):\n    mark_dynamic(x, (0, -1))\n    return x.sum(0), x.t() @ x\n", [M],
        [t([1, 2, 3, 4], [5, 6, 7, 8], [3, 4, 5, 6])], [V], r"x\.ndim is 1, expected 2"),
    Row("marked_element", MARK + "def f(d):\n    mark_dynamic(d['x'], 0)\n    return d['x'] * d['y']\n", [{"x": V, "y": M}],
        [{"x": V, "y": M}], [{"x": t(1, 2), "y": M}], r'd\["x"\]\.shape\[0\] is 2, expected 3', options=["--allow-narrowing"]),
    Row("marked_bounds", MARK + "def f(x):\n    mark_dynamic(x, 0, min=2, max=4)\n    return x * 2\n", [V], [t(1, 2, 3, 4)],
        [t(1, 2, 3, 4, 5)], r"x\.shape\[0\] is 5, expected <= 4[^!]*program\.py:3"),
    Row("marked_weakly", MARK + "def f(x):\n    maybe_mark_dynamic(x, 0)\n    return x * 2 if x.shape[0] == 3 else x\n", [V],
        [t(4, 5, 6)], [t(1, 2)], r"x\.shape\[0\] is 2, expected 3[^!]*program\.py:4"),
    Row("marked_static", MARK + "def f(x, y):\n    mark_static(x, 0)\n    return x * 2, y * 3\n", [V, t(1, 2, 3, 4)], [V, t(1, 2)],
        [t(1, 2), V], r"x\.shape\[0\] is 2, expected 3", options=["--dynamic", "all"]),
    Row("marked_later", MARK + "def f(x):\n    y = x * 2\n    mark_dynamic(y, 0)\n    mark_static(y)\n    return y\n", [V], [t(4, 5, 6)],
        [t(1, 2)], r"x\.shape\[0\] is 2, expected 3"),
    Row("rest", "def f(x, *rest, flag=False):\n    return x + sum(rest) if flag else x\n", [V, 1, 2.5], [V, 3, 4.5],
        [V, 1, 2], r"type\(rest\[1\]\) is int, expected float"),
    Row("rest_length", "def f(x, *rest, flag=False):\n    return x + sum(rest)\n", [V, 1, 2], [V, 3, 4], [V, 1], r"rest\[1\]"),
    Row("most_specific", "def f(x, k):\n    if k == 3:\n        return x\n    return x * k\n", [V, 5], [V, 3], [V, 2.0],
        r"type\(k\)", more=[[V, 3]]),
    Row("same_symbol", TWO, [V, t(4, 5, 6)], [t(1, 2, 3, 4), t(1, 2, 3, 4)], [V, t(1)], r"y\.shape\[0\]", more=[[t(1, 2), t(3, 4)]]),
]


@dataclass
class Verdict:
    name: str
    source: str
    options: list
    code: int
    says: str = ""
    prints: str = ""


BRANCH = "def f(x):\n    if x.shape[0] > 8:\n        return x * 2\n    return x\n"
CAPTURES = [
    Verdict("positional_only", "def f(x, /, **more):\n    return x + more['x']\n", ["--example", '{"args": [2], "kwargs": {"x": 3.5}}'], 0,
            prints=r"type\(\*\*x\) == float"),
    Verdict("rest_and_keyword", "def f(x, *rest, flag=False, **more):\n    return x + sum(rest) if flag else more\n",
            ["--example", '{"args": [2, 3, 4], "kwargs": {"flag": true, "k": null}}'], 0, prints=r"type\(rest\[1\]\) == int"),
    Verdict("marked_and_specialised", MARK + "def f(x):\n    mark_dynamic(x, 0)\n    if x.shape[0] == 3:\n        return x * 2\n    return x\n",
            ["--input", "x=f32[3,4]"], 1, r"program\.py:4[^!]*x\.shape\[0\] == 3, which narrows[^!]*PTC1401[^!]*program\.py:3[^!]*marked"),
    Verdict("marked_one", MARK + "def f(x):\n    mark_dynamic(x, 0)\n    return x\n", ["--input", "x=f32[1,4]"], 1,
            r"x\.shape\[0\] == 1, which narrows[^!]*PTC1401"),
    Verdict("marked_out_of_bounds", MARK + "def f(x):\n    mark_dynamic(x, 0, max=2)\n    return x\n", ["--input", "x=f32[3,4]"], 1,
            r"x\.shape\[0\] == 3, which narrows[^!]*out of the bounds"),
    Verdict("marked_nonsense", MARK + "def f(x):\n    mark_dynamic(x, 7)\n    mark_dynamic(x, 'a')\n    return x\n",
            ["--input", "x=f32[3,4]"], 0, prints="AssertionError"),
    Verdict("declared", PLUS, ["--input", "x=f32[B in 1..64,4]"], 0),
    Verdict("declared_not_narrowed", BRANCH, ["--input", "x=f32[B in 1..8,4]"], 0),
    Verdict("declared_narrowed", BRANCH, ["--input", "x=f32[B in 1..64,4]", "--no-explore"], 1, r"program\.py:2[^!]*narrows the declared size B"),
    Verdict("declared_covered", BRANCH, ["--input", "x=f32[B in 1..64,4]"], 0, r"2 variants take them together[^!]*PTC1407", prints="variant v1"),
    Verdict("declared_bound_covered", "def f(x, y):\n    return x + y if x.shape[0] < 64 else x - y\n", ["--input", "x=f32[B=8 in 1..64]", "--input", "y=f32[B]"], 0,
            r"2 variants take them together[^!]*PTC1407", prints="variant v1"),
    Verdict("declared_not_covered", "def f(x):\n    y = x\n    for i in range(x.shape[0]):\n        y = (y, x)\n    return y\n",
            ["--input", "x=f32[B in 1..64,4]"], 1, r"since each turn makes another form of local 'y'[^!]*with variants for the rest"),
    Verdict("declared_side_refused", "import torch\ndef f(x):\n    return torch.linalg.eigvals(x) if x.shape[0] > 5 else x + 1\n", ["--input", "x=f32[B=4 in 1..8,4]"], 1,
            r"narrows the declared size B[^!]*program\.py:3[^!]*has no variant[^!]*torch\.linalg\.eigvals"),
    Verdict("declared_equal", TWO, ["--input", "x=f32[B in 1..64]", "--input", "y=f32[B in 1..64]"], 0),
    Verdict("narrowing_allowed", BRANCH, ["--input", "x=f32[B in 1..64,4]", "--allow-narrowing"], 0),
    Verdict("total", PLUS, ["--input", "x=f32[B in 1..64,4]", "--require-total"], 0),
    Verdict("not_total", BRANCH, ["--input", "x=f32[B in 1..64,4]", "--allow-narrowing", "--require-total"], 7,
            r"no variant accepts a call with [^!]*x\.shape\[0\] = [^!]*PTC1402"),
    Verdict("not_total_number", "def f(x, k):\n    return x if k > 3 else x + k\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--require-total"], 7, r"k = "),
    Verdict("explored", "def f(x, k):\n    return x if k > 3 else x + k\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--explore", "--require-total"], 0),
    Verdict("explored_twice", "def f(x, s):\n    if s > 2:\n        return x\n    return x * s if s > 1 else x + 1\n",
            ["--input", "x=f32[4]", "--input", "s=0.5", "--explore"], 0, prints=r"variant v2"),
    Verdict("explored_sizes", BRANCH, ["--input", "x=f32[B in 1..64,4]", "--allow-narrowing", "--explore", "--require-total"], 0,
            prints=r"variant v1"),
    Verdict("explored_relation", "def f(x, y):\n    return x * 2 if x.shape[0] == y.shape[0] else y\n",
            ["--input", "x=f32[A in 1..9]", "--input", "y=f32[B in 1..9]", "--allow-narrowing", "--explore", "--require-total"], 0,
            prints=r"variant v1"),
    Verdict("explored_divisible", "def f(x):\n    return x.view(-1, 4) if x.shape[0] % 4 == 0 else x\n",
            ["--input", "x=f32[A in 1..90]", "--allow-narrowing", "--explore", "--require-total"], 0, prints=r"variant v1"),
    Verdict("explored_and", "def f(x, k):\n    if k > 3 and x.shape[0] > 4:\n        return x * k\n    return x\n",
            ["--input", "x=f32[A in 1..90]", "--input", "k=5", "--allow-narrowing", "--explore", "--require-total"], 0,
            prints=r"variant v2"),
    Verdict("explored_dynamic", BRANCH, ["--input", "x=f32[9,4]", "--dynamic", "all", "--explore"], 0, prints=r"variant v1"),
    Verdict("explored_raises", "def f(x, k):\n    if k > 3:\n        raise ValueError(k)\n    return x\n",
            ["--input", "x=f32[4]", "--input", "k=2", "--explore", "--require-total"], 0, prints=r"variant v1"),
    Verdict("explored_side_refused", "import torch\ndef f(x, k):\n    return torch.linalg.eigvals(x) if k > 3 else x + k\n",
            ["--input", "x=f32[4]", "--input", "k=2", "--explore"], 0,
            r"program\.py:3[^!]*k <= 3 has no variant[^!]*torch\.linalg\.eigvals[^!]*PTC1404"),
    Verdict("explored_ladder", "def f(x, k):\n    for i in range(9):\n        if k > i * 10:\n            x = x + i\n    return x\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--explore", "--require-total"], 0, prints=r"variant v9"),
    Verdict("explored_heavy", "def f(x, k):\n    s = 0\n    for a in range(30):\n        for b in range(30):\n            for c in range(12):\n                s += a * b + c\n"
            "    for i in range(9):\n        if k > i * 10:\n            x = x + i\n    return x + s\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--explore", "--require-total"], 0, prints=r"variant v9"),
    Verdict("explored_too_much", "def f(x, k):\n    for i in range(40):\n        if k > i * 10:\n            x = x + i\n    return x\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--explore"], 0, r"stopped at 16 examples[^!]*PTC1405"),
    Verdict("explored_list", "import torch\ndef f(x):\n    return max(x.tolist())\n", ["--input", "x=f32[N in 0..99]", "--explore",
            "--require-total"], 0, prints=r"variant v0"),
    Verdict("explored_sort", "import torch\ndef f(x):\n    return sorted(x.tolist())\n", ["--input", "x=f32[N in 0..9]"], 0, r"2 variants take them together",
            prints=r"variant v1"),
    # Under the limits of a side the loop would be unrolled, for sizes up to that of the example.
    Verdict("explored_loop_kept", "import torch\ndef f(x):\n    z = torch.arange(120.0).view(40, 3) + x.sum()\n    y = torch.zeros(3)\n"
            "    for p in z.split(len(x)):\n        y = torch.tanh(y * 0.5 + p.mean(0))\n    return y\n", ["--input", "x=f32[N=5 in 1..64,3]"], 0,
            r"2 variants take them together[^!]*PTC1407", prints="variant v1"),
    Verdict("explored_count", "def f(x, k):\n    for i in range(k):\n        x = x + i\n    return x\n",
            ["--input", "x=f32[4]", "--input", "k=5", "--explore"], 0, r"program\.py:2[^!]*PTC1406", prints=r"variant v3"),
    Verdict("total_not_decided", "def f(x, k, n, m):\n    return x if k*k*k + n*n*n + m*m*m == 33 else x + k\n",
            ["--input", "x=f32[4]", "--input", "k=1", "--input", "n=1", "--input", "m=5", "--require-total"], 7, r"PTC1403"),
]


def call_of(args):
    if args and isinstance(args[-1], dict) and "**" in args[-1]:
        return {"args": args[:-1], "kwargs": args[-1]["**"]}
    return {"args": args}


def check_row(ptc, row):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        py = folder / "program.py"
        py.write_text(row.source)
        compile_pyc(py, folder / "program.pyc")
        examples = [row.example, *row.more]
        calls = [call_of(c) for c in [*examples, row.passes, row.fails]]
        paths = compiled.write_calls(calls, folder)
        run = lambda made: compiled.run(ptc, folder / "program.pyc", paths[:len(examples)], made, folder / "o.jsonl", "f",
                                        options=row.options)
        good = run(paths[:-1])
        if good.kind != "ran":
            return f"{good.kind}: {good.text[:500]}"
        program = EagerProgram(py, "f")
        for n, (call, seen) in enumerate(zip(calls, good.calls)):
            text = observation_difference(program.observe(call), seen, EXACT)
            if text:
                return f"call {n}: {text}"
        bad = run(paths[-1:])
        if bad.kind != "miss":
            return f"the failing call is not refused: {bad.kind} {bad.text[:300]}"
        if not re.search(row.says, bad.text):
            return f"the miss does not say {row.says}: {bad.text[:500]}"
        if not re.search(r"note: assumed here", bad.text) or re.search(r"^note: assumed here", bad.text, re.M):
            return f"the miss does not say where it was assumed: {bad.text[:500]}"
        explained = [str(folder / "program.pyc"), "--entry", "f", *row.options,
                     *(f"--example={path}" for path in paths[:len(examples)])]
        code, out, err = compiled.execute(
            [ptc, "explain", *explained, f"--call={paths[-1]}"], 60)
        if code or not re.search(r"call 0: none; of v\d+, .* is .*, expected .*\n    \S", out):
            return f"explain does not say which guard the call misses and why it is there: {out[:500]} {err[:500]}"
        code, out, err = compiled.execute([ptc, "explain", "--guards", *explained], 60)
        placeless = [line for line in out.splitlines() if line.startswith("    ") and "program.py:" not in line]
        if code or placeless or "program.py:" not in out:
            return f"guards without a place: {placeless} {err[:500]}"
        return None


def check_capture(ptc, row):
    with tempfile.TemporaryDirectory() as name:
        py = Path(name) / "program.py"
        py.write_text(row.source)
        compile_pyc(py, Path(name) / "program.pyc")
        options = list(row.options)
        for i, option in enumerate(options):
            if option.startswith("{"):
                options[i] = str(Path(name) / "example.json")
                Path(options[i]).write_text(option)
        code, out, err = compiled.execute([ptc, "inspect-graph", str(Path(name) / "program.pyc"), "--entry", "f",
                                           *options], 60)
        if code != row.code:
            return f"exit code {code}, expected {row.code}: {err[:500]}"
        if not re.search(row.says, err):
            return f"it does not say {row.says}: {err[:500]}"
        if not re.search(row.prints, out):
            return f"it does not print {row.prints}: {out[:500]}"
        return None


def main():
    args = runner.options(__doc__).parse_args()
    cases = [(row.name, (check_row, args.ptc, row)) for row in ROWS] + \
        [(row.name, (check_capture, args.ptc, row)) for row in CAPTURES]
    return runner.run(cases, lambda check, *rest: check(*rest), args)


if __name__ == "__main__":
    sys.exit(main())
