"""torch.nn.modules.pooling: its layers, wherever they are written."""
from torch.nn.layers import (  # noqa: F401
    AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AdaptiveMaxPool1d, AdaptiveMaxPool2d, AvgPool1d, AvgPool2d, AvgPool3d, LPPool1d, LPPool2d, LPPool3d,
    MaxPool1d, MaxPool2d, MaxPool3d, MaxUnpool1d, MaxUnpool2d, MaxUnpool3d, _AvgPool as _AvgPoolNd, _LPPool as _LPPoolNd, _MaxPool as _MaxPoolNd,
    _MaxUnpool as _MaxUnpoolNd)
