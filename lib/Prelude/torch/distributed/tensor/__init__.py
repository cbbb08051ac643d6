"""torch.distributed.tensor: placements are data; tensors that lie on several devices have no model."""
from torch.distributed.tensor.placement_types import Partial, Placement, Replicate, Shard  # noqa: F401
