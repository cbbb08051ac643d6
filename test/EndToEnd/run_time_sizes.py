#!/usr/bin/env python3
"""Operations on sizes and counts that only the run knows, as native libraries, against eager PyTorch.

    run_time_sizes.py --ptc PTC [FILTER] [-j N] [-v]

A matrix x of any size and an int n that is read from a tensor, that is an argument, or that is a size of another tensor.
Expressions of one group are results of one program, which is compiled once for each of these with `--dynamic all`; calls
have other sizes and numbers than each other. All of them have native code: a refusal is a failure.

Expressions of NUMBERS are called with an int that changes what eager does, or that it refuses; each call is an example.
"""
import sys
import tempfile
from pathlib import Path

import compiled
import pycs
import torch
from compare import Tolerance
from run import Job
from table import Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"
TOLERANCE = Tolerance(rtol=1e-4, atol=1e-5)
SHAPES = [((4, 6), 2), ((5, 4), 3), ((7, 8), 1), ((6, 5), 4), ((9, 4), 2)]
MORE_SHAPES = {"views of slices": [((5, 4), 4), ((2, 3), 3)]}

FORMS = {
    "data": ("x, k", "n = int(k[0].item())"),
    "argument": ("x, n", ""),
    "size": ("x, y", "n = y.shape[0]"),
}

GROUPS = {
    "repetitions": ["x.repeat(n, 1)", "x.repeat(1, n)", "x.repeat(n, 2, 1)", "torch.tile(x, (n, 1))",
                    "x.repeat_interleave(n, 0)", "x.repeat_interleave(n)"],
    "repetitions that data say": ["x.repeat_interleave((x[:, 0] * 3).abs().long() % (n + 1), 0)", "torch.repeat_interleave((x[0] * 3).abs().long() % 3)",
                                  "torch.repeat_interleave(x, torch.full((), n), dim=1)", "x[:, 0].repeat_interleave((x[:, 1] > 0).int() * n) * 2",
                                  "x.repeat_interleave(torch.zeros(1, dtype=torch.long), 0).sum()"],
    "places that data say": ["torch.argwhere(x > 0)", "[p.sum() for p in x.tensor_split(torch.full((2,), n))]",
                             "x.tensor_split((x[0, :2].abs() * 3).long())", "torch.tensor_split(x, torch.full((1,), n), dim=-1)"],
    # Of the same sizes: a slice is contiguous where n is all of it.
    "views of slices": ["x[:, :n].view(x.shape[0], n)", "x[:, :n].view(x.shape[0], n) * 2", "x[:, :n].contiguous().view(x.shape[0], n)",
                        "x[:, -n:].view(x.shape[0], n) + 1", "F.relu(x)[:, :n].contiguous().view(x.shape[0], n) * n", "x[:, :n].view(x[:, :n].shape)"],
    "padding": ["F.pad(x, (n, 1))", "F.pad(x, (0, n, 1, n), value=0.5)", "F.pad(x, (-1, n), value=2.0)",
                "F.pad(x, (n - 2, 1 - n, -n, n))"],
    "padding by mode": ["F.pad(x[None], (min(n, 3) - 1, 0), mode='reflect')", "F.pad(x[None], (n, 1), mode='replicate')"],
    "shifts": ["torch.roll(x, n, 0)", "torch.roll(x, (n, -n), (0, 1))", "torch.roll(x, n)"],
    "factories": ["torch.eye(n)", "torch.eye(n, 3)", "torch.eye(x.shape[0])", "torch.tensor([[0.5, n]])"],
    "steps": ["torch.linspace(0, 1, n)", "torch.linspace(0, 1, x.shape[0])", "torch.linspace(-3, 8, 2 * n)",
              "torch.logspace(0, 1, n)"],
    "ranges": ["torch.arange(n, -n, -1.0)", "torch.arange(n, -n, -1.0, dtype=torch.int64).float()", "torch.arange(0.0, n)", "torch.arange(n, -2, -2.0) * x[0, 0]", "torch.arange(x.shape[0], -x.shape[1], -3.0)"],
    "orders": ["torch.topk(x, n, 0)", "torch.topk(x, min(n, 3), 1, largest=False)", "x.topk(n, 0)[0].sum()"],
    "joins": ["torch.cat([x, x[:n]])", "torch.cat([torch.zeros(n, x.shape[1]), x])", "torch.cat([x[:, :n], x], 1)"],
    "classes": ["F.one_hot(torch.arange(n), n)", "F.one_hot(torch.arange(3), n + 3)"],
    "differences": ["torch.diff(x[:n + 1], dim=0)", "torch.diff(x, n=2)", "x.diff(n=1)"],
    "pictures": ["F.interpolate(x[None], scale_factor=2)", "F.interpolate(x[None], size=n)",
                 "F.interpolate(x[None, None], scale_factor=2)", "F.interpolate(x[None, None], scale_factor=1.5)",
                 "F.interpolate(x[None, None], size=(n, 7), mode='bilinear')",
                 "F.interpolate(x[None, None], size=(n, 3), mode='bilinear', align_corners=True)"],
    "adaptive windows": ["F.adaptive_avg_pool1d(x[None], n)", "F.adaptive_avg_pool1d(x[None], 1)",
                         "F.adaptive_avg_pool2d(x[None], (2, n))"],
    "norms": ["F.group_norm(x[None], 1)", "F.normalize(x[:n])", "F.instance_norm(x[None])"],
    "equality": ["torch.equal(x, x + 0)", "torch.equal(x, x[:n])", "1 if torch.equal(x[:n], x[:n] + 0) else 2",
                 "torch.equal(x, x * 1.5)", "torch.is_nonzero(x[0, 0])"],
    "expansions": ["x.expand(n, -1, -1) * 2", "x[None].expand(n, *x.shape) + 1",
                   "torch.cartesian_prod(torch.arange(n), torch.arange(2))",
                   "torch.broadcast_to(x, (n, *x.shape)) * 1"],
    "views": ["torch.ones(n, 2).view(2, n)", "x[:n].reshape(-1)", "x.unbind(1)[1]", "x.unbind(0)[2] + 1",
              "[x[i] * i for i in range(2)]"],
    "pieces": ["x.chunk(2, 0)", "x.chunk(3, 1)[1] + 1", "x.tensor_split(3)", "x.tensor_split(2, 1)[1] * 2"],
    "lists": ["torch.stack([x[i] * i for i in range(n)])", "torch.cat([x[i] + i for i in range(n)])",
              "torch.stack([x.t() * i for i in range(n)], 1)", "torch.cat([x.t()[:2] * i for i in range(n)], 1)"],
    "small integers": ["x.to(torch.int8).masked_fill(x > 0, n)", "x.to(torch.uint8) + n"],
}


