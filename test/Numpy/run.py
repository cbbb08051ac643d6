#!/usr/bin/env python3
"""numpy as lib/Prelude has it, against the numpy of the Python that runs this.

    run.py --ptc PTC [FILTER] [-j N] [-v]

programs/   run to their end by `ptc run --python`; they print what CPython prints
questions/  blocks of questions, as test/Names/texts.py asks them; refusals are counted
generated   every function of elements, in every type and pair of types, with the values where they differ
models/     functions of tensors, compiled, against eager: the docstring says what they are called with
"""
import contextlib
import io
import json
import os
import py_compile
import re
import sys
import tempfile
import warnings
from pathlib import Path

import numpy
import torch

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "Names"), str(HERE.parent / "EndToEnd"), str(HERE.parents[1] / "examples")]
import batch  # noqa: E402
import compiled  # noqa: E402
import eager  # noqa: E402
import runner  # noqa: E402
import texts  # noqa: E402
from compare import Tolerance, difference  # noqa: E402
from notation import TensorStore, encode  # noqa: E402

ENVIRONMENT = {**os.environ, "NO_COLOR": "1"}


def compile_pyc(source, pyc):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        py_compile.compile(str(source), cfile=str(pyc), doraise=True)


def output_of_python(path):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(path.read_text(), str(path), "exec"), {"__name__": "__main__"})
    return out.getvalue()


def check_program(ptc, path):
    with tempfile.TemporaryDirectory() as folder:
        pyc = Path(folder, "program.pyc")
        compile_pyc(path, pyc)
        done = batch.run([ptc, "run", "--python", str(pyc)], env=ENVIRONMENT)
    numpy.set_printoptions(precision=8, suppress=False)
    want, got = output_of_python(path).splitlines(), done.stdout.decode().splitlines()
    numpy.set_printoptions(precision=8, suppress=False)
    for n, (one, two) in enumerate(zip(want, got)):
        if one != two:
            return f"line {n + 1} of the output\n  got      {two}\n  expected {one}"
    if len(want) != len(got) or done.returncode:
        return f"{len(got)} of {len(want)} lines, exit code {done.returncode}\n{done.stderr.decode()[:1000]}"
    return None


def check_installed(ptc, version, is_model):
    """With a numpy in a folder of -I, of which no code is run: the model stands for numpy 2 only."""
    with tempfile.TemporaryDirectory() as folder:
        site, program = Path(folder, "site"), Path(folder, "program.py")
        (site / "numpy").mkdir(parents=True)
        (site / "numpy/__init__.py").write_text("pi = 4\n")
        (site / "numpy/core.cpython-311-x86_64-linux-gnu.so").write_bytes(b"")
        (site / f"numpy-{version}.dist-info").mkdir()
        (site / f"numpy-{version}.dist-info/METADATA").write_text(f"Metadata-Version: 2.1\nName: numpy\nVersion: {version}\n")
        program.write_text("import numpy as np\nprint('imported')\nprint(np.pi + 1)\n")
        compile_pyc(program, program.with_suffix(".pyc"))
        done = batch.run([ptc, "run", "--python", str(program.with_suffix(".pyc")), "-I", str(site)], env=ENVIRONMENT)
    said = done.stdout.decode(), done.returncode, "numpy.pi" in done.stderr.decode()
    want = ("imported\n4.141592653589793\n", 0, False) if is_model else ("imported\n", 1, True)
    return None if said == want else f"{said}, expected {want}\n{done.stderr.decode()[:500]}"


# Functions of elements ----------------------------------------------------------------------------------------------

TYPES = ["bool", "int8", "uint8", "int16", "int32", "int64", "float16", "float32", "float64"]
VALUES = {"b": [True, False], "i": [0, 1, 2, 3, 7, -1, -2, -7, 100, -128], "u": [0, 1, 2, 3, 7, 100, 200, 255],
          "f": [0.0, -0.0, 1.0, 0.5, 2.0, 2.5, -1.0, -2.5, 3.75, float("inf"), float("-inf"), float("nan")]}
EXACT = ["add", "subtract", "multiply", "divide", "floor_divide", "remainder", "maximum", "minimum", "fmax", "fmin", "equal", "not_equal", "less",
         "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
         "left_shift", "right_shift", "copysign"]
EXACT_OF_ONE = ["negative", "positive", "absolute", "fabs", "sign", "square", "sqrt", "invert", "logical_not", "floor", "ceil", "trunc", "rint",
                "isnan", "isinf", "isfinite", "signbit"]
# What libraries of functions round differently: compared to these digits, by type.
ROUNDED = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh",
           "arccosh", "arctanh", "deg2rad", "rad2deg"]
DIGITS = {"float16": 3, "float32": 6, "float64": 14}
# Values by which numpy's result is not defined, or says what the machine does: shifts by negative numbers and beyond the width.
DEFINED = {"left_shift": lambda b: 0 <= b < 7, "right_shift": lambda b: 0 <= b < 7}
PROGRAM = """
import numpy as np
def show(r, digits):
    if digits and r.dtype.kind == "f":
        return [format(v, f".{digits[r.dtype.name]}g") for v in r.tolist()]
    return [str(v) for v in r.tolist()]
"""


# Of zeros of either sign these give whichever the instructions of the machine do.
ANY_ZERO = {"maximum", "minimum", "fmax", "fmin"}


def values_of(kind, name=None):
    dt = numpy.dtype(kind)
    held = [v for v in VALUES[dt.kind] if name not in ANY_ZERO or str(v) != "-0.0"]
    if dt.kind == "i":
        held = held + [numpy.iinfo(dt).max, numpy.iinfo(dt).min]
    return [int(v) for v in held] if dt.kind in "iu" else held


