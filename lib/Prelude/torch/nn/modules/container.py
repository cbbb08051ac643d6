"""torch.nn.modules.container: its layers, wherever they are written."""
from torch.nn.module import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential  # noqa: F401
