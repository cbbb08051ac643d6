#!/usr/bin/env python3
"""Writes meta_cases.txt: calls and what eager PyTorch's CPU kernels make of them.

In: the calls below. Out, one line each: `call => outcome`. A tensor is `f32[2,3]`, with strides
`f32[2,3]{1,2}`; a result is `tensor`, `@0+4 tensor` (a view of argument 0 at offset 4) or `=0` (argument
0 itself); an exception is `RuntimeError: text`. Run it with a Python that has torch when calls are
added; the C++ test reads the file only.
"""

import itertools
import pathlib
import re
import sys
import warnings

import torch

warnings.simplefilter("ignore")
torch.manual_seed(0)

DTYPES = {
    "u8": torch.uint8, "i8": torch.int8, "i16": torch.int16, "i32": torch.int32,
    "i64": torch.int64, "f16": torch.float16, "f32": torch.float32, "f64": torch.float64,
    "c64": torch.complex64, "c128": torch.complex128, "bool": torch.bool, "bf16": torch.bfloat16,
}
NAMES = {v: k for k, v in DTYPES.items()}
FORMATS = {
    "contiguous_format": torch.contiguous_format, "preserve_format": torch.preserve_format,
    "channels_last": torch.channels_last, "channels_last_3d": torch.channels_last_3d,
}


def make_tensor(dtype, sizes, strides):
    value = 0.5 if dtype.is_floating_point or dtype.is_complex else 1
    if strides is None:
        return torch.full(sizes, value, dtype=dtype)
    room = 1 + sum(max(n - 1, 0) * s for n, s in zip(sizes, strides))
    return torch.full((max(room, 1),), value, dtype=dtype).as_strided(sizes, strides)


def numbers(text):
    return [int(v) for v in text.split(",") if v.strip()]


class Parser:
    """The grammar of a call's arguments; the C++ test has the same."""

    def __init__(self, text):
        self.text, self.pos, self.tensors = text, 0, []

    def peek(self, token):
        return self.text.startswith(token, self.pos)

    def match(self, pattern):
        m = re.compile(pattern).match(self.text, self.pos)
        if m:
            self.pos = m.end()
        return m

    def list_of(self, close):
        values = []
        while not self.match(r"\s*" + re.escape(close)):
            values.append(self.value())
            self.match(r"\s*,\s*")
        return values

    def value(self):
        m = self.match(r"(\w+)\[([\d, ]*)\](?:\{([\d, ]*)\})?")
        if m:
            t = make_tensor(DTYPES[m[1]], numbers(m[2]), None if m[3] is None else numbers(m[3]))
            self.tensors.append(t)
            return t
        if self.match(r"\("):
            return self.list_of(")")
        if self.match(r"\["):
            return self.list_of("]")
        m = self.match(r"'([^']*)'")
        if m:
            return m[1]
        m = self.match(r"[-\w.+]+")
        word = m[0]
        if word in ("None", "True", "False"):
            return {"None": None, "True": True, "False": False}[word]
        if word in DTYPES:
            return DTYPES[word]
        if word in FORMATS:
            return FORMATS[word]
        if word == "cpu":
            return torch.device("cpu")
        return int(word) if re.fullmatch(r"-?\d+", word) else float(word)

    def call(self):
        op = self.match(r"[\w.]+")[0]
        args, kwargs = [], {}
        self.match(r"\(")
        while not self.match(r"\s*\)"):
            key = self.match(r"(\w+)=")
            if key:
                kwargs[key[1]] = self.value()
            else:
                args.append(self.value())
            self.match(r"\s*,\s*")
        return op, args, kwargs


def text_of(result, tensors):
    if isinstance(result, (list, tuple)):
        return "[" + "; ".join(text_of(r, tensors) for r in result) + "]"
    if not isinstance(result, torch.Tensor):
        return type(result).__name__
    for i, t in enumerate(tensors):
        if result is t:
            return f"={i}"
    text = f"{NAMES[result.dtype]}[{','.join(map(str, result.shape))}]"
    text += "{" + ",".join(map(str, result.stride())) + "}"
    if tensors and shares_storage(result, tensors[0]):
        text = f"@0+{result.storage_offset() - tensors[0].storage_offset()} {text}"
    return text


def shares_storage(a, b):
    pointer = a.untyped_storage().data_ptr()
    if pointer:
        return pointer == b.untyped_storage().data_ptr()
    return a._base is not None and (a._base is b or a._base is b._base)


def outcome(call):
    parser = Parser(call)
    name, args, kwargs = parser.call()
    base, _, overload = name.partition(".")
    op = getattr(getattr(torch.ops.aten, base), overload or "default")
    try:
        result = op(*args, **kwargs)
    except Exception as error:  # what it is goes into the file
        lines = str(error).splitlines() or [""]
        return f"{type(error).__name__}: {lines[0]}"
    # _unsafe_view promises that its argument is not used again: to us that is a copy.
    text = text_of(result, [] if name == "_unsafe_view" else parser.tensors)
    if isinstance(result, tuple):  # several results, not one list
        text = text[1:-1]
    return text


SHAPES = ["f32[]", "f32[0]", "f32[3]", "f32[2,3]", "f32[2,3]{1,2}", "f32[2,3]{6,2}",
          "f32[2,3,4,5]{60,1,15,3}", "f32[2,1,4]{1,1,2}", "f32[2,3]{0,1}"]
PAIRS = [("f32[2,3]", "f32[3]"), ("f32[2,3]{1,2}", "f32[2,3]"), ("f32[2,3]{1,2}", "f32[2,3]{1,2}"),
         ("f32[2,1]", "f32[1,3]"), ("f32[]", "f32[2]"), ("f32[2,0]", "f32[1]"),
         ("f32[2,3]{1,2}", "f32[]"), ("f32[4,3,2]{1,4,12}", "f32[3,1]"), ("f32[2,3]", "f32[4]"),
         ("f32[2,3]", "f32[3,2]"), ("f32[2,3,4,5]{60,1,15,3}", "f32[3,1,1]"),
         ("f32[2,3,4,5]{60,1,15,3}", "f32[2,3,4,5]{60,1,15,3}"),
         ("f32[2,3,4,5]{60,1,15,3}", "f32[2,3,4,5]")]
