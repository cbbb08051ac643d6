"""torch.amp: regions of torch.autocast. Gradients are not captured, so nothing scales them."""
from torch.amp.autocast_mode import (_enter_autocast, _exit_autocast, autocast, autocast_decorator,  # noqa: F401
                                     custom_bwd, custom_fwd, is_autocast_available)
