"""torch.nn.functional: what is one ATen operation comes from the operation table through the
module's fallback; here are the functions that choose between operations or combine them."""
import math
import torch
import _ptc_aten as aten


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def relu6(input, inplace=False):
    return hardtanh(input, 0.0, 6.0, inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    return input.clamp_(min_val, max_val) if inplace else input.clamp(min_val, max_val)


def elu(input, alpha=1.0, inplace=False):
    out = aten.elu(input, alpha)
    return input.copy_(out) if inplace else out


def selu(input, inplace=False):
    out = torch.selu(input)
    return input.copy_(out) if inplace else out


def celu(input, alpha=1.0, inplace=False):
    out = torch.celu(input, alpha)
    return input.copy_(out) if inplace else out


def silu(input, inplace=False):
    out = aten.silu(input)
    return input.copy_(out) if inplace else out


def mish(input, inplace=False):
    return input * torch.tanh(softplus(input))


def leaky_relu(input, negative_slope=0.01, inplace=False):
    out = aten.leaky_relu(input, negative_slope)
    return input.copy_(out) if inplace else out


def gelu(input, approximate="none"):
    return aten.gelu(input, approximate=approximate)


def softplus(input, beta=1.0, threshold=20.0):
    return aten.softplus(input, beta, threshold)


def hardswish(input, inplace=False):
    out = aten.hardswish(input)
    return input.copy_(out) if inplace else out


def hardsigmoid(input, inplace=False):
    out = aten.hardsigmoid(input)
    return input.copy_(out) if inplace else out


def logsigmoid(input):
    return -softplus(-input)


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def glu(input, dim=-1):
    a, b = input.chunk(2, dim)
    return a * b.sigmoid()


def threshold(input, threshold, value, inplace=False):
    out = torch.where(input > threshold, input, value)
    return input.copy_(out) if inplace else out


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.softmax(_softmax_dim(input, dim), dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.log_softmax(_softmax_dim(input, dim), dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return (-input).softmax(_softmax_dim(input, dim), dtype=dtype)


def _softmax_dim(input, dim):
    if dim is not None:
        return dim
    return 0 if input.dim() in (0, 1, 3) else 1


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    return input / input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return torch.cosine_similarity(x1, x2, dim, eps)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return (x1 - x2 + eps).norm(p, -1, keepdim)


def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training:
        return input
    out = torch.dropout(input, p, True)
    return input.copy_(out) if inplace else out


def _channel_dropout(input, p, training, inplace):
    if not training or p == 0:
        return input
    shape = list(input.shape[:2]) + [1] * (input.dim() - 2)
    noise = torch.empty(shape, dtype=input.dtype).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def dropout1d(input, p=0.5, training=True, inplace=False):
    return _channel_dropout(input, p, training, inplace)


dropout2d = dropout3d = dropout1d


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    if training:
        raise NotImplementedError("alpha_dropout in training")
    return input


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
              scale_grad_by_freq=False, sparse=False):
    if max_norm is not None:
        raise NotImplementedError("embedding with max_norm")
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx < 0:
        padding_idx = weight.size(0) + padding_idx
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def one_hot(tensor, num_classes=-1):
    return aten.one_hot(tensor, num_classes)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return torch.layer_norm(input, list(normalized_shape), weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return torch.rms_norm(input, list(normalized_shape), weight, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    return torch.group_norm(input, num_groups, weight, bias, eps)


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    if not training:
        return torch.batch_norm(input, weight, bias, running_mean, running_var, False, momentum,
                                eps, False)
    dims = [d for d in range(input.dim()) if d != 1]
    count = input.numel() // input.size(1)
    if count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.size()}")
    out = torch.batch_norm(input, weight, bias, None, None, True, momentum, eps, False)
    if running_mean is not None:
        with torch.no_grad():
            running_mean.mul_(1 - momentum).add_(input.mean(dims), alpha=momentum)
            running_var.mul_(1 - momentum).add_(input.var(dims, unbiased=True), alpha=momentum)
    return out


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    if not use_input_stats or running_mean is not None:
        raise NotImplementedError("instance_norm with running statistics")
    return torch.group_norm(input, input.size(1), weight, bias, eps)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    square = (input * input).unsqueeze(1)
    pads = [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2]
    total = pad(square, pads)
    acc = total.narrow(2, 0, input.size(1))
    for i in range(1, size):
        acc = acc + total.narrow(2, i, input.size(1))
    return input / (acc.squeeze(1) / size * alpha + k) ** beta


def _tuple(x, n):
    return [x] * n if isinstance(x, int) else list(x)


def _pool_args(kernel_size, stride, padding, n):
    kernel = _tuple(kernel_size, n)
    return kernel, kernel if stride is None or stride == [] else _tuple(stride, n), _tuple(padding, n)


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 1)
    out = max_pool2d(input.unsqueeze(-2), [1] + kernel, [1] + step, [0] + pads,
                     [1] + _tuple(dilation, 1), ceil_mode)
    return out.squeeze(-2)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 2)
    if return_indices:
        return aten.max_pool2d_with_indices(input, kernel, step, pads, _tuple(dilation, 2),
                                                 ceil_mode)
    return torch.max_pool2d(input, kernel, step, pads, _tuple(dilation, 2), ceil_mode)


def avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 1)
    out = avg_pool2d(input.unsqueeze(-2), [1] + kernel, [1] + step, [0] + pads, ceil_mode,
                     count_include_pad)
    return out.squeeze(-2)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 2)
    return aten.avg_pool2d(input, kernel, step, pads, ceil_mode, count_include_pad,
                                divisor_override)


