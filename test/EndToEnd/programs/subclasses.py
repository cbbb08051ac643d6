"""Tensors of classes derived from torch.Tensor, and objects with a __torch_function__: who is asked, and what results are."""
import functools

import torch
import torch.nn.functional as F
from torch import nn
from torch.overrides import TorchFunctionMode, handle_torch_function, has_torch_function, has_torch_function_unary, is_tensor_like

asked = []


class Plain(torch.Tensor):
    pass


class Point(torch.Tensor):
    """With attributes and methods."""

    def __new__(cls, data, unit="m"):
        made = torch.as_tensor(data).as_subclass(cls)
        made.unit = unit
        return made

    @property
    def length(self):
        return (self * self).sum().sqrt()

    def scaled(self, factor):
        return Point(self * factor, self.unit)

    def __add__(self, other):
        return super().__add__(other) * 1

    @classmethod
    def zero(cls):
        return cls(torch.zeros(3))


class Told(torch.Tensor):
    """Writes down which functions it is asked about."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        asked.append((func.__name__, len(args), sorted(kwargs or {}), [t.__name__ for t in types]))
        return super().__torch_function__(func, types, args, kwargs)


class Closer(Told):
    pass


class Boxes(torch.Tensor):
    """As torchvision.tv_tensors: results are plain tensors, some excepted."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if not all(issubclass(cls, t) for t in types):
            return NotImplemented
        with torch._C.DisableTorchFunctionSubclass():
            out = func(*args, **kwargs or dict())
        if func in (torch.Tensor.clone, torch.Tensor.to) and isinstance(args[0], cls):
            return out.as_subclass(cls)
        return out.as_subclass(torch.Tensor) if isinstance(out, cls) else out


HANDLED = {}


def _implements(function):
    def decorate(own):
        HANDLED[function] = functools.wraps(function)(own)
        return own
    return decorate


class Diagonal:
    """No tensor: a matrix by one number."""

    def __init__(self, n, value):
        self.n, self.value = n, value

    def tensor(self):
        return self.value * torch.eye(self.n)

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func not in HANDLED or not all(issubclass(t, (torch.Tensor, Diagonal)) for t in types):
            return NotImplemented
        return HANDLED[func](*args, **kwargs or {})


@_implements(torch.mean)
def mean(input):
    return input.value / input.n


@_implements(torch.matmul)
def matmul(one, other):
    return one.value * other if isinstance(one, Diagonal) else one * other.value


@_implements(F.dropout)
def dropout(input, p=0.5, training=True, inplace=False):
    return input.value, p, training, inplace


def own_function(a, b=1):
    if has_torch_function((a,)):
        return handle_torch_function(own_function, (a,), a, b=b)
    return a * b


def names(values):
    return [type(v).__name__ for v in values]


def kept(x):
    p = x.as_subclass(Plain)
    results = (p + 1, 2 * p, p @ p, -p, p[0], p[None], p.view(3, 1), p.sum(), p > 0, torch.cat([p, x]), F.relu(p), p.detach(), x + p,
               torch.where(p > 0, p, x), p.exp(), p.T, p.data, torch.stack((x, p)), F.softmax(p, -1), p.to(torch.float64), abs(p), ~(p > 0))
    return names(results), results


def not_kept(x):
    p = x.as_subclass(Plain)
    return type(p.shape).__name__, p.size(0), p.dtype, p.dim(), len(p), p.tolist(), p.as_subclass(torch.Tensor), names([p.as_subclass(torch.Tensor)])


def lists(x):
    p = x.as_subclass(Plain)
    return names(p.unbind()), names(p.split(1)), names(torch.chunk(p, 3)), names(list(p)), [v * 2 for v in p], type(p.max(0).values).__name__


def in_place(x):
    p = x.clone().as_subclass(Plain)
    q = p
    p += 1
    p.mul_(2)
    p[0] = 5
    p[1:] = x[1:].as_subclass(Plain)
    return p is q, type(p) is Plain, p.add_(1) is p, p.contiguous() is p, p


