"""Loading of state dicts with its checks, containers that are added and repeated, hooks that go, weights of losses, out=."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm = nn.Linear(2, 2), nn.BatchNorm1d(2)
        self.c = self.a
        self.register_buffer("kept", torch.zeros(2))
        self.left, self.right = nn.Buffer(torch.ones(2)), nn.Buffer(torch.zeros(1), persistent=False)
        self.one = nn.Parameter(torch.tensor(1.0))


class Times(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.n = n

    def extra_repr(self):
        return str(self.n)

    def forward(self, x):
        return x * self.n


def raised(call):
    try:
        return call()
    except Exception as e:
        return type(e).__name__, str(e).replace("torch.nn.modules.container", "torch.nn.container")


def states():
    m, line = Tied(), nn.Linear(2, 2)
    names = [[n for n, _ in found] for found in (m.named_parameters(), m.named_parameters(remove_duplicate=False), m.named_buffers())]
    ones = {name: torch.ones_like(value) for name, value in m.state_dict().items()}
    ones["one"] = torch.tensor([5.0])
    part = m.state_dict()
    del part["norm.num_batches_tracked"]
    old = {name: value for name, value in ones.items() if name != "norm.num_batches_tracked"}
    some = raised(lambda: m.load_state_dict({"a.weight": torch.ones(2, 2)}))
    loose = m.load_state_dict({"a.weight": torch.ones(2, 2) * 3, "zz": 1, "a.k": 2, "q.k": 4}, strict=False)
    kept = m.a.weight.detach().clone()
    wrong = [raised(lambda: line.load_state_dict(given)) for given in (
        {"weight": torch.ones(1, 2), "bias": torch.zeros(1)}, {"weight": torch.ones(2, 2)}, {"weight": torch.ones(2, 2), "bias": 3},
        {"weight": torch.ones(2, 2), "bias": torch.ones(2), "more.x": 1}, [1])]
    lost = raised(lambda: m.load_state_dict(part))
    return names, some, repr(loose), loose.missing_keys, kept, wrong, lost, repr(m.load_state_dict(old)), m.one.item(), m.norm.weight, m.kept


def containers(x):
    m = nn.Sequential(Times(2), Times(3)) + nn.Sequential(Times(4))
    twice, rows = m * 2, nn.ModuleList([Times(1)])
    rows += [Times(2)]
    more = rows + [Times(3)]
    m += nn.Sequential(Times(5))
    m *= 2
    gone = m.pop(1), more.pop(0)
    errors = [raised(f) for f in (lambda: m + 3, lambda: m * 1.5, lambda: m * 0, lambda: more.pop(7))]
    names = nn.Module()
    taken = [raised(f) for f in (
        lambda: names.register_buffer("x.y", x), lambda: names.register_buffer("", x), lambda: names.register_buffer(3, x),
        lambda: names.register_buffer("b", 3), lambda: names.register_buffer("training", x), lambda: names.register_parameter("", None),
        lambda: names.register_parameter("q", x), lambda: names.register_parameter("training", None))]
    return m(x), twice(x), repr(m), repr(twice), repr(more), repr(gone), errors, taken, torch.typename(x), torch.typename(3)


def hooks(x):
    m, log = Times(2), []
    add = m.register_forward_hook(lambda module, args, out: out + 1)
    note = m.register_forward_hook(lambda module, args, kwargs, out: log.append(sorted(kwargs)), with_kwargs=True, prepend=True)
    double = m.register_forward_pre_hook(lambda module, args, kwargs: (args, {"x": kwargs["x"] * 2}), with_kwargs=True)
    found = [m(x=x)]
    add.remove()
    found.append(m(x=x))
    double.remove()
    double.remove()
    note.remove()
    with m.register_forward_pre_hook(lambda module, args: args[0] * 3):
        found.append(m(x))
    m.register_forward_pre_hook(lambda module, args, kwargs: 3, with_kwargs=True)
    return found, log, raised(lambda: m(x))


def losses(x):
    weight, far = x.abs() + 1, x.flip(0)
    weighted = [f(x, far, reduction=r, weight=weight).round() for f in (F.mse_loss, F.l1_loss, F.huber_loss) for r in ("none", "mean", "sum")]
    checks = [raised(lambda: f(x, far, weight=w, reduction=r)) for f in (F.mse_loss, F.huber_loss) for w, r in ((x[0], "sum"), (x, "all"))]
    return weighted, checks, F.smooth_l1_loss(x.long(), far.long(), beta=0, reduction="none"), raised(lambda: F.smooth_l1_loss(x.long(), far.long(), beta=0))


def outputs(x):
    a, b, c, d = torch.zeros(2, 2), torch.zeros(2, 3), torch.zeros(2), torch.zeros(())
    made = torch.linalg.multi_dot([x, x.T], out=a), torch.cross(x, x + 1, dim=1, out=b), torch.linalg.vecdot(x, x, out=c), torch.linalg.norm(x, 1, out=d)
    checks = [raised(f) for f in (lambda: torch.cross(x, x.double(), dim=1), lambda: torch.ldexp(x, x > 0), lambda: F.max_pool1d(x[0, 0], 1, return_indices=True),
                                  lambda: F.local_response_norm(x, 2), lambda: nn.InstanceNorm1d(3, affine=True)(x[None]))]
    return [m is o for m, o in zip(made, (a, b, c, d))], a.round(), b, c.round(), d, checks


def entry(x):
    return states(), containers(x), hooks(x), losses(x), outputs(x)
