#!/usr/bin/env python3
"""Softmax, norms, attention and other reductions as native code, against eager PyTorch.

    rows.py --ptc PTC [FILTER] [--seeds N] [--first SEED] [-j N] [-v]

Each seed makes a module with one of them, or with several that go on with each other's rows, what is computed for each
element before, between and behind them; sizes lie around those of tiles of rows, some are known only at run time.
"""
import random
import re
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
          "(x * 0.5).argmax(-1)", "torch.relu(x).argmax(0)", "torch.softmax(torch.where(mask, x, float('-inf')), -1).nan_to_num()"]


def draw_pass(rng):
    """(body, shapes)"""
    lead = rng.choice([(), (), (2,), (3, 2)])
    height, width = rng.choice(SIZES + [1000]), rng.choice(SIZES + [700])
    text = rng.choice(PASSES).format(w=width, h=height)
    x = (*lead, height, width)
    if rng.random() < 0.3 and height > 1 and "layer_norm(x, (%d, " % height not in text and "cosine" not in text:
        x = (*lead, "B", width) if lead or rng.random() < 0.7 else ("B", width)
    return f"return {text}", {"x": x, "row": (width,), "full": x, "mask": x}


# Of {h}, a tensor of the shape of x: the same shape, in another way for each element.
STEPS = ["{h} + full", "{h} * row", "{h} * 0.5 + 1", "torch.relu({h})", "{h} * torch.sigmoid({h})", "({h} - full) ** 2",
         "torch.where(mask, {h}, full)", "F.gelu({h})", "{h} + number", "torch.tanh({h}) + column",
         "torch.exp(-{h}.abs())", "{h}.double().float()"]
# The same shape, with something of each row.
PASSED = ["torch.softmax({h}, -1)", "torch.log_softmax({h}, -1)", "F.layer_norm({h}, ({w},), row, row)", "F.rms_norm({h}, ({w},))",
          "{h} - {h}.mean(-1, keepdim=True)", "{h} * torch.rsqrt(({h} * {h}).mean(-1, keepdim=True) + 1e-5)",
          "{h} / (1 + {h}.abs().sum(-1, keepdim=True))", "torch.softmax({h}, -2)", "{h} - {h}.amax(0, keepdim=True)"]
# Fewer dimensions.
ENDS = ["{h}.sum(-1)", "({h} * full).sum(-1)", "{h}.mean(-1).sqrt()", "{h}.mean()", "({h} - full).pow(2).mean()", "{h}.amax(-1) + 1",
        "{h}.sum(0) * row", "{h}.sum(-2)", "torch.logsumexp({h}, -1)", "{h}.abs().amax()",
        "torch.relu({h}.mean(-1, keepdim=True)) * {h}", "{h}.var(-1)"]


def draw_chain(rng):
    """Reductions with elementwise operations around them; values that are read again or handed out."""
    lead = rng.choice([(), (), (2,), (3, 2)])
    height, width = rng.choice(SIZES), rng.choice(SIZES + [700])
    lines, kept, names = [], [], ["x"]
    if rng.random() < 0.2:
        lines.append(rng.choice(["x = x.to(torch.bfloat16).float()", "x, full, row = x.double(), full.double(), row.double()",
                                 "x, full, row, column = [t.to(torch.bfloat16) for t in (x, full, row, column)]"]))
    for i in range(rng.randint(2, 5)):
        kind = rng.choice([STEPS, STEPS, PASSED])
        h = names[-1] if rng.random() < 0.8 else rng.choice(names)
        lines.append(f"h{i} = {rng.choice(kind).format(h=h, w=width)}")
        names.append(f"h{i}")
        if rng.random() < 0.2:
            kept.append(f"h{i}")
    lines.append(f"end = {rng.choice(ENDS + ['{h}'] * 6).format(h=names[-1], w=width)}")
    shapes = {"x": (*lead, height, width), "row": (width,), "full": (*lead, height, width), "mask": (*lead, height, width),
              "number": (), "column": (*lead, height, 1)}
    if rng.random() < 0.3 and height > 1:
        shapes = {n: tuple("B" if d == len(s) - 2 else size for d, size in enumerate(s)) if n != "row" else s
                  for n, s in shapes.items()}
    return "\n        ".join([*lines, f"return {', '.join(['end', *kept])}"]), shapes


