#!/usr/bin/env python3
"""How exact products with long sums are, as native libraries: against float64, and beside eager PyTorch.

    long_products.py --ptc PTC [FILTER] [-j N] [-v]

The root mean square of the errors may be twice eager's: both round, in another order.
"""
import json
import sys
import tempfile
from pathlib import Path

import pycs
import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "lib/Runtime")]
import batch  # noqa: E402
import ptc_loader  # noqa: E402
import runner  # noqa: E402

MOST = 2.0
TEXTS = {
    "columns": "def entry(a, b):\n    return a @ b\n",
    "rows": "def entry(a, b):\n    return a @ b.t()\n",
    "channels": "import torch\n\n\ndef entry(a, b):\n    return torch.nn.functional.conv2d(a, b)\n",
}
# The sum over a window and its channels: of loops that are short each.
CASES = {f"{kind} {m}x{n}x{k}": (kind, (m, k), (k, n) if kind == "columns" else (n, k))
         for kind in ("columns", "rows") for m, n, k in ((1, 64, 4096), (4, 64, 4096), (64, 64, 4096), (33, 70, 1024), (64, 64, 16384))}
CASES["channels"] = ("channels", (1, 512, 8, 8), (32, 512, 3, 3))
CASES["windows"] = ("channels", (1, 8, 40, 40), (32, 8, 25, 25))


def error(found, exact):
    return (found.double() - exact).pow(2).mean().sqrt().item()


def check(ptc, name):
    kind, *shapes = CASES[name]
    generator = torch.Generator().manual_seed(5)
    operands = [torch.randn(shape, generator=generator) for shape in shapes]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "program.py").write_text(TEXTS[kind])
        pycs.compile_pyc(folder / "program.py", folder / "program.pyc")
        (folder / "call.json").write_text(json.dumps({"args": [{"$tensor": f"f32[{','.join(map(str, shape))}]"} for shape in shapes]}))
        made = batch.run([ptc, "compile", folder / "program.pyc", "--entry", "entry", "--example", folder / "call.json",
                          "-o", folder / "libprogram.so"], text=True)
        if made.returncode:
            return f"exit code {made.returncode}\n{made.stderr[:600]}"
        found = ptc_loader.Model(str(folder / "libprogram.so"))(*operands)
    namespace = {}
    exec(TEXTS[kind], namespace)
    exact = namespace["entry"](*[t.double() for t in operands])
    own, eager = error(found, exact), error(namespace["entry"](*operands), exact)
    return None if own <= MOST * eager else f"the error is {own:.2e}, {own / eager:.1f} times eager's"


def main():
    args = runner.options(__doc__).parse_args()
    return runner.run([(name, (args.ptc, name)) for name in CASES], check, args)


if __name__ == "__main__":
    sys.exit(main())
