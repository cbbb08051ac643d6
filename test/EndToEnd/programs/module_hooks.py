"""Hooks of all modules, hooks that are always called, hooks of state dicts."""
import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook


class _Twice(nn.Module):
    def __init__(self, factor=2.0):
        super().__init__()
        self.weight = nn.Parameter(torch.full((1,), factor))
        self.register_buffer("shift", torch.ones(1))

    def forward(self, x, *, fails=False):
        if fails:
            raise ValueError("inside forward()")
        return x * self.weight + self.shift


def of_all_modules(x):
    seen, net = [], nn.Sequential(_Twice(), _Twice(3.0))
    before = register_module_forward_pre_hook(lambda module, args: seen.append(type(module).__name__) or (args[0] + 1,))
    behind = register_module_forward_hook(lambda module, args, result: result * 2 if isinstance(module, _Twice) else None)
    named = register_module_forward_hook(lambda module, args, kwargs, result: seen.append(sorted(kwargs)), with_kwargs=True)
    net[0].register_forward_hook(lambda module, args, result: result + 10)
    y = net(x)
    for handle in (before, behind, named):
        handle.remove()
    return y, seen, net(x)


def always(x):
    seen, net = [], _Twice()
    net.register_forward_hook(lambda module, args, result: seen.append(result is None), always_call=True)
    net.register_forward_hook(lambda module, args, kwargs, result: seen.append(sorted(kwargs)), always_call=True, with_kwargs=True)
    net.register_forward_hook(lambda module, args, result: seen.append("not called"))

    def fails(module, args, result):
        seen.append("last")
        raise KeyError("silenced")

    net.register_forward_hook(fails, always_call=True, prepend=True)
    handle = register_module_forward_hook(lambda module, args, result: seen.append("global"), always_call=True)
    try:
        net(x, fails=True)
    except Exception as problem:
        seen.append(f"{type(problem).__name__}: {problem}")
    try:
        net(x)
    except Exception as problem:
        seen.append(f"{type(problem).__name__}: {problem}")
    finally:
        handle.remove()
    return seen


class _Renamed(nn.Module):
    """Its state dict has other names, and one entry more."""

    def __init__(self):
        super().__init__()
        self.inner, self.calls = _Twice(), []
        self._register_state_dict_hook(_Renamed.saved)
        self._register_load_state_dict_pre_hook(self.loads)
        self.register_load_state_dict_pre_hook(_Renamed.loads_with_module)
        self.register_load_state_dict_post_hook(lambda module, keys: module.calls.append((list(keys.missing_keys), list(keys.unexpected_keys))))
        self.register_state_dict_pre_hook(lambda module, prefix, keep_vars: module.calls.append((prefix, keep_vars)))

    @staticmethod
    def saved(module, state, prefix, metadata):
        for name in list(state):
            if name.startswith(prefix + "inner."):
                state[prefix + "outer." + name[len(prefix) + 6:]] = state.pop(name)
        state[prefix + "version"] = torch.tensor(metadata["version"])

    def loads(self, state, prefix, metadata, strict, missing, unexpected, errors):
        state.pop(prefix + "version", None)
        for name in list(state):
            if name.startswith(prefix + "outer."):
                state[prefix + "inner." + name[len(prefix) + 6:]] = state.pop(name)

    @staticmethod
    def loads_with_module(module, state, prefix, metadata, strict, missing, unexpected, errors):
        module.calls.append((prefix, sorted(state), strict))


def state_dicts(x):
    made = nn.Sequential(_Renamed(), _Twice(5.0))
    state = made.state_dict()
    other = nn.Sequential(_Renamed(), _Twice(0.0))
    with torch.no_grad():
        state["0.outer.weight"].add_(x.sum())
    loaded = other.load_state_dict(state)
    replaced = _Renamed()
    replaced._register_state_dict_hook(lambda module, state, prefix, metadata: {"all": 1})
    told = []
    try:
        other.load_state_dict({"1.weight": torch.ones(1)})
    except RuntimeError as problem:
        told.append(str(problem))
    wrong = _Twice()
    wrong.register_load_state_dict_post_hook(lambda module, keys: keys)
    checked = _Twice()

    def returns(module, state, prefix, metadata):
        return state

    checked.register_state_dict_post_hook(returns)
    for act in (lambda: wrong.load_state_dict(wrong.state_dict()), checked.state_dict, lambda: checked._register_state_dict_hook(returns)):
        try:
            act()
        except Exception as problem:
            told.append((type(problem).__name__, str(problem)))
    return list(state), repr(loaded), other[0].inner.weight, other[1](x), made[0].calls, other[0].calls, told, replaced.state_dict()
