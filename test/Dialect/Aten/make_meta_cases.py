#!/usr/bin/env python3
"""Writes meta_cases.txt: calls and what eager PyTorch's CPU kernels make of them.

In: the calls below. Out, one line each: `call => outcome`. A tensor is `f32[2,3]`, with strides
`f32[2,3]{1,2}`; a result is `tensor`, `@0+4 tensor` (a view of argument 0 at offset 4) or `=0` (argument
0 itself); an exception is `RuntimeError: text`. Run it with a Python that has torch when calls are
added; the C++ test reads the file only.
"""

import pathlib
import re
import sys
import warnings

import torch

from meta_calls import GROUPS

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


# as_strided: meta knows no storage size. The others: eager's aliasing of nothing cannot be seen, or it
# does not check what it should.
UNCHECKED_EMPTY = ("as_strided", "as_strided_scatter", "detach", "view.dtype", "batch_norm",
                   "native_batch_norm", "_native_batch_norm_legit_no_training", "instance_norm",
                   "adaptive_avg_pool2d", "upsample_nearest2d",
                   "binary_cross_entropy", "native_dropout", "_native_batch_norm_legit_functional")


def variations():
    """One call of each overload, on other element types, without dimensions, without elements.

    With `?` in front only the fact that eager raises is recorded, not what it says.
    """
    seen = set()
    for group in GROUPS:
        for call in group():
            op = call.partition("(")[0]
            if op in seen or "f32" not in call or call[0] == "?" or ": " in outcome(call):
                continue
            seen.add(op)
            for dtype in ("i64", "bool", "c64", "f16", "u8"):
                if not op.startswith("randint"):
                    yield call.replace("f32", dtype)
            if op in UNCHECKED_EMPTY:
                continue
            for sizes in ("f32[]", "f32[0]", "f32[2,0]"):
                yield "?" + re.sub(r"f32\[[\d,]*\](\{[\d,]*\})?", sizes, call, count=1)


def main():
    here = pathlib.Path(__file__).parent
    lines = ["# Written by make_meta_cases.py with torch " + torch.__version__.split("+")[0]]
    for group in GROUPS + (variations,):
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
