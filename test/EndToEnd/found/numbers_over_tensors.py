"""A number over a tensor is a reciprocal times the number; NaN at a threshold; norms out of range; wrapped indices."""
import math

import torch
import torch.nn.functional as F


def entry(x):
    over = (49 / x).int(), torch.floor(3 / x), 1e-30 / x, 2.5 / x.bfloat16(), 3 / x.half(), 5 / (x.long() + 7), 2 / x[0, 0]
    n = torch.where(x > 0, x, float("nan"))
    past = F.threshold(n, 0.1, 20.0), F.threshold(x, 1.0, -1.0), torch.nn.Threshold(0.5, 2)(n)
    y = x * 1e20
    norms = y.norm(), F.normalize(y, dim=-1), y.norm(3, dim=0), y.bfloat16().norm(), y.double().norm(), F.rms_norm(y, (2,))
    i = x[:2].clamp(-99, 99).long()
    taken = torch.take_along_dim(x, i, 0), torch.take_along_dim(x, x[:, :1].clamp(-99, 99).long(), -1)
    c = x.view(1, 2, 1, 3).expand(1, 2, 2, 3).contiguous(memory_format=torch.channels_last)
    a = F.instance_norm(c)
    b = F.batch_norm(c.transpose(2, 3), torch.zeros(2), torch.ones(2))
    layouts = a.stride(), a.is_contiguous(), a.view(-1).shape, b.stride(), b.is_contiguous(), b
    p, q = x[0].tolist()
    return over, past, norms, taken, layouts, math.hypot(p, q), x**0.5, x**-0.5, (-x) ** -1, x**-2, x**3, torch.float_power(x, 0.5).float()
