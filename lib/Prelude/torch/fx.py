"""torch.fx: what tells the tracer something, which eager does not run."""
from _ptc import _caller_place


def wrap(fn_or_name):
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError("Unsupported type for global function! Must be either a callable or string name")
    if callable(fn_or_name):
        fn_or_name.__name__
    if _caller_place(1)[4] != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    return fn_or_name
