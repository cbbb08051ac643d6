"""torch.nn.modules.fold: its layers, wherever they are written."""
from torch.nn.layers import Fold, Unfold  # noqa: F401
