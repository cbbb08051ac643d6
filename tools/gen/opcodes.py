#!/usr/bin/env python3
"""Writes lib/Bytecode/Versions/Py3NN.inc from what that interpreter says about its own opcodes,
and Tables.inc, which includes them all.

    tools/gen/opcodes.py FACTS.json...      one table per file, written into the tree
    tools/gen/opcodes.py --check FACTS.json...  exit 1 if a table in the tree differs

FACTS.json holds, from the interpreter's `opcode` and `dis` modules: `version_info`, `opmap`,
`inline_cache_entries`, `HAVE_ARGUMENT`, `hasarg`, `_intrinsic_1_descs`, `_intrinsic_2_descs`,
`_special_method_names`, `_common_constants`, `stack_effect`. The stack effects of instructions that
keep their form are compared with those in include/ptc/Bytecode/Opcodes.def.
"""
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "lib/Bytecode/Versions"
# What their interpreter counts elsewhere: the generator pushed on resumption, the value returned.
EFFECT_ELSEWHERE = {"RETURN_GENERATOR": 1, "RETURN_VALUE": -1}

MACROS = ("RAW", "INTRINSIC_1", "INTRINSIC_2", "COMMON_CONSTANT", "SPECIAL_METHOD")

# repr of a common constant -> its enumerator in lib/Bytecode/RawCode.h
COMMON = {
    "<class 'AssertionError'>": "AssertionError",
    "<class 'NotImplementedError'>": "NotImplementedError",
    "<class 'tuple'>": "Tuple",
    "<built-in function all>": "All",
    "<built-in function any>": "Any",
    "<class 'list'>": "List",
    "<class 'set'>": "Set",
    "None": "None",
    "": "EmptyStr",
    "True": "True",
    "False": "False",
    "-1": "MinusOne",
}


def table(facts):
    minor = facts["version_info"][1]
    caches = facts["inline_cache_entries"]
    if isinstance(caches, list):
        caches = {name: caches[number] for name, number in facts["opmap"].items() if number < 256}
    lines = [
        f"// Opcodes of CPython 3.{minor}. Written by tools/gen/opcodes.py opcodes_3.{minor}.json",
        "// PTC_RAW(Minor, Number, Name, Caches)",
    ]
    rows = sorted((number, name) for name, number in facts["opmap"].items() if number < 256)
    lines += [f"PTC_RAW({minor}, {number}, {name}, {caches.get(name, 0)})" for number, name in rows]
    for kind in (1, 2):
        for number, name in enumerate(facts.get(f"_intrinsic_{kind}_descs") or []):
            if number:
                lines.append(f"PTC_INTRINSIC_{kind}({minor}, {number}, {name})")
    for number, text in enumerate(facts.get("_common_constants") or []):
        lines.append(f"PTC_COMMON_CONSTANT({minor}, {number}, {COMMON[text]})")
    for number, name in enumerate(facts.get("_special_method_names") or []):
        lines.append(f"PTC_SPECIAL_METHOD({minor}, {number}, {name})")
    return OUT / f"Py3{minor}.inc", "\n".join(lines) + "\n"


def wrong_effects(facts):
    """Complaints about rows of Opcodes.def whose net effect is not the interpreter's."""
    rows = re.findall(r"^PTC_OPCODE\((\w+), \w+, (.+), (.+?), \w+, \w+, \w+\)",
                      (ROOT / "include/ptc/Bytecode/Opcodes.def").read_text(), re.M)
    effects = {name: f"({pushes}) - ({pops})" for name, pops, pushes in rows}
    same = re.findall(r"^PTC_RAW_SAME\((\w+), (\w+)\)",
                      (ROOT / "lib/Bytecode/RawOps.def").read_text(), re.M)
    for raw, canonical in same:
        for key, effect in facts["stack_effect"].get(raw, {}).items():
            if key.endswith("J"):
                continue
            ours = eval(effects[canonical], {"n": 0 if key == "None" else int(key)})
            if ours not in (effect, EFFECT_ELSEWHERE.get(raw)):
                yield f"3.{facts['version_info'][1]} {raw} {key}: {effect}, in Opcodes.def {ours}"


def list_of_tables(paths):
    lines = ["// All tables. Written by tools/gen/opcodes.py"]
    for macro in MACROS:
        lines += [f"#ifndef PTC_{macro}", f"#define PTC_{macro}(...)", "#endif"]
    lines += [f'#include "{path.name}"' for path in sorted(paths)]
    lines += [f"#undef PTC_{macro}" for macro in MACROS]
    return OUT / "Tables.inc", "\n".join(lines) + "\n"


def main(args):
    check = args[:1] == ["--check"]
    stale = 0
    all_facts = [json.loads(Path(path).read_text()) for path in args[check:]]
    for complaint in (c for facts in all_facts for c in wrong_effects(facts)):
        print(complaint, file=sys.stderr)
        stale = 1
    results = [table(facts) for facts in all_facts]
    results.append(list_of_tables({*OUT.glob("Py3*.inc"), *(out for out, _ in results)}))
    for out, text in results:
        if not check:
            out.write_text(text)
        elif not out.exists() or out.read_text() != text:
            print(f"{out} differs", file=sys.stderr)
            stale = 1
    return stale


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
