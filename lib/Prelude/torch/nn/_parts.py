"""Imports the parts of torch.nn.modules, which are there when torch.nn is."""
from torch.nn.modules import (  # noqa: F401
    activation, batchnorm, channelshuffle, container, conv, distance, dropout, flatten, fold, instancenorm, linear, loss, module, normalization,
    padding, pixelshuffle, pooling, rnn, sparse, transformer, upsampling, utils)
