"""torch.cpu.amp: torch.amp for one device."""
from torch.cpu.amp.autocast_mode import autocast  # noqa: F401