ALL = list(DTYPES)


def elementwise():
    unary = ("abs neg sign floor ceil trunc round frac bitwise_not sqrt rsqrt exp log sin cos tanh "
             "sigmoid reciprocal erf isnan isinf isfinite signbit logical_not relu relu6 gelu silu "
             "mish hardsigmoid hardswish leaky_relu elu celu selu softplus softshrink hardshrink "
             "hardtanh square sgn expm1 log1p deg2rad isposinf nan_to_num logit lgamma exp2").split()
    for op in unary:
        for shape in ("f32[2,3]{1,2}", "f32[2,3]{6,2}", "f32[]"):
            yield f"{op}({shape})"
        for dtype in ("i64", "bool", "c64", "bf16"):
            yield f"{op}({dtype}[2])"
    for shape in SHAPES:
        yield f"exp({shape})"
    for a, b in PAIRS:
        for op in ("add.Tensor", "maximum", "eq.Tensor", "pow.Tensor_Tensor", "atan2"):
            yield f"{op}({a}, {b})"
        yield f"rsub.Tensor({a}, {b})"
    for a, b in itertools.product(ALL, ALL):
        yield f"add.Tensor({a}[2], {b}[2])"
    for a, b in itertools.product(ALL, ["i64[]", "f64[]", "f32[]", "2", "2.5", "True"]):
        for op in ("mul.Tensor", "div.Tensor"):
            yield f"{op}({a}[2], {b})"
    for a, b in itertools.product(["bool", "i32", "f32", "c64"], repeat=2):
        for op in ("sub.Tensor", "div.Tensor", "floor_divide", "remainder.Tensor", "maximum",
                   "lt.Tensor", "logical_and", "bitwise_and.Tensor", "fmod.Tensor", "fmax",
                   "atan2", "bitwise_left_shift.Tensor", "pow.Tensor_Tensor", "hypot", "copysign.Tensor",
                   "xlogy.Tensor", "logaddexp"):
            yield f"{op}({a}[2], {b}[2])"
    yield from """add.Tensor(i64[2], i64[2], alpha=2)
add.Tensor(i64[2], i64[2], alpha=0.5)
add.Tensor(f32[2], i64[2], alpha=0.5)
add.Scalar(i64[2], 2.5)
add.Tensor(bool[2], True)
add.Tensor(bool[2], 1)
mul.Tensor(i32[2], 2.0)
mul.Tensor(f16[], 2.0)
sub.Tensor(f32[2], 3)
sub.Tensor(bool[2], 3)
rsub.Scalar(i64[2], 3)
div.Tensor_mode(i64[2], i64[2], rounding_mode='floor')
div.Tensor_mode(i64[2], i64[2], rounding_mode=None)
div.Tensor_mode(i64[2], i64[2], rounding_mode='up')
pow.Tensor_Scalar(i64[2], -1)
pow.Tensor_Scalar(i64[2], 2.0)
pow.Tensor_Scalar(f32[2,3]{1,2}, 2)
pow.Tensor_Scalar(f32[2,1,4]{1,1,2}, 2)
add.Tensor(f32[2,1,4]{1,1,2}, 2)
pow.Scalar(2, i64[3])
pow.Scalar(2.5, i64[3])
eq.Scalar(i64[3], 2.5)
clamp(i64[3], 0, 2.5)
clamp(f32[3])
clamp(bool[3], 0)
clamp.Tensor(f32[3], f32[2,1])
clamp_min(i32[2,3]{1,2}, 1)
clamp_max.Tensor(f32[3], f64[3])
where.self(bool[2,3], f32[3], f64[])
where.self(bool[2,3]{1,2}, f32[3], i64[2,1])
where.self(f32[2], f32[2], f32[2])
where.ScalarOther(bool[2], i64[2], 2.5)
where.ScalarSelf(bool[2], 1, f16[2])
where.Scalar(bool[2], 1, 2)
where.Scalar(bool[2], 1.0, 2)
masked_fill.Scalar(f32[2,3]{1,2}, bool[3], 1.0)
masked_fill.Scalar(f32[3], bool[2,1], 1)
masked_fill.Scalar(f32[3], i64[3], 1)
masked_fill.Tensor(f32[3], bool[3], f32[])
masked_fill.Tensor(f32[3], bool[3], f32[1])
lerp.Scalar(f32[2,3], f32[3], 0.5)
lerp.Tensor(f32[2,3], f32[3], f32[1])
lerp.Scalar(f32[2], f64[2], 0.5)
addcmul(f32[2,3], f32[3], f32[2,1], value=2)
addcdiv(f32[2], f32[2], f64[2])
addcdiv(i64[2], i64[2], i64[2])
fill.Scalar(f32[2,3]{1,2}, 1)
fill.Tensor(f32[2,3], i64[])
fill.Tensor(f32[2,3], i64[1])
copy(f32[2,3]{1,2}, i64[3])
copy(f32[3], f32[2,3])
glu(f32[4,6])
glu(f32[4,6], 0)
glu(f32[3,2], 0)
glu(f32[])
prelu(f32[2,3,4], f32[3])
prelu(f32[2,3,4], f32[1])
prelu(f32[2,3,4], f32[4])
prelu(f32[2,3,4,5]{60,1,15,3}, f32[3])
threshold(i64[3], 1, 2)
threshold(f32[3], 1, 2)
log_sigmoid(f32[2,3]{1,2})
neg(bool[2])
round.decimals(f32[2], decimals=2)
add.Tensor(f32[0,1], f32[1,3])
add.Tensor(f32[0,1]{1,5}, f32[0,1]{1,5})""".split("\n")


