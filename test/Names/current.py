#!/usr/bin/env python3
"""Compares the tables of names that exist (lib/Capture/Known) with the CPython 3.11, the PyTorch and the NumPy that run this.

    current.py [FILTER] [-j N] [-v]

All are read again by tools/gen/known_snapshot.py: every module, every name, every class. What other versions of CPython have
is not compared.
"""
import collections
import re
import sys
import tempfile
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "lib/Capture/Known"), str(ROOT / "tools/gen")]
import known_names  # noqa: E402
import pack  # noqa: E402
import runner  # noqa: E402


# Modules that have what the processor has.
BY_PROCESSOR = {"numpy._core._simd"}


def facts(path, bit):
    """What a table says of the version: (block, what)."""
    blocks, loaded = pack.read([path])
    blocks = [block for block in blocks if block[1] not in BY_PROCESSOR]
    found = {("loaded", name) for name in loaded}
    for head, name, flags, lines in blocks:
        if flags["in"] & bit:
            found |= {(head, name, flag) for flag, mask in flags.items() if mask & bit}
            found |= {(head, name, kind, *map(str, more), word) for kind, *more, mask, words in lines if mask & bit for word in words}
    return found


def check(what, bits):
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder, "fresh.txt")
        snapshot = known_names.snapshot(what, [sys.executable, "-I", *(["-S"] if what == "python" else [])])
        fresh.write_text("\n".join(known_names.lines_of(what, snapshot, bits)))
        want = facts(fresh, 1)
    have = facts(ROOT / f"lib/Capture/Known/{what}.txt", 1)
    assert len(want) > 10000, f"{len(want)} facts were read"
    wrong = [f"not in the table: {' '.join(f)}" for f in sorted(want - have)]
    wrong += [f"only in the table: {' '.join(f)}" for f in sorted(have - want)]
    return "\n".join([f"{len(wrong)} of {len(want)} facts differ", *wrong[:20]]) if wrong else None


def check_without_out():
    """Functions of torch that take no `out=`."""
    stubs = Path(torch.__file__).with_name("_C").joinpath("_VariableFunctions.pyi").read_text()
    takes = collections.defaultdict(bool)
    for name, parameters in re.findall(r"^def (\w+)\((.*?)\) ->", stubs, re.M | re.S):
        takes[name] |= bool(re.search(r"\bout:", parameters))
    want = {name for name, one in takes.items() if not one and not name.startswith("_") and not name.endswith("_")}
    have = set(" ".join(re.findall(r'PTC_WITHOUT_OUT\("(.*)"\)', (ROOT / "lib/Capture/WithoutOut.def").read_text())).split())
    assert len(want) > 200, f"{len(want)} functions were read"
    return f"not in the table: {sorted(want - have)}; only there: {sorted(have - want)}" if want != have else None


def main():
    args = runner.options(__doc__, ptc=False).parse_args()
    cases = [("python", (check, "python", 1)), *((what, (check, what, known_names.ALL)) for what in known_names.PACKAGES),
             ("functions without out", (check_without_out,))]
    return runner.run(cases, lambda check_it, *of: check_it(*of), args)


if __name__ == "__main__":
    sys.exit(main())
