"""A cache as long as data decide, seen as heads, put together again and made flat."""
import torch


def entry(x):
    tokens = torch.stack([x, x + 1, x * 2, x - 1]).T.reshape(1, 3, 4)
    k = tokens[:, :1]
    while k.norm() < 10 and k.shape[1] < 5:
        k = torch.cat([k, tokens[:, 2:] + k.shape[1]], dim=1)
    b, t, c = k.shape
    h = k.view(b, t, 2, c // 2).transpose(1, 2)
    scores = torch.relu(h @ h.transpose(-2, -1))
    y = (scores @ h).transpose(1, 2).contiguous().view(b, t, c)
    return y, y.flatten(1)
