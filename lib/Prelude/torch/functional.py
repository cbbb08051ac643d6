"""Functions of torch that are compositions of operations, as PyTorch composes them."""
import math
import warnings
import _ptc_aten as aten
import torch
from torch import Size, is_tensor, _refuse
from _ptc_torch import _autocast_mode, _is_data, _is_open_size
from torch._casts import _autocast_rule, _check_no_autocast, _without_casts
from torch._math import *  # noqa: F401,F403
from torch._math import _scalar_name, _wrapped
from torch._ctc import *  # noqa: F401,F403
from torch._distinct import *  # noqa: F401,F403
from torch._draws import *  # noqa: F401,F403
from torch._matrices import *  # noqa: F401,F403
from torch._parts import *  # noqa: F401,F403
from torch._spectra import *  # noqa: F401,F403
from torch._windows import *  # noqa: F401,F403


def broadcast_shapes(*shapes):
    shapes = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    out = [1] * max([len(shape) for shape in shapes], default=0)
    for n, shape in enumerate(shapes):
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] == 1 or shape[i] == out[i]:
                continue
            if out[i] != 1:
                raise RuntimeError(f"Attempting to broadcast a dimension of length {shape[i]} at {i}! Mismatching argument at index "
                                   f"{n} had {shape}; but expected shape should be broadcastable to {out}")
            out[i] = shape[i]
    return Size(out)


def _expanded_shape(tensors):
    """The sizes that all tensors can be expanded to; two after the other, as an operation does with its operands."""
    out = list(tensors[0].shape)
    for t in tensors[1:]:
        shape = list(t.shape)
        n = max(len(out), len(shape))
        out, shape = [1] * (n - len(out)) + out, [1] * (n - len(shape)) + shape
        for i in range(n - 1, -1, -1):
            if out[i] != 1 and shape[i] != 1 and out[i] != shape[i]:
                raise RuntimeError(f"The size of tensor a ({out[i]}) must match the size of tensor b ({shape[i]}) "
                                   f"at non-singleton dimension {i}")
            if out[i] == 1:
                out[i] = shape[i]
    return Size(out)


def broadcast_tensors(*tensors):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if not tensors:
        return ()
    shape = _expanded_shape(tensors)
    return tuple([t if t.shape == shape else t.expand(shape) for t in tensors])


