"""torch.nn.modules.activation: its layers, and the functions that draw their weights, which a program may set here."""
from torch.nn.init import constant_, xavier_normal_, xavier_uniform_  # noqa: F401
from torch.nn.attention import MultiheadAttention  # noqa: F401
from torch.nn.modules import (  # noqa: F401
    CELU, ELU, GELU, GLU, Hardshrink, Hardsigmoid, Hardswish, Hardtanh, LeakyReLU, LogSigmoid, LogSoftmax, Mish, PReLU, RReLU, ReLU, ReLU6, SELU,
    SiLU, Sigmoid, Softmax, Softmax2d, Softmin, Softplus, Softshrink, Softsign, Tanh, Tanhshrink, Threshold)
