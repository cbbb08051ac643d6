#!/usr/bin/env python3
"""Bad input: each row gives a numbered diagnostic, the documented exit code, and no output file.

    bad_input.py --ptc PTC [FILTER] [-j N] [-v]
"""
import io
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch

from pycs import compile_pyc
from eager import load_module  # noqa: F401  (puts examples/ on the path)
from notation import save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

COMPILE, USAGE, UNREADABLE, MALFORMED, VERSION, NOT_WRITTEN, LIMIT, RAISED, NO_VARIANT = 1, 2, 3, 4, 5, 6, 10, 13, 14

GOOD = """import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, size=3):
        super().__init__()
        self.lin = nn.Linear(size, 2)

    def forward(self, x, scale=2.0):
        return self.lin(x) * scale
"""
FUNCTION = "import torch\n\n\ndef entry(x, k=2):\n    return x * k\n"
CALL = json.dumps({"args": [{"$tensor": "x.safetensors", "name": "x"}]})


@dataclass
class Row:
    name: str
    exit: int
    code: str                                  # regular expression for the PTC number
    args: list
    says: list = field(default_factory=list)   # parts of standard error
    source: str = GOOD                         # of m.pyc
    files: dict = field(default_factory=dict)  # further files: name -> text or bytes
    weights: dict = None                       # of w.safetensors, when not the right ones
    says_not: list = field(default_factory=list)


RUN = ["run", "m.pyc", "--weights", "w.safetensors", "--example", "call.json", "--save", "out.json"]
PLAIN = ["run", "m.pyc", "--example", "call.json", "--save", "out.json"]


DOWN = "def down(x, n):\n    return down(x, n + 1)\n\n\n"
SIZED = ["run", "m.pyc", "--input", "x=f32[B in 1..64,3]", "--save", "out.json"]
CLASSES = """import enum
from collections import namedtuple

Pair = namedtuple("Pair", "a b")


class Color(enum.Enum):
    RED = 1


class Items(dict):
    pass


class Slots:
    __slots__ = ("t",)


class Holder:
    def __init__(self, n=1):
        self.parts = [n]

    @property
    def first(self):
        return self.parts[0]


def make():
    return Holder()


def entry(x):
    return 1
"""
DROPS = "import torch\n\n\ndef _parts(n):\n    try:\n        for i in range(n):\n            yield i\n    finally:\n        print(n)\n\n\ndef entry(x):\n    for i in _parts(3):\n        if %s:\n            break\n    return x\n"
DROPOUT = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.drop = nn.Dropout(0.5)\n\n    def forward(self, x):\n        return %s\n"
OTHER_LIBRARY = (Path(torch.__file__).parent / "lib/libtorch_global_deps.so").read_bytes()
GROWS = "    out = []\n    while x.sum() < 90:\n        x = x * 2\n        out.append(x)\n"


def tensor_call(spec, values, strides=None):
    """The files of a call with one tensor that is written out."""
    more = f', "strides": {strides}' if strides else ""
    return {"call.json": f'{{"args": [{{"$tensor": "{spec}", "values": {values}{more}}}]}}'}


def checkpoint(**how):
    """What torch.save writes of the right weights."""
    file = io.BytesIO()
    torch.save({"lin.weight": torch.ones(2, 3), "lin.bias": torch.zeros(2)}, file, **how)
    return file.getvalue()


def with_source(body):
    return "import torch\n\n\ndef entry(x):\n" + body


