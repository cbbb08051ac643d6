"""Control flow as functions: the engine runs the functions that they take, with the branches and loops that these decide."""
from torch._higher_order_ops.cond import cond  # noqa: F401
from torch._higher_order_ops.while_loop import while_loop  # noqa: F401
from torch._higher_order_ops.scan import scan  # noqa: F401
from torch._higher_order_ops.associative_scan import associative_scan  # noqa: F401
from torch._higher_order_ops.map import map  # noqa: F401
