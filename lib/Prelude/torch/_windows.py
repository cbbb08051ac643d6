"""Window functions of torch, composed as ATen composes them (TensorFactories.cpp)."""
import math
import torch

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window"]


_C_NAMES = {torch.uint8: "unsigned char", torch.int8: "signed char", torch.int16: "short int", torch.int32: "int",
            torch.int64: "long int", torch.bool: "bool"}


def _checked(name, length, dtype):
    dtype = torch.get_default_dtype() if dtype is None else dtype
    if not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"{name} expects floating point dtypes, got: TensorOptions(dtype={_C_NAMES[dtype]}, device=cpu, "
                           "layout=Strided (default), requires_grad=false (default), pinned_memory=false, "
                           "memory_format=(nullopt))")
    if length < 0:
        raise RuntimeError(f"{name} requires non-negative window_length, got window_length={length}")
    return dtype


def _window(length, periodic, dtype, shape):
    """`shape(places, last)` of the places 0..last; a periodic window lacks the last of one place more."""
    if length == 0:
        return torch.empty(0, dtype=dtype)
    if length == 1:
        return torch.ones(1, dtype=dtype)
    made = shape(torch.arange(length + 1 if periodic else length, dtype=dtype), length if periodic else length - 1)
    return made.narrow(0, 0, length) if periodic else made


def _cosine(alpha, beta):
    return lambda places, last: places.mul_(math.pi * 2.0 / last).cos_().mul_(-beta).add_(alpha)


def _finish(made, requires_grad):
    return made.requires_grad_() if requires_grad else made


def hamming_window(window_length, periodic=True, alpha=0.54, beta=0.46, *, dtype=None, layout=None, device=None,
                   pin_memory=False, requires_grad=False):
    dtype = _checked("hamming_window", window_length, dtype)
    return _finish(_window(window_length, periodic, dtype, _cosine(alpha, beta)), requires_grad)


def hann_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False,
                requires_grad=False):
    dtype = _checked("hann_window", window_length, dtype)
    return _finish(_window(window_length, periodic, dtype, _cosine(0.5, 0.5)), requires_grad)


def blackman_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False,
                    requires_grad=False):
    def shape(places, last):
        places.mul_(math.pi / last)
        return places.mul(4).cos_().mul_(0.08) - places.mul(2).cos_().mul_(0.5) + 0.42
    dtype = _checked("blackman_window", window_length, dtype)
    return _finish(_window(window_length, periodic, dtype, shape), requires_grad)


def bartlett_window(window_length, periodic=True, *, dtype=None, layout=None, device=None, pin_memory=False,
                    requires_grad=False):
    def shape(places, last):
        places.mul_(2.0 / last)
        half = (last >> 1) + 1
        places.narrow(0, half, last + 1 - half).mul_(-1).add_(2)
        return places
    dtype = _checked("bartlett_window", window_length, dtype)
    return _finish(_window(window_length, periodic, dtype, shape), requires_grad)
