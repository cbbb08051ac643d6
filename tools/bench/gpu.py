#!/usr/bin/env python3
"""Single kernels on an NVIDIA GPU: right, and how fast beside eager PyTorch, by artefacts that were made elsewhere.

    gpu.py make FOLDER [KERNEL…] --ptc PTC [--gpu sm_90a]      no GPU needed; the folder has all that `run` needs
    gpu.py run FOLDER [KERNEL…] [--rounds 15] [--replays N]    PyTorch with CUDA and nothing else

Each kernel is checked first against eager in double precision, with inputs at aligned addresses and behind such: the largest
difference by the largest element of the result, which must not be more than 4 times eager's own or 2^-18. Products of kernels that are called so are by tf32 in both; 2^-10 there.
Then rounds alternate; a round is many calls and one wait
for the device. The table gives medians over the rounds, in microseconds of a call, with inputs and results on the device: of
the C interface with the caller's outputs, of the Python loader, of eager; and the ratio of the last to the first (above 1: the
artefact is faster). The last lines are the time that the caller's thread spends in a call of the C interface, medians of
10,000 calls one by one, ctypes included: with the same tensors, and with others each time.
"""
import argparse
import ctypes
import json
import py_compile
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
SECONDS = 0.02  # of calls in each round
TIMED_CALLS = 10000
LEAST_ERROR = 2.0**-18
LEAST_TF32_ERROR = 2.0**-10  # eager multiplies exactly where its library takes no tf32
HEAD = "import torch\nimport torch.nn.functional as F\n\n\n"

