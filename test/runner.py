"""Runs the cases of a test script in worker processes and reports them.

A case that raises, exits, is killed or does not end is a failure of that case, shown with what it printed. Workers
are forked, so a case may be any object; what comes of it is pickled. Only the parent prints: whatever a case does to
its own streams, no result and no summary is lost.
"""
import argparse
import collections
import contextlib
import faulthandler
import gc
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
import traceback
import zlib
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path

FORK = multiprocessing.get_context("fork")
LIMIT, A_DAY = 600, 86400                      # seconds for one case
SHOWN = 2000                                   # characters of what a failing case printed
LINES = 60                                     # of what is wrong with a case
NOTHING_SELECTED = 2                           # exit code


class NotRun(str):
    """What a check gives that this machine cannot make in full: why. Counted apart."""


@dataclass
class Outcome:
    """What came of one case: the value of its function, or why there is none."""
    value: object = None
    broke: str = None
    printed: str = ""
    seconds: float = 0                         # of a processor, with those of processes that it started and that ended

    @property
    def wrong(self):
        """Of a function that gives None or what is wrong: this, or how it broke."""
        text = self.value if self.broke is None else self.broke
        if isinstance(text, NotRun):
            return text
        return f"{text}\nprinted: {self.printed}" if text is not None and self.printed else text


