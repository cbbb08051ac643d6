#!/usr/bin/env python3
"""Writes what a library that only names symbols is made of: assembler, and a version script.

Usage: stub_library.py OUT.s OUT.map SYMBOLS.txt...; a line of SYMBOLS is `name version [object]`. """
import sys
from pathlib import Path


def main():
    assembler, versions, *symbols = map(Path, sys.argv[1:])
    rows = [line.split() for file in symbols for line in file.read_text().splitlines() if line and line[0] != "#"]
    out = []
    for name, _, *kind in rows:
        section, size = (".bss", 8) if kind == ["object"] else (".text", 1)
        kind = "object" if kind else "function"
        out += [section, f".globl {name}", f".type {name},@{kind}", f"{name}: .zero {size}",
                f".size {name},{size}"]
    assembler.write_text("\n".join(out + ['.section .note.GNU-stack,"",@progbits', ""]))
    # A version follows the one before it, as in the real library.
    order = sorted({row[1] for row in rows}, key=lambda v: [int(n) for n in v[6:].split(".")])
    text, before = "", ""
    for version in order:
        names = " ".join(f"{row[0]};" for row in rows if row[1] == version)
        text += f"{version} {{ global: {names} {'local: *; ' if not before else ''}}}{before};\n"
        before = f" {version}"
    versions.write_text(text)


if __name__ == "__main__":
    main()
