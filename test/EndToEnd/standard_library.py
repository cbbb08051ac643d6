#!/usr/bin/env python3
"""Modules of the standard library that are Python code and have no model: run from the folder that -I names, as CPython runs them.

    standard_library.py --ptc PTC [FILTER] [-j N] [-v]

Each program of PROGRAMS prints the same under both; without -I it is refused with a hint that says where the folder is.
"""
import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402
from modules import World  # noqa: E402

FOLDER = os.path.dirname(os.__file__)
PROGRAMS = {
    "calendar": """
        import calendar
        print(calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.leapdays(1990, 2030), calendar.weekday(2024, 5, 6), calendar.month_name[3])
        print(calendar.TextCalendar().formatmonth(2024, 2))
    """,
    "colorsys": """
        import colorsys
        for f in (colorsys.rgb_to_hsv, colorsys.rgb_to_hls, colorsys.rgb_to_yiq, colorsys.hsv_to_rgb, colorsys.hls_to_rgb, colorsys.yiq_to_rgb):
            print([f(a, b, c) for a in (0.0, 0.3) for b in (0.1, 1.0) for c in (0.25, 0.9)])
    """,
    "datetime": """
        from datetime import date, datetime, time, timedelta, timezone
        d = datetime(2024, 2, 28, 12) + timedelta(days=2, hours=3, microseconds=5)
        print(d, repr(d), d.isoformat(), tuple(d.isocalendar()), d.timetuple(), d.strftime("%Y-%m-%d %H:%M %a %j %U %%"), d.date() - date(2024, 1, 1))
        print(datetime.fromisoformat("2024-05-06T07:08:09+02:00"), datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp(), time(3, 4).isoformat())
        print(timedelta(seconds=3661) / 2, timedelta(days=-1, seconds=5), sorted([date(2024, 1, 2), date(2023, 1, 2)]), f"{date(2024, 1, 2):%d/%m/%y}")
        try:
            date(2024, 2, 30)
        except ValueError as e:
            print(type(e).__name__)
    """,
    "decimal": """
        from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext
        print(Decimal("1.1") + Decimal("2.2"), Decimal("1.10") * 3, Decimal(1) / Decimal(3), Decimal("1e3").normalize(), round(Decimal("2.675"), 2))
        print(Decimal("0.1") == 0.1, f"{Decimal('1234.5'):,.2f}", Decimal(2).sqrt(), Decimal("2.5").quantize(Decimal("1"), ROUND_HALF_UP), hash(Decimal("1.5")))
        with localcontext() as context:
            context.prec = 5
            print(Decimal(1) / 7, getcontext().prec, Decimal(2) ** 10, Decimal("1").exp(), Decimal(10).ln(), repr(Decimal("-0E-3")))
    """,
    "difflib": """
        import difflib
        print(difflib.get_close_matches("appl", ["apple", "ape", "maple"]), difflib.SequenceMatcher(None, "abcd", "bcde").get_opcodes())
        print("\\n".join(difflib.unified_diff(["a", "b"], ["a", "c"], lineterm="")))
    """,
    "fnmatch": """
        import fnmatch
        print(fnmatch.filter(["a.py", "b.c", "A.PY"], "*.py"), fnmatch.fnmatchcase("layer.3.weight", "layer.[0-9].*"), fnmatch.translate("a?[!b]*"))
    """,
    "graphlib": """
        import graphlib
        print(list(graphlib.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"b"}}).static_order()))
        try:
            graphlib.TopologicalSorter({1: [2], 2: [1]}).prepare()
        except graphlib.CycleError as e:
            print(type(e).__name__)
    """,
    "html": """
        import html
        print(html.escape("<a href='x'>&"), html.unescape("&lt;&amp;&#65;&eacute;"))
    """,
    "ipaddress": """
        import ipaddress
        print(ipaddress.ip_network("10.0.0.0/30").num_addresses, ipaddress.ip_address("::1").exploded, ipaddress.ip_address("10.0.0.1") in ipaddress.ip_network("10.0.0.0/8"))
    """,
    "reprlib": """
        import reprlib
        print(reprlib.repr(list(range(100))), reprlib.repr("x" * 100), reprlib.repr({i: i for i in range(9)}))
    """,
    "shlex": """
        import shlex
        print(shlex.split('a "b c" d\\\\ e'), shlex.quote("it's"), shlex.join(["a b", "c"]))
    """,
    "tomllib": """
        import tomllib
        print(tomllib.loads('a = 1\\n[b.c]\\nd = [1, 2.5, "x", true]\\ne = \\'y\\'\\n'))
    """,
}


