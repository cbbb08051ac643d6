#!/usr/bin/env python3
"""Checks of the source text. One check is a function that yields complaints, `file:line: text`.

    layers   who includes whom (the table below is architecture, not habit)
    format   clang-format-22 with the checked-in style
    length   files of at most 800 lines
    text     no tabs, no trailing blanks, no machine paths
    alone    changed sources and headers compile each by itself, without precompiled headers
    tidy     clang-tidy-22 on the files that differ from PTC_TIDY_BASE (default: the commit before)
"""
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
GENERATED = {".out", ".txt", ".inc", ".json", ".jsonl", ".pyc", ".safetensors", ".npy"}

# A folder of lib, include/ptc or tools may include its own headers and those listed here.
BASE = ["Support"]
SHARED = BASE + ["Runtime"]                      # the C tables that compiler and stub share
FLOOR2 = SHARED + ["Bytecode", "Python", "Symbolic", "TensorFile"]
DIALECTS = ["Dialect/Guard", "Dialect/Aten", "Dialect/Program", "Dialect/Plan"]   # in this order
FLOOR4 = FLOOR2 + DIALECTS
ALLOWED = {
    "Support": [],
    "Bytecode": BASE,
    "Python": SHARED,
    "Symbolic": SHARED,
    "TensorFile": BASE,
    **{d: FLOOR2 + DIALECTS[:i] for i, d in enumerate(DIALECTS)},
    "Capture": FLOOR4 + ["Prelude"],
    "Conversion": FLOOR4,
    "Target": FLOOR4,
    "Package": FLOOR4,
    "Prelude": BASE,
    "Oracle": FLOOR2,
    "Runtime": [],
    "Driver": FLOOR4 + ["Capture", "Conversion", "Target", "Package", "Oracle", "Prelude"],
}
# No MLIR at or below these.
NO_MLIR = {"Support", "Bytecode", "Python", "Symbolic", "TensorFile", "Prelude", "Oracle", "Runtime"}
LLVM_SUPPORT_ONLY = re.compile(r'#include "llvm/(?!ADT/|Support/)')


def tracked(*suffixes):
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split("\n")
    return [n for n in names if n and (ROOT / n).is_file() and (not suffixes or Path(n).suffix in suffixes)]


def library_of(path):
    """`lib/Dialect/Aten/IR/X.cpp` -> Dialect/Aten; none for files outside the libraries."""
    parts = Path(path).parts
    if parts[0] == "lib":
        parts = parts[1:]
    elif parts[:2] == ("include", "ptc"):
        parts = parts[2:]
    else:
        return None
    if len(parts) < 2:
        return None
    return "/".join(parts[:2]) if parts[0] == "Dialect" and len(parts) > 2 else parts[0]


def check_layers(args):
    include = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')
    for name in tracked(".h", ".cpp", ".c", ".def", ".inc"):
        lib = library_of(name)
        if lib is None:
            continue
        if lib not in ALLOWED:
            yield f"{name}:1: '{lib}' is not in the table of layers"
            continue
        for number, line in enumerate((ROOT / name).read_text(errors="replace").splitlines(), 1):
            found = include.match(line)
            if not found:
                continue
            what = found[1]
            if what.startswith("ptc/"):
                other = library_of("include/" + what)
                if other and other != lib and other not in ALLOWED[lib]:
                    yield f"{name}:{number}: {lib} may not include {other}"
            elif what.startswith("mlir/") and lib in NO_MLIR:
                yield f"{name}:{number}: no MLIR in {lib}"
            elif what.startswith("llvm/") and lib in NO_MLIR and LLVM_SUPPORT_ONLY.match(line):
                yield f"{name}:{number}: {lib} may use LLVM's ADT and Support only"
            elif re.match(r"(torch|ATen|c10)/", what) and lib != "Oracle":
                yield f"{name}:{number}: LibTorch only in Oracle"
            elif what.startswith("nlohmann/") or what.startswith("CLI/"):
                yield f"{name}:{number}: {what} only in tools and test"


def check_format(args):
    files = tracked(".h", ".cpp", ".c", ".cc")
    done = subprocess.run(["clang-format-22", "--dry-run", "--Werror", *files], cwd=ROOT,
                          capture_output=True, text=True)
    for line in done.stderr.splitlines():
        if ": error:" in line:
            yield line
    if done.returncode and "error" not in done.stderr:
        yield f"clang-format-22: {done.stderr.strip()}"


def check_length(args):
    for name in tracked(".h", ".cpp", ".c", ".cc", ".py", ".td", ".sh"):
        lines = (ROOT / name).read_bytes().count(b"\n")
        if lines > 800:
            yield f"{name}:800: {lines} lines; 800 is the limit"


def check_text(args):
    machine = re.compile(r"/(?:home|work|root|tmp/[a-z])/?\w")
    for name in tracked():
        path = Path(name)
        if path.suffix in GENERATED or path.name == "run.py" and path.parent.name == "Style":
            continue
        try:
            lines = (ROOT / name).read_text().splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            if line != line.rstrip():
                yield f"{name}:{number}: blanks at the end of the line"
            if path.suffix in (".h", ".cpp", ".c", ".def", ".td", ".cmake") and machine.search(line):
                yield f"{name}:{number}: a path of one machine"