ROWS = [
    Row("missing file", UNREADABLE, "3001", ["run", "nope.pyc", "--save", "out.json"], ["nope.pyc"]),
    Row("not a .pyc", MALFORMED, r"31\d\d", ["run", "text.pyc", "--save", "out.json"], ["text.pyc"], files={"text.pyc": "just text, long enough to have a header\n"}),
    Row("empty file", MALFORMED, r"31\d\d", ["run", "empty.pyc", "--save", "out.json"], ["empty.pyc"], files={"empty.pyc": b""}),
    Row("unsupported version", VERSION, "3400", ["run", "old.pyc", "--save", "out.json"], ["3.10", "3.11"], files={"old.pyc": struct.pack("<H", 3439) + b"\r\n" + bytes(12) + b"\xe3"}),
    Row("truncated", MALFORMED, r"31\d\d", ["run", "short.pyc", "--save", "out.json"], ["short.pyc"], files={"short.pyc": "truncate m.pyc"}),
    Row("no entry", USAGE, "3305", PLAIN, ["entry"], source="import torch\nvalue = 3\n"),
    Row("several entries", USAGE, "3306", PLAIN, ["first", "second", "--entry"], source="def first(x):\n    return x\n\n\ndef second(x):\n    return x\n"),
    Row("several objects", USAGE, "3306", PLAIN, ["candidates: first, second"], source="import torch\nfirst = torch.nn.ReLU()\nsecond = torch.nn.ReLU()\n"),
    Row("an entry of a package", RAISED, "7003", PLAIN, ["no known parent package", "hint: the file is run by itself"], source="from .parts import entry\n"),
    Row("unknown entry", USAGE, "3307", [*PLAIN, "--entry", "nothing"], ["nothing", "entry"], source=FUNCTION),
    Row("candidates of both kinds", USAGE, "3307", [*PLAIN, "--entry", "nothing"], ["candidates: Net, helper"], source=GOOD + "\n\ndef helper(x):\n    return x\n"),
    Row("a mistyped class", USAGE, "3307", [*PLAIN, "--entry", "Nte"], ["hint: did you mean 'Net'?", "candidates: Net"]),
    Row("a mistyped method", USAGE, "3307", [*RUN, "--entry", "Net.forwrd"], ["hint: did you mean 'Net.forward'?"]),
    Row("an entry like no other", USAGE, "3307", [*PLAIN, "--entry", "Quantizer"], ["candidates: Net"], says_not=["did you mean"]),
    Row("a module as the entry", USAGE, "2001", [*PLAIN, "--entry", "nn"], ["'nn' is no function, class or callable instance: its type is module", "candidates: Net", "hint:"]),
    Row("a number as the entry", USAGE, "2001", [*PLAIN, "--entry", "value"], ["'value' is no function, class or callable instance: its type is int"], source=FUNCTION + "\n\nvalue = 3\n"),
    Row("an object that cannot be called as the entry", USAGE, "2001", [*PLAIN, "--entry", "Options"], ["'Options' is no function, class or callable instance: its type is Options"], source=FUNCTION + "\n\nclass Options:\n    pass\n"),
    Row("an unknown argument of the class", USAGE, "2001", [*RUN, "--init", '{"sizze": 4}'], ["--init does not fit 'Net'", "'sizze'", "its parameters are size"]),
    Row("too many arguments of the class", USAGE, "2001", [*RUN, "--init", "[1, 2, 3]"], ["--init does not fit 'Net'", "its parameters are size"]),
    Row("an argument of the class by a call of nothing", USAGE, "3304", [*RUN, "--init", '{"size": {"$call": "conf:"}}'], ['init.size: $call is "module:Name"']),
    Row("an argument of the class by a call with other keys", USAGE, "3304", [*RUN, "--init", '{"size": {"$call": "int", "kwrgs": {}}}'], ["'kwrgs' is none of $call, args, kwargs"]),
    Row("an argument of the class by a call of what is not there", RAISED, "7003", [*RUN, "--init", '{"size": {"$call": "math:sqroot"}}'], ["has no attribute 'sqroot'", "the arguments of the class call 'math:sqroot'"]),
    Row("an input by a call", USAGE, "3302", ["run", "m.pyc", "--input", 'x={"$call": "int"}', "--save", "out.json"], ["$call is for arguments of the class"], source=FUNCTION),
    *(Row(f"an input that is no object: {why}", MALFORMED, "3308", ["run", "m.pyc", "--entry", "entry", "--input", f"x={given}", "--save", "out.json"], [f"'x' cannot be an object of {why}"], source=CLASSES)
      for given, why in (('{"$object": "make", "fields": {}}', "'make': it is no class"), ('{"$object": "Color", "fields": {}}', "'Color': it is an enumeration"),
                         ('{"$object": "Items", "fields": {"a": 1}}', "'Items': its objects hold more than attributes"), ('{"$object": "builtins:list", "fields": {}}', "'builtins:list': its objects hold more"),
                         ('{"$object": "Pair", "fields": {"a": 1}}', "'Pair': it is no named tuple with these fields"), ('{"$object": "Slots", "fields": {"n": 1}}', "'Slots': its objects do not have all"),
                         ('{"$object": "Holder", "args": [2], "fields": {"n": 1}}', "'Holder': its attribute 'parts' is a list that calls can change"),
                         ('{"$object": "Holder", "fields": {"first": 1}}', "'Holder': its 'first' is made by code"))),
    Row("an input of a class that is not there", RAISED, "7003", ["run", "m.pyc", "--entry", "entry", "--input", 'x={"$object": "math:Sqroot", "fields": {}}', "--save", "out.json"], ["has no attribute 'Sqroot'", "note: 'x' is an object of 'math:Sqroot'"], source=CLASSES),
    Row("an object among the arguments of the class", USAGE, "3304", [*RUN, "--init", '{"size": {"$object": "Options", "fields": {}}}'], ["$object is for arguments of the entry"]),
    Row("an input by an object with other keys", USAGE, "3302", ["run", "m.pyc", "--input", 'x={"$object": "Pair", "feilds": {}}', "--save", "out.json"], ["'feilds' is none of $object, args, kwargs, fields"], source=FUNCTION),
    Row("an input with an attribute without a name", USAGE, "3302", ["run", "m.pyc", "--input", 'x={"$object": "Pair", "fields": {"a.b": 1}}', "--save", "out.json"], ["x: 'a.b' is no name of an attribute"], source=FUNCTION),
    Row("an attribute of a tensor by --input", USAGE, "3302", ["run", "m.pyc", "--input", "x=f32[2]", "--input", "x.y=3", "--save", "out.json"], ["what has no attributes is given no '.y'"], source=FUNCTION),
    Row("a place behind the end by --input", USAGE, "3302", ["run", "m.pyc", "--input", "x=[1]", "--input", "x[2]=3", "--save", "out.json"], ["there is no place [2]"], source=FUNCTION),
    Row("a part of nothing by --input", USAGE, "3309", ["run", "m.pyc", "--input", "x=f32[2]", "--input", "z.y=3", "--save", "out.json"], ["z.y"], source=FUNCTION),
    Row("a method of a number of the run", COMPILE, "1050", PLAIN, ["int.to_bytes() of a number known only at run time"], source="def entry(x):\n    return int(x.sum()).to_bytes(2, \"big\")\n"),
    Row("an import that may raise", COMPILE, "1050", PLAIN, ["m.py:4:", "an exception that numbers of the run decide, while a module is imported"], source="import torch\n\n\nif torch.rand(1) > 0.5:\n    raise ValueError\n\n\ndef entry(x):\n    return x\n"),
    Row("unknown method", USAGE, "3307", [*RUN, "--entry", "Net.nothing"], ["nothing"]),
    Row("unknown argument by --input", USAGE, "3309", ["run", "m.pyc", "--input", "x=f32[3]", "--input", "zz=3", "--save", "out.json"], ["zz", "k"], source=FUNCTION),
    Row("unknown argument in an example", MALFORMED, "3308", PLAIN, ["zz"], source=FUNCTION, files={"call.json": '{"kwargs": {"zz": 3}}'}),
    Row("too many arguments", MALFORMED, "3308", PLAIN, ["entry"], source=FUNCTION, files={"call.json": '{"args": [1, 2, 3]}'}),
    Row("weights of code to be read", USAGE, "2001", ["compile", "m.pyc", "--input", "x=f32[3]", "--emit=asm", "--weights-placement=external", "-o", "out.json"], ["--emit=asm writes code to be read", "--weights-placement"], source=FUNCTION),
    Row("a header of code to be read", USAGE, "2001", ["compile", "m.pyc", "--input", "x=f32[3]", "--emit=llvm", "--header", "m.h", "-o", "out.json"], ["--emit=llvm writes code to be read", "--header"], source=FUNCTION),
    *[Row(f"a CPU without 64-bit mode: {cpu}", USAGE, "2001", ["compile", "m.pyc", "--input", "x=f32[3]", f"--cpu={cpu}", "-o", "libm.so"], [f"--cpu: {cpu} has no 64-bit mode", "hint: --cpu takes native, or one of ", "x86-64-v3", "znver4"], source=FUNCTION, says_not=["i686,", "--help"]) for cpu in ("pentium", "i686", "pentium4")],
    Row("an unknown CPU", USAGE, "2001", ["compile", "m.pyc", "--input", "x=f32[3]", "--cpu=x86-64-v33", "-o", "libm.so"], ["--cpu: x86-64-v33 is no CPU that LLVM knows", "did you mean 'x86-64-v3'?", "--cpu takes native"], source=FUNCTION),
    Row("an output that is a folder", NOT_WRITTEN, "4001", ["compile", "m.pyc", "--input", "x=f32[3]", "-o", "."], ["it is a folder"], source=FUNCTION),
    Row("an output in the form of a folder", NOT_WRITTEN, "4001", ["compile", "m.pyc", "--input", "x=f32[3]", "-o", "new/"], ["it is the name of a folder"], source=FUNCTION),
    Row("a call that is not there, and no input", UNREADABLE, "3001", ["run", "m.pyc", "--call", "nocall.json"], ["cannot read 'nocall.json'"], source=FUNCTION, says_not=["--input does not fit"]),
    Row("a call that is no JSON, and no input", MALFORMED, "3301", ["run", "m.pyc", "--call", "m.py"], ["m.py:1:1: error"], source=FUNCTION, says_not=["--input does not fit"]),
    Row("a call, and nothing to compile for", USAGE, "3309", ["run", "m.pyc", "--call", "call.json"], ["none is given, and entry() missing 1 required positional argument: 'x'"], source=FUNCTION),
    Row("a word as --input", USAGE, "3302", ["run", "m.pyc", "--input", "x=f32[3]", "--input", "k=b", "--save", "out.json"], ["""hint: a string is k='"b"'"""], source=FUNCTION),
    Row("a variable of the environment without a value", USAGE, "2001", [*PLAIN, "--env", "KEY"], ["--env 'KEY' is not NAME=VALUE", "hint: --env KEY=VALUE"], source=FUNCTION),
    Row("a variable of the environment that is asked for at import", RAISED, "7003", PLAIN, ["KeyError: 'API_KEY'", "hint: give the variable of the environment a value: --env API_KEY=VALUE"], source="import os\nKEY = os.environ['API_KEY']\n" + FUNCTION),
    Row("a variable of the environment that is asked for in a call", RAISED, "7003", ["run", "m.pyc", "--example", "call.json"], ["KeyError: 'API_KEY'", "--env API_KEY=VALUE"], source="import os\n\n\ndef entry(x):\n    return x * len(os.environ['API_KEY'])\n"),
    Row("another KeyError", RAISED, "7003", ["run", "m.pyc", "--example", "call.json"], ["KeyError: 'A'"], source="import os\nos.environ.get('B')\n\n\ndef entry(x):\n    return x * {}['A']\n", says_not=["--env"]),
    *[Row(f"dropout in training on a CPU: {what}", COMPILE, "1002", ["compile", "m.pyc", "--entry", "Net", "--train", "--input", "x=f32[3,3]", "-o", "libm.so"], ["aten.dropout", "dropout in training has code for GPUs alone", "hint: compile for evaluation (--eval, or training=False", "--target=cuda"], source=DROPOUT % line)
      for what, line in (("a layer", "self.drop(x)"), ("a function", "nn.functional.dropout(x, training=True)"))],
    Row("shape without end", USAGE, "3302", ["run", "m.pyc", "--input", "x=f32[3,", "--save", "out.json"], ["x=f32[3,"], source=FUNCTION),
    Row("unknown element type", USAGE, "3302", ["run", "m.pyc", "--input", "x=q7[3]", "--save", "out.json"], ["q7", "f32"], source=FUNCTION),
    Row("example is not JSON", MALFORMED, "3301", PLAIN, ["call.json"], source=FUNCTION, files={"call.json": "{not json"}),
    Row("an example that ends too early", MALFORMED, "3301", PLAIN, ["call.json:1:15: error", "expected ',' or ']', found the end of the text"], source=FUNCTION, files={"call.json": '{"args": [1, 2'}),
    Row("an example with a comma too many", MALFORMED, "3301", PLAIN, ["call.json:2:17: error", "expected a value, found ']'", "hint: no comma stands behind the last element"], source=FUNCTION, files={"call.json": '{\n  "args": [1, 2,]\n}'}),
    Row("an example with NaN", MALFORMED, "3301", PLAIN, ["call.json:1:11: error", "expected a value, found 'NaN'", 'hint: not a number is {"$float": "nan"}'], source=FUNCTION, files={"call.json": '{"args": [NaN]}'}),
    Row("an example with -Infinity", MALFORMED, "3301", PLAIN, ["found '-Infinity'", 'hint: infinity is {"$float": "-inf"}'], source=FUNCTION, files={"call.json": '{"args": [-Infinity]}'}),
    Row("an example with a float that is too large", MALFORMED, "3301", PLAIN, ["call.json:1:11: error", "a number that no float holds"], source=FUNCTION, files={"call.json": '{"args": [1e999]}'}),
    Row("an example in Python's words", MALFORMED, "3301", PLAIN, ["found 'True'", "hint: JSON writes true, false and null"], source=FUNCTION, files={"call.json": '{"args": [True]}'}),
    Row("an example in single quotes", MALFORMED, "3301", PLAIN, ["call.json:1:2: error", "expected a name in double quotes"], source=FUNCTION, files={"call.json": "{'args': []}"}),
    Row("an example with text behind it", MALFORMED, "3301", PLAIN, ["call.json:1:14: error", "expected the end of the text, found '{'"], source=FUNCTION, files={"call.json": '{"args": []} {}'}),
    Row("an example with a bad escape", MALFORMED, "3301", PLAIN, ["call.json:1:12: error", "backslash"], source=FUNCTION, files={"call.json": '{"args": ["\\q"]}'}),
    Row("an example that is not UTF-8", MALFORMED, "3301", PLAIN, ["call.json:1:12: error", "not UTF-8"], source=FUNCTION, files={"call.json": b'{"args": ["\xff"]}'}),
    Row("a line of examples", MALFORMED, "3301", ["run", "m.pyc", "--example", "calls.jsonl", "--save", "out.json"], ["calls.jsonl:3:11: error", "expected a value"], source=FUNCTION, files={"calls.jsonl": '{"args": [1]}\n\n{"args": [}\n'}),
    Row("a seed that is text", MALFORMED, "3301", PLAIN, ["args[0]", "seed must be an int"], source=FUNCTION, files={"call.json": '{"args": [{"$tensor": "f32[2]", "seed": "one"}]}'}),
    Row("--input with NaN", USAGE, "3302", ["run", "m.pyc", "--input", "x=[1, NaN]", "--save", "out.json"], ["found 'NaN', at character 5", '{"$float": "nan"}'], source=FUNCTION),
    Row("all problems of the inputs", MALFORMED, "3301", ["run", "m.pyc", "--example", "call.json", "--example", "other.json", "--weights", "gone.safetensors"], ["call.json:1:11", "other.json:1:1", "gone.safetensors"], source=FUNCTION, files={"call.json": '{"args": [}', "other.json": "nothing"}),
    Row("example is no object", MALFORMED, "3301", PLAIN, ["call.json"], source=FUNCTION, files={"call.json": "[1, 2]"}),
    Row("example with an unknown key", MALFORMED, "3301", PLAIN, ["argz"], source=FUNCTION, files={"call.json": '{"argz": []}'}),
    Row("strides beyond 64 bits", MALFORMED, "3301", PLAIN, ["args[0]", "strides"], source=FUNCTION, files=tensor_call("f32[2,2]", "[1, 2, 3, 4]", strides="[4611686018427387904, 1]")),
    Row("strides whose bytes are beyond 64 bits", MALFORMED, "3301", PLAIN, ["args[0]", "strides"], source=FUNCTION, files=tensor_call("f32[3,1]", "[1, 2, 3]", strides="[2305843009213693952, 1]")),
    Row("strides beyond all memory", MALFORMED, "3301", PLAIN, ["args[0]", "strides"], source=FUNCTION, files=tensor_call("f32[2,2]", "[1, 2, 3, 4]", strides="[1152921504606846976, 1]")),
    Row("lists nested too deep", MALFORMED, "3301", PLAIN, ["nested deeper"], source=FUNCTION, files={"call.json": '{"args": [' + "[" * 200000 + "]" * 200000 + "]}"}),
    Row("objects nested too deep", MALFORMED, "3301", PLAIN, ["nested deeper"], source=FUNCTION, files={"call.json": '{"args": [' + '{"a":' * 100000 + "1" + "}" * 100000 + "]}"}),
    Row("brackets without end", MALFORMED, "3301", PLAIN, ["nested deeper"], source=FUNCTION, files={"call.json": "[" * 200000}),
    Row("--input nested too deep", USAGE, "3302", ["run", "m.pyc", "--input", "x=" + "[" * 20000 + "]" * 20000, "--save", "out.json"], ["nested deeper"], source=FUNCTION),
    Row("--init nested too deep", USAGE, "3304", [*RUN, "--init", "[" * 20000 + "]" * 20000], ["nested deeper"]),
    Row("an element beyond its type", MALFORMED, "3301", PLAIN, ["args[0]", "300", "int8"], source=FUNCTION, files=tensor_call("i8[1]", "[300]")),
    Row("a negative element of an unsigned type", MALFORMED, "3301", PLAIN, ["-1", "uint8"], source=FUNCTION, files=tensor_call("u8[1]", "[-1]")),
    Row("a float beyond 64 bits as an int", MALFORMED, "3301", PLAIN, ["1e+300", "int64"], source=FUNCTION, files=tensor_call("i64[1]", "[1e300]")),
    Row("2**63 as an int of 64 bits", MALFORMED, "3301", PLAIN, ["9223372036854775808", "int64"], source=FUNCTION, files=tensor_call("i64[1]", "[9223372036854775808]")),
    Row("a fraction as an int", MALFORMED, "3301", PLAIN, ["1.5", "int32"], source=FUNCTION, files=tensor_call("i32[1]", "[1.5]")),
    Row("nan as an int", MALFORMED, "3301", PLAIN, ["nan", "int64"], source=FUNCTION, files=tensor_call("i64[1]", '[{"$float": "nan"}]')),
    Row("2 as a bool", MALFORMED, "3301", PLAIN, ["2", "bool"], source=FUNCTION, files=tensor_call("bool[1]", "[2]")),
    Row("a finite number that f16 makes infinite", MALFORMED, "3301", PLAIN, ["70000", "float16"], source=FUNCTION, files=tensor_call("f16[1]", "[70000]")),
    *[Row(f"an unknown key beside {what}", MALFORMED, "3301", PLAIN, ["args[0]", f"'{key}' is none of {what}"], source=FUNCTION, files={"call.json": f'{{"args": [{text}]}}'})
      for what, key, text in (
          ("$tensor", "sead", '{"$tensor": "f32[2]", "sead": 1}'), ("$tensor", "name", '{"$tensor": "f32[2]", "name": "x"}'),
          ("$tensor", "seed", '{"$tensor": "x.safetensors", "seed": 1}'), ("$tensor", "seed", '{"$tensor": "f32[1]", "values": [1], "seed": 1}'),
          ("$tuple", "name", '{"$tuple": [1], "name": "x"}'), ("$dict", "x", '{"$dict": [], "x": 1}'), ("$float", "x", '{"$float": "nan", "x": 1}'))],
    Row("a frozenset that is no argument of the class", MALFORMED, "3301", PLAIN, ["args[0]", "$frozenset is for arguments of the class"], source=FUNCTION, files={"call.json": '{"args": [{"$frozenset": [1]}]}'}),
    Row("gradients of ints", MALFORMED, "3301", PLAIN, ["args[0]", "int64", "gradients"], source=FUNCTION, files={"call.json": '{"args": [{"$tensor": "i64[2]", "requires_grad": true}]}'}),
    Row("a float that is none", MALFORMED, "3301", PLAIN, ["args[0]", "1.5x"], source=FUNCTION, files={"call.json": '{"args": [{"$float": "1.5x"}]}'}),
    Row("results over their own tensors", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--save", "out.safetensors"], ["--save", "out.safetensors"], source=FUNCTION),
    Row("missing example", UNREADABLE, "3001", ["run", "m.pyc", "--example", "nope.json", "--save", "out.json"], ["nope.json"], source=FUNCTION),
    Row("results over a folder", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--save", "."], ["--save", "folder"], source=FUNCTION),
    Row("a limit out of range", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-choices", "65", "--save", "out.json"], ["--max-choices", "64"], source=FUNCTION),
    Row("steps below one", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-steps", "-1"], ["--max-steps", "'-1' is no whole number of at least 1"], source=FUNCTION),
    Row("no depth", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-depth", "0"], ["--max-depth", "'0' is no whole number"], source=FUNCTION),
    Row("objects below one", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-objects", "-5"], ["--max-objects", "'-5' is no whole number"], source=FUNCTION),
    Row("passes below one", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-unroll", "0"], ["--max-unroll", "'0' is no whole number"], source=FUNCTION),
    Row("operations below one", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--max-ops", "-1"], ["--max-ops", "'-1' is no whole number"], source=FUNCTION),
    Row("a later phase of code", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--from", "fuse", "--to", "fuse"], ["--from fuse needs IR", "m.pyc"], source=FUNCTION),
    Row("phases in the wrong order", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--from", "fuse", "--to", "capture"], ["--to capture", "--from fuse"], source=FUNCTION),
    Row("arguments of a class for a function", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--init", '{"size": 4}', "--save", "out.json"], ["'entry' is no class"], source=FUNCTION),
    Row("weights for a function", USAGE, "2001", RUN, ["'entry' is no torch.nn.Module"], source=FUNCTION),
    Row("arguments of plain Python", USAGE, "2001", ["run", "m.pyc", "--python", "--input", "x=f32[3]"], ["--input", "--python"], source=FUNCTION),
    Row("missing tensor file", UNREADABLE, "3001", PLAIN, ["gone.safetensors"], source=FUNCTION, files={"call.json": '{"args": [{"$tensor": "gone.safetensors", "name": "x"}]}'}),
    Row("name not in the tensor file", MALFORMED, r"33\d\d|32\d\d", PLAIN, ["yy", "x"], source=FUNCTION, files={"call.json": '{"args": [{"$tensor": "x.safetensors", "name": "yy"}]}'}),
    Row("tensor file malformed", MALFORMED, "3220", PLAIN, ["bad.safetensors"], source=FUNCTION, files={"bad.safetensors": b"\xff" * 32, "call.json": '{"args": [{"$tensor": "bad.safetensors", "name": "x"}]}'}),
    Row("weight missing", MALFORMED, "3310", RUN, ["lin.bias"], weights={"lin.weight": torch.ones(2, 3)}),
    Row("weight too many", MALFORMED, "3312", RUN, ["other.weight"], weights={"lin.weight": torch.ones(2, 3), "lin.bias": torch.ones(2), "other.weight": torch.ones(1)}),
    Row("weight of another shape", MALFORMED, "3311", RUN, ["lin.weight"], weights={"lin.weight": torch.ones(3, 3), "lin.bias": torch.ones(2)}),
    Row("weight of another type", MALFORMED, "3311", RUN, ["lin.bias"], weights={"lin.weight": torch.ones(2, 3), "lin.bias": torch.ones(2, dtype=torch.int64)}),
    Row("weights whose names have a prefix", MALFORMED, "3312", RUN, ["no parameter or buffer named 'module.lin.bias'", "note: 'module.' stands in front of 2 names of the weights", "removeprefix('module.')"], weights={"module.lin.weight": torch.ones(2, 3), "module.lin.bias": torch.ones(2)}, says_not=["lin.weight"]),
    Row("weights whose names lack a prefix", MALFORMED, "3310", RUN, ["note: 'lin.' stands in front of 2 names of the program", "{'lin.' + name"], weights={"weight": torch.ones(2, 3), "bias": torch.ones(2)}),
    Row("weights with a prefix and others", MALFORMED, "3312", RUN, ["'module.lin.bias'", "'other'", "'lin.bias'"], weights={"module.lin.weight": torch.ones(2, 3), "module.lin.bias": torch.ones(2), "other": torch.ones(2)}, says_not=["in front of"]),
    Row("a checkpoint that was cut short", MALFORMED, "3230", ["run", "m.pyc", "--weights", "w.pt", "--example", "call.json"], ["it was cut short"], files={"w.pt": checkpoint()[:700]}),
    Row("a checkpoint of the old format", MALFORMED, "3230", ["run", "m.pyc", "--weights", "w.pt", "--example", "call.json"], ["the old format of torch.save", "hint: save it anew: torch.save(torch.load('w.pt'"], files={"w.pt": checkpoint(_use_new_zipfile_serialization=False)}),
    Row("a checkpoint that is text", MALFORMED, "3230", ["run", "m.pyc", "--weights", "w.pt", "--example", "call.json"], ["it is not a zip archive"], files={"w.pt": "text"}),
    Row("weights unreadable", UNREADABLE, "3001", ["run", "m.pyc", "--weights", "gone.safetensors", "--example", "call.json", "--save", "out.json"], ["gone.safetensors"]),
    Row("weights malformed", MALFORMED, "3220", ["run", "m.pyc", "--weights", "bad.safetensors", "--example", "call.json", "--save", "out.json"], ["bad.safetensors"], files={"bad.safetensors": b"\x08\0\0\0\0\0\0\0notjson!"}),
    Row("unsupported operation", COMPILE, "1001", PLAIN, ["m.py:5:", "geqrf", "hint:"], source=with_source("    return torch.geqrf(x.view(1, 3))\n")),
    Row("unresolvable module", COMPILE, "1013", PLAIN, ["m.py:", "no_such_lib", "hint:"], source="import no_such_lib\n\n\ndef entry(x):\n    return x + no_such_lib.value\n"),
    Row("two refusals in one run", COMPILE, "1001", PLAIN, ["m.py:5:", "m.py:6:"], source=with_source("    a = torch.geqrf(x.view(1, 3))\n    b = torch.ormqr(x.view(3, 1), x[:1], x.view(3, 1))\n    return x\n")),
    Row("an object with __del__", COMPILE, "1050", PLAIN, ["m.py:8:", "A, has a __del__"], source=with_source("    class A:\n        def __del__(self):\n            print('gone')\n    A()\n    return x\n")),
    Row("a loop that does not close", COMPILE, "1009", PLAIN, ["m.py:6:", "hint:"], source=with_source("    t = ()\n    while x.sum() < 90:\n        t = (t, x)\n        x = x + 1\n    return t\n")),
    Row("npy malformed", MALFORMED, "3210", ["run", "m.pyc", "--input", "x=@bad.npy", "--save", "out.json"], ["bad.npy"], source=FUNCTION, files={"bad.npy": b"\x93NUMPY\x01\x00\x04\x00{'x}"}),
    Row("a growing tuple as a key", COMPILE, "1006", PLAIN, ["m.py:9:12"], source=with_source(GROWS + "    return {tuple(out): x}\n")),
    Row("every other element of a growing list is written", COMPILE, "1016", PLAIN, ["m.py:9:5"], source=with_source(GROWS + "    out[::2] = [x]\n    return out\n")),
    Row("every other element of a growing list is deleted", COMPILE, "1016", PLAIN, ["m.py:9:9"], source=with_source(GROWS + "    del out[::2]\n    return out\n")),
    Row("an element of another rank", COMPILE, "1007", PLAIN, ["m.py:9:5"], source=with_source(GROWS + "    out.append(x[None])\n    return out\n")),
    Row("a generator dropped in a try", COMPILE, "1050", PLAIN, ["m.py:4", "dropped while it is suspended"], source=DROPS % "i == 1"),
    Row("a generator dropped in a try, maybe", COMPILE, "1050", PLAIN, ["m.py:4", "dropped while it is suspended"], source=DROPS % "x.sum() > i"),
    Row("keys of a dict replaced while it is walked", COMPILE, "1050", PLAIN, ["m.py:7:", "keys were taken"], source=with_source("    d = {1: 1, 2: 2}\n    out = []\n    for k in d:\n        out.append(k)\n        d[k + 2] = d.pop(k)\n    return out\n")),
    Row("the last key put back while it is walked", COMPILE, "1050", PLAIN, ["m.py:6:", "keys were taken"], source=with_source("    d = {1: 1}\n    for k, v in d.items():\n        d[k] = d.pop(k)\n    return d\n")),
    *[Row(f"{what} would be replaced", USAGE, "2001", args, [f"'{name}' would be written and was read"], files={"x.json": '{"args": [{"$tensor": "f32[3]"}]}'}, source=FUNCTION)
      for what, name, args in (("the bytecode", "./m.pyc", ["compile", "m.pyc", "--input", "x=f32[3]", "-o", "./m.pyc"]),
                               ("the example", "x.json", ["compile", "m.pyc", "--example", "x.json", "-o", "libm.so", "--header", "x.json"]),
                               ("the bytecode by the depfile", "m.pyc", ["compile", "m.pyc", "--input", "x=f32[3]", "-o", "libm.so", "-MF", "m.pyc"]),
                               ("the bytecode by results", "m.pyc", ["run", "m.pyc", "--input", "x=f32[3]", "--save", "m.pyc"]),
                               ("the bytecode by its listing", "m.pyc", ["dis", "m.pyc", "-o", "m.pyc"]))],
    Row("a range of a run-time number returned", COMPILE, "1050", PLAIN, ["m.py:", "a range of run-time numbers in a result"], source=with_source("    return range(int(x.sum().item()))\n")),
    Row("refused again with its ints as constants", COMPILE, "1050", ["run", "m.pyc", "--input", "x=f32[3]", "--input", "k=3", "--save", "out.json"], ["m.py:", "a range of run-time numbers in a result"], source="def entry(x, k):\n    return range(k + int(x.sum().item()))\n"),
    *[Row(f"{what} returned", COMPILE, "1050", PLAIN, [f"m.py:{line}:", f"a result that holds a {name} is", f"hint: return `{instead}`"], source=with_source(source))
      for what, name, instead, line, source in (
          ("an array", "ndarray", "torch.from_numpy(a)", 5, "    a = x.numpy() * 2\n    return x, {'a': [a]}\n"),
          ("an array on one side", "ndarray", "torch.from_numpy(a)", 6, "    if x.sum() > 0:\n        return x.numpy()\n    return x\n"),
          ("a scalar of numpy", "float32", "float(s)", 5, "    s = x.numpy().max()\n    return x, s\n"),
          ("a scalar of numpy that is a float", "float64", "float(s)", 4, "    import numpy as np\n    return np.float64(2.5), x\n"),
          ("a scalar of numpy as a key", "int64", "int(s)", 4, "    import numpy as np\n    return {np.int64(3): x}\n"),
          ("a truth value of numpy", "bool", "bool(s)", 5, "    return [x.numpy().max() > 0]\n"),
          ("a type of numpy", "Float32DType", "str(d)", 4, "    return x.numpy().dtype\n"),
          ("a deque", "deque", "list(q)", 4, "    from collections import deque\n    return deque([x])\n"),
          ("keys of a dict", "dict_keys", "list(v)", 4, "    return {'a': x}.keys()\n"),
          ("values of a dict", "dict_values", "list(v)", 4, "    return x, {'a': x}.values()\n"),
          ("items of a dict", "dict_items", "list(v)", 4, "    return [{'a': x}.items()]\n"),
          ("a bytearray", "bytearray", "bytes(b)", 4, "    return x, bytearray(b'a')\n"),
          ("a memoryview", "memoryview", "bytes(m)", 4, "    return x, memoryview(b'a')\n"),
          ("a read-only dict", "mappingproxy", "dict(m)", 4, "    import types\n    return types.MappingProxyType({'a': x})\n"),
          ("an iterator", "list_iterator", "list(v)", 4, "    return x, iter([1])\n"),
          ("a generator", "generator", "list(v)", 4, "    return (x + n for n in range(2))\n"))],
    *[Row(f"an attribute beside the items of a {what}", COMPILE, "1050", PLAIN, ["m.py:", f"a result that holds a D with the attribute '{name}' beside its items is", f"hint: return `(v, v.{name})` of a D `v`, or make it an item"],
          source=f"from typing import NamedTuple\n\n\nclass D({base}):\n    pass\n\n\ndef entry(x):\n" + source)
      for what, name, base, source in (
          ("dict", "extra", "dict", "    d = D(a=x)\n    d.extra = x + 1\n    return d\n"),
          ("dict, other than its item", "a", "dict", "    d = D(a=x)\n    d.a = x + 1\n    return d\n"),
          ("dict, its item on one side", "a", "dict", "    d = D(a=x)\n    d.a = x\n    if x.sum() > 0:\n        d['a'] = x + 1\n    return d\n"),
          ("list", "extra", "list", "    d = D([x])\n    if x.sum() > 100:\n        d.extra = x\n    return {'a': [d]}\n"),
          ("set", "extra", "set", "    d = D([1])\n    d.extra = 2\n    return x, d\n"),
          ("list, None", "extra", "list", "    d = D([x])\n    d.extra = None\n    return d\n"),
          ("tuple", "extra", "tuple", "    d = D([x])\n    d.extra = 2\n    return {'a': d}\n"),
          ("named tuple", "extra", "NamedTuple('P', [('a', int)])", "    d = D(x)\n    d.extra = x\n    return d\n"))],
    *[Row(f"an attribute beside the value of {what}", COMPILE, "1050", PLAIN, ["m.py:", "a result that holds a D with the attribute 'extra' beside its value is", "hint: return `(v, v.extra)` of a D `v`"],
          source=f"class D({base}):\n    pass\n\n\ndef entry(x):\n    d = D({given})\n    d.extra = x\n    return [d]\n")
      for what, base, given in (("a str", "str", "'a'"), ("an int", "int", "3"), ("a float", "float", "1.5"))],
    *[Row(f"attributes in another order on each side, {what}", COMPILE, "1050", PLAIN, ["m.py:", "a result that holds a C whose attributes were set in another order on another path that data decides", "hint: set them in one order"],
          source="class C:\n    pass\n\n\ndef entry(x):\n    c = C()\n    if x.sum() > 0:\n        c.a, c.b = x, 1\n    else:\n        c.b, c.a = 2, x\n    return " + result + "\n")
      for what, result in (("an object", "c"), ("its vars", "vars(c)"), ("its __dict__", "[c.__dict__]"))],
    *[Row(f"{what}", COMPILE, "1002", PLAIN, ["m.py:", says], source=with_source(source))
      for what, says, source in (
          ("bytes seen as truth values", "compare them with 0", "    return x.to(torch.uint8).view(torch.bool).sum()\n"),
          ("floats seen as truth values", "compare them with 0", "    return x.view(torch.bool)\n"),
          ("bytes written to truth values", "other bytes than 0 and 1 may be written to truth values", "    b = x > 0\n    b.view(torch.uint8).fill_(2)\n    return b.sum()\n"))],
    Row("a slice of a run-time number returned", COMPILE, "1050", PLAIN, ["m.py:", "a slice of run-time numbers in a result"], source=with_source("    return [slice(int(x.sum().item()))]\n")),
    Row("a member that a layer has in PyTorch", COMPILE, "1001", PLAIN, ["m.py:5:", "torch.nn.Module.set_submodule"], source=with_source("    return torch.nn.ReLU().set_submodule('a', x)\n")),
    Row("a member that a generator has in PyTorch", COMPILE, "1001", PLAIN, ["m.py:5:", "torch.Generator.get_state"], source=with_source("    return torch.Generator().get_state()\n")),
    Row("a name of a module of Python", COMPILE, "1001", PLAIN, ["m.py:6:", "enum.show_flag_values"], source=with_source("    import enum\n    return enum.show_flag_values(3)\n")),
    Row("a set of undecided length", COMPILE, "1050", PLAIN, ["m.py:9:16", "elements that data decides"], source=with_source("    out = [0]\n    if x.sum() > 0:\n        out.append(int(x[0]))\n    z = 0\n    return len(set(out))\n")),
    Row("one number that may be NaN, compared in tuples, noticed", COMPILE, "1050", PLAIN, ["m.py:6:16", "holds NaN"], source=with_source("    try:\n        return (x[0].item(), 1) < (x[0].item(), 2)\n    except Exception:\n        return x\n")),
    Row("one number that is NaN, compared in tuples", RAISED, "7003", PLAIN[:-2], ["m.py:5:", "holds NaN, which compiled programs do not compute"], source=with_source("    return (x[0].item(), 1) < (x[0].item(), 2)\n"), files=tensor_call("f32[1]", '[{"$float": "nan"}]')),
    Row("a number that is negative, to a fractional power", RAISED, "7003", PLAIN[:-2], ["m.py:5:", "NotImplementedError: a negative number to a fractional power is complex"], source=with_source("    return x[0].item() ** 0.5\n"), files=tensor_call("f32[1]", "[-2]")),
    Row("offset of a view that a loop chooses", COMPILE, "1001", PLAIN, ["m.py:9:12"], source=with_source("    y = x[:1]\n    while x.sum() < 90:\n        x = x * 2\n        y = x[1:] if x.max() > 1 else x[2:]\n    return y.storage_offset()\n")),
    *[Row(f"a result of __{name}__ of two types", COMPILE, "1050", PLAIN, ["m.py:11:12", "a result of __init__, __bool__ or __len__ whose type the run decides"],
          source="class K:\n    def __init__(self, x):\n        self.x = x\n    def __%s__(self):\n        return %s if self.x[0] > 0 else True\n\n\ndef entry(x):\n    if x[1] > 100:\n        return 8\n    return 1 if K(x) else 0\n" % (name, one))
      for name, one in (("len", "2"), ("bool", "5"))],
    Row("a size that follows from a copy on a device by name", COMPILE, "1002", PLAIN, ["m.py:6:15", "must be known"],
        source=with_source("    k = int(torch.ones(3).to(device=x.device, dtype=torch.int64).sum())\n    a, b, c = x[:k].unbind(0)\n    return a + b * c\n")),
    Row("writing to elements that lie in one place", COMPILE, "1002", PLAIN, ["m.py:6:5", "overlap"], source=with_source("    y = x.clone().unfold(0, 2, 1)\n    y.mul_(2)\n    return y\n")),
    Row("an argument changes its shape", COMPILE, "1002", PLAIN, ["m.py:5:5", "shape"], source=with_source("    x.unsqueeze_(0)\n    return x\n")),
    Row("out= of a list that grew", COMPILE, "1002", PLAIN, ["m.py:9:12", "'out'"], source=with_source(GROWS + "    return torch.cat(out, out=x)\n")),
    Row("complex and a run-time number", COMPILE, "1050", PLAIN, ["m.py:5:12", "complex"], source=with_source("    return x[0].item() * 1j\n")),
    Row("complex equals a run-time number", COMPILE, "1050", PLAIN, ["m.py:5:12", "complex"], source=with_source("    return x[0].item() == 1j\n")),
    Row("an element of another layout", COMPILE, "1007", PLAIN, ["m.py:9:5"], source=with_source(GROWS + "    out.append(torch.stack([x, x], 1)[:, 0])\n    return out\n")),
    Row("an element of another kind", COMPILE, "1007", PLAIN, ["m.py:9:5"], source=with_source(GROWS + "    out.append(3)\n    return out\n")),
    Row("a list of tensors and numbers", COMPILE, "1008", PLAIN, ["m.py:5:12"], source=with_source("    return torch.cat([x, 1])\n")),
    Row("state that does not close", COMPILE, "1010", PLAIN, ["m.py:4:1", "from call to call: global 'log'\n"], source="import torch\nlog = ()\n\ndef entry(x):\n    global log\n    log = (log, 1)\n    return x\n"),
    Row("sizes beyond 64 bits", COMPILE, "1012", SIZED, ["m.py:6:8", "2305843009213693952*B"], source=with_source("    n = x.shape[0] * 2 ** 61\n    if n > x.numel() + 2 ** 62:\n        return x\n    return -x\n")),
    Row("a declared size narrowed", COMPILE, "1401", [*SIZED, "--no-explore"], ["m.py:5:8", "x.shape[0] <= 5", "size B", "--allow-narrowing"], source=with_source("    if x.shape[0] > 5:\n        return x\n    return -x\n")),
    Row("passes exceeded", LIMIT, "5003", [*PLAIN, "--max-unroll", "10"], ["m.py:6:5", "more than 10 passes"], source=with_source("    h = x\n    for i in range(100):\n        h = (h, x + i)\n    return h[1]\n")),
    Row("decisions nested too deep", LIMIT, "5004", PLAIN, ["m.py:4005:8"], source=with_source("".join(f"    if x[0] > {i}:\n        return x + {i}\n" for i in range(2100)) + "    return x\n")),
    Row("operations exceeded", LIMIT, "5010", [*PLAIN, "--max-ops", "100"], ["m.py:", "more than 100 operations"], source=with_source("    while x.sum() > 0:\n        x = x + 1\n    return x\n")),
    Row("an int of run time beyond 64 bits", LIMIT, "7002", PLAIN, ["m.py:7:13"], source=with_source("    n = int(x[1].item())\n    for i in range(8):\n        n = n * n\n    return x * n\n")),
    Row("a product with an int argument beyond 64 bits", LIMIT, "7002", [*PLAIN[:-2], "--call", "big.json", "--save", "out.json"], ["m.py:5:"], source="import torch\n\n\ndef entry(x, n):\n    return x + n * 3\n", files={"call.json": '{"args": [{"$tensor": "f32[1]"}, 3]}', "big.json": '{"args": [{"$tensor": "f32[1]"}, 4611686018427387904]}'}),
    Row("an operation that is not evaluated", COMPILE, "7004", PLAIN, ["m.py:6:12", "aten.scaled_dot_product_attention"], source=with_source("    q = x.view(1, 1, 3, 1)\n    return torch.nn.functional.scaled_dot_product_attention(q, q, q, dropout_p=0.5)\n")),
    Row("a string of run time as a key", COMPILE, "1050", PLAIN, ["m.py:6:16"], source=with_source('    d = {"6.0": 1}\n    return x * d[str(x.sum().item())]\n')),
    Row("builtins that need a host", COMPILE, "1050", PLAIN, ["m.py:6:9", "'exec'", "m.py:7:14", "'open'", "'eval'", "3 things"], source=with_source("    try:\n        exec('y = 1')\n        with open('f') as f:\n            return x * eval('3')\n    except NameError:\n        return x\n")),
    Row("a builtin by the module's attribute", COMPILE, "1050", PLAIN, ["m.py:7:12", "'compile'"], source="import torch\nimport builtins\nfrom builtins import compile as make\n\n\ndef entry(x):\n    return make('x', 'f', 'eval')\n"),
    Row("a write to elements that overlap", COMPILE, "1002", ["run", "m.pyc", "--example", "call.json", "--save", "out.json"], ["m.py:5:5", "memory that may overlap"], source=with_source("    x[0].add_(1)\n    return x.sum()\n"), files=tensor_call("f32[3,4]", [1, 2, 3, 4] * 3, [0, 1])),
    Row("a write to elements that the program has put at one place", COMPILE, "1002", PLAIN, ["m.py:6:5", "m.py:7:5", "memory that may overlap"], source=with_source("    y = torch.empty_strided((int(x[0]), 2), (0, 1))\n    y.fill_(1)\n    y[0] += 1\n    return y\n")),
    Row("a write to elements that overlap in part", COMPILE, "1002", ["run", "m.pyc", "--example", "call.json", "--save", "out.json"], ["m.py:5:5", "memory that may overlap"], source=with_source("    x += 1\n    return x\n"), files=tensor_call("f32[3,4]", [1, 2, 3, 4, 3, 4, 5, 6, 5, 6, 7, 8], [2, 1])),
    Row("the offset behind an unusual stride", COMPILE, "1001", ["run", "m.pyc", "--example", "call.json", "--save", "out.json"], ["m.py:5:12", "storage_offset()", "unusual stride"], source=with_source("    return x[1:].storage_offset()\n"), files=tensor_call("f32[1,4]", [1, 2, 3, 4], [9, 1])),
    Row("a result's strides beside an unusual one", COMPILE, "1001", ["run", "m.pyc", "--example", "call.json", "--save", "out.json"], ["m.py:6:12", "stride() of a result", "unusual stride"], source=with_source("    y = x.sum(0, keepdim=True).expand_as(x) + x.t().t()\n    return y.stride()\n"), files=tensor_call("f32[4,1]", [1, 2, 3, 4], [1, 7])),
    Row("a time zone", COMPILE, "1050", PLAIN, ["m.py:6:16", "'time.localtime'", "no calendar"], source="import torch\nimport time\n\n\ndef entry(x):\n    return x * time.localtime().tm_hour\n"),
    Row("a draw of Python's generator", COMPILE, "1001", PLAIN, ["m.py:7:20", "without a seed"], source="import torch\nimport random\n\n\ndef entry(x):\n    try:\n        return x * random.random()\n    except Exception:\n        return x\n"),
    *(Row(f"library of Python: {told}", COMPILE, "1001", PLAIN, ["m.py:3:", told], source=f"import argparse, codecs, hashlib, random, struct\n\n{line}\n\n\ndef entry(x):\n    return x\n")
      for told, line in (("a digest of more than 64 KiB", "hashlib.sha256(b'x' * 65537)"),
                         ("words of more than 32 bits", "random.seed(1); random.setstate((3, (2**32,) * 624 + (1,), None))"),
                         ("options of one letter with '='", "p = argparse.ArgumentParser(); p.add_argument('-n'); p.add_argument('-v', action='count'); p.parse_args(['-vn=4'])"),
                         ("values that do not fit together", "argparse.ArgumentParser().add_argument_group().add_argument('-x', nargs='z')"),
                         ("of what is no known text", "codecs.encode(b'a')"),
                         ("struct.unpack() of a C", "C = type('C', (), {}); struct.unpack('<i', C())"))),
    Row("an exception of a module that is not found", COMPILE, "1013", PLAIN, ["m.py:7:9", "no_such_lib.Wrong"], source="import torch\nimport no_such_lib\n\n\ndef entry(x):\n    if x.dim() == 1:\n        raise no_such_lib.Wrong\n    return x\n"),
    Row("a context of a module that is not found", COMPILE, "1013", PLAIN, ["m.py:6:10", "no_such_lib.mode()"], source="import torch\nimport no_such_lib\n\n\ndef entry(x):\n    with no_such_lib.mode():\n        return x + 1\n"),
    Row("template compared", COMPILE, "1014", PLAIN, ["m.py:5:"], source=with_source('    if f"{x.sum().item()}" == "6.0":\n        return x\n    return -x\n')),
    Row("a call with a list that grew", COMPILE, "1050", PLAIN, ["m.py:9:12", "grew"], source=with_source("    out = []\n    while x.sum() < 90:\n        x = x * 2\n        out.append(x)\n    return max(*out)\n")),
    Row("unpacking a list that grew", COMPILE, "1015", PLAIN, ["m.py:9:5", "whose length the run decides"], source=with_source("    out = []\n    while x.sum() < 90:\n        x = x * 2\n        out.append(x)\n    a, *b = out\n    return b\n")),
    Row("a module given to what is not found", COMPILE, "1017", PLAIN, ["m.py:8:9", "no_such_lib.patch", "hint:", "-I"], source="import torch\nimport no_such_lib\n\n\nclass Entry(torch.nn.Module):\n    def __init__(self):\n        super().__init__(); self.l = torch.nn.Linear(3, 3)\n        no_such_lib.patch(self.l)\n\n    def forward(self, x):\n        return self.l(x)\n"),
    Row("a base that is not found", COMPILE, "1013", PLAIN, ["m.py:5:1", "no_such_lib.Mixin", "-I"], source="import torch.nn as nn\nfrom no_such_lib import Mixin\n\n\nclass Net(Mixin, nn.Module):\n    def forward(self, x):\n        return x * 2\n"),
    Row("a tensor given to what is not found", COMPILE, "1017", PLAIN, ["m.py:5:5", "no_such_lib.scale_"], source="import no_such_lib\n\n\ndef entry(x):\n    no_such_lib.scale_(x)\n    return x + 1\n"),
    Row("a layer given to what torch has and ptc has not", COMPILE, "1001", PLAIN, ["m.py:8:9", "torch.nn.utils.prune.l1_unstructured"], source="import torch\nimport torch.nn.utils.prune as prune\n\n\nclass Entry(torch.nn.Module):\n    def __init__(self):\n        super().__init__(); self.l = torch.nn.Linear(3, 3)\n        prune.l1_unstructured(self.l, 'weight', 0.5)\n\n    def forward(self, x):\n        return self.l(x)\n"),
    Row("a size that random numbers decide at import", COMPILE, "1050", PLAIN, ["m.py:3:5", "whose size the run decides"], source="import torch\nn = int(torch.randint(3, 5, ()))\nk = torch.zeros(n)\n\n\ndef entry(x):\n    return x + k.sum()\n"),
    Row("two refusals, all of them counted", COMPILE, "1003", PLAIN, ["m.py:6:", "[PTC1002]", "m.py:7:", "2 things were refused", "to the program's end [PTC1090]"], source=with_source("    n = int(x.sum().item())\n    a = x * (n + 2 ** 70)\n    b = torch.view_as_complex(torch.stack([x, x], -1))[0].item()\n    return torch.relu(a), b\n")),
    Row("a power that may be complex, noticed", COMPILE, "1004", PLAIN, ["m.py:7:20", "hint: math.pow(x, y)"], source=with_source("    a = x.sum().item()\n    try:\n        return x * a ** (x[0].item() / 2)\n    except Exception:\n        return x\n")),
    Row("a root that may be complex, noticed", COMPILE, "1004", PLAIN, ["m.py:7:20", "hint: math.sqrt(x)"], source=with_source("    a = x.sum().item()\n    try:\n        return x * a ** 0.5\n    except Exception:\n        return x\n")),
    Row("a cache that grows with every call", COMPILE, "1010", PLAIN, ["m.py:6:22: note: what kept changing from call to call: contents of a list, in global 'cache'"], source="import torch\ncache = []\n\ndef entry(x):\n    y = x * 2\n    cache.append((y, len(cache), y.dtype))\n    return torch.stack([c for c, n, t in cache])\n"),
    Row("an attribute made anew with every call", COMPILE, "1010", PLAIN, ["note: what kept changing from call to call: an object that is made anew, in attribute 'last' of a Entry"], source="import torch\n\n\nclass Entry(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.last = None\n\n    def forward(self, x):\n        self.last = [self.last, x]\n        return x\n"),
    Row("a list of a layer that grows with every call", COMPILE, "1010", PLAIN, ["contents of a list, in attribute 'seen' of a Linear"], source="import torch\n\n\nclass Entry(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.inner = torch.nn.Linear(2, 2)\n        self.inner.seen = [1]\n\n    def forward(self, x):\n        self.inner.seen.append([self.inner.seen[-1]])\n        return x\n"),
    Row("one of several texts in every call", RAISED, "7003", ["compile", "m.pyc", "--input", "x=f32[3]", "-o", "out.json"], ["every call ends in ValueError: low or high"], source=with_source("    raise ValueError('high' if x.sum() > 0 else 'low')\n")),
    Row("an element of a growing list written", COMPILE, "1005", PLAIN, ["m.py:9:9"], source=with_source("    out = []\n    while x.sum() < 90:\n        x = x * 2\n        out.append(x)\n        x.add_(1)\n    return out\n")),
    Row("views and others in a growing list that is returned", COMPILE, "1015", PLAIN, ["m.py:9:", "clone", "share memory"], source=with_source("    y = x[x > 0]\n    out = []\n    for i in range(len(y)):\n        out.append(y[i])\n        out.append(y[i] * 2)\n    return out\n")),
    Row("steps exceeded", LIMIT, "5002", [*PLAIN, "--max-steps", "1000"], ["m.py:", "--max-steps"], source=with_source("    n = 0\n    while n < 10000000:\n        n += 1\n    return x * n\n")),
    Row("steps exceeded by decisions that multiply", LIMIT, "5002", [*PLAIN, "--max-steps", "4000000"], ["m.py:", "--max-steps"], source="import torch\nfrom itertools import groupby\n\n\ndef entry(x):\n    return ''.join('a' for k, _ in groupby(x.tolist()) if k)\n"),
    Row("depth exceeded", LIMIT, r"5\d\d\d", [*PLAIN, "--entry", "entry", "--max-depth", "50"], ["m.py:", "--max-depth"], source=DOWN + "def entry(x):\n    try:\n        return down(x, 0)\n    except RecursionError:\n        return x\n"),
    Row("depth exceeded by generators", LIMIT, "5005", [*PLAIN, "--entry", "entry", "--max-depth", "50"], ["m.py:", "--max-depth"], source="def down(n):\n    yield from down(n + 1)\n\n\ndef entry(x):\n    return x, list(down(0))\n"),
    Row("depth exceeded by containers", LIMIT, "5005", [*PLAIN, "--max-depth", "50"], ["m.py:", "--max-depth"], source=with_source("    a = []\n    for _ in range(60):\n        a = [a]\n    return x, repr(a)\n")),
    Row("a result that is nested too deep", LIMIT, "5007", PLAIN, ["m.py:4:1", "1000 deep"], source=with_source("    a = x\n    for _ in range(1100):\n        a = (a,)\n    return a\n")),
    Row("alternatives that are nested too deep", LIMIT, "5007", PLAIN, ["m.py:8:8", "1000 deep"], source=with_source("    a = b = ()\n    for _ in range(1100):\n        a, b = (a, 1), (b, 2)\n    if x.sum() > 0:\n        a = b\n    return x, len(a)\n")),
    Row("objects exceeded", LIMIT, "5006", [*PLAIN, "--max-objects", "5000"], ["m.py:", "--max-objects"], source=with_source("    made = []\n    while len(made) < 1000000:\n        made.append([])\n    return x\n")),
    Row("a part of a library", UNREADABLE, "3001", ["run", "m.so", "--input", "x=f32[3]"], ["m.so", "a part of one", "`ptc compile`"], files={"m.so": OTHER_LIBRARY[:2000]}),
    Row("no library", UNREADABLE, "3001", ["run", "m.so", "--input", "x=f32[3]"], ["m.so", "no shared library"], files={"m.so": "text"}),
    Row("another's library", UNREADABLE, "3001", ["run", "m.so.6", "--input", "x=f32[3]"], ["no library that ptc made", "`ptc compile`"], files={"m.so.6": OTHER_LIBRARY}),
    Row("unknown option", USAGE, "2001", ["run", "m.pyc", "--no-such-option"], ["--no-such-option"]),
    Row("unknown verb", USAGE, "2001", ["frobnicate", "m.pyc"], ["frobnicate", "inspect-graph"]),
    Row("unknown format", USAGE, "2001", ["inspect-graph", "m.pyc", "--example", "call.json", "--format=poem"], ["poem", "mlir"], source=FUNCTION),
    Row("results and tensors not written", NOT_WRITTEN, "4001", ["run", "m.pyc", "--example", "call.json", "--save", "no/such/folder/out.jsonl"], ["cannot write 'no/such/folder/out.jsonl'"], source=FUNCTION),
    Row("a miss behind an exception", NO_VARIANT, "7001", ["run", "m.pyc", "--example", "call.json", "--call", "calls.jsonl"], ["[PTC7003]", "x.shape[0] is 4", "x.shape[0] is 5"], source=with_source("    if x.sum() < 0:\n        raise ValueError('low')\n    return x.sum() if len(x) == 3 else x\n"), files={"calls.jsonl": "".join('{"args": [{"$tensor": "f32[%d]", "values": %s}]}\n' % (len(v), v) for v in ([-1, -2, -3], [1, 1, 1, 1], [1] * 5))}),
    *[Row(f"{what} as the entry", COMPILE, "1013", ["run", "m.pyc", "--entry", "model", "--input", "x=f32[3]", "--save", "out.json"], ["nowhere", place, "-I"], source=source)
      for what, place, source in (("an instance of what is not found", "m.py:2:9: error", "from nowhere import Net\nmodel = Net().eval()\n"), ("a class that is not found", "m.py:1:1: note: imported here", "from nowhere import Net as model\n"),
                                  ("a method of what is not found", "m.py:2:9: error", "import nowhere\nmodel = nowhere.make().forward\n"), ("a module that is not found", "m.py:1:1: note: imported here", "import nowhere as model\n"))],
    Row("None as the entry", USAGE, "2001", [*PLAIN, "--entry", "model"], ["its type is NoneType"], source=FUNCTION + "\n\nmodel = None\n"),
    Row("a mode for a function", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--eval", "--save", "out.json"], ["a mode is given, and 'entry' is no torch.nn.Module"], source=FUNCTION),
    Row("both modes", USAGE, "2001", ["run", "m.pyc", "--input", "x=f32[3]", "--eval", "--train", "--save", "out.json"], ["--eval", "--train"], source=FUNCTION),
    Row("an option without its value", USAGE, "2001", ["compile", "m.pyc", "--input", "x=f32[3]", "--gpu=", "-o", "libm.so"], ["'--gpu=' has no value"], source=FUNCTION),
    Row("forty equal refusals", COMPILE, "1001", PLAIN, ["m.py:5:", "the same at 39 more places: m.py:6, m.py:7, m.py:8, m.py:9, m.py:10, …", "40 things were"], source=with_source("".join(f"    a{n} = torch.geqrf(x.view(1, 3))\n" for n in range(40)) + "    return x\n")),
    Row("a builtin over elements that data counts", COMPILE, "1050", PLAIN, ["m.py:5:12", "a builtin that goes through so many elements as data decides"], source=with_source("    return ','.join(map(str, x[x > 0].tolist()))\n")),
    Row("an argument of an unsupported form", COMPILE, "1002", PLAIN, ["torch.maximum", "argument 'other' given as an int"], source=with_source("    return torch.maximum(x, 1)\n")),
    Row("output not written", NOT_WRITTEN, "4001", ["run", "m.pyc", "--example", "call.json", "--save", "no/such/folder/out.json"], ["no/such/folder"], source=FUNCTION),
]


def write_files(row, folder):
    source = folder / "m.py"
    source.write_text(row.source)
    compile_pyc(source, folder / "m.pyc")
    save_safetensors(folder / "x.safetensors", {"x": torch.tensor([1.0, 2.0, 3.0])})
    right = {"lin.weight": torch.ones(2, 3), "lin.bias": torch.zeros(2)}
    save_safetensors(folder / "w.safetensors", right if row.weights is None else row.weights)
    for name, content in {"call.json": CALL, **row.files}.items():
        if content == "truncate m.pyc":
            content = (folder / "m.pyc").read_bytes()[:-25]
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def check(ptc, row):
    """None, or what is wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(row, folder)
        before = set(folder.rglob("*"))
        done = subprocess.run([ptc, *row.args], cwd=folder, capture_output=True, timeout=30,
                              env={**os.environ, "NO_COLOR": "1"})
        err = done.stderr.decode(errors="replace")
        created = sorted(p.name for p in set(folder.rglob("*")) - before)
    shown = "\n  ".join(err.splitlines()[:5])
    if done.returncode != row.exit:
        return f"exit code {done.returncode}, expected {row.exit}\n  {shown}"
    if not re.search(rf"error: .*\[PTC({row.code})\]", err):
        return f"no error with [PTC{row.code}]\n  {shown}"
    if row.exit != RAISED and "hint: " not in err:
        return f"no hint\n  {shown}"
    missing = [part for part in row.says if part not in err]
    if missing:
        return f"standard error does not say {missing}\n  {shown}"
    if wrong := [part for part in row.says_not if part in err]:
        return f"standard error says {wrong}\n  {shown}"
    if created:
        return f"files were left: {created}"
    return f"standard output is not empty: {done.stdout[:100]!r}" if done.stdout else None


def main():
    args = runner.options(__doc__).parse_args()
    return runner.run([(row.name, (args.ptc, row)) for row in ROWS], check, args)


if __name__ == "__main__":
    sys.exit(main())
