#!/usr/bin/env python3
"""What must hold for damaged input, under AddressSanitizer and UBSan.

    test/fuzz/run.py --build BUILD

Builds Bytecode, TensorFile and Capture in BUILD/sanitized, then runs their tests, every cut and
every flipped bit of small files (test-damaged), and the inputs that fuzzing once found. The last
line: `N passed, N failed`, of programs.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ["test-bytecode", "test-capture", "test-damaged", "test-symbolic", "test-tensorfile"]


def configure(build):
    if (build / "build.ninja").exists():
        return
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
    has_ccache = any((Path(d) / "ccache").exists() for d in os.environ["PATH"].split(":"))
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DPTC_FUZZ=ON", "-DPTC_ORACLE=OFF",
                    "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O1", *(launcher if has_ccache else [])],
                   check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    build = parser.parse_args().build.resolve() / "sanitized"
    configure(build)
    fuzzers = [f"fuzz-{source.stem}" for source in sorted((ROOT / "test/fuzz").glob("[a-z]*.cpp"))]
    subprocess.run(["ninja", "-C", build, "--quiet", *TESTS, *fuzzers], check=True)
    commands = [[build / "bin" / test] for test in TESTS]
    for fuzzer in fuzzers:
        found = sorted((ROOT / "test/fuzz/found" / fuzzer[5:]).glob("*"))
        # Without an input, the program still has to start and end.
        commands.append([build / "bin" / fuzzer, *(found or ["-runs=1"])])
    failed = 0
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            failed += 1
            print(f"FAIL {command[0].name}\n{done.stdout[-6000:]}")
    print(f"{len(commands) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
