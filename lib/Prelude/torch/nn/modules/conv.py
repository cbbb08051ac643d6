"""torch.nn.modules.conv: its layers, wherever they are written."""
from torch.nn.modules import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, _ConvNd, _ConvTransposeNd  # noqa: F401
