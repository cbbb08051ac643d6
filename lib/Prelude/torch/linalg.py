"""torch.linalg: what is one operation comes from the operation table through the module's fallback."""
import math
import _ptc_aten as aten
import torch
from torch import _refuse
from torch._casts import _autocast_rule
from torch._math import _scalar_name, _wrapped


def _into(out, found):
    """What an operation with out= gives: `out` has the type and gets the size of the result."""
    if out is None:
        return found
    if out.dtype != found.dtype or out.shape != found.shape:
        _refuse("out= of another type or size than the result")
    return out.copy_(found)


def norm(A, ord=None, dim=None, keepdim=False, *, out=None, dtype=None):
    if isinstance(dim, int):
        dim = [dim]
    if ord is None:
        return _into(out, aten.linalg_vector_norm(A, 2, dim, keepdim, dtype=dtype))
    if dim is None and A.dim() not in (1, 2):
        raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. "
                           f"Got {A.dim()}D.")
    matrix = A.dim() == 2 if dim is None else len(dim) == 2
    if matrix:
        return matrix_norm(A, ord, (0, 1) if dim is None else dim, keepdim, dtype=dtype, out=out)
    return _into(out, aten.linalg_vector_norm(A, ord, dim, keepdim, dtype=dtype))


@_autocast_rule(None, "refused")
def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None):
    if ord not in ("fro", "nuc") if isinstance(ord, str) else abs(ord) not in (1, 2, math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if A.dim() < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if not A.is_floating_point() and not A.is_complex():
        raise RuntimeError("linalg.matrix_norm: Expected a floating point or complex tensor as input. Got "
                           f"{_scalar_name(A.dtype)}")
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join([str(d) for d in dim])}")
    rows, columns = dim = [_wrapped(d, A.dim()) for d in dim]
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({rows}, {columns})")
    if dtype is not None:
        A = A.to(dtype)
    if ord == "fro":
        return _into(out, aten.linalg_vector_norm(A, 2, dim, keepdim))
    if ord in ("nuc", 2, -2):
        _refuse(f"torch.linalg.matrix_norm with ord {ord!r}")
    first, last = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = A.abs().sum(first, True)
    if ord > 0:
        found = sums.amax(last, True) if A.size(last) else sums.sum(last, True)
    else:
        found = sums.amin(last, True)
    return _into(out, found if keepdim else found.squeeze((rows, columns)))


def cross(input, other, *, dim=-1, out=None):
    if input.dim() != other.dim():
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    if input.size(dim) != 3 or other.size(dim) != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.size(dim)} and "
                           f"{other.size(dim)}")
    if input.dtype == torch.bool:
        raise NotImplementedError('"cross" not implemented for \'Bool\'')
    if input.dtype != other.dtype:
        raise RuntimeError(f"expected scalar type {_scalar_name(input.dtype)} but found {_scalar_name(other.dtype)}")
    a, b = torch.broadcast_tensors(input, other)
    found = a.roll(-1, dim) * b.roll(-2, dim) - a.roll(-2, dim) * b.roll(-1, dim)
    return found if out is None else out.copy_(found)


def matmul(input, other, *, out=None):
    return torch.matmul(input, other, out=out)


@_autocast_rule("lower", "lower")
def vecdot(x, y, *, dim=-1, out=None):
    for t in (x, y):
        if not t.is_floating_point() and not t.is_complex():
            raise RuntimeError("linalg.vecdot: Expected a floating point or complex tensor as input. Got "
                               f"{_scalar_name(t.dtype)}")
    return _into(out, (torch.conj_physical(x) * y).sum(dim))


def diagonal(A, *, offset=0, dim1=-2, dim2=-1):
    return A.diagonal(offset, dim1, dim2)


