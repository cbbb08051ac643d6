"""torch.sym_* and torch._check*: functions that torch has for numbers which may be sizes; here numbers are themselves."""
import math
import warnings

import torch


def sym_not(a):
    return a.__sym_not__() if hasattr(a, "__sym_not__") else not a


def sym_float(a):
    return a.__sym_float__() if hasattr(a, "__sym_float__") else float(a)


def sym_int(a):
    return int(a)


def _chosen(choose, a, b):
    for v in (a, b):
        if not isinstance(v, (int, float)):
            raise AssertionError(f"expected (<class 'numpy.integer'>, <class 'numpy.floating'>, <class 'int'>, <class 'float'>), got {type(v)}")
    if isinstance(a, float) or isinstance(b, float):
        return float(choose(a, b))
    return choose(a, b)


def sym_max(a, b):
    return _chosen(max, a, b)


def sym_min(a, b):
    return _chosen(min, a, b)


def sym_sum(*args):
    if len(args) == 1 and isinstance(args[0], (list, tuple)):
        args = args[0]
    return sum(args)


def sym_ite(b, t, f):
    if not isinstance(b, bool):
        raise AssertionError(f"expected SymBool or bool, got {type(b)}")
    if type(t) is not type(f):
        raise AssertionError(f"type mismatch: {type(t)} vs {type(f)}")
    return t if b else f


def sym_fresh_size(expr):
    return torch.tensor(expr).item()


def _sym_sqrt(a):
    return math.sqrt(a)


def _sym_cos(a):
    return math.cos(a)


def _sym_cosh(a):
    return math.cosh(a)


def _sym_sin(a):
    return math.sin(a)


def _sym_sinh(a):
    return math.sinh(a)


def _sym_tan(a):
    return math.tan(a)


def _sym_tanh(a):
    return math.tanh(a)


def _sym_asin(a):
    return math.asin(a)


def _sym_acos(a):
    return math.acos(a)


def _sym_atan(a):
    return math.atan(a)


def _sym_log2(a):
    return math.log2(a)


sym_sqrt = _sym_sqrt


def _check_with(error_type, cond, message):
    if not isinstance(cond, bool):
        if isinstance(cond, torch.Tensor):
            raise TypeError("cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() "
                            "to assert that all elements are true.")
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if not issubclass(error_type, Exception) or issubclass(error_type, Warning):
        raise AssertionError(f"error_type must be a subclass of Exception but not Warning, got {error_type}")
    if message is None:
        text = ("Expected cond to be True, but got False. (Could this error message be improved? "
                "If so, please report an enhancement request to PyTorch.)")
    else:
        if not callable(message):
            raise TypeError("message must be a callable")
        text = str(message())
    raise error_type(text)


def _check(cond, message=None):
    _check_with(RuntimeError, cond, message)


def _check_is_size(i, message=None, *, max=None):
    warnings.warn("_check_is_size will be removed in a future PyTorch release along with guard_size_oblivious.     "
                  "Use _check(i >= 0) instead.", FutureWarning, 2)
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_index(cond, message=None):
    _check_with(IndexError, cond, message)


def _check_value(cond, message=None):
    _check_with(ValueError, cond, message)


def _check_type(cond, message=None):
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond, message=None):
    _check_with(NotImplementedError, cond, message)


def _check_tensor_all_with(error_type, cond, message=None):
    if not torch.is_tensor(cond):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if not cond.dtype == torch.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, cond.all().item(), message)


def _check_tensor_all(cond, message=None):
    _check_tensor_all_with(RuntimeError, cond, message)
