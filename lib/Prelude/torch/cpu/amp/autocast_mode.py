"""torch.cpu.amp.autocast_mode: torch.autocast for one device."""
import warnings
import torch


class autocast(torch.amp.autocast_mode.autocast):
    def __init__(self, enabled=True, dtype=torch.bfloat16, cache_enabled=True):
        warnings._of_library("`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` instead.",
                             FutureWarning)
        super().__init__("cpu", enabled=enabled, dtype=dtype, cache_enabled=cache_enabled)
