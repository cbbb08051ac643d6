"""torch.autograd: graph building is not captured; forward programs use its modes, and functions with gradients of their own."""
import torch
from torch import no_grad, enable_grad, set_grad_enabled, inference_mode  # noqa: F401


class FunctionCtx:
    """What forward() keeps for a backward pass that no captured program makes."""

    def __init__(self, needs):
        self.needs_input_grad = needs
        self._saved, self._dirty, self._constant = (), (), ()

    def save_for_backward(self, *tensors):
        self._saved = tensors

    def save_for_forward(self, *tensors):
        self._saved = tensors

    @property
    def saved_tensors(self):
        return self._saved

    def mark_dirty(self, *tensors):
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors):
        self._constant = tensors

    def set_materialize_grads(self, value):
        pass


def _is_one_of(x, tensors):
    return any(x is t for t in tensors)


class Function:
    """apply() is forward() without a graph; what forward() hands back as it came is another tensor over the same memory."""

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @classmethod
    def apply(cls, *args):
        needs = tuple(isinstance(x, torch.Tensor) and x.requires_grad for x in args)
        ctx = FunctionCtx(needs)
        set_up = cls.setup_context
        with no_grad():
            if set_up is Function.setup_context:
                out = cls.forward(ctx, *args)
            else:
                out = cls.forward(*args)
                set_up(ctx, args, out)
        grown = torch.is_grad_enabled() and any(needs)

        def finished(x):
            if not isinstance(x, torch.Tensor) or _is_one_of(x, ctx._dirty):
                return x
            if _is_one_of(x, args):
                return x.view_as(x)
            if grown and (x.is_floating_point() or x.is_complex()) and not _is_one_of(x, ctx._constant):
                return x.requires_grad_()
            return x

        return tuple(finished(x) for x in out) if isinstance(out, tuple) else finished(out)


from torch.autograd import function  # noqa: E402,F401