def neighbours():
    """Overloads whose shape function another overload's cases exercise."""
    for op in ("sub.Scalar mul.Scalar floor_divide.Scalar remainder.Scalar fmod.Scalar ne.Scalar "
               "lt.Scalar le.Scalar gt.Scalar ge.Scalar").split():
        for dtype in ("i32", "f16", "bool"):
            yield f"{op}({dtype}[2,3]{{1,2}}, 2)"
            yield f"{op}({dtype}[2], 2.5)"
    for op in ("div.Scalar bitwise_and.Scalar bitwise_or.Scalar bitwise_xor.Scalar "
               "bitwise_left_shift.Tensor_Scalar bitwise_right_shift.Tensor_Scalar").split():
        for dtype in ("i32", "bool", "f32"):
            yield f"{op}({dtype}[3], 1)"
    for op in ("minimum max.other min.other fmin ne.Tensor le.Tensor gt.Tensor ge.Tensor logical_or "
               "logical_xor bitwise_or.Tensor bitwise_xor.Tensor bitwise_right_shift.Tensor "
               "clamp_min.Tensor").split():
        for pair in ("i32[2,3], i64[3]", "f32[2,3]{1,2}, f32[2,3]{1,2}", "c64[2], c64[2]",
                     "bool[2], bool[2]", "f32[2], f32[3]"):
            yield f"{op}({pair})"
    for op in ("log2 log10 tan asin acos atan sinh cosh asinh acosh atanh erfc erfinv digamma "
               "rad2deg isneginf zero").split():
        for tensor in ("f32[2,3]{1,2}", "i64[2]", "bool[2]", "c64[2]", "bf16[2]"):
            yield f"{op}({tensor})"
    yield from """remainder.Scalar_Tensor(5, i32[3])
remainder.Scalar_Tensor(5.5, i32[3])
clamp_max(f32[3], 1)
clamp_max(i32[3], 1.5)
div.Scalar_mode(i32[3], 2, rounding_mode='trunc')
new_empty(f64[2], (3,4))
randint_like.low_dtype(f32[2,3]{1,2}, 2, 5)
uniform(f32[2,3]{1,2})
normal.float_float(0.0, 1.0, (2,3))
_local_scalar_dense(f64[1])
conv1d.padding(f32[2,3,8], f32[6,3,3], None, (1,), 'same')
conv3d.padding(f32[2,3,4,5,6], f32[6,3,3,3,3], None, (1,1,1), 'valid')
conv_transpose3d.input(f32[2,3,4,4,4], f32[3,6,3,3,3])
max_pool3d(f32[2,3,8,8,8], (2,2,2))
avg_pool3d(f32[2,3,8,8,8], (2,2,2))
avg_pool3d(f32[2,3,8,8,8], (3,3,3), (2,2,2), (1,1,1), True)
instance_norm(f32[2,3,4,4], f32[3], f32[3], None, None, True, 0.1, 1e-5, False)
nll_loss(f32[4,5], i64[4])
nll_loss(f32[4,5], i64[4], f32[5], 0)
count_nonzero.dim_IntList(f32[2,3], (1,))
amin(f32[2,3], (1,), True)
std.dim(f32[2,3], (1,))
to.device(f32[2], cpu, f64)
to.dtype_layout(f32[2], dtype=f64)
to.dtype_layout(f32[2], device=cpu)
to.dtype_layout(f32[2,3]{1,2}, device=cpu, copy=True)""".split("\n")


def reductions():
    for op in ("sum.dim_IntList", "mean.dim", "amax", "any.dims", "logsumexp", "var.dim", "all.dims",
               "linalg_vector_norm_"):
        for args in ("f32[2,3,4]{1,2,6}, (1,)", "f32[2,3,4], (0,-1), True", "f32[2,3], (5,)",
                     "f32[2,3], (0,0)", "f32[2,0], (1,)", "f32[2,3], ()", "f32[], (0,)"):
            if op == "logsumexp" and "()" in args:
                continue  # eager fails on its own result
            if op == "var.dim" and "True" in args:
                args = args.replace("True", "True, True")
            if op == "linalg_vector_norm_":
                yield f"linalg_vector_norm({args.replace(', (', ', 2, (', 1)})"
            else:
                yield f"{op}({args})"
        for dtype in ("i32", "bool", "u8", "c64", "f16"):
            name = op.rstrip("_")
            yield f"{name}({dtype}[2,3], {'2, ' if op.endswith('_') else ''}(1,))"
    for op in ("sum", "mean", "prod", "max", "min", "any", "all", "var", "std", "argmax", "median",
               "norm.Scalar", "count_nonzero"):
        for t in ("f32[2,3]", "i32[2,3]", "bool[2,3]", "u8[3]", "f32[0]", "f32[]", "c64[2]"):
            yield f"{op}({t})"
    for op in ("max.dim", "min.dim", "median.dim", "argmax", "argmin", "prod.dim_int", "any.dim", "all.dim",
               "cumsum", "cumprod", "softmax.int", "log_softmax.int", "sort", "argsort"):
        for args in ("f32[2,3]{1,2}, 1", "f32[2,3], -1", "f32[2,3], 2", "f32[], 0", "i64[2,3], 0",
                     "bool[2,3], 0", "f32[0,3], 0", "f32[2,3,4]{24,8,2}, 1"):
            yield f"{op}({args})"
    yield from """sum(f32[2], dtype=f64)
sum.dim_IntList(i32[2,3], (1,), dtype=f32)
sum.dim_IntList(i32[2,3], None)
mean(f32[2], dtype=i32)
mean(i32[2], dtype=f32)
argmax(f32[2,3], None, True)
argmax(f32[2,3], 1, True)
max.dim(f32[2,3], 1, True)
var.correction(f32[2,3], (1,), correction=0)
var.correction(f32[2,3], (1,), correction=0, keepdim=True)
std.correction(f32[2,3])
var_mean.correction(f32[2,3], (1,), correction=1)
var_mean.correction(c64[2,3], (1,), correction=1)
std_mean.correction(i64[2,3])
norm.ScalarOpt_dim(f32[2,3], 2, (1,))
norm.ScalarOpt_dim(f32[2,3], None, (1,), True)
linalg_vector_norm(c64[2,3])
linalg_vector_norm(f32[2,3], dtype=f64)
cumsum(i32[3], 0, dtype=f32)
cumsum(bool[3], 0)
diff(f32[4])
diff(f32[2,4]{1,2}, 1, 0)
diff(f32[2,4], 3)
_softmax(f32[2,3], 1, False)
_log_softmax(f32[2,3]{1,2}, 1, False)
softmax.int(f16[2,3], 1, f32)
topk(f32[2,5], 3)
topk(f32[2,5]{1,2}, 2, 0)
topk(f32[2,5], 6)
topk(f32[], 1)
sort.stable(f32[2,3]{1,2}, stable=True)
sort(f32[2,3], -1, True)
searchsorted.Tensor(f32[5], f32[2,3])
searchsorted.Tensor(f32[5], f32[2,3], out_int32=True)
searchsorted.Tensor(f32[2,5], f32[3,3])
bucketize.Tensor(f32[2,3], f32[5])
_unique2(f32[1])
_unique2(f32[1,1], True, True, True)
_unique2(f32[0])""".split("\n")


