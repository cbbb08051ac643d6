"""Programs for a GPU, a family of operations each; `CALLS` has arguments of each, as examples have them."""
import torch
import torch.nn.functional as F


def pointwise(x, y, i, b, h):
    some = torch.exp(x), torch.sin(x), torch.tanh(y), torch.erf(x), torch.log1p(x.abs()), torch.pow(x.abs(), 1.5)
    whole = i * 3 // 2, i % 5, i > 3, i.sum(), ~b, torch.where(b, x, y), (x > 0) & b
    return some, whole, F.gelu(h) + h * 2, x.to(torch.bfloat16), h.double(), x + y[:1], torch.clamp(x, -1, 1)


def rows(x, w, h):
    norms = F.layer_norm(x, (8,), w), F.log_softmax(x, 1), h.softmax(-1), F.rms_norm(x, (8,), w)
    return norms, x.sum(1), x.mean(), x.amax(0), x.cumsum(1), x.sort(1), x.argmax(1), x.std(1), h.sum()


def products(x, y, h, image, w, q):
    made = torch.relu(x @ y).sum(1), h @ h, torch.bmm(q[0], q[0].transpose(1, 2)), F.linear(x, x)
    windows = F.conv2d(image, w, padding=1, stride=2), F.max_pool2d(image, 2), F.interpolate(image, scale_factor=2)
    return made, windows, F.scaled_dot_product_attention(q, q, q, is_causal=True)


def places(x, i):
    moved = torch.cat([x, x]), x.t().contiguous(), x.flip(0), torch.stack([x, x], 1), x.repeat(2, 1), x[::2, 1:]
    return x[i], x.gather(1, i[:, None] % 4), F.embedding(i, x), x.index_add(0, i, x[:3]), moved, x.tril()


def data(x):
    y = x * 2 if x.sum() > 0 else x - 1
    if y.abs().max() > 1:
        y = y / 2
    return y, x[x > 0], x.nonzero(), float(x.max()), [v * 2 for v in x.unbind()]


def drawn(x):
    torch.manual_seed(3)
    own = torch.Generator().manual_seed(5)
    some = torch.rand(4) + x, torch.randperm(5), torch.randn(2, 3), torch.randint(5, (3,)), torch.rand(2, generator=own)
    return some, F.dropout(x, 0.25), torch.empty(300, dtype=torch.float16).bernoulli_(0.5)


class Counter(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.n = 0
        self.register_buffer("sums", torch.zeros(3))

    def forward(self, x):
        self.n += 1
        self.sums += x
        x.mul_(2)
        return self.sums * self.n, self.n


def t(spec):
    return {"$tensor": spec}


CALLS = {
    "pointwise": [t("f32[7,16]"), t("f32[7,16]"), t("i64[6]"), t("bool[7,16]"), t("bf16[5,3]")],
    "rows": [t("f32[5,8]"), t("f32[8]"), t("bf16[3,9]")],
    "products": [t("f32[5,7]"), t("f32[7,9]"), t("bf16[6,6]"), t("f32[2,3,8,8]"), t("f32[4,3,3,3]"), t("f32[1,2,6,8]")],
    "places": [t("f32[5,4]"), {"$tensor": "i64[3]", "values": [0, 2, 3]}],
    "data": [t("f32[6]")],
    "drawn": [t("f32[4]")],
    "Counter": [t("f32[3]")],
}
