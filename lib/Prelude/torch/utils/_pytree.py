"""torch.utils._pytree: nested containers as lists of leaves and their structure."""
from collections import OrderedDict, defaultdict, deque, namedtuple

import torch
from _ptc_torch import _refuse

__all__ = ["PyTreeSpec", "TreeSpec", "LeafSpec", "register_pytree_node", "tree_is_leaf", "tree_flatten", "tree_unflatten", "tree_iter",
           "tree_leaves", "tree_structure", "tree_map", "tree_map_", "tree_map_only", "tree_map_only_", "tree_all", "tree_any",
           "tree_all_only", "tree_any_only", "is_namedtuple", "is_namedtuple_class", "is_namedtuple_instance", "is_structseq",
           "is_structseq_class", "is_structseq_instance"]


class _Kind:
    """How nodes of a class come apart into children and context, and are made again."""

    def __init__(self, flatten, unflatten):
        self.flatten, self.unflatten = flatten, unflatten


def _dict_parts(d):
    return list(d.values()), list(d)


SUPPORTED_NODES = {
    tuple: _Kind(lambda t: (list(t), None), lambda children, context: tuple(children)),
    list: _Kind(lambda t: (list(t), None), lambda children, context: list(children)),
    dict: _Kind(_dict_parts, lambda children, context: dict(zip(context, children))),
    OrderedDict: _Kind(_dict_parts, lambda children, context: OrderedDict(zip(context, children))),
    defaultdict: _Kind(lambda d: (list(d.values()), [d.default_factory, list(d)]),
                       lambda children, context: defaultdict(context[0], zip(context[1], children))),
    deque: _Kind(lambda d: (list(d), d.maxlen), lambda children, context: deque(children, maxlen=context)),
    torch.Size: _Kind(lambda t: (list(t), None), lambda children, context: tuple(children)),
    namedtuple: _Kind(lambda t: (list(t), type(t)), lambda children, context: context(*children)),
}


def register_pytree_node(cls, flatten_fn, unflatten_fn, *, serialized_type_name=None, to_dumpable_context=None, from_dumpable_context=None,
                         flatten_with_keys_fn=None):
    if cls in SUPPORTED_NODES:
        raise ValueError(f"{cls} is already registered as pytree node.")
    SUPPORTED_NODES[cls] = _Kind(flatten_fn, unflatten_fn)


_register_pytree_node = register_pytree_node
for _cls in torch.return_types.all_return_types:
    register_pytree_node(_cls, lambda t: (list(t), None), lambda children, context, cls=_cls: cls(children))


def is_namedtuple_class(cls):
    return isinstance(cls, type) and issubclass(cls, tuple) and isinstance(getattr(cls, "_fields", None), tuple)


def is_namedtuple_instance(obj):
    return is_namedtuple_class(type(obj))


def is_namedtuple(obj):
    return is_namedtuple_class(obj if isinstance(obj, type) else type(obj))


def is_structseq_class(cls):
    return isinstance(cls, type) and cls.__module__ == "torch.return_types"


def is_structseq_instance(obj):
    return is_structseq_class(type(obj))


def is_structseq(obj):
    return is_structseq_class(obj if isinstance(obj, type) else type(obj))


def _kind_of(tree):
    """The class that says how it comes apart; None: it is a leaf."""
    cls = type(tree)
    if cls in SUPPORTED_NODES:
        return cls
    return namedtuple if is_namedtuple_class(cls) else None


