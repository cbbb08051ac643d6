"""Attention and transformer layers of torch.nn."""
import copy
import math
import warnings
import torch
from torch import _refuse
from torch._casts import _check_no_autocast
from torch.nn import functional as F
from torch.nn.container import ModuleList
from torch.nn.module import Module
from torch.nn.modules import Dropout, LayerNorm, Linear
from torch.nn.parameter import Parameter


def _as_added(mask, kind, name="attn_mask"):
    """A boolean mask as numbers that are added to the scores."""
    if mask is None or mask.is_floating_point():
        return mask
    if mask.dtype != torch.bool:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    return torch.zeros(mask.shape, dtype=kind).masked_fill_(mask, float("-inf"))


def _is_differentiated(*tensors):
    return torch.is_grad_enabled() and any(t.requires_grad for t in tensors)


def _check_device(layer, device):
    if device is not None and torch.device(device).type == "meta":
        _refuse(f"torch.nn.{layer} on the device meta")


class NonDynamicallyQuantizableLinear(Linear):
    """The name that PyTorch gives the last projection."""


class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False,
                 add_zero_attn=False, kdim=None, vdim=None, batch_first=False, device=None,
                 dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError("embed_dim and num_heads must be greater than 0, "
                             f"got embed_dim={embed_dim} and num_heads={num_heads} instead")
        super().__init__()
        _check_device("MultiheadAttention", device)
        self.embed_dim, self.num_heads = embed_dim, num_heads
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.dropout, self.batch_first = dropout, batch_first
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim, "embed_dim must be divisible by num_heads"
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(torch.empty((3 * embed_dim, embed_dim), dtype=dtype))
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = Parameter(torch.empty((embed_dim, embed_dim), dtype=dtype))
            self.k_proj_weight = Parameter(torch.empty((embed_dim, self.kdim), dtype=dtype))
            self.v_proj_weight = Parameter(torch.empty((embed_dim, self.vdim), dtype=dtype))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(torch.empty(3 * embed_dim, dtype=dtype))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, dtype=dtype)
        if add_bias_kv:
            self.bias_k = Parameter(torch.empty((1, 1, embed_dim), dtype=dtype))
            self.bias_v = Parameter(torch.empty((1, 1, embed_dim), dtype=dtype))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _ptc_mode_matters(self):
        return self.dropout > 0

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            activation.xavier_uniform_(self.in_proj_weight)
        else:
            activation.xavier_uniform_(self.q_proj_weight)
            activation.xavier_uniform_(self.k_proj_weight)
            activation.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            activation.constant_(self.in_proj_bias, 0.0)
            activation.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            activation.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            activation.xavier_normal_(self.bias_v)

    def _ptc_project(self, query, key, value):
        e = self.embed_dim
        weights = self.in_proj_weight.split(e) if self._qkv_same_embed_dim else (
            self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)
        biases = (None,) * 3 if self.in_proj_bias is None else self.in_proj_bias.split(e)
        return [F.linear(t, w, b) for t, w, b in zip((query, key, value), weights, biases)]

    def _ptc_heads(self, x):
        return x.unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)

    def _ptc_mask(self, attn_mask, key_padding_mask, kind, extra):
        """One mask to add, [batch or 1, heads or 1, target or 1, source], or None."""
        if attn_mask is not None and key_padding_mask is not None and attn_mask.dtype != key_padding_mask.dtype:
            warnings._refuse_seen("masks of two types")
        mask = _as_added(attn_mask, kind)
        if mask is not None:
            if mask.dim() == 3:
                mask = mask.unflatten(0, (-1, self.num_heads))
            elif mask.dim() != 2:
                raise RuntimeError(f"attn_mask's dimension {mask.dim()} is not supported")
            mask = F.pad(mask, (0, extra)) if extra else mask
        padding = _as_added(key_padding_mask, kind, "key_padding_mask")
        if padding is None:
            return mask
        padding = padding.unsqueeze(1).unsqueeze(2)
        padding = F.pad(padding, (0, extra)) if extra else padding
        return padding if mask is None else mask + padding

    def _ptc_check(self, query, key, value, key_padding_mask, attn_mask):
        rank = query.dim()
        if rank not in (2, 3):
            raise AssertionError(f"query should be unbatched 2D or batched 3D tensor but received {rank}-D query tensor")
        if key.dim() != rank or value.dim() != rank:
            raise AssertionError(f"For {'' if rank == 3 else 'un'}batched ({rank}-D) `query`, expected `key` and `value` "
                                 f"to be {rank}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively")
        given = f"For {'' if rank == 3 else 'un'}batched ({rank}-D) `query`, expected"
        if key_padding_mask is not None and key_padding_mask.dim() != rank - 1:
            raise AssertionError(f"{given} `key_padding_mask` to be `None` or {rank - 1}-D but found "
                                 f"{key_padding_mask.dim()}-D tensor instead")
        if attn_mask is not None and attn_mask.dim() not in (2, 3):
            raise AssertionError(f"{given} `attn_mask` to be `None`, 2-D or 3-D but found "
                                 f"{attn_mask.dim()}-D tensor instead")
        if query.size(-1) != self.embed_dim:
            raise AssertionError(f"was expecting embedding dimension of {self.embed_dim}, but got {query.size(-1)}")
        if self._qkv_same_embed_dim and key.shape != value.shape:
            raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}")
        place = 0 if self.batch_first else 1
        if rank == 3 and key.size(place) != query.size(place):
            raise RuntimeError(f"shape '[{query.size(place)}, ...]' is invalid for keys of batch {key.size(place)}")

    def _ptc_has_kernel(self):
        """Whether eager has one kernel for self-attention of this form."""
        return (self.batch_first and self._qkv_same_embed_dim and self.in_proj_bias is not None
                and self.num_heads % 2 == 0)

    def _ptc_is_fused(self, query):
        """Whether eager computes self-attention of `query`, a batch, by that kernel if nothing else speaks against it."""
        is_fused = self._ptc_has_kernel() and query.dim() == 3 and not self.training and not torch.is_autocast_enabled()
        if is_fused:
            _check_no_autocast("self-attention in evaluation mode")    # eager asks for the mode of GPUs only
        return is_fused

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        is_fused = (query is key and key is value and self._ptc_is_fused(query) and self.bias_k is None
                    and not self.add_zero_attn
                    and all(m is None or m.dtype == torch.bool for m in (key_padding_mask, attn_mask))
                    and not _is_differentiated(query, self.in_proj_weight, self.in_proj_bias, *self.out_proj.parameters()))
        return self._ptc_attend(query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights,
                            is_causal, is_fused)

    def _ptc_attend(self, query, key, value, key_padding_mask, need_weights, attn_mask, average_attn_weights, is_causal,
                is_fused):
        batched = query.dim() == 3
        self._ptc_check(query, key, value, key_padding_mask, attn_mask)
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
                               "`generate_square_subsequent_mask` to create this mask.")
        if not batched:
            query, key, value = query.unsqueeze(0), key.unsqueeze(0), value.unsqueeze(0)
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
        elif not self.batch_first:
            query, key, value = query.transpose(0, 1), key.transpose(0, 1), value.transpose(0, 1)
        if attn_mask is not None:
            fits = (query.size(1), key.size(1))
            fits = fits if attn_mask.dim() == 2 else (query.size(0) * self.num_heads, *fits)
            if attn_mask.shape != fits:
                raise RuntimeError(f"The shape of the {attn_mask.dim()}D attn_mask is {attn_mask.shape}, but should be {fits}.")
        for d in (0, 1) if key_padding_mask is not None else ():
            if key_padding_mask.size(d) != key.size(d):
                raise AssertionError(f"Expected key_padded_mask.shape[{d}] to be {key.size(d)}, but got {key_padding_mask.size(d)}")
        q, k, v = self._ptc_project(query, key, value)
        if need_weights or is_fused or key_padding_mask is not None:
            is_causal = False
        elif is_causal:
            attn_mask = None
        extra = 0
        if self.bias_k is not None:
            k = torch.cat([k, self.bias_k.expand(k.size(0), 1, -1)], 1)
            v = torch.cat([v, self.bias_v.expand(v.size(0), 1, -1)], 1)
            extra += 1
        q, k, v = self._ptc_heads(q), self._ptc_heads(k), self._ptc_heads(v)
        if self.add_zero_attn:
            zeros = torch.zeros(k.size(0), self.num_heads, 1, self.head_dim, dtype=k.dtype)
            k, v = torch.cat([k, zeros], 2), torch.cat([v, zeros], 2)
            extra += 1
        mask = self._ptc_mask(attn_mask, key_padding_mask, q.dtype, extra)
        if need_weights or is_fused:
            # A step that may look at nothing has NaN for its result; in the other case it has 0.
            scores = (q * math.sqrt(1.0 / self.head_dim)) @ k.transpose(-2, -1)
            weight = (scores if mask is None else scores + mask).softmax(-1)
            if self.dropout:
                weight = F.dropout(weight, self.dropout, self.training)
            found = weight @ v
        else:
            found = F.scaled_dot_product_attention(q, k, v, mask, self.dropout if self.training else 0.0, is_causal)
        if is_fused:
            out = self.out_proj(found.transpose(1, 2).flatten(2))
            return out, (weight.mean(1) if average_attn_weights else weight) if need_weights else None
        # Like eager's, the result lies in memory with its steps outermost.
        out = self.out_proj(found.permute(2, 0, 1, 3).flatten(2))
        if not batched:
            out = out.squeeze(1)
        elif self.batch_first:
            out = out.transpose(0, 1)
        if not need_weights:
            return out, None
        weight = weight.mean(1) if average_attn_weights else weight
        return out, weight if batched else weight.squeeze(0)


