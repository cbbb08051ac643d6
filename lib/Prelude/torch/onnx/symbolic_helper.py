"""torch.onnx.symbolic_helper: marks on functions that an export would call."""


def parse_args(*arg_descriptors):
    return lambda function: function
