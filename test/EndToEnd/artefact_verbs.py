#!/usr/bin/env python3
"""`ptc bench` on libraries: what it prints is there, and goes where the time goes.

    artefact_verbs.py --ptc PTC [FILTER] [-v]
"""
import json
import sys
import tempfile
from pathlib import Path

import compiled
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = ptc, folder

    def run(self, *args, code=0):
        """(stdout, stderr)"""
        got = compiled.execute([str(self.ptc), *map(str, args)], 120)
        if got[0] != code:
            raise AssertionError(f"{args}: exit code {got[0]}, expected {code}\n{got[1][-2000:]}\n{got[2]}")
        return got[1:]

    def library(self, name, source, calls, *options):
        """(library, path of the first call)"""
        at = self.folder / name
        at.mkdir()
        (at / "model.py").write_text("import torch\n" + source)
        compile_pyc(at / "model.py", at / "model.pyc")
        paths = []
        for i, call in enumerate(calls):
            paths.append(at / f"{i}.json")
            paths[-1].write_text(json.dumps(call))
        given = [word for path in paths for word in ("--example", path)]
        self.run("compile", at / "model.pyc", *given, *options, "-o", at / "libmodel.so")
        return at / "libmodel.so", paths[0]


def check_bench(world):
    """Guards of many arguments cost more than those of one, kernels of much work more than both."""
    few = world.library("few", "def f(x):\n    return x + 1\n", [{"args": [{"$tensor": "f32[2]"}]}])
    names = [f"x{i}" for i in range(24)]
    many = world.library("many", f"def f({', '.join(names)}):\n    return x0 + 1\n",
                         [{"args": [{"$tensor": "f32[2,3,4,5]"}] * 24}])
    large = world.library("large", "def f(x):\n    return x @ x\n", [{"args": [{"$tensor": "f32[256,256]"}]}])
    rows = {}
    for name, (library, call) in {"few": few, "many": many, "large": large}.items():
        words = ["bench", library, "--call", call, "--samples", "20", "--seconds", "0.05"]
        out, _ = world.run(*words, "--json")
        (row,) = json.loads(out)
        assert list(row["latency_us"]) == ["min", "mean", "median", "p90", "p95", "p99"], row
        assert list(row["split"]) == ["guards", "dispatch", "kernels"], row
        ordered = [row["latency_us"][k] for k in ("min", "median", "p90", "p95", "p99")]
        assert ordered == sorted(ordered) and row["calls"] >= 20 and row["variation"] >= 0, row
        assert all(0 <= part < 1e6 for part in row["split"].values()), row
        assert row["split"]["guards"] > 0 and row["split"]["kernels"] > 0, row
        rows[name] = row
        text, _ = world.run(*words)
        head, numbers, empty, second, parts = text.splitlines()
        assert "variation" in head and numbers.split()[7].endswith("%") and not empty, text
        assert second.split()[:3] == ["guards", "dispatch", "kernels"] and len(parts.split()) == 4, text
    assert rows["many"]["split"]["guards"] > 2 * rows["few"]["split"]["guards"], rows
    assert rows["large"]["split"]["kernels"] > 100 * rows["large"]["split"]["guards"], rows
    parts = sum(rows["large"]["split"].values())
    assert 0.2 < parts / rows["large"]["latency_us"]["median"] < 5, rows
    out, _ = world.run("bench", few[0], "--call", few[1], "--against", "eager", "--samples", "20",
                       "--seconds", "0.05", "--json")
    mine, eager = json.loads(out)
    assert mine["split"] and eager["split"] is None and eager["name"] == "eager", out


def main():
    parser = runner.options(__doc__)
    args = parser.parse_args()
    report = runner.Report(args.v)
    for case in CASES:
        if args.filter and args.filter not in case.__name__:
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                case(World(Path(args.ptc).resolve(), Path(folder)))
                report.case(case.__name__, None)
            except Exception as problem:
                report.case(case.__name__, f"{type(problem).__name__}: {problem}")
    return report.finish()


CASES = [check_bench]

if __name__ == "__main__":
    sys.exit(main())
