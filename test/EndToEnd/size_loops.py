#!/usr/bin/env python3
"""Loops that sizes count, of one library for all sizes, against eager PyTorch.

    size_loops.py --ptc PTC [FILTER] [--target TARGET]... [--every] [-j N] [-v]

Each program is a function of x (f32[N,3], N in its range) and compiled once, for declared sizes. The library and the null
target are called with sizes at both ends of the range, small ones and some between. A loop that is unrolled by its example
would narrow the declared size, and be refused: no refusal is expected. On cuda the programs run on a GPU or, without one,
on the driver of test/Device, with fewer sizes. Without --every, FILTER or --target, the null target, which runs the graph that
the library is made of, and cuda have each program on one day of five.
"""
import sys
import tempfile
from pathlib import Path

import compiled
import conformance
import pycs
import torch
from compare import Tolerance
from run import Job
from table import Case

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

HEAD = """\
import math
import torch
import torch.nn.functional as F
from torch import nn


"""
TOLERANCE = Tolerance(rtol=1e-4, atol=1e-5)
SIZES = [0, 1, 2, 3, 5, 7, 8, 33, 64]
TARGETS = ["null", "x86-64", "cuda"]

PADDED = "lens = (x[:, 0].abs() * 3).long().clamp(max=4)\nz = x[:, None, :] * torch.arange(1, 5)[:, None]\n"
FLAT = PADDED + "f = x.sum(0)[0] + torch.arange(int(lens.sum()) * 3).reshape(-1, 3)\n"
STATE = "y = torch.zeros(3)\ns = x.sum(0)\n"
# Bodies of `def entry(x)`, x: f32[N,3], N in 0..64; `from 1` in the name: in 1..64.
LOOPS = {
    # what a loop goes over
    "range": "y = torch.zeros(3)\nfor i in range(x.shape[0]):\n    y = torch.tanh(y + x[i])\nreturn y",
    "range from 1 on from 1": "y = x[0]\nfor i in range(1, x.shape[0]):\n    y = torch.tanh(y + x[i])\nreturn y",
    "range with a step": "y = torch.zeros(3)\nfor i in range(0, x.size(0), 2):\n    y = y * 0.5 + x[i]\nreturn y",
    "range backwards": "y = torch.zeros(3)\nfor i in range(x.shape[0] - 1, -1, -1):\n    y = torch.tanh(y + x[i])\nreturn y",
    "range backwards by 3": "y = torch.zeros(3)\nfor i in range(x.shape[0] - 1, 0, -3):\n    y = torch.tanh(y + x[i])\nreturn y",
    "reversed range": "y = torch.zeros(3)\nfor i in reversed(range(x.shape[0])):\n    y = torch.tanh(y + x[i])\nreturn y",
    "len": "y = torch.zeros(3)\nfor i in range(len(x)):\n    y = torch.tanh(y + x[i])\nreturn y",
    "range of a quotient": "y = torch.zeros(3)\nfor i in range(x.shape[0] // 2):\n    y = y * 0.5 + x[2 * i] - x[2 * i + 1]\nreturn y",
    "range of a product": "y = torch.zeros(3)\nfor i in range(2 * len(x)):\n    y = y * 0.5 + x[i // 2] * (i % 2)\nreturn y",
    "rows": "y = torch.zeros(3)\nfor row in x:\n    y = torch.tanh(y + row)\nreturn y",
    "columns": "y = torch.zeros(3)\nfor c in x.t().contiguous().t():\n    y = torch.tanh(y + c)\nreturn y",
    "enumerate": "y = torch.zeros(3)\nfor i, row in enumerate(x):\n    y = torch.tanh(y + row * i)\nreturn y",
    "enumerate from 2": "y = torch.zeros(3)\nfor i, row in enumerate(x, 2):\n    y = torch.tanh(y + row / i)\nreturn y",
    "zip": "y = torch.zeros(3)\nfor a, b in zip(x, x.flip(0)):\n    y = torch.tanh(y + a * b)\nreturn y",
    "another layout in each turn": "y = torch.zeros(4, 3)\nz = torch.arange(12.0).view(4, 3) * 0.1 + x.sum()\nfor i in range(len(x)):\n"
                                   "    y = torch.tanh(y + (z if y.shape[0] == 4 else z.t()))\n    y = y.roll(1, 0)\n    y = y.mT\nreturn y",
    "zip with a range": "y = torch.zeros(3)\nfor a, i in zip(x, range(len(x))):\n    y = torch.tanh(y + a * i)\nreturn y",
    "zip of known length": "y = torch.zeros(3)\nfor a, i in zip(x, (1, 2, 3)):\n    y = torch.tanh(y + a * i)\nreturn y",
    "unbind": "y = torch.zeros(3)\nfor row in x.unbind(0):\n    y = torch.tanh(y + row)\nreturn y",
    "split": "y = torch.zeros(3)\nfor part in x.split(4):\n    y = torch.tanh(y + part.sum(0))\nreturn y",
    "chunk from 1": "y = torch.zeros(3)\nfor part in x.chunk(3):\n    y = torch.tanh(y + part.sum(0))\nreturn y",
    "slices": "y = torch.zeros(3)\nfor i in range(0, len(x), 4):\n    y = torch.tanh(y + x[i:i + 4].sum(0))\nreturn y",
    "split of nothing": "k = 0\nfor c in x.split(3):\n    k += 1 + c.shape[0] * 10\nreturn x.sum() + k",
    "map": "y = torch.zeros(3)\nfor row in map(torch.sin, x):\n    y = torch.tanh(y + row)\nreturn y",
    "chain": "import itertools\ny = torch.zeros(3)\nfor row in itertools.chain(x.unbind(0)):\n    y = torch.tanh(y + row)\nreturn y, list(itertools.chain(range(len(x))))",
    "generator": "def rows():\n    for i in range(len(x)):\n        yield x[i] * i\ny = torch.zeros(3)\nfor row in rows():\n    y = torch.tanh(y + row)\nreturn y",
    "generator expression": "y = torch.zeros(3)\nfor row in (x[i] + i for i in range(len(x))):\n    y = torch.tanh(y + row)\nreturn y",
    # while
    "while": "y = torch.zeros(3)\ni = 0\nwhile i < x.shape[0]:\n    y = torch.tanh(y + x[i])\n    i += 1\nreturn y",
    "while backwards": "y = torch.zeros(3)\ni = x.shape[0] - 1\nwhile i >= 0:\n    y = torch.tanh(y + x[i])\n    i -= 1\nreturn y",
    "while of the rest": "y = torch.zeros(3)\nn = len(x)\nwhile n > 0:\n    n -= 1\n    y = torch.tanh(y + x[n])\nreturn y",
    "while not the end": "y = torch.zeros(3)\ni = 0\nwhile not i >= len(x):\n    y = torch.tanh(y + x[i])\n    i += 2\nreturn y",
    "while true": "y = torch.zeros(3)\ni = 0\nwhile True:\n    if i >= len(x):\n        break\n    y = torch.tanh(y + x[i])\n    i += 1\nreturn y",
    "while by doubling": "n, k = len(x), 1\nwhile k < n:\n    k *= 2\nreturn x.sum() + k",
    "while by halves": "n, k = len(x), 0\nwhile n > 1:\n    n //= 2\n    k += 1\nreturn x.sum() * k",
    "while of both": "y = torch.zeros(3)\ni = 0\nwhile i < len(x) and y.sum() < 2:\n    y = y + x[i].abs()\n    i += 1\nreturn y, i",
    # what it carries
    "a number": "s = 0\nfor i in range(x.shape[0]):\n    s += i * i\nreturn x.sum() + s",
    "a float": "s = 1.0\nfor i in range(x.shape[0]):\n    s = s * 0.5 + i\nreturn x.sum() + s",
    "None at first": "h = None\nfor row in x:\n    h = row if h is None else torch.tanh(h + row)\nreturn torch.zeros(3) if h is None else h",
    "the first is other": "y = torch.zeros(3)\nfor i in range(len(x)):\n    if i > 0:\n        y = y + x[i] * x[i - 1]\n    else:\n        y = x[i]\nreturn y",
    "the last is other": "y = torch.zeros(3)\nfor i in range(len(x)):\n    y = y + (x[i] if i < len(x) - 1 else x[i] * 2)\nreturn y",
    "even and odd": "y = torch.zeros(3)\nfor i in range(len(x)):\n    y = y + x[i] if i % 2 == 0 else y * 0.5\nreturn y",
    "two tensors": "h, c = torch.zeros(3), torch.ones(3)\nfor row in x:\n    h, c = torch.tanh(row + c), c * 0.9 + h\nreturn h, c",
    "a tuple": "s = (torch.zeros(3), torch.ones(3))\nfor row in x:\n    s = (s[1] + row, s[0] * 0.5)\nreturn s",
    "the best": "best, at = torch.tensor(-1e9), 0\nfor i in range(len(x)):\n    v = x[i].sum()\n    if v > best:\n        best, at = v, i\nreturn best, at",
    "break on data": "y = torch.zeros(3)\nfor row in x:\n    y = y + row.abs()\n    if y.sum() > 4:\n        break\nreturn y",
    "continue on data": "y = torch.zeros(3)\nfor row in x:\n    if row.sum() < 0:\n        continue\n    y = y + row\nreturn y",
    "return on data": "y = torch.zeros(3)\nfor i, row in enumerate(x):\n    y = y + row.abs()\n    if y.sum() > 4:\n        return y * i\nreturn y",
    "for else": "y = torch.zeros(3)\nfor row in x:\n    y = y + row.abs()\n    if y.sum() > 9:\n        break\nelse:\n    y = -y\nreturn y",
    "the index behind": "i = -1\nfor i in range(len(x)):\n    pass\nreturn x.sum() + i",
    # lists that grow
    "append and stack": "out = [torch.zeros(3)]\nfor row in x:\n    out.append(torch.tanh(out[-1] + row))\nreturn torch.stack(out)",
    "append and cat": "out = [torch.zeros(1, 3)]\nfor i in range(len(x)):\n    out.append(x[i][None] * i)\nreturn torch.cat(out)",
    "unbind along 1": "y = torch.zeros(3)\nfor i, c in enumerate(x.t().unbind(1)):\n    y = torch.tanh(y + c * i)\nreturn y",
    "append to nothing from 1": "h, out = torch.zeros(3), []\nfor row in x:\n    h = torch.tanh(h + row)\n    out.append(h)\nreturn torch.stack(out), h",
    "append along 1 from 1": "out = []\nfor row in x:\n    out.append(row.sin())\nreturn torch.stack(out, 1)",
    "comprehension from 1": "return torch.stack([row * 2 for row in x])",
    "comprehension of indices from 1": "return torch.stack([x[i] * i for i in range(len(x))])",
    "comprehension with a condition": "return torch.stack([x.sum(0)] + [x[i] for i in range(len(x)) if i % 3 == 0])",
    "the last of a list": "out = [torch.zeros(3)]\nfor row in x:\n    out.append(row * 2)\nreturn out[-1]",
    "a list backwards from 1": "out = []\nfor row in x:\n    out.append(row * 2)\nreturn torch.stack(out[::-1])",
    "the length of a list": "out = []\nfor row in x:\n    out.append(row * 2)\nreturn x.sum() + len(out)",
    "a list of numbers": "out = []\nfor i in range(len(x)):\n    out.append(i * i)\nreturn x.sum() + sum(out)",
    "two lists from 1": "a, b = [], []\nfor row in x:\n    a.append(row.sin())\n    b.append(row.sum())\nreturn torch.stack(a), torch.stack(b)",
    "a loop over a list that grew": "out = []\nfor row in x:\n    out.append(row.sin())\ny = torch.zeros(3)\nfor v in out:\n    y = torch.tanh(y + v)\nreturn y",
    "both ways from 1": "f, b, h, g = [], [], torch.zeros(3), torch.zeros(3)\nfor i in range(len(x)):\n    h = torch.tanh(h + x[i])\n    f.append(h)\nfor i in reversed(range(len(x))):\n    g = torch.tanh(g + x[i])\n    b.append(g)\nb.reverse()\nreturn torch.cat([torch.stack(f), torch.stack(b)], 1)",
    "insert at the front from 1": "out = []\nfor row in x:\n    out.insert(0, row * 2)\nreturn torch.stack(out)",
    "parts of a list": "out = []\nfor row in x:\n    out.append(row * 2)\nreturn sum(out[1:]) + sum(out[:-2]) + sum(out[::3]) + sum(out[-3:5]) + torch.zeros(3)",
    "a list by itself": "out = [torch.zeros(3)]\nfor row in x:\n    out.append(row)\nout.extend(out)\nout += out\nreturn torch.stack(out)",
    "a list by plus": "out = [torch.zeros(3)]\nfor row in x:\n    out = out + [row]\nreturn torch.stack(out)",
    "a list by plus equals": "out = [torch.zeros(3)]\nfor row in x:\n    out += [row * 2]\nreturn torch.stack(out)",
    # lists that data fill, and what changes lists of the run
    "rows that data choose": "hs = []\nfor r in x:\n    if r[0] > 0:\n        hs.append(r * 2)\nreturn torch.stack(hs)",
    "rows by index that data choose": "out = []\nfor i in range(x.shape[0]):\n    if x[i, 0] > 0:\n        out.append(x[i])\nreturn torch.stack(out) if out else torch.zeros(0, 3)",
    "rows that data choose, or nothing": "hs = []\nfor r in x:\n    if r[0] > 0:\n        hs.append(r)\nif not hs:\n    return torch.zeros(0, 3)\nreturn torch.stack(hs)",
    "numbers that data choose": "v = [int(v) for v in x[:, 0].tolist() if v > 0]\nreturn x.sum() + len(v) + sum(v)",
    "two lists that data fill": "a, b = [], []\nfor r in x:\n    if r.sum() > 0:\n        a.append(r)\n    else:\n        b.append(r)\nreturn len(a), len(b), (torch.stack(a) if a else x[:0]), (torch.stack(b) if b else x[:0])",
    "a list of places as a result": "a = []\nfor i in range(len(x)):\n    if x[i, 1] > 0:\n        a.append(i)\nreturn a",
    "the last that data chose": "a = [0]\nfor i in range(len(x)):\n    if x[i, 1] > a[-1]:\n        a.append(i)\nreturn a[-1], len(a)",
    "a loop over places that data chose": "a = []\nfor i in range(len(x)):\n    if x[i, 1] > 0:\n        a.append(i)\ny = torch.zeros(3)\nfor i in a:\n    y = y + x[i]\nreturn y",
    "a comprehension that data fill": "return torch.stack([r for r in x if r[0] > 0] + [x.sum(0)])",
    "elements that data choose in nested loops": "out = []\nfor i in range(len(x)):\n    for j in range(3):\n        if x[i, j] > 0:\n            out.append(x[i, j] * j)\nreturn torch.stack(out) if out else x.sum()",
    "places that data choose by while": "out = []\ni = 0\nwhile i < len(x):\n    if x[i].sum() > 0:\n        out.append(i)\n        i += 1\n    i += 1\nreturn out",
    "the first that data chose": "a = []\nfor r in x:\n    if r[0] > 0 and not a:\n        a.append(r)\nreturn a.pop() if a else x.sum(0)",
    "what is far from all before": "keep = []\nfor i in range(len(x)):\n    ok = True\n    for j in keep:\n        if (x[i] - x[j]).abs().sum() < 1.5:\n            ok = False\n            break\n    if ok:\n        keep.append(i)\nreturn keep, x[torch.tensor(keep, dtype=torch.long)]",
    "what is far from the best": "order = x[:, 0].argsort(descending=True)\nkeep = []\nwhile order.numel() > 0:\n    i = order[0]\n    keep.append(i)\n    d = (x[order[1:]] - x[i]).abs().sum(1)\n    order = order[1:][d > 1.5]\nreturn torch.stack(keep) if keep else order",
    "lists in a dict that data fill": "g = {0: [], 1: []}\nfor i in range(len(x)):\n    g[int(x[i, 0] > 0)].append(i)\nreturn len(g[0]), len(g[1]), g",
    "beginnings of runs": "runs = []\nprev = None\nfor i in range(len(x)):\n    s = bool(x[i, 0] > 0)\n    if prev is None or s != prev:\n        runs.append(1)\n    prev = s\nreturn runs",
    "changes of the greatest": "ids = x.argmax(1)\nout = []\nprev = -1\nfor t in ids:\n    t = t.item()\n    if t != prev and t != 0:\n        out.append(t)\n    prev = t\nreturn out",
    "rows and their doubles that data choose": "out = []\nfor r in x:\n    if r[0] > 0:\n        out.extend([r, r * 2])\nreturn torch.stack(out) if out else x",
    "a list of an object that data fill": "class A: pass\na = A()\na.out = []\nfor r in x:\n    if r[0] > 0:\n        a.out.append(r * 2)\nreturn torch.stack(a.out) if a.out else x",
    "elements of two kinds of rows": "out = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        out.append(x[i, 1])\n    elif x[i, 0] < -1:\n        out.append(x[i, 2] * 2)\nreturn sum(out) if out else x.sum()",
    "tokens until the end": "out = [1]\ntok = 1\nh = x.sum(0)\nwhile tok != 2 and len(out) < 20:\n    h = torch.tanh(h + tok)\n    tok = int(h.argmax())\n    out.append(tok)\nreturn torch.tensor(out)",
    "tokens of a loop of known length": "out = []\ntok = torch.tensor(0)\nh = x.sum(0)\nfor _ in range(30):\n    h = torch.tanh(h + tok)\n    tok = h.argmax()\n    if tok == 2:\n        break\n    out.append(tok)\nreturn torch.stack(out) if len(out) else torch.zeros(0, dtype=torch.long)",
    "tokens by scores": "seqs = [0]\nscore = 0.0\nh = x.sum(0)\nwhile len(seqs) < 12:\n    h = torch.tanh(h * 1.5 + seqs[-1])\n    p = torch.log_softmax(h, 0)\n    v, i = p.max(0)\n    score = score + v.item()\n    t = i.item()\n    if t == 2:\n        break\n    seqs.append(t)\nreturn seqs, score",
    "states until data end it": "out = []\ny = x.sum(0)\nwhile y.sum() < 40 and len(out) < 30:\n    out.append(y)\n    y = y.abs() * 1.5 + 1\nreturn (torch.stack(out) if out else y), len(out)",
    "more lengths than a choice has": "v = x.sum(0).repeat(8)\nhs = []\nfor i in range(24):\n    if v[i] > 1:\n        hs.append(v[i] * i)\nreturn torch.stack(hs) if hs else v, len(hs)",
    "numbers of a known length that data choose": "v = x.sum(0).repeat(8)\nl = [int(a) for a in v.tolist() if a > 0]\nreturn l, sum(l), len(l), torch.tensor(l)",
    "numbers before and behind those that data choose": "v = x.sum(0).repeat(8)\nl = []\nfor a in v.tolist():\n    if a > 0:\n        l.append(a)\nl.append(1.5)\nl.insert(0, 2.5)\nreturn l, max(l), min(l), l[-1]",
    "tuples in a list": "h = c = torch.zeros(3)\nout = []\nfor r in x:\n    h, c = torch.tanh(r + c), h\n    out.append((h, c))\ny = torch.zeros(3)\nfor h, c in out:\n    y = y + h * c\nreturn y",
    "the last tuple of a list": "out = [(torch.zeros(3), torch.ones(3))]\nfor r in x:\n    h, c = out[-1]\n    out.append((torch.tanh(r + c), h))\nreturn out[-1][0], torch.stack([h for h, _ in out])",
    "tuples that data choose": "a = []\nfor i in range(len(x)):\n    if x[i, 1] > 0:\n        a.append((i, x[i]))\ny = torch.zeros(3)\nfor i, r in a:\n    y = y * i + r\nreturn y",
    "tuples of tuples and constants": "a = []\nfor i in range(len(x)):\n    if x[i, 1] > 0:\n        a.append((i, x[i], 'k', None, (i * 2, x[i, 0])))\ny = torch.zeros(3)\nfor i, r, k, n, (j, s) in a:\n    y = y * i + r * j - s\n    assert k == 'k' and n is None\nreturn y, len(a)",
    "equal tuples in a list": "a = []\nfor i in range(len(x)):\n    a.append((i, i))\nreturn (1, 1) in a, a.count((2, 2)), a.index((0, 0)) if a else 0",
    "tuples by a key": "a = []\nfor i in range(len(x)):\n    a.append((x[i, 0].item(), i))\nb = sorted(a, key=lambda p: p[0])\nreturn [p[1] for p in b]",
    "pop the last": "a = [x.sum(0)]\nfor r in x:\n    a.append(r * 2)\nl = a.pop()\nreturn l, torch.stack(a) if a else l",
    "pop of a list that may be empty": "a = []\nfor r in x:\n    if r[0] > 0:\n        a.append(r * 2)\ntry:\n    l = a.pop()\nexcept IndexError as e:\n    return str(e)\nreturn l",
    "pop until it is empty": "a = []\nfor i in range(len(x)):\n    a.append(i)\ns = 0\nwhile a:\n    s = s * 2 % 1000 + a.pop()\nreturn s",
    "pop the first until it is empty": "a = []\nfor i in range(len(x)):\n    a.append(i)\ns = 0\nwhile a:\n    s = s * 2 % 1000 + a.pop(0)\nreturn s",
    "pop one between": "a = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        a.append(i)\nk = a.pop(1) if len(a) > 1 else -1\nreturn a, k",
    "elements set": "a = []\nfor i in range(len(x)):\n    a.append(i)\nfor i in range(len(x)):\n    a[i] = a[i - 1] + i\nreturn a",
    "the last element set": "a = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        a.append(i)\nif a:\n    a[-1] = 100\nreturn a",
    "an element deleted": "a = []\nfor i in range(len(x)):\n    a.append(i)\nif len(a) > 2:\n    del a[1]\nreturn a",
    "an element removed": "a = []\nfor i in range(len(x)):\n    a.append(i)\ntry:\n    a.remove(2)\nexcept ValueError:\n    a.append(-1)\nreturn a",
    "elements swapped": "a = []\nfor i in range(len(x)):\n    a.append(i)\nfor i in range(len(x) - 1):\n    if x[i, 0] > x[i + 1, 0]:\n        a[i], a[i + 1] = a[i + 1], a[i]\nreturn a",
    "a stack of tensors": "s = []\nfor i in range(len(x)):\n    if x[i, 0] > 0 or len(s) < 2:\n        s.append(x[i] * 1)\n    else:\n        b = s.pop()\n        a = s.pop()\n        s.append(torch.tanh(a + b))\nreturn torch.stack(s) if s else x, len(s)",
    "a search in depth": "todo = [0]\nseen = 0\nwhile todo and seen < 50:\n    i = todo.pop()\n    seen += 1\n    if i < len(x) and x[i, 0] > 0:\n        todo.append(2 * i + 1)\n        todo.append(2 * i + 2)\nreturn seen",
    "a stack of rising numbers": "s = [0.0]\nfor i in range(len(x)):\n    while len(s) > 1 and s[-1] > x[i, 0]:\n        s.pop()\n    s.append(float(x[i, 0]))\nreturn len(s)",
    "numbers sorted in place": "a = []\nfor v in x[:, 0].tolist():\n    if v > 0:\n        a.append(v)\na.sort(reverse=True)\nreturn a",
    "numbers sorted": "a = []\nfor i in range(len(x)):\n    a.append(int(x[i, 0] * 2))\nreturn sorted(a), sorted(a, reverse=True), sorted(range(len(a)), key=lambda i: a[i])",
    "tensors of one element sorted": "a = []\nfor i in range(len(x)):\n    a.append(x[i, 0] * 2)\na.sort()\nreturn torch.stack(a) if a else x",
    "a list that data fill backwards": "a = []\nfor r in x:\n    if r[0] > 0:\n        a.append(r)\ny = torch.zeros(3)\nfor r in reversed(a):\n    y = torch.tanh(y + r)\nreturn y",
    "two lists that data fill together": "a, b = [], []\nfor r in x:\n    if r[0] > 0:\n        a.append(r)\n        b.append(r.sum())\ny = torch.zeros(3)\nfor i, (r, s) in enumerate(zip(a, b)):\n    y = torch.tanh(y + r * s * i)\nreturn y",
    "reversed list": "out = []\nfor r in x:\n    out.append(r * 2)\ny = torch.zeros(3)\nfor r in reversed(out):\n    y = torch.tanh(y + r)\nreturn y",
    "a list of parts": "l = list(x.unbind(0))\ny = torch.zeros(3)\nfor r in l:\n    y = torch.tanh(y + r)\nreturn y",
    "a list of parts both ways": "l = list(x.unbind(0))\ny = torch.zeros(3)\nfor r in l:\n    y = torch.tanh(y + r)\nfor r in l[::-1]:\n    y = torch.tanh(y * 0.5 + r)\nreturn y, len(l)",
    "parts backwards": "y = torch.zeros(3)\nfor r in reversed(x.unbind(0)):\n    y = torch.tanh(y + r)\nreturn y",
    "lists repeated": "a = [0] * len(x)\nb = [1.5] * (2 * len(x))\nc = [0, 1] * len(x)\nreturn a, b, c",
    "a repeated list filled by index": "a = [0.0] * len(x)\nfor i in range(len(x)):\n    a[i] = x[i].sum().item()\nreturn a",
    "a repeated list by the element before": "a = [0] * (len(x) + 1)\nfor i in range(1, len(a)):\n    a[i] = max(a[i - 1], i if x[i - 1, 0] > 0 else 0)\nreturn a[-1]",
    "a list of a tensor repeated": "a = [torch.zeros(3)] * len(x)\na.append(x.sum(0))\nreturn torch.stack(a)",
    "a list repeated as often as data say": "n = int((x > 0).sum())\na = [1] * n\nreturn sum(a), a",
    "slices of one row": "a = [x.sum(0)[None]]\nfor i in range(len(x)):\n    a.append(x[i:i + 1])\nreturn torch.cat(a)",
    "a list stacked in its own loop": "out = [x.sum(0)]\nfor r in x:\n    out.append(torch.stack(out).mean(0) + r)\nreturn out[-1]",
    "slices that data choose": "out = [x[:1]]\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        out.append(x[i:i+1])\nreturn torch.cat(out)",
    "slices of one row written": "y = x.clone()\nfor i in range(len(x)):\n    y[i:i + 1] += i\n    if y[i, 0] > 1:\n        y[i:i + 1] *= 2\nreturn y",
    "rows by exceptions": "out = []\nfor r in x:\n    try:\n        if r[0] > 1:\n            raise ValueError('a')\n        out.append(r * 1)\n    except ValueError:\n        out.append(r * 2)\n        if r[1] > 0:\n            out.append(r * 3)\nreturn torch.stack(out) if out else x",
    "a list that a function fills": "def add(l, v):\n    if v.sum() > 0:\n        l.append(v * 1)\n    return l\nout = []\nfor r in x:\n    out = add(out, r)\nreturn len(out), (torch.stack(out) if out else x)",
    "a list of a generator on data": "def pos():\n    for r in x:\n        if r[0] > 0:\n            yield r * 2\nl = list(pos())\nreturn torch.stack(l) if l else x",
    "two names of a list that data fill": "a = []\nb = a\nfor r in x:\n    if r[0] > 0:\n        a.append(1)\nreturn b, a is b",
    "copies of a list that data fill": "a = []\nb = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        a.append(i)\n        b = a[:]\n    elif x[i, 1] > 0:\n        a = list(b)\nreturn a, b",
    "a list begun anew by data": "cur, done = [], 0\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        cur.append(i)\n    else:\n        done += len(cur)\n        cur = []\nreturn cur, done",
    "the longest run": "cur, best = [], []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        cur.append(i)\n    else:\n        cur = []\n    if len(cur) > len(best):\n        best = list(cur)\nreturn best",
    "a list cleared when it is full": "cur, n = [], 0\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        cur.append(i)\n    if len(cur) == 3:\n        n += sum(cur)\n        cur.clear()\nreturn cur, n",
    "the greatest tuple": "best = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        best.append((x[i, 0].item(), i))\nif not best:\n    return -1.0, -1\ns, i = max(best)\nreturn s, i",
    "a list in each turn": "rows = []\nfor i in range(len(x)):\n    row = []\n    for j in range(3):\n        if x[i, j] > 0:\n            row.append(j)\n    rows.append(len(row))\nreturn rows",
    "what is near to each": "n = 0\nfor i in range(len(x)):\n    near = []\n    for j in range(len(x)):\n        if (x[i] - x[j]).abs().sum() < 2:\n            near.append(j)\n    n += len(near) * i\nreturn n",
    "a return when there are enough": "out = []\nfor r in x:\n    if r[0] > 0:\n        out.append(r * 1)\n        if len(out) >= 3:\n            return torch.stack(out)\nreturn x.sum(0)",
    "lists that change places": "a, b = [], []\nfor i in range(len(x)):\n    a.append(i)\n    if x[i, 0] > 0:\n        a, b = b, a\nreturn a, b",
    "a stack of tuples": "s = []\nd = 0\nfor v in x[:, 0].tolist():\n    while s and s[-1][0] < v:\n        d += s.pop()[1]\n    s.append((v, len(s)))\nreturn d, len(s)",
    "a list of truth values": "a = []\nfor i in range(len(x)):\n    a.append(bool(x[i, 0] > 0))\nreturn any(a), all(a), sum(a), a",
    "rows at places that data chose": "a = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        a.append(i)\nreturn x[a].sum(0), x[torch.tensor(a, dtype=torch.long)].shape[0]",
    # writes
    "rows written": "out = torch.zeros_like(x)\nfor i in range(x.shape[0]):\n    out[i] = x[i] * i\nreturn out",
    "rows written after others": "out = torch.zeros_like(x)\nfor i in range(x.shape[0]):\n    out[i] = x[i] + (out[i - 1] if i > 0 else 0)\nreturn out",
    "rows added": "out = x.clone()\nfor i in range(1, len(x)):\n    out[i] += out[i - 1]\nreturn out",
    "elements written": "out = torch.zeros(len(x))\nfor i in range(len(x)):\n    out[i] = x[i, 0] * x[i, 2]\nreturn out",
    "an argument written": "for i in range(len(x)):\n    x[i] = x[i] * i\nreturn x.sum()",
    "in place": "y = torch.zeros(3)\nfor row in x:\n    y.add_(row).mul_(0.5)\nreturn y",
    "slices written": "out = torch.zeros(len(x) + 2, 3)\nfor i in range(len(x)):\n    out[i:i + 2] += x[i]\nreturn out",
    # nested
    "nested": "y = torch.zeros(3)\nfor i in range(len(x)):\n    for j in range(3):\n        y = torch.tanh(y + x[i] * x[i, j])\nreturn y",
    "nested over sizes": "y = torch.zeros(())\nfor i in range(len(x)):\n    for j in range(len(x)):\n        y = torch.tanh(y + x[i] @ x[j])\nreturn y",
    "triangle": "y = torch.zeros(())\nfor i in range(len(x)):\n    for j in range(i):\n        y = y * 0.5 + x[i] @ x[j]\nreturn y",
    "triangle from the diagonal": "y = torch.zeros(())\nfor i in range(len(x)):\n    for j in range(i, len(x)):\n        y = y * 0.5 + x[i] @ x[j]\nreturn y",
    "an element of the first turn": "a = []\nfor i in range(len(x)):\n    if i == 0:\n        a.append(7)\nreturn x.sum() + len(a)",
    "the first row from 1": "a = []\nfor r in x:\n    if not a:\n        a.append(r * 1)\nreturn torch.stack(a)",
    "every other row from 1": "a = []\nfor i in range(len(x)):\n    if i % 2 == 0:\n        a.append(x[i] * 2)\nreturn torch.stack(a)",
    "pairs": "a = []\nfor i in range(len(x)):\n    for j in range(i + 1, len(x)):\n        a.append((x[i] * x[j]).sum())\nreturn x.sum() + len(a)",
    "rows in fours from 1": "a = []\nfor i in range(0, len(x), 4):\n    for j in range(i, min(i + 4, len(x))):\n        a.append(x[j] * 2)\nreturn torch.stack(a)",
    "two elements": "d = []\nfor i in range(len(x)):\n    if i < 2:\n        d = d + [i]\nreturn x.sum() + len(d)",
    "two for each pair": "a = []\nfor i in reversed(range(len(x))):\n    for j in range(i):\n        a.append(x[i] + x[j])\n        a.append(x[j])\nreturn x.sum() + len(a)",
    "elements until a break": "a = []\nfor i in range(len(x)):\n    a.append(i)\n    if i == 3:\n        break\nreturn x.sum() + len(a)",
    "uneven numbers": "n = 0\nfor i in range(len(x)):\n    if i % 3 == 0:\n        n += 1\n    elif i == 1:\n        continue\n    n += 2\nreturn x.sum() + n",
    "there and back": "i, y = 0, torch.zeros(3)\nwhile y[0] < 4 and len(x) > 2:\n    y = y + x[i].abs() + 0.5\n    i = i + 1 if i == 0 else i - 2\nreturn y, i",
    "rows of rows from 1": "return torch.stack([torch.stack([a @ b for b in x]) for a in x])",
    # builtins
    "sum": "return x.sum() + sum(i * 2 for i in range(len(x)))",
    "sum of tensors": "return sum(row * 2 for row in x) + torch.zeros(3)",
    "any": "return x.sum() + (1 if any(i == 5 for i in range(len(x))) else 2)",
    "all": "return x.sum() + (1 if all(i < 5 for i in range(len(x))) else 2)",
    "max": "return x.sum() + max([i % 7 for i in range(len(x))] + [0])",
    "list of a range": "return x.sum() + len(list(range(len(x))))",
    # sizes that follow from the index
    "prefixes": "y = torch.zeros(3)\nfor i in range(len(x)):\n    y = torch.tanh(y + x[:i + 1].mean(0))\nreturn y",
    "suffixes": "y = torch.zeros(3)\nfor i in range(len(x)):\n    y = torch.tanh(y + x[i:].sum(0))\nreturn y",
    "causal attention": "out = torch.zeros_like(x)\nfor i in range(len(x)):\n    k = x[:i + 1]\n    out[i] = torch.softmax(k @ x[i], 0) @ k\nreturn out",
    "parts that are kept": "y = torch.zeros(3)\nfor r in (p := x.unbind(0)):\n    y = y + r\nfor r in p:\n    y = y * 0.5 + r\nreturn y, len(p)",
    "parts of what is given other data": "w = x.clone()\ny, parts = torch.zeros(3), enumerate(w.unbind(0))\nw.data = x * 5\nfor i, r in parts:\n    y = y + r * i\nreturn y, w",
    "pieces that are kept": "p = x.split(4)\nout = [r.sum(0) for r in p]\ny = torch.zeros(3)\nfor i in range(len(p)):\n    y = y + p[i].sum(0) * out[i]\nreturn y, len(out)",
    "pieces that are kept and joined from 1": "p = x.split(2)\nq = [r * 2 for r in p]\nreturn torch.cat(q), torch.cat(p[::-1])",
    "stack of unbind from 1": "return torch.stack(x.unbind(0)), torch.stack(x.unbind(0), 1)",
    "parts in an attribute": "class A: pass\na = A()\na.rows = x.unbind(0)\ny = torch.zeros(3)\nfor r in a.rows:\n    y = torch.tanh(y + r)\nreturn y",
    "pieces that are kept side by side": "p, q = x.split(2), (x * 2).split(2)\ny = torch.zeros(3)\nfor a, b in zip(p, q):\n    y = torch.tanh(y + (a * b).sum(0))\nreturn y",
    "parts that are passed on": "def f(rows):\n    y = torch.zeros(3)\n    for r in rows:\n        y = torch.tanh(y + r)\n    return y\nreturn f(x.split(1)), f(torch.unbind(x))",
    "hstack of pieces": "return torch.hstack([r for r in x.split(1)]) if len(x) else x",
    # ragged batches: rows of other lengths, which data say
    "rows written at offsets": FLAT + "out = torch.zeros(len(x), 4, 3)\no = 0\nfor b in range(len(x)):\n    n = int(lens[b])\n    out[b, :n] = f[o:o + n]\n    o += n\nreturn out",
    "rows written by a list of lengths": FLAT + "out = torch.zeros(len(x), 4, 3)\no = 0\nfor b, n in enumerate(lens.tolist()):\n    out[b, :n] = f[o:o + n]\n    o += n\nreturn out",
    "rows written by a tensor of lengths": FLAT + "out = torch.zeros(len(x), 4, 3)\nfor b in range(len(x)):\n    out[b, :lens[b]] = z[b, :lens[b]] * 2\nreturn out",
    "rows that are too long": "lens = (x[:, 0].abs() * 5).long()\nout = torch.zeros(len(x), 4, 3)\nf = torch.ones(int(lens.sum()), 3)\no = 0\nfor b, n in enumerate(lens.tolist()):\n    out[b, :n] = f[o:o + n]\n    o += n\nreturn out",
    "a list of split rows written": FLAT + "seqs = list(f.split(lens.tolist()))\nout = torch.zeros(len(x), 4, 3)\nfor i in range(len(x)):\n    out[i, :len(seqs[i])] = seqs[i]\nreturn out",
    "split rows written": FLAT + "out = torch.zeros(len(x), 4, 3)\nfor i, s in enumerate(f.split(lens.tolist())):\n    out[i, :s.shape[0]] = s\nreturn out",
    "cat of rows of other lengths from 1": PADDED + "return torch.cat([z[i, :lens[i]] for i in range(len(x))])",
    "cat of rows and lengths from 1": PADDED + "return torch.cat([a[:n] for a, n in zip(z, lens.tolist())])",
    "cat of rows and a tensor of lengths from 1": PADDED + "return torch.cat([a[:n] for a, n in zip(z, lens)])",
    "split, padded and stacked from 1": FLAT + "T = int(lens.max())\nreturn torch.stack([F.pad(r, (0, 0, 0, T - r.shape[0])) for r in f.split(lens.tolist())])",
    "pad_sequence of split rows from 1": FLAT + "return nn.utils.rnn.pad_sequence(f.split(lens.tolist()), batch_first=True)",
    "pad_sequence of a list of split rows from 1": FLAT + "return nn.utils.rnn.pad_sequence(list(torch.split(f, lens.tolist())), padding_value=-1.0)",
    "pad_sequence of a comprehension from 1": PADDED + "return nn.utils.rnn.pad_sequence([z[i, :lens[i]] for i in range(len(x))], batch_first=True, padding_value=2.0)",
    "unpad_sequence from 1": PADDED + "s = nn.utils.rnn.unpad_sequence(z, lens, batch_first=True)\nreturn torch.cat(s)",
    "a loop over unpad_sequence from 1": PADDED + "y = torch.zeros(3)\nfor s in nn.utils.rnn.unpad_sequence(z, lens, batch_first=True):\n    y = torch.tanh(y + s.sum(0))\nreturn y",
    "means of segments from 1": FLAT + "return torch.stack([r.mean(0) for r in f.split(lens.tolist())])",
    "maxima of segments from 1": "lens = (x[:, 0].abs() * 3).long().clamp(max=3) + 1\nf = x.sum(0)[0] + torch.arange(int(lens.sum()) * 3).reshape(-1, 3)\nreturn torch.stack([r.max(0).values for r in f.split(lens.tolist())])",
    "attention in segments from 1": FLAT + "out = []\nfor s in f.split(lens.tolist()):\n    a = torch.softmax(s @ s.t() / 3.0, -1)\n    out.append(a @ s)\nreturn torch.cat(out)",
    "attention in segments written": FLAT + "out = torch.zeros_like(f)\no = 0\nfor n in lens.tolist():\n    s = f[o:o + n]\n    out[o:o + n] = torch.softmax(s @ s.t() / 3.0, -1) @ s\n    o += n\nreturn out",
    "attention between offsets of a list": FLAT + "cu = [0] + lens.cumsum(0).tolist()\nout = torch.empty_like(f)\nfor i in range(len(lens)):\n    a, b = cu[i], cu[i + 1]\n    s = f[a:b]\n    out[a:b] = F.scaled_dot_product_attention(s[None, None], s[None, None], s[None, None])[0, 0]\nreturn out",
    "sums of groups from 1": "batch = (x[:, 0].abs() * 2).long().clamp(max=3)\nG = int(batch.max()) + 1\nout = []\nfor g in range(G):\n    h = x[batch == g]\n    out.append(h.sum(0))\nreturn torch.stack(out)",
    "maxima of groups": "batch = (x[:, 0].abs() * 2).long().clamp(max=3)\nout = []\nfor g in range(4):\n    h = x[batch == g]\n    out.append(h.max(0).values if len(h) else torch.zeros(3))\nreturn torch.stack(out)",
    "means of unique groups from 1": "batch = (x[:, 0].abs() * 2).long().clamp(max=3)\nout = []\nfor g in batch.unique():\n    out.append(x[batch == g].mean(0))\nreturn torch.stack(out)",
    "groups written": "batch = (x[:, 0].abs() * 2).long().clamp(max=3)\nout = torch.zeros_like(x)\nfor g in range(4):\n    m = batch == g\n    h = x[m]\n    out[m] = h - h.mean(0)\nreturn out",
    "a slice of a list of the run set": "a = [torch.zeros(3)]\nfor r in x:\n    a.append(r)\na[0:2] = [x.sum(0)]\nreturn torch.stack(a)",
    "a slice set to a list of the run": "a = []\nb = []\nfor i in range(len(x)):\n    a.append(i)\n    b.append(-i)\na[1:3] = b\nreturn a",
    "a slice of a list of the run deleted": "a = []\nfor i in range(len(x)):\n    a.append(i)\ndel a[1:3]\nreturn a",
    "a tuple of a list of the run": "a = []\nfor r in x:\n    a.append(r * 2)\nt = tuple(a)\ny = torch.zeros(3)\nfor r in t:\n    y = y + r\nreturn y",
    "a stacked tuple of the run from 1": "a = []\nfor r in x:\n    a.append(r * 2)\nreturn torch.stack(tuple(a))",
    "the last element set, or another appended": "s = [torch.zeros(3)]\nfor r in x:\n    if r[0] > 0:\n        s.append(r)\n    else:\n        s[-1] = s[-1] + r\nreturn torch.stack(s)",
    "the last number counted up, or another appended": "s = [0]\nfor r in x:\n    if r[0] > 0:\n        s.append(1)\n    else:\n        s[-1] += 1\nreturn s",
    "a list of pieces": "s = list(x.split(1))\ny = torch.zeros(3)\nfor a in s:\n    y = torch.tanh(y + a[0])\nreturn y",
    "pieces by index from 1": "s = list(x.split(1))\nreturn s[0] + s[-1]",
    "pieces backwards from 1": "s = list(x.split(1))\ns.reverse()\nreturn torch.cat(s)",
    "a list of rows": "s = list(x)\ny = torch.zeros(3)\nfor i in range(len(s)):\n    y = torch.tanh(y + s[i])\nreturn y",
    "a table of maxima": "n = len(x)\ndp = torch.zeros(n + 1, 4)\nfor i in range(1, n + 1):\n    for j in range(1, 4):\n        dp[i, j] = torch.maximum(dp[i - 1, j], dp[i, j - 1]) + x[i - 1, j - 1].abs()\nreturn dp",
    "an edit distance": "a = (x[:, 0] > 0).long()\nb = (x[:, 1] > 0).long()\nn, m = len(a), len(b)\nd = torch.zeros(n + 1, m + 1)\nfor i in range(n + 1):\n    d[i, 0] = i\nfor j in range(m + 1):\n    d[0, j] = j\nfor i in range(1, n + 1):\n    for j in range(1, m + 1):\n        c = 0 if a[i - 1] == b[j - 1] else 1\n        d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + c)\nreturn d[n, m]",
    "time warping": "n = len(x)\nc = torch.cdist(x, x.flip(0))\nD = torch.full((n + 1, n + 1), float('inf'))\nD[0, 0] = 0\nfor i in range(1, n + 1):\n    for j in range(1, n + 1):\n        D[i, j] = c[i - 1, j - 1] + torch.min(torch.stack([D[i - 1, j], D[i, j - 1], D[i - 1, j - 1]]))\nreturn D[n, n]",
    "a best path from 1": "trans = torch.tensor([[0.1, 0.5, 0.2], [0.3, 0.2, 0.1], [0.0, 0.4, 0.6]])\nv = x[0]\nbp = []\nfor t in range(1, len(x)):\n    s = v[:, None] + trans\n    v, i = s.max(0)\n    v = v + x[t]\n    bp.append(i)\nbest = int(v.argmax())\npath = [best]\nfor i in reversed(bp):\n    best = int(i[best])\n    path.append(best)\npath.reverse()\nreturn path, v.max()",
    "a best path by tables from 1": "n = len(x)\ntrans = torch.tensor([[0.1, 0.5, 0.2], [0.3, 0.2, 0.1], [0.0, 0.4, 0.6]])\nv = torch.zeros(n, 3)\nbp = torch.zeros(n, 3, dtype=torch.long)\nv[0] = x[0]\nfor t in range(1, n):\n    s = v[t - 1][:, None] + trans\n    m, i = s.max(0)\n    v[t] = m + x[t]\n    bp[t] = i\npath = torch.zeros(n, dtype=torch.long)\npath[-1] = v[-1].argmax()\nfor t in range(n - 2, -1, -1):\n    path[t] = bp[t + 1, path[t + 1]]\nreturn path, v[-1].max()",
    "a table of logsumexp from 1": "n = len(x)\ntrans = torch.tensor([[0.1, 0.5, 0.2], [0.3, 0.2, 0.1], [0.0, 0.4, 0.6]])\na = torch.zeros(n, 3)\na[0] = x[0]\nfor t in range(1, n):\n    a[t] = torch.logsumexp(a[t - 1][:, None] + trans, 0) + x[t]\nreturn a",
    "a table of logaddexp from 1": "n = len(x)\nlp = torch.log_softmax(x, 1)\na = torch.full((n, 3), -1e9)\na[0, 0] = lp[0, 0]\nfor t in range(1, n):\n    for s in range(3):\n        p = a[t - 1, s]\n        if s > 0:\n            p = torch.logaddexp(p, a[t - 1, s - 1])\n        a[t, s] = p + lp[t, s]\nreturn a",
    "longest rising": "n = len(x)\nd = torch.ones(n, dtype=torch.long)\nfor i in range(n):\n    for j in range(i):\n        if x[j, 0] < x[i, 0]:\n            d[i] = torch.maximum(d[i], d[j] + 1)\nreturn d",
    "pieces as a result": FLAT + "return [r * 2 for r in f.split(lens.tolist())]",
    "a stack of rows of other lengths from 1": PADDED + "return torch.stack([z[i, :n] for i, n in enumerate(lens.tolist())])",
    "what a stack of rows of other lengths says from 1": PADDED + "try:\n    return torch.stack([z[i, :n] for i, n in enumerate(lens.tolist())])\nexcept RuntimeError as e:\n    return str(e)",
    "a stack of rows padded to one length from 1": PADDED + "k = int(lens.max())\nout = []\nfor i in range(len(x)):\n    out.append(F.pad(z[i, :lens[i]], (0, 0, 0, k - int(lens[i]))))\nreturn torch.stack(out), torch.stack(out, 1), torch.stack(out, -1)",
    "a list of some of few rows in each turn": "l = []\nfor i in range(len(x)):\n    if len(x) == 2:\n        l = [r for r in x if r.sum() > 0]\nreturn torch.stack(l) if l else x",
    "numbers that two loops put in at both ends": "n = len(x)\nq = []\nk = 1\nfor r in x:\n    if ((max(n, 3) * 3 + n) % 17) > 5:\n        q.sort()\n        k = k + sum(a % n for a in q) if n else k\n    q.insert(0, n)\nfor r in x:\n    for j in range(1, n, 2):\n        if q:\n            q[(q[-1] if q else j) % len(q)] = max(q, default=1) % 13\n        q.append(abs(n - 1))\n    q.append(sum(q) % 11)\nreturn sum(q), len(q), k",
    "rows are exchanged where data say from 1": "y = x * 1\nfor p in range(len(x)):\n    b = int(y[p:, 0].argmax()) + p\n    t = y[p].clone()\n    y[p] = y[b]\n    y[b] = t\nreturn y",
    "elements and columns of others from 1": "y = x * 1\nfor p in range(len(x)):\n    i, j = int(y[p, 0] > 0), int(y[p, 1] > 0)\n    y[p, i] += min(y[0, j], y[p, j])\n    y[:, i] = y[:, j]\nreturn y",
    "an end of the range of its own": "s = 0\nfor r in x.unbind(0):\n    s = s + 1\nif len(x) == 0:\n    s = [s]\nreturn s",
    "the last elements of two lists": "h = c = torch.zeros(3)\na, b = [], []\nfor r in x:\n    h = h * 0.5 + r\n    c = c + h\n    a.append(h)\n    b.append(c)\nreturn a[-1], b[-1]",
    "a list and the last element of another": "h = c = torch.zeros(3)\na, b = [], []\nfor r in x:\n    h = h * 0.5 + r\n    c = c + h\n    a.append(h)\n    b.append(c)\nreturn a, b[-1], h * 1",
    "an element of another length behind others": PADDED + "out = [torch.zeros(1, 3)]\nfor r in x:\n    out.append(r[None] * 2)\nout.append(torch.ones(5, 3))\nreturn torch.cat(out), len(out), out[-1], out[0] * 1",
    "elements of other lengths behind others": PADDED + "out = [torch.zeros(1, 3)]\nfor r in x:\n    out.append(r[None] * 2)\nfor i, n in enumerate(lens.tolist()):\n    out.append(z[i, :n])\nreturn torch.cat(out)",
    "tuples with rows of other lengths": PADDED + "out = []\nfor i, n in enumerate(lens.tolist()):\n    out.append((z[i, :n], n * 2))\ny = torch.zeros(())\nfor t, k in out:\n    y = y * 0.5 + t.sum() * k\nreturn y",
    "lengths of pieces": FLAT + "s = f.split(lens.tolist())\nreturn [len(r) for r in s], sum(r.shape[0] for r in s), max([len(r) for r in s] + [0]), len(s)",
    "pieces by their lengths from 1": FLAT + "s = f.split(lens.tolist())\nreturn torch.cat(sorted(s, key=len))",
    "pieces reversed and one more": FLAT + "s = list(f.split(lens.tolist()))\ns.reverse()\ns.append(torch.ones(2, 3))\nreturn torch.cat(s)",
    "pieces inserted and taken off": FLAT + "s = list(f.split(lens.tolist()))\ns.insert(0, torch.ones(2, 3))\ns.insert(1, torch.ones(1, 3))\na = s.pop()\nb = s.pop(0)\nreturn torch.cat(s + [a]), b",
    "pieces that data choose": PADDED + "out = []\nfor i, n in enumerate(lens.tolist()):\n    if n > 1:\n        out.append(z[i, :n])\nreturn torch.cat(out) if out else x",
    "ids of other lengths": PADDED + "t = torch.arange(4)[None] + (x[:, :1] * 5).long()\nout = []\nfor i, n in enumerate(lens.tolist()):\n    out.append(t[i, :n])\nreturn torch.cat(out + [t.sum(0)])",
    "pieces of lengths that data say": "out = [x[:0]]\no = 0\nwhile o < len(x):\n    k = int(x[o, 0].abs() * 2) + 1\n    out.append(x[o:o + k] * k)\n    o += k\nreturn torch.cat(out), len(out)",
    "pieces by index": FLAT + "s = f.split(lens.tolist())\ny = torch.zeros(3)\nfor i in range(len(s)):\n    y = y * 0.5 + s[i].sum(0)\nreturn y",
    "slices of a tuple of the run": FLAT + "s = f.split(lens.tolist())\ny = torch.zeros(3)\nfor r in s[1:]:\n    y = y * 0.5 + r.sum(0)\nt = s[:-1] + s[-1:]\nreturn y, len(t), isinstance(s, tuple), isinstance(s[:], tuple), isinstance(list(s), list), len(s + (x,))",
    "behind the end of a tuple of the run": FLAT + "s = f.split(lens.tolist())\nreturn s[40]",
    "an element of a tuple of the run set": FLAT + "s = f.split(lens.tolist())\ntry:\n    s[0] = x\nexcept TypeError as e:\n    return str(e)",
    "a tuple of the run has no append": FLAT + "s = f.split(lens.tolist())\ntry:\n    s.append(x)\nexcept AttributeError as e:\n    return str(e)",
    "a split of other lengths": FLAT + "return len(f[1:].split(lens.tolist()))",
    "a split of negative lengths": FLAT + "return len(f.split((lens - 1).tolist()))",
    "a split along 1": "lens = (x[:, 0].abs() * 3).long().clamp(max=4)\ng = torch.arange(int(lens.sum()) * 2).reshape(2, -1).float()\ny = torch.zeros(2)\nfor r in g.split(lens.tolist(), dim=1):\n    y = y * 0.5 + r.sum(1)\nreturn y",
    "a split by keyword": FLAT + "y = torch.zeros(3)\nfor r in torch.split(f, split_size_or_sections=lens.tolist()):\n    y = y * 0.5 + r.sum(0)\nreturn y",
    "writes to pieces": FLAT + "g = f.clone()\nfor r in g.split(lens.tolist()):\n    r.mul_(2)\nreturn g",
    "writes to pieces by index": FLAT + "g = f.clone()\nfor i, r in enumerate(g.split(lens.tolist())):\n    r += i\nreturn g",
    "pieces of known number": "lens = (x.sum(0).abs() * 3).long().clamp(max=4)\nf = torch.arange(int(lens.sum()) * 3).reshape(-1, 3)\na, b, c = f.split(lens.tolist())\nreturn a.sum(0), torch.cat([c, b])",
    "the text of a list of the run": PADDED + "l = lens.tolist()\nprint(l, len(l))\nprint(f'{l} of {len(l)}', [v * 0.5 for v in l], [v > 1 for v in l])\nreturn 1",
    "pieces padded with masks": FLAT + "T = int(lens.max()) if len(x) else 1\nout = []\nm = []\nfor r in f.split(lens.tolist()):\n    out.append(F.pad(r, (0, 0, 0, T - r.shape[0])))\n    m.append(torch.arange(T) < r.shape[0])\nreturn (torch.stack(out), torch.stack(m)) if out else x",
    "unpack_sequence from 1": PADDED + "lens = lens.clamp(min=1)\np = nn.utils.rnn.pack_padded_sequence(z, lens[:1].repeat(len(x)), batch_first=True)\ns = nn.utils.rnn.unpack_sequence(p)\nreturn torch.cat(s)",
    "pieces in an attribute": FLAT + "class A: pass\na = A()\na.parts = f.split(lens.tolist())\na.n = 0\nfor r in a.parts:\n    a.n += len(r)\nreturn a.n",
    "pieces of rows in nested loops": PADDED + "out = [torch.zeros(0, 3)]\nfor i in range(len(x)):\n    for j in range(3):\n        if x[i, j] > 0:\n            out.append(z[i, :j])\nreturn torch.cat(out)",
    "packed sequences of rows from 1": PADDED + "n = lens.clamp(min=1).sort(descending=True)[0].tolist()\np = nn.utils.rnn.pack_sequence([z[i, :k] for i, k in enumerate(n)])\nreturn p.data, p.batch_sizes",
    # so many known turns that they are a loop of the run
    "many known turns": STATE + "for t in range(3000):\n    y = torch.tanh(y * 0.9 + s + t * 0.001)\nreturn y",
    "many known turns backwards": STATE + "for t in range(3000, 0, -1):\n    y = torch.tanh(y * 0.9 + s / t)\nreturn y, t",
    "many known turns that fill a list": STATE + "out = []\nfor t in range(2500):\n    y = torch.tanh(y * 0.9 + s)\n    out.append(y)\nr = torch.stack(out)\nreturn r.shape[0], r[::100], r.reshape(50, 50, 3).sum(1), len(out)",
    "many known turns in a comprehension": STATE + "r = torch.cat([(s * t * 0.001).sin()[None] for t in range(2500)])\nreturn r.view(25, 100, 3).sum(0)",
    "many known turns and a branch": STATE + "k = 0\nfor t in range(3000):\n    y = torch.tanh(y * 0.9 + s)\n    if t % 100 == 0:\n        k += 1\n        y = y * 0.5\nreturn y, k",
    "many known turns and a break on data": STATE + "for t in range(3000):\n    y = y * 0.99 + s.abs() + 0.1\n    if y.sum() > 90:\n        break\nreturn y, t",
    "many known turns and an index": "w = torch.linspace(0, 1, 3000)\n" + STATE + "for t in range(3000):\n    y = y * w[t] + s * (1 - w[-1 - t])\nreturn y",
    "many known turns and rows written": STATE + "z = torch.zeros(3000, 3)\nfor t in range(1, 3000):\n    z[t] = torch.tanh(z[t - 1] * 0.9 + s)\nreturn z[::50], z.view(30, 100, 3).mean(1)",
    "many known turns and the first is other": STATE + "h = None\nfor t in range(3000):\n    h = s if h is None else torch.tanh(h + s)\nreturn h",
    "many known turns and two states": STATE + "c = s\nfor t in range(2000):\n    y, c = torch.tanh(s + c), c * 0.9 + y\nreturn y, c",
    "nested known turns": STATE + "for i in range(60):\n    for j in range(60):\n        y = torch.tanh(y * 0.9 + s * i - j)\nreturn y",
    "known turns in a loop over rows": "y = torch.zeros(3)\nfor r in x:\n    for j in range(2000):\n        y = torch.tanh(y * 0.9 + r - j)\nreturn y",
    "many known turns and other forms": STATE + "h = ()\nfor t in range(700):\n    y = torch.tanh(y * 0.9 + s + 1)\n    h = h + (y,)\nreturn sum(h), len(h)",
    "many known turns and layers": "w = [x.sum(0) * k for k in range(30)]\n" + STATE + "for t in range(1500):\n    y = torch.tanh(y * 0.9 + w[t % 30])\nreturn y",
    "many known turns of Newton": STATE + "v = s.abs() + 1\nfor _ in range(5000):\n    v = 0.5 * (v + (s.abs() + 2) / v)\nreturn v",
    "many known turns enumerate": STATE + "for n, t in enumerate(range(5, 2500)):\n    y = torch.tanh(y * 0.9 + s * (n - t))\nreturn y",
    "known turns and a product": STATE + "k = 1\nfor i in range(300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    k = k * 2\nreturn y, k % 1000007",
    "known turns and powers": STATE + "t = 0\nfor i in range(300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    t += 2 ** i % 7 + (1 << i) % 11 + (3 << (i + 40)) % 13 + i.__pow__(9) % 5\nreturn y, t",
    "known turns and squares of large numbers": STATE + "t = 0\nfor i in range(5 * 10**9, 5 * 10**9 + 300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    t += i * i % 5\nreturn y, t",
    "known turns and a remainder of a product": STATE + "r = 12345\nfor i in range(300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    r = (r * 6364136223846793005 + 1442695040888963407) % 2**32\n    y = y + r / 2**32\nreturn y, r",
    "known turns and factorials": STATE + "t = 0\nfor i in range(300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    t += math.factorial(i) % 1009 + math.comb(300, i) % 1013\nreturn y, t",
    "known turns of two loops over one iterator": STATE + "it = iter(range(310))\nfor a in it:\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    if y.sum() > 99:\n        break\nreturn y, a, sum(it)",
    "known turns with steps of two loops over one iterator": STATE + "it = iter(range(5, 935, 3))\nfor a in it:\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    if y.sum() > 99:\n        break\nb = list(it)\nit = iter(range(310, 0, -1))\nfor c in it:\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    if y.sum() > 99:\n        break\nn = 0\nfor d in it:\n    n += d\n    y = y + d\nreturn y, a, b, c, n",
    "an iterator over sizes that has ended": STATE + "a = -1\nit = iter(range(0, 3 * x.shape[0], 3))\nfor a in it:\n    y = y + a\n    if y.sum() < -99:\n        break\nn = 0\nfor d in it:\n    n += d\nreturn y, a, n, sum(it)",
    "known turns and another layout in each": "y = torch.zeros(4, 3)\nz = torch.arange(12.0).view(4, 3) * 0.1 + x.sum()\nfor i in range(1501):\n    y = torch.tanh(y * 0.9 + (z if y.shape[0] == 4 else z.t()))\n    y = y * 0.5 + y.cos() * 0.01\n    y = y.t()\nreturn y",
    "known turns and a bounded count": STATE + "k = 0\nfor i in range(300):\n    y = torch.sin(torch.cos(torch.tanh(y * 0.9 + s) * 0.5) + s * 0.1) * 0.9 + 0.01\n    if i % 3 == 0:\n        k += i\nreturn y, k * 2",
    "split_with_sizes by lengths of data": FLAT + "l = lens.tolist()\nreturn [p.sum() for p in f.repeat(2, 1)[:sum(l)].split_with_sizes(l)]",
    # lists of lists, numbers that lie side by side, lists of tuples as results
    "a matrix as lists, walked over": "rows = x.tolist()\ns = 0.0\nfor row in rows:\n    s = s * 0.5 + sum(row)\nreturn s",
    "a matrix as lists, element by element": "s = 0.0\nfor row in x.tolist():\n    for v in row:\n        s += v\nreturn s",
    "a matrix as lists, by index": "rows = x.tolist()\ns = 0.0\nfor i in range(len(rows)):\n    for j in range(len(rows[i])):\n        s = s * 0.5 + rows[i][j]\nreturn s",
    "a matrix as lists, at its ends from 1": "rows = x.tolist()\nreturn rows[0][1] + rows[-1][2]",
    "a matrix as lists, in a comprehension": "rows = x.tolist()\nreturn [v * 2 for row in rows for v in row if v > 0]",
    "a matrix as lists, the greatest of each": "rows = x.tolist()\nreturn [max(r) for r in rows]",
    "a matrix as lists, as a result": "return x.tolist()",
    "a matrix as lists, unpacked": "s = 0.0\nfor a, b, c in x.tolist():\n    s = s * 0.5 + a * b - c\nreturn s",
    "a matrix as lists and a tensor again from 1": "rows = x.tolist()\nreturn torch.tensor(rows)",
    "lists of a matrix made anew and a tensor from 1": "rows = [[v * 2 for v in row] for row in x.tolist()]\nreturn torch.tensor(rows)",
    "a square as lists": "g = (x @ x.t()).tolist()\ns = 0.0\nfor i in range(len(g)):\n    for j in range(len(g)):\n        s = s * 0.5 + g[i][j] - g[j][i]\nreturn s",
    "a matrix of data as lists": "rows = x[x[:, 0] > 0].tolist()\ns = 0.0\nfor i in range(len(rows)):\n    for j in range(3):\n        s = s * 0.5 + rows[i][j]\nreturn s",
    "a matrix of truth values as lists": "g = (x @ x.t() > 0).tolist()\nreturn [sum(r) for r in g]",
    "a matrix of ints as lists": "g = (x * 3).long().tolist()\nreturn g, [r.index(max(r)) for r in g]",
    "three dimensions as lists": "z = (x[:, :, None] * x[:, None, :]).tolist()\ns = 0.0\nfor a in z:\n    for b in a:\n        for c in b:\n            s = s * 0.5 + c\nreturn s",
    "three dimensions as lists, by index from 1": "z = (x[:, :, None] * x[:, None, :]).tolist()\nreturn z[0][1][2], z[-1][0]",
    "elements of lists of a matrix written": "rows = x.tolist()\nfor i in range(len(rows)):\n    rows[i][1] = 5.0\nreturn rows",
    "elements of lists of a matrix written by a name": "rows = x.tolist()\nfor i in range(len(rows)):\n    r = rows[i]\n    r[0] = r[1] + r[2]\ns = 0.0\nfor a in rows:\n    s = s * 0.5 + a[0]\nreturn s",
    "two names of a list of a matrix from 1": "rows = x.tolist()\nr = rows[0]\nrows[0][1] = 7.0\nrows[-1][2] = 8.0\nreturn r[1], rows[0][1], r[2], r",
    "lists of a matrix at their ends written from 1": "rows = x.tolist()\nrows[0][0] += 2.0\nrows[-1][-1] *= 3.0\nreturn rows",
    "a part of the lists of a matrix": "rows = x.tolist()\nq = rows[1:]\ns = 0.0\nfor r in q:\n    s = s * 0.5 + r[0]\nreturn s, len(q)",
    "the last list of a matrix": "rows = x.tolist()\nif rows:\n    r = rows.pop()\n    return r[0], len(rows)\nreturn 0.0, 0",
    "a list of a matrix beside all from 1": "rows = x.tolist()\nreturn rows, rows[0]",
    "shortest paths from 1": "n = len(x)\nd = torch.cdist(x, x).tolist()\nfor k in range(n):\n    for i in range(n):\n        for j in range(n):\n            if d[i][k] + d[k][j] < d[i][j]:\n                d[i][j] = d[i][k] + d[k][j]\nreturn d[0][n - 1]",
    "components of a graph": "n = len(x)\ng = (torch.cdist(x, x) < 1.5).tolist()\nseen = [False] * n\nk = 0\nfor s in range(n):\n    if seen[s]:\n        continue\n    k += 1\n    todo = [s]\n    while todo:\n        i = todo.pop()\n        if seen[i]:\n            continue\n        seen[i] = True\n        for j in range(n):\n            if g[i][j] and not seen[j]:\n                todo.append(j)\nreturn k",
    "a table": "n, m = len(x), 4\nd = [[0] * (m + 1) for _ in range(n + 1)]\nfor i in range(n + 1):\n    d[i][0] = i\nfor j in range(m + 1):\n    d[0][j] = j\nfor i in range(1, n + 1):\n    for j in range(1, m + 1):\n        c = 0 if x[i - 1, 0] > j - 2 else 1\n        d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + c)\nreturn d[n][m]",
    "the distance of two sequences": "a = (x[:, 0] * 2).long().tolist()\nb = (x[:, 1] * 2).long().tolist()\nn, m = len(a), len(b)\nd = [[0] * (m + 1) for _ in range(n + 1)]\nfor i in range(n + 1):\n    d[i][0] = i\nfor j in range(m + 1):\n    d[0][j] = j\nfor i in range(1, n + 1):\n    for j in range(1, m + 1):\n        if a[i - 1] == b[j - 1]:\n            d[i][j] = d[i - 1][j - 1]\n        else:\n            d[i][j] = 1 + min(d[i - 1][j], d[i][j - 1], d[i - 1][j - 1])\nreturn d[n][m]",
    "the distance of two sequences by two rows": "a = (x[:, 0] * 2).long().tolist()\nb = (x[:, 1] * 2).long().tolist()\nprev = list(range(len(b) + 1))\nfor i, p in enumerate(a):\n    cur = [i + 1]\n    for j, q in enumerate(b):\n        cur.append(min(prev[j + 1] + 1, cur[j] + 1, prev[j] + (p != q)))\n    prev = cur\nreturn prev[-1]",
    "the longest common part of two sequences": "a = (x[:, 0] * 2).long().tolist()\nb = (x[:, 1] * 2).long().tolist()\nL = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]\nfor i in range(len(a)):\n    for j in range(len(b)):\n        if a[i] == b[j]:\n            L[i + 1][j + 1] = L[i][j] + 1\n        else:\n            L[i + 1][j + 1] = max(L[i][j + 1], L[i + 1][j])\nreturn L[-1][-1]",
    "two tables from 1": "n = len(x)\na = [[0] * (n + 1) for _ in range(n + 1)]\nb = [[0.0] * (n + 1) for _ in range(n + 1)]\nfor i in range(1, n + 1):\n    for j in range(1, n + 1):\n        a[i][j] = a[i - 1][j - 1] + 1\n        b[i][j] = b[i - 1][j] + x[i - 1, 0].item()\nreturn a[n][n], b[n][n]",
    "a table by names of its rows": "n = len(x)\nd = [[0] * (n + 1) for _ in range(n + 1)]\nfor i in range(1, n + 1):\n    prev, cur = d[i - 1], d[i]\n    for j in range(1, n + 1):\n        cur[j] = prev[j - 1] + j\nreturn d[n][n], sum(d[n])",
    "rows of a table of one width as a result": "n = len(x)\ng = [[0] * 3 for _ in range(n)]\nfor i in range(n):\n    for j in range(3):\n        g[i][j] = i * j\nreturn g",
    "a table as a result": "n = len(x)\nreturn [[0] * n for _ in range(n)]",
    "rows of two numbers and a tensor from 1": "rows = []\nfor r in x.tolist():\n    rows.append([r[0] + 1, r[1] * 2])\nreturn torch.tensor(rows)",
    "states of the best path": "n = len(x)\nsc = [x.sum(0)]\nbp = []\nfor i in range(n):\n    v, k = (sc[-1][None] + x[i][:, None]).max(1)\n    sc.append(v)\n    bp.append(k.tolist())\nbest = int(sc[-1].argmax())\npath = [best]\nfor k in reversed(bp):\n    best = k[best]\n    path.append(best)\nreturn path[::-1]",
    "rows that change places": "n = len(x)\nprev = [0] * (n + 1)\ncur = [0] * (n + 1)\nfor i in range(n):\n    for j in range(n):\n        cur[j + 1] = prev[j] + 1 if x[i, 0] > x[j, 1] else max(cur[j], prev[j + 1])\n    prev, cur = cur, prev\nreturn prev, cur",
    "two names of a row in a list": "n = len(x)\nr = [0] * n\ng = [r, r]\nfor i in range(n):\n    g[0][i] = i + 1\nreturn sum(g[1]), r",
    "the best weights": "w = [int(v) % 5 + 1 for v in (x[:, 0].abs() * 3).long().tolist()]\nC = 20\nbest = [0] * (len(w) + C + 1)\nfor i in range(len(w)):\n    for c in range(C, w[i] - 1, -1):\n        best[c] = max(best[c], best[c - w[i]] + i)\nreturn best[C]",
    "primes": "n = 2 * len(x) + 3\np = [True] * n\nfor i in range(2, n):\n    if p[i]:\n        for j in range(i * 2, n, i):\n            p[j] = False\nreturn sum(p), p",
    "sums of what is before": "p = [0.0] * (len(x) + 1)\nfor i, v in enumerate(x[:, 0].tolist()):\n    p[i + 1] = p[i] + v\nreturn p[-1], p",
    "a list one longer than another": "q = [v for v in x[:, 0].tolist() if v > 0]\na = [0.0] * (len(q) + 1)\nfor i in range(len(q)):\n    a[i + 1] = a[i] + q[i]\nreturn a",
    "large ints in a repeated list": "a = [0] * (len(x) + 1)\na[0] = 2**62 + 1\nfor i in range(len(x)):\n    a[i + 1] = a[i] - i\nreturn a",
    "infinity and zero in a repeated list": "a = [float('inf')] * (len(x) + 1)\na[0] = -0.0\nreturn a, min(a)",
    "a repeated list, written outside": "a = [0] * len(x)\ntry:\n    a[len(x)] = 1\nexcept IndexError as e:\n    return str(e)\nreturn a",
    "a repeated list, read outside": "a = [0] * len(x)\ntry:\n    return a[len(x) + 2]\nexcept IndexError as e:\n    return str(e)",
    "a repeated list from its end from 1": "a = [0] * len(x)\na[-1] = 4\na[-len(x)] += 1\nreturn a",
    "methods of a repeated list": "a = [0] * (len(x) + 2)\na[1] = 3\na.append(7)\na.insert(0, 9)\na.extend([1, 2])\na.reverse()\nreturn a, a.index(7), a.count(0), 3 in a, max(a), sorted(a), sum(a)",
    "pop of a repeated list": "a = [1] * (len(x) + 2)\na.pop()\na.pop(0)\nb = a\nb.append(5)\nreturn a, len(a), b is a",
    "a repeated list sorted": "a = [1] * (len(x) + 2)\na[0] = 5\na.sort()\ndel a[0]\nreturn a",
    "a repeated list cleared": "a = [1] * (len(x) + 2)\nb = a\na.clear()\nb.append(2)\nreturn a, b",
    "copies of a repeated list": "a = [1] * (len(x) + 2)\nb = a.copy()\nc = a[:]\nd = list(a)\na[0] = 9\nreturn a, b, c, d",
    "a repeated list and more": "a = [1] * (len(x) + 2)\nb = a + [2]\na += [3]\nreturn a, b",
    "parts of a repeated list": "a = list(range(len(x)))\nb = [0] * len(x)\nfor i in range(len(x)):\n    b[i] = a[i] * 2\nreturn b[1:], b[::-1], b[:3], b[-2:]",
    "a part of a repeated list set": "b = [0] * (len(x) + 3)\nb[1:2] = [5, 6]\nreturn b",
    "equal repeated lists": "a = [0] * len(x)\nb = [0] * len(x)\nreturn a == b, a != [0, 0], [0] * len(x) == a",
    "the text of a repeated list": "a = [0] * len(x)\nprint(a, f'{a}')\nreturn str(a), repr([0.5] * len(x))",
    "a repeated list is a tensor": "a = [0] * (len(x) + 1)\na[0] = 3\nreturn torch.tensor(a), torch.tensor(a, dtype=torch.float32)",
    "a repeated list of floats is a tensor": "a = [0.1] * (len(x) + 1)\nreturn torch.tensor(a)",
    "a repeated list as an index": "a = [0] * (len(x) + 1)\nreturn x.sum(0)[a]",
    "a repeated list written on both sides": "a = [0] * (len(x) + 1)\nif x.sum() > 0:\n    a[0] = 1\nelse:\n    a[-1] = 2\nreturn a",
    "one of two repeated lists": "a = [0] * (len(x) + 1)\nb = [1] * (len(x) + 1)\nc = a if x.sum() > 0 else b\nc[0] = 7\nreturn a, b",
    "tuples in a list as a result": "a = []\nfor i in range(len(x)):\n    a.append((i, i))\nreturn a",
    "tuples that data choose as a result": "out = []\nfor i in range(len(x)):\n    if x[i, 0] > 0:\n        out.append((i, x[i] * 2))\nreturn out",
    "tuples of tuples and constants as a result": "a = []\nfor i in range(len(x)):\n    if x[i, 1] > 0:\n        a.append((i, 'k', None, (i * 2, x[i, 0].item())))\nreturn a, len(a)",
    "pairs of enumerate and zip as a result": "v = x[:, 0].tolist()\nreturn list(enumerate(v)), list(zip(v, x[:, 1].tolist()))",
    "parts that are kept beside a list of others": "rows = x.unbind(0)\nout = []\nh = torch.zeros(3)\nfor t in range(len(rows)):\n    h = torch.tanh(h + rows[t])\n    out.append(h)\nreturn out",
    "parts that are kept beside a comprehension": "rows = x.unbind(0)\nout = [torch.tanh(r) for r in rows]\nreturn out, rows[0].sum() if len(rows) else 0",
    "lists of a matrix that data choose": "out = []\nfor r in x.tolist():\n    if r[0] > 0:\n        out.append(r)\nreturn [q[1] for q in out], len(out)",
    "lists of a matrix that data choose are a tensor": "out = []\nfor r in x.tolist():\n    if r[0] > 0:\n        out.append(r)\nreturn torch.tensor(out) if out else x",
    "pairs in lists that data choose": "out = []\nfor r in x.tolist():\n    if r[0] > 0:\n        out.append([r[1], 1.0])\nreturn out",
    "lists of two numbers": "out = []\nfor i in range(len(x)):\n    out.append([i, i * i])\nreturn out",
    "lists of one width, unpacked": "out = []\nfor i in range(len(x)):\n    out.append([x[i, 0].item(), 1.0])\ns = 0.0\nfor a, b in out:\n    s = s * 0.5 + a * b\nreturn s",
    "an object's repeated list": "class A: pass\na = A()\na.t = [0] * (len(x) + 1)\nfor i in range(len(x)):\n    a.t[i + 1] = a.t[i] + i\nreturn a.t",
    "lists of a matrix in a dict": "d = {'t': [0] * (len(x) + 1), 'm': x.tolist()}\nd['t'][0] = 4\nfor r in d['m']:\n    r[0] = 0.0\nreturn d",
    "a function that writes to a repeated list": "t = [0] * (len(x) + 1)\ndef f(i):\n    t[i] += i\nfor i in range(len(x)):\n    f(i)\nreturn t",
    "a generator that writes to lists of a matrix": "rows = x.tolist()\ndef g():\n    for r in rows:\n        r[0] = r[0] + 1.0\n        yield r[0]\nreturn sum(g()), rows",
    "an IndexError of a repeated list": "t = [0] * (len(x) + 1)\nfor i in range(len(x) + 3):\n    try:\n        t[i] = i\n    except IndexError:\n        t[0] = t[0] + 1\nreturn t",
    "groups by their roots": "n = len(x)\np = list(range(n))\nd = torch.cdist(x, x).tolist()\ndef find(i):\n    while p[i] != i:\n        i = p[i]\n    return i\nfor i in range(n):\n    for j in range(i):\n        if d[i][j] < 1.5:\n            a, b = find(i), find(j)\n            if a != b:\n                p[a] = b\nreturn [find(i) for i in range(n)]",
    "counts of numbers": "c = [0] * (len(x) + 8)\nfor v in (x[:, 0].abs() * 3).long().clamp(max=7).tolist():\n    c[v] += 1\nreturn c",
    "counts in a table": "n = len(x)\nc = [[0] * 4 for _ in range(n + 1)]\nfor i in range(n):\n    j = int(x[i, 0].abs()) % 4\n    c[i + 1][j] = c[i][j] + 1\nreturn c",
    "the best list of a matrix": "best = [0.0] * 3\nfor r in x.tolist():\n    if r[0] > best[0]:\n        best = r\nreturn best",
    "the best list of a matrix, written from 1": "rows = x.tolist()\ncur = rows[0]\nfor r in rows:\n    if r[1] > cur[1]:\n        cur = r\ncur[0] = 100.0\nreturn rows",
    "lists of a matrix until none is left": "rows = x.tolist()\ns = 0.0\nwhile rows:\n    r = rows.pop()\n    s = s * 0.5 + r[0]\nreturn s",
    "lists of bytes": "rows = (x.abs() * 50).to(torch.uint8).tolist()\nreturn sum(r[0] for r in rows), rows",
    "lists of what is written later": "rows = x.tolist()\nx.zero_()\nreturn rows, x",
    "lists of a matrix without columns": "rows = x[:, :0].tolist()\nreturn rows, len(rows)",
    "all lists of a matrix twice": "rows = x.tolist()\nq = [*rows, *rows]\nreturn len(q), sum(r[0] for r in q)",
    "lists of a matrix, one after the other": "rows = x.tolist()\nreturn sum(rows, [])",
    "a table by a formula": "n = len(x)\nm = [[i * j for j in range(3)] for i in range(n)]\nreturn m, torch.tensor(m) if n else 0",
    "lists of a matrix by a key": "rows = x.tolist()\nreturn [r[0] for r in sorted(rows, key=lambda r: r[1])]",
    "lists of a matrix backwards": "s = 0.0\nfor r in reversed(x.tolist()):\n    s = s * 0.5 + r[2]\nreturn s",
    "two matrices as lists": "s = 0.0\nfor a, b in zip(x.tolist(), x.flip(0).tolist()):\n    s = s * 0.5 + a[0] * b[1]\nreturn s",
    "split by half of a size": "k = max(len(x) // 2, 1)\ny = torch.zeros(3)\nfor p in x.split(k):\n    y = torch.tanh(y + p.sum(0))\nreturn y, len(x.split(k))",
    "split by more than half of a size": "n = len(x)\nk = n // 2 + 1\ny = torch.zeros(3)\nfor p in x.split(k):\n    y = torch.tanh(y + p.sum(0))\nreturn y",
    "split by a size, kept and joined from 1": "k = len(x) // 3 + 1\np = x.split(k)\nreturn torch.cat([q * 2 for q in p]), len(p)",
    "split of a known size by a size from 1": "z = torch.arange(120.0).view(40, 3) + x.sum()\ny = torch.zeros(3)\nfor p in z.split(len(x)):\n    y = torch.tanh(y * 0.5 + p.mean(0))\nreturn y",
    "split along 1 by a size": "k = len(x) // 2 + 1\ny = torch.zeros(())\nfor p in x.t().split(k, dim=1):\n    y = torch.tanh(y + p.sum())\nreturn y",
    "a range by a step that is a size": "k = max(len(x) // 2, 1)\ny = torch.zeros(3)\nfor i in range(0, len(x), k):\n    y = torch.tanh(y + x[i:i + k].sum(0))\nreturn y",
}
# Results that are views alias what they are of, and what is written to that later is seen in them.
VIEWS = {
    "rows": "return [x[i] for i in range(len(x))]",
    "rows of a list": "rows = list(x)\nreturn rows",
    "rows of what is local": "y = x * 2\nreturn list(y)",
    "rows and what they are of": "y = x * 2\nreturn list(x), list(y), x, y[1:], y",
    "unbind": "return x.unbind(0)",
    "split": "return x.split(2)",
    "split with a size of the run": "return x.split(len(x) // 2 + 1)",
    "slices": "return [x[i:i + 2] for i in range(len(x))]",
    "columns of rows": "return [x[i, 1:] for i in range(len(x))], [x[i, 0] for i in range(len(x))]",
    "every second row": "return list(x)[::2], list(x)[::-1]",
    "rows that data choose": "return [r for r in x if r.sum() > 0]",
    "a stack of rows": "l = []\nfor r in x:\n    if r.sum() > 0:\n        l.append(r)\n    elif l:\n        l.pop()\nreturn l, len(l)",
    "rows in other shapes": "return [r.view(3, 1) for r in x], [r[:2].reshape(2, 1).unsqueeze(1) for r in x], [x[i:i + 2].view(-1, 1, 3, 1) for i in range(len(x))]",
    "rows in another shape of what is written": "l = [r.view(1, 3, 1) for r in x]\nfor r in x:\n    r[1:] *= 2\nx.add_(1)\nreturn l",
    "rows in tuples": "return [(i, x[i], x[i, :2]) for i in range(len(x))]",
    "rows in a dict": "rows = list(x)\nreturn {'a': rows, 'b': (tuple(rows), [rows[:2]])}",
    "one list twice": "rows = list(x)\nreturn rows, rows",
    "sorted rows": "rows = sorted(x, key=lambda r: float(r.sum()))\nreturn rows",
    "a part of many": "p = x.unbind(0)\nreturn p[len(p) // 2] if p else x",
    "first and last": "rows = list(x)\nreturn (rows[0], rows[-1]) if rows else None",
    "what they are of is written": "rows = list(x)\nx.add_(1)\nreturn rows",
    "what they are of is written in between": "y = x.clone()\nrows = list(y)\ny.mul_(2)\ns = sum(r.sum() for r in rows)\ny.add_(1)\nreturn rows, s",
    "rows are written": "rows = [x[i] for i in range(len(x))]\nfor i, r in enumerate(rows):\n    r += i\nreturn rows, x.sum()",
    "slices that overlap are written": "l = [x[i:i + 2] for i in range(len(x))]\nfor c in l:\n    c *= 2\nreturn l",
    "rows stacked behind a write": "rows = list(x)\nx.mul_(2)\nreturn (torch.stack(rows), torch.cat(rows)) if rows else None, rows",
    "rows are exchanged": "rows = list(x)\nfor i in range(len(rows) // 2):\n    rows[i], rows[-1 - i] = rows[-1 - i], rows[i]\nreturn rows",
    "a tuple of fresh tensors": "return tuple(r * 2 for r in x)",
    "a tuple of numbers": "return tuple([float(r[0]) for r in x]), tuple([(i, i * 2) for i in range(len(x))])",
    "a transposed table": "return list(zip(*x.tolist()))",
    "or fresh tensors": "a = [r * 2 for r in x]\nif len(x) > 0 and x.max() > 0.5:\n    a = [r for r in x if r.sum() > 0]\nreturn a, len(a)",
}
UNDECIDED = {
    "lists of which one may be gone": "n = len(x)\nq, p = [], []\nq.insert(0, n // 2 % 17)\nfor v in (x[:, 0] * 4).long().tolist():\n    p = q\n    q = [a % 5 for a in q if a != n % 3]\nreturn p, q",
}
LOOPS |= UNDECIDED
LOOPS |= {f"views as a result: {name}": body for name, body in VIEWS.items()}
# The same, but what they do says how many parts there are: they are unrolled, for the size of the example.
UNROLLED = {
    "parts that are written to": "z = x.clone()\np = z.unbind(0)\nfor i in range(len(p)):\n    p[i].mul_(i)\nreturn z",
    "parts that are unpacked": "a, b, c, d, e = x.unbind(0)\nreturn a * b + c * d + e",
}
GROWN = "a = [torch.zeros(3)]\nfor r in x:\n    a.append(r)\n"
# What is refused, and the reason.
REFUSED = {
    "two elements that may be one": ("a = []\nfor r in x:\n    a.append(r * 2)\nreturn a[0], a[-1]", "its tensors may share memory"),
    "an element and what was put in last": ("h, a = torch.zeros(3), []\nfor r in x:\n    h = h * 0.5 + r\n    a.append(h)\nreturn h, a[-1]", "its tensors may share memory"),
    "is of elements": (GROWN + "return x.sum() + (1 if a[-1] is a[len(a) - 1] else 0)", "may or may not be one object"),
    "id of elements": (GROWN + "return x.sum() + (1 if id(a[0]) == id(a[-1]) else 0)", "id() of a tensor that is in a list of the run"),
    "the hash of a tuple of the run": (GROWN + "return {tuple(a): 1}", "passed where its length must be known"),
    "a tuple of the run compared": (GROWN + "return x.sum() + (tuple(a) == (1, 2))", "passed where its length must be known"),
    "the text of a tuple of the run": (GROWN + "return str(tuple(len(r) for r in a))", "passed where its length must be known"),
    "a slice with a step set": (GROWN + "a[::2] = []\nreturn a[-1]", "is changed by other than append"),
    "is of views": ("rows = list(x)\nx.add_(1)\nreturn rows, rows[0] is rows[-1]", "writing to a tensor that is an element"),
    "id of views": ("rows = list(x)\nx.add_(1)\nreturn rows, id(rows[0]) == id(rows[-1])", "writing to a tensor that is an element"),
    "views and copies": ("a = []\nfor r in x:\n    a.append(r)\n    a.append(r * 2)\nreturn a", "its tensors may share memory"),
    "views of several tensors": ("a, y = [], x\nfor i in range(len(x)):\n    y = y + 1\n    a.append(y[i])\nreturn a", "its tensors may share memory"),
    "is of tuples": ("a = []\nfor i in range(len(x)):\n    a.append((i, i))\nreturn a[0] is a[-1]", "may or may not be one object"),
    "the text of tuples in a list": ("a = []\nfor i in range(len(x)):\n    a.append((i, i))\nreturn str(a)", "passed where its length must be known"),
    "elements of two kinds": ("a = []\nfor v in x[:, 0].tolist():\n    a.append(v if v > 0 else None)\nreturn len(a)", "another form of contents of a list"),
    "a write to what data chose": ("a = []\nh = torch.zeros(3)\nfor r in x:\n    h = torch.tanh(h + r)\n    if r[0] > 0:\n        a.append(h)\nh.add_(1)\nreturn torch.stack(a)", "writing to a tensor that is an element"),
    "a write to one of many lengths": ("v, a = x.sum(0).repeat(8), []\nfor i in range(24):\n    h = v[i] * 2\n    if v[i] > 1:\n        a.append(h)\nh.add_(1)\nreturn torch.stack(a)", "writing to a tensor that is an element"),
    "the offset of an element": ("a = []\nfor r in x:\n    a.append(r)\nreturn x.sum() + a[-1].storage_offset()", "storage_offset() of a tensor in a list"),
    "as_strided of an element": ("a = []\nfor r in x:\n    a.append(r)\nreturn a[-1].as_strided((2,), (1,), 0)", "as_strided of a tensor in a list"),
    "cat of channels last": ("z = x.view(len(x), 3, 1, 1).repeat(1, 1, 2, 2).to(memory_format=torch.channels_last)\na = [z[:1]]\nfor i in range(len(x)):\n"
                             "    if x[i, 0] > 0:\n        a.append(z[i:i + 1])\nreturn torch.cat(a)", "of elements in another memory order"),
    "is of lists of a matrix": ("rows = x.tolist()\nreturn x.sum() + (1 if rows[0] is rows[-1] else 0)", "may or may not be one object"),
    "id of a list of a matrix": ("rows = x.tolist()\nreturn x.sum() + id(rows[0])", "id() of a list that is in a list of the run"),
    "a list of a matrix in two lists written": ("rows = x.tolist()\nq = rows[:]\nrows[0][0] = 1.0\nreturn q[0][0]", "writing to a list that is an element of a list"),
    "a row in two tables written": ("n = len(x) + 1\nr = [0] * (n + 1)\na = []\nb = []\nfor i in range(n + 1):\n    a.append(r)\n    b.append(r)\na[0][0] = 5\nreturn b[n][0], r[0]", "writing to a list that is an element of a list"),
    "a row that is written behind its table": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nrow[0] = 5\nreturn row[0], d[n][0]", "writing to a list that is an element of a list"),
    "a row that its table changed": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nd[n][0] = 5\nreturn row[0], d[n][0]", "a list that is an element of another, which was written to since"),
    "rows that others hold as a result": ("rows = x.tolist()\nr = [1.0, 2.0, 3.0]\nrows.append(r)\nreturn r[0], rows", "a list of lists that others hold, too, as a result"),
    "an int among floats side by side": ("a = [0] * (len(x) + 1)\na[0] = 1.5\nreturn a", "gets an element of another dtype"),
    "an element of another kind": ("a = [x.sum(0)]\nfor r in x:\n    a.append(r * 2)\na.append(len(x))\nreturn len(a)", "its elements are f32[3], and this one is int"),
    "an argument that is in a list that is returned": ("out = []\nfor i in range(len(x)):\n    out.append(x)\nreturn out", "program.py:10:9: error: a list whose length the run decides"),
    "a row that its table may have changed": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nif x.sum() > 0:\n    d[n][0] = 5\nreturn row[0], d[n][0]", "a list that is an element of another, which was written to since"),
    "a row that its table changed in a loop": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nfor i in range(n):\n    d[i + 1][0] = 5\nreturn row[0], d[n][0]", "a list that is an element of another, which was written to since"),
    "a row whose table was written to, as a result": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nd[n][0] = 5\nreturn [row, 1]", "program.py:13:5: error: a list that is an element of another, which was written to since, as a result"),
    "a row that its table may have changed, as a result": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nif x.sum() > 0:\n    d[n][0] = 5\nreturn {'a': row}", "a list that is an element of another, which was written to since, as a result"),
    "whether a row is an element of a table written to": ("n = len(x)\nd = []\nfor i in range(n + 1):\n    row = [0] * (n + 1)\n    d.append(row)\nd[n][0] = 5\nreturn row is d[n]", "program.py:14:12: error: 'is' between equal objects of type 'list'"),
    "a row of known numbers in two tables": ("r = [0, 0]\nd = [r]\ne = [[1, 1]]\nfor i in range(len(x)):\n    d.append([i, 0])\nfor i in range(len(x)):\n    e.append(r)\nreturn len(e)", "and this one is an element of another list already"),
    "another form in each turn": ("t = x\nfor i in range(len(x)):\n    t = (t, i)\nreturn t", "since each turn makes another form of local 't'"),
}
LAYER = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.layer = nn.{}
        for p in self.parameters():
            nn.init.uniform_(p, -0.5, 0.5)

    def forward(self, x):
{}
"""


def net(layer, forward="        return self.layer(x)"):
    return LAYER.format(layer, forward)


# Classes `Net` that are called with x: f32[2,N,3], N in 1..64.
MODULES = {
    "LSTM": net("LSTM(3, 5, batch_first=True)"),
    "LSTM of two layers and directions": net("LSTM(3, 4, num_layers=2, batch_first=True, bidirectional=True)"),
    "LSTM with a projection": net("LSTM(3, 5, batch_first=True, proj_size=2)"),
    "GRU": net("GRU(3, 5, batch_first=True, bias=False)"),
    "GRU of two directions": net("GRU(3, 5, batch_first=True, bidirectional=True)"),
    "RNN": net("RNN(3, 5, batch_first=True, nonlinearity='relu')"),
    "packed sequences are of their own": """\
