"""torch.special: names of the operation table come through the module's fallback."""
import math
import torch


def _named(name):
    def function(*args, **kwargs):
        return getattr(torch, name)(*args, **kwargs)
    function.__name__ = name
    return function


expit, exp2, expm1, log1p, logit = (_named(n) for n in ("sigmoid", "exp2", "expm1", "log1p", "logit"))
erf, erfc, erfinv, logsumexp = (_named(n) for n in ("erf", "erfc", "erfinv", "logsumexp"))
round, sinc, xlogy, gammaln, digamma = (_named(n) for n in ("round", "sinc", "xlogy", "lgamma", "digamma"))


def ndtr(input):
    return (1 + torch.erf(input * math.sqrt(0.5))) * 0.5


def softmax(input, dim, *, dtype=None):
    return torch.softmax(input, dim, dtype=dtype)


def log_softmax(input, dim, *, dtype=None):
    return torch.log_softmax(input, dim, dtype=dtype)
