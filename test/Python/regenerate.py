#!/usr/bin/env python3
"""Writes what run.py compares with, from the interpreter that runs this script.

    PYTHONHASHSEED=0 python3.NN regenerate.py [FILTER]

Python 3.11 writes expected/NAME.out (what the program prints) and, for a program that ends with an
exception, expected/NAME.raised (its type and text). Every other version compares its own output with
those files and writes fixtures/3.NN/NAME.pyc. Exit status 1 when an output differs.
"""
import contextlib
import io
import json
import marshal
import os
import py_compile
import sys
import types
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = "%d.%d" % sys.version_info[:2]


def execute(path):
    """What the program prints, and the exception that ends it or None."""
    main = types.ModuleType("__main__")
    main.__file__ = path.name
    outer = sys.modules["__main__"]
    out, raised = io.StringIO(), None
    sys.modules["__main__"] = main
    try:
        with contextlib.redirect_stdout(out):
            # Through marshal, as from a .pyc: it orders the members of set literals.
            code = compile(path.read_text(encoding="utf-8"), path.name, "exec")
            exec(marshal.loads(marshal.dumps(code)), main.__dict__)
    except SystemExit as e:
        raised = {"type": "SystemExit", "text": str(e)} if e.code else None
    except Exception as e:
        raised = {"type": type(e).__name__, "text": str(e)}
    finally:
        sys.modules["__main__"] = outer
    return out.getvalue(), raised


def expected(name):
    out = HERE / "expected" / f"{name}.out"
    raised = HERE / "expected" / f"{name}.raised"
    return out.read_text(encoding="utf-8"), json.loads(raised.read_text()) if raised.exists() else None


def write_expected(name, out, raised):
    (HERE / "expected").mkdir(exist_ok=True)
    (HERE / "expected" / f"{name}.out").write_text(out, encoding="utf-8")
    note = HERE / "expected" / f"{name}.raised"
    if raised:
        note.write_text(json.dumps(raised) + "\n")
    elif note.exists():
        note.unlink()


def write_fixture(path):
    folder = HERE / "fixtures" / VERSION
    folder.mkdir(parents=True, exist_ok=True)
    py_compile.compile(str(path), cfile=str(folder / f"{path.stem}.pyc"), dfile=path.name, doraise=True,
                       invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)


def first_difference(want, got):
    a, b = want.splitlines(), got.splitlines()
    for n in range(max(len(a), len(b))):
        x, y = (s[n] if n < len(s) else "<end>" for s in (a, b))
        if x != y:
            at = next((i for i, (p, q) in enumerate(zip(x, y)) if p != q), min(len(x), len(y)))
            low = max(0, at - 40)
            return f"line {n + 1}, column {at + 1}:\n  expected {x[low:at + 60]!r}\n  got      {y[low:at + 60]!r}"
    return None


def main():
    warnings.simplefilter("ignore")
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    if os.environ.get("PYTHONHASHSEED") != "0" and sys.maxsize > 2 ** 32:
        sys.exit("run with PYTHONHASHSEED=0")
    differ = 0
    for path in sorted((HERE / "constructs").glob("*.py")):
        if pattern not in path.stem:
            continue
        if VERSION != "3.11":
            write_fixture(path)
        if "# needs: 64-bit" in path.read_text(encoding="utf-8") and sys.maxsize < 2 ** 32:
            continue
        out, raised = execute(path)
        if VERSION == "3.11":
            write_expected(path.stem, out, raised)
            continue
        want, want_raised = expected(path.stem)
        text = first_difference(want, out) or (raised != want_raised and f"raised {raised}")
        if text:
            differ += 1
            print(f"{path.stem}: {text}")
    print(f"Python {VERSION}: {differ} outputs differ from 3.11")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