def meshgrid(*tensors, indexing=None):
    if indexing is None:
        warnings._refuse_seen("torch.meshgrid without indexing")
        indexing = "ij"
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    for i, t in enumerate(tensors):
        if not is_tensor(t):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(t).__name__}")
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    if any([t.dtype != tensors[0].dtype for t in tensors]):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in ("xy", "ij"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    if any([t.dim() > 1 for t in tensors]):
        _refuse("torch.meshgrid of a tensor of more than one dimension")
    if indexing == "xy" and len(tensors) > 1:
        a, b, *rest = meshgrid(tensors[1], tensors[0], *tensors[2:], indexing="ij")
        return (b, a, *rest)
    n = len(tensors)
    shape = [t.numel() for t in tensors]
    return tuple(t.reshape([-1 if i == k else 1 for k in range(n)]).expand(shape)
                 for i, t in enumerate(tensors))


@_autocast_rule(None, "lower")
def einsum(equation, *operands):
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    return _einsum(equation.replace(" ", ""), operands)


def _einsum(equation, operands):
    """Operands get all labels as dimensions, those of the result first, and are multiplied from left to right; what is
    summed is summed where the last two operands that have it meet."""
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise RuntimeError(f"einsum(): {'fewer' if len(terms) > len(operands) else 'more'} operands were provided "
                           "than specified in the equation")
    _check_subscripts(terms, right, operands)
    if "..." in equation:
        left, terms, right = _without_ellipsis(terms, arrow, right, operands)
        arrow = "->"
    operands, terms = zip(*[_without_repeats(o, t) for o, t in zip(operands, terms)])
    if not arrow:
        right = "".join(c for c in sorted(set(left.replace(",", ""))) if left.count(c) == 1)
    order = right + "".join(sorted(c for c in set("".join(terms)) if c not in right))
    operands = [_with_labels(o, t, order) for o, t in zip(operands, terms)]
    sizes = [[o.size(d) for o, t in zip(operands, terms) if c in t] for d, c in enumerate(right)]
    summed = list(range(len(right), len(order)))
    if len(operands) == 1:
        return operands[0].sum(summed) if summed else operands[0]
    counts = [sum(1 for o in operands if _counts(o, d, sizes)) for d in summed]
    current = operands[0]
    for operand in operands[1:]:
        both, first, second = [], [], []
        for k, d in enumerate(summed):
            if _counts(current, d, sizes) and _counts(operand, d, sizes):
                counts[k] -= 1
                if counts[k] == 1:
                    counts[k] = 0
                    both.append(d)
            elif counts[k] == 1 and (_counts(current, d, sizes) or _counts(operand, d, sizes)):
                counts[k] = 0
                (first if _counts(current, d, sizes) else second).append(d)
        current = current.sum(first, True) if first else current
        operand = operand.sum(second, True) if second else operand
        current = _sum_of_products(current, operand, both, sizes)
    return current.view(current.shape[:len(right)]) if summed else current


def _counts(operand, d, sizes):
    """Whether a dimension is more than one element; where data decides its size, it is taken to be, and so it is where all
    operands with its label have one size that may be 1 in some calls. `sizes`: those of the first labels."""
    n = operand.size(d)
    return _is_data(n) or (d < len(sizes) and all(_is_open_size(n, m) for m in sizes[d])) or n != 1


def _with_labels(operand, labels, order):
    missing = [c for c in order if c not in labels]
    for _ in missing:  # behind the others, which says how they lie
        operand = operand.unsqueeze(-1)
    labels = [*labels, *missing]
    return operand.permute([labels.index(c) for c in order])


def _check_subscripts(terms, right, operands):
    for k, (term, operand) in enumerate(zip(terms, operands)):
        labels = term.replace("...", "", 1)
        for c in labels:
            if not c.isalpha():
                raise RuntimeError(f"einsum(): invalid subscript given at index {term.index(c)} in the equation "
                                   "string, subscripts must be in [a-zA-Z]")
        n, rank = len(labels), operand.dim()
        if n > rank or (n < rank and labels == term):
            raise RuntimeError(f"einsum(): the number of subscripts in the equation ({n}) does not match the number of "
                               f"dimensions ({rank}) for operand {k}" +
                               (" and no ellipsis was given" if labels == term else ""))
    for c in right.replace("...", "", 1):
        if not c.isalpha():
            raise RuntimeError("einsum(): invalid subscript given in the output, subscripts must be in [a-zA-Z]")
        if right.count(c) > 1:
            raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
        if not any(c in term for term in terms):
            raise RuntimeError(f"einsum(): output subscript {c} does not appear in the equation for any input operand")


def _without_ellipsis(terms, arrow, right, operands):
    """Labels of their own (digits) for the dimensions that `...` stands for."""
    counts = [o.dim() - len(t.replace("...", "")) for o, t in zip(operands, terms)]
    most = max(counts)
    digits = "0123456789"[:most]
    named = [t.replace("...", digits[most - n:]) for n, t in zip(counts, terms)]
    left = ",".join(named)
    if not arrow:
        plain = ",".join(t.replace("...", "") for t in terms)
        right = digits + "".join(c for c in sorted(set(plain.replace(",", ""))) if plain.count(c) == 1)
    return left, named, right.replace("...", digits)


def _without_repeats(operand, labels):
    """A label that an operand has twice means its diagonal."""
    for c in labels:
        while labels.count(c) > 1:
            first = labels.index(c)
            second = labels.index(c, first + 1)
            if operand.size(first) != operand.size(second):
                raise RuntimeError(f"einsum(): subscript {c} is repeated for an operand but the sizes don't match, "
                                   f"{operand.size(second)} != {operand.size(first)}")
            operand = operand.diagonal(0, first, second)
            labels = labels[:first] + labels[first + 1:second] + labels[second + 1:] + c
    return operand, labels


def _product(numbers):
    n = 1
    for number in numbers:
        n = n * number
    return n


def _sum_of_products(a, b, summed, sizes):
    """(a * b).sum(summed, True) by matmul, in the memory order that eager's has."""
    if not summed:
        return a.mul(b)
    both, only_a, only_b = _split_dims(a, b, summed, sizes)
    # Where dimensions are of one element they stand among those of b: if others would then lie otherwise, it is asked.
    open_dims = [d for d in both + only_a + only_b if d < len(sizes) and _is_open_size(sizes[d][0], sizes[d][0])]
    for mask in range(1, 1 << len(open_dims)):
        ones = {d for k, d in enumerate(open_dims) if mask >> k & 1}
        if _are_swapped([d for d in only_a if d not in ones], sorted({*only_b, *ones})) != _are_swapped(only_a, only_b):
            both, only_a, only_b = _split_dims(a, b, summed, ())
            break
    if _are_swapped(only_a, only_b):
        a, b, only_a, only_b = b, a, only_b, only_a
    x = a.permute(both + only_a + summed + only_b)
    y = b.permute(both + summed + only_b + only_a)
    rows, inner = _product([a.size(d) for d in only_a]), _product([a.size(d) for d in summed])
    batch, columns = _product([a.size(d) for d in both]), _product([b.size(d) for d in only_b])
    z = x.reshape([batch, rows, inner]).bmm(y.reshape([batch, inner, columns]))
    sizes = [a.size(d) for d in both + only_a] + [1 for d in summed] + [b.size(d) for d in only_b]
    made = both + only_a + summed + only_b
    return z.view(sizes).permute([made.index(d) for d in range(len(made))])


def _split_dims(a, b, summed, sizes):
    """Those that both operands have, those of a alone, and the others."""
    both, only_a, only_b = [], [], []
    for d in range(a.dim()):
        if d in summed:
            continue
        if _counts(a, d, sizes) and _counts(b, d, sizes):
            if a.size(d) != b.size(d):
                if a.size(d) == 1 or b.size(d) == 1:
                    _refuse("einsum(): an operand with one element in a dimension that data decides the size of")
                raise RuntimeError("non-broadcast dimensions must match")
            both.append(d)
        elif _counts(a, d, sizes):
            only_a.append(d)
        else:
            only_b.append(d)
    return both, only_a, only_b


def _are_swapped(only_a, only_b):
    return bool(only_a and only_b) and only_b[-1] < only_a[0]


# Joining -----------------------------------------------------------------------------------------


def _each(function, tensors):
    if len(tensors) == 1:
        if is_tensor(tensors[0]):
            return function(tensors[0])
        tensors = tensors[0]
    return tuple(function(t) for t in tensors)


def atleast_1d(*tensors):
    return _each(lambda t: t.reshape(1) if t.dim() == 0 else t, tensors)


def _two(t):
    return t.reshape(1, 1) if t.dim() == 0 else t.unsqueeze(0) if t.dim() == 1 else t


def _three(t):
    if t.dim() == 0:
        return t.reshape(1, 1, 1)
    if t.dim() == 1:
        return t.unsqueeze(0).unsqueeze(-1)
    return t.unsqueeze(-1) if t.dim() == 2 else t


def atleast_2d(*tensors):
    return _each(_two, tensors)


def atleast_3d(*tensors):
    return _each(_three, tensors)


def hstack(tensors, *, out=None):
    tensors = [t.reshape(1) if t.dim() == 0 else t for t in tensors]
    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    return torch.cat(tensors, 0 if tensors[0].dim() == 1 else 1, out=out)


def vstack(tensors, *, out=None):
    if not len(tensors):
        raise RuntimeError("vstack expects a non-empty TensorList")
    return torch.cat([_two(t) for t in tensors], 0, out=out)


row_stack = vstack


def dstack(tensors, *, out=None):
    if not len(tensors):
        raise RuntimeError("dstack expects a non-empty TensorList")
    return torch.cat([_three(t) for t in tensors], 2, out=out)


def column_stack(tensors, *, out=None):
    return hstack([t.reshape(t.numel(), 1) if t.dim() <= 1 else t for t in tensors], out=out)


def _split_evenly(name, input, parts, dim):
    if isinstance(parts, int) and (parts == 0 or input.size(dim) % parts):
        raise RuntimeError(f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
                           f"{input.size(dim)} is not divisible by the split_size {parts}!")
    return input.tensor_split(parts, dim)


def split(tensor, split_size_or_sections, dim=0):
    return aten.split(tensor, split_size_or_sections, dim)


def hsplit(input, indices_or_sections):
    if input.dim() < 1:
        raise RuntimeError("torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!")
    return _split_evenly("hsplit", input, indices_or_sections, 0 if input.dim() == 1 else 1)


def vsplit(input, indices_or_sections):
    if input.dim() < 2:
        raise RuntimeError("torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with "
                           f"{input.dim()} dimensions!")
    return _split_evenly("vsplit", input, indices_or_sections, 0)


def dsplit(input, indices_or_sections):
    if input.dim() < 3:
        raise RuntimeError("torch.dsplit requires a tensor with at least 3 dimension, but got a tensor with "
                           f"{input.dim()} dimensions!")
    return _split_evenly("dsplit", input, indices_or_sections, 2)


def block_diag(*tensors):
    blocks = [_two(t) for t in tensors]
    kind = blocks[0].dtype
    for t in blocks[1:]:
        kind = torch.promote_types(kind, t.dtype)
    result = torch.zeros(sum(t.size(0) for t in blocks), sum(t.size(1) for t in blocks), dtype=kind)
    row = column = 0
    for t in blocks:
        result[row:row + t.size(0), column:column + t.size(1)] = t
        row, column = row + t.size(0), column + t.size(1)
    return result


def cartesian_prod(*tensors):
    for t in tensors:
        if t.dim() != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {list(t.shape)}")
    if len(tensors) == 1:
        return tensors[0]
    return torch.stack([g.flatten() for g in meshgrid(*tensors, indexing="ij")], 1)


# Norms, distances, products ----------------------------------------------------------------------


def combinations(input, r=2, with_replacement=False):
    if input.dim() != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {list(input.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return torch.empty(0, dtype=input.dtype)
    n, count = input.size(0), 1
    for i in range(r):
        count = count * (n + i if with_replacement else n - i) // (i + 1)
    places = meshgrid(*[torch.arange(n)] * r, indexing="ij")
    ascending = torch.ones([n] * r, dtype=torch.bool)
    for i in range(r - 1):
        ascending = ascending & (places[i] <= places[i + 1] if with_replacement else places[i] < places[i + 1])
    # How many places ascend is known before they are looked for.
    return torch.stack([of.masked_select(ascending).reshape(count) for of in meshgrid(*[input] * r, indexing="ij")], 1)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    if isinstance(dim, int):
        dim = [dim]
    if p == "nuc":
        _refuse("the nuclear norm")
    if p == "fro" and (dim is None or len(dim) <= 2):
        return torch.linalg.vector_norm(input, 2, dim, keepdim, dtype=dtype, out=out)
    if p is None:
        p = 2.0
    return torch.linalg.vector_norm(input, p, dim, keepdim, dtype=dtype, out=out)


@_autocast_rule(None, "float32")
def dist(input, other, p=2):
    return norm(input - other, p)


@_autocast_rule(None, "refused")
def pairwise_distance(x1, x2, p=2.0, eps=1e-6, keepdim=False):
    return norm(x1 - x2 + eps, p, max(x1.dim(), x2.dim()) - 1, keepdim)


@_autocast_rule(None, "float32")
def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    common = torch.result_type(x1, x2)
    if not common.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {_scalar_name(common)}")
    x1, x2 = broadcast_tensors(x1.to(common), x2.to(common))
    n1 = torch.linalg.vector_norm(x1, 2, dim, True).clamp_min(eps)
    n2 = torch.linalg.vector_norm(x2, 2, dim, True).clamp_min(eps)
    return ((x1 / n1) * (x2 / n2)).sum(dim)


@_autocast_rule("float32", "float32")
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    for name, x in (("X1", x1), ("X2", x2)):
        if not x.is_floating_point():
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {x.dtype}")
        if x.dim() < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.dim()}D")
    if x1.size(-1) != x2.size(-1):
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.size(-1)} X2: {x2.size(-1)}")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    many = x1.size(-2) > 25 or x2.size(-2) > 25
    if p == 2 and (compute_mode == "use_mm_for_euclid_dist" or many and compute_mode != "donot_use_mm_for_euclid_dist"):
        n1, n2 = x1.pow(2).sum(-1, True), x2.pow(2).sum(-1, True)
        left = torch.cat([x1.mul(-2), n1, torch.ones_like(n1)], -1)
        right = torch.cat([x2, torch.ones_like(n2), n2], -1)
        return left.matmul(right.mT).clamp_min(0).sqrt()
    common = torch.promote_types(x1.dtype, x2.dtype)
    if p == math.inf and x1.size(-1) == 0:
        p = 1.0  # the largest of no distances is 0, as their sum is
    found = norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1)
    if common in (torch.float16, torch.bfloat16) and found.numel() and x1.size(-1):
        raise NotImplementedError(f'"cdist" not implemented for \'{_scalar_name(common)}\'')
    return found