def _chain_order(sizes):
    """Where to divide the product of matrices i to j, as cheaply as possible: the first of equal ways. ATen's
    matrix_chain_order, after Cormen et al., Introduction to Algorithms."""
    count = len(sizes) - 1
    costs, splits = {(i, i): 0 for i in range(count)}, {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            for k in range(i, j):
                cost = costs[i, k] + costs[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if k == i or cost < costs[i, j]:
                    costs[i, j], splits[i, j] = cost, k
    return splits


def _chain_product(tensors, splits, i, j):
    if i == j:
        return tensors[i]
    k = splits[i, j]
    return _chain_product(tensors, splits, i, k).mm(_chain_product(tensors, splits, k + 1, j))


@_autocast_rule(None, "lower")
def multi_dot(tensors, *, out=None):
    first, last = tensors[0], tensors[-1]
    matrices = [first.unsqueeze(0) if first.dim() == 1 else first, *tensors[1:-1],
                last.unsqueeze(1) if last.dim() == 1 else last]
    sizes = [*[t.size(0) for t in matrices], matrices[-1].size(1)]
    if len(matrices) == 3:  # of equal costs the left one, other than for longer chains
        a, b, c, d = sizes
        splits = {(0, 1): 0, (1, 2): 1, (0, 2): 0 if a * c * (b + d) > b * d * (a + c) else 1}
    else:
        splits = _chain_order(sizes)
    product = _chain_product(matrices, splits, 0, len(matrices) - 1)
    if last.dim() == 1:
        product = product.squeeze(1)
    return _into(out, product.squeeze(0) if first.dim() == 1 else product)


def matrix_power(A, n, *, out=None):
    if n < 0:
        _refuse("torch.linalg.matrix_power with a negative exponent")
    if n == 0:
        return torch.eye(A.size(-1), dtype=A.dtype).expand(A.shape).clone(memory_format=torch.contiguous_format)
    if n == 1:
        return A.clone(memory_format=torch.contiguous_format)
    power, found = A, None
    while n:
        if n % 2:
            found = power if found is None else found.matmul(power)
        power = power.matmul(power) if n > 1 else power
        n //= 2
    return found


def vander(x, *, N=None):
    if x.dtype in (torch.bool, torch.float16, torch.bfloat16):
        raise RuntimeError("linalg.vander supports floating point, complex, and integer tensors, but got "
                           f"{_scalar_name(x.dtype)}")
    x = x.reshape(1) if x.dim() == 0 else x
    n = x.size(-1) if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    powers = x.unsqueeze(-1).expand(*x.shape, n - 1).cumprod(-1)
    return torch.cat([torch.ones(*x.shape, 1, dtype=powers.dtype), powers], -1)


# Systems of equations --------------------------------------------------------------------------------


class _LinAlgError(RuntimeError):
    pass


_LinAlgError.__module__ = "torch._C"
LinAlgError = _LinAlgError


def _check_matrix(A, name, matrix="A"):
    if A.dim() < 2:
        raise RuntimeError(f"{name}: The input tensor {matrix} must have at least 2 dimensions.")


def _check_size(A, name):
    if A.size(-1) != A.size(-2):
        raise RuntimeError(f"{name}: A must be batches of square matrices, but they are {A.size(-2)} by {A.size(-1)} "
                           "matrices")


def _check_type(A, name, kernel=None):
    """`kernel` is what has no code for short types; None: they are refused before it; "": they are not looked at."""
    if A.is_complex():
        _refuse(f"{name} of complex numbers")
    if not A.is_floating_point():
        raise RuntimeError(f"{name}: Expected a floating point or complex tensor as input. Got {_scalar_name(A.dtype)}")
    if kernel is None and A.dtype not in (torch.float32, torch.float64):
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {_scalar_name(A.dtype)}")
    if kernel and (A.numel() or kernel == "geqrf_cpu"):  # the others are not asked of what has no elements
        _check_kernel(A, kernel)


def _check_kernel(A, kernel):
    if A.dtype not in (torch.float32, torch.float64):
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(A.dtype)}\'')


def _check_square(A, name, kernel=None):
    _check_matrix(A, name)
    _check_size(A, name)
    _check_type(A, name, kernel)


def _eliminated(A, B):
    """Gauss with partial pivoting, a column at a time as LAPACK's getrf: (upper triangle, right side, how many rows changed
    places). A column of zeros stays as it is."""
    n = A.size(-1)
    rows = torch.arange(n)
    moved = torch.zeros(A.shape[:-2], dtype=torch.int64)
    for k in range(n):
        pivot = A[..., k:, k].abs().argmax(-1, True) + k
        order = torch.where(rows == k, pivot, torch.where(rows == pivot, k, rows)).unsqueeze(-1)
        moved = moved + (pivot.squeeze(-1) != k)
        A, B = A.gather(-2, order.expand(A.shape)), B.gather(-2, order.expand(B.shape))
        head = A[..., k:k + 1, k:k + 1]
        factors = torch.where(head == 0, 0, A[..., k + 1:, k:k + 1] / head)
        A = torch.cat([A[..., :k + 1, :], A[..., k + 1:, :] - factors * A[..., k:k + 1, :]], -2)
        B = torch.cat([B[..., :k + 1, :], B[..., k + 1:, :] - factors * B[..., k:k + 1, :]], -2)
    return A, B, moved


