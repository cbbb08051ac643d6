"""Calls artefacts of ptc from Python: one file, ctypes and DLPack, no other dependency.

    import ptc_loader
    model = ptc_loader.Model("libmlp.so")
    y = model(x)                         # torch tensors, NumPy arrays: whatever speaks DLPack

A Model is one context: it keeps state from call to call and belongs to one thread at a time; a second Model of the
same file is another context, of the same code; one made after the file was replaced has the new code.
Tensors of results are copies, of state of the program, too, which calls go on changing without them: torch tensors if torch
has been imported, else NumPy arrays; element types are torch's, else DType, and both may be arguments. Objects are dicts
with their class under "$object", named tuples are tuples. An argument that was compiled as an object is one of that class,
of which the attributes are read, or such a dict. What the program raises is raised as Raised; a call that no variant fits
as NoVariant, with its text; an int beyond 64 bits as OverflowError; what did not work out otherwise as PtcError.
"""
import ctypes
import inspect
import itertools
import json
import math
import mmap
import os
import re
import struct
import sys

TAGS = ["NoneType", "bool", "int", "float", "complex", "str", "Tensor", "list", "tuple", "dict", "set", "object",
        "torch.dtype", "torch.device"]
NONE, BOOL, INT, FLOAT, STR, TENSOR, LIST, DTYPE, DEVICE = 0, 1, 2, 3, 5, 6, 7, 12, 13
TEXT_BYTES = 4608                              # a path and what is wrong there
OK, INVALID_ARGUMENT, NO_VARIANT, RAISED, WEIGHTS, VERSION, INTERNAL, FILE = 0, 1, 2, 3, 6, 7, 9, 13


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Str(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class List(ctypes.Structure):
    _fields_ = [("items", ctypes.c_void_p), ("length", ctypes.c_size_t)]


class DLDataType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class DLDevice(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class As(ctypes.Union):
    _fields_ = [("integer", ctypes.c_int64), ("real", ctypes.c_double), ("str", Str),
                ("tensor", ctypes.POINTER(DLTensor)), ("complex_parts", ctypes.c_double * 2), ("list", List),
                ("dtype", DLDataType), ("device", DLDevice)]


class Value(ctypes.Structure):
    _fields_ = [("tag", ctypes.c_uint8), ("requires_grad", ctypes.c_uint8), ("reserved", ctypes.c_uint8 * 6), ("as_", As)]


class Invocation(ctypes.Structure):
    _fields_ = [("entry", ctypes.c_uint32), ("structure", ctypes.c_uint32), ("inputs", ctypes.POINTER(Value)),
                ("num_inputs", ctypes.c_uint32), ("num_outputs", ctypes.c_uint32),
                ("outputs", ctypes.POINTER(Value)), ("variant", ctypes.c_uint32), ("outcome", ctypes.c_uint32)]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("text", ctypes.c_char_p), ("type", ctypes.c_char_p),
                ("file", ctypes.c_char_p), ("line", ctypes.c_uint32), ("guard", ctypes.c_int64)]


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("swap_weights", ctypes.c_uint32), ("weights_path", ctypes.c_char_p),
                ("weights", ctypes.c_void_p), ("weights_bytes", ctypes.c_uint64), ("check_weights", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("text", ctypes.c_void_p), ("text_bytes", ctypes.c_uint64),
                ("clock", ctypes.c_void_p), ("clock_user", ctypes.c_void_p)]


_P = ctypes.c_void_p
_F = ctypes.CFUNCTYPE
Output = _F(None, _P, ctypes.c_int, _P, ctypes.c_size_t)


class Api(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("major", ctypes.c_uint16), ("minor", ctypes.c_uint16),
                ("name", ctypes.c_char_p),
                ("model_open", _F(ctypes.c_int, ctypes.POINTER(Options), ctypes.POINTER(_P))),
                ("model_close", _F(None, _P)),
                ("describe", _F(ctypes.c_char_p, _P)),
                ("context_create", _F(ctypes.c_int, _P, ctypes.POINTER(_P))),
                ("context_destroy", _F(None, _P)),
                ("call", _F(ctypes.c_int, _P, ctypes.POINTER(Invocation))),
                ("last_error", _F(ctypes.POINTER(Error), _P)),
                ("set_threads", _F(ctypes.c_int, _P, ctypes.c_uint32)),
                ("set_allocator", _F(ctypes.c_int, _P, _P)),
                ("set_output", _F(ctypes.c_int, _P, Output, _P)),
                ("set_miss_callback", _F(ctypes.c_int, _P, _P, _P)),
                ("set_grad_mode", _F(ctypes.c_int, _P, ctypes.c_int)),
                ("rng_seed", _F(ctypes.c_int, _P, ctypes.c_uint32, ctypes.c_int64)),
                ("counters", _P), ("num_states", _P), ("state_name", _P), ("state_get", _P), ("state_set", _P),
                ("state_reset", _F(ctypes.c_int, _P)),
                ("status_text", _F(ctypes.c_char_p, ctypes.c_int)),
                ("record_misses", _F(ctypes.c_int, _P, ctypes.c_char_p)),
                ("record_call", _F(ctypes.c_int, _P, ctypes.c_char_p, ctypes.c_size_t)),
                ("profile", _P), ("set_stream", _F(ctypes.c_int, _P, _P)),
                ("context_make", _F(ctypes.c_int, _P, ctypes.POINTER(_P), _P, ctypes.c_uint64))]


class PtcError(RuntimeError):
    """A call did not end well; `status` is a number of Status.def."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class NoVariant(PtcError):
    """No variant fits the arguments; the text names the guard that failed."""


class Raised(PtcError):
    """The program raised: `type` is the exception's class, the text what str() of it gives; `file` and `line` say
    where, as a note does."""

    def __init__(self, error):
        self.type, self.file, self.line = error.type.decode(), error.file.decode(), error.line
        at = f"at {self.file}:{self.line}" if self.file else ""
        text = error.text.decode().removeprefix(f"{self.type}: ")
        super().__init__(RAISED, text.removesuffix(f"\nnote: {at}") if at else text)
        self.__notes__ = [f"{self.type} {at}".rstrip()]


class _Text(str):
    """What Python shows of a value that has no form here."""
    __repr__ = str.__str__


class DType(str):
    """An element type by its name, as "torch.float32" or "float32", for programs without torch. Errors: ValueError for
    one that artefacts do not have."""
    __repr__ = str.__str__

    def __new__(cls, name):
        name = name.removeprefix("torch.")
        if name not in _CODES:
            raise ValueError(f"no element type is called {name!r}")
        return super().__new__(cls, f"torch.{name}")


def _is_torch(value, kind):
    return "torch" in sys.modules and isinstance(value, getattr(sys.modules["torch"], kind))


def _dtype_name(value):
    """"float32" of that element type, None of what is none."""
    return str(value).removeprefix("torch.") if isinstance(value, DType) or _is_torch(value, "dtype") else None


def _shown(text):
    """A value of a result that the manifest has as text: an element type, a device, or something without a form."""
    torch = sys.modules.get("torch")
    if text.startswith("torch.") and text.removeprefix("torch.") in _CODES:
        return getattr(torch, text.removeprefix("torch.")) if torch else DType(text)
    if torch and re.fullmatch(r"(cpu|cuda)(:\d+)?", text):
        return torch.device(text)
    if text.rstrip(")").endswith("j"):
        try:
            return complex(text)
        except ValueError:
            pass                                     # a name that ends so
    return _Text(text)


_CONSTANTS = (type(None), bool, int, float, str, bytes)
_HAVE_NO_ATTRIBUTES = (*_CONSTANTS, list, set, frozenset)


def _constant_text(value):
    """What the compiler wrote of such a constant."""
    if isinstance(value, type):
        return f"<class '{value.__name__}'>"
    return f"({''.join(_constant_text(part) + ', ' for part in value)})" if type(value) is tuple else \
        repr(value) if type(value) in (*_CONSTANTS, _Text) or type(value).__module__ == "torch" else "<other>"


def _attributes(value):
    """The attributes of an object by name: of one that a result had, a named tuple, or an instance. None of others."""
    if isinstance(value, dict) and "$object" in value:
        return {name: item for name, item in value.items() if name != "$object"}
    if isinstance(value, tuple):
        return hasattr(value, "_fields") and dict(zip(value._fields, value)) or None
    if type(value) in (*_HAVE_NO_ATTRIBUTES, dict) or hasattr(value, "__dlpack__"):
        return None
    slots = [name for cls in type(value).__mro__ for name in cls.__dict__.get("__slots__", ()) if hasattr(value, name)]
    return {**{name: getattr(value, name) for name in slots if name != "__dict__"}, **getattr(value, "__dict__", {})}


def _class_name(text):                               # Name of module:Outer.Name(1, 2)
    return text.split("(")[0].split(":")[-1].split(".")[-1]


def _is_instance(container, value):
    own = value["$object"] if isinstance(value, dict) and "$object" in value else type(value).__name__
    return _attributes(value) is not None and own == _class_name(container["class"])


def _odd_attributes(container, value):
    """What is wrong with the attributes of an object, as (name, found, expected). It has those that are arguments, those
    that its class made when it was compiled, as they were then, and those that are the class's own."""
    names, has, made, missing = [n for n in container["keys"].split(", ") if n], _attributes(value), container["made"], object()
    expected = "the attributes " + ", ".join([*names, *[name for name in made if name not in names]])
    odd = [(name, "missing", expected) for name in [*names, *made] if name not in has]
    for name in has:
        if name in made and name not in names:
            known = made[name] or "no constant"
            if _constant_text(has[name]) != known:
                odd.append((name, repr(has[name]), known))
        elif name not in names and \
                (type(value) is dict or getattr(type(value), name, missing) is not has[name]):
            odd.append((name, "given", expected))
    return odd


def _parts(path, value, objects=()):
    """The parts of a container with their paths, None for a leaf. At the paths in `objects` it may be an object."""
    if path in objects and (attributes := _attributes(value)) is not None:
        return [(f"{path}.{name}", item) for name, item in attributes.items()]
    if isinstance(value, (list, tuple)):
        return [(f"{path}[{i}]", item) for i, item in enumerate(value)]
    if isinstance(value, dict):
        return [(f'{path}["{key}"]' if isinstance(key, str) else f"{path}[{key!r}]", item)
                for key, item in value.items()]
    return None


def _flatten(path, value, out, objects):
    out[path] = value
    for at, part in _parts(path, value, objects) or ():
        _flatten(at, part, out, objects)


def _has(container, values, given):
    """Whether a container of a structure is what the call passes there."""
    if container["path"] == "arguments()":
        return container["keys"] == ", ".join(given)
    value = values.get(container["path"], None)
    if container["type"] == "object":
        return _is_instance(container, value) and not _odd_attributes(container, value)
    if not isinstance(value, (list, tuple, dict)) or type(value).__name__ != container["type"]:
        return False
    keys = ", ".join(map(repr, value)) if isinstance(value, dict) else ""
    return len(value) == container.get("length", len(value)) and keys == container.get("keys", keys)


def _type_name(value):
    return "NoneType" if value is None else "Tensor" if hasattr(value, "__dlpack__") else type(value).__name__


def _shared(structure, values):
    """Of what can be written to, what is at two places, as (path, the other one): programs were compiled for one each."""
    seen = {}
    for container in structure["containers"]:
        value = values.get(container["path"])
        if container["type"] != "tuple" and value is not None and \
                (first := seen.setdefault(id(value), container["path"])) != container["path"]:
            yield container["path"], first


def _misfits(container, values, given):
    """What is wrong with a container that _has() finds wrong, each as (kind of the guard, what, found, expected)."""
    path = container["path"]
    if path == "arguments()":
        wanted = [name for name in container["keys"].split(", ") if name]
        expected = "the arguments " + ", ".join(wanted) if wanted else "no arguments"
        wrong = [(name, "missing") for name in wanted if name not in given]
        wrong += [(name.removeprefix("**"), "given") for name in given if name not in wanted]
        return [("keys", name, found, expected) for name, found in wrong or [("the order", ", ".join(given))]]
    if path not in values:
        return []                                    # so is what should hold it
    value = values[path]
    if container["type"] == "object":
        if not _is_instance(container, value):
            return [("class", f"type({path})", _type_name(value), _class_name(container["class"]))]
        return [("keys", f"{path}.{name}", *rest) for name, *rest in _odd_attributes(container, value)]
    if type(value).__name__ != container["type"]:
        return [("type", f"type({path})", _type_name(value), container["type"])]
    if len(value) != container.get("length", len(value)):
        return [("length", f"len({path})", len(value), container["length"])]
    return [("keys", f"{path}.keys()", ", ".join(map(repr, value)), container["keys"])]


class _Leaf:
    """A value for the call, and what has to live as long as it."""

    given = None                                     # what `owner` is a copy of
    gpu = None                                       # on which it lies

    def __init__(self, value):
        self.value = Value()
        v = self.value
        if value is None:
            v.tag = NONE
        elif isinstance(value, bool):
            v.tag, v.as_.integer = BOOL, value
        elif isinstance(value, int):
            if not -2 ** 63 <= value < 2 ** 63:
                raise OverflowError("int too big to convert")    # ctypes would wrap it
            v.tag, v.as_.integer = INT, value
        elif isinstance(value, float):
            v.tag, v.as_.real = FLOAT, value
        elif _dtype_name(value) in _CODES:
            v.tag, v.as_.dtype = DTYPE, DLDataType(*_CODES[_dtype_name(value)], 1)
        elif _is_torch(value, "device") and value.type in _DEVICES:
            v.tag, v.as_.device = DEVICE, DLDevice(_DEVICES[value.type], value.index or 0)
        elif isinstance(value, str):
            self.text = value.encode()
            v.tag, v.as_.str = STR, Str(self.text, len(self.text))
        elif hasattr(value, "__dlpack__"):
            v.tag, v.requires_grad = TENSOR, bool(getattr(value, "requires_grad", False))
            self.owner = value.detach() if hasattr(value, "detach") else value
            if getattr(value, "is_cuda", False):
                self.gpu = value.device
            if _is_torch(value, "Tensor") and value.is_neg():    # DLPack does not say so
                self.given, self.owner = self.owner, self.owner.resolve_neg()
            self.capsule = self.owner.__dlpack__()
            v.as_.tensor = ctypes.cast(_capsule_pointer(self.capsule, b"dltensor"), ctypes.POINTER(DLTensor))
        else:
            raise TypeError(f"{_dtype_name(value) or type(value).__name__} is no argument of an artefact")

    def give_back(self):
        """What the call wrote to a copy goes to the argument."""
        if self.given is not None and not sys.modules["torch"].equal(self.given, self.owner):
            self.given.copy_(self.owner)


_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype, _capsule_pointer.argtypes = _P, [ctypes.py_object, ctypes.c_char_p]

_TYPES = {(0, 8): "int8", (0, 16): "int16", (0, 32): "int32", (0, 64): "int64", (1, 8): "uint8", (2, 16): "float16",
          (2, 32): "float32", (2, 64): "float64", (4, 16): "bfloat16", (5, 64): "complex64", (5, 128): "complex128",
          (6, 8): "bool"}
_CODES = {name: code for code, name in _TYPES.items()}
_DEVICES = {"cpu": 1, "cuda": 2}

_ALIASES = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "c"}


