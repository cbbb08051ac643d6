"""State over calls: module globals and attributes that are numbers, tensors, None, lists."""
from collections import deque

import torch
from torch import nn

count, history, flag, best = 0, None, False, -100.0
table = {"calls": 0, "last": 0.0}


def counted(x):
    global count
    count += 1
    if x.sum() > 0:
        count += 10
    return x + count


def kind_changes(x):
    global history
    old = history
    history = x * 2
    return x if old is None else x + old


def toggled(x):
    global flag
    flag = not flag
    return x if flag else -x


def running_best(x):
    global best
    s = x.sum().item()
    if s > best:
        best = s
        return "new", best
    return "old", best


def dict_state(x):
    table["calls"] += 1
    if x.max() > 1:
        table["last"] = float(x.max())
    return table["calls"], table["last"], x


recent = deque(maxlen=3)


def bounded_history(x):
    recent.append(int(x[0]))
    return list(recent)


class Cache(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = None
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.last is None or x.sum() > 3:
            self.last = x * 2
        return self.last + self.calls


class Average(nn.Module):
    def __init__(self, size=3, momentum=0.5):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("seen", torch.tensor(0))
        self.momentum = momentum

    def forward(self, x):
        self.seen += 1
        self.mean.mul_(1 - self.momentum).add_(x * self.momentum)
        if self.mean.sum() > 3:
            self.mean.zero_()
        return x - self.mean, self.seen.item()


class Warmup(nn.Module):
    def __init__(self, steps=2):
        super().__init__()
        self.steps, self.scale = steps, 1.0

    def forward(self, x):
        if self.steps > 0:
            self.steps -= 1
            self.scale = self.scale / 2
            return x * self.scale
        return x


class Alternating(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = [1.0, 2.0, 4.0]
        self.at = 0

    def forward(self, x):
        k = self.parts[self.at]
        self.at = (self.at + 1) % len(self.parts)
        return x * k


class Optimizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.velocity = None

    def forward(self, x):
        with torch.no_grad():
            g = x - self.weight
            self.velocity = g if self.velocity is None else 0.5 * self.velocity + g
            self.weight.add_(self.velocity, alpha=0.25)
        return self.weight * 1


class Nested(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = Warmup(1), Alternating()

    def forward(self, x):
        y = self.b(self.a(x))
        if y.sum() > 2:
            y = self.b(y)
        return y


class Words(nn.Module):
    """What data chose of known values, in state that is not there at first."""

    def __init__(self):
        super().__init__()
        self.found, self.last, self.kind = {}, None, None
        self.names = []

    def forward(self, x):
        n = int(x.sum())
        if n > 3:
            self.found["word"] = "odd" if n % 2 else "even"
            self.last = (n, "few" if n < 9 else "many")
            self.kind = n if n % 2 else n * 0.5
        self.names.append("odd" if n % 2 else "even" if n % 3 else "third")
        if len(self.names) > 2:
            self.names.pop(0)
        return n, self.found.get("word", "none"), self.last, self.kind, list(self.names)


class _Scaled(nn.Linear):
    """State beside the tensors."""

    def __init__(self, scale):
        super().__init__(3, 3)
        self.scale = scale
        nn.init.constant_(self.weight, scale)
        nn.init.ones_(self.bias)

    def get_extra_state(self):
        return {"scale": self.scale}

    def set_extra_state(self, state):
        self.scale = state["scale"] + self.weight[0, 0].item()

    def forward(self, x):
        return super().forward(x) * self.scale


class _Halved(_Scaled):
    """Saved in other words than it is loaded with."""

    def _save_to_state_dict(self, destination, prefix, keep_vars):
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "half"] = destination.pop(prefix + "weight") * 0.5

    def _load_from_state_dict(self, state_dict, prefix, *rest):
        state_dict[prefix + "weight"] = state_dict.pop(prefix + "half") * 2
        super()._load_from_state_dict(state_dict, prefix, *rest)


class _Unset(nn.Linear):
    def __init__(self):
        super().__init__(3, 3)

    def get_extra_state(self):
        return 7


def _scaled(scale):
    return nn.Sequential(_Scaled(scale), nn.Sequential(_Halved(scale + 1)))


def extra_state(x):
    net, saved = _scaled(4.0), _scaled(2.0).state_dict()
    keys = net.load_state_dict(saved)
    return net(x), list(saved), saved["0._extra_state"], keys.missing_keys, keys.unexpected_keys, dict(_Scaled(3.0).state_dict(prefix="p."))


def extra_state_missing(x):
    net, saved = _scaled(4.0), _scaled(2.0).state_dict()
    del saved["0._extra_state"], saved["1.0._extra_state"]
    saved["1._extra_state"], saved["_extra_state"] = 1, 2
    keys = net.load_state_dict(saved, strict=False)
    try:
        net.load_state_dict(saved)
    except RuntimeError as e:
        return net(x), keys, str(e)


def extra_state_of_one_side(x):
    told = []
    for call in (lambda: nn.Linear(3, 3).get_extra_state(), lambda: nn.Linear(3, 3).set_extra_state(1),
                 lambda: nn.Linear(3, 3).load_state_dict(_Unset().state_dict())):
        try:
            call()
        except RuntimeError as e:
            told.append(str(e))
    return told, list(_Unset().state_dict())


class _Converted(nn.Linear):
    def _apply(self, fn, recurse=True):
        self.times = getattr(self, "times", 0) + 1
        return super()._apply(fn, recurse)


def conversions(x):
    part = _Converted(3, 3)
    net = nn.Sequential(part).double()
    nn.Sequential._apply(net, lambda t: t.float(), recurse=False)
    kept = part.weight.dtype
    nn.Sequential._apply(net, lambda t: t * 0 + 2)
    return kept, part.float().times, net(x)


class _Told(nn.Linear):
    """What it is loaded from knows of which version it is."""

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, *rest):
        self.told = list(getattr(state_dict, "_metadata", ())), dict(local_metadata)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)


def metadata_of_states(x):
    part, alone = _Told(3, 3), _Told(3, 3)
    net = nn.Sequential(part)
    net.load_state_dict(net.state_dict())
    alone.load_state_dict(alone.state_dict())
    return part.told, alone.told
