"""Strides of composed results, their aliasing, and the texts of modules."""
import torch
import torch.nn as nn


def near(found):
    """In place rounded, as sums may be in the last bits, and without negative zeros."""
    if isinstance(found, torch.Tensor):
        return found.mul_(1000).round_().div_(1000).add_(0) if found.is_floating_point() else found
    return [near(v) for v in found]


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.ParameterList([nn.Parameter(torch.ones(2, 3)), torch.ones(3)])
        self.named = nn.ParameterDict({"a": nn.Parameter(torch.ones(2)), "b": torch.ones(1, 4)})
        self.up = nn.Sequential(
            nn.Upsample(scale_factor=2.0), nn.Upsample(size=(3, 4), mode="bilinear"), nn.Upsample(scale_factor=(2, 3)),
            nn.UpsamplingNearest2d(scale_factor=2), nn.UpsamplingBilinear2d(size=3))
        self.pools = nn.ModuleList([
            nn.AvgPool1d(2), nn.AvgPool1d((3,), 1, 1), nn.AvgPool2d(2), nn.AvgPool3d(2, 1), nn.LPPool2d(2, 3), nn.LPPool2d(1.5, 3, 2, True)])
        self.pads = nn.ModuleList([
            nn.ConstantPad1d(1, 3.0), nn.ConstantPad2d((1, 2, 3, 4), -1), nn.ConstantPad3d(1, 0), nn.ZeroPad2d(1), nn.ReflectionPad1d(2)])
        self.steps = nn.ModuleList([
            nn.Hardshrink(), nn.Hardshrink(0.25), nn.Softshrink(0.5), nn.Hardsigmoid(True), nn.Hardswish(True), nn.Hardtanh(-2, 2, True)])


def entry(x, n):
    cube = x[None].expand(2, 2, 3)
    steps = torch.tensor([0.1, 0.5, 0.9])
    quantiles = [torch.quantile(v, q, dim=dim, keepdim=keep) for v, dims in ((x, (None, 0, 1)), (cube, (None, 0, 1, -1)))
                 for q in (0.3, steps, steps[0]) for dim in dims for keep in (False, True)]
    whole = torch.quantile(x[0, 0], 0.5), torch.quantile(x[0, 0], steps, dim=0), torch.quantile(x[0, 0], 0.5, keepdim=True)
    places = torch.unravel_index(n, (4, 5)), torch.unravel_index(n.int(), (3, 4, 5)), torch.unravel_index(n[0, 0], [20, 3])
    turned = [torch.rot90(x.t(), k) for k in (0, 1, 2, 3, 4)]
    found = x.nonzero(), torch.argwhere(x > 99), x[:0].nonzero(), (x * 0).nonzero(), x[0, 0].nonzero(), x[x > 99].nonzero(as_tuple=True)
    pooled = nn.AvgPool1d(2)(x), nn.LPPool2d(2, 2)(x[None]), nn.ConstantPad1d(1, 3.0)(x), nn.Softshrink()(x), nn.Hardshrink(1.5)(x)
    return near(quantiles), [q.stride() for q in quantiles], near(whole), places, turned, [t.stride() for t in turned], near(pooled), found, repr(Kept())
