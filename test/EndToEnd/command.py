#!/usr/bin/env python3
"""What the verbs read and write: tensors of files, the notation, calls of libraries, warnings, outputs.

    command.py --ptc PTC [FILTER] [-j N] [-v]
"""
import json
import math
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy
import torch

from pycs import compile_pyc
from eager import load_module  # noqa: F401  (puts examples/ on the path)
import notation

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

ENTRY = "def entry(x, k=2):\n    return x * k\n"
INPUT = ["--input", "x=f32[3]"]


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = Path(ptc).resolve(), folder

    def run(self, *args, code=0):
        """(stdout, stderr) of ptc in the folder."""
        done = subprocess.run([self.ptc, *map(str, args)], cwd=self.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == code, f"{args}: exit code {done.returncode}, expected {code}\n{done.stderr}"
        return done.stdout, done.stderr

    def program(self, source=ENTRY, name="m"):
        path = self.folder / f"{name}.py"
        path.write_text("import torch\n\n\n" + textwrap.dedent(source).lstrip())
        compile_pyc(path, path.with_suffix(".pyc"))
        return path.with_suffix(".pyc").name

    def call(self, name, call):
        (self.folder / name).write_text(json.dumps(call) + "\n")
        return name

    def files(self):
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*"))


def check_warning_text(world):
    """A warning for standard error begins with the line that gave it, as CPython's does."""
    pyc = world.program("import warnings\ndef entry(x):\n    warnings.warn('careful', RuntimeWarning)\n    return x\n")
    err = world.run("run", pyc, *INPUT)[1]
    assert re.search(r"^\S*m\.py:6: RuntimeWarning: careful$", err, re.M), err


SURROGATES = r"""
import sys
def shown(write, *args):
    try:
        write(*args)
        print("written")
    except UnicodeEncodeError as e:
        print()
        print(type(e).__name__, e.encoding, e.start, e.end, e.reason, ascii(e.object))
shown(print, "before", "a\ud800b", "behind")
shown(print, {"\ud800": ["\udbff"]})
shown(sys.stdout.write, "x\ud800\n")
shown(print, "\u00e9", "\U0001f600", "\ud7ff\ue000")
"""


def check_surrogates(world):
    """Text that has no bytes in UTF-8 is not printed; what comes before it is."""
    world.program(SURROGATES)
    want = subprocess.run([sys.executable, "m.py"], cwd=world.folder, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"})
    assert b"UnicodeEncodeError" in want.stdout
    assert world.run("run", "--python", "m.pyc")[0] == want.stdout.decode()


def check_log_line(world):
    """%(lineno)d and %(filename)s of a message for standard error."""
    pyc = world.program("import logging\nh = logging.StreamHandler()\nh.setFormatter(logging.Formatter('%(filename)s:%(lineno)d %(message)s'))\n"
                        "log = logging.getLogger('a')\nlog.addHandler(h)\ndef entry(x):\n    log.warning('hi')\n    return x\n")
    err = world.run("run", pyc, *INPUT)[1]
    assert re.search(r"^m\.py:10 hi$", err, re.M), err


# As libraries of models give results: a dict of those that are there, each an attribute as well.
MODEL_OUTPUT = """
from collections import OrderedDict
from dataclasses import dataclass, fields

class Output(OrderedDict):
    def __post_init__(self):
        for field in fields(self):
            if getattr(self, field.name) is not None:
                super().__setitem__(field.name, getattr(self, field.name))

@dataclass
class ModelOutput(Output):
    last: object = None
    pooled: object = None
    states: tuple = None

def entry(x):
    return ModelOutput(x + 1, states=(x * 2, x - 1))
"""


def check_header(world):
    """The C header names outputs by their places in the result."""
    pyc = world.program("def entry(x):\n    return {'a': x + 1, 'b': [x * 2, (x - 1,)]}\n")
    world.run("compile", pyc, *INPUT, "-o", "libm.so")
    text = (world.folder / "m.h").read_text()
    for k, name in enumerate(('result["a"]', 'result["b"][0]', 'result["b"][1][0]')):
        assert f"outputs[{k}]: {name}" in text, text
    assert "m_form" not in text, text
    pyc = world.program("def entry(x):\n    return f'{x.shape[0]} sums to {x.sum().item()}, {x.dtype}', x\n", name="text")
    world.run("compile", pyc, "--input", "x=f32[N in 2..9]", "-o", "libtext.so")
    named = re.findall(r"outputs\[\d\]: (.*)", (world.folder / "text.h").read_text())
    assert named == ["result[0] (part 0 of the text)", "result[0] (part 1 of the text)", "result[1]"], named
    pyc = world.program(MODEL_OUTPUT, name="output")
    out, _ = world.run("run", pyc, *INPUT)
    assert out.startswith("{'last': tensor(") and "'states': (tensor(" in out and "pooled" not in out, out
    world.run("compile", pyc, *INPUT, "-o", "liboutput.so")
    named = re.findall(r"outputs\[\d\]: (.*)", (world.folder / "output.h").read_text())
    assert named == ['result["last"]', 'result["states"][0]', 'result["states"][1]'], named


FORMS = """
def entry(x):
    if x.sum() > 10:
        return {"big": x * 2}
    if x.sum() > 5:
        return None
    return x, [x + 1]
"""


def check_forms(world):
    """Where a result has several forms, the header says what each is for the number that tells which of them came."""
    world.run("compile", world.program(FORMS), *INPUT, "-o", "libm.so")
    text = (world.folder / "m.h").read_text()
    told = re.search(r"outputs\[(\d)\]: result \(which of them: (.*)\)", text)
    forms = sorted(re.sub(r"outputs\[\d\]", "_", re.sub(r"\d: ", "", form)) for form in re.split(r", (?=\d: )", told[2]))
    assert forms == sorted(['{"big": _}', "none", "(_, [_])"]), text
    pyc = world.program("def entry(x):\n    return (x * 2, x + 1) if x.shape[0] > 4 else {'few': x * 2}\n")
    world.run("compile", pyc, "--input", "x=f32[T in 2..9]", "--allow-narrowing", "--explore", "-o", "libm.so")
    (world.folder / "main.c").write_text('#include "m.h"\nint main(void) { return 10 * m_form(0, 0) + m_form(1, 0) + (m_form(2, 0) + 1) * 50; }\n')
    include = Path(__file__).resolve().parents[2] / "include"
    subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-I", include, "-I", ".", "main.c", "-o", "main"], cwd=world.folder, check=True)
    assert subprocess.run(["./main"], cwd=world.folder).returncode in (1, 10), (world.folder / "m.h").read_text()


def check_exploring(world):
    """With -v, --explore says which side it takes up, when it does; a size that a loop over entries needs is named as that."""
    pyc = world.program("def entry(x):\n    if x.shape[0] > 4:\n        x = x * 2\n    return x\n")
    _, err = world.run("inspect-graph", pyc, "--input", "x=f32[T in 2..9]", "--allow-narrowing", "--explore", "-v")
    assert re.search(r"exploring: example 2, for calls that are not x\.shape\[0\] (>=|<=|>|<) \d, which .*\.py:\d+ asks", err), err
    pyc = world.program("def entry(x):\n    t = ()\n    for row in x:\n        t = (t, row)\n    return t\n")
    _, err = world.run("inspect-graph", pyc, "--input", "x=f32[T in 2..9]", "--no-explore", code=1)
    assert "narrows the declared size T" in err and "the loop is unrolled, since each turn makes another form of local 't'" in err, err


FROZEN = """
class Net(torch.nn.Module):
    def __init__(self, names):
        super().__init__()
        self.names = names

    def forward(self, x):
        return self.names, {2}, frozenset(), type(self.names) is frozenset, x.sum() * 0
"""


def check_frozensets(world):
    """A frozenset is none of the sets that are no frozensets, among arguments of the class and in results."""
    given = ["--init", '{"names": {"$frozenset": [1]}}', *INPUT]
    pyc = world.program(FROZEN)
    out, _ = world.run("run", pyc, *given)
    world.run("run", pyc, *given, "--save", "out.json")
    assert out.startswith("(frozenset({1}), {2}, frozenset(), True, "), out
    assert json.loads((world.folder / "out.json").read_text())["result"]["$tuple"][:2] == [{"$frozenset": [1]}, {"$set": [2]}]
    world.run("compile", pyc, *given, "-o", "libm.so")
    assert world.run("run", "libm.so", *INPUT)[0] == out


def check_fixed_sizes(world):
    """With --dynamic=all, a size that is a number all the same is noted with the line that makes it one."""
    pyc = world.program("def entry(x):\n    if x.shape[0] == 3:\n        return x * 2\n    return x\n")
    _, err = world.run("inspect-graph", pyc, "--input", "x=f32[3,4]", "--dynamic=all")
    assert re.search(r"m\.py:5:8: note: with --dynamic=all, x\.shape\[0\] is 3 all the same", err), err
    assert "x.shape[1]" not in err and err.count("[PTC1092]") == 1, err
    _, err = world.run("inspect-graph", pyc, "--input", "x=f32[3,4]")
    assert "PTC1092" not in err, err


def check_no_weights(world):
    """A model without weights has no file of weights, wherever these would be."""
    for placement in ("external", "argument"):
        world.run("compile", world.program("def entry(x):\n    return x * 2\n"), *INPUT, "-o", "libm.so", f"--weights-placement={placement}")
        assert not list(world.folder.glob("*.weights"))
        world.run("run", "libm.so", *INPUT)


def check_tensor_files(world):
    """--input x=@FILE: the only tensor of a file, or the one that is called as the argument."""
    pyc, w, x = world.program(), torch.tensor([1.0, 2.0, 3.0]), torch.tensor([4.0, 5.0])
    numpy.save(world.folder / "x.npy", w.numpy())
    for name, tensors in {"one": {"w": w}, "both": {"w": w, "x": x}, "others": {"w": w, "v": x}}.items():
        notation.save_safetensors(world.folder / f"{name}.safetensors", tensors)
    for file, expected in (("x.npy", w * 2), ("one.safetensors", w * 2), ("both.safetensors", x * 2)):
        out, _ = world.run("run", pyc, "--input", f"x=@{file}")
        assert out.strip() == str(expected), (file, out)
    _, err = world.run("run", pyc, "--input", "x=@others.safetensors", code=2)
    assert "no tensor named 'x', but w, v" in err or "no tensor named 'x', but v, w" in err, err
    for tensor, said in (({"$tensor": "x.npy", "name": "x"}, "no name"), ({"$tensor": "one.safetensors", "name": "x"}, "but w")):
        _, err = world.run("run", pyc, "--example", world.call("call.json", {"args": [tensor]}), code=4)
        assert "[PTC3301]" in err and said in err, err
    for tensor in ({"$tensor": "x.npy"}, {"$tensor": "one.safetensors"}, {"$tensor": "both.safetensors", "name": "w"}):
        out, _ = world.run("run", pyc, "--example", world.call("call.json", {"args": [tensor]}))
        assert out.strip() == str(w * 2), (tensor, out)


def check_notation(world):
    """examples/notation.py reads and writes what ptc does, of every element type."""
    pyc = world.program("def entry(*values, **more):\n    return values, more\n")
    table = json.loads(world.run("list", "--format=json", "dtypes")[0])
    names = {dtype: name for dtype, name, _ in notation.DTYPES}
    assert {(str(dtype).removeprefix("torch."), name, stored) for dtype, name, stored in notation.DTYPES} == \
        {(row["dtype"], row["short"], row["safetensors"] or None) for row in table}, table
    args = [{"$float": "-inf"}, {"$tuple": [1, {"$int": "7"}]}, {"$dict": [[3, {"$dtype": "complex64"}]]}, {"$device": "cpu"}]
    for dtype, alias in names.items():
        values = [[0, 1], [1, 0]]
        if dtype.is_floating_point or dtype.is_complex:
            values = [[{"$float": "nan"}, 1], [{"$float": "-inf"}, 0.5]]
        args.append({"$tensor": f"{alias}[2,2]", "values": values})
        args.append({"$tensor": f"{alias}[2]", "values": [1, {"$int": "0"}], "strides": [3]})
    args = [a for a in args if "c128" not in str(a)]       # which safetensors, and so --save, do not have
    made = {"args": args, "kwargs": {"same": {"$same": "args[4]"}}}
    world.run("run", pyc, "--example", world.call("call.json", made), "--save", "out.json")
    got = notation.decode(json.loads((world.folder / "out.json").read_text())["result"], world.folder)
    values, more = notation.decode_call(made, world.folder)
    assert more["same"] is values[4]
    assert repr(got) == repr((tuple(values), more)), f"{got}\n{values}"
    wide = notation.decode({"$tensor": "c128[2]", "values": [{"$float": "nan"}, 1]}, world.folder)
    assert wide.dtype == torch.complex128 and wide[0].real.isnan() and wide[1] == 1, wide
    store = notation.TensorStore(world.folder / "again.safetensors")
    written = notation.encode([values[:3], torch.tensor([1 + 2j, math.nan])], store)
    store.save()
    assert repr(notation.decode(written, world.folder)) == repr([values[:3], torch.tensor([1 + 2j, math.nan])])
    for wrong, error in (({"$tensor": "f32[2]", "seed": 1}, ValueError), ({"$tensor": "f32[2]"}, ValueError)):
        try:
            raise AssertionError(notation.decode(wrong, world.folder))
        except error as why:
            assert "f32[2]" in str(why), why


def check_library_examples(world):
    """`ptc run LIB` without a call makes those that the library was compiled from."""
    pyc = world.program("def entry(x, k):\n    return x.shape, k\n")
    first, second = ({"args": [{"$tensor": f"f32[{n}]"}, k]} for n, k in ((3, "a"), (4, "b")))
    (world.folder / "calls.jsonl").write_text(json.dumps(first) + "\n" + json.dumps(second) + "\n")
    world.run("compile", pyc, "--example", "calls.jsonl", "--dynamic", "none", "-o", "libm.so")
    assert world.run("run", "libm.so")[0] == world.run("run", pyc, "--example", "calls.jsonl", "--dynamic", "none")[0]
    assert world.run("run", "libm.so", "--call", world.call("one.json", second))[0].count("\n") == 1
    world.run("inspect-graph", pyc, "--example", "calls.jsonl", "--format", "mlir", "-o", "m.mlir")
    world.run("compile", "m.mlir", "-o", "libir.so")
    _, err = world.run("run", "libir.so", code=2)
    assert "there is no call to make" in err and "x, k" in err, err


def check_programs(world):
    """A program where a library is needed: it is said what to do with it."""
    pyc = world.program()
    call = world.call("call.json", {"args": [{"$tensor": "f32[3]"}]})
    world.run("compile", pyc, *INPUT, "--emit=exe", "-o", "prog")
    world.run("compile", pyc, *INPUT, "--emit=exe", "--strip-ir", "-o", "bare")
    for name in ("prog", "bare"):
        for words in (["run", name], ["run", name, "--call", call], ["bench", name, "--call", call]):
            _, err = world.run(*words, code=2)
            assert f"'{name}' is a program" in err and f"run it itself: ./{name}" in err and "[PTC2001]" in err, err
    assert "entry entry(x, k)" in world.run("inspect-graph", "prog")[0]


def check_texts_of_tensors(world):
    """What puts texts of tensors together is in artefacts that print some."""
    for name, shown, has in (("numbers", "x.shape, x.max().item()", False), ("tensors", "x.shape, x, x > 1", True)):
        pyc = world.program(f"def entry(x):\n    print({shown})\n    return x + 1\n", name)
        call = world.call("call.json", {"args": [{"$tensor": "f32[2,3]"}]})
        expected, _ = world.run("run", pyc, "--example", call)
        for kind, file in (("lib", f"lib{name}.so"), ("obj", f"{name}.o")):
            world.run("compile", pyc, "--example", call, f"--emit={kind}", "-o", file)
            assert (b"dtype=torch.%s" in (world.folder / file).read_bytes()) == has, file
        assert world.run("run", f"lib{name}.so", "--call", call)[0] == expected
        world.run("compile", pyc, "--example", call, "--emit=exe", "-o", name)
        done = subprocess.run([world.folder / name], check=True, capture_output=True, text=True)
        assert done.stdout == expected, done.stdout


def check_grad_mode_decorators(world):
    """What no_grad() and its kind decorate is an entry with its own parameters, lines and defaults."""
    for decorator in ("no_grad()", "no_grad", "inference_mode()", "set_grad_enabled(False)"):
        name = "m" + str(len(decorator))
        pyc = world.program(f"@torch.{decorator}\n@torch.enable_grad()\ndef entry(image, k=2):\n    y = image[:, 4] * k\n    return y, y.sum()\n", name)
        world.call("wide.json", {"args": [{"$tensor": "f32[2,9]"}]})
        _, err = world.run("run", pyc, "--input", "image=f32[2,5]", "--dynamic=none", "--call", "wide.json", code=14)
        assert "image.shape[1] is 9, expected 5" in err and f"{name}.py:7:" in err and "<torch>" not in err, err
        _, err = world.run("run", pyc, "--input", "x=f32[2,5]", code=2)
        assert "entry() got an unexpected keyword argument 'x'" in err and "its parameters are image, k" in err, err
        world.run("compile", pyc, "--input", "image=f32[2,5]", "--dynamic=none", "-o", f"lib{name}.so")
        for given in ({"args": [{"$tensor": "f32[2,5]", "seed": 3}]}, {"kwargs": {"image": {"$tensor": "f32[2,5]", "seed": 3}}}):
            call = world.call("call.json", given)
            out = world.run("run", f"lib{name}.so", "--call", call)[0]
            assert out == world.run("run", pyc, "--example", call)[0] and out.startswith("(tensor(["), out
        _, err = world.run("run", f"lib{name}.so", "--call", "wide.json", code=14)
        assert "image.shape[1] is 9, expected 5" in err, err


def check_related_sizes(world):
    """A guard about several sizes says each with what was found, and the hint an example to give."""
    pyc = world.program("def entry(x):\n    return x + 1 if x.shape[0] == x.shape[1] else x\n")
    world.run("compile", pyc, "--input", "x=f32[4,4]", "--dynamic=all", "-o", "libm.so")
    world.call("call.json", {"args": [{"$tensor": "f32[40,48]"}]})
    for words in (["run", pyc, "--input", "x=f32[4,4]", "--dynamic=all"], ["run", "libm.so"]):
        _, err = world.run(*words, "--call", "call.json", code=14)
        found = re.search(r"fits this call: (.*), expected", err)
        assert found and "x.shape[0] is 40" in found[1] and "x.shape[1] is 48" in found[1] and "x is" not in found[1], err
        assert re.search(r"hint: .*x\.shape\[[01]\] = 4[08], x\.shape\[[01]\] = 4[08]", err), err
    out, _ = world.run("explain", pyc, "--input", "x=f32[4,4]", "--dynamic=all", "--call", "call.json")
    assert "of v0, x.shape[" in out and "of v0, x is" not in out, out


def check_weights_of_other_types(world):
    """Weights of floating point are converted to the model's types, as load_state_dict does."""
    source = """
        class Net(torch.nn.Module):
            def __init__(self, dtype):
                super().__init__()
                self.lin = torch.nn.Linear(3, 2, dtype=dtype)
                self.register_buffer("scale", torch.ones(2, dtype=dtype))

            def forward(self, x):
                return self.lin(x) * self.scale
        """
    pyc = world.program(source)
    drawn = torch.Generator().manual_seed(1)
    values = {"lin.weight": torch.randn(2, 3, generator=drawn, dtype=torch.float64), "lin.bias": torch.tensor([1e-3, -7.1], dtype=torch.float64),
              "scale": torch.tensor([0.1, 1.00390625], dtype=torch.float64)}
    namespace = {"torch": torch}
    exec(textwrap.dedent(source), namespace)
    for model, alias, of_file in ((torch.float32, "f32", torch.float16), (torch.bfloat16, "bf16", torch.float64), (torch.float64, "f64", torch.bfloat16)):
        weights = {name: value.to(of_file) for name, value in values.items()}
        notation.save_safetensors(world.folder / "w.safetensors", weights)
        eager = namespace["Net"](model)
        eager.load_state_dict(weights)
        words = [pyc, "--entry", "Net", "--init", json.dumps([{"$dtype": str(model).removeprefix("torch.")}]), "--weights", "w.safetensors",
                 "--example", world.call("call.json", {"args": [{"$tensor": f"{alias}[1,3]", "values": [[0, 0, 0]]}]})]
        # The bias and the scale alone, and so no order of sums.
        expected = eager(torch.zeros(1, 3, dtype=model))
        world.run("run", *words, "--save", "out.json")
        world.run("compile", *words, "-o", "libm.so")
        world.run("run", "libm.so", "--call", "call.json", "--save", "lib.json")
        for saved in ("out.json", "lib.json"):
            got = notation.decode(json.loads((world.folder / saved).read_text())["result"], world.folder)
            assert got.dtype == model and torch.equal(got, expected.detach()), (model, of_file, saved, got, expected)
    world.run("verify", "libm.so")


def check_always_raises(world):
    """Compiling what only raises is said, with the line and the text."""
    pyc = world.program("def bad(x, k):\n    if k > 1:\n        return x.nope()\n    if x.sum() > 0:\n        raise ValueError(f'{k} low')\n    raise KeyError('a')\n")
    words = ["compile", pyc, *INPUT, "-o", "libm.so"]
    _, err = world.run(*words, "--input", "k=3", code=13)
    assert "m.py:6: error: every call ends in AttributeError: 'Tensor' object has no attribute 'nope' [PTC7003]" in err and "--allow-raising" in err, err
    assert "libm.so" not in world.files()
    words.append("--allow-raising")
    nope = "every call ends in AttributeError: 'Tensor' object has no attribute 'nope' [PTC7003]\n      return x.nope()"
    out, err = world.run(*words, "--input", "k=3")
    assert f"m.py:6: warning: {nope}".replace("      return", "          return") in err and not out, err
    line = json.loads(world.run(*words, "--input", "k=3", "--diagnostics-format=json")[1])
    assert (line["severity"], line["code"], line["location"]["line"]) == ("warning", "PTC7003", 6), line
    assert world.run(*words, "--input", "k=3", "--quiet") == ("", "")
    _, err = world.run(*words, "--input", "k=1")
    assert "every call ends in" in err and "ValueError: … low" in err and "KeyError: 'a'" in err and "m.py:8: " in err and "m.py:9: " in err, err
    good = world.program("def f(x, k):\n    if k > 1:\n        return x.nope()\n    if x.sum() > 0:\n        raise ValueError(k)\n    return x\n", "good")
    for name, k in (("a.json", 1), ("b.json", 3)):
        world.call(name, {"args": [{"$tensor": "f32[3]"}, k]})
    assert world.run("compile", good, "--example", "a.json", "-o", "libm.so") == ("", "")
    _, err = world.run("compile", good, "--example", "a.json", "--example", "b.json", "-o", "libm.so")
    assert err.count("warning: ") == 1 and "good.py:6: warning: every call like example 1 ends in AttributeError" in err, err


def check_all_outputs(world):
    """Of several outputs none appears, and none that was there changes, where one cannot be written."""
    pyc = world.program()
    weights = world.folder / "w.safetensors"
    net = world.program("class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = torch.nn.Parameter(torch.ones(3))\n\n    def forward(self, x):\n        return x * self.w\n", "net")
    notation.save_safetensors(weights, {"w": torch.ones(3)})
    (world.folder / "folder").mkdir()
    (world.folder / "taken.d").mkdir()
    (world.folder / "taken.weights").mkdir()
    (world.folder / "old.h").write_text("old")
    before = world.files()
    library = ["compile", pyc, *INPUT]
    external = ["compile", net, *INPUT, "--weights", weights, "--weights-placement", "external"]
    run = ["run", pyc, *INPUT]
    for words in ([*library, "-o", "two.so", "--header", "nodir/x.h"], [*library, "-o", "two.so", "--header", "folder"],
                  [*library, "-o", "two.so", "-MF", "nodir/x.d"], [*library, "-o", "two.so", "-MF", "folder"],
                  [*library, "-o", "two.so", "--header", "two.so"], [*library, "-o", "two.so", "-MF", "two.h"],
                  [*library, "-o", "taken", "--emit=exe", "-MD"], [*external, "-o", "taken.so"],
                  [*library, "-o", "nodir/two.so", "--dump", "dump"], [*library, "-o", "two.so", "--dump", "dump", "--header", "nodir/x.h"],
                  [*library, "-o", "two.so", "--dump", "old.h"], [*library, "-o", "nodir/two.s", "--emit=asm"],
                  [*external, "-o", "two.so", "--header", "nodir/x.h"], [*external, "-o", "two.so", "-MF", "two.weights"],
                  [*run, "--save", "nodir/out.json"], [*run, "--save", "out.json", "-MF", "nodir/x.d"],
                  [*run, "--save", "out.json", "-MF", "out.safetensors"], [*run, "--save", "taken.json", "--dump", "old.h"],
                  ["inspect-graph", pyc, *INPUT, "-o", "two.txt", "-MF", "nodir/x.d"],
                  ["dis", pyc, "-o", "two.txt", "-MF", "nodir/x.d"]):
        _, err = world.run(*words, code=6)
        assert "[PTC4001]" in err and "cannot write" in err, err
        assert world.files() == before, f"{words}: {set(world.files()) ^ set(before)}"
        assert (world.folder / "old.h").read_text() == "old", words
    world.run(*external, "-o", "two.so", "--header", "old.h", "-MF", "two.d", "--dump", "dump")
    made = set(world.files()) - set(before)
    assert {"two.so", "two.weights", "two.d", "dump/cmd"} <= made, made
    assert "two_ptc_v1" in (world.folder / "old.h").read_text()
    stamps = {name: (world.folder / name).stat().st_mtime_ns for name in ("two.so", "two.weights", "old.h", "two.d")}
    world.run(*external, "-o", "two.so", "--header", "old.h", "-MF", "two.d")
    assert stamps == {name: (world.folder / name).stat().st_mtime_ns for name in stamps}, "written again"
    shutil.rmtree(world.folder / "dump")
    out, _ = world.run(*run, "--save", "/dev/stdout")
    assert json.loads(out)["raised"] is None, out


def check_batch(world):
    """ptc batch: what each call alone gives, in its own folder, whatever the others do."""
    pyc, raising = world.program(), world.program("def entry(x):\n    raise ValueError(x.shape[0])\n", "r")
    (world.folder / "deep.py").write_text("while True:\n    pass\n")
    compile_pyc(world.folder / "deep.py", world.folder / "deep.pyc")
    (world.folder / "plain.py").write_text("import math, collections\nprint(math.tau, collections.Counter('aab'))\n")
    compile_pyc(world.folder / "plain.py", world.folder / "plain.pyc")
    sides = world.program("import torch\nfrom torch import nn\nseen = []\n\n\ndef entry(x):\n    seen.append(x)\n"
                          "    return nn.functional.relu(x) if x.sum() > x.shape[0] > 2 else x\n", "s")
    (world.folder / "below").mkdir()
    save = ["--save", "out.json"]
    calls = [["run", pyc, *INPUT], ["run", raising, *INPUT], ["nope"], ["dis", "none.pyc"], ["--version"],
             ["run", pyc, *INPUT, "--mlir-print-op-generic", "-v"], ["run", pyc, *INPUT, "--color=always", "--timing"],
             ["inspect-graph", pyc, *INPUT], ["run", "--python", "plain.pyc"],
             ["inspect-graph", sides, "--input", "x=f32[N in 1..9]", "--explore"], ["run", pyc, *INPUT, *save], ["list", "dtypes"], ["asm", "-", "-o", "a.pyc"]]
    alone = []
    for args in calls:
        done = subprocess.run([world.ptc, *args], cwd=world.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        alone.append((done.returncode, done.stdout, re.sub(r" *[0-9.]+ ms", " T ms", done.stderr)))
    saved = (world.folder / "out.json").read_bytes()
    (world.folder / "out.json").unlink()
    for jobs in (1, 3):
        lines = [json.dumps(args) for args in calls] + ["", "[1]", json.dumps({"args": ["run", "../" + pyc, *INPUT, *save], "cwd": "below"})]
        lines += [json.dumps({"args": ["run", "--python", "deep.pyc", "--max-steps=1000000000"], "limit": 0.5}),
                  "{", json.dumps({"args": [], "place": "x"}), json.dumps(calls[0])]
        (world.folder / "calls.jsonl").write_text("\n".join(lines))
        out, err = world.run("batch", "calls.jsonl", "-j", jobs, code=2)
        got = sorted(map(json.loads, out.splitlines()), key=lambda done: done["call"])
        assert [done["call"] for done in got] == list(range(len(calls) + 6)), out
        assert jobs > 1 or out.splitlines() == [json.dumps(d, separators=(",", ":"), ensure_ascii=False) for d in got], out
        texts = [(d["exit"], d["stdout"], re.sub(r" *[0-9.]+ ms", " T ms", d["stderr"])) for d in got]
        for args, done, expected in zip(calls, texts, alone):
            assert done == expected, f"{args}: {done}, alone {expected}"
        bad, below, endless, cut, unknown, last = texts[len(calls):]
        assert bad[0] == cut[0] == unknown[0] == 2 and below[0] == 0 and endless[0] is None and last == alone[0], texts
        assert all(f"calls.jsonl:{n}: error: " in err for n in (len(calls) + 2, len(calls) + 5, len(calls) + 6)), err
        assert "[PTC2001]" in bad[2] and '"place"' in unknown[2], texts
        assert (world.folder / "below/out.json").read_bytes() == (world.folder / "out.json").read_bytes() == saved
    _, err = world.run("batch", "none.jsonl", code=3)
    assert "none.jsonl" in err, err


class Server:
    """`ptc batch`, and what it is asked. The program of `forever` has no end."""

    def __init__(self, world):
        (world.folder / "forever.py").write_text("while True:\n    pass\n")
        compile_pyc(world.folder / "forever.py", world.folder / "forever.pyc")
        self.process = subprocess.Popen([world.ptc, "batch", "-"], cwd=world.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.__exit__(*error)

    def ask(self, *args):
        self.process.stdin.write(json.dumps(args) + "\n")
        self.process.stdin.flush()

    def answer(self):
        return json.loads(self.process.stdout.readline())

    def begin_forever(self):
        """The process of the call, as early as there is one."""
        self.ask("run", "--python", "forever.pyc")
        file = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        end = time.monotonic() + 30
        while not (found := file.read_text().split()):
            assert time.monotonic() < end, "no call was begun"
        return int(found[0])


def check_batch_survives(world):
    """A call that is killed is one result; answers come while there is more to ask."""
    with Server(world) as server:
        server.ask("--version")
        assert server.answer()["exit"] == 0
        # By a signal that ptc has no handler for: one that prints the stack may itself end otherwise.
        os.kill(server.begin_forever(), signal.SIGKILL)
        assert server.answer()["exit"] == -signal.SIGKILL
        server.ask("--version")
        assert server.answer()["call"] == 2


def is_running(process):
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def check_batch_orphans(world):
    """No call outlives its server, not even one that begins while that ends: of so many, some hit the moment."""
    for _ in range(24):
        with Server(world) as server:
            orphan = server.begin_forever()
        end = time.monotonic() + 30
        while is_running(orphan):
            assert time.monotonic() < end, "a call outlives its server"
            time.sleep(0.01)


MODES = """
class Net(torch.nn.Module):
    def __init__(self, p=0.5, stats=True):
        super().__init__()
        self.parts = torch.nn.Sequential(torch.nn.Dropout(p), torch.nn.BatchNorm1d(3, track_running_stats=stats))
        self.seen = "built"

    def eval(self):
        self.seen = "eval"
        return super().eval()

    def forward(self, x):
        return x + 1, self.training, self.parts[0].training, self.seen


class Plain(torch.nn.Module):
    def forward(self, x):
        return x


made = Net()
"""


def check_modes(world):
    """--eval and --train are model.eval() and model.train(); without them, training mode that matters is said."""
    pyc = world.program(MODES)
    for words, shown in (([], "True, True, 'built'"), (["--train"], "True, True, 'built'"), (["--eval"], "False, False, 'eval'")):
        for entry in ("Net", "Net.forward", "made"):
            out, err = world.run("run", pyc, *INPUT, "--entry", entry, *words)
            assert shown in out, (words, entry, out)
            noted = not words and entry != "made"
            assert ("[PTC1091]" in err) == noted and (not noted or "'parts.0' (Dropout)" in err and "--eval or --train" in err), (words, entry, err)
    for entry, init, part in (("Net", '{"p": 0}', "'parts.1' (BatchNorm1d)"), ("Net", '{"p": 0, "stats": false}', None), ("Plain", "{}", None)):
        _, err = world.run("run", pyc, *INPUT, "--entry", entry, "--init", init)
        assert part in err if part else not err, err
    assert not world.run("run", pyc, *INPUT, "--entry", "Net", "-q")[1]
    world.run("compile", pyc, *INPUT, "--entry", "Net", "--eval", "-o", "libm.so")
    assert "False, False, 'eval'" in world.run("run", "libm.so")[0]


OWN_OBJECT = """
import torch


class Part(torch.nn.Module):
    def forward(self, x):
        return x


class Net(torch.nn.Module):
    def __init__(self, name="default"):
        super().__init__()
        self.name, self.part, self.other = name, Part(), torch.nn.ReLU()

    def forward(self, x):
        return self.name, self.training


def helper(x):
    return x
"""


def check_default_entry(world):
    """The object of a class of the file, else its only class, else the only function: what is taken without --entry."""
    alone = OWN_OBJECT.replace("Part(), ", "torch.nn.Identity(), ").replace(OWN_OBJECT[OWN_OBJECT.index("class Part"):OWN_OBJECT.index("class Net")], "")
    for source, shown in ((OWN_OBJECT + "\n\nmodel = Net('made').eval()\n", "'made', False"),
                          (alone + "\n\nmodel = Net('made').eval()\n", "'made', False"), (alone, "'default', True"),
                          (alone + "\n\nfirst, second = Net('first'), Net('second')\n", "'default', True"),
                          (alone + "\n\n_model, relu = Net('made'), torch.nn.ReLU()\n", "'default', True")):
        out, _ = world.run("run", world.program(source), *INPUT)
        assert shown in out, (source, out)
    out, _ = world.run("run", world.program(alone + "\n\nmodel = Net('made').eval()\n"), *INPUT, "--init", '["given"]')
    assert "'given', True" in out, out


def check_sizes_of_a_name(world):
    """A size that one input declares with a range, and another, before it or behind it, by its name alone."""
    pyc = world.program("def entry(x, pad):\n    return x.masked_fill(pad[..., None], 0.0).shape\n")
    for ranges, pad in (("B in 1..4,T in 2..9", "B,T"), ("B in 1..4,T in 1..3", "B,T"), ("4,T in 5..5", "4,T")):
        inputs = [["--input", f"x=f32[{ranges},4]"], ["--input", f"pad=bool[{pad}]"]]
        for order in (inputs, inputs[::-1]):
            world.run("inspect-graph", pyc, *order[0], *order[1])
        example = {"kwargs": {"pad": {"$tensor": f"bool[{pad}]"}, "x": {"$tensor": f"f32[{ranges},4]"}}}
        (world.folder / "call.json").write_text(json.dumps(example))
        world.run("inspect-graph", pyc, "--example", "call.json")


def check_variant_beyond_memory(world):
    """A variant that wants more memory than there is takes nothing from calls of the others."""
    pyc = world.program("def entry(n):\n    t = torch.arange(float(n * 12)).reshape(n, 3, 4)\n    return (t + 1).sum()\n")
    for n in (2, 1 << 40):
        world.call(f"of{n}.json", {"args": [n]})
    world.run("compile", pyc, "--example", "of2.json", "--example", f"of{1 << 40}.json", "-o", "libm.so")
    out, _ = world.run("run", "libm.so", "--input", "n=2")
    assert out == "tensor(300.)\n", out
    done = subprocess.run([world.ptc, "run", "libm.so", "--input", f"n={1 << 40}"], cwd=world.folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 10 and "there is not enough memory for the tensors of this call [PTC7006]" in done.stderr, done


def check_beyond_memory(world):
    """What there is no memory for is an error with a number and the line, on every target; sizes that no number holds raise."""
    for body, n in (("torch.zeros(n).sum()", 1 << 40), ("torch.zeros(n, n).sum()", 1 << 24), ("torch.arange(n).sum()", 1 << 43),
                    ("torch.ones(3).repeat(n).sum()", 1 << 40), ("torch.ones(1).expand(n).clone().sum()", 1 << 40),
                    ("torch.nn.functional.pad(torch.ones(3), (0, n)).sum()", 1 << 40)):
        pyc = world.program(f"def entry(n):\n    return {body}\n")
        _, err = world.run("run", pyc, "--input", f"n={n}", code=10)
        assert "there is not enough memory for " in err and "[PTC7006]" in err and ".py:" in err, err
        world.run("compile", pyc, "--input", "n=3", "-o", "libm.so")
        for target in ([], ["--target=null"]):
            _, err = world.run("run", "libm.so", "--input", f"n={n}", *target, code=10)
            assert "[PTC7006]" in err, err
    pyc = world.program("def entry(n):\n    return torch.zeros(n).sum()\n")
    _, err = world.run("run", pyc, "--input", f"n={1 << 62}", code=13)
    assert f"RuntimeError: Storage size calculation overflowed with sizes=[{1 << 62}] [PTC7003]" in err, err
    pyc = world.program("def entry(n):\n    return torch.ones(1).expand(n).sum()\n")
    _, err = world.run("run", pyc, "--input", f"n={1 << 40}", code=10)
    assert "aten.sum" in err and "[PTC7006]" in err, err


def check_refused_arguments(world):
    """What has no native code is refused by the argument that it has none for."""
    attention = "torch.nn.functional.scaled_dot_product_attention(x, x, x, {})"
    for call, said in ((attention.format("dropout_p=0.5"), "dropout_p that is not 0"), (attention.format("is_causal=bool(x.sum() > 0)"), None),
                       ("torch.nn.functional.conv1d(x, torch.ones(2, 3, n))", "a weight whose sizes are known only at run time"),
                       ("torch.nn.functional.conv1d(x.to(torch.complex64), torch.ones(2, 3, 2, dtype=torch.complex64)).abs()", "complex numbers"),
                       ("x.to(torch.complex64).cumprod(0).abs()", "complex numbers"),
                       ("x.to(torch.complex64).scatter_add(0, torch.tensor([[[0]]]), x.to(torch.complex64)).abs()", "complex numbers"),
                       ("x.to(torch.complex64).repeat_interleave(2, 0).abs()", "complex numbers")):
        pyc = world.program(f"def entry(x, n):\n    return {call}\n")
        command = "compile", pyc, "--input", "x=f32[1,3,4]", "--input", "n=3", "-o", "libm.so"
        _, err = world.run(*command, code=1 if said else 0)
        assert said is None or f"is not supported: {said} [PTC1002]" in err, err


def check_refused_sizes(world):
    """Errors of one variant, and of a declared range, say which sizes they are about."""
    for wrong, code, said in (("x.to(torch.complex64).cumprod(0).abs()", [], ["in the variant for calls with x.shape[0] >= 8"]),
                              ("torch.renorm(x, 2, 0, 5.)", [], ["a call that does not satisfy x.shape[0] <= 7", ".py:6)"]),
                              ("x + 1", ["--no-explore"], ["x.shape[0] <= 7, which narrows", ", of a call with B = ", " (declared: 1..64)"])):
        pyc = world.program(f"def entry(x):\n    if x.shape[0] > 7:\n        return {wrong}\n    return x * 2\n")
        _, err = world.run("compile", pyc, "--input", "x=f32[B in 1..64,4]", *code, "-o", "libm.so", code=1)
        assert all(part in err for part in said), err


def check_overwritten_initialisers(world):
    """What a weight file overwrites is not computed when a context is made, however it is initialised."""
    for init in ("orthogonal_(w)", "orthogonal_(w.t())", "sparse_(w, 0.5)", "trunc_normal_(w)", "kaiming_normal_(w)", "xavier_uniform_(w)", "eye_(w)"):
        pyc = world.program("class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = torch.nn.Parameter(torch.empty(6, 4))\n"
                            f"        w = self.w\n        torch.nn.init.{init}\n\n    def forward(self, x):\n        return x @ self.w\n")
        torch.save({"w": torch.ones(6, 4)}, world.folder / "w.pt")
        out, _ = world.run("inspect-graph", pyc, "--input", "x=f32[2,6]", "--weights", "w.pt", "--to=normalise")
        assert "uniform" not in out and "normal_functional" not in out and "randperm" not in out, (init, out)


CASES = [check_refused_arguments, check_refused_sizes, check_overwritten_initialisers, check_variant_beyond_memory, check_beyond_memory, check_modes, check_fixed_sizes, check_frozensets, check_forms, check_no_weights, check_exploring, check_default_entry, check_warning_text, check_surrogates, check_log_line, check_header, check_sizes_of_a_name, check_grad_mode_decorators, check_related_sizes, check_weights_of_other_types, check_tensor_files, check_notation,
         check_library_examples, check_programs, check_texts_of_tensors, check_always_raises, check_all_outputs, check_batch,
         check_batch_survives, check_batch_orphans]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
