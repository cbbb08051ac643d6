"""torch.nn.modules.batchnorm: its layers, wherever they are written."""
from torch.nn.modules import BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm, _BatchNorm, _NormBase  # noqa: F401
