#!/usr/bin/env python3
"""Writes to tensors in every memory order: out=, in-place forms, items and copy_, against eager PyTorch.

    writes.py --ptc PTC [FILTER] [--target null|x86-64]... [--count N] [--seed N] [--refused] [-j N] [-v]

A form is a call of spellings.py in place or with `out=`, or one of MORE. In each call every tensor is a view of a flat
argument: in one of ORDERS, with the sizes that spellings.py has, one of them made 0 or 1, with an element type of TYPES,
and what is written to may be of the wrong size or lie over an operand. Compared are the exception's class, sizes, strides,
elements, what the result is, and the arguments after the call. --count 0: every form with every order; otherwise a part,
which --seed draws. A refusal passes, is counted, and named by --refused.
"""
import collections
import itertools
import random
import re
import sys
import tempfile
import warnings
from dataclasses import dataclass, field
from pathlib import Path

import torch

import composites
import spellings
from library import LibraryJob
from run import Job
from table import HERE, Case, Tolerance

sys.path.insert(0, str(HERE.parent))
import runner  # noqa: E402

GROUP, ROOM = 24, 512                          # calls of a program; elements of an argument
NAMES = {torch.float32: "f32", torch.float64: "f64", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64",
         torch.int32: "i32", torch.int16: "i16", torch.int8: "i8", torch.uint8: "u8", torch.bool: "bool", torch.complex64: "c64"}
TYPES = list(NAMES)
WIDE = Tolerance(6e-2, 6e-2)                   # of groups with halves
ORDERS = ["row-major", "reversed", "rolled", "channels last", "stepped", "expanded", "expanded inside"]
PLACES = ["apart", "the same", "shifted", "behind", "transposed"]   # where what is written lies: over operand 0, or not
OUT_SIZES = ["right", "right", "right", "none", "larger", "one", "one more"]

# Templates over tensors: {0} is written to, or {out}.
MORE = [
    ("{0}.copy_({1})", "f32[3,4] f32[3,4]"), ("{0}.copy_({1})", "f32[2,3,4,5] f32[2,3,4,5]"), ("{0}.copy_({1})", "f32[3,4] f32[4]"),
    ("{0}.copy_({1})", "f32[3,4] f32[]"), ("{0}.copy_({1})", "f32[4] f32[3,4]"), ("{0}.copy_({1})", "f32[2,3,4] f32[3,1]"),
    ("item({0}, ..., {1})", "f32[3,4] f32[3,4]"), ("item({0}, ..., {1})", "f32[2,3,4,5] f32[3,1,1]"), ("item({0}, 1, {1})", "f32[3,4] f32[4]"),
    ("item({0}, slice(1, None), {1})", "f32[3,4] f32[2,4]"), ("item({0}, slice(None, None, 2), {1})", "f32[4,4] f32[1,4]"),
    ("item({0}, (slice(None), 1), {1})", "f32[3,4] f32[3]"), ("item({0}, (slice(None), None), {1})", "f32[3,4] f32[3,1,4]"),
    ("item({0}, (Ellipsis, slice(1, 3)), {1})", "f32[2,3,4] f32[2]"), ("item({0}, ..., 2.5)", "f32[3,4]"), ("item({0}, 0, True)", "f32[3,4]"),
    ("item({0}, slice(5, 9), 7)", "f32[3,4]"), ("item({0}, {1}, {2})", "f32[3,4] bool[3,4] f32[]"), ("item({0}, {1}, 1.5)", "f32[3,4] bool[3]"),
    ("item({0}, {1}, {2})", "f32[3,4] i64[2] f32[2,4]"), ("item({0}, ({1}, {2}), {3})", "f32[3,4] i64[2] i64[2] f32[2]"),
    ("item({0}, (slice(None), {1}), {2})", "f32[3,4] i64[2] f32[3,2]"), ("item({0}, {1}, {2})", "f32[2,3,4,5] i64[2] f32[2,3,4,5]"),
    ("item({0}, ({1}, {2}), 3)", "f32[3,4] i64[2] i64[2]"), ("{0}.index_put_(({1},), {2}, accumulate=True)", "f32[3,4] i64[2] f32[2,4]"),
    *[(f"in_place_{name}({{0}}, {number})", spec) for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
      for number, spec in (("2", "f32[3,4]"), ("1.5", "f32[2,3,4,5]"), ("True", "f32[4]"))],
    *[(f"in_place_{name}({{0}}, {{1}})", spec) for name in ("add", "mul", "truediv", "pow") for spec in
      ("f32[3,4] f32[4]", "f32[2,3,4,5] f32[2,3,4,5]", "f32[4] f32[3,4]", "f32[3,4] f32[]")],
    *[(f"in_place_{name}({{0}}, {{1}})", "i64[3,4] i64[3,4]") for name in ("and", "or", "xor", "lshift", "rshift", "floordiv", "mod")],
    *[(f"torch.{name}({{0}}, {{1}}, out={{out}})", spec) for name in ("add", "sub", "mul", "div", "maximum", "eq", "lt", "pow", "atan2")
      for spec in ("f32[2,3,4,5] f32[2,3,4,5]", "f32[2,3,4,5] f32[3,1,1]", "f32[3,4] f32[]", "f32[] f32[4]")],
    *[(f"torch.{name}({{0}}, out={{out}})", "f32[2,3,4,5]") for name in
      "neg exp sqrt abs floor sigmoid logical_not isnan square reciprocal sign log1p".split()],
    *[(f"torch.{name}({{0}}, 1, out={{out}})", "f32[2,3,4,5]") for name in "sum mean amax argmax prod cumsum std any logsumexp".split()],
    ("torch.cat([{0}, {1}], 1, out={out})", "f32[2,3,4,5] f32[2,3,4,5]"), ("torch.stack([{0}, {1}], out={out})", "f32[3,4] f32[3,4]"),
    ("torch.where({0}, {1}, {2}, out={out})", "bool[3,4] f32[3,4] f32[4]"), ("torch.matmul({0}, {1}, out={out})", "f32[2,3,4] f32[4,5]"),
    ("torch.full((3, 4), 2, out={out})", ""), ("torch.arange(5, out={out})", ""), ("torch.ones(3, 4, out={out})", ""),
    ("torch.zeros(3, 4, out={out})", ""), ("torch.linspace(0, 1, 5, out={out})", ""), ("torch.eye(3, out={out})", ""),
]

