"""torch.nn.functional: what is one ATen operation comes from the operation table through the
module's fallback; here are the functions that choose between operations or combine them."""
import math
import warnings
import torch
import _ptc_aten as aten
from torch import _refuse
from torch._casts import _autocast_rule, _in_float32
from torch._math import _scalar_name
from torch.nn import _resize
from torch.nn._attention import multi_head_attention_forward  # noqa: F401
from torch.nn._bags import *  # noqa: F401,F403
from torch.nn._grouped import grouped_mm  # noqa: F401
from torch.nn._losses import *  # noqa: F401,F403
from torch.nn._pools import *  # noqa: F401,F403


def relu(input, inplace=False):
    return input.relu_() if inplace else input.relu()


def relu6(input, inplace=False):
    return hardtanh(input, 0.0, 6.0, inplace)


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if input.dtype == torch.bool:
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if not input.is_floating_point():
        min_val, max_val = int(min_val), int(max_val)
        if min_val < 0 and input.dtype == torch.uint8:
            raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return input.clamp_(min_val, max_val) if inplace else aten.hardtanh(input, min_val, max_val)


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
    out = aten.mish(input)
    return input.copy_(out) if inplace else out


def leaky_relu(input, negative_slope=0.01, inplace=False):
    out = aten.leaky_relu(input, negative_slope)
    return input.copy_(out) if inplace else out


def gelu(input, approximate="none", *, out=None):
    if out is not None:
        return aten.gelu(input, approximate=approximate, out=out)
    return aten.gelu(input, approximate=approximate)


def softplus(input, beta=1.0, threshold=20.0, *, out=None):
    if out is not None:
        return aten.softplus(input, beta, threshold, out=out)
    return aten.softplus(input, beta, threshold)


def hardswish(input, inplace=False):
    out = aten.hardswish(input)
    return input.copy_(out) if inplace else out


def hardsigmoid(input, inplace=False):
    out = aten.hardsigmoid(input)
    return input.copy_(out) if inplace else out


def logsigmoid(input, *, out=None):
    if out is not None:
        return aten.log_sigmoid(input, out=out)
    return aten.log_sigmoid(input)


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def glu(input, dim=-1):
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    return aten.glu(input, dim)


def _check_float(input, kernel):
    """Raises what a kernel raises that has no version for integers."""
    if not input.is_floating_point():
        raise NotImplementedError(f'"{kernel}" not implemented for \'{_scalar_name(input.dtype)}\'')


def _threshold(input, threshold, value, inplace=False):
    out = aten.threshold(input, threshold, value)
    return input.copy_(out) if inplace else out


