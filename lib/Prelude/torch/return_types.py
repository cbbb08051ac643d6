"""torch.return_types: classes of the engine."""
from _ptc_return_types import *  # noqa: F403
from _ptc_return_types import _all

all_return_types = list(_all)
