"""torch.nn.modules.normalization: its layers, wherever they are written."""
from torch.nn.modules import GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm  # noqa: F401
