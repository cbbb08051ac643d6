"""torch.nn.functional.grouped_mm: a product for each group of rows, of columns, or of what is summed."""
import torch
from torch import _refuse
from torch._casts import _autocast_rule
from torch._math import _scalar_name


def _check_layout(mat, alignment):
    (rows, columns), (down, across) = mat.shape[-2:], mat.stride()[-2:]
    if down == 1 and across >= max(1, rows):
        step = across
    elif across == 1 and down >= max(1, columns):
        step = down
    else:
        raise RuntimeError(f"Invalid strides/sizes, got {list(mat.stride())} for strides and {list(mat.shape)} for sizes")
    if step % alignment:
        raise RuntimeError("strides should be multiple of 16 bytes")


@_autocast_rule("as given", "refused")
def grouped_mm(mat_a, mat_b, *, offs=None, bias=None, out_dtype=None):
    """`mat_a` [M, K] or [G, M, K], `mat_b` [K, N] or [G, K, N], `offs` [G]: where groups end along the dimension that both share, or
    that only a matrix has. The result is [M, N] where one is a matrix, else [G, M, N]; what lies behind the last group is not computed."""
    if mat_a.dtype not in (torch.float32, torch.bfloat16, torch.float16):
        raise RuntimeError(f"Expected mat_a to be Float32, BFloat16 or Float16 matrix, got {_scalar_name(mat_a.dtype)}")
    if mat_b.dtype != mat_a.dtype:
        _refuse("torch.nn.functional.grouped_mm of two types")
    if mat_a.dim() not in (2, 3) or mat_b.dim() not in (2, 3):
        raise RuntimeError(f"mat_{'b' if mat_a.dim() in (2, 3) else 'a'} has to be 2 or 3d")
    flat_a, flat_b = mat_a.dim() == 2, mat_b.dim() == 2
    if mat_a.size(-1) != mat_b.size(-2):
        raise RuntimeError("contraction dimension of mat_a and mat_b must match")
    alignment = 4 if mat_a.dtype == torch.float32 else 8
    _check_layout(mat_a, alignment)
    _check_layout(mat_b, alignment)
    if (offs is not None) != (flat_a or flat_b):
        raise RuntimeError("Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d")
    if offs is not None and (offs.dim() != 1 or offs.dtype != torch.int32):
        raise RuntimeError("offs has to be 1D" if offs.dim() != 1 else "Offsets have to be int32")
    groups = mat_a.size(0) if not flat_a else mat_b.size(0) if not flat_b else offs.size(0)
    if (not flat_b and mat_b.size(0) != groups) or (offs is not None and offs.size(0) != groups):
        raise RuntimeError("matrix batch sizes have to match")
    if bias is not None:
        raise RuntimeError("Bias not supported yet")
    if out_dtype not in (None, mat_a.dtype):
        raise RuntimeError("Grouped gemm output dtype must match `mat_a` dtype")
    rows, columns = mat_a.size(-2), mat_b.size(-1)
    lead = () if flat_a != flat_b else (groups,)
    padded = (columns + alignment - 1) // alignment * alignment
    out = torch.zeros(*lead, rows, padded, dtype=mat_a.dtype)[..., :columns]
    if rows == 0:
        return out.as_strided(out.shape, (*[0 for _ in lead], padded, 1))
    if offs is None:
        return out.copy_(torch.bmm(mat_a, mat_b))
    start = 0
    for group, end in enumerate(offs.tolist()):
        if flat_a and flat_b:
            out[group] = mat_a[:, start:end] @ mat_b[start:end]
        elif flat_a:
            out[start:end] = mat_a[start:end] @ mat_b[group]
        else:
            out[:, start:end] = mat_a[group] @ mat_b[:, start:end]
        start = end
    return out