@_autocast_rule(None, "refused")
def inner(input, other, *, out=None):
    if input.dim() == 0 or other.dim() == 0:
        return torch.mul(input, other, out=out)
    if input.size(-1) != other.size(-1):
        raise RuntimeError("inner() the last dimension must match on both input tensors but got shapes "
                           f"{list(input.shape)} and {list(other.shape)}")
    if input.dim() == other.dim() == 1 and input.dtype == other.dtype == torch.bool:
        if input.is_contiguous() and other.is_contiguous():
            raise NotImplementedError('"dot" not implemented for \'Bool\'')
        _refuse("torch.inner of masks with gaps between elements")
    return tensordot(input, other, ([-1], [-1]), out=out)


@_autocast_rule(None, "promote")
def tensordot(a, b, dims=2, out=None):
    if is_tensor(dims):
        _refuse("torch.tensordot with dims as a tensor")
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(a.dim() - dims, a.dim())), list(range(dims))
    else:
        dims_a, dims_b = ([d] if isinstance(d, int) else list(d) for d in dims)
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if out is not None:
        _check_no_autocast("torch.tensordot(out=)")
    left, right = a, b
    for p, q in zip(dims_a, dims_b):
        if b.size(q) == 1:  # what is broadcast is summed before
            left = left.sum(p, True, dtype=a.dtype)
        elif a.size(p) == 1:
            right = right.sum(q, True, dtype=b.dtype)
        elif a.size(p) != b.size(q):
            raise RuntimeError(f"contracted dimensions need to match, but first has size {a.size(p)} in dim {p} and second "
                               f"has size {b.size(q)} in dim {q}")
    a, b = left, right
    dims_a, dims_b = [_distinct(d, t.dim()) for d, t in ((dims_a, a), (dims_b, b))]
    free_a = [d for d in range(a.dim()) if d not in dims_a]
    free_b = [d for d in range(b.dim()) if d not in dims_b]
    inside = math.prod([a.size(d) for d in dims_a])
    left = a.permute(free_a + dims_a).reshape(math.prod([a.size(d) for d in free_a]), inside)
    right = b.permute(dims_b + free_b).reshape(inside, math.prod([b.size(d) for d in free_b]))
    # One element is a sum of products to eager, and no product of matrices.
    is_sum = _autocast_mode("cpu") and left.size(0) == 1 and right.size(1) == 1
    product = _without_casts("cpu", left.mm, (right,), {}) if is_sum else left.mm(right)
    product = product.reshape([a.size(d) for d in free_a] + [b.size(d) for d in free_b])
    return product if out is None else out.copy_(product)


