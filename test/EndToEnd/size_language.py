#!/usr/bin/env python3
"""What --input and examples say of sizes: ranges, what is typical, sets, relations, ints that are sizes.

    size_language.py --ptc PTC [FILTER] [-j N] [-v]

Each program is compiled from what is declared and called with several sizes, on the null target and as a library, and
compared with eager PyTorch. Calls that are not as declared miss, with a text that names what was said. Then what is
shown of declarations, where typical sizes go, and texts that are refused, by number.
"""
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch

import compiled
import pycs
from compare import Tolerance
from run import Job
from table import Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
TOLERANCE = Tolerance(rtol=1e-4, atol=1e-5)


@dataclass
class Row:
    body: str                                     # of `def entry(...)`, whose parameters are the names of `inputs`
    inputs: dict                                  # name -> SPEC
    calls: list                                   # of shapes, or numbers
    misses: list = field(default_factory=list)    # (arguments, pattern in the text)
    graph: str = ""                               # pattern in what inspect-graph prints
    variants: int = 1                             # 0: as many as there are
    options: list = field(default_factory=list)


BLOCKS = "return x.view(x.shape[0], x.shape[1] // 16, 16).sum(2)"
ROWS = {
    "a range": Row("return x * 2", {"x": "f32[B in 1..64,3]"}, [[(1, 3)], [(64, 3)], [(8, 3)]],
                   [([(65, 3)], r"x\.shape\[0\] is 65, expected <= 64"), ([(0, 3)], r"x\.shape\[0\] is 0")], r"B in 1\.\.64: x\.shape\[0\]"),
    "a range without end": Row("return x.sum(0)", {"x": "f32[B in 2..,3]"}, [[(2, 3)], [(700, 3)]], [([(1, 3)], r"is 1, expected >= 2")]),
    "a typical size": Row("return x @ x.t()", {"x": "f32[B=8 in 1..64,3]"}, [[(1, 3)], [(9, 3)]], [([(65, 3)], "is 65")],
                          r"B in 1\.\.64, typically 8: x\.shape\[0\]"),
    "sizes with variants of their own": Row("return x.softmax(0) * x.shape[0]", {"x": "f32[B={1,8,32} in 1..64,3]"},
                                            [[(1, 3)], [(8, 3)], [(32, 3)], [(2, 3)], [(64, 3)], [(33, 3)]], [([(65, 3)], "is 65")],
                                            r"variants of their own for \{1,8,32\}", 4),
    "a set of sizes": Row("return x.cumsum(0)", {"x": "f32[B in {1,2,4,8},3]"}, [[(1, 3)], [(2, 3)], [(4, 3)], [(8, 3)]],
                          [([(3, 3)], r"x\.shape\[0\] is 3"), ([(16, 3)], "is 16")], r"B in \{1,2,4,8\}", 4),
    "sets of two sizes": Row("return (x @ y).relu()", {"x": "f32[B={1,4} in 1..9,K in {2,3}]", "y": "f32[K,N in 1..9]"},
                             [[(b, k), (k, n)] for b in (1, 2, 4, 9) for k in (2, 3) for n in (1, 5)], [([(1, 4), (4, 5)], "is 4")], "", 6),
    "a multiple": Row(BLOCKS, {"x": "f32[B in 1..4,L=16*K in 16..512]"}, [[(1, 16)], [(3, 512)], [(4, 160)]],
                      [([(1, 40)], r"x\.shape\[1\] % 16 == 0[^!]*declared: L == 16\*K"), ([(1, 528)], "is 528, expected <= 512")],
                      r"\[B, 16\*K\]|16\*K"),
    "a divisor": Row(BLOCKS, {"x": "f32[B in 1..4,L % 16 == 0]"}, [[(1, 16)], [(3, 512)], [(4, 160)]],
                     [([(1, 40)], r"x\.shape\[1\] % 16 == 0[^!]*declared: L % 16 == 0")], r"\n  L % 16 == 0"),
    "a divisor and a range": Row("return torch.cat([c.sum(1, keepdim=True) for c in x.chunk(4, 1)], 1)",
                                 {"x": "f32[2,L=32 in 4..64 and L % 4 == 0]"}, [[(2, 4)], [(2, 64)], [(2, 20)]],
                                 [([(2, 6)], r"% 4 == 0"), ([(2, 68)], "is 68"), ([(2, 0)], "is 0")]),
    "a rest": Row("return x[:-1].view(-1, 2).sum(1) + x[-1]", {"x": "f32[N % 2 == 1 and N in 3..99]"}, [[(3,)], [(99,)], [(51,)]],
                  [([(4,)], r"% 2")]),
    "a formula": Row("return x.view(2, x.shape[0] // 2, 3).sum(0)", {"x": "f32[2*L,3]"}, [[(2, 3)], [(10, 3)]], [([(5, 3)], r"x\.shape\[0\] % 2 == 0")]),
    "relations of inputs": Row("return x.repeat(2) + y + z[: 2 * x.shape[0]]", {"x": "f32[L in 1..20]", "y": "f32[2*L]", "z": "f32[2*L+1]"},
                               [[(1,), (2,), (3,)], [(20,), (40,), (41,)]], [([(3,), (5,), (7,)], r"y\.shape\[0\]"), ([(3,), (6,), (6,)], r"z\.shape")]),
    "a sum": Row("a = torch.cat([past, x], 1) * mask[:, : past.shape[1] + x.shape[1]]\nreturn a.sum(1)",
                 {"past": "f32[2,P in 0..30]", "x": "f32[2,L in 1..8]", "mask": "f32[2,P+L]"},
                 [[(2, 0), (2, 1), (2, 1)], [(2, 30), (2, 8), (2, 38)], [(2, 7), (2, 2), (2, 9)]],
                 [([(2, 7), (2, 2), (2, 8)], r"mask\.shape\[1\]")], r"P \+ L|P\+L"),
    "a name that follows from a sum": Row("return x[:, : y.shape[0]] + x[:, x.shape[1] - y.shape[0] :] + y", {"x": "f32[2,P+L]", "y": "f32[P in 1..9]"},
                                          [[(2, 9), (4,)], [(2, 9), (9,)]], [([(2, 3), (4,)], r"x\.shape\[1\]")], "", 0),
    "a name of two inputs, the factor last": Row("return x.view(-1, 4).sum(1) + y", {"x": "f32[4*K]", "y": "f32[K in 1..9]"},
                                                 [[(4,), (1,)], [(36,), (9,)]], [([(12,), (4,)], r"shape\[0\]")]),
    "a bound of a sum": Row("return torch.cat([x, y])", {"x": "f32[A in 1..30]", "y": "f32[B in 1..30 and A + B <= 32]"},
                            [[(30,), (2,)], [(1,), (30,)]], [([(30,), (3,)], r"A \+ B <= 32")]),
    "an order": Row("return y[: x.shape[0]] * x", {"x": "f32[A in 1..30]", "y": "f32[B > A and B in 2..40]"}, [[(1,), (2,)], [(30,), (40,)]],
                    [([(5,), (5,)], "A < B|B > A")]),
    "an int that is a size": Row("return x[:, :n] * n", {"x": "f32[2,L in 1..9]", "n": "L"}, [[(2, 5), 5], [(2, 1), 1]], [([(2, 5), 4], r"n[^!]*declared: both are L")]),
    "an int that is a formula of sizes": Row("return torch.zeros(n) + x.sum()", {"x": "f32[L in 1..9]", "n": "2*L"}, [[(5,), 10]], [([(5,), 5], "declared: it is 2")]),
    "an int with a range": Row("return torch.arange(n) + x.sum()", {"x": "f32[3]", "n": "N in 1..9"}, [[(3,), 1], [(3,), 9]], [([(3,), 10], "is 10")]),
    "an int that counts turns": Row("for i in range(n):\n    x = x * 1.5 + i\nreturn x", {"x": "f32[3]", "n": "N in 1..30"}, [[(3,), n] for n in (1, 2, 5, 30)],
                                    [([(3,), 31], "is 31")]),
    "an int that the program narrows": Row("if n > 3:\n    return x + 1\nreturn x - n", {"x": "f32[3]", "n": "N in 1..30"},
                                           [[(3,), n] for n in (1, 3, 4, 30)], [([(3,), 0], "is 0")], "", 2),
    "an int of a size with variants": Row("return x * n", {"x": "f32[B={1,4} in 1..9]", "n": "B"}, [[(1,), 1], [(4,), 4], [(7,), 7]], [([(4,), 5], "n")], "", 3),
    "heads": Row("q, k, v = (t.view(B, L, 2, 4).transpose(1, 2) for B, L in [x.shape[:2]] for t in x.split(8, 2))\n"
                 "return F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(x.shape[0], x.shape[1], 8)",
                 {"x": "f32[B=2 in 1..8,L=16*K in 16..64,24]", "mask": "f32[L,L]"}, [[(1, 16, 24), (16, 16)], [(3, 48, 24), (48, 48)]],
                 [([(1, 20, 24), (20, 20)], "% 16")], "", 0),
    "windows": Row("B, H, W, C = x.shape\nw = x.view(B, H // 4, 4, W // 4, 4, C).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, C)\n"
                   "w = w.softmax(1)\nreturn w.view(B, H // 4, W // 4, 4, 4, C).permute(0, 1, 3, 2, 4, 5).reshape(B, H, W, C) + x",
                   {"x": "f32[2,H % 4 == 0 and H in 4..64,8,3]"}, [[(2, 4, 8, 3)], [(2, 12, 8, 3)]], [([(2, 6, 8, 3)], "% 4")], "", 0),
    "what the program narrows": Row("if x.shape[0] > 32:\n    return x.sum()\nreturn x.mean()", {"x": "f32[L=16*K in 16..64]"}, [[(16,)], [(32,)], [(48,)], [(64,)]],
                                    [([(50,)], "% 16")], "", 2),
}

