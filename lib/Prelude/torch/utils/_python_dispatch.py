"""torch.utils._python_dispatch: what asks for classes derived from torch.Tensor. No tensor here is of one that wraps others."""
import torch


def is_traceable_wrapper_subclass(t):
    return isinstance(t, torch.Tensor) and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")
