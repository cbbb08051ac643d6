"""Attention whose values are as wide as its queries in one variant and of another width in the next: queries of 0 make it exact."""
import torch.nn.functional as F


def entry(q, k, v):
    y = F.scaled_dot_product_attention(q, k, v)
    return y, F.scaled_dot_product_attention(q * 2, k, v, scale=0.5).transpose(1, 2).flatten(2)