# Calls that once gave something else than eager: the form, and its tensors, where each of them lies in which argument.
FOUND = [
    ("{0}.copy_({1})", "f32[2,3,4,5] channels last a+0, f32[2,3,4,5] expanded a+1"),
    ("{0}.copy_({1})", "f32[2,3,4,5] expanded inside a+3, f32[2,3,4,5] expanded inside a+3"),
    ("in_place_add({0}, {1})", "f32[2,3] row-major a+0, f32[3] expanded a+1"),
    ("in_place_pow({0}, {1})", "f32[3,1] stepped a+0, f32[] row-major a+1"),
    ("item({0}, ..., {1})", "f32[3,1] stepped a+3, f32[3,1] row-major a+4"),
    ("{0}.addmm_({1}, {2})", "f32[2,4] reversed a+3, f32[2,3] row-major b+0, f32[3,4] row-major a+4"),
    ("{0}.atan2_({1})", "c64[2,3] row-major a+0, c64[3] row-major a+1"),
    ("in_place_xor({0}, {1})", "f64[3,4] expanded a+3, i64[3,4] stepped b+0"),
    ("{0}.round_(decimals=2)", "i8[2] expanded inside a+0"),
    ("{0}.floor_divide_({1})", "u8[2] row-major a+3, bool[2] row-major b+0"),
    ("item({0}, {1}, {2})", "f32[3,4] row-major a+0, bool[3,4] row-major b+3, i32[] row-major c+0"),
    ("item({0}, {1}, 1.5)", "f32[3,4] row-major a+0, u8[3] row-major b+0"),
    ("item({0}, {1}, {2})", "f32[3,4] row-major a+0, u8[3,4] row-major b+0, f32[1] row-major c+0"),
    ("item({0}, {1}, {2})", "f32[3,4] row-major a+0, u8[3] row-major b+0, f32[4] row-major c+0"),
    ("item({0}, {1}, {2})", "f32[3,4] row-major a+0, bool[3,4] row-major b+3, f32[] row-major a+1"),
    ("item({0}, (slice(None), {1}), {2})", "f32[3,4] row-major a+0, bool[4] row-major b+3, f32[1,1] row-major c+1"),
    ("torch.stack([{0}, {1}], out={out})", "bool[1,3] reversed a+0, bool[1,3] reversed b+0, bool[2,1,3] reversed a+1"),
    ("torch.remainder({0}, {1}, out={out})", "bool[2] row-major a+3, i64[2] row-major b+0, bool[3] row-major c+0"),
    ("torch.ceil({0}, out={out})", "i16[2] row-major a+0, i8[2] row-major b+0"),
    ("torch.clamp({0}, 0, 1, out={out})", "f32[2] row-major a+0, f64[2] row-major b+0"),
    ("torch.sum({0}, 1, out={out})", "f32[2,3] row-major a+0, i32[2] row-major b+0"),
    ("torch.prod({0}, -1, out={out})", "f32[2,3] row-major a+0, i64[2] row-major b+0"),
    ("torch.std({0}, [1], out={out})", "f32[2,3] stepped a+3, f32[2] expanded b+0"),
    ("torch.ones(3, 4, out={out})", "f32[3,4] expanded inside a+3"),
    ("torch.bmm({0}, {1}, out={out})", "i64[2,1,4] row-major a+0, i64[2,4,5] row-major b+3, i64[2,1,5] expanded c+3"),
    ("torch.nn.functional.gelu({0}, out={out})", "f32[4] row-major a+0, f32[4] row-major b+0"),
    ("torch.nn.functional.softplus({0}, out={out})", "f32[4] row-major a+0, f32[4] stepped b+0"),
    ("torch.nn.functional.logsigmoid({0}, out={out})", "f32[4] row-major a+0, f32[4] row-major b+0"),
    ("torch.nn.functional.avg_pool2d({0}, [2, 2], out={out})", "f32[1,2,4,4] row-major a+0, f32[1,2,2,2] channels last b+0"),
    ("{0}.copy_({1}.detach())", "f32[3,4] stepped a+0, f32[3,4] stepped a+0"),
    ("{0}.index_copy_(0, {1}, {2})", "f32[0,5] row-major a+3, i64[1] row-major b+0, f32[1,5] expanded inside a+4"),
    # Views of one argument that share nothing, though eager does not look.
    ("in_place_add({0}, {1})", "f32[4] stepped a+0, f32[4] stepped a+1"),
    ("item({0}, ..., {1})", "f32[3,4] stepped a+0, f32[4] row-major a+40"),
    # What is looked at first: the type, the memory, or the indices.
    ("{0}.clamp_max_(1)", "c64[3] expanded a+0"),
    ("{0}.clamp_(0, 1)", "bool[3] expanded a+0"),
    ("torch.relu_({0})", "c64[3] expanded a+0"),
    ("{0}.floor_()", "c64[3,4] expanded a+0"),
    ("{0}.sign_()", "c64[3,4] expanded inside a+0"),
    ("{0}.erf_()", "c64[3,4] expanded a+0"),
    ("{0}.cumsum_(0)", "bool[3,4] expanded a+0"),
    ("torch.threshold_({0}, 0.5, 2)", "c64[3] expanded a+0"),
    ("{0}.addmm_({1}, {2})", "bool[3,3] expanded a+0, bool[3,3] row-major b+0, bool[3,3] row-major c+0"),
    ("{0}.index_put_(({1},), {2})", "f32[3,4] row-major a+0, f32[2] row-major b+0, f32[4] row-major a+1"),
    ("{0}.index_put_(({1},), {2})", "f32[3,4] row-major a+0, bool[2] row-major b+0, f32[4] row-major a+1"),
    ("{0}.index_copy_(0, {1}, {2})", "f32[3,4] row-major a+0, f32[3] row-major b+0, f32[3,4] row-major a+1"),
]

