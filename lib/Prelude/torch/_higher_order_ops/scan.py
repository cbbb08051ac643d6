"""scan: a carry through the entries of a dimension."""
import torch
from _ptc_torch import _refuse
from torch.utils._pytree import tree_flatten, tree_leaves, tree_map, tree_unflatten


def entries(xs, dim):
    """The entries of the leaves in this dimension, and the tree's structure."""
    leaves, spec = tree_flatten(xs)
    if not leaves:
        raise RuntimeError("xs leaves must have a scan dimension > 0")
    return list(zip(*[leaf.unbind(dim) for leaf in leaves])), spec


def stacked(trees, dim):
    """Trees of one structure as a tree of tensors with one dimension more."""
    columns = [tree_flatten(tree) for tree in trees]
    return tree_unflatten([torch.stack(list(column), dim) for column in zip(*[leaves for leaves, _ in columns])], columns[0][1])


def refuse_arguments(what, results, given):
    """Eager compiles such functions, and takes none that returns what it was given."""
    if [leaf for leaf in tree_leaves(results) if isinstance(leaf, torch.Tensor) and [own for own in given if own is leaf]]:
        _refuse(f"{what} of a function that returns its argument")


def scan(combine_fn, init, xs, *, dim=0, reverse=False):
    dim = dim + tree_leaves(xs)[0].dim() if dim < 0 else dim
    rows, spec = entries(xs, dim)
    carry, outputs = init, []
    for row in reversed(rows) if reverse else rows:
        given = [*row, *tree_flatten(carry)[0]]
        carry, output = combine_fn(carry, tree_unflatten(row, spec))
        refuse_arguments("scan", (carry, output), given)
        outputs.append(output)
    rows_of_outputs = stacked(outputs[::-1] if reverse else outputs, 0)
    return carry, tree_map(lambda leaf: leaf.movedim(0, dim) if 0 < dim < leaf.dim() else leaf, rows_of_outputs)
