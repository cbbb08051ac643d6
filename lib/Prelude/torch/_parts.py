"""What is repeated as often, and split where, elements of a tensor say; composed of what has operations."""
import _ptc_aten as aten
import torch
from torch._math import _scalar_name

__all__ = ["repeat_interleave", "tensor_split"]


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    if repeats is None:
        return _places_of_repeats(input, output_size)
    if not isinstance(repeats, torch.Tensor) or repeats.dim() > 1 or repeats.dtype not in (torch.int64, torch.int32):
        return aten.repeat_interleave(input, repeats, dim, output_size=output_size)
    if dim is None or input.dim() == 0:
        if dim is not None:
            aten.repeat_interleave(input, repeats, dim, output_size=output_size)
        input, dim = input.flatten(), 0
    n = input.size(dim)
    if repeats.dim() == 0 or (repeats.size(0) != n and repeats.size(0) == 1):
        repeats = repeats.reshape(1).expand(n)
    elif repeats.size(0) != n:
        raise RuntimeError(f"repeats must have the same size as input along dim, but got repeats.size(0) = {repeats.size(0)} and "
                           f"input.size({dim}) = {n}")
    return input.index_select(dim, _places_of_repeats(repeats, output_size))


def _places_of_repeats(repeats, output_size):
    """Of each element the place, as often as it says."""
    if repeats.dim() != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if repeats.dtype not in (torch.int64, torch.int32):
        raise RuntimeError("repeats has to be Long or Int tensor")
    ends, total = repeats.cumsum(0), repeats.sum().item()
    if (repeats < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size is not None and total != output_size:
        raise RuntimeError("allocated size does not match required size")
    return torch.searchsorted(ends, torch.arange(total, device=repeats.device), right=True).to(repeats.dtype)


def tensor_split(input, *args, **kwargs):
    places = args[0] if args else kwargs.get("tensor_indices_or_sections")
    if not isinstance(places, torch.Tensor):
        return aten.tensor_split(input, *args, **kwargs)
    return _split_at(input, *args, **kwargs)


def _split_at(input, tensor_indices_or_sections, dim=0):
    places = tensor_indices_or_sections
    if places.dtype != torch.int64:
        raise RuntimeError(f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {_scalar_name(places.dtype)}")
    if places.dim() == 0:
        return aten.tensor_split(input, places.item(), dim)
    if places.dim() != 1:
        raise RuntimeError("tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a "
                           f"tensor with {places.dim()} dims")
    if dim < 0:
        dim += input.dim()
    before, parts, start = (slice(None),) * dim, [], 0
    for place in places:
        end = place.item()
        parts.append(input[(*before, slice(start, end))])
        start = end
    parts.append(input[(*before, slice(start, None))])
    return tuple(parts)