def views():
    yield from """view(f32[2,3], (3,2))
view(f32[2,3], (-1,))
view(f32[2,3], (4,-1))
view(f32[2,3], (-1,-1))
view(f32[2,3], (2,4))
view(f32[2,3], (2,-3))
view(f32[2,3]{1,2}, (6,))
view(f32[2,3]{1,2}, (2,3,1))
view(f32[2,3,4]{24,4,1}, (2,12))
view(f32[2,3,4]{24,8,2}, (2,12))
view(f32[2,3,4]{24,8,2}, (6,4))
view(f32[2,3,4]{13,4,1}, (2,2,6))
view(f32[2,0], (0,5))
view(f32[2,0], (-1,0))
view(f32[0,3], (-1,3))
view(f32[], (1,1))
view(f32[1,1], ())
view(f32[4,1,3]{3,7,1}, (2,2,3))
view.dtype(f32[2], i32)
_unsafe_view(f32[2,3], (6,))
reshape(f32[2,3]{1,2}, (6,))
reshape(f32[2,3], (3,-1))
reshape(f32[2,3]{1,2}, (3,-1))
view_as(f32[2,3], f32[6])
reshape_as(f32[2,3]{1,2}, f32[6])
flatten.using_ints(f32[2,3,4])
flatten.using_ints(f32[2,3,4], 1)
flatten.using_ints(f32[2,3,4], 1, 1)
flatten.using_ints(f32[2,3,4], 2, 1)
flatten.using_ints(f32[2,3,4]{1,2,6}, 1)
flatten.using_ints(f32[2,3,4]{1,2,6}, 0, 1)
flatten.using_ints(f32[])
ravel(f32[2,3])
ravel(f32[2,3]{1,2})
unflatten.int(f32[2,6], 1, (2,-1))
unflatten.int(f32[2,6]{1,2}, -1, (3,2))
unflatten.int(f32[2,6], 1, (4,2))
squeeze(f32[1,2,1])
squeeze(f32[2,3])
squeeze.dim(f32[1,2], 0)
squeeze.dim(f32[1,2], 1)
squeeze.dim(f32[], 0)
squeeze.dims(f32[1,2,1], (0,2))
squeeze.dims(f32[1,2,1], (0,0))
unsqueeze(f32[2,3], 0)
unsqueeze(f32[2,3], -1)
unsqueeze(f32[2,3]{1,2}, 1)
unsqueeze(f32[2,3], 4)
unsqueeze(f32[], 0)
expand(f32[1,3], (2,3))
expand(f32[3], (2,-1))
expand(f32[3], (-1,3))
expand(f32[2,3], (3,))
expand(f32[2,3], (4,3))
expand(f32[1], (1,1,2))
expand(f32[], (2,))
expand_as(f32[1,3], f32[2,3])
broadcast_to(f32[1,3], (2,3))
as_strided(f32[2,3], (2,2), (1,2))
as_strided(f32[2,3], (2,2), (1,2), 1)
as_strided(f32[2,3], (2,2), (1,))
permute(f32[2,3,4], (2,0,1))
permute(f32[2,3,4], (-1,0,1))
permute(f32[2,3,4], (0,1))
permute(f32[2,3,4], (0,1,1))
permute(f32[2,3,4], (0,1,5))
transpose.int(f32[2,3,4], 0, 2)
transpose.int(f32[2,3], 0, 2)
transpose.int(f32[], 0, -1)
transpose.int(f32[2,3], 1, 1)
t(f32[2,3])
t(f32[3])
t(f32[2,3,4])
numpy_T(f32[2,3])
mT(f32[4,2,3])
mT(f32[3])
movedim.intlist(f32[2,3,4], (0,1), (2,0))
movedim.int(f32[2,3,4], 0, -1)
movedim.intlist(f32[2,3], (0,), (1,0))
select.int(f32[2,3], 0, 1)
select.int(f32[2,3], 1, -1)
select.int(f32[2,3], 1, 3)
select.int(f32[], 0, 0)
slice.Tensor(f32[5,3], 0, 1, 4)
slice.Tensor(f32[5,3], 0, -3, 9223372036854775807, 2)
slice.Tensor(f32[5,3], 1, None, -1)
slice.Tensor(f32[5,3], 0, 4, 2)
slice.Tensor(f32[5,3], 0, 9)
slice.Tensor(f32[5,3], 0, -9, 2)
slice.Tensor(f32[5,3], 0, 0, 5, 0)
slice.Tensor(f32[], 0)
narrow(f32[5,3], 0, 1, 3)
narrow(f32[5,3], 0, -2, 2)
narrow(f32[5,3], 0, 3, 3)
narrow(f32[5,3], 0, 6, 0)
narrow(f32[5,3], 0, 0, -1)
diagonal(f32[3,4])
diagonal(f32[3,4], 1)
diagonal(f32[3,4], -1)
diagonal(f32[2,3,4], 5, 0, 2)
diagonal(f32[2,3,4], 0, 1, 2)
diagonal(f32[3,4], 0, 0, 0)
unfold(f32[2,7], 1, 3, 2)
unfold(f32[2], 0, 3, 1)
unfold(f32[4], 0, 2, 0)
split.Tensor(f32[5,3], 2)
split.Tensor(f32[4,3], 2, 1)
split.Tensor(f32[0,3], 0)
split.Tensor(f32[3], 0)
split.Tensor(f32[3], -1)
split.Tensor(f32[0], 2)
split_with_sizes(f32[5,3], (2,3))
split_with_sizes(f32[5,3], (2,2))
split.sizes(f32[5,3], (1,4))
chunk(f32[5,3], 2)
chunk(f32[5,3], 4)
chunk(f32[0,3], 3)
chunk(f32[5], 0)
tensor_split.sections(f32[5,3], 3)
tensor_split.indices(f32[5,3], (1,3))
tensor_split.indices(f32[5,3], (4,2))
unbind.int(f32[2,3])
unbind.int(f32[2,3]{1,2}, 1)
unbind.int(f32[])
detach(f32[2])
alias(f32[2,3]{1,2})
view_as_real(c64[2,3])
view_as_real(f32[2])
view_as_complex(f32[3,2])
view_as_complex(f32[3,3])
view_as_complex(i64[3,2])
real(f32[2])
imag(f32[2])
real(c64[2,3]{1,2})
imag(c64[2])
contiguous(f32[2,3])
contiguous(f32[2,3]{1,2})
contiguous(f32[2,3,4,5], memory_format=channels_last)
contiguous(f32[2,3], memory_format=channels_last)
contiguous(f32[2,3,4,5]{60,1,15,3}, memory_format=channels_last)
contiguous(f32[2,3], memory_format=preserve_format)
contiguous(f32[1,3]{7,1})
clone(f32[2,3]{1,2})
clone(f32[2,3]{6,2})
clone(f32[2,3]{1,4})
clone(f32[2,3]{0,1})
clone(f32[2,3]{1,2}, memory_format=contiguous_format)
to.dtype(f32[2,3]{1,2}, f64)
to.dtype(f32[2,3]{1,2}, f32)
to.dtype(f32[2,3]{1,2}, f32, copy=True)
to.dtype(f32[2,3,4,5], f32, memory_format=channels_last)
to.dtype(f32[2,3,4,5]{60,1,15,3}, f32, memory_format=channels_last)
to.other(f32[2], i64[])
type_as(f32[2], f32[3])
_to_copy(f32[2,3]{1,2}, dtype=i32)
lift_fresh_copy(f32[2])""".split("\n")


