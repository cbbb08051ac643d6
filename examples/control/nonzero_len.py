"""A size that is known only at run time decides the branch."""
import torch


def shift(x):
    return x + 1 if len(torch.nonzero(x)) > 1 else x - 1