def program_of_pairs(name):
    lines = [PROGRAM]
    for one in TYPES:
        for two in TYPES:
            pairs = [(a, b) for a in values_of(one, name) for b in values_of(two, name)]
            pairs = [(a, b) for a, b in pairs if name not in DEFINED or DEFINED[name](b)][:: 3]
            a, b = [p[0] for p in pairs], [p[1] for p in pairs]
            lines.append("try:\n"
                         f"    r = np.{name}(np.array({a!r}, dtype={one!r}), np.array({b!r}, dtype={two!r}))\n"
                         f"    print({one!r}, {two!r}, r.dtype, show(r, None))\n"
                         "except Exception as e:\n"
                         f"    print({one!r}, {two!r}, type(e).__name__, e)")
    return "\n".join(lines)


def program_of_singles(name, digits):
    lines = [PROGRAM]
    for kind in TYPES:
        held = values_of(kind)
        lines.append("try:\n"
                     f"    r = np.{name}(np.array({held!r}, dtype={kind!r}))\n"
                     f"    print({kind!r}, r.dtype, show(r, {digits!r}))\n"
                     f"    s = np.{name}(np.{kind}({held[1]!r}))\n"
                     f"    print(type(s), show(np.array([s]), {digits!r}))\n"
                     "except Exception as e:\n"
                     f"    print({kind!r}, type(e).__name__, e)")
    return "\n".join(lines)


def program_of_numbers(name):
    """Beside Python's numbers, which take the type of the other operand."""
    lines = [PROGRAM]
    for kind in TYPES:
        for number in ("True", "2", "-3", "300", "1.5"):
            if name in DEFINED and number not in ("True", "2"):
                continue
            for operands in (f"np.{kind}(3), {number}", f"{number}, np.{kind}(3)", f"np.array([1, 5], dtype={kind!r}), {number}"):
                lines.append("try:\n"
                             f"    r = np.{name}({operands})\n"
                             f"    print({operands!r}, type(r), r.dtype, r)\n"
                             "except Exception as e:\n"
                             f"    print({operands!r}, type(e).__name__, e)")
    return "\n".join(lines)


def check_generated(ptc, make, *args):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "generated.py")
        text = make(*args)
        path.write_text("from math import inf, nan\n" + text)
        return check_program(ptc, path)


# Models -------------------------------------------------------------------------------------------------------------

TOLERANCES = {torch.float64: Tolerance(1e-12, 1e-12), torch.float32: Tolerance(2e-5, 2e-5)}


def inputs_of(text):
    """Tensors for "f32[2,3] i64[4]"."""
    made = []
    for kind, sizes in re.findall(r"([fi]\d+)\[([\d,]*)\]", text):
        shape = [int(n) for n in sizes.split(",") if n]
        made.append(torch.randint(0, 5, shape) if kind == "i64" else torch.randn(shape, dtype={"f32": torch.float32, "f64": torch.float64}[kind]))
    return made


def check_model(ptc, path, name):
    function = getattr(eager.load_module(path), name)
    torch.manual_seed(0)
    given = inputs_of(function.__doc__)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        compile_pyc(path, folder / "model.pyc")
        store = TensorStore(folder / "example.safetensors")
        (folder / "example.json").write_text(json.dumps({"args": [encode(x, store, f"x{n}") for n, x in enumerate(given)]}))
        store.save()
        words = [str(ptc), "compile", str(folder / "model.pyc"), "--entry", name, "--example", str(folder / "example.json"), "-o",
                 str(folder / "model.so")]
        code, _, err = compiled.execute(words, 100)
        if code != compiled.OK:
            return f"compile: exit code {code}\n{err[:1500]}"
        got = compiled.run(ptc, folder / "model.so", [], [folder / "example.json"], folder / "out.jsonl")
        if got.kind != "ran" or got.calls[0]["raised"]:
            return f"{got.kind}: {got.text[:1000]}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = function(*given)
        kind = next((t.dtype for t in torch.utils._pytree.tree_leaves(want) if isinstance(t, torch.Tensor) and t.is_floating_point()), torch.float32)
        return difference(want, got.calls[0]["result"], TOLERANCES[kind])


def main():
    args = runner.options(__doc__).parse_args()
    cases = [(f"programs: {path.stem}", (check_program, path)) for path in sorted((HERE / "programs").glob("*.py"))]
    cases += [(f"questions: {name}", (texts.check, *rest)) for name, (_, *rest) in texts.cases(args.ptc, HERE / "questions")]
    cases += [(f"installed: {version}", (check_installed, version, version[0] == "2")) for version in ("1.26.4", "2.1.0")]
    cases += [(f"generated: {name} of two", (check_generated, program_of_pairs, name)) for name in EXACT]
    cases += [(f"generated: {name} of numbers", (check_generated, program_of_numbers, name)) for name in EXACT]
    cases += [(f"generated: {name}", (check_generated, program_of_singles, name, None)) for name in EXACT_OF_ONE]
    cases += [(f"generated: {name}", (check_generated, program_of_singles, name, DIGITS)) for name in ROUNDED]
    for path in sorted((HERE / "models").glob("*.py")):
        names = re.findall(r"^def ([a-z]\w*)\(.*\):\n    \"\"\"", path.read_text(), re.M)
        cases += [(f"models: {path.stem}.{name}", (check_model, path, name)) for name in names]
    return runner.run([(name, (args.ptc, *case)) for name, case in cases], check_one, args)


def check_one(ptc, check, *args):
    return check(ptc, *args)


if __name__ == "__main__":
    sys.exit(main())
