"""Pools of torch.nn.functional that are made of others, and their inverses."""
import _ptc_aten as aten
import torch
from torch import _refuse
from torch._casts import _autocast_rule

__all__ = ["lp_pool1d", "lp_pool2d", "lp_pool3d", "max_unpool1d", "max_unpool2d", "max_unpool3d"]


def _args(kernel_size, stride, dims):
    kernel, step = [[value] * dims if isinstance(value, int) else value if value is None else list(value) for value in (kernel_size, stride)]
    return kernel, step or kernel


def _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, dims):
    if dims == 1 and not (isinstance(kernel_size, int) and (stride is None or isinstance(stride, int))):
        _refuse("torch.nn.functional.lp_pool1d with sizes that are no numbers")
    kernel, step = _args(kernel_size, stride, dims)
    largest = getattr(torch, f"max_pool{dims}d")
    none, ones = [0] * dims, [1] * dims
    if norm_type == float("inf"):
        return largest(input.abs(), kernel, step, none, ones, ceil_mode)
    if norm_type == -float("inf"):
        return -largest(-input.abs(), kernel, step, none, ones, ceil_mode)
    out = getattr(aten, f"avg_pool{dims}d")(input.pow(norm_type), kernel, step, none, ceil_mode)
    count = 1
    for size in kernel:
        count *= size
    return (torch.sign(out) * torch.relu(torch.abs(out))).mul(count).pow(1.0 / norm_type)


def lp_pool1d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 1)


def lp_pool2d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 2)


def lp_pool3d(input, norm_type, kernel_size, stride=None, ceil_mode=False):
    return _lp_pool(input, norm_type, kernel_size, stride, ceil_mode, 3)


def _max_unpool(input, indices, kernel_size, stride, padding, output_size, dims):
    """The elements at their places, numbers in the plane or volume; zero elsewhere."""
    if (input.dim() not in (dims + 1, dims + 2) or indices.shape != input.shape or indices.dtype != torch.int64 or not input.is_floating_point()
            or not input.is_contiguous()):
        _refuse(f"torch.nn.functional.max_unpool{dims}d of these inputs and indices")
    kernel, step = _args(kernel_size, stride, dims)
    pads = [padding] * dims if isinstance(padding, int) else list(padding)
    sizes = [(input.size(d - dims) - 1) * step[d] + kernel[d] - 2 * pads[d] for d in range(dims)]
    if output_size is not None:
        given = list(output_size)[2:] if len(output_size) == dims + 2 else list(output_size)
        if len(given) != dims:
            raise ValueError(f"output_size should be a sequence containing {dims} or {dims + 2} elements, but it has a length of '{len(given)}'")
        for d in range(dims):
            low, high = sizes[d] - step[d], sizes[d] + step[d]
            if not low < given[d] < high:
                raise ValueError(f'invalid output_size "{output_size}" (dim {d} must be between {low} and {high})')
        sizes = given
    count = 1
    for size in sizes:
        count *= size
    outer = list(input.shape[:-dims])
    zeros = torch.zeros(outer + [count], dtype=input.dtype)
    return zeros.scatter(-1, indices.flatten(-dims), input.flatten(-dims)).reshape(outer + sizes)


@_autocast_rule("float32", "float32")
def max_unpool1d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(input, indices, kernel_size, stride, padding, output_size, 1)


@_autocast_rule("float32", "float32")
def max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(input, indices, kernel_size, stride, padding, output_size, 2)


@_autocast_rule("float32", "float32")
def max_unpool3d(input, indices, kernel_size, stride=None, padding=0, output_size=None):
    return _max_unpool(input, indices, kernel_size, stride, padding, output_size, 3)
