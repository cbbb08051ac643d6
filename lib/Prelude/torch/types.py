"""torch.types: names for annotations, and the classes of numbers."""
from builtins import bool as _bool, bytes as _bytes, complex as _complex, float as _float, int as _int, str as _str  # noqa: F401
from collections.abc import Sequence

from torch import Size, Tensor, device as _device, dtype as _dtype, layout as _layout  # noqa: F401

_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors = Tensor | Sequence[Tensor | None]
_size = Size | list[int] | tuple[int, ...]
Number = int | float | bool
_Number = (int, float, bool)
Device = _device | str | int | None
