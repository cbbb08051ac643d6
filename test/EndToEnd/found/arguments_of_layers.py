"""Arguments that layers and functions have to hand on, and types and places they have to check."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def text_of(f):
    try:
        return f()
    except (RuntimeError, IndexError, ValueError) as e:
        return type(e).__name__


def masked(x):
    attention = nn.MultiheadAttention(4, 2, batch_first=True)
    encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8, batch_first=True), 1)
    y = torch.arange(24.0).reshape(2, 3, 4) + x.sum()
    told = []
    for options in ({"attn_mask": torch.zeros(3, 3, dtype=torch.int64)}, {"attn_mask": torch.zeros(1, 3)}, {"attn_mask": torch.zeros(2, 3, 3)},
                    {"attn_mask": torch.zeros(4, 3, 3)}, {"attn_mask": torch.zeros(1, 1, 3, 3)}, {"is_causal": True},
                    {"key_padding_mask": torch.zeros(2, 3, dtype=torch.int32)}, {"key_padding_mask": torch.zeros(2, 4).bool()}):
        try:
            told.append(attention(y, y, y, **options)[0].shape)
        except (RuntimeError, AssertionError) as e:
            told.append(str(e))
    try:
        encoder(y, is_causal=True)
    except RuntimeError as e:
        told.append(str(e))
    return told


def entry(x):
    i = x.long()
    picture = x.reshape(1, 1, 2, 3)
    bounded = F.hardtanh(i, -2, 3), F.relu6(i), F.threshold(i, 1.5, 7.0), F.relu6(i.clone(), inplace=True), nn.Hardtanh(-1.7, 2.5)(i)
    wrong = text_of(lambda: F.hardtanh(x, 2, 1)), text_of(lambda: F.hardtanh(i > 0)), text_of(lambda: F.relu6(i.bool()))
    dropped = F.dropout1d(x.unsqueeze(0), 1.0), F.dropout2d(picture, 1.0), F.dropout3d(picture, 1.0), nn.Dropout2d(1.0)(picture), nn.Dropout1d(0.5).eval()(x), nn.Dropout3d(0.5).eval()(picture)
    grown = [nn.Upsample(scale_factor=1.3, mode=m, recompute_scale_factor=r)(picture) for m in ("nearest", "bilinear") for r in (None, True)]
    square = x[:, :2].clone()
    power = torch.matrix_power(square, 1)
    power.add_(1)
    places = x.sum().long().clamp(-9, 9).reshape(1)
    put = text_of(lambda: x.clone().put_(places, torch.tensor([9.0]))), text_of(lambda: x.t().clone().put_(torch.tensor([-1, 0]), torch.tensor([1.0, 2.0]), accumulate=True))
    y = x / x
    sums = torch.addr(y[:, :2], x[:, 0], x[0, :2], beta=0), torch.addr(square, y[:, 0], x[0, :2], alpha=0), torch.addbmm(y[:, :2], square.unsqueeze(0), square.unsqueeze(0), beta=0), torch.addbmm(square, y[:, :2].unsqueeze(0), square.unsqueeze(0), alpha=0)
    return masked(x), bounded, wrong, dropped, grown, square, power, put, sums
