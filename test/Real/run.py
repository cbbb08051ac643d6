#!/usr/bin/env python3
"""Models of libraries as pip installs them, each as one native program, against eager PyTorch.

    run.py --ptc PTC --build BUILD [FILTER] [--every] [--dynamo] [-j N] [-v]

A row per model: operations of the program, seconds of capture and of the rest of the compilation, the largest error, and what
became of it: native, or refused with the reason; with --dynamo also whether torch.compile(fullgraph=True) captures it. A wrong number is a failure, and so is a library of which fewer models than
LEAST have native programs. A number is wrong that is further from the model in double precision than eager in float32 is, by
more than another order of sums explains.
"""
import collections
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import torch
from torch.utils._pytree import tree_leaves, tree_map

from install import site_packages
from model import Model
from models import MODELS

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd"), str(HERE.parents[1] / "examples")]
import compiled  # noqa: E402
import runner  # noqa: E402
from compare import Tolerance, difference  # noqa: E402
from notation import TensorStore, encode  # noqa: E402
from pycs import compile_pyc  # noqa: E402

# How often eager's own error a result may have, which adds products in an order with less of it, and what it may have besides, relative
# to the largest element: where eager is right by chance.
MULTIPLE, BESIDES = 8, 2e-6
# A larger error than this is no rounding: the model in double precision has taken another side somewhere.
ANOTHER_WAY = 1e-3
# Of models that have no result in double precision to compare with, relative to the largest element.
TOLERANCE = 2e-4
ANY_FLOAT = Tolerance(0, math.inf)
# How many models of a library have native programs, at least: of all, and of those that CI takes.
LEAST = {"diffusers": 17, "einops": 2, "timm": 128, "torchvision": 49, "transformers": 260}
LEAST_OF_CI = {"diffusers": 3, "einops": 2, "timm": 5, "torchvision": 6, "transformers": 16}
# Of those, compiled once for ranges of batches and lengths; another part each day, all with --every.
LEAST_OF_ALL_SIZES = {}
DAYS_OF_SIZES = 200


@dataclass
class Row:
    model: object
    became: str = "native"             # or refused, wrong, failed
    reason: str = ""
    nodes: int = 0
    capture: float = 0
    compile: float = 0
    error: float = 0
    own: float = 0                     # of eager
    dynamo: str = None                 # why TorchDynamo captures no whole graph; empty: it does

    def __str__(self):
        numbers = f"{self.nodes:>6} nodes {self.capture:>6.1f} s {self.compile:>6.1f} s  error {self.error:.1e}, eager's {self.own:.1e}" if self.became == "native" else self.reason
        peer = "" if self.dynamo is None else "  dynamo: " + (" ".join(self.dynamo.split())[:120] or "whole")
        return f"{self.became:<8} {self.model.name:<40} {numbers}{peer}"


def run_eager(site, folder, rows, asks_dynamo):
    """One process for a library: importing it takes seconds."""
    wrappers = []
    for row in rows:
        path = folder / (re.sub(r"\W", "_", row.model.name) + ".py")
        path.write_text(row.model.wrapper())
        wrappers.append(path)
    run_eager_on(site, wrappers, ["--dynamo"] if asks_dynamo else [])
    return wrappers


def run_eager_on(site, wrappers, options=()):
    done = subprocess.run([sys.executable, str(HERE / "eager.py"), *options, str(site), *map(str, wrappers)], capture_output=True, text=True,
                          env={**os.environ, "HF_HUB_OFFLINE": "1"})
    if done.returncode:
        raise RuntimeError(f"eager PyTorch ended with {done.returncode}:\n{done.stderr[-3000:]}")


def leaves(value):
    return [v for v in tree_leaves(value) if isinstance(v, torch.Tensor)]


def errors(want, got):
    """Of each tensor of floats, relative to the largest element."""
    return [float((w.double() - g.double()).abs().max() / max(1e-6, float(w.double().abs().max())))
            for w, g in zip(leaves(want), leaves(got)) if g.is_floating_point() and w.numel()]


def own_errors(seen):
    """Those of eager; None: the model has no result in double precision, or takes another way to it."""
    double, result = seen["double"], seen["result"]
    rounded = tree_map(lambda v: v.float() if isinstance(v, torch.Tensor) and v.dtype == torch.float64 else v, double)
    if isinstance(double, str) or difference(result, rounded, ANY_FLOAT):
        return None
    own = errors(double, result)
    return own if max(own, default=0) < ANOTHER_WAY else None


