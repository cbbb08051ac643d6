"""Hooks of torch.nn.Module: those that run around forward(), those of state dicts, and the others, which are refused."""
import warnings
from collections import OrderedDict
from _ptc_torch import _refuse
from torch.utils.hooks import RemovableHandle


class NoHooks(OrderedDict):
    """The hooks of a module that has none: those of gradients no module can be given."""

    def __setitem__(self, key, hook):
        _refuse("hooks of torch.nn.Module but those of forward() and of state dicts")

    setdefault = __setitem__

    def update(self, *args, **kwargs):
        _refuse("hooks of torch.nn.Module but those of forward() and of state dicts")

    def __deepcopy__(self, memo):
        return self


NO_HOOKS = NoHooks()

# Of all modules.
_global_forward_pre_hooks, _global_forward_hooks = OrderedDict(), OrderedDict()
_global_forward_hooks_always_called, _global_forward_hooks_with_kwargs = OrderedDict(), OrderedDict()


def register_module_forward_pre_hook(hook):
    return RemovableHandle(_global_forward_pre_hooks)._ptc_hold(hook)


def register_module_forward_hook(hook, *, with_kwargs=False, always_call=False):
    marks = [_global_forward_hooks_with_kwargs] * with_kwargs + [_global_forward_hooks_always_called] * always_call
    return RemovableHandle(_global_forward_hooks)._ptc_hold(hook, False, marks)


class _WithModule:
    """A hook that is given the module first."""
    _ptc_known_as = "torch.nn.modules.module._WrappedHook"

    def __init__(self, hook, module=None):
        self.hook, self.with_module, self.module = hook, module is not None, module

    def __call__(self, *args, **kwargs):
        return self.hook(self.module, *args, **kwargs) if self.with_module else self.hook(*args, **kwargs)


def _call_hooked(module, args, kwargs):
    """module(*args, **kwargs) with its hooks and those of all modules."""
    call = _Call(module, args, kwargs)
    if not module._forward_hooks_always_called and not _global_forward_hooks_always_called:
        return call.run()
    try:
        return call.run()
    except Exception:
        call.run_always_called(_global_forward_hooks, _global_forward_hooks_always_called, {}, "global module")
        call.run_always_called(module._forward_hooks, module._forward_hooks_always_called, module._forward_hooks_with_kwargs, "module")
        raise


class _Call:
    def __init__(self, module, args, kwargs):
        self.module, self.args, self.kwargs, self.result, self.called = module, args, kwargs, None, []

    def run(self):
        module = self.module
        for key, hook in [*_global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()]:
            self.run_before(hook, key in module._forward_pre_hooks_with_kwargs)
        self.result = module.forward(*self.args, **self.kwargs)
        for key, hook in [*_global_forward_hooks.items(), *module._forward_hooks.items()]:
            if key in module._forward_hooks_always_called or key in _global_forward_hooks_always_called:
                self.called.append(key)
            self.run_behind(hook, key in module._forward_hooks_with_kwargs or key in _global_forward_hooks_with_kwargs)
        return self.result

    def run_before(self, hook, with_kwargs):
        if not with_kwargs:
            changed = hook(self.module, self.args)
            if changed is not None:
                self.args = changed if isinstance(changed, tuple) else (changed,)
            return
        changed = hook(self.module, self.args, self.kwargs)
        if changed is None:
            return
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise RuntimeError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}.")
        self.args, self.kwargs = changed

    def run_behind(self, hook, with_kwargs):
        changed = hook(self.module, self.args, self.kwargs, self.result) if with_kwargs else hook(self.module, self.args, self.result)
        if changed is not None:
            self.result = changed

    def run_always_called(self, hooks, always, with_kwargs, whose):
        for key, hook in hooks.items():
            if key not in always or key in self.called:
                continue
            try:
                self.run_behind(hook, key in with_kwargs)
            except Exception as error:
                warnings._of_library(f"{whose} forward hook with ``always_call=True`` raised an exception that was silenced as another "
                                     f"error was raised in forward: {error}")


def check_load_hooks(prefix, module):
    """Weights are bound by the names that they have in the file: hooks of loading must leave those of the module alone."""
    for hook in list(module._load_state_dict_pre_hooks.values()):
        given = dict(module.state_dict(prefix=prefix, keep_vars=True))
        before, lists = list(given.items()), ([], [], [])
        hook(given, prefix, {"version": module._version}, True, *lists)
        after = list(given.items())
        if any(lists) or len(after) != len(before) or any([k != key or v is not value for (k, v), (key, value) in zip(after, before)]):
            _refuse("--weights of a module whose hook changes what load_state_dict() is given")
    if module._load_state_dict_post_hooks:
        _refuse("--weights of a module with a hook behind load_state_dict()")
