"""The tensor interface as people spell it: functions, methods, keywords, promotion, views, indexing."""
import math

import torch
import torch.nn.functional as F


def arithmetic(x):
    y = x.view(1, 3)
    return (x + 1, 2 - x, x * 2.5, x / 2, 7 / (x.abs() + 1), x // 2, x % 3, x ** 2, 2 ** x.clamp(-2, 2), -x, abs(x), +x, x @ x,
            y @ y.T, torch.add(x, x, alpha=3), torch.sub(x, 1, alpha=2), x.mul(x), torch.div(x, 2, rounding_mode="floor"),
            torch.true_divide(x, 4), x.float_power(2), x.remainder(2), torch.fmod(x, 2), x.square(), x.reciprocal().clamp(-9, 9))


def pointwise(x):
    p = x.abs() + 0.5
    return (x.exp().clamp(max=100), p.log(), p.sqrt(), p.rsqrt(), x.sin(), x.cos(), x.tanh(), x.sigmoid(), x.relu(), x.floor(), x.ceil(),
            x.round(), x.trunc(), x.sign(), x.erf(), p.log2(), p.log10(), p.log1p(), x.clamp(-1, 1).expm1(), x.clamp(min=0), x.atan(),
            torch.clip(x, -1, 1), x.neg(), x.frac(), x.isnan(), x.isfinite(), x.isinf(), torch.nan_to_num(x / 0), x.lerp(p, 0.5),
            torch.addcmul(x, x, p, value=2), torch.addcdiv(x, x, p), torch.sigmoid(x), F.silu(x), F.softplus(x), F.gelu(x))


def comparisons(x):
    m = x > 0
    return (m, x >= 1, x < 2, x <= x.flip(0), x == 1, x != 1, ~m, m & (x < 3), m | (x == 0), m ^ m, m.logical_not(), torch.logical_and(m, m),
            x.eq(x), torch.gt(x, 0), torch.isclose(x, x), torch.allclose(x, x), torch.equal(x, x + 1), torch.maximum(x, -x), torch.minimum(x, -x),
            torch.where(m, x, 0.0), torch.where(x > 1, x, -x), x.masked_fill(m, 9), m.any(), m.all(), m.sum(), m.float().mean(), x.max(-x))


def reductions(x):
    y = torch.stack([x, x * 2, x - 1, -x])
    return (y.sum(), y.sum(0), y.sum(dim=1, keepdim=True), y.sum((0, 1)), y.mean(), y.mean(-1), y.max(), y.min(), y.amax(1), y.amin(0, keepdim=True),
            y.argmax(), y.argmin(1), y.max(1), y.min(0).values, y.prod(1), y.std(), y.var(1, unbiased=False), y.norm(), y.norm(dim=1), y.cumsum(0),
            y.logsumexp(1), y.softmax(-1), y.log_softmax(0), (y > 0).any(1), (y > -1).all(0), y.count_nonzero(), y.median(), y.argsort(1),
            y.sort(1, descending=True), y.topk(2, dim=1), torch.linalg.vector_norm(y, dim=1), y.cumprod(1), y.sum(dtype=torch.float64), torch.var_mean(y, dim=1))


def views(x):
    y = torch.stack([x, x + 1])
    z = y.unsqueeze(0).expand(2, 2, 3)
    return (y.t(), y.T, y.transpose(0, 1), y.permute(1, 0), y.view(3, 2), y.view(-1), y.reshape(6), y.flatten(), z, y.unsqueeze(-1).squeeze(-1),
            y[0], y[:, 1], y[1, 2], y[..., 0], y[:, None], y[:, ::2], y[-1:], y.narrow(1, 0, 2), y.select(0, 1), y.split(1), y.chunk(2, dim=1),
            y.unbind(0), y.diagonal(), y.expand_as(z), y.movedim(0, 1), y.swapaxes(0, 1), y.view_as(y), y.flatten(0, 1).unflatten(0, (2, 3)),
            y.unfold(1, 2, 1), y.mT, y.tensor_split(2), y.repeat(1, 2), y.tile(2), y.contiguous(), y.t().contiguous().stride(), y.stride(), y.is_contiguous())


