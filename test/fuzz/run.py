#!/usr/bin/env python3
"""What must hold for damaged input, under AddressSanitizer and UBSan.

    test/fuzz/run.py --build BUILD [FILTER] [--stride N] [--seed N] [--seconds N] [-j N] [-v]

Builds Bytecode, TensorFile and Capture in BUILD/sanitized, then runs their tests, cuts and flipped
bits of small files (test-damaged), the programs of test/Python in plain Python (interpret), and each
fuzzer: on what fuzzing once found (found/NAME), then for some seconds from the corpus (seeds/NAME,
inputs/*.pyc). A stride of N takes each N-th damage, all of them in N runs: the seed, by default the
number of the day, says which, and where a fuzzer begins. What a fuzzer finds is kept in
BUILD/sanitized/found. The last line: `N passed, N failed`, of programs.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

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


def check(commands, env):
    """None, or the output of the command that fails."""
    for command in commands:
        done = subprocess.run(command, cwd=ROOT, env=env, text=True, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            return f"exit code {done.returncode}\n{done.stdout[-6000:]}"
    return None


def main():
    parser = runner.options(__doc__, ptc=False)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--stride", type=int, default=29)
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86400)
    parser.add_argument("--seconds", type=int, default=20, help="of each fuzzer")
    parser.set_defaults(j=os.cpu_count())
    args = parser.parse_args()
    print(f"damage {args.seed % args.stride} of {args.stride}")
    env = dict(os.environ, PTC_DAMAGE_STRIDE=str(args.stride), PTC_DAMAGE_SEED=str(args.seed))
    build = args.build.resolve() / "sanitized"
    configure(build)
    fuzzers = [source.stem for source in sorted((ROOT / "test/fuzz").glob("[a-z]*.cpp"))]
    subprocess.run(["ninja", "-C", build, "--quiet", *TESTS, "interpret", *(f"fuzz-{f}" for f in fuzzers)],
                   check=True)
    cases = [(test, ([[build / "bin" / test]], env)) for test in TESTS]
    cases.append(("interpret", ([[sys.executable, "test/Python/run.py", "--ptc", build / "bin/interpret",
                                "--limit", "60", "--version", "3.11", "--version", "3.14"]], env)))
    cases += [(f"fuzz-{f}", (fuzz(build / "bin" / f"fuzz-{f}", f, args.seconds, args.seed, build), env))
              for f in fuzzers]
    return runner.run(cases, check, args, limit=runner.A_DAY)


if __name__ == "__main__":
    sys.exit(main())
