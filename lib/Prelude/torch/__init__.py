"""The parts of module torch that are Python: everything that is one ATen operation comes from the
operation table by its spelling, through the module's fallback for names that are not here."""
from _ptc_torch import (Tensor, dtype, device, layout, memory_format, Generator,
                        float16, float32, float64, bfloat16, uint8, int8, int16, int32, int64, bool,
                        complex64, complex128, strided, contiguous_format, preserve_format,
                        channels_last, channels_last_3d, tensor, is_grad_enabled, _set_grad_enabled,
                        get_default_dtype, set_default_dtype, manual_seed, is_tensor,
                        make_size, is_size, _adopt)
import builtins as _builtins
import math as _math

class _SizeMeta(type):
    def __instancecheck__(cls, value):
        return is_size(value)


class Size(metaclass=_SizeMeta):
    def __new__(cls, items=()):
        return make_size(tuple(items))


half, float, double, chalf = float16, float32, float64, None
short, int, long, cfloat, cdouble = int16, int32, int64, complex64, complex128
inf, nan, pi, e = _math.inf, _math.nan, _math.pi, _math.e
newaxis = None
__version__ = "2.13.0"


class _GradMode:
    """no_grad(), enable_grad() and set_grad_enabled(): context managers and decorators."""

    def __init__(self, mode):
        self.mode = mode

    def __enter__(self):
        self.prev = is_grad_enabled()
        _set_grad_enabled(self.mode)

    def __exit__(self, kind, value, trace):
        _set_grad_enabled(self.prev)
        return False

    def __call__(self, function):
        mode = self.mode

        def wrapper(*args, **kwargs):
            with _GradMode(mode):
                return function(*args, **kwargs)
        wrapper.__name__ = function.__name__
        wrapper.__wrapped__ = function
        return wrapper


class no_grad(_GradMode):
    def __init__(self, orig_func=None):
        super().__init__(False)

    def __new__(cls, orig_func=None):
        made = super().__new__(cls)
        if orig_func is None:
            return made
        _GradMode.__init__(made, False)
        return made(orig_func)


class enable_grad(_GradMode):
    def __init__(self):
        super().__init__(True)


class inference_mode(_GradMode):
    def __init__(self, mode=True):
        super().__init__(not mode)


class set_grad_enabled(_GradMode):
    def __init__(self, mode):
        super().__init__(mode)
        self.prev = is_grad_enabled()
        _set_grad_enabled(mode)

    def __enter__(self):
        pass


def is_floating_point(input):
    return input.dtype.is_floating_point


def is_complex(input):
    return input.dtype.is_complex


def numel(input):
    return input.numel()


def as_tensor(data, dtype=None, device=None):
    if is_tensor(data):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype, device=device)


def asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False):
    return as_tensor(obj, dtype, device)


def from_numpy(array):
    return as_tensor(array)


def compile(model=None, **options):
    """torch.compile: ptc compiles everything, so this is the identity."""
    if model is None:
        return lambda function: function
    return model


def set_float32_matmul_precision(precision):
    pass


def get_float32_matmul_precision():
    return "highest"


def typename(obj):
    return type(obj).__module__ + "." + type(obj).__qualname__


def broadcast_shapes(*shapes):
    out = []
    for shape in shapes:
        if isinstance(shape, _builtins.int):
            shape = (shape,)
        while len(out) < len(shape):
            out.insert(0, 1)
        for i in range(1, len(shape) + 1):
            if shape[-i] != 1:
                if out[-i] != 1 and out[-i] != shape[-i]:
                    raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
                out[-i] = shape[-i]
    return Size(out)


def broadcast_tensors(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    shape = broadcast_shapes(*[t.shape for t in tensors])
    return tuple(t.expand(shape) for t in tensors)


def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing == "xy" and len(tensors) > 1:
        a, b, *rest = meshgrid(tensors[1], tensors[0], *tensors[2:])
        return tuple(t.transpose(0, 1) for t in (b, a, *rest))
    n = len(tensors)
    shape = [t.numel() for t in tensors]
    return tuple(t.reshape([-1 if i == k else 1 for k in range(n)]).expand(shape)
                 for i, t in enumerate(tensors))


def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _einsum(equation.replace(" ", ""), operands)


def _einsum(equation, operands):
    """Each operand is brought to the order of all labels and multiplied; contracted labels are
    summed pair by pair with matmul where two operands share them."""
    if "..." in equation:
        raise NotImplementedError("einsum with an ellipsis")
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if not arrow:
        right = "".join(c for c in sorted(set(left.replace(",", ""))) if left.count(c) == 1)
    current, labels = operands[0], terms[0]
    for k in range(1, len(terms)):
        later = right + "".join(terms[k + 1:])
        current, labels = _contract(current, labels, operands[k], terms[k], later)
    drop = [i for i, c in enumerate(labels) if c not in right]
    if drop:
        current = current.sum(drop)
        labels = "".join(c for c in labels if c in right)
    return current.permute([labels.index(c) for c in right])


def _contract(a, la, b, lb, later):
    batch = [c for c in la if c in lb and c in later]
    inner = [c for c in la if c in lb and c not in later]
    only_a = [c for c in la if c not in lb]
    only_b = [c for c in lb if c not in la]
    size = {c: n for c, n in zip(la, a.shape)}
    size.update({c: n for c, n in zip(lb, b.shape)})

    def count(labels):
        n = 1
        for c in labels:
            n = n * size[c]
        return n
    x = a.permute([la.index(c) for c in batch + only_a + inner])
    y = b.permute([lb.index(c) for c in batch + inner + only_b])
    x = x.reshape([count(batch), count(only_a), count(inner)])
    y = y.reshape([count(batch), count(inner), count(only_b)])
    z = x.bmm(y).reshape([size[c] for c in batch + only_a + only_b])
    return z, "".join(batch + only_a + only_b)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if isinstance(dim, _builtins.int):
        dim = [dim]
    if not isinstance(p, str):
        return linalg.vector_norm(input, 2.0 if p is None else p, dim, keepdim, dtype=dtype)
    if p == "fro" and (dim is None or len(dim) <= 2):
        return linalg.vector_norm(input, 2, dim, keepdim, dtype=dtype)
    return linalg.matrix_norm(input, p, list(range(input.dim())) if dim is None else dim, keepdim,
                              dtype=dtype)


def _check(cond, message=None):
    if not cond:
        raise RuntimeError("Expected cond to be True, but got False." if message is None else message())


def _assert(condition, message):
    assert condition, message


class autocast:
    def __new__(cls, *args, **kwargs):
        from torch.amp import autocast as impl
        return impl(*args, **kwargs)


from torch import nn, cuda, compiler, jit, backends, autograd, utils, amp, _dynamo, linalg, special  # noqa: E402
from torch.nn.parameter import Parameter as _Parameter  # noqa: E402
from torch._tensor import Methods as _Methods  # noqa: E402
_adopt(Tensor, _Methods)
