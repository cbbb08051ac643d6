#!/usr/bin/env python3
"""Writes lib/Capture/Builtins/TorchNames.inc: the public names of PyTorch's modules and classes.

In: the installed PyTorch. Out: one row per name, sorted. Run with a Python that has it:
    torch_names.py > lib/Capture/Builtins/TorchNames.inc
"""
import importlib

import torch

MODULES = """torch torch.Tensor torch.nn torch.nn.functional torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.linalg
torch.special torch.fft torch.cuda torch.backends torch.backends.cuda torch.backends.cudnn torch.utils torch.utils.data
torch.optim torch.optim.lr_scheduler torch.distributions torch.autograd torch.autograd.functional torch.jit torch.compiler
torch.amp torch.random torch.func torch.nested torch.sparse torch.Generator torch.Size torch.return_types""".split()


def members(path):
    try:
        owner = importlib.import_module(path)
    except ImportError:
        parent, _, leaf = path.rpartition(".")
        owner = getattr(importlib.import_module(parent), leaf)
    inherited = set(dir(object)) if isinstance(owner, type) else set()
    return [n for n in dir(owner) if not n.startswith("_") and n not in inherited]


def main():
    names = sorted({f"{m}.{n}" for m in MODULES for n in members(m)})
    print(f"// Written by tools/gen/torch_names.py from PyTorch {torch.__version__.split('+')[0]}; do not edit.")
    for name in names:
        print(f'PTC_TORCH_NAME("{name}")')
    print("#undef PTC_TORCH_NAME")


if __name__ == "__main__":
    main()
