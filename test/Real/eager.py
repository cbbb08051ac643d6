"""What eager PyTorch makes of models: `eager.py [--dynamo] SITE-PACKAGES WRAPPER.py...`, one process for all that import the same library.

Beside each WRAPPER.py it leaves WRAPPER.weights.pt, the state dict, and WRAPPER.pt with inputs, result and the result in double
precision of each call; or WRAPPER.txt with the exception. --dynamo: also WRAPPER.dynamo.txt, why torch.compile(fullgraph=True) captures no whole
graph, empty where it does.
"""
import gc
import sys
import traceback
from pathlib import Path

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map


def suppress(dets, scores, iou_threshold):
    """torchvision.ops.nms, box by box, as its documentation says it."""
    left, kept = scores.argsort(stable=True, descending=True).tolist(), []
    areas = (dets[:, 2] - dets[:, 0]) * (dets[:, 3] - dets[:, 1])
    while left:
        best, *left = left
        kept.append(best)
        others = torch.tensor(left, dtype=torch.long)
        sides = torch.minimum(dets[best, 2:], dets[others, 2:]) - torch.maximum(dets[best, :2], dets[others, :2])
        shared = sides.clamp(min=0).prod(1)
        overlaps = shared / (areas[best] + areas[others] - shared)
        left = others[~(overlaps.double() > iou_threshold)].tolist()
    return torch.tensor(kept, dtype=torch.long)


def sampled(start, step, bins, grid, size):
    """How much of each element along one dimension is in each bin. What lies outside by more than one element counts as zero."""
    parts = torch.zeros(bins, size, dtype=start.dtype)
    for bin in range(bins):
        for sample in range(grid):
            at = start + bin * step + (sample + 0.5) * step / grid
            if -1 <= at <= size:
                low = min(int(at.clamp(min=0)), size - 1)
                beyond = at.clamp(min=0) - low if low < size - 1 else 0
                parts[bin, low] += 1 - beyond
                parts[bin, min(low + 1, size - 1)] += beyond
    return parts / grid


def pool(input, rois, spatial_scale, pooled_height, pooled_width, sampling_ratio, aligned):
    """torchvision.ops.roi_align with a fixed grid, box by box."""
    pooled = []
    for image, *box in rois:
        x1, y1, x2, y2 = [side * spatial_scale - (0.5 if aligned else 0) for side in box]
        across, down = [s if aligned else s.clamp(min=1) for s in (x2 - x1, y2 - y1)]
        rows = sampled(y1, down / pooled_height, pooled_height, sampling_ratio, input.size(2))
        columns = sampled(x1, across / pooled_width, pooled_width, sampling_ratio, input.size(3))
        pooled.append(rows @ input[int(image)] @ columns.T)
    return torch.stack(pooled) if pooled else input.new_zeros(0, input.size(1), pooled_height, pooled_width)


def declare_operators():
    """The wheel of torchvision is made for PyTorch with CUDA: without that its operators are not declared, and importing it
    asks for their names. These do what its kernels for a CPU do."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.define("roi_align(Tensor input, Tensor rois, float spatial_scale, int pooled_height, int pooled_width, int sampling_ratio, "
                   "bool aligned) -> Tensor")
    library.impl("nms", suppress, "CPU")
    library.impl("roi_align", pool, "CPU")
    return library


def use_operators():
    """Where a model has imported torchvision, which found its operators missing."""
    for name in ("extension", "ops.roi_align"):
        if module := sys.modules.get(f"torchvision.{name}"):
            module._has_ops = lambda: True


class Double(TorchFunctionMode):
    """float64 wherever a program names float32."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        args, kwargs = tree_map(lambda v: torch.float64 if v is torch.float32 else v, (args, kwargs or {}))
        return (torch.Tensor.double if function is torch.Tensor.float else function)(*args, **kwargs)


def in_double(net, inputs):
    """The result without rounding to float32, or why there is none."""
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        with Double(), torch.no_grad():
            return net.double()(*[x.double() if x.dtype == torch.float32 else x.clone() for x in inputs])
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        torch.set_default_dtype(before)


def why_not_whole(net, inputs, result):
    """What torch.compile(fullgraph=True) says against capturing the model as one graph; empty: it does."""
    torch._dynamo.reset()
    try:
        with torch.no_grad():
            found = torch.compile(net, fullgraph=True, backend="eager")(*[x.clone() for x in inputs])
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    same = [torch.allclose(a, b, 1e-3, 1e-4, equal_nan=True) for a, b in zip(tree_leaves(found), tree_leaves(result)) if isinstance(a, torch.Tensor)]
    return "" if all(same) else "another result"


def observe(path, asks_dynamo):
    names = {"__name__": path.stem}
    gc.disable()                               # what importing makes stays: looking at it again and again is a third of the time
    exec(compile(path.read_text(), path.name, "exec"), names)
    gc.freeze()
    gc.enable()
    use_operators()
    torch.manual_seed(0)
    net = names["Net"]().eval()
    # What starts as one number, a scale or a bias or a last layer, hides what it is multiplied with or added to.
    with torch.no_grad():
        for p in net.parameters():
            if p.is_floating_point() and p.numel() > 1 and p.min() == p.max():
                p.add_(torch.randn_like(p) * 0.1)
    torch.manual_seed(1)
    lengths = names.get("LENGTHS", ())
    calls = [{"inputs": inputs} for inputs in [names["inputs"](n) for n in lengths] or [names["inputs"]()]]
    with torch.no_grad():
        for call in calls:
            call["result"] = net(*[x.clone() for x in call["inputs"]])
    if asks_dynamo:
        path.with_suffix(".dynamo.txt").write_text(why_not_whole(net, calls[0]["inputs"], calls[0]["result"]))
    torch.save(net.state_dict(), path.with_suffix(".weights.pt"))
    for call in calls:
        call["double"] = in_double(net, call["inputs"])
    torch.save(calls, path.with_suffix(".pt"))


def main():
    asks_dynamo = sys.argv[1] == "--dynamo"
    site, *paths = sys.argv[1 + asks_dynamo:]
    torch.set_num_threads(1)
    sys.path.insert(1, site)
    kept = declare_operators()
    for path in map(Path, paths):
        try:
            observe(path, asks_dynamo)
        except Exception:
            path.with_suffix(".txt").write_text(traceback.format_exc())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
