"""Objects with a __torch_function__, and tensors of classes that the program derives from torch.Tensor.

The engine comes here for calls of functions of torch that have such an object among their arguments: _call() of what PyTorch
has in C, the functions of torch._forms of what it has in Python. A tensor of a derived class holds a plain one."""
import torch
from _ptc_torch import (Tensor, is_parameter, _refuse, _overrides, _is_derived, _tensor_of, _derived, _of_same_fields,
                        _functions_disabled, _set_functions_disabled, _function_modes, _set_function_modes, _calling_part, _unknown_types)

_SUBCLASSES, _ALL = 1, 2
_OF_TENSORS, _OF_CLASS = 1, 2  # what _overrides() says


class _Disabled:
    """torch._C.DisableTorchFunctionSubclass and its like."""

    def __enter__(self):
        self._ptc_before = _functions_disabled()
        _set_functions_disabled(max(self._ptc_before, self._ptc_mode))

    def __exit__(self, *exception):
        _set_functions_disabled(self._ptc_before)


class _AllDisabled(_Disabled):
    _ptc_mode = _ALL


# Plain tensors in place of those of derived classes, and back.

def _plain(value, found):
    if _is_derived(value):
        tensor = _tensor_of(value)
        found.append((tensor, value))
        return tensor
    kind = type(value)
    if kind is list or kind is tuple:
        return kind([_plain(item, found) for item in value])
    if kind is slice:
        return slice(_plain(value.start, found), _plain(value.stop, found), _plain(value.step, found))
    if isinstance(value, (list, tuple)) and any([_is_derived(item) for item in value]):
        _refuse("tensors of a derived class in a " + kind.__name__)
    return value


def _given_again(result, found):
    """What a call gave, its arguments as the objects that they are."""
    if isinstance(result, Tensor):
        for tensor, given in found:
            if tensor is result:
                return given
        return result
    if isinstance(result, (list, tuple)):
        return _rebuilt(result, [_given_again(item, found) for item in result])
    return result


def _rebuilt(result, items):
    if not any([old is not new for old, new in zip(result, items) if isinstance(old, (Tensor, list, tuple))]):
        return result
    return items if type(result) is list else _of_same_fields(result, tuple(items))


def _call_plain(function, args, kwargs):
    found = []
    args = [_plain(arg, found) for arg in args]
    kwargs = {name: _plain(value, found) for name, value in kwargs.items()}
    if found:
        return _given_again(function(*args, **kwargs), found)
    before = _functions_disabled()
    _set_functions_disabled(max(before, _SUBCLASSES))
    try:
        return function(*args, **kwargs)
    finally:
        _set_functions_disabled(before)


def _converted(result, cls):
    if cls is Tensor:
        return result
    if isinstance(result, Tensor):
        return result if isinstance(result, cls) else _derived(cls, result)
    if isinstance(result, (list, tuple)):
        return _rebuilt(result, [_converted(item, cls) for item in result])
    return result


# Who is asked.

def _overloaded(relevant, with_tensors):
    """The objects to be asked, one of each class: derived classes before those that they are derived from."""
    found, kinds = [], []
    if _functions_disabled():
        return found
    for arg in relevant:
        if not _overrides(arg) and not (with_tensors and isinstance(arg, Tensor) and not is_parameter(arg)):
            continue
        kind = type(arg)
        if kind in kinds:
            continue
        kinds.append(kind)
        at = len(found)
        for i, old in enumerate(found):
            if issubclass(kind, type(old)):
                at = i
                break
        found.insert(at, arg)
    return found


# Methods of layers that call the functions which PyTorch's call, in that order.
_SAME_CALLS = ("Linear.forward", "ReLU.forward", "LayerNorm.forward", "Dropout.forward", "Embedding.forward")