# --input texts, exit code, number, text
REFUSED = [
    (["x=f32[B in 9..3]"], "'9..3' has no sizes"), (["x=f32[3]", "n=L in 4..2"], "'4..2' has no sizes"), (["x=f32[B in a..b]"], "'a..b' is no range LOW..HIGH"), (["x=f32[B in]"], "is no dimension"),
    (["x=f32[B in {1,x}]"], "'{1,x}' is no set of sizes"), (["x=f32[B={} in 1..4]"], "'{}' is no set of sizes"),
    (["x=f32[B=70 in 1..64]"], "the typical size 70 is out of 'B in 1..64'"), (["x=f32[B={1,70} in 1..64]"], "the size 70 is out of 'B in 1..64'"),
    (["x=f32[B=3 in {1,2}]"], "the typical size 3 is none of 'B in {1,2}'"), (["x=f32[B=]"], "says no number, set or formula"),
    (["x=f32[2*B=4]"], "what stands before = is a name"), (["x=f32[2*B in {2,4}]"], "only a name has a set of sizes"),
    (["x=f32[B +]"], "'B +' is no dimension"), (["x=f32[9B]"], "'9B' is no dimension"), (["x=f32[-3]"], "a size is negative"),
    (["x=f32[B=8 and B=9]"], "B is typically 8, and 9"), (["x=f32[B in 1..4]", "y=f32[B in 6..9]"], "'B in 6..4' has no sizes"),
    (["x=f32[L % 16 == 0 and L in 1..15]"], "no sizes were found that satisfy"), (["x=f32[L=24 in 1..64 and L % 16 == 0]"], "no sizes were found that satisfy"),
    (["x=f32[B in 1..4 == 3]"], "'1..4 == 3' is no range"), (["x=f32[P+L]"], "nothing says what P, L is"), (["x=f32[A and A + B < 9]"], "nothing says what B is"),
    (["x=f32[A and B={1,2} in 1..9]"], "nothing says what B is"), (["x=f32[max(A,B) and B in {1,2}]", "y=f32[A]"], "nothing says what B is"), (["x=f32[B]", "n=fast"], "a string is n="),
    (["x=f32[B == 3 in 1..4]"], "a relation has no range"),
]


