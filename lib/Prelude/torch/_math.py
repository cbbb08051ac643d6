"""Functions of torch that are arithmetic composed of operations, as PyTorch composes it."""
import math
import _ptc_aten as aten
import builtins
import torch
from torch import is_tensor, return_types, _refuse, _freeze
from torch._casts import _autocast_rule, _in_float32


# Comparing ----------------------------------------------------------------------------------------


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if input.dtype != other.dtype:
        raise RuntimeError(f"{_scalar_name(input.dtype)} did not match {_scalar_name(other.dtype)}")
    if rtol < 0:
        raise RuntimeError(f"rtol must be greater than or equal to zero, but got {rtol}")
    if atol < 0:
        raise RuntimeError(f"atol must be greater than or equal to zero, but got {atol}")
    close = input == other
    if equal_nan and input.is_floating_point():
        close = close | (input != input) & (other != other)
    if rtol == 0 and atol == 0:
        return close
    left, right = input, other
    if not input.is_floating_point() and not input.is_complex():
        right = other.to(torch.get_default_dtype())
        if input.dtype == torch.bool:
            left = input.to(torch.get_default_dtype())
    allowed = atol + (rtol * right).abs()
    actual = (left - right).abs()
    return close | actual.isfinite() & (actual <= allowed)


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return isclose(input, other, rtol, atol, equal_nan).all().item()


def isin(elements, test_elements, *, assume_unique=False, invert=False):
    for given in (elements, test_elements):
        if is_tensor(given) and (given.dtype == torch.bool or given.is_complex()):
            raise RuntimeError(f"Unsupported input type encountered for isin(): {_scalar_name(given.dtype)}")
    if not is_tensor(test_elements):
        found = (elements == test_elements).contiguous()
    else:
        if not is_tensor(elements):
            elements = torch.tensor(elements)
        found = (elements.unsqueeze(-1) == test_elements.reshape(-1)).any(-1)
    return ~found if invert else found


def isreal(input):
    if input.is_complex():
        return torch.imag(input) == 0
    return torch.ones_like(input, dtype=torch.bool)


def is_same_size(input, other):
    return input.shape == other.shape


def _scalar_name(kind):
    names = {torch.bool: "Bool", torch.uint8: "Byte", torch.int8: "Char", torch.int16: "Short", torch.int32: "Int",
             torch.int64: "Long", torch.float16: "Half", torch.bfloat16: "BFloat16", torch.float32: "Float",
             torch.float64: "Double", torch.complex64: "ComplexFloat", torch.complex128: "ComplexDouble"}
    return names[kind]


# Types --------------------------------------------------------------------------------------------


def _kind(value):
    """(place, dtype): tensors with dimensions come before those without, these before numbers."""
    if is_tensor(value):
        return (0 if value.dim() else 1), value.dtype
    if isinstance(value, bool):
        return 2, torch.bool
    if isinstance(value, int):
        return 2, torch.int64
    return 2, torch.get_default_dtype().to_complex() if isinstance(value, builtins.complex) else torch.get_default_dtype()


def _combine(higher, lower):
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.is_complex:
        return higher
    if higher.is_floating_point:
        return higher.to_complex() if lower.is_complex else higher
    if higher == torch.bool or lower.is_floating_point or lower.is_complex:
        return torch.promote_types(higher, lower)
    return higher


def result_type(tensor1, tensor2):
    found = [None, None, None]
    for value in (tensor1, tensor2):
        place, kind = _kind(value)
        found[place] = kind if found[place] is None else torch.promote_types(found[place], kind)
    return _combine(found[0], _combine(found[1], found[2]))


# Pointwise ----------------------------------------------------------------------------------------


def positive(input):
    return +input


def float_power(input, exponent):
    kind = torch.float64
    for value in (input, exponent):
        if value.is_complex() if is_tensor(value) else isinstance(value, builtins.complex):
            kind = torch.complex128
    base = input.to(kind) if is_tensor(input) else input
    return torch.pow(base, exponent.to(kind) if is_tensor(exponent) else exponent)