def check_diagnostics(args):
    """Every row of Diag.def is expected by a test, under its number or its name."""
    table = "include/ptc/Support/Diag.def"
    tests = "\n".join((ROOT / name).read_text(errors="replace")
                      for name in tracked(".py", ".test", ".mlir", ".cpp")
                      if name.startswith("test/") and not name.startswith("test/Style/"))
    for line, text in enumerate((ROOT / table).read_text().splitlines(), 1):
        row = re.match(r"PTC_DIAG\((\d+), (\w+),", text)
        if row and not re.search(rf'\bPTC{row[1]}\b|\bDiagId::{row[2]}\b|"{row[1]}"', tests):
            yield f"{table}:{line}: no test expects PTC{row[1]} {row[2]}"


def changed_files():
    """Sources and headers that differ from PTC_TIDY_BASE; `all` there means every one."""
    base = os.environ.get("PTC_TIDY_BASE", "HEAD~1")
    if base == "all":
        return tracked(".cpp", ".h")
    known = subprocess.run(["git", "rev-parse", "-q", "--verify", base], cwd=ROOT, capture_output=True)
    if known.returncode:
        return []                               # a shallow clone, or the first commit
    names = subprocess.run(["git", "diff", "--name-only", "--diff-filter=d", base], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.split()
    return [n for n in names if Path(n).suffix in (".cpp", ".h")]


def compile_commands(build):
    """Source, relative to the tree -> its command, as a list."""
    commands = json.loads((build / "compile_commands.json").read_text())
    return {str(Path(c["file"]).relative_to(ROOT)): shlex.split(c["command"])
            for c in commands if Path(c["file"]).is_relative_to(ROOT)}


def alone(name, commands, build):
    """Complaints of the compiler about one file that is given no header before its own."""
    if name.endswith(".h"):
        folder = str(Path(name).parent).replace("include/ptc/", "lib/")
        near = [n for n in commands if str(Path(n).parent) == folder]
        near += [n for n in commands if n.startswith("lib/Driver")]
        command = commands[near[0]]
    elif name in commands:
        command = commands[name]
    else:
        return []                               # not part of this build
    flags = [f for f in command[:-4] if f != "-Xclang" and "cmake_pch" not in f and not f.endswith("include-pch")
             and f not in ("-include", "-fno-pch-timestamp")]
    language = []
    if name.endswith(".h"):
        # A header by itself uses none of its constants and functions.
        language = ["-x", "c" if command[0].endswith("clang-22") else "c++", "-Wno-pragma-once-outside-header",
                    "-Wno-unused-const-variable", "-Wno-unused-function"]
    done = subprocess.run([*flags, *language, "-fsyntax-only", str(ROOT / name)], cwd=build,
                          capture_output=True, text=True)
    return [line.replace(f"{ROOT}/", "") for line in done.stderr.splitlines() if "error: " in line]


def check_alone(args):
    commands = compile_commands(args.build)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for complaints in pool.map(lambda name: alone(name, commands, args.build), changed_files()):
            yield from complaints


def tidy(name, build):
    """Complaints about one translation unit; clean results are remembered by the content of what it depends on."""
    if name not in compile_commands(build):
        return []                               # not part of this build
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    digest.update((ROOT / name).read_bytes())
    for header in sorted(tracked(".h", ".def", ".td", ".inc")):
        digest.update((ROOT / header).read_bytes())
    stamp = build / "tidy" / digest.hexdigest()
    if stamp.exists():
        return []
    done = subprocess.run(["clang-tidy-22", "-p", str(build), "--quiet", name], cwd=ROOT,
                          capture_output=True, text=True)
    if done.returncode == 0:
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
        return []
    return [line.replace(f"{ROOT}/", "") for line in done.stdout.splitlines()
            if re.search(r": (error|warning):", line)] or [f"{name}:1: {done.stderr.strip()[-400:]}"]


def check_tidy(args):
    changed = changed_files()
    units = [name for name in changed if name.endswith(".cpp")]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for complaints in pool.map(lambda name: tidy(name, args.build), units):
            # A header that did not change is not this change's business.
            yield from (line for line in complaints if line.split(":")[0] in changed)


def complaints_of(check, args):
    lines = list(check(args))
    return "\n".join([f"{len(lines)} complaints", *lines[:50]]) if lines else None


def main():
    checks = {name[6:]: f for name, f in globals().items() if name.startswith("check_")}
    parser = runner.options(__doc__, ptc=False, pattern=False)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("checks", nargs="*", help=f"default: all of {', '.join(checks)}")
    parser.set_defaults(filter="", j=1)         # a check uses all processors itself
    args = parser.parse_args()
    args.build = args.build.resolve()
    cases = [(name, (checks[name], args)) for name in args.checks or checks]
    return runner.run(cases, complaints_of, args, limit=runner.A_DAY)


if __name__ == "__main__":
    sys.exit(main())
