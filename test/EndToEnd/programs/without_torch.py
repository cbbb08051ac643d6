"""Tensors in a module that does not import torch: methods that are Python, operators, builtins."""


def listed(x):
    return x.tolist(), [v * 2 for v in x.tolist()]


def viewed(x):
    return x.view_as(x).double(), x.new_tensor([1, 2]), float(x.sum()), x.norm() > 3


def formatted(x):
    return f"{x.sum():.2f}", 1.0 in x, [v.item() for v in reversed(x)]