def creation():
    yield from """empty.memory_format((2,3))
zeros((2,3))
zeros((2,-3))
zeros((), dtype=i64)
ones((0,3))
full((2,), 1)
full((2,), 1.5)
full((2,), True)
full((2,), 1, dtype=f16)
empty.memory_format((2,3,4,5), memory_format=channels_last)
empty_strided((2,3), (1,2))
scalar_tensor(2)
scalar_tensor(2, dtype=i64)
zeros_like(f32[2,3]{1,2})
ones_like(f32[2,3]{6,2}, dtype=bool)
empty_like(f32[2,3]{1,2}, memory_format=contiguous_format)
full_like(f32[2,3], 2)
full_like(i64[2,3], 2.5)
new_zeros(f64[2], (3,))
new_full(i64[2], (3,), 2.5)
new_ones(f64[2], (3,), dtype=bool)
arange(5)
arange(5.0)
arange(-1)
arange.start(2, 5)
arange.start(2, 2)
arange.start_step(1, 10, 3)
arange.start_step(10, 1, -4)
arange.start_step(0, 1, 0.3)
arange.start_step(0, 1, 0)
arange.start_step(0, 5, -1)
arange(5, dtype=f32)
linspace(0, 1, 5)
linspace(0, 1, -5)
linspace(0, 10, 5, dtype=i64)
eye(3)
eye.m(2, 3, dtype=i64)
eye(-1)
rand((2,3))
rand((2,3), dtype=i64)
randn((2,3), dtype=f64)
randn((2,3), dtype=i64)
randint(5, (2,))
randint.low(2, 5, (2,), dtype=f32)
randint(0, (2,))
randperm(4)
randperm(-1)
rand_like(f32[2,3]{1,2})
randn_like(f32[2,3])
randn_like(i64[2,3])
randint_like(i64[2,3], 5)
bernoulli(f32[2,3]{1,2})
bernoulli.p(f32[2,3]{1,2}, 0.5)
normal_functional(f32[2,3]{1,2})
multinomial(f32[4], 2)
multinomial(f32[3,4], 2)
multinomial(f32[4], 5)
multinomial(f32[4], 5, True)
multinomial(i64[4], 2)
multinomial(f32[4], 0)
item(f32[])
item(i64[1,1])
item(bool[])
item(f32[2])
is_nonzero(f32[1])
is_nonzero(f32[2])
is_nonzero(f32[0])
equal(f32[2], f32[2])""".split("\n")


def products():
    yield from """mm(f32[2,3], f32[3,4])
mm(f32[2,3]{1,2}, f32[3,4])
mm(f32[2,3], f32[2,4])
mm(f32[2], f32[2,4])
mm(f32[2,3], f32[3])
mm(f32[2,3], f64[3,4])
bmm(f32[2,3,4], f32[2,4,5])
bmm(f32[2,3,4], f32[2,3,5])
bmm(f32[2,3,4], f32[4,5])
bmm(f32[3,4], f32[2,4,5])
mv(f32[2,3], f32[3])
mv(f32[2,3], f32[4])
mv(f32[3], f32[3])
dot(f32[3], f32[3])
dot(f32[3], f32[4])
dot(f32[3,1], f32[3])
dot(f32[3], f64[3])
outer(f32[2], i64[3])
outer(f32[2,1], f32[3])
addmm(f32[4], f32[2,3], f32[3,4])
addmm(f32[5], f32[2,3], f32[3,4])
addmm(f32[2,4], f32[2,3], f32[4,4])
baddbmm(f32[5], f32[2,3,4], f32[2,4,5])
addmv(f32[2], f32[2,3], f32[3])
matmul(f32[3], f32[3])
matmul(f32[2,3], f32[3])
matmul(f32[3], f32[3,4])
matmul(f32[2,3], f32[3,4])
matmul(f32[5,2,3], f32[3,4])
matmul(f32[5,2,3], f32[3])
matmul(f32[3], f32[5,3,2])
matmul(f32[5,1,2,3], f32[6,3,4])
matmul(f32[5,2,3], f32[6,3,4])
matmul(f32[5,2,3], f32[5,4,4])
matmul(f32[5,2,3], f32[4,4])
matmul(f32[], f32[3])
matmul(f32[2,3], f32[5,3,4])
matmul(f32[2,3,4]{1,2,6}, f32[4,5])
matmul(f32[2,3], f64[3,4])
linear(f32[2,3], f32[4,3], f32[4])
linear(f32[5,2,3], f32[4,3])
linear(f32[5,2,3]{1,5,10}, f32[4,3], f32[4])
linear(f32[3], f32[4,3], f32[4])
linear(f32[2,3], f32[4,5], f32[4])
linear(f32[2,3], f64[4,3], f64[4])
linear(f32[7,2,3], f32[4,5], f32[4])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,6,8], f32[2,4,6,8])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,5,8], f32[2,4,5,8], is_causal=True)
scaled_dot_product_attention(f32[2,4,5,8]{160,8,32,1}, f32[2,4,5,8]{160,8,32,1}, f32[2,4,5,8]{160,8,32,1}, is_causal=True)
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,5,8], f32[2,4,5,8], bool[5,5])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,5,8], f32[2,4,5,8], f32[2,1,5,5])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,5,8], f32[2,4,5,8], bool[5,5], is_causal=True)
scaled_dot_product_attention(f32[4,5,8], f32[4,6,8], f32[4,6,8])
scaled_dot_product_attention(f32[5,8], f32[6,8], f32[6,8])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,6,8], f32[2,4,6,9])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,2,6,8], f32[2,2,6,8], enable_gqa=True)
scaled_dot_product_attention(f32[2,4,5,8], f64[2,4,6,8], f32[2,4,6,8])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,6,7], f32[2,4,6,8])
scaled_dot_product_attention(f32[2,4,5,8], f32[2,4,5,8], f32[2,4,5,8], None, 0.5)""".split("\n")