def draw_window(rng):
    """Pooling, gathers and copies with elementwise operations around them."""
    n, channels, side = rng.choice([1, 2]), rng.choice([1, 3, 16]), rng.choice([4, 8, 15, 28])
    x = (n, channels, side, side)
    kind = rng.choice(["pool", "pool", "gather", "copy"])
    if kind == "gather":
        rows, width = rng.choice(SIZES), rng.choice(WIDTHS)
        body = f"""at = (x[:, 0].abs() * 3).long().clamp(0, {rows - 1})
        h = F.embedding(at, table) * row + row
        return {rng.choice(["h", "F.layer_norm(h, (%d,))" % width, "h.sum(-1)", "torch.relu(h[:, :5])"])}"""
        return body, {"x": (rng.choice(SIZES), 2), "table": (rows, width), "row": (width,)}
    if kind == "copy":
        body = rng.choice(["torch.relu(x.transpose(-1, -2).contiguous()) + 1", "torch.cat([x, full], 1) * 2", "F.pad(x, (1, 1)).exp()",
                           "(x + 1).transpose(-1, -2).contiguous() * 2", "x.flip(-1).contiguous() - full"])
        return f"return {body}", {"x": x, "full": x}
    pool = rng.choice(["F.max_pool2d({h}, 2)", "F.max_pool2d({h}, 3, 2, 1)", "F.avg_pool2d({h}, 2)", "F.max_pool2d({h}, 3, 1)",
                       "F.adaptive_avg_pool2d({h}, 1)"])
    inner = rng.choice(["x", "torch.relu(x)", "x * 2 + full", "torch.sigmoid(x)"])
    outer = rng.choice(["{h}", "torch.relu({h})", "{h} * 0.5 - 1", "torch.tanh({h})"])
    return f"return {outer.format(h=pool.format(h=inner))}", {"x": x, "full": x}


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


# Of a tensor, a number i and a matrix: a part of many.
PARTS = ["x * {i}", "(x + {i}).sum(0)", "torch.softmax(x * {i}, -1)", "x[-1] * {i} + row", "(x * number + {i}).mean(-1)", "x @ square + {i}",
         "x.transpose(0, 1) + {i}", "torch.cumsum(x, -1) - {i}", "x.double() * {i}"]


def draw_parts(rng):
    """Tensors of so many parts that one function has not all of their loops."""
    height, width = rng.choice(["B", *SIZES]), rng.choice(WIDTHS)
    parts = rng.choice(PARTS).format(i="i"), rng.choice(PARTS).format(i="(i + 1)")
    joined = f"torch.{{}}([{{}} for i in range({rng.randint(30, 70)})])"
    lines = [f"a = {joined.format(rng.choice(['stack', 'cat']), parts[0])}", f"b = {joined.format('stack', parts[1])}"]
    end = rng.choice(["a, b", "a, b.sum(0)", "torch.relu(a), b"])
    return "\n        ".join([*lines, f"return {end}"]), {"x": (height, width), "row": (width,), "number": (), "square": (width, width)}


# One of many after the other.
MANY = ["x = torch.tanh(x + {i} * 0.1)", "x = x * row - {i}", "kept.append(x.sum(0) * {i})", "if x.sum() > {i}: x = x - 1",
        "x = x + 1 if x[0, 0] > 0.{i} else x * 0.5", "while x.abs().sum() > 10 + {i}: x = x * 0.7", "if x.mean() > {i} + 2: return x, row",
        "kept.append(torch.softmax(x, -1))", "number = number + x.mean().item()", "if x.isnan().any(): raise ValueError({i})"]


def draw_steps(rng):
    """So many steps, with decisions by data, that one function has not all of them."""
    height, width = rng.choice(["B", *SIZES]), rng.choice(WIDTHS)
    lines = [line.format(i=i) for i, line in enumerate(rng.choices(MANY, k=rng.randint(100, 250)))]
    ends = ["x, row * number", "*kept, x", "x + sum([k.sum() for k in kept]), x[0]"]
    return "\n        ".join(["kept = []", *lines, f"return {rng.choice(ends)}"]), {"x": (height, width), "row": (width,), "number": ()}


def program(seed):
    rng = random.Random(seed)
    draws = {11: [draw_parts], 5: [draw_steps]}.get(seed % 12, [draw_pass, draw_attention, draw_chain, draw_chain, draw_window])
    body, shapes = rng.choice(draws)(rng)
    used = {n: s for n, s in shapes.items() if re.search(rf"\b{n}\b", body)}
    return f"""import torch
from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, {", ".join(used)}):
        {body}
""", used


if __name__ == "__main__":
    sys.exit(drawn.main(program, __doc__, 120))
