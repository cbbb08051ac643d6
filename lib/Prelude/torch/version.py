"""torch.version, of a build for the CPU."""
__version__ = "2.13.0"
cuda = hip = xpu = None
debug = False