def judge(seen, result, row):
    """Fills the errors of the row, and gives what is wrong, or None."""
    own = own_errors(seen)
    if own is None:
        row.error = max(errors(seen["result"], result), default=0)
        largest = max([float(v.double().abs().max()) for v in leaves(seen["result"]) if v.numel()], default=0)
        return difference(seen["result"], result, Tolerance(TOLERANCE, TOLERANCE * max(1e-6, largest)))
    if text := difference(seen["result"], result, ANY_FLOAT):
        return text
    found = errors(seen["double"], result)
    row.error, row.own = max(found, default=0), max(own, default=0)
    # Of all tensors: a few elements may be right by chance.
    close = all([error <= MULTIPLE * row.own + BESIDES for error in found])
    return None if close else f"error {row.error:.1e}, and eager's own is {row.own:.1e}"


def first_reason(text):
    lines = [line for line in text.splitlines() if "error:" in line] or text.splitlines() or ["no reason"]
    return lines[0][-200:]


def in_own_folder(path, library):
    """The wrapper with what eager left beside it, under the name that all models of its library have in this process: imports that
    one of them has run stand in the cache for those that begin with the same."""
    folder = path.parent / f"worker{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for suffix in (".py", ".pt", ".weights.pt", ".txt", ".dynamo.txt"):
        if path.with_suffix(suffix).exists():
            path.with_suffix(suffix).rename(folder / f"{library}_model{suffix}")
    return folder / f"{library}_model.py"


def check(ptc, site, path, row):
    """Fills the row."""
    path = in_own_folder(path, row.model.library)
    if path.with_suffix(".txt").exists():
        row.became, row.reason = "failed", "eager: " + path.with_suffix(".txt").read_text().strip().splitlines()[-1]
        return row
    said = path.with_suffix(".dynamo.txt")
    row.dynamo = said.read_text() if said.exists() else None
    calls = torch.load(path.with_suffix(".pt"), weights_only=False)
    store = TensorStore(path.with_suffix(".safetensors"))
    examples = [path.with_suffix(f".{n}.json") for n in range(len(calls))]
    for n, (example, seen) in enumerate(zip(examples, calls)):
        example.write_text(json.dumps({"args": [encode(x, store, f"x{n}_{m}") for m, x in enumerate(seen["inputs"])]}))
    store.save()
    given = [word for declared in row.model.declared for word in ("--input", declared)] or ["--example", str(examples[0])]
    pyc, library = path.with_suffix(".pyc"), path.with_suffix(".so")
    compile_pyc(path, pyc)
    words = [str(ptc), "compile", str(pyc), "-I", str(site), "--entry", "Net", "--eval", "--weights", str(path.with_suffix(".weights.pt")),
             *given, "-o", str(library), "--timing", "--dump", str(path.with_suffix("")), *row.model.options]
    start = time.monotonic()
    code, _, err = compiled.execute(words, 300)
    row.compile = time.monotonic() - start
    if code != compiled.OK:
        refused = code in (compiled.REFUSED, compiled.LIMIT)
        row.became, row.reason = "refused" if refused else "failed", first_reason(err) if refused else f"exit code {code}: {err[-1500:]}"
        return row
    captured = re.search(r"capture\D+([\d.]+)", err)
    row.capture = float(captured[1]) / 1000 if captured else 0
    dumped = sorted(path.with_suffix("").glob("*capture*"))
    row.nodes = dumped[0].read_text().count("aten.") if dumped else 0
    got = compiled.run(ptc, library, [], examples, path.with_suffix(".out.jsonl"), limit=300)
    if got.kind != "ran" or any([call["raised"] for call in got.calls]) or len(got.calls) != len(calls):
        row.became, row.reason = "failed", f"{got.kind}: {got.text[-1500:]}"
        return row
    for seen, call in zip(calls, got.calls):
        if wrong := judge(seen, call["result"], row):
            row.became, row.reason = "wrong", wrong
    return row


PATTERNS = "regex patterns"


def run_patterns(ptc, site, folder):
    """patterns.py by ptc and by CPython with the package. What differs, or None."""
    pyc = folder / "patterns.pyc"
    compile_pyc(HERE / "patterns.py", pyc)
    want = subprocess.run([sys.executable, str(HERE / "patterns.py")], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(site)})
    got = subprocess.run([str(ptc), "run", "--python", str(pyc), "-I", str(site)], capture_output=True, text=True)
    if want.returncode or got.returncode:
        return f"exit codes {want.returncode} and {got.returncode}:\n{want.stderr[-1000:]}\n{got.stderr[-1000:]}"
    pairs = list(zip_longest(want.stdout.splitlines(), got.stdout.splitlines()))
    wrong = [f"expected {w}, found {g}" for w, g in pairs if w != g]
    return "\n".join(wrong[:3]) or (f"{len(pairs)} lines" if len(pairs) < 1000 else None)


