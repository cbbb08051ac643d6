#!/usr/bin/env python3
"""Every Python spelling of every ATen record: a call of it is captured and agrees with eager PyTorch.

    spellings.py --ptc PTC [FILTER] [-j N] [-v]

So does one inside torch.autocast, in float32 and in bfloat16, where eager takes it.

The records come from the build (AtenOps.json), arguments from the recorded calls of test/Dialect/Aten: of each
record the first call that eager accepts under the spelling. Calls are captured in groups; a group that fails is run
in halves. A spelling without a call is a failure too.
"""
import copy
import re
import sys
import tempfile
from pathlib import Path

import torch

from run import Job
from table import HERE, Case, Tolerance

ROOT = HERE.parents[1]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "test/Dialect/Aten"), str(ROOT / "tools/gen")]
import aten_table  # noqa: E402
import make_meta_cases  # noqa: E402
import runner  # noqa: E402

CLOSE = Tolerance(rtol=1e-5, atol=2e-6)
CAST = Tolerance(rtol=2e-2, atol=2e-2)         # of numbers of 8 bits
GROUP = 24
UNARY = {"__neg__": "-", "__invert__": "~", "__pos__": "+"}
BINARY = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and": "&",
          "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>", "matmul": "@", "eq": "==", "ne": "!=", "lt": "<",
          "le": "<=", "gt": ">", "ge": ">="}
PROPERTIES = {"T", "mT", "H", "mH"}
# Calls beside the recorded ones, where none of those fits a spelling.
MORE = {
    "add.Scalar": "add.Scalar(f32[2,3], 2)",
    "clamp": "clamp(f32[2,3], 0.25, 0.75)",
    "index_fill.int_Tensor": "index_fill.int_Tensor(f32[3], 0, i64[1], f32[])",
    "addmm": "addmm(f32[2,4], f32[2,3], f32[3,4], beta=0.5, alpha=2)",
    "baddbmm": "baddbmm(f32[2,2,4], f32[2,2,3], f32[2,3,4], beta=0.5)",
    "std_mean.correction": "std_mean.correction(f32[2,3], [1], correction=0)",
    "where.ScalarOther": "where.ScalarOther(bool[3], f32[3], 2.5)",
    "rand.generator": "rand.generator([2, 3], generator=generator)",
    "randn.generator": "randn.generator([2, 3], generator=generator)",
    "randint.generator": "randint.generator(9, [3], generator=generator)",
    "randint.low_generator": "randint.low_generator(3, 9, [3], generator=generator)",
    "randperm.generator": "randperm.generator(7, generator=generator)",
}
# The elements matter: lengths that add up, sorted boundaries.
AS_RECORDED = {"repeat_interleave.self_Tensor", "searchsorted.Tensor", "bucketize.Tensor"}
# Refused by the null target (lib/Dialect/Aten/Eval/README.md).
MAY_REFUSE = {"multinomial"}
# What elements hold is undefined.
UNINITIALISED = {"empty", "empty_like", "new_empty", "empty_strided"}