def _notation(value):
    """A value as example JSON has it; of a tensor its element type, sizes and strides."""
    if isinstance(value, tuple):
        return {"$tuple": [_notation(item) for item in value]}
    if isinstance(value, list):
        return [_notation(item) for item in value]
    if isinstance(value, dict):
        if all(isinstance(key, str) and not key.startswith("$") for key in value):
            return {key: _notation(item) for key, item in value.items()}
        return {"$dict": [[_notation(key), _notation(item)] for key, item in value.items()]}
    if isinstance(value, float) and not math.isfinite(value):
        return {"$float": repr(value)}
    if _dtype_name(value) in _CODES:
        return {"$dtype": _dtype_name(value)}
    if _is_torch(value, "device"):
        return {"$device": str(value)}
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if not hasattr(value, "__dlpack__"):
        raise TypeError(f"{type(value).__name__} has no form in examples")
    leaf = _Leaf(value)
    t = leaf.value.as_.tensor.contents
    sizes, strides = t.shape[:t.ndim], t.strides[:t.ndim] if t.strides else None
    alias = "bool" if t.code == 6 else _ALIASES[t.code] + str(t.bits)
    out = {"$tensor": f"{alias}[{','.join(map(str, sizes))}]"}
    dense = [math.prod(sizes[d + 1:]) for d in range(t.ndim)]
    if strides and 0 not in sizes and any(n != 1 and s != e for n, s, e in zip(sizes, strides, dense)):
        out["strides"] = strides
    if leaf.value.requires_grad:
        out["requires_grad"] = True
    return out


