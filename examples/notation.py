"""The JSON notation of calls and results, and safetensors files, for scripts that have torch.

    {"args": [{"$tensor": "x.safetensors", "name": "x"}, 3], "kwargs": {"opt": {"$tuple": [1, 2]}}}

`decode` and `encode` convert between the notation and Python values; a `TensorStore` collects the
tensors that belong into the file beside it. Needs torch and nothing else.
"""
import ctypes
import json
import math
import struct
from dataclasses import dataclass
from pathlib import Path

import torch

# (torch dtype, name in specs such as f32[2,3], name in safetensors, which have no complex128)
DTYPES = [
    (torch.uint8, "u8", "U8"), (torch.int8, "i8", "I8"), (torch.int16, "i16", "I16"),
    (torch.int32, "i32", "I32"), (torch.int64, "i64", "I64"), (torch.float16, "f16", "F16"),
    (torch.float32, "f32", "F32"), (torch.float64, "f64", "F64"), (torch.bool, "bool", "BOOL"),
    (torch.bfloat16, "bf16", "BF16"), (torch.complex64, "c64", "C64"), (torch.complex128, "c128", None),
]
STORED = {dtype: name for dtype, _, name in DTYPES if name}
LOADED = {name: dtype for dtype, name in STORED.items()}
SPECS = {name: dtype for dtype, name, _ in DTYPES}


def tensor_bytes(t):
    t = t.detach().contiguous()
    return ctypes.string_at(t.data_ptr(), t.numel() * t.element_size()) if t.numel() else b""


