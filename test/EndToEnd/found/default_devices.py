"""Devices as contexts and torch.set_default_device: where functions that make tensors put them. Attributes that tensors are given."""
import copy
import os

import torch
from torch import nn

SEEN = []


def note(*tensors):
    SEEN.append(tuple([str(t.device) for t in tensors]))


with torch.device("cpu") as device:
    note(torch.ones(3), torch.tensor([1.0]), torch.as_tensor([2]))
    SEEN.append(str(device))
with torch.device("meta"):
    layer = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2), nn.Conv1d(2, 2, 1), nn.Embedding(4, 2))
    note(*layer.state_dict().values(), *nn.Linear(2, 1, device="cpu").parameters())
    note(torch.zeros(2), torch.empty(1), torch.arange(3), torch.full((2,), 1.0), torch.eye(2), torch.linspace(0, 1, 3), torch.scalar_tensor(1.0))
    note(torch.ones(2, device="cpu"), torch.tensor(1.0), torch.as_tensor(torch.ones(2)), torch.ones(1).new_zeros(2), torch.zeros_like(torch.ones(1, device="cpu")))
    with torch.device("cpu"):
        note(torch.ones(1))
        SEEN.append(str(torch.get_default_device()))
    note(torch.ones(1))
    SEEN.append(str(torch.get_default_device()))
note(torch.ones(1))
torch.set_default_device("meta")
note(torch.ones(1))
with torch.device("cpu"):
    note(torch.ones(1))
torch.set_default_device(None)
note(torch.ones(1))
SEEN.append(str(torch.get_default_device()))
try:
    with torch.device("meta"):
        raise ValueError("left")
except ValueError:
    note(torch.ones(1))

weights = nn.Linear(2, 2)
weights.weight.mark, weights.weight.kept = "w", [1, 2]
tensor = torch.ones(2)
tensor.mark = 5
view = tensor[:]
SEEN.append((weights.weight.mark, getattr(weights.bias, "mark", "none"), hasattr(tensor, "mark"), hasattr(view, "mark"), tensor.mark, weights.weight.kept))
weights.weight.data = torch.zeros(2, 2)
SEEN.append((weights.weight.mark, hasattr(copy.deepcopy(weights.weight), "mark")))
del tensor.mark
SEEN.append(hasattr(tensor, "mark"))
try:
    del tensor.mark
except AttributeError:
    SEEN.append("no attribute")
weights.double()
SEEN.append((weights.weight.mark, weights.weight.dtype == torch.float64, isinstance(os.cpu_count(), int)))


def entry(x):
    with torch.device("cpu"):
        y = torch.zeros(3)
        if x.sum() > 0:
            y = y + torch.ones(3)
    return x + y, SEEN, weights.weight.mark, x.device.type
