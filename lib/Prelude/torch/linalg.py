"""torch.linalg: names of the operation table come through the module's fallback."""


def norm(A, ord=None, dim=None, keepdim=False, *, dtype=None):
    if ord is None and dim is None:
        return A.reshape([-1]).norm(2.0) if not keepdim else A.norm(2.0, list(range(A.dim())), True)
    if isinstance(dim, int):
        return vector_norm(A, 2.0 if ord is None else ord, dim, keepdim)
    raise NotImplementedError("torch.linalg.norm of a matrix")


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    return x.norm(ord, list(range(x.dim())) if dim is None else dim, keepdim)
