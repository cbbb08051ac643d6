"""torch.random: the default generator."""
from torch import default_generator, initial_seed, manual_seed  # noqa: F401