class TreeSpec:
    """A node's class, what else it needs, and the structures of its children; of a leaf the class is None."""

    def __init__(self, type, context, children_specs=()):
        self.type, self.context, self._children = type, context, list(children_specs)
        self.num_children = len(self._children)
        self.num_nodes = 1 + sum([child.num_nodes for child in self._children])
        self.num_leaves = 1 if type is None else sum([child.num_leaves for child in self._children])

    @property
    def children_specs(self):
        return self._children

    def children(self):
        return self._children[:]

    def child(self, index):
        return self._children[index]

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        if not isinstance(other, TreeSpec):
            return NotImplemented
        return self.type == other.type and self.context == other.context and self._children == other._children

    def __ne__(self, other):
        return not self == other

    def __hash__(self):
        context = self.context
        if self.type is defaultdict:
            context = context[0], tuple(context[1])
        elif self.type in (dict, OrderedDict):
            context = tuple(context)
        elif self.type is not None and self.type not in (tuple, list, namedtuple, deque):
            context = None
        return hash((self.type, context, tuple(self._children)))

    def __repr__(self, indent=0):
        if self.type is None:
            return "*"
        below = [child.__repr__(indent + 2) for child in self._children]
        return f"TreeSpec({self.type.__name__}, {self.context}, [{(',' + chr(10) + ' ' * (indent + 2)).join(below)}])"

    def unflatten(self, leaves):
        return tree_unflatten(leaves, self)

    def flatten_up_to(self, tree):
        if self.type is None:
            return [tree]
        kind = _kind_of(tree)
        if kind != self.type:
            raise ValueError(f"Type mismatch; expected {self.type!r}, but got {type(tree)!r}.")
        children, context = SUPPORTED_NODES[kind].flatten(tree)
        if kind in (dict, OrderedDict):
            if set(context) != set(self.context):
                raise ValueError(f"Node keys mismatch; expected {self.context!r}, but got {context!r}.")
            children = [tree[key] for key in self.context]
        elif len(children) != self.num_children or context != self.context:
            raise ValueError(f"Node context mismatch for custom node type {self.type!r}.")
        return [leaf for child, spec in zip(children, self._children) for leaf in spec.flatten_up_to(child)]


PyTreeSpec = TreeSpec


class LeafSpec(TreeSpec):
    def __init__(self):
        super().__init__(None, None, [])


_LEAF = LeafSpec()


def treespec_leaf():
    return _LEAF


def tree_is_leaf(tree, is_leaf=None):
    return (is_leaf is not None and is_leaf(tree)) or _kind_of(tree) is None


def _flatten(tree, leaves, is_leaf):
    if tree_is_leaf(tree, is_leaf):
        leaves.append(tree)
        return _LEAF
    kind = _kind_of(tree)
    children, context = SUPPORTED_NODES[kind].flatten(tree)
    return TreeSpec(kind, context, [_flatten(child, leaves, is_leaf) for child in children])


def tree_flatten(tree, is_leaf=None):
    leaves = []
    spec = _flatten(tree, leaves, is_leaf)
    return leaves, spec


def tree_leaves(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[0]


def tree_iter(tree, is_leaf=None):
    yield from tree_leaves(tree, is_leaf)


def tree_structure(tree, is_leaf=None):
    return tree_flatten(tree, is_leaf)[1]


def _unflatten(leaves, spec):
    if spec.type is None:
        return next(leaves)
    return SUPPORTED_NODES[spec.type].unflatten([_unflatten(leaves, child) for child in spec._children], spec.context)


def tree_unflatten(leaves, treespec):
    if not isinstance(treespec, TreeSpec):
        raise TypeError(f"tree_unflatten(leaves, treespec): Expected `treespec` to be instance of PyTreeSpec but got item of type {type(treespec)}.")
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
                         f"{treespec.num_leaves} items ({treespec}).")
    return _unflatten(iter(leaves), treespec)


def tree_map(func, tree, *rests, is_leaf=None):
    leaves, spec = tree_flatten(tree, is_leaf)
    columns = [leaves] + [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten([func(*row) for row in zip(*columns)], spec)


def tree_map_(func, tree, *rests, is_leaf=None):
    tree_map(func, tree, *rests, is_leaf=is_leaf)
    return tree


def _is_of(chosen, value):
    return isinstance(value, chosen) if isinstance(chosen, (type, tuple)) or not callable(chosen) else chosen(value)


def map_only(type_or_types_or_pred, /):
    def only(func):
        return lambda value: func(value) if _is_of(type_or_types_or_pred, value) else value
    return only


def tree_map_only(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_map_only_(type_or_types_or_pred, /, func, tree, is_leaf=None):
    return tree_map_(map_only(type_or_types_or_pred)(func), tree, is_leaf=is_leaf)


def tree_all(pred, tree, is_leaf=None):
    return all(map(pred, tree_leaves(tree, is_leaf)))


def tree_any(pred, tree, is_leaf=None):
    return any(map(pred, tree_leaves(tree, is_leaf)))


def tree_all_only(type_or_types, /, pred, tree, is_leaf=None):
    return all([pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types)])


def tree_any_only(type_or_types, /, pred, tree, is_leaf=None):
    return any([pred(leaf) for leaf in tree_leaves(tree, is_leaf) if isinstance(leaf, type_or_types)])