def _distinct(dims, rank):
    wrapped = [_wrapped(d, rank) for d in dims]
    for k, d in enumerate(wrapped):
        if d in wrapped[:k]:
            raise RuntimeError(f"dim {d} appears multiple times in the list of dims")
    return wrapped


def kron(input, other, *, out=None):
    n = max(input.dim(), other.dim())
    a = input.reshape([1] * (n - input.dim()) + list(input.shape))
    b = other.reshape([1] * (n - other.dim()) + list(other.shape))
    left, right = [], []
    for d in range(n):
        left += [a.size(d), 1]
        right += [1, b.size(d)]
    product = (a.reshape(left) * b.reshape(right)).view([a.size(d) * b.size(d) for d in range(n)])
    return product if out is None else out.copy_(product)


@_autocast_rule(None, "promote")
def cross(input, other, dim=None, *, out=None):
    if dim is None:
        warnings._refuse_seen("torch.cross without dim")
        dim = ([d for d in range(input.dim()) if input.size(d) == 3] + [None])[0]
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return torch.linalg.cross(input, other, dim=dim, out=out)


@_autocast_rule(None, "promote")
def vdot(input, other):
    if input.is_complex():
        input = torch.conj_physical(input)
    return input.dot(other)


@_autocast_rule(None, "lower")
def chain_matmul(*matrices, out=None):
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if not is_tensor(matrix):
            raise TypeError(f"expected Tensor as element 0 in argument 0, but got {type(matrix).__name__}")
        if matrix.dim() != 2:
            raise RuntimeError(f"Tensor dimension is {matrix.dim()}, expected 2 instead.")
    if len(matrices) > 1:
        return torch.linalg.multi_dot(matrices, out=out)
    return aten.alias(matrices[0]) if out is None else out.copy_(matrices[0])


