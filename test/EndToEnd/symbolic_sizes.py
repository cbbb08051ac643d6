#!/usr/bin/env python3
"""Programs whose sizes are all symbols, with every tensor where the plan puts it, against eager PyTorch.

    symbolic_sizes.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a chain of operations whose sizes are quotients, products, minima and maxima of the sizes of the inputs
and shrink in loops; values that are kept to the end live beside it. It is captured with `--dynamic all`, runs on the null
target with places in one arena that begins as NaN, and as a native library, for inputs of several sizes. What has no
native code yet is refused by number (PTC1002) and counted apart.
"""
import random
import sys
import tempfile
from pathlib import Path

import torch

import compiled
import drawn
import pycs
from compare import Tolerance
from notation import save_safetensors
from run import Job
from table import Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

HEAD = "import math\nimport torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"
NO_NATIVE_CODE = "[PTC1002]"
TOLERANCE = Tolerance(rtol=1e-3, atol=1e-3)
SHAPES = [(13, 6), (29, 9), (8, 5)]

# h: a matrix of any size of at least one row and column. WHOLE: without views, which have no native code for all sizes.
WHOLE = ["h = h.sin() * 1.5", "h = h.softmax(-1)", "h = h.cumsum(0) * 0.1", "h = h.repeat(2, 1).tanh()",
         "h = torch.tril(torch.ones(h.shape[0], h.shape[0])) @ h * 0.1", "h = F.pad(h, (1, 2)).sigmoid()",
         "h = h.sum(0, keepdim=True) + h", "h = h.sort(0)[0] * 0.5", "h = torch.cat([h, h + 1], 1).cos()"]
STEPS = [*WHOLE, "h = h[::2] + 1", "h = h[::3] * h[::3]", "h = h[1:] - 1 if h.shape[0] > 1 else h + 1",
         "h = h[: h.shape[0] // 2 + 1].cumsum(1)", "h = h[:, : h.shape[1] // 3 + 1] * 2",
         "h = h[: math.ceil(h.shape[0] / 2)] * 1.5", "h = h[int(h.shape[0] * 0.25):, : math.ceil(h.shape[1] / 3)].sin()",
         "h = h[: max(h.shape[0] - 3, 1)].exp().clamp(max=9)", "h = h[: min(h.shape[0], 5)].cos()",
         "h = torch.cat([h, h[:1]]).tanh()", "h = (h @ h.t()).softmax(0)", "h = (h.t() @ h).tanh()",
         "h = F.max_pool1d(h[None], 3, stride=2, padding=1)[0]", "h = h.reshape(h.shape[0] * h.shape[1], 1)[::4].sin()",
         "for i in range(3):\n    h = h.cumsum(0)[: h.shape[0] // 2 + 1].sin()",
         "n = 0\nwhile h.shape[0] > 1 and n < 4:\n    h = (h.cumsum(1) * 0.3)[::2]\n    n += 1",
         "n = 0\nwhile h.shape[1] > 2 and n < 3:\n    h = torch.cat([h.sin()[:, 1::2], h[:, :1]], 1)\n    n += 1"]

MODULES = {
    "attention": ("""
        def __init__(self, d=8, h=2):
            super().__init__()
            self.h = h
            self.qkv, self.o, self.ln = nn.Linear(d, 3 * d), nn.Linear(d, d), nn.LayerNorm(d)
            self.eval()

        def forward(self, x):
            B, T, D = x.size()
            q, k, v = self.qkv(self.ln(x)).split(D, dim=2)
            q, k, v = (t.view(B, T, self.h, D // self.h).transpose(1, 2) for t in (q, k, v))
            a = (q @ k.transpose(-2, -1)) / math.sqrt(k.size(-1))
            a = a.masked_fill(torch.tril(torch.ones(T, T)) == 0, float("-inf")).softmax(-1)
            return x + self.o((a @ v).transpose(1, 2).contiguous().view(B, T, D))
        """, [(2, 5, 8), (3, 7, 8), (4, 18, 8)]),
    "heads": ("""
        def __init__(self):
            super().__init__()
            self.qkv, self.o = nn.Linear(8, 24), nn.Linear(8, 8)
            self.eval()

        def forward(self, x):
            B, T, D = x.shape
            q, k, v = (t.view(B, T, 2, 4).transpose(1, 2) for t in self.qkv(x).split(8, dim=2))
            a = torch.softmax(q @ k.transpose(-2, -1) * 0.5, -1) @ v
            return self.o(a.transpose(1, 2).reshape(B, T, D))
        """, [(2, 5, 8), (3, 7, 8), (4, 18, 8)]),
    "multihead": ("""
        def __init__(self):
            super().__init__()
            self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
            self.eval()

        def forward(self, x):
            return self.attention(x, x, x, need_weights=False)[0]
        """, [(2, 5, 8), (3, 7, 8), (4, 18, 8)]),
    "halved_rows": ("""
        def __init__(self):
            super().__init__()
            self.l = nn.Linear(4, 4)

        def forward(self, x):
            n = 0
            while x.shape[0] > 1 and n < 4:
                x = self.l(x)[::2]
                n += 1
            return x.sum(), n
        """, [(9, 4), (40, 4), (2, 4)]),
    "convolutions": ("""
        def __init__(self):
            super().__init__()
            self.c, self.n = nn.Conv1d(2, 4, 3, stride=2, padding=1), nn.GroupNorm(2, 4)
            self.p = nn.AdaptiveAvgPool1d(1)
            self.eval()

        def forward(self, x):
            n = 0
            while x.shape[-1] > 1 and n < 4:
                x = self.n(self.c(x)).relu()[:, :2]
                n += 1
            return self.p(x).flatten(1), n
        """, [(2, 2, 9), (3, 2, 33), (1, 2, 5)]),
    "shifted_windows": ("""
        def forward(self, x):
            B, C = x.shape[0], x.shape[-1]
            H = W = 4
            y = torch.roll(x, shifts=(-1, -1), dims=(1, 2))
            y = y.view(B, H // 2, 2, W // 2, 2, C).permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 2, 2, C)
            y = y - y.mean((1, 2), keepdim=True)
            n = int(y.shape[0] / (H * W / 2 / 2))
            y = y.view(n, H // 2, W // 2, 2, 2, -1).permute(0, 1, 3, 2, 4, 5).contiguous().view(n, H, W, -1)
            return x + torch.roll(y, shifts=(1, 1), dims=(1, 2)), math.floor(B / 3) + math.ceil(C / 3) + int(B * 1.5)
        """, [(2, 4, 4, 3), (3, 4, 4, 3), (7, 4, 4, 3)]),
    "negative_way": ("""
        def forward(self, x):
            y = (x + 1).cumsum(0)
            if x.shape[0] > 20:
                for i in range(5):
                    y = (y[-1:] + torch.ones(x.shape[0] - 20, x.shape[1]).cumsum(0) * 0.1).sin()
            return y.cumsum(0), y.sin()
        """, [(9, 4), (23, 4), (140, 3)]),
}
NATIVE = ("heads", "multihead", "halved_rows", "shifted_windows")  # have native code for all sizes


