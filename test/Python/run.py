#!/usr/bin/env python3
"""Runs every program of constructs/ with `ptc run --python` from the .pyc of each Python version.

    run.py --ptc PTC [FILTER] [--version 3.NN] [-j N] [-v]

The output and the exception that ends the program must be what CPython gave (expected/). The .pyc of
Python 3.11 is compiled here; the others are checked in under fixtures/ (see regenerate.py) and must
belong to the source as it is now.
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "EndToEnd")]
from pycs import VERSIONS, pyc_for  # noqa: E402
from regenerate import expected, first_difference  # noqa: E402

RAISED = 13                                   # exit code: the program raised


def check(ptc, source, version, scratch, limit):
    """None, or what is wrong with this program."""
    pyc = pyc_for(source, version, HERE / "fixtures", scratch)
    want, raised = expected(source.stem)
    try:
        done = subprocess.run([ptc, "run", "--python", str(pyc)], capture_output=True, timeout=limit,
                              env={**os.environ, "NO_COLOR": "1"})
    except subprocess.TimeoutExpired:
        return f"no end within {limit} s"
    err = done.stderr.decode(errors="replace").strip()
    tail = "\n  ".join(err.splitlines()[:6])
    difference = first_difference(want, done.stdout.decode(errors="replace"))
    if difference:
        return difference + (f"\n  stderr:  {tail}" if tail else "")
    if raised is None:
        return None if done.returncode == 0 else f"exit code {done.returncode}\n  stderr:  {tail}"
    if done.returncode != RAISED:
        return f"exit code {done.returncode}, expected {RAISED} with {raised['type']}\n  stderr:  {tail}"
    if raised["type"] not in err or raised["text"] not in err:
        return f"raised {raised}, but standard error says\n  {tail}"
    return None


def main():
    warnings.simplefilter("ignore")           # the programs hold mistakes on purpose
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ptc", required=True)
    parser.add_argument("filter", nargs="?", default="")
    parser.add_argument("--version", choices=VERSIONS, action="append")
    parser.add_argument("-j", type=int, default=2)
    parser.add_argument("--limit", type=float, default=20, help="seconds for one program")
    parser.add_argument("-v", action="store_true", help="name what passed, too")
    args = parser.parse_args()
    sources = [p for p in sorted((HERE / "constructs").glob("*.py")) if args.filter in p.stem]
    if not sources:
        parser.error(f"no program matches {args.filter!r}")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        jobs = [(s, v) for s in sources for v in args.version or VERSIONS]
        run = lambda job: check(args.ptc, *job, Path(scratch), args.limit)
        for (source, version), text in zip(jobs, pool.map(run, jobs)):
            failed += text is not None
            if text is not None:
                print(f"FAIL {source.stem} ({version}): {text}")
            elif args.v:
                print(f"ok   {source.stem} ({version})")
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
