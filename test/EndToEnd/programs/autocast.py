"""Regions of torch.autocast: what is cast, what a region leaves behind, and what branches and calls see of it."""
import torch
import torch.nn.functional as F
from torch import nn

weight = torch.linspace(-1, 1, 12).view(4, 3)


def entered(x):
    with torch.autocast("cpu") as region:
        y = F.linear(x, weight)
        inside = torch.is_autocast_enabled("cpu"), torch.get_autocast_dtype("cpu"), torch.is_autocast_enabled(), region.fast_dtype
    z = F.linear(x, weight)
    return y, z, inside, torch.is_autocast_enabled("cpu"), torch.is_autocast_cpu_enabled()


def nested(x):
    m = x.view(3, 1) * x
    with torch.autocast("cpu", dtype=torch.float16):
        a = m @ m
        with torch.autocast("cpu", enabled=False):
            b = a.float() @ m
            kind = torch.get_autocast_dtype("cpu")
            with torch.autocast("cpu", dtype=torch.bfloat16, cache_enabled=False):
                c = torch.mm(m, m)
                kept = torch.is_autocast_cache_enabled()
        d = torch.baddbmm(m[None], m[None], m[None])
    return a, b, c, d, kind, kept, torch.get_autocast_dtype("cpu"), torch.is_autocast_cache_enabled()


@torch.autocast("cpu")
def decorated(x):
    return torch.matmul(x, x.view(3, 1)), torch.cat([x.bfloat16(), x]), torch.stack([x.bfloat16(), x.bfloat16()]), x + x.bfloat16()


def losses(x):
    y = x.flip(0)
    low = x.bfloat16()
    with torch.autocast(device_type="cpu", dtype=torch.bfloat16):
        return (F.mse_loss(low, y), F.l1_loss(low, low), F.smooth_l1_loss(low, y, reduction="none"), F.huber_loss(low, y),
                F.cross_entropy(low[None], torch.tensor([1])), F.binary_cross_entropy(low.sigmoid(), y.sigmoid()),
                F.binary_cross_entropy_with_logits(low, y.sigmoid()), F.kl_div(low, y), F.poisson_nll_loss(low, low),
                F.soft_margin_loss(low, y.sign()), low.prod(), low.prod(0), low.exp(), low.softmax(0), low.sum(), low.norm(),
                F.nll_loss(low[None], torch.tensor([2])), F.pad(low[None], (1, 1), "reflect"), F.pad(low[None], (1, 1), "replicate"),
                F.pad(low, (1, 1)), torch.quantile(low, 0.25), F.margin_ranking_loss(low, low + 1, y.sign()))


def others_fall_through(x):
    double = x.double()
    with torch.autocast("cpu"):
        out = torch.empty(3, 3)
        torch.mm(x.view(3, 1), x.view(1, 3), out=out)
        written = torch.zeros(3, 3).addmm_(x.view(3, 1), x.view(1, 3))
        return double @ double, out, written, x.long() @ x.long(), torch.einsum("i,j->ij", x, x), torch.einsum("i,i->", x, x), \
            torch.tensordot(x, x, 1), torch.inner(x, x), torch.outer(x, x), torch.kron(x, x)


def mixed_halves(x):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        try:
            return torch.cat([x.half(), x.half()])
        except RuntimeError as error:
            return str(error).partition("\n")[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 2, 2)
        self.norm = nn.LayerNorm(2)
        self.head = nn.Linear(2, 4)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))

    def forward(self, x):
        h = self.conv(x[None, None])
        n = self.norm(h)
        return h, n, self.head(n), F.scaled_dot_product_attention(n, n, n)


net = Net()


def model(x):
    with torch.autocast("cpu"):
        return net(x)


def branches(x):
    region = torch.autocast("cpu", enabled=False)
    if x.sum() > 0:
        region = torch.autocast("cpu")
    with region:
        y = F.linear(x, weight)
    return y, torch.is_autocast_enabled("cpu")


def left_on(x):
    """The next call finds what this one leaves."""
    y = F.linear(x, weight)
    torch.set_autocast_enabled("cpu", bool(x.sum() > 0))
    return y, torch.is_autocast_enabled("cpu")


def raised(x):
    try:
        with torch.autocast("cpu"):
            y = F.linear(x, weight)
            if x[0] > 1:
                raise ValueError("inside")
    except ValueError:
        return F.linear(x, weight), torch.is_autocast_enabled("cpu")
    return y, torch.is_autocast_enabled("cpu")


def loops(x):
    h = x
    for i in range(3):
        with torch.autocast("cpu", enabled=i % 2 == 0):
            h = F.linear(h.float(), weight)[:3]
    n = 0
    with torch.autocast("cpu"):
        while h.sum() < 4 and n < 5:
            h = (h.float().view(1, 3) @ torch.eye(3) * 2)[0] + 1
            n += 1
    return h, n


class Scaled(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu", cast_inputs=torch.float32)
    def forward(ctx, x, y):
        return x.view(1, 3) @ y.view(3, 1)

    @staticmethod
    @torch.amp.custom_bwd(device_type="cpu")
    def backward(ctx, grad):
        return grad, grad


class Kept(Scaled):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cpu")
    def forward(ctx, x, y):
        return x.view(1, 3) @ y.view(3, 1), torch.is_autocast_enabled("cpu")


def custom(x):
    with torch.autocast("cpu"):
        return Scaled.apply(x.bfloat16(), x), Kept.apply(x, x), Scaled.apply(x.double(), x.double())


def unsupported(x):
    with torch.autocast("cpu", dtype=torch.float64):
        y = F.linear(x, weight)
    with torch.autocast("cuda"):
        z = F.linear(x, weight)
    try:
        torch.autocast("tpu")
    except RuntimeError as error:
        return y, z, type(error).__name__
