#!/usr/bin/env python3
"""Values nested deeper than any native stack, and every operation that walks them.

    deep_values.py --ptc PTC [FILTER] [--depth N] [--every] [-j N] [-v]

Each program nests a value deep and does one thing with it, as plain Python (`ptc run --python`) or in a captured entry. It
must end with a result, an exception or a refusal by a limit, never by a signal, on a stack of STACK bytes for each level:
no function that calls itself for a level has a frame that small. Captures refuse what is nested deeper than they walk on
the usual stack, so entries have that one. CPython is not asked: for some of these it overflows its own stack. What is done
with a value in one of several nests has another of them each day, or with --every all.
"""
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd")]
import runner  # noqa: E402
from pycs import compile_pyc  # noqa: E402

DEPTH, DEPTH_OF_ENTRIES, STACK = 12_500, 100_000, 84
LIMIT_SECONDS = 120                            # of a processor
OK, CANNOT, LIMIT, RAISED = 0, 1, 10, 13       # exit codes

# name: (innermost value, one level around `v`)
NESTS = {
    "tuple": ("()", "(v,)"), "pair": ("()", "(1, v)"), "list": ("[]", "[v]"), "dict": ("{}", "{1: v}"),
    "slice": ("slice(1)", "slice(v)"), "frozenset": ("frozenset()", "frozenset([v])"), "object": ("None", "Box(v)"),
    "partial": ("len", "partial(v)"), "cell": ("None", "closure(v)"), "mixed": ("()", "([v], {1: v})[i % 2]"),
}
# What is done with a, and with b, which is as deep and equal.
USES = {
    "eq": "a == b", "ne": "a != b", "lt": "a < b", "le": "(a, 1) <= (b, 2)", "hash": "hash(a)", "in": "a in [b]", "is": "a is b",
    "in tuple": "a in (1, b)", "index": "[a].index(b)", "count": "(a,).count(b)", "remove": "[a].remove(b)", "repr": "len(repr(a))",
    "str": "len(str(a))", "format": "len(f'{a}')", "percent": "len('%s' % (a,))", "bool": "bool(a)", "set": "len({a, b})",
    "key": "{a: 1}[b]", "get": "{a: 1}.get(b)", "union": "len({a} | {b})", "member": "a in {b}", "sorted": "len(sorted([a, b]))",
    "max": "max(a, b) is a", "isinstance": "isinstance(1, a)", "issubclass": "issubclass(int, a)", "copy": "copy.copy(a) == 1",
    "deepcopy": "copy.deepcopy(a) is None", "list": "len(list(a))", "dump": "len(json.dumps(a))", "concat": "len(a + b)",
    "times": "len(a * 2)", "attribute": "keep(a, b)", "global": "keep_global(a, b)", "default": "(lambda x=a: x)() is a",
    "match": "matched(a)", "unpack": "[*a] == 1", "lru": "cached(a) is cached(b)", "raise": "raised(a)", "except": "caught(a)",
    "tensor": "torch.tensor(a)", "sum": "sum(a, ())", "chain": "list(itertools.chain(a)) == [b]", "slice": "[1, 2][a]",
    "product": "len(list(itertools.product(a, b)))", "print": "print(a)", "print_exc": "logged(a)", "zip": "dict(zip([a], [b])) == 1",
}
# Each use with one of the nests of one way to hold things a day; those that walk every kind with all nests.
WHOLE = ["tuple", "list", "dict", "mixed"]
CORE = ["eq", "lt", "hash", "in", "repr", "isinstance", "copy", "deepcopy", "attribute", "global", "get", "raise"]
COMMON = """
import copy, itertools, json, sys
from functools import lru_cache, partial


class Box:
    def __init__(self, held):
        self.held = held


class Holder:
    pass


def closure(v):
    return lambda: v


def keep(a, b):
    Holder.x = a
    Holder.x = b
    return Holder.x is a


def keep_global(a, b):
    global kept
    kept = a
    kept = b
    return kept == 1


def matched(a):
    match a:
        case ((x,),):
            return 1
        case {1: _}:
            return 2
        case _:
            return 3


@lru_cache
def cached(v):
    return v


def raised(a):
    try:
        raise ValueError(a)
    except ValueError as e:
        return len(str(e))


def caught(a):
    try:
        raise KeyError(1)
    except a:
        return 1


def logged(a):
    import traceback
    try:
        raise ValueError(a)
    except ValueError as e:
        return len(traceback.format_exception_only(type(e), e))


def nest(n):
    v = INNER
    for i in range(n):
        v = LEVEL
    return v
"""
PLAIN = COMMON + """
a, b = nest(DEPTH), nest(DEPTH)
try:
    print(USE)
except (RecursionError, TypeError, ValueError, AttributeError, KeyError) as e:
    print(type(e).__name__)
"""
# Chains that are no containers.
CHAINS = {
    "group": "e = ValueError(1)\nfor i in range(N):\n    e = ExceptionGroup('g', [e])\ntry:\n    try:\n        raise e\n"
             "    except* ValueError:\n        print('caught')\nexcept RecursionError:\n    print('RecursionError')\n",
    "group split": "e = ValueError(1)\nfor i in range(N):\n    e = ExceptionGroup('g', [e])\ntry:\n    print(type(e.split(KeyError)))\n"
                   "except RecursionError:\n    print('RecursionError')\n",
    "group repr": "e = ValueError(1)\nfor i in range(N):\n    e = ExceptionGroup('g', [e])\ntry:\n    print(len(repr(e)), len(str(e)))\n"
                  "except RecursionError:\n    print('RecursionError')\n",
    "causes": "e = ValueError(1)\nfor i in range(N):\n    f = ValueError(i)\n    f.__cause__ = e\n    e = f\nraise e\n",
    "contexts": "e = ValueError(1)\nfor i in range(N):\n    f = ValueError(i)\n    f.__context__ = e\n    e = f\nraise e\n",
    "raised from": "e = ValueError(1)\nfor i in range(N):\n    try:\n        raise ValueError(i) from e\n    except ValueError as f:\n"
                   "        e = f\nraise e\n",
    "raised group": "e = ValueError(1)\nfor i in range(N):\n    e = ExceptionGroup('g', [e])\nraise e\n",
    "wrapped": "f = len\nfor i in range(N):\n    f = (lambda g: lambda x: g(x))(f)\ntry:\n    print(f([1]))\n"
               "except RecursionError:\n    print('RecursionError')\n",
    "generators": "g = iter([1])\nfor i in range(N):\n    g = (x for x in g)\ntry:\n    print(list(g))\n"
                  "except RecursionError:\n    print('RecursionError')\n",
    "maps": "g = iter([1])\nfor i in range(N):\n    g = map(abs, g)\ntry:\n    print(list(g))\nexcept RecursionError:\n    print('RecursionError')\n",
    "zips": "g = iter([1])\nfor i in range(N):\n    g = zip(g)\ntry:\n    print(len(list(g)))\nexcept RecursionError:\n    print('RecursionError')\n",
    # Each step compares its new member with all others: CPython's time doubles with each of them, ours grows with the square.
    "unions": "u = int | str\nfor i in range(200):\n    u = u | list[u]\ntry:\n    print(isinstance(1, u))\n"
              "except (RecursionError, TypeError):\n    print('RecursionError')\n",
    "nested unions": "u = v = int\nfor i in range(N // 10):\n    u, v = list[u] | int, list[v] | int\ntry:\n    print(isinstance(1, v), u == v)\n"
                     "except (RecursionError, TypeError):\n    print('RecursionError')\n",
    "aliases": "u = list[int]\nfor i in range(N):\n    u = list[u]\ntry:\n    print(len(repr(u)))\nexcept RecursionError:\n    print('RecursionError')\n",
    "classes": "class A: pass\nfor i in range(500):\n    A = type('A', (A,), {})\nprint(len(A.__mro__))\n",
    "attributes": "class A: pass\na = A()\nfor i in range(N):\n    b = A()\n    b.a = a\n    a = b\nn = 0\nwhile hasattr(a, 'a'):\n    a = a.a\n    n += 1\nprint(n)\n",
    "views": "d = {}\nfor i in range(N):\n    d = {1: d.values()}\ntry:\n    print(len(repr(d)))\nexcept RecursionError:\n    print('RecursionError')\n",
}


