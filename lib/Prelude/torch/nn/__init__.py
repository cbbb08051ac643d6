"""torch.nn"""
from torch.nn.parameter import Parameter, Buffer, UninitializedParameter  # noqa: F401
from torch.nn import functional, init, utils, parameter  # noqa: F401
from torch.nn.modules import *  # noqa: F401,F403
from torch.nn.embedding import *  # noqa: F401,F403
from torch.nn.layers import *  # noqa: F401,F403
from torch.nn.attention import *  # noqa: F401,F403
from torch.nn._lazy import *  # noqa: F401,F403
from torch.nn.recurrent import *  # noqa: F401,F403
from torch.nn import _parts, layers, modules  # noqa: F401
