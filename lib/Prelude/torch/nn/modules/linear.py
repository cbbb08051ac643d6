"""torch.nn.modules.linear: its layers, wherever they are written."""
from torch.nn.attention import NonDynamicallyQuantizableLinear  # noqa: F401
from torch.nn.modules import Bilinear, Identity, Linear  # noqa: F401
