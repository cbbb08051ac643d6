"""torch._dynamo: marks of sizes declare symbols of the entry; the rest has no effect here."""
from _ptc_torch import _mark_size, is_tensor

_DYNAMIC, _MAYBE, _STATIC = range(3)


def _mark(t, index, kind, lower=None, upper=None):
    if isinstance(index, int):
        _mark_size(t, index, kind, lower, upper)
        return
    if not isinstance(index, (list, tuple)):
        raise AssertionError(f"Expected index to be int, list, or tuple, got {type(index)}")
    for i in index:
        _mark(t, i, kind, lower, upper)


def graph_break(msg=""):
    pass


def disable(fn=None, recursive=True):
    return fn if fn is not None else lambda function: function


def allow_in_graph(fn):
    if isinstance(fn, (list, tuple)):
        return [allow_in_graph(f) for f in fn]
    if not callable(fn):
        raise AssertionError("allow_in_graph expects a callable")
    return fn


def mark_dynamic(t, index, *, hint_override=None, min=None, max=None, specialize_on=None):
    _mark(t, index, _DYNAMIC, min, max)


def maybe_mark_dynamic(t, index):
    _mark(t, index, _MAYBE)


def mark_static(t, index=None):
    if is_tensor(t):
        _mark(t, list(range(t.dim())) if index is None else index, _STATIC)
        return None
    from torch.nn import Module
    if issubclass(t, Module):
        return t
    raise TypeError(f"mark_static expects a tensor/nn.Module class but received {type(t)}")


def mark_static_address(t, guard=False):
    if not is_tensor(t):
        raise TypeError(f"mark_static_address expects a tensor but received {type(t)}")


for _function in (allow_in_graph, disable, graph_break, mark_dynamic, mark_static, mark_static_address, maybe_mark_dynamic):
    _function.__module__ = "torch._dynamo.decorators"