threshold = _threshold


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.softmax(_softmax_dim("softmax", input, dim), dtype=dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return input.log_softmax(_softmax_dim("log_softmax", input, dim), dtype=dtype)


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    return (-input).softmax(_softmax_dim("softmin", input, dim), dtype=dtype)


def _softmax_dim(name, input, dim):
    if dim is not None:
        return dim
    warnings._of_library(f"Implicit dimension choice for {name} has been deprecated. "
                         "Change the call to include dim=X as an argument.")
    return 0 if input.dim() in (0, 1, 3) else 1


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    denominator = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return torch.div(input, denominator, out=out)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    return torch.cosine_similarity(x1, x2, dim, eps)


def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return torch.pairwise_distance(x1, x2, p, eps, keepdim)


def dropout(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    if not training:
        return input
    out = torch.dropout(input, p, True)
    return input.copy_(out) if inplace else out


def _check_probability(p):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _channel_dropout(input, p, training, inplace):
    _check_probability(p)
    if not training or p == 0 or input.numel() == 0:
        return input
    if input.dim() < 2 and p < 1:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    shape = list(input.shape[:2]) + [1] * (input.dim() - 2)
    if p == 1:
        noise = torch.zeros((), dtype=input.dtype)
    else:
        noise = torch.empty(shape, dtype=input.dtype).bernoulli_(1 - p).div_(1 - p)
    return input.mul_(noise) if inplace else input * noise


def dropout1d(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    if input.dim() not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {input.dim()}D input. Note that "
                           "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, a "
                           "channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs).")
    return _batch_of(input, 3, p, training, inplace)


def _batch_of(input, rank, p, training, inplace):
    """Other ranks than `rank` are taken for what a batch holds."""
    if input.dim() == rank:
        return _channel_dropout(input, p, training, inplace)
    out = _channel_dropout(input.unsqueeze(0), p, training, inplace)
    return input if inplace else out.squeeze(0)


def _warn_of_rank(name, input, n, ranks):
    if input.dim() not in (n + 1, n + 2):
        warnings._of_library(
            f"{name}: Received a {input.dim()}-D input to {name}, which is deprecated and will result in an error in a "
            "future release. To retain the behavior and silence this warning, please use dropout instead. Note that "
            f"{name} exists to provide channel-wise dropout on inputs with {n} spatial dimensions, a channel dimension, "
            f"and an optional batch dimension (i.e. {ranks} inputs).")


def dropout2d(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    _warn_of_rank("dropout2d", input, 2, "3D or 4D")
    if input.dim() == 3:
        warnings._of_library(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired - "
            "input is interpreted as shape (N, C, L), where C is the channel dim. This behavior will change in a future "
            "release to interpret the input as one without a batch dimension, i.e. shape (C, H, W). To maintain the 1D "
            "channel-wise dropout behavior, please switch to using dropout1d instead.")
    return _channel_dropout(input, p, training, inplace)


def dropout3d(input, p=0.5, training=True, inplace=False):
    _check_probability(p)
    _warn_of_rank("dropout3d", input, 3, "4D or 5D")
    return _batch_of(input, 5, p, training, inplace)


def alpha_dropout(input, p=0.5, training=False, inplace=False):
    _check_probability(p)
    if training and p > 0:
        _refuse("torch.nn.functional.alpha_dropout in training")
    return input


def feature_alpha_dropout(input, p=0.5, training=False, inplace=False):
    return alpha_dropout(input, p, training, inplace)


def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, inplace=False):
    if training:
        _refuse("torch.nn.functional.rrelu in training")
    return leaky_relu(input if inplace else input.contiguous(), (lower + upper) / 2, inplace)


def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0,
              scale_grad_by_freq=False, sparse=False):
    if max_norm is not None:
        _refuse("torch.nn.functional.embedding with max_norm")
    if padding_idx is None:
        padding_idx = -1
    elif padding_idx > 0:
        assert padding_idx < weight.size(0), "Padding_idx must be within num_embeddings"
    elif padding_idx < 0:
        assert padding_idx >= -weight.size(0), "Padding_idx must be within num_embeddings"
        padding_idx = weight.size(0) + padding_idx
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def one_hot(tensor, num_classes=-1):
    return aten.one_hot(tensor, num_classes)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return torch.layer_norm(input, list(normalized_shape), weight, bias, eps)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    return torch.rms_norm(input, list(normalized_shape), weight, eps)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    _check_values([input.size(0) * input.size(1) // num_groups, num_groups, *input.size()[2:]])
    return torch.group_norm(input, num_groups, weight, bias, eps)


def embedding_bag(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, mode="mean",
                  sparse=False, per_sample_weights=None, include_last_offset=False, padding_idx=None):
    if max_norm is not None or padding_idx is not None or offsets is not None:
        _refuse("torch.nn.functional.embedding_bag with offsets, max_norm or padding_idx")
    if input.dim() != 2:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}")
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if weight.dim() != 2:
        raise ValueError(f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}")
    if input.size(1) == 0:
        raise RuntimeError("step must be nonzero")
    if not weight.is_floating_point():
        raise RuntimeError("Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, "
                           f"BFloat16, Float, Double; but got {_scalar_name(weight.dtype)} instead (while checking "
                           "arguments for embedding_bag)")
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must "
                         f"have the same shape as the input ({input.shape})")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                                  f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")
    if per_sample_weights is not None and per_sample_weights.dtype != weight.dtype:
        raise RuntimeError("Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
                           f"'per_sample_weights'; but type {weight.type()} does not equal {per_sample_weights.type()} "
                           "(while checking arguments for embedding_bag)")
    # Indices out of range are a RuntimeError here.
    places = input.reshape(-1, 1).expand(-1, weight.size(1))
    rows = weight.gather(0, places).reshape(*input.shape, weight.size(1))
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.unsqueeze(-1)
    if mode != "max":
        return rows.sum(1) if mode == "sum" else rows.mean(1)
    # The kernel keeps the first unless a later one is greater: NaN stays where it is first, else never wins.
    first = rows[:, 0]
    return torch.where(first.isnan(), first, rows.masked_fill(rows.isnan(), -math.inf).amax(1))


def _check_values(size):
    """More than one value per channel, which is dimension 1."""
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False,
               momentum=0.1, eps=1e-5):
    if training:
        _check_values(input.size())
        if eps <= 0.0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    elif eps < 0.0:
        raise ValueError(f"batch_norm eps must be non-negative, but got {eps}")
    else:
        for name, given in (("running_mean", running_mean), ("running_var", running_var)):
            if given is None:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None,
                  use_input_stats=True, momentum=0.1, eps=1e-5):
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
        return torch.instance_norm(input, weight, bias, running_mean, running_var, False, momentum, eps, False)
    spatial = math.prod(input.shape[2:])
    if spatial == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    if running_mean is None and running_var is None:
        return torch.instance_norm(input, weight, bias, None, None, True, momentum, eps, False)
    # As eager: a batch norm of one channel per instance, whose statistics are averaged over the batch.
    n, c = input.size(0), input.size(1)
    mean, var = running_mean.repeat(n), running_var.repeat(n)
    out = torch.batch_norm(input.contiguous().view(1, n * c, *input.shape[2:]),
                           None if weight is None else weight.repeat(n), None if bias is None else bias.repeat(n),
                           mean, var, True, momentum, eps, False)
    running_mean.copy_(mean.view(n, c).mean(0))
    running_var.copy_(var.view(n, c).mean(0))
    return out.view(input.shape)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    if input.dim() < 3:
        raise ValueError("Expected 3D or higher dimensionality                          input "
                         f"(got {input.dim()} dimensions)")
    if input.numel() == 0:
        return input
    square = (input * input).unsqueeze(1)
    if input.dim() > 3:                         # avg_pool3d()
        [square] = _in_float32(square)
        if square.dtype not in (torch.float32, torch.float64, torch.int64):
            raise NotImplementedError(f'"avg_pool3d_out_frame" not implemented for \'{_scalar_name(input.dtype)}\'')
    if input.dim() == 3 and not (input.is_floating_point() or input.dtype == torch.int64):
        raise NotImplementedError(f'"avg_pool2d" not implemented for \'{_scalar_name(input.dtype)}\'')
    pads = [0, 0] * (input.dim() - 2) + [size // 2, (size - 1) // 2]
    total = pad(square, pads)
    acc = total.narrow(2, 0, input.size(1))
    for i in range(1, size):
        acc = acc + total.narrow(2, i, input.size(1))
    return input / (acc.squeeze(1) / size * alpha + k) ** beta


def _tuple(x, n):
    is_number = isinstance(x, int) or (isinstance(x, torch.Tensor) and x.dim() == 0)
    return [x] * n if is_number else list(x)


def _pool_args(kernel_size, stride, padding, n):
    kernel = _tuple(kernel_size, n)
    return kernel, kernel if stride is None or stride == [] else _tuple(stride, n), _tuple(padding, n)


def _check_line(input, name):
    if input.dim() not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input.dim()}-dimensional tensor for argument #1 'self' (while "
                           f"checking arguments for {name})")


