"""torch.ops: operators of torch, those that the program defines, and a module for each namespace of others that have a model.
Whatever else is asked for is refused by its name."""
from _ptc import _assume, _unmodelled_module
from _ptc_torch import _refuse
from torch._operators import _namespace, _packet_of_function


def _operator(namespace):
    return lambda function: _packet_of_function(namespace, function)


def import_module(module):
    _refuse("torch.ops.import_module()")


def load_library(path):
    """Its operators have no model; that it is there is taken for granted."""
    _assume(f"library {path!r} is there")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(f"module 'torch.ops' has no attribute {name!r}")
    return _namespace(name) or _unmodelled_module(f"torch.ops.{name}")


from torch.ops import torchvision  # noqa: E402,F401
