#!/usr/bin/env python3
"""What programs compute with an int and a float argument: run-time values against eager PyTorch.

    scalar_arguments.py --ptc PTC [FILTER] [-j N] [-v]

Each expression in x, k and s is captured from one call and made for many. A call may be refused by a guard; what is
answered must be eager's answer.
"""
import sys
import tempfile
from pathlib import Path

import compiled
from compare import Tolerance, observation_difference
from eager import EagerProgram
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

TOLERANCE = Tolerance(rtol=1e-5, atol=1e-6)
X = {"$tensor": "f32[3,4]", "values": [[1, -2, 3, 0.5], [4, 5, -6, 0.25], [7, 8, 9, -1]]}
NUMBERS = [(3, 1.5), (3, 0.5), (2, 1.5), (4, 2.0), (5, -0.75), (1, 0.0), (0, 3.0), (7, 1e3), (-1, 2.5)]
CALLS = [{"args": [X, k, s]} for k, s in NUMBERS]

EXPRESSIONS = [
    "isinstance(k, int) and isinstance(s, float)",
    "type(k) is int",
    "k in (1, 2, 3)",
    "k ** 2",
    "divmod(k, 2)",
    "min(k, 3), max(k, 2)",
    "abs(-k), abs(-s)",
    "k & 1, k",
    "4, k ^ 3, ~k",
    "k << 1, k >> 1",
    "round(k), round(s), round(s, 1)",
    "[0] * k",
    "'a' * k",
    "x.repeat(k, 1)",
    "list(range(k))",
    "math.sqrt(k), math.floor(s), math.ceil(s)",
    "k / 2, k // 2, k // -2, -k % 3, k % -2",
    "pow(k, 2), 2 ** k",
    "float(k), bool(k), int(s), bool(s)",
    "s // 0.3, s % 1",
    "s ** 2, s ** 0.5, 2.0 ** s",
    "-s, +k",
    "s.is_integer()",
    "sorted([k, s]), sum([k, s])",
    "s == s, k == s, k < s, s >= k",
    "torch.tensor(k), torch.tensor([k, s]), torch.tensor([k, k])",
    "torch.full((k,), s)",
    "torch.ones(k, k)",
    "x.view(k, -1) if 12 % k == 0 else x",
    "torch.linspace(0, 1, k)",
    "torch.arange(k), torch.arange(k, dtype=torch.float32), torch.arange(0, k, 2)",
    "x * k, x + s, x - k, x / s, k - x, s / x, x ** k, x // k",
    "x > s, x == k",
    "torch.clamp(x, -s, s), x.clamp(min=k)",
    "x.softmax(k % 2)",
    "x[k % 3], x[-1, k % 4], x[:k], x[k:], x[k % 3:k]",
    "x.roll(k, 0)",
    "torch.zeros(2, k).fill_(s) if hasattr(x, 'fill_') else k",
    "torch.where(x > 0, x, s)",
    "x.sum() * k + s",
    "torch.nn.functional.dropout(x, s / 10, False)",
    "torch.nn.functional.leaky_relu(x, s)",
    "torch.nn.functional.layer_norm(x, (4,), eps=s)",
    "x.narrow(0, 0, k % 3 + 1)",
    "x.unsqueeze(k % 2)",
    "x.transpose(0, k % 2)",
    "x.sum(k % 2)",
    "torch.cat([x] * k)",
    "torch.stack([x + i for i in range(k)]).sum(0)",
    "[i * s for i in range(k)]",
    "{k: s}",
    "(k, s) == (3, 1.5)",
    "[10, 20, 30, 40, 50, 60, 70, 80][k]",
    "'abcdefghij'[k]",
    "(1, 2, 3, 4, 5, 6, 7, 8, 9)[:k]",
    "k.bit_length()",
    "int('7') + k",
    "k is None",
    "k * k * k * k * k",
    "k * 10 ** 18",
    "x.to(torch.float64) * s",
    "(x * s).to(torch.int64) * k",
    "math.isnan(s), math.inf > s",
    "k // (k - 2) if k > 2 else 0",
    "x.expand(2, 3, 4)[k % 2]",
    "x.topk(k % 4 + 1)[0]",
    "torch.eye(k)",
    "torch.tril(x, k), torch.triu(x, -k)",
    "x.split(k)",
    "x.chunk(k % 3 + 1)",
    "len(range(0, k, 2))",
    "x.reshape(-1)[k:].mean()",
    "x.new_zeros(k)",
    "torch.pow(x.abs(), s)",
    "torch.add(x, x, alpha=s), torch.add(x, x, alpha=k)",
    "x.flatten()[::k]",
    "sum(range(k))",
    "all([k, s])",
    "any([k - 3, s])",
    "max(s, 1), min(s, 2.0), max(k, s)",
    "not k, not s",
    "k if s else x",
    "k and s, k or s",
    "math.pow(k, 2), math.log(s + 3), math.exp(s), math.sin(k)",
    "k.__add__(1)",
    "x.view(k, -1)",
    "x.reshape(-1, k)",
    "x.view(k, 12 // k)",
    "x.unflatten(1, (k, -1))",
    "x.expand(k, 3, 4)",
    "x[:, :1].expand(3, k)",
    "x.sum().expand(k)",
    "x.broadcast_to((k, 3, 4))",
    "x.tile((k,)), x.tile((2, k))",
    "x.repeat_interleave(k)",
    "x.select(0, k)",
    "x.unfold(1, k, 1)",
    "x.diagonal(k)",
    "torch.nn.functional.pad(x, (k, 1))",
    "x.new_full((k, 2), s)",
    "torch.zeros(k, 2)[k - 1]",
    "torch.as_strided(x, (k,), (1,))",
    "x.index_select(0, torch.tensor([k % 3]))",
    "torch.nn.functional.one_hot(torch.arange(3), k)",
    "torch.nn.functional.avg_pool1d(x[None], k)",
    "torch.nn.functional.interpolate(x[None], size=k)",
    "x.cumsum(k % 2), x.std(k % 2), x.argmax(k % 2)",
    "x[0].unsqueeze(0).expand(k, -1).sum(0)",
    "torch.empty(k, 0).shape, torch.zeros((0, k)).numel()",
    "x.movedim(0, k), x.flip(k % 2)",
    "x.squeeze(k), x.size(k)",
    "x.sort(descending=k > 2)[0]",
    "x.clamp(k, s)",
    "x.quantile(s / 10)",
    "x.round(decimals=k)",
    "x.addcmul(x, x, value=s), x.lerp(x + 1, s)",
    "x.masked_fill(x > k, s)",
    "torch.full_like(x, k), torch.full((2,), k)",
    "torch.tensor(float(k)) + torch.tensor(int(s))",
    "f'{k} {s} {k:3d} {s:.2f}'",
    "str(k) + repr(s)",
    "len(str(k))",
    "hash(k)",
    "3 - k, 3.5 - s, 7 // k, 7 % k, 7.5 // s, 7 / k",
]


def check(ptc, expression):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        py = folder / "program.py"
        py.write_text(f"import math\nimport torch\n\n\ndef f(x, k, s):\n    return {expression}\n")
        compile_pyc(py, folder / "program.pyc")
        paths = compiled.write_calls(CALLS, folder)
        program = EagerProgram(py, "f")
        got = compiled.run(ptc, folder / "program.pyc", paths[0], paths, folder / "o.jsonl", "f")
        if got.kind not in ("ran", "miss") or len(got.calls) != len(CALLS) or not got.calls[0]:
            return f"{got.kind}: {got.text[:300]}"
        for n, seen in enumerate(got.calls):
            text = seen and observation_difference(program.observe(CALLS[n]), seen, TOLERANCE)
            if text:
                return f"k, s = {NUMBERS[n]}: {text}"
        return None


def main():
    args = runner.options(__doc__).parse_args()
    return runner.run([(expression, (args.ptc, expression)) for expression in EXPRESSIONS], check, args)


if __name__ == "__main__":
    sys.exit(main())
