"""torch.utils.hooks: handles of hooks."""


class RemovableHandle:
    """Takes away the hook that it stands for; it is the hook's key, too."""

    def __init__(self, hooks_dict, *, extra_dict=None):
        self._ptc_tables = [hooks_dict, *([extra_dict] if isinstance(extra_dict, dict) else extra_dict or ())]

    def _ptc_hold(self, hook, prepend=False, marks=()):
        """Puts the hook into the dict, and the key into what says how to call it."""
        hooks = self._ptc_tables[0]
        others = list(hooks.items()) if prepend else ()
        if prepend:
            hooks.clear()
        hooks[self] = hook
        hooks.update(others)
        for mark in marks:
            mark[self] = True
            self._ptc_tables.append(mark)
        return self

    def remove(self):
        for table in self._ptc_tables:
            table.pop(self, None)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()
