"""One model of the suite: what makes it, and what it is called with."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    name: str
    library: str
    before: str                        # imports
    make: str                          # an expression: the module
    inputs: tuple = ("torch.randn(1, 3, 64, 64)",)
    result: str = ""                   # of `y`, what the module gives
    every: bool = False                # only in the long tier
    names: tuple = ()                  # of the module's parameters; none: by position
    options: tuple = ()                # of `ptc compile`
    also: str = ""                     # more arguments of the call
    lengths: tuple = ()                # what `L` is in the inputs, by call; the program is compiled once,
    declared: tuple = ()               # for inputs of these types

    def wrapper(self):
        names = [f"x{n}" for n in range(len(self.inputs))]
        given = [f"{parameter}={name}" for parameter, name in zip(self.names, names)] or names
        given += [self.also] if self.also else []
        return (f"import torch\n{self.before}\n\n\n"
                "class Net(torch.nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                f"        self.net = {self.make}\n\n"
                f"    def forward(self, {', '.join(names)}):\n"
                f"        y = self.net({', '.join(given)})\n"
                f"        return y{self.result}\n\n\n"
                f"LENGTHS = {self.lengths}\n\n\n"
                f"def inputs(L=None):\n    return [{', '.join(self.inputs)}]\n")
