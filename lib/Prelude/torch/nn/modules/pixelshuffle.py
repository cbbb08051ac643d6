"""torch.nn.modules.pixelshuffle: its layers, wherever they are written."""
from torch.nn.layers import PixelShuffle, PixelUnshuffle  # noqa: F401