@_autocast_rule(None, "lower")
def addr(input, vec1, vec2, *, beta=1, alpha=1):
    kind = torch.result_type(input, torch.outer(vec1, vec2))
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, float) and not kind.is_floating_point and not kind.is_complex:
            raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    if kind == torch.bool:
        beta, alpha = bool(beta), bool(alpha)
        product = torch.outer(vec1, vec2) & alpha
        input = input.expand(product.shape)
        return product if not beta else input | product
    return _added(beta, input, alpha * torch.outer(vec1, vec2))


def _added(beta, input, product):
    """A factor of 0 leaves out the input, NaN, infinities and signs too; its sizes count all the same."""
    input = input.expand(product.shape)
    return product.to(torch.result_type(input, product)) if beta == 0 else beta * input + product


def ger(input, vec2):
    return torch.outer(input, vec2)


@_autocast_rule("lower", "lower")
def addbmm(input, batch1, batch2, *, beta=1, alpha=1):
    if input.dtype == batch1.dtype == torch.bool and batch1.size(1) and batch2.size(2) and not (
            batch1.size(0) and batch1.size(2)) and (beta or batch1.size(0)):
        raise RuntimeError("result type Long can't be cast to the desired output type Bool")
    product = batch1.bmm(batch2).sum(0, dtype=batch1.dtype)
    found = _added(beta, input, alpha * (product if alpha else torch.zeros_like(product)))
    return found.to(torch.result_type(input, batch1)).contiguous()