def heaviside(input, values):
    if input.is_complex() or values.is_complex():
        raise RuntimeError("heaviside is not yet implemented for complex tensors.")
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return torch.where(input == 0, values, (input > 0).to(input.dtype))


def ldexp(input, other):
    if input.is_floating_point() and other.dtype == torch.bool:
        raise NotImplementedError('"ldexp_cpu_exp" not implemented for \'Bool\'')
    power = torch.pow(2.0, other)
    # A kernel of its own: the power of integers does not widen halves.
    plain = input.is_floating_point() and not other.is_floating_point() and not other.is_complex()
    return (input * power).to(input.dtype) if plain else input * power


def _in_float(function):
    """Halves are widened and the result is rounded once, as a kernel of one pass does."""
    def of(*operands):
        kind = result_type(*operands) if len(operands) == 2 else operands[0].dtype
        if kind not in (torch.float16, torch.bfloat16):
            return function(*operands)
        return function(*[t.float() for t in operands]).to(kind)
    of.__name__ = of.__qualname__ = function.__name__
    return of


def logaddexp2(input, other):
    kind = result_type(input, other)
    if not kind.is_floating_point:
        raise NotImplementedError(f'"logaddexp2_cpu" not implemented for \'{_scalar_name(kind)}\'')
    return _logaddexp2(input, other)


@_in_float
def _logaddexp2(input, other):
    most = torch.maximum(input, other)
    sum = most + torch.log2(1 + torch.exp2(-(input - other).abs()))
    return torch.where((input == other) & input.isinf(), input, sum)


def _beside(number, tensor):
    """A number as a tensor that does not widen the other operand."""
    kind = tensor.dtype
    if not kind.is_floating_point and not kind.is_complex and not isinstance(number, int):
        kind = torch.get_default_dtype()
    elif kind == torch.bool and not isinstance(number, bool):
        kind = torch.int64
    return torch.full((), number, dtype=kind)


def xlogy(input, other, *, out=None):
    if not is_tensor(input) and is_tensor(other):
        input = _beside(input, other)
    elif is_tensor(input) and not is_tensor(other):
        other = _beside(other, input)
    return aten.xlogy(input, other) if out is None else aten.xlogy(input, other, out=out)


def sinc(input):
    return input.sin() if input.numel() == 0 else _sinc(input)  # of no elements: the memory order of one operation


@_in_float
def _sinc(input):
    scaled = input * math.pi
    return torch.where(input == 0, 1.0, scaled.sin() / scaled)


def angle(input):
    if input.is_complex():
        return torch.atan2(torch.imag(input), torch.real(input)).contiguous()
    if input.numel() == 0:
        return input.sin()  # as sinc
    kind = input.dtype if input.is_floating_point() else torch.get_default_dtype()
    turned = torch.where(input < 0, torch.full((), math.pi, dtype=kind), torch.zeros((), dtype=kind))
    return torch.where(input.isnan(), input, turned) if input.is_floating_point() else turned


def _common_divisor(a, b):
    """By Euclid, with the remainders of C."""
    a, b = a.abs(), b.abs()
    while (a != 0).any():
        rest = torch.where(a != 0, torch.fmod(b, torch.where(a != 0, a, 1)), 0)
        b = torch.where(a != 0, a, b)
        a = rest
    return b


def _of_integers(name, input, other):
    kind = result_type(input, other)
    if kind.is_floating_point or kind.is_complex or kind == torch.bool:
        raise NotImplementedError(f'"{name}_cpu" not implemented for \'{_scalar_name(kind)}\'')
    return torch.broadcast_tensors(input.to(kind), other.to(kind))


def gcd(input, other, *, out=None):
    if out is not None:
        _refuse("torch.gcd(out=…)")
    return _common_divisor(*_of_integers("gcd", input, other))


