#!/usr/bin/env python3
"""The harness itself: a wrong result of any kind must be seen, and the generator must be steady.

    self_test.py [-j N] [-v]
"""
import contextlib
import copy
import io
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

import torch

import canonical
import run
import table
from compare import Tolerance, observation_difference
from compiled import without_locations
from eager import EagerProgram
from fuzz import calls_of
from generate import program
from minimise import minimise

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402
import suites  # noqa: E402

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
    return {"y": y, "view": y[1:], "wide": torch.zeros(2, 3).T, "in": x, "n": 3, "f": 0.5, "t": (None, [True, "s"]), "box": Box(x + 0.25)}
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
    "strides": change(["result", "wide"], torch.zeros(2, 3)), "expanded": change(["result", "wide"], torch.zeros(1).expand(3, 2)),
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


TEST = Path(__file__).resolve().parents[1]
CASES = f"import sys\nsys.path.insert(0, {str(TEST)!r})\n" + """
import contextlib, io, os, signal, subprocess, time
import runner

def never_restored():
    sys.stdout = sys.stderr = io.StringIO()
    print("3 passed, 0 failed")

def redirected(wrong):
    with contextlib.redirect_stdout(io.StringIO()):
        print("hidden")
    print("seen")
    return wrong

class Unfit:
    def __reduce__(self):
        return int, ("no number",)

def leaves_a_child():
    subprocess.Popen(["sleep", "60"])          # it keeps what this process had open
    os.kill(os.getpid(), signal.SIGKILL)

CASES = {
    "good": lambda: None,
    "wrong": lambda: "it is not right\\nFAIL good: no\\n9 passed, 9 failed",
    "raises": lambda: 1 // 0,
    "exits": lambda: sys.exit(0),
    "exits at once": lambda: os._exit(0),
    "killed": leaves_a_child,
    "aborts": os.abort,
    "hangs": lambda: time.sleep(60),
    "swaps stdout": never_restored,
    "good in redirected": lambda: redirected(None),
    "wrong in redirected": lambda: redirected("wrong"),
    "closes stdout": lambda: os.close(1),
    "not to be pickled": lambda: lambda: 0,
    "not to be restored": lambda: Unfit(),
    "good again": lambda: None,
}
sys.exit(runner.run([(name, (f,)) for name, f in CASES.items()], lambda f: f(), runner.options("x", ptc=False).parse_args(), limit=5))
"""
# What the lines of a run must be, and how the text of a failure begins or goes on.
FAILURES = {
    "wrong": "it is not right\n  FAIL good: no\n  9 passed, 9 failed\n", "raises": "Traceback", "exits": "Traceback",
    "exits at once": "its process exited with code 0", "killed": "its process was killed by SIGKILL",
    "aborts": "its process was killed by SIGABRT\n  printed: Fatal Python error: Aborted", "hangs": "no end within 5 s",
    "wrong in redirected": "wrong\n  printed: seen\n", "not to be pickled": "Traceback",
    "not to be restored": "Traceback",
}
GOOD = ["good", "swaps stdout", "good in redirected", "closes stdout", "good again"]


def runs(scratch):
    script = scratch / "cases.py"
    script.write_text(CASES)
    start = lambda *args: subprocess.Popen([sys.executable, str(script), *args], stdout=subprocess.PIPE, text=True)
    for jobs, process in [(jobs, start("-v", "-j", jobs)) for jobs in ("1", "4")]:
        out, _ = process.communicate(timeout=60)
        lines = out.splitlines()
        yield f"summary of -j {jobs}", lines[-1] == f"{len(GOOD)} passed, {len(FAILURES)} failed" and process.returncode == 1
        yield f"all cases of -j {jobs}", sum(l.startswith(("ok ", "FAIL ")) for l in lines) == len(GOOD) + len(FAILURES)
        for name in GOOD:
            yield f"{name} of -j {jobs}", any(re.fullmatch(rf"ok   {re.escape(name)}  [0-9.]+ s", line) for line in lines)
        for name, text in FAILURES.items():
            yield f"{name} of -j {jobs}", f"\nFAIL {name}: {text}" in "\n" + out
    for what, pattern, code, text in (("exit code of what passes", "good", 0, "3 passed, 0 failed\n"),
                                      ("nothing selected", "no such case", runner.NOTHING_SELECTED, "no case is selected\n")):
        process = start(pattern)
        yield what, process.communicate(timeout=60)[0] == text and process.returncode == code
    for jobs in ("0", "-1", "x"):
        done = subprocess.run([sys.executable, str(script), "-j", jobs], capture_output=True, text=True)
        yield f"-j {jobs}", done.returncode == 2 and "whole number" in done.stderr and "Traceback" not in done.stderr


