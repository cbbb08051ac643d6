#!/usr/bin/env python3
"""What must hold for damaged input, under AddressSanitizer and UBSan.

    test/fuzz/run.py --build BUILD [FILTER] [--all] [--stride N] [--seed N] [--seconds N] [-j N] [-v]

Builds Bytecode, TensorFile and Capture in BUILD/sanitized, then runs cuts and flipped bits of small
files (test-damaged), and each fuzzer: on its seeds and on what fuzzing once found (found/NAME), then
for some seconds from there (seeds/NAME, inputs/*.pyc). A stride of N takes each N-th damage, all of
them in N runs: the seed, by default the number of the day, says which, and where a fuzzer begins.
--all takes every damage, of the larger files too, and adds the unit tests of these libraries and the
programs of test/Python in plain Python (interpret): an hour. What a fuzzer finds is kept in
BUILD/sanitized/found. The last line: `N passed, N failed`, of programs.
"""
import os
import re
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ["test-bytecode", "test-capture", "test-symbolic", "test-tensorfile"]
CATCH2 = re.compile(r"^All tests passed \((\d+) assertion", re.M)
OWN = re.compile(r"^(\d+) passed, 0 failed", re.M)
DAMAGES = re.compile(r"^small\.3\.\d+: (\d+) damages", re.M)
EXECUTED = re.compile(r"^(Executed) ", re.M)
FUZZED = re.compile(r"^Done (\d+) runs in", re.M)


@dataclass
class Step:
    """A command, and what its output must say to have tried at least so many inputs."""
    command: list
    count: re.Pattern
    least: int = 1

    def tried(self, output):
        found = self.count.findall(output)
        return sum(int(n) if n.isdigit() else 1 for n in found)


def configure(build):
    if (build / "build.ninja").exists():
        return
    launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX")]
    has_ccache = any((Path(d) / "ccache").exists() for d in os.environ["PATH"].split(":"))
    subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DPTC_FUZZ=ON", "-DPTC_ORACLE=OFF",
                    "-DCMAKE_C_COMPILER=clang-22", "-DCMAKE_CXX_COMPILER=clang++-22",
                    "-DCMAKE_CXX_FLAGS_RELEASE=-O1", *(launcher if has_ccache else [])],
                   check=True, stdout=subprocess.DEVNULL)


def fuzz(build, target, seconds, seed):
    """Two steps: the known inputs, each once, and new ones."""
    program, source = build / "bin" / f"fuzz-{target}", ROOT / "test/fuzz"
    seeds = sorted((source / "seeds" / target).glob("*")) or sorted((source / "inputs").glob("*.pyc"))
    known = seeds + sorted((source / "found" / target).glob("*"))
    corpus, found = build / "corpus" / target, build / "found"
    for folder in (corpus, found):
        folder.mkdir(parents=True, exist_ok=True)
    for path in corpus.glob("*"):
        path.unlink()
    limits = ["-timeout=30", "-rss_limit_mb=4096", f"-artifact_prefix={found}/{target}-"]
    steps = [Step([program, *limits, *known], EXECUTED, len(known))]
    if seconds:
        steps.append(Step([program, *limits, f"-seed={seed}", f"-max_total_time={seconds}", "-max_len=8192", corpus,
                           *{path.parent for path in seeds}], FUZZED, len(seeds) + 1))
    return steps


def complaint(step, env):
    """None, or why the step does not pass."""
    done = subprocess.run(step.command, cwd=ROOT, env=env, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        return f"exit code {done.returncode}\n{done.stdout[-6000:]}"
    tried = step.tried(done.stdout)
    return None if tried >= step.least else f"tried {tried} inputs, not {step.least}\n{done.stdout[-6000:]}"


def check(steps, env):
    """None, or why the first step that does not pass does not."""
    return next(filter(None, (complaint(step, env) for step in steps)), None)


def cases_of(args, build, fuzzers, env):
    """What takes longest first."""
    damaged = [build / "bin/test-damaged", *([] if args.all else ["small files"])]
    jobs = [("test-damaged", [Step(damaged, DAMAGES)])]
    jobs += [(f"fuzz-{f}", fuzz(build, f, args.seconds, args.seed)) for f in fuzzers]
    if args.all:
        jobs += [(test, [Step([build / "bin" / test], CATCH2)]) for test in TESTS]
        jobs.append(("interpret", [Step([sys.executable, "test/Python/run.py", "--every", "--limit", "60", "--ptc",
                                         build / "bin/interpret"], OWN)]))
    return [(name, (steps, env)) for name, steps in jobs]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = runner.options(__doc__, ptc=False)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="every damage, and sound programs, too")
    parser.add_argument("--stride", type=int, default=29)
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86400)
    parser.add_argument("--seconds", type=int, default=10, help="of each fuzzer; 0: known inputs alone")
    parser.set_defaults(j=os.cpu_count())
    args = parser.parse_args()
    stride = 1 if args.all else args.stride
    print(f"damage {args.seed % stride} of {stride}, seed {args.seed}")
    env = dict(os.environ, PTC_DAMAGE_STRIDE=str(stride), PTC_DAMAGE_SEED=str(args.seed))
    build = args.build.resolve() / "sanitized"
    configure(build)
    fuzzers = [source.stem for source in sorted((ROOT / "test/fuzz").glob("[a-z]*.cpp"))]
    targets = ["test-damaged", *(f"fuzz-{f}" for f in fuzzers), *([*TESTS, "interpret"] if args.all else [])]
    subprocess.run(["ninja", "-C", build, "--quiet", f"-j{os.cpu_count()}", *targets], check=True)
    print(f"built: {processor_seconds():.0f} s of processor time", flush=True)
    limit = runner.A_DAY if args.all else 600 + args.seconds
    return runner.run(cases_of(args, build, fuzzers, env), check, args, limit=limit)


if __name__ == "__main__":
    sys.exit(main())