# Moving elements ----------------------------------------------------------------------------------


def argsort(input, *places, **named):
    """Two overloads: with `stable` the others are given by name."""
    if len(places) > (0 if "stable" in named else 2) or "out" in named:
        _refuse("torch.argsort with arguments that have no overload")
    return torch.sort(input, *places, **named)[1]


def fliplr(input):
    if input.dim() < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return input.flip(1)


def flipud(input):
    if input.dim() < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return input.flip(0)


def rot90(input, k=1, dims=(0, 1)):
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    a, b = dims
    if input.dim() < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {input.dim()}")
    if a == b or abs(a - b) == input.dim():
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {a} and dim1 = {b}")
    input.size(a), input.size(b)  # raises for dimensions that are not there
    if k % 4 == 1:
        return input.flip(b).transpose(a, b)
    if k % 4 == 2:
        return input.flip(dims)
    if k % 4 == 3:
        return input.flip(a).transpose(a, b)
    return input.clone(memory_format=torch.contiguous_format)


def diagflat(input, offset=0):
    return torch.diag_embed(input.reshape(-1), offset)


def adjoint(input):
    return input.mH


def take(input, index):
    if not isinstance(index, torch.Tensor):
        raise TypeError(f"take(): argument 'index' (position 2) must be Tensor, not {type(index).__name__}")
    if index.dtype != torch.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {_scalar_name(index.dtype)}")
    if input.numel() == 0 and index.numel() > 0:
        raise IndexError("take(): tried to take from an empty tensor")
    return input.reshape(-1)[index.contiguous()]