def tensor(shape, seed):
    generator = torch.Generator().manual_seed(seed)
    return {"$tensor": f"f32[{','.join(map(str, shape))}]", "values": torch.randn(shape, generator=generator).tolist()}


def call_of(arguments):
    return {"args": [tensor(a, i) if isinstance(a, tuple) else a for i, a in enumerate(arguments)]}


class World:
    def __init__(self, ptc, folder, row):
        self.ptc, self.folder = ptc, folder
        self.source, self.pyc = folder / "program.py", folder / "program.pyc"
        self.source.write_text(HEAD + f"def entry({', '.join(row.inputs)}):\n" + "".join(f"    {line}\n" for line in row.body.split("\n")))
        pycs.compile_pyc(self.source, self.pyc)
        self.declared = [word for name, spec in row.inputs.items() for word in ("--input", f"{name}={spec}")] + row.options

    def run(self, *args, code=0):
        got = compiled.execute([str(self.ptc), *map(str, args)], 120)
        assert got[0] == code, f"{args}: exit code {got[0]}, expected {code}\n{got[1]}\n{got[2]}"
        return got[1] + got[2]


def check_row(ptc, row, target):
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), row)
        job = Job(Case("program", world.source, "entry", calls=[call_of(c) for c in row.calls], folder=world.folder, tolerance=TOLERANCE), world.folder)
        subject, declared = world.pyc, world.declared
        if target == "x86-64":
            subject, declared = world.folder / "libprogram.so", []
            world.run("compile", world.pyc, *world.declared, "-o", subject)
        got = compiled.run(ptc, subject, [], job.calls, world.folder / "out.jsonl", options=declared)
        verdict, text = job.judge(got)
        if verdict != "ok":
            return f"{verdict}: {text}"
        for arguments, pattern in row.misses:
            miss = world.folder / "miss.json"
            miss.write_text(json.dumps(call_of(arguments)))
            said = world.run("run", subject, *declared, "--call", miss, code=14)
            if not re.search(pattern, said):
                return f"the miss of {arguments} says\n{said}"
        graph = world.run("inspect-graph", subject, *declared)
        if not re.search(row.graph, graph):
            return f"no {row.graph} in\n{graph}"
        if row.variants and len(set(re.findall(r"^variant (v\d+)", graph, re.M))) != row.variants:
            return f"not {row.variants} variants\n{graph}"
        if target == "x86-64":
            world.run("verify", subject)
            lines = json.loads(world.run("inspect-graph", subject, "--format=json"))["sizes"]
            header = (world.folder / "program.h").read_text()
            assert lines and all(f" *   {line}\n" in header for line in lines), (lines, header)