def parts_of_runs(scratch):
    """What is not run is counted apart, long texts are cut, and the parts of --shard are all of the cases."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        report = runner.Report(verbose=True)
        report.case("a", None)
        report.case("b", runner.Outcome(runner.NotRun("no such machine"), printed="noise").wrong)
        report.case("c", "\n".join(map(str, range(500))))
        code = report.finish()
    lines = out.getvalue().splitlines()
    yield "not run", lines[-1] == "1 passed, 1 failed, 1 not run" and code == 1 and "left b: no such machine" in lines
    yield "long text", len(lines) == runner.LINES + 4 and f"  … {500 - runner.LINES} more lines" in lines
    parts = [runner.part_of(Args(shard=(n, 3)), range(10)) for n in (1, 2, 3)]
    yield "shards", sorted(sum(parts, [])) == list(range(10)) and max(map(len, parts)) == 4
    for text in ("0/2", "3/2", "1", "a/b"):
        try:
            yield f"shard {text}", not runner.shard(text)
        except runner.argparse.ArgumentTypeError:
            yield f"shard {text}", True
    for name in ("a 3.12 0", "b 3.13 1", "c"):
        for of in (5, 12):
            yield f"{name} has one day of {of}", sum(runner.is_turn(name, day, of) for day in range(20001, 20001 + of)) == 1
        yield f"{name} takes each choice", {runner.turn_of(name, "xyz", day) for day in range(20001, 20004)} == set("xyz")
    case = table.Case("a", Path("a.py"), calls=[{}] * 7)
    some, all_of_them = ([list(run.runs(case, run.VERSIONS, False, every)) for every in (False, True)])
    yield "examples of a day", len({example for version, example in some if version == "3.15"}) == 1 and {v for v, _ in some} == set(run.VERSIONS)
    yield "other versions take one that the first takes", {n for _, n in some if n is not None} == {n for v, n in some if v == "3.11" and n is not None}
    yield "every example", [(v, n) for v, n in all_of_them if v == "3.11"] == [("3.11", n) for n in [*range(7), None]] and len(all_of_them) == 12


class Args:
    def __init__(self, **values):
        self.__dict__.update(values)


# Functions as `ptc dis --canonical` shows them, and whether a call of `f` may execute `g`.
MODULE = "code <module> () parameters 0 line 1\n    0   LOAD_CONST <code f>  ; 1:1-2:3\n    1   STORE_NAME f  ; 1:1-2:3"
CODE = """code f (x) parameters 1 line 1
    0   LOAD_FAST x  ; 2:1-2:2
    1   LOAD_CONST {start}  ; 2:3-2:4
    2   LOAD_CONST 2  ; 2:3-2:4
    3   BUILD_SLICE 2  ; 2:1-2:2
    4 @ BINARY_SUBSCR  ; {line}:1-2:2
    5   POP_JUMP_IF_FALSE -> 6  ; 2:1-2:2
    6   RETURN_VALUE  ; {end}:1-2:2"""
LATER = """code f (x) parameters 1 line 1
    0   LOAD_FAST x  ; 2:1-2:2
    1   LOAD_CONST slice(0, 2, None)  ; 2:3-2:9
    2 @ BINARY_SUBSCR  ; 2:1-2:9
    3   POP_JUMP_IF_FALSE -> 4  ; 2:1-2:9
    4   RETURN_VALUE  ; 2:1-2:9"""


def equal_code(scratch):
    of = lambda **values: canonical.normalised(CODE.format(**{"start": 0, "line": 2, "end": 2, **values}))
    yield "slices of constants", of() == canonical.normalised(LATER)
    yield "line of what cannot raise", of(end=9) == of()
    yield "line of what can", of(line=9) != of()
    yield "constant", of(start=1) != of()
    yield "constant in part", of(start='"long…') is None
    texts = {"<module>": [MODULE], "f": ["code f ()\nLOAD_GLOBAL g 1"], "g": ["code g ()\nLOAD_CONST 1 1"], "h": ["code h ()"],
             "f.<locals>.k": ["code f.<locals>.k ()"], "C.__add__": ["code C.__add__ ()"], "C": ["code C ()"]}
    yield "reachable", canonical.reachable(texts, "f") == {"<module>", "f", "g", "f.<locals>.k"}
    texts["<lambda>"] = ["code <lambda> ()"]
    yield "lambda of the module", "<lambda>" in canonical.reachable(texts, "f")
    texts["g"] = ["code g ()\nLOAD_GLOBAL C 1"]
    yield "reachable by another", canonical.reachable(texts, "f") >= {"C", "C.__add__"}


def equal_ir(scratch):
    """Of other code than that of earlier versions that passed, only IR that hashes to that of a run of the first version that passed makes another run needless."""
    job = run.Job.__new__(run.Job)
    job.case, job.folder, job.calls = Args(source="p.py", entry="f", init=None, weights=None, options=()), scratch, ["call"]

    def verdict(name, ir, same_as=None):
        def dump(*_, more, **__):
            Path(more[-1]).mkdir()
            (Path(more[-1]) / "2-normalise.mlir").write_text(ir) if ir else None
        with mock.patch.object(run, "pyc_for", lambda source, version, *_: version), \
                mock.patch.object(run.canonical, "is_same", lambda ptc, one, *_: one == same_as), \
                mock.patch.object(run.compiled, "graph", dump):
            seen = job.equality("ptc", "p.pyc", name, 0, scratch, 1)
        return seen and seen.verdict
    yield "no run has passed", verdict("none", "%0 = a loc(b)") is None
    job.hash_file(run.comparable("%0 = a loc(b)")).touch()
    yield "same", verdict("same", "%0 = a loc(c)") == "equal IR"
    yield "other", verdict("other", "%0 = b loc(b)") is None
    yield "no capture", verdict("refused", None) is None
    yield "code of one between that has not passed", verdict("3.14", None, "3.12") is None
    job.passed_file("3.12", 0).touch()
    yield "code of one between that has passed", verdict("3.15", None, "3.12") == "equal code"
    yield "code of a later one", verdict("3.12", None, "3.12") is None
    yield "code of the first", verdict("3.13", None, "3.11") == "equal code"


def verdicts_on_suites(scratch):
    """What suites.py makes of a runner's output and exit code, (passed, failed, not run), and that it shows the reason."""
    for what, output, code, expected in [
        ("passes", "1 passed, 0 failed\n", 0, (1, 0, 0)), ("fails", "FAIL a: b\n1 passed, 1 failed\n", 1, (1, 1, 0)),
        ("not run", "1 passed, 0 failed, 7 not run\n", 0, (1, 0, 7)),
        ("no summary", "", 0, (0, 1, 0)), ("dies", "Traceback\n", 1, (0, 1, 0)), ("no case", "0 passed, 0 failed\n", 0, (0, 1, 0)),
        ("dies behind its summary", "1 passed, 0 failed\n", -11, (1, 1, 0)),
    ]:
        yield what, suites.verdict("x", suites.count_own(output), code)[0] == expected
    silent = [sys.executable, "-c", "import sys; print('to stdout'); print('to stderr', file=sys.stderr)"]
    cost = suites.run(suites.Command("x", 1, silent, suites.count_own), scratch)
    yield "output without a summary", (cost.passed, cost.failed) == (0, 1) and {"to stdout", "to stderr"} <= set(cost.shown)
    yield "all of it is kept", "to stderr" in (scratch / "Testing/suites/x.txt").read_text()
    for what, text, code, said in [
        ("script", "print(sys.argv[1:], Path(__file__).name, __name__, sys.path[0])", 0, f"['a', '-b'] s.py __main__ {scratch}"),
        ("number as exit code", "print('x'); raise SystemExit(3)", 3, "x"), ("text as exit code", "raise SystemExit('because')", 1, "because"),
        ("exception", "raise ValueError('because')", 1, "ValueError: because"), ("killed", "os.kill(os.getpid(), 9)", -9, ""),
        ("what is left to do at exit", "import multiprocessing.util as u; u.Finalize(None, print, ['late'], exitpriority=1)", 0, "late"),
        ("classes of its own", "class A: pass\nprint(pickle.loads(pickle.dumps(A())))", 0, "__main__.A object"),
        ("its folder", "print(Path.cwd())", 0, str(scratch)), ("no files of others", "print(sorted(os.listdir('/proc/self/fd')))", 0, "['0', '1', '2', '3']"),
    ]:
        (scratch / "s.py").write_text(f"import os, pickle, sys\nfrom pathlib import Path\n{text}\n")
        reader, writer = os.pipe()
        pid = suites.start_script(suites.Command("x", 1, [sys.executable, "s.py", "a", "-b"], None, scratch), writer)
        os.close(writer)
        with open(reader) as shown:
            printed = shown.read()
        yield what, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == code and said in printed
    noise = [f"a.py:{n}: UserWarning: slow" for n in range(5000)] + ["FAIL a: wrong", "  because"] + [str(n) for n in range(900)]
    lines = suites.essence("\n".join(noise))
    yield "warnings and length", "FAIL a: wrong" in lines and "  because" in lines and len(lines) <= suites.SHOWN + 1
    order = [c.suite for c in sorted(suites.script_queue("usual", scratch, (), 2), key=lambda c: -c.seconds)]
    yield "all suites of a tier", set(order) == {s.name for s in suites.SUITES if s.usual is not suites.ABSENT}


def results(part):
    with tempfile.TemporaryDirectory() as name:
        return [(what, bool(good)) for what, good in part(Path(name))]


def main():
    args = runner.options(__doc__, ptc=False, pattern=False).parse_args()
    report = runner.Report(args.v)
    parts = (comparisons, generator, minimiser, locations, runs, parts_of_runs, equal_code, equal_ir, verdicts_on_suites)
    for part, outcome in zip(parts, runner.outcomes(results, parts, args.j)):
        for what, good in outcome.value or [(outcome.wrong, False)]:
            report.case(f"{part.__name__}: {what}", None if good else "not so")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
