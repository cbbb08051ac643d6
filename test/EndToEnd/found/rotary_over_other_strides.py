"""Elementwise operations on tensors that lie in different orders, the result in one that dies there."""
import torch


def entry(x):
    b, s, _ = x.shape
    k = torch.neg(x).view(b, s, 2, 2).transpose(1, 2)
    c, e = (x[0, :4, :2] + 0)[None, None], (x[1, :4, :2] + 0)[None, None]
    r = torch.cat((-k[..., 1:], k[..., :1]), dim=-1)
    kk = k * c + r * e
    return [torch.cat([kk, kk], 1)]
