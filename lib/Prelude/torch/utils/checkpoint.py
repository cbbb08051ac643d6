"""Recomputation in the backward pass does not change what a forward pass computes."""
import warnings


def _warn_of_default(use_reentrant, text):
    if use_reentrant is None:
        warnings._of_library(text + "use_reentrant=False is recommended, but if you need to preserve the current default "
                             "behavior, you can pass use_reentrant=True. Refer to docs for more details on the differences "
                             "between the two variants.")


def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check=None,
               debug=None, preserve_rng_state=True, **kwargs):
    _warn_of_default(use_reentrant, "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. "
                     "Starting in PyTorch 2.9, calling checkpoint without use_reentrant will raise an exception. ")
    if use_reentrant is not False:
        warnings._refuse_seen("torch.utils.checkpoint, by its inputs")
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    _warn_of_default(use_reentrant, "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be "
                     "passed explicitly. In version 2.9 we will raise an exception if use_reentrant is not passed. ")
    for f in (functions.children() if hasattr(functions, "children") else functions):
        input = f(input)
    return input