def check_total(ptc, name):
    """All calls as declared have a variant."""
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), ROWS[name])
        world.run("inspect-graph", world.pyc, *world.declared, "--require-total")


def check_examples(ptc, name):
    """The same in an example file: in dimensions, and as a list beside the arguments."""
    row = ROWS[name]
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), row)
        spec = lambda s: {"$tensor": s} if "[" in s else {"$size": s}
        example = world.folder / "example.json"
        example.write_text(json.dumps({"kwargs": {n: spec(s) for n, s in row.inputs.items()}}))
        libraries = [world.folder / f"{n}/libprogram.so" for n in ("inputs", "examples")]
        for library, words in zip(libraries, (world.declared, ["--example", example, *row.options])):
            library.parent.mkdir()
            world.run("compile", world.pyc, *words, "--entry", "entry", "-o", library)
        graphs = [world.run("inspect-graph", library) for library in libraries]
        assert graphs[0] == graphs[1], "\n".join(graphs)


def check_refused(ptc, specs, text):
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), Row("return x", {spec.split("=")[0]: spec.split("=", 1)[1] for spec in specs}, []))
        said = world.run("inspect-graph", world.pyc, *world.declared, code=2)
        assert "[PTC3302]" in said and text in said, said
        if any("[" not in spec for spec in specs):
            return
        example = world.folder / "example.json"
        example.write_text(json.dumps({"kwargs": {n: {"$tensor": s} for n, s in (spec.split("=", 1) for spec in specs)}}))
        got = compiled.execute([str(ptc), "inspect-graph", str(world.pyc), "--example", str(example)], 60)
        assert got[0] in (2, 4) and ("[PTC3301]" in got[2] or "[PTC3302]" in got[2]) and text in got[2], got


