"""Calls of other lengths: the one size of the input is known only at run time, and so is what is made of it."""
import torch
import torch.nn.functional as F


def _rows(x, n):
    """One row of `n` features for each element."""
    return x[:, None] * torch.linspace(0.5, 1.5, n) + torch.arange(n)


def attention_heads(x):
    t = _rows(x, 8)[None]
    b, n, c = t.shape
    q, k, v = (y.view(b, n, 2, c // 2).transpose(1, 2) for y in torch.cat([t, t * 0.5, 1 - t], 2).split(c, 2))
    causal = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    plain = torch.softmax(q @ k.transpose(-2, -1) / 2, -1) @ v
    return causal.transpose(1, 2).reshape(b, n, c), plain.transpose(1, 2).contiguous().view(b, n, c), \
        plain.permute(0, 2, 1, 3).flatten(2), plain.transpose(1, 2).reshape(b * n, -1)


def _rotated(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotary_halves(x):
    n = x.shape[0]
    q = _rows(x, 8).view(1, n, 2, 4).transpose(1, 2)
    angles = torch.outer(torch.arange(n, dtype=torch.float32), 1.0 / 10000 ** (torch.arange(0, 4, 2) / 4))
    emb = torch.cat((angles, angles), dim=-1)[None, None]
    return (q * emb.cos() + _rotated(q) * emb.sin()).transpose(1, 2).reshape(1, n, -1)


def rotary_pairs(x):
    n = x.shape[0]
    q = _rows(x, 8).view(n, 2, 4)
    angles = torch.arange(n)[:, None] / torch.tensor([1.0, 100.0])
    pairs = q.reshape(n, 2, -1, 2)
    a, b = pairs[..., 0], pairs[..., 1]
    cos, sin = angles.cos()[:, None], angles.sin()[:, None]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2), pairs.transpose(1, 2).flatten(1)


def repeated_heads(x):
    n = x.shape[0]
    k = _rows(x, 4).view(1, n, 2, 2).transpose(1, 2)
    many = k[:, :, None].expand(1, 2, 3, n, 2).reshape(1, 6, n, 2)
    return many, many.transpose(1, 2).flatten(2), (k.repeat_interleave(3, 1) == many).all()


def flattened(x):
    n = x.shape[0]
    t = _rows(x, 6).view(n, 2, 3)
    parts = t.transpose(1, 2), t.permute(2, 0, 1), t[:, :, ::2], t.permute(1, 0, 2)
    return [p.flatten(1) for p in parts], [p.flatten() for p in parts], [p.reshape(-1, 2) for p in parts[:3]], \
        parts[0].reshape_as(t), parts[1].ravel(), parts[3].reshape(2 * n, 3), parts[1].flatten(0, 1)


def pooled_patches(x):
    n = x.shape[0]
    images = _rows(x, 16).view(n, 1, 4, 4)
    patches = images.reshape(n, 1, 2, 2, 2, 2).permute(0, 2, 4, 1, 3, 5).reshape(n, 4, -1)
    convolved = F.conv2d(images, torch.arange(8.0).view(2, 1, 2, 2), stride=2)
    return patches, patches.mean(1), convolved.flatten(2).transpose(1, 2), \
        F.max_pool2d(images, 2).flatten(1), convolved.to(memory_format=torch.channels_last).flatten(1)


def windows(x):
    """Sizes of which two are no numbers on both sides."""
    n = x.shape[0]
    t = _rows(x, 6)
    outer = t[:, None] - t[None]
    return outer.transpose(0, 1).reshape(n * n, 6), outer.permute(2, 0, 1).flatten(1), outer.transpose(0, 2).flatten(), \
        outer.permute(1, 2, 0).reshape(n, -1), outer.permute(0, 2, 1).reshape(n, 2, 3, n).permute(3, 1, 0, 2).reshape(n, 2, -1)
