"""torch.nn.functional.embedding_bag, of operations: rows that are looked up, then summed, averaged or compared."""
import warnings
import torch
from torch import _refuse

__all__ = ["embedding_bag"]


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    if weight.dtype == torch.long and input.is_floating_point():
        warnings._of_library("Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, "
                             "...)` is deprecated, and should now be `embedding_bag(input, weight, ...)`.")
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, "
                         f"then it must have the same shape as the input ({input.shape})")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.dim() not in (1, 2):
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if input.dim() == 2 and offsets is not None:
        raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                         f"sequences. However, found offsets of type {type(offsets)}")
    if input.dim() == 1 and (offsets is None or offsets.dim() != 1):
        raise ValueError("offsets has to be a 1D Tensor" + (" but got None" if offsets is None else ""))
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max" and (scale_grad_by_freq or sparse):
        raise ValueError("max mode does not support scaling the gradient by the frequency" if scale_grad_by_freq else
                         "max mode does not support sparse weights")
    if input.dim() == 2 and input.size(1) == 0:
        raise RuntimeError("step must be nonzero")
    if max_norm is not None:
        _refuse("torch.nn.functional.embedding_bag with max_norm")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                                  f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        _refuse("torch.nn.functional.embedding_bag with per_sample_weights of another type")
    if input.dim() == 1 and (mode == "max" or weight.dtype not in (torch.float32, torch.float64)):
        _refuse(f"torch.nn.functional.embedding_bag with offsets, of mode {mode!r} and type {weight.dtype}")
    rows = torch.embedding(weight, input)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if padding_idx is not None and padding_idx < 0:
        padding_idx += weight.size(0)
    counts = None if padding_idx is None else input != padding_idx
    if input.dim() == 1:
        return _bags_of(rows, offsets, counts, mode, include_last_offset)
    return _largest_of_bags(rows, counts) if mode == "max" else _sums_of_bags(rows, counts, mode)


def _sums_of_bags(rows, counts, mode):
    """Of bags that have one length; `counts`: which rows are no padding, or None for all."""
    if counts is None:
        return rows.sum(1) if mode == "sum" else rows.sum(1) / rows.size(1)
    sums = rows.masked_fill(~counts.unsqueeze(-1), 0).sum(1)
    return sums if mode == "sum" else sums / counts.sum(1, keepdim=True).clamp_min(1)


def _largest_of_bags(rows, counts):
    """One row after the other, as eager compares them: a NaN stays where it is the first of its bag."""
    found, largest = torch.zeros(rows.size(0), 1, dtype=torch.bool), torch.zeros_like(rows[:, :0].sum(1))
    for i in range(rows.size(1)):
        row = rows[:, i]
        takes = ~found | (row > largest)
        if counts is not None:
            is_counted = counts[:, i].unsqueeze(-1)
            takes, found = takes & is_counted, found | is_counted
        else:
            found = torch.ones_like(found)
        largest = torch.where(takes, row, largest)
    return largest


def _bags_of(rows, offsets, counts, mode, include_last_offset):
    """Of bags that begin at `offsets`; what is in none of them, or padding, goes to a last one that is left out."""
    n, bags = rows.size(0), offsets.size(0) - (1 if include_last_offset else 0)
    if bags < 1:
        _refuse("torch.nn.functional.embedding_bag without offsets of bags")
    if offsets[0] != 0:
        kind = "Int" if offsets.dtype == torch.int32 else "Long"
        raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
                           f"However, got {offsets[0].item()}\n[ torch.{kind}Tensor{{}} ]")
    if offsets[-1] > n:
        raise RuntimeError(f"offsets[-1] can not be greater than input's length {n} but got offsets[-1] of "
                           f"{offsets[-1].item()}")
    begins = torch.zeros(n + 1, dtype=torch.int64).index_add(0, offsets, torch.ones_like(offsets, dtype=torch.int64))
    bag = begins[:n].cumsum(0) - 1
    if counts is not None:
        bag = torch.where(counts, bag, bags)
    sums = torch.zeros(bags + 1, rows.size(1), dtype=rows.dtype).index_add(0, bag, rows)[:bags]
    if mode == "sum":
        return sums
    lengths = torch.zeros(bags + 1, dtype=rows.dtype).index_add(0, bag, torch.ones(n, dtype=rows.dtype))[:bags]
    return sums / lengths.clamp_min(1).unsqueeze(-1)
