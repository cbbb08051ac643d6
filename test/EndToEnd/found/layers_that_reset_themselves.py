"""Layers whose reset_parameters() the program calls, or has another of; classes of torch.nn by the modules that define them."""
import torch
import torch.nn as nn
from torch.nn.modules.batchnorm import BatchNorm2d, _NormBase
from torch.nn.modules.instancenorm import InstanceNorm2d


class Doubled(nn.BatchNorm1d):
    def reset_parameters(self):
        super().reset_parameters()
        with torch.no_grad():
            self.weight.mul_(2)


class Shifted(nn.BatchNorm1d):
    def reset_running_stats(self):
        super().reset_running_stats()
        self.running_mean.fill_(3)


class Halved(nn.LayerNorm):
    def reset_parameters(self):
        nn.init.constant_(self.weight, 0.5)
        nn.init.constant_(self.bias, 4)


def values(layer):
    return {name: v.detach().clone() for name, v in layer.state_dict().items()}


def again(layer):
    with torch.no_grad():
        for p in layer.parameters():
            p.fill_(7)
    for b in layer.buffers():
        b.fill_(5)
    layer.reset_parameters()
    return values(layer)


def entry(x):
    made = [values(layer) for layer in (Doubled(3), Shifted(3), Halved(3))]
    reset = [again(layer) for layer in (nn.BatchNorm2d(3), nn.BatchNorm1d(2, affine=False), nn.BatchNorm1d(2, track_running_stats=False),
                                        nn.LayerNorm((2, 3)), nn.LayerNorm(3, bias=False), nn.RMSNorm(3), nn.GroupNorm(3, 6),
                                        nn.InstanceNorm1d(3, affine=True), nn.PReLU(2, init=0.125), Doubled(3))]
    places = [BatchNorm2d is nn.BatchNorm2d, InstanceNorm2d is nn.InstanceNorm2d, isinstance(Doubled(3), _NormBase),
              issubclass(torch.nn.modules.conv.Conv2d, nn.Module)]
    return made, reset, places, InstanceNorm2d(3)(x).round()
