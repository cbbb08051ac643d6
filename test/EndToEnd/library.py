#!/usr/bin/env python3
"""Programs compiled to native libraries: `ptc compile`, then `ptc run LIB.so`, against eager PyTorch.

    library.py --ptc PTC [FILTER] [--target cuda] [--every] [--shard I/N] [--version 3.NN] [-j N] [-v]

As run.py, on the library that was compiled from all examples of a program. What has no native code yet is refused by
number (PTC1002) and counted apart; nothing else may be refused that the null target runs. The compiled bytes must be
the same when the library is made twice, in another folder: on one day of ten, each program on its own, or with --every. Without --every
and FILTER, programs that are neither models nor examples have one day of two. With --target=cuda the kernels run on a GPU, which is there.
"""
import collections
import sys
import tempfile
from pathlib import Path

import compiled
from pycs import VERSIONS, StaleFixture, pyc_for
from run import Job, Seen, prepare
from table import FIXTURES, all_cases

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

NO_NATIVE_CODE = "[PTC1002]"


class LibraryJob(Job):
    target = "x86-64"
    of_target = ()                             # options

    def make(self, ptc, version, path, scratch, limit):
        """None, or why there is no library."""
        try:
            pyc = pyc_for(self.case.source, version, FIXTURES, scratch)
        except StaleFixture as e:
            return Seen("stale", str(e))
        path.parent.mkdir(exist_ok=True)
        command = compiled.command(ptc, "compile", pyc, examples=self.calls, **self.options())
        command += [f"--target={self.target}", *self.of_target, "-o", str(path)]
        made = batch.run(command, text=True, timeout=limit)
        if made.returncode == compiled.REFUSED:
            kind = "no native code" if NO_NATIVE_CODE in made.stderr else "refused"
            return Seen("ok" if self.case.may_refuse else kind, made.stderr[:2000])
        return Seen("failed", made.stderr[:600]) if made.returncode else None

    def check(self, ptc, version, scratch, limit):
        path, again = self.folder / "libmodel.so", self.folder / "again" / "libmodel.so"
        is_compared = self.every or runner.is_turn(self.case.name, of=10)
        for made in (path, again) if is_compared else (path,):
            seen = self.make(ptc, version, made, scratch, limit)
            if seen:
                return seen
        if is_compared and path.read_bytes() != again.read_bytes():
            return Seen("differs", "two compilations gave different bytes")
        save = self.folder / "out.jsonl"
        got = compiled.run(ptc, path, [], self.calls, save, limit=limit)
        return Seen(*self.judge(got))


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--version", choices=VERSIONS, default="3.11")
    parser.add_argument("--limit", type=float, default=120, help="seconds for one run of ptc")
    parser.add_argument("--refused", type=int, default=60, help="most programs without native code, of all")
    parser.add_argument("--target", choices=["x86-64", "cuda"], default="x86-64", help="what runs kernels")
    parser.add_argument("--every", action="store_true", help="make every library, and twice")
    args = parser.parse_args()
    LibraryJob.target, LibraryJob.every = args.target, args.every
    report, kinds = runner.Report(args.v), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        cases = [case for case in all_cases(Path(folder), args.filter)
                 if args.every or args.filter or "." not in case.name or runner.is_turn(case.name, of=2)]
        jobs = prepare(runner.part_of(args, cases), Path(folder), args.j, report, LibraryJob)
        found = runner.outcomes(lambda job: job.check(args.ptc, args.version, Path(folder), args.limit), jobs, args.j)
        for job, outcome in zip(jobs, found):
            seen = outcome.value or Seen("broken", outcome.wrong)
            kinds[seen.verdict] += 1
            if seen.verdict == "no native code":
                if args.v:
                    print(f"{job.case.name}: {seen.text[:300]}")
                continue
            report.case(job.case.name, None if seen.verdict == "ok" else f"{seen.verdict}: {seen.text}")
    if kinds["no native code"] > args.refused:  # of all; a part has fewer
        report.case("programs without native code", f"{kinds['no native code']}, at most {args.refused} expected")
    print(", ".join(f"{n} {verdict}" for verdict, n in sorted(kinds.items())))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