def seconds_used():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def serve(pipe, path, function, cases):
    """The life of a worker: indices of cases come, pickled outcomes go."""
    tempfile.tempdir = str(path.parent)        # what a killed worker leaves goes with the run's folder
    file = os.open(path, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(file, stream)
    out = os.fdopen(file, "w", buffering=1, encoding="utf-8", errors="backslashreplace")
    faulthandler.enable(out)
    gc.freeze()                                # what was imported stays: no collection looks at it again
    while True:
        sys.stdout = sys.stderr = out          # the case before may have left others
        try:
            case = cases[int(pipe.recv_bytes())]
        except EOFError:
            return
        begin = seconds_used()
        try:
            # Plain pickle copies: as multiprocessing pickles it, a tensor would be memory shared with this process.
            value = function(case)
            answer = pickle.dumps(Outcome(value, seconds=seconds_used() - begin))
        except BaseException:                  # SystemExit, too
            answer = pickle.dumps(Outcome(broke=traceback.format_exc().rstrip()))
        out.flush()
        pipe.send_bytes(answer)


def restored(answer):
    try:
        return pickle.loads(answer)
    except Exception:                          # say, of a class that only the worker has
        return Outcome(broke=traceback.format_exc().rstrip())


class Worker:
    """A process and the case that it works at."""

    def __init__(self, path, function, cases, siblings):
        path.touch()
        self.path = path                       # of what the case prints
        self.index = self.end = None
        self.gone = False
        self.pipe, theirs = FORK.Pipe()
        inherited = [self.pipe, *(worker.pipe for worker in siblings)]
        self.process = FORK.Process(target=self.live, args=(inherited, theirs, path, function, cases), daemon=True)
        self.process.start()
        with contextlib.suppress(ProcessLookupError):
            os.setpgid(self.process.pid, self.process.pid)
        theirs.close()

    @staticmethod
    def live(inherited, *rest):
        for pipe in inherited:                 # who keeps the parent's end never sees it closed
            pipe.close()
        serve(*rest)

    def begin(self, index, limit):
        os.truncate(self.path, 0)
        self.index, self.end = index, time.monotonic() + limit
        with contextlib.suppress(OSError):     # it died: finish() says so
            self.pipe.send_bytes(b"%d" % index)

    def finish(self):
        """(index, outcome) of its case."""
        try:
            outcome = restored(self.pipe.recv_bytes())
        except (EOFError, OSError):            # it ended
            self.process.join(5)
            code = self.process.exitcode
            self.stop()
            how = "closed its pipe" if code is None else f"exited with code {code}" if code >= 0 else \
                f"was killed by {signal.Signals(-code).name}"
            outcome = Outcome(broke=f"its process {how}")
        return self.answer(outcome)

    def give_up(self, limit):
        self.stop()
        return self.answer(Outcome(broke=f"no end within {limit} s"))

    def answer(self, outcome):
        outcome.printed = self.path.read_text(encoding="utf-8", errors="replace")[-SHOWN:].strip()
        index, self.index = self.index, None
        return index, outcome

    def dismiss(self):
        """Lets it end what it started, so that their time is known to be its own."""
        self.pipe.close()
        self.process.join(5)
        self.stop()

    def stop(self):
        """Ends it with all that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.pipe.close()
        self.gone = True


class Crew:
    """Workers for a list of cases. One that died is replaced as long as there is work."""

    def __init__(self, function, cases, jobs, limit, scratch):
        self.function, self.cases, self.jobs, self.limit, self.scratch = function, cases, jobs, limit, scratch
        self.todo, self.workers, self.hired = collections.deque(range(len(cases))), [], 0

    def hand_out(self):
        while len(self.workers) < min(self.jobs, len(self.workers) + len(self.todo)):
            self.workers.append(Worker(self.scratch / f"printed-{self.hired}", self.function, self.cases, self.workers))
            self.hired += 1
        for worker in self.workers:
            if worker.index is None and self.todo:
                worker.begin(self.todo.popleft(), self.limit)

    def step(self):
        """Waits for at least one answer or the end of a limit: [(index, outcome)]."""
        self.hand_out()
        busy = [worker for worker in self.workers if worker.index is not None]
        answered = wait([worker.pipe for worker in busy], max(0, min(w.end for w in busy) - time.monotonic()))
        late = [w for w in busy if w.pipe not in answered and w.end <= time.monotonic()]
        found = [w.finish() for w in busy if w.pipe in answered] + [w.give_up(self.limit) for w in late]
        self.workers = [worker for worker in self.workers if not worker.gone]
        return found

    def stop(self):
        for worker in self.workers:
            worker.dismiss() if worker.index is None else worker.stop()


def outcomes(function, cases, jobs, limit=LIMIT):
    """The Outcome of function(case) for each of the cases, in their order."""
    cases, ready = list(cases), {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        crew = Crew(function, cases, jobs, limit, Path(scratch))
        try:
            for index in range(len(cases)):
                while index not in ready:
                    ready.update(crew.step())
                yield ready.pop(index)
        finally:
            crew.stop()


class Report:
    """A line for each failure and a summary, which test/suites.py reads."""

    def __init__(self, verbose=False):
        self.verbose, self.passed, self.failed, self.not_run = verbose, 0, 0, 0

    def case(self, name, wrong, seconds=None):
        """`wrong`: None, the text of what is, or NotRun. `seconds`: what it cost."""
        if isinstance(wrong, NotRun):
            self.not_run += 1
            if self.verbose:
                print(f"left {name}: {wrong}", flush=True)
            return
        if wrong is None:
            self.passed += 1
            if self.verbose:
                print(f"ok   {name}{'' if seconds is None else f'  {seconds:.2f} s'}", flush=True)
            return
        self.failed += 1
        lines = str(wrong).rstrip().split("\n")
        if len(lines) > LINES:
            lines[LINES:] = [f"… {len(lines) - LINES} more lines"]
        text = "\n  ".join(lines)              # no line of it is taken for one of ours
        print(f"FAIL {name}: {text}", flush=True)

    def finish(self):
        """The exit code of the script."""
        if not self.passed + self.failed + self.not_run:
            print("no case is selected")
            return NOTHING_SELECTED
        print(f"{self.passed} passed, {self.failed} failed{f', {self.not_run} not run' if self.not_run else ''}")
        return 1 if self.failed else 0


def run(cases, check, args, limit=LIMIT):
    """Cases are (name, arguments of check); check gives None, what is wrong, or NotRun. The exit code of the script."""
    cases = part_of(args, [case for case in cases if args.filter in case[0]])
    report = Report(args.v)
    for (name, _), outcome in zip(cases, outcomes(lambda case: check(*case[1]), cases, args.j, limit)):
        report.case(name, outcome.wrong, outcome.seconds)
    return report.finish()


def part_of(args, cases):
    """Those of the cases that --shard leaves to this process."""
    number, count = args.shard
    return list(cases)[number - 1::count]


def day():
    return int(time.time()) // A_DAY


def is_turn(name, today=None, of=5):
    """Whether a case that is made on one day of so many is made on this one: each has its day."""
    return zlib.crc32(name.encode()) % of == (day() if today is None else today) % of


def turn_of(name, choices, today=None):
    """The one of the choices that this case takes on this day: each has its day."""
    return choices[(zlib.crc32(name.encode()) + (day() if today is None else today)) % len(choices)]


def run_in_folders(checks, args):
    """Checks are (name, function of a new folder), which raises where something is wrong. The exit code of the script."""
    def check(function):
        with tempfile.TemporaryDirectory() as folder:
            function(Path(folder))

    return run([(name, (function,)) for name, function in checks], check, args)


def run_checks(checks, world, args):
    """Checks are functions check_NAME of world(ptc, folder), each with a new folder. The exit code of the script."""
    return run_in_folders([(check.__name__.removeprefix("check_"), lambda folder, check=check: check(world(Path(args.ptc), folder)))
                           for check in checks], args)


def jobs(text):
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")
    return int(text)


def shard(text):
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"{text!r} is no part, such as 2/3")
    return int(number), int(count)


def options(doc, ptc=True, pattern=True):
    """A parser with the options that every script has."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    if ptc:
        parser.add_argument("--ptc", required=True, type=os.path.abspath)
    if pattern:
        parser.add_argument("filter", nargs="?", default="", help="part of the names of cases")
    parser.add_argument("--shard", type=shard, default=(1, 1), help="every N-th case from the I-th: I/N")
    parser.add_argument("-j", type=jobs, default=2, help="cases at a time")
    parser.add_argument("-v", action="store_true", help="name what passed, too, and what it cost")
    return parser
