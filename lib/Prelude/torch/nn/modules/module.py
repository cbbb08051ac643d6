"""torch.nn.modules.module: its layers, wherever they are written."""
from torch.nn.module import Module  # noqa: F401
