"""torch.amp without an effect on the CPU's float32 programs: a request to change dtypes is refused."""
from torch import _refuse


class autocast:
    def __init__(self, device_type="cpu", dtype=None, enabled=True, cache_enabled=None):
        if enabled:
            _refuse("torch.amp.autocast(enabled=True)")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return False

    def __call__(self, function):
        return function