INDEXED = re.compile("item|index_put|index_copy|scatter")

PROLOGUE = spellings.PRELUDE + '''def item(x, index, value):
    x[index] = value
    return x


def tried(call, *tensors):
    try:
        return call(*tensors)
    except Exception as error:
        return type(error).__name__


'''


@dataclass
class Form:
    """An expression over tensors; `{0}` is written to, or `{out}`."""
    name: str
    expression: str
    tensors: list                              # (element type, sizes)

    @property
    def has_out(self):
        return "{out}" in self.expression


@dataclass
class View:
    """A tensor of a call: a view of a flat argument."""
    dtype: object
    sizes: list
    order: str = "row-major"
    base: str = ""
    offset: int = 0

    def source(self):
        sizes, n = self.sizes, max(1, len(self.sizes))
        count = lambda s: torch.Size(s).numel()
        take = lambda k: f"{self.base}[{self.offset}:{self.offset + k}]"
        if self.order == "stepped":
            return f"{take(2 * count(sizes))}.view({[*sizes, 2]})[..., 1]"
        if self.order == "reversed" and len(sizes) > 1:
            return f"{take(count(sizes))}.view({sizes[::-1]}).permute({list(range(n))[::-1]})"
        if self.order == "rolled" and len(sizes) > 2:
            return f"{take(count(sizes))}.view({sizes[1:] + sizes[:1]}).permute({[n - 1, *range(n - 1)]})"
        if self.order == "channels last" and len(sizes) in (4, 5):
            return f"{take(count(sizes))}.view({[sizes[0], *sizes[2:], sizes[1]]}).permute({[0, n - 1, *range(1, n - 1)]})"
        if self.order == "expanded" and sizes:
            return f"{take(count(sizes[1:]))}.view({sizes[1:]}).expand({sizes})"
        if self.order == "expanded inside" and sizes:
            return f"{take(count(sizes[:-1]))}.view({[*sizes[:-1], 1]}).expand({sizes})"
        return f"{take(count(sizes))}.view({sizes})"


