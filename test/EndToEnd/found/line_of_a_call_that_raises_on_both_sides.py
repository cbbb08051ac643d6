"""What data decides inside of a function of torch, and both ways raise: the line is the caller's."""
import torch
import torch.nn.functional as F


def entry(x):
    y = x + 1
    return F.gaussian_nll_loss(x, x[:, :2],
                               torch.ones(2, 3) * y)
