"""Tensors filled in place with numbers of a distribution, bit for bit those of eager for the same seed."""
import torch

LEAST = -2 ** 63
G = torch.Generator().manual_seed(5)


def _raised(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__, str(e)
    return None


def _reals(t, g=None):
    return [t.exponential_(2.5, generator=g).clone(), t.log_normal_(0.5, 0.25, generator=g).clone(),
            t.cauchy_(1, 0.5, generator=g).clone(), t.geometric_(0.3, generator=g).clone(), t.exponential_().clone(),
            t.log_normal_().clone(), t.cauchy_().clone(), t.uniform_(-1, 3).clone()]


def _whole(t):
    out = [t.random_().clone(), t.random_(2).clone(), t.random_(0, 1).clone(), t.random_(1, None).clone(),
           t.random_(to=2).clone(), t.random_(2, generator=G).clone()]
    if t.dtype != torch.bool:
        out += [t.random_(**{'from': 3, 'to': 101}).clone(), t.geometric_(0.2).clone(), t.geometric_(1e-3).clone()]
    return out


def of_every_size(x):
    torch.manual_seed(3)
    out = []
    for size in (1, 15, 16, 17, 40):
        for dtype in (torch.float32, torch.float64):
            out += _reals(torch.empty(size, dtype=dtype))
    return out, torch.rand(1) + x


def of_every_order(x):
    torch.manual_seed(4)
    out = []
    for t in (torch.zeros(4, 6).t(), torch.zeros(2, 3, 4, 5).to(memory_format=torch.channels_last),
              torch.zeros(8, 8)[:, ::2], torch.zeros(6, 8).t()[1:5, ::3], torch.zeros(40)[3:30], torch.zeros(3, 0, 2),
              torch.zeros(())):
        out += _reals(t) + [t.random_().clone(), t.random_(100).clone()]
    part = torch.zeros(5, 7)
    part[1::2, 2:5].exponential_()
    part[0].random_(9)
    part.t()[6].cauchy_()
    return out, part, torch.rand(1) + x


def whole_numbers(x):
    torch.manual_seed(6)
    out = []
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool, torch.float64,
                  torch.float32):
        out += _whole(torch.empty(9, dtype=dtype))
    for dtype in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
        out += [torch.empty(9, dtype=dtype).geometric_(1e-12)]
    return out, torch.rand(1) + x


def bounds(x):
    torch.manual_seed(7)
    i, f = torch.empty(7, dtype=torch.int64), torch.empty(7)
    return [i.random_(-5, None), i.random_(LEAST, None).clone(), i.random_(LEAST, 2 ** 63 - 1).clone(),
            i.random_(2 ** 28).clone(), i.random_(2 ** 28 - 1).clone(), i.random_(-2 ** 40, 2 ** 40).clone(),
            f.random_(2 ** 24 - 1, 2 ** 24 + 1).clone(), f.random_(LEAST, None).clone(), f.random_(-9, None).clone(),
            f.random_(2 ** 30, 2 ** 30 + 777).clone(), f.random_(-2 ** 31 - 999, -2 ** 31 + 5).clone(),
            torch.randint(2 ** 25 + 5, (40,), dtype=torch.float32), torch.randint(-128, 128, (5,), dtype=torch.int8),
            torch.randint(2, (9,), dtype=torch.bool)], x


def goes_on(x):
    t = torch.empty_like(x)
    return t.exponential_(generator=G).clone(), t.log_normal_(generator=G).clone(), t.random_(50, generator=G)


def parameters_of_the_run(x):
    torch.manual_seed(8)
    rate = (x.abs().max() + 0.5).item()
    share = torch.sigmoid(x[0]).item()
    t = torch.empty(5, dtype=torch.float64)
    return t.exponential_(rate).clone(), t.geometric_(share).clone(), t.cauchy_(x[1].item(), rate), t.log_normal_(rate)


def negative_of_the_run(x):
    torch.manual_seed(8)
    t = torch.empty(5, dtype=torch.float64)
    return t.exponential_(rate) if (rate := x[0].item()) > 1 else t.exponential_(rate - 9)


def refused(x):
    t = torch.empty(3)
    n = t.long()
    return [_raised(f) for f in (
        lambda: t.exponential_(0), lambda: t.exponential_(float('nan')), lambda: n.exponential_(),
        lambda: t.log_normal_(0, 0), lambda: n.log_normal_(), lambda: t.cauchy_(0, -1.5), lambda: n.cauchy_(),
        lambda: n[:0].cauchy_(), lambda: t.geometric_(1), lambda: t.geometric_(-0.5), lambda: t.bool().geometric_(0.5),
        lambda: t.expand(2, 3).exponential_(), lambda: t.expand(2, 3).random_(9))], x


def refused_bounds(x):
    t = torch.empty(3)
    h, b, s = t.half(), t.bfloat16(), t.to(torch.int8)
    return [_raised(f) for f in (
        lambda: t.random_(0), lambda: t.random_(5, 2), lambda: t[:0].random_(5, 3), lambda: h.random_(70000),
        lambda: h.random_(-65505, 3), lambda: h.random_(-70000, 3), lambda: h.random_(LEAST, None),
        lambda: b.random_(257, None), lambda: t.random_(2 ** 24, None), lambda: t.random_(2 ** 30, None),
        lambda: t.random_(2 ** 30, 2 ** 30 + 2), lambda: s.random_(-200, 100), lambda: s.random_(129),
        lambda: s[:0].random_(5000), lambda: s.random_(LEAST, None), lambda: t.bool().random_(3),
        lambda: t.bool().random_(2, None), lambda: t.byte().random_(-1, None),
        lambda: torch.randint(300, (2,), dtype=torch.int8), lambda: torch.randint(-5, 2, (0,), dtype=torch.uint8),
        lambda: torch.randint(70000, (2,), dtype=torch.float16))], x