def aliases(x):
    y = x.clone()
    p = y.as_subclass(Plain)
    p.add_(1)
    y.mul_(2)
    return y, p, p is y, isinstance(p, Plain), isinstance(p, torch.Tensor), isinstance(y, Plain), torch.is_tensor(p)


def decided(x):
    p = x.as_subclass(Plain)
    if p.sum() > 3:
        q = p * 2
    else:
        q = (p - 1).as_subclass(Plain)
    while q.sum() < 10:
        q = q + 4
    return q, type(q).__name__, bool((q > 0).all()), float(q[0]), int(q[1]), float(p.max())


def attributes(x):
    p = Point(x, "km")
    q = p.scaled(2)
    return p.length, q.unit, q.as_subclass(torch.Tensor), type(q).__name__, hasattr(p + 1, "unit"), p.__dict__, Point.zero().sum()


def overridden(x):
    p = Point(x)
    return (p + 1).as_subclass(torch.Tensor), (1 + p).as_subclass(torch.Tensor), type(p + p).__name__


def told(x):
    asked.clear()
    t = x.as_subclass(Told)
    _ = (t + 1, 1 + t, x + t, x - t, 1 - t, t ** 2, 2 ** t, t / 2, 2 / t, t // 2, x // t, t % 2, t == 1, t < x, x < t, t @ t, -t, +t, abs(t))
    _ = (t[0], x[t > 0], t.shape, t.dtype, t.T, len(t), t.add(1), t.float(), t.nelement(), t.sum(), t.view(3, 1), t.split(1), t.norm())
    u = t.clone()
    u += 1
    u[0] = 1
    u.copy_(x)
    return list(asked)


def told_functions(x):
    asked.clear()
    t = x.as_subclass(Told)
    _ = (torch.add(t, 1), torch.cat([x, t]), torch.stack(tensors=[t, x]), torch.sum(t, dim=0), torch.where(t > 0, x, t), torch.isclose(t, x),
         torch.einsum("i,i->i", x, t), torch.broadcast_tensors(t, x), torch.zeros_like(t), torch.norm(t), torch.split(t, 1))
    _ = (F.relu(t), F.dropout(t, 0.25, False), F.softmax(t, dim=0), F.linear(t, x), F.layer_norm(t, (3,), x), F.mse_loss(t, x),
         F.pad(t, (1, 1)), F.gelu(t), F.normalize(t, dim=0))
    return list(asked)


def subclass_first(x):
    asked.clear()
    a, b = x.as_subclass(Told), (x + 1).as_subclass(Closer)
    return type(a + b).__name__, type(b + a).__name__, type(torch.cat([a, b])).__name__, list(asked)


def strangers(x):
    a, b = x.as_subclass(Plain), x.as_subclass(Boxes)
    results = []
    for function in (lambda: a + b, lambda: a < b, lambda: b @ a, lambda: torch.add(a, b), lambda: F.layer_norm(a, (3,), b)):
        try:
            results.append(function())
        except TypeError as error:
            results.append(str(error).split("\n")[0])
    return results, a == 3, a != None, (a == None) is False  # noqa: E711


def boxes(x):
    b = x.as_subclass(Boxes)
    return names([b + 1, b.clone(), b.to(torch.float64), b[0], b.sum(), x * b, torch.cat([b, b])]), b + 1, b.clone()


def no_tensor(x):
    d = Diagonal(3, x[0])
    results = [torch.mean(d), torch.matmul(d, x), torch.matmul(x, d), F.dropout(d, training=False)]
    try:
        torch.add(d, x)
    except TypeError as error:
        results.append(str(error).split("\n")[0])
    return results, is_tensor_like(d), is_tensor_like(x), has_torch_function((x, d)), has_torch_function_unary(x)


def own(x):
    asked.clear()
    t = x.as_subclass(Told)
    y = own_function(t, b=3)
    return type(y).__name__, y, list(asked), own_function(x, 2)


def disabled(x):
    asked.clear()
    t = x.as_subclass(Told)
    with torch._C.DisableTorchFunctionSubclass():
        y, z = t + 1, t.sum()
        u = t.add_(1)
    return names([y, z, u]), u is t, y, z, list(asked)


net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.LayerNorm(4), nn.Dropout(0.5)).eval()
other = nn.Sequential(nn.Linear(3, 3), nn.GELU(), nn.Unflatten(0, (1, 3)), nn.Conv1d(1, 2, 2), nn.BatchNorm1d(2), nn.Flatten(0)).eval()


