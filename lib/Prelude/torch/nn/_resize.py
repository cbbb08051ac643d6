"""Resizing of images and volumes, composed of what has operations: places in the input, their neighbours, weights."""
import math
import torch
import _ptc_aten as aten
from _ptc import _is_of_the_run
from torch._casts import _autocast_rule
from torch._math import _scalar_name

_CUBIC = -0.75                                 # of the convolution kernel (UpSample.h, cubic_convolution1)


def _check(input, size, name, has_bytes=False):
    n = len(size)
    if input.dim() != n + 2 or 0 in input.shape[1:]:
        raise RuntimeError(f"Non-empty {n + 2}D data tensor expected but got a tensor with sizes {list(input.shape)}")
    if min([*input.shape[2:], *size]) <= 0:
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input {list(input.shape[2:])} output {size}")
    if input.dtype == torch.uint8 and has_bytes:
        return
    if not input.is_floating_point():
        raise NotImplementedError(f'"{name}" not implemented for \'{_scalar_name(input.dtype)}\'')


def _ordered_as(made, input):
    """In the memory order that ATen's suggest_memory_format() reads off the input."""
    n = input.dim()
    order = torch.channels_last if n == 4 else torch.channels_last_3d
    if n > 3 and not input.is_contiguous() and input.is_contiguous(memory_format=order):
        return made.contiguous(memory_format=order)
    return made.contiguous()


def _step(before, after, scale):
    return 1.0 / scale if scale is not None and scale > 0 else before / after


def _places(before, after, scale, align_corners, dtype):
    """Where in the input each element of the result lies, as ATen computes it (area_pixel_compute_source_index)."""
    if align_corners:
        return torch.arange(after, dtype=dtype) * ((before - 1) / (after - 1) if after > 1 else 0.0)
    return (torch.arange(after, dtype=dtype) + 0.5) * _step(before, after, scale) - 0.5


def _wide(input):
    """In the type that ATen computes in."""
    return input.float() if input.dtype in (torch.float16, torch.bfloat16) else input


def _near(distance, a=_CUBIC):
    return ((a + 2) * distance - (a + 3)) * distance * distance + 1


def _far(distance, a=_CUBIC):
    return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a


def _cubic(input, dim, after, scale, align_corners):
    before = input.size(dim)
    places = _places(before, after, scale, align_corners, input.dtype)
    first = places.floor().clamp(max=before - 1)
    part = (places - first).clamp(0, 1)
    first = first.long()
    shape = [1] * input.dim()
    shape[dim] = after
    made = None
    for k, weight in enumerate((_far(part + 1), _near(part), _near(1 - part), _far((1 - part) + 1))):
        term = input.index_select(dim, (first + (k - 1)).clamp(0, before - 1)) * weight.view(shape)
        made = term if made is None else made + term
    return made


@_autocast_rule(None, "float32")
def bicubic(input, size, scales, align_corners):
    _check(input, size, "upsample_bicubic2d_channels_last", has_bytes=True)
    if input.dtype == torch.uint8:
        torch._refuse("torch.nn.functional.interpolate of uint8 with mode 'bicubic'")
    made = _cubic(_wide(input), 3, size[1], scales[1], align_corners)
    made = _cubic(made, 2, size[0], scales[0], align_corners)
    return _ordered_as(made.to(input.dtype), input)


@_autocast_rule(None, "float32")
def linear(input, size, scales, align_corners):
    _check(input, size, "compute_indices_weights_linear")
    made = aten.upsample_bilinear2d(input.unsqueeze(2), [1, size[0]], align_corners, None, scales[0])
    return made.squeeze(2).contiguous()


