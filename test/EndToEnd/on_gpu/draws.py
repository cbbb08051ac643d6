#!/usr/bin/env python3
"""Random numbers of artefacts for a GPU against eager PyTorch on that GPU, bit for bit.

    draws.py make FOLDER [DRAW…] --ptc PTC [--gpu sm_90a]      no GPU needed; the folder has all that `run` needs
    draws.py run FOLDER [DRAW…]                                PyTorch with CUDA and nothing else

Each program seeds, then draws tensors of several sizes one after the other, so that what a draw takes of the generator counts,
too. Calls go on from each other: the second one of a seed is another one of the same graph. The last line: `N passed, N failed`.
"""
import argparse
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
SEEDS = [0, 1, 42, 67280421310721, 2**62 + 12345]
# Around the edges of a block of eager's, of its grid on an H100 (270336 threads) and of what a thread makes of four words.
SIZES = [(1,), (3, 5), (256,), (257,), (270337,), (4, 1031, 257), (2500001,)]
SMALL = SIZES[:5]
FLOATS, INTEGERS = ["float32", "float64", "float16", "bfloat16"], ["int64", "int32", "uint8"]

# Name: an expression of a size `s` and a type `d`, the types, the sizes.
DRAWS = {
    "rand": ("torch.rand(s, dtype=d)", FLOATS, SIZES),
    "randn": ("torch.randn(s, dtype=d)", FLOATS, SIZES),
    "uniform": ("torch.empty(s, dtype=d).uniform_(-0.3, 5.7)", FLOATS, SIZES),
    "normal": ("torch.empty(s, dtype=d).normal_(1.3, 0.7)", FLOATS, SIZES),
    "bernoulli": ("torch.empty(s, dtype=d).bernoulli_(0.3)", FLOATS + INTEGERS + ["bool"], SIZES),
    "exponential": ("torch.empty(s, dtype=d).exponential_(1.7)", FLOATS, SIZES),
    "cauchy": ("torch.empty(s, dtype=d).cauchy_(0.5, 1.5)", FLOATS, SIZES),
    "geometric": ("torch.empty(s, dtype=d).geometric_(0.01)", FLOATS + INTEGERS, SIZES),
    "log-normal": ("torch.empty(s, dtype=d).log_normal_(0.3, 0.7)", FLOATS, SIZES),
    "randint": ("torch.randint(-100, 100, s, dtype=d)", FLOATS + ["int64", "int32"], SIZES),
    "randint-wide": ("torch.randint(-5, 1 << 40, s, dtype=d)", ["float32", "float64", "int64"], SIZES),
    "randint-bytes": ("torch.randint(0, 2, s, dtype=d)", ["uint8", "bool"], SIZES),
    "random": ("torch.empty(s, dtype=d).random_()", FLOATS + INTEGERS + ["bool"], SIZES),
    "random-all": ("torch.empty(s, dtype=d).random_(-2**63, None)", ["int64"], SIZES),
    "permutation": ("torch.randperm(s[0], dtype=d)", ["int64", "int32", "float32"], [(0,), (1,), (5,), (1000,), (29000,), (40000,), (300001,)]),
    "dropout": ("F.dropout(torch.full(s, 1.7, dtype=d), 0.3)", FLOATS, [*SIZES, (264,), (2500002,), (2500004,), (8, 1024, 512)]),
    "dropout-shifted": ("F.dropout(torch.full(s, 1.7, dtype=d)[2:], 0.15)", FLOATS, [(1026,), (1027,), (2500002,), (2500010,)]),
    "last": ("torch.empty(s, dtype=d).to(memory_format=torch.channels_last).normal_()", FLOATS, [(2, 3, 4, 5), (4, 33, 57, 61)]),
    "part": ("torch.zeros(s, dtype=d)[:, 1:].uniform_()", FLOATS, [(3, 5), (1000, 1001)]),
}


def source(name):
    expression, dtypes, sizes = DRAWS[name]
    drawn = [expression.replace("(s,", f"({size},").replace(" s,", f" {size},").replace("s[0]", str(size[0]))
             .replace("dtype=d", f"dtype=torch.{dtype}") for dtype in dtypes for size in sizes]
    lines = "".join(f"        {each},\n" for each in drawn)
    return f"{HEAD}def entry(x, seed):\n    torch.manual_seed(seed)\n    return (\n        x + 1,\n{lines}    )\n"


def make(args):
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    shutil.copy(ROOT / "lib/Runtime/ptc_loader.py", args.folder)
    for name in args.draws or DRAWS:
        py = args.folder / f"{name}.py"
        py.write_text(source(name))
        pyc = py_compile.compile(str(py), cfile=str(py.with_suffix(".pyc")), doraise=True)
        subprocess.run([args.ptc, "compile", pyc, "-q", "--target=cuda", f"--gpu={args.gpu}", "--input=x=f32[1]", "--input=seed=3",
                        "-o", args.folder / f"{name}.so"], check=True)
        Path(pyc).unlink()
    return 0


def differences(name, got, expected):
    """What is wrong with a call's results, one text for each that differs."""
    import torch
    _, dtypes, sizes = DRAWS[name]
    for place, mine, theirs in zip([f"{dtype} {size}" for dtype in dtypes for size in sizes], got[1:], expected[1:], strict=True):
        if mine.dtype != theirs.dtype or mine.shape != theirs.shape or mine.stride() != theirs.stride():
            yield f"{place}: {mine.dtype} {tuple(mine.shape)} {mine.stride()}, eager {theirs.dtype} {tuple(theirs.shape)} {theirs.stride()}"
            continue
        bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[mine.element_size()]
        mine, theirs = (t.cuda().contiguous().reshape(-1) for t in (mine, theirs))
        wrong = (mine.view(bits) != theirs.view(bits)).nonzero().reshape(-1)
        if len(wrong):
            at = wrong[0].item()
            yield f"{place}: {len(wrong)} of {len(mine)} differ, the first at {at}: {mine[at].item()!r}, eager {theirs[at].item()!r}"


def run(args):
    import torch
    sys.path.insert(0, str(args.folder))
    import ptc_loader
    passed = failed = 0
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    for name in args.draws or DRAWS:
        scope = {}
        exec(compile((args.folder / f"{name}.py").read_text(), f"{name}.py", "exec"), scope)
        x, problems, compared = torch.zeros(1, device="cuda"), set(), 0
        with ptc_loader.Model(args.folder / f"{name}.so") as model:
            for seed in SEEDS:
                with torch.device("cuda"):
                    expected = scope["entry"](x, seed)
                for turn in range(2):
                    problems |= {f"seed {seed}, call {turn}, {text}" for text in differences(name, model(x, seed), expected)}
                    compared += len(expected) - 1
        passed, failed = passed + compared - len(problems), failed + len(problems)
        print(f"{name:16}{'bit for bit' if not problems else f'WRONG: {len(problems)} of {compared} tensors'}", flush=True)
        for text in sorted(problems)[:6]:
            print(f"    {text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    maker, runner = verbs.add_parser("make"), verbs.add_parser("run")
    for verb, function in ((maker, make), (runner, run)):
        verb.add_argument("folder", type=Path)
        verb.add_argument("draws", nargs="*", metavar="DRAW")
        verb.set_defaults(run=function)
    maker.add_argument("--ptc", required=True)
    maker.add_argument("--gpu", default="sm_90a")
    args = parser.parse_args()
    if unknown := set(args.draws) - set(DRAWS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
