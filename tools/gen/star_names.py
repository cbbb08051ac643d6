#!/usr/bin/env python3
"""Which public names of modules `from M import *` leaves out: those that are not in the module's __all__.

    star_names.py ask > VERSION.json      by an interpreter of each version (3.11: with PyTorch and numpy)
    star_names.py merge VERSION.json… > lib/Capture/Known/StarNames.def

Asked are the modules that lib/Prelude has. `bin<15` is exported from 3.15 on.
"""
import importlib
import json
import sys
import warnings
from pathlib import Path

PRELUDE = Path(__file__).resolve().parents[2] / "lib/Prelude"


def modules():
    names = [".".join(p.relative_to(PRELUDE).with_suffix("").parts).removesuffix(".__init__") for p in sorted(PRELUDE.rglob("*.py"))]
    return [n for n in names if n == "__future__" or not any(part.startswith("_") for part in n.split("."))]


def ask():
    warnings.simplefilter("ignore")
    found = {}
    for name in modules():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        exported = getattr(module, "__all__", None)
        if exported is not None:
            found[name] = {"hidden": sorted(n for n in vars(module) if not n.startswith("_") and n not in exported), "exported": sorted(set(exported))}
    json.dump(found, sys.stdout)


def merge(files):
    tables = {int(Path(file).stem.split(".")[1]): json.loads(Path(file).read_text()) for file in files}
    print("//===- StarNames.def - Public names that `from M import *` leaves out ------------------------===//")
    print("// PTC_STAR_NAMES(Module, Names): written by tools/gen/star_names.py; do not edit.")
    print("//===----------------------------------------------------------------------===//")
    for module in sorted({m for table in tables.values() for m in table}):
        rows = {minor: table[module] for minor, table in tables.items() if module in table}
        names = []
        for name in sorted({n for row in rows.values() for n in row["hidden"]}):
            exporting = [minor for minor, row in rows.items() if name in row["exported"]]
            assert not exporting or max(m for m, row in rows.items() if name in row["hidden"]) < min(exporting), (module, name)
            names.append(f"{name}<{min(exporting)}" if exporting else name)
        if names:
            print(f'PTC_STAR_NAMES("{module}", "{" ".join(names)}")')
    print("#undef PTC_STAR_NAMES")


if __name__ == "__main__":
    ask() if sys.argv[1:2] == ["ask"] else merge(sys.argv[2:])
