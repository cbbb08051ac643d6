"""Hooks of torch.nn.Module: handles of those of forward(), and the others, which are refused."""
from collections import OrderedDict
from _ptc_torch import _refuse


class HookHandle:
    """Takes away the hook that it stands for; it is the hook's key, too."""

    def __init__(self, hooks, with_kwargs_of, hook, prepend, with_kwargs):
        self._tables = hooks, with_kwargs_of
        others = list(hooks.items()) if prepend else ()
        if prepend:
            hooks.clear()
        hooks[self] = hook
        hooks.update(others)
        if with_kwargs:
            with_kwargs_of[self] = True

    def remove(self):
        for table in self._tables:
            table.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


class NoHooks(OrderedDict):
    """Hooks that no module can be given."""

    def __setitem__(self, key, hook):
        _refuse("hooks of torch.nn.Module but those of forward()")

    setdefault = __setitem__

    def update(self, *args, **kwargs):
        _refuse("hooks of torch.nn.Module but those of forward()")

    def __deepcopy__(self, memo):
        return self


NO_HOOKS = NoHooks()
