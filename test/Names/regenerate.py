#!/usr/bin/env python3
"""Writes fixtures/3.NN/ask.pyc and, but for 3.11, answers.txt with the interpreter that runs it: python3.NN regenerate.py

answers.txt has a line for each of many modules: its name, and NAME=ANSWER for some names that any version has there: what
ask.py prints, by its first letter. What depends on the platform is left out, as the interpreter may be built for another one.
"""
import random
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "EndToEnd"), str(ROOT / "lib/Capture/Known"), str(ROOT / "tools/gen")]
import known_names  # noqa: E402
import pack  # noqa: E402
from pycs import compile_pyc  # noqa: E402

SEED, COUNT = 11, 1800
LEFT_OUT = {"antigravity", "this", "idlelib", "turtledemo", "test", "lib2to3", "tkinter", "webbrowser"}


def questions(bit):
    """(module, name) of what can be asked of the version, as run.py asks."""
    blocks, _ = pack.read([ROOT / "lib/Capture/Known/python.txt"])
    modules = {path for head, path, _, _ in blocks if head == "@m"}
    for head, path, flags, lines in blocks:
        if head != "@m" or not flags["in"] & bit or flags["open"] or path.partition(".")[0] in LEFT_OUT or path in known_names.OF_PLATFORM:
            continue
        after = {w for _, _, _, since, _, words in lines if since for w in words}
        names = {w for kind, _, of_type, since, _, words in lines for w in words if kind in pack.KINDS and (kind in "mcfn" or of_type)}
        for name in names - after - set(known_names.NAMES_OF_PLATFORM.get(path, "").split()):
            if f"{path}.{name}" not in modules and not (name.startswith("__") and name.endswith("__")):
                yield path, name


def answer(owner, name):
    if not hasattr(owner, name):
        return "a"
    value = getattr(owner, name)
    return "N" if value is None else "c" if callable(value) else "v"


def answers(minor):
    asked = {}
    for path, name in sorted(random.Random(SEED).sample(sorted(questions(1 << minor - 11)), COUNT)):
        asked.setdefault(path, []).append(name)
    for path, names in asked.items():
        try:
            owner = __import__(path, None, None, ("__name__",))
        except ImportError:
            continue
        yield " ".join([path, *(f"{name}={answer(owner, name)}" for name in names)])


out = HERE / "fixtures" / ("%d.%d" % sys.version_info[:2])
out.mkdir(parents=True, exist_ok=True)
compile_pyc(HERE / "ask.py", out / "ask.pyc")
if sys.version_info[1] > 11:
    warnings.simplefilter("ignore")
    (out / "answers.txt").write_text("".join(line + "\n" for line in answers(sys.version_info[1])))