# Each call is an example.
NUMBERS = {
    "a vector without elements in cat": ("torch.cat([x, torch.ones(n)])", [0, 2]),
    "vectors alone in cat": ("torch.cat([x[0], torch.ones(n)])", [0, 2]),
    "the step of a slice": ("x[::n]", [2, -1, 0, 1]),
    "the step of a slice of columns": ("x[:, 1::n] + 1", [3, 0, -2]),
    "a view by strides": ("x.as_strided([n, 3], [n + 5, 1]).view(-1)", [1, 0, 2]),
    "the mean of no scores": ("(F.cross_entropy(x[:, :n], x[:, :n].sigmoid(), label_smoothing=0.2), F.cross_entropy(x[:n, :2], x[:n, :2]), "
                              "F.cross_entropy(x[0, :n], x[1, :n], reduction='sum'))", [2, 0, 1]),
    "a permuted tensor": ("(x[:n].t() + 1, x[:n].t().exp(), x[:n].t().contiguous(), x[:n].t().clone())", [2, 0, 1]),
    "pieces of a permuted tensor": ("(torch.cat([x[:n].t(), x[:n].t()]), torch.roll(x[:n].t(), 1, 0))", [2, 0, 1]),
    "channels-last images": ("tuple([f(torch.ones(n, 2, 3, 3).contiguous(memory_format=torch.channels_last)) for f in "
                             "(torch.relu, F.relu6, F.hardtanh, torch.nan_to_num, torch.clone)])", [2, 0, 1]),
}


def calls_of(form, group):
    generator = torch.Generator().manual_seed(3)
    for (rows, columns), n in SHAPES + MORE_SHAPES.get(group, []):
        x = {"$tensor": f"f32[{rows},{columns}]", "values": torch.randn(rows, columns, generator=generator).tolist()}
        other = {"data": {"$tensor": "i64[1]", "values": [n]}, "argument": n,
                 "size": {"$tensor": f"f32[{n}]", "values": [1.0] * n}}[form]
        yield {"args": [x, other]}


def check_numbers(ptc, name):
    expression, numbers = NUMBERS[name]
    calls = [{"args": [{"$tensor": "f32[4,6]", "values": torch.arange(24.0).view(4, 6).tolist()}, n]} for n in numbers]
    return compiled_differs(ptc, f"def entry(x, n):\n    return {expression}\n", calls, ())


def check(ptc, form, group):
    names, first = FORMS[form]
    text = f"def entry({names}):\n" + (f"    {first}\n" if first else "") + f"    return ({', '.join(GROUPS[group])},)\n"
    return compiled_differs(ptc, text, list(calls_of(form, group)), ("--dynamic", "all"))


def compiled_differs(ptc, text, calls, options):
    """None, or what differs between eager and the library that is compiled for these calls."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source, pyc, library = folder / "program.py", folder / "program.pyc", folder / "libprogram.so"
        source.write_text(HEAD + text)
        pycs.compile_pyc(source, pyc)
        job = Job(Case("program", source, "entry", calls=calls, folder=folder, tolerance=TOLERANCE), folder)
        raised = next((want.raised for want in job.want if want.raised), None)
        if raised and options:                 # those of GROUPS are all right
            return f"eager raises {raised}"
        command = compiled.command(ptc, "compile", pyc, examples=job.calls, **job.options())
        made = batch.run([*command, *options, "-o", str(library)], text=True)
        if made.returncode:
            return f"exit code {made.returncode}\n{made.stderr[:600]}"
        verdict, text = job.judge(compiled.run(ptc, library, [], job.calls, folder / "out.jsonl"))
        return None if verdict == "ok" else f"{verdict}: {text}"


def main():
    args = runner.options(__doc__).parse_args()
    cases = [(f"{group} ({form})", (args.ptc, form, group)) for group in GROUPS for form in FORMS]
    numbers = [(f"numbers: {name}", (args.ptc, name)) for name in NUMBERS]
    return runner.run(cases + numbers, lambda *given: (check if len(given) == 3 else check_numbers)(*given), args)


if __name__ == "__main__":
    sys.exit(main())
