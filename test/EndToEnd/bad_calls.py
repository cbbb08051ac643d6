#!/usr/bin/env python3
"""Calls of torch.nn.functional, torch.nn and every ATen record with one argument spoilt raise the class that eager raises.

    bad_calls.py --ptc PTC [FILTER] [-j N] [-v] [--count N] [--numbers N] [--seed N]

The good calls below, and those that spellings.py has of every record, are parsed; in each copy one number, word, flag or size
of a tensor is another, or one number is an argument of the program, which NUMBERS are given for: sizes, dimensions and
counts that only the run knows. A program tries several of them and returns the names of the exception classes. A program
that is refused, or differs, is run in halves; a call that ptc refuses alone passes, because a refusal is no wrong answer.
"""
import ast
import copy
import random
import re
import sys
import tempfile
import warnings
from pathlib import Path

import torch

import spellings
from run import Job
from table import HERE, Case

sys.path[:0] = [str(HERE.parents[1] / "test")]
import runner  # noqa: E402

GROUP = 16
PROLOGUE = spellings.PRELUDE + '''import torch
import torch.nn as nn
import torch.nn.functional as F


def t(*sizes):
    return torch.full(sizes, 0.5)


def i(*sizes):
    return torch.ones(sizes, dtype=torch.int64)


def b(*sizes):
    return torch.ones(sizes, dtype=torch.bool)


def d(*sizes):
    return torch.ones(sizes, dtype=torch.float64)


def c(*sizes):
    return torch.ones(sizes, dtype=torch.complex64)


def name_of(call):
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return ""


'''
# t(…) is a float tensor of these sizes, i(…) one of ones, b(…), d(…) and c(…) masks, doubles and complex ones.
MAKERS = {torch.float32: "t", torch.int64: "i", torch.bool: "b", torch.float64: "d", torch.complex64: "c"}
NUMBERS = [1, 0, -1, 2, 3, 7, -100]
GOOD = """
F.binary_cross_entropy(t(2, 3), t(2, 3), weight=t(3), reduction='mean')
F.binary_cross_entropy_with_logits(t(2, 3), t(2, 3), weight=t(3), pos_weight=t(3), reduction='sum')
F.mse_loss(t(2, 3), t(2, 3), reduction='none')
F.l1_loss(t(2, 3), t(2, 3), reduction='mean')
F.smooth_l1_loss(t(2, 3), t(2, 3), reduction='mean', beta=1.0)
F.huber_loss(t(2, 3), t(2, 3), reduction='mean', delta=1.0)
F.kl_div(t(2, 3), t(2, 3), reduction='batchmean', log_target=False)
F.nll_loss(t(2, 3), i(2), weight=t(3), reduction='mean')
F.nll_loss(t(2, 3, 4), i(2, 4), ignore_index=-100)
F.cross_entropy(t(2, 3), i(2), weight=t(3), reduction='mean', label_smoothing=0.1)
F.cross_entropy(t(2, 3), t(2, 3))
F.cosine_embedding_loss(t(2, 3), t(2, 3), i(2), margin=0.5, reduction='mean')
F.margin_ranking_loss(t(2), t(2), t(2), margin=0.5, reduction='mean')
F.triplet_margin_loss(t(2, 3), t(2, 3), t(2, 3), margin=1.0, p=2, reduction='mean')
F.poisson_nll_loss(t(2, 3), t(2, 3), reduction='mean')
F.gaussian_nll_loss(t(2, 3), t(2, 3), t(2, 1), eps=1e-6, reduction='mean')
F.soft_margin_loss(t(2, 3), t(2, 3), reduction='mean')
F.hinge_embedding_loss(t(2, 3), t(2, 3), margin=1.0, reduction='mean')
F.multilabel_soft_margin_loss(t(2, 3), t(2, 3), weight=t(3), reduction='mean')
F.conv1d(t(1, 4, 8), t(6, 2, 3), t(6), stride=2, padding=1, dilation=1, groups=2)
F.conv2d(t(1, 2, 5, 5), t(3, 2, 3, 3), t(3), stride=1, padding='same')
F.conv2d(t(1, 2, 5, 5), t(3, 2, 3, 3), stride=(1, 2), padding=(0, 1))
F.conv_transpose1d(t(1, 4, 8), t(4, 3, 3), t(6), stride=2, padding=1, output_padding=1, groups=2)
F.conv_transpose2d(t(1, 2, 5, 5), t(2, 3, 3, 3), stride=2, padding=1)
F.max_pool1d(t(1, 2, 8), 2, stride=2, padding=1, dilation=1)
F.max_pool2d(t(1, 2, 8, 8), (2, 2), stride=2, padding=1, return_indices=True)
F.avg_pool1d(t(1, 2, 8), 2, stride=2, padding=1)
F.avg_pool2d(t(1, 2, 8, 8), 2, stride=2, padding=1, divisor_override=3)
F.adaptive_avg_pool1d(t(1, 2, 8), 3)
F.adaptive_avg_pool2d(t(1, 2, 8, 8), (3, 2))
F.adaptive_max_pool1d(t(1, 2, 8), 3)
F.adaptive_max_pool2d(t(1, 2, 8, 8), (3, 2))
F.lp_pool2d(t(1, 2, 8, 8), 2.0, 2)
F.pad(t(1, 2, 4), (1, 2), mode='reflect')
F.pad(t(1, 2, 4), (1, 2), mode='constant', value=1.0)
F.pad(t(1, 2, 4), (1, 2), mode='replicate')
F.interpolate(t(1, 2, 4), size=8, mode='nearest')
F.interpolate(t(1, 2, 4, 4), scale_factor=2.0, mode='bilinear', align_corners=False)
F.unfold(t(1, 2, 4, 4), 2, dilation=1, padding=1, stride=2)
F.fold(t(1, 8, 9), (4, 4), 2)
F.pixel_shuffle(t(1, 4, 2, 2), 2)
F.embedding(i(2, 3), t(5, 4), padding_idx=1)
F.one_hot(i(3), num_classes=4)
F.dropout(t(2, 3), p=0.0, training=True)
F.alpha_dropout(t(2, 3), p=0.0, training=False)
F.dropout1d(t(1, 2, 3), p=0.0)
F.dropout2d(t(1, 2, 3, 3), p=0.0)
F.layer_norm(t(2, 3, 4), (3, 4), weight=t(3, 4), bias=t(3, 4), eps=1e-5)
F.rms_norm(t(2, 3, 4), (4,), weight=t(4))
F.group_norm(t(2, 6, 4), 3, weight=t(6), bias=t(6))
F.batch_norm(t(2, 3, 4), t(3), t(3), weight=t(3), bias=t(3), training=False)
F.batch_norm(t(2, 3), None, None, training=True)
F.instance_norm(t(2, 3, 4), t(3), t(3), weight=t(3), use_input_stats=True)
F.local_response_norm(t(2, 3, 4), 2)
F.normalize(t(2, 3), p=2.0, dim=1)
F.cosine_similarity(t(2, 3), t(2, 3), dim=1)
F.pairwise_distance(t(2, 3), t(2, 3), p=2.0)
F.softmax(t(2, 3), dim=1)
F.log_softmax(t(2, 3), dim=-1)
F.gumbel_softmax(t(2, 3), tau=1.0, dim=-1)
F.glu(t(2, 4), dim=1)
F.hardtanh(t(3), min_val=-1.0, max_val=1.0)
F.threshold(t(3), 0.1, 20)
F.gelu(t(3), approximate='tanh')
F.softplus(t(3), beta=1.0, threshold=20.0)
F.prelu(t(2, 3), t(3))
F.celu(t(3), alpha=1.0)
F.softshrink(t(3), 0.5)
F.linear(t(2, 3), t(4, 3), t(4))
F.bilinear(t(2, 3), t(2, 4), t(5, 3, 4), t(5))
F.scaled_dot_product_attention(t(1, 2, 3, 4), t(1, 2, 5, 4), t(1, 2, 5, 4), attn_mask=t(3, 5), dropout_p=0.0)
F.embedding_bag(i(2, 3), t(5, 4), mode='mean')
F.affine_grid(t(1, 2, 3), (1, 2, 4, 4), align_corners=False)
F.grid_sample(t(1, 2, 4, 4), t(1, 3, 3, 2), mode='bilinear', padding_mode='zeros', align_corners=False)
nn.Linear(3, 4)(t(2, 3))
nn.Bilinear(3, 4, 5)(t(2, 3), t(2, 4))
nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=1, groups=2, padding_mode='zeros')(t(1, 4, 8))
nn.Conv2d(2, 4, (3, 3), padding='same', padding_mode='circular')(t(1, 2, 5, 5))
nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2)(t(1, 4, 8))
nn.MaxPool2d(2, stride=2, padding=1, dilation=1)(t(1, 2, 8, 8))
nn.AvgPool1d(2, stride=2, padding=1)(t(1, 2, 8))
nn.AdaptiveAvgPool2d((2, 3))(t(1, 2, 8, 8))
nn.BatchNorm1d(3, eps=1e-5, momentum=0.1)(t(2, 3, 4))
nn.BatchNorm2d(3, affine=False)(t(2, 3, 4, 4))
nn.InstanceNorm1d(3, affine=True)(t(2, 3, 4))
nn.GroupNorm(3, 6)(t(2, 6, 4))
nn.LayerNorm((3, 4))(t(2, 3, 4))
nn.RMSNorm(4)(t(2, 4))
nn.Embedding(5, 4, padding_idx=1)(i(2, 3))
nn.EmbeddingBag(5, 4, mode='mean')(i(2, 3))
nn.RNN(3, 4, num_layers=2)(t(5, 2, 3), t(2, 2, 4))
nn.LSTM(3, 4, num_layers=1)(t(5, 2, 3), (t(1, 2, 4), t(1, 2, 4)))
nn.GRU(3, 4, bidirectional=True, batch_first=True)(t(2, 5, 3), t(2, 2, 4))
nn.GRU(3, 4)(t(5, 3), t(1, 4))
nn.RNNCell(3, 4)(t(2, 3), t(2, 4))
nn.LSTMCell(3, 4)(t(2, 3), (t(2, 4), t(2, 4)))
nn.GRUCell(3, 4)(t(2, 3), t(2, 4))
nn.MultiheadAttention(4, 2, batch_first=True)(t(1, 3, 4), t(1, 5, 4), t(1, 5, 4))
nn.TransformerEncoderLayer(4, 2, dim_feedforward=8, dropout=0.0, activation='relu')(t(3, 1, 4))
nn.Dropout(0.0)(t(2, 3))
nn.Softmax(dim=1)(t(2, 3))
nn.PReLU(3)(t(2, 3))
nn.Hardtanh(-1.0, 1.0)(t(3))
nn.Flatten(1, -1)(t(2, 3, 4))
nn.Unflatten(1, (3, 4))(t(2, 12))
nn.Upsample(scale_factor=2.0, mode='nearest')(t(1, 2, 4))
nn.PixelShuffle(2)(t(1, 4, 2, 2))
nn.ZeroPad2d(1)(t(1, 2, 4, 4))
nn.ReflectionPad1d((1, 2))(t(1, 2, 4))
nn.CrossEntropyLoss(weight=t(3), reduction='mean', label_smoothing=0.1)(t(2, 3), i(2))
nn.BCELoss(weight=t(3))(t(2, 3), t(2, 3))
nn.CosineSimilarity(dim=1)(t(2, 3), t(2, 3))
torch.einsum('ij,jk->ik', t(2, 3), t(3, 4))
torch.einsum('ii->i', t(3, 3))
torch.einsum('bij,bj->bi', t(2, 3, 4), t(2, 4))
torch.cdist(t(2, 3), t(4, 3), p=2.0)
torch.tensordot(t(2, 3), t(3, 4), dims=1)
torch.meshgrid(t(2), t(3), indexing='ij')
torch.cross(t(2, 3), t(2, 3), dim=1)
torch.kron(t(2), t(3))
torch.chunk(t(4, 3), 2, dim=0)
torch.split(t(4, 3), 2, dim=0)
torch.roll(t(4, 3), 1, dims=0)
torch.norm(t(2, 3), p=2, dim=1)
torch.quantile(t(5), 0.5, dim=0)
torch.clamp(t(3), min=0.1, max=0.9)
torch.linspace(0.0, 1.0, 5)
torch.arange(0, 5, 2)
torch.eye(3, 4)
torch.full((2, 3), 1.5)
torch.tril(t(3, 3), diagonal=1)
torch.stack([t(2, 3), t(2, 3)], dim=1)
torch.cat([t(2, 3), t(2, 3)], dim=1)
t(2, 3).view(3, 2)
t(2, 3).expand(4, 2, 3)
t(2, 3).repeat(2, 1)
t(2, 3).permute(1, 0)
t(2, 3).unfold(1, 2, 1)
t(2, 3).unflatten(1, (3, 1))
t(2, 3).gather(1, i(2, 2))
t(2, 3).scatter(1, i(2, 2), 1.0)
t(2, 3).index_select(1, i(2))
t(2, 3).masked_fill(t(2, 3) > 1, 2.0)
t(2, 3)[:, 0:2:1]
t(2, 3)[1, 2]
t(4).normal_(0.0, 1.0)
t(4).uniform_(0.0, 1.0)
t(4).bernoulli_(0.5)
t(4).exponential_(1.0)
t(4).geometric_(0.5)
t(4).log_normal_(0.0, 1.0)
t(4).cauchy_(0.0, 1.0)
t(4).random_(0, 5)
torch.normal(t(3), 1.0)
torch.normal(0.0, 1.0, (3,))
torch.randint(0, 5, (3,))
torch.randperm(4)
torch.bernoulli(t(3))
t(2, 3)[1.0]
t(2, 3)[:, ::-1]
~t(3)
~i(3)
nn.Parameter(t(3)).add_(1)
nn.Parameter(t(3))[0].add_(1)
nn.Parameter(t(3)).detach().add_(1)
nn.Parameter(t(3)).data.view(3).zero_()
nn.Parameter(t(3)).requires_grad_(False).add_(1)
(nn.Parameter(t(3)) * 1).add_(1)
t(3).requires_grad_().add_(1)
i(3).requires_grad_()
torch.ones(3, requires_grad=True).view(3).zero_()
nn.Linear(2, 3).weight.zero_()
nn.Linear(2, 3).requires_grad_(False).weight.zero_()
""".strip().splitlines()


