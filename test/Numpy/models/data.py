"""What models do with arrays of what they are given."""
import numpy as np
import torch


def round_trip(x):
    """f32[3,4]"""
    a = x.numpy()
    return torch.from_numpy(a * 2 + 1), torch.tensor(a), torch.as_tensor(a[::-1].copy())


def shared_memory(x):
    """f32[3,4]"""
    y = x.clone()
    a = y.numpy()
    a[0] = 5
    a[:, 1] += 1
    y.mul_(2)
    return y, torch.from_numpy(a), torch.from_numpy(a[1:, ::2])


def statistics(x):
    """f32[5,7]"""
    a = x.numpy()
    scaled = (a - a.mean(axis=1, keepdims=True)) / np.sqrt(a.var(axis=1, keepdims=True) + 1e-7)
    return torch.from_numpy(scaled), torch.from_numpy(np.stack([a.max(0), a.min(0), a.std(0)])), torch.from_numpy(a.argmax(1))


def functions(x):
    """f64[4,5]"""
    a = x.detach().cpu().numpy()
    made = np.exp(-np.abs(a)) + np.sin(a) * np.log1p(a**2) + np.clip(a, -1, 1) + np.where(a > 0, a, 0.1 * a)
    return torch.from_numpy(made), torch.from_numpy(np.maximum(a, 0.5).astype(np.float32)), torch.from_numpy(a.T @ a)


def promotion(x, i):
    """f32[4] i64[4]"""
    a, n = x.numpy(), i.numpy()
    return [torch.from_numpy(r) for r in (a * n, a + 1, n / 2, n // 2, n % 3 == 1, a * np.float32(2), n + np.int32(1), a.astype("float64") + n)]


def of_scalars(x):
    """f32[6]"""
    a = x.numpy()
    top = a.max()
    total = float(a.sum())
    return x / top + a[0] * x + total + np.float64(a[1]) * x


def decisions(x):
    """f32[6]"""
    a = x.numpy()
    if a.sum() > 0:
        return torch.from_numpy(np.sort(a))
    return torch.from_numpy(-a)


def ufuncs_of_tensors(x):
    """f32[3]"""
    return np.exp(x), np.sqrt(np.abs(x)), np.isnan(x)


def joined(x, y):
    """f32[2,3] f32[2,3]"""
    a, b = x.numpy(), y.numpy()
    parts = np.concatenate([a, b], axis=0), np.stack([a, b], 1), np.vstack([a, b]), np.repeat(a, 2, axis=1), np.tile(b, (1, 2)), np.roll(a, 1, 1)
    return [torch.from_numpy(p) for p in parts]


def normal(x):
    """f64[3,4]"""
    a = x.numpy()
    return torch.from_numpy(a / np.linalg.norm(a, axis=1, keepdims=True)), torch.from_numpy(np.einsum("ij,kj->ik", a, a)), torch.from_numpy(a.cumsum(1))


def assigned_over_itself(x):
    """f32[9]"""
    a = x.clone().numpy()
    a[1:4] = a[2:5]
    a[:-1] = a[1:]
    a[1:] = a[:-1]
    b = x.clone().numpy().reshape(3, 3)
    b[...] = b.T
    b[[0, 1]] = b[1:]
    return torch.from_numpy(a), torch.from_numpy(b)


def floats_as_integers(x):
    """f32[3]"""
    a = np.zeros(3, dtype=np.int32)
    a[0] = x.numpy()[0] * 100
    a[1:] = float(x.sum()) * 100
    try:
        a[0] = float(x[0]) * 0 + 1e10
    except OverflowError as e:
        return torch.from_numpy(a), str(e)
    return torch.from_numpy(a)
