"""Results that eager copies, lays out as channels last, or computes in the type of both operands."""
import torch
import torch.nn.functional as F


def made(*sizes):
    count = 1
    for n in sizes:
        count *= n
    return (torch.arange(count) % 13 - 6.0).reshape(sizes)


def entry(k: int):
    out = []
    folded = F.fold(F.unfold(made(2, 4, 6, 5), 3, padding=1), (6, 5), 3, padding=1)
    out += [folded.view(2, -1), folded.stride()]
    picture = made(2, 4, 14, 7).contiguous(memory_format=torch.channels_last)
    same = F.conv2d(picture, made(3, 4, 5, 5), None, 1, "same", 2)
    out += [same.permute(0, 2, 3, 1).view(2, -1, 3), same.stride()]
    for volume in (made(4, 5, 6, 3).permute(3, 0, 1, 2), made(3, 4, 5, 6), made(4, 5, 6, 3).permute(3, 0, 1, 2)[1:2]):
        pooled = F.max_pool3d(volume, 2)
        out += [pooled, pooled.stride(), F.avg_pool3d(volume, 2).stride()]
    h = made(1, 4, 2, 3)
    for groups in (1, 2, 4):
        shuffled = F.channel_shuffle(h, groups)
        shuffled += k
        out += [shuffled, shuffled.stride()]
    one, half, whole = torch.tensor(1.5), made(4, 5).bfloat16(), torch.full((4, 5), 2)
    for a, b in ((one, half), (half, one), (half, torch.tensor(2.0).double()), (whole, half), (torch.tensor(2), half)):
        for loss in (F.l1_loss, F.mse_loss, F.smooth_l1_loss):
            out.append(loss(a, b, reduction="none"))
        out.append(F.cosine_similarity(a.expand(4, 5), b.expand(4, 5), -1).dtype)
    x = made(4, 6) + k
    out += [torch.isnan(x.sum(-1) > 0), torch.isfinite(torch.softmax(x, -1).int()), x.any(1) & False, torch.where(x.sum(1) > 0, 1, 1),
            x.amax(1) == float("nan"), torch.isinf(F.max_pool1d(x, 2).int()), x.prod(1).long() ** 0]
    return out, h
