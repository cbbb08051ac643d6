"""Tensor.norm and torch.norm with their default order."""
import torch


def entry(x, y):
    z = torch.stack([x, y])
    return x.norm(), torch.norm(y, 1), z.norm(dim=1), z.norm("fro", [0, 1]), torch.linalg.norm(z, dim=0, keepdim=True)