def _singular(name, singular, text):
    """`text` takes the number of the first diagonal element that is zero."""
    flat = singular.reshape(-1, singular.size(-1))
    batch = int(flat.any(1).int().argmax())
    place = f"(Batch element {batch}): " if singular.dim() > 1 else ""
    return LinAlgError(f"{name}: {place}{text(int(flat[batch].int().argmax()) + 1)}")


def _solved(A, B, name, text):
    upper, B, _ = _eliminated(A, B)
    singular = upper.diagonal(dim1=-2, dim2=-1) == 0
    if singular.any():
        raise _singular(name, singular, text)
    return _from_below(upper, B)


def _from_below(upper, B, unitriangular=False):
    """Solves with a triangle, the last row first."""
    rows = []
    for k in reversed(range(upper.size(-1))):
        row = B[..., k:k + 1, :]
        if rows:
            row = row - upper[..., k:k + 1, k + 1:].matmul(torch.cat(rows, -2))
        rows.insert(0, row if unitriangular else row / upper[..., k:k + 1, k:k + 1])
    return torch.cat(rows, -2) if rows else B


def _columns(t):
    """In the order of elements of LAPACK, which strides of dimensions of size 1 say, too."""
    if t.dim() < 2:
        return t
    return t.mT.clone(memory_format=torch.contiguous_format).mT if t.numel() else t.new_empty(t.mT.shape).mT


@_autocast_rule("float32")
def inv(A, *, out=None):
    _check_square(A, "linalg.inv")
    eye = torch.eye(A.size(-1), dtype=A.dtype).expand(A.shape)

    def text(at):
        return (f"The diagonal element {at} is zero, the inversion could not be completed because the input matrix is "
                "singular.")
    found = _columns(_solved(A, eye, "linalg.inv", text))
    return found if out is None else out.copy_(found)


@_autocast_rule("float32")
def solve(A, B, *, left=True, out=None):
    _check_square(A, "linalg.solve", "")
    if not left:
        found = solve(A.mT, B.mT).mT
        return found if out is None else out.copy_(found)
    vector = B.dim() == 1 or A.dim() - 1 == B.dim() and B.shape == A.shape[:-1]
    right = B.unsqueeze(-1) if vector else B
    if A.size(-1) != right.size(-2):
        raise RuntimeError(f"linalg.solve: Incompatible shapes of A and B for the equation AX = B ({A.size(-2)}x{A.size(-1)} and "
                           f"{right.size(-2)}x{right.size(-1)})")
    if A.numel():
        _check_kernel(A, "lu_cpu")
    shape = torch.broadcast_shapes(A.shape[:-2], right.shape[:-2])
    A, right = A.expand(shape + A.shape[-2:]), right.expand(shape + right.shape[-2:])
    found = _solved(A, right, "torch.linalg.solve",
                    lambda at: "The solver failed because the input matrix is singular.")
    found = _columns(found.squeeze(-1) if vector else found)
    return found if out is None else out.copy_(found)


def solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None):
    name = "linalg.solve_triangular"
    _check_matrix(A, name)
    _check_matrix(B, name, "B")
    _check_size(A, name)
    if A.size(-1) != B.size(-2 if left else -1):
        equation = f"AX = B ({A.size(-2)}x{A.size(-1)} and" if left else f"XA = B ({A.size(-2)}x{A.size(-1)} and"
        raise RuntimeError(f"{name}: Incompatible shapes of A and B for the equation {equation} {B.size(-2)}x{B.size(-1)})")
    if A.dtype != B.dtype:
        _refuse(f"{name} of two element types")
    if A.is_complex():
        _refuse(f"{name} of complex numbers")
    _check_kernel(A, "triangular_solve_cpu")
    shape = torch.broadcast_shapes(A.shape[:-2], B.shape[:-2])
    A, right = A.expand(shape + A.shape[-2:]), B.expand(shape + B.shape[-2:])
    if not left:
        A, right, upper = A.mT, right.mT, not upper
    with torch.autocast("cpu", enabled=False):
        if upper:
            found = _from_below(A, right, unitriangular)
        else:
            found = _from_below(A.flip(-2, -1), right.flip(-2), unitriangular).flip(-2)
    return _into(out, _columns(found if left else found.mT))


