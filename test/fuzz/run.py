#!/usr/bin/env python3
"""What must hold for damaged input, under AddressSanitizer and UBSan.

    test/fuzz/run.py --build BUILD [--stride N] [--seed N] [--seconds N]

Builds Bytecode, TensorFile and Capture in BUILD/sanitized, then runs their tests, cuts and flipped
bits of small files (test-damaged), the programs of test/Python in plain Python (interpret), and each
fuzzer: on what fuzzing once found (found/NAME), then for some seconds from the corpus (seeds/NAME,
inputs/*.pyc). A stride of N takes each N-th damage, all of them in N runs: the seed, by default the
number of the day, says which, and where a fuzzer begins. What a fuzzer finds is kept in
BUILD/sanitized/found. The last line: `N passed, N failed`, of programs.
"""
import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
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


def fuzz(program, target, seconds, seed, scratch):
    """Two runs: of the known inputs, each once, and of new ones."""
    source = ROOT / "test/fuzz"
    seeds = sorted((source / "seeds" / target).glob("*")) or sorted((source / "inputs").glob("*.pyc"))
    known = sorted((source / "found" / target).glob("*"))
    corpus, found = scratch / "corpus" / target, scratch / "found"
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for path in corpus.glob("*"):
        path.unlink()
    limits = ["-timeout=30", "-rss_limit_mb=4096", f"-artifact_prefix={found}/{target}-"]
    return [[program, *limits, *seeds, *known],
            [program, *limits, f"-seed={seed}", f"-max_total_time={seconds}", "-max_len=8192", corpus,
             *{path.parent for path in seeds}]]


def run(job):
    name, commands, env = job
    start = time.time()
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            break
    print(f"{name}: {time.time() - start:.1f} s", flush=True)
    if done.returncode:
        print(f"FAIL {name}\n{done.stdout[-6000:]}", flush=True)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--stride", type=int, default=29)
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86400)
    parser.add_argument("--seconds", type=int, default=20, help="of each fuzzer")
    args = parser.parse_args()
    print(f"damage {args.seed % args.stride} of {args.stride}")
    env = dict(os.environ, PTC_DAMAGE_STRIDE=str(args.stride), PTC_DAMAGE_SEED=str(args.seed))
    build = args.build.resolve() / "sanitized"
    configure(build)
    fuzzers = [source.stem for source in sorted((ROOT / "test/fuzz").glob("[a-z]*.cpp"))]
    subprocess.run(["ninja", "-C", build, "--quiet", *TESTS, "interpret", *(f"fuzz-{f}" for f in fuzzers)],
                   check=True)
    jobs = [(test, [[build / "bin" / test]], env) for test in TESTS]
    jobs.append(("interpret", [[sys.executable, "test/Python/run.py", "--ptc", build / "bin/interpret",
                                "--limit", "60", "--version", "3.11", "--version", "3.14"]], env))
    jobs += [(f"fuzz-{f}", fuzz(build / "bin" / f"fuzz-{f}", f, args.seconds, args.seed, build), env)
             for f in fuzzers]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = sum(pool.map(run, jobs))
    print(f"{passed} passed, {len(jobs) - passed} failed")
    return 0 if passed == len(jobs) else 1


if __name__ == "__main__":
    sys.exit(main())