# Name: an expression and its inputs, of bfloat16 where the name says so; tf32: of f32, with
# --matmul-precision=high, and torch.set_float32_matmul_precision("high") for eager.
KERNELS = {
    "add-16": ("x + 1", {"x": (16,)}),
    "gelu-8192-4096": ("F.gelu(x)", {"x": (8192, 4096)}),
    "sum-16777216": ("x.sum()", {"x": (16777216,)}),
    "sum-16777213": ("x.sum()", {"x": (16777213,)}),
    "prod-rows-3-100003": ("(x * 0.001 + 1).prod(1)", {"x": (3, 100003)}),
    "amin-columns-10007-5": ("x.amin(0)", {"x": (10007, 5)}),
    "sum-middle-7-5000-33": ("x.sum(1)", {"x": (7, 5000, 33)}),
    "sum-4099-4097": ("x.sum()", {"x": (4099, 4097)}),
    "sum-rows-8192-4096": ("x.sum(1)", {"x": (8192, 4096)}),
    "sum-columns-8192-4096": ("x.sum(0)", {"x": (8192, 4096)}),
    "amax-128-50257": ("x.amax(1)", {"x": (128, 50257)}),
    "argmax-128-50257": ("x.argmax(1)", {"x": (128, 50257)}),
    "var-64-2048": ("x.var(1)", {"x": (64, 2048)}),
    "scale-bf16-run": ("x * y + 1", {"x": (("B", 3000), ("N", 1024)), "y": (("N", 1024),)}),
    "scale-bf16-run-odd": ("x * y + 1", {"x": (("B", 3001), ("N", 1023)), "y": (("N", 1023),)}),
    "scale-run-few": ("x * y + 1", {"x": (("B", 30), ("N", 64)), "y": (("N", 64),)}),
    "copy-8192-4096": ("x.clone()", {"x": (8192, 4096)}),
    "softmax-8192-4096": ("torch.softmax(x, -1)", {"x": (8192, 4096)}),
    "softmax-8-12-256-256": ("torch.softmax(x, -1)", {"x": (8, 12, 256, 256)}),
    "layer-norm-2048-768": ("F.layer_norm(x, (768,), w, b)", {"x": (2048, 768), "w": (768,), "b": (768,)}),
    "layer-norm-7-33-65": ("F.layer_norm(x, (33, 65), w, b)", {"x": (7, 33, 65), "w": (33, 65), "b": (33, 65)}),
    "layer-norm-bf16-2048-768": ("F.layer_norm(x + y, (768,), w, b)",
                                 {"x": (2048, 768), "y": (2048, 768), "w": (768,), "b": (768,)}),
    "layer-norm-32-512": ("F.layer_norm(x, (512,), w, b)", {"x": (32, 512), "w": (512,), "b": (512,)}),
    "softmax-bf16-513-1001": ("torch.softmax(x, -1)", {"x": (513, 1001)}),
    "softmax-shifted": ("torch.softmax(x[1:].view(1024, 1024), -1)", {"x": (1024 * 1024 + 1,)}),
    "log-softmax-128-50257": ("torch.log_softmax(x, -1)", {"x": (128, 50257)}),
    "loss-2048-1000": ("(-torch.log_softmax(x, -1) * y.softmax(-1)).sum(-1).mean()", {"x": (2048, 1000), "y": (2048, 1000)}),
    "standardize-300-2000": ("(x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)", {"x": (300, 2000)}),
    "gelu-bf16-shifted": ("F.gelu(x[1:].view(1024, 1024))", {"x": (1024 * 1024 + 1,)}),
    "gemm-512-512-512": ("F.linear(x, w, b)", {"x": (512, 512), "w": (512, 512), "b": (512,)}),
    "gemm-2048-2048-2048": ("F.linear(x, w)", {"x": (2048, 2048), "w": (2048, 2048)}),
    "matmul-512-512-512": ("x @ y", {"x": (512, 512), "y": (512, 512)}),
    "gemm-32-512-512": ("torch.relu(F.linear(x, w, b))", {"x": (32, 512), "w": (512, 512), "b": (512,)}),
    "mlp-8-32-512": (f"{'torch.relu(F.linear(' * 8}x{', w, b))' * 8}", {"x": (32, 512), "w": (512, 512), "b": (512,)}),
    "matmul-333-517-129": ("x @ y", {"x": (333, 129), "y": (129, 517)}),
    "matmul-t-700-600-500": ("x.t() @ y.t()", {"x": (500, 700), "y": (600, 500)}),
    "matmul-f64-513-300-200": ("x.double() @ y.double()", {"x": (513, 200), "y": (200, 300)}),
    "matmul-bf16-square-100": ("x @ x", {"x": (100, 100)}),
    "conv-bf16-8-64-1-17": ("F.conv2d(F.conv2d(x, w, padding=1), w, padding=1)", {"x": (8, 64, 1, 17), "w": (64, 64, 3, 3)}),
    "matmul-bf16-2048": ("x @ y", {"x": (2048, 2048), "y": (2048, 2048)}),
    "gemm-bf16-4096": ("F.linear(x, w)", {"x": (4096, 4096), "w": (4096, 4096)}),
    "gemm-bf16-2048-768-3072": ("F.linear(x, w, b)", {"x": (2048, 3072), "w": (768, 3072), "b": (768,)}),
    "gemm-bf16-2048-2304-768": ("F.linear(x, w, b)", {"x": (2048, 768), "w": (2304, 768), "b": (2304,)}),
    "conv-bf16-16-3-224-7x7": ("F.conv2d(x, w, stride=2, padding=3)", {"x": (16, 3, 224, 224), "w": (64, 3, 7, 7)}),
    "conv-bf16-9-13-29-3x3": ("F.conv2d(x, w, b)", {"x": (9, 13, 29, 31), "w": (40, 13, 3, 3), "b": (40,)}),
    "turn-bf16-64-64-56-56": ("x.permute(0, 2, 3, 1).contiguous()", {"x": (64, 64, 56, 56)}),
    "turn-run-64-700-300": ("x.transpose(1, 2).contiguous() + 1", {"x": (("B", 64), 700, 300)}),
    "turn-4096-3000": ("x.t().contiguous() + 1", {"x": (4096, 3000)}),
    "max-pool-bf16-64-64-112": ("F.max_pool2d(x, 3, 2, 1)", {"x": (64, 64, 112, 112)}),
    "max-pool-last-8-64-57": ("F.max_pool2d(x.to(memory_format=torch.channels_last), 3, 2, 1)", {"x": (8, 64, 57, 61)}),
    "max-pool-bf16-last-64-64-112": ("F.max_pool2d(x.to(memory_format=torch.channels_last), 3, 2, 1)", {"x": (64, 64, 112, 112)}),
    "avg-pool-bf16-last-32-72-57": ("F.avg_pool2d(x.to(memory_format=torch.channels_last), 3, 2, 1)", {"x": (32, 72, 57, 61)}),
    "conv-bf16-64-64-56-3x3": ("F.conv2d(x, w, padding=1)", {"x": (64, 64, 56, 56), "w": (64, 64, 3, 3)}),
    "conv-bf16-64-256-14-3x3": ("F.conv2d(x, w, padding=1)", {"x": (64, 256, 14, 14), "w": (256, 256, 3, 3)}),
    "conv-bf16-1-64-56-3x3": ("F.conv2d(x, w, padding=1)", {"x": (1, 64, 56, 56), "w": (64, 64, 3, 3)}),
    "conv-bf16-one-64-57-3x3": ("F.relu(F.conv2d(x, w, b, stride=2))", {"x": (64, 57, 113), "w": (128, 64, 3, 3), "b": (128,)}),
    "embedding-bf16": ("F.embedding((x.float() * 100).abs().long(), w)", {"x": (8, 256), "w": (50257, 768)}),
    "gemm-bf16-333-200-136": ("F.relu(F.linear(x, w, b)) + y", {"x": (333, 136), "w": (200, 136), "b": (200,), "y": (333, 200)}),
    "bmm-bf16-6-300-200-72": ("torch.bmm(x, y.transpose(1, 2))", {"x": (6, 300, 72), "y": (6, 200, 72)}),
    "linear-bf16-5-100-328-264": ("F.linear(x, w, b)", {"x": (5, 100, 264), "w": (328, 264), "b": (328,)}),
    "gemm-bf16-2048-50257-768": ("F.linear(x, w)", {"x": (2048, 768), "w": (50257, 768)}),
    "gemm-bf16-2048-3072-768": ("F.linear(x, w, b)", {"x": (2048, 768), "w": (3072, 768), "b": (3072,)}),
    "gemm-bf16-tanh-2048": ("F.gelu(F.linear(x, w, b), approximate='tanh')", {"x": (2048, 768), "w": (3072, 768), "b": (3072,)}),
    "gemm-bf16-gelu-2048": ("F.gelu(F.linear(x, w, b))", {"x": (2048, 768), "w": (3072, 768), "b": (3072,)}),
    "matmul-bf16-t-333-517-129": ("x.t() @ y.t()", {"x": (129, 333), "y": (517, 129)}),
    "matmul-bf16-512-304-296": ("x.t() @ y + 1", {"x": (296, 512), "y": (296, 304)}),
    "matmul-bf16-shifted": ("x[1:].view(255, 513) @ y", {"x": (255 * 513 + 1,), "y": (513, 256)}),
    "gemm-bf16-shifted-2048": ("F.linear(x[1:].view(2048, 2048), w)", {"x": (2048 * 2048 + 1,), "w": (2048, 2048)}),
    "linear-bf16-turned-16-256-512": ("F.linear(x.transpose(0, 1), w)", {"x": (16, 256, 512), "w": (1024, 512)}),
    "bmm-bf16-40-130-70-90": ("torch.bmm(x, y)", {"x": (40, 130, 72), "y": (40, 72, 90)}),
    "mlp-bf16-8-32-512": (f"{'torch.relu(F.linear(' * 8}x{', w, b))' * 8}", {"x": (32, 512), "w": (512, 512), "b": (512,)}),
    "attention-bf16-8x12x256x64": ("F.scaled_dot_product_attention(q, k, v, is_causal=True)", {n: (8, 12, 256, 64) for n in "qkv"}),
    "attention-bf16-4x16x2048x128": ("F.scaled_dot_product_attention(q, k, v, is_causal=True)", {n: (4, 16, 2048, 128) for n in "qkv"}),
    "attention-bf16-run": ("F.scaled_dot_product_attention(q, k, v, is_causal=True)", {n: (("B", 3), 5, ("N", 333), 64) for n in "qkv"}),
    "attention-bf16-run-128": ("F.scaled_dot_product_attention(q, k, v)",
                               {"q": (2, 5, ("N", 100), 128), "k": (2, 5, ("M", 300), 128), "v": (2, 5, ("M", 300), 128)}),
    "attention-bf16-8x32x4096x128": ("F.scaled_dot_product_attention(q, k, v, is_causal=True)", {n: (8, 32, 4096, 128) for n in "qkv"}),
    "attention-bf16-4x16x2048x64": ("F.scaled_dot_product_attention(q, k, v)", {n: (4, 16, 2048, 64) for n in "qkv"}),
    "attention-bf16-heads": ("F.scaled_dot_product_attention(*x.unbind(2), is_causal=True).transpose(1, 2).reshape(8, 256, 768)".replace(
        "x.unbind(2)", "[t.transpose(1, 2) for t in x.unbind(2)]"), {"x": (8, 256, 3, 12, 64)}),
    "attention-bf16-ragged": ("F.scaled_dot_product_attention(q, k, v)", {"q": (2, 3, 77, 64), "k": (2, 3, 95, 64), "v": (2, 3, 95, 48)}),
    "attention-bf16-masked": ("F.scaled_dot_product_attention(q, k, v, attn_mask=m)",
                              {"q": (2, 3, 77, 64), "k": (2, 3, 95, 64), "v": (2, 3, 95, 64), "m": (2, 1, 77, 95)}),
    "attention-bf16-where": ("F.scaled_dot_product_attention(q, k, v, attn_mask=m > 0)",
                             {"q": (2, 3, 130, 32), "k": (2, 3, 130, 32), "v": (2, 3, 130, 32), "m": (130, 130)}),
    "attention-bf16-shifted": ("F.scaled_dot_product_attention(q[1:].view(2, 100, 64), k, v, is_causal=True)",
                               {"q": (2 * 100 * 64 + 1,), "k": (2, 100, 64), "v": (2, 100, 64)}),
    "conv-bf16-8-64-56-3x3": ("F.relu(F.conv2d(x, w, b, padding=1))", {"x": (8, 64, 56, 56), "w": (64, 64, 3, 3), "b": (64,)}),
    "conv-bf16-last-64-56-3x3": ("F.relu(F.conv2d(x.to(memory_format=torch.channels_last), w, b, padding=1))",
                                 {"x": (8, 64, 56, 56), "w": (64, 64, 3, 3), "b": (64,)}),
    # What lies between convolutions has channels last and no border; few tiles share their sums.
    "chain-bf16-1-64-28": ("F.conv2d(F.relu(F.conv2d(x, w, b, padding=1)), v, stride=2, padding=1)",
                           {"x": (1, 64, 28, 28), "w": (128, 64, 3, 3), "b": (128,), "v": (64, 128, 3, 3)}),
    "chain-bf16-3-64-29-5x5": ("F.conv2d(F.relu(F.conv2d(x, w, padding=2)), v, dilation=2, padding=(3, 1)) + 1",
                               {"x": (3, 64, 29, 17), "w": (64, 64, 5, 5), "v": (192, 64, 3, 3)}),
    "chain-bf16-2-40-19": ("F.conv2d(F.relu(F.conv2d(x, w, padding=1)), v, padding=1)",
                           {"x": (2, 40, 19, 23), "w": (24, 40, 3, 3), "v": (72, 24, 3, 3)}),
    "chain-bf16-1-512-7": ("F.relu(F.conv2d(F.relu(F.conv2d(x, w, padding=1)), w, padding=1) + x)",
                           {"x": (1, 512, 7, 7), "w": (512, 512, 3, 3)}),
    "chain-bf16-pool-2-64-33": ("F.max_pool2d(F.relu(F.conv2d(x, w, padding=1)), 3, 2, 1)",
                                {"x": (2, 64, 33, 41), "w": (64, 64, 3, 3)}),
    **{f"chain-bf16-run-{b}-64-28": ("F.conv2d(F.relu(F.conv2d(x, w, b, padding=1)), v, stride=2, padding=1)",
                                     {"x": (("B", b), 64, 28, 28), "w": (128, 64, 3, 3), "b": (128,), "v": (64, 128, 3, 3)})
       for b in (1, 9)},
    "conv-bf16-run-16-3-224-7x7": ("F.conv2d(x, w, stride=2, padding=3)", {"x": (("B", 16), 3, 224, 224), "w": (64, 3, 7, 7)}),
    "conv-bf16-run-64-64-56-3x3": ("F.conv2d(x, w, padding=1)", {"x": (("B", 64), 64, 56, 56), "w": (64, 64, 3, 3)}),
    "chain-bf16-run-pool-5-64-33": ("F.max_pool2d(F.relu(F.conv2d(x, w, padding=1)), 3, 2, 1)", {"x": (("B", 5), 64, 33, 41), "w": (64, 64, 3, 3)}),
    "chain-2-24-19": ("F.avg_pool2d(F.conv2d(F.relu(F.conv2d(x, w, padding=1)), v, padding=2, stride=2), 3, 2, 1)",
                      {"x": (2, 24, 39, 43), "w": (48, 24, 3, 3), "v": (64, 48, 5, 5)}),
    "gemm-bf16-32-512-512": ("torch.relu(F.linear(x, w, b))", {"x": (32, 512), "w": (512, 512), "b": (512,)}),
    "gemm-bf16-128-768-3072": ("F.linear(x, w, b)", {"x": (128, 3072), "w": (768, 3072), "b": (768,)}),
    "gemm-bf16-49-520-2000": ("F.gelu(F.linear(x, w, b)) + y", {"x": (49, 2000), "w": (520, 2000), "b": (520,), "y": (49, 520)}),
    "bmm-40-130-70-90": ("torch.bmm(x, y)", {"x": (40, 130, 70), "y": (40, 70, 90)}),
    "gemv-4096-4096": ("F.linear(x, w)", {"x": (1, 4096), "w": (4096, 4096)}),
    "gemv-bf16-4096-4096": ("F.linear(x, w)", {"x": (1, 4096), "w": (4096, 4096)}),
    "gemv-bf16-4096-11008": ("F.linear(x, w, b)", {"x": (1, 11008), "w": (4096, 11008), "b": (4096,)}),
    "gemv-bf16-11008-4096": ("F.gelu(F.linear(x, w, b)) + y", {"x": (1, 4096), "w": (11008, 4096), "b": (11008,), "y": (1, 11008)}),
    **{f"few-{kind}{m}-4096-4096": ("F.linear(x, w, b)", {"x": (m, 4096), "w": (4096, 4096), "b": (4096,)})
       for kind in ("", "bf16-") for m in (2, 4, 8)},
    **{f"few-across-{kind}{m}-4096-4096": ("x @ w + b", {"x": (m, 4096), "w": (4096, 4096), "b": (4096,)})
       for kind in ("", "bf16-") for m in (1, 4, 8)},
    "few-across-bf16-1-512-1000": ("x @ w", {"x": (1, 512), "w": (512, 1000)}),
    "few-bf16-1-1000-512": ("F.linear(x, w, b)", {"x": (1, 512), "w": (1000, 512), "b": (1000,)}),
    "few-bf16-3-1001-777": ("F.relu(F.linear(x, w, b))", {"x": (3, 777), "w": (1001, 777), "b": (1001,)}),
    "few-5-1001-777": ("F.relu(F.linear(x, w, b))", {"x": (5, 777), "w": (1001, 777), "b": (1001,)}),
    "few-across-bf16-3-1001-777": ("x @ w", {"x": (3, 777), "w": (777, 1001)}),
    "few-across-7-1004-776": ("x @ w", {"x": (7, 776), "w": (776, 1004)}),
    "few-columns-4096-3-512": ("w @ x", {"w": (4096, 512), "x": (512, 3)}),
    "few-columns-bf16-4096-4-512": ("w.t() @ x", {"w": (512, 4096), "x": (512, 4)}),
    "few-bf16-batch-12-300-64": ("x @ y.transpose(1, 2)", {"x": (12, 4, 64), "y": (12, 300, 64)}),
    "few-batch-12-300-64": ("x @ y", {"x": (12, 2, 300), "y": (12, 300, 64)}),
    "few-bf16-long-24-40000": ("F.linear(x, w, b)", {"x": (2, 40000), "w": (24, 40000), "b": (24,)}),
    "few-long-24-200000": ("F.linear(x, w, b)", {"x": (2, 200000), "w": (24, 200000), "b": (24,)}),
    "few-bf16-shifted": ("F.linear(x[1:].view(2, 1024), w)", {"x": (2 * 1024 + 1,), "w": (1024, 1024)}),
    "few-bf16-run": ("F.linear(x, w)", {"x": (2, 512), "w": (("N", 1000), 512)}),
    "few-f64-4-600-500": ("x.double() @ w.double()", {"x": (4, 500), "w": (500, 600)}),
    "gemm-tf32-4096": ("F.linear(x, w)", {"x": (4096, 4096), "w": (4096, 4096)}),
    "gemm-tf32-2048-768-3072": ("F.gelu(F.linear(x, w, b))", {"x": (2048, 3072), "w": (768, 3072), "b": (768,)}),
    "gemm-tf32-64-4096-4096": ("F.linear(x, w, b)", {"x": (64, 4096), "w": (4096, 4096), "b": (4096,)}),
    "matmul-tf32-2048": ("x @ y", {"x": (2048, 2048), "y": (2048, 2048)}),
    "matmul-tf32-2001-2001-1503": ("x @ y", {"x": (2001, 1503), "y": (1503, 2001)}),
    "matmul-tf32-333-517-129": ("x @ y", {"x": (333, 129), "y": (129, 517)}),
    "matmul-tf32-t-700-600-500": ("x.t() @ y.t()", {"x": (500, 700), "y": (600, 500)}),
    "bmm-tf32-40-130-70-90": ("torch.bmm(x, y)", {"x": (40, 130, 70), "y": (40, 70, 90)}),
    "matmul-tf32-shifted": ("x[1:].view(255, 512) @ y", {"x": (255 * 512 + 1,), "y": (512, 256)}),
    "conv-tf32-16-64-56-3x3": ("F.conv2d(x, w, padding=1)", {"x": (16, 64, 56, 56), "w": (64, 64, 3, 3)}),
    "conv-tf32-4-33-57-5x5": ("F.conv2d(x, w, stride=2, dilation=2, groups=3)", {"x": (4, 33, 57, 61), "w": (96, 11, 5, 5)}),
    "attention-8x12x256x64": ("F.scaled_dot_product_attention(q, k, v, is_causal=True)", {n: (8, 12, 256, 64) for n in "qkv"}),
    "conv-64-56-3x3": ("F.conv2d(x, w, padding=1)", {"x": (1, 64, 56, 56), "w": (64, 64, 3, 3)}),
    "conv-4-33-57-5x5": ("F.conv2d(x, w, stride=2, dilation=2, groups=3)", {"x": (4, 33, 57, 61), "w": (96, 11, 5, 5)}),
    "conv-512-7-3x3": ("F.conv2d(x, w, padding=1)", {"x": (1, 512, 7, 7), "w": (512, 512, 3, 3)}),
}