def _ask(function, relevant, with_tensors, args, kwargs):
    """(whether somebody answered, the answer); None where nobody is asked."""
    overloaded = _overloaded(relevant, with_tensors)
    asked = [arg for arg in overloaded if _overrides(arg)]
    modes = _function_modes() if _functions_disabled() < _ALL else ()
    if not asked and not modes:
        return None
    types = tuple([type(arg) for arg in overloaded])
    if modes:
        part = _calling_part()
        if part is not None and part not in _SAME_CALLS:
            _refuse(part + " inside a TorchFunctionMode")
        _set_function_modes(modes[:-1])
        try:
            ask, told = modes[-1].__torch_function__, types if with_tensors else _unknown_types()
            if not with_tensors and getattr(ask, "__self__", None) is not modes[-1]:
                raise RuntimeError("Defining your mode's `__torch_function__` as a classmethod is not supported, please make it a plain method")
            answer = ask(function, told, args) if kwargs is None else ask(function, told, args, kwargs)
        finally:
            _set_function_modes(modes)
        if answer is not NotImplemented:
            return True, answer
        _refuse("a TorchFunctionMode that returns NotImplemented")
    for arg in asked:
        kind = _overrides(arg)
        if kind != _OF_TENSORS:
            part = _calling_part()
            if part is not None and part not in _SAME_CALLS:
                _refuse(part + " with an object that has a __torch_function__ of its own")
            if kind != _OF_CLASS:
                _refuse("a __torch_function__ that is no class method")
        ask = arg.__torch_function__
        answer = ask(function, types, args) if kwargs is None else ask(function, types, args, kwargs)
        if answer is not NotImplemented:
            return True, answer
    return False, asked


def _flat(args, kwargs):
    found = []
    for arg in list(args) + list(kwargs.values()):
        if isinstance(arg, (list, tuple)):
            found.extend(arg)
        else:
            found.append(arg)
    return found


def _nobody(name, asked):
    lines = "".join([f"\n  - tensor subclass {type(arg)}" for arg in asked])
    raise TypeError(f"Multiple dispatch failed for '{name}'; all __torch_function__ handlers returned NotImplemented:\n{lines}\n\n"
                    "For more information, try re-running with TORCH_LOGS=not_implemented")


def _of_c(function, name, args, kwargs, told=None):
    """`told`: what is said of named arguments where there are none."""
    answered = _ask(function, _flat(args, kwargs), False, args, kwargs or told)
    if answered is None:
        return _call_plain(function, args, kwargs)
    return answered[1] if answered[0] else _nobody(name, answered[1])


def _handle(function, relevant, args, kwargs):
    """torch.overrides.handle_torch_function"""
    answered = _ask(function, relevant, True, args, kwargs)
    if answered is None:
        return _call_plain(function, args, kwargs)
    if answered[0]:
        return answered[1]
    _no_implementation(function, answered[1])


def _no_implementation(function, asked):
    raise TypeError(f"no implementation found for '{function.__module__}.{function.__name__}' on types that implement "
                    f"__torch_function__: {[type(arg) for arg in asked]}")


def _takes(other):
    """Whether operators of tensors take it at all."""
    if isinstance(other, (Tensor, int, float, complex)) or _overrides(other):
        return True
    if other is not None and not isinstance(other, (str, bytes, list, tuple, dict, set)):
        _refuse("an operator between a tensor of a derived class and other than a tensor or number")
    return False


def _handle_operator(function, args):
    if _overrides(args[0]) != _OF_CLASS and not _takes(args[1]):
        return NotImplemented
    try:
        answered = _ask(function, args, True, args, {})
        if answered is None:
            return _call_plain(function, args, {})
        return answered[1] if answered[0] else NotImplemented
    except TypeError:
        return NotImplemented


def _operator(name, args):
    function = getattr(Tensor, name)
    # The method itself asks about the left operand alone, which may meet anything; the function takes what it can.
    is_alone = name == "__eq__" and (_overrides(args[0]) or bool(_function_modes()))
    if name == "__eq__" and not is_alone:
        function, name = Tensor.eq, "eq"
    if not is_alone and not (_takes(args[1]) and (name != "matmul" or isinstance(args[1], Tensor) or _overrides(args[1]))):
        return NotImplemented
    try:
        answered = _ask(function, args[:1] if is_alone else _flat(args, {}), False, args, None)
        if answered is None:
            return _call_plain(function, args, {})
        return answered[1] if answered[0] else NotImplemented
    except TypeError:
        return NotImplemented


