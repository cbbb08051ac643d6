"""The layers of torch.nn."""
import math
import warnings
import torch
from torch.nn import functional as F
from torch.nn import init
from torch.nn._norms import (  # noqa: F401
    BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, SyncBatchNorm, _BatchNorm, _InstanceNorm, _NormBase, _reset_as, _reset_scale)
from torch.nn.container import Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict  # noqa: F401
from torch.nn.module import Module, _of_meta
from torch.nn.parameter import Parameter


def _ntuple(x, n):
    return tuple(x) if isinstance(x, (tuple, list)) else (x,) * n


class Identity(Module):
    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Flatten(Module):
    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input):
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self):
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    def __init__(self, dim, unflattened_size):
        super().__init__()
        if not isinstance(unflattened_size, (tuple, list)):
            raise TypeError("unflattened_size must be a tuple of ints, but found type "
                            f"{type(unflattened_size).__name__}")
        self.dim, self.unflattened_size = dim, unflattened_size

    def forward(self, input):
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


# Linear ---------------------------------------------------------------------------------------


class Linear(Module):
    def __init__(self, in_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = Parameter(torch.empty((out_features, in_features), dtype=dtype, device=_of_meta(device)))
        if bias:
            self.bias = Parameter(torch.empty(out_features, dtype=dtype, device=_of_meta(device)))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            bound = 1 / math.sqrt(fan_in) if fan_in > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input):
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self):
        return (f"in_features={self.in_features}, out_features={self.out_features}, "
                f"bias={self.bias is not None}")


class Bilinear(Module):
    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(torch.empty((out_features, in1_features, in2_features), dtype=dtype, device=_of_meta(device)))
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        if bias:
            self.bias = Parameter(torch.empty(out_features, dtype=dtype, device=_of_meta(device)))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
                f"out_features={self.out_features}, bias={self.bias is not None}")


# Convolution ------------------------------------------------------------------------------------