def _none_or_dtype(input):
    if input is None:
        return None
    if isinstance(input, torch.Tensor):
        return input.dtype
    raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")


def _canonical_mask(mask, mask_name, other_type, other_name, target_type, check_other=True):
    """What is added to scores: minus infinity where a mask of bools is set."""
    if mask is None:
        return None
    if mask.dtype != torch.bool and not torch.is_floating_point(mask):
        raise AssertionError(f"only bool and floating types of {mask_name} are supported")
    if check_other and other_type is not None and mask.dtype != other_type:
        warnings._of_library(f"Support for mismatched {mask_name} and {other_name} is deprecated. Use same type for both instead.")
    return mask if torch.is_floating_point(mask) else torch.zeros_like(mask, dtype=target_type).masked_fill_(mask, float("-inf"))


def max_pool1d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 1)
    if return_indices:
        _check_line(input, "max_pool1d")
        out, at = max_pool2d(input.unsqueeze(-2), [1] + kernel, [1] + step, [0] + pads, [1] + _tuple(dilation, 1),
                             ceil_mode, True)
        return out.squeeze(-2), at.squeeze(-2)
    return torch.max_pool1d(input, kernel, step, pads, _tuple(dilation, 1), ceil_mode)


def max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 2)
    if return_indices:
        return aten.max_pool2d_with_indices(input, kernel, step, pads, _tuple(dilation, 2),
                                                 ceil_mode)
    return torch.max_pool2d(input, kernel, step, pads, _tuple(dilation, 2), ceil_mode)