def dtype_of(name):
    return "bf16" if "bf16" in name.split("-") else "f32"


def is_tf32(name):
    return "tf32" in name.split("-")


def sizes_of(shape):
    """A dimension with a name is of the run: (name, size here)."""
    return [d[1] if isinstance(d, tuple) else d for d in shape]


def notation(shape):
    """Sizes for ptc; (name, size): one that the artefact learns at run time."""
    return f"[{','.join(f'{d[0]} in 1..4096' if isinstance(d, tuple) else str(d) for d in shape)}]"


def source(name):
    expression, shapes = KERNELS[name]
    return f"{HEAD}def entry({', '.join(shapes)}):\n    return {expression}\n"


def make(args):
    shutil.rmtree(args.folder, ignore_errors=True)
    args.folder.mkdir(parents=True)
    shutil.copy(HERE.parent.parent / "lib/Runtime/ptc_loader.py", args.folder)
    for name in args.kernels or KERNELS:
        py = args.folder / "kernel.py"
        py.write_text(source(name))
        pyc = py_compile.compile(str(py), cfile=str(py.with_suffix(".pyc")), doraise=True)
        given = [f"--input={n}={dtype_of(name)}{notation(shape)}" for n, shape in KERNELS[name][1].items()]
        precision = "high" if is_tf32(name) else "highest"
        subprocess.run([args.ptc, "compile", pyc, "-q", "--target=cuda", "--cpu=x86-64-v3", f"--gpu={args.gpu}", f"--matmul-precision={precision}", *given,
                        "-o", args.folder / f"{name}.so"], check=True)
        for file in (py, Path(pyc)):
            file.unlink()
    return 0


