"""torch.special: names of the operation table come through the module's fallback."""