def max_pool3d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False,
               return_indices=False):
    if return_indices:
        _refuse("torch.nn.functional.max_pool3d with return_indices")
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 3)
    return torch.max_pool3d(input, kernel, step, pads, _tuple(dilation, 3), ceil_mode)


def avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True,
               divisor_override=None, *, out=None):
    kernel, step, pads = _pool_args(kernel_size, stride, padding, 2)
    if out is not None:
        return aten.avg_pool2d(input, kernel, step, pads, ceil_mode, count_include_pad, divisor_override, out=out)
    return aten.avg_pool2d(input, kernel, step, pads, ceil_mode, count_include_pad,
                                divisor_override)


def adaptive_avg_pool2d(input, output_size):
    size = _tuple(output_size, 2)
    size = [input.size(d - 2) if s is None else s for d, s in enumerate(size)]
    return aten.adaptive_avg_pool2d(input, size)


@_autocast_rule("float32")
def adaptive_avg_pool3d(input, output_size):
    size = _tuple(output_size, 3)
    if not isinstance(output_size, int) and input.dim() <= len(size):
        raise ValueError(f"Input dimension should be at least {len(size) + 1}")
    if len(size) != 3:
        raise RuntimeError("adaptive_avg_pool3d: output_size must be 3")
    size = [input.size(d - 3) if s is None else s for d, s in enumerate(size)]
    if min(size) < 0:
        raise RuntimeError(f"adaptive_avg_pool3d: elements of output_size must be greater than or equal to 0 but received {size}")
    if max(size) == 1 and min(size) == 1:
        return input.mean((-1, -2, -3), True)
    if input.dim() not in (4, 5):
        raise RuntimeError(f"adaptive_avg_pool3d(): Expected 4D or 5D tensor, but got {list(input.shape)}")
    if 0 in input.shape[1:]:
        raise RuntimeError("adaptive_avg_pool3d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                           f"{list(input.shape)}")
    if not input.is_floating_point():
        raise NotImplementedError(f'"adaptive_avg_pool3d_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    if input.dtype not in (torch.float32, torch.float64):
        _refuse(f"torch.nn.functional.adaptive_avg_pool3d of {input.dtype}")       # its sums are rounded to it, one by one
    if 0 in size:
        return input.new_empty([*input.shape[:-3], *size])
    volumes = input.flatten(0, 1) if input.dim() == 5 else input
    planes = aten.adaptive_avg_pool2d(volumes, size[1:])
    # All windows along one dimension have one shape of the others: a mean of means is the mean.
    pooled = aten.adaptive_avg_pool2d(planes.flatten(2), [size[0], size[1] * size[2]])
    return pooled.reshape([*input.shape[:-3], *size])


def adaptive_max_pool1d(input, output_size, return_indices=False):
    _check_line(input, "adaptive_max_pool1d")
    values, indices = aten.adaptive_max_pool2d(input.unsqueeze(-2), [1] + _tuple(output_size, 1))
    values, indices = values.squeeze(-2), indices.squeeze(-2)
    return (values, indices) if return_indices else values


def adaptive_max_pool2d(input, output_size, return_indices=False):
    size = [input.size(d - 2) if s is None else s for d, s in enumerate(_tuple(output_size, 2))]
    values, indices = aten.adaptive_max_pool2d(input, size)
    return (values, indices) if return_indices else values


def pad(input, pad, mode="constant", value=None):
    pad = list(pad)
    if mode == "constant" and len(pad) % 2 == 0 and len(pad) <= 2 * input.dim() and not input.is_contiguous() \
            and all([n <= 0 for n in pad]):
        return _cut(input, pad).clone()         # in the order of the input, other than what is filled
    return aten.pad(input, pad, mode, value)


def _cut(input, pad):
    for i in range(len(pad) // 2):
        before, behind, d = pad[2 * i], pad[2 * i + 1], input.dim() - 1 - i
        if before < 0:
            input = input.narrow(d, -before, input.size(d) + before)
        if behind < 0:
            input = input.narrow(d, 0, input.size(d) + behind)
    return input


def _sizes_and_scales(input, size, scale_factor, n):
    """Sizes, and the scales that the operation uses: those that were given."""
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    name, given = ("size", size) if size is not None else ("scale_factor", scale_factor)
    if given is None:
        raise ValueError("either size or scale_factor should be defined")
    if isinstance(given, (list, tuple)) and len(given) != n:
        other, shape, form = ("output", "output size of", "output size in (o1, o2, ...,oK)")
        if name == "scale_factor":
            other, shape, form = name, "scale_factor of shape", "scale_factor in (s1, s2, ...,sK)"
        raise ValueError(f"Input and {other} must have the same number of spatial dimensions, but got input with spatial "
                         f"dimensions of {list(input.shape[2:])} and {shape} {given}. Please provide input tensor in "
                         f"(N, C, d1, d2, ...,dK) format and {form} format.")
    if size is not None:
        return _tuple(size, n), [None] * n
    scales = [float(s) for s in (scale_factor if isinstance(scale_factor, (list, tuple)) else [scale_factor] * n)]
    return [math.floor(input.size(2 + d) * scales[d]) for d in range(n)], scales


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    n = input.dim() - 2
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | "
                         "bicubic | trilinear")
    explicit = size is not None
    size, scales = _sizes_and_scales(input, size, scale_factor, n)
    if recompute_scale_factor and explicit:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if recompute_scale_factor:
        scales = [None] * n
    if antialias and (mode not in ("bilinear", "bicubic", "lanczos") or n != 2):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input")
    if antialias and mode != "lanczos":
        return _resize.antialiased(input, size, scales, bool(align_corners), mode == "bicubic")
    if mode == "nearest" and n == 1:
        return aten.upsample_nearest1d(input, size, None if scales[0] is None else scales)
    if mode == "nearest" and n == 2:
        return aten.upsample_nearest2d(input, size, scales[0], scales[1])
    if mode == "bilinear" and n == 2:
        return aten.upsample_bilinear2d(input, size, bool(align_corners), scales[0], scales[1])
    if mode == "area" and n in (1, 2, 3):
        return (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[n - 1](input, size)
    if mode == "nearest-exact" or mode == "nearest" and n == 3:
        return _resize.nearest(input, size, scales, mode == "nearest-exact")
    for name, rank in (("linear", 1), ("bilinear", 2), ("bicubic", 2), ("trilinear", 3)):
        if mode == name and n != rank and n in (1, 2, 3) and mode != "bicubic":
            raise NotImplementedError(f"Got {n + 2}D input, but {mode} mode needs {rank + 2}D input")
        if mode == name and n == rank:
            return getattr(_resize, mode)(input, size, scales, bool(align_corners))
    _refuse(f"torch.nn.functional.interpolate of {n} dimensions with mode {mode!r}")


def adaptive_avg_pool1d(input, output_size):
    return aten.adaptive_avg_pool1d(input, _tuple(output_size, 1))


def _warn_of_upsample(name):
    warnings._of_library(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.")


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    _warn_of_upsample("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    _warn_of_upsample("upsample_nearest")
    return interpolate(input, size, scale_factor)


def upsample_bilinear(input, size=None, scale_factor=None):
    _warn_of_upsample("upsample_bilinear")
    return interpolate(input, size, scale_factor, "bilinear", True)


def _windows(size, kernel, dilation, padding, stride):
    return [(size[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) // stride[d] + 1 for d in range(2)]


def _pairs(function, **given):
    """Two numbers for each of the arguments, which are ints."""
    for name, value in given.items():
        pair = _tuple(value, 2) if not isinstance(value, float) else [value]
        if [v for v in pair if isinstance(v, float)]:
            raise TypeError(f"{function}(): argument '{name}' must be tuple of ints, but found element of type float")
        yield pair


def _check_windows(input, rank, kernel, dilation, padding, stride):
    for name, values, least in (("kernel_size", kernel, 1), ("dilation", dilation, 1), ("stride", stride, 1),
                                ("padding", padding, 0)):
        if len(values) != 2 or min(values) < least:
            raise RuntimeError(f"{name} should be two numbers of {least} or more, but got {values}")
    if input.dim() not in (rank - 1, rank) or 0 in input.shape[input.dim() - rank + 1:]:
        raise RuntimeError(f"Expected {rank - 1}D or {rank}D (batch mode) tensor with possibly 0 batch size and other "
                           f"non-zero dimensions for input, but got: {list(input.shape)}")


def _check_im2col(input, kernel):
    if not input.is_complex():
        _check_float(input, kernel)


def unfold(input, kernel_size, dilation=1, padding=0, stride=1):
    kernel, dilation, padding, stride = _pairs("im2col", kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride)
    _check_windows(input, 4, kernel, dilation, padding, stride)
    batched = input if input.dim() == 4 else input.unsqueeze(0)
    rows, columns = _windows(batched.shape[2:], kernel, dilation, padding, stride)
    if rows < 1 or columns < 1:
        raise RuntimeError(f"Given input of {input.shape}, kernel_size={kernel}, calculated shape of the array of "
                           f"sliding blocks as ({rows}, {columns}), but its components must be at least one.")
    if input.dtype != torch.bool:
        _check_im2col(input, "im2col_out_cpu")
    padded = pad(batched, [padding[1], padding[1], padding[0], padding[0]])
    parts = [padded[:, :, i * dilation[0]:i * dilation[0] + stride[0] * (rows - 1) + 1:stride[0],
                    j * dilation[1]:j * dilation[1] + stride[1] * (columns - 1) + 1:stride[1]]
             for i in range(kernel[0]) for j in range(kernel[1])]
    n, c = batched.size(0), batched.size(1)
    out = torch.stack(parts, 2).reshape(n, c * kernel[0] * kernel[1], rows * columns).contiguous()
    return out if input.dim() == 4 else out.squeeze(0)


def fold(input, output_size, kernel_size, dilation=1, padding=0, stride=1):
    size, kernel, dilation, padding, stride = _pairs("col2im", output_size=output_size, kernel_size=kernel_size, dilation=dilation,
                                                     padding=padding, stride=stride)
    if len(size) != 2:
        raise RuntimeError(f"It is expected output_size equals to 2, but got size {len(size)}")
    _check_windows(input, 3, kernel, dilation, padding, stride)
    batched = input if input.dim() == 3 else input.unsqueeze(0)
    rows, columns = _windows(size, kernel, dilation, padding, stride)
    if batched.size(1) % (kernel[0] * kernel[1]) or rows < 1 or columns < 1 or batched.size(2) != rows * columns:
        raise RuntimeError(f"Given output_size={size}, kernel_size={kernel}, dilation={dilation}, padding={padding}, "
                           f"stride={stride}, input of {input.shape} does not hold the blocks that are folded")
    if input.dtype != torch.bool:
        _check_im2col(input, "col2im_out_cpu")
    n, c = batched.size(0), batched.size(1) // (kernel[0] * kernel[1])
    parts = batched.reshape(n, c, kernel[0], kernel[1], rows, columns)
    whole = torch.zeros(n, c, size[0] + 2 * padding[0], size[1] + 2 * padding[1], dtype=input.dtype)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            whole[:, :, i * dilation[0]:i * dilation[0] + stride[0] * (rows - 1) + 1:stride[0],
                  j * dilation[1]:j * dilation[1] + stride[1] * (columns - 1) + 1:stride[1]] += parts[:, :, i, j]
    out = whole[:, :, padding[0]:padding[0] + size[0], padding[1]:padding[1] + size[1]].contiguous()
    return out if input.dim() == 3 else out.squeeze(0)


def channel_shuffle(input, groups):
    return torch.channel_shuffle(input, groups)


@_autocast_rule("refused", "refused")
def bilinear(input1, input2, weight, bias=None):
    if weight.dim() != 3 or input1.shape[:-1] != input2.shape[:-1]:
        raise RuntimeError(f"bilinear(): input batch dimensions do not match: got {input1.shape} and {input2.shape}")
    for k, x in enumerate((input1, input2)):
        if x.size(-1) != weight.size(k + 1):
            raise RuntimeError(f"bilinear(): input{k + 1} size does not match weight size: got {x.size(-1)} but "
                               f"expected {weight.size(k + 1)}")
    if bias is not None and bias.dtype != weight.dtype:
        raise RuntimeError(f"All tensors must have the same dtype, got weight: {weight.dtype}, bias: {bias.dtype}")
    if bias is not None and (bias.dim() != 1 or bias.size(0) != weight.size(0)):
        raise RuntimeError(f"bilinear(): bias size does not match weight size: got {bias.size(0)} but expected "
                           f"{weight.size(0)}")
    for x in (input1, input2):
        x.reshape(-1, x.size(-1))                 # raises for a last dimension without elements
    if input1.dtype == torch.bool and input1.numel() and input2.numel() and weight.numel():
        raise NotImplementedError('"bmm" not implemented for \'Bool\'')
    out = torch.einsum("...i,oij,...j->...o", input1, weight, input2)
    return out if bias is None else out + bias


def _warn_of_corners(align_corners):
    if align_corners is None:
        warnings._of_library("Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. "
                             "Please specify align_corners=True if the old behavior is desired. See the documentation of "
                             "grid_sample for details.")


def affine_grid(theta, size, align_corners=None):
    _warn_of_corners(align_corners)
    if len(size) != 4:
        _refuse("torch.nn.functional.affine_grid of volumes")
    n, _, h, w = size
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    if theta.dim() != 3 or theta.size(-2) != 2 or theta.size(-1) != 3:
        raise ValueError(f"Expected a batch of 2D affine matrices of shape Nx2x3 for size {size}. Got {theta.shape}.")
    if align_corners and warnings._is_watched() and min(size[2:]) == 1:
        warnings._of_library("Since version 1.3.0, affine_grid behavior has changed for unit-size grids when "
                             "align_corners=True. This is not an intended use case of affine_grid. See the documentation "
                             "of affine_grid for details.")
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")

    def line(count):
        if count <= 1:
            return torch.zeros(count, dtype=theta.dtype)
        points = torch.linspace(-1, 1, count, dtype=theta.dtype)
        return points if align_corners else points * (count - 1) / count
    base = torch.stack([line(w).expand(h, w), line(h).unsqueeze(-1).expand(h, w), torch.ones(h, w, dtype=theta.dtype)], -1)
    return base.reshape(1, h * w, 3).expand(n, h * w, 3).bmm(theta.transpose(1, 2)).reshape(n, h, w, 2)


@_autocast_rule("float32", "promote")
def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError("nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: "
                         f"'{mode}'")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError("nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', "
                         f"but got: '{padding_mode}'")
    _warn_of_corners(align_corners)
    if input.dim() != 4 or padding_mode not in ("zeros", "border") or mode not in ("bilinear", "nearest"):
        _refuse(f"torch.nn.functional.grid_sample with mode {mode!r} and padding_mode {padding_mode!r}")
    n, c, h, w = input.shape
    if grid.dim() != 4 or grid.size(-1) != 2 or grid.size(0) != n or h == 0 or w == 0:
        raise RuntimeError("grid_sampler(): expected grid to have size 2 in last dimension and the batch size of the "
                           f"input, whose sizes are not 0, but got input {input.shape} and grid {grid.shape}")

    if input.numel() == 0 or grid.numel() == 0:
        return torch.empty(n, c, grid.size(1), grid.size(2), dtype=input.dtype)
    _check_float(input, "grid_sampler_2d_cpu_kernel_impl")
    if input.dtype != grid.dtype:
        raise RuntimeError(f"expected scalar type {_scalar_name(input.dtype)} but found {_scalar_name(grid.dtype)}")

    def place(x, size):
        at = (x + 1) * ((size - 1) / 2) if align_corners else _less_half((x + 1), size / 2)
        # NaN goes to the border, too.
        return torch.where(at > 0, at, 0).clamp_max(size - 1) if padding_mode == "border" else at

    def pick(x, y):
        inside = (x >= 0) & (x < w) & (y >= 0) & (y < h)
        flat = torch.where(inside, y, 0).long() * w + torch.where(inside, x, 0).long()
        flat = flat.reshape(n, 1, -1).expand(n, c, flat.size(1) * flat.size(2))
        taken = input.reshape(n, c, h * w).gather(2, flat).reshape(n, c, x.size(1), x.size(2))
        return torch.where(inside.unsqueeze(1), taken, 0)
    x, y = place(grid[..., 0], w), place(grid[..., 1], h)
    if mode == "nearest":
        return pick(x.round(), y.round()).contiguous()
    left, top = x.floor(), y.floor()
    right, bottom = left + 1, top + 1
    east, south = x - left, y - top
    west, north = 1 - east, 1 - south
    whole = (pick(left, top) * (west * north).unsqueeze(1) + pick(right, top) * (east * north).unsqueeze(1)
             + pick(left, bottom) * (west * south).unsqueeze(1) + pick(right, bottom) * (east * south).unsqueeze(1))
    return whole.contiguous()


def _less_half(x, factor):
    """x * factor - 0.5, of floats rounded once as the kernel's fused operation does."""
    return (x.double() * factor - 0.5).float() if x.dtype == torch.float32 else x * factor - 0.5


def pixel_shuffle(input, upscale_factor):
    return torch.pixel_shuffle(input, upscale_factor)


def gumbel_softmax(logits, tau=1, hard=False, eps=1e-10, dim=-1):
    if eps != 1e-10:
        warnings._of_library("`eps` parameter is deprecated and has no effect.")
    noise = -torch.empty_like(logits).exponential_().log()
    soft = ((logits + noise) / tau).softmax(dim)
    if not hard:
        return soft
    index = soft.max(dim, keepdim=True)[1]
    return torch.zeros_like(logits).scatter_(dim, index, 1.0) - soft.detach() + soft


grid_sample.__module__ = "torch.nn.functional"
