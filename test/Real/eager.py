"""What eager PyTorch makes of models: `eager.py SITE-PACKAGES WRAPPER.py...`, one process for all that import the same library.

Beside each WRAPPER.py it leaves WRAPPER.weights.pt, the state dict, and WRAPPER.pt with inputs and result; or WRAPPER.txt with
the exception.
"""
import sys
import traceback
from pathlib import Path

import torch


def declare_operators():
    """The wheel of torchvision is made for PyTorch with CUDA: without that its operators are not declared, and importing it
    asks for their names."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    return library


def observe(path):
    names = {"__name__": path.stem}
    exec(compile(path.read_text(), path.name, "exec"), names)
    torch.manual_seed(0)
    net = names["Net"]().eval()
    # What starts as one number, a scale or a bias or a last layer, hides what it is multiplied with or added to.
    with torch.no_grad():
        for p in net.parameters():
            if p.is_floating_point() and p.numel() > 1 and p.min() == p.max():
                p.add_(torch.randn_like(p) * 0.1)
    torch.manual_seed(1)
    inputs = names["inputs"]()
    with torch.no_grad():
        result = net(*[x.clone() for x in inputs])
    torch.save(net.state_dict(), path.with_suffix(".weights.pt"))
    torch.save({"inputs": inputs, "result": result}, path.with_suffix(".pt"))


def main():
    torch.set_num_threads(1)
    sys.path.insert(1, sys.argv[1])
    kept = declare_operators()
    for path in map(Path, sys.argv[2:]):
        try:
            observe(path)
        except Exception:
            path.with_suffix(".txt").write_text(traceback.format_exc())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
