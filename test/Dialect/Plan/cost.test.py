"""Costs of one kernel per family: exact numbers of operations on floats and of bytes, counted by hand.

    cost.test.py FOLDER
"""
import json
import os
import py_compile
import subprocess
import sys
from pathlib import Path

FOLDER = Path(sys.argv[1])

# family: (source of the result, inputs, loops, flops, bytes read, bytes written)
KERNELS = {
    "pointwise": ("x * 2 + y", ["x=f32[8,16]", "y=f32[16]"], "8x16", 2 * 128, 4 * (128 + 16), 4 * 128),
    "copy": ("x.t().contiguous()", ["x=f32[8,16]"], "16x8", 0, 4 * 128, 4 * 128),
    # A row of 16 for each of 5 indices; not the whole table.
    "gather": ("torch.nn.functional.embedding(i, x)", ["x=f32[64,16]", "i=i64[5]"], "5x16", 0, 4 * 5 * 16 + 8 * 5, 4 * 5 * 16),
    "reduction": ("x.sum(1)", ["x=f32[8,16]"], "8 over 16", 128, 4 * 128, 4 * 8),
    # A difference, an exponential, a sum, a quotient; comparisons for the largest of a row are no operations on floats.
    "rows": ("torch.softmax(x, 1)", ["x=f32[8,16]"], "8 over 16", 4 * 128, 4 * 128, 4 * 128),
    "gemm": ("x @ y", ["x=f32[4,8]", "y=f32[8,16]"], "4x16 over 8", 2 * 4 * 8 * 16, 4 * (4 * 8 + 8 * 16), 4 * 4 * 16),
    # Two products over queries, keys and a width of 4, a scale, and the softmax between them.
    "attention": ("torch.nn.functional.scaled_dot_product_attention(x, y, z)", ["x=f32[2,8,4]", "y=f32[2,16,4]", "z=f32[2,16,4]"],
                  None, 2 * 8 * 16 * (2 * 4 + 2 * 4 + 1 + 3) + 2 * 8 * 4, 4 * 2 * 4 * (8 + 16 + 16), 4 * 2 * 8 * 4),
    "conv": ("torch.nn.functional.conv2d(x, y)", ["x=f32[1,3,8,8]", "y=f32[4,3,3,3]"], None,
             2 * 4 * 36 * 27, 4 * (3 * 64 + 4 * 27), 4 * 4 * 36),
    "window": ("torch.nn.functional.avg_pool2d(x, 2)", ["x=f32[1,3,8,8]"], None, 3 * 16 * 4 + 3 * 16, 4 * 3 * 64, 4 * 3 * 16),
    "scan": ("x.cumsum(1)", ["x=f32[8,16]"], None, None, 4 * 128, 4 * 128),
    "scatter": ("x.index_add(0, i, y)", ["x=f32[64,16]", "i=i64[5]", "y=f32[5,16]"], None, None, None, 4 * 64 * 16),
}


def kernels_of(family, source, inputs):
    """The kernels of `family` of a program that returns `source`."""
    names = ", ".join(spec.partition("=")[0] for spec in inputs)
    Path(f"{family}_case.py").write_text(f"import torch\n\n\ndef entry({names}):\n    return {source}\n")
    py_compile.compile(f"{family}_case.py", f"{family}_case.pyc", dfile=f"{family}_case.py", doraise=True)
    words = [word for spec in inputs for word in ("--input", spec)]
    done = subprocess.run(["ptc", "inspect-graph", f"{family}_case.pyc", *words, "--dynamic=none", "--to=plan", "--format=json", "--cpu=x86-64-v4"],
                          capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done
    (variant,) = json.loads(done.stdout)["variants"]
    return [kernel for kernel in variant["kernels"] if kernel["family"] == family]


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.chdir(FOLDER)
    wrong = []
    for family, (source, inputs, space, *expected) in KERNELS.items():
        (kernel,) = kernels_of(family, source, inputs)
        assert {(row["file"], row["line"], row["name"].split(".")[0]) for row in kernel["operations"]} == {(f"{family}_case.py", 5, "aten")}, kernel
        loops = "x".join(kernel["space"]) + (" over " + "x".join(kernel["reduced"]) if kernel["reduced"] else "")
        found = [kernel[name] for name in ("flops", "bytes_read", "bytes_written")]
        if any(e not in (None, f) for e, f in zip(expected, found)) or space not in (None, loops):
            wrong.append(f"{family}: {loops} {found}, expected {space} {expected}")
        assert kernel["predicted_us"] > 0 and not kernel["typical"] and kernel["code"] is None, kernel
    assert not wrong, "\n".join(wrong)


main()
