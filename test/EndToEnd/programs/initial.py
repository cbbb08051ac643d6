"""What layers and torch.nn.init draw under a seed: values, and the numbers drawn next."""
import random

import torch
from torch import nn
from torch.nn import init


def _drawn(fill, *sizes, **options):
    torch.manual_seed(3)
    return fill(torch.empty(*sizes), **options), torch.rand(2)


def normal_cut(x):
    return (_drawn(init.trunc_normal_, 4), _drawn(init.trunc_normal_, 5, 60, std=0.02),
            _drawn(init.trunc_normal_, 5, 6, mean=0.5, std=2.0, a=-1, b=0.5))


def normal_cut_far(x):
    return (_drawn(init.trunc_normal_, 20, a=1.5, b=2.5), _drawn(init.trunc_normal_, 3, 2, mean=1, std=0.1, b=1.01),
            _drawn(init.trunc_normal_, 1, a=2.0, b=2.5))


def normal_cut_by_generator(x):
    generator = torch.Generator().manual_seed(2)
    return init.trunc_normal_(torch.empty(9), generator=generator), torch.rand(2, generator=generator)


def uniform_and_normal(x):
    return (_drawn(init.uniform_, 3, 4), _drawn(init.uniform_, 3, a=-2, b=5),
            _drawn(init.normal_, 3, 40, mean=1, std=2), _drawn(init.xavier_uniform_, 3, 4, 2, gain=0.7), _drawn(init.xavier_normal_, 3, 4),
            _drawn(init.kaiming_uniform_, 3, 4, a=1, mode="fan_out", nonlinearity="leaky_relu"),
            _drawn(init.kaiming_normal_, 3, 4, nonlinearity="tanh"))


def constants(x):
    return (_drawn(init.constant_, 3, val=2.5), _drawn(init.ones_, 3, 2), _drawn(init.zeros_, 2),
            _drawn(init.eye_, 3, 2), _drawn(init.dirac_, 4, 3, 3), _drawn(init.dirac_, 4, 2, 3, 3, groups=2), _drawn(init.dirac_, 4, 2, 1, 2, 3))


def sparse(x):
    return _drawn(init.sparse_, 5, 4, sparsity=0.4)


def orthogonal(x):
    # Of floats eager's decomposition is exact to six digits or so.
    wide = [_drawn(init.orthogonal_, *sizes, **options) for sizes, options in
            (((4, 4), {}), ((3, 7), {"gain": 0.5}), ((6, 2, 2), {}), ((1, 1), {}))]
    return (_drawn(lambda t: init.orthogonal_(t.double(), gain=2), 5, 3), [(torch.round(t, decimals=4), after) for t, after in wide],
            init.orthogonal_(torch.empty(0, 3)))


def refused_shapes(x):
    said = []
    for fill, size in ((init.eye_, (3,)), (init.dirac_, (4, 2)), (init.sparse_, (5,)), (init.xavier_normal_, (3,))):
        try:
            fill(torch.empty(size), *(0.5,) * (fill is init.sparse_))
        except ValueError as e:
            said.append(str(e))
    return said


def padding_rows(x):
    torch.manual_seed(3)
    layers = [nn.EmbeddingBag(3, 2, padding_idx=0), nn.EmbeddingBag(3, 2, mode="sum", padding_idx=-1),
              nn.EmbeddingBag(3, 2), nn.Embedding(4, 2, padding_idx=-2), nn.EmbeddingBag.from_pretrained(torch.ones(3, 2)),
              nn.Embedding.from_pretrained(torch.ones(3, 2), padding_idx=1)]
    return [layer.weight.detach().clone() for layer in layers], torch.rand(2), [repr(layer) for layer in layers]


def drawn_layers(x):
    torch.manual_seed(3)
    layers = [nn.Linear(3, 2, dtype=torch.float64), nn.Bilinear(3, 4, 2), nn.Conv2d(3, 4, 3, bias=False),
              nn.ConvTranspose2d(4, 6, 3, groups=2), nn.LSTM(3, 4, 2, bidirectional=True), nn.GRUCell(3, 4, bias=False),
              nn.MultiheadAttention(6, 2, kdim=3, vdim=4), nn.PReLU(2), nn.GroupNorm(2, 4, bias=False)]
    return [p.detach().clone() for layer in layers for p in layer.parameters()], torch.rand(2)


def texts_of_layers(x):
    layers = [nn.Bilinear(3, 4, 2), nn.BatchNorm1d(4), nn.LayerNorm(6, bias=False), nn.GroupNorm(2, 4),
              nn.InstanceNorm2d(3, affine=True), nn.Embedding(5, 3, max_norm=1.0),
              nn.RNNCell(3, 4, nonlinearity="relu"), nn.GRU(3, 4, 2, bias=False, batch_first=True), nn.MultiheadAttention(6, 2), nn.LocalResponseNorm(2),
              nn.Fold((2, 2), 2), nn.Unfold(2), nn.PixelShuffle(2), nn.ChannelShuffle(2), nn.Unflatten(1, (2, 3)),
              nn.ModuleList([nn.ReLU(), nn.ReLU(), nn.Sequential(nn.Tanh(), nn.Tanh())]), nn.ModuleList()]
    return [repr(layer) for layer in layers]


class CutAndRead(nn.Module):
    """A loop on draws, and numbers read from tensors, while the module is made."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(2, 3))
        init.trunc_normal_(self.weight, std=0.02)
        self.scale = torch.tensor(2.5).item()

    def forward(self, x):
        return x * self.scale + self.weight


# Python's own numbers -----------------------------------------------------------------------------

random.seed("layers")
_KEPT = [random.random() < 0.5 for _ in range(6)]
_OWN = random.Random(7)
_SCALES = [_OWN.uniform(1, 2) for _ in range(3)]


def drawn_at_import(x):
    for kept in _KEPT:
        x = x * 2 if kept else x + _SCALES[1]
    return x, _SCALES, _KEPT


def seeded_in_call(x):
    random.seed(1)
    order = list(range(x.shape[0]))
    random.shuffle(order)
    return x[order] * random.uniform(1, 2), random.Random(5).sample("abcdef", 3)
