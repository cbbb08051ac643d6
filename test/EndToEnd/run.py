#!/usr/bin/env python3
"""Models and control programs: `ptc run` from the .pyc of five Pythons against eager PyTorch.

    run.py --ptc PTC [FILTER] [--version 3.NN] [--every] [--together] [--no-graphs] [--shard I/N] [-j N] [-v]

Each program is captured from one example (the models and examples: each in turn; the programs of this folder: another one each day,
and with 3.11 each of the others on one day of five) and from all examples at once, and then makes all calls in one context;
results, aliasing, written inputs, exceptions, prints and the state that later calls see must be those of
the Python program itself. The graph of each run must be the text that 3.11 gives for the same example, but for
locations and for what Python itself words otherwise since.

What a later version makes the same canonical code of as 3.11 (canonical.py), or as one between them that has passed, has passed
with it; of what it makes other code of, the IR is captured, and has passed where it hashes to the same as with 3.11, for whatever
example: every run makes all calls. Both are run on one day of five, each program on its own. --every runs all, and all examples with 3.11.
"""
import collections
import hashlib
import itertools
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch

import canonical
import compiled
from compare import observation_difference
from eager import EagerProgram
from pycs import VERSIONS, StaleFixture, pyc_for
from table import FIXTURES, all_cases

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

# Texts of exceptions that 3.12 changed.
REWORDED = {"() arg is an empty sequence": "() iterable argument is empty"}


def comparable(graph):
    """The text of a graph without what may differ between versions."""
    text = compiled.without_locations(graph)
    for old, new in REWORDED.items():
        text = text.replace(old, new)
    return text


def digest(graph):
    return hashlib.sha256(graph.encode()).hexdigest()


@dataclass
class Seen:
    """Of one run: a verdict, what is wrong, and the graph's text without locations."""
    verdict: str
    text: str = None
    graph: str = None


PASSED = ("ok", "equal code", "equal IR")


class Job:
    """A case with its calls written to files and eager's observations of them."""
    every = True                               # runs of versions with equal code, too

    def __init__(self, case, scratch):
        self.case = case
        self.folder = scratch / "cases" / case.name
        self.folder.mkdir(parents=True)
        self.calls = compiled.write_calls(case.calls, self.folder, case.folder)
        program = EagerProgram(case.source, case.entry, case.init, case.weights)
        numbers = torch.get_rng_state()
        self.want = [program.observe(call, case.folder) for call in case.calls]
        self.has_drawn = not torch.equal(numbers, torch.get_rng_state())
        self.graphs = {}                       # example -> {version: text}

    def options(self):
        return {"entry": self.case.entry, "init": self.case.init, "weights": self.case.weights,
                "more": self.case.options}

    def check(self, ptc, version, example, scratch, limit):
        """Of the program captured from this example; None: from all of them at once."""
        seen = self.seen(ptc, version, example, scratch, limit)
        if seen.verdict in PASSED:
            self.passed_file(version, example).touch()
        return seen

    def seen(self, ptc, version, example, scratch, limit):
        try:
            pyc = pyc_for(self.case.source, version, FIXTURES, scratch)
        except StaleFixture as e:
            return Seen("stale", str(e))
        if not self.is_due(version, example):
            same = self.equality(ptc, pyc, version, example, scratch, limit)
            if same:
                return same
        save = self.folder / f"out-{version}-{example}.jsonl"
        dump = save.with_suffix("")
        examples = self.calls if example is None else self.calls[example]
        got = compiled.run(ptc, pyc, examples, self.calls, save, limit=limit,
                           options=["--dump", str(dump)], **self.options())
        graph = self.graph_of(dump) if example is not None else None
        seen = Seen(*self.judge(got), graph)
        if version == VERSIONS[0] and graph and seen.verdict == "ok":
            self.hash_file(graph).touch()
        return seen

    @staticmethod
    def graph_of(dump):
        return next((comparable(file.read_text()) for file in dump.glob("*-normalise.mlir")), None)

    def hash_file(self, graph):
        """It is there if this IR of the first version has passed."""
        return self.folder / f"{digest(graph)}.passed"

    def passed_file(self, version, example):
        """It is there if this run has passed."""
        return self.folder / f"{version} {example}.passed"

    def is_due(self, version, example):
        """Whether it is run whatever it equals."""
        return self.every or version == VERSIONS[0] or VERSIONS[0] not in self.case.versions or \
            runner.is_turn(f"{self.case.name} {version} {example}")

    def equality(self, ptc, pyc, version, example, scratch, limit):
        """What makes a run say what that of an earlier version says, or None."""
        for earlier in itertools.takewhile(lambda one: one != version, VERSIONS):
            if (earlier == VERSIONS[0] or self.passed_file(earlier, example).exists()) and \
                    canonical.is_same(ptc, pyc_for(self.case.source, earlier, FIXTURES, scratch), pyc, self.case.entry):
                return Seen("equal code")
        dump = self.folder / f"ir-{version}-{example}"
        compiled.graph(ptc, pyc, self.calls[example], limit=limit, more=[*self.case.options, "--dump", str(dump)],
                       entry=self.case.entry, init=self.case.init, weights=self.case.weights)
        graph = self.graph_of(dump)
        return Seen("equal IR", graph=graph) if graph and self.hash_file(graph).exists() else None

    def judge(self, got):
        """(verdict, text)"""
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

    def compare_graphs(self):
        """(example, text) for the first version whose graph is another than that of the first version."""
        for example, texts in sorted(self.graphs.items()):
            (base, expected), *others = sorted(texts.items())
            for version, text in others:
                if text != expected:
                    lines = enumerate(itertools.zip_longest(expected.splitlines(), text.splitlines()), 1)
                    n, (a, b) = next((n, pair) for n, pair in lines if pair[0] != pair[1])
                    return example, f"graph line {n}: {base} has {a!r}, {version} has {b!r}"
        return None


