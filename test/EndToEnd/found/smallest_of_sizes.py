"""The smaller and the greater of sizes that data decides, dimensions of a tensor whose rank data decides, and distinct elements."""
import torch


def entry(x, y):
    taken = []
    for row in (x, y, x + y):
        row = row[row > 0]
        taken.append(row.topk(min(3, row.shape[0]))[0])
    joined = torch.cat(taken)
    if joined.shape[0] > 4:
        joined = joined.reshape(joined.shape[0], -1)
    sides = torch.stack((joined, joined + 1), dim=joined.dim())
    n, m = taken[0].shape[0], taken[1].shape[0]
    return taken, sides, min(n, m), max(n, m, 2), min([n, 2, m]), torch.unique((joined * 2).round(), return_inverse=True, return_counts=True)
