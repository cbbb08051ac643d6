"""Recomputation in the backward pass does not change what a forward pass computes."""


def checkpoint(function, *args, use_reentrant=None, context_fn=None, determinism_check=None,
               debug=None, preserve_rng_state=True, **kwargs):
    return function(*args, **kwargs)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    for f in (functions.children() if hasattr(functions, "children") else functions):
        input = f(input)
    return input
