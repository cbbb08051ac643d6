"""Runs `ptc` on a .pyc with example and calls, and reads back what `--save` wrote."""
import functools
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "examples"), str(Path(__file__).resolve().parents[1])]
import batch  # noqa: E402
from notation import TensorStore, decode, encode  # noqa: E402

OK, REFUSED, LIMIT, RAISED, NO_VARIANT = 0, 1, 10, 13, 14


@dataclass
class Outcome:
    kind: str                                  # ran, refused, miss, failed, hung
    calls: list = field(default_factory=list)  # decoded objects, one per call
    text: str = ""                             # diagnostics

    @property
    def first_error(self):
        lines = [l for l in self.text.splitlines() if "error:" in l]
        return " | ".join(l[:200] for l in (lines or self.text.splitlines() or [""])[:3])


def driver_folder(ptc):
    """Where the driver of test/Device is, which executes kernels without a GPU."""
    return Path(ptc).resolve().parents[1] / "test/driver"


def is_kept(value):
    """What a file of tensors cannot say: a tensor that is passed twice, strides, requires_grad."""
    return isinstance(value, dict) and bool({"$same", "strides", "requires_grad"} & set(value))


def write_calls(calls, folder, source_folder="."):
    """One JSON file per call; inline values become safetensors files beside it."""
    paths = []
    for n, call in enumerate(calls):
        store = TensorStore(folder / f"call_{n}.safetensors")
        notation = {k: v for k, v in call.items() if k not in ("args", "kwargs")}
        again = lambda v, name: v if is_kept(v) else encode(decode(v, source_folder), store, name)
        notation["args"] = [again(a, f"a{i}") for i, a in enumerate(call.get("args", []))]
        notation["kwargs"] = {k: again(v, f"k.{k}") for k, v in call.get("kwargs", {}).items()}
        store.save()
        path = folder / f"call_{n}.json"
        path.write_text(json.dumps(notation) + "\n")
        paths.append(path)
    return paths


def command(ptc, verb, pyc, entry=None, init=None, weights=None, examples=(), more=()):
    out = [str(ptc), verb, str(pyc), *more]
    if verb == "compile":
        out.append("--allow-raising")  # exceptions are what some programs are about
    if entry:
        out += ["--entry", entry]
    if init:
        out += ["--init", json.dumps(init)]
    if weights:
        out += ["--weights", str(weights)]
    for example in examples:
        out += ["--example", str(example)]
    return out


def execute(args, limit):
    """(exit code or None on time-out, stdout, stderr)."""
    try:
        env = {**os.environ, "NO_COLOR": "1"}
        start = batch.run if Path(args[0]).name == "ptc" else functools.partial(subprocess.run, capture_output=True)
        done = start(args, timeout=limit, env=env)
    except subprocess.TimeoutExpired:
        return None, "", f"no end within {limit} s"
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def run(ptc, pyc, examples, calls, save, entry=None, init=None, weights=None, limit=60, options=(), more=()):
    """Captures from `examples`, makes `calls` one after the other; all are paths of JSON files."""
    examples = examples if isinstance(examples, list) else [examples]
    args = [*command(ptc, "run", pyc, entry, init, weights, examples, more), *options]
    for call in calls:
        args += ["--call", str(call)]
    for old in (save, save.with_suffix(".safetensors")):
        old.unlink(missing_ok=True)
    code, _, err = execute([*args, "--save", str(save)], limit)
    if code is None:
        return Outcome("hung", text=err)
    if code in (REFUSED, LIMIT):
        return Outcome("refused", text=err)
    if code not in (OK, RAISED, NO_VARIANT):
        return Outcome("failed", text=f"exit code {code}\n{err}")
    if not save.exists() and code == NO_VARIANT:
        return Outcome("miss", text=err)
    if not save.exists():
        return Outcome("failed", text=f"exit code {code} and no {save.name}\n{err}")
    text = save.read_text()
    objects = [json.loads(line) for line in text.splitlines() if line.strip()] if text.count("\n") > 1 \
        else [json.loads(text)]
    decoded = [o and decode_call(o, save.parent) for o in objects]   # None: not begun
    return Outcome("miss" if code == NO_VARIANT else "ran", decoded, err)


def decode_call(saved, folder):
    out = dict(saved)
    out["result"] = decode(saved.get("result"), folder)
    out["inputs"] = {k: decode(v, folder) for k, v in (saved.get("inputs") or {}).items()}
    out["aliases"] = [tuple(p) for p in saved.get("aliases") or []]
    return out


def graph(ptc, pyc, example, entry=None, init=None, weights=None, limit=60, form="mlir", more=()):
    """The text of `ptc inspect-graph`, or None and what was said instead."""
    args = command(ptc, "inspect-graph", pyc, entry, init, weights, [example], more)
    code, out, err = execute([*args, f"--format={form}"], limit)
    return (out, err) if code == OK else (None, err or f"exit code {code}")


def without_locations(mlir):
    """MLIR text without `loc(...)` and the alias lines that they refer to."""
    out, at = [], 0
    for found in re.finditer(r" ?\bloc\(", mlir):
        if found.start() < at:
            continue
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(mlir[end], 0)
            end += 1
        out.append(mlir[at:found.start()])
        at = end
    text = "".join(out) + mlir[at:]
    return "\n".join(l.rstrip() for l in text.splitlines() if not l.startswith("#loc"))
