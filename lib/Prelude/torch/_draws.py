"""Samples of categories, composed as eager composes them on the CPU: of the numbers that its generator draws."""
import math
import _ptc_aten as aten
import torch
from torch import _refuse

__all__ = ["multinomial"]


def multinomial(input, num_samples, replacement=False, *, generator=None, out=None):
    if out is not None:
        _refuse("torch.multinomial(out=…)")
    if isinstance(num_samples, (bool, float)):
        raise TypeError(f"multinomial(): argument 'num_samples' (position 2) must be int, not {type(num_samples).__name__}")
    narrow, shape, by_sums = input.dtype in (torch.float16, torch.bfloat16), input.shape, replacement and num_samples != 1
    if not input.is_floating_point() or len(shape) not in (1, 2) or (input.is_cuda if by_sums else narrow):
        return aten.multinomial(input, num_samples, replacement, generator=generator)
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    if shape[-1] > 1 << 24:
        raise RuntimeError("number of categories cannot exceed 2^24")
    if len(shape) == 2 and shape[0] == 0:
        return torch.empty(0, num_samples, dtype=torch.int64, device=input.device)
    if shape[-1] == 0:
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)" if by_sums else
                           "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    p = input.detach()
    if not by_sums:
        return _by_exponentials(p, num_samples, generator)
    return _by_sums(p.float() if narrow else p, num_samples, generator)


def _by_exponentials(p, num_samples, generator):
    """Without replacement, or one sample: where p / q is greatest for exponential q."""
    low, high = p.aminmax()
    if not ((high < math.inf) & (low >= 0)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (p == 0).all(-1).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    quotients = p / torch.empty_like(p).exponential_(1, generator=generator)
    return quotients.argmax(-1, keepdim=True) if num_samples == 1 else quotients.topk(num_samples)[1]


def _by_sums(p, num_samples, generator):
    """With replacement: the place of a uniform number among the sums so far, row by row."""
    if not (p >= 0).all():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if (p == math.inf).any():
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    if (p == 0).all(-1).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    sums = _sums(p)
    sums = (sums / sums[..., -1:])[..., :-1].double()        # the last one counts as 1, above all numbers
    drawn = torch.rand(*p.shape[:-1], num_samples, dtype=torch.float64, generator=generator)
    return (sums.unsqueeze(-2) < drawn.unsqueeze(-1)).sum(-1)


def _sums(p):
    """In the type of `p`, as eager's kernel adds; cumsum carries them in double precision."""
    if p.dtype == torch.float64:
        return p.cumsum(-1)
    sums = torch.empty_like(p)
    total = torch.zeros_like(p.select(-1, 0))
    for i in range(p.size(-1)):
        total = total + p.select(-1, i)
        sums.select(-1, i).copy_(total)
    return sums