def layers(x):
    p = x.as_subclass(Plain)
    y = other(p[None][0])
    return type(net(p)).__name__, net(p), type(y).__name__, y


def layers_told(x):
    asked.clear()
    y = net(x.as_subclass(Told))
    return type(y).__name__, list(asked)


class _Scaled(nn.Module):
    """With a tensor of such a class beside its parameters."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.scale = torch.tensor([1.0, 2.0, 3.0]).as_subclass(Plain)

    def forward(self, x):
        return self.linear(x) * self.scale


scaled = _Scaled()


def in_module(x):
    y = scaled(x)
    return type(y).__name__, y, isinstance(scaled.scale, Plain)


def made(x):
    p = torch.Tensor._make_subclass(Plain, x)
    return names([p, Plain([1, 2]), Plain(x), torch.as_tensor(p), torch.Tensor(p)]), p, Plain([1, 2]) + 1, Plain(x)


def same(x):
    p, q = x.as_subclass(Plain), x.as_subclass(Plain)
    found = {p: 1, q: 2}
    return found[p], found[q], p is q, [v is p for v in (p, q)], len({p, q, p})


def in_collections(x):
    p = x.as_subclass(Plain)
    data = {"a": [p, (p, x)], "b": p * 2}
    return data, sum([p, p, x]), type(sum([p, p])).__name__, functools.reduce(torch.add, [p, x, p]), max(p[0], p[1]), sorted([p[0], p[1]])


class Noting(TorchFunctionMode):
    """Writes down which functions it is asked about."""

    def __init__(self):
        self.names = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        self.names.append((func.__name__, len(args), sorted(kwargs or {})))
        return func(*args, **kwargs or {})


class Times(TorchFunctionMode):
    def __init__(self, factor):
        self.factor = factor

    def __torch_function__(self, func, types, args=(), kwargs=None):
        out = func(*args, **kwargs or {})
        return out * self.factor if func in (torch.add, torch.Tensor.add, F.relu) else out


def modes(x):
    with Noting() as noting:
        y = (x + 1, 1 - x, x // 2, x ** 2, -x, +x, x[0], x > 0, 1 + x, x @ x)
        y += (torch.ones(2), torch.tensor([1.0]), torch.zeros(2, dtype=torch.float64), F.relu(x), torch.stack([x, x]), net(x), x.sum(dim=0).view(1).float())
        shape, dtype, is_float = x.shape, x.dtype, x.is_floating_point()
        z = x.clone()
        z[0] = 1
        z += 1
        asks = has_torch_function_unary(x)
    after = x * 2
    return noting.names, y, z, tuple(shape), dtype, is_float, after, asks, has_torch_function_unary(x)


def nested_modes(x):
    with Times(2):
        with Times(3):
            inner = x + 1
        outer = torch.add(x, 1)
        other = F.relu(x)
    return inner, outer, other, x + 1


def mode_left(x):
    noting = Noting()
    try:
        with noting:
            if F.relu(x).tolist()[0] > 2:
                raise ValueError("more")
            y = x + 1
    except ValueError:
        y = x - 1
    return y, y + 1, noting.names


def mode_and_class(x):
    asked.clear()
    t = x.as_subclass(Told)
    with Noting() as noting:
        y = t + 1
        with torch._C.DisableTorchFunctionSubclass():
            z = t + 1
        with torch._C.DisableTorchFunction():
            u = t + 1
    return names([y, z, u]), noting.names, list(asked)


def mode_of_calls(x):
    with Times(2):
        return [own_in_mode(x + i) for i in range(3)]


def own_in_mode(x):
    return handle_torch_function(own_in_mode, (x,), x) if has_torch_function_unary(x) else x * 10
