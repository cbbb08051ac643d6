"""torch.ops: a module for each namespace of operators that are not torch's and have a model. Whatever else is asked for is refused
by its name."""
from _ptc import _assume


class _Overload:
    _ptc_known_as = "torch._ops.OpOverload"

    def __init__(self, function):
        self._ptc_function = function

    def __call__(self, *args, **kwargs):
        return self._ptc_function(*args, **kwargs)


class _Operator:
    """An operator of one overload, which stands for the function that it is made of."""
    _ptc_known_as = "torch._ops.OpOverloadPacket"

    def __init__(self, namespace, function):
        self._ptc_name, self.default = f"{namespace}::{function.__name__}", _Overload(function)

    def __call__(self, *args, **kwargs):
        _assume(f"operator {self._ptc_name!r} is there, as {self._ptc_name.partition('::')[0]} has it for a CPU")
        return self.default(*args, **kwargs)


def _operator(namespace):
    return lambda function: _Operator(namespace, function)


from torch.ops import torchvision  # noqa: E402,F401
