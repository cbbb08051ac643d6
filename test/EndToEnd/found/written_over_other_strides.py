import torch


def entry(gaps, turned, index):
    first = gaps[0] * 1
    gaps += 1
    gaps[1].clamp_(-1, 6)
    gaps.t().mul_(2).sub_(0.5)
    gaps[gaps > 9] -= 1
    turned.scatter_(0, index, 5.0)
    turned.index_add_(0, index[0], turned * 1)
    copy = turned.clone()
    copy.cumprod_(1)
    both = [gaps.abs_(), copy]
    if turned.sum() > 8:
        copy.tril_()
    return first, gaps, {"turned": turned, "row": turned[0]}, copy.t().view(-1), copy.stride(), both
