#!/usr/bin/env python3
"""Random programs of generate.py: `ptc run` against eager PyTorch.

    fuzz.py --ptc PTC [--from SEED] [--count N] [--size S] [-j N] [--minimise N] [--keep]

Each program is captured from its first call and makes all calls in one context. Verdicts: agree; refused
(a diagnostic: each is printed); wrong, crashed, hung, miss (no variant for a call),
no-eager (eager itself cannot run it): never acceptable.
`--minimise N` deletes statements from the first N failures while they fail the same way; `--keep` writes
the results to found/, where run.py takes them as tests.
"""
import collections
import json
import re
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import compiled
from compare import observation_difference
from eager import EagerProgram
from generate import inputs, program
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

HERE = Path(__file__).resolve().parent
REFUSED_AT_MOST, FEW = 0.01, 2                 # a share of the programs; a number that is none of a few programs
EAGER_LIMIT = 20                              # seconds


@dataclass
class Verdict:
    seed: int
    kind: str                                  # agree, refused, wrong, crashed, hung, miss, no-eager
    text: str = ""

    @property
    def reason(self):
        """What has to stay the same while a failure is minimised."""
        code = re.search(r"PTC\d+", self.text)
        if code:
            return self.kind, code[0]
        return self.kind, self.text.split(":")[1].split()[0] if self.kind == "wrong" else ""


class TooLong(BaseException):
    """No exception that a program would catch."""


def _alarm(*_):
    raise TooLong


def calls_of(seed):
    return [{"args": [{"$tensor": "f32[3]", "values": v} for v in row], **({"seed": seed} if n == 0 else {})}
            for n, row in enumerate(inputs(seed))]


def eager_observations(source, entry, calls):
    signal.signal(signal.SIGALRM, _alarm)
    signal.alarm(EAGER_LIMIT)
    try:
        p = EagerProgram(source, entry)
        return [p.observe(c) for c in calls]
    finally:
        signal.alarm(0)


def judge(ptc, seed, text, entry, limit=30):
    """The verdict on one program text with the inputs of a seed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "generated.py"
        source.write_text(text)
        calls = calls_of(seed)
        try:
            want = eager_observations(source, entry, calls)
        except (Exception, TooLong) as e:      # a mistake of the generator, or a deletion too many
            return Verdict(seed, "no-eager", f"{type(e).__name__}: {e}")
        pyc = folder / "generated.pyc"
        compile_pyc(source, pyc)
        files = compiled.write_calls(calls, folder)
        got = compiled.run(ptc, pyc, files[0], files, folder / "out.jsonl", entry=entry, limit=limit)
        if got.kind == "refused":
            return Verdict(seed, "refused", got.first_error)
        if got.kind != "ran":
            return Verdict(seed, {"failed": "crashed"}.get(got.kind, got.kind), got.text[:400])
        if len(got.calls) != len(want):
            return Verdict(seed, "wrong", f"call {len(got.calls)}: missing")
        for n, (w, g) in enumerate(zip(want, got.calls)):
            difference = observation_difference(w, g)
            if difference:
                return Verdict(seed, "wrong", f"call {n}: {difference}")
        return Verdict(seed, "agree")


def judge_seed(ptc, seed, size):
    return judge(ptc, seed, *program(seed, size))


def judge_seeds(ptc, seeds, size, jobs):
    """The verdicts, in the order of the seeds."""
    for seed, outcome in zip(seeds, runner.outcomes(lambda seed: judge_seed(ptc, seed, size), seeds, jobs)):
        yield outcome.value or Verdict(seed, "crashed", f"harness: {outcome.wrong}")


def summarise(verdicts, report, seconds):
    count = collections.Counter(v.kind for v in verdicts)
    print(", ".join(f"{count[k]} {k}" for k in sorted(count)) + f" in {seconds:.0f} s")
    refusals = collections.Counter(re.sub(r"^\S+?:\d+:\d+: ", "", v.text)[:110] for v in verdicts if v.kind == "refused")
    for text, n in refusals.most_common(20):
        print(f"  {n:4} refused: {text}")
    if count["refused"] > max(REFUSED_AT_MOST * len(verdicts), FEW):
        report.case("too many refused", f"{count['refused']} of {len(verdicts)}")


def keep(seed, verdict, text, entry):
    """A minimised failure becomes a test: its source, and its calls beside it."""
    folder = HERE / "found"
    folder.mkdir(exist_ok=True)
    name = f"seed_{seed}_{verdict.kind}"
    (folder / f"{name}.py").write_text(text)
    lines = [json.dumps({**call, "entry": entry} if n == 0 else call) for n, call in enumerate(calls_of(seed))]
    (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    return folder / f"{name}.py"


def main():
    parser = runner.options(__doc__, pattern=False)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--size", type=int, default=14, help="statements, about")
    parser.add_argument("--minimise", type=int, default=0, metavar="N")
    parser.add_argument("--refusals", action="store_true", help="minimise refusals, too")
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    start = time.time()
    report, verdicts = runner.Report(args.v), []
    for v in judge_seeds(args.ptc, range(args.first, args.first + args.count), args.size, args.j):
        verdicts.append(v)
        if v.kind == "refused":
            print(f"refused seed {v.seed}: {v.text}", flush=True)
        report.case(f"seed {v.seed}", None if v.kind in ("agree", "refused") else f"{v.kind}: {v.text}")
    summarise(verdicts, report, time.time() - start)
    from minimise import minimise
    bad = {"wrong", "crashed", "hung", "miss"} | ({"refused"} if args.refusals else set())
    for v in [v for v in verdicts if v.kind in bad][:args.minimise]:
        text, entry = program(v.seed, args.size)
        text, last = minimise(lambda t: judge(args.ptc, v.seed, t, entry), text, v)
        print(f"\n--- seed {v.seed}: {last.kind}: {last.text}\n{text}")
        if args.keep:
            print(f"written to {keep(v.seed, last, text, entry)}")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
