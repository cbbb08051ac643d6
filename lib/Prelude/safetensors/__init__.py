"""safetensors 0.8: files of tensors, which are weights of the program."""
from _ptc import _is_opaque, _safetensors, _unmodelled_module
from _ptc_torch import _refuse
from os import fspath

__version__ = "0.8.0"


def __getattr__(name):
    if name in ("TensorSpec", "deserialize", "serialize", "serialize_file", "_safe_open_handle"):
        return _unmodelled_module(f"safetensors.{name}")
    raise AttributeError(f"module 'safetensors' has no attribute '{name}'")


class SafetensorError(Exception):
    __doc__ = "Custom Python Exception for Safetensor errors."


SafetensorError.__module__ = "safetensors_rust"


class _Slice:
    _ptc_known_as = "builtins.PySafeSlice"
    _ptc_dtypes = {"torch.float64": "F64", "torch.float32": "F32", "torch.float16": "F16", "torch.bfloat16": "BF16", "torch.int64": "I64",
                   "torch.int32": "I32", "torch.int16": "I16", "torch.int8": "I8", "torch.uint8": "U8", "torch.bool": "BOOL",
                   "torch.complex64": "C64"}

    def __init__(self, tensor):
        self._ptc_tensor = tensor

    def get_dtype(self):
        return self._ptc_dtypes[str(self._ptc_tensor.dtype)]

    def get_shape(self):
        return list(self._ptc_tensor.shape)

    def __getitem__(self, index):
        return self._ptc_tensor[index]


class safe_open:
    _ptc_known_as = "builtins.safe_open"

    def __init__(self, filename, framework, device="cpu", *, backend="mmap"):
        if _is_opaque(filename) or framework not in ("pt", "torch", "pytorch"):
            _refuse("safe_open of another framework than PyTorch")
        tensors, metadata = _safetensors(fspath(filename))
        self._ptc_tensors = {name: tensor if str(device) == "cpu" else tensor.to(device) for name, tensor in tensors}
        self._ptc_metadata = dict(metadata)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self._ptc_tensors = None

    def _ptc_open(self):
        if self._ptc_tensors is None:
            raise SafetensorError("File is closed")
        return self._ptc_tensors

    def keys(self):
        return sorted(self._ptc_open())

    def offset_keys(self):
        return list(self._ptc_open())

    def metadata(self):
        self._ptc_open()
        return dict(self._ptc_metadata) or None

    def get_tensor(self, name):
        tensors = self._ptc_open()
        if name not in tensors:
            raise SafetensorError(f"File does not contain tensor {name}")
        return tensors[name]

    def get_tensors(self):
        return dict(self._ptc_open())

    def get_slice(self, name):
        return _Slice(self.get_tensor(name))