class _ConvNd(Module):
    _ptc_known_as = "torch.nn.modules.conv._ConvNd"
    _ptc_dims = 0
    transposed = False

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1,
                 groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__()
        self._ptc_set_up(in_channels, out_channels, kernel_size, stride, padding, dilation, 0, groups,
                     bias, padding_mode, dtype, device)

    def _ptc_set_up(self, in_channels, out_channels, kernel_size, stride, padding, dilation,
                output_padding, groups, bias, padding_mode, dtype, device):
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(s != 1 for s in _ntuple(stride, self._ptc_dims)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError("padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, "
                             f"but got padding_mode={padding_mode!r}")
        n = self._ptc_dims
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size, self.stride = _ntuple(kernel_size, n), _ntuple(stride, n)
        self.padding = padding if isinstance(padding, str) else _ntuple(padding, n)
        self.dilation, self.output_padding = _ntuple(dilation, n), _ntuple(output_padding, n)
        self.padding_mode = padding_mode
        shape = ((in_channels, out_channels // groups) if self.transposed
                 else (out_channels, in_channels // groups))
        self.weight = Parameter(torch.empty(shape + self.kernel_size, dtype=dtype, device=_of_meta(device)))
        if bias:
            self.bias = Parameter(torch.empty(out_channels, dtype=dtype, device=_of_meta(device)))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _ptc_pads(self):
        """Amounts for F.pad, last dimension first, and what is left for the convolution."""
        if isinstance(self.padding, str):
            if self.padding_mode == "zeros":
                return None, self.padding
            if self.padding == "valid":
                return [0, 0] * self._ptc_dims, [0] * self._ptc_dims
            total = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size)]
            amounts = []
            for t in reversed(total):
                amounts += [t // 2, t - t // 2]
            return amounts, [0] * self._ptc_dims
        if self.padding_mode == "zeros":
            return None, list(self.padding)
        amounts = []
        for p in reversed(self.padding):
            amounts += [p, p]
        return amounts, [0] * self._ptc_dims

    def forward(self, input):
        amounts, padding = self._ptc_pads()
        if amounts is not None:
            mode = "constant" if self.padding_mode == "zeros" else self.padding_mode
            input = F.pad(input, amounts, mode)
        return self._ptc_convolve(input, padding)

    def extra_repr(self):
        s = (f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, "
             f"stride={self.stride}")
        if isinstance(self.padding, str) or any(p != 0 for p in self.padding):
            s += f", padding={self.padding}"
        if any(d != 1 for d in self.dilation):
            s += f", dilation={self.dilation}"
        if any(p != 0 for p in self.output_padding):
            s += f", output_padding={self.output_padding}"
        if self.groups != 1:
            s += f", groups={self.groups}"
        if self.bias is None:
            s += ", bias=False"
        if self.padding_mode != "zeros":
            s += f", padding_mode={self.padding_mode}"
        return s


class Conv1d(_ConvNd):
    _ptc_dims = 1

    def _ptc_convolve(self, input, padding):
        return F.conv1d(input, self.weight, self.bias, self.stride, padding, self.dilation,
                            self.groups)


class Conv2d(_ConvNd):
    _ptc_dims = 2

    def _ptc_convolve(self, input, padding):
        return F.conv2d(input, self.weight, self.bias, self.stride, padding, self.dilation,
                            self.groups)


class Conv3d(_ConvNd):
    _ptc_dims = 3

    def _ptc_convolve(self, input, padding):
        return F.conv3d(input, self.weight, self.bias, self.stride, padding, self.dilation,
                            self.groups)


class _ConvTransposeNd(_ConvNd):
    _ptc_known_as = "torch.nn.modules.conv._ConvTransposeNd"
    transposed = True

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0,
                 output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros",
                 device=None, dtype=None):
        Module.__init__(self)
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        self._ptc_set_up(in_channels, out_channels, kernel_size, stride, padding, dilation,
                     output_padding, groups, bias, padding_mode, dtype, device)

    def forward(self, input, output_size=None):
        if output_size is not None:
            torch._refuse("output_size of a transposed convolution")
        return self._ptc_convolve(input)


class ConvTranspose1d(_ConvTransposeNd):
    _ptc_dims = 1

    def _ptc_convolve(self, input):
        return F.conv_transpose1d(input, self.weight, self.bias, self.stride, self.padding,
                                      self.output_padding, self.groups, self.dilation)


class ConvTranspose2d(_ConvTransposeNd):
    _ptc_dims = 2

    def _ptc_convolve(self, input):
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding,
                                      self.output_padding, self.groups, self.dilation)


class ConvTranspose3d(_ConvTransposeNd):
    _ptc_dims = 3

    def _ptc_convolve(self, input):
        return F.conv_transpose3d(input, self.weight, self.bias, self.stride, self.padding,
                                      self.output_padding, self.groups, self.dilation)


# Normalisation ----------------------------------------------------------------------------------


class LayerNorm(Module):
    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None,
                 dtype=None):
        super().__init__()
        self.normalized_shape = _ntuple(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, dtype=dtype, device=_of_meta(device)))
            if bias:
                self.bias = Parameter(torch.zeros(self.normalized_shape, dtype=dtype, device=_of_meta(device)))
            else:
                self.register_parameter("bias", None)
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        _reset_as(self, LayerNorm.reset_parameters)

    def reset_parameters(self):
        if self.elementwise_affine:
            _reset_scale(self)

    def forward(self, input):
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return (f"{self.normalized_shape}, eps={self.eps}, "
                f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}")


class RMSNorm(Module):
    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        super().__init__()
        self.normalized_shape = _ntuple(normalized_shape, 1)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        if elementwise_affine:
            self.weight = Parameter(torch.ones(self.normalized_shape, dtype=dtype, device=_of_meta(device)))
        else:
            self.register_parameter("weight", None)
        _reset_as(self, RMSNorm.reset_parameters)

    def reset_parameters(self):
        if self.elementwise_affine:
            init.ones_(self.weight)

    def forward(self, x):
        return F.rms_norm(x, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self):
        return (f"{self.normalized_shape}, eps={self.eps}, "
                f"elementwise_affine={self.elementwise_affine}")


class GroupNorm(Module):
    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        if affine:
            self.weight = Parameter(torch.ones(num_channels, dtype=dtype, device=_of_meta(device)))
            self.register_parameter("bias", Parameter(torch.zeros(num_channels, dtype=dtype, device=_of_meta(device))) if bias else None)
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        _reset_as(self, GroupNorm.reset_parameters)

    def reset_parameters(self):
        if self.affine:
            _reset_scale(self)

    def forward(self, input):
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self):
        return f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, bias={self.bias is not None}"


class LocalResponseNorm(Module):
    def __init__(self, size, alpha=1e-4, beta=0.75, k=1.0):
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input):
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self):
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


# Dropout ----------------------------------------------------------------------------------------


class _Dropout(Module):
    _ptc_known_as = "torch.nn.modules.dropout._DropoutNd"
    def __init__(self, p=0.5, inplace=False):
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def _ptc_mode_matters(self):
        return self.p > 0

    def extra_repr(self):
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    def forward(self, input):
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    def forward(self, input):
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    def forward(self, input):
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    def forward(self, input):
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    def forward(self, input):
        return F.alpha_dropout(input, self.p, self.training)


# Activations -----------------------------------------------------------------------------------


