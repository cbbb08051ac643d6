"""torch.autograd: graph building is not captured; forward programs only use its modes."""
from torch import no_grad, enable_grad, set_grad_enabled, inference_mode  # noqa: F401
