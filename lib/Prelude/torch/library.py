"""torch.library: operators of other names than torch's. What eager does not call for values is left out: fake and autocast
implementations, gradients. Operators that the program defines are their Python functions (torch/_operators.py); others have no model."""
import torch
from _ptc import _assume
from _ptc_torch import _refuse, _shares_storage
from torch._operators import (_arguments_of_function, _arguments_of_schema, _defined, _IGNORED, _implement, _tensors, Operator)

_OWN = ("aten", "prim", "prims")                # namespaces of torch itself


def _define(name, schema):
    arguments, found, rest = schema.partition("(")[2].rpartition("->")
    if not found or ")" not in arguments or name in _defined:
        _refuse(f"the definition of an operator {name!r} by {schema!r}")
    Operator(name, _arguments_of_schema(arguments.rpartition(")")[0]))


class Library:
    """Declarations and implementations in a namespace."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError("Unsupported kind: ", kind)
        if ns in _OWN:
            _refuse(f"torch.library.Library of {ns!r}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema, alias_analysis="", *, tags=()):
        name = schema.partition("(")[0]
        if not name.replace(".", "_").isidentifier():
            _refuse(f"torch.library.Library.define() of {schema!r}")
        _define(f"{self.ns}::{name}", schema)
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        if (dispatch_key or self.dispatch_key) in _IGNORED:
            return                              # also of an operator of an extension, which has no model
        if not isinstance(op_name, str):
            op_name = op_name.name().partition("::")[2] if hasattr(op_name, "overloadpacket") else op_name.__name__
        if with_keyset:
            _refuse("torch.library.Library.impl(with_keyset=True)")
        name = op_name if "::" in op_name else f"{self.ns}::{op_name}"
        _implement(name, dispatch_key or self.dispatch_key, fn)

    def _destroy(self):
        """Operators stay as they are: nothing of the program may call them any more."""


def define(qualname, schema=None, *, lib=None, tags=()):
    if not isinstance(qualname, str) or "::" not in qualname:
        _refuse("torch.library.define() without a namespace")
    if schema is None:
        _refuse("torch.library.define() without a schema")
    _define(qualname, schema)


def impl(qualname, types, func=None, *, lib=None):
    def register(function):
        if isinstance(qualname, Library):       # impl(lib, name, key)
            return register_to(qualname, function)
        for key in [types] if isinstance(types, str) else types:
            _implement(_checked(qualname), key, function)

    def register_to(library, function):
        library.impl(types, function, func or "")
        return function

    if isinstance(qualname, Library):
        return register
    return register if func is None else register(func)


def _checked(op):
    """That an operator is there which the program does not declare is taken for granted: extensions of torch have some."""
    if isinstance(op, CustomOpDef):
        return op._qualname
    if not isinstance(op, str) or "::" not in op or op.partition("::")[0] in _OWN:
        _refuse("a registration for an operator of torch")
    if op not in _defined:
        _assume(f"operator {op!r} exists")
    return op


def register_fake(op, func=None, /, *, lib=None, _stacklevel=1, allow_override=False):
    def register(function):
        _checked(op)
        return function

    return register if func is None else register(func)


impl_abstract = register_fake


def register_autograd(op, backward, /, *, setup_context=None, lib=None):
    _checked(op)


def register_autocast(op, device_type, cast_inputs, /, *, lib=None):
    _refuse("torch.library.register_autocast()")


def register_vmap(op, func=None, /, *, lib=None):
    def register(function):
        name = _checked(op)
        if name in _defined:
            _defined[name]._ptc_has_batching_rule = True
        return function

    return register if func is None else register(func)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    def register(function):
        name = _checked(op)
        for key in ("default",) if device_types is None else [device_types] if isinstance(device_types, str) else device_types:
            _implement(name, key, function)
        return function

    return register if func is None else register(func)


def _grown(result):
    """The result with tensors that have a gradient, and are no leaves."""
    if isinstance(result, (list, tuple)):
        return type(result)([_grown(part) for part in result])
    is_grown = torch.is_tensor(result) and (result.is_floating_point() or result.is_complex())
    return result.requires_grad_().clone() if is_grown else result


class CustomOpDef(Operator):
    """An operator whose implementation is Python."""
    _ptc_known_as = "torch._library.custom_ops.CustomOpDef"

    def __init__(self, namespace, name, schema, fn, device_types, mutates):
        self._namespace, self._name, self._init_fn, self._ptc_mutates = namespace, name, fn, mutates
        arguments = _arguments_of_function(fn) if schema is None else _arguments_of_schema(schema.partition("(")[2].rpartition("->")[0].rpartition(")")[0])
        super().__init__(self._qualname, arguments)
        self._ptc_register(device_types, fn)

    @property
    def _qualname(self):
        return f"{self._namespace}::{self._name}"

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def _ptc_register(self, device_types, function):
        for key in ("default",) if device_types is None else [device_types] if isinstance(device_types, str) else device_types:
            _implement(self.name, key, function)

    def register_fake(self, fn, /):
        return fn

    def register_kernel(self, device_types, fn=None, /):
        def register(function):
            self._ptc_register(device_types, function)
            return function

        return register if fn is None else register(fn)

    def register_autograd(self, backward, /, *, setup_context=None):
        """Nothing is computed backwards."""

    def register_vmap(self, func=None):
        self._ptc_has_batching_rule = True
        return (lambda f: f) if func is None else func

    def __call__(self, *args, **kwargs):
        args, kwargs = self.bound(args, kwargs)
        tensors = _tensors(args, kwargs)
        kernel = self._ptc_kernel(tensors)
        grows = torch.is_grad_enabled() and any([t.requires_grad for t in tensors])
        if not grows:
            result = self._ptc_checked(kernel(*args, **kwargs), tensors)
            if any([t.requires_grad for t in _tensors([result], {})]):
                _refuse(f"the operator {self._qualname!r}, whose function takes tensors that require a gradient from elsewhere than its arguments")
            return result
        if self._ptc_mutates:
            _refuse(f"a call of the operator {self._qualname!r}, which writes to its arguments, with tensors that require a gradient")
        with torch.no_grad():
            result = self._ptc_checked(kernel(*args, **kwargs), tensors)
        return _grown(result)

    def _ptc_checked(self, result, tensors):
        if self._init_fn.__annotations__.get("return") in (torch.Tensor, "torch.Tensor", "Tensor") and not isinstance(result, torch.Tensor):
            _refuse(f"the operator {self._qualname!r}, which returns no tensor where its annotation says one")
        returned = _tensors([result], {})
        for n, part in enumerate(returned):
            if [other for other in tensors + returned[:n] if _shares_storage(other, part)]:
                _refuse(f"the operator {self._qualname!r}, whose result is an argument or another result, or a view of one: return a clone")
        return result


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    def make(function):
        namespace, found, rest = name.partition("::")
        if not found or namespace in _OWN:
            _refuse(f"torch.library.custom_op() of {name!r}")
        return CustomOpDef(namespace, rest, schema, function, device_types, mutates_args)

    return make if fn is None else make(fn)
