"""The operators of torchvision, as its kernels for a CPU compute them without gradients."""
import torch
from torch import _refuse
from torch.ops import _operator


def _greater(a, b):
    """std::max, which gives the first where one of both is NaN."""
    return torch.where(a < b, b, a)


def _smaller(a, b):
    return torch.where(b < a, b, a)


@_operator("torchvision")
def nms(dets, scores, iou_threshold):
    """Places of the boxes that no kept one of a higher score overlaps by more than the threshold, the highest score first."""
    if dets.dim() != 2:
        raise RuntimeError(f"boxes should be a 2d tensor, got {dets.dim()}D")
    if dets.size(1) != 4:
        raise RuntimeError(f"boxes should have 4 elements in dimension 1, got {dets.size(1)}")
    if scores.dim() != 1:
        raise RuntimeError(f"scores should be a 1d tensor, got {scores.dim()}D")
    if dets.size(0) != scores.size(0):
        raise RuntimeError("boxes and scores should have same number of elements in dimension 0, got "
                           f"{dets.size(0)} and {scores.size(0)}")
    if dets.dtype != scores.dtype:
        raise RuntimeError("dets should have the same type as scores")
    if dets.dtype not in (torch.float32, torch.float64):
        _refuse(f"torchvision::nms of {dets.dtype}")
    order = scores.argsort(stable=True, descending=True)
    boxes = dets[order]
    x1, y1, x2, y2 = boxes.unbind(1)
    areas = (x2 - x1) * (y2 - y1)
    places, place = torch.arange(order.size(0)), torch.zeros((), dtype=torch.int64)
    kept = torch.ones_like(order, dtype=torch.bool)
    for best in torch.cat([boxes, areas[:, None]], 1):
        left, top, right, bottom, area = best
        width, height = _smaller(right, x2) - _greater(left, x1), _smaller(bottom, y2) - _greater(top, y1)
        shared = torch.where(width > 0, width, 0) * torch.where(height > 0, height, 0)
        overlaps = (shared / (area + areas - shared)).double() > iou_threshold
        kept = kept & ~(overlaps & (places > place) & (kept & (places == place)).any())
        place = place + 1
    return order[kept]


def _taps(start, step, grid, bins, size):
    """Of each sample of each bin along one dimension, [rois, bins * grid]: the two elements beside it and their weights, which are
    zero far outside."""
    dtype, device = start.dtype, start.device
    bin = torch.arange(bins, dtype=dtype, device=device).repeat_interleave(grid)
    sample = torch.arange(grid, dtype=dtype, device=device).repeat(bins)
    at = start[:, None] + bin * step[:, None] + (sample + 0.5) * step[:, None] / grid
    inside = (at >= -1.0) & (at <= size)
    at = at.clamp(min=0)
    low = at.long().clamp(0, size - 1)
    high = (low + 1).clamp(max=size - 1)
    at = torch.where(low >= size - 1, low.to(dtype), at)
    beyond = at - low
    return low, high, torch.where(inside, 1 - beyond, 0), torch.where(inside, beyond, 0)


@_operator("torchvision")
def roi_align(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    """Means of samples between elements, on a grid in each bin of each box."""
    if rois.size(1) != 5:
        raise RuntimeError("rois must have shape as Tensor[K, 5]")
    if input.dtype != rois.dtype:
        raise RuntimeError(f"Expected tensor for input to have the same type as tensor for rois; but type {input.dtype} does not equal "
                           f"{rois.dtype}")
    if input.dtype not in (torch.float32, torch.float64):
        _refuse(f"torchvision::roi_align of {input.dtype}")
    if sampling_ratio <= 0:
        _refuse("torchvision::roi_align whose boxes decide how many samples there are (sampling_ratio=-1)")
    channels, height, width = input.shape[1:]
    first_x, first_y, last_x, last_y = (rois[:, 1:] * spatial_scale - (0.5 if aligned else 0.0)).unbind(1)
    across, down = last_x - first_x, last_y - first_y
    if not aligned:
        across, down = _greater(across, torch.ones_like(across)), _greater(down, torch.ones_like(down))
    top, bottom, of_top, of_bottom = _taps(first_y, down / pooled_height, sampling_ratio, pooled_height, height)
    left, right, of_left, of_right = _taps(first_x, across / pooled_width, sampling_ratio, pooled_width, width)
    lines = input.permute(0, 2, 3, 1).reshape(-1, channels)
    image = rois[:, 0].long()[:, None] * height

    def sampled(y, x, weight_y, weight_x):
        rows = lines[(((image + y) * width)[:, :, None] + x[:, None, :]).clamp(0, max(lines.size(0) - 1, 0))]
        return (weight_y[:, :, None] * weight_x[:, None, :])[..., None] * rows

    values = sampled(top, left, of_top, of_left) + sampled(top, right, of_top, of_right) + \
        sampled(bottom, left, of_bottom, of_left) + sampled(bottom, right, of_bottom, of_right)
    grid = [rois.size(0), pooled_height, sampling_ratio, pooled_width, sampling_ratio, channels]
    return (values.reshape(grid).sum((2, 4)) / sampling_ratio ** 2).permute(0, 3, 1, 2).contiguous()
