#!/usr/bin/env python3
"""Models and control programs: `ptc run` from the .pyc of five Pythons against eager PyTorch.

    run.py --ptc PTC [FILTER] [--version 3.NN] [--no-graphs] [-j N] [-v]

Each program is captured from one example, each example in turn (the programs of this folder: from the .pyc of
3.11; one example from each other version), and then makes all calls in one context;
results, aliasing, written inputs, exceptions, prints and the state that later calls see must be those of
the Python program itself. The graphs of the five versions must be one text without locations.
"""
import argparse
import collections
import concurrent.futures
import sys
import tempfile
from pathlib import Path

import compiled
from compare import observation_difference
from eager import EagerProgram
from pycs import VERSIONS, pyc_for, without_capture
from table import FIXTURES, all_cases


class Job:
    """A case with its calls written to files and eager's observations of them."""

    def __init__(self, case, scratch):
        self.case = case
        self.folder = scratch / "cases" / case.name
        self.folder.mkdir(parents=True)
        self.calls = compiled.write_calls(case.calls, self.folder, case.folder)
        program = EagerProgram(case.source, case.entry, case.init, case.weights)
        self.want = [program.observe(call, case.folder) for call in case.calls]

    def options(self):
        return {"entry": self.case.entry, "init": self.case.init, "weights": self.case.weights}

    def check(self, ptc, version, example, scratch, limit):
        """(verdict, text) of the program captured from this example."""
        pyc = pyc_for(self.case.source, version, FIXTURES, scratch)
        save = self.folder / f"out-{version}-{example}.jsonl"
        got = compiled.run(ptc, pyc, self.calls[example], self.calls, save, limit=limit, **self.options())
        if got.kind == "refused" and self.case.may_refuse:
            return "ok", None
        if got.kind != "ran":
            return got.kind, got.first_error if got.kind == "refused" else got.text[:600]
        if len(got.calls) != len(self.want):
            return "wrong", f"{len(got.calls)} results for {len(self.want)} calls"
        for n, (want, seen) in enumerate(zip(self.want, got.calls)):
            text = observation_difference(want, seen, self.case.tolerance)
            if text:
                return "wrong", f"call {n}: {text}"
        return "ok", None

    def graphs(self, ptc, versions, scratch, limit):
        """(verdict, text): the graphs of all versions are one text."""
        first = None
        for version in versions:
            pyc = pyc_for(self.case.source, version, FIXTURES, scratch)
            text, err = compiled.graph(ptc, pyc, self.calls[0], limit=limit, **self.options())
            if text is None:
                return ("ok", None) if self.case.may_refuse else ("refused", err[:300])
            text = compiled.without_locations(text)
            first = first or (version, text)
            if text != first[1]:
                pairs = enumerate(zip(first[1].splitlines(), text.splitlines()), 1)
                n, (a, b) = next((p for p in pairs if p[1][0] != p[1][1]), (0, ("<end>", "<end>")))
                return "wrong", f"graph line {n}: {first[0]} has {a.strip()!r}, {version} has {b.strip()!r}"
        return "ok", None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptc", required=True)
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--version", choices=VERSIONS, action="append")
    parser.add_argument("--example", type=int, help="capture from this example only")
    parser.add_argument("--no-graphs", action="store_true", help="do not compare the graphs of the versions")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run of ptc")
    parser.add_argument("-v", action="store_true", help="name what passed, too")
    args = parser.parse_args()
    if without_capture(args.ptc):
        return 0
    versions = args.version or VERSIONS
    count = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        scratch = Path(folder)
        tasks = []
        for job in [Job(case, scratch) for case in all_cases(scratch, args.filter)]:
            mine = [v for v in versions if v in job.case.versions]
            for version, example in job.case.runs(mine):
                if args.example in (None, example):
                    tasks.append((f"{job.case.name} ({version}, example {example})",
                                  pool.submit(job.check, args.ptc, version, example, scratch, args.limit)))
            if len(mine) > 1 and not args.no_graphs:
                tasks.append((f"{job.case.name} (graphs)",
                              pool.submit(job.graphs, args.ptc, mine, scratch, args.limit)))
        for name, task in tasks:
            verdict, text = task.result()
            count[verdict] += 1
            if verdict != "ok":
                print(f"FAIL {name}: {verdict}: {text}", flush=True)
            elif args.v:
                print(f"ok   {name}", flush=True)
    failed = sum(n for verdict, n in count.items() if verdict != "ok")
    if failed:
        print(", ".join(f"{n} {verdict}" for verdict, n in sorted(count.items())))
    print(f"{count['ok']} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
