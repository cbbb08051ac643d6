"""flex_attention: scores that a function of positions changes, and masks that one decides. A block mask is its function here: which blocks
it leaves out makes a difference to time alone."""
import math
import torch
from _ptc_torch import _is_for_each, _kinds_since, _recorded, _refuse
from collections import namedtuple

_DEFAULT_SPARSE_BLOCK_SIZE = 128


def noop_mask(batch, head, token_q, token_kv):
    return batch.new_ones(size=(), dtype=torch.bool, device=batch.device)


def _identity(score, batch, head, token_q, token_kv):
    return score


def and_masks(*mask_mods):
    if not all(map(callable, mask_mods)):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def and_mask(b, h, q_idx, kv_idx):
        result = b.new_ones((), dtype=torch.bool)
        for mask in mask_mods:
            result = result & mask(b, h, q_idx, kv_idx)
        return result
    return and_mask


def or_masks(*mask_mods):
    if not all(map(callable, mask_mods)):
        raise RuntimeError(f"All inputs should be callable mask_mods: {mask_mods}")

    def or_mask(b, h, q_idx, kv_idx):
        result = b.new_zeros((), dtype=torch.bool)
        for mask in mask_mods:
            result = result | mask(b, h, q_idx, kv_idx)
        return result
    return or_mask


def _positions(B, H, Q_LEN, KV_LEN, device):
    """Of all scores at once, to be broadcast."""
    return [torch.arange(size, device=device).view([-1 if at == d else 1 for at in range(4)]) for d, size in enumerate((B, H, Q_LEN, KV_LEN))]


def _called(what, mod, given):
    """(result, is what it does pointwise?)."""
    for t in given:
        t + 0                                              # reading a view is no operation of the function
    recorded = _recorded()
    result = mod(*given)
    if not _is_for_each(recorded, ()):
        _refuse(f"flex_attention with a {what} that prints, changes objects, or writes in place to what it has not made")
    return result, all(_kinds_since(recorded, tuple(given))[:2]) and isinstance(result, torch.Tensor)


def _of_all(what, mod, *given):
    """A function of single scores and positions, called once for all. That gives the same where it does pointwise operations alone, and
    where one dimension more in front of all is one of the result: an index of one position after the other tells them apart."""
    result, is_pointwise = _called(what, mod, given)
    wider, _ = _called(what, mod, [t.unsqueeze(0) for t in given])
    if not is_pointwise or not (wider.shape == (1, *result.shape) and result.dim() == 4 or wider.dim() == result.dim() == 0):
        _refuse(f"flex_attention with a {what} that is not pointwise: index tensors with all positions at once")
    return result


class BlockMask:
    """`mask_mod`, and the lengths that it was made for; a length of None: any."""

    def __init__(self, seq_lengths, shape, BLOCK_SIZE, mask_mod):
        self.seq_lengths, self.shape, self.BLOCK_SIZE, self.mask_mod = seq_lengths, shape, BLOCK_SIZE, mask_mod

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"'BlockMask' object has no attribute '{name}'")
        return _refuse(f"torch.nn.attention.flex_attention.BlockMask.{name}")

    def __getitem__(self, index):
        _refuse("a part of a BlockMask")

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self):
        return math.prod(self.shape)

    def to(self, device):
        return self


def create_mask(mod_fn, B, H, Q_LEN, KV_LEN, device=None):
    B, H = 1 if B is None else B, 1 if H is None else H
    positions = _positions(B, H, Q_LEN, KV_LEN, "cpu" if device is None else device)
    if _takes_scores(mod_fn):
        scores = torch.zeros(B, H, Q_LEN, KV_LEN, device=device)
        return torch.where(torch.isneginf(_of_all("score_mod", mod_fn, scores, *positions)), False, True)
    return _of_all("mask_mod", mod_fn, *positions).expand(B, H, Q_LEN, KV_LEN)


def _takes_scores(mod_fn):
    import inspect
    needed = [p for p in inspect.signature(mod_fn).parameters.values() if p.default is inspect.Parameter.empty]
    if len(needed) not in (4, 5):
        _refuse("a function for flex_attention that takes neither four nor five arguments")
    return len(needed) == 5


