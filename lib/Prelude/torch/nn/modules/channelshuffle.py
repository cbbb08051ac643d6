"""torch.nn.modules.channelshuffle: its layers, wherever they are written."""
from torch.nn.layers import ChannelShuffle  # noqa: F401