def joining(x):
    y = x.unsqueeze(0)
    return (torch.cat([x, x]), torch.cat((y, y), dim=0), torch.stack([x, x], -1), torch.hstack([x, x]), torch.vstack([x, x]), torch.cat([y, y], 1),
            torch.concat([x, x * 2]), x.repeat(2), x.repeat_interleave(2), torch.cartesian_prod(x, x).shape, torch.meshgrid(x, x, indexing="ij")[0],
            x.roll(1), x.flip(0), torch.flip(y, [0, 1]), torch.outer(x, x), torch.einsum("i,j->ij", x, x), torch.block_diag(y, y).shape, F.pad(x, (1, 2), value=5.0))


def indexing(x):
    y = torch.stack([x, x * 10, x - 1])
    i = torch.tensor([2, 0])
    z = y.clone()
    z[0] = 5
    z[:, 1] += 1
    z[1:, 0] = torch.tensor([7.0, 8.0])
    z[z > 50] = 0
    z[i] = z[i].flip(0)
    w = y.clone()
    w[[0, 1], [1, 2]] = -1.0
    return (y[i], y[:, i], y[i, i], y[y > 2], y.gather(1, torch.tensor([[0], [2], [1]])), y.index_select(0, i), y.take(i), z, w, y[[True, False, True]],
            torch.zeros(3, 3).scatter(1, torch.tensor([[0], [2], [1]]), 1.0), y.masked_select(y > 0), torch.zeros(3).index_add(0, i, x[:2]),
            y.tril(), y.triu(1), torch.diag(x), y.diag(), y[1, i], y[..., -1], y[None, :, 1:].shape, torch.zeros(4).scatter_add(0, i, x[:2]),
            torch.searchsorted(torch.tensor([1.0, 2.0]), x), torch.bucketize(x, torch.tensor([0.0, 2.0])), y.index_fill(1, i, 3.0), F.one_hot(i, 4))


def creation(x):
    n = x.size(0)
    return (torch.zeros(2, n), torch.ones(n, dtype=torch.int32), torch.full((2,), 7), torch.full((2,), 1.5), torch.arange(n), torch.arange(1, 6, 2), torch.arange(0, 1, 0.25),
            torch.linspace(0, 1, 5), torch.eye(n), torch.empty(0), torch.tensor([1, 2]), torch.tensor(3.5), torch.tensor([[True]]), torch.zeros_like(x), torch.ones_like(x, dtype=torch.int64),
            torch.full_like(x, 2), x.new_zeros(2), x.new_tensor([1, 2]), x.new_full((2,), 3), torch.tensor(x.tolist()), torch.as_tensor([1.0]), torch.scalar_tensor(2), torch.logspace(0, 2, 3),
            torch.tensor(float("inf")), torch.zeros(x.shape), torch.ones(*x.shape), torch.triu(torch.ones(n, n), diagonal=1).bool(), torch.tril_indices(2, 2), x.new_ones((1,)), torch.empty_like(x).fill_(1))


def promotion(x):
    i, b = torch.tensor([1, 2, 3]), torch.tensor([True, False, True])
    h = x.half()
    return (i + x, i + 1, i + 1.5, i / 2, i // 2, b + 1, b + b, b * x, i * b, h + x, h + 1.5, h + i, x.double() + x, i.int() + i, torch.tensor(2) * x, torch.tensor(2.0) + i,
            i.float(), x.long(), x.int(), x.bool(), x.to(torch.float64), x.type(torch.int16), x.to(i), i.to(dtype=torch.uint8), x.bfloat16() * 2, i ** 2, 2 ** i, i.sum(), b.sum(), i.float().mean(),
            torch.result_type(i, 1.5), torch.promote_types(torch.int32, torch.float16), x.dtype, i.dtype.is_floating_point, torch.finfo(x.dtype).max > 1e38, torch.iinfo(torch.int32).max, torch.get_default_dtype())