EXAMPLE = "examples/timm"
IMAGE_MODEL = """import timm
import torch


def Net():
    return timm.create_model("convnext_atto")


def inputs():
    return [torch.randn(1, 3, 224, 224)]
"""


def run_example(ptc, site, folder):
    """The README's session with timm, from weights to the C++ program. What is wrong, or None."""
    wrapper = folder / "image_model.py"
    wrapper.write_text(IMAGE_MODEL)
    run_eager_on(site, [wrapper])
    if wrapper.with_suffix(".txt").exists():
        return "eager: " + wrapper.with_suffix(".txt").read_text()[-500:]
    wrapper.with_suffix(".weights.pt").rename(folder / "weights.pt")
    seen, = torch.load(wrapper.with_suffix(".pt"), weights_only=False)
    seen["inputs"][0].numpy().tofile(folder / "image.f32")
    built = subprocess.run([HERE.parents[1] / "examples/timm/build.sh", str(site)], cwd=folder, capture_output=True, text=True, timeout=300,
                           env={**os.environ, "PTC": str(ptc), "PYTHON": sys.executable})
    if built.returncode:
        return f"build.sh ended with {built.returncode}: {built.stderr[-1500:]}"
    said = subprocess.run(["./classify", "image.f32"], cwd=folder, capture_output=True, text=True, timeout=60)
    found = [line.split() for line in said.stdout.splitlines()]
    best = seen["result"].softmax(-1).topk(5)
    want = list(zip(best.indices[0].tolist(), best.values[0].tolist()))
    same = [int(c) for c, _ in found] == [c for c, _ in want] and all([abs(float(p) - w) < 2e-4 for (_, p), (_, w) in zip(found, want)])
    return None if same and not said.returncode else f"expected {want}, found {said.stdout} {said.stderr}"


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--every", action="store_true", help="the models that CI leaves out, too")
    parser.add_argument("--dynamo", action="store_true", help="capture the models by torch.compile(fullgraph=True), too; of no library more than here")
    args = parser.parse_args()
    site = site_packages(args.build)
    chosen = [m for m in MODELS if args.filter in m.name and (args.every or args.filter or not m.every)]
    sized = [m for m in map(Model.sized, MODELS) if m and (args.filter in m.name if args.filter else args.every or runner.is_turn(m.name, of=DAYS_OF_SIZES))]
    report, native, whole = runner.Report(args.v), collections.Counter(), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PTC_CACHE_DIR"] = str(Path(folder) / "imports")
        Path(folder, "imports").mkdir()
        for library in dict.fromkeys(m.library for m in chosen + sized):
            rows = [Row(m) for m in chosen + sized if m.library == library]
            jobs = list(zip(run_eager(site, Path(folder), rows, args.dynamo), rows))
            for (path, row), outcome in zip(jobs, runner.outcomes(lambda job: check(args.ptc, site, *job), jobs, args.j, limit=700)):
                seen = outcome.value or Row(row.model, "failed", outcome.wrong)
                print(seen, flush=True)
                native[library, seen.model in sized] += seen.became == "native"
                whole[library] += seen.dynamo == ""
                report.case(row.model.name, None if seen.became in ("native", "refused") else f"{seen.became}: {seen.reason}")
            if args.dynamo:
                report.case(f"{library} by torch.compile", f"{whole[library]} whole graphs, {native[library, False]} native" if whole[library] > native[library, False] else None)
            if not args.filter:
                least = (LEAST if args.every else LEAST_OF_CI)[library]
                few = native[library, False] < least
                report.case(f"native programs of {library}", f"{native[library, False]}, at least {least} expected" if few else None)
            if args.every and not args.filter:
                least = LEAST_OF_ALL_SIZES.get(library, 0)
                few = native[library, True] < least
                report.case(f"native programs of {library} for all sizes", f"{native[library, True]}, at least {least} expected" if few else None)
        for name, check_it in ((EXAMPLE, run_example), (PATTERNS, run_patterns)):
            if args.filter in name:
                outcome = next(runner.outcomes(lambda folder: check_it(args.ptc, site, folder), [Path(folder)], 1, limit=700))
                report.case(name, outcome.wrong or outcome.value)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
