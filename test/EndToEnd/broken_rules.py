#!/usr/bin/env python3
"""Breaks one rule of joins and loops at a time, and requires that random programs notice.

    broken_rules.py --build BUILD [--from SEED] [--count N] [--every] [-j N] [RULE ...]

For each rule one file of lib/Capture is copied to a scratch folder and changed there, compiled with the
command of the build, and linked with everything else as it is. A rule passes if a program that agrees
with eager under the intact `ptc` fails in one of the ways named in the table: the first one ends the search. A third of the rules
is broken each day, or with --every all; of the others only the place is looked for.
"""
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fuzz import judge_seed, judge_seeds

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

HERE = Path(__file__).resolve().parent
CAPTURE = HERE.parent.parent / "lib/Capture"
WRONG = {"wrong", "crashed", "hung"}


@dataclass
class Rule:
    name: str                                  # what the broken compiler does
    file: str
    old: str
    new: str
    shows: frozenset = frozenset(WRONG)        # verdicts that count


RULES = [
    Rule("pair without the reachability test", "JoinPairs.cpp",
         "      if (!reaches(s, id))\n        continue;\n      const auto *own",
         "      if (s < sides.size())\n        continue;\n      const auto *own"),
    Rule("keep one side's facts at a join", "JoinFacts.cpp",
         "    Value fact = read(s, slot);\n    if (fact.isAbsent()) {",
         "    Value fact = read(s, slot);\n    if (s > 0)\n      continue;\n    if (fact.isAbsent()) {"),
    Rule("drop a live local", "Reach.cpp",
         "return code.flow.isLive(key.ip, local);", "return code.flow.isLive(key.ip, local) && local != 3;"),
    Rule("look at a caller behind its call only", "Reach.cpp",
         "      live[frame] = ip;", "      live[frame] = ip + 1;"),
    Rule("meet in a generator wherever it was resumed", "Reach.cpp",
         "      stackOf[callee] = stack;\n  }\n  return stack;", "      stackOf[callee] = stack;\n  }\n  return 0;"),
    Rule("copy and pair the same object", "JoinPairs.cpp",
         "    if (states[side].taken.contains(id))\n      return false;\n", ""),
    # Without one name for what a pass made such a loop never closes: refused, not wrong.
    Rule("skip canonical names of loop tensors", "Loop.cpp",
         "  while (!uses.empty()) {\n    // Storages", "  while (uses.size() > 1000) {\n    // Storages",
         frozenset(WRONG | {"refused"})),
]


def output_of(command, cwd):
    return subprocess.run(command, cwd=cwd, check=True, text=True, capture_output=True).stdout


def compile_command(build, source):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if Path(entry["directory"], entry["file"]).resolve() == source:
            return entry
    sys.exit(f"{source} is not in compile_commands.json")


def broken_text(rule):
    """Of the file that is changed."""
    text = (CAPTURE / rule.file).read_text()
    if text.count(rule.old) != 1:
        sys.exit(f"{rule.name}: its text occurs {text.count(rule.old)} times in {rule.file}")
    return text.replace(rule.old, rule.new)


def broken_ptc(build, rule, scratch):
    """A ptc in which one file is changed."""
    source = CAPTURE / rule.file
    changed = scratch / rule.file
    changed.write_text(broken_text(rule))
    entry = compile_command(build, source)
    made = scratch / f"{rule.file}.o"
    command = re.sub(r" -o \S+", f" -o {made}", entry["command"])
    command = command.replace(entry["file"], str(changed)) + f" -I{CAPTURE} -Wno-error"
    subprocess.run(command, shell=True, cwd=entry["directory"], check=True)
    archive = scratch / "libptcCapture.a"
    shutil.copy(build / "lib/libptcCapture.a", archive)
    subprocess.run(["ar", "r", str(archive), str(made)], check=True)
    link = output_of(["ninja", "-t", "commands", "bin/ptc"], build).splitlines()[-1]
    ptc = scratch / "ptc"
    link = re.sub(r" -o bin/ptc\b", f" -o {ptc}", link).replace("lib/libptcCapture.a", str(archive))
    subprocess.run(link, shell=True, cwd=build, check=True)
    return ptc


def first_notice(ptc, intact, rule, args):
    """(seed, verdict) of the first program that only the broken compiler gets wrong, or None."""
    for verdict in judge_seeds(str(ptc), range(args.first, args.first + args.count), args.size, args.j):
        if verdict.kind in rule.shows and judge_seed(str(intact), verdict.seed, args.size).kind == "agree":
            return verdict
    return None


def main():
    parser = runner.options(__doc__, ptc=False, pattern=False)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--size", type=int, default=14, help="statements, about")
    parser.add_argument("--every", action="store_true", help="break every rule, not a third of them")
    parser.add_argument("rules", nargs="*", help="beginnings of names; default: all")
    args = parser.parse_args()
    build = args.build.resolve()
    report = runner.Report(args.v)
    for rule in RULES:
        broken_text(rule)                      # it is still there
    of_today = RULES if args.every or args.rules else RULES[runner.day() % 3::3]
    for rule in [r for r in of_today if not args.rules or r.name.startswith(tuple(args.rules))]:
        with tempfile.TemporaryDirectory() as scratch:
            notice = first_notice(broken_ptc(build, rule, Path(scratch)), build / "bin/ptc", rule, args)
        if notice:
            print(f"{rule.name}: seed {notice.seed}: {notice.kind}: {notice.text[:90]}", flush=True)
        report.case(rule.name, None if notice else "nothing noticed")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
