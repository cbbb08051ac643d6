"""Operators that programs define (torch.library) and call (torch.ops): a schema, and Python functions by what they are for."""
import torch
from _ptc import _assume
from _ptc_torch import _refuse, _restored

_defined = {}                                   # "ns::name.overload" -> Operator


_vmaps = []                                     # that are entered


def enter_vmap():
    _vmaps.append(None)


def leave_vmap():
    _vmaps.pop()
    _restored((_vmaps,))                        # no change of objects to a torch.vmap around


def is_in_vmap():
    return len(_vmaps) > 0


class _Missing:
    """No default."""


class Argument:
    """One argument of a schema: `kind` is its type there ("Tensor?", "int[]"); None: it is not known."""

    def __init__(self, name, kind, default, is_keyword):
        self.name, self.kind, self.default, self.is_keyword = name, kind, default, is_keyword

    def convert(self, operator, value):
        if self.kind is None:
            return value
        kind = self.kind
        if kind.endswith("?"):
            if value is None:
                return None
            kind = kind[:-1]
        if not kind.endswith("]"):
            return self.convert_one(operator, kind, value)
        if not isinstance(value, (list, tuple)):
            self.refuse(operator, value)
        return [self.convert_one(operator, kind.partition("[")[0], item) for item in value]

    def convert_one(self, operator, kind, value):
        if kind == "float" and type(value) in (int, bool) or kind == "float" and torch.is_tensor(value) and value.dim() == 0:
            return float(value)
        if kind == "int" and type(value) is bool:
            return int(value)
        if kind == "Scalar" and type(value) in (int, float, bool):
            return value
        is_right = {"Tensor": torch.is_tensor(value), "float": type(value) is float, "int": type(value) is int,
                    "SymInt": type(value) is int, "bool": type(value) is bool, "str": type(value) is str,
                    "ScalarType": isinstance(value, torch.dtype), "Device": isinstance(value, torch.device)}.get(kind)
        if not is_right:
            self.refuse(operator, value)
        return value

    def refuse(self, operator, value):
        _refuse(f"the argument {self.name!r} of the operator {operator!r}, of another type than its schema says")


def _split(text):
    """At commas outside brackets."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            parts.append(text[start:i].strip())
            start = i + 1
    return [part for part in [*parts, text[start:].strip()] if part]


def _literal(text):
    if text in ("None", "True", "False"):
        return {"None": None, "True": True, "False": False}[text]
    if text[0] in "\"'":
        return text[1:-1]
    if text[0] == "[":
        return [_literal(item) for item in _split(text[1:-1])]
    return float(text) if set(text) & set(".einf") else int(text)


def _arguments_of_schema(text):
    found, is_keyword = [], False
    for part in _split(text):
        if part == "*":
            is_keyword = True
            continue
        kind, _, rest = part.rpartition(" ")
        name, has_default, default = rest.partition("=")
        if "(" in kind:                         # "Tensor(a!)": which memory it has
            kind = kind[:kind.index("(")] + kind[kind.index(")") + 1:]
        found.append(Argument(name, kind.strip(), _literal(default) if has_default else _Missing, is_keyword))
    return found


_PLAIN = {"float": "float", "int": "int", "bool": "bool", "str": "str", "Tensor": "Tensor", "torch.Tensor": "Tensor",
          float: "float", int: "int", bool: "bool", str: "str", torch.Tensor: "Tensor", torch.dtype: "ScalarType", torch.device: "Device"}


def _kind_of(annotation):
    """The schema's type of an annotation; None: arguments of it are not looked at."""
    try:
        if annotation in _PLAIN:
            return _PLAIN[annotation]
    except TypeError:
        return None
    import typing
    parts = typing.get_args(annotation)
    if len(parts) == 2 and type(None) in parts:
        inner = _kind_of(parts[0] if parts[1] is type(None) else parts[1])
        return inner and inner + "?"
    origin = typing.get_origin(annotation)
    if len(parts) == 1 and origin is not None and getattr(origin, "__name__", "") in ("list", "Sequence"):
        inner = _kind_of(parts[0])
        return inner and inner + "[]"
    return None