def others(node):
    """What a constant may be instead."""
    value = node.value
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [-1, 0, value + 1, 7, 1.5]
    if isinstance(value, float):
        return [-1.0, 0.0, 2.0, float("inf")]
    return ["wrong", "none", ""] if isinstance(value, str) else []


def source(tree):
    return re.sub(r"\binf\b|\b1e309\b", "float('inf')", ast.unparse(tree))


def spoilt(call):
    """The calls that differ from `call` in one constant, one argument of a tensor, or one type."""
    tree = ast.parse(call, mode="eval")
    places = [n for n in ast.walk(tree) if isinstance(n, ast.Constant)]
    tensors = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in MAKERS.values()]
    for node in places:
        kept = node.value
        for value in others(node):
            node.value = value
            if value >= 0 if isinstance(value, (int, float)) and any(node in c.args for c in tensors) else True:
                yield source(tree)
        node.value = kept
    for node in tensors:
        kept, name = copy.copy(node.args), node.func.id
        for args in (kept[1:], kept[:-1], kept + [ast.Constant(2)], [ast.Constant(2)] + kept, kept[::-1]):
            node.args = args
            yield source(tree)
        node.args = kept
        for node.func.id in MAKERS.values():
            if node.func.id != name:
                yield source(tree)
        node.func.id = name
    for node in [n for n in ast.walk(tree) if isinstance(n, (ast.Tuple, ast.List))]:
        kept = node.elts
        for elements in (kept[1:], kept + kept[:1]):
            node.elts = elements
            yield source(tree)
        node.elts = kept


