"""torch.nn.modules.container: its layers, wherever they are written."""
from torch.nn.container import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential  # noqa: F401
