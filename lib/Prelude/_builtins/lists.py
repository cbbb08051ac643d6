"""Lists whose length the run decides: they are walked over, and made anew."""


def _grown_slice(items, start, stop, step):
    step = 1 if step is None else _index(step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    first, last = _grown_bounds(len(items), start, stop, step)
    return [items[i] for i in range(first, last, step)]


def _grown_bounds(n, start, stop, step):
    """slice(start, stop, step).indices(n)[:2]"""
    least, most = (0, n) if step > 0 else (-1, n - 1)
    bounds = [least if step > 0 else most, most if step > 0 else least]
    for k, given in ((0, start), (1, stop)):
        if given is not None:
            bound = _index(given)
            if bound < 0:
                bound += n
                bounds[k] = bound if bound > least else least
            else:
                bounds[k] = bound if bound < most else most
    return bounds


def _grown_concat(a, b):
    joined = [x for x in a]
    for x in b:
        joined.append(x)
    return joined


def _grown_tuple_slice(items, start, stop, step):
    return _tuple_from_list(_grown_slice(items, start, stop, step))


def _grown_tuple_concat(a, b):
    return _tuple_from_list(_grown_concat(a, b))


def _joined_alike(tensors, dim, stacks):
    """torch.stack or torch.cat of tensors whose sizes may differ where they must not."""
    expected = list(tensors[0].shape)
    n = 0
    for t in tensors:
        for d in range(len(expected)):
            if (stacks or d != dim) and t.size(d) != expected[d]:
                if stacks:
                    raise RuntimeError(f"stack expects each tensor to be equal size, but got {expected} at entry 0 and {list(t.shape)} at entry {n}")
                raise RuntimeError(f"Sizes of tensors must match except in dimension {dim}. Expected size {expected[d]} but got size "
                                   f"{t.size(d)} for tensor number {n} in the list.")
        n += 1
    return _join_alike(tensors, dim, stacks)


def _joined_views(tensors, dim, stacks):
    """torch.stack or torch.cat of a list of views."""
    import torch
    copies = [t.clone() for t in tensors]
    return torch.stack(copies, dim) if stacks else torch.cat(copies, dim)


def _grown_reverse(items):
    _list_assign(items, _grown_slice(items, None, None, -1))


def _grown_insert(items, index, value):
    changed = _grown_slice(items, None, index, None)
    changed.append(value)
    for x in _grown_slice(items, index, None, None):
        changed.append(x)
    _list_assign(items, changed)


def _grown_place(items, index, about):
    n = len(items)
    at = _index(index)
    if at < 0:
        at += n
    if at < 0 or at >= n:
        raise IndexError(about)
    return at


def _grown_without(items, at):
    rest = _grown_slice(items, None, at, None)
    for x in _grown_slice(items, at + 1, None, None):
        rest.append(x)
    _list_assign(items, rest)


def _grown_pop(items, index):
    if not items:
        raise IndexError("pop from empty list")
    at = _grown_place(items, index, "pop index out of range")
    x = items[at]
    _grown_without(items, at)
    return x


def _grown_delitem(items, index):
    _grown_without(items, _grown_place(items, index, "list assignment index out of range"))


def _grown_setslice(items, start, stop, values):
    """items[start:stop] = values"""
    values = [x for x in values]
    first, last = _grown_bounds(len(items), start, stop, 1)
    changed = [items[i] for i in range(first)]
    for x in values:
        changed.append(x)
    for i in range(last if last > first else first, len(items)):
        changed.append(items[i])
    _list_assign(items, changed)


def _grown_remove(items, value):
    n = 0
    for x in items:
        if _is_item(x, value) or x == value:
            break
        n += 1
    else:
        raise ValueError("list.remove(x): x not in list")
    _grown_without(items, n)


def _grown_order(keys, reverse):
    """The stable order of numbers, of tensors of one, or of tuples of these, which are put in order by their last parts first."""
    import torch
    if not keys:
        return []
    if isinstance(keys[0], tuple):
        order = [i for i in range(len(keys))]
        for n in range(len(keys[0]) - 1, -1, -1):
            here = _grown_order([keys[i][n] for i in order], reverse)
            order = [order[i] for i in here]
        return order
    numbers = torch.stack([torch.as_tensor(v).reshape(()) for v in keys]) if isinstance(keys[0], torch.Tensor) else _tensor_of_grown(
        keys, torch.float64 if isinstance(keys[0], float) else torch.int64)
    if (numbers != numbers).any():
        _uncomputed("the order of numbers of which one is NaN")
    order = numbers.sort(stable=True, descending=reverse)[1]
    return [order[i].item() for i in range(len(keys))]


def _list_times(items, n):
    """items * n, where the run decides n."""
    made = []
    for _ in range(n):
        for x in items:
            made.append(x)
    return made


def _number_times(items, n):
    """The same for a list of one number: they lie side by side."""
    import torch
    x = items[0]
    dtype = torch.bool if isinstance(x, bool) else torch.float64 if isinstance(x, float) else torch.int64
    return _number_list(torch.full((n if n > 0 else 0,), x, dtype=dtype, device="cpu"))


def _append_apart(method, items, x):
    """items.append(x) or items.extend(x) of numbers that lie side by side: each becomes an element of its own first."""
    x = [v for v in x] if x is items else x
    _list_assign(items, [v for v in items])
    return method(items, x)


def _text_apart(items):
    """repr(items)"""
    return repr([v for v in items])


def _extend_apart(items, x):
    """items += x"""
    x = [v for v in x] if x is items else x
    _list_assign(items, [v for v in items])
    items += x
    return items


def _grown_index(s, value):
    n = 0
    for x in s:
        if _is_item(x, value) or x == value:
            return n
        n += 1
    raise ValueError(f"{value!r} is not in list")


def _tensor_at_grown(tensor, places):
    """tensor[places] with a list of ints, or of bools, whose length is known when the program runs."""
    import torch
    return tensor[_tensor_of_grown(places, None if places else torch.int64)]


def _tensor_of_grown(values, dtype):
    """torch.tensor() of a list whose length is known when the program runs."""
    import torch
    if not values:
        return torch.tensor([], dtype=dtype)
    numbers = _numbers_of(values)
    if numbers is not None:
        if dtype is None:
            dtype = torch.get_default_dtype() if numbers.dtype == torch.float64 else numbers.dtype
        if dtype.is_floating_point or dtype == numbers.dtype:
            return numbers.to(dtype=dtype, copy=True)
        if numbers.dim() > 1:
            _uncomputed(f"torch.tensor() of lists of {numbers.dtype} as {dtype}")
    return torch.stack([torch.tensor(v, dtype=dtype) for v in values])


def _zip_grown(rows):
    """zip(*rows) of rows whose number the run decides."""
    if not rows:
        return iter(())
    return iter([tuple([row[n] for row in rows]) for n in range(len(rows[0]))])


def _unpack_grown(items, before, after):
    """What first, *rest, last = items takes apart: items whose number the run decides, or a tensor with as many rows. Behind a mark,
    by which the instruction knows that they are no items of the program."""
    n = len(items)
    if n < before + after:
        raise ValueError(f"not enough values to unpack (expected at least {before + after}, got {n})")
    first = [items[i] for i in range(before)]
    last = [items[n - after + i] for i in range(after)]
    return (_missing, *first, [items[i] for i in range(before, n - after)], *last)


def _unpack_all(items, count):
    n = len(items)
    if n < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {n})")
    if n > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return tuple([items[i] for i in range(count)])