def check_example_lists(ptc):
    """`sizes` and `where` of a call, and what is wrong with them."""
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), Row("return x * 2, y", {"x": "", "y": ""}, []))
        example = world.folder / "example.json"

        def inspect(call, code=0):
            example.write_text(json.dumps(call))
            return world.run("inspect-graph", world.pyc, "--example", example, code=code)

        args = {"args": [{"$tensor": "f32[B,4]"}, {"$tensor": "f32[L]"}]}
        said = inspect({**args, "sizes": ["B=8 in 1..64", "L % 16 == 0"]})
        assert "B in 1..64, typically 8: x.shape[0]" in said and "16*L_16" in said, said
        for more, text in [({"sizes": "B"}, "sizes must be a list of texts"), ({"sizes": ["B in 4..1"]}, "'4..1' has no sizes"),
                           ({"where": {"C": 3}}, "where: C must be a name"), ({"where": [3]}, "where must be an object"),
                           ({"sizes": ["B in 1..4"], "where": {"B": 9}}, "no sizes were found that satisfy 'B in 1..4', 'B is 9'")]:
            said = inspect({**args, **more}, 4)
            assert "[PTC3301]" in said and text in said, said
        # Two examples whose sizes differ make a size a symbol; what is declared does not hold for one of them.
        other = world.folder / "other.json"
        other.write_text(json.dumps({"args": [{"$tensor": "f32[65,4]"}, {"$tensor": "f32[16]"}]}))
        example.write_text(json.dumps({**args, "sizes": ["B in 1..64"]}))
        said = world.run("inspect-graph", world.pyc, "--example", example, "--example", other, code=2)
        assert "[PTC2001]" in said and "an example has other sizes than what is declared" in said, said
        assert "it is example 1, where x.shape[0] is 65" in said and "hint: declare sizes that hold every example" in said, said
        said = world.run("inspect-graph", world.pyc, "--input", "x=f32[B={1,2,3,4,5} in 1..9]", "--input", "y=f32[C={1,2,3,4} in 1..9]", code=2)
        assert "[PTC3302]" in said and "more than 16 variants" in said, said
        world.run("inspect-graph", world.pyc, "--input", "x=f32[B={1,2,3,4,5} in 1..9]", "--input", "y=f32[C={1,2,3,4} in 1..9]", "--max-variants", "40")


def check_typical(ptc):
    """A typical size is that of the example, of bench and of a program, and stands in costs for sizes of the run."""
    with tempfile.TemporaryDirectory() as scratch:
        world = World(ptc, Path(scratch), Row("return (x + 1).relu()", {"x": "f32[B=3 in 1..4096,64]"}, []))
        library, program = world.folder / "libm.so", world.folder / "m.exe"
        world.run("compile", world.pyc, *world.declared, "-o", library)
        world.run("compile", world.pyc, *world.declared, "--emit=exe", "-o", program)
        printed = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        assert printed.count("[") == 4, printed
        assert json.loads(world.run("verify", library, "--json", "--samples", "1"))["calls"]
        large = ["--input", "x=f32[B=4096 in 1..4096,64]"]

        def bytes_of(declared):
            shown = json.loads(world.run("explain", world.pyc, *declared, "--kernels", "--format=json"))
            return [kernel["bytes_read"] for variant in shown["variants"] for kernel in variant["kernels"]]

        small, big = bytes_of(world.declared), bytes_of(large)
        assert small and sum(big) > 100 * sum(small), (small, big)
        # Variants of their own, one of them typical: that call is benched.
        world.run("compile", world.pyc, "--input", "x=f32[B={2,3} in 1..64 and B=3,64]", "-o", library)
        again = world.folder / "again/libm.so"
        again.parent.mkdir()
        world.run("bench", library, "--seconds", "0.01", "--samples", "2")
        # Compiled again, its examples are what they were.
        world.run("compile", world.pyc, "--add-variants", library, "-o", again)
        assert library.read_bytes() == again.read_bytes(), "compiled anew from its examples, a library has other bytes"