def error(got, exact):
    """The largest difference by the largest element."""
    return ((got.double() - exact).abs().max() / exact.abs().max().clamp(min=1e-30)).item()


def behind(tensor):
    """The same numbers, one element behind an aligned address."""
    import torch
    return torch.empty(tensor.numel() + 1, dtype=tensor.dtype, device=tensor.device)[1:].view(tensor.shape).copy_(tensor)


def check(name, model, entry, inputs):
    """What is wrong, or nothing; and the error."""
    wanted = entry(**{n: t.double() for n, t in inputs.items()}), entry(**inputs)
    problem, seen = compare(name, model(**inputs), *wanted)
    if not problem:  # eager's own kernels do not all allow this
        moved, _ = compare(name, model(**{n: behind(t) for n, t in inputs.items()}), *wanted)
        problem = moved and f"behind an aligned address: {moved}"
    return problem, seen


def compare(name, got, exact, eager):
    import torch
    if got.device != eager.device or got.dtype != eager.dtype or got.shape != eager.shape:
        return f"{got.dtype} {tuple(got.shape)} on {got.device}", 0
    if not exact.is_floating_point():
        return None if torch.equal(got, exact) else f"{(got != exact).sum().item()} elements differ", 0
    mine, allowed = error(got, exact), max(4 * error(eager, exact), LEAST_TF32_ERROR if "tf32" in name else LEAST_ERROR)
    return None if mine <= allowed else f"error {mine:.2g}, allowed {allowed:.2g}", mine