def lcm(input, other, *, out=None):
    if out is not None:
        _refuse("torch.lcm(out=…)")
    a, b = _of_integers("lcm", input, other)
    divisor = _common_divisor(a, b)
    share = torch.div(a, torch.where(divisor != 0, divisor, 1), rounding_mode="trunc")
    # C multiplies in int and takes the absolute value before the product is narrowed.
    wide = torch.promote_types(a.dtype, torch.int32)
    return torch.where(divisor != 0, (share.to(wide) * b.to(wide)).abs().to(a.dtype), 0)


def _of_parts(left, right):
    """Two tensors for the parts of complex numbers, in one type that there is a complex one of."""
    left, right = _in_float32(left, right)
    if not all([t.dtype in (torch.float16, torch.float32, torch.float64) for t in (left, right)]):
        raise RuntimeError("Expected both inputs to be Half, Float or Double tensors but got "
                           f"{_scalar_name(left.dtype)} and {_scalar_name(right.dtype)}")
    if left.dtype != right.dtype:
        raise RuntimeError(f"Expected object of scalar type {_scalar_name(left.dtype)} but got scalar type "
                           f"{_scalar_name(right.dtype)} for second argument")
    return left, right


def complex(real, imag, *, out=None):
    if out is not None:
        _refuse("torch.complex(out=…)")
    real, imag = torch.broadcast_tensors(*_of_parts(real, imag))
    if real.dtype == torch.float16:
        _refuse("torch.complex of halves")
    if real.is_contiguous() and imag.is_contiguous():
        return torch.view_as_complex(torch.stack([real, imag], -1))
    # In memory it lies as the result of an operation on both does.
    strides = (real + imag).stride()
    order = sorted(range(real.dim()), key=lambda dim: -strides[dim])
    back = [order.index(dim) for dim in range(real.dim())]
    return torch.view_as_complex(torch.stack([real.permute(order), imag.permute(order)], -1)).permute(back)


def polar(abs, angle, *, out=None):
    if out is not None:
        _refuse("torch.polar(out=…)")
    abs, angle = _of_parts(abs, angle)
    if abs.dtype == torch.float16:
        raise NotImplementedError('"polar_cpu" not implemented for \'Half\'')
    return complex(abs * angle.cos(), abs * angle.sin())


def conj_physical(input):
    return input if not input.is_complex() else complex(torch.real(input), -torch.imag(input))


def conj(input):
    """Eager's is a view; this one holds as long as nobody writes to either, which is refused."""
    if not input.is_complex():
        return input
    made = conj_physical(input)
    _freeze(input)
    _freeze(made)
    return made


def logspace(start, end, steps, base=10.0, *, out=None, dtype=None, layout=None, device=None, requires_grad=False):
    kind = torch.get_default_dtype() if dtype is None else dtype
    if out is not None:
        _refuse("torch.logspace(out=)")
    if not kind.is_floating_point:
        _refuse("torch.logspace of integers")
    made = torch.pow(base, torch.linspace(start, end, steps, dtype=kind))
    return torch.tensor(made, requires_grad=True) if requires_grad else made


def _wrapped(dim, rank):
    """The dimension counted from the start; of a scalar there is one."""
    rank = max(rank, 1)
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim % rank


# Reductions ---------------------------------------------------------------------------------------


def _over(function, input, dim, keepdim):
    return function() if dim is None else function(dim, keepdim)


def nansum(input, dim=None, keepdim=False, *, dtype=None):
    if input.is_complex():
        raise RuntimeError("nansum on CPU does not support complex inputs")
    known = torch.where(input.isnan(), 0, input)
    return known.sum(dtype=dtype) if dim is None else known.sum(dim, keepdim, dtype=dtype)


def nanmean(input, dim=None, keepdim=False, *, dtype=None):
    if not input.is_floating_point() and not input.is_complex():
        raise RuntimeError("nanmean(): expected input to have floating point or complex dtype but got "
                           f"{_scalar_name(input.dtype)}")
    known = ~input.isnan()
    count = known.sum() if dim is None else known.sum(dim, keepdim)
    return nansum(input, dim, keepdim, dtype=dtype) / count


