"""torch.autograd.Function in forward programs, what torch has besides, and views by strides inside their storage."""
import torch
import torch.nn.utils.parametrize
from torch.autograd import Function

try:
    import torch.fx, torch.onnx
    from torch.ao.quantization import QuantStub
    OK = True
except ImportError:
    OK = False


class Round(Function):
    @staticmethod
    def forward(ctx, x, s):
        ctx.save_for_backward(x)
        return torch.round(x / s) * s

    @staticmethod
    def backward(ctx, g):
        return g, None


class Same(Function):
    @staticmethod
    def forward(ctx, x):
        return x, x * 2


class Inplace(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(3)
        return x


class Later(Function):
    @staticmethod
    def forward(x, k):
        return x + k

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.k = inputs[1]


def rounded(x):
    try:
        return Round.apply(x, 0.25)
    except AttributeError:
        return x


def strided(x, n):
    y = x * 2
    out = []
    for make in (lambda: y.as_strided((2,), (2,)) + 1, lambda: y.as_strided((5,), (1,)) * 1, lambda: y[1:].as_strided((n,), (1,)).sum(),
                 lambda: y.as_strided((n, 2), (1, 1)).sum(), lambda: y.as_strided((0, n), (9, 9)).shape):
        try:
            out.append(make())
        except RuntimeError as e:
            out.append(str(e))
    return out


def entry(x):
    b, c = Same.apply(x)
    y = x * 1
    z = Inplace.apply(y)
    if torch.onnx.is_in_onnx_export():
        return x
    made = torch.einsum("bad,c", x.reshape(1, 2, 2), x[:3])
    n = int(x.sum().clamp(0, 6))
    return (rounded(x), b, c, b is x, z is y, z, Later.apply(x, 2), OK, hasattr(torch, "onnx"), hasattr(torch, "nonsense"), made,
            made.stride(), strided(x, n), x[x > 5].median(), torch.pow(n, x[:2].long().abs()))
