#!/usr/bin/env python3
"""The models of examples/models as native libraries against the same programs in eager PyTorch, on this machine.

    cpu.py --ptc PTC [MODEL…] [--config full] [--pairs 5] [--threads 1]

The results are compared first. Then processes alternate: `ptc bench` of the library, eager PyTorch with as many
threads. A process gives the median and the best of its calls; the table gives the median over the pairs of both, and
of their ratio (above 1: the library is faster).
"""
import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

from processes import output

ROOT = Path(__file__).resolve().parents[2]
MODELS = ROOT / "examples/models"
sys.path.insert(0, str(MODELS))
SECONDS = 1.5  # of calls in each process


def eager(model, config, threads):
    """Prints the times of calls of the Python program, in microseconds."""
    import torch
    import make_weights
    torch.set_num_threads(threads)
    _, entry, calls = make_weights.build(model, json.loads((MODELS / "configs.json").read_text())[model][config])
    times = []
    with torch.no_grad():
        for _ in range(3):
            entry(**calls[0])
        end = time.perf_counter() + SECONDS
        while len(times) < 5 or time.perf_counter() < end:
            start = time.perf_counter()
            entry(**calls[0])
            times.append((time.perf_counter() - start) * 1e6)
    print(json.dumps({"median": statistics.median(times), "min": min(times)}))


def prepare(ptc, model, config, folder):
    """The library, checked on the calls of the configuration."""
    make = [sys.executable, MODELS / "make_weights.py", model, config, "-o", folder]
    output(*make)
    row = json.loads((MODELS / "configs.json").read_text())[model][config]
    library = folder / f"{model}.so"
    start = time.perf_counter()
    output(ptc, "compile", folder / f"{model}.pyc", "--entry", row["entry"], "--init", json.dumps(row["init"]),
           "--weights", folder / f"{model}.safetensors", "--example", folder / "call_0.json", "-o", library)
    seconds = time.perf_counter() - start
    calls = [part for n in range(len(row["inputs"])) for part in ("--call", folder / f"call_{n}.json")]
    output(ptc, "run", library, *calls, "--save", folder / "result.jsonl")
    print(f"{model} {config}: compiled in {seconds:.1f} s, {output(*make, '--check').strip()}")
    return library


def compare(args, model, folder):
    library = prepare(args.ptc, model, args.config, folder)
    ours, theirs = [], []
    for _ in range(args.pairs):
        told = output(args.ptc, "bench", library, "--call", folder / "call_0.json", "--threads", args.threads,
                      "--seconds", SECONDS, "--samples", 5, "--json")
        ours.append(json.loads(told)[0]["latency_us"])
        theirs.append(json.loads(output(sys.executable, __file__, "--eager", model, "--config", args.config, "--threads",
                                        args.threads)))
    middle = lambda values: statistics.median(values)
    for what in ("median", "min"):
        a, b = [row[what] for row in ours], [row[what] for row in theirs]
        ratio = middle([y / x for x, y in zip(a, b)])
        print(f"  {what:6}  ptc {middle(a):12.1f} us   eager {middle(b):12.1f} us   ratio {ratio:6.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=["mlp", "resnet18", "gpt2"])
    parser.add_argument("--ptc", type=Path)
    parser.add_argument("--config", default="full")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--eager", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.eager:
        return eager(args.eager, args.config, args.threads)
    if not args.ptc:
        parser.error("--ptc says which ptc to measure")
    for model in args.models:
        with tempfile.TemporaryDirectory() as folder:
            compare(args, model, Path(folder))


if __name__ == "__main__":
    main()
