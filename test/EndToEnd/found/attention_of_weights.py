"""torch.nn.functional.multi_head_attention_forward, with what torch.nn.MultiheadAttention gives it and without."""
import torch
from torch.nn import functional as F

torch.manual_seed(0)
W, B, O, OB = torch.randn(24, 8), torch.randn(24), torch.randn(8, 8), torch.randn(8)
Q, K, V = torch.randn(8, 8), torch.randn(8, 5), torch.randn(8, 6)
BK, BV = torch.randn(1, 1, 8), torch.randn(1, 1, 8)
X = torch.randn(4, 3, 8) * 0.3
MASK = torch.ones(4, 4, dtype=torch.bool).triu(1)


def entry(scale):
    x = X * scale

    def run(q, k, v, *args, **kwargs):
        return F.multi_head_attention_forward(q, k, v, 8, 2, *args, **kwargs)
    plain = run(x, x, x, W, B, None, None, False, 0.0, O, OB, training=False)
    masked = run(x, x, x, W, None, None, None, False, 0.0, O, None, training=False, attn_mask=MASK, need_weights=False)
    causal = run(x, x, x, W, B, None, None, False, 0.0, O, OB, training=False, attn_mask=MASK, need_weights=False, is_causal=True)
    padded = run(x, x, x, W, B, BK, BV, True, 0.1, O, OB, training=False, key_padding_mask=torch.tensor([[False, False, True, True]] * 3), average_attn_weights=False)
    alone = run(x[:, 0], x[:, 1], x[:, 1], W, B, None, None, False, 0.0, O, OB, training=True)
    several = run(x, x[..., :5], x[..., 1:7], None, B, None, None, False, 0.0, O, OB, use_separate_proj_weight=True, q_proj_weight=Q, k_proj_weight=K, v_proj_weight=V)
    said = []
    for heads, given in ((3, x), (2, x[0, 0])):
        try:
            F.multi_head_attention_forward(given, given, given, 8, heads, W, B, None, None, False, 0.0, O, OB)
        except (AssertionError, RuntimeError) as e:
            said.append(type(e).__name__)
    return plain, masked, causal, padded, alone, several, said
