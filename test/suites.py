#!/usr/bin/env python3
"""Runs the test suites and adds up what they counted. The last line: `N passed, N failed`.

    suites.py --build BUILD [--tier quick|usual|long] [-j N] [SUITE...]

A suite is one command or several, and a way to count: Catch2's summary, lit's, or, for our own runners (runner.py), their
last line in the form `N passed, N failed[, N not run]`. A command that ends badly or that counts nothing is one failure,
shown with what it printed. The commands of all suites are one queue, longest first, for as many workers as there are
processors; a table at the end says what each suite cost. Scripts are run by copies of this process, which has imported
torch: that takes seconds, and nearly all of them need it. PTC_TEST_HIDE: see machine.py.
"""
import argparse
import collections
import contextlib
import gc
import json
import multiprocessing.util
import os
import re
import runpy
import subprocess
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

import machine

ROOT = Path(__file__).resolve().parent.parent
LLVM_BIN = Path("/usr/lib/llvm-22/bin")
TIERS = ["quick", "usual", "long"]
ABSENT = None                                  # of a suite in a tier
SHOWN, OF_A_CASE, REPEATS = 300, 60, 2         # lines of a command that failed; of one case; of equal ones


# Ways to count: (passed, failed, not run), or None.


def count_catch2(output):
    """Test cases of a Catch2 program; a program that is none is one case."""
    ok = re.search(r"^All tests passed \(.* in (\d+) test cases?\)", output, re.M)
    bad = re.search(r"^test cases: +\d+(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?", output, re.M)
    if ok:
        return int(ok[1]), 0, 0
    return (int(bad[1] or 0), int(bad[2] or 0), 0) if bad else None


def count_program(output):
    """A test program that says nothing of cases: its exit code is the verdict."""
    return 1, 0, 0


def count_lit(output):
    counts = dict(re.findall(r"^  ([A-Z][A-Za-z ]+?) *: (\d+)", output, re.M))
    passed = int(counts.pop("Passed", 0)) + int(counts.pop("Expectedly Failed", 0))
    left_out = sum(int(counts.pop(kind, 0)) for kind in ("Excluded", "Skipped", "Unsupported"))
    return passed, sum(map(int, counts.values())), left_out


def count_own(output):
    found = re.findall(r"^(\d+) passed, (\d+) failed(?:, (\d+) not run)?$", output, re.M)
    return tuple(int(n or 0) for n in found[-1]) if found else None


@dataclass
class Suite:
    """`usual` takes about so many seconds of a processor; what takes longest begins first.

    The tiers hold the words that they add to the command, or ABSENT. A suite of several pieces takes --shard.
    """
    name: str
    seconds: int
    script: str
    quick: str = ABSENT
    usual: str = ""
    long: str = ""
    options: str = "--ptc {ptc}"
    is_cut: bool = False