def check_of(name, source):
    def check(world):
        pyc = world.plain(f"{name}_program.py", source, keep=True)
        expected = subprocess.run([sys.executable, "-B", f"{name}_program.py"], cwd=world.folder, capture_output=True, text=True, check=True).stdout
        assert expected
        got = world.run("run", "--python", pyc, "-I", FOLDER)
        assert got == expected, f"ptc printed\n{got}\nCPython\n{expected}"
        told = world.run("run", "--python", pyc, code=1)
        assert "os.path.dirname(os.__file__)" in told, told
    check.__name__ = f"check_{name}"
    return check


def check_threads(world):
    """What has a model, and needs no folder: the other interpreters of the fixtures start no threads."""
    source = Path(__file__).with_name("threads_program.py").read_text()
    expected = subprocess.run([sys.executable, "-B", "-c", source], capture_output=True, text=True, check=True).stdout
    got = world.run("run", "--python", world.plain("threads.py", source))
    assert got == expected, f"ptc printed\n{got}\nCPython\n{expected}"
    entry = """
        import queue, threading
        from concurrent.futures import ThreadPoolExecutor
        import torch
        class Net(torch.nn.Module):
            def forward(self, x):
                r, q = [], queue.Queue()
                t = threading.Thread(target=lambda: r.append(x + 1))
                t.start()
                t.join()
                with torch.no_grad(), ThreadPoolExecutor(2) as pool:
                    q.put(sum(pool.map(lambda i: r[0] * i, range(3))))
                    grown = pool.submit(torch.is_grad_enabled).result()
                    pool.submit(torch.set_grad_enabled, False).result()
                    kept = pool.submit(torch.is_grad_enabled).result()
                with torch.autocast("cpu"):
                    t = threading.Thread(target=lambda: r.append((x[None] @ x[:, None]).dtype))
                    t.start()
                    t.join()
                return q.get(), kept, r[1] == torch.float32, grown, torch.is_grad_enabled()
        """
    pyc = world.plain("net.py", entry)
    world.run("compile", pyc, "--input", "x=f32[2]", "-o", "libnet.so")
    world.run("verify", "libnet.so")
    assert world.run("run", "libnet.so", "--input", "x=f32[2]") == world.run("run", pyc, "--input", "x=f32[2]")
    assert world.run("run", pyc, "--input", "x=f32[2]").strip().endswith("False, True, True, True)")
    for waits, why in (("threading.Event().wait()", "an event that nobody sets"), ("queue.Queue().get()", "an empty queue that nobody puts into"),
                       ("threading.Event().wait(5)", "an event that nobody sets"), ("queue.Queue().get(timeout=5)", "an empty queue that nobody puts into"),
                       ("threading.Semaphore(0).acquire(timeout=5)", "a semaphore that nobody releases"),
                       ("threading.Event().is_set()", "an event that is not set")):
        pyc = world.plain("waits.py", f"import queue, threading\ndef entry(n):\n    t = threading.Thread(target=lambda: {waits})\n    t.start()\n    return n\n")
        assert why in world.run("run", pyc, "--input", "n=3", code=1)


