"""One layer of torch.nn per configuration: `Layer(kind)` builds it by its row."""
import torch
from torch import nn

ROWS = {
    "linear": lambda: nn.Linear(6, 4),
    "views_as_weights": lambda: ViewsAsWeights(),
    "linear_no_bias": lambda: nn.Linear(6, 4, bias=False),
    "bilinear": lambda: nn.Bilinear(3, 3, 2),
    "conv1d": lambda: nn.Conv1d(4, 6, 3, padding=1, groups=2),
    "conv2d": lambda: nn.Conv2d(3, 4, 3, stride=2, padding=1),
    "conv2d_dilated": lambda: nn.Conv2d(3, 3, (3, 2), dilation=(2, 1), groups=3, bias=False),
    "conv2d_same": lambda: nn.Conv2d(2, 2, 3, padding="same", padding_mode="zeros"),
    "fused_conv2d": lambda: Fused(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.utils.fusion.fuse_conv_bn_eval),
    "fused_conv_transpose2d": lambda: Fused(nn.ConvTranspose2d(3, 4, 3, bias=False), nn.BatchNorm2d(4, affine=False),
                                            lambda conv, bn: nn.utils.fuse_conv_bn_eval(conv, bn, transpose=True)),
    "fused_linear": lambda: Fused(nn.Linear(6, 4), nn.BatchNorm1d(4), nn.utils.fuse_linear_bn_eval),
    "weight_norm": lambda: nn.utils.weight_norm(nn.Conv1d(4, 6, 3)),
    "weight_norm_all": lambda: nn.utils.weight_norm(nn.Linear(6, 4), dim=None),
    "weight_norm_removed": lambda: nn.utils.remove_weight_norm(nn.utils.weight_norm(nn.Linear(6, 4), dim=1)),
    "conv_transpose2d": lambda: nn.ConvTranspose2d(3, 2, 3, stride=2, padding=1, output_padding=1),
    "batch_norm1d": lambda: nn.BatchNorm1d(4).eval(),
    "batch_norm2d": lambda: nn.BatchNorm2d(3),
    "batch_norm_plain": lambda: nn.BatchNorm2d(3, affine=False, track_running_stats=False),
    "layer_norm": lambda: nn.LayerNorm(6),
    "layer_norm_two": lambda: nn.LayerNorm((4, 6), elementwise_affine=False),
    "group_norm": lambda: nn.GroupNorm(2, 4),
    "instance_norm": lambda: nn.InstanceNorm2d(3, affine=True),
    "rms_norm": lambda: nn.RMSNorm(6, eps=1e-6),
    "embedding": lambda: nn.Embedding(11, 5),
    "embedding_padded": lambda: nn.Embedding(11, 5, padding_idx=2),
    "max_pool2d": lambda: nn.MaxPool2d(3, 2, 1),
    "max_pool_ceil": lambda: nn.MaxPool2d(2, ceil_mode=True),
    "avg_pool2d": lambda: nn.AvgPool2d(3, 2, 1, count_include_pad=False),
    "avg_pool1d": lambda: nn.AvgPool1d(2),
    "adaptive_avg": lambda: nn.AdaptiveAvgPool2d((2, 3)),
    "adaptive_one": lambda: nn.AdaptiveAvgPool2d(1),
    "adaptive_max": lambda: nn.AdaptiveMaxPool2d(2),
    "flatten": lambda: nn.Flatten(),
    "unflatten": lambda: nn.Unflatten(1, (2, 3)),
    "identity": lambda: nn.Identity(54, unused=1),
    "dropout_eval": lambda: nn.Dropout(0.5).eval(),
    "zero_pad": lambda: nn.ZeroPad2d((1, 0, 2, 1)),
    "reflection_pad": lambda: nn.ReflectionPad2d(1),
    "upsample_nearest": lambda: nn.Upsample(scale_factor=2),
    "pixel_shuffle": lambda: nn.PixelShuffle(2),
    "relu": nn.ReLU, "relu6": nn.ReLU6, "leaky_relu": lambda: nn.LeakyReLU(0.2), "prelu": nn.PReLU, "elu": nn.ELU,
    "selu": nn.SELU, "celu": nn.CELU, "gelu": nn.GELU, "gelu_tanh": lambda: nn.GELU(approximate="tanh"),
    "silu": nn.SiLU, "mish": nn.Mish, "softplus": nn.Softplus, "softsign": nn.Softsign, "sigmoid": nn.Sigmoid,
    "tanh": nn.Tanh, "hardtanh": nn.Hardtanh, "hardswish": nn.Hardswish, "hardsigmoid": nn.Hardsigmoid,
    "log_sigmoid": nn.LogSigmoid, "threshold": lambda: nn.Threshold(0.1, 20),
    "softmax": lambda: nn.Softmax(dim=-1), "log_softmax": lambda: nn.LogSoftmax(1), "softmin": lambda: nn.Softmin(dim=0),
    "glu": lambda: nn.GLU(-1),
    "sequential": lambda: nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Sequential(nn.LayerNorm(5), nn.Linear(5, 2))),
    "multihead": lambda: Attention(6, 2),
    "lists": lambda: Lists(6),
    "transformer_block": lambda: Block(6),
}


