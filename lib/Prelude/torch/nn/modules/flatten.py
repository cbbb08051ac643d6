"""torch.nn.modules.flatten: its layers, wherever they are written."""
from torch.nn.modules import Flatten, Unflatten  # noqa: F401
