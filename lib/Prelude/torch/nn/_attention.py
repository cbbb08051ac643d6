"""torch.nn.functional.multi_head_attention_forward: what MultiheadAttention computes, with weights that are given."""
from torch import _refuse


class _Given:
    """Stands for a layer in the layer's own methods."""
    batch_first = False

    def __init__(self, embed_dim, num_heads, weights, out_proj_weight, out_proj_bias):
        from torch.nn import functional as F
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.in_proj_weight, self.in_proj_bias = weights
        self.out_proj = lambda x: F.linear(x, out_proj_weight, out_proj_bias)

    def __getattr__(self, name):
        from torch.nn.attention import MultiheadAttention
        method = getattr(MultiheadAttention, name)
        return lambda *args: method(self, *args)


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias, bias_k, bias_v, add_zero_attn,
                                 dropout_p, out_proj_weight, out_proj_bias, training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None, v_proj_weight=None, static_k=None,
                                 static_v=None, average_attn_weights=True, is_causal=False):
    if static_k is not None or static_v is not None:
        _refuse("torch.nn.functional.multi_head_attention_forward with static_k or static_v")
    layer = _Given(embed_dim_to_check, num_heads, (in_proj_weight, in_proj_bias), out_proj_weight, out_proj_bias)
    layer._qkv_same_embed_dim = not use_separate_proj_weight
    layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight = q_proj_weight, k_proj_weight, v_proj_weight
    layer.bias_k, layer.bias_v, layer.add_zero_attn = bias_k, bias_v, add_zero_attn
    layer.training, layer.dropout = training, dropout_p if training else 0.0
    if layer.head_dim * num_heads != embed_dim_to_check:
        raise AssertionError(f"embed_dim {embed_dim_to_check} not divisible by num_heads {num_heads}")
    return layer._ptc_attend(query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal, False)
