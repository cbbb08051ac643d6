import torch


def entry(x, q):
    x, q = torch.where(x == 7, torch.nan, x), torch.where(q == 7, torch.nan, q)
    x, q = torch.where(x == 8, torch.inf, x), torch.where(q == 8, -torch.inf, q)
    s = x.sort().values
    rows = torch.stack([s, x])
    return (torch.searchsorted(s, q), torch.searchsorted(x, q, right=True), torch.bucketize(q, s),
            torch.searchsorted(rows, torch.stack([q, q]), side="right"), torch.bucketize(q, x[:0]),
            torch.searchsorted(s[:1], q), torch.searchsorted(x.double(), q.double(), out_int32=True))
