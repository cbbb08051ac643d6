"""Where the .pyc of a source comes from: compiled here, or a checked-in fixture that is up to date."""
import _imp
import os
import py_compile
import sys
from pathlib import Path

VERSIONS = ["3.11", "3.12", "3.13", "3.14", "3.15"]


class StaleFixture(Exception):
    """A checked-in .pyc that does not belong to the source as it is now."""


def compile_pyc(source, out):
    """The recorded file name is the bare name: what an error message shows, on every machine."""
    py_compile.compile(str(source), cfile=str(out), dfile=source.name, doraise=True,
                       invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def check_fresh(pyc, source):
    """A .pyc with a source hash carries the hash in bytes 8 to 16, keyed by its own magic number."""
    head = pyc.read_bytes()[:16]
    key = int.from_bytes(head[:4], "little")
    if _imp.source_hash(key, source.read_bytes()) != head[8:16]:
        raise StaleFixture(f"{pyc} is not the bytecode of {source}: run the regenerating script with that Python")


def pyc_for(source, version, fixtures, scratch):
    if version == "%d.%d" % sys.version_info[:2]:
        out = Path(scratch) / version / f"{source.stem}.pyc"
        if not out.exists():                   # several processes may get here
            mine = out.with_suffix(f".{os.getpid()}.pyc")
            compile_pyc(source, mine)
            mine.rename(out)
        return out
    pyc = Path(fixtures) / version / f"{source.stem}.pyc"
    if not pyc.exists():
        raise StaleFixture(f"{pyc} is missing: run the regenerating script with Python {version}")
    check_fresh(pyc, source)
    return pyc