def aminmax(input, *, dim=None, keepdim=False):
    if dim is None and input.numel() == 0:
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    if dim is not None and input.dim() and input.size(dim) == 0:
        raise IndexError(f"aminmax: Expected reduction dim {_wrapped(dim, input.dim())} to have non-zero size.")
    low, high = input.amin(() if dim is None else dim, keepdim), input.amax(() if dim is None else dim, keepdim)
    if input.is_complex():
        raise NotImplementedError(f'"aminmax_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    return return_types.aminmax((low, high))


def msort(input):
    return input.sort(0)[0]


def kthvalue(input, *args, **named):
    return _kthvalue(" (position 2)" if args else "", input, *args, **named)


def _kthvalue(place, input, k, dim=-1, keepdim=False, *, out=None):
    """`place`: of k among the arguments, for messages."""
    if isinstance(k, (bool, float)):
        raise TypeError(f"kthvalue(): argument 'k'{place} must be int, not {type(k).__name__}")
    if out is not None:
        _refuse("torch.kthvalue(out=…)")
    dim = _wrapped(dim, input.dim())
    n = input.size(dim) if input.dim() else 1
    if n == 0:
        raise IndexError(f"kthvalue(): Expected reduction dim {dim} to have non-zero size.")
    if k < 1 or k > n:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    if input.dim() == 0:
        return return_types.kthvalue((input.clone(), torch.zeros((), dtype=torch.int64)))
    if input.dtype == torch.bool or input.is_complex():
        raise NotImplementedError(f'"kthvalue_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    rows = input.movedim(dim, -1)
    value, index = [t.narrow(-1, k - 1, 1) for t in rows.sort(dim=-1, stable=True)]
    # Of equal elements the index is that of the one which eager's partitions leave at the place.
    if (((rows == value) | rows.isnan() & value.isnan()).sum(-1) > 1).any():
        index = _partitioned_place(rows, k - 1)
    found = [t.movedim(-1, dim) for t in (value, index)]
    return return_types.kthvalue([(t if keepdim else t.squeeze(dim)).clone(memory_format=torch.contiguous_format) for t in found])


def _comes_after(a, b):
    return (a > b) | a.isnan() & ~b.isnan()


def _exchanged(order, a, b, where):
    """`order` with its entries at `a` and `b`, one of each row, in each other's places."""
    first, second = order.gather(-1, a), order.gather(-1, b)
    order = order.scatter(-1, a, torch.where(where, second, first))
    return order.scatter(-1, b, torch.where(where, first, order.gather(-1, b)))


def _partitioned_place(rows, k):
    """Which entry of each row a quickselect by Hoare's partition, as eager's, brings to place k."""
    n = rows.size(-1)
    places = torch.arange(n, device=rows.device).expand(rows.shape)
    order, low = places, torch.zeros_like(places[..., :1])
    high = low + (n - 1)
    while (low < high).any():
        many = high > low + 1                    # two entries are only put in order
        start, end, second = low.clamp(max=n - 1), high.clamp(min=0), (low + 1).clamp(max=n - 1)

        def after(a, b):
            return _comes_after(rows.gather(-1, order.gather(-1, a)), rows.gather(-1, order.gather(-1, b)))
        # The median of three comes first, as the pivot; what is less or equal second, what is more or equal last.
        order = _exchanged(order, start + (end - start) // 2, second, many)
        order = _exchanged(order, second, end, many & after(second, end))
        order = _exchanged(order, start, end, (low < high) & after(start, end))
        order = _exchanged(order, second, start, many & after(second, start))
        now = rows.gather(-1, order)
        pivot = now.gather(-1, start)
        # Entries at which a pass from the left stops, and one from the right, change places while they have not met.
        left = many & (places > low + 1) & (places <= high) & ~_comes_after(pivot, now)
        right = many & (places > low) & (places < high) & ~_comes_after(now, pivot)
        left, right = torch.where(left, places, n).sort(-1)[0], torch.where(right, places, -1).sort(-1, descending=True)[0]
        pairs = left <= right
        to, source = torch.where(pairs, left, n), torch.where(pairs, right, n)
        moved = torch.cat([places, torch.full_like(low, n)], -1).scatter(-1, to, source).scatter(-1, source, to)
        order = order.gather(-1, moved[..., :n])
        now = rows.gather(-1, order)
        passed = torch.where(pairs, left, low + 1).amax(-1, keepdim=True)
        reached = torch.where(pairs, right, high).amin(-1, keepdim=True)
        left = torch.where((places > passed) & (places <= high) & ~_comes_after(pivot, now), places, n).amin(-1, keepdim=True)
        right = torch.where((places < reached) & (places > low) & ~_comes_after(now, pivot), places, -1).amax(-1, keepdim=True)
        order = _exchanged(order, start, right.clamp(min=0), many)
        low, high = torch.where(many & (right <= k), left, low), torch.where(many & (right >= k), right - 1, torch.where(many, high, low))
    return order[..., k:k + 1]


@_autocast_rule("float32")
def quantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile("quantile", input, q, dim, keepdim, interpolation)


@_autocast_rule("float32")
def nanquantile(input, q, dim=None, keepdim=False, *, interpolation="linear"):
    return _quantile("nanquantile", input, q, dim, keepdim, interpolation)


def _check_quantile(name, input, q, dim, interpolation):
    """In eager's order, and with its words, which are those of quantile() for both."""
    if not (is_tensor(input) and (is_tensor(q) or isinstance(q, (int, float))) and isinstance(interpolation, str)
            and (dim is None or isinstance(dim, int) and not isinstance(dim, bool))):
        raise TypeError(f"{name}() received an invalid combination of arguments")
    if not is_tensor(q) and not (q >= 0 and q <= 1):
        raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError("quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, "
                           f"but got {interpolation}")
    if input.numel() == 0:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if is_tensor(q) and q.dim() > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if input.dtype not in (torch.float32, torch.float64):
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if is_tensor(q) and q.dtype != input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")


def _quantile(name, input, q, dim, keepdim, interpolation):
    _check_quantile(name, input, q, dim, interpolation)
    if dim is not None:
        dim = _wrapped(dim, input.dim())
    if not is_tensor(q):
        q = torch.tensor(q, dtype=input.dtype)
    elif not ((q >= 0) & (q <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    whole = dim is None or input.dim() == 0
    rows = input.reshape(-1) if whole else input.unsqueeze(-1).transpose(dim, -1)
    n = rows.size(-1)
    shape = [1] * input.dim() if whole else list(rows.shape[:-1])
    if not keepdim:
        shape = [] if whole else [m for d, m in enumerate(shape) if d != dim]
    sorted = rows.sort(-1)[0].reshape(shape + [n])
    if name == "nanquantile":
        ranks = q.reshape(-1) * (sorted.isnan().logical_not().sum(-1, True) - 1)
        ranks = ranks.masked_fill(ranks < 0, 0)
    else:
        ranks = q.reshape(-1) * (n - 1)
        ranks = ranks.expand(list(sorted.shape[:-1]) + [ranks.size(0)])
        ranks = ranks.masked_fill(sorted.isnan().any(-1, True), n - 1)
    if interpolation in ("lower", "higher", "nearest"):
        round = {"lower": ranks.floor, "higher": ranks.ceil, "nearest": ranks.round}[interpolation]
        found = sorted.gather(-1, round().long())
    else:
        below = ranks.long()
        weights = ranks - below if interpolation == "linear" else torch.full_like(ranks, 0.5)
        found = sorted.gather(-1, below).lerp(sorted.gather(-1, ranks.ceil().long()), weights)
    return found.unsqueeze(0).transpose(0, -1).squeeze(-1) if q.dim() else found.squeeze(-1)


def _beside_values(values, number):
    """Sorted values, and a number as a tensor, in the type that both have in an operation."""
    common = torch.result_type(values, number)
    return values.to(common), torch.tensor(number).to(common)


def searchsorted(sorted_sequence, input, **options):
    if not isinstance(input, torch.Tensor):
        sorted_sequence, input = _beside_values(sorted_sequence, input)
    return aten.searchsorted(sorted_sequence, input, **options)


def bucketize(input, boundaries, **options):
    if not isinstance(input, torch.Tensor):
        boundaries, input = _beside_values(boundaries, input)
    return aten.bucketize(input, boundaries, **options)


def trapezoid(y, x=None, *, dx=1, dim=-1):
    n = y.size(dim)
    if n == 0:
        return torch.zeros([m for d, m in enumerate(y.shape) if d != _wrapped(dim, y.dim())], dtype=y.dtype)
    if y.dtype == torch.bool or x is not None and x.dtype == torch.bool:
        given = "`y`" if x is None else "`x` or `y`"
        raise RuntimeError(f"trapezoid: received a bool input for {given}, but bool is not supported")
    if x is not None and x.dim() == 1 and x.size(0) != n:
        raise RuntimeError("trapezoid: There must be one `x` value for each sample point")
    left, right = y.narrow(dim, 0, n - 1), y.narrow(dim, 1, n - 1)
    if x is None:
        return (y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * dx
    if x.dim() == 1:
        steps = x.diff().reshape([-1 if d == _wrapped(dim, y.dim()) else 1 for d in range(y.dim())])
    else:
        steps = x.diff(dim=dim)
    return ((left + right) * steps).sum(dim) / 2.0


trapz = trapezoid


def diff(input, n=1, dim=-1, prepend=None, append=None, *, out=None):
    """As ATen does it: what stands around the elements is joined to them first."""
    at = _wrapped(dim, max(input.dim(), 1))
    for other in (prepend, append):
        if other is None or input.dim() == 0:
            continue
        if other.dim() != input.dim():
            raise RuntimeError("diff expects prepend or append to be the same dimension as input")
        for d in range(input.dim()):
            if d != at and other.size(d) != input.size(d):
                raise RuntimeError("diff expects the shape of tensor to prepend or append to match that of input except along the "
                                   f"differencing dimension; input.size({d}) = {input.size(d)}, but got tensor.size({d}) = {other.size(d)}")
    parts = [t for t in (prepend, input, append) if t is not None]
    whole = input if n == 0 or input.dim() == 0 or len(parts) == 1 else torch.cat(parts, dim)
    if out is None:
        return aten.diff(whole, n, dim)
    if n > 0 and whole.dim() > 0 and whole.size(dim) == 0:
        raise IndexError("start out of range (expected to be in range of [0, 0], but got 1)")
    return aten.diff(whole, n, dim, out=out)


def cov(input, *, correction=1, fweights=None, aweights=None):
    if fweights is not None or aweights is not None:
        _refuse("torch.cov with weights")
    if input.dim() > 2:
        raise RuntimeError("cov(): expected input to have two or fewer dimensions but got an input with "
                           f"{input.dim()} dimensions")
    if input.dtype == torch.bool:
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = input.reshape(1, -1) if input.dim() < 2 else input
    centred = rows - rows.sum(1, True) / rows.size(1)
    return (centred.mm(conj(centred).t()) / max(rows.size(1) - correction, 0)).squeeze()


def corrcoef(input):
    if input.dim() > 2:
        raise RuntimeError("corrcoef(): expected input to have two or fewer dimensions but got an input with "
                           f"{input.dim()} dimensions")
    c = cov(input)
    if c.dim() == 0:
        return c / c
    deviation = c.diagonal().sqrt()
    found = c / deviation.unsqueeze(-1) / deviation.unsqueeze(0)
    if found.is_complex():
        return torch.complex(torch.real(found).clamp(-1, 1), torch.imag(found).clamp(-1, 1))
    return found.clamp(-1, 1)
