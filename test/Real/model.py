"""One model of the suite: what makes it, and what it is called with."""
import re
from dataclasses import dataclass, replace

# Batches and lengths, or batches of images, that a program for all declared sizes is called with.
BATCHES = ((2, 7), (1, 7), (4, 2), (3, 16), (1, 2))
DECLARED = ("B=2 in 1..4", "T=7 in 2..16")


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
    draws: bool = False                # random numbers in the call
    lengths: tuple = ()                # what `L` is in the inputs, by call (a number, or several); the program is compiled once,
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
                f"{'        torch.manual_seed(3)' * self.draws}\n"
                f"        y = self.net({', '.join(given)})\n"
                f"        return y{self.result}\n\n\n"
                f"LENGTHS = {self.lengths}\n\n\n"
                f"def inputs(L=None):\n    return [{', '.join(self.inputs)}]\n")

    def sized(self):
        """The same for a range of batches and of lengths of texts; None: its inputs have neither."""
        inputs, declared, names = [], [], dict(B=DECLARED[0], T=DECLARED[1], S=DECLARED[1].replace("T", "S"))

        def name(which):
            """What is declared of a size where it comes first, then its name."""
            return names.pop(which, which)

        for n, given in enumerate(self.inputs):
            text = re.fullmatch(r"(torch\.randint\(\d+, \d+, )\((?:1|2), (7|5)\)\)", given)
            image = re.fullmatch(r"(torch\.randn\()1, (\d+(?:, \d+)*)\)", given)
            if text:
                inputs.append(f"{text[1]}(L[0], {'max(2, L[1] - 1)' if text[2] == '5' else 'L[1]'}))")
                declared.append(f"x{n}=i64[{name('B')},{name('T' if text[2] == '7' else 'S')}]")
            elif image and image[2] != "400":
                inputs.append(f"{image[1]}L[0], {image[2]})")
                declared.append(f"x{n}=f32[{name('B')},{image[2].replace(' ', '')}]")
            else:
                return None
        if self.lengths or not inputs:
            return None
        return replace(self, name=f"{self.name}, all sizes", inputs=tuple(inputs), declared=tuple(declared), lengths=BATCHES)
