"""What models make with numpy of constants and of sizes."""
import math

import numpy as np
import torch


def sine_positions(x):
    """f32[2,6,8]"""
    n, dim = x.shape[1:]
    omega = np.arange(dim // 2, dtype=np.float64)
    omega /= dim / 2.0
    omega = 1.0 / 10000**omega
    out = np.einsum("m,d->md", np.arange(n, dtype=np.float32).reshape(-1), omega)
    emb = np.concatenate([np.sin(out), np.cos(out)], axis=1)
    return x + torch.from_numpy(emb).float().unsqueeze(0)


def sinusoid_table(x):
    """f32[2,6,8]"""
    table = np.array([[pos / np.power(10000, 2 * (j // 2) / 8) for j in range(8)] for pos in range(6)])
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return x * torch.FloatTensor(table)


def relative_index(x):
    """f32[64,3]"""
    window = (3, 4)
    coords = np.stack(np.meshgrid(np.arange(window[0]), np.arange(window[1]), indexing="ij"))
    flat = coords.reshape(2, -1)
    relative = (flat[:, :, None] - flat[:, None, :]).transpose(1, 2, 0)
    relative[:, :, 0] += window[0] - 1
    relative[:, :, 1] += window[1] - 1
    relative[:, :, 0] *= 2 * window[1] - 1
    return x[torch.from_numpy(relative.sum(-1)).view(-1)]


def drop_rates(x):
    """f32[4]"""
    rates = [float(r) for r in np.linspace(0, 0.1, 12)]
    depths = np.cumsum([0, 3, 3, 6])
    return x * rates[-1] + sum(rates[depths[1]:depths[2]]) + int(np.prod((2, 3, 4))) + np.sqrt(2) * x


def grid(x):
    """f32[3,12]"""
    w, h = np.meshgrid(np.arange(4, dtype=np.float32), np.arange(3, dtype=np.float32))
    both = np.stack([w, h], axis=0).reshape([2, 1, 3, 4])
    return torch.from_numpy(both).flatten(2)[0, 0] * x


def betas(x):
    """f32[10]"""
    betas = np.linspace(0.0001**0.5, 0.02**0.5, 10, dtype=np.float64) ** 2
    alphas = np.cumprod(1.0 - betas, axis=0)
    steps = np.arange(0, 10, 3)[::-1].copy()
    sigmas = np.array(((1 - alphas) / alphas) ** 0.5)
    sigmas = np.interp(steps, np.arange(0, len(sigmas)), sigmas)
    sigmas = np.concatenate([sigmas, [0.0]]).astype(np.float32)
    return x[torch.from_numpy(steps)] * torch.from_numpy(sigmas)[:-1] + torch.tensor(alphas, dtype=torch.float32)[steps]


def cosine_schedule(x):
    """f32[5]"""
    steps = np.linspace(0, 1, 6)
    bar = np.cos((steps + 0.008) / 1.008 * np.pi / 2) ** 2
    return x + torch.as_tensor(np.clip(1 - bar[1:] / bar[:-1], 0, 0.999), dtype=torch.float32)


def slopes(x):
    """f32[8,4]"""
    start = 2 ** (-(2 ** -(np.log2(8) - 3)))
    return x * torch.tensor([start * start**i for i in range(8)])[:, None] / np.float32(math.sqrt(4))


def mask(x):
    """f32[4,4]"""
    above = np.triu(np.ones((4, 4)), k=1).astype("uint8")
    return x.masked_fill(torch.from_numpy(above) == 1, -1e9) + torch.from_numpy(np.tril(np.ones((4, 4), dtype=np.float32)))


def pyramid(x):
    """f32[2,30]"""
    sizes = np.array([[4, 4], [2, 3], [2, 2]])
    ends = np.cumsum(sizes.prod(1))
    parts = np.split(np.arange(26), ends[:-1])
    return [x[:, p].sum(1) for p in parts] + [x[:, : ends[-1]]]


def filters(x):
    """f32[2,40]"""
    low, high = 2595.0 * np.log10(1.0 + (0.0 / 700.0)), 2595.0 * np.log10(1.0 + (8000.0 / 700.0))
    hz = 700.0 * (10.0 ** (np.linspace(low, high, 12) / 2595.0) - 1.0)
    fft = np.linspace(0, 8000, 40)
    slopes = np.expand_dims(hz, 0) - np.expand_dims(fft, 1)
    width = np.diff(hz)
    bank = np.maximum(np.zeros(1), np.minimum(-slopes[:, :-2] / width[:-1], slopes[:, 2:] / width[1:]))
    return x.double() @ torch.from_numpy(bank)


def window(x):
    """f32[16]"""
    return x * torch.from_numpy(np.hanning(18)[1:-1].astype(np.float32)) + torch.tensor(np.pad(np.ones(12), (2, 2))).float()