@_autocast_rule(None, "float32")
def trilinear(input, size, scales, align_corners):
    _check(input, size, "upsample_trilinear3d")
    wide = _wide(input)
    n, c, d, h, w = wide.shape
    planes = wide.reshape(n, c * d, h, w)
    planes = aten.upsample_bilinear2d(planes, [size[1], size[2]], align_corners, scales[1], scales[2])
    columns = planes.reshape(n, c, d, size[1] * size[2])
    made = aten.upsample_bilinear2d(columns, [size[0], size[1] * size[2]], align_corners, scales[0], None)
    return _ordered_as(made.reshape(n, c, size[0], size[1], size[2]).to(input.dtype), input)


@_autocast_rule(None, "float32")
def nearest(input, size, scales, exact):
    """Of volumes; `exact`: of any rank, by the middles of elements."""
    n = input.dim() - 2
    _check(input, size, "compute_indices_weights_nearest", has_bytes=True)
    made = input
    for d in range(n):
        before = input.size(2 + d)
        places = torch.arange(size[d], dtype=torch.float32) + (0.5 if exact else 0.0)
        places = (places * _step(before, size[d], scales[d])).floor().long()
        made = made.index_select(2 + d, places.clamp(max=before - 1))
    return _ordered_as(made, input)


# With antialias: means over as many elements as one of the result stands for (_compute_indices_min_size_weights_aa) --------------


def _triangle(x):
    return torch.where(x < 1, 1 - x, 0)


def _cubic_window(x):
    return torch.where(x < 1, _near(x, -0.5), torch.where(x < 2, _far(x, -0.5), 0))


def _mean(input, dim, after, scale, align_corners, window, reach):
    before = input.size(dim)
    if _is_of_the_run(before) or _is_of_the_run(after):
        torch._refuse("torch.nn.functional.interpolate with antialias of a size that the run knows")
    if align_corners:
        step = (before - 1) / (after - 1) if after > 1 else 0.0
    else:
        step = _step(before, after, scale)
    step = torch.tensor(step, dtype=torch.float32)      # whatever the elements are
    wide = step.clamp(min=1)
    support = reach * wide.item()
    middle = (step.double() * (torch.arange(after) + 0.5)).to(input.dtype)
    first = (middle - support + 0.5).long().clamp(min=0)
    count = (middle + support + 0.5).long().clamp(max=before) - first
    most = 2 * math.ceil(support) + 1
    k = torch.arange(most).unsqueeze(-1)
    weights = torch.where(k < count, window((((k + first) - middle + 0.5) / wide).abs()), 0)
    weights = weights / weights.sum(0)
    shape = [1] * input.dim()
    shape[dim] = after
    made = None
    for k in range(most):
        # Weights of what lies outside are zeros, and so are the products, whatever stands there.
        term = torch.where((k < count).view(shape), input.index_select(dim, (first + k).clamp(max=before - 1)) * weights[k].view(shape), 0)
        made = term if made is None else made + term
    return made


@_autocast_rule(None, "float32")
def antialiased(input, size, scales, align_corners, cubic):
    is_copy = list(input.shape[2:]) == list(size)
    _check(input.float() if is_copy else input, size, f"upsample_{'bicubic' if cubic else 'bilinear'}2d_aa", has_bytes=True)
    if is_copy:
        return _ordered_as(input.clone(), input)
    if input.dtype == torch.uint8:
        torch._refuse("torch.nn.functional.interpolate of uint8 with antialias")
    if input.dtype == torch.float64:
        torch._refuse("torch.nn.functional.interpolate of float64 with antialias")
    if input.dtype != torch.float32:
        raise NotImplementedError(f"\"compute_index_ranges_weights\" not implemented for '{_scalar_name(input.dtype)}'")
    if size[1] == 1 and size[0] > 1:
        torch._refuse("torch.nn.functional.interpolate with antialias to one column, of which eager repeats the first row,")
    window, reach = (_cubic_window, 2) if cubic else (_triangle, 1)
    made = _mean(input, 3, size[1], scales[1], align_corners, window, reach)
    return _ordered_as(_mean(made, 2, size[0], scales[0], align_corners, window, reach), input)