# `usual` leaves out what says the same again (several versions of Python with equal code, second compilations, further examples:
# each has its day), and random programs beyond some; `long` makes all of them.
PTC_AND_BUILD = "--ptc {ptc} --build {build}"
SUITES = [
    Suite("style", 25, "test/Style/run.py", quick="", options="--build {build}"),
    Suite("python", 30, "test/Python/run.py", quick="--version 3.11", long="--every", is_cut=True),
    Suite("python-random", 2, "test/Python/random_programs.py", quick="--count 40", usual="--count 200", long="--count 2000"),
    Suite("python-deep", 30, "test/Python/deep_values.py", long="--depth 100000 --every", is_cut=True),
    Suite("numpy", 30, "test/Numpy/run.py", quick=""),
    Suite("prelude", 2, "test/Python/prelude.py", quick="", options=""),
    Suite("prelude-torch", 14, "test/EndToEnd/prelude_torch.py", quick="", long="--all", options=""),
    Suite("harness", 3, "test/EndToEnd/self_test.py", quick="", options=""),
    Suite("end-to-end", 90, "test/EndToEnd/run.py", quick="--version 3.11 --example 0", long="--every", is_cut=True),
    Suite("library", 100, "test/EndToEnd/library.py", long="--every", is_cut=True),
    Suite("epilogues", 14, "test/EndToEnd/epilogues.py", quick="--seeds 10", long="--seeds 300", is_cut=True),
    Suite("convolutions", 23, "test/EndToEnd/convolutions.py", quick="--seeds 10", long="--seeds 300", is_cut=True),
    Suite("rows", 33, "test/EndToEnd/rows.py", quick="--seeds 15", long="--seeds 600", is_cut=True),
    Suite("symbolic-sizes", 33, "test/EndToEnd/symbolic_sizes.py"),
    Suite("size-language", 60, "test/EndToEnd/size_language.py"),
    Suite("single-sizes", 40, "test/EndToEnd/single_sizes.py"),
    Suite("size-loops", 110, "test/EndToEnd/size_loops.py", long="--every"),
    Suite("sized-programs", 30, "test/EndToEnd/sized_programs.py", quick="--count 20", usual="--count 60", long="--count 3000", is_cut=True),
    Suite("shared-rows", 15, "test/EndToEnd/shared_rows.py", long="--every --target null"),
    Suite("run-time-tables", 60, "test/EndToEnd/run_time_tables.py", long="--every --count 400"),
    Suite("run-time-sizes", 11, "test/EndToEnd/run_time_sizes.py", quick=""),
    Suite("sizes-of-nothing", 15, "test/EndToEnd/sizes_of_nothing.py", long="--every"),
    Suite("embedding", 5, "test/EndToEnd/embedding.py", options=PTC_AND_BUILD),
    Suite("loader", 7, "test/EndToEnd/loader.py", quick=""),
    Suite("object-arguments", 3, "test/EndToEnd/object_arguments.py", quick=""),
    Suite("artefact-verbs", 23, "test/EndToEnd/artefact_verbs.py"),
    Suite("command", 5, "test/EndToEnd/command.py", quick=""),
    Suite("modules", 20, "test/EndToEnd/modules.py", quick=""),
    Suite("archives", 6, "test/EndToEnd/archives.py", quick=""),
    Suite("packages", 15, "test/EndToEnd/packages.py", quick=""),
    Suite("checkpoints", 12, "test/EndToEnd/checkpoints.py", quick=""),
    Suite("standard-library", 12, "test/EndToEnd/standard_library.py", quick=""),
    Suite("layers-both-ways", 9, "test/EndToEnd/layers_both_ways.py"),
    Suite("parts-of-torch", 8, "test/EndToEnd/parts_of_torch.py"),
    Suite("executables", 11, "test/EndToEnd/executables.py"),
    Suite("cuda", 90, "test/EndToEnd/on_gpu.py", long="--every"),
    Suite("cuda-driver", 16, "test/EndToEnd/on_driver.py"),
    Suite("conformance", 150, "test/EndToEnd/conformance.py", long="--all"),
    Suite("misses", 6, "test/EndToEnd/misses.py", quick=""),
    Suite("fuzz", 16, "test/EndToEnd/fuzz.py", quick="--count 60", usual="--count 400", long="--count 4000"),
    Suite("growth", 78, "test/EndToEnd/growth.py"),
    Suite("guards", 8, "test/EndToEnd/guards.py", quick=""),
    Suite("long-products", 6, "test/EndToEnd/long_products.py", quick=""),
    Suite("sweep", 4, "test/EndToEnd/sweep.py"),
    Suite("scalar-arguments", 5, "test/EndToEnd/scalar_arguments.py", quick=""),
    Suite("size-numbers", 60, "test/EndToEnd/size_numbers.py", long="--every", is_cut=True),
    Suite("data-numbers", 6, "test/EndToEnd/data_numbers.py", quick=""),
    Suite("unused-failures", 12, "test/EndToEnd/unused_failures.py", long="--every"),
    Suite("variants", 3, "test/EndToEnd/variants.py", quick="--count 10", usual="--count 40", long="--count 400"),
    Suite("writes", 20, "test/EndToEnd/writes.py", quick="--count 150", usual="--count 600", long="--count 6000 --seed 0"),
    Suite("spellings", 4, "test/EndToEnd/spellings.py", quick=""),
    Suite("bad-calls", 6, "test/EndToEnd/bad_calls.py", quick=""),
    Suite("bad-calls-2", 15, "test/EndToEnd/bad_calls.py", usual=ABSENT, long="--seed 1"),
    Suite("broken-rules", 10, "test/EndToEnd/broken_rules.py", long="--every", options="--build {build}"),
    Suite("bad-input", 5, "test/EndToEnd/bad_input.py", quick=""),
    Suite("names", 15, "test/Names/run.py"),
    Suite("pretrained", 40, "test/Real/pretrained.py", long="--every", options=PTC_AND_BUILD),
    Suite("decoding", 40, "test/Real/decoding.py", long="--every", options=PTC_AND_BUILD),
    Suite("real", 95, "test/Real/run.py", long="--every", options=PTC_AND_BUILD),
    Suite("members", 30, "test/Names/members.py", long="--every"),
    Suite("texts", 25, "test/Names/texts.py"),
    Suite("names-current", 15, "test/Names/current.py", options=""),
    Suite("unmodelled", 20, "test/EndToEnd/unmodelled.py", quick=""),
    Suite("surroundings", 20, "test/EndToEnd/surroundings.py", quick=""),
    # `long` fuzzes for some seconds, too: what is found by chance is looked for by hand.
    Suite("sanitized", 600, "test/fuzz/run.py", usual=ABSENT, options="--build {build}"),
]


