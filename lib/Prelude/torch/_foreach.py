"""torch._foreach_*: one operation on each tensor of a list. What eager has none of is not here."""
import torch

_UNARY = ("abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round rsqrt sigmoid sign "
          "sin sinh sqrt tan tanh trunc").split()
_BINARY = "add sub mul div pow maximum minimum clamp_max clamp_min".split()


def _check(tensors, *others):
    if not tensors:
        raise RuntimeError("Tensor list must have at least one tensor.")
    for other in others:
        if len(other) != len(tensors):
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {len(tensors)} and {len(other)}")


def _seconds(tensors, other):
    """What each tensor meets: its own of a list, or the one number or tensor."""
    if isinstance(other, (list, tuple)):
        _check(tensors, other)
        return list(other)
    _check(tensors)
    return [other] * len(tensors)


def _unary(name, in_place):
    def each(self):
        _check(self)
        done = [getattr(tensor, name + "_" * in_place)() for tensor in self]
        return self if in_place else tuple(done)
    return each


def _meet(name, tensor, other, options):
    """`maximum` of a number is clamp_min, as eager's kernels have it."""
    if name in ("maximum", "minimum") and not isinstance(other, torch.Tensor):
        return tensor.clamp_min(other) if name == "maximum" else tensor.clamp_max(other)
    return getattr(torch, name)(tensor, other, **options)


def _meet_in_place(name, tensor, other, options):
    if name in ("maximum", "minimum"):
        name = "clamp_min" if name == "maximum" else "clamp_max"
    getattr(tensor, name + "_")(other, **options)


def _binary(name, in_place):
    def each(self, other, **options):
        if name == "pow" and not isinstance(self, (list, tuple)):
            return tuple([torch.pow(self, tensor) for tensor in other])
        pairs = list(zip(self, _seconds(self, other)))
        if not in_place:
            return tuple([_meet(name, tensor, second, options) for tensor, second in pairs])
        for tensor, second in pairs:
            _meet_in_place(name, tensor, second, options)
        return self
    return each


def _ternary(name, in_place):
    def each(self, tensor1, tensor2, value=1):
        _check(self, tensor1, tensor2)
        values = value if isinstance(value, (list, tuple)) else [value] * len(self)
        done = [getattr(one, name + "_" * in_place)(two, three, value=v) for one, two, three, v in zip(self, tensor1, tensor2, values)]
        return self if in_place else tuple(done)
    return each


def _lerp(in_place):
    def each(self, tensors1, weight):
        _check(self, tensors1)
        weights = weight if isinstance(weight, (list, tuple)) else [weight] * len(self)
        done = [getattr(one, "lerp" + "_" * in_place)(two, w) for one, two, w in zip(self, tensors1, weights)]
        return self if in_place else tuple(done)
    return each


def _copy_(self, src, non_blocking=False):
    _check(self, src)
    for tensor, new in zip(self, src):
        tensor.copy_(new)
    return self


def _zero_(self):
    _check(self)
    for tensor in self:
        tensor.zero_()
    return self


def _norm(self, ord=2, dtype=None):
    _check(self)
    return tuple([torch.linalg.vector_norm(tensor, ord, dtype=dtype) for tensor in self])


def _max(self):
    _check(self)
    return tuple([tensor.max() for tensor in self])


def _clone(self, *, memory_format=None):
    _check(self)
    return tuple([tensor.clone() for tensor in self])


_FUNCTIONS = {"copy_": _copy_, "zero_": _zero_, "norm": _norm, "max": _max, "clone": _clone, "lerp": _lerp(False), "lerp_": _lerp(True)}
for _names, _make in ((_UNARY, _unary), (_BINARY, _binary), (("addcdiv", "addcmul"), _ternary)):
    for _name in _names:
        _FUNCTIONS[_name], _FUNCTIONS[_name + "_"] = _make(_name, False), _make(_name, True)
for _name, _function in _FUNCTIONS.items():
    setattr(torch, "_foreach_" + _name, _function)
