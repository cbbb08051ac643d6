"""torch.special: names of the operation table come through the module's fallback."""
import math
import torch


def _named(own, name):
    def function(*args, **kwargs):
        return getattr(torch, name)(*args, **kwargs)
    function.__module__ = "torch._C._special"
    function.__name__ = function.__qualname__ = "special_" + own
    return function


expit, gammaln = _named("expit", "sigmoid"), _named("gammaln", "lgamma")
exp2, expm1, log1p, logit, digamma = (_named(n, n) for n in ("exp2", "expm1", "log1p", "logit", "digamma"))
erf, erfc, erfinv, logsumexp = (_named(n, n) for n in ("erf", "erfc", "erfinv", "logsumexp"))
round, sinc, xlogy = (_named(n, n) for n in ("round", "sinc", "xlogy"))


def ndtr(input):
    return (1 + torch.erf(input * math.sqrt(0.5))) * 0.5


def softmax(input, dim, *, dtype=None):
    return torch.softmax(input, dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None):
    return torch.log_softmax(input, dim, dtype=dtype)
