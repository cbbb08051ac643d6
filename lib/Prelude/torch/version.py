"""torch.version, of a build for the CPU: the answers are in the table of answers about the world."""
from torch.torch_version import _current as ___version__  # noqa: F401