@dataclass
class Cell:
    """One call: the form and its tensors, the last of which is `out` if the form has one."""
    form: Form
    views: list
    raises: bool = False
    wrong: str = None
    refused: str = None

    def bases(self):
        return {v.base: v.dtype for v in self.views}

    def lines(self, number):
        """A function of the flat arguments, and the number of the line of its call in it."""
        names = [f"v{k}" for k in range(len(self.views))]
        body = [f"    {name} = {view.source()}" for name, view in zip(names, self.views)]
        given = {"out": names[-1]} if self.form.has_out else {}
        call = self.form.expression.format(*names, **given)
        target = names[-1] if self.form.has_out else names[0]
        body.append(f"    r = {call}")
        kept = f", {target}, {target}.stride()" if names else ""
        body.append(f"    return r is {target}, r{kept}")
        return [f"def c{number}({', '.join(self.bases())}):", *body, "", ""]

    def describe(self):
        shown = ", ".join(f"{NAMES[v.dtype]}{v.sizes} {v.order} at {v.base}+{v.offset}" for v in self.views)
        return f"{self.form.expression} of {shown}"


# Forms ---------------------------------------------------------------------------------------------


def parsed(text):
    kind, sizes = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()
    dtype = next(d for d, name in NAMES.items() if name == kind)
    return dtype, [int(n) for n in sizes.split(",") if n]


def takes_out(expression, tensors):
    """Whether eager takes `out=` behind the call's arguments."""
    scope = {"torch": torch, "t": tensors}
    names = [f"t[{k}].clone()" for k in range(len(tensors))]
    try:
        result = eval(expression.format(*names, out="None"), scope)
        if not isinstance(result, torch.Tensor):
            return False
        scope["o"] = torch.empty_like(result)
        eval(expression.format(*names, out="o"), scope)
    except Exception:
        return False
    return True


def recorded_forms(build):
    """In-place spellings, and functions with out=."""
    _, records = spellings.aten_table.load(build / "include/ptc/Dialect/Aten/IR/AtenOps.json")
    is_random = {r.name for r in records if "OpFlag::Random" in r.flags()}
    calls, _ = spellings.find_calls(build, "")
    for call in calls:
        if call.record in is_random or call.record.partition(".")[0] in spellings.UNINITIALISED:
            continue
        if any(t.dtype not in NAMES for t in call.tensors):
            continue
        tensors = [(t.dtype, list(t.shape)) for t in call.tensors]
        if all(not sizes for _, sizes in tensors) and call.eager_on([torch.zeros(3, 4, dtype=dtype) for dtype, _ in tensors]):
            tensors = [(dtype, [3, 4]) for dtype, _ in tensors]  # one element has no order
        if "{0}.clone()" in call.expression:
            yield Form(call.name, call.expression.replace("{0}.clone()", "{0}"), tensors)
        elif call.expression.startswith("torch.") and call.expression.endswith(")"):
            separator = "" if call.expression.endswith("()") else ", "
            expression = f"{call.expression[:-1]}{separator}out={{out}})"
            if takes_out(expression, call.tensors):
                yield Form(f"{call.name} with out", expression, tensors)


