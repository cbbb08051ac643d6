"""torch.func: calls of modules with other parameters, and functions over a batch. Derivatives have no model."""
import torch
from torch._operators import enter_vmap, leave_vmap
from _ptc_torch import _hold_same, _is_for_each, _kinds_since, _recorded, _refuse, _restored, _shares_storage
from torch.utils._pytree import tree_flatten, tree_unflatten


def _owner(module, name):
    """The submodule that has this parameter or buffer, its table, and its name there."""
    *path, last = name.split(".")
    for part in path:
        module = getattr(module, part)
    for table in (module._parameters, module._buffers):
        if last in table:
            return table, last
    return None


def functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, *, tie_weights=True, strict=False):
    if isinstance(parameter_and_buffer_dicts, dict):
        given = dict(parameter_and_buffer_dicts)
    else:
        given = {}
        for part in parameter_and_buffer_dicts:
            if [name for name in part if name in given]:
                _refuse("torch.func.functional_call of dicts with the same name in two of them")
            given.update(part)
    own = [*module.named_parameters(remove_duplicate=False), *module.named_buffers(remove_duplicate=False)]
    if strict and {name for name, _ in own} != set(given):
        _refuse("torch.func.functional_call with strict=True and other names than the module's")
    if tie_weights:
        first = {id(value): name for name, value in reversed(own)}
        names = {}
        for name, value in own:
            names.setdefault(first[id(value)], []).append(name)
        for group in names.values():
            values = [given[name] for name in group if name in given]
            if values and [value for value in values if value is not values[0]]:
                raise ValueError("functional_call got multiple values for keys " + str(sorted(group)) + ", which are tied. Consider using tie_weights=False")
            given.update({name: values[0] for name in group if values})
    places = []
    for name, value in given.items():
        place = _owner(module, name)
        if place is None:
            _refuse(f"torch.func.functional_call with {name!r}, which the module does not have,")
        places.append((*place, value))
    before = [table[name] for table, name, _ in places]
    args = () if args is None else args if isinstance(args, tuple) else (args,)
    try:
        for table, name, value in places:
            table[name] = value
        return module(*args, **({} if kwargs is None else kwargs))
    finally:
        for (table, name, value), old in zip(places, before):
            if table[name] is not value:
                _refuse("torch.func.functional_call of a module that replaces its buffers")
            table[name] = old
        _restored(tuple([table for table, _, _ in places]))


def _dims_of(leaves, spec, in_dims):
    """The batch dimension of each leaf; None: it has none."""
    if isinstance(in_dims, int) or in_dims is None:
        return [in_dims] * len(leaves)
    found = []

    def spread(dims, part):
        if isinstance(dims, int) or dims is None:
            found.extend([dims] * part.num_leaves)
        elif part.is_leaf() or len(dims) != part.num_children:
            _refuse("torch.vmap with in_dims of another structure than the arguments")
        else:
            for inner, child in zip(dims.values() if isinstance(dims, dict) else dims, part.children()):
                spread(inner, child)
    spread(in_dims, spec)
    return found


def _name(func):
    return getattr(func, "__name__", repr(func))


def _repeated(t, dim, count):
    """What is the same for each entry, as a view."""
    at = dim % (t.dim() + 1)
    return t.unsqueeze(at).expand(*t.shape[:at], count, *t.shape[at:])


def _batched(column, dim, batches, entries, is_pointwise):
    """One result for all entries, in the memory order of eager's: `batches` are the arguments with the batch in front, which is where eager
    computes, and `entries` those of each call."""
    for n, whole in enumerate(batches):
        if all([t is entry[n] for t, entry in zip(column, entries)]):
            return whole.movedim(0, dim)
    if [t for t in column for whole in batches if _shares_storage(t, whole)]:
        _refuse("torch.vmap of a function whose result is a view of its argument, or the argument,")
    if _hold_same(column):
        return _repeated(column[0], dim, len(column))
    first = column[0]
    if first.is_contiguous():
        result = torch.stack(list(column))
    else:
        order = sorted(range(first.dim()), key=first.stride, reverse=True)
        result = torch.stack([t.permute(order) for t in column]).permute(0, *[order.index(at) + 1 for at in range(first.dim())])
    is_outermost = all([t.is_contiguous() or sorted(t.stride(), reverse=True) == list(t.stride()) for t in batches])
    if result.dim() > 1 and not is_outermost:
        like = [t for t in batches if t.shape == result.shape]
        if not is_pointwise or len(batches) > 1 or not like:
            _refuse("torch.vmap over a dimension that is not the outermost in memory, of a function that is not computed element by element,")
        result = torch.empty_like(like[0], dtype=result.dtype).copy_(result)
    return result.movedim(0, dim)


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, chunk_size=None):
    """A call for each entry of the batch, where eager makes one: functions of which that is seen are refused, and so are those that draw
    numbers, decide by data, or write to what has no batch, which eager does not take without a word."""
    def mapped(*args, **kwargs):
        leaves, spec = tree_flatten(args)
        dims = _dims_of(leaves, spec, in_dims)
        sizes = {leaf.shape[dim] for leaf, dim in zip(leaves, dims) if dim is not None}
        if len(sizes) != 1:
            raise ValueError(f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(sizes)} for the mapped dimension"
                             if sizes else "vmap: at least one of the arguments must have a batch dimension")
        batches = [leaf.movedim(dim, 0) for leaf, dim in zip(leaves, dims) if dim is not None]
        results, entries, is_pointwise = [], [], True
        enter_vmap()
        try:
            for n in range(sizes.pop()):
                entry = [leaf if dim is None else leaf.select(dim, n) for leaf, dim in zip(leaves, dims)]
                given, recorded = tree_unflatten(entry, spec), _recorded()
                result = func(*given, **kwargs)
                is_pointwise, draws_nothing, decides_nothing = _kinds_since(recorded)
                if not (draws_nothing and decides_nothing):
                    _refuse("torch.vmap of a function that draws random numbers, or decides by data")
                parts, form = tree_flatten(result)
                of_batches = tuple([part for part, dim in zip(entry, dims) if dim is not None])
                if not _is_for_each(recorded, of_batches):
                    _refuse("torch.vmap of a function that prints, changes objects, or writes in place to what has no batch")
                results.append(parts)
                entries.append(of_batches)
        finally:
            leave_vmap()
        if not results:
            _refuse("torch.vmap over an empty dimension")
        for part in results[0]:
            if not isinstance(part, torch.Tensor):
                raise ValueError(f"vmap({_name(func)}, ...): `{_name(func)}` must only return Tensors, got type {type(part)}. Did you mean to set out_dims= to None "
                                 "for output?")
        outs = [out_dims] * form.num_leaves if isinstance(out_dims, int) else list(out_dims)
        if len(outs) != form.num_leaves or [dim for dim in outs if not isinstance(dim, int)]:
            _refuse("torch.vmap with out_dims of another structure than the results")
        return tree_unflatten([_batched(column, dim, batches, entries, is_pointwise) for column, dim in zip(zip(*results), outs)], form)
    return mapped


def stack_module_state(models):
    """(parameters, buffers) by name, those of all models in a dimension more."""
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if any([model.training != models[0].training for model in models]):
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if any([type(model) is not type(models[0]) for model in models]):
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    return tuple([{name: torch.stack([table[name] for table in tables]).detach() for name in tables[0]}
                  for tables in ([dict(model.named_parameters()) for model in models], [dict(model.named_buffers()) for model in models])])
