import torch


def entry(x, count):
    n = int(count)
    y = x.expand(n, -1)
    z = torch.zeros(3, n).t()
    return (y.contiguous().stride(), y.is_contiguous(), (z + 1).stride(), torch.relu(z), z.clone(),
            (y.t() > 0).stride(), y.t().clone())
