"""A list that grows while the tensor in it is written: its elements are one tensor."""
import torch


def history(x):
    outs = []
    while x.sum() < 12:
        outs.append(x)
        x.add_(1)
    return torch.stack(outs).sum(0) if len(outs) > 0 else x