class Attention(nn.Module):
    """Self attention through nn.MultiheadAttention without weights as a result."""

    def __init__(self, width, heads):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)

    def forward(self, x):
        return self.attention(x, x, x, need_weights=False)[0]


class Lists(nn.Module):
    """ModuleList, ModuleDict, ParameterList and ParameterDict with their container methods."""

    def __init__(self, width):
        super().__init__()
        self.items = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.items.append(nn.Tanh())
        self.named = nn.ModuleDict({"up": nn.Linear(width, 2 * width), "down": nn.Linear(2 * width, width)})
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(width)) for _ in range(2)])
        self.shift = nn.ParameterDict({"b": nn.Parameter(torch.zeros(width))})

    def forward(self, x):
        for i, item in enumerate(self.items):
            x = item(x) * self.scales[i % len(self.scales)]
        for name, module in self.named.items():
            x = module(x)
        return x + self.shift["b"] if "b" in self.shift else x


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.q, self.k, self.v = (nn.Linear(width, width, bias=False) for _ in range(3))

    def forward(self, x):
        y = self.norm(x)
        scores = self.q(y) @ self.k(y).transpose(-2, -1) / y.size(-1) ** 0.5
        keep = torch.tril(torch.ones(x.size(-2), x.size(-2), dtype=torch.bool))
        return x + scores.masked_fill(~keep, float("-inf")).softmax(-1) @ self.v(y)


class Fused(nn.Module):
    """A layer and its batch norm, and what they are as one."""

    def __init__(self, layer, norm, fuse):
        super().__init__()
        self.layer, self.norm, self.fuse = layer, norm, fuse
        self.eval()

    def forward(self, x):
        fused = self.fuse(self.layer, self.norm)
        return fused(x), fused.bias, type(fused).__name__, fused.weight.requires_grad


class ViewsAsWeights(nn.Module):
    """Parameters and buffers that are parts of other memory, or lie in another order, when they are registered."""

    def __init__(self):
        super().__init__()
        table = torch.arange(24.0).view(4, 6)
        self.register_buffer("positions", table.unsqueeze(0))
        self.register_buffer("turned", torch.arange(24.0).view(6, 4).t())
        self.register_buffer("every", torch.arange(12.0)[::2])
        self.register_buffer("row", torch.arange(12.0).view(2, 6)[1])
        both = torch.arange(12.0)
        self.first, self.second = nn.Parameter(both[:6]), nn.Parameter(both[6:])
        self.permuted = nn.Parameter(torch.empty_like(torch.zeros(6, 4).t()).fill_(2.0))
        self.conv = nn.Conv1d(4, 4, 1).to(memory_format=torch.channels_last)
        self.picture = nn.Conv2d(1, 2, 3, padding=1).to(memory_format=torch.channels_last)
        self.register_buffer("seen", torch.zeros(6, 4).t())

    def forward(self, x):
        y = x + self.positions[:, :x.size(1)] * self.every + self.row + self.turned
        self.seen += y.sum(0)
        z = self.conv(y * self.first - self.second) + self.permuted
        return z, self.picture(z.unsqueeze(1)), self.seen + 0, torch.cat([self.first, self.second])


class Layer(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = ROWS[kind]()

    def forward(self, x, *more):
        return self.layer(x, *more)
