#!/usr/bin/env python3
"""The harness itself: a wrong result of any kind must be seen, and the generator must be steady.

    self_test.py
"""
import copy
import sys
import tempfile
from pathlib import Path

import torch

from compare import Tolerance, observation_difference
from compiled import without_locations
from eager import EagerProgram
from fuzz import calls_of
from generate import program
from minimise import minimise

SOURCE = '''
import torch

class Box:
    def __init__(self, v):
        self.v = v

def entry(x, fail=False):
    print("n", x.sum().item())
    x.add_(1)
    if fail:
        raise ValueError(f"at {x[0].item()}")
    y = x * 2
    return {"y": y, "view": y[1:], "in": x, "n": 3, "f": 0.5, "t": (None, [True, "s"]), "box": Box(x + 0.25)}
'''


def right(seen):
    """What `--save` would say of a correct program."""
    pairs = [(a, b) for group in seen.aliases for a, b in zip(sorted(group), sorted(group)[1:])]
    return {"result": copy.deepcopy(seen.result), "stdout": seen.stdout, "raised": copy.deepcopy(seen.raised),
            "inputs": dict(seen.inputs), "aliases": pairs}


def change(path, value):
    """A mutation: sets what `path` (keys from the top) names."""
    def apply(got):
        at = got
        for key in path[:-1]:
            at = at.fields if hasattr(at, "fields") else at
            at = at[key]
        (at.fields if hasattr(at, "fields") else at)[path[-1]] = value
    return apply


WRONG = {
    "one element": change(["result", "y"], torch.tensor([4.0, 6.0, 8.001])),
    "dtype": change(["result", "y"], torch.tensor([4, 6, 8])),
    "shape": change(["result", "y"], torch.tensor([[4.0, 6.0, 8.0]])),
    "nan": change(["result", "y"], torch.tensor([4.0, 6.0, float("nan")])),
    "number": change(["result", "n"], 4), "number's type": change(["result", "n"], 3.0), "bool for int": change(["result", "n"], True),
    "float": change(["result", "f"], 0.50001), "none": change(["result", "t"], (0, [True, "s"])),
    "tuple and list": change(["result", "t"], [None, [True, "s"]]), "length": change(["result", "t"], (None, [True])),
    "attribute": change(["result", "box", "v"], torch.zeros(3)), "print": change(["stdout"], "n 6.0 \n"),
    "input not written": change(["inputs"], {}), "input written wrongly": change(["inputs", "x"], torch.zeros(3)),
    "alias lost": change(["aliases"], []), "raised": change(["raised"], {"type": "ValueError", "text": "", "file": "p.py", "line": 1}),
}
WRONG_RAISE = {
    "not raised": change(["raised"], None), "other type": change(["raised", "type"], "KeyError"), "other text": change(["raised", "text"], "at 2"),
    "other line": change(["raised", "line"], 3), "print before": change(["stdout"], ""), "write before": change(["inputs"], {}),
}


def comparisons(scratch):
    source = scratch / "p.py"
    source.write_text(SOURCE)
    x = {"$tensor": "f32[3]", "values": [1, 2, 3]}
    for args, mutations in (([x], WRONG), ([x, True], WRONG_RAISE)):
        seen = EagerProgram(source, "entry").observe({"args": args})
        yield "right", observation_difference(seen, right(seen)) is None
        for name, mutate in mutations.items():
            got = right(seen)
            mutate(got)
            yield name, observation_difference(seen, got) is not None
    seen = EagerProgram(source, "entry").observe({"args": [x]})
    got = right(seen)
    got["result"]["y"] = got["result"]["y"] * (1 + 1e-6)
    yield "tolerance", observation_difference(seen, got, Tolerance(1e-5)) is None
    got = right(seen)
    got["aliases"].append(("result[\"y\"]", "x"))
    yield "alias too many", observation_difference(seen, got) is not None


def generator(scratch):
    yield "same seed, same program", all(program(s) == program(s) and calls_of(s) == calls_of(s) for s in range(20))
    texts = [program(s)[0] for s in range(50)]
    yield "programs differ", len(set(texts)) == 50
    for word in ("while ", "for ", "try:", "finally:", "with ", "yield", "match ", "break", "continue", "global", "nonlocal", "print(", "torch.rand"):
        yield f"some program has {word!r}", any(word in t[t.index("g_n, g_t"):] for t in texts)
    for seed in range(10):
        source = scratch / "g.py"
        text, entry = program(seed)
        source.write_text(text)
        p = EagerProgram(source, entry)
        raised = [o.raised for o in map(p.observe, calls_of(seed)) if o.raised]
        yield f"seed {seed} runs", not any(r["type"] in ("NameError", "AttributeError", "TypeError") for r in raised)


class Verdict:
    def __init__(self, reason):
        self.reason = reason


def minimiser(scratch):
    text = program(3)[0]
    judge = lambda t: Verdict("global g_n" in t and "def entry" in t or "Net" in t)
    small, _ = minimise(judge, text, judge(text), seconds=20)
    yield "minimised", len(small.splitlines()) < len(text.splitlines()) / 4 and judge(small).reason


def locations(scratch):
    text = '#loc = loc("a.py":1:2)\n  %0 = f(%1) loc(fused["x(", "y"]) {k}\n  g() loc(#loc)\n'
    yield "locations", without_locations(text.replace('x(', 'x')) == "  %0 = f(%1) {k}\n  g()"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as name:
        for part in (comparisons, generator, minimiser, locations):
            for what, good in part(Path(name)):
                passed, failed = passed + bool(good), failed + (not good)
                if not good:
                    print(f"FAIL {part.__name__}: {what}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
