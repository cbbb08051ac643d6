"""Pools of powers, pools undone, losses with margins, LSTMs with projections, torch.split, and what is asked of unions of types."""
import copy
from typing import TypeVar
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.common_types import _size_2_t

T = TypeVar("T")


class Scaled(nn.Linear):
    def __setstate__(self, state):
        super().__setstate__({**state, "by": 3})


scaled = Scaled(3, 2).eval()
lstm = nn.LSTM(3, 4, 2, proj_size=2, bidirectional=True, batch_first=True).eval()
synced = nn.SyncBatchNorm(3).eval()


def entry(x):
    line = torch.stack([x, x * 0.5 + 0.25, 1 - x]).repeat(1, 2).unsqueeze(0)            # 1, 3, 6
    plane = torch.cat([line, line + 1, line * 2]).reshape(1, 3, 3, 6)
    volume = plane.reshape(1, 3, 3, 3, 2)
    pools = [F.lp_pool1d(line, 2, 2), F.lp_pool2d(plane, float("inf"), (1, 2)), F.lp_pool2d(plane, -float("inf"), 2, 1), F.lp_pool3d(volume, 2.0, (1, 2, 2), 1),
             nn.LPPool1d(2, 3, stride=2, ceil_mode=True)(line), nn.LPPool3d(2, 2)(volume)]
    undone = [F.max_unpool1d(*F.max_pool1d(line, 2, return_indices=True), 2), nn.MaxUnpool2d((1, 2))(*F.max_pool2d(plane, (1, 2), return_indices=True)),
              nn.MaxUnpool2d(2, stride=(1, 2))(*F.max_pool2d(plane, 2, (1, 2), return_indices=True), output_size=(3, 6)),
              F.max_unpool3d(volume, torch.arange(18).reshape(1, 1, 3, 3, 2).expand(volume.shape) * 2, (1, 1, 2), output_size=(3, 3, 4))]
    plain = [torch.binary_cross_entropy_with_logits(x, x), torch.kl_div(x, x)]
    rows, target = torch.stack([x, x.flip(0)]), torch.tensor([2, 0])
    losses = [F.multi_margin_loss(rows, target), nn.MultiMarginLoss(2, 0.5, torch.tensor([0.5, 1.0, 2.0]), reduction="none")(rows, target),
              F.triplet_margin_with_distance_loss(rows, rows + 1, rows * 2, margin=0.5, swap=True),
              nn.TripletMarginWithDistanceLoss(distance_function=lambda a, b: (a - b).abs().sum(1), reduction="sum")(rows, rows + 1, 1 - rows)]
    with torch.no_grad():
        out, (h, c) = lstm(line.transpose(1, 2))
        told = [out, h, c, lstm(line[0].t())[0], synced(line), copy.deepcopy(scaled)(x), copy.copy(scaled).by]
    names = [str(int | list[T]), str((int | list[T])[str]), str((list[T] | None)[int]), (int | str).__parameters__, len(_size_2_t.__args__)]
    try:
        (int | str)[float]
    except TypeError as error:
        names.append(str(error))
    told += [*torch.split(x, split_size_or_sections=2), *torch.split(tensor=x, split_size_or_sections=[1, 2], dim=-1), *torch.functional.split(x, 1), *x.split(split_size=2)]
    return pools, undone, losses, told, names, plain
