"""What Module._apply() makes of the tensors of a module and of its parts."""
import torch
from _ptc_torch import _replace_tensors


class Conversion:
    """What is made of a module's tensors: a parameter that modules share stays one."""

    def __init__(self, fn):
        self.fn = fn
        self.made = {}                                        # of an old one and of a new one: the new one

    def __call__(self, t):
        return self.fn(t)

    def parameter(self, p):
        new = self.made.get(p)
        if new is None:
            data = p.detach()
            made = self.fn(data)
            new = p if made is data else torch.nn.Parameter(made, p.requires_grad)
            self.made[p] = self.made[new] = new
        return new

    def finish(self):
        pairs = [(old, new) for old, new in self.made.items() if old is not new]
        _replace_tensors(pairs)
        pairs.clear()                                         # holds nothing that later calls would have to replace
        self.made.clear()