# What an entry does with a deep value, and the nests that it is done with.
ENTRY_NESTS = ["tuple", "list", "dict"]
ENTRIES = {
    "returned": "    return a", "returned in a dict": "    return {'a': a, 'x': x}", "kept": "    Holder.a = a\n    return x",
    "joined": "    if x.sum() > 0:\n        a = (a, 1)\n    else:\n        a = (b, 2)\n    return x + a[1]",
    "differs": "    if x.sum() > 0:\n        a = nest(DEPTH + 1)\n    return x + len(a)",
    "inside": "    c = nest(1000)\n    if x.sum() > 0:\n        c = nest_of(1, DEPTH)\n    else:\n        c = nest_of(2, DEPTH)\n    return x + len(c)",
    "looped": "    while x.sum() < 5:\n        x = x + 1\n        a = (a,)\n    return x",
    "carried": "    c = nest_of(x.sum().item(), DEPTH)\n    while x.sum() < 5:\n        x = x + 1\n        c = nest_of(x.sum().item(), DEPTH)\n    return x",
    "of tensors": "    c = nest_of(x, DEPTH)\n    return c",
    "compared": "    c, d = nest_of(x.sum().item(), DEPTH), nest_of(x.sum().item(), DEPTH)\n    return x + 1 if c == d else x",
    "raised": "    raise ValueError(a)", "raised with number": "    raise ValueError(nest_of(x.sum().item(), DEPTH))",
    "text": "    return str(nest_of(x.sum().item(), DEPTH))", "literal": "    return torch.tensor(nest_of(x.sum().item(), DEPTH))",
    "key": "    return {nest_of(x.sum().item(), DEPTH): 1}.get(a)", "choice": "    c = a if x.sum() > 0 else [a]\n    return c",
}
CAPTURED = COMMON + """
import torch


def nest_of(v, n):
    for i in range(n):
        v = LEVEL
    return v


a, b = nest(DEPTH), nest(DEPTH)


def entry(x):
    global a, b
BODY
"""


