#!/usr/bin/env python3
"""Operations on sizes that are 0 or 1 in the run alone, as native libraries and on the null target, against eager PyTorch.

    sizes_of_nothing.py --ptc PTC [FILTER] [--every] [-j N] [-v]

One dimension of a tensor t is a number that the call gives. Each expression is compiled once for each place of that dimension,
from a call of which no size is 0 or 1, and called with 0, 1 and others: results, their types, sizes and strides, and the class
of what is raised are eager's; of the rows in WORDED the text, too, which is caught by the program or not. A call that no variant of the library fits is refused, which is right; the null target captures
each call anew.
"""
import json
import sys
import tempfile
from pathlib import Path

import compiled
import pycs
import torch
from compare import Tolerance, observation_difference
from eager import EagerProgram

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TOLERANCE = Tolerance(rtol=1e-4, atol=1e-5)

PROGRAM = """import torch
import torch.nn.functional as F


def entry(n):
    t = (torch.arange(COUNT) % 7 - 3).float().reshape(SIZES)
    try:
        return EXPRESSION
    except (RuntimeError, IndexError, ValueError) as e:
        return type(e).__name__
"""
CAUGHT = PROGRAM.replace("__name__", "__name__ + ': ' + str(e)")
UNCAUGHT = """import torch
import torch.nn.functional as F


def entry(n):
    t = (torch.arange(COUNT) % 7 - 3).float().reshape(SIZES)
    return EXPRESSION
"""

