"""Distinct elements and slices, greatest and least so far, composed of what has operations."""
import torch
from torch import return_types, _refuse
from torch._math import _scalar_name, _wrapped

__all__ = ["cummax", "cummin", "unique", "unique_consecutive"]


# Distinct ------------------------------------------------------------------------------------------


def _asked(values, inverse, counts, return_inverse, return_counts):
    if not return_inverse and not return_counts:
        return values
    return (values,) + ((inverse,) if return_inverse else ()) + ((counts,) if return_counts else ())


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if dim is None and input.is_complex():
        return _asked(*torch._unique2(input, sorted, return_inverse, return_counts), return_inverse, return_counts)
    if dim is None:                            # eager sorts in any case
        found, order = input.reshape(-1).sort(stable=True)
        values, inverse, counts = _runs(found.reshape(-1, 1), found)
        inverse = torch.zeros_like(inverse).scatter(0, order, inverse)
        return _asked(values, inverse.reshape(input.shape), counts, return_inverse, return_counts)
    return _asked(*_of_slices(input, dim, True, return_counts), return_inverse, return_counts)


def unique_consecutive(input, return_inverse=False, return_counts=False, dim=None):
    if dim is not None:
        return _asked(*_of_slices(input, dim, False, return_counts), return_inverse, return_counts)
    if input.is_complex():
        raise NotImplementedError(f'"unique" not implemented for \'{_scalar_name(input.dtype)}\'')
    values, inverse, counts = _runs(input.reshape(-1, 1), input.reshape(-1))
    return _asked(values, inverse.reshape(input.shape), counts, return_inverse, return_counts)


def _runs(rows, values):
    """What begins each run of equal rows, the run of each row, the lengths of runs."""
    n = rows.size(0)
    if n == 0:
        return values.clone(), torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    starts = torch.cat([torch.ones(1, dtype=torch.bool), (rows[1:] != rows[:-1]).any(1)])
    places = starts.nonzero().squeeze(1)
    counts = torch.cat([places[1:], torch.full((1,), n)]) - places
    return values.index_select(0, places), starts.cumsum(0) - 1, counts


def _of_slices(input, dim, is_sorted, return_counts):
    dim = _wrapped(dim, input.dim())
    if input.dim() == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if input.is_complex():
        raise NotImplementedError(f'"unique_dim" not implemented for \'{_scalar_name(input.dtype)}\'')
    if 0 in input.shape:
        if [n for d, n in enumerate(input.shape) if d != dim and n == 0]:
            raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
        return torch.empty(input.shape, dtype=input.dtype), torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.int64)
    moved = input.movedim(dim, 0).contiguous()
    rows = moved.reshape(moved.size(0), -1)
    order = torch.arange(rows.size(0))
    if is_sorted:                              # by the first column, then the second, and so on
        for column in reversed(range(rows.size(1))):
            keys = rows.select(1, column).index_select(0, order)
            order = order.index_select(0, keys.sort(stable=True)[1])
    values, inverse, counts = _runs(rows.index_select(0, order), moved.index_select(0, order))
    inverse = torch.zeros_like(inverse).scatter(0, order, inverse)
    return values.movedim(0, dim), inverse, counts


# So far --------------------------------------------------------------------------------------------


def _so_far(name, input, dim, later_wins):
    """Scans in steps of doubling width: an element and what lies `step` before it have seen 2 * step elements."""
    kind = getattr(return_types, name)
    if 0 in input.shape:
        return kind((torch.empty(input.shape, dtype=input.dtype), torch.empty(input.shape, dtype=torch.int64)))
    dim = _wrapped(dim, input.dim())
    if input.is_complex():
        raise NotImplementedError(f'"{name}_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    if input.dim() == 0:
        return kind((input.clone(), torch.zeros((), dtype=torch.int64)))
    rows = input.movedim(dim, -1).contiguous()
    n = rows.size(-1)
    places = torch.arange(n).expand(rows.shape)
    step = 1
    while step < n:
        before, now = rows.narrow(-1, 0, n - step), rows.narrow(-1, step, n - step)
        takes = now.isnan() | ~before.isnan() & later_wins(now, before)
        chosen = torch.where(takes, places.narrow(-1, step, n - step), places.narrow(-1, 0, n - step))
        rows = torch.cat([rows.narrow(-1, 0, step), torch.where(takes, now, before)], -1)
        places = torch.cat([places.narrow(-1, 0, step), chosen], -1)
        step *= 2
    return kind((rows.movedim(-1, dim).clone(memory_format=torch.contiguous_format),
                 places.movedim(-1, dim).clone(memory_format=torch.contiguous_format)))


def cummax(input, dim, *, out=None):
    if out is not None:
        _refuse("torch.cummax(out=…)")
    return _so_far("cummax", input, dim, lambda now, before: now >= before)


def cummin(input, dim, *, out=None):
    if out is not None:
        _refuse("torch.cummin(out=…)")
    return _so_far("cummin", input, dim, lambda now, before: now <= before)
