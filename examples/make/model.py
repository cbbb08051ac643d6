import torch


def entry(x):
    return torch.relu(x * 2 + 1)