def _arguments_of_function(function):
    code = function.__code__
    count, both = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names, defaults, named = code.co_varnames[:both], function.__defaults__ or (), function.__kwdefaults__ or {}
    found = []
    for i, name in enumerate(names):
        place = i - (count - len(defaults))
        default = named.get(name, _Missing) if i >= count else defaults[place] if place >= 0 else _Missing
        found.append(Argument(name, _kind_of(function.__annotations__.get(name)), default, i >= count))
    return found


class OpOverload:
    """One overload of an operator, which stands for a function."""
    _ptc_known_as = "torch._ops.OpOverload"

    def __init__(self, packet, overload, function):
        self.overloadpacket, self._overloadname, self._ptc_function = packet, overload or "default", function
        self.__name__ = f"{packet.__name__}.{self._overloadname}"

    @property
    def namespace(self):
        return self.overloadpacket._qualified_op_name.partition("::")[0]

    def name(self):
        name = self.overloadpacket._qualified_op_name
        return name if self._overloadname == "default" else f"{name}.{self._overloadname}"

    def __call__(self, *args, **kwargs):
        return self._ptc_function(*args, **kwargs)

    def __str__(self):
        return f"{self.overloadpacket}.{self._overloadname}"

    def __repr__(self):
        return f"<OpOverload(op='{self.overloadpacket}', overload='{self._overloadname}')>"


class OpOverloadPacket:
    """All overloads of a name."""
    _ptc_known_as = "torch._ops.OpOverloadPacket"

    def __init__(self, qualified, find, function):
        self._qualified_op_name, self.__name__ = qualified, qualified.partition("::")[2]
        self._ptc_find, self._ptc_function, self._ptc_overloads = find, function, {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._ptc_overloads:
            self._ptc_overloads[name] = OpOverload(self, name, self._ptc_find(self, name))
        return self._ptc_overloads[name]

    def __call__(self, *args, **kwargs):
        return self._ptc_function(*args, **kwargs)

    def __str__(self):
        return self._qualified_op_name.replace("::", ".")

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self}')>"


def _no_overload(packet, name):
    raise AttributeError(f"The underlying op of '{packet}' has no overload name '{name}'")


class Operator:
    """What torch.library has of an operator. Keys of kernels: device types, and of all devices "implicit" and "explicit"."""

    _ptc_has_batching_rule = False

    def __init__(self, name, arguments):
        self.name, self.arguments, self.kernels = name, arguments, {}
        _defined[name] = self

    def bound(self, args, kwargs):
        """Arguments as the function of a kernel is given them: converted, and without defaults at the end."""
        if self._ptc_has_batching_rule and is_in_vmap():
            _refuse(f"a call of the operator {self.name!r}, which has a batching rule, in torch.vmap")
        values = {}
        if len(args) > len(self.arguments) or set(kwargs) - {a.name for a in self.arguments}:
            _refuse(f"a call of the operator {self.name!r} with other arguments than its schema has")
        for argument, value in zip(self.arguments, args):
            if argument.is_keyword or argument.name in kwargs:
                _refuse(f"a call of the operator {self.name!r} with other arguments than its schema has")
            values[argument.name] = argument.convert(self.name, value)
        for argument in self.arguments[len(args):]:
            if argument.name in kwargs:
                values[argument.name] = argument.convert(self.name, kwargs[argument.name])
            elif argument.default is _Missing:
                _refuse(f"a call of the operator {self.name!r} without its argument {argument.name!r}")
            else:
                values[argument.name] = argument.default
        is_default = {a.name: a.default is not _Missing and type(values[a.name]) in (int, float, bool, str, list, type(None))
                      and values[a.name] == a.default for a in self.arguments}
        places = [a.name for a in self.arguments if not a.is_keyword]
        while places and is_default[places[-1]]:
            places.pop()
        named = {a.name: values[a.name] for a in self.arguments if a.is_keyword and not is_default[a.name]}
        return [values[name] for name in places], named

    def _ptc_kernel(self, tensors):
        devices = {t.device.type for t in tensors} or {"cpu"}
        if len(devices) > 1:
            _refuse(f"a call of the operator {self.name!r} with tensors of several devices")
        for key in (*devices, "explicit", "implicit"):
            if key in self.kernels:
                return self.kernels[key]
        _refuse(f"a call of the operator {self.name!r}, which has no implementation for the device")

    def __call__(self, *args, **kwargs):
        args, kwargs = self.bound(args, kwargs)
        return self._ptc_kernel(_tensors(args, kwargs))(*args, **kwargs)