def source_of(value):
    """Python text of an argument that is no tensor."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(source_of(v) for v in value) + "]"
    if isinstance(value, torch.device):
        return f'torch.device("{value}")'
    if isinstance(value, float):
        return f'float("{value!r}")'
    return repr(value)


class Call:
    """One call of a record under one spelling: an expression over tensors, and the tensors."""

    is_cast = False                            # Is it made inside of torch.autocast?

    def __init__(self, record, spelling, inplace, text):
        self.record, self.name, self.tensors = record.name, f"{record.name} as {spelling}", []
        seeded = "generator=generator" in text
        _, args, kwargs = make_meta_cases.Parser(text.replace(", generator=generator", "")).call()
        schema = {a[0]: a[3] for a in record.args}                    # name -> keyword only
        named = dict(zip(schema, args)) | kwargs
        positional = [self.argument(v) for k, v in named.items() if not schema[k]]
        keywords = [f"{k}={self.argument(v)}" for k, v in named.items() if schema[k]]
        if spelling == "Tensor.where":                                # x.where(condition, other)
            positional[:2] = positional[1::-1]
        if seeded:
            keywords.append("generator=torch.Generator().manual_seed(5)")
        self.expression = self.spell(spelling, inplace, positional, keywords)
        if record.name.partition(".")[0] in UNINITIALISED:
            self.expression += ".shape"

    def argument(self, value):
        if isinstance(value, torch.Tensor):
            self.tensors.append(value)
            return f"{{{len(self.tensors) - 1}}}"
        if isinstance(value, list) and any(isinstance(v, torch.Tensor) for v in value):
            return "[" + ", ".join(self.argument(v) for v in value) + "]"
        return source_of(value)

    def spell(self, spelling, inplace, positional, keywords):
        owner, _, name = spelling.rpartition(".")
        rest = ", ".join(positional[1:] + keywords)
        if owner != "Tensor":
            first = f"{positional[0]}.clone()" if inplace else positional[0] if positional else ""
            return f"{spelling}({', '.join(([first] if first else []) + positional[1:] + keywords)})"
        first = f"{positional[0]}.clone()" if inplace else positional[0]
        if name in PROPERTIES:
            return f"{first}.{name}"
        if name in UNARY:
            return f"{UNARY[name]}{first}"
        operator = re.fullmatch(r"__(i|r)?(\w+)__", name)
        if operator and name != "__abs__":
            kind, base = operator[1] or "", operator[2]
            if kind + base in BINARY:
                kind, base = "", kind + base
            if base not in BINARY:
                return f"{base}({first})"
            if kind == "i":
                return f"in_place_{base}({first}, {rest})"
            return f"({rest} {BINARY[base]} {first})" if kind == "r" else f"({first} {BINARY[base]} {rest})"
        return f"abs({first})" if name == "__abs__" else f"{first}.{name}({rest})"

    def filled(self, names):
        return self.expression.format(*names)

    def inside_autocast(self, dtype):
        """The same call in a region, with its float32 tensors in `dtype`."""
        made = copy.copy(self)
        made.name, made.is_cast = f"{self.name} of {dtype} inside torch.autocast", True
        made.tensors = [t.to(dtype) if t.dtype == torch.float32 else t for t in self.tensors]
        return made

    def eager(self):
        """Does eager accept it?"""
        return self.eager_on(self.tensors)

    def eager_on(self, tensors):
        """Does eager accept it with these tensors?"""
        scope = {"torch": torch, **{f"in_place_{k}": None for k in BINARY}}
        exec(PRELUDE, scope)
        try:
            with torch.autocast("cpu", enabled=self.is_cast):
                eval(self.filled([f"t[{i}].clone()" for i in range(len(tensors))]), {**scope, "t": tensors})
        except Exception:
            return False
        return True


PRELUDE = "import torch\nimport torch.nn.functional\n\n\n" + "\n\n\n".join(
    f"def in_place_{k}(a, b):\n    a {v}= b\n    return a" for k, v in BINARY.items() if v not in
    ("==", "!=", "<", "<=", ">", ">=", "@")) + "\n\n\n"


def varied(tensor, generator):
    """The same type and sizes, with elements that tell results apart; integers stay small enough for indices."""
    if tensor.dtype == torch.bool:
        return torch.randint(0, 2, tensor.shape, generator=generator).bool()
    if not tensor.dtype.is_floating_point and not tensor.dtype.is_complex:
        return torch.randint(0, 2, tensor.shape, generator=generator).to(tensor.dtype)
    return (torch.rand(tensor.shape, generator=generator) * 0.875 + 0.0625).to(tensor.dtype)


def score(text):
    """Calls on plain non-empty float32 tensors first."""
    plain = not re.search(r"\{|c64|c128|f16|bf16|\[0[,\]]|,0[,\]]", text)
    return (not plain, "f32" not in text, "[]" in text.replace("=[]", ""))


def known(spelling):
    """Has eager this name? A few records have names of the dispatcher besides."""
    owner = torch
    for part in spelling.removeprefix("torch.").split("."):
        owner = getattr(owner, part, None)
    return owner is not None


def find_calls(build, pattern):
    """(calls, spellings without one)"""
    recorded = {}
    for line in (ROOT / "test/Dialect/Aten/meta_cases.txt").read_text().splitlines():
        text, arrow, result = line.partition(" => ")
        if arrow and not re.match(r"\w*(Error|raises)", result):
            recorded.setdefault(text.partition("(")[0], []).append(text)
    calls, missing = [], []
    _, records = aten_table.load(build / "include/ptc/Dialect/Aten/IR/AtenOps.json")
    for record in records:
        rows = [(s, False) for s in record.spellings]
        if "OpFlag::View" not in record.flags():  # their in-place forms change a tensor's shape: refused, see bad_input.py
            rows += [(s, True) for s in record.inplace_spellings]
        for spelling, inplace in rows:
            if "torch._C." in spelling or not known(spelling) or pattern not in f"{record.name} as {spelling}":
                continue
            # Files of inputs hold no complex tensors.
            if record.name in ("view_as_real", "view_as_complex", "imag"):
                continue
            tried = sorted(recorded.get(record.name, []) + ([MORE[record.name]] if record.name in MORE else []), key=score)
            found = next((c for c in (Call(record, spelling, inplace, t) for t in tried) if c.eager()), None)
            if found:
                calls.append(found)
            else:
                missing.append(f"{record.name} as {spelling}")
    return calls, missing


def case_of(calls, folder, name):
    generator = torch.Generator().manual_seed(7)
    names, tensors, lines = [], [], []
    for call in calls:
        mine = [f"t{len(names) + i}" for i in range(len(call.tensors))]
        names += mine
        tensors += [t if call.record in AS_RECORDED else varied(t, generator) for t in call.tensors]
        lines.append(f"                {call.filled(mine)},\n")
    source = folder / f"{name}.py"
    is_cast = calls[0].is_cast
    source.write_text(f"{PRELUDE}def entry({', '.join(names)}):\n    with torch.autocast('cpu', enabled={is_cast}):\n"
                      f"        return (\n{''.join(lines)}                0)\n")
    return Case(name, source, "entry", calls=[{"args": tensors}], folder=folder, tolerance=CAST if is_cast else CLOSE)


def check(calls, ptc, scratch):
    """None, or what is wrong with these calls."""
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        seen = Job(case_of(calls, folder, "group"), folder).check(ptc, "3.11", 0, folder, 60)
    refused = seen.verdict == "refused" and all(call.record in MAY_REFUSE for call in calls)
    return None if seen.verdict == "ok" or refused else f"{seen.verdict}: {str(seen.text)[:300]}"


def main():
    args = runner.options(__doc__).parse_args()
    calls, missing = find_calls(Path(args.ptc).resolve().parents[1], args.filter)
    wrong = {name: "no recorded call that eager accepts" for name in missing}
    cast = [c for call in calls for dtype in (torch.float32, torch.bfloat16) if any(t.dtype == torch.float32 for t in call.tensors)
            and (c := call.inside_autocast(dtype)).eager()]
    groups = [of[i:i + GROUP] for of in (calls, cast) for i in range(0, len(of), GROUP)]
    with tempfile.TemporaryDirectory() as folder:
        while groups:
            found = list(runner.outcomes(lambda group: check(group, args.ptc, Path(folder)), groups, args.j))
            failed = [(group, outcome.wrong) for group, outcome in zip(groups, found) if outcome.wrong is not None]
            wrong.update((group[0].name, f"{text}\n{group[0].expression}") for group, text in failed if len(group) == 1)
            groups = [half for group, _ in failed if len(group) > 1
                      for half in (group[:len(group) // 2], group[len(group) // 2:])]
    report = runner.Report(args.v)
    for name in [*missing, *(call.name for call in calls + cast)]:
        report.case(name, wrong.get(name))
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
