"""Layers that normalise what they are given over a batch or over each of its elements."""
import torch
import warnings
from torch.nn import functional as F
from torch.nn import init
from torch.nn.module import Module, _of_meta
from torch.nn.parameter import Parameter


def _reset_as(layer, own):
    """Parameters are made as reset_parameters() of torch.nn leaves them; it is called where a class of the program has another."""
    if type(layer).reset_parameters is not own:
        layer.reset_parameters()


def _reset_scale(layer):
    if layer.weight is not None:
        init.ones_(layer.weight)
    if layer.bias is not None:
        init.zeros_(layer.bias)


class _NormBase(Module):
    _ptc_known_as = "torch.nn.modules.batchnorm._NormBase"
    _ptc_ranks = ()
    _version = 2

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = Parameter(torch.ones(num_features, dtype=dtype, device=_of_meta(device)))
            self.register_parameter("bias", Parameter(torch.zeros(num_features, dtype=dtype, device=_of_meta(device))) if bias else None)
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", torch.zeros(num_features, dtype=dtype, device=_of_meta(device)))
            self.register_buffer("running_var", torch.ones(num_features, dtype=dtype, device=_of_meta(device)))
            self.register_buffer("num_batches_tracked", torch.tensor(0, dtype=torch.long, device=_of_meta(device)))
        else:
            self.register_buffer("running_mean", None)
            self.register_buffer("running_var", None)
            self.register_buffer("num_batches_tracked", None)
        if type(self).reset_running_stats is not _NormBase.reset_running_stats:
            self.reset_parameters()
        else:
            _reset_as(self, _NormBase.reset_parameters)

    def _ptc_mode_matters(self):
        return self.running_mean is not None

    def reset_running_stats(self):
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        self.reset_running_stats()
        if self.affine:
            _reset_scale(self)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *more):
        key = prefix + "num_batches_tracked"
        if self.track_running_stats and local_metadata.get("version", 1) < 2 and key not in state_dict:
            state_dict[key] = self.num_batches_tracked
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *more)

    def extra_repr(self):
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, "
                f"affine={self.affine}, bias={self.bias is not None}, track_running_stats={self.track_running_stats}")


class _BatchNorm(_NormBase):
    _ptc_known_as = "torch.nn.modules.batchnorm._BatchNorm"

    def forward(self, input):
        if input.dim() not in self._ptc_ranks:
            wanted = " or ".join(f"{r}D" for r in self._ptc_ranks)
            raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")
        return self._ptc_normalized(input)

    def _ptc_normalized(self, input):
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / self.num_batches_tracked.item()
        training = self.training or self.running_mean is None
        keep = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if keep else None,
                            self.running_var if keep else None, self.weight, self.bias, training,
                            factor, self.eps)


class BatchNorm1d(_BatchNorm):
    _ptc_ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    _ptc_ranks = (4,)


class BatchNorm3d(_BatchNorm):
    _ptc_ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """As a process computes that is the only one."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True,
                 process_group=None, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def forward(self, input):
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")
        return self._ptc_normalized(input)


class _InstanceNorm(_NormBase):
    _ptc_known_as = "torch.nn.modules.instancenorm._InstanceNorm"

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False,
                 track_running_stats=False, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input):
        if input.dim() not in self._ptc_ranks:
            wanted = " or ".join(f"{r}D" for r in self._ptc_ranks)
            raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")
        x = input if input.dim() == self._ptc_ranks[-1] else input.unsqueeze(0)
        if self.affine and x.size(1) != self.num_features:
            raise ValueError(f"expected input's size at dim={input.dim() - self._ptc_ranks[0]} to match num_features "
                             f"({self.num_features}), but got: {x.size(1)}.")
        if not self.affine and warnings._is_watched() and x.size(1) != self.num_features:
            warnings._of_library(f"input's size at dim={input.dim() - self._ptc_ranks[0]} does not match num_features. You can "
                                 "silence this warning by not passing in num_features, which is not used because affine=False")
        out = F.instance_norm(x, self.running_mean, self.running_var, self.weight, self.bias,
                              self.training or not self.track_running_stats,
                              0.0 if self.momentum is None else self.momentum, self.eps)
        return out if x is input else out.squeeze(0)


class InstanceNorm1d(_InstanceNorm):
    _ptc_ranks = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    _ptc_ranks = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    _ptc_ranks = (4, 5)
