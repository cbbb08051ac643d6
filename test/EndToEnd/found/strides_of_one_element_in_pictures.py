"""Pictures with one channel: a part of others, and one whose channel was the last dimension."""
import torch
import torch.nn.functional as F


def entry(part, last):
    out = []
    w = (torch.arange(18) % 5 - 2.0).reshape(2, 1, 3, 3)
    for x in (part, last):
        both = torch.cat([x, x], 1)
        out.append((both, both.stride(), F.conv2d(x, w, padding=1).stride()))
    return out, torch.cat([part, part], 1).view(2, -1)
