"""State dicts in safetensors files."""
from _ptc import _unmodelled_module
from safetensors import safe_open


def __getattr__(name):
    if name in ("save", "save_file", "save_model", "load", "storage_ptr", "storage_size"):
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