def prepare(cases, scratch, workers, report, make=Job):
    """The jobs of those cases that eager runs; the others have failed."""
    found = runner.outcomes(lambda case: make(case, scratch), cases, workers)
    jobs = []
    for case, outcome in zip(cases, found):
        if outcome.value is None:
            report.case(f"{case.name} (eager)", outcome.wrong)
        else:
            jobs.append(outcome.value)
    return jobs


def examples_of(case, version, versions, every):
    """Those that the case is captured from, each by itself, with this version."""
    count, place = len(case.calls), versions.index(version)
    if case.every or every and place == 0:
        return range(count)
    if every:
        return [place % count]
    today = runner.turn_of(case.name, range(count))
    return [n for n in range(count) if n == today or place == 0 and runner.is_turn(f"{case.name} {n}")]


def runs(case, versions, together, every):
    """(version, example); None: all examples at once, where there are several, from the first version."""
    versions = [version for version in versions if version in case.versions]
    if not together:
        yield from [(version, example) for version in versions for example in examples_of(case, version, versions, every)]
    if len(case.calls) > 1:
        yield from [(version, None) for version in versions[:1]]


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--version", choices=VERSIONS, action="append")
    parser.add_argument("--every", action="store_true", help="run every example, and what has the same code in several versions in each of them")
    parser.add_argument("--example", type=int, help="capture from this example only")
    parser.add_argument("--together", action="store_true", help="capture from all examples at once only")
    parser.add_argument("--no-graphs", action="store_true", help="do not compare the graphs of the versions")
    parser.add_argument("--limit", type=float, default=60, help="seconds for one run of ptc")
    args = parser.parse_args()
    # Of one version alone there is no other run to rely on.
    Job.every = args.every or bool(args.version)
    report, kinds = runner.Report(args.v), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        jobs = prepare(runner.part_of(args, all_cases(Path(folder), args.filter)), Path(folder), args.j, report)
        checks = [(job, version, example) for job in jobs
                  for version, example in runs(job.case, args.version or VERSIONS, args.together, Job.every)
                  if args.example in (None, example)]
        found = runner.outcomes(lambda at: at[0].check(args.ptc, *at[1:], Path(folder), args.limit), checks, args.j)
        for (job, version, example), outcome in zip(checks, found):
            seen = outcome.value or Seen("broken", outcome.wrong)
            kinds[seen.verdict] += 1
            if seen.graph:
                job.graphs.setdefault(example, {})[version] = seen.graph
            where = "all examples" if example is None else f"example {example}"
            report.case(f"{job.case.name} ({version}, {where})",
                        None if seen.verdict in PASSED else f"{seen.verdict}: {seen.text}")
    for job in jobs if not args.no_graphs else ():
        difference = job.compare_graphs()
        if difference:
            report.case(f"{job.case.name} (graphs, example {difference[0]})", difference[1])
    if report.failed or kinds.keys() - {"ok"}:
        print(", ".join(f"{n} {verdict}" for verdict, n in sorted(kinds.items())))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