class Net(nn.Module):
    def forward(self, x):
        n = x.size(1)
        y = x.clone()
        p = nn.utils.rnn.pack_padded_sequence(y, (x[:, 0, 0].abs() * 3).long() % n + 1, batch_first=True, enforce_sorted=False)
        y.zero_()
        first = nn.utils.rnn.pad_packed_sequence(p, batch_first=True)[0]
        p.data.mul_(2)
        return first, nn.utils.rnn.pad_packed_sequence(p, batch_first=True)[0]

""",
    "LSTM of packed sequences": net("LSTM(3, 5, batch_first=True)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, (h, c) = self.layer(p)
        y, l = nn.utils.rnn.pad_packed_sequence(out, batch_first=True)
        return y, l, h, c"""),
    "GRU of two layers and directions of packed sequences": net("GRU(3, 4, num_layers=2, bidirectional=True)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_padded_sequence(x.transpose(0, 1), lengths.sort(descending=True)[0])
        out, h = self.layer(p)
        y, l = nn.utils.rnn.pad_packed_sequence(out, padding_value=-1.0, total_length=n)
        return y, l, h"""),
    "what packed sequences hold": net("RNN(3, 4, batch_first=True)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, h = self.layer(p)
        return p.data, p.batch_sizes, p.sorted_indices, p.unsorted_indices, out.data, h"""),
    "packed sequences from states, and made anew": net("LSTM(3, 4, batch_first=True, proj_size=2)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        out, (h, c) = self.layer(p, (x.new_ones(1, 2, 2) * x[:, 0, :2], x.new_ones(1, 2, 4) * x[:, 0, :1]))
        q = nn.utils.rnn.PackedSequence(out.data * 2, out.batch_sizes, out.sorted_indices, out.unsorted_indices)
        y, l = nn.utils.rnn.pad_packed_sequence(q, batch_first=True)
        return y, l, h, c"""),
    "packed sequences of a list of lengths": net("LSTM(3, 5)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_padded_sequence(x.transpose(0, 1), [n, 1])
        out, (h, c) = self.layer(p)
        y, l = nn.utils.rnn.pad_packed_sequence(out)
        return y, l, h"""),
    "packed sequences of a list": net("LSTM(3, 5)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        p = nn.utils.rnn.pack_sequence([x[0], x[1, :1]])
        out, (h, c) = self.layer(p)
        y, l = nn.utils.rnn.pad_packed_sequence(out)
        return y, l, h"""),
    "packed sequences that may not be sorted": net("LSTM(3, 5, batch_first=True)", """\
        n = x.size(1)
        lengths = (x[:, 0, 0].abs() * 3).long() % n + 1
        try:
            p = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        except RuntimeError as e:
            return str(e)
        out, (h, c) = self.layer(p)
        return h"""),
    "a cell over time": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = nn.GRUCell(3, 4), nn.Linear(4, 2)
        for n, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (n + 1))

    def forward(self, x):
        h = x.new_zeros(x.shape[0], 4)
        out = []
        for t in range(x.size(1)):
            h = self.cell(x[:, t], h)
            out.append(self.head(h))
        return torch.stack(out, 1), h
""",
    "a list of layers in each turn": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3) for _ in range(3)])
        for n, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.05 * (n + 1))

    def forward(self, x):
        y = x[:, 0] * 0
        for t in range(x.size(1)):
            for layer in self.layers:
                y = torch.tanh(layer(y + x[:, t]))
        return y