def runnable(call, scope):
    """Does eager answer, and not by a failure of the harness's own words?"""
    try:
        eval(f"name_of(lambda: {call})", scope)
    except BaseException:
        return False
    return not re.search(r"\b[tibdc]\([^)]*\d\.\d", call)


def recorded(build):
    """A call of each record that has one on tensors of MAKERS, and one in place."""
    found = {}
    for call in spellings.find_calls(build, "")[0]:
        if call.record.partition(".")[0] in spellings.UNINITIALISED or any(t.dtype not in MAKERS for t in call.tensors):
            continue
        made = [f"{MAKERS[t.dtype]}({', '.join(map(str, t.shape))})" for t in call.tensors]
        found.setdefault((call.record, ".clone()" in call.expression), call.filled(made))
    return list(dict.fromkeys(found.values()))


def with_number(call):
    """The call with one of its whole numbers an argument of the program."""
    tree = ast.parse(call, mode="eval")
    for node in [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and type(n.value) is int]:
        kept = node.value
        node.value = 987654321
        yield source(tree).replace("987654321", "n")
        node.value = kept


def find_calls(good, count, numbers, seed):
    scope = {"n": 1}
    exec(PROLOGUE, scope)
    chance = random.Random(seed)
    bad = [c for call in good for c in dict.fromkeys(spoilt(call))]
    chance.shuffle(bad)
    numbered = [c for call in good for c in dict.fromkeys(with_number(call))]
    chance.shuffle(numbered)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [[c for c in calls if runnable(c, scope)] for calls in
                ([c for c in good if c in GOOD] + bad[:count], numbered[:numbers])]


