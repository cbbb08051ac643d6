"""torch.compiler: decorators are the identity; questions are answers about the world."""
from torch import _dynamo


def disable(fn=None, recursive=True, reason=None):
    return fn if fn is not None else lambda function: function


def allow_in_graph(fn):
    return _dynamo.allow_in_graph(fn)


def reset():
    pass


def cudagraph_mark_step_begin():
    pass