class _DeviceBytes:
    """Memory of a GPU as torch takes it."""

    def __init__(self, address, count):
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "|u1", "data": (address, False), "version": 3}


def _copy(t):
    """A tensor of a result in memory of its own."""
    sizes, strides = t.shape[:t.ndim], t.strides[:t.ndim]
    span = 0 if 0 in sizes else 1 + sum((n - 1) * s for n, s in zip(sizes, strides))
    if t.device_type == _DEVICES["cuda"]:
        torch = sys.modules["torch"]                 # whose tensors the arguments are
        dtype, at = getattr(torch, _TYPES[t.code, t.bits]), f"cuda:{t.device_id}"
        if not span:
            return torch.empty_strided(sizes, strides, dtype=dtype, device=at)
        raw = torch.as_tensor(_DeviceBytes(t.data + t.byte_offset, span * t.bits // 8), device=at).clone()
        return torch.as_strided(raw.view(dtype), sizes, strides)
    raw = ctypes.string_at((t.data or 0) + t.byte_offset, span * t.bits // 8) if span else b""
    name = _TYPES[t.code, t.bits]
    if "torch" in sys.modules:
        torch = sys.modules["torch"]
        dtype = getattr(torch, name)
        if not span:
            return torch.empty_strided(sizes, strides, dtype=dtype)
        return torch.as_strided(torch.frombuffer(bytearray(raw), dtype=dtype), sizes, strides)
    import numpy
    flat = numpy.frombuffer(bytearray(raw), dtype=name)
    return numpy.lib.stride_tricks.as_strided(flat, sizes, [s * t.bits // 8 for s in strides])


def _signature(manifest):
    """What the entry takes; None where it is no Python function."""
    text, made = manifest.get("signature"), []
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for part in text.split(", ") if text else ():
        if part == "/":
            made = [p.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for p in made]
        elif part.startswith("**"):
            made.append(inspect.Parameter(part[2:], inspect.Parameter.VAR_KEYWORD))
        elif part.startswith("*"):
            kind = inspect.Parameter.KEYWORD_ONLY
            if part != "*":
                made.append(inspect.Parameter(part[1:], inspect.Parameter.VAR_POSITIONAL))
        else:
            name = part.removesuffix("=")
            made.append(inspect.Parameter(name, kind, default=inspect.Parameter.empty if name == part else None))
    return None if text is None else inspect.Signature(made)


class _Builder:
    """Results from trees of the manifest and the leaves of a call. An object that several places hold is described in
    the first of them, which may be an alternative that was not chosen."""

    def __init__(self, leaves, trees):
        self.leaves, self.objects, self.described = leaves, {}, {}
        for tree in trees:
            self.describe(tree)

    def describe(self, node):
        if node.get("id") and node["kind"] != "same":
            self.described.setdefault(node["id"], node)
        for item in node.get("items", ()):
            self.describe(item)

    def value(self, v):
        if v.tag == TENSOR:
            return _copy(v.as_.tensor.contents)
        if v.tag == LIST:
            return [self.value(item) for item in (Value * v.as_.list.length).from_address(v.as_.list.items or 0)] \
                if v.as_.list.length else []
        return {NONE: None, BOOL: bool(v.as_.integer), INT: v.as_.integer, FLOAT: v.as_.real}[v.tag]

    def build(self, node):
        identity = node.get("id", 0)
        if identity in self.objects:
            return self.objects[identity]
        return self.known(identity, self.make(self.described[identity] if node["kind"] == "same" else node))

    def known(self, identity, made):
        return self.objects.setdefault(identity, made) if identity else made

    def make(self, node):
        kind, items = node["kind"], node.get("items", [])
        if kind == "leaf":
            made = self.value(self.leaves[node["leaf"]])
            return made if "text" not in node else [v.tolist() for v in made] if type(made) is list else made.tolist()
        if kind == "list" and "text" in node:
            return list(self.rows(items[0]))
        if kind == "choice":
            return self.build(items[int(self.value(self.leaves[node["leaf"]]))])
        if kind in ("none", "bool", "float") or (kind == "int" and "value" in node):
            return float(node["value"]) if kind == "float" else node.get("value")
        if kind in ("int", "str", "bytes", "other"):
            text = node.get("text", "")
            return int(text) if kind == "int" else text if kind == "str" else _shown(text) if kind == "other" else text.encode("latin-1")
        if kind == "template":
            return "".join(str(self.build(item)) for item in items)
        if kind == "field":
            return self.field(node["text"], self.build(items[0]))
        return self.container(kind, items, node)

    def rows(self, node):
        """What the elements of a list of tuples have there, one after the other."""
        made = zip(*map(self.rows, node["items"])) if "items" in node else self.make(node)
        return made if "items" in node or node["kind"] == "leaf" else itertools.repeat(made)

    def container(self, kind, items, node):
        """Containers that may hold themselves are known before their parts."""
        if kind == "list":
            made = self.known(node.get("id", 0), [])
            made.extend(self.build(item) for item in items)
            return made
        if kind in ("dict", "object"):
            made = self.known(node.get("id", 0), {"$object": node["text"]} if kind == "object" else {})
            made.update((self.build(items[i]), self.build(items[i + 1])) for i in range(0, len(items), 2))
            return made
        if kind in ("tuple", "set"):
            made = tuple if kind == "tuple" else frozenset if node.get("text") == "frozenset" else set
            return made(self.build(items[0]) if node.get("text") == "*" else map(self.build, items))
        raise PtcError(INTERNAL, f"a result of kind {kind} has no form in Python")

    @staticmethod
    def field(how, value):
        """A replacement field: `%` and what follows, or `f` and the spec of format(), or `s`, `r` or `a`."""
        if how.startswith("%"):
            return how % (value,)
        if how.startswith("f"):
            return format(value, how[1:])
        return {"s": str, "r": repr, "a": ascii}[how[:1]](value)


def _segments(data):
    """(kind, place in the file, address, bytes in the file) of each segment of an ELF library; None: it has not all of
    its tables."""
    start, sections = struct.unpack_from("<QQ", data, 32)
    size, count, section_size, num_sections = struct.unpack_from("<HHHH", data, 54)
    if start + size * count > len(data) or sections + section_size * num_sections > len(data):
        return None
    rows = (struct.unpack_from("<IIQQQQ", data, start + i * size) for i in range(count))
    return [(kind, at, address, length) for kind, _, at, address, _, length in rows]


def _wrong_of(data):
    """None, or why a file is no ELF library for here with all that its tables name: loading a part of one ends the
    process. As Load.c has it."""
    shared, x86_64, segment_size = 3, 62, 56
    if data[:7] != b"\x7fELF\2\1\1" or len(data) < 64 or struct.unpack_from("<HH", data, 16) != (shared, x86_64) or \
            struct.unpack_from("<H", data, 54) != (segment_size,):
        return "it is no library for x86-64, or a part of one"
    segments = _segments(data)
    if segments is None or any(at + length > len(data) for _, at, _, length in segments):
        return "it is a part of a library: the file was cut short"
    return None


def _names(data):
    """Symbols of a library that may name its table. The rest of the file, weights above all, is not looked at."""
    load, dynamic, strings, strings_size = 1, 2, 5, 10          # as elf.h numbers them
    segments = _segments(data)
    rows = dict(row for kind, at, _, length in segments if kind == dynamic
                for row in struct.iter_unpack("<QQ", data[at:at + length // 16 * 16]))
    table = rows.get(strings, 0)
    for kind, at, address, length in segments:
        if kind == load and address <= table < address + length:
            begin = at + table - address
            names = data[begin:begin + rows.get(strings_size, 0)].split(b"\0")
            return [name for name in names if name.endswith(b"_ptc_v1")]
    return []


_loaded = {}                                         # by file: its size and date when it was loaded


def _load(path, at):
    """The library at `path`, of which os.stat says `at`. The system finds libraries by their names, also where another
    file has taken the place of the one that was loaded. So each file has a name of its own: `/` and `/.` behind its
    folder say which one it is and lead nowhere else. As Load.c has it."""
    known = _loaded.get((at.st_dev, at.st_ino), (at.st_size, at.st_mtime_ns))
    if known != (at.st_size, at.st_mtime_ns):
        raise PtcError(FILE, f"{path}: it was written over after it was loaded; put a new file in its place, as `ptc "
                       "compile` and mv do")
    number = hash((at.st_dev, at.st_ino, at.st_size, at.st_mtime_ns)) % 2 ** 64
    library = ctypes.CDLL(os.path.dirname(path) + "".join("/." if number >> i & 1 else "/" for i in range(64)) + "/" +
                          os.path.basename(path))
    _loaded[at.st_dev, at.st_ino] = known
    return library


class Model:
    """One context of the artefact at `path`. `weights`: the .weights file of one whose weights are not embedded, if it
    does not lie beside under the artefact's name. `check_weights`: whether their bytes are compared with those that
    were compiled; None: those of a file below 64 MiB. `changed`: containers of the caller that the last call changed,
    by path, as they are now. Errors: OSError, PtcError."""

    def __init__(self, path, weights=None, threads=1, check_weights=None):
        self._model, self._context = _P(), _P()
        path = os.path.abspath(path)                 # plain names are looked for elsewhere
        with open(path, "rb") as file:
            at = os.fstat(file.fileno())
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if at.st_size else b""
            if wrong := _wrong_of(data):
                raise PtcError(FILE, f"{path}: {wrong}")
            self.library = _load(path, at)
        self.api = self._find(path, data)
        self._records, self._stream = False, 0
        self.text, self.changed = [], {}
        self._output = Output(lambda _, stream, data, n: self.text.append((stream, ctypes.string_at(data, n))))
        try:
            self._open(path, weights, {None: 0, True: 1, False: 2}[check_weights])
            self.manifest = json.loads(self.api.describe(self._model))
            self._signature = _signature(self.manifest)
            self._objects = set()
            for container in [c for structure in self.manifest["structures"] for c in structure["containers"]]:
                if container["type"] == "object":
                    self._objects.add(container["path"])
                    container["made"] = {row["name"]: row["value"] for row in self.manifest.get("made", ())
                                         if row["class"] == container["class"]}
            self._make_context()
            self._check(self.api.set_threads(self.context, threads))
        except BaseException:
            self.close()
            raise

    @property
    def context(self):
        """The context of the C interface. Errors: PtcError behind close()."""
        if not getattr(self, "_context", None):
            raise PtcError(INVALID_ARGUMENT, "the model is closed" if hasattr(self, "manifest") else
                           "the model was not opened")
        return self._context

    def _find(self, path, data):
        """The table of the library: of the name that its file had when it was made."""
        for name in sorted(set(_names(data))):
            function = getattr(self.library, name.decode(errors="replace"), None)
            if function:
                function.restype = ctypes.POINTER(Api)
                return function().contents
        raise PtcError(FILE, f"{path}: it is no artefact of ptc")

    def _open(self, path, weights, check):
        """Weights that are not named lie beside the library."""
        text = ctypes.create_string_buffer(TEXT_BYTES)
        given = weights and os.fsencode(os.path.abspath(weights))
        beside = os.fsencode(os.path.splitext(path)[0] + ".weights")
        if check == 1 and self.api.minor < 3:
            raise PtcError(VERSION, "the artefact is too old to check its weights")

        def open_with(file):
            options = Options(ctypes.sizeof(Options), 0, file, None, 0, check, 0, ctypes.addressof(text), len(text))
            return self.api.model_open(ctypes.byref(options), ctypes.byref(self._model))

        status, inside = open_with(given), False
        if status == WEIGHTS and not given:
            status = open_with(beside)
            if inside := status == INVALID_ARGUMENT:  # it has weights of its own: these are wrong
                status = open_with(None)
        why = text.value.decode(errors="replace") or self.api.status_text(status).decode()
        if status == WEIGHTS:
            why = (f"{path}: the weights in it: {why.partition(': ')[2]}" if inside else
                   why + "; `ptc compile` writes the weights beside the artefact, as .weights: give that file as weights=")
        if status != OK:
            raise PtcError(status, why)

    def _make_context(self):
        text = ctypes.create_string_buffer(TEXT_BYTES)
        if self.api.size < Api.context_make.offset + Api.context_make.size:
            return self._check(self.api.context_create(self._model, ctypes.byref(self._context)))
        status = self.api.context_make(self._model, ctypes.byref(self._context), text, len(text))
        if status != OK:
            raise PtcError(status, text.value.decode(errors="replace"))

    def _check(self, status):
        if status != OK:
            text = self._context and self.api.last_error(self._context).contents.text
            raise PtcError(status, (text or self.api.status_text(status)).decode())

    def capture_output(self):
        """What the program prints goes to `self.text` from now on, as (stream, bytes)."""
        self._check(self.api.set_output(self.context, self._output, None))

    def seed(self, number, generator=0):
        if not -2 ** 63 <= number < 2 ** 64:
            raise OverflowError("int too big to convert")
        self._check(self.api.rng_seed(self.context, generator, ctypes.c_int64(number).value))

    def set_stream(self, stream):
        """Calls start their work on that CUDA stream from now on, a number as torch.cuda.Stream.cuda_stream; 0: the default
        one. Calls with torch tensors of a GPU do so by themselves, on torch's current stream. Errors: PtcError where
        tensors of the program do not lie on a GPU."""
        if self.api.size < Api.set_stream.offset + Api.set_stream.size:
            raise PtcError(VERSION, "the artefact is too old to take a stream")
        self._check(self.api.set_stream(self.context, stream))
        self._stream = stream

    def _follow_stream(self, leaves):
        """Behind what torch's current stream has, and in front of what it gets."""
        gpu = next((leaf.gpu for leaf in leaves if leaf.gpu is not None), None)
        if gpu is not None and (stream := sys.modules["torch"].cuda.current_stream(gpu).cuda_stream) != self._stream:
            self.set_stream(stream)

    def reset(self):
        self._check(self.api.state_reset(self.context))

    def record_misses(self, path):
        """Calls that no variant fits are added to the file at `path` (`.jsonl`) as examples, each once, for `ptc
        compile --add-variants`; None: no more. Errors: PtcError where the file cannot be written."""
        if self.api.size < Api.record_call.offset + Api.record_call.size:
            raise PtcError(VERSION, "the artefact is too old to record misses")
        self._check(self.api.record_misses(self.context, path and os.fsencode(path)))
        self._records = path is not None

    def _why_no_structure(self, args, kwargs):
        """As the C interface words it of a guard, of the structure that is nearest."""
        given, values = self._given(args, kwargs), {}
        for path, value in given.items():
            _flatten(path, value, values, self._objects)
        rows = []
        for structure in self.manifest["structures"]:
            guards = self.manifest["variants"][structure["variants"][0]]["guards"]
            wrong = [(container["path"], *misfit) for container in structure["containers"]
                     if not _has(container, values, given) for misfit in _misfits(container, values, given)]
            wrong += [(path, "type", f"type({path})", _type_name(values[path]),
                       next((guard["formula"].split(" == ")[-1] for guard in guards
                             if guard["kind"] == "type" and guard["path"] == path), "no container"))
                      for path in structure["leaves"] if isinstance(values.get(path), (list, tuple, dict))]
            wrong += [(path, "type", path, f"what {other} is", "an object of its own") for path, other in _shared(structure, values)]
            rows.append((len(wrong), len(rows), guards, wrong))
        _, _, guards, wrong = min(rows)
        path, kind, what, found, expected = wrong[0]
        text = f"{what} is {found}, expected {expected}"
        for guard in guards:
            if (guard["kind"], guard["path"]) == (kind, path) and guard["origins"]:
                at, formula = guard["origins"][0], guard["formula"]
                text += f"\nnote: {at['file']}:{at['line']}: assumed here: {formula} ({at['reason']})"
        return text + "\nhint: compile it with an --example like this call"

    def _no_structure(self, args, kwargs):
        """The error for arguments that no variant takes apart; says why, where it is not recorded."""
        text = self._why_no_structure(args, kwargs)
        if self._records:
            try:
                call = json.dumps({"args": list(map(_notation, args)),
                                   "kwargs": {name: _notation(value) for name, value in kwargs.items()}}).encode()
                self._check(self.api.record_call(self.context, call, len(call)))
            except (TypeError, PtcError) as why:
                text += f"\nnote: the call is not recorded: {why}"
        return NoVariant(NO_VARIANT, text)

    def _bind(self, args, kwargs):
        """TypeError, where Python could not make the call either."""
        if self._signature:
            try:
                self._signature.bind(*args, **kwargs)
            except TypeError as why:
                raise TypeError(f"{self.manifest['entry']}() {why}") from None

    def _given(self, args, kwargs):
        """The arguments by path, in the order in which guards see them: keywords in that of the parameters."""
        names = self.manifest["parameters"]
        named = next((i for i, name in enumerate(names) if name.startswith("*")), len(names))
        rest = names[named][1:] if named < len(names) else "args"
        given = {names[i] if i < named else f"{rest}[{i - named}]": value for i, value in enumerate(args)}
        order = {name: i for i, name in enumerate(names) if name not in given}
        for name in sorted(kwargs, key=lambda name: order.get(name, len(names))):
            given["**" + name if name in given else name] = kwargs[name]
        return given

    def _arguments(self, args, kwargs):
        self._bind(args, kwargs)
        given, values = self._given(args, kwargs), {}
        for path, value in given.items():
            _flatten(path, value, values, self._objects)
        for number, structure in enumerate(self.manifest["structures"]):
            if all(_has(c, values, given) for c in structure["containers"]) and not any(_shared(structure, values)) and \
                    not any(isinstance(values.get(path, []), (list, tuple, dict)) for path in structure["leaves"]):
                return number, [_Leaf(values[path]) for path in structure["leaves"]]
        raise self._no_structure(args, kwargs)

    def __call__(self, /, *args, **kwargs):
        context, self.changed = self.context, {}
        structure, leaves = self._arguments(args, kwargs)
        self._follow_stream(leaves)
        inputs = (Value * max(len(leaves), 1))(*[leaf.value for leaf in leaves])
        most = max((len(o["leaves"]) for v in self.manifest["variants"] for o in v["outcomes"]), default=0)
        outputs = (Value * max(most, 1))()
        call = Invocation(0, structure, inputs, len(leaves), most, outputs, 0, 0)
        status = self.api.call(context, ctypes.byref(call))
        for leaf in leaves:
            leaf.give_back()
        if status != OK:
            error = self.api.last_error(self.context).contents
            if status == RAISED:
                raise Raised(error)
            raise (NoVariant if status == NO_VARIANT else PtcError)(status, error.text.decode())
        outcome = self.manifest["variants"][call.variant]["outcomes"][call.outcome]
        builder = _Builder(outputs, [outcome["tree"], *outcome["contents"]])
        result = builder.build(outcome["tree"])
        self.changed = {path: builder.build(tree) for path, tree in zip(outcome["mutated"], outcome["contents"])}
        return result

    def close(self):
        """Frees the context; calls behind it are errors."""
        if getattr(self, "_context", None):
            self.api.context_destroy(self._context)
        if getattr(self, "_model", None):
            self.api.model_close(self._model)
        self._context = self._model = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