def adaptive_avg_pool1d(input, output_size):
    return adaptive_avg_pool2d(input.unsqueeze(-2), [1] + _tuple(output_size, 1)).squeeze(-2)


def adaptive_avg_pool2d(input, output_size):
    size = _tuple(output_size, 2)
    size = [input.size(d - 2) if s is None else s for d, s in enumerate(size)]
    return aten.adaptive_avg_pool2d(input, size)


def adaptive_max_pool2d(input, output_size, return_indices=False):
    values, indices = aten.adaptive_max_pool2d(input, _tuple(output_size, 2))
    return (values, indices) if return_indices else values


def pad(input, pad, mode="constant", value=None):
    pad = list(pad)
    if mode == "constant":
        return torch.constant_pad_nd(input, pad, 0 if value is None else value)
    n = len(pad) // 2
    if mode == "reflect":
        return aten.reflection_pad2d(input, pad) if n == 2 else aten.reflection_pad1d(input, pad)
    if mode == "replicate":
        return aten.replication_pad2d(input, pad) if n == 2 else aten.replication_pad1d(input, pad)
    if mode == "circular":
        for i in range(n):
            before, after, dim = pad[2 * i], pad[2 * i + 1], -1 - i
            size = input.size(dim)
            input = torch.cat([input.narrow(dim, size - before, before), input,
                               input.narrow(dim, 0, after)], dim)
        return input
    raise NotImplementedError(f"Unrecognised padding mode {mode}")


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    n = input.dim() - 2
    if n != 2 or antialias:
        raise NotImplementedError("interpolate of other than two dimensions")
    if size is None:
        scales = [float(s) for s in (scale_factor if isinstance(scale_factor, (list, tuple))
                                     else [scale_factor] * n)]
        size = [math.floor(input.size(2 + d) * scales[d]) for d in range(n)]
    else:
        size, scales = _tuple(size, n), [None] * n
    if mode == "nearest":
        return aten.upsample_nearest2d(input, size, scales[0], scales[1])
    if mode == "bilinear":
        return aten.upsample_bilinear2d(input, size, bool(align_corners), scales[0], scales[1])
    raise NotImplementedError(f"interpolate with mode {mode}")


upsample = interpolate


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    raise NotImplementedError("unfold")


def pixel_shuffle(input, upscale_factor):
    return torch.pixel_shuffle(input, upscale_factor)


def _reduce(value, reduction):
    if reduction == "none":
        return value
    if reduction == "mean":
        return value.mean()
    if reduction == "sum":
        return value.sum()
    raise ValueError(f"{reduction} is not a valid value for reduction")


_REDUCTION = {"none": 0, "mean": 1, "sum": 2}


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    return aten.cross_entropy_loss(input, target, weight, _REDUCTION[reduction], ignore_index,
                                        label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    return aten.nll_loss_nd(input, target, weight, _REDUCTION[reduction], ignore_index)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    return aten.mse_loss(input, target, _REDUCTION[reduction])


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    return aten.l1_loss(input, target, _REDUCTION[reduction])


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    return aten.smooth_l1_loss(input, target, _REDUCTION[reduction], beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    d = (input - target).abs()
    return _reduce(torch.where(d < delta, 0.5 * d * d, delta * (d - 0.5 * delta)), reduction)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    return aten.binary_cross_entropy(input, target, weight, _REDUCTION[reduction])


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight,
                                                  _REDUCTION[reduction])


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if reduction == "batchmean":
        return torch.kl_div(input, target, 2, log_target=log_target) / input.size(0)
    return torch.kl_div(input, target, _REDUCTION[reduction], log_target=log_target)


def cosine_embedding_loss(input1, input2, target, margin=0, reduction="mean"):
    cos = cosine_similarity(input1, input2)
    loss = torch.where(target == 1, 1 - cos, (cos - margin).clamp_min(0))
    return _reduce(loss, reduction)


def margin_ranking_loss(input1, input2, target, margin=0, reduction="mean"):
    return _reduce((-target * (input1 - input2) + margin).clamp_min(0), reduction)


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        reduction="mean"):
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    return _reduce((near - far + margin).clamp_min(0), reduction)


def multi_head_attention_forward(*args, **kwargs):
    raise NotImplementedError("multi_head_attention_forward")


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return torch.zeros_like(logits).scatter_(dim, index, 1.0) - soft.detach() + soft
