"""A program compiled once for declared sizes, and called with many of them: against the program itself, run by eager PyTorch."""
import re
import tempfile
from pathlib import Path
from typing import NamedTuple

import compiled
import pycs
from compare import EXACT
from run import Job
from table import Case


class Outcome(NamedTuple):
    difference: str | None                     # what is wrong
    refusal: str | None = None                 # what ptc says instead of compiling it


def outcome(ptc, text, declared, calls, target, limit=120, tolerance=EXACT):
    """`text`: of a module with a function entry; `declared`: options; `calls`: as in example files. A refusal names a line of it."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source, pyc, library = folder / "program.py", folder / "program.pyc", folder / "libprogram.so"
        source.write_text(text)
        pycs.compile_pyc(source, pyc)
        job = Job(Case("program", source, "entry", calls=calls, folder=folder, tolerance=tolerance), folder)
        out = folder / "out.jsonl"
        if target == "null":
            got = compiled.run(ptc, pyc, [], job.calls, out, limit=limit, options=declared, **job.options())
            refusal = got.text if got.kind == "refused" else None
        else:
            code, _, err = compiled.execute([*compiled.command(ptc, "compile", pyc, **job.options()), *declared, "--target", target, "-o", str(library)], limit)
            refusal = err if code in (compiled.REFUSED, compiled.LIMIT) else None
            if code != compiled.OK and refusal is None:
                return Outcome(f"exit code {code}\n{err[:900]}")
            if code == compiled.OK:
                got = compiled.run(ptc, library, [], job.calls, out, limit=limit)
        if refusal is None:
            verdict, difference = job.judge(got)
            return Outcome(None if verdict == "ok" else f"{verdict}: {difference}")
        hasLine = re.search(r"program\.py:[1-9]\d*:", refusal) and ":0:" not in refusal
        return Outcome(None if hasLine else f"refused without a line\n{refusal[:900]}", refusal)
