"""rms_norm() gives the type of its input, whatever its weight has; what torch.autocast makes of a layer behind another, too."""
import torch
import torch.nn.functional as F

net = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.RMSNorm(3)).eval().requires_grad_(False)


@torch.library.custom_op("found::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2


def entry(x):
    half, weight = (x * 1.37).bfloat16(), torch.tensor([1.1, 0.7, 2.3])
    mixed = F.rms_norm(half, (3,), weight)
    with torch.autocast("cpu"):
        inside = net(x)
    y = twice(x.clone().requires_grad_())
    y += 1                                      # no leaf
    return mixed, mixed.mul(3).float(), F.rms_norm(x, (3,), weight.bfloat16()).dtype == torch.float32, inside.dtype == torch.bfloat16, y.detach()
