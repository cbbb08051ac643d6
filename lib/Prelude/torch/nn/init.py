"""torch.nn.init, with eager's algorithms and order of random draws."""
import math
import warnings
import torch


def calculate_gain(nonlinearity, param=None):
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d",
                        "conv_transpose2d", "conv_transpose3d", "sigmoid"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope ** 2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    receptive = 1
    for s in tensor.shape[2:]:
        receptive *= s
    return tensor.size(1) * receptive, tensor.size(0) * receptive


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    with torch.no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    with torch.no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    def cdf(x):
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings._warn_at("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
                          "The distribution of values may be incorrect.", UserWarning, None)
    with torch.no_grad():
        if cdf((b - mean) / std) - cdf((a - mean) / std) > 0.3:
            return _draw_normal(tensor, mean, std, a, b, generator)
        return _draw_beneath(tensor, mean, std, a, b, generator)


def _draw_normal(tensor, mean, std, a, b, generator):
    """Normal numbers, drawn again where they are outside."""
    low, high = tensor.new_tensor(a).item(), tensor.new_tensor(b).item()
    drawn = tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (drawn < low) | (drawn > high)
        if not outside.any():
            break
        drawn = torch.where(outside, torch.empty_like(drawn).normal_(mean, std, generator=generator), drawn)
    return tensor if drawn is tensor else tensor.copy_(drawn)


def _draw_beneath(tensor, mean, std, a, b, generator):
    """Uniform numbers, each with its density as the odds that it is taken."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    odds, chance = torch.empty_like(tensor), torch.empty_like(tensor)

    def rejected():
        odds.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return chance.uniform_(generator=generator).log_().gt(odds)
    tensor.uniform_(a, b, generator=generator)
    odds.copy_(tensor)
    pending = rejected()
    if not pending.any():
        return tensor
    drawn = tensor
    while True:
        odds.uniform_(a, b, generator=generator)
        drawn = torch.where(pending, odds, drawn)
        pending = torch.where(pending, rejected(), pending)
        if not pending.any():
            break
    return tensor.copy_(drawn)


def constant_(tensor, val):
    with torch.no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    return constant_(tensor, 1.0)


def zeros_(tensor):
    with torch.no_grad():
        return tensor.zero_()


def eye_(tensor):
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with torch.no_grad():
        return tensor.copy_(torch.eye(*tensor.shape))


def dirac_(tensor, groups=1):
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.size(0) % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    rows = tensor.size(0) // groups
    centre = tuple(n // 2 for n in tensor.shape[2:])
    with torch.no_grad():
        tensor.zero_()
        for group in range(groups):
            for d in range(min(rows, tensor.size(1))):
                tensor[(group * rows + d, d) + centre] = 1
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with torch.no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):  # without indices that could be out of range: dead where weights follow
            tensor[:, column].masked_fill_(torch.argsort(torch.randperm(rows)) < zeros, 0)
    return tensor


def _orthonormal(given):
    """Q of the decomposition whose R has a positive diagonal: Gram-Schmidt in double, twice for each column.

    No operation can fail, so that nothing of it is left where weights follow."""
    columns, places = given.double(), torch.arange(given.size(1))
    done, place = torch.zeros(given.shape, dtype=torch.float64), torch.zeros((), dtype=torch.int64)
    while place < given.size(1):
        column = columns @ (places == place).double().unsqueeze(1)
        column = column - done @ (done.t() @ column)
        column = column - done @ (done.t() @ column)
        done = torch.where(places == place, column / column.norm(), done)
        place = place + 1
    return done.to(given.dtype)


def orthogonal_(tensor, gain=1, generator=None):
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.size(0)
    columns = tensor.numel() // rows
    with torch.no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        if drawn.dtype not in (torch.float32, torch.float64):
            torch.linalg.qr(drawn)  # eager refuses these types, and ptc the call
        q = _orthonormal(drawn.t()).t() if rows < columns else _orthonormal(drawn)
        tensor.view(rows, columns).copy_(q)
        return tensor.mul_(gain)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        warnings._warn_at("Initializing zero-element tensors is a no-op", UserWarning, None)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    if 0 in tensor.shape:
        warnings._warn_at("Initializing zero-element tensors is a no-op", UserWarning, None)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)