def images():
    yield from """convolution(f32[2,3,8,8], f32[6,3,3,3], f32[6], (1,1), (1,1), (1,1), False, (0,0), 1)
convolution(f32[2,3,8,8], f32[3,6,3,3], None, (2,2), (1,1), (1,1), True, (1,1), 1)
convolution(f32[2,3,8,8]{192,1,24,3}, f32[6,3,3,3], f32[6], (1,1), (1,1), (1,1), False, (0,0), 1)
conv1d(f32[2,3,8], f32[6,3,3])
conv1d(f32[3,8], f32[6,3,3], None, (2,), (1,))
conv2d(f32[2,3,8,8], f32[6,3,3,3], f32[6], (2,2), (1,1))
conv2d(f32[2,4,8,8], f32[4,1,3,3], None, (1,1), (1,1), (1,1), 4)
conv2d(f32[3,8,8], f32[6,3,3,3])
conv2d(f32[2,3,8,8], f32[6,3,3,3]{27,1,9,3})
conv2d(f32[2,3,8,8]{192,1,24,3}, f32[6,3,1,1])
conv2d(f32[2,3,8,8], f32[6,3,1,1])
conv2d(f64[2,3,8,8]{192,1,24,3}, f64[6,3,3,3])
conv2d(f32[2,4,8,8], f32[6,3,3,3])
conv2d(f32[2,3,2,2], f32[6,3,3,3])
conv2d(f32[2,3,8], f32[6,3,3,3])
conv2d(f32[8,8], f32[6,3,3,3])
conv2d(f32[2,3,8,8], f32[6,3,3,3], f32[5])
conv2d.padding(f32[2,3,8,8], f32[6,3,3,3], None, (1,1), 'same')
conv2d.padding(f32[2,3,8,8], f32[6,3,3,3], None, (2,2), 'same')
conv2d.padding(f32[2,3,8,8], f32[6,3,3,3], None, (2,2), 'valid')
conv2d.padding(f32[2,3,2,2], f32[6,3,3,3], None, (1,1), 'same')
conv3d(f32[2,3,4,5,6], f32[6,3,3,3,3])
conv_transpose1d(f32[2,3,8], f32[3,6,4], None, (2,), (1,))
conv_transpose2d.input(f32[2,3,8,8], f32[3,6,3,3], f32[6], (2,2), (1,1), (1,1))
conv_transpose2d.input(f32[2,4,8,8], f32[3,6,3,3])
max_pool1d(f32[2,3,8], (2,))
max_pool2d(f32[2,3,8,8], (2,2))
max_pool2d(f32[2,3,8,8], (3,3), (2,2), (1,1))
max_pool2d(f32[2,3,7,7], (2,2), (2,2), (0,0), (1,1), True)
max_pool2d(f32[2,3,7,7], (3,3), (2,2), (1,1), (1,1), True)
max_pool2d(f32[2,3,8,8]{192,1,24,3}, (2,4))
max_pool2d(f32[3,8,8], (2,2))
max_pool2d(f32[2,3,8,8], 2, 2, (2,2))
max_pool2d(f32[2,3,1,1], (2,2))
max_pool2d_with_indices(f32[2,3,8,8], (2,2))
avg_pool1d(f32[2,3,8], (2,))
avg_pool2d(f32[2,3,8,8], (2,2))
avg_pool2d(f32[2,3,8,8]{192,1,24,3}, (3,3), (2,2), (1,1))
avg_pool2d(i32[2,3,8,8], (2,2))
adaptive_avg_pool2d(f32[2,3,8,8], (1,1))
adaptive_avg_pool2d(f32[2,3,8,8]{192,1,24,3}, (1,1))
adaptive_avg_pool2d(f32[2,3,8,8]{192,1,24,3}, (2,2))
adaptive_avg_pool2d(f32[3,8,8], (2,3))
_adaptive_avg_pool2d(f32[2,3,8,8], (2,2))
adaptive_avg_pool1d(f32[2,3,8], (2,))
adaptive_max_pool2d(f32[2,3,8,8], (2,2))
upsample_nearest2d.vec(f32[2,3,4,4], None, (2.0,2.0))
upsample_nearest2d.vec(f32[2,3,4,4], (7,9), None)
upsample_nearest2d.vec(f32[2,3,4,4]{48,1,12,3}, None, (1.5,2.0))
upsample_bilinear2d.vec(f32[2,3,4,4], (8,8), False, None)
upsample_bilinear2d(f32[2,3,4,4], (8,8), True)
upsample_nearest1d.vec(f32[2,3,4], None, (2.0,))
upsample_nearest2d(f32[2,3,4], (8,8))
pixel_shuffle(f32[2,8,3,3], 2)
pixel_shuffle(f32[2,7,3,3], 2)
pixel_unshuffle(f32[2,2,6,6], 2)
layer_norm(f32[2,3,4], (4,))
layer_norm(f32[2,3,4], (3,4), f32[3,4], f32[3,4])
layer_norm(f32[2,3,4]{1,2,6}, (4,), f32[4])
layer_norm(f32[2,3], (4,))
layer_norm(f32[2,3], (3,), f32[4])
native_layer_norm(f32[2,3,4], (4,), f32[4], f32[4], 1e-5)
group_norm(f32[2,6,4,4], 3)
group_norm(f32[2,6,4,4]{96,1,24,6}, 3, f32[6], f32[6])
group_norm(f32[2,6,4,4], 4)
native_group_norm(f32[2,6,4], None, None, 2, 6, 4, 3, 1e-5)
rms_norm(f32[2,3,4], (4,), f32[4], 1e-6)
rms_norm(f32[2,3,4]{1,2,6}, (4,))
batch_norm(f32[2,3,4,4], f32[3], f32[3], f32[3], f32[3], False, 0.1, 1e-5, False)
batch_norm(f32[2,3,4,4]{48,1,12,3}, f32[3], f32[3], f32[3], f32[3], False, 0.1, 1e-5, False)
batch_norm(f32[2,3,4,4], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-5, False)
batch_norm(f32[2,3], f32[3], f32[3], f32[4], f32[3], True, 0.1, 1e-5, False)
batch_norm(f32[4,3], None, None, f32[3], f32[3], False, 0.1, 1e-5, False)
native_batch_norm(f32[2,3,4], f32[3], f32[3], f32[3], f32[3], True, 0.1, 1e-5)
native_batch_norm(f32[2,3,4], f32[3], f32[3], f32[3], f32[3], False, 0.1, 1e-5)
_native_batch_norm_legit_no_training(f32[2,3,4], f32[3], f32[3], f32[3], f32[3], 0.1, 1e-5)
dropout(f32[2,3]{1,2}, 0.5, True)
dropout(f32[2,3], 0.5, False)
dropout(f32[2,3], 0.0, True)
dropout(f32[2,3], 1.5, True)
native_dropout(f32[2,3]{1,2}, 0.5, True)
mse_loss(f32[2,3], f32[2,3])
mse_loss(f32[2,3]{1,2}, f32[3], 0)
l1_loss(f32[2,3], f32[2,3], 2)
smooth_l1_loss(f32[2,3], f32[2,3], 0)
huber_loss(f32[2,3], f32[2,3], 0)
huber_loss(f32[2,3], f64[2,3])
binary_cross_entropy(f32[2,3], f32[2,3])
binary_cross_entropy_with_logits(f32[2,3], f32[2,3], None, None, 0)
kl_div(f32[2,3], f32[2,3])
nll_loss_nd(f32[4,5], i64[4])
nll_loss_nd(f32[4,5], i64[4], None, 0)
nll_loss_nd(f32[4,5,6], i64[4,6], None, 0)
nll_loss_nd(f32[4,5,6,7], i64[4,6,7])
nll_loss_nd(f32[5], i64[])
nll_loss_nd(f32[4,5], i64[3])
nll_loss_forward(f32[4,5], i64[4], None, 1, -100)
cross_entropy_loss(f32[4,5], i64[4])
cross_entropy_loss(f32[4,5], i64[4], None, 0)
cross_entropy_loss(f32[4,5], f32[4,5], None, 0)
cross_entropy_loss(f32[4,5,6], i64[4,6], None, 2)
cross_entropy_loss(f32[4,5], i64[3])
cross_entropy_loss(f32[5], i64[])
cross_entropy_loss(f32[4,5], f32[4])""".split("\n")


