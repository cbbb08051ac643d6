"""torch.onnx: nothing is exported while a program runs."""


def is_in_onnx_export():
    return False


def register_custom_op_symbolic(symbolic_name, symbolic_fn, opset_version):
    """What an export would do with an operation."""


def unregister_custom_op_symbolic(symbolic_name, opset_version):
    """The same."""
