"""State dicts in safetensors files."""
import os  # noqa: F401
import sys  # noqa: F401
from collections import defaultdict  # noqa: F401
from typing import Any, Dict, List, Optional, Set, Tuple, Union  # noqa: F401

from _ptc import _unmodelled_module
import torch  # noqa: F401
from safetensors import safe_open


def __getattr__(name):
    if name in ("TensorSpec", "deserialize", "load", "save", "save_file", "save_model", "serialize", "serialize_file", "storage_ptr", "storage_size",
                "_SIZE", "_TYPES", "_end_ptr", "_evaluate_tensors_for_save", "_filter_shared_not_shared", "_find_shared_tensors", "_flatten_as_ptr",
                "_float4_e2m1_x2", "_float8_e4m3fn", "_float8_e4m3fnuz", "_float8_e5m2", "_float8_e5m2fnuz", "_float8_e8m0", "_getdtype",
                "_is_complete", "_remove_duplicate_names", "_to_ndarray", "_view2torch"):
        return _unmodelled_module(f"safetensors.torch.{name}")
    raise AttributeError(f"module 'safetensors.torch' has no attribute '{name}'")


def load_file(filename, device="cpu", *, backend="mmap"):
    with safe_open(filename, framework="pt", device=device, backend=backend) as f:
        return f.get_tensors()


def load_model(model, filename, strict=True, device="cpu", *, backend="mmap"):
    """Of tied parameters a file has one name, which stands for all."""
    given = load_file(filename, device=device, backend=backend)
    tied = {}
    for name, tensor in model.state_dict(keep_vars=True).items():
        if tensor.device.type != "meta":                      # which a module's extra state may not have, an error as in safetensors
            tied.setdefault(id(tensor), []).append(name)
    missing, unexpected = model.load_state_dict(given, strict=False)
    missing = set(missing)
    for names in tied.values():
        kept = min([name for name in names if name in given] or names)
        for name in names:
            if name != kept and name not in missing:
                unexpected.append(name)
            elif name != kept:
                missing.remove(name)
    if strict and (missing or unexpected):
        lines = [f"Error(s) in loading state_dict for {model.__class__.__name__}:"]
        lines += [f"    {kind} key(s) in state_dict: " + ", ".join([f'"{key}"' for key in sorted(keys)])
                  for kind, keys in (("Missing", missing), ("Unexpected", unexpected)) if keys]
        raise RuntimeError("\n".join(lines))
    return missing, unexpected