LAST = "t.contiguous(memory_format=torch.channels_last)"
ROWS = {
    (2, 3, 4): [
        "F.max_pool1d(t, 2)", "F.avg_pool1d(t, 2)", "F.adaptive_avg_pool1d(t, 2)", "F.adaptive_max_pool1d(t, 2)",
        "F.interpolate(t, size=3, mode='linear')", "F.pad(t, (1, 1), mode='reflect')", "F.pad(t, (1, -1))",
        "F.conv1d(t, torch.ones(2, 3, 2), padding='same')", "F.conv_transpose1d(t, torch.ones(3, 2, 2))",
        "t.permute(2, 0, 1) + 1, t.permute(2, 0, 1).exp(), t.permute(1, 2, 0).clone()", "t[:, ::2] + 1, t[:, 1:].exp()",
        "t + t[:1], t[:, :1] + t, t + t[..., :1]", "t.permute(2, 0, 1).view(t.shape[2], -1)",
        "t @ t.mT, torch.baddbmm(torch.ones(1), t, t.mT), torch.matmul(t, torch.ones(t.shape[2]))",
        "torch.addbmm(torch.ones(3, 3), t, t.mT)", "torch.norm(t, p=float('inf'))", "torch.norm(t, p=-1.0, dim=(0, 1))",
        "torch.linalg.vector_norm(t, ord=float('-inf'), dim=1)", "torch.cdist(t, t, p=float('inf'))", "t.softmax(1), t.cumsum(0)",
        "F.cross_entropy(t, torch.zeros(t.shape[0], t.shape[2], dtype=torch.long))", "t.index_fill(1, torch.tensor([0]), 2.)",
        "t.index_copy(1, torch.tensor([0]), torch.ones(t.shape[0], 1, t.shape[2]))",
    ],
    (2, 3, 4, 4): [
        "F.max_pool2d(t, 2, return_indices=True)", "F.avg_pool2d(t, 2)", "F.adaptive_avg_pool2d(t, 2)", "F.adaptive_max_pool2d(t, 2)",
        "F.interpolate(t, scale_factor=2)", "F.interpolate(t, size=(3, 3), mode='area')", "F.interpolate(t, size=(3, 3), mode='bicubic')",
        "F.pad(t, (1, 1, 1, 1), mode='replicate')", "F.pad(t, (1, 1, 1, 1), mode='circular')", "F.conv2d(t, torch.ones(2, 3, 3, 3), padding='same')",
        "F.unfold(t, 2)", "F.grid_sample(t, torch.zeros(2, 2, 2, 2), align_corners=False)", "F.scaled_dot_product_attention(t, t, t)",
        f"{LAST} + 1, F.relu({LAST}), torch.cat([{LAST}, {LAST}], 1)", f"torch.stack([{LAST}, {LAST}])",
        f"torch.stack([{LAST}, {LAST}], 2), torch.stack([{LAST}, {LAST}], 4)", f"F.max_pool2d({LAST}, 2)", f"F.conv2d({LAST}, torch.ones(2, 3, 2, 2))",
    ],
    (2, 3, 4, 4, 4): ["F.max_pool3d(t, 2)", "F.avg_pool3d(t, 2)"],
    (3, 4): [
        "t.max(0)", "t.amax(1), t.amin(0)", "t.argmax()", "t.median(0)", "t.kthvalue(1, 1)", "t.std(1), t.var(0), t.mean(0), t.logsumexp(0)",
        "torch.linalg.solve(t @ t.T + 9 * torch.eye(t.shape[0]), t)", "torch.linalg.inv(t @ t.T + 90 * torch.eye(t.shape[0]))",
        "torch.linalg.cholesky(t @ t.T + 90 * torch.eye(t.shape[0]))", "torch.fft.rfft2(t)", "torch.fft.fft(t, dim=0)",
        "torch.addr(torch.ones(3, 3), t[:, 0], t[:, 0])", "t.repeat(t.shape[0] - 2, 1)", "t.view(t.shape[0], 2, -1)", "t.unfold(0, 2, 1)",
        "t.gather(1, torch.zeros(1, 1, dtype=torch.long))", "F.one_hot(t.long().abs(), 8)", "F.glu(t, 0)", "torch.cov(t)", "torch.cross(t, t, dim=0)",
    ],
}
ROW, ROWS_OF_IT = "torch.tensor([1])", "torch.ones(1, t.shape[1])"
WORDED = {
    (3,): [
        f"t[{ROW}]", f"t.index_select(0, {ROW})", f"t.gather(0, {ROW})", f"t.take_along_dim({ROW}, 0)", f"torch.take(t[:0], {ROW})",
        f"t.index_put(({ROW},), torch.ones(1))", f"t.index_fill(0, {ROW}, 1.)", f"t.index_add(0, {ROW}, torch.ones(1))",
        f"t.index_copy(0, {ROW}, torch.ones(1))", f"t.scatter(0, {ROW}, torch.ones(1))",
    ],
    (3, 4): [
        f"t[{ROW}]", f"t[:, {ROW}]", f"t[{ROW}, {ROW} - 1]", f"t[{ROW}[:0], {ROW} + 8]", f"t.index_select(0, {ROW})", f"t.index_select(1, {ROW})",
        f"t.index_select(0, {ROW} + 8)", f"t.index_select(0, {ROW}[:0])", f"F.embedding({ROW}, t)", f"t.gather(0, {ROW}[None])",
        f"t.take_along_dim({ROW}[None], 0)", f"t.take_along_dim({ROW}[None], 1)", f"t.index_put(({ROW},), torch.ones(1))",
        f"t.index_fill(0, {ROW}, 1.)", f"t.index_add(0, {ROW}, {ROWS_OF_IT})", f"t.index_copy(0, {ROW}, {ROWS_OF_IT})",
        # A result that nothing uses is computed, too.
        *(f"(t.{call}, 1)[1]" for call in ("argmax()", "max()", "min(0)", "argmin(1)", "amax()", "amin(0)", "median(0)", "aminmax()", "aminmax(dim=0)")),
        "t.long() // (t.long() * 0)", "t.aminmax(dim=1)", "t.long() // 0", "t.long() % 0", "torch.div(t.long(), 0, rounding_mode='trunc')",
        "(t.long().fmod(0), 1)[1]", *(f"F.embedding(t.long()[:0, 0], t, padding_idx={i})" for i in (0, 1, -1)),
        "torch.multinomial(t + 4, True)", "(t + 4).multinomial(False)", "torch.multinomial(torch.ones(1).expand((1 << 24) + 1 + t.shape[0]), 1)",
        # An index of no elements fits whatever it is.
        *(f"{made}.{call}" for made in ("torch.ones(2, 2)", "torch.ones(2)") for call in (
            "gather(0, t.long() * 0)", "gather(-1, t.long() * 0)", "scatter(0, t.long() * 0, 1.)", "scatter_add(0, t.long() * 0, t)",
            "scatter_reduce(-1, t.long() * 0, t, 'amax')", "gather(0, t)", "scatter(0, t, 1.)")),
        *(f"{f}({args})" for f in ("torch.quantile", "torch.nanquantile") for args in (
            "t, n * 0.3", "t, 1.23456789 + n", "t, float('nan')", "t, torch.tensor([0.5, n * 0.3])", "t, 0.5, 5", "t, torch.tensor([7.]), 7",
            "t.long(), 0.5", "t, torch.tensor([1, 0]), 7", "t, 0.5, interpolation='nix'", "t, torch.tensor([[0.5]])", "t, 0.5, dim=n - 3")),
    ],
    (2, 3, 4): [f"t.index_select({d}, {ROW} + {d})" for d in range(3)],
    (2, 3, 4, 4): [
        "F.adaptive_avg_pool2d(t, 2)", "F.adaptive_max_pool2d(t, 2)", "F.interpolate(t, size=(3, 3), mode='area')", "F.unfold(t[:, :0], 2)",
    ],
}


