"""torch.nn.utils.fusion: a batch norm in evaluation as part of the layer in front of it."""
import copy
import torch
from torch.nn.parameter import Parameter


def _fused_into(layer, fuse):
    fused = copy.deepcopy(layer)
    fused.weight, fused.bias = fuse(fused)
    return fused


def _check(layer, bn):
    assert not (layer.training or bn.training), "Fusion only for eval!"


def fuse_conv_bn_eval(conv, bn, transpose=False):
    _check(conv, bn)
    assert bn.running_mean is not None and bn.running_var is not None
    return _fused_into(conv, lambda fused: fuse_conv_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps,
                                                                bn.weight, bn.bias, transpose))


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    return _fused(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 1 if transpose else 0)


def _fused(w, b, mean, var, eps, scale, shift, channels):
    w_type, b_type = w.dtype, w.dtype if b is None else b.dtype
    b = torch.zeros_like(mean) if b is None else b
    scale = torch.ones_like(mean) if scale is None else scale
    shift = torch.zeros_like(mean) if shift is None else shift
    inverse = torch.rsqrt(var + eps)
    shape = [1] * w.dim()
    shape[channels] = -1
    weight = (w * (scale * inverse).reshape(shape)).to(dtype=w_type)
    bias = ((b - mean) * inverse * scale + shift).to(dtype=b_type)
    return Parameter(weight, w.requires_grad), Parameter(bias, b.requires_grad)


def fuse_linear_bn_eval(linear, bn):
    _check(linear, bn)
    assert linear.out_features == bn.num_features or bn.num_features == 1, \
        "To fuse, linear.out_features == bn.num_features or bn.num_features == 1"
    assert bn.running_mean is not None and bn.running_var is not None
    return _fused_into(linear, lambda fused: fuse_linear_bn_weights(fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps,
                                                                    bn.weight, bn.bias))


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    return _fused(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, 0)
