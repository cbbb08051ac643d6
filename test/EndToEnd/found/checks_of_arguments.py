"""What eager refuses: shapes, dtypes, orders and dimensions that a composition of operations would take."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def entry(x, n):
    i, b, image = n + 1, n > 2, x.view(1, 1, 2, 3)
    calls = [
        lambda: x.sum_to_size(3, 2), lambda: x.sum_to_size(6), lambda: x.sum_to_size(1, 3), lambda: x.sum_to_size(1, 2, 3),
        lambda: torch.hsplit(x, 2), lambda: torch.vsplit(x, 3), lambda: torch.dsplit(image[0], 2), lambda: torch.hsplit(x[0], 2),
        lambda: torch.hsplit(x, 0), lambda: torch.hsplit(x, 3), lambda: torch.vsplit(x, (1,)),
        lambda: torch.linalg.matrix_norm(x, 3), lambda: torch.linalg.norm(x, 0), lambda: torch.linalg.matrix_norm(x, "foo"),
        lambda: torch.linalg.matrix_norm(x[0]), lambda: torch.linalg.matrix_norm(i, 1), lambda: torch.linalg.matrix_norm(x, 1, (0, -2)),
        lambda: torch.linalg.matrix_norm(x, 1, (0, 4)), lambda: torch.linalg.matrix_norm(x, -1),
        lambda: torch.rot90(x, 1, (0, 0)), lambda: torch.rot90(x, 0, (0, -2)), lambda: torch.rot90(x, 4, (0, 5)), lambda: torch.rot90(x[0]),
        lambda: torch.rot90(x, 1, (0,)), lambda: torch.rot90(x, -1),
        lambda: torch.bincount(n[0], minlength=-1), lambda: torch.bincount(x[0]), lambda: torch.bincount(b[0]), lambda: torch.bincount(n),
        lambda: torch.bincount(n[0] - 9), lambda: torch.bincount(n[0], x[0, :2]), lambda: torch.bincount(n[0, :0]), lambda: torch.bincount(n[0]),
        lambda: torch.vander(x), lambda: torch.vander(x[0], -1), lambda: torch.linalg.vander(x, N=1), lambda: torch.linalg.vander(b),
        lambda: torch.nanmean(n), lambda: torch.trace(b), lambda: torch.trace(n), lambda: torch.cov(image), lambda: torch.cov(b),
        lambda: F.glu(n[:, :2]), lambda: F.glu(x), lambda: F.glu(x[0, 0]), lambda: F.glu(x, 5), lambda: F.glu(x, 0),
        lambda: F.unfold(n.view(1, 1, 2, 3), 2), lambda: F.unfold(b.view(1, 1, 2, 3), 2), lambda: F.fold(n.view(1, 6, 1)[:, :4], 2, 2),
        lambda: F.grid_sample(n.view(1, 1, 2, 3), x.view(1, 3, 1, 2)), lambda: F.grid_sample(image.double(), x.view(1, 3, 1, 2)),
        lambda: F.grid_sample(image, x.view(1, 3, 1, 2), "cubic"), lambda: F.grid_sample(image, x.view(1, 3, 1, 2), padding_mode="none"),
        lambda: F.gaussian_nll_loss(x, x, -1.0), lambda: F.gaussian_nll_loss(x, x, x.abs() + 1).round(),
        lambda: F.interpolate(image, scale_factor=[2, 2, 2]), lambda: F.interpolate(image, size=[3]), lambda: F.interpolate(image),
        lambda: F.interpolate(image, size=3, recompute_scale_factor=True), lambda: F.interpolate(image, scale_factor=(2, 1)),
        lambda: nn.EmbeddingBag(3, 2)(n % 3, None, x), lambda: F.embedding_bag(n % 2, x, mode="sum", per_sample_weights=x.double()),
        lambda: F.embedding_bag(n[:, :0], x), lambda: F.embedding_bag(n % 2, x, mode="sum", per_sample_weights=x),
        lambda: torch.tensordot(x, x, ([4], [1])), lambda: torch.tensordot(x, x, ([0, 0], [0, 0])), lambda: torch.tensordot(x, x, ([0, 1], [0])),
        lambda: torch.tensordot(x, x.double(), ([0], [0])), lambda: torch.tensordot(x, x, ([0], [1])),
        lambda: torch.unravel_index(x, (2, 3)), lambda: torch.unravel_index(n, (2, -3)), lambda: torch.unravel_index(n, (20, 20)),
        lambda: torch.quantile(n, 0.5), lambda: torch.quantile(x, x), lambda: torch.quantile(x[:0], 0.5), lambda: torch.quantile(x, 0.5, dim=4),
        lambda: torch.quantile(x, x[0]), lambda: torch.quantile(x, 1.5), lambda: torch.quantile(x, torch.tensor([0.1, 0.9]), dim=0),
        lambda: n.clone().float_power_(2), lambda: x.double().float_power_(2), lambda: F.cosine_embedding_loss(x, x, n[:, 0], reduction="all"),
    ]
    try:
        F.gaussian_nll_loss(x, x, n)
    except RuntimeError:
        x = x + 0
    seen = []
    for call in calls:
        try:
            seen.append(call())
        except Exception as e:
            seen.append((type(e).__name__, str(e)))
    return seen
