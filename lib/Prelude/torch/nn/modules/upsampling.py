"""torch.nn.modules.upsampling: its layers, wherever they are written."""
from torch.nn.layers import Upsample, UpsamplingBilinear2d, UpsamplingNearest2d  # noqa: F401
