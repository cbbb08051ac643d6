#!/usr/bin/env python3
"""Runs every program of constructs/ with `ptc run --python` from the .pyc of each Python version.

    run.py --ptc PTC [FILTER] [--version 3.NN] [--every] [-j N] [-v]

The output and the exception that ends the program must be what CPython gave (expected/). The .pyc of
Python 3.11 is compiled here; the others are checked in under fixtures/ (see regenerate.py) and must
belong to the source as it is now. Programs that take long (LONG) run from one version besides 3.11, another one each day, or with --every from all.
"""
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]
import batch  # noqa: E402
import runner  # noqa: E402
from pycs import VERSIONS, pyc_for  # noqa: E402
from regenerate import expected, first_difference  # noqa: E402

RAISED = 13                                   # exit code: the program raised


# Tables of calls, and containers of many items: seconds each. Other programs have their instructions.
LONG = {"abstract_checks", "builtin_subclasses", "keys_by_method", "many_items", "reflected_operators", "single_dispatch"}


def versions_of(source, every):
    if every or source.stem not in LONG:
        return VERSIONS
    return [VERSIONS[0], runner.turn_of(source.stem, VERSIONS[1:])]


def check(ptc, source, version, scratch, limit):
    """None, or what is wrong with this program."""
    pyc = pyc_for(source, version, HERE / "fixtures", scratch)
    want, raised = expected(source.stem)
    try:
        done = batch.run([ptc, "run", "--python", pyc], timeout=limit, env={**os.environ, "NO_COLOR": "1"})
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
    parser = runner.options(__doc__)
    parser.add_argument("--version", choices=VERSIONS, action="append")
    parser.add_argument("--every", action="store_true", help="run what takes long from every version, too")
    parser.add_argument("--limit", type=float, default=20, help="seconds for one program")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        cases = [(f"{source.stem} ({version})", (args.ptc, source, version, Path(scratch), args.limit))
                 for source in sorted((HERE / "constructs").glob("*.py")) for version in args.version or versions_of(source, args.every)]
        return runner.run(cases, check, args)


if __name__ == "__main__":
    sys.exit(main())
