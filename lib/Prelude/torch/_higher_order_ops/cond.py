"""torch.cond."""
import torch
from torch._higher_order_ops.scan import refuse_arguments


def cond(pred, true_fn, false_fn, operands=()):
    if not isinstance(pred, torch.Tensor):
        return true_fn(*operands) if pred else false_fn(*operands)
    result = true_fn(*operands) if pred else false_fn(*operands)
    refuse_arguments("torch.cond", result, operands)
    return result