_OPERATORS = {"add": "add", "radd": "add", "iadd": "add_", "sub": "sub", "isub": "sub_", "mul": "mul", "rmul": "mul", "imul": "mul_",
              "truediv": "div", "itruediv": "div_", "ifloordiv": "floor_divide_", "mod": "remainder", "imod": "remainder_",
              "matmul": "matmul", "and": "__and__", "rand": "bitwise_and", "iand": "__iand__", "or": "__or__", "ror": "bitwise_or",
              "ior": "__ior__", "xor": "__xor__", "rxor": "bitwise_xor", "ixor": "__ixor__", "lshift": "__lshift__",
              "ilshift": "__ilshift__", "rshift": "__rshift__", "irshift": "__irshift__", "lt": "lt", "le": "le", "eq": "__eq__",
              "ne": "ne", "gt": "gt", "ge": "ge"}
_OF_PYTHON = ("pow", "ipow")  # wrapped in Python: all operands are asked
_TAKING = ("torch.tensor", "torch.as_tensor", "torch.asarray", "torch.Tensor.as_subclass", "torch.Tensor._make_subclass")
_MAKING = ("torch.tensor", "torch.as_tensor", "torch.asarray")
_NOT_ASKING = ("torch.zeros", "torch.ones", "torch.empty", "torch.full", "torch.arange", "torch.linspace", "torch.logspace", "torch.eye",
               "torch.rand", "torch.randn", "torch.randint", "torch.randperm", "torch.from_numpy", "torch.normal")


def _call(function, path, args, kwargs):
    """A call of what PyTorch has in C."""
    name = path[len("torch.Tensor."):] if path.startswith("torch.Tensor.") else ""
    if name.startswith("__") and name[2:-2] in _OPERATORS and len(args) == 2:
        return _operator(_OPERATORS[name[2:-2]], args)
    if name == "__imatmul__":
        return NotImplemented  # PyTorch has none
    if name.startswith("__") and name[2:-2] in _OF_PYTHON:
        return _handle_operator(function, args)
    if name == "nelement":
        function = Tensor.numel
    if path in _TAKING and not (_function_modes() and path in _MAKING):
        with _AllDisabled():
            return _call_plain(function, args, kwargs)
    if path in _NOT_ASKING and any([_is_derived(arg) for arg in _flat(args, kwargs)]) or path.startswith("torch.aten."):
        _refuse(path + " of a tensor of a derived class")
    return _of_c(function, path, args, kwargs)


# Objects of derived classes.

class _Slot:
    """What PyTorch hands to __torch_function__ for a method or attribute that is no function of the program's."""

    def __init__(self, name, path, act, kwargs=None):
        self.__name__, self._ptc_path, self._ptc_act, self._ptc_kwargs = name, path, act, kwargs

    def __call__(self, *args, **kwargs):
        if self._ptc_kwargs is not None:
            answered = _ask(self, args[:1], True, args, self._ptc_kwargs)
        else:
            answered = _ask(self, _flat(args, kwargs), False, args, kwargs or None)
        if answered is None:
            return _call_plain(self._ptc_act, args, kwargs)
        return answered[1] if answered[0] else _nobody(self._ptc_path, answered[1])


def _slot(name, act, kwargs=None):
    return _Slot(name, "torch.Tensor." + name, act, kwargs)


def _set_item(tensor, index, value):
    tensor[index] = value


_GET_ITEM, _SET_ITEM = _slot("__getitem__", lambda tensor, index: tensor[index]), _slot("__setitem__", _set_item)
_LEN, _BOOL = _slot("__len__", len, {}), _slot("__bool__", bool)
_FLOAT, _INT, _INDEX, _COMPLEX = (_slot("__float__", float), _slot("__int__", int), _slot("__index__", lambda tensor: tensor.__index__()),
                                  _slot("__complex__", complex))
