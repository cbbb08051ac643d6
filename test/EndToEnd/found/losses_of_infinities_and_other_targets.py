"""Infinite scores, targets of neither class, NaN in bags and grids, halves rounded at each step, sums of few rows."""
import torch
import torch.nn.functional as F


def near(found):
    """Rounded, as sums may be in the last bits, and without negative zeros."""
    if isinstance(found, torch.Tensor):
        return (found * 1000).round() / 1000 + 0 if found.is_floating_point() else found
    return [near(v) for v in found]


def losses(x, t):
    weight = torch.tensor([1.0, 0.5, 2.0])
    classes = [F.cross_entropy(x, t), F.cross_entropy(x, t, reduction="none"), F.cross_entropy(x, t, weight, reduction="sum"),
               F.cross_entropy(x[0], t[0]), F.cross_entropy(x, t, label_smoothing=0.1)]
    p = torch.where(x.isfinite(), x.abs() / 4, 0)
    divergences = [F.kl_div(x, p, reduction=r) for r in ("none", "sum", "batchmean")]
    one = F.kl_div(x[0, 1].cos(), x[0, 1].abs(), reduction="batchmean")
    y, z = x.nan_to_num(3, 2, -2), x.flip(0).nan_to_num(1, 2, -2)
    cosines = [F.cosine_embedding_loss(y, z, t, 0.2, reduction="none"), F.cosine_embedding_loss(y[0], z[0], t[1]),
               F.cosine_embedding_loss(y * 1e-7, z * 1e-7, t * 2 - 1), F.cosine_embedding_loss(y.long(), z.long(), t)]
    return classes, divergences, one, cosines, F.hinge_embedding_loss(y[:, 0], t.float(), reduction="none")


def samples(x, t):
    table = torch.cat([torch.where(x == -torch.inf, torch.nan, x), x])
    bags = [F.embedding_bag(i, table, mode="max") for i in (torch.tensor([[0, 1], [1, 0], [3, 2]]), t.view(2, 1).abs() % 4)]
    grid = torch.stack([x, x.flip(1)], -1)[None] / 3
    image = torch.stack([x, x * 2])[None]
    sampled = [F.grid_sample(image, grid, mode, padding, align_corners=corners) for mode in ("bilinear", "nearest")
               for padding in ("zeros", "border") for corners in (False, True)]
    return bags, sampled


def halves(x):
    row = x.nan_to_num(3, 2, -2).reshape(-1).clamp(-300, 300)
    for kind in (torch.float16, torch.bfloat16):
        y = (row * 300 + 1).to(kind)
        yield y.prod(), y.view(2, 3).prod(0), torch.sinc(row.to(kind)), F.glu(row.to(kind)), torch.logaddexp2(y / 300, -y / 299)


def sums(x):
    y = x.nan_to_num(3, 2, -2)
    i = y.long()
    products = [torch.tensordot(y, y[:1], ([0], [0])), torch.tensordot(y[:, :1], y, ([1], [1])),
                torch.tensordot(i.int(), i[:1].int(), ([0, 1], [0, 1]))]
    covariances = [torch.cov(y, correction=5), torch.cov(y), torch.cov(y[:1]), torch.cov(i), torch.corrcoef(i), torch.cov(y[0], correction=3)]
    normal = torch.special.ndtr(i.byte()), torch.special.ndtr(y > 0), torch.special.ndtr(i.clamp(-128, 127).char()), torch.special.ndtr(y)
    powers = torch.vander(i[0], 4), torch.vander(y[0] > 0), torch.vander(y[0], 0), torch.linalg.vander(y, N=2)
    return products, covariances, normal, powers, torch.aminmax(y, keepdim=True), torch.linalg.matrix_norm(y[:0], torch.inf)


def entry(x, t):
    x = torch.where(x == 9, torch.inf, torch.where(x == -9, -torch.inf, x))
    return near(losses(x, t)), near(samples(x, t)), list(halves(x)), near(sums(x))
