"""A boolean mask keeps an unknown number of elements; adding three ones works for one or three."""
import torch


def matched_plus_ones(x):
    return x[x > 0] + torch.ones(3)
