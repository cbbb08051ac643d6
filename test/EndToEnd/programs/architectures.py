"""Models as people write them, small: `Layer(kind)` builds one by its row."""
import math
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import Tensor


# A transformer encoder for classification ---------------------------------------------------------


class PositionalEncoding(nn.Module):
    def __init__(self, d_model: int, dropout: float = 0.1, max_len: int = 32):
        super().__init__()
        self.dropout = nn.Dropout(p=dropout)
        position = torch.arange(max_len).unsqueeze(1)
        div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
        pe = torch.zeros(max_len, 1, d_model)
        pe[:, 0, 0::2] = torch.sin(position * div_term)
        pe[:, 0, 1::2] = torch.cos(position * div_term)
        self.register_buffer("pe", pe)

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.pe[:x.size(0)]
        return self.dropout(x)


class TextClassifier(nn.Module):
    def __init__(self, vocab=23, width=8, heads=2, layers=2, classes=3):
        super().__init__()
        self.width = width
        self.embedding = nn.Embedding(vocab, width, padding_idx=0)
        self.position = PositionalEncoding(width)
        layer = nn.TransformerEncoderLayer(width, heads, 16, dropout=0.1)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.head = nn.Linear(width, classes)
        self._init_weights()
        self.eval()

    def _init_weights(self):
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)
        self.head.bias.data.zero_()

    def forward(self, tokens):
        padding = tokens == 0
        x = self.embedding(tokens) * math.sqrt(self.width)
        x = self.position(x.transpose(0, 1))
        x = self.encoder(x, src_key_padding_mask=padding)
        keep = (~padding).float().t().unsqueeze(-1)
        pooled = (x * keep).sum(0) / keep.sum(0).clamp(min=1)
        return self.head(pooled)


class Seq2Seq(nn.Module):
    def __init__(self, vocab=13, width=8):
        super().__init__()
        self.tokens = nn.Embedding(vocab, width)
        self.transformer = nn.Transformer(width, 2, 1, 1, 16, dropout=0.0, batch_first=True)
        self.out = nn.Linear(width, vocab, bias=False)
        self.out.weight = self.tokens.weight

    def forward(self, source, target):
        mask = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        hidden = self.transformer(self.tokens(source), self.tokens(target), tgt_mask=mask, tgt_is_causal=True)
        return self.out(hidden).log_softmax(dim=-1)


# Recurrent networks -------------------------------------------------------------------------------


class Tagger(nn.Module):
    def __init__(self, vocab=17, width=5, hidden=4, tags=3):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.lstm = nn.LSTM(width, hidden, num_layers=2, batch_first=True, bidirectional=True)
        self.tag = nn.Linear(2 * hidden, tags)

    def forward(self, words):
        out, (h, c) = self.lstm(self.embed(words))
        return self.tag(out), h[-1], c.shape


class Forecaster(nn.Module):
    """A GRU encoder and a decoder that feeds its own output back."""

    def __init__(self, hidden=5, horizon=3):
        super().__init__()
        self.encoder = nn.GRU(2, hidden)
        self.cell = nn.GRUCell(2, hidden)
        self.read = nn.Linear(hidden, 2)
        self.horizon = horizon

    def forward(self, series):
        _, state = self.encoder(series)
        state, value, steps = state.squeeze(0), series[-1], []
        for _ in range(self.horizon):
            state = self.cell(value, state)
            value = self.read(state)
            steps.append(value)
        return torch.stack(steps, dim=0)


class ElmanRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(3, 4, nonlinearity="relu", bias=False)
        self.lstm_cell = nn.LSTMCell(4, 2)

    def forward(self, x):
        out, _ = self.rnn(x)
        hx = cx = torch.zeros(x.size(1), 2)
        for t in range(out.size(0)):
            hx, cx = self.lstm_cell(out[t], (hx, cx))
        return hx, cx


# Vision -------------------------------------------------------------------------------------------


