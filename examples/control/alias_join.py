"""One name for two tensors: after the join, a write goes to the input on one side only."""


def add_one(x):
    y = x if x.sum() > 0 else x.clone()
    y.add_(1)
    return x