def check(calls, has_number, ptc, scratch):
    """None, or what is wrong with these calls."""
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        lines = "".join(f"        name_of(lambda: {call}),\n" for call in calls)
        program = folder / "group.py"
        program.write_text(f"{PROLOGUE}def entry(n):\n    return [\n{lines}    ]\n")
        given = [{"args": [n]} for n in (NUMBERS if has_number else NUMBERS[:1])]
        case = Case("group", program, "entry", calls=given, folder=folder)
        seen = Job(case, folder).check(ptc, "3.11", None, folder, 60)
    if seen.verdict == "refused":
        return None if len(calls) == 1 else "refused"
    return None if seen.verdict == "ok" else f"{seen.verdict}: {str(seen.text)[:300]}"


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--count", type=int, default=300, help="spoilt calls that are tried")
    parser.add_argument("--numbers", type=int, default=60, help="calls with an argument for a number that are tried")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    good = [c for c in [*GOOD, *recorded(Path(args.ptc).parents[1])] if args.filter in c]
    calls = find_calls(good, args.count, args.numbers, args.seed)
    wrong = {}
    groups = [(part[i:i + GROUP], part is calls[1]) for part in calls for i in range(0, len(part), GROUP)]
    with tempfile.TemporaryDirectory() as folder:
        while groups:
            found = list(runner.outcomes(lambda group: check(*group, args.ptc, Path(folder)), groups, args.j))
            failed = [(group, outcome.wrong) for group, outcome in zip(groups, found) if outcome.wrong is not None]
            wrong.update((group[0], text) for (group, _), text in failed if len(group) == 1)
            groups = [(half, has_number) for (group, has_number), _ in failed if len(group) > 1
                      for half in (group[:len(group) // 2], group[len(group) // 2:])]
    report = runner.Report(args.v)
    for call in [*calls[0], *calls[1]]:
        report.case(call, wrong.get(call))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
