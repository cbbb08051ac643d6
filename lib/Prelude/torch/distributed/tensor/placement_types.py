"""torch.distributed.tensor.placement_types: how a tensor lies on devices."""
from _ptc_torch import _refuse


class Placement:
    def is_shard(self, dim=None):
        return False

    def is_replicate(self):
        return False

    def is_partial(self, reduce_op=None):
        return False


class Shard(Placement):
    def __init__(self, dim):
        if not isinstance(dim, int):
            _refuse("torch.distributed.tensor.Shard of what is no int")
        self._ptc_dim = dim

    @property
    def dim(self):
        return self._ptc_dim

    def is_shard(self, dim=None):
        return dim is None or self.dim == dim

    def __eq__(self, other):
        return isinstance(other, Shard) and self.dim == other.dim

    def __hash__(self):
        return hash(self.dim)

    def __repr__(self):
        return f"Shard(dim={self.dim})"

    def __str__(self):
        return f"S({self.dim})"


class Replicate(Placement):
    def is_replicate(self):
        return True

    def __eq__(self, other):
        return isinstance(other, Replicate)

    def __hash__(self):
        return -1

    def __repr__(self):
        return "Replicate()"

    def __str__(self):
        return "R"


class Partial(Placement):
    def __init__(self, reduce_op="sum"):
        if not isinstance(reduce_op, str):
            _refuse("torch.distributed.tensor.Partial of what is no str")
        self._ptc_reduce_op = reduce_op

    @property
    def reduce_op(self):
        return self._ptc_reduce_op

    def is_partial(self, reduce_op=None):
        return reduce_op is None or self.reduce_op == reduce_op

    def __eq__(self, other):
        return isinstance(other, Partial) and self.reduce_op == other.reduce_op

    def __hash__(self):
        return 1 + hash(self.reduce_op)

    def __repr__(self):
        return f"Partial({self.reduce_op})"

    def __str__(self):
        return f"P({self.reduce_op})"