def differs(kind, folder, examples, calls, program):
    """None, or what differs between eager and what `kind` says of these calls, each in a context of its own."""
    for (n, call), path in zip(calls, examples):
        source = [folder / "program.so", []] if kind == "native" else [folder / "program.pyc", path]
        got = compiled.run(program.ptc, *source, [path], folder / "out.jsonl")
        if got.kind == "miss" and kind == "native" or got.kind == "refused" and kind == "null":
            continue
        if got.kind != "ran":
            return f"n = {n}, {kind}: {got.kind}: {got.first_error}"
        if text := observation_difference(program.observe(call), got.calls[0], TOLERANCE):
            return f"n = {n}, {kind}: {text}"
    return None


def check(ptc, sizes, place, expression, frame=PROGRAM):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source = folder / "program.py"
        shown = ["n" if d == place else str(size) for d, size in enumerate(sizes)]
        text = frame.replace("COUNT", " * ".join(shown)).replace("SIZES", ", ".join(shown)).replace("EXPRESSION", expression)
        source.write_text(text)
        pycs.compile_pyc(source, folder / "program.pyc")
        calls = [(n, {"args": [n]}) for n in (sizes[place], 0, 1, sizes[place] + 1)]
        paths = compiled.write_calls([call for _, call in calls], folder)
        command = compiled.command(ptc, "compile", folder / "program.pyc", examples=paths[:1])
        code, _, said = compiled.execute([*command, "-o", str(folder / "program.so")], 60)
        if code:
            return f"exit code {code}: {said[:300]}"
        program = EagerProgram(source)
        program.ptc = ptc
        return differs("native", folder, paths, calls, program) or differs("null", folder, paths, calls, program)


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--every", action="store_true", help="every place of every expression")
    args = parser.parse_args()
    cases = [(f"{json.dumps(list(sizes))} at {place}: {expression}", (args.ptc, sizes, place, expression))
             for sizes, expressions in ROWS.items() for expression in expressions for place in range(len(sizes))]
    cases += [(f"{json.dumps(list(sizes))} at {place}, {name}: {expression}", (args.ptc, sizes, place, expression, frame))
              for sizes, expressions in WORDED.items() for expression in expressions for place in range(len(sizes))
              for name, frame in (("caught", CAUGHT), ("uncaught", UNCAUGHT))]
    if not (args.every or args.filter):
        cases = [case for case in cases if runner.is_turn(case[0], of=3)]
    torch.set_num_threads(1)
    return runner.run(cases, check, args)


if __name__ == "__main__":
    sys.exit(main())
