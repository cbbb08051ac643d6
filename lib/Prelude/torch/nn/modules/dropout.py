"""torch.nn.modules.dropout: its layers, wherever they are written."""
from torch.nn.modules import AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d, FeatureAlphaDropout, _Dropout as _DropoutNd  # noqa: F401