def indexing():
    yield from """cat([f32[2,3], f32[4,3]])
cat([f32[2,3], f32[2,4]], 1)
cat([f32[2,3], f32[4,3]], 1)
cat([f32[2,3], f32[4]])
cat([f32[0], f32[2,3]])
cat([f32[], f32[2]])
cat([])
cat([f32[2], i64[3], f64[1]])
cat([f32[2,3,4,5]{60,1,15,3}, f32[2,3,4,5]{60,1,15,3}], 1)
cat([f32[2,3,4,5]{60,1,15,3}, f32[2,3,4,5]], 1)
stack([f32[2,3], f32[2,3]])
stack([f32[2,3], f32[2,3]], -1)
stack([f32[2,3], f32[3,2]])
stack([f32[2], i64[2]], 1)
repeat(f32[2,3], (2,2))
repeat(f32[3], (4,2))
repeat(f32[2,3], (2,))
tile(f32[2,3], (2,))
repeat_interleave.self_int(f32[2,3], 2)
repeat_interleave.self_int(f32[2,3], 2, 1)
repeat_interleave.self_Tensor(f32[2,3], i64[3], 1, output_size=3)
roll(f32[2,3], (1,))
roll(f32[2,3]{1,2}, (1,), (0,))
roll(f32[2,3], (1,2), (0,1))
roll(f32[2,3], (1,2), (0,))
flip(f32[2,3]{1,2}, (0,))
flip(f32[2,3], (0,0))
constant_pad_nd(f32[2,3], (1,2))
constant_pad_nd(f32[2,3], (1,2,0,1), 2.0)
constant_pad_nd(f32[2,3], (-2,-2))
constant_pad_nd(f32[2,3], (1,))
constant_pad_nd(f32[2], (1,1,1,1))
pad(f32[2,3,4,5]{60,1,15,3}, (1,1,1,1))
pad(f32[2,3,4], (1,2), 'reflect')
pad(f32[2,3,4,5], (1,2,3,3), 'reflect')
pad(f32[2,3,4,5], (1,2,3,4), 'reflect')
pad(f32[2,3,4,5], (1,2,0,1), 'replicate')
pad(f32[2,3,4,5], (1,2,0,1), 'circular')
pad(f32[2,3], (1,2,0,1), 'reflect')
pad(f32[2], (1,2), 'reflect')
pad(f32[2,3,4,5], (1,2), 'reflect')
pad(f32[2,3,4,5], (1,), 'replicate')
pad(f32[2,3,4], (1,4), 'circular')
pad(f32[2,3,4], (1,5), 'circular')
pad(f32[2,3], (1,1), 'wrap')
nll_loss_nd(f32[4,5], i32[4])
layer_norm(i64[2,3], (3,))
constant_pad_nd(f32[2,3], (-1,2))
tril(f32[2,3]{1,2})
triu(f32[4,2,3], 1)
tril(f32[3])
diag(f32[3], 1)
diag(f32[3,4], -1)
diag(f32[2,3,4])
diag_embed(f32[2,3], 1)
diag_embed(f32[2,3], 0, 0, 2)
one_hot(i64[2,3], 5)
one_hot(f32[2], 5)
index.Tensor(f32[4,5], [i64[3]])
index.Tensor(f32[4,5], [i64[3], i64[3]])
index.Tensor(f32[4,5], [i64[2,1], i64[3]])
index.Tensor(f32[4,5], [None, i64[3]])
index.Tensor(f32[4,5,6], [i64[2], None, i64[2]])
index.Tensor(f32[4,5,6], [None, i64[2,3], i64[3]])
index.Tensor(f32[4,5]{1,4}, [i64[3]])
index.Tensor(f32[4,5,6]{1,4,20}, [i64[3]])
index.Tensor(f32[4,5,6]{1,4,20}, [None, i64[3]])
index.Tensor(f32[4,5], [bool[4]])
index.Tensor(f32[4,5], [bool[4,5]])
index.Tensor(f32[4,5], [bool[4], i64[4]])
index.Tensor(f32[4,5], [bool[3]])
index.Tensor(f32[4,5], [f32[3]])
index.Tensor(f32[4,5], [i64[3], i64[2]])
index.Tensor(f32[4], [i64[3], i64[3]])
index.Tensor(f32[4,5], [i64[]])
index_select(f32[4,5], 1, i64[3])
index_select(f32[4,5]{1,4}, 0, i64[2])
index_select(f32[4,5], 1, i64[3,1])
index_select(f32[4,5], 1, f32[3])
gather(f32[4,5], 1, i64[4,2])
gather(f32[4,5], 1, i64[2,2])
gather(f32[4,5], 1, i64[5,2])
gather(f32[4,5], 1, i64[4])
gather(f32[4,5], 1, f32[4,2])
take_along_dim(f32[4,5], i64[4,2], 1)
take_along_dim(f32[4,5], i64[1,2], 1)
take_along_dim(f32[4,5], i64[3])
masked_select(f32[2,3], bool[3])
masked_select(f32[2,3], i64[3])
nonzero(f32[2,3])
argwhere(f32[3])
where(bool[2,3])
embedding(f32[10,4], i64[2,3])
embedding(f32[10,4], f32[2,3])
embedding(f32[10], i64[2,3])
index_put(f32[4,5]{1,4}, [i64[3]], f32[5])
index_put(f32[4,5], [i64[3]], f32[4])
index_put(f32[4,5], [i64[3]], f64[5])
index_put(f32[4,5], [bool[4,5]], f32[])
index_put(f32[4,5], [None, i64[2]], f32[4,2], True)
index_add(f32[4,5], 0, i64[2], f32[2,5])
index_copy(f32[4,5], 0, i64[1], f32[1,5])
index_fill.int_Scalar(f32[4,5]{1,4}, 0, i64[2], 1.0)
index_fill.int_Tensor(f32[4,5], 0, i64[2], f32[1])
scatter.src(f32[4,5], 1, i64[4,2], f32[4,2])
scatter.src(f32[4,5], 1, i64[4,2], f32[4,1])
scatter.src(f32[4,5], 1, i64[4,2], f64[4,2])
scatter.value(f32[4,5]{1,4}, 1, i64[4,2], 1.0)
scatter_add(f32[4,5], 0, i64[2,5], f32[2,5])
scatter_add(f32[4,5], 0, i64[2], f32[2,5])
scatter_reduce.two(f32[4,5], 0, i64[2,5], f32[2,5], 'sum')
masked_scatter(f32[2,3], bool[3], f32[6])
slice_scatter(f32[4,5], f32[2,5], 0, 1, 3)
slice_scatter(f32[4,5], f32[3,5], 0, 1, 3)
slice_scatter(f32[4,5]{1,4}, f32[2,5], 0, 1, 3)
select_scatter(f32[4,5], f32[5], 0, 1)
diagonal_scatter(f32[4,5], f32[4])
as_strided_scatter(f32[4,5], f32[2,2], (2,2), (1,2))""".split("\n")


