"""Annotations of typing with torch's classes, evaluated as functions and classes are made."""
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Union, get_args, get_origin, get_type_hints

import torch
from torch import Tensor, nn

Cache = Optional[Dict[str, List[torch.Tensor]]]


class Boxes(NamedTuple):
    corners: Tensor
    scores: Optional[Tensor] = None


@dataclass
class Step:
    value: torch.Tensor
    kept: List[Tensor] = field(default_factory=list)
    then: Optional[Callable[[Tensor], Tensor]] = None
    kind: Union[torch.dtype, torch.device, None] = None
    layers: Tuple[nn.Module, ...] = ()


def scale(x: Tensor, by: Union[Tensor, float], mask: Optional[Tensor] = None) -> Tuple[Tensor, Optional[Tensor]]:
    return (x * by if mask is None else torch.where(mask, x * by, x)), mask


def entry(x: torch.Tensor, y: Optional[torch.Tensor] = None, cache: Cache = None, more: Any = None):
    step = Step(x)
    step.kept.append(scale(x, 2.0)[0])
    step.kept.append(scale(x, x, x > 0)[0])
    boxes = Boxes(x - 1, y)
    print(torch.Tensor.__module__, Tensor.__qualname__, nn.Parameter.__module__, Boxes._fields)
    print(Optional[Tensor], Union[Tensor, float], Callable[[Tensor], None], Dict[str, Tensor])
    print(get_args(Optional[Tensor]), get_origin(List[Tensor]), get_type_hints(scale)["by"])
    print(Tensor | None, list[Tensor], isinstance(x, Tensor | None))
    return step.kept, boxes, boxes.scores is None, cache
