#!/usr/bin/env python3
"""Models of libraries as pip installs them, each as one native program, against eager PyTorch.

    run.py --ptc PTC --build BUILD [FILTER] [--every] [-j N] [-v]

A row per model: operations of the program, seconds of capture and of the rest of the compilation, the largest error, and what
became of it: native, or refused with the reason. A wrong number is a failure, and so is a library of which fewer models than
LEAST have native programs.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import torch

from install import site_packages
from models import MODELS

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd"), str(HERE.parents[1] / "examples")]
import compiled  # noqa: E402
import runner  # noqa: E402
from compare import Tolerance, difference  # noqa: E402
from notation import TensorStore, encode  # noqa: E402
from pycs import compile_pyc  # noqa: E402

# Of f32, relative to the largest element: sums of thousands of products in another order.
TOLERANCE = 2e-4
# How many models of a library have native programs, at least: of all, and of those that CI takes.
LEAST = {"einops": 2, "timm": 39, "torchvision": 4, "transformers": 27}
LEAST_OF_CI = {"einops": 2, "timm": 2, "torchvision": 4, "transformers": 1}


@dataclass
class Row:
    model: object
    became: str = "native"             # or refused, wrong, failed
    reason: str = ""
    nodes: int = 0
    capture: float = 0
    compile: float = 0
    error: float = 0

    def __str__(self):
        numbers = f"{self.nodes:>6} nodes {self.capture:>6.1f} s {self.compile:>6.1f} s  error {self.error:.1e}" if self.became == "native" else self.reason
        return f"{self.became:<8} {self.model.name:<40} {numbers}"


def run_eager(site, folder, rows):
    """One process for a library: importing it takes seconds."""
    wrappers = []
    for row in rows:
        path = folder / (re.sub(r"\W", "_", row.model.name) + ".py")
        path.write_text(row.model.wrapper())
        wrappers.append(path)
    run_eager_on(site, wrappers)
    return wrappers


def run_eager_on(site, wrappers):
    done = subprocess.run([sys.executable, str(HERE / "eager.py"), str(site), *map(str, wrappers)], capture_output=True, text=True,
                          env={**os.environ, "HF_HUB_OFFLINE": "1"})
    if done.returncode:
        raise RuntimeError(f"eager PyTorch ended with {done.returncode}:\n{done.stderr[-3000:]}")


def largest_error(want, got):
    """Relative to the largest element, over all tensors."""
    pairs = zip(*[[v for v in torch.utils._pytree.tree_leaves(t) if isinstance(v, torch.Tensor)] for t in (want, got)])
    return max([float((w.double() - g.double()).abs().max() / max(1e-6, float(w.double().abs().max()))) for w, g in pairs if w.numel()], default=0)


def first_reason(text):
    lines = [line for line in text.splitlines() if "error:" in line] or text.splitlines() or ["no reason"]
    return lines[0][-200:]


def check(ptc, site, path, row):
    """Fills the row."""
    if path.with_suffix(".txt").exists():
        row.became, row.reason = "failed", "eager: " + path.with_suffix(".txt").read_text().strip().splitlines()[-1]
        return row
    seen = torch.load(path.with_suffix(".pt"), weights_only=False)
    store = TensorStore(path.with_suffix(".safetensors"))
    example = path.with_suffix(".json")
    example.write_text(json.dumps({"args": [encode(x, store, f"x{n}") for n, x in enumerate(seen["inputs"])]}))
    store.save()
    pyc, library = path.with_suffix(".pyc"), path.with_suffix(".so")
    compile_pyc(path, pyc)
    words = [str(ptc), "compile", str(pyc), "-I", str(site), "--entry", "Net", "--eval", "--weights", str(path.with_suffix(".weights.pt")),
             "--example", str(example), "-o", str(library), "--timing", "--dump", str(path.with_suffix("")), *row.model.options]
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
    got = compiled.run(ptc, library, [], [example], path.with_suffix(".out.jsonl"), limit=300)
    if got.kind != "ran" or got.calls[0]["raised"]:
        row.became, row.reason = "failed", f"{got.kind}: {got.text[-1500:]}"
        return row
    result = got.calls[0]["result"]
    row.error = largest_error(seen["result"], result)
    wrong = difference(seen["result"], result, Tolerance(TOLERANCE, TOLERANCE * max(1e-6, float(seen["result"].abs().max()))))
    if wrong:
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
    seen = torch.load(wrapper.with_suffix(".pt"), weights_only=False)
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
    args = parser.parse_args()
    site = site_packages(args.build)
    chosen = [m for m in MODELS if args.filter in m.name and (args.every or args.filter or not m.every)]
    report, native = runner.Report(args.v), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for library in dict.fromkeys(m.library for m in chosen):
            rows = [Row(m) for m in chosen if m.library == library]
            jobs = list(zip(run_eager(site, Path(folder), rows), rows))
            for (path, row), outcome in zip(jobs, runner.outcomes(lambda job: check(args.ptc, site, *job), jobs, args.j, limit=700)):
                seen = outcome.value or Row(row.model, "failed", outcome.wrong)
                print(seen, flush=True)
                native[library] += seen.became == "native"
                report.case(row.model.name, None if seen.became in ("native", "refused") else f"{seen.became}: {seen.reason}")
            if not args.filter:
                least = (LEAST if args.every else LEAST_OF_CI)[library]
                few = native[library] < least
                report.case(f"native programs of {library}", f"{native[library]}, at least {least} expected" if few else None)
        for name, check_it in ((EXAMPLE, run_example), (PATTERNS, run_patterns)):
            if args.filter in name:
                outcome = next(runner.outcomes(lambda folder: check_it(args.ptc, site, folder), [Path(folder)], 1, limit=700))
                report.case(name, outcome.wrong or outcome.value)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
