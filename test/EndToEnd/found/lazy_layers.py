"""Layers whose sizes their first call says, made where modules are imported."""
import torch
from torch import nn
from torch.nn.modules.lazy import LazyModuleMixin
from torch.nn.parameter import UninitializedParameter


class Scale(LazyModuleMixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = UninitializedParameter()

    def initialize_parameters(self, input):
        if self.has_uninitialized_params():
            with torch.no_grad():
                self.scale.materialize((input.shape[-1],))
                self.scale.fill_(0.5)

    def forward(self, x):
        return x * self.scale


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.norm, self.up = nn.LazyConv2d(4, 3, padding=1), nn.LazyBatchNorm2d(), nn.LazyConvTranspose2d(3, 2, stride=2, bias=False)
        self.line, self.rows, self.scale = nn.LazyLinear(5), nn.LazyBatchNorm1d(affine=False), Scale()

    def forward(self, x):
        return self.scale(self.rows(self.line(self.up(self.norm(self.conv(x))).flatten(1))))


torch.manual_seed(0)
SEEN = []
net = Net()
SEEN.append(([type(m).__name__ for m in net.children()], [m.has_uninitialized_params() for m in net.children()], isinstance(net.line.weight, UninitializedParameter),
             isinstance(net.line.weight, nn.Parameter), isinstance(net.line, nn.Linear), repr(net.line), repr(net.conv), len(list(net.parameters()))))
try:
    nn.LazyConv2d(3, 3)(torch.zeros(2, 3))
except RuntimeError as e:
    SEEN.append(str(e))
net(torch.linspace(-1, 1, 2 * 2 * 4 * 4).view(2, 2, 4, 4))
SEEN.append(([type(m).__name__ for m in net.children()], [tuple(v.shape) for v in net.state_dict().values()], list(net.state_dict()), repr(net.line), repr(net.up),
             hasattr(net.line, "_initialize_hook"), len(net.line._forward_pre_hooks), net.rows.num_features, net.norm.num_batches_tracked.item()))
net.eval()


def entry(x):
    return net(x), SEEN