def create_block_mask(mask_mod, B, H, Q_LEN, KV_LEN, device=None, BLOCK_SIZE=_DEFAULT_SPARSE_BLOCK_SIZE, _compile=False,
                      separate_full_blocks=True, compute_dq_write_order=False, dq_kv_order=True):
    if _takes_scores(mask_mod):
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    B, H = 1 if B is None else B, 1 if H is None else H
    sizes = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else tuple(BLOCK_SIZE)
    return BlockMask((Q_LEN, KV_LEN), (B, H, Q_LEN, KV_LEN), sizes, mask_mod)


AuxRequest = namedtuple("AuxRequest", ("lse", "max_scores"), defaults=(False, False))
AuxOutput = namedtuple("AuxOutput", ("lse", "max_scores"), defaults=(None, None))


def _check(query, key, value, block_mask, enable_gqa):
    if query.dtype != key.dtype or query.dtype != value.dtype:
        _refuse("flex_attention of different element types")
    if query.dim() != 4 or key.dim() != 4 or value.dim() != 4:
        raise NotImplementedError("NYI: query, key, and value must be 4D tensors")
    if query.size(-1) != key.size(-1):
        raise ValueError(f"Expect query and key/value to have the same embedding dimension but got E={query.size(-1)} and E={key.size(-1)}.")
    heads, shared = query.size(1), key.size(1)
    if not enable_gqa and heads != shared:
        raise ValueError(f"Expect query and key/value to have the same number of heads but got Hq={heads} and Hkv={shared}. "
                         "Try setting enable_gqa=True for GQA.")
    if enable_gqa and heads % shared:
        raise ValueError("Expect number of query heads to be a multiple of kv heads for GQA "
                         f"but got Hq={heads} and Hkv={shared}.")
    if query.size(0) != key.size(0):
        _refuse("flex_attention of different batch sizes")
    if block_mask is not None and (query.size(-2), key.size(-2)) != block_mask.seq_lengths:
        raise ValueError(f"block_mask was created for block_mask.shape={block_mask.shape} but got q_len={query.size(-2)} and kv_len={key.size(-2)}.")


def _laid_out_as(out, query):
    """The result lies in memory in the order of the query's dimensions."""
    order = sorted(range(4), key=lambda d: -query.stride(d))
    if order == [0, 1, 2, 3]:
        return out
    return out.permute(order).contiguous().permute([order.index(d) for d in range(4)])


def flex_attention(query, key, value, score_mod=None, block_mask=None, scale=None, enable_gqa=False, return_lse=False, kernel_options=None, *,
                   return_aux=None):
    _check(query, key, value, block_mask, enable_gqa)
    if return_lse and return_aux is not None:
        raise ValueError("Cannot specify both return_lse and return_aux. return_lse is deprecated, please use return_aux=AuxRequest(lse=True) instead.")
    if enable_gqa:
        shared = query.size(1) // key.size(1)
        key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
    B, H, L, _ = query.shape
    S = key.size(-2)
    working = torch.float64 if query.dtype == torch.float64 else torch.float32
    scores = query.to(working) @ key.to(working).transpose(-2, -1) * (1.0 / math.sqrt(query.size(-1)) if scale is None else scale)
    positions = _positions(B, H, L, S, query.device)
    if score_mod is not None:
        scores = _of_all("score_mod", score_mod, scores, *positions).expand(B, H, L, S).to(working)
    if block_mask is not None:
        scores = torch.where(_of_all("mask_mod", block_mask.mask_mod, *positions).expand(B, H, L, S), scores, float("-inf"))
    # A row in which nothing is left has no weights.
    weights = torch.where((scores == float("-inf")).all(-1, keepdim=True), 0.0, torch.softmax(scores, -1))
    out = _laid_out_as(weights.to(query.dtype) @ value, query)
    if return_aux is not None and return_aux.max_scores:
        raise NotImplementedError("Returning max scores is not supported on CPU.") if query.device.type == "cpu" else _refuse("flex_attention with max_scores")
    if return_aux is None:
        return (out, scores.logsumexp(-1)) if return_lse else out
    return out, AuxOutput(scores.logsumexp(-1) if return_aux.lse else None)