""",
}


def calls_of(name, sizes):
    generator = torch.Generator().manual_seed(3)
    for n in [5] if name in UNROLLED else sizes[name in MODULES or " from 1" in name:]:
        shape = (2, n, 3) if name in MODULES else (n, 3)
        yield {"args": [{"$tensor": f"f32[{','.join(map(str, shape))}]", "values": torch.randn(shape, generator=generator).tolist()}]}


def source_of(name):
    if name in MODULES:
        return HEAD + MODULES[name]
    return HEAD + "def entry(x):\n" + "".join(f"    {line}\n" for line in {**LOOPS, **UNROLLED, **{k: body for k, (body, _) in REFUSED.items()}}[name].split("\n"))


def check(ptc, name, target, options):
    """None, or what differs between eager and one library for all sizes."""
    if target == "cuda" and options is None:
        return runner.NotRun("no libdevice")
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        source, pyc, library = folder / "program.py", folder / "program.pyc", folder / "libprogram.so"
        source.write_text(source_of(name))
        pycs.compile_pyc(source, pyc)
        entry = "Net" if name in MODULES else "entry"
        job = Job(Case("program", source, entry, calls=list(calls_of(name, SIZES[:5] if target == "cuda" else SIZES)), folder=folder, tolerance=TOLERANCE), folder)
        least = 1 if " from 1" in name else 0
        sizes = "2,N in 1..64,3" if name in MODULES else f"N in {least}..64,3"
        declared, out = ["--input", f"x=f32[{sizes}]"], folder / "out.jsonl"
        if name in UNROLLED:
            declared.append("--allow-narrowing")
        if target == "null":
            got = compiled.run(ptc, pyc, [], job.calls, out, options=declared, **job.options())
        else:
            command = [*compiled.command(ptc, "compile", pyc, **job.options()), *declared, "--target", target, *options]
            made = batch.run([*command, "-o", str(library)], text=True)
            if name in REFUSED:
                return None if REFUSED[name][1] in made.stderr else f"exit code {made.returncode}\n{made.stderr[:900]}"
            if made.returncode:
                return f"exit code {made.returncode}\n{made.stderr[:900]}"
            got = compiled.run(ptc, library, [], job.calls, out)
        verdict, text = job.judge(got)
        return None if verdict == "ok" else f"{verdict}: {text}"


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: all")
    parser.add_argument("--every", action="store_true", help="every program on every target")
    args = parser.parse_args()
    every = args.every or args.filter or args.target
    with tempfile.TemporaryDirectory() as scratch:
        refused = [(name, (args.ptc, name, "x86-64", ())) for name in REFUSED]
        of_cuda = ()
        if not conformance.has_gpu():
            of_cuda = conformance.without_gpu(args.ptc, Path(scratch)) if conformance.libdevice() else None
        cases = [(f"{name} ({target})", (args.ptc, name, target, of_cuda if target == "cuda" else ()))
                 for name in [*LOOPS, *UNROLLED, *MODULES] for target in args.target or TARGETS
                 if every or target == "x86-64" or runner.is_turn(f"{name} {target}")]
        return runner.run(cases + refused, check, args)


if __name__ == "__main__":
    sys.exit(main())