def forms(build, pattern):
    found = [*recorded_forms(build), *(Form(expression, expression, [parsed(t) for t in spec.split()])
                                       for expression, spec in MORE)]
    return [form for form in found if pattern in form.name]


# Calls of a form ---------------------------------------------------------------------------------------


def elements(dtype, generator):
    """A flat argument; integers stay small enough for indices."""
    if dtype == torch.bool:
        return torch.rand(ROOM, generator=generator) > 0.5
    if dtype.is_floating_point:
        return (torch.rand(ROOM, generator=generator) * 0.875 + 0.0625).to(dtype)
    if dtype == torch.int64:
        return torch.arange(ROOM) % 2
    return torch.randint(0, 3, (ROOM,), generator=generator).to(torch.float32 if dtype.is_complex else dtype)


def other_sizes(form, chance):
    """The sizes of the form's tensors, most times; else with one size made 0 or 1."""
    sizes = [list(s) for _, s in form.tensors]
    distinct = sorted({n for s in sizes for n in s})
    if distinct and chance.random() < 0.3:
        before, after = chance.choice(distinct), chance.choice([0, 1])
        sizes = [[after if n == before else n for n in s] for s in sizes]
    return sizes


def other_types(form, chance):
    """The element types of the form's tensors, all floats of another type, or one of them of any."""
    types = [dtype for dtype, _ in form.tensors]
    kind = chance.random()
    if kind < 0.4:
        dtype = chance.choice(TYPES)
        types = [dtype if t.is_floating_point else t for t in types]
    elif kind < 0.6 and types:
        types[chance.randrange(len(types))] = chance.choice(TYPES)
    return types


def result_of(form, views):
    """(type, sizes) of the result; a guess where eager raises."""
    tensors = [composites_tensor(v) for v in views]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = eval(form.expression.format(*[f"t[{k}]" for k in range(len(tensors))], out="None"),
                        {"torch": torch, "t": tensors})
        return made.dtype, list(made.shape)
    except Exception:
        return (views[0].dtype, list(views[0].sizes)) if views else (torch.float32, [3])


def composites_tensor(view):
    return torch.zeros(view.sizes, dtype=view.dtype)


def sizes_of_out(sizes, chance):
    kind = chance.choice(OUT_SIZES)
    return {"right": sizes, "none": [0], "larger": [n + 1 for n in sizes] or [2], "one": [1] * len(sizes),
            "one more": [1, *sizes]}[kind]