@_autocast_rule("float32")
def cholesky(A, *, upper=False, out=None):
    """A column at a time; the other triangle of A is not read."""
    _check_square(A, "linalg.cholesky", "cholesky_cpu")
    lower, heads = (A.mT if upper else A), []
    n, columns = A.size(-1), []
    for j in range(n):
        column = lower[..., j:, j:j + 1]
        if columns:
            done = torch.cat(columns, -1)
            column = column - done[..., j:, :].matmul(done[..., j:j + 1, :].mT)
        heads.append(column[..., 0, :])
        root = column[..., :1, :].sqrt()
        if A.dtype == torch.float32 and n <= 16:  # MKL: what lies below an infinity becomes NaN
            below = column[..., 1:, :] * (root / column[..., :1, :])
        else:
            below = column[..., 1:, :] / root
        column = torch.cat([root, below], -2)
        columns.append(torch.cat([column.new_zeros(column.shape[:-2] + (j, 1)), column], -2))
    if not columns:
        return _into(out, A.clone())
    wrong = ~(torch.cat(heads, -1) > 0)
    if wrong.any():
        raise _singular("linalg.cholesky", wrong, lambda at: (
            "The factorization could not be completed because the input is not positive-definite (the leading minor of order "
            f"{at} is not positive-definite)."))
    found = torch.cat(columns, -1)
    return _into(out, _columns(found.mT if upper else found))


def _signed_diagonal(A):
    """What a determinant is the product of, and its sign."""
    upper, _, moved = _eliminated(A, A[..., :0])
    return upper.diagonal(dim1=-2, dim2=-1), 1 - 2 * (moved % 2).to(A.dtype)


def det(A, *, out=None):
    _check_square(A, "linalg.det", "lu_cpu")
    diagonal, sign = _signed_diagonal(A)
    return _into(out, diagonal.prod(-1).to(A.dtype) * sign)  # autocast multiplies in float32


def slogdet(A, *, out=None):
    _check_square(A, "linalg.slogdet")
    if out is not None:
        _refuse("torch.linalg.slogdet() with out=")
    diagonal, sign = _signed_diagonal(A)
    return torch.return_types.linalg_slogdet((diagonal.sign().prod(-1) * sign, diagonal.abs().log().sum(-1)))


@_autocast_rule("float32")
def qr(A, mode="reduced", *, out=None):
    """By reflections as LAPACK's geqrf makes them, of which the signs are."""
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'")
    _check_matrix(A, "linalg.qr")
    _check_type(A, "linalg.qr", "geqrf_cpu")
    if out is not None:
        _refuse("torch.linalg.qr() with out=")
    rows, columns = A.shape[-2:]
    R, reflections = A, []
    for k in range(min(rows - 1, columns)):
        head, rest = R[..., k:k + 1, k:k + 1], R[..., k + 1:, k:k + 1]
        length = torch.linalg.vector_norm(rest, dim=-2, keepdim=True)
        length = torch.where(rest.isinf().sum(-2, keepdim=True) > 1, math.nan, length)  # as nrm2, which divides by the largest
        beta = -torch.copysign(torch.where(length.isnan(), length, torch.hypot(head, length)), head)
        is_done = length == 0
        tau = torch.where(is_done, 0, (beta - head) / beta)
        v = torch.cat([torch.ones_like(head), torch.where(is_done, 0, rest / (head - beta))], -2)
        below = R[..., k:, k + 1:]
        column = torch.cat([torch.where(is_done, head, beta), torch.zeros_like(rest)], -2)
        below = below - tau * v.matmul(v.mT.matmul(below))
        R = torch.cat([R[..., :k, :], torch.cat([R[..., k:, :k], column, below], -1)], -2)
        reflections.append((is_done, tau, v))
    Q = torch.eye(rows, dtype=A.dtype).expand(A.shape[:-2] + (rows, rows))
    for k, (is_done, tau, v) in reversed(list(enumerate(reflections))):  # as orgqr: the last one first
        part = Q[..., k:, k:]
        part = torch.where(is_done, part, part - tau * v.matmul(v.mT.matmul(part)))
        Q = torch.cat([Q[..., :k, :], torch.cat([Q[..., k:, :k], part], -1)], -2)
    kept = rows if mode == "complete" else min(rows, columns)
    R = R[..., :kept, :].triu()
    return torch.return_types.linalg_qr((A.new_empty(0) if mode == "r" else _columns(Q[..., :kept]), _columns(R)))