# name: body, its first example, other calls, calls that miss all the same; refused: a note instead of a general variant
GENERAL = {
    "sizes of an example": ("return (x @ x.t()).softmax(-1).sum(0)", [(4, 3)], [[(4, 3)], [(1, 1)], [(7, 2)], [(1, 3)], [(30, 9)]], [[(3,)]], False),
    "no elements": ("return x * 2 + 1", [(4, 3)], [[(4, 3)], [(0, 3)], [(4, 0)]], [[(2, 2, 2)]], False),
    "a branch": ("if x.shape[0] > 2:\n    return x.sum(0)\nreturn x.mean(0)", [(4, 3)], [[(4, 3)], [(3, 8)]], [[(2, 3)]], False),
    "equal sizes": ("return x + y", [(4, 3), (4, 3)], [[(4, 3), (4, 3)], [(5, 2), (5, 2)]], [[(4, 3), (4, 2)]], False),
    "each size a form": ("t = ()\nfor i in range(x.shape[0]):\n    t = (t, x[i])\nreturn t", [(3, 2)], [[(3, 2)]], [[(4, 2)]], None),
}


def check_general(ptc, name):
    """--on-miss=fallback: the example's variant, and one for all sizes that the program takes."""
    body, example, calls, misses, _ = GENERAL[name]
    with tempfile.TemporaryDirectory() as scratch:
        parameters = dict.fromkeys("xy"[:len(example)], "")
        world = World(ptc, Path(scratch), Row(body, parameters, []))
        job = Job(Case("program", world.source, "entry", calls=[call_of(c) for c in calls], folder=world.folder, tolerance=TOLERANCE), world.folder)
        library, again, file = (world.folder / n for n in ("libprogram.so", "again/libprogram.so", "example.json"))
        again.parent.mkdir()
        file.write_text(json.dumps(call_of(example)))
        for option, wanted in (("error", 1), ("callback", 1), ("fallback", 2)):
            said = world.run("compile", world.pyc, "--example", file, f"--on-miss={option}", "-o", library)
        graph = world.run("inspect-graph", library)
        variants = len(set(re.findall(r"^variant (v\d+)", graph, re.M)))
        if GENERAL[name][4] is None:
            assert variants == wanted or "[PTC1404]" in said, (said, graph)
        else:
            assert variants == wanted and "PTC1404" not in said, (said, graph)
        got = compiled.run(ptc, library, [], job.calls, world.folder / "out.jsonl")
        verdict, text = job.judge(got)
        assert verdict == "ok", f"{verdict}: {text}"
        assert f"variant v0" in world.run("explain", library, "--call", file), "the example takes the general variant"
        for arguments in misses:
            file.write_text(json.dumps(call_of(arguments)))
            said = world.run("run", library, "--call", file, code=14)
            assert "[PTC7001]" in said, said
        world.run("compile", world.pyc, "--add-variants", library, "-o", again)
        assert library.read_bytes() == again.read_bytes(), "compiled anew from its examples, a library has other bytes"


def main():
    args = runner.options(__doc__).parse_args()
    cases = [(f"{name} ({target})", (check_row, row, target)) for name, row in ROWS.items() for target in ("null", "x86-64")]
    cases += [(f"{name}, every call", (check_total, name)) for name in ROWS]
    cases += [(f"{name}, in an example", (check_examples, name)) for name in ROWS]
    cases += [(f"refused: {' '.join(specs)}", (check_refused, specs, text)) for specs, text in REFUSED]
    cases += [("lists in examples", (check_example_lists,)), ("typical sizes", (check_typical,))]
    cases += [(f"a general variant: {name}", (check_general, name)) for name in GENERAL]
    return runner.run(cases, lambda check, *more: check(args.ptc, *more), args)


if __name__ == "__main__":
    sys.exit(main())
