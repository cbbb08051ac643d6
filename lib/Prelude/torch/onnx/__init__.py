"""torch.onnx: nothing is exported while a program runs."""
from _ptc_torch import _refuse


def is_in_onnx_export():
    return False


def _checked(symbolic_name):
    domain, mark, name = ("aten" + symbolic_name if symbolic_name.startswith("::") else symbolic_name).partition("::")
    words = [part.replace("-", "_") for part in (domain, name)]
    if not mark or not all([part.isascii() and part.replace("_", "a").isalnum() for part in words]) or name[0].isdigit():
        _refuse(f"the name {symbolic_name!r} for an operator of torch.onnx")


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """What an export would do with an operation."""
    _checked(symbolic_name)


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """The same."""
    _checked(symbolic_name)