def _tensors(args, kwargs):
    found = []
    for value in [*args, *kwargs.values()]:
        if isinstance(value, (list, tuple)):
            found += _tensors(value, {})
        elif torch.is_tensor(value):
            found.append(value)
    return found


_KEYS = {"CPU": "cpu", "CUDA": "cuda", "CompositeExplicitAutograd": "explicit", "CompositeImplicitAutograd": "implicit",
         "": "implicit", "default": "explicit", "cpu": "cpu", "cuda": "cuda"}
# What eager runs beside a kernel for tensors that no captured program has.
_IGNORED = ("Meta", "meta", "MPS", "mps", "XPU", "xpu", "HPU", "hpu", "FuncTorchBatched", "BackendSelect", "Functionalize")


def _implement(name, key, function):
    """A kernel of an operator; one that the program has not defined is of an extension, and has no model."""
    operator = _defined.get(name)
    if operator is None or key in _IGNORED:
        return
    if key not in _KEYS:
        _refuse(f"torch.library.impl() of {name!r} for {key!r}")
    operator.kernels[_KEYS[key]] = function


def _packet_of_program(name):
    """torch.ops.ns.op; None: the program defines no such operator."""
    overloads = {full.partition(".")[2]: operator for full, operator in _defined.items() if full.partition(".")[0] == name}
    if not overloads:
        return None
    first = next(iter(overloads.values()))

    def find(packet, overload):
        operator = overloads.get("" if overload == "default" else overload)
        return operator if operator is not None else _no_overload(packet, overload)

    def call(*args, **kwargs):
        if len(overloads) > 1:
            _refuse(f"a call of the operator {name!r}, which has several overloads, without the name of one")
        return first(*args, **kwargs)

    return OpOverloadPacket(name, find, call)


def _packet_of_aten(name):
    import _ptc_aten as aten

    def found(spelling):
        function = getattr(aten, spelling, None)
        if function is None:
            _refuse(f"torch.ops.aten.{spelling}")
        return function

    return OpOverloadPacket(f"aten::{name}", lambda packet, overload: found(f"{name}.{overload}"), found(name))


def _packet_of_function(namespace, function):
    """An operator of one overload that a library has, which is assumed to be there."""
    name = f"{namespace}::{function.__name__}"

    def call(*args, **kwargs):
        _assume(f"operator {name!r} is there, as {namespace} has it for a CPU")
        return function(*args, **kwargs)

    return OpOverloadPacket(name, lambda packet, overload: call if overload == "default" else _no_overload(packet, overload), call)


class OpNamespace:
    _ptc_known_as = "torch._ops._OpNamespace"

    def __init__(self, name):
        self._ptc_name, self._ptc_packets = name, {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in self._ptc_packets:
            packet = _packet_of_aten(name) if self._ptc_name == "aten" else _packet_of_program(f"{self._ptc_name}::{name}")
            if packet is None:
                _refuse(f"torch.ops.{self._ptc_name}.{name}")
            self._ptc_packets[name] = packet
        return self._ptc_packets[name]

    def __repr__(self):
        return f"<module 'torch.ops.{self._ptc_name}' from 'torch.ops'>"


_namespaces = {}


def _namespace(name):
    if name not in _namespaces:
        if name != "aten" and not any([full.startswith(name + "::") for full in _defined]):
            return None
        _namespaces[name] = OpNamespace(name)
    return _namespaces[name]
