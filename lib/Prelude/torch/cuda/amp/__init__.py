"""torch.cuda.amp: torch.amp for one device."""
from torch.cuda.amp.autocast_mode import autocast, custom_bwd, custom_fwd  # noqa: F401
