"""torch.nn.utils"""
import inspect
import torch
from torch.nn.utils import rnn  # noqa: F401
from torch.nn.utils.fusion import (fuse_conv_bn_eval, fuse_conv_bn_weights, fuse_linear_bn_eval,  # noqa: F401
                                   fuse_linear_bn_weights)
from torch.nn.utils.weight_norm import remove_weight_norm, weight_norm  # noqa: F401


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    torch._refuse("torch.nn.utils of gradients")


def parameters_to_vector(parameters):
    return torch.cat([p.view(-1) for p in parameters])


def skip_init(module_cls, *args, **kwargs):
    if not issubclass(module_cls, torch.nn.Module):
        raise RuntimeError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError("Module must support a 'device' arg to skip initialization")
    final_device = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=final_device)


skip_init.__module__ = "torch.nn.utils.init"
clip_grad_norm_.__module__ = "torch.nn.utils.clip_grad"
parameters_to_vector.__module__ = "torch.nn.utils.convert_parameters"
