"""Functions of square matrices; most are those of torch.linalg under other names."""
import math
import torch
from torch._casts import _autocast_rule

__all__ = ["det", "inverse", "logdet", "matrix_power", "slogdet", "trace"]


@_autocast_rule("float32")
def trace(input):
    if input.dim() != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.dim()}")
    if input.dtype == torch.bool:
        raise NotImplementedError('"trace" not implemented for \'Bool\'')
    return input.diagonal().sum()


def matrix_power(input, n):
    return torch.linalg.matrix_power(input, n)


def det(input):
    return torch.linalg.det(input)


def slogdet(input, *, out=None):
    sign, logarithm = torch.linalg.slogdet(input, out=out)
    return torch.return_types.slogdet((sign, logarithm))


def logdet(input):
    torch.linalg._check_square(input, "logdet")
    sign, logarithm = torch.linalg.slogdet(input)
    return torch.where(sign == -1, math.nan, logarithm)


@_autocast_rule("float32")
def inverse(input, *, out=None):
    return torch.linalg.inv(input, out=out)
