#!/usr/bin/env python3
"""What must hold for damaged input, under AddressSanitizer and UBSan.

    test/fuzz/run.py --build BUILD [--stride N] [--seed N]

Builds Bytecode, TensorFile and Capture in BUILD/sanitized, then runs their tests, cuts and flipped
bits of small files (test-damaged), the programs of test/Python in plain Python (interpret), and the
inputs that fuzzing once found. A stride of N takes each
N-th damage, all of them in N runs: the seed, by default the number of the day, says which. The
last line: `N passed, N failed`, of programs.
"""
import argparse
import os
import subprocess
import sys
import time
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
    parser.add_argument("--stride", type=int, default=29)
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86400)
    args = parser.parse_args()
    print(f"damage {args.seed % args.stride} of {args.stride}")
    env = dict(os.environ, PTC_DAMAGE_STRIDE=str(args.stride), PTC_DAMAGE_SEED=str(args.seed))
    build = args.build.resolve() / "sanitized"
    configure(build)
    fuzzers = [f"fuzz-{source.stem}" for source in sorted((ROOT / "test/fuzz").glob("[a-z]*.cpp"))]
    subprocess.run(["ninja", "-C", build, "--quiet", *TESTS, "interpret", *fuzzers], check=True)
    commands = {test: [build / "bin" / test] for test in TESTS}
    commands["interpret"] = [sys.executable, "test/Python/run.py", "--ptc", build / "bin/interpret",
                             "--limit", "60", "--version", "3.11", "--version", "3.14"]
    for fuzzer in fuzzers:
        found = sorted((ROOT / "test/fuzz/found" / fuzzer[5:]).glob("*"))
        # Without an input, the program still has to start and end.
        commands[fuzzer] = [build / "bin" / fuzzer, *(found or ["-runs=1"])]
    failed = 0
    for name, command in commands.items():
        start = time.time()
        done = subprocess.run(command, cwd=ROOT, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(f"{name}: {time.time() - start:.1f} s", flush=True)
        if done.returncode:
            failed += 1
            print(f"FAIL {name}\n{done.stdout[-6000:]}")
    print(f"{len(commands) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