def time_calls(call, count):
    import torch
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        call()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count * 1e6


def prepared(model, inputs, out):
    """A call of the C interface that fills `out`."""
    import ptc_loader
    structure, leaves = model._arguments((), inputs)
    results = [ptc_loader._Leaf(out)]
    given, taken = ((ptc_loader.Value * len(part))(*[leaf.value for leaf in part]) for part in (leaves, results))
    invocation = ptc_loader.Invocation(0, structure, given, len(leaves), 1, taken, 0, 0)
    call, context, argument = model.api.call, model.context, ctypes.byref(invocation)

    def run(alive=(leaves, results, invocation)):
        status = call(context, argument)
        assert status == 0, status
    return run


def print_caller_time(folder, name):
    import ptc_loader
    import torch
    _, shapes = KERNELS[name]
    with ptc_loader.Model(folder / f"{name}.so") as model:
        def tensors():
            inputs = {n: torch.ones(sizes_of(shape), device="cuda", dtype=torch.bfloat16 if dtype_of(name) == "bf16" else torch.float32) for n, shape in shapes.items()}
            return inputs, model(**inputs)
        calls = [prepared(model, *tensors()) for _ in range(2)]
        for title, step in (("same tensors", 0), ("others each time", 1)):
            times = []
            for i in range(TIMED_CALLS):
                if i % 100 == 0:
                    torch.cuda.synchronize()
                call = calls[i * step % 2]
                start = time.perf_counter_ns()
                call()
                times.append(time.perf_counter_ns() - start)
            print(f"{name}, caller's thread, {title}: {statistics.median(times) / 1000:.2f} us", flush=True)


