#!/usr/bin/env python3
"""The Python loader against eager: results that are made of numbers, arguments, errors; where weights lie.

    loader.py --ptc PTC [FILTER] [-v]
"""
import copy
import ctypes
import json
import locale
import os
import re
import shutil
import struct
import subprocess
import sys
import textwrap
from pathlib import Path

import torch

from pycs import compile_pyc
from eager import load_module
from notation import save_safetensors

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "lib/Runtime")]
import ptc_loader  # noqa: E402
import runner  # noqa: E402

X = {"$tensor": "f32[3]"}
INVALID_ARGUMENT, INT_OVERFLOW, OUT_OF_MEMORY, WEIGHTS, FILE, CPU = 1, 4, 5, 6, 13, 14
NUMBERS = [-1.0, 0.0, 2.5, 1e300, float("nan")]


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = ptc, folder

    def run(self, *args, code=0):
        """What a command of ptc says."""
        done = subprocess.run([str(self.ptc), *map(str, args)], capture_output=True, text=True, timeout=120)
        assert done.returncode == code, f"{args}: exit code {done.returncode}\n{done.stderr}"
        return done.stdout + done.stderr

    def library(self, source, *calls, options=(), name="libmodel.so"):
        """(path of the library, the module). A name for each: what is loaded stays loaded under its path."""
        (self.folder / "model.py").write_text("import torch\n\n\n" + textwrap.dedent(source).strip() + "\n")
        compile_pyc(self.folder / "model.py", self.folder / "model.pyc")
        (self.folder / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
        self.run("compile", self.folder / "model.pyc", "--example", self.folder / "calls.jsonl", *options,
                 "-o", self.folder / name)
        return self.folder / name, load_module(self.folder / "model.py")


def raised(function, *args, **kwargs):
    """What a call raises; an AssertionError, where it raises nothing."""
    try:
        got = function(*args, **kwargs)
    except Exception as problem:
        return problem
    raise AssertionError(f"{args}, {kwargs}: {got}")


def equal(got, expected):
    assert repr(got) == repr(expected), f"{got!r}, expected {expected!r}"


def check_texts(world):
    """Texts with numbers of run time in them, and the constants of results."""
    path, module = world.library(r'''
        def entry(x, n):
            k, m = x.sum().item(), x.argmax().item()
            some = [x] if k > 0 else (1, [n])
            try:
                at = ["a", "b"][m]
            except IndexError as e:
                at = str(e)
            texts = [f"{k:.3f}|{m!r:>4}|{n:05d}", "%s %.2e %d" % (k, k, m), str(k), at, f"{k > 1}", ""]
            return texts, some, {"some": some, 2 ** 70: b"a\xff\0", b"": x.dtype}, x.device, {1, 2}, frozenset({3}), -0.0, None
        ''', {"args": [X, 3]})
    with ptc_loader.Model(path) as model:
        for number in NUMBERS:
            for n in (-7, 2 ** 63 - 1):
                x = torch.tensor([0.0, number, 0.0])
                (*got, got_set, got_frozen, got_zero, got_none), expected = model(x, n), module.entry(x, n)
                equal(tuple([*got, got_set, got_frozen, got_zero, got_none]), expected)
                one, two = got[1], got[2]["some"]
                assert one is two if isinstance(one, list) else one[1] is two[1], "one object became two"


def comma_locale(folder):
    """A folder for LOCPATH with a locale `comma`, whose numbers have a decimal comma: as localedef(1) writes it."""
    (folder / "comma").mkdir(parents=True)
    words = struct.pack("<8I", 0x20031114, 6, 32, 34, 35, 36, 40, 44)
    (folder / "comma/LC_NUMERIC").write_bytes(words + b",\0\0\xff" + struct.pack("<II", ord(","), 0) + b"UTF-8\0")
    return folder


def check_locale(world):
    """What is printed and raised does not depend on the locale of the process."""
    path, _ = world.library("""
        def entry(x):
            v = x.sum().item()
            print(f"{v:.3f} {v} {v:.2e} {v:.4g} {v:.1%}", x)
            if v > 100:
                raise ValueError(f"{v:.1f}")
            return f"{v:.2f}"
        """, {"args": [X]}, name="liblocale.so")
    x = torch.tensor([1.5, 0.25, 0.125])
    os.environ["LOCPATH"] = str(comma_locale(world.folder / "locale"))
    try:
        locale.setlocale(locale.LC_NUMERIC, "comma")
        assert locale.localeconv()["decimal_point"] == ","
        with ptc_loader.Model(path) as model:
            model.capture_output()
            equal(model(x), "1.88")
            equal(b"".join(text for _, text in model.text), f"1.875 1.875 1.88e+00 1.875 187.5% {x}\n".encode())
            equal(str(raised(model, x * 100)), "187.5")
    finally:
        locale.setlocale(locale.LC_NUMERIC, "C")
        del os.environ["LOCPATH"]


# name: a CPU and a feature that code for it may use; no CPU has all of them
CPUS = {"sapphirerapids": "avx512fp16", "bdver2": "fma4"}


def check_cpu(world):
    """A library for a CPU that this one is not says which instructions are missing; nothing of it runs."""
    with open("/proc/cpuinfo") as file:
        flags = next(line.split() for line in file if line.startswith("flags"))
    refused = 0
    call = ["--input", "x=f16[300]"]
    (world.folder / "call.json").write_text(json.dumps({"args": [{"$tensor": "f16[300]"}]}))
    for cpu, feature in CPUS.items():
        options = ["--cpu", cpu]
        path, _ = world.library("def entry(x):\n    return x * x + 1", {"args": [{"$tensor": "f16[300]"}]},
                                options=options, name=f"lib{cpu}.so")
        if feature.replace("avx512", "avx512_") in flags or feature in flags:
            ptc_loader.Model(path)(torch.ones(300, dtype=torch.float16))
            continue
        refused += 1
        problem = raised(ptc_loader.Model, path)
        assert problem.status == CPU and feature in str(problem), problem
        library = ctypes.CDLL(str(path))
        program = world.folder / cpu
        world.run("compile", world.folder / "model.pyc", *call, *options, "--emit=exe", "-o", program)
        for command in (["run", path, *call], ["verify", path], ["bench", path, "--call", world.folder / "call.json"]):
            said = world.run(*command, code=12)
            assert "PTC7005" in said and feature in said and f"lib{cpu}.so" in said, said
        done = subprocess.run([program], capture_output=True, text=True)
        assert done.returncode == 12 and "PTC7005" in done.stderr and feature in done.stderr, done
        assert library, "it was loaded, and none of its code ran"
    assert refused, "a CPU that has everything"


def check_complex_numbers(world):
    """Complex numbers in results are such, with the signs of their zeros."""
    path, module = world.library("""
        def entry(x):
            return x, [2j, -0j, 1.5 - 2j, complex(1e400, -0.0), -1j * 0]
        """, {"args": [X]}, name="libcomplex.so")
    with ptc_loader.Model(path) as model:
        x = torch.ones(3)
        got, expected = model(x)[1], module.entry(x)[1]
        assert [(type(v), repr(v)) for v in got] == [(complex, repr(v)) for v in expected], got


ENDS = [float("inf"), float("-inf"), float("nan"), 0.0, -0.0, 1e-45, -1e-45, 3.4e38, -3.4e38, 88.0, -88.0, 1e-3, 5.0, -5.0, 30.0, -30.0, 0.5, -0.5]
AT_ENDS = """
    import torch.nn.functional as F
    def entry(x):
        return {"gelu": F.gelu(x), "gelu tanh": F.gelu(x, approximate="tanh"), "silu": F.silu(x), "mish": F.mish(x), "softplus": F.softplus(x),
                "hardswish": F.hardswish(x), "elu": F.elu(x), "selu": F.selu(x), "celu": F.celu(x), "logsigmoid": F.logsigmoid(x), "erf": torch.erf(x),
                "sigmoid": torch.sigmoid(x), "tanh": torch.tanh(x), "hardsigmoid": F.hardsigmoid(x), "hardtanh": F.hardtanh(x), "softsign": F.softsign(x),
                "tanhshrink": F.tanhshrink(x), "softshrink": F.softshrink(x), "hardshrink": F.hardshrink(x), "leaky_relu": F.leaky_relu(x),
                "expm1": torch.expm1(x), "log1p": torch.log1p(x), "exp": torch.exp(x), "sqrt": torch.sqrt(x), "rsqrt": torch.rsqrt(x),
                "reciprocal": torch.reciprocal(x), "sin": torch.sin(x), "cos": torch.cos(x), "atan": torch.atan(x), "sinh": torch.sinh(x),
                "cosh": torch.cosh(x), "asinh": torch.asinh(x)}
    """


def check_ends_of_types(world):
    """Functions of infinities, NaN, zeros of both signs and the largest and least numbers of each type, in vectors and behind them."""
    for dtype, rtol, atol in ((torch.float32, 2e-6, 1e-7), (torch.float64, 1e-14, 1e-15), (torch.bfloat16, 1e-2, 1e-4), (torch.float16, 2e-3, 1e-4)):
        name = {torch.float32: "f32", torch.float64: "f64", torch.bfloat16: "bf16", torch.float16: "f16"}[dtype]
        x = torch.tensor(ENDS * 2, dtype=torch.float64).to(dtype)
        path, module = world.library(AT_ENDS, {"args": [{"$tensor": f"{name}[{len(x)}]"}]}, name=f"libends_{name}.so")
        with ptc_loader.Model(path) as model:
            got = model(x)
        for function, expected in module.entry(x).items():
            assert got[function].dtype == expected.dtype
            if function == "gelu":             # of float32 eager's depends on the processor at the ends
                expected = module.entry(x.double())[function].to(dtype)
            wrong = ~torch.isclose(expected.double(), got[function].double(), rtol=rtol, atol=atol, equal_nan=True)
            assert not wrong.any(), f"{name} {function} of {x[wrong].tolist()}: {got[function][wrong].tolist()}, eager {expected[wrong].tolist()}"


CONVERTED = """
    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.table = torch.nn.Embedding(10, 8)
            self.norm = torch.nn.BatchNorm1d(8)
            self.head = torch.nn.Linear(8, 10)
            self.head.weight = self.table.weight
            self.register_buffer("steps", torch.arange(10), persistent=False)
            self.eval()
        def forward(self, i):
            x = self.norm(self.table(self.steps[i]))
            return self.head(x), x.sum(0), self.steps + 1, self.table.weight is self.head.weight
    """


def check_dtype(world):
    """--dtype is `model.to`: weights of floating point are converted, integers stay, what modules share stays one."""
    world.library(CONVERTED, {"args": [{"$tensor": "i64[4]"}]})
    module = load_module(world.folder / "model.py").Net()
    for name, buffer in module.named_buffers():
        if buffer.is_floating_point():
            buffer.uniform_(0.5, 2)
    save_safetensors(world.folder / "net.safetensors", {k: v.clone() for k, v in module.state_dict().items()})
    weights = ("--weights", world.folder / "net.safetensors")
    i = torch.tensor([3, 1, 9, 3])
    for name, dtype in (("bf16", torch.bfloat16), ("f16", torch.float16), ("f64", torch.float64)):
        path, _ = world.library(CONVERTED, {"args": [{"$tensor": "i64[4]"}]},
                                options=(*weights, "--dtype", name), name=f"lib{name}.so")
        expected = copy.deepcopy(module).to(dtype)(i)
        with ptc_loader.Model(path) as model:
            got = model(i)
        assert [v.dtype for v in got[:3]] == [dtype, dtype, torch.int64] and got[3] is True, got
        torch.testing.assert_close(got[:3], expected[:3])
        assert ", 0 differ, 0 not compared" in world.run("verify", path, *weights)
    said = world.run("verify", path, *weights, "--dtype", "bf16", code=2)
    assert "was compiled with --dtype f64" in said and "PTC2001" in said, said
    (world.folder / "plain.py").write_text("def f(x):\n    return x\n")
    compile_pyc(world.folder / "plain.py", world.folder / "plain.pyc")
    said = world.run("inspect-graph", world.folder / "plain.pyc", "--input", "x=f32[2]", "--dtype", "bf16", code=2)
    assert "is no torch.nn.Module" in said, said


def check_arguments(world):
    """Arguments go where Python puts them; what Python refuses is a TypeError that names the argument."""
    path, module = world.library('''
        def entry(x, /, k=1, *rest, flag=False, scale, **opts):
            for r in rest:
                x = x + r
            return x * scale * k, flag, list(opts)
        ''', *({"args": args, "kwargs": kwargs} for args, kwargs in [
        ([X], {"scale": 2}), ([X, 2, X], {"scale": 2}), ([X, 2, X, X], {"flag": True, "scale": 2.5, "b": 1, "a": 2}),
        ([X], {"x": 1, "scale": 2}), ([X], {"b": 1, "x": 2, "scale": 2})]))
    x = torch.arange(3.0)
    with ptc_loader.Model(path) as model:
        for args, kwargs in [((x,), {"scale": 3}), ((x, 2, x), {"scale": 3}), ((x,), {"scale": 3, "x": 1}), ((x,), {"b": 1, "scale": 3, "x": 2}),
                             ((x, 2, x, x + 1), {"b": 1, "a": 2, "scale": 2.5, "flag": True})]:
            equal(model(*args, **kwargs), module.entry(*args, **kwargs))
        for args, kwargs, name in [((), {"scale": 3}, "'x'"), ((x,), {}, "'scale'"), ((x, 1), {"k": 1, "scale": 1}, "'k'")]:
            problem = raised(model, *args, **kwargs)
            assert type(problem) is TypeError and name in str(problem), problem
        for args, kwargs, *said in [
                ((x,), {"scale": 1, "other": 2}, "other is given, expected the arguments x, scale\n"),
                (([x],), {"scale": 1}, "type(x) is list, expected Tensor\n", "assumed here: type(x) == Tensor"),
                ((x, 1, x, x), {"scale": 1, "flag": False}, "rest[1] is given, expected the arguments x, k, rest[0], scale\n")]:
            problem = raised(model, *args, **kwargs)
            assert isinstance(problem, ptc_loader.NoVariant) and all(part in str(problem) for part in said), problem
            assert re.search(r"\nnote: \S+\.py:\d+: assumed here: .*\nhint: ", str(problem)), problem
    path, _ = world.library("def entry(x):\n    return x, x[:0]", {"args": [{"$tensor": "f32[0,3]"}]}, name="libempty.so")
    with ptc_loader.Model(path) as model:
        for empty in (torch.zeros(0, 3), torch.zeros(2, 3)[:0]):
            equal(model(empty), (empty, empty))
    path, _ = world.library("def entry(x, n: int):\n    return x * n, n + 1", {"args": [X, 3]}, name="libtwo.so")
    with ptc_loader.Model(path) as model:
        for args, kwargs, name in [((x, 1), {"n": 1}, "'n'"), ((x, 1), {"z": 1}, "'z'"), ((x,), {}, "'n'"),
                                   ((x, 1, 2), {}, "too many")]:
            problem = raised(model, *args, **kwargs)
            assert type(problem) is TypeError and name in str(problem), problem
    said = world.run("run", path, "--input", "x=f32[3]", "--input", "z=3", code=2)
    assert "no parameter 'z'" in said and "x, n" in said, said


WITHOUT_TORCH = """
import sys
import numpy
import ptc_loader
from ptc_loader import DType
model = ptc_loader.Model(sys.argv[1])
x = numpy.array([1.5, -2.5, 3.0], dtype="float32")
for asked in ("float64", "torch.int32"):
    got, dtype, *_ = model(x, DType(asked))
    assert got.dtype == asked.removeprefix("torch.") and dtype == DType(asked) and repr(dtype) == str(DType(asked)), (got, dtype)
    again, *_ = model(x, dtype)
    assert again.dtype == got.dtype and (again == got).all(), again
for asked in ("float64", DType("float16")):
    try:
        raise AssertionError(model(x, asked))
    except ptc_loader.NoVariant:
        pass
try:
    raise AssertionError(DType("float31"))
except ValueError as why:
    assert "float31" in str(why), why
assert "torch" not in sys.modules
"""


def check_types(world):
    """Element types and devices as arguments and in results: torch's where it is imported, else names."""
    path, module = world.library('''
        def entry(x, dtype, where=None):
            return x.to(dtype), dtype, {"all": [dtype, x.dtype], dtype: f"{dtype} {x.device!r}"}, where, x.device
        ''', {"args": [X, {"$dtype": "float64"}]}, {"args": [X, {"$dtype": "int32"}, {"$device": "cpu"}]},
        {"args": [X, {"$dtype": "int32"}]})
    x = torch.tensor([1.5, -2.5, 3.0])
    misses = world.folder / "misses.jsonl"
    with ptc_loader.Model(path) as model:
        model.record_misses(misses)
        for args in [(x, torch.float64), (x, torch.double), (x, torch.int32), (x, torch.int32, torch.device("cpu"))]:
            equal(model(*args), module.entry(*args))
        for args in [(x, torch.float16), (x, "float64"), ([x], torch.bool), ([x], torch.int32, torch.device("cpu"))]:
            assert isinstance(raised(model, *args), ptc_loader.NoVariant), args
        assert "float8_e5m2" in str(raised(model, x, torch.float8_e5m2))
        assert isinstance(raised(model, x, torch.int32, torch.device("meta")), TypeError)
    written = misses.read_text()
    for part in ('{"$dtype": "float16"}', '{"$dtype": "bool"}', '{"$dtype": "int32"}, {"$device": "cpu"}'):
        assert part in written, written
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH, str(path)], cwd=ROOT / "lib/Runtime", capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def check_errors(world):
    """Ints that do not fit, exceptions of the program, closed models, files that are no libraries."""
    path, module = world.library('''
        def entry(x, n: int):
            if x.sum() < 0:
                raise ValueError(f"low {x.sum().item():.1f}")
            return x * n, n * 4
        ''', {"args": [X, 3]})
    x = torch.ones(3)
    model = ptc_loader.Model(path)
    for n in (2 ** 63, 2 ** 64 + 3, -2 ** 63 - 1, 10 ** 30):
        problem = raised(model, x, n)
        assert isinstance(problem, OverflowError) and str(problem) == "int too big to convert", problem
    equal(model(x, -2 ** 61), module.entry(x, -2 ** 61))
    problem = raised(model, x, 2 ** 62)
    assert type(problem) is ptc_loader.PtcError and problem.status == 4, problem
    assert str(problem).startswith("an int of the program does not fit 64 bits\nnote: at "), problem
    problem, expected = raised(model, -x, 3), raised(module.entry, -x, 3)
    equal((problem.type, str(problem)), ("ValueError", str(expected)))
    assert problem.file.endswith("model.py") and problem.line == 6, (problem.file, problem.line)
    assert problem.__notes__ == [f"ValueError at {problem.file}:6"], problem.__notes__
    model.close()
    model.close()
    for use in (lambda: model(x, 3), model.reset, model.capture_output, lambda: model.seed(1),
                lambda: model.record_misses(None), lambda: raised(model, x, 3)):
        try:
            problem = use()
        except ptc_loader.PtcError as closed:
            problem = closed
        assert "the model is closed" in str(problem), problem
    said = world.run("run", path, "--input", "x=f32[3]", "--input", f"n={2 ** 64}", code=10)
    assert "64 bits" in said, said
    whole = path.read_bytes()
    equal(ptc_loader._names(whole + b"\0other_ptc_v1\0"), [b"model_ptc_v1"])  # among its symbols, nowhere else
    for size in (0, 10, 63, 64, 100, 1000, len(whole) // 3, len(whole) // 2, len(whole) - 64, len(whole) - 1):
        (world.folder / "part.so").write_bytes(whole[:size])
        problem = raised(ptc_loader.Model, world.folder / "part.so")
        assert problem.status == FILE and "a part of" in str(problem), problem
        said = world.run("run", world.folder / "part.so", "--input", "x=f32[3]", code=3)
        assert "PTC3001" in said, said
    problem = raised(ptc_loader.Model, Path(torch.__file__).parent / "lib/libtorch_global_deps.so")
    assert "it is no artefact of ptc" in str(problem), problem


NET = '''
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 2)

    def forward(self, x):
        return self.lin(x)
'''
TIED = """
import torch

class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Parameter(torch.ones(3))
        self.second = self.first

    def forward(self, x):
        return x * self.first + self.second
"""


def check_negative_bit(world):
    """Tensors whose elements are the negative of what lies in memory."""
    source = """
        def forward(x):
            y = x * 2
            x.add_(1)
            return y
    """
    path, module = world.library(source, {"args": [X]}, name="libnegative.so")
    model = ptc_loader.Model(path)
    native, eager = torch._neg_view(torch.arange(3.)), torch._neg_view(torch.arange(3.))
    equal(model(native), module.forward(eager))
    equal(native, eager)
    equal(ptc_loader._notation(torch.complex(torch.ones(2), torch.ones(2)).conj().imag)["$tensor"], "f32[2]")


# Sizes of which the second does not fit 64 bits as so many bytes; eager raises RuntimeError.
BEYOND = {"torch.ones(n, n)": [2 ** 31, 2 ** 32], "torch.zeros(n)": [2 ** 62, 2 ** 61], "torch.arange(n)": [2 ** 62, 2 ** 60],
          "x.expand(n, 3) + 1": [2 ** 62, 2 ** 60], "x.repeat(n) * 2": [2 ** 61, 2 ** 62], "torch.full((n, 4, n), True)": [2 ** 31, 2 ** 62],
          "torch.cat([x.repeat(n), x])": [2 ** 62, 2 ** 60]}


def check_sizes_beyond_memory(world):
    for i, (expression, sizes) in enumerate(BEYOND.items()):
        path, module = world.library(f"def forward(x, n): return {expression}", {"args": [X, 5]}, options=["--dynamic", "all"],
                                     name=f"libbeyond{i}.so")
        model, x = ptc_loader.Model(path), torch.arange(3.)
        equal(model(x, 5), module.forward(x, 5))
        for n in sizes:
            assert isinstance(raised(module.forward, x, n), RuntimeError), expression
            problem = raised(model, x, n)
            assert getattr(problem, "status", None) in (INT_OVERFLOW, OUT_OF_MEMORY), f"{expression}: {problem!r}"
        equal(model(x, 7), module.forward(x, 7))


def check_replaced_library(world):
    """A library that was compiled anew is the one that a new model opens, whether or not the old one is open."""
    def compiled(factor):
        path, _ = world.library(f"def forward(x): return x * {factor}", {"args": [X]}, name="libreplaced.so")
        return ptc_loader.Model(path)

    x, first = torch.ones(3), compiled(2)
    second = compiled(5)
    equal((first(x), second(x)), (x * 2, x * 5))
    first.close()
    second.close()
    third = compiled(7)
    equal(third(x), x * 7)
    path = world.folder / "libreplaced.so"
    shutil.copy(path, world.folder / "kept.so")
    os.utime(path, (1, 1))                               # as cp does, which writes into the file
    problem = raised(ptc_loader.Model, path)
    assert problem.status == FILE and "was written over" in str(problem), problem
    (world.folder / "kept.so").rename(path)
    equal(ptc_loader.Model(path)(x), x * 7)


def check_weights(world):
    """Weights that are not embedded lie in a file beside, which the loader and `ptc run` find or are given."""
    tensors = {"lin.weight": torch.randn(2, 3), "lin.bias": torch.randn(2)}
    file = world.folder / "w.safetensors"
    save_safetensors(file, tensors)
    x = torch.ones(3)
    expected = torch.nn.functional.linear(x, *tensors.values())
    call = ["--input", "x=f32[3]"]
    for placement in ("external", "argument"):
        path, _ = world.library(NET, {"args": [X]}, options=["--weights", file, "--weights-placement", placement],
                                name=f"lib{placement}.so")
        packed = path.with_suffix(".weights")
        torch.testing.assert_close(ptc_loader.Model(path)(x), expected)
        moved = packed.rename(world.folder / "moved.weights")
        torch.testing.assert_close(ptc_loader.Model(path, weights=str(moved))(x), expected)
        world.run("run", path, "--weights", moved, *call)
        for given, said in (((), str(packed)), ((file,), str(file)), ((world.folder / "no",), "no")):
            problem = raised(ptc_loader.Model, path, *given)
            assert said in str(problem) and ".weights" in str(problem) and problem.status == 6, problem
        for given, said in (((), str(packed)), (("--weights", file), str(file))):
            text = world.run("run", path, *given, *call, code=3)
            assert f"cannot read '{said}'" in text and f"{path.name}'" in text and "--weights FILE" in text, text
    path, _ = world.library(NET, {"args": [X]}, options=["--weights", file], name="libwhole.so")
    assert "are in it" in world.run("run", path, "--weights", file, *call, code=2)
    assert world.run("run", path) == world.run("run", path, *call)
    said = world.run("run", path, "--entry", "Other", *call, code=2)
    assert "no entry 'Other'" in said and "its entry is Net" in said, said
    world.run("run", path, "--entry", "Net", *call)


def changed(path, offset):
    """A copy of a file whose byte at `offset` is another one."""
    data = bytearray(path.read_bytes())
    data[offset] ^= 1
    other = path.with_name("changed" + path.suffix)
    other.unlink(missing_ok=True)
    other.write_bytes(data)
    return other


def check_changed_weights(world):
    """A byte of the weights that is another one than was compiled is noticed."""
    weight = torch.arange(6.).reshape(2, 3) + 0.5
    save_safetensors(world.folder / "w.safetensors", {"lin.weight": weight, "lin.bias": torch.zeros(2)})
    weights, x, call = ["--weights", world.folder / "w.safetensors"], torch.ones(3), ["--input", "x=f32[3]"]
    path, _ = world.library(NET, {"args": [X]}, options=[*weights, "--weights-placement", "external"], name="libapart.so")
    packed = path.with_suffix(".weights")
    manifest = json.loads(world.run("inspect-graph", path, "--format=json"))
    with ptc_loader.Model(path, check_weights=True) as model:
        equal(model(x), x @ weight.T)
        content = model.manifest["weights_content"]
    assert len(content) == 16 and manifest["weights"], (content, manifest)
    for offset in (4096, 4100, packed.stat().st_size - 1):
        other = changed(packed, offset)
        problem = raised(ptc_loader.Model, path, weights=other)
        assert problem.status == WEIGHTS and f"{other}: its bytes are not those that were compiled" in str(problem), problem
        ptc_loader.Model(path, weights=other, check_weights=False)(x)
        said = world.run("run", path, "--weights", other, *call, code=3)
        assert "PTC3001" in said and str(other) in said and "changed or is damaged" in said, said
    # The file that is named counts, not the one beside the library.
    given = shutil.copy(packed, world.folder / "given.weights")
    for file, code in ((given, 0), (world.folder / "w.safetensors", 3)):
        assert packed.exists()
        said = world.run("run", path, "--weights", file, *call, code=code)
        assert code == 0 or "bytes and needs" in said, said
    shutil.copy(changed(packed, 4100), packed)
    assert "changed or is damaged" in world.run("verify", path, code=3)
    # In a library they are compared where that is asked for.
    whole, _ = world.library(NET, {"args": [X]}, options=weights, name="libin.so")
    problem = raised(ptc_loader.Model, whole, weights=given)
    assert problem.status == INVALID_ARGUMENT and "are in it" in str(problem), problem
    assert "are in it" in world.run("run", whole, "--weights", given, *call, code=2)
    assert "are in it" in world.run("bench", whole, "--weights", given, "--call", world.folder / "calls.jsonl", code=2)
    other = changed(whole, whole.read_bytes().rindex(weight.numpy().tobytes()[:8]) + 3)
    assert not torch.equal(ptc_loader.Model(other)(x), x @ weight.T)
    inside = f"{other}: the weights in it: its bytes are not those that were compiled"
    problem = raised(ptc_loader.Model, other, check_weights=True)
    assert problem.status == WEIGHTS and inside in str(problem) and ".weights" not in str(problem), problem
    for words in (["verify", other], ["run", other, "--target=null", *call], ["bench", other, "--kernels"]):
        said = world.run(*words, code=3)
        assert inside.replace(": ", "': ", 1) in said and "PTC3001" in said and ".weights" not in said, said


def check_large_weights(world):
    """Those of 64 MiB and more are compared where that is asked for."""
    save_safetensors(world.folder / "w.safetensors", {"table": torch.ones(2 ** 24)})
    path, _ = world.library("""
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("table", torch.zeros(2 ** 24))

            def forward(self, x):
                return x + self.table[:3]
        """, {"args": [X]}, options=["--weights", world.folder / "w.safetensors", "--weights-placement", "external"],
                            name="liblarge.so")
    packed = path.with_suffix(".weights")
    assert packed.stat().st_size >= 2 ** 26 + 4096
    with open(packed, "r+b") as file:
        file.seek(2 ** 25)
        file.write(b"x")
    equal(ptc_loader.Model(path)(torch.ones(3)), torch.full((3,), 2.))
    assert raised(ptc_loader.Model, path, check_weights=True).status == WEIGHTS
    world.run("run", path, "--input", "x=f32[3]")
    assert "changed or is damaged" in world.run("verify", path, code=3)


def check_no_arguments(world):
    path, _ = world.library("def entry():\n    return torch.ones(2)", {"args": []})
    assert "tensor([1., 1.])" in world.run("run", path)


def check_tied_names(world):
    """Of two names of one parameter that a file gives different numbers, the last counts, as with load_state_dict."""
    file = world.folder / "w.safetensors"
    save_safetensors(file, {"first": torch.zeros(3), "second": torch.tensor([1., 2., 3.])})
    path, _ = world.library(TIED, {"args": [X]}, options=["--weights", file])
    assert torch.equal(ptc_loader.Model(path)(torch.ones(3)), torch.tensor([2., 4., 6.]))


TIED_EMBEDDING = """
import torch
from torch import nn

class Tied(nn.Module):
    def __init__(self, rows=1003, width=48):
        super().__init__()
        self.table, self.other = nn.Embedding(rows, width), nn.Embedding(rows, width)
        self.head = nn.Linear(width, rows, bias=False)
        self.head.weight = self.table.weight

    def forward(self, i):
        return self.head(self.table(i) + self.other(i)), self.table(i[0])
"""


def check_tied_embedding(world):
    """A table that is the weight of a product, too, lies in the library once; one that is none stays as it is."""
    i = torch.randint(0, 1003, (4, 8))
    i[0, :4] = torch.tensor([0, 1002, 1000, 15])
    call = {"args": [{"$tensor": "i64[4,8]", "values": i.flatten().tolist()}]}
    torch.manual_seed(0)
    weights = {f"{name}.weight": torch.randn(1003, 48) for name in ("table", "other")}
    weights["head.weight"] = weights["table.weight"].clone()
    file = world.folder / "w.safetensors"
    save_safetensors(file, weights)
    for dtype, name in ((torch.float32, "f32"), (torch.float64, "f64"), (torch.bfloat16, "bf16")):
        path, module = world.library(TIED_EMBEDDING, call, name=f"libtied_{name}.so", options=[
            "--entry", "Tied", "--dtype", name, "--weights", file, "--weights-placement", "external"])
        model = module.Tied()
        model.load_state_dict(weights)
        model = model.to(dtype)
        for got, expected in zip(ptc_loader.Model(path)(i), model(i), strict=True):
            torch.testing.assert_close(got, expected)
        plain = 2 * 1003 * 48 * dtype.itemsize
        assert plain <= path.with_suffix(".weights").stat().st_size < 1.1 * plain + 4096, path.with_suffix(".weights").stat()


# Global state, what a call does with it, and whether its result, the last leaf, may be the argument of the next call.
KEPT = [
    ("total = torch.zeros(3)", "total.add_(x)\n    return x.sum(), total", False),
    ("total = torch.zeros(3)", "total.add_(x)\n    return total[1:], total.view(3, 1)[:, 0]", False),
    ("total = torch.zeros(3)", "total.add_(x)\n    return total.clone()", True),
    ("total = torch.zeros(3)", "total.add_(x)\n    return total * 2", True),
    ("total = torch.zeros(3)\nhold = {'t': total}", "total.add_(x)\n    return hold['t']", False),
    ("h = torch.zeros(3)", "global h\n    h = torch.tanh(h + x)\n    return h", True),
    ("h = torch.zeros(3)", "global h\n    h = torch.tanh(h + x)\n    x.add_(1)\n    return h", False),
    ("h = torch.zeros(3)\nn = torch.zeros(1)", "global h\n    h = torch.tanh(h + x)\n    n.add_(1)\n    return n, h", True),
    ("h = torch.zeros(3)", "x.add_(1)\n    return h", False),
    # Written on one side of a branch, behind which another tensor is in its place.
    ("hold = {}", "if 't' in hold:\n        hold['t'].add_(x).add_(x)\n    else:\n        hold['t'] = x * 2\n    return hold['t']", False),
    ("h = None", "global h\n    if h is not None:\n        h.add_(x).add_(x)\n    else:\n        h = x * 2\n    return h", False),
    ("hold = []", "if hold:\n        hold[0].add_(x).add_(x)\n    else:\n        hold.append(x * 2)\n    return hold[0]", False),
    ("h = None", "global h\n    h = x * 0 if h is None else h + x\n    h = h + x.clone().add_(1)\n    return h", True),
]


def check_state_as_argument(world):
    """In eager a result that is state is changed by the call that it is passed to: refused, where calls write."""
    text = "input 0 is a result of the last call that is state of the program"
    for number, (state, body, is_free) in enumerate(KEPT):
        source = f"{state}\n\n\ndef entry(x):\n    {body}"
        path, module = world.library(source, {"args": [X]}, name=f"libkept{number}.so", options=["--entry", "entry"])
        with ptc_loader.Model(path) as model:
            def call(argument, model=model):
                made = (ptc_loader.Value * 2)()
                invocation = ptc_loader.Invocation(0, 0, ctypes.pointer(argument), 1, 2, made, 0, 0)
                status = model.api.call(model.context, ctypes.byref(invocation))
                return status, [leaf for leaf in made if leaf.tag == ptc_loader.TENSOR]

            x = torch.tensor([1.0, 2.0, 3.0])
            given = ptc_loader._Leaf(x.clone())
            status, leaves = call(given.value)
            assert status == ptc_loader.OK, model.api.last_error(model.context).contents.text
            mine = ptc_loader._copy(leaves[-1].as_.tensor.contents)
            eager = module.entry(x.clone())
            eager = eager[-1] if isinstance(eager, tuple) else eager
            assert torch.equal(mine, eager), (body, mine, eager)
            status, again = call(leaves[-1])
            said = model.api.last_error(model.context).contents.text.decode()
            assert status == (ptc_loader.OK if is_free else INVALID_ARGUMENT), (body, status, said)
            if is_free:
                expected = module.entry(eager)
                expected = expected[-1] if isinstance(expected, tuple) else expected
                assert torch.equal(ptc_loader._copy(again[-1].as_.tensor.contents), expected), body
                continue
            assert said.startswith(text), said
            given = ptc_loader._Leaf(mine)
            status, _ = call(given.value)
            assert status == ptc_loader.OK, body


def main():
    args = runner.options(__doc__).parse_args()
    checks = [check_texts, check_locale, check_cpu, check_changed_weights, check_large_weights, check_complex_numbers, check_ends_of_types, check_arguments, check_negative_bit, check_types, check_errors, check_replaced_library,
              check_sizes_beyond_memory, check_weights, check_tied_names, check_tied_embedding, check_dtype, check_no_arguments, check_state_as_argument]
    return runner.run_checks(checks, World, args)


if __name__ == "__main__":
    sys.exit(main())
