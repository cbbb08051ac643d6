import torch
import torch.nn.functional as F


def raised(x, index):
    try:
        x.clone().index_add_(0, index, x[:2])
    except (IndexError, RuntimeError) as error:
        return str(error)


def entry(x, index):
    x = torch.where(x == 9, torch.inf, x)
    image = x[None, None]
    sizes = [tuple(x.shape), (2, 5), (6, 3), (1, 1)]
    both = [F.interpolate(image, size=size, mode="bilinear", align_corners=aligned)
            for size in sizes for aligned in (False, True)]
    chains = [torch.linalg.multi_dot(t) for t in ([x, x.T, x], [x[0], x.T, x, x.T[:, 0]], [x, x.T], [x.T, x, x.T])]
    return [v.nan_to_num(3, 50, -50).round() for v in (*both, *chains)], raised(x, index), raised(x, index.int())