def save_safetensors(path, tensors):
    header, data, at = {}, [], 0
    for name, t in tensors.items():
        if t.dtype not in STORED:
            raise TypeError(f"safetensors have no element type for {t.dtype} ({name})")
        raw = tensor_bytes(t)
        header[name] = {"dtype": STORED[t.dtype], "shape": list(t.shape),
                        "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(struct.pack("<Q", len(text)) + text + b"".join(data))


def load_safetensors(path):
    raw = Path(path).read_bytes()
    size, = struct.unpack("<Q", raw[:8])
    out = {}
    for name, entry in json.loads(raw[8:8 + size]).items():
        if name == "__metadata__":
            continue
        low, high = (8 + size + at for at in entry["data_offsets"])
        dtype = LOADED[entry["dtype"]]
        data = bytearray(raw[low:high])
        t = torch.frombuffer(data, dtype=dtype) if data else torch.empty(0, dtype=dtype)
        out[name] = t.reshape(entry["shape"]).clone()
    return out


@dataclass
class Object:
    """An instance of a class of the program, as a result shows it."""
    type: str
    fields: dict


class TensorStore:
    """Tensors on their way into one safetensors file; `encode` names them."""

    def __init__(self, path):
        self.path = Path(path)
        self.tensors = {}

    def add(self, t, name):
        assert name not in self.tensors, name
        self.tensors[name] = t.detach().clone()
        return {"$tensor": self.path.name, "name": name}

    def save(self):
        if self.tensors:
            save_safetensors(self.path, self.tensors)


def encode(value, store, name="x"):
    """Python value -> notation; tensors go into `store` under names that start with `name`."""
    if isinstance(value, torch.Tensor):
        return store.add(value, name)
    if isinstance(value, torch.dtype):
        return {"$dtype": str(value).removeprefix("torch.")}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": str(value)}
    if isinstance(value, tuple):
        return {"$tuple": [encode(v, store, f"{name}.{i}") for i, v in enumerate(value)]}
    if isinstance(value, list):
        return [encode(v, store, f"{name}.{i}") for i, v in enumerate(value)]
    if isinstance(value, (set, frozenset)):
        return {"$set": [encode(v, store, f"{name}.{i}") for i, v in enumerate(value)]}
    if isinstance(value, dict) and not all(isinstance(k, str) for k in value):
        return {"$dict": [[encode(k, store, name), encode(v, store, f"{name}.{k}")] for k, v in value.items()]}
    if isinstance(value, dict):
        return {k: encode(v, store, f"{name}.{k}") for k, v in value.items()}
    if isinstance(value, Object):
        return {"$object": value.type, "fields": encode(value.fields, store, name)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"no notation for {type(value).__name__} ({name})")


def decode(value, folder, files=None):
    """Notation -> Python value; tensor files are looked up in `folder`."""
    files = {} if files is None else files
    again = lambda v: decode(v, folder, files)
    if isinstance(value, list):
        return [again(v) for v in value]
    if not isinstance(value, dict):
        return value
    if "$tensor" in value:
        return decode_tensor(value, folder, files)
    if "$tuple" in value:
        return tuple(again(v) for v in value["$tuple"])
    if "$dtype" in value:
        return getattr(torch, value["$dtype"])
    if "$float" in value:
        return float(value["$float"])
    if "$int" in value:
        return int(value["$int"])
    if "$device" in value:
        return torch.device(value["$device"])
    if "$set" in value:
        return set(again(v) for v in value["$set"])
    if "$dict" in value:
        return {again(k): again(v) for k, v in value["$dict"]}
    if "$object" in value:
        return Object(value["$object"], again(value["fields"]))
    return {k: again(v) for k, v in value.items()}


def decode_call(notation, folder):
    """(args, kwargs) of a call. {"$same": "args[0][1]"} is the very tensor that was passed there."""
    named, files = {}, {}

    def one(value, place):
        if isinstance(value, list):
            return [one(v, f"{place}[{i}]") for i, v in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if "$same" in value:
            return named[value["$same"]]
        if "$tuple" in value:
            return tuple(one(value["$tuple"], place))
        if "$dict" in value:
            return {decode(k, folder, files): one(v, f"{place}[{i}][1]") for i, (k, v) in enumerate(value["$dict"])}
        if not any(key.startswith("$") for key in value):
            return {k: one(v, f"{place}.{k}") for k, v in value.items()}
        made = decode(value, folder, files)
        if isinstance(made, torch.Tensor):
            named[place] = made
        return made

    kwargs = notation.get("kwargs", {})
    return one(notation.get("args", []), "args"), {name: one(v, f"kwargs.{name}") for name, v in kwargs.items()}


def restrided(t, strides):
    """The same elements in fresh memory with these strides, which may overlap as those of `expand` do."""
    extent = 1 + sum((size - 1) * stride for size, stride in zip(t.shape, strides)) if t.numel() else 0
    memory = torch.empty(extent, dtype=t.dtype)
    places = torch.arange(extent).as_strided(t.shape, strides)
    memory[places.reshape(-1)] = t.detach().reshape(-1)
    return memory.as_strided(t.shape, strides)


def decode_tensor(value, folder, files):
    """The tensor of {"$tensor": …}: written out, or of a file. Errors: ValueError for one that ptc draws itself."""
    spec = value["$tensor"]
    if "values" in value:                       # {"$tensor": "f32[2,2]", "values": [[1, 2], [3, {"$float": "nan"}]]}
        dtype, _, dims = spec.rstrip("]").partition("[")
        shape = [int(d) for d in dims.split(",") if d.strip()]
        made = torch.tensor(decode(value["values"], folder), dtype=SPECS[dtype]).reshape(shape)
    elif "[" in spec:
        raise ValueError(f"{spec}: only ptc has the elements that it draws from a seed; write them out as values")
    else:
        path = Path(folder) / spec
        if path not in files:
            files[path] = load_safetensors(path)
        tensors = files[path]
        # Two mentions of one name are two tensors: aliasing is never implied. The only tensor needs no name.
        made = (tensors[value["name"]] if "name" in value or len(tensors) != 1 else next(iter(tensors.values()))).clone()
    if "strides" in value:
        made = restrided(made, value["strides"])
    return made.requires_grad_(value.get("requires_grad", False))
