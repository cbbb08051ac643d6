#!/usr/bin/env python3
"""Writes fixtures/3.NN/*.pyc of every program here and in examples/, with the interpreter that runs it.

    python3.NN regenerate.py

Needs no torch: it only compiles. Python 3.11 is compiled by the tests themselves.
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from pycs import StaleFixture, check_fresh, compile_pyc  # noqa: E402

FOLDERS = [HERE.parents[1] / "examples/models", HERE.parents[1] / "examples/control", HERE / "programs"]
NOT_PROGRAMS = {"make_weights"}


def sources():
    return [p for folder in FOLDERS for p in sorted(folder.glob("*.py")) if p.stem not in NOT_PROGRAMS]


def is_fresh(pyc, source):
    """What is up to date stays: bytes of a .pyc also depend on what the interpreter did before."""
    try:
        check_fresh(pyc, source)
    except (StaleFixture, FileNotFoundError):
        return False
    return True


def main():
    out = HERE / "fixtures" / ("%d.%d" % sys.version_info[:2])
    out.mkdir(parents=True, exist_ok=True)
    stems = [p.stem for p in sources()]
    assert len(set(stems)) == len(stems), "two programs with one name"
    written = 0
    for source in sources():
        pyc = out / f"{source.stem}.pyc"
        if not is_fresh(pyc, source):
            compile_pyc(source, pyc)
            written += 1
    for old in out.glob("*.pyc"):
        if old.stem not in stems:
            old.unlink()
    print(f"{out}: {len(stems)} files, {written} written")


if __name__ == "__main__":
    main()