class DoubleConv(nn.Sequential):
    def __init__(self, cin, cout):
        super().__init__(nn.Conv2d(cin, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True),
                         nn.Conv2d(cout, cout, 3, padding=1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class Up(nn.Module):
    def __init__(self, cin, cout, bilinear=True):
        super().__init__()
        if bilinear:
            self.up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
        else:
            self.up = nn.ConvTranspose2d(cin, cin // 2, 2, stride=2)
        self.conv = DoubleConv(cin, cout)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        dy, dx = x2.size()[2] - x1.size()[2], x2.size()[3] - x1.size()[3]
        x1 = F.pad(x1, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return self.conv(torch.cat([x2, x1], dim=1))


class UNet(nn.Module):
    def __init__(self, channels=2, classes=2, bilinear=True):
        super().__init__()
        factor = 2 if bilinear else 1
        self.inc = DoubleConv(channels, 4)
        self.down1 = nn.Sequential(nn.MaxPool2d(2), DoubleConv(4, 8 // factor))
        self.up1 = Up(8, 4, bilinear)
        self.outc = nn.Conv2d(4, classes, kernel_size=1)
        self.eval()

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        return self.outc(self.up1(x2, x1))


class PatchEmbed(nn.Module):
    def __init__(self, size=8, patch=4, channels=3, width=8):
        super().__init__()
        self.count = (size // patch) ** 2
        self.proj = nn.Conv2d(channels, width, kernel_size=patch, stride=patch)

    def forward(self, x):
        B, C, H, W = x.shape
        assert H % 4 == 0 and W % 4 == 0, f"image {H}x{W} is no multiple of the patch"
        return self.proj(x).flatten(2).transpose(1, 2)


class ViTBlock(nn.Module):
    def __init__(self, dim, heads, mlp_ratio=2.0, drop_path=0.0, init_values=1e-2):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim, eps=1e-6), nn.LayerNorm(dim, eps=1e-6)
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv = nn.Linear(dim, dim * 3)
        self.proj = nn.Linear(dim, dim)
        hidden = int(dim * mlp_ratio)
        self.mlp = nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, dim))
        self.gamma = nn.Parameter(init_values * torch.ones(dim), requires_grad=True) if init_values else None

    def attend(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        attn = (q @ k.transpose(-2, -1)) * self.scale
        return self.proj((attn.softmax(dim=-1) @ v).transpose(1, 2).reshape(B, N, C))

    def forward(self, x):
        x = x + (self.gamma * self.attend(self.norm1(x)) if self.gamma is not None else self.attend(self.norm1(x)))
        return x + self.mlp(self.norm2(x))


class ViT(nn.Module):
    def __init__(self, width=8, depth=2, heads=2, classes=4):
        super().__init__()
        self.patch_embed = PatchEmbed(width=width)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos_embed = nn.Parameter(torch.randn(1, self.patch_embed.count + 1, width) * 0.02)
        nn.init.trunc_normal_(self.cls_token, std=0.02)
        self.blocks = nn.ModuleList([ViTBlock(width, heads) for _ in range(depth)])
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes) if classes > 0 else nn.Identity()

    def forward(self, x):
        x = self.patch_embed(x)
        x = torch.cat((self.cls_token.expand(x.shape[0], -1, -1), x), dim=1) + self.pos_embed
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)[:, 0])


def _make_divisible(v: float, divisor: int, min_value: Optional[int] = None) -> int:
    min_value = divisor if min_value is None else min_value
    new = max(min_value, int(v + divisor / 2) // divisor * divisor)
    return new + divisor if new < 0.9 * v else new


class ConvBNReLU(nn.Sequential):
    def __init__(self, cin, cout, kernel=3, stride=1, groups=1, activation=nn.ReLU6):
        super().__init__(nn.Conv2d(cin, cout, kernel, stride, (kernel - 1) // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(cout), activation(inplace=True))


class SqueezeExcite(nn.Module):
    def __init__(self, channels, squeeze=4):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc1, self.fc2 = nn.Conv2d(channels, squeeze, 1), nn.Conv2d(squeeze, channels, 1)

    def forward(self, x):
        return x * F.hardsigmoid(self.fc2(F.relu(self.fc1(self.pool(x)), inplace=True)))


class InvertedResidual(nn.Module):
    def __init__(self, cin, cout, stride, expand, se=False):
        super().__init__()
        assert stride in [1, 2]
        hidden = int(round(cin * expand))
        self.residual = stride == 1 and cin == cout
        layers = [ConvBNReLU(cin, hidden, 1)] if expand != 1 else []
        layers.append(ConvBNReLU(hidden, hidden, stride=stride, groups=hidden, activation=nn.Hardswish))
        if se:
            layers.append(SqueezeExcite(hidden))
        layers.extend([nn.Conv2d(hidden, cout, 1, bias=False), nn.BatchNorm2d(cout)])
        self.conv = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.conv(x) if self.residual else self.conv(x)


class MobileNet(nn.Module):
    def __init__(self, classes=5, width_mult=0.5):
        super().__init__()
        settings = [[1, 8, 1, 1], [2, 16, 2, 2]]
        channels = _make_divisible(8 * width_mult, 4)
        features = [ConvBNReLU(3, channels, stride=2)]
        for t, c, n, s in settings:
            out = _make_divisible(c * width_mult, 4)
            for i in range(n):
                features.append(InvertedResidual(channels, out, s if i == 0 else 1, t, se=i == 1))
                channels = out
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(channels, classes))
        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out")
                if m.bias is not None:
                    nn.init.zeros_(m.bias)
            elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
                nn.init.ones_(m.weight)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, 0, 0.01)
        self.eval()

    def forward(self, x):
        x = self.features(x)
        x = F.adaptive_avg_pool2d(x, (1, 1)).reshape(x.shape[0], -1)
        return self.classifier(x)


class DenseBlock(nn.Module):
    def __init__(self, channels=3, growth=2, count=3):
        super().__init__()
        self.layers = nn.ModuleDict({f"layer{i + 1}": nn.Sequential(
            nn.BatchNorm2d(channels + i * growth), nn.ReLU(), nn.Conv2d(channels + i * growth, growth, 3, padding=1))
            for i in range(count)})

    def forward(self, x):
        features = [x]
        for name, layer in self.layers.items():
            features.append(layer(torch.cat(features, 1)))
        return torch.cat(features, 1)


class Inception(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.b1 = nn.Conv2d(channels, 2, 1)
        self.b2 = nn.Sequential(nn.Conv2d(channels, 2, (1, 7), padding=(0, 3)), nn.Conv2d(2, 2, (7, 1), padding=(3, 0)))

    def forward(self, x):
        pooled = F.avg_pool2d(x, kernel_size=3, stride=1, padding=1)
        halved = F.max_pool2d(x, kernel_size=3, stride=2)
        return torch.cat([self.b1(x), self.b2(x), pooled], 1), halved


class SpatialTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.loc = nn.Linear(2 * 5 * 6, 6)
        self.loc.bias.data.copy_(torch.tensor([1, 0, 0, 0, 1, 0], dtype=torch.float))

    def forward(self, x):
        theta = self.loc(x.flatten(1)).view(-1, 2, 3) * 0.1
        grid = F.affine_grid(theta, x.size(), align_corners=False)
        return F.grid_sample(x, grid, align_corners=False), F.grid_sample(x, grid, mode="nearest", align_corners=True)


# Generative ---------------------------------------------------------------------------------------


class VAE(nn.Module):
    def __init__(self, features=6, hidden=5, latent=2):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(features, hidden), nn.LeakyReLU(0.2))
        self.mu, self.logvar = nn.Linear(hidden, latent), nn.Linear(hidden, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, hidden), nn.ReLU(), nn.Linear(hidden, features), nn.Sigmoid())

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        eps = torch.randn_like(std)
        return mu + eps * std

    def forward(self, x):
        h = self.encoder(x.view(x.size(0), -1))
        mu, logvar = self.mu(h), self.logvar(h)
        recon = self.decoder(self.reparameterize(mu, logvar))
        bce = F.binary_cross_entropy(recon, torch.sigmoid(x), reduction="sum")
        kld = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
        return {"recon": recon, "loss": bce + kld, "mu": mu}


class Generator(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.main = nn.Sequential(nn.ConvTranspose2d(latent, 4, 3, 1, 0, bias=False), nn.BatchNorm2d(4), nn.ReLU(True),
                                  nn.ConvTranspose2d(4, 2, 4, 2, 1, bias=False), nn.Tanh())

    def forward(self, z):
        return self.main(z[:, :, None, None])


# Language models ----------------------------------------------------------------------------------


@dataclass
class LlamaConfig:
    vocab: int = 19
    dim: int = 8
    layers: int = 2
    heads: int = 4
    kv_heads: Optional[int] = 2
    hidden: int = 12
    max_len: int = 16
    theta: float = 10000.0
    eps: float = 1e-5


class RMSNorm(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + self.eps)).type_as(x)


def rotate_half(x):
    x1, x2 = x[..., : x.shape[-1] // 2], x[..., x.shape[-1] // 2:]
    return torch.cat((-x2, x1), dim=-1)


def apply_rotary(q, k, cos, sin):
    cos, sin = cos[None, None], sin[None, None]
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def repeat_kv(x: Tensor, n: int) -> Tensor:
    if n == 1:
        return x
    b, h, s, d = x.shape
    return x[:, :, None, :, :].expand(b, h, n, s, d).reshape(b, h * n, s, d)


class LlamaAttention(nn.Module):
    def __init__(self, config: LlamaConfig):
        super().__init__()
        self.heads, self.kv_heads = config.heads, config.kv_heads or config.heads
        self.head_dim = config.dim // config.heads
        self.wq = nn.Linear(config.dim, config.heads * self.head_dim, bias=False)
        self.wk = nn.Linear(config.dim, self.kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(config.dim, self.kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(config.heads * self.head_dim, config.dim, bias=False)

    def forward(self, x, cos, sin, mask, cache=None):
        b, s, _ = x.shape
        q = self.wq(x).view(b, s, self.heads, self.head_dim).transpose(1, 2)
        k = self.wk(x).view(b, s, self.kv_heads, self.head_dim).transpose(1, 2)
        v = self.wv(x).view(b, s, self.kv_heads, self.head_dim).transpose(1, 2)
        q, k = apply_rotary(q, k, cos, sin)
        if cache is not None:
            k, v = torch.cat([cache[0], k], dim=2), torch.cat([cache[1], v], dim=2)
        keys, values = (repeat_kv(t, self.heads // self.kv_heads) for t in (k, v))
        out = F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)
        return self.wo(out.transpose(1, 2).contiguous().view(b, s, -1)), (k, v)


class LlamaBlock(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.attention = LlamaAttention(config)
        self.w1, self.w3 = (nn.Linear(config.dim, config.hidden, bias=False) for _ in range(2))
        self.w2 = nn.Linear(config.hidden, config.dim, bias=False)
        self.attention_norm, self.ffn_norm = RMSNorm(config.dim, config.eps), RMSNorm(config.dim, config.eps)

    def forward(self, x, *args, **kwargs):
        h, cache = self.attention(self.attention_norm(x), *args, **kwargs)
        x = x + h
        y = self.ffn_norm(x)
        return x + self.w2(F.silu(self.w1(y)) * self.w3(y)), cache


class Llama(nn.Module):
    """Scores of a prompt, then two greedy steps with a cache of keys and values."""

    def __init__(self, config: Optional[LlamaConfig] = None):
        super().__init__()
        self.config = config = config or LlamaConfig()
        self.embed = nn.Embedding(config.vocab, config.dim)
        self.blocks = nn.ModuleList(LlamaBlock(config) for _ in range(config.layers))
        self.norm = RMSNorm(config.dim, config.eps)
        self.output = nn.Linear(config.dim, config.vocab, bias=False)
        head_dim = config.dim // config.heads
        inv_freq = 1.0 / (config.theta ** (torch.arange(0, head_dim, 2).float() / head_dim))
        angles = torch.outer(torch.arange(config.max_len).float(), inv_freq)
        angles = torch.cat((angles, angles), dim=-1)
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def step(self, tokens, start, caches):
        s = tokens.shape[1]
        x = self.embed(tokens)
        cos, sin = self.cos[start:start + s], self.sin[start:start + s]
        mask = None
        if s > 1:
            mask = torch.full((s, s), float("-inf"), device=tokens.device)
            mask = torch.triu(mask, diagonal=1)
        fresh = []
        for block, cache in zip(self.blocks, caches):
            x, cache = block(x, cos, sin, mask, cache=cache)
            fresh.append(cache)
        return self.output(self.norm(x)), fresh

    @torch.no_grad()
    def forward(self, tokens):
        logits, caches = self.step(tokens, 0, [None] * len(self.blocks))
        picked, start = [], tokens.shape[1]
        for _ in range(2):
            token = logits[:, -1].argmax(dim=-1, keepdim=True)
            picked.append(token)
            logits, caches = self.step(token, start, caches)
            start += 1
        return logits, torch.cat(picked, dim=1)


class MixtureOfExperts(nn.Module):
    def __init__(self, dim=6, experts=3, top=2):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(dim, 8), nn.SiLU(), nn.Linear(8, dim)) for _ in range(experts)])
        self.top = top

    def forward(self, x):
        weights, chosen = torch.topk(F.softmax(self.gate(x), dim=-1), self.top, dim=-1)
        weights = weights / weights.sum(-1, keepdim=True)
        out = torch.zeros_like(x)
        for i, expert in enumerate(self.experts):
            weight = (weights * (chosen == i)).sum(-1, keepdim=True)
            out += weight * expert(x)
        return out, F.one_hot(chosen, len(self.experts)).sum(dim=(0, 1))


# Detection, graphs, metric learning ---------------------------------------------------------------


class DetectionHead(nn.Module):
    """Scores above a threshold, the best of them, and their boxes."""

    def __init__(self, channels=3, anchors=2, classes=3, keep=3):
        super().__init__()
        self.cls = nn.Conv2d(channels, anchors * classes, 1)
        self.box = nn.Conv2d(channels, anchors * 4, 1)
        self.classes, self.keep = classes, keep

    def forward(self, features):
        n, _, h, w = features.shape
        scores = self.cls(features).view(n, -1, self.classes, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, self.classes)
        boxes = self.box(features).view(n, -1, 4, h, w).permute(0, 3, 4, 1, 2).reshape(n, -1, 4)
        best, labels = scores.sigmoid().max(dim=-1)
        top = best.topk(self.keep, dim=1)
        picked = boxes.gather(1, top.indices.unsqueeze(-1).expand(-1, -1, 4))
        centre, size = picked[..., :2], picked[..., 2:].exp()
        corners = torch.cat([centre - size / 2, centre + size / 2], dim=-1).clamp_(-9, 9)
        return corners, top.values, labels.gather(1, top.indices)


def box_area(boxes):
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(a, b):
    top_left = torch.max(a[:, None, :2], b[:, :2])
    bottom_right = torch.min(a[:, None, 2:], b[:, 2:])
    wh = (bottom_right - top_left).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    return inter / (box_area(a)[:, None] + box_area(b) - inter + 1e-9)


class Matcher(nn.Module):
    def forward(self, a, b):
        order = lambda x: torch.cat([torch.min(x[:, :2], x[:, 2:]), torch.max(x[:, :2], x[:, 2:]) + 0.5], 1)  # noqa: E731
        iou = box_iou(order(a), order(b))
        value, index = iou.max(dim=1)
        index = torch.where(value < 0.1, torch.full_like(index, -1), index)
        return iou, index, (index >= 0).nonzero(as_tuple=False).squeeze(1).shape[-1:] == index.shape


class MaskedScores(nn.Module):
    """Boolean masks whose count is known only when it runs."""

    def forward(self, x):
        kept = x[x > 0]
        where = torch.nonzero(x > 0.5)
        return kept.sum(), (kept * 2).mean() if kept.numel() else kept.sum(), where.float().sum(0)


class GraphConv(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(cin, cout))
        self.bias = nn.Parameter(torch.zeros(cout))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, edges):
        source, target = edges
        h = x @ self.weight
        degree = torch.zeros(x.size(0)).scatter_add_(0, target, torch.ones(target.size(0)))
        norm = degree.clamp(min=1).pow(-0.5)
        messages = h.index_select(0, source) * (norm[source] * norm[target]).unsqueeze(-1)
        return torch.zeros_like(h).index_add_(0, target, messages) + self.bias


class GNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GraphConv(4, 6), GraphConv(6, 3)

    def forward(self, x, edges):
        x = F.elu(self.first(x, edges))
        x = F.dropout(x, p=0.5, training=self.training) if not self.training else x
        x = self.second(x, edges)
        pooled = torch.zeros(2, 3).scatter_reduce(0, (torch.arange(x.size(0)) % 2).unsqueeze(-1).expand_as(x), x, "amax",
                                                  include_self=False)
        return F.log_softmax(x, dim=1), pooled


class Siamese(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 4), nn.PReLU(), nn.Linear(4, 3))
        self.temperature = nn.Parameter(torch.tensor(0.07).log())

    def forward(self, a, b):
        a, b = F.normalize(self.net(a), dim=-1), F.normalize(self.net(b), dim=-1)
        logits = a @ b.t() * self.temperature.exp().clamp(max=100)
        labels = torch.arange(len(logits), device=logits.device)
        loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
        return loss, torch.cdist(a, b), F.pairwise_distance(a, b), F.cosine_similarity(a, b)


ROWS = {
    "text_classifier": TextClassifier, "seq2seq": Seq2Seq, "tagger": Tagger, "forecaster": Forecaster, "elman": ElmanRNN,
    "unet": UNet, "unet_transposed": lambda: UNet(bilinear=False), "vit": ViT, "mobilenet": MobileNet,
    "dense_block": DenseBlock, "inception": Inception, "spatial_transformer": SpatialTransformer, "vae": VAE,
    "generator": Generator, "llama": Llama, "mixture": MixtureOfExperts, "detection": DetectionHead, "matcher": Matcher,
    "masked_scores": MaskedScores, "gnn": GNN, "siamese": Siamese,
}


class Layer(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = ROWS[kind]()

    def forward(self, x, *more):
        return self.layer(x, *more)
