#!/usr/bin/env python3
"""Runs the test suites and adds up what they counted. The last line: `N passed, N failed`.

A suite is a command and a way to count: Catch2's summaries in ctest's log, lit's summary, or, for
our own runners (runner.py), their last line in the form `N passed, N failed`. A suite that ends badly
or that counts nothing is one failure, shown with all that it printed. """
import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LLVM_BIN = Path("/usr/lib/llvm-22/bin")


def count_ctest(output, build):
    """Test cases of all Catch2 programs; a program without a summary is one failed case."""
    log = (build / "Testing/Temporary/LastTest.log").read_text(errors="replace")
    passed = failed = 0
    for part in re.split(r"^\d+/\d+ Test: ", log, flags=re.M)[1:]:
        ok = re.search(r"^All tests passed \(.* in (\d+) test cases?\)", part, re.M)
        bad = re.search(r"^test cases: +\d+(?: \| +(\d+) passed)?(?: \| +(\d+) failed)?", part, re.M)
        died = "Test Passed." not in part
        if ok:
            passed += int(ok[1])
            failed += died
        elif bad:
            passed += int(bad[1] or 0)
            failed += int(bad[2] or 0) or died
        elif died:
            failed += 1
        else:
            passed += 1
    return passed, failed


def count_lit(output, build):
    counts = dict(re.findall(r"^  ([A-Z][A-Za-z ]+?) *: (\d+)", output, re.M))
    passed = int(counts.pop("Passed", 0)) + int(counts.pop("Expectedly Failed", 0))
    for skipped in ("Excluded", "Skipped", "Unsupported"):
        counts.pop(skipped, 0)
    return passed, sum(map(int, counts.values()))


def count_own(output, build):
    found = re.findall(r"^(\d+) passed, (\d+) failed", output, re.M)
    return (int(found[-1][0]), int(found[-1][1])) if found else None


def suites(build):
    """(name, command, counter)"""
    python = sys.executable
    ptc = str(build / "bin/ptc")
    return [
        ("style",
         [python, "test/Style/run.py", "--build", str(build)], count_own),
        ("unit",
         ["ctest", "--test-dir", str(build), "--output-on-failure", "-j", str(os.cpu_count())],
         count_ctest),
        ("lit",
         [str(LLVM_BIN / "lit"), "-sv", str(build / "test")],
         count_lit),
        ("python",
         [python, "test/Python/run.py", "--ptc", ptc], count_own),
        ("python-random",
         [python, "test/Python/random_programs.py", "--ptc", ptc, "--count", "500"], count_own),
        ("python-deep",
         [python, "test/Python/deep_values.py", "--ptc", ptc], count_own),
        ("prelude",
         [python, "test/Python/prelude.py"], count_own),
        ("prelude-torch",
         [python, "test/EndToEnd/prelude_torch.py"], count_own),
        ("harness",
         [python, "test/EndToEnd/self_test.py"], count_own),
        ("end-to-end",
         [python, "test/EndToEnd/run.py", "--ptc", ptc], count_own),
        ("library",
         [python, "test/EndToEnd/library.py", "--ptc", ptc], count_own),
        ("epilogues",
         [python, "test/EndToEnd/epilogues.py", "--ptc", ptc], count_own),
        ("convolutions",
         [python, "test/EndToEnd/convolutions.py", "--ptc", ptc], count_own),
        ("rows",
         [python, "test/EndToEnd/rows.py", "--ptc", ptc], count_own),
        ("symbolic-sizes",
         [python, "test/EndToEnd/symbolic_sizes.py", "--ptc", ptc], count_own),
        ("run-time-sizes",
         [python, "test/EndToEnd/run_time_sizes.py", "--ptc", ptc], count_own),
        ("embedding",
         [python, "test/EndToEnd/embedding.py", "--ptc", ptc, "--build", str(build)], count_own),
        ("loader",
         [python, "test/EndToEnd/loader.py", "--ptc", ptc], count_own),
        ("artefact-verbs",
         [python, "test/EndToEnd/artefact_verbs.py", "--ptc", ptc], count_own),
        ("command",
         [python, "test/EndToEnd/command.py", "--ptc", ptc], count_own),
        ("executables",
         [python, "test/EndToEnd/executables.py", "--ptc", ptc], count_own),
        ("cuda",
         [python, "test/EndToEnd/on_gpu.py", "--ptc", ptc], count_own),
        ("cuda-driver",
         [python, "test/EndToEnd/on_driver.py", "--ptc", ptc], count_own),
        ("conformance",
         [python, "test/EndToEnd/conformance.py", "--ptc", ptc], count_own),
        ("misses",
         [python, "test/EndToEnd/misses.py", "--ptc", ptc], count_own),
        ("fuzz",
         [python, "test/EndToEnd/fuzz.py", "--ptc", ptc, "--count", "2000"], count_own),
        ("growth",
         [python, "test/EndToEnd/growth.py", "--ptc", ptc], count_own),
        ("guards",
         [python, "test/EndToEnd/guards.py", "--ptc", ptc], count_own),
        ("sweep",
         [python, "test/EndToEnd/sweep.py", "--ptc", ptc], count_own),
        ("scalar-arguments",
         [python, "test/EndToEnd/scalar_arguments.py", "--ptc", ptc], count_own),
        ("data-numbers",
         [python, "test/EndToEnd/data_numbers.py", "--ptc", ptc], count_own),
        ("variants",
         [python, "test/EndToEnd/variants.py", "--ptc", ptc, "--count", "60"], count_own),
        ("spellings",
         [python, "test/EndToEnd/spellings.py", "--ptc", ptc], count_own),
        ("bad-calls",
         [python, "test/EndToEnd/bad_calls.py", "--ptc", ptc], count_own),
        ("bad-calls-2",
         [python, "test/EndToEnd/bad_calls.py", "--ptc", ptc, "--seed", "1"], count_own),
        ("broken-rules",
         [python, "test/EndToEnd/broken_rules.py", "--build", str(build)], count_own),
        ("bad-input",
         [python, "test/EndToEnd/bad_input.py", "--ptc", ptc], count_own),
        ("sanitized",
         # What is found by chance is looked for by hand.
         [python, "test/fuzz/run.py", "--build", str(build), "--seconds", "0"], count_own),
    ]


def verdict(name, counted, code):
    """(passed, failed)"""
    if not counted or not sum(counted):
        print(f"{name}: no case was counted; exit code {code}")
        return 0, 1                             # it died, or nobody knows what it did
    passed, failed = counted
    if code and not failed:
        print(f"{name}: no case failed, but the exit code is {code}")
        failed += 1
    return passed, failed


def run(name, command, counter, build):
    start = time.time()
    print(f"== {name}", flush=True)
    env = dict(os.environ, PTC_BUILD_DIR=str(build))
    done = subprocess.run(command, cwd=ROOT, env=env, text=True, errors="replace",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    counted = counter(done.stdout, build)
    passed, failed = verdict(name, counted, done.returncode)
    if failed:
        print(done.stdout or f"{name} printed nothing")
    print(f"== {name}: {passed} passed, {failed} failed, {time.time() - start:.1f} s", flush=True)
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("suites", nargs="*", help="names of suites; default: all")
    args = parser.parse_args()
    build = args.build.resolve()
    table = suites(build)
    unknown = set(args.suites) - {row[0] for row in table}
    if unknown:
        parser.error(f"no suite {', '.join(unknown)}; there are {', '.join(r[0] for r in table)}")
    passed = failed = 0
    for name, command, counter in table:
        if not args.suites or name in args.suites:
            good, bad = run(name, command, counter, build)
            passed, failed = passed + good, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
