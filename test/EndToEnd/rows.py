#!/usr/bin/env python3
"""Softmax, norms and attention as native code, against eager PyTorch.

    rows.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module with one of them; sizes lie around those of tiles of rows, some are known only at run time.
"""
import random
import sys

import drawn

SIZES = [1, 2, 5, 16, 31, 64, 100, 129, 200, 300]
WIDTHS = [1, 3, 8, 20, 32, 64]
# {w}: the last size.
PASSES = ["torch.softmax(x, -1)", "torch.log_softmax(x * 3, -1)", "F.layer_norm(x, ({w},))", "F.layer_norm(x, ({w},), row, row)",
          "F.rms_norm(x, ({w},), row)", "F.normalize(x, dim=-1)", "torch.softmax(x, 0)", "torch.softmax(x, -2)",
          "x.var(-1)", "x.std(0)", "torch.logsumexp(x, -1)", "x - x.mean(-1, keepdim=True)", "torch.softmax(x.transpose(-1, -2), -1)",
          "(x - x.amax(-1, keepdim=True)).exp().sum(-1)", "torch.var_mean(x, -1)", "F.cosine_similarity(x, full, -1)",
          "F.layer_norm(x, ({h}, {w}))", "torch.softmax(x.to(torch.bfloat16), -1)", "torch.softmax(x + full, -1) * row",
          "torch.softmax(torch.where(mask, x, float('-inf')), -1).nan_to_num()"]


def draw_pass(rng):
    """(body, shapes)"""
    lead = rng.choice([(), (), (2,), (3, 2)])
    height, width = rng.choice(SIZES + [1000]), rng.choice(SIZES + [700])
    text = rng.choice(PASSES).format(w=width, h=height)
    x = (*lead, height, width)
    if rng.random() < 0.3 and height > 1 and "layer_norm(x, (%d, " % height not in text and "cosine" not in text:
        x = (*lead, "B", width) if lead or rng.random() < 0.7 else ("B", width)
    return f"return {text}", {"x": x, "row": (width,), "full": x, "mask": x}


def draw_attention(rng):
    batch, heads = rng.choice([1, 2]), rng.choice([1, 3])
    queries, keys, width = rng.choice(SIZES), rng.choice(SIZES), rng.choice(WIDTHS)
    wide = rng.choice([width, width, rng.choice(WIDTHS)])
    kind = rng.choice(["plain", "causal", "causal", "mask", "added", "grouped", "itself", "row", "bf16", "turned", "run"])
    q, k, v = (batch, heads, queries, width), (batch, heads, keys, width), (batch, heads, keys, wide)
    call, more = "F.scaled_dot_product_attention(q, k, v{})", {}
    if kind == "causal":
        return f"return {call.format(', is_causal=True')}", {"q": q, "k": k, "v": v}
    if kind == "mask":
        more["mask"] = rng.choice([(queries, keys), (batch, 1, queries, keys), (1, keys)])
        return f"return {call.format(', attn_mask=mask, scale=0.3')}", {"q": q, "k": k, "v": v, **more}
    if kind == "added":
        more["other"] = (batch, heads, queries, keys)
        return f"return {call.format(', attn_mask=other')}", {"q": q, "k": k, "v": v, **more}
    if kind == "grouped":
        return (f"return {call.format(', is_causal=True, enable_gqa=True')}",
                {"q": (batch, 2 * heads, queries, width), "k": k, "v": v})
    if kind == "itself":
        return f"return {call.format(', is_causal=True').replace('q, k, v', 'q, q, q')}", {"q": q}
    if kind == "row":
        return f"return {call.format('')}", {"q": (batch, heads, 1, width), "k": k, "v": v}
    if kind == "bf16":
        lines = "q, k, v = [t.to(torch.bfloat16) for t in (q, k, v)]\n        "
        return f"{lines}return {call.format('')}", {"q": q, "k": k, "v": v}
    if kind == "turned":  # heads as a projection leaves them
        lines = "q, k, v = [t.transpose(1, 2) for t in (q, k, v)]\n        "
        end = rng.choice(["", ".transpose(1, 2).flatten(2)"])
        flip = {n: (s[0], s[2], s[1], s[3]) for n, s in {"q": q, "k": k, "v": v}.items()}
        return f"{lines}return {call.format(', is_causal=True')}{end}", flip
    if kind == "run":
        q, k, v = [(batch, heads, "B", s[3]) for s in (q, k, v)]
        return f"return {call.format(rng.choice(['', ', is_causal=True']))}", {"q": q, "k": k, "v": v}
    return f"return {call.format('')}", {"q": q, "k": k, "v": v}


def program(seed):
    rng = random.Random(seed)
    body, shapes = rng.choice([draw_pass, draw_attention])(rng)
    used = {n: s for n, s in shapes.items() if n in body}
    return f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, {", ".join(used)}):
        {body}
""", used


if __name__ == "__main__":
    sys.exit(drawn.main(program, __doc__, 60))
