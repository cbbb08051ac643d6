#!/usr/bin/env python3
"""Models captured once with a symbolic size, called with a sweep of sizes, against eager PyTorch.

    sweep.py --ptc PTC [FILTER] [-j N] [-v]

Each row captures from one example or from declared inputs, and calls with every size of its sweep. Sizes that the
row says are answered must be answered; what is beyond them must be refused, or behave as eager does.
"""
import json
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch

import compiled
from compare import observation_difference
from eager import EagerProgram
from pycs import compile_pyc
from table import EXAMPLES, MODELS
import make_weights
from notation import TensorStore, encode, save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402


@dataclass
class Sweep:
    name: str
    model: str
    config: str                                # of configs.json
    inputs: dict                               # {n}: the size
    answered: list                             # sizes
    beyond: list                               # sizes that may be refused
    example: int = 0                           # the size that it is captured from; 0: `options` declare the inputs
    options: list = field(default_factory=list)


BATCHES = [1, 2, 3, 7, 8, 16, 33]
MLP, LOSS = {"x": "f32[{n},12]", "temperature": 2.0}, {"idx": "i64[2,{n}]<31", "targets": "i64[2,{n}]<31"}
# One row or one token is laid out like a vector: variants of their own.
NARROW = ["--allow-narrowing", "--explore"]
IDS = {"idx": "i64[2,{n}]<61"}
ROWS = [
    Sweep("mlp-batch", "mlp", "small", MLP, BATCHES[1:], [0, 1], 3, ["--dynamic", "all"]),
    Sweep("mlp-batch-declared", "mlp", "small", MLP, [*BATCHES, 64], [0, 65],
          options=["--input", "x=f32[B in 1..64,12]", "--input", "temperature=2.0"]),
    Sweep("mlp-predict", "mlp", "predict", {"x": "f32[{n},6]"}, BATCHES, [0],
          options=["--input", "x=f32[B in 1..64,6]"]),
    Sweep("mlp-features", "mlp", "small", {"x": "f32[2,{n}]"}, [12], [11, 13], 12, ["--dynamic", "all"]),
    Sweep("gpt2-length", "gpt2", "small", IDS, list(range(2, 13)), [0, 1, 13, 14], 9, ["--dynamic", "all"]),
    Sweep("gpt2-length-declared", "gpt2", "small", IDS, list(range(1, 13)), [0, 13],
          options=["--input", "idx=i64[2,L in 1..12]", *NARROW]),
    Sweep("gpt2-batch", "gpt2", "small", {"idx": "i64[{n},9]<61"}, BATCHES, [0],
          options=["--input", "idx=i64[B in 1..64,9]", *NARROW]),
    Sweep("gpt2-batch-and-length", "gpt2", "small", {"idx": "i64[{n},{n}]<61"}, [1, 2, 3, 7, 12], [13],
          options=["--input", "idx=i64[B in 1..64,L in 1..12]", *NARROW]),
    Sweep("gpt2-loss", "gpt2", "loss", LOSS, list(range(2, 9)), [0, 1, 9], 5, ["--dynamic", "all"]),
    Sweep("gpt2-generate", "gpt2", "generate", {"idx": "i64[1,{n}]<19"}, [2], [1, 3, 4, 5, 6, 9], 2, ["--dynamic", "all"]),
]


def make_call(row, size, store, generator):
    kwargs = {name: make_weights.draw(spec.format(n=size) if isinstance(spec, str) else spec, generator)
              for name, spec in row.inputs.items()}
    return {"kwargs": encode(kwargs, store, f"n{len(store.tensors)}")}


def check_row(ptc, row):
    config = json.loads((EXAMPLES / "models/configs.json").read_text())[row.model][row.config]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = EXAMPLES / f"models/{row.model}.py"
        compile_pyc(source, folder / "model.pyc")
        instance, _, _ = make_weights.build(row.model, config)
        weights = folder / "model.safetensors"
        save_safetensors(weights, make_weights.untied(instance.state_dict()))
        store, generator = TensorStore(folder / "inputs.safetensors"), torch.Generator().manual_seed(1)
        sizes = [*row.answered, *row.beyond, row.example or 1]
        calls = [make_call(row, size, store, generator) for size in sizes]
        store.save()
        *paths, example = compiled.write_calls(calls, folder, folder)
        program = EagerProgram(source, config["entry"], config["init"], weights)
        run = lambda made, save: compiled.run(ptc, folder / "model.pyc", [example] if row.example else [], made, folder / save,
                                              config["entry"], config["init"], weights, options=row.options)
        count = len(row.answered)
        got = run(paths[:count], "answered.jsonl")
        if got.kind != "ran":
            return f"{got.kind}: {got.text[:600]}"
        for size, call, seen in zip(sizes, calls, got.calls, strict=False):
            text = observation_difference(program.observe(call, folder), seen, MODELS)
            if text:
                return f"size {size}: {text}"
        for size, call, path in zip(row.beyond, calls[count:], paths[count:]):
            got = run([path], "beyond.jsonl")
            if got.kind == "miss":
                continue
            text = f"{got.kind}: {got.text[:300]}" if got.kind != "ran" else \
                observation_difference(program.observe(call, folder), got.calls[0], MODELS)
            if text:
                return f"size {size}: {text}"
        return None


def main():
    args = runner.options(__doc__).parse_args()
    return runner.run([(row.name, (args.ptc, row)) for row in ROWS], check_row, args)


if __name__ == "__main__":
    sys.exit(main())