# as_strided: meta knows no storage size. The others: eager's aliasing of nothing cannot be seen, or it
# does not check what it should.
UNCHECKED_EMPTY = ("as_strided", "as_strided_scatter", "detach", "view.dtype", "batch_norm",
                   "native_batch_norm", "_native_batch_norm_legit_no_training", "instance_norm",
                   "adaptive_avg_pool2d", "upsample_nearest2d")


def variations():
    """One call of each overload, on other element types, without dimensions, without elements.

    With `?` in front only the fact that eager raises is recorded, not what it says.
    """
    seen = set()
    for group in (elementwise, reductions, views, products, images, indexing, creation):
        for call in group():
            op = call.partition("(")[0]
            if op in seen or "f32" not in call or ": " in outcome(call):
                continue
            seen.add(op)
            for dtype in ("i64", "bool", "c64", "f16", "u8"):
                if op != "randint.low":
                    yield call.replace("f32", dtype)
            if op in UNCHECKED_EMPTY:
                continue
            for sizes in ("f32[]", "f32[0]", "f32[2,0]"):
                yield "?" + re.sub(r"f32\[[\d,]*\](\{[\d,]*\})?", sizes, call, count=1)


def main():
    here = pathlib.Path(__file__).parent
    groups = (elementwise, neighbours, reductions, views, creation, products, images, indexing,
              variations)
    lines = ["# Written by make_meta_cases.py with torch " + torch.__version__.split("+")[0]]
    for group in groups:
        for call in dict.fromkeys(group()):
            try:
                text = outcome(call.lstrip("?"))
                if call.startswith("?") and re.match(r"\w*Error: ", text):
                    text = "raises"
                lines.append(f"{call.lstrip('?')} => {text}")
            except KeyError:
                continue  # a result of a type that ptc has not
    (here / "meta_cases.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(len(lines) - 1, "cases", file=sys.stderr)


if __name__ == "__main__":
    main()
