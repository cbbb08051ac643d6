#!/usr/bin/env python3
"""Writes lib/Capture/Builtins/TorchNames.inc: the public names of PyTorch's modules and classes, all names of tensors.
Those of Python's modules that lib/Prelude has, too.

In: the installed PyTorch, with Python 3.11. Out: one row per name, sorted; attributes of tensors that hold data apart. Run with a Python
that has it:
    torch_names.py > lib/Capture/Builtins/TorchNames.inc
"""
import importlib
import pkgutil

import torch

MODULES = """torch torch.Tensor torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.linalg
torch.special torch.fft torch.cuda torch.backends torch.backends.cuda torch.backends.cudnn torch.utils torch.utils.data
torch.optim torch.optim.lr_scheduler torch.distributions torch.autograd torch.autograd.functional torch.jit torch.compiler
torch.amp torch.random torch.func torch.nested torch.sparse torch.Generator torch.Size torch.return_types
torch.dtype torch.device torch.finfo torch.iinfo torch.layout torch.memory_format""".split()
PYTHON = """abc bisect collections collections.abc contextlib copy dataclasses enum functools heapq inspect itertools json keyword
logging math numbers operator random statistics string textwrap types typing warnings""".split()


def members(path):
    try:
        owner = importlib.import_module(path)
    except ImportError:
        parent, _, leaf = path.rpartition(".")
        owner = getattr(importlib.import_module(parent), leaf)
    inherited = set(dir(object)) if isinstance(owner, type) else set()
    return [n for n in dir(owner) if n not in inherited and (owner is torch.Tensor or not n.startswith("_"))]


def layers():
    """The members of the classes of torch.nn: those of Module under its own name alone."""
    of_module = set(dir(torch.nn.Module))
    for name, cls in sorted(vars(torch.nn).items()):
        if not isinstance(cls, type) or name.startswith("_"):
            continue
        known = set(dir(object)) | (of_module if issubclass(cls, torch.nn.Module) and cls is not torch.nn.Module else set())
        for member in dir(cls):
            if member not in known and not member.startswith("_"):
                yield f"torch.nn.{name}.{member}"


def modules(path="torch", folders=torch.__path__, depth=0):
    """The public modules of torch and of its packages, whether torch imports them or a program has to."""
    for module in pkgutil.iter_modules(folders):
        name = f"{path}.{module.name}"
        if module.name.startswith("_") and name != "torch._C":
            continue
        yield name
        if module.ispkg and depth < 2:
            yield from modules(name, [f"{folder}/{module.name}" for folder in folders], depth + 1)


def is_data(path):
    """Whether an attribute of a tensor is no function."""
    module, _, name = path.rpartition(".")
    return module == "torch.Tensor" and not callable(getattr(torch.Tensor, name))


def main():
    names = sorted({f"{m}.{n}" for m in MODULES + PYTHON for n in members(m)} | set(layers()) | set(modules()))
    print(f"// Written by tools/gen/torch_names.py from PyTorch {torch.__version__.split('+')[0]}; do not edit.")
    for name in names:
        print(f'PTC_TORCH_{"DATA" if is_data(name) else "NAME"}("{name}")')
    print("#undef PTC_TORCH_NAME")
    print("#undef PTC_TORCH_DATA")


if __name__ == "__main__":
    main()
