"""associative_scan: what has been combined so far, at each entry."""
from torch._higher_order_ops.scan import entries, stacked
from torch.utils._pytree import tree_unflatten


def associative_scan(combine_fn, xs, dim, reverse=False, combine_mode="pointwise"):
    rows, spec = entries(xs, dim)
    if combine_mode == "pointwise" and not all([leaf.is_cuda for leaf in rows[0]]):
        raise ValueError("For combine_mode='pointwise', all input tensors need to be on CUDA or XPU")
    so_far, outputs = None, []
    for row in reversed(rows) if reverse else rows:
        entry = tree_unflatten(row, spec)
        so_far = entry if so_far is None else combine_fn(so_far, entry)
        outputs.append(so_far)
    return stacked(outputs[::-1] if reverse else outputs, dim)