def attributes(x):
    y = x.unsqueeze(0)
    return (x.shape, x.size(), x.size(0), x.dim(), x.ndim, x.numel(), len(x), y.shape[-1], list(y.shape), x.dtype, str(x.device), x.is_floating_point(), x.requires_grad,
            x.is_contiguous(), y.stride(0), x.element_size(), x.is_cuda, x.layout == torch.strided, x.data.shape, x.detach().shape, isinstance(x, torch.Tensor), torch.is_tensor(x),
            x.nelement(), y.squeeze().shape == x.shape, tuple(y.size()), x.itemsize, x.is_sparse, x.get_device(), x.storage_offset(), x[1:].storage_offset(), x.shape.numel(), math.prod(y.shape))


def matrices(x):
    a = torch.stack([x, x.flip(0), x + 1])
    b = a.unsqueeze(0).repeat(2, 1, 1)
    return (a @ a, a.mm(a), a.mv(x), torch.matmul(b, a), b.bmm(b), x.dot(x), torch.addmm(a, a, a, beta=0.5, alpha=2), torch.baddbmm(b, b, b), F.linear(x, a, x), a.T @ x,
            torch.einsum("bij,jk->bik", b, a), a.trace(), torch.linalg.norm(a), torch.kron(x, x).shape, torch.cross(x, x + 1, dim=0), torch.inner(x, x), a.matmul(x), torch.tensordot(a, a, dims=1))


def in_place(x):
    y = x.clone()
    y.add_(1).mul_(2).sub_(0.5).div_(4).clamp_(-1, 5)
    z = torch.zeros(2, 3)
    z[0].copy_(x)
    z[1].fill_(2).neg_()
    z.t()[2] = 9
    w = x.clone()
    w.relu_()
    w += 1
    w *= x
    w **= 2
    w //= 2
    v = torch.ones(3, dtype=torch.int64)
    v += 2
    v <<= 1
    u = x.clone()
    u.masked_fill_(u > 1, 0).zero_()
    t = torch.empty(3).fill_(1).index_fill_(0, torch.tensor([1]), 5)
    torch.add(x, 1, out=t)
    return y, z, w, v, u, t


