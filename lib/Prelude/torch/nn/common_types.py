"""torch.nn.common_types: annotations of sizes and ratios."""
from typing import TypeVar
from torch import Tensor

T = TypeVar("T")


def _sizes(count):
    return T | tuple[(T,) * count]


_scalar_or_tuple_any_t = T | tuple[T, ...]
_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t = _sizes(1), _sizes(2), _sizes(3)
_scalar_or_tuple_4_t, _scalar_or_tuple_5_t, _scalar_or_tuple_6_t = _sizes(4), _sizes(5), _sizes(6)
_size_any_t = _scalar_or_tuple_any_t[int]
_size_1_t, _size_2_t, _size_3_t = _scalar_or_tuple_1_t[int], _scalar_or_tuple_2_t[int], _scalar_or_tuple_3_t[int]
_size_4_t, _size_5_t, _size_6_t = _scalar_or_tuple_4_t[int], _scalar_or_tuple_5_t[int], _scalar_or_tuple_6_t[int]
_size_any_opt_t = _scalar_or_tuple_any_t[int | None]
_size_2_opt_t, _size_3_opt_t = _scalar_or_tuple_2_t[int | None], _scalar_or_tuple_3_t[int | None]
_ratio_2_t, _ratio_3_t, _ratio_any_t = _scalar_or_tuple_2_t[float], _scalar_or_tuple_3_t[float], _scalar_or_tuple_any_t[float]
_tensor_list_t, _maybe_indices_t = _scalar_or_tuple_any_t[Tensor], _scalar_or_tuple_2_t[Tensor]
del _sizes
