"""torch.library: operators of other names than torch's. What eager on a CPU does not call is left out: fake and autocast
implementations, gradients. An operator of custom_op() is its Python function; others have no model."""
import torch
from _ptc import _assume
from _ptc_torch import _refuse

_declared = []


class Library:
    """Declarations and implementations in a namespace."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError("Unsupported kind: ", kind)
        if ns in ("aten", "prim", "prims"):
            _refuse(f"torch.library.Library of {ns!r}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._ptc_defined = []

    def define(self, schema, alias_analysis="", *, tags=()):
        name, _, rest = schema.partition("(")
        if not rest or not name.replace(".", "_").isidentifier() or name in self._ptc_defined:
            _refuse(f"torch.library.Library.define() of {schema!r}")
        self._ptc_defined.append(name)
        _declared.append(f"{self.ns}::{name}")
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        """Of an operator that has no model, whichever key it is for."""


def _checked(op):
    """That an operator is there which the program does not declare is taken for granted: extensions of torch have some."""
    if not isinstance(op, str) or "::" not in op or op.startswith(("aten::", "prim::", "prims::")):
        _refuse("a registration for an operator of torch")
    if op not in _declared:
        _assume(f"operator {op!r} exists")


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    def register(function):
        _checked(op)
        return function

    return register if func is None else register(func)


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    _checked(op)


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    _refuse("torch.library.register_autocast()")


def register_vmap(op, func=None, /, *, lib=None):
    def register(function):
        _checked(op)
        return function

    return register if func is None else register(func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    def register(function):
        _checked(op)
        return function

    return register if func is None else register(func)


def _has_cpu(device_types):
    return device_types is None or "cpu" in ([device_types] if isinstance(device_types, str) else device_types)


def _by_schema(function, args, kwargs):
    """Arguments as the operator's schema, which the annotations give, converts them."""
    names = function.__code__.co_varnames[:function.__code__.co_argcount + function.__code__.co_kwonlyargcount]

    def converted(name, value):
        kind = function.__annotations__.get(name)
        kind = {"float": float, "int": int, "bool": bool, "torch.Tensor": torch.Tensor, "Tensor": torch.Tensor}.get(kind, kind)
        if kind is float and type(value) in (int, bool):
            return float(value)
        if kind is int and type(value) is bool:
            return int(value)
        if kind in (float, int, bool, torch.Tensor) and not isinstance(value, kind):
            _refuse(f"an operator's argument {name!r} of another type than its annotation")
        return value
    return [converted(*pair) for pair in zip(names, args)], {name: converted(name, value) for name, value in kwargs.items()}


class CustomOpDef:
    """An operator whose implementation is Python."""
    _ptc_known_as = "torch._library.custom_ops.CustomOpDef"

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._namespace, self._name, self._init_fn, self._ptc_kernel = namespace, name, fn, fn
        _declared.append(self._qualname)

    @property
    def _qualname(self):
        return f"{self._namespace}::{self._name}"

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def register_fake(self, fn, /):
        return fn

    def register_kernel(self, device_types, fn=None, /):
        def register(function):
            if _has_cpu(device_types):
                self._ptc_kernel = function
            return function

        return register if fn is None else register(fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        """Results are those without gradients."""

    def register_vmap(self, func=None):
        return (lambda f: f) if func is None else func

    def __call__(self, *args, **kwargs):
        if self._ptc_kernel is None or torch.is_grad_enabled() and [a for a in (*args, *kwargs.values()) if isinstance(a, torch.Tensor) and a.requires_grad]:
            _refuse(f"a call of the operator {self._qualname!r} without an implementation for CPUs, or of tensors that require a gradient")
        args, kwargs = _by_schema(self._init_fn, args, kwargs)
        result = self._ptc_kernel(*args, **kwargs)
        for part in result if isinstance(result, (list, tuple)) else (result,):
            if [given for given in (*args, *kwargs.values()) if given is part and isinstance(part, torch.Tensor)]:
                _refuse(f"the operator {self._qualname!r}, which returns its argument")
        return result


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def make(function):
        namespace, found, rest = name.partition("::")
        if not found or namespace in ("aten", "prim", "prims"):
            _refuse(f"torch.library.custom_op() of {name!r}")
        return CustomOpDef(namespace, rest, schema, function if _has_cpu(device_types) else None, tags)

    return make if fn is None else make(fn)