@dataclass
class Command:
    """A process of a suite."""
    suite: str
    seconds: float
    words: list
    count: object
    cwd: Path = ROOT

    @property
    def script(self):
        """The script of this Python that it is, or None."""
        return self.words[1] if self.words[0] == sys.executable and self.words[1].endswith(".py") else None


@dataclass
class Cost:
    """What a suite, or one of its commands, came to."""
    passed: int = 0
    failed: int = 0
    not_run: int = 0
    wall: float = 0
    processor: float = 0
    shown: list = field(default_factory=list)

    def add(self, other):
        for name in ("passed", "failed", "not_run", "wall", "processor"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.shown += other.shown

    def __str__(self):
        not_run = f", {self.not_run} not run" if self.not_run else ""
        return f"{self.passed} passed, {self.failed} failed{not_run}, {self.wall:.1f} s, {self.processor:.1f} s of a processor"


def script_commands(suite, tier, build, pieces):
    more = getattr(suite, tier)
    options = suite.options.format(ptc=build / "bin/ptc", build=build).split()
    words = [sys.executable, suite.script, *options, *more.split(), "-j", "1"]
    for n in range(1, pieces + 1):
        yield Command(suite.name, suite.seconds / pieces, [*words, *(["--shard", f"{n}/{pieces}"] if pieces > 1 else [])], count_own)


# Programs of ctest that take long.
UNIT_SECONDS = {"test-cpu-overloads": 80, "test-numerics": 28, "test-conversion": 20, "test-capture": 13}
# What they leave out, because it takes long, or say by the day: seconds, program, words.
LONG_UNITS = [(300, "test-cpu-overloads", "[variants]"), (60, "test-conversion"),
              (250, "test-capture", "a module from the image is the module that its code makes")]
# Those that are no Catch2 programs.
WITHOUT_CASES = {"test-runtime-threads", "test-runtime-device-threads", "test-stub-object"}


def unit_commands(build):
    """The programs that ctest knows, each by itself."""
    listed = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        if "command" not in test:
            missing = [sys.executable, "-c", f"raise SystemExit({test['name'] + ' is not built'!r})"]
            yield Command("unit", 1, missing, count_catch2)
            continue
        folder = next((p["value"] for p in test.get("properties", ()) if p["name"] == "WORKING_DIRECTORY"), build)
        count = count_program if test["name"] in WITHOUT_CASES else count_catch2
        yield Command("unit", UNIT_SECONDS.get(test["name"], 2), test["command"], count, Path(folder))


def long_unit_commands(build):
    """What programs of ctest leave out, because it takes long."""
    for seconds, name, *words in LONG_UNITS:
        program = build / "bin" / name
        if program.exists():
            yield Command("unit", seconds, ["env", "PTC_ALL=1", str(program), *words], count_catch2, ROOT)


def lit_commands(build):
    yield Command("lit", 60, [str(LLVM_BIN / "lit"), "-sv", "-j1", str(build / "test")], count_lit)


def script_queue(tier, build, names, jobs):
    """Commands of the scripts of these names; none: all of the tier."""
    chosen = [s for s in SUITES if (not names or s.name in names) and getattr(s, tier) is not ABSENT]
    total = sum(s.seconds for s in chosen)
    for suite in chosen:
        # So that the last one to end leaves no processor without work for long.
        pieces = min(jobs, 1 + 2 * jobs * suite.seconds // total) if suite.is_cut else 1
        yield from script_commands(suite, tier, build, pieces)


def all_commands(tier, build, names, jobs):
    for make, name in ((unit_commands, "unit"), (lit_commands, "lit")):
        if not names or name in names:
            yield from make(build)
    if tier == "long" and (not names or "unit" in names):
        yield from long_unit_commands(build)
    yield from script_queue(tier, build, names, jobs)


def verdict(name, counted, code):
    """(passed, failed, not run), what to say of it or None"""
    if not counted or not sum(counted):
        return (0, 1, 0), f"{name}: no case was counted; exit code {code}"    # it died, or nobody knows what it did
    passed, failed, not_run = counted
    if code and not failed:
        return (passed, 1, not_run), f"{name}: no case failed, but the exit code is {code}"
    return counted, None


def essence(output):
    """The lines of a command that failed, without what repeats and with a bound."""
    seen, lines, in_case = collections.Counter(), [], 0
    for line in output.splitlines():
        in_case = in_case + 1 if line.startswith("  ") else 0
        # A warning's place and time differ from one to the next.
        key = re.sub(r"\d+", "0", line) if "arning" in line else line
        seen[key] += 1
        if in_case <= OF_A_CASE and (not line.strip() or seen[key] <= REPEATS):
            lines.append(line)
    left = len(lines) - SHOWN
    return lines if left <= 0 else [*lines[:SHOWN // 2], f"… {left} lines …", *lines[-SHOWN // 2:]]


def prepare(build):
    """What the commands find here: variables of the environment, and modules that take seconds to import."""
    os.environ.update({**machine.environment(), "PTC_BUILD_DIR": str(build)})
    with contextlib.suppress(ImportError):                    # not every suite needs it
        import torch._dynamo  # noqa: F401  what torch imports itself when numbers are drawn on the device meta
    gc.freeze()


def script_code(command):
    """The exit code of the script, run in this process as Python runs it in a new one."""
    sys.argv, sys.path[0] = command.words[1:], str((command.cwd / command.script).resolve().parent)
    try:
        runpy.run_path(str(command.cwd / command.script), run_name="__main__")
    except SystemExit as end:
        if isinstance(end.code, (int, type(None))):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def start_script(command, out):
    """The number of a new process that is a copy of this one until it runs the script; `out` is where it prints."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))           # pipes of other commands among them
        sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8", errors="backslashreplace", buffering=1 if n == 2 else -1, closefd=False)
                                  for n in (1, 2))
        os.chdir(command.cwd)
        code = script_code(command)
        multiprocessing.util._exit_function()                 # what the script left to do at exit, not what this process did
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def run(command, build):
    start = time.monotonic()
    reader, writer = os.pipe()
    process = None if command.script else \
        subprocess.Popen(command.words, cwd=command.cwd, stdout=writer, stderr=subprocess.STDOUT)
    pid = process.pid if process else start_script(command, writer)
    os.close(writer)
    with open(reader, encoding="utf-8", errors="replace") as text:
        output = text.read()
    _, status, used = os.wait4(pid, 0)                        # of it and of the processes that it waited for
    code = os.waitstatus_to_exitcode(status)
    if process:
        process.returncode = code
    counted, said = verdict(command.suite, command.count(output), code)
    cost = Cost(*counted, time.monotonic() - start, used.ru_utime + used.ru_stime)
    if cost.failed:
        cost.shown = [*essence(output), *([said] if said else [])] or [f"{command.suite} printed nothing"]
        kept = build / "Testing/suites" / f"{command.suite}.txt"
        kept.parent.mkdir(parents=True, exist_ok=True)
        with open(kept, "a", encoding="utf-8") as file:
            file.write(output)
        cost.shown.append(f"all that {command.suite} printed: {kept}")
    return cost


def table(costs):
    """The rows of all suites, the most expensive first."""
    total = Cost()
    yield f"{'suite':<18}{'wall s':>9}{'CPU s':>9}{'cases':>8}{'passed':>8}{'failed':>8}{'not run':>9}"
    for cost in costs.values():
        total.add(cost)
    for name, c in [*sorted(costs.items(), key=lambda row: -row[1].processor), ("all", total)]:
        yield f"{name:<18}{c.wall:>9.1f}{c.processor:>9.1f}{c.passed + c.failed + c.not_run:>8}{c.passed:>8}{c.failed:>8}{c.not_run:>9}"


def run_all(queue, jobs, build):
    """The costs by suite."""
    for old in (build / "Testing/suites").glob("*.txt"):
        old.unlink()
    left, costs = collections.Counter(c.suite for c in queue), {c.suite: Cost() for c in queue}
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(run, command, build): command for command in sorted(queue, key=lambda c: -c.seconds)}
        for done in as_completed(running):
            name = running[done].suite
            costs[name].add(done.result())
            left[name] -= 1
            if not left[name]:
                print("\n".join([*costs[name].shown, f"== {name}: {costs[name]}"]), flush=True)
    return costs


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--tier", choices=TIERS, default="usual")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="commands at a time")
    parser.add_argument("suites", nargs="*", help="quick, usual or long first; then names of suites; default: all")
    args = parser.parse_args()
    if args.suites and args.suites[0] in TIERS:
        args.tier = args.suites.pop(0)
    build, names = args.build.resolve(), ["unit", "lit", *(s.name for s in SUITES)]
    unknown = sorted(set(args.suites) - set(names))
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(names)}")
    start = time.monotonic()
    prepare(build)
    queue = list(all_commands(args.tier, build, args.suites, args.j))
    missing = sorted(set(args.suites) - {c.suite for c in queue})
    if missing:
        parser.error(f"{', '.join(missing)}: not of the tier {args.tier}")
    costs = run_all(queue, args.j, build)
    print("\n".join(table(costs)))
    print(f"{time.monotonic() - start:.0f} s with {args.j} workers; {sum(c.not_run for c in costs.values())} not run")
    passed, failed = (sum(getattr(c, kind) for c in costs.values()) for kind in ("passed", "failed"))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