def narrow_copy(input, dim, start, length):
    return input.narrow(dim, start, length).clone(memory_format=torch.contiguous_format)


def unsafe_chunk(input, chunks, dim=0):
    return input.chunk(chunks, dim)


def unsafe_split(input, split_size, dim=0):
    return input.split(split_size, dim)


def channel_shuffle(input, groups):
    n, c, *rest = input.shape
    parts = input.reshape(n, groups, c // groups, *rest).transpose(1, 2)
    made = parts.clone(memory_format=torch.contiguous_format).reshape(n, c, *rest)
    if input.dim() == 4 and (not input.is_contiguous() or input.numel() == 0) and input.stride(1) == 1 and input.stride(3) == c:
        return made.contiguous(memory_format=torch.channels_last)
    return made


def vander(x, N=None, increasing=False):
    if x.dim() != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    n = x.size(0) if N is None else N
    if n < 0:
        raise RuntimeError("N must be non-negative.")
    made = torch.empty(x.size(0), n, dtype=torch.promote_types(x.dtype, torch.int64))
    made[:, :1] = 1
    if n > 1:
        made[:, 1:] = x.unsqueeze(1).expand(-1, n - 1).to(made.dtype).cumprod(1)
    return made if increasing else made.flip(1)


def _triangle(keep, row, col, dtype):
    places = [(i, j) for i in range(row) for j in range(col) if keep(i, j)]
    if not places:
        return torch.empty(2, 0, dtype=dtype)
    return torch.tensor([[i for i, j in places], [j for i, j in places]], dtype=dtype)


def tril_indices(row, col, offset=0, *, dtype=torch.int64, device=None, layout=None):
    return _triangle(lambda i, j: j <= i + offset, row, col, dtype)


def triu_indices(row, col, offset=0, *, dtype=torch.int64, device=None, layout=None):
    return _triangle(lambda i, j: j >= i + offset, row, col, dtype)


def nonzero(input, *, out=None, as_tuple=False):
    if out is not None:
        _refuse("torch.nonzero(out=)")
    if not as_tuple:
        return aten.nonzero(input)
    return aten.nonzero(input.unsqueeze(0) if input.dim() == 0 else input).unbind(1)


def where(condition, *values, **named):
    if not values and not named:
        return nonzero(condition, as_tuple=True)
    return aten.where(condition, *values, **named)


def binary_cross_entropy_with_logits(input, target, weight=None, pos_weight=None, reduction=0):
    return aten.binary_cross_entropy_with_logits(input, target, weight, pos_weight, reduction)


def kl_div(input, target, reduction=0, *, log_target=False):
    return aten.kl_div(input, target, reduction, log_target=log_target)


def normal(mean, std=1.0, *size, generator=None, **more):
    if not is_tensor(mean) and not is_tensor(std):
        return aten.normal(mean, std, *size, generator=generator, **more)
    if size or more:
        raise TypeError("normal() received an invalid combination of arguments")
    if not is_tensor(std):
        return torch.empty_like(mean, memory_format=torch.contiguous_format).normal_(0, std, generator=generator).add_(mean)
    if std.is_complex():
        raise RuntimeError("normal expects standard deviation to be non-complex")
    if std.numel() and not std.min() >= 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")
    like, shape = (mean, torch.broadcast_tensors(mean, std)[0].shape) if is_tensor(mean) else (std, std.shape)
    drawn = torch.empty(shape, dtype=like.dtype, device=like.device).normal_(generator=generator)
    return drawn.mul_(std).add_(mean)


def unravel_index(indices, shape):
    if not is_tensor(indices):
        raise TypeError(f"expected 'indices' to be a Tensor, but got {type(indices)}")
    if indices.is_floating_point() or indices.is_complex() or indices.dtype == torch.bool:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    shape = Size([shape] if isinstance(shape, int) else shape)
    if any([n < 0 for n in shape]):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(shape)}")
    steps = [math.prod(shape[k + 1:]) for k in range(len(shape))]
    return (indices.unsqueeze(-1) // torch.tensor(steps, dtype=torch.int64) % torch.tensor(shape, dtype=torch.int64)).unbind(-1)


def bincount(input, weights=None, minlength=0):
    if input.is_floating_point() or input.is_complex() or input.dtype == torch.bool:
        raise NotImplementedError(f'"bincount_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if input.dim() == 1 and input.numel() == 0:
        return torch.zeros(minlength, dtype=torch.int64)
    if input.dim() != 1 or input.min() < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is not None and weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    n = max(int(input.max()) + 1, minlength)
    if weights is None:
        return torch.zeros(n, dtype=torch.int64).scatter_add_(0, input.long(), torch.ones_like(input, dtype=torch.int64))
    kind = weights.dtype if weights.dtype == torch.float32 else torch.float64
    return torch.zeros(n, dtype=kind).scatter_add_(0, input.long(), weights.to(kind))


def histc(input, bins=100, min=0, max=0, *, out=None):
    if out is not None:
        _refuse("torch.histc(out=…)")
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    low, high = float(min), float(max)
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    given = input.reshape(-1)
    if low == high and given.numel() > 0:
        low, high = given.amin().item(), given.amax().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 1, high + 1
    if not input.is_floating_point():
        if low < 0 and input.dtype == torch.uint8:
            raise RuntimeError("value cannot be converted to type uint8_t without overflow")
        raise NotImplementedError(f'"histogram_cpu" not implemented for \'{_scalar_name(input.dtype)}\'')
    low, high = torch.tensor(low, dtype=input.dtype), torch.tensor(high, dtype=input.dtype)
    inside = (given >= low) & (given <= high)
    places = ((given - low) * bins / (high - low)).where(inside, 0).long().clamp(max=bins - 1)
    found = torch.zeros(bins, dtype=torch.int64).scatter_add_(0, places, inside.long())
    return found.to(input.dtype)


def norm_except_dim(v, pow=2, dim=0):
    if dim == -1:
        return v.norm(pow)
    rows = v.movedim(dim, 0)
    length = rows.reshape(rows.size(0), -1).norm(pow, 1)
    return length.view([-1 if d == _wrapped(dim, v.dim()) else 1 for d in range(v.dim())])


def _weight_norm(v, g, dim=0):
    return v * (g / norm_except_dim(v, 2, dim))


for _function in (cdist, chain_matmul, einsum, tensordot):
    _function.__module__ = "torch.functional"