def functional(x):
    y = torch.stack([x, x * 0.5])
    target = torch.tensor([0, 2])
    return (F.relu(x), F.softmax(y, dim=1), F.log_softmax(y, -1), F.cross_entropy(y, target), F.cross_entropy(y, target, label_smoothing=0.1, reduction="sum"), F.nll_loss(F.log_softmax(y, 1), target),
            F.mse_loss(x, x + 1), F.l1_loss(x, -x, reduction="none"), F.smooth_l1_loss(x, -x), F.binary_cross_entropy_with_logits(x, torch.ones(3)), F.layer_norm(y, (3,)), F.normalize(y, dim=1), F.cosine_similarity(y[0], y[1] + 1, dim=0),
            F.dropout(x, 0.5, training=False), F.leaky_relu(x, 0.1), F.elu(x), F.hardtanh(x), F.pad(y, (1, 1, 0, 1)), F.embedding(target // 2, y), F.one_hot(target, num_classes=4), F.interpolate(y.view(1, 2, 1, 3), scale_factor=2),
            F.avg_pool1d(y.unsqueeze(0), 2), F.max_pool1d(y.unsqueeze(0), 2, 1), F.conv1d(y.unsqueeze(0), torch.ones(1, 2, 2)), F.scaled_dot_product_attention(y[None], y[None], y[None]), F.glu(torch.cat([x, x])), F.kl_div(F.log_softmax(x, 0), F.softmax(x, 0), reduction="sum"))


def fine_print(x):
    """Numbers that are rounded twice, and zeros whose sign shows."""
    zero = x * 0
    wide = zero.long() + torch.tensor([2**40 + 2**32 + 1, 2**60 + 2**36 + 1, -3])
    level, y = torch.stack([zero + 1, zero - 2]), torch.stack([x, zero, -x])
    return (wide.bfloat16(), wide.double().float() == 2.0**60, wide.to(torch.uint8).half(), torch.signbit(F.layer_norm(level, (3,), -torch.ones(3))),
            torch.signbit(F.layer_norm(level, (3,))), torch.signbit(F.batch_norm(level, torch.ones(3), torch.ones(3), -torch.ones(3))), y.bfloat16().topk(2, 0).values)


def written_by_index(x):
    y, k = torch.stack([x, x + 1, x + 2]), torch.tensor([2, 0, 2])
    where = torch.tensor([[0, 1, 1], [2, 2, 0]])
    return (y.scatter(0, where, y * 10), y.scatter(1, where, 5.0), y.scatter_add(0, where, y), y.scatter_reduce(0, where, y, "prod"),
            *[y.scatter_reduce(1, where, y * 2, how, include_self=False) for how in ("sum", "mean", "amax", "amin")], y.index_add(1, k, y, alpha=2), y.index_copy(0, k, y * 3),
            y.index_fill(1, k[:1], -1), y.index_put((k, k), x), y.index_put((k,), x[:1], accumulate=True), y.masked_scatter(y > x.mean(), y * 7), y.bfloat16().index_fill(0, k[1:], x.bfloat16()[0]))


def losses(x):
    y, target = torch.stack([x, x * 0.5]), torch.tensor([0, 2])
    p, q, w = torch.sigmoid(y), F.softmax(y.flip(0), 1), x.abs() + 1
    return (*[F.cross_entropy(y, target, w, reduction=how) for how in ("none", "mean", "sum")], F.cross_entropy(y, target, ignore_index=2), F.cross_entropy(y, q, w, label_smoothing=0.2),
            F.cross_entropy(y[:, :, None].expand(2, 3, 4), target[:, None].expand(2, 4)), F.nll_loss(y, target, w), F.nll_loss(y[0], target[0]), F.binary_cross_entropy(p, q, p), F.huber_loss(y, p, delta=0.5),
            F.binary_cross_entropy_with_logits(y, q, pos_weight=w), F.kl_div(y, q.log(), reduction="batchmean", log_target=True), F.mse_loss(y, p, reduction="sum"), F.smooth_l1_loss(y, q, beta=0.1))


def conversions(x):
    n = int(x.numel())
    a, b, c = x
    d, e, f = x.tolist() if n == 3 else (0, 0, 0)
    return a + b, float(n), n, x.sum().item() > 0, [t * 2 for t in x.unbind()], len(x[:2]), x[0].item() + 1, bool((x == x).all()), d + e + f, c


def grad_modes(x):
    with torch.no_grad():
        y = x * 2
    with torch.inference_mode(False), torch.enable_grad():
        z = y + 1

    @torch.no_grad()
    def helper(t):
        return t - 1

    with torch.autocast("cpu", enabled=False):
        w = helper(z)
    return y, z, w, torch.is_grad_enabled(), x.requires_grad_(False).detach()


def broadcast_and_mesh(x):
    y = x.view(3, 1) * torch.arange(4)
    a, b = torch.broadcast_tensors(x, x)
    c, d = torch.broadcast_tensors(y, x.view(3, 1))
    grids = [torch.meshgrid(x, torch.zeros(2), x, indexing=how) for how in ("ij", "xy")]
    texts = []
    for wrong in (lambda: torch.meshgrid(torch.arange(2), x, indexing="ij"), lambda: torch.meshgrid(x, x, indexing="zz"),
                  lambda: torch.meshgrid([], indexing="ij"), lambda: torch.broadcast_tensors(x, torch.zeros(2, 1, 2)),
                  lambda: torch.broadcast_shapes((3, 1), (2, 2), (4,)), lambda: x.__getattribute__("nope")):
        try:
            texts.append(wrong())
        except (RuntimeError, AttributeError) as e:
            texts.append(str(e))
    return a is x, b is x, c is y, d.stride(), grids, torch.meshgrid(torch.tensor(1.0), x, indexing="xy"), texts, torch.broadcast_shapes((3, 1), x.shape)


def default_attributes(x):
    return x.__getattribute__("ndim"), object.__getattribute__(x, "shape"), (x if x[0] > 0 else x * 2).__getattribute__("dtype"), object.__getattribute__(3, "real")


def largest_numbers(x):
    large, other = torch.tensor([3.4e38, -1.5e38, 2e38]) + x * 0, torch.tensor([0.0, 1.2e38, -2e38])
    half, weights = torch.tensor([65504.0, -30000.0, 20000.0]).half() + x.half() * 0, torch.tensor([0.0, 1.0, 0.0])
    scores, classes = torch.diag(half.abs() / 2), torch.tensor([1, 2, 0])
    return ([f(large, -large) for f in (F.huber_loss, F.smooth_l1_loss, F.l1_loss, F.mse_loss)], F.kl_div(large, other.abs(), reduction="sum"),
            F.cross_entropy(large, weights), large.mean(), large.abs().mean(0, keepdim=True), large.std(), large.var(), large.norm(), large @ other,
            F.linear(large, other[None]), F.layer_norm(large, (3,)), F.adaptive_avg_pool1d(large.abs()[None], 1), F.kl_div(half, half.abs(), reduction="sum"),
            F.cross_entropy(half, weights.half()), F.cross_entropy(scores * 2, classes), F.cross_entropy(scores * 2, torch.eye(3).half()[classes]),
            F.nll_loss(-scores.abs() * 2, torch.tensor([0, 1, 2])), F.cross_entropy(scores, classes))


SIDE = torch.tensor(2)


def tensors_as_numbers(x):
    n = (x * 0).sum().long() + 2
    sizes = (torch.zeros(n), torch.ones(n, 2), torch.zeros((n, 3)), torch.full((2,), n), torch.full([n], 1.5), torch.arange(n), torch.eye(n), torch.arange(1, n),
             x.new_zeros(n), torch.zeros(torch.Size([n, 1])), torch.linspace(0, 1, n), x.repeat(n), x.expand(n, 3), torch.arange(4).view(n, 2), torch.arange(6.0).reshape(-1, n))
    return (sizes, x.topk(n), torch.topk(x, k=n), torch.roll(x, n), x.narrow(0, 0, n), F.pad(x, (n, 0)), F.one_hot(torch.tensor([0, 1]), n), torch.tril(torch.ones(3, 3), n),
            F.max_pool1d(x[None], SIDE), F.avg_pool1d(x[None], SIDE), F.interpolate(x[None, None], size=n), x.split(SIDE), x.chunk(SIDE), x.sum(SIDE - 2),
            x.unsqueeze(SIDE - 1), torch.stack([x, x], SIDE - 1), torch.flip(x, (SIDE - 2,)), x[range(2)], x[True], x[False], x[None, range(1)], x[range(2, 0, -1)],
            torch.zeros(2, 3)[range(2), n])


def products_of_ones(x):
    """Factors that are 1, or an integer 0, as numbers that are known."""
    rows = torch.stack([x, x + 1])
    whole = rows.to(torch.int64)
    layer = torch.nn.Linear(3, 2, bias=False)
    layer.weight.data.fill_(1.0)
    n = x.shape[0]
    return (rows @ torch.zeros(n, 4).fill_(1.0), layer(rows[:, :3]).detach(), whole @ torch.zeros(n, 2, dtype=torch.int64).fill_(1),
            whole @ torch.zeros(n, 2, dtype=torch.int64).fill_(0), torch.zeros(4, 2).fill_(1.0) @ rows,
            torch.nn.functional.conv1d(rows[None], torch.zeros(1, 2, 2).fill_(1.0)))