def count_differences(call, out, replays):
    """Replays whose result differs from the first in any bit."""
    import torch
    call()
    first, differ = out.reshape(-1).clone().view(torch.uint8), 0
    for _ in range(replays):
        out.zero_()
        call()
        differ += not torch.equal(out.reshape(-1).view(torch.uint8), first)
    return differ


def run(args):
    import torch
    sys.path.insert(0, str(args.folder))
    import ptc_loader
    wrong = 0
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}")
    print(f"{'kernel':28}{'ptc':>10}{'loader':>10}{'eager':>10}{'ratio':>8}{'error':>10}")
    for name in args.kernels or KERNELS:
        torch.set_float32_matmul_precision("high" if is_tf32(name) else "highest")
        torch.backends.cudnn.allow_tf32 = is_tf32(name)
        scope = {}
        exec(compile(source(name), f"{name}.py", "exec"), scope)
        generator = torch.Generator("cuda").manual_seed(1)
        dtype = torch.bfloat16 if dtype_of(name) == "bf16" else torch.float32
        inputs = {n: torch.randn(sizes_of(shape), generator=generator, device="cuda").to(dtype) for n, shape in KERNELS[name][1].items()}
        with torch.inference_mode():
            model = ptc_loader.Model(args.folder / f"{name}.so")
            problem, seen = check(name, model, scope["entry"], inputs)
            if problem:
                wrong += 1
                print(f"{name:28}WRONG: {problem}", flush=True)
                continue
            entry, out = scope["entry"], model(**inputs)
            calls = prepared(model, inputs, out), lambda: model(**inputs), lambda: entry(**inputs)
            if differ := count_differences(calls[0], out, args.replays) if args.replays else 0:
                wrong += 1
                print(f"{name:28}WRONG: {differ} of {args.replays} replays differ", flush=True)
                continue
            counts = [max(3, min(2000, int(SECONDS * 1e6 / time_calls(call, 3)))) for call in calls]
            rounds = [[time_calls(call, count) for call, count in zip(calls, counts)] for _ in range(args.rounds)]
            mine, loader, eager = (statistics.median(column) for column in zip(*rounds))
            print(f"{name:28}{mine:10.1f}{loader:10.1f}{eager:10.1f}{eager / mine:8.2f}{seen:10.1e}", flush=True)
            model.close()
    for name in [n for n in ("add-16", "mlp-8-32-512", "mlp-bf16-8-32-512") if n in (args.kernels or KERNELS)]:
        print_caller_time(args.folder, name)
    return 1 if wrong else 0


def main(doc, names, known, make, run, rounds, options):
    """The verbs make and run, both with a folder and some of `known`; `options`: of run, by name."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    maker, runner = verbs.add_parser("make"), verbs.add_parser("run")
    for verb, function in ((maker, make), (runner, run)):
        verb.add_argument("folder", type=Path)
        verb.add_argument(names, nargs="*", metavar=names[:-1].upper())
        verb.set_defaults(run=function)
    maker.add_argument("--ptc", required=True)
    maker.add_argument("--gpu", default="sm_90a")
    runner.add_argument("--rounds", type=int, default=rounds)
    for option, how in options.items():
        runner.add_argument(option, **how)
    args = parser.parse_args()
    if unknown := set(getattr(args, names)) - set(known):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main(__doc__, "kernels", KERNELS, make, run, 15,
                  {"--replays": {"type": int, "default": 0, "help": "calls whose results are compared bit for bit, of each kernel"}}))
