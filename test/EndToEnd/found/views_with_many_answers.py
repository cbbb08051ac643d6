"""A view whose sizes the run decides in several ways that lead to the same tensor."""
import torch


def entry(b, s, keep):
    b = b[torch.where(keep > 0)[0]]
    n = b.shape[0]
    p = torch.stack((b, b), dim=2).flatten(1)
    if n > 0:
        p = p.reshape(n, -1, 4)
    q = p.clamp(min=0).reshape(-1, 4)
    return q, p, q[torch.where(s > 0.5)[0]] if n > 1 else s
