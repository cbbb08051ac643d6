#!/usr/bin/env python3
"""Writes fixtures/3.NN/*.pyc of every program here and in examples/, with the interpreter that runs it.

    python3.NN regenerate.py

Needs no torch: it only compiles. Python 3.11 is compiled by the tests themselves.
"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from pycs import compile_pyc  # noqa: E402

FOLDERS = [HERE.parents[1] / "examples/models", HERE.parents[1] / "examples/control", HERE / "programs"]
NOT_PROGRAMS = {"make_weights"}


def sources():
    return [p for folder in FOLDERS for p in sorted(folder.glob("*.py")) if p.stem not in NOT_PROGRAMS]


def main():
    out = HERE / "fixtures" / ("%d.%d" % sys.version_info[:2])
    out.mkdir(parents=True, exist_ok=True)
    stems = [p.stem for p in sources()]
    assert len(set(stems)) == len(stems), "two programs with one name"
    for source in sources():
        compile_pyc(source, out / f"{source.stem}.pyc")
    for old in out.glob("*.pyc"):
        if old.stem not in stems:
            old.unlink()
    print(f"{out}: {len(stems)} files")


if __name__ == "__main__":
    main()
