"""out= of functions of torch that are composed of operations."""
import torch
from _ptc_torch import _write_out

_COMPOSED = ("addbmm", "addr", "aminmax", "angle", "conj_physical", "float_power", "ger", "heaviside", "isin", "ldexp", "logaddexp2", "matrix_power", "msort",
             "nanmean", "nansum", "nanquantile", "narrow_copy", "quantile", "sinc", "take", "vdot")


def _taking_out(name, function):
    def of(*args, out=None, **named):
        result = function(*args, **named)
        return result if out is None else _write_out(name, result, out, (*args, *named.values()))
    of.__name__ = of.__qualname__ = name
    of.__wrapped__ = getattr(function, "__wrapped__", function)
    return of


for _name in _COMPOSED:
    setattr(torch, _name, _taking_out(_name, getattr(torch, _name)))
