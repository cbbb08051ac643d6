"""torch.nn.modules.module: its layers, wherever they are written."""
from torch.nn.module import Module  # noqa: F401
from torch.nn._hooks import (_global_forward_hooks, _global_forward_hooks_always_called, _global_forward_hooks_with_kwargs,  # noqa: F401
                             _global_forward_pre_hooks, register_module_forward_hook, register_module_forward_pre_hook)

_EXTRA_STATE_KEY_SUFFIX = "_extra_state"
