"""Losses of torch.nn.functional."""
import math
import warnings
import _ptc_aten as aten
import torch
from torch import _refuse
from torch._casts import _autocast_rule

__all__ = ["cross_entropy", "nll_loss", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss",
           "binary_cross_entropy", "binary_cross_entropy_with_logits", "kl_div", "cosine_embedding_loss",
           "margin_ranking_loss", "triplet_margin_loss", "poisson_nll_loss", "gaussian_nll_loss", "soft_margin_loss",
           "hinge_embedding_loss", "multilabel_soft_margin_loss", "ctc_loss", "multi_margin_loss",
           "triplet_margin_with_distance_loss"]


def _reduce(value, reduction):
    if reduction == "none":
        return value
    if reduction == "mean":
        return value.mean()
    if reduction == "sum":
        return value.sum()
    raise ValueError(f"{reduction} is not a valid value for reduction")


def _legacy(size_average, reduce, reduction):
    """What the arguments of old, size_average and reduce, say instead of `reduction`."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is not None and not reduce:
        reduction = "none"
    else:
        reduction = "mean" if size_average is None or size_average else "sum"
    warnings._of_library("size_average and reduce args will be deprecated, please use "
                         f"reduction='{reduction}' instead.")
    return reduction


def _compare_sizes(input, target):
    """Where nobody looks at the warning, nothing depends on the sizes."""
    if warnings._is_watched() and target.size() != input.size():
        warnings._of_library(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). "
                             "This will likely lead to incorrect results due to broadcasting. "
                             "Please ensure they have the same size.")


_REDUCTION = {"none": 0, "mean": 1, "sum": 2}


def _reduction(name):
    if name == "elementwise_mean":
        warnings._of_library("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        name = "mean"
    if name not in _REDUCTION:
        raise ValueError(f"{name} is not a valid value for reduction")
    return _REDUCTION[name]


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
                  reduction="mean", label_smoothing=0.0):
    reduction = _legacy(size_average, reduce, reduction)
    return aten.cross_entropy_loss(input, target, weight, _reduction(reduction), ignore_index,
                                        label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None,
             reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    return aten.nll_loss_nd(input, target, weight, _reduction(reduction), ignore_index)


def _weighted(errors, input, weight, reduction):
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")
    if reduction not in _REDUCTION:
        raise ValueError(f"Invalid reduction mode: {reduction}. Expected one of 'none', 'mean', 'sum'.")
    errors = errors * weight
    return errors.sum() / weight.sum() if reduction == "mean" else _reduce(errors, reduction)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _compare_sizes(input, target)
    reduction = _legacy(size_average, reduce, reduction)
    if weight is not None:
        return _weighted((input - target).pow(2), input, weight, reduction)
    return aten.mse_loss(input, target, _reduction(reduction))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    _compare_sizes(input, target)
    reduction = _legacy(size_average, reduce, reduction)
    if weight is not None:
        return _weighted((input - target).abs(), input, weight, reduction)
    return aten.l1_loss(input, target, _reduction(reduction))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    _compare_sizes(input, target)
    reduction = _legacy(size_average, reduce, reduction)
    if beta == 0:
        return aten.l1_loss(input, target, _reduction(reduction))
    return aten.smooth_l1_loss(input, target, _reduction(reduction), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    _compare_sizes(input, target)
    if weight is None:
        return aten.huber_loss(input, target, _reduction(reduction), delta)
    if reduction == "mean":                   # not over the sum of the weights, other than its neighbours
        return _weighted(aten.huber_loss(input, target, 0, delta), input, weight, "none").mean()
    return _weighted(aten.huber_loss(input, target, 0, delta), input, weight, reduction)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None,
                         reduction="mean"):
    reduction = _reduction(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(f"Using a target size ({target.size()}) that is different to the input size "
                         f"({input.size()}) is deprecated. Please ensure they have the same size.")
    if weight is not None:
        weight = weight.expand(torch.broadcast_shapes(target.size(), weight.size()))
    return aten.binary_cross_entropy(input, target, weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None,
                                     reduction="mean", pos_weight=None):
    reduction = _reduction(_legacy(size_average, reduce, reduction))
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    if size_average is None and reduce is None and reduction == "mean":
        warnings._of_library("reduction: 'mean' divides the total loss by both the batch size and the support size."
                             "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
                             "'mean' will be changed to behave the same as 'batchmean' in the next major release.")
    reduction = _legacy(size_average, reduce, reduction)
    if reduction == "batchmean":
        sum = torch.kl_div(input, target, 2, log_target=log_target)
        return sum / input.size(0) if input.dim() else sum
    return torch.kl_div(input, target, _reduction(reduction), log_target=log_target)


@_autocast_rule("float32", "float32")
def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                          reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    _reduction(reduction)
    one = target.dim() == 0
    if target.dim() > 1 or input1.dim() != input2.dim() or input1.dim() != (1 if one else 2):
        raise RuntimeError("0D or 1D target tensor expected, and inputs of one more dimension; got sizes "
                           f"{input1.size()}, {input2.size()}, {target.size()}")
    dim = target.dim()
    square1, square2 = (input1 * input1).sum(dim) + 1e-12, (input2 * input2).sum(dim) + 1e-12
    cos = (input1 * input2).sum(dim) / (square1 * square2).sqrt()
    zeros = torch.zeros_like(cos)
    loss = torch.where(target == 1, 1 - cos, zeros) + torch.where(target == -1, (cos - margin).clamp_min(0), zeros)
    return _reduce(loss, reduction)


@_autocast_rule("float32", "float32")
def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None,
                        reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    _reduction(reduction)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: "
                           f"input1: {input1.size()}, input2: {input2.size()}, target: {target.size()} ")
    return _reduce((-target * (input1 - input2) + float(margin)).clamp_min(0), reduction)


@_autocast_rule("float32", "float32")
def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False,
                        size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    if not anchor.dim() == positive.dim() == negative.dim():
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of "
                           f"dimensions, but got: anchor {anchor.dim()}D, positive {positive.dim()}D, and negative "
                           f"{negative.dim()}D inputs")
    near = torch.pairwise_distance(anchor, positive, p, eps)
    far = torch.pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = torch.minimum(far, torch.pairwise_distance(positive, negative, p, eps))
    return _reduce((near - far + margin).clamp_min(0), reduction)


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
                           f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs")
    distance = torch.pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = torch.minimum(far, distance(positive, negative))
    return _reduce(torch.clamp_min(margin + near - far, 0), reduction)


@_autocast_rule("float32", "float32")
def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    _reduction(reduction)
    if p != 1 and p != 2:
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    if input.dim() != 2 or target.dim() != 1 or target.size(0) != input.size(0) or input.numel() == 0:
        _refuse("torch.nn.functional.multi_margin_loss of these sizes")
    is_fit = weight is None or weight.dtype == input.dtype and weight.size(0) == input.size(1)
    if input.dtype not in (torch.float32, torch.float64) or target.dtype != torch.int64 or not is_fit:
        _refuse("torch.nn.functional.multi_margin_loss of these types, or with a weight of another size")
    at = target.unsqueeze(1)
    loss = (input - input.gather(1, at) + margin).clamp_min(0)
    if p == 2:
        loss = loss * loss
    if weight is not None:
        loss = loss * weight[at]
    loss = loss.scatter(1, at, torch.zeros_like(at, dtype=loss.dtype)).sum(1) / input.size(1)
    return _reduce(loss, reduction)


@_autocast_rule("float32", "float32")
def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None,
                     reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    _reduction(reduction)
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return _reduce(loss, reduction)


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * torch.ones_like(input)
    elif torch.any(var < 0):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif input.dim() != var.dim() or sum(n for m, n in zip(input.size(), var.size()) if m != n) != 1:
            raise ValueError("var is of incorrect size")
    if reduction not in _REDUCTION:
        raise ValueError(reduction + " is not valid")
    var = var.clone().clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduce(loss, reduction)


@_autocast_rule("float32", "float32")
def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    if not input.is_floating_point():
        _refuse("torch.nn.functional.soft_margin_loss of integers")
    return _reduce((input * -target).exp().log1p(), reduction)


@_autocast_rule("float32", "float32")
def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    if not input.is_floating_point():
        _refuse("torch.nn.functional.hinge_embedding_loss of integers")
    zeros = torch.zeros_like(input)
    loss = torch.where(target != 1, (margin - input).clamp_min(0), zeros) + torch.where(target != -1, input, zeros)
    return _reduce(loss, reduction)


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy(size_average, reduce, reduction)
    loss = -(target * aten.log_sigmoid(input) + (1 - target) * aten.log_sigmoid(-input))
    if weight is not None:
        loss = loss * weight
    if reduction not in _REDUCTION:
        raise ValueError(f"{reduction} is not valid")
    return _reduce(loss.sum(input.dim() - 1) / input.size(input.dim() - 1), reduction)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    return torch.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, _reduction(reduction), zero_infinity)


for _loss in (cosine_embedding_loss, hinge_embedding_loss, margin_ranking_loss, poisson_nll_loss, soft_margin_loss, triplet_margin_loss):
    _loss.__module__ = "torch.nn.functional"
