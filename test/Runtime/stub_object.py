#!/usr/bin/env python3
"""What goes into every artefact: small, C alone, hidden.

Checks that the stub's object takes under 51,000 bytes of a file, that what it needs from elsewhere is
the program's tables or a function of glibc's libraries (lib*_symbols.txt), and that it exports the pool alone. --beside:
objects that some artefacts have beside it, which may also use the stub and those before them and have no limit;
--cuda: that of programs on NVIDIA GPUs, which may also use what opens the driver (--device). """
import argparse
import re
import subprocess
import sys
from pathlib import Path

LIMIT = 53_000
PROGRAM = {"ptc_this_program", "ptc_this_name", "ptc_this_weights", "ptc_this_main"}
SYMBOL = re.compile(r"^\s*\d+:\s+\S+\s+\S+\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\S+)$", re.M)


def sections(readobj, stub):
    text = subprocess.run([readobj, "--sections", "--elf-output-style=JSON", stub], check=True,
                          capture_output=True, text=True).stdout
    import json
    return [s["Section"] for s in json.loads(text)[0]["Sections"]]


def names(file):
    return {line.split()[0] for line in file.read_text().splitlines() if line and not line.startswith("#")}


def symbols(readelf, file):
    """[(section, visibility, name)] of those that are not local."""
    table = subprocess.run([readelf, "-sW", file], check=True, capture_output=True, text=True).stdout
    return [(section, visibility, name) for _, binding, visibility, section, name in SYMBOL.findall(table)
            if binding != "LOCAL"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stub")
    parser.add_argument("--beside", nargs="*", default=[])
    parser.add_argument("--cuda")
    parser.add_argument("--device", help="a library")
    parser.add_argument("--libraries", nargs="+", required=True)
    parser.add_argument("--symbols", type=Path, required=True, help="folder of what libraries have")
    parser.add_argument("--bin", type=Path, required=True, help="folder of llvm-readelf")
    args = parser.parse_args()
    known, devices = ({name for library in libraries for name in names(args.symbols / f"{library}_symbols.txt")}
                      for libraries in (args.libraries, [args.device] if args.device else []))
    problems, own = [], set()
    for file in filter(None, (args.stub, *args.beside, args.cuda)):
        for section, visibility, name in symbols(args.bin / "llvm-readelf", file):
            if section == "UND":
                if name not in known | PROGRAM | own | (devices if file == args.cuda else set()):
                    problems.append(f"{file} needs {name}")
                continue
            own.add(name)
            if visibility != "HIDDEN" and name != "ptc_pool_v2":
                problems.append(f"{file} exports {name}")
            if name.startswith("_Z"):
                problems.append(f"C++ symbol {name}")
    size = sum(s["Size"] for s in sections(args.bin / "llvm-readobj", args.stub)
               if any(f["Name"] == "SHF_ALLOC" for f in s["Flags"]["Flags"])
               and s["Type"]["Name"] != "SHT_NOBITS")
    if size >= LIMIT:
        problems.append(f"takes {size} bytes, {LIMIT} are allowed")
    print("\n".join(problems) or f"{size} bytes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