def check(depth, ptc, source, *arguments):
    """None, or how the program ended that it must not."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "program.py"
        path.write_text(source.replace("DEPTH", str(depth)))
        pyc = path.with_suffix(".pyc")
        compile_pyc(path, pyc)
        arguments = [str(pyc) if a == "PYC" else a for a in arguments]
        # A program sets them: a function of this process would make a copy of all its memory.
        limits = ["prlimit", f"--cpu={LIMIT_SECONDS}:{LIMIT_SECONDS + 5}", f"--stack={depth * STACK}:"]
        done = subprocess.run([*limits, ptc, "run", *arguments], capture_output=True, text=True)
    if done.returncode == -signal.SIGXCPU:
        return f"no end within {LIMIT_SECONDS} s of a processor"
    allowed = {OK, CANNOT, LIMIT, RAISED}
    if done.returncode not in allowed:
        return f"exit code {done.returncode}\n  stderr:  {done.stderr[:400]}"
    if done.returncode == CANNOT and "PTC" not in done.stderr:
        return f"refused without a diagnostic\n  stderr:  {done.stderr[:400]}"
    return None


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--depth", type=int, default=DEPTH, help="levels of what plain Python nests")
    parser.add_argument("--every", action="store_true", help="every use and entry with all nests, not one a day")
    args = parser.parse_args()
    nests = lambda name, of: of if args.every else [runner.turn_of(name, of)]
    cases = []
    for use, text in USES.items():
        for nest in NESTS if use in CORE else nests(use, WHOLE):
            inner, level = NESTS[nest]
            source = PLAIN.replace("INNER", inner).replace("LEVEL", level).replace("USE", text)
            if "torch" in text:
                source = "import torch\n" + source
            cases.append((f"{use} of {nest}", (args.depth, args.ptc, source, "--python", "PYC")))
    for name, text in CHAINS.items():
        cases.append((f"chain: {name}", (args.depth, args.ptc, "N = DEPTH\n" + text, "--python", "PYC")))
    for name, body in ENTRIES.items():
        for nest in nests(name, ENTRY_NESTS):
            inner, level = NESTS[nest]
            source = CAPTURED.replace("INNER", inner).replace("LEVEL", level).replace("BODY", body)
            cases.append((f"entry: {name}, {nest}", (DEPTH_OF_ENTRIES, args.ptc, source, "PYC", "--entry", "entry", "--input", "x=f32[2]")))
    return runner.run(cases, check, args)


if __name__ == "__main__":
    sys.exit(main())
