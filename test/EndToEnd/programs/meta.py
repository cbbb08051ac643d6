"""Layers on the device meta: nothing is drawn for them, and to_empty() gives them memory."""
import torch
from torch import nn

torch.manual_seed(3)
meta = nn.Sequential(nn.Linear(3, 4, device="meta"), nn.LayerNorm(4, device="meta"), nn.BatchNorm1d(4, device=torch.device("meta")),
                     nn.Conv1d(2, 2, 1, device="meta"), nn.LSTM(3, 2, device="meta"), nn.GroupNorm(2, 4, device="meta"))
table = nn.Embedding(5, 2, padding_idx=1, device="meta")
drawn = torch.rand(3)

torch.manual_seed(4)
skipped = nn.utils.skip_init(nn.Linear, 3, 2)
_after = torch.rand(3)
given = nn.Linear(3, 2, device="meta").to_empty(device="cpu")
with torch.no_grad():
    for _i, _layer in enumerate((skipped, given)):
        _layer.weight.copy_(torch.arange(6.0).view(2, 3) + _i)
        nn.init.constant_(_layer.bias, 0.5)


def nothing_drawn(x):
    return x + drawn, x + _after


def where_they_are(x):
    return [(n, p.is_meta, p.device.type, tuple(p.shape), p.requires_grad, isinstance(p, nn.Parameter)) for n, p in meta.named_parameters()], \
        [(n, b.is_meta, b.dtype) for n, b in meta.named_buffers()], table.weight.device.type, table.weight.dtype, list(meta.state_dict())


def filled(x):
    return skipped(x), given(x), skipped.weight.is_meta, given.weight.device.type, given.weight.requires_grad


def no_device(x):
    try:
        nn.utils.skip_init(nn.ReLU)
    except RuntimeError as error:
        return str(error)