def _activation_of(activation):
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    return F.relu if activation == "relu" else F.gelu


class _TransformerLayer(Module):
    """What both kinds of layers are made of; a decoder's also attends to the encoder's output."""

    _ptc_decodes = False

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu,
                 layer_norm_eps=1e-5, batch_first=False, norm_first=False, bias=True, device=None,
                 dtype=None):
        super().__init__()
        _check_device(type(self).__name__, device)
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        if self._ptc_decodes:
            self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, dtype=dtype)
        self.linear1 = Linear(d_model, dim_feedforward, bias, dtype=dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, dtype=dtype)
        self.norm_first = norm_first
        blocks = (1, 2, 3) if self._ptc_decodes else (1, 2)
        for n in blocks:
            setattr(self, f"norm{n}", LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype))
        for n in blocks:
            setattr(self, f"dropout{n}", Dropout(dropout))
        self.activation = _activation_of(activation)
        if isinstance(self, TransformerEncoderLayer):
            kind = self.activation
            self.activation_relu_or_gelu = (1 if kind is F.relu or isinstance(kind, torch.nn.ReLU) else
                                            2 if kind is F.gelu or isinstance(kind, torch.nn.GELU) else 0)

    def _sa_block(self, x, mask, padding, causal, is_fused=False):
        # Eager makes numbers of masks before it asks self_attn, which then is not fused itself.
        mask, padding = _as_added(mask, x.dtype), _as_added(padding, x.dtype)
        if is_fused:
            return self.self_attn._ptc_attend(x, x, x, padding, False, mask, True, False, True)[0]
        return self.dropout1(self.self_attn(x, x, x, attn_mask=mask, key_padding_mask=padding, is_causal=causal,
                                            need_weights=False)[0])

    def _ff_block(self, x):
        last = self.dropout3 if self._ptc_decodes else self.dropout2
        return last(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerEncoderLayer(_TransformerLayer):
    def _ptc_has_kernel(self):
        return self.self_attn._ptc_has_kernel() and bool(self.activation_relu_or_gelu) and self.norm1.eps == self.norm2.eps

    def _ptc_tensors(self):
        return [*self.self_attn.parameters(), *self.norm1.parameters(), *self.norm2.parameters(),
                *self.linear1.parameters(), *self.linear2.parameters()]

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        x = src
        is_fused = (self._ptc_has_kernel() and self.self_attn._ptc_is_fused(src) and not self.training
                    and not any(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in self.modules())
                    and not _is_differentiated(src, *self._ptc_tensors()))
        attention = (src_mask, src_key_padding_mask, is_causal, is_fused)
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *attention)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, *attention))
        return self.norm2(x + self._ff_block(x))


