"""The version of the PyTorch that ptc equals."""
TEXT = "2.13.0+cpu"
