"""Compiles the modules of a folder and writes them as a C++ source: embed.py FOLDER OUT.cpp.

The bytes depend on the sources and on the Python that compiles them alone: paths and times are left
out.
"""

import importlib._bootstrap_external as external
import pathlib
import sys


def modules(root):
    for path in sorted(root.rglob("*.py")):
        if path.name == "embed.py" or "__pycache__" in path.parts:
            continue
        parts = list(path.relative_to(root).with_suffix("").parts)
        package = parts[-1] == "__init__"
        if package:
            parts.pop()
        yield ".".join(parts), package, path


def main():
    root, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines = ['#include "ptc/Capture/Prelude.h"', ""]
    rows = []
    for n, (name, package, path) in enumerate(modules(root)):
        source = path.read_bytes()
        code = compile(source, f"<{name}>", "exec", dont_inherit=True, optimize=0)
        data = external._code_to_hash_pyc(code, bytes(8), False)
        lines.append(f"static const unsigned char kModule{n}[] = {{")
        for at in range(0, len(data), 32):
            lines.append(",".join(str(b) for b in data[at : at + 32]) + ",")
        lines.append("};")
        rows.append(
            f'    {{"{name}", {"true" if package else "false"}, '
            f"{{reinterpret_cast<const char *>(kModule{n}), {len(data)}}}}},"
        )
    lines += ["", "using namespace ptc::capture;", "", "static const PreludeModule kModules[] = {"]
    lines += rows
    lines += [
        "};",
        "",
        "llvm::ArrayRef<PreludeModule> ptc::capture::getPreludeModules() { return kModules; }",
        "",
        "const PreludeModule *ptc::capture::findPreludeModule(llvm::StringRef name) {",
        "  for (const PreludeModule &module : kModules)",
        "    if (module.name == name)",
        "      return &module;",
        "  return nullptr;",
        "}",
        "",
    ]
    out.write_text("\n".join(lines))


main()
