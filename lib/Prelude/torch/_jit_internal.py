"""Marks for the compiler of TorchScript, which change nothing of what they mark."""
from torch.jit import _overload, _overload_method, export, ignore, unused  # noqa: F401
