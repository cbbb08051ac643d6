"""torch.ctc_loss: the recursion over time of Graves et al. (2006), for all targets of a batch at once."""
import math
import torch
from torch import is_tensor
from torch._casts import _autocast_rule
from torch._math import _scalar_name

__all__ = ["ctc_loss"]

_WHERE = "(while checking arguments for ctc_loss_allocate_outputs)"


@_autocast_rule("float32")
def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction=1, zero_infinity=False):
    if is_tensor(input_lengths) != is_tensor(target_lengths):
        raise TypeError("ctc_loss() received an invalid combination of arguments")
    for name, given in (("input_lengths", input_lengths), ("target_lengths", target_lengths)):
        if is_tensor(given):
            if given.is_floating_point() or given.is_complex():
                raise RuntimeError(f"{name} must be integral")
        elif not isinstance(given, (list, tuple)):
            raise TypeError("ctc_loss() received an invalid combination of arguments")
    is_batched = log_probs.dim() == 3
    probs = log_probs if is_batched else log_probs.unsqueeze(1)
    losses, lengths = _losses(probs, targets, input_lengths, target_lengths, blank)
    if zero_infinity:
        losses = torch.where(losses == math.inf, 0, losses)
    if reduction == 1:
        losses = (losses / lengths.clamp_min(1).to(losses.dtype)).mean()
    elif reduction == 2:
        losses = losses.sum()
    return losses if is_batched else losses.squeeze(0)


def _losses(probs, targets, input_lengths, target_lengths, blank):
    """The loss of each sequence, and the lengths of the targets as a tensor."""
    if probs.dtype not in (torch.float32, torch.float64):
        raise NotImplementedError(f'"ctc_loss_cpu" not implemented for \'{_scalar_name(probs.dtype)}\'')
    if probs.numel() == 0:
        raise RuntimeError("log_probs tensor must not be empty")
    if probs.dim() != 3:
        raise RuntimeError(f"Expected 3-dimensional tensor, but got {probs.dim()}-dimensional tensor for argument #1 "
                           f"'log_probs' {_WHERE}")
    if not 1 <= targets.dim() <= 2:
        raise RuntimeError(f"Expected 1 to 2 dimensions, but got {targets.dim()}-dimensional tensor for argument #2 'targets' {_WHERE}")
    steps, count, classes = probs.shape
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    times = _lengths("input_lengths", input_lengths, count)
    if (times > steps).any():
        raise RuntimeError(f"Expected input_lengths to have value at most {steps} {_WHERE}")
    lengths = _lengths("target_lengths", target_lengths, count)
    labels = _padded(targets.long(), target_lengths, lengths, blank)
    return -_likelihoods(probs, labels, times, lengths, blank), lengths


def _lengths(name, given, count):
    made = (given if is_tensor(given) else torch.tensor(given, dtype=torch.int64)).long().reshape(-1)
    if made.size(0) != count:
        raise RuntimeError(f"{name} must be of size batch_size")
    if (made < 0).any():
        raise RuntimeError(f"Expected {name} to have value at least 0 {_WHERE}")
    return made


def _padded(targets, given, lengths, blank):
    """A row of labels for each sequence, with blanks behind its end. Of targets that stand one behind the other, and
    whose lengths are not known, a row may have all."""
    longest = lengths.max().item() if is_tensor(given) else max(given)
    if targets.dim() == 2:
        rows, width = targets.shape
        if rows != lengths.size(0):
            raise RuntimeError(f"Expected tensor to have size {lengths.size(0)} at dimension 0, but got size {rows} for "
                               f"argument #2 'targets' {_WHERE}")
        if longest > width:
            raise RuntimeError(f"Expected tensor to have size at least {longest} at dimension 1, but got size {width} for "
                               f"argument #2 'targets' {_WHERE}")
    else:
        width, total = (targets.size(0), lengths.sum().item()) if is_tensor(given) else (longest, sum(given))
        if total != targets.size(0):
            raise RuntimeError(f"Expected tensor to have size {total} at dimension 0, but got size {targets.size(0)} for "
                               f"argument #2 'targets' {_WHERE}")
    places = torch.arange(width)
    is_label = places < lengths.unsqueeze(1)
    if targets.dim() == 1:
        begins = lengths.cumsum(0) - lengths
        joined = torch.cat([targets, targets.new_zeros(1)])
        targets = joined[torch.where(is_label, begins.unsqueeze(1) + places, 0)]
    return torch.where(is_label, targets, blank)


def _likelihoods(probs, labels, times, lengths, blank):
    """The logarithm of what all alignments of a sequence have together. State 2 i is the blank in front of label i,
    state 2 i + 1 the label."""
    count, width = labels.shape
    states = torch.stack([torch.full_like(labels, blank), labels], 2).reshape(count, 2 * width)
    states = torch.cat([states, states.new_full((count, 1), blank)], 1)
    skips = torch.cat([torch.zeros(count, min(2, 2 * width + 1), dtype=torch.bool), states[:, 2:] != states[:, :-2]], 1)
    emitted = probs.gather(2, states.unsqueeze(0).expand(probs.size(0), -1, -1))
    none = torch.full_like(emitted[0], -math.inf)
    begins = torch.arange(2 * width + 1) < torch.where(lengths > 0, 2, 1).unsqueeze(1)
    alpha = torch.where(begins, emitted[0], none)
    for t in range(1, probs.size(0)):
        before = torch.cat([none[:, :1], alpha[:, :-1]], 1)
        skipped = torch.where(skips, torch.cat([none[:, :2], alpha[:, :-2]], 1)[:, : 2 * width + 1], none)
        alpha = torch.where((t < times).unsqueeze(1), _log_of_sum(alpha, before, skipped) + emitted[t], alpha)
    last = 2 * lengths.unsqueeze(1)
    ends = _log_of_sum(alpha.gather(1, last), torch.where(last > 0, alpha.gather(1, (last - 1).clamp_min(0)), -math.inf))
    found = torch.where(lengths > 0, ends.squeeze(1), alpha[:, 0])
    return torch.where(times > 0, found, torch.where(lengths > 0, -math.inf, 0))


def _log_of_sum(*terms):
    most = terms[0]
    for term in terms[1:]:
        most = torch.maximum(most, term)
    most = torch.where(most == -math.inf, 0, most)
    total = (terms[0] - most).exp()
    for term in terms[1:]:
        total = total + (term - most).exp()
    return total.log() + most
