"""Layers whose sizes the first call says. It has to be made while modules are imported or the model is made: a layer becomes one of another class."""
import torch
from _ptc import _is_in_call
from torch import _refuse
from torch.nn.modules import (BatchNorm1d, BatchNorm2d, BatchNorm3d, Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, InstanceNorm1d,
                              InstanceNorm2d, InstanceNorm3d, Linear, _BatchNorm, _InstanceNorm)
from torch.nn.parameter import UninitializedParameter, _Uninitialized


class LazyModuleMixin:
    _ptc_known_as = "torch.nn.modules.lazy.LazyModuleMixin"
    cls_to_become = None

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._initialize_hook = self.register_forward_pre_hook(self._infer_parameters, with_kwargs=True)

    def has_uninitialized_params(self):
        return any([type(v) is _Uninitialized for v in [*self._parameters.values(), *self._buffers.values()]])

    def initialize_parameters(self, *args, **kwargs):
        raise NotImplementedError(f"initialize_parameters is not implemented for {self.__class__.__name__}")

    def _infer_parameters(self, module, args, kwargs=None):
        if _is_in_call():
            _refuse("the first call of a lazy module in a call of the entry, which would change the module's class; call it where the module is made,")
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {type(module).__name__} has not been fully initialized")
        module._initialize_hook.remove()
        del module._initialize_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _ptc_check_device(self, device):
        if device is not None and torch.device(device).type == "meta":
            _refuse("a lazy module on the device meta")


class LazyLinear(LazyModuleMixin, Linear):
    _ptc_known_as = "torch.nn.modules.linear.LazyLinear"
    cls_to_become = Linear

    def __init__(self, out_features, bias=True, device=None, dtype=None):
        super().__init__(0, 0, False)
        self._ptc_check_device(device)
        self.weight = UninitializedParameter(dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            with torch.no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()


class _LazyConv(LazyModuleMixin):
    _ptc_known_as = "torch.nn.modules.conv._LazyConvXdMixin"

    def _ptc_make_lazy(self, out_channels, bias, device, dtype):
        self._ptc_check_device(device)
        self.weight = UninitializedParameter(dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(dtype=dtype)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        dims = self._ptc_dims
        if input.dim() not in (dims + 1, dims + 2):
            raise RuntimeError(f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {self.__class__.__name__}, but "
                               f"got input of size: {input.shape}")
        self.in_channels = input.shape[1] if input.dim() == dims + 2 else input.shape[0]
        if self.in_channels % self.groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        outer, inner = (self.in_channels, self.out_channels) if self.transposed else (self.out_channels, self.in_channels)
        self.weight.materialize((outer, inner // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class _LazyPlainConv(_LazyConv):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        self._ptc_make_lazy(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConv):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1, padding_mode="zeros",
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode)
        self._ptc_make_lazy(out_channels, bias, device, dtype)


class LazyConv1d(_LazyPlainConv, Conv1d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConv1d"
    cls_to_become = Conv1d


class LazyConv2d(_LazyPlainConv, Conv2d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConv2d"
    cls_to_become = Conv2d


class LazyConv3d(_LazyPlainConv, Conv3d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConv3d"
    cls_to_become = Conv3d


class LazyConvTranspose1d(_LazyConvTranspose, ConvTranspose1d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConvTranspose1d"
    cls_to_become = ConvTranspose1d


class LazyConvTranspose2d(_LazyConvTranspose, ConvTranspose2d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConvTranspose2d"
    cls_to_become = ConvTranspose2d


class LazyConvTranspose3d(_LazyConvTranspose, ConvTranspose3d):
    _ptc_known_as = "torch.nn.modules.conv.LazyConvTranspose3d"
    cls_to_become = ConvTranspose3d


class _LazyNorm(LazyModuleMixin):
    _ptc_known_as = "torch.nn.modules.batchnorm._LazyNormBase"

    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__(0, eps, momentum, False, False)
        self._ptc_check_device(device)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(dtype=dtype)
        if track_running_stats:
            for name in ("running_mean", "running_var"):
                self._buffers[name] = _Uninitialized(False, dtype, (self, name))
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for v in [*self._parameters.values(), *self._buffers.values()]:
            if type(v) is _Uninitialized:
                v.materialize((self.num_features,))
        self.reset_parameters()


class LazyBatchNorm1d(_LazyNorm, _BatchNorm):
    _ptc_known_as = "torch.nn.modules.batchnorm.LazyBatchNorm1d"
    cls_to_become, _ptc_ranks = BatchNorm1d, BatchNorm1d._ptc_ranks


class LazyBatchNorm2d(_LazyNorm, _BatchNorm):
    _ptc_known_as = "torch.nn.modules.batchnorm.LazyBatchNorm2d"
    cls_to_become, _ptc_ranks = BatchNorm2d, BatchNorm2d._ptc_ranks


class LazyBatchNorm3d(_LazyNorm, _BatchNorm):
    _ptc_known_as = "torch.nn.modules.batchnorm.LazyBatchNorm3d"
    cls_to_become, _ptc_ranks = BatchNorm3d, BatchNorm3d._ptc_ranks


class LazyInstanceNorm1d(_LazyNorm, _InstanceNorm):
    _ptc_known_as = "torch.nn.modules.instancenorm.LazyInstanceNorm1d"
    cls_to_become, _ptc_ranks = InstanceNorm1d, InstanceNorm1d._ptc_ranks


class LazyInstanceNorm2d(_LazyNorm, _InstanceNorm):
    _ptc_known_as = "torch.nn.modules.instancenorm.LazyInstanceNorm2d"
    cls_to_become, _ptc_ranks = InstanceNorm2d, InstanceNorm2d._ptc_ranks


class LazyInstanceNorm3d(_LazyNorm, _InstanceNorm):
    _ptc_known_as = "torch.nn.modules.instancenorm.LazyInstanceNorm3d"
    cls_to_become, _ptc_ranks = InstanceNorm3d, InstanceNorm3d._ptc_ranks
