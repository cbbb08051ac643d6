"""torch.linalg: what is one operation comes from the operation table through the module's fallback."""
import _ptc_aten as aten
import torch
from torch import _refuse


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    if isinstance(dim, int):
        dim = [dim]
    if ord is None:
        return aten.linalg_vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if dim is None and A.dim() not in (1, 2):
        raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
                           f"Got {A.dim()}D.")
    matrix = A.dim() == 2 if dim is None else len(dim) == 2
    if matrix:
        return matrix_norm(A, ord, (0, 1) if dim is None else dim, keepdim, dtype=dtype)
    return aten.linalg_vector_norm(A, ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    if dtype is not None:
        A = A.to(dtype)
    if ord == "fro":
        return aten.linalg_vector_norm(A, 2, dim, keepdim)
    if ord in ("nuc", 2, -2):
        _refuse(f"torch.linalg.matrix_norm with ord {ord!r}")
    rows, columns = (d % A.dim() for d in dim)
    first, last = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = A.abs().sum(first, True)
    found = sums.amax(last, True) if ord > 0 else sums.amin(last, True)
    return found if keepdim else found.squeeze((rows, columns))


def cross(input, other, *, dim=-1, out=None):
    if input.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if input.size(dim) != 3 or other.size(dim) != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.size(dim)} and "
                           f"{other.size(dim)}")
    a, b = torch.broadcast_tensors(input, other)
    found = a.roll(-1, dim) * b.roll(-2, dim) - a.roll(-2, dim) * b.roll(-1, dim)
    return found if out is None else out.copy_(found)


def matmul(input, other, *, out=None):
    return torch.matmul(input, other, out=out)


def vecdot(x, y, *, dim=-1, out=None):
    return (torch.conj(x) * y).sum(dim)


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return A.diagonal(offset, dim1, dim2)


def multi_dot(tensors, *, out=None):
    first, last = tensors[0], tensors[-1]
    product = first.unsqueeze(0) if first.dim() == 1 else first
    for t in tensors[1:-1]:
        product = product.mm(t)
    product = product.mm(last.unsqueeze(1) if last.dim() == 1 else last)
    if last.dim() == 1:
        product = product.squeeze(1)
    return product.squeeze(0) if first.dim() == 1 else product


def matrix_power(A, n, *, out=None):
    if n < 0:
        _refuse("torch.linalg.matrix_power with a negative exponent")
    if n == 0:
        return torch.eye(A.size(-1), dtype=A.dtype).expand(A.shape).clone()
    power, found = A, None
    while n:
        if n % 2:
            found = power if found is None else found.matmul(power)
        power = power.matmul(power) if n > 1 else power
        n //= 2
    return found


def vander(x, *, N=None):
    return torch.vander(x, N, True)
