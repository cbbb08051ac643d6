"""Quotients, products and powers of complex numbers whose parts are zeros, infinities and NaN."""
import math
import torch


def entry(x):
    v = torch.tensor([0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan, 2.5]) * x
    z = torch.complex(v[:, None].expand(8, 8), v[None].expand(8, 8))
    w = z.mT
    return (z / -0.0, z / 2, z / -2.5, 1.0 / z, 2j / z, z.reciprocal(), v / z, z / v, z / w, torch.view_as_real(z.to(torch.complex128) / w.to(torch.complex128)),
            z * w, z * 2, z * v, z.square(), z ** 2, z ** -1)