def chain(seed):
    """Source of a function of a matrix; of even seeds without views."""
    rng = random.Random(seed)
    lines, kept = ["h = x @ torch.eye(x.shape[1])"], []
    for i in range(rng.randint(3, 9)):
        lines += rng.choice(STEPS if seed % 2 else WHOLE).split("\n")
        if rng.random() < 0.5:
            lines.append(f"kept{i} = h.cos()")
            kept.append(f"kept{i}")
    ends = ["h", *(f"{k}.cumsum(0)" for k in kept)]
    return HEAD + "def entry(x):\n" + "".join(f"    {line}\n" for line in lines) + f"    return {', '.join(ends)}\n"


def case_of(name, folder):
    generator = torch.Generator().manual_seed(7)
    body, shapes = MODULES.get(name, (None, SHAPES))
    path = folder / f"{name.replace('-', '_')}.py"
    entry = weights = None
    if body is None:
        path.write_text(chain(int(name.split("-")[1])))
    else:
        path.write_text(HEAD + "class Net(nn.Module):" + body.replace("\n    ", "\n").rstrip() + "\n")
        scope, entry = {}, "Net"
        exec(compile(path.read_text(), path.name, "exec"), scope)
        state = {k: torch.randn(v.shape, generator=generator) * 0.5 for k, v in scope["Net"]().state_dict().items()}
        if state:
            weights = folder / "weights.safetensors"
            save_safetensors(weights, state)
    calls = [{"args": [{"$tensor": f"f32[{','.join(map(str, s))}]", "values": torch.randn(s, generator=generator).tolist()}]}
             for s in shapes]
    return Case(name, path, entry=entry, weights=weights, calls=calls, folder=folder, tolerance=TOLERANCE)


def check(ptc, name, limit):
    """What is wrong on the null target and natively, each None if nothing; the second is NO_NATIVE_CODE if refused so."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        job = Job(case_of(name, folder), folder)
        pyc, library = folder / "program.pyc", folder / "libprogram.so"
        pycs.compile_pyc(job.case.source, pyc)
        dynamic = ["--dynamic", "all"]
        placed = compiled.run(ptc, pyc, job.calls, job.calls, folder / "null.jsonl", limit=limit,
                              options=[*dynamic, "--to", "plan"], **job.options())
        command = compiled.command(ptc, "compile", pyc, examples=job.calls, **job.options())
        made = batch.run([*command, *dynamic, "-o", str(library)], text=True, timeout=limit)
        if made.returncode == compiled.REFUSED and NO_NATIVE_CODE in made.stderr:
            return told(job, placed), NO_NATIVE_CODE
        if made.returncode:
            return told(job, placed), f"exit code {made.returncode}\n{made.stderr[:600]}\n{job.case.source.read_text()}"
        return told(job, placed), told(job, compiled.run(ptc, library, [], job.calls, folder / "native.jsonl", limit=limit))


def told(job, got):
    verdict, text = job.judge(got)
    return None if verdict == "ok" else f"{verdict}: {text}\n{job.case.source.read_text()}"


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first", type=int)
    parser.add_argument("--limit", type=float, default=300, help="seconds for one run of ptc")
    parser.add_argument("--refused", type=int, default=24, help="most programs without native code, of all")
    args = parser.parse_args()
    report, refused = runner.Report(args.v), 0
    names = [*(name for name in MODULES if args.filter in name), *drawn.seeds_of(args, 40)]
    found = runner.outcomes(lambda name: check(args.ptc, name, args.limit), names, args.j)
    for name, outcome in zip(names, found):
        placed, native = outcome.value or (outcome.wrong, NO_NATIVE_CODE)
        report.case(f"{name} (null target)", placed)
        if native == NO_NATIVE_CODE and name not in NATIVE:
            refused += 1
        else:
            report.case(f"{name} (native)", native)
    if refused > args.refused:
        report.case("programs without native code", f"{refused}, at most {args.refused} expected")
    print(f"{refused} without native code")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