class _Activation(Module):
    """A function of the input and of the constructor's arguments, which are kept by name."""
    _ptc_names = ()
    _ptc_defaults = ()

    def __init__(self, *args, **kwargs):
        super().__init__()
        if len(args) > len(self._ptc_names):
            raise TypeError(f"{type(self).__name__}.__init__() takes from 1 to {len(self._ptc_names) + 1} positional "
                            f"arguments but {len(args) + 1} were given")
        for name in kwargs:
            if name not in self._ptc_names:
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        for i, name in enumerate(self._ptc_names):
            value = args[i] if i < len(args) else kwargs.get(name, self._ptc_defaults[i])
            setattr(self, name, value)

    def extra_repr(self):
        return ", ".join(f"{n}={getattr(self, n)!r}" for n in self._ptc_names
                         if n != "inplace" or self.inplace)


class ReLU(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.relu(input, self.inplace)


class LeakyReLU(_Activation):
    _ptc_names, _ptc_defaults = ("negative_slope", "inplace"), (0.01, False)

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class ELU(_Activation):
    _ptc_names, _ptc_defaults = ("alpha", "inplace"), (1.0, False)

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Activation):
    _ptc_names, _ptc_defaults = ("alpha", "inplace"), (1.0, False)

    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.selu(input, self.inplace)


class GELU(_Activation):
    _ptc_names, _ptc_defaults = ("approximate",), ("none",)

    def forward(self, input):
        return F.gelu(input, approximate=self.approximate)


class SiLU(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.silu(input, self.inplace)


class Mish(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.mish(input, self.inplace)


class Sigmoid(Module):
    def forward(self, input):
        return torch.sigmoid(input)


class Tanh(Module):
    def forward(self, input):
        return torch.tanh(input)


class LogSigmoid(Module):
    def forward(self, input):
        return F.logsigmoid(input)


class Softsign(Module):
    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    def forward(self, input):
        return F.tanhshrink(input)


class Softplus(_Activation):
    _ptc_names, _ptc_defaults = ("beta", "threshold"), (1.0, 20.0)

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)


class Hardtanh(_Activation):
    _ptc_names = ("min_val", "max_val", "inplace")

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        for was, now, value in (("min_value", "min_val", min_value), ("max_value", "max_val", max_value)):
            if value is not None:
                warnings._of_library(f"keyword argument `{was}` is deprecated and renamed to `{now}`", FutureWarning)
        super().__init__(min_val if min_value is None else min_value, max_val if max_value is None else max_value, inplace)
        assert self.max_val > self.min_val, (
            f"max_val ({self.max_val}) must be greater than min_val ({self.min_val})")

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return "inplace=True" if self.inplace else ""


class Hardswish(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.hardswish(input, self.inplace)

    def extra_repr(self):
        return ""


class Hardsigmoid(_Activation):
    _ptc_names, _ptc_defaults = ("inplace",), (False,)

    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self):
        return ""


class Threshold(_Activation):
    _ptc_names, _ptc_defaults = ("threshold", "value", "inplace"), (0.0, 0.0, False)

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)


class GLU(_Activation):
    _ptc_names, _ptc_defaults = ("dim",), (-1,)

    def forward(self, input):
        return F.glu(input, self.dim)


class Softmax(_Activation):
    _ptc_names, _ptc_defaults = ("dim",), (None,)

    def forward(self, input):
        return F.softmax(input, self.dim)


class LogSoftmax(_Activation):
    _ptc_names, _ptc_defaults = ("dim",), (None,)

    def forward(self, input):
        return F.log_softmax(input, self.dim)


class Softmin(_Activation):
    _ptc_names, _ptc_defaults = ("dim",), (None,)

    def forward(self, input):
        return F.softmin(input, self.dim)


class Softmax2d(Module):
    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.dim()}D instead")
        return F.softmax(input, -3)


class _Shrink(_Activation):
    _ptc_names, _ptc_defaults = ("lambd",), (0.5,)

    def extra_repr(self):
        return str(self.lambd)


class Hardshrink(_Shrink):
    def forward(self, input):
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    def forward(self, input):
        return F.softshrink(input, self.lambd)


class RReLU(_Activation):
    _ptc_names, _ptc_defaults = ("lower", "upper", "inplace"), (1.0 / 8, 1.0 / 3, False)

    def _ptc_mode_matters(self):
        return True

    def forward(self, input):
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    def forward(self, input):
        return F.feature_alpha_dropout(input, self.p, self.training)


class PReLU(Module):
    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(torch.full((num_parameters,), init, dtype=dtype, device=_of_meta(device)))
        _reset_as(self, PReLU.reset_parameters)

    def reset_parameters(self):
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"
