"""torch.linalg: names of the operation table come through the module's fallback."""
import _ptc_aten as aten


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if isinstance(dim, int):
        dim = [dim]
    if ord is None:
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if dim is None:
        dim = list(range(A.dim()))
        if len(dim) > 2:
            raise RuntimeError("linalg.norm: If dim is not specified but ord is, the input must be"
                               f" 1D or 2D. Got {len(dim)}D.")
    if len(dim) == 1:
        return vector_norm(A, ord, dim, keepdim, dtype=dtype)
    return matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return aten.linalg_vector_norm(x, ord, dim, keepdim, dtype=dtype)


def matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None):
    if ord == "fro":
        return aten.linalg_vector_norm(A, 2, dim, keepdim, dtype=dtype)
    return aten.linalg_matrix_norm(A, ord, dim, keepdim, dtype=dtype)
