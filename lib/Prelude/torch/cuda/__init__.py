"""torch.cuda as a program sees it on a machine without one; questions are answers about the world."""
from _ptc import _about_world


def synchronize(device=None):
    pass


def empty_cache():
    pass


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass


def is_current_stream_capturing():
    if _about_world("torch.cuda.is_available"):
        return False
    raise RuntimeError("Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing")


from torch.cuda import amp  # noqa: E402,F401

empty_cache.__module__ = "torch.cuda.memory"
is_current_stream_capturing.__module__ = "torch.cuda.graphs"
manual_seed.__module__ = manual_seed_all.__module__ = "torch.cuda.random"