def check_asyncio(world):
    """As threads: the loop of the other interpreters runs already."""
    source = Path(__file__).with_name("asyncio_program.py").read_text()
    expected = subprocess.run([sys.executable, "-B", "-c", source], capture_output=True, text=True, check=True).stdout
    assert expected
    got = world.run("run", "--python", world.plain("coroutines.py", source))
    assert got == expected, f"ptc printed\n{got}\nCPython\n{expected}"
    entry = """
        import asyncio
        import torch
        class Net(torch.nn.Module):
            async def part(self, x, n):
                for _ in range(n):
                    await asyncio.sleep(0)
                    x = x * 2
                return x + n if x.sum() > 0 else x - n
            async def all(self, x):
                return torch.stack(await asyncio.gather(*[self.part(x, n) for n in range(3)]))
            def forward(self, x):
                return asyncio.run(self.all(x))
        """
    pyc = world.plain("net.py", entry)
    world.run("compile", pyc, "--input", "x=f32[2]", "-o", "libnet.so")
    world.run("verify", "libnet.so")
    assert world.run("run", "libnet.so", "--input", "x=f32[2]") == world.run("run", pyc, "--input", "x=f32[2]")
    for waits, why in (("asyncio.sleep(0.1)", "does not wait"), ("asyncio.Event().wait()", "waits for what is outside of it"),
                       ("asyncio.wait_for(asyncio.Event().wait(), 5)", "waits until a time")):
        pyc = world.plain("waits.py", f"import asyncio\nasync def main():\n    await {waits}\ndef entry(n):\n    asyncio.run(main())\n    return n\n")
        assert why in world.run("run", pyc, "--entry", "entry", "--input", "n=3", code=1)
    left = world.plain("left.py", """
        import asyncio
        async def items():
            try:
                yield 1
                yield 2
            finally:
                print("closed by the loop, later")
        async def main():
            async for x in items():
                break
            print("first")
        asyncio.run(main())
        """)
    assert "leaving an asynchronous generator" in world.run("run", "--python", left, code=1)


def check_clocks(world):
    """Readings are the run's, each where the program makes it; `verify` gives both sides the same ones."""
    pyc = world.plain("clocks.py", """
        import time
        import torch
        BEGIN = time.time()
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.made, self.calls = time.perf_counter(), []
                self.elapsed = self.last = 0.0
            def forward(self, x):
                t, p, n, c = time.time(), time.perf_counter(), time.monotonic_ns(), (time.process_time(), time.process_time_ns(), time.thread_time())
                y, i = x @ x, 0
                while time.perf_counter_ns() - n < 2_000_000 and i < 10 ** 7:
                    i += 1
                previous, self.last = self.last, t
                self.elapsed = time.time() - t
                print("waited" if self.elapsed > 0.001 else f"only {self.elapsed}", f"{self.elapsed:.1f}", int(time.time()) > 1_700_000_000)
                took = time.perf_counter() - p
                return y, i >= 0, 0.002 <= took < 60, time.time_ns() / 1e9 >= t >= BEGIN, p >= self.made, previous <= t, time.process_time() >= c[0] > 0, c[2] > 0
        """)
    assert "int" in world.run("inspect-graph", pyc, "--input", "x=f32[2,2]") and "clock monotonic" in world.run("inspect-graph", pyc, "--input", "x=f32[2,2]")
    world.run("compile", pyc, "--input", "x=f32[8,8]", "-o", "libclocks.so")
    world.run("compile", pyc, "--input", "x=f32[8,8]", "--emit=exe", "-o", "clocks")
    world.run("verify", pyc, "--input", "x=f32[2,2]")
    world.run("verify", "libclocks.so")
    runs = [world.run("run", file, "--input", "x=f32[8,8]") for file in (pyc, "libclocks.so")]
    for out in (*runs, subprocess.run(["./clocks"], cwd=world.folder, capture_output=True, text=True, check=True).stdout):
        assert out.startswith("waited 0.0 True\n") and out.strip().endswith("True, True, True, True, True, True, True)"), out
    for asks, why in (("time.localtime()", "no calendar"), ("time.sleep(1)", "does not wait")):
        assert why in world.run("run", world.plain("asks.py", f"import time\ndef entry(n):\n    {asks}\n    return n\n"), "--input", "n=3", code=1)


CASES = [check_threads, check_asyncio, check_clocks] + [check_of(name, source) for name, source in PROGRAMS.items()]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
