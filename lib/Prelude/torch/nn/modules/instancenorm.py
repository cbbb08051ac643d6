"""torch.nn.modules.instancenorm: its layers, wherever they are written."""
from torch.nn.modules import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d, _InstanceNorm  # noqa: F401