_INVERT = _slot("__invert__", lambda tensor: ~tensor)
_CONTAINS, _REVERSED = (_slot("__contains__", lambda tensor, element: element in tensor, {}),
                        _slot("__reversed__", lambda tensor: tensor.flip(0), {}))


def _attribute(name, set_too=False):
    def act(tensor):
        return getattr(tensor, name)

    def change(tensor, value):
        setattr(tensor, name, value)
    get = _Slot("__get__", f"torch.Tensor.{name}.__get__", act)
    put = _Slot("__set__", f"torch.Tensor.{name}.__set__", change)
    if name == "grad":
        _NOT_CONVERTED.append(get)
    return property(lambda self: get(self), (lambda self, value: put(self, value)) if set_too else None)


_NOT_CONVERTED = []


class Overridden(Tensor):
    """What a tensor of a derived class has beside operations: between the classes of the program and torch.Tensor."""

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if kwargs is None:
            kwargs = {}
        if not all([issubclass(cls, t) for t in types]):
            return NotImplemented
        before = _functions_disabled()
        _set_functions_disabled(max(before, _SUBCLASSES))
        try:
            result = func(*args, **kwargs)
        finally:
            _set_functions_disabled(before)
        return result if func in _NOT_CONVERTED else _converted(result, cls)

    def __getitem__(self, index):
        return _GET_ITEM(self, index)

    def __setitem__(self, index, value):
        _SET_ITEM(self, index, value)

    def __len__(self):
        return _LEN(self)

    def __iter__(self):
        if self.dim() == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __bool__(self):
        return _BOOL(self)

    def __float__(self):
        return _FLOAT(self)

    def __int__(self):
        return _INT(self)

    def __index__(self):
        return _INDEX(self)

    def __complex__(self):
        return _COMPLEX(self)

    def __neg__(self):
        return self.neg()

    def __pos__(self):
        return self.positive()

    def __abs__(self):
        return self.abs()

    def __invert__(self):
        return _INVERT(self)

    def __contains__(self, element):
        return _CONTAINS(self, element)

    def __reversed__(self):
        return _REVERSED(self)

    def __repr__(self):
        _refuse("the text of a tensor of a derived class")

    def __format__(self, spec):
        _refuse("the text of a tensor of a derived class")

    def __deepcopy__(self, memo):
        _refuse("copy.deepcopy of a tensor of a derived class")

    def __copy__(self):
        _refuse("copy.copy of a tensor of a derived class")

    shape, ndim, dtype, device, layout = (_attribute("shape"), _attribute("ndim"), _attribute("dtype"), _attribute("device"),
                                          _attribute("layout"))
    T, mT, H, mH, real, imag = (_attribute("T"), _attribute("mT"), _attribute("H"), _attribute("mH"), _attribute("real"),
                                _attribute("imag"))
    data, grad, requires_grad = _attribute("data", True), _attribute("grad", True), _attribute("requires_grad", True)
    is_leaf, grad_fn, is_cuda, is_cpu, is_meta = (_attribute("is_leaf"), _attribute("grad_fn"), _attribute("is_cuda"),
                                                  _attribute("is_cpu"), _attribute("is_meta"))
    is_sparse, is_quantized, itemsize, nbytes = (_attribute("is_sparse"), _attribute("is_quantized"), _attribute("itemsize"),
                                                 _attribute("nbytes"))
    output_nr, name = _attribute("output_nr"), _attribute("name")


def _as_subclass(tensor, cls):
    if not isinstance(cls, type) or not issubclass(cls, Tensor):
        raise TypeError(f"as_subclass(): argument 'cls' must be type, not {type(cls).__name__}" if not isinstance(cls, type)
                        else f"type {cls.__name__} does not inherit from torch.Tensor")
    return _derived(cls, tensor)