def put(view, over, place):
    """Lets `view` lie over `over`, or beside it, in one argument. False: that cannot be."""
    if view.dtype != over.dtype or place == "apart":
        return False
    view.base = over.base
    if place == "the same" and view.sizes == over.sizes:
        view.order, view.offset = over.order, over.offset
    elif place == "transposed" and view.sizes == over.sizes:
        view.order, view.offset = "reversed" if over.order == "row-major" else "row-major", over.offset
    elif place in ("shifted", "behind"):
        view.offset = over.offset + (1 if place == "shifted" else ROOM // 2)
    else:
        return False
    return True


def cell_of(form, order, written_order, chance):
    """A call with its operands in one order and what is written in another."""
    sizes, types = other_sizes(form, chance), other_types(form, chance)
    views = [View(dtype, s, order) for dtype, s in zip(types, sizes)]
    if len(views) > 1 and chance.random() < 0.3:
        views[chance.randrange(len(views))].order = chance.choice(ORDERS)
    if form.has_out:
        dtype, result = result_of(form, views)
        if chance.random() < 0.25:
            dtype = chance.choice(TYPES)
        if "pool" in form.name and written_order.startswith("expanded"):
            written_order = "stepped"          # eager writes beyond such memory
        views.append(View(dtype if dtype in NAMES else torch.float32, sizes_of_out(result, chance), written_order))
    else:
        views[0].order = written_order
    for k, view in enumerate(views):
        view.base, view.offset = f"t{k}", chance.choice([0, 0, 3])
    if INDEXED.search(form.expression):        # positions that meet: which of them is written last is not said
        for k, (dtype, s) in enumerate(form.tensors):
            if dtype == torch.int64 and len(s):
                views[k] = View(dtype, s, "row-major", f"t{k}")
    if len(views) > 1:                         # what is written, or the operand behind it, lies over operand 0
        last = views[-1]
        kept = (last.base, last.offset, last.order)
        if not put(last, views[0], chance.choice(PLACES)):
            last.base, last.offset, last.order = kept
    return Cell(form, views)


def found_cells(pattern):
    for expression, text in FOUND:
        views = []
        for part in text.split(", "):
            kind, order, base, offset = re.fullmatch(r"(\S+) (.+) (\w)\+(\d+)", part).groups()
            views.append(View(*parsed(kind), order, base, int(offset)))
        if pattern in expression:
            yield Cell(Form(expression, expression, [(v.dtype, v.sizes) for v in views]), views)


def fits(cell):
    return all(2 * torch.Size(v.sizes).numel() + v.offset <= ROOM for v in cell.views)


def cells(found, count, seed, pattern):
    """Calls of FOUND, and every form in every pair of orders, or so many of these."""
    chance = random.Random(seed)
    pairs = [(form, *orders) for form in found for orders in itertools.product(ORDERS, ORDERS)
             if orders[0] == "row-major" or form.tensors]
    if count:
        pairs = [chance.choice(pairs) for _ in range(count)]
    made = [cell_of(*pair, chance) for pair in pairs]
    made = [*found_cells(pattern), *(cell for cell in made if fits(cell))]
    for cell in made:
        cell.raises = may_raise(cell)
    # Programs with halves have wider tolerances.
    return sorted(made, key=has_halves)


def may_raise(cell):
    """Whether eager raises, or does for some elements: an integer that is divided by zero."""
    scope, flat = {}, {base: torch.ones(ROOM, dtype=dtype) for base, dtype in cell.bases().items()}
    if re.search("mod|remainder|div", cell.form.expression) and not any(v.dtype.is_floating_point for v in cell.views):
        return True
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec("\n".join([*PROLOGUE.splitlines(), *cell.lines(0)]), scope)
        return isinstance(scope["tried"](scope["c0"], *flat.values()), str)


def has_halves(cell):
    return any(v.dtype in (torch.float16, torch.bfloat16) for v in cell.views)


# Programs ----------------------------------------------------------------------------------------------


@dataclass
class Group:
    cells: list
    targets: list
    seed: int
    runs: int = 0

    def program(self, folder):
        """(case, cells by line)"""
        generator = torch.Generator().manual_seed(self.seed)
        lines, owner, names, tensors, calls = PROLOGUE.splitlines(), {}, [], [], []
        for number, cell in enumerate(self.cells):
            text = cell.lines(number)
            owner.update({len(lines) + k + 1: cell for k in range(len(text))})
            lines += text
            mine = []
            for base, dtype in cell.bases().items():
                name = f"a{len(names)}"
                names.append(name)
                # What a call that raises had written by then is not compared.
                copied = ".clone()" if cell.raises else ""
                mine.append(f"{name}.to(torch.complex64)" if dtype.is_complex else f"{name}{copied}")
                tensors.append(elements(dtype, generator))
            calls.append(f"        tried({', '.join([f'c{number}', *mine])}),")
        lines += [f"def entry({', '.join(names)}):", "    return [", *calls, "    ]"]
        source = folder / f"writes{self.runs}.py"
        source.write_text("\n".join(lines) + "\n")
        self.runs += 1
        wide = any(map(has_halves, self.cells))
        return Case(source.stem, source, "entry", calls=[{"args": tensors}], folder=folder,
                    tolerance=WIDE if wide else spellings.CLOSE), owner, names

    def once(self, target, ptc, folder):
        """Runs those that are left and notes what is wrong with one of them, or what is refused; True: done."""
        case, owner, names = self.program(folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            job = (Job if target == "null" else LibraryJob)(case, folder)
        if target == "null":
            seen = job.check(ptc, "3.11", 0, folder, 120)
        else:
            seen = job.check(ptc, "3.11", folder, 300)
        if seen.verdict == "ok":
            return True
        text = str(seen.text)
        if seen.verdict in ("refused", "no native code"):
            lines = re.findall(r"\.py:(\d+):\d+: error: ([^|\n]*)", text)
            blamed = [(owner[int(line)], why) for line, why in lines if int(line) in owner]
            for cell, why in blamed:
                cell.refused = why
            if not blamed and len(self.cells) == 1:
                blamed = [(self.cells[0], text)]
                self.cells[0].refused = text
        else:
            found = re.match(r"call 0: (?:result\[(\d+)\]|input (a\d+))", text)
            at = found and (int(found[1]) if found[1] else self.owner_of(found[2]))
            blamed = [(self.cells[at], text)] if found else []
            for cell, why in blamed:
                cell.wrong = f"{target}: {seen.verdict}: {why}"
        if not blamed:                         # no place is named
            if len(self.cells) > 1:
                halves = [Group(part, self.targets, self.seed) for part in (self.cells[:len(self.cells) // 2], self.cells[len(self.cells) // 2:])]
                for k, half in enumerate(halves):
                    inner = folder / f"half{k}"
                    inner.mkdir(exist_ok=True)
                    half.run_on(target, ptc, inner)
                return True
            self.cells[0].wrong = f"{target}: {seen.verdict}: {text[:600]}"
        self.cells = [cell for cell in self.cells if not cell.wrong and not cell.refused]
        return not self.cells

    def owner_of(self, name):
        """The number of the cell that this argument is of."""
        number, last = int(name[1:]), 0
        for at, cell in enumerate(self.cells):
            last += len(cell.bases())
            if number < last:
                return at
        raise AssertionError(name)

    def run_on(self, target, ptc, folder):
        while not self.once(target, ptc, folder):
            pass


def check(group, ptc, scratch):
    """(index, wrong, refused) of the group's calls"""
    everything = list(group.cells)
    for target in group.targets:
        with tempfile.TemporaryDirectory(dir=scratch) as name:
            group.cells = [cell for cell in everything if not cell.wrong and not cell.refused]
            if group.cells:
                group.run_on(target, ptc, Path(name))
    return [(cell.wrong, cell.refused) for cell in everything]


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--target", choices=["null", "x86-64"], action="append", help="default: null, and x86-64 for a part")
    parser.add_argument("--count", type=int, default=600, help="calls; 0: every form in every pair of orders")
    parser.add_argument("--native", type=int, default=10, help="one of so many groups is compiled, too")
    parser.add_argument("--seed", type=int, default=1, help="says which calls are drawn; 0: those of the day")
    parser.add_argument("--refused", action="store_true", help="print why calls are refused, with their number")
    args = parser.parse_args()
    args.seed = args.seed or runner.day()
    print(f"seed {args.seed}")
    made = cells(forms(Path(args.ptc).resolve().parents[1], args.filter), args.count, args.seed, args.filter)
    pieces = runner.part_of(args, [made[k:k + GROUP] for k in range(0, len(made), GROUP)])
    report, refusals = runner.Report(args.v), collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        groups = [Group(piece, args.target or (["null", "x86-64"] if k % args.native == 0 else ["null"]), args.seed + k)
                  for k, piece in enumerate(pieces)]
        cases = [list(group.cells) for group in groups]
        found = runner.outcomes(lambda group: check(group, args.ptc, Path(folder)), groups, args.j)
        for mine, outcome in zip(cases, found):
            if outcome.value is None:
                report.case(mine[0].describe(), outcome.wrong)
                continue
            for cell, (wrong, refused) in zip(mine, outcome.value):
                if refused:
                    refusals[re.sub(r".*?(is not supported[^\[\n]*).*", r"\1", refused, flags=re.S).strip()] += 1
                report.case(cell.describe(), wrong)
    for why, number in refusals.most_common() if args.refused else ():
        print(f"refused {number} times: {why}")
    print(f"{len(made)} calls of {len({cell.form.name for cell in made})} forms, {sum(refusals.values())} refused")
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
