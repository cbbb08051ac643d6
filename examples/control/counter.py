"""Random numbers with eager's values for a seed, and a counter that lives across calls."""
import torch

calls = 0


def noisy(x):
    global calls
    calls += 1
    return torch.rand(10) + x, calls