class TransformerDecoderLayer(_TransformerLayer):
    _ptc_decodes = True

    def _mha_block(self, x, memory, mask, padding, causal):
        return self.dropout2(self.multihead_attn(x, memory, memory, attn_mask=mask, key_padding_mask=padding,
                                                 is_causal=causal, need_weights=False)[0])

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        x = tgt
        target = (tgt_mask, tgt_key_padding_mask, tgt_is_causal)
        source = (memory_mask, memory_key_padding_mask, memory_is_causal)
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *target)
            x = x + self._mha_block(self.norm2(x), memory, *source)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *target))
        x = self.norm2(x + self._mha_block(x, memory, *source))
        return self.norm3(x + self._ff_block(x))


class TransformerEncoder(Module):
    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(encoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        self.use_nested_tensor = (enable_nested_tensor and isinstance(encoder_layer, TransformerEncoderLayer)
                                  and not encoder_layer.norm_first and encoder_layer._ptc_has_kernel())
        if enable_nested_tensor and not self.use_nested_tensor and warnings._is_watched():
            warnings._refuse_seen("torch.nn.TransformerEncoder(enable_nested_tensor=True) of such a layer")

    def _ptc_drops_padding(self, src, padding):
        """Whether eager computes the steps that are no padding only; then the others are 0."""
        first = self.layers[0]
        return (self.use_nested_tensor and not first.training and src.dim() == 3 and not torch.is_autocast_enabled()
                and not _is_differentiated(src, *first._ptc_tensors()))

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        output, padding = src, src_key_padding_mask
        for layer in self.layers:
            output = layer(output, src_mask=mask, src_key_padding_mask=padding, is_causal=bool(is_causal))
        if padding is not None and mask is None and self._ptc_drops_padding(src, padding):
            unused = padding if padding.dtype == torch.bool else padding != 0
            if self.mask_check:
                # Padding before a step that is none: eager keeps all of the batch.
                unused = unused & ((unused[:, 1:] | ~unused[:, :-1]).all())
            output = output.masked_fill(unused.unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    def __init__(self, decoder_layer, num_layers, norm=None):
        super().__init__()
        self.layers = ModuleList([copy.deepcopy(decoder_layer) for _ in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        output = tgt
        for layer in self.layers:
            output = layer(output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask,
                           tgt_key_padding_mask=tgt_key_padding_mask,
                           memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=bool(tgt_is_causal),
                           memory_is_causal=memory_is_causal)
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
                 dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        _check_device("Transformer", device)
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)
        self.encoder = custom_encoder or transformer.TransformerEncoder(
            transformer.TransformerEncoderLayer(*options, dtype=dtype), num_encoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype))
        self.decoder = custom_decoder or transformer.TransformerDecoder(
            transformer.TransformerDecoderLayer(*options, dtype=dtype), num_decoder_layers,
            LayerNorm(d_model, layer_norm_eps, bias=bias, dtype=dtype))
        for p in self.parameters():
            if p.dim() > 1:
                transformer.xavier_uniform_(p)
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
                memory_is_causal=False):
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                            tgt_is_causal, memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        return torch.triu(torch.full((sz, sz), float("-inf"), dtype=dtype), diagonal=1)


# What programs set there is looked up when it is needed.
from torch.nn.modules import activation, transformer  # noqa: E402
