#!/usr/bin/env python3
"""What exists without a model, is unknown, or is absent: refused by name, or answered as CPython with eager PyTorch answers.

    unmodelled.py --ptc PTC [FILTER] [-j N] [-v]

Never an exception of the program, never a side of a branch that is not known.
"""
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import torch

from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

X = torch.tensor([1.0, 2.0, 3.0])

LIMITS = "return torch.tensor([f.max, f.min, f.eps, f.tiny, f.smallest_normal, f.resolution, f.bits, len(f.dtype)], dtype=torch.float64) + 0 * x.sum()"


@dataclass
class Row:
    name: str
    source: str
    refused: str = None                        # number of the diagnostic; None: what eager gives
    says: list = field(default_factory=list)   # parts of standard error
    gives: float = None                        # what is added to x, where the module that is asked for decides: not run by eager
    args: list = field(default_factory=list)
    code: int = 1                              # of what is refused


def entry(body, before=""):
    return before + "\n\ndef entry(x):\n" + "".join("    " + line + "\n" for line in body.split("\n"))


def result(use):
    """A use of what functions of difflib give, which have no model."""
    return entry(use, "import difflib\n")


def unknown(use, before=""):
    """A use of what a module without a model holds."""
    return entry(use, "import no_such\n" + before)


MATCH = "difflib.get_close_matches('a', ['b'])"
ROWS = [
    # Objects with a model
    Row("type of a parameter", entry("p = nn.Parameter(torch.ones(1))\nreturn x + (type(p) is nn.Parameter) + 2 * (type(p) == torch.Tensor) + 4 * (type(p).__name__ == 'Parameter')", "import torch\nfrom torch import nn\n")),
    Row("names of functions", entry("table = {f.__name__: f for f in (torch.relu, torch.tanh, torch.sigmoid)}\nreturn table[list(table)[0]](x) + len(table)", "import torch\n")),
    Row("text of a function", entry("return x + len(f'{torch.relu}')", "import torch\n"), "1002", ["text of a function"]),
    Row("an object as its own dict", entry("return x + len(C(a=1))", "class C(dict):\n    def __init__(self, **k):\n        super().__init__(**k)\n        self.__dict__ = self\n"), "1050", ["m.py:4:"]),
    Row("a dict of two objects", entry("a, b = C(), C()\na.j = 3\nreturn x + hasattr(b, 'j')", "class C:\n    shared = {}\n    def __init__(self):\n        self.__dict__ = self.shared\n"), "1050", ["m.py:4:"]),
    Row("a dict given to an object", entry("d = {'k': 1}\nc = C()\nc.__dict__ = d\nc.j = 3\nd['m'] = 4\nreturn x + len(d) + c.m + 10 * ('j' in d)", "class C: pass\n")),
    Row("attribute set in a class of torch", entry("return x * getattr(N(), '_scale', 1.0) + hasattr(N(), '_other')", "from torch import nn\nnn.Module._scale = 2.0\nclass N(nn.Module): pass\n")),
    Row("attribute set in a tensor by setattr()", entry("setattr(x, 'tag', 1)\nreturn x + 1"), "1001", ["torch.Tensor.tag"]),
    Row("classes of an MRO", entry("return x + any('feat' in c.__dict__ for c in N.__mro__) + 2 * any('no' in c.__dict__ for c in N.__mro__)", "from torch import nn\nclass N(nn.Module):\n    feat = 1\n")),
    Row("order of attributes that another side set in another order", entry("o = C()\nif x.sum() < 0:\n    o.b = o.a = 1\nelse:\n    o.a = 1\n    del o.a\n    o.c = o.a = o.b = 2\nreturn x + len(vars(o)), list(vars(o))", "class C: pass\n"), "1050", ["another order", "m.py:12:"]),
    Row("order of attributes that one side set again", entry("o = C()\no.a = o.b = 1\nif x.sum() > 0:\n    del o.a\n    o.a = 2\nreturn x + len(list(vars(o)))", "class C: pass\n"), "1050", ["another order"]),
    Row("order of attributes that one side had", entry("o = C()\nif x.sum() > 0:\n    o.a = 1\no.b = 2\no.a = 3\nreturn x + len(list(vars(o)))", "class C: pass\n"), "1050", ["another order"]),
    Row("order of attributes of two objects that are one", entry("if x.sum() > 0:\n    o = C()\n    o.a = x\n    o.b = x\nelse:\n    o = C()\n    o.b = x\n    o.a = x\nreturn x + len(list(vars(o)))", "class C: pass\n"), "1050", ["another order"]),
    Row("attributes in an unknown order", entry("o = C()\no.a = o.b = 1\nif x.sum() > 0:\n    del o.a\n    o.a = 2\nreturn x + o.a + o.b", "class C: pass\n")),
    Row("order of attributes after a side that was not taken", entry("o = C()\nif x.sum() < 0:\n    o.b = o.a = 1\nelse:\n    o.b = o.a = 3\nn = list(vars(o))\nreturn x + n.index('a') + 10 * n.index('b')", "class C: pass\n")),
    Row("order of attributes of the second side alone", entry("o = C()\nif x.sum() < 0:\n    o.b = 1\n    return x\no.b = 3\no.a = 4\ndel o.b\no.c = o.b = 2\nn = list(vars(o))\nreturn x + n.index('a') + 10 * n.index('b') + 100 * n.index('c')", "class C: pass\n")),
    Row("order of attributes that one side has", entry("o = C()\nif x.sum() > 0:\n    o.a = 1\no.b = 2\nn = list(vars(o))\nreturn x + n.index('b')", "class C: pass\n")),
    Row("order of attributes of an object of a side of a side", entry("o = C()\nif x.sum() > 0:\n    o = C()\n    if x[0] < 0:\n        o.z = 1\n        o.b = 3\n    else:\n        o.z = 2\n        o.b = 4\n    o.a = 1\nelse:\n    o.z = 1\n    o.b = 2\n    o.a = 3\nn = list(vars(o))\nreturn x + n.index('z') + 10 * n.index('b') + 100 * n.index('a')", "class C: pass\n")),
    Row("members of a class", entry("return x + len(inspect.getmembers(C, inspect.isfunction)) + 10 * inspect.isabstract(C)", "import inspect\nclass C:\n    def f(self): pass\n")),
    Row("parameter of a layer, and one that it has not", entry("l = nn.Linear(3, 3)\nreturn x + hasattr(l, 'weight') + 2 * hasattr(l, '_backward_hooks') + 4 * hasattr(l, 'nothing') + len(getattr(l, 'weight')) * 8", "from torch import nn\n")),
    Row("hooks that no model has", entry("l = nn.Linear(3, 3)\nl._backward_hooks['a'] = print\nreturn x", "from torch import nn\n"), "1001", ["hooks of torch.nn.Module"]),
    Row("default of a field without an argument", entry("return x + len(vars(C())) + C().b", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = 1\n    b: int = dataclasses.field(init=False, default=7)\n")),
    Row("text of a dataclass", entry("return x + len(C.__doc__), C.__doc__", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = 1\n    b: list[int] = dataclasses.field(default_factory=list)\n")),
    Row("text of a dataclass that was given another __init__", entry("return x + len(C.__doc__)", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = 1\nC.__init__ = lambda self: None\n"), "1001", ["C.__doc__"]),
    Row("text of a dataclass by an object", entry("return x + len(C().__doc__)", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = 1\n"), "1050", ["C.__doc__"]),
    Row("text of torch.Tensor", entry("return x + 1, torch.Tensor.__doc__", "import torch\n")),
    # Results of calls
    Row("what re.match finds", entry("m = re.match('a', 'b')\nreturn x + 1 if m is None else x + 2", "import re\n")),
    Row("is None", result(f"m = {MATCH}\nreturn x + 1 if m is None else x + 2"), "1001", ["m.py:6:", "difflib.get_close_matches()", "m.py:5:"]),
    Row("is not None", result(f"return x + 1 if {MATCH} is not None else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("truth", result(f"return x + 1 if {MATCH} else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("not", result(f"return x + 1 if not {MATCH} else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("equality", result(f"return x + 1 if {MATCH} == 3 else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("two results", result(f"return x + 1 if {MATCH} == {MATCH} else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("order", result(f"return x + 1 if {MATCH} < 3 else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("equality of tuples", result(f"return x + 1 if (1, {MATCH}) == (1, 2) else x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("length", result("return x + len(difflib.ndiff('a', 'b'))"), "1001", ["difflib.ndiff()"]),
    Row("iteration", result("for m in difflib.ndiff('a', 'b'):\n    x = x + 1\nreturn x"), "1001", ["difflib.ndiff()"]),
    Row("unpacking", result("a, b = difflib.ndiff('a', 'ab')\nreturn x"), "1001", ["difflib.ndiff()"]),
    Row("membership", result("return x + 1 if 3 in difflib.ndiff('a', 'b') else x"), "1001", ["difflib.ndiff()"]),
    Row("membership of a result", result(f"return x + 1 if {MATCH} in [1, 2] else x"), "1001", ["difflib.get_close_matches()"]),
    Row("key of a dict", result(f"return x + {{1: 2}}.get({MATCH}, 7)"), "1001", ["difflib.get_close_matches()"]),
    Row("isinstance", result(f"return x + 1 if isinstance({MATCH}, str) else x"), "1001", ["difflib.get_close_matches()"]),
    Row("isinstance of object", result(f"return x + 1 if isinstance({MATCH}, object) else x")),
    Row("type", result(f"return x + 1 if type({MATCH}) is int else x"), "1001", ["difflib.get_close_matches()"]),
    Row("callable", result(f"return x + 1 if callable({MATCH}) else x"), "1001", ["difflib.get_close_matches()"]),
    Row("hasattr", result(f"return x + 1 if hasattr({MATCH}, 'group') else x"), "1001", ["difflib.get_close_matches().group"]),
    Row("getattr", result(f"return x + getattr({MATCH}, 'pos', 5)"), "1001", ["difflib.get_close_matches().pos"]),
    Row("match statement", result(f"match {MATCH}:\n    case None:\n        return x\n    case int():\n        return x + 1\nreturn x + 2"), "1001", ["difflib.get_close_matches()"]),
    Row("index of a list", unknown("return x + [1, 2][no_such.n]"), "1013", ["no_such.n"]),
    Row("join", unknown("return x + len(','.join([no_such.s]))"), "1013", ["no_such.s"]),
    Row("range", unknown("for i in range(no_such.n):\n    x = x + 1\nreturn x"), "1013", ["no_such.n"]),
    Row("star", unknown("return x + (lambda *a: len(a))(*no_such.n)"), "1013", ["no_such.n"]),
    Row("two stars", unknown("return x + (lambda **a: len(a))(**no_such.n)"), "1013", ["no_such.n"]),
    Row("max", unknown("return x + max(no_such.n, 3)"), "1013", ["no_such.n"]),
    Row("sum", unknown("return x + sum([3, no_such.n])"), "1013", ["no_such.n"]),
    Row("sorted", unknown("return x + sorted([3, no_such.n])[0]"), "1013", ["no_such.n"]),
    Row("dict", unknown("return x + len(dict(no_such.n))"), "1013", ["no_such.n"]),
    Row("an except clause", unknown("try:\n    raise ValueError('a')\nexcept no_such.Error:\n    return x\nexcept ValueError:\n    return x + 1"), "1013", ["no_such.Error"]),
    Row("isinstance of an unknown class", unknown("return x + 1 if isinstance(x, no_such.T) else x"), "1013", ["no_such.T"]),
    Row("an operator of the program", unknown("return x + (no_such.n + A())", "class A:\n    def __radd__(self, other):\n        return 1\n"), "1013", ["no_such.n"]),
    Row("an attribute that is set", unknown("no_such.m = 4\nreturn x + 1", "no_such.n = 3\n"), gives=1),
    Row("a name of a module that is set to None", entry("return x + 1 if NONE else x", "import socket\nsocket.has_ipv6 = None\nNONE = socket.has_ipv6 is None\n"), "1001", ["socket.has_ipv6"]),
    # Calls that are left out, or not
    Row("a partial at import", unknown("return x + N", "import functools\nr = []\ndef f(a):\n    a.append(1)\nno_such.call(functools.partial(f, r))\nN = len(r)\n"), "1017", ["no_such.call"]),
    Row("a bound method at import", unknown("return x + a.n", "class A:\n    def __init__(self):\n        self.n = 1\n    def inc(self):\n        self.n += 1\na = A()\nno_such.call(a.inc)\n"), "1017", ["no_such.call"]),
    Row("a class at import", unknown("return x + A.n", "class A:\n    n = 1\nno_such.patch(A)\n"), "1017", ["no_such.patch", "it may change something that it is given"]),
    Row("a function that sets a global", unknown("return x + n", "n = 1\ndef f():\n    global n\n    n = 2\nno_such.call(f)\n"), "1017", ["no_such.call"]),
    Row("a cell", unknown("return x + N", "def make():\n    n = 1\n    def f():\n        nonlocal n\n        n = 2\n    no_such.call(f)\n    return n\nN = make()\n"), "1017", ["no_such.call"]),
    Row("text for a stream", entry("return x + len(s.getvalue())", "import pickle, io\ns = io.BytesIO()\npickle.dump([1, 2], s)\n"), "1001", ["m.py:3:", "pickle.dump"]),
    Row("text for a stream of the call", entry("s = io.BytesIO()\npickle.dump([1, 2], s)\nreturn x + len(s.getvalue())", "import pickle, io\n"), "1001", ["pickle.dump"]),
    Row("text for a stream that nobody reads", entry("return x + 1", "import pickle, io\ns = io.BytesIO()\npickle.dump([1, 2], s)\n")),
    Row("names that a module of models has imported", entry("return x + (1 if sys.version_info >= (3, 8) else 2)", "import sys\nfrom typing import *\n")),
    Row("a tensor in a range", entry("n = torch.tensor(2)\nreturn x + (1 if n in range(5) else 2) + (4 if n in range(2) else 8)", "import torch\n")),
    Row("an object in a range", entry("return x + (1 if E() in range(5) else 2) + range(5).count(2.0) + range(5).index(3.0)",
                                      "class E:\n    def __eq__(self, other):\n        return other == 3\n")),
    Row("a __call__ that is an object of its class", entry("A.__call__ = a = A()\ntry:\n    a()\nexcept RecursionError:\n    return x + 1\nreturn x",
                                                            "class A:\n    pass\n")),
    Row("a function made of a code object", entry("return x + types.FunctionType(f.__code__, {'k': 100}, 'g', (5,))(1)",
                                                  "import types\ndef f(a, b=2):\n    return a + b + k\n"), "1050", ["a function that is made of a code object"]),
    Row("types without instances", entry("for t in (type(len), type(str.join)):\n    try:\n        t()\n    except TypeError as e:\n        x = x + len(str(e))\nreturn x")),
    Row("objects of subclasses of builtins in a range",
        entry("for n, v in enumerate((T(), S('a'), F(0.5), I(9), P(2), P(7), E.A)):\n    x = x + 10 ** n * (v in range(5))\nreturn x + range(5).count(P(2)) + range(9).index(E.A)",
              "import enum\nclass Equal:\n    def __eq__(self, other):\n        return other == 3\nclass T(Equal, tuple): pass\nclass S(Equal, str): pass\n"
              "class F(Equal, float): pass\nclass I(Equal, int): pass\nclass P(int): pass\nclass E(enum.IntEnum):\n    A = 4\n")),
    Row("a subclass counted in a range", entry("return x + range(5).count(I(9))", "class I(int):\n    def __eq__(self, other):\n        return other == 3\n"), "1050", ["'I' in a range"]),
    Row("objects counted in a range", entry("return x + range(5).count(torch.tensor(2))", "import torch\n"), "1050", ["'Tensor' in a range"]),
    Row("an iterator for a reader", entry("return x + next(it)", "import pickle\nit = iter(['1', '2'])\npickle.dumps(it)\n"), "1001", ["pickle.dumps"]),
    Row("a decorated function that is called", unknown("helper()\nreturn x + len(r)", "r = []\n@no_such.deco\ndef helper():\n    r.append(1)\n"), "1017", ["no_such.deco()"]),
    Row("a decorated function that is not used", unknown("return x + 1", "@no_such.deco\ndef helper(x):\n    return x + 1\n"), gives=1),
    Row("a function at the call", unknown("no_such.call(lambda: 3)\nreturn x"), "1017", ["no_such.call"]),
    Row("numbers at the call", unknown("no_such.log(3)\nreturn x + 1"), gives=1),
    Row("grad mode by a private name", entry("torch._C._set_grad_enabled(False)\nreturn x + torch.is_grad_enabled()", "import torch\n"), "1001", ["torch._C._set_grad_enabled"]),
    Row("grad mode at import", entry("return x + torch.is_grad_enabled()", "import torch\ntorch._C._set_grad_enabled(False)\n"), "1001", ["torch._C._set_grad_enabled"]),
    # What a call does outside of the program is part of it
    *(Row(f"at the call: {name}", entry(f"{call}\nreturn x", f"import {name.split('.')[0]}\n"), "10..", ["m.py:5:", name]) for name, call in (
        ("threading.Timer", "threading.Timer(0, print, ['x']).start()"), ("atexit.register", "atexit.register(print, 'x')"),
        ("sched.scheduler", "s = sched.scheduler()\ns.enter(0, 1, print)\ns.run()"), ("signal.signal", "signal.signal(14, print)"), ("subprocess.run", "subprocess.run(['echo'])"),
        ("os.system", "os.system('echo')"), ("os.makedirs", "os.makedirs('a')"), ("calendar.prmonth", "calendar.prmonth(2020, 1)"), ("ctypes.CDLL", "ctypes.CDLL(None).puts(b'x')"),
        ("webbrowser.open", "webbrowser.open('a')"), ("shutil.rmtree", "shutil.rmtree('a')"), ("pickle.load", "pickle.load(None)"), ("timeit.timeit", "timeit.timeit(print, number=2)"))),
    *(Row(f"at the call: importing {name}", entry(f"import {name}\nreturn x"), "1050", [f"importing '{name}'"]) for name in ("this", "antigravity")),
    *(Row(f"at import: {call}", entry("return x + 1", f"import {call.split('.')[0]}\n{call}\n")) for call in ("atexit.register(print, 'x')", "subprocess.run(['true'])", "shutil.rmtree('/no/such', ignore_errors=True)")),
    *(Row(f"nothing left behind: {call}", entry(f"{call}\nreturn x + 1", f"import {call.split('.')[0]}\n")) for call in ("uuid.uuid4()", "re.compile('a')", "threading.Lock().acquire()", "gc.collect()", "hashlib.md5(b'a').hexdigest()", "os.getcwd()", "datetime.datetime.now()")),
    Row("print for a third party", unknown("no_such.call(print)\nreturn x"), "1017", ["no_such.call"]),
    Row("what a reader is given to call", entry("return x + len(r)", "import yaml\nr = []\nyaml.dump({}, default=r.append)\n"), "1017", ["yaml.dump"]),
    # Variables that the interpreter or a library reads
    *(Row(f"a variable that is set: {name}", entry("return x", f"import {name.split('.')[0]}\n{name} = print\n"), "10..", ["m.py:2:", f"assigning {name}"])
      for name in ("sys.getrefcount", "os.getcwd", "warnings.onceregistry")),
    *(Row(f"a variable that is set, which nobody reads: {name}", entry("return x + (sys.excepthook is print)", f"import sys\nsys.excepthook = print\n{name} = 1\n")) for name in ("sys.dont_write_bytecode", "sys.ps1", "sys.tracebacklimit")),
    Row("excepthook that a call sets", entry("sys.excepthook = print\nreturn x", "import sys\n"), "1001", ["assigning sys.excepthook"]),
    Row("__import__ that is replaced", entry("return x + math.pi", "import builtins\nr = []\nold = builtins.__import__\ndef new(*a, **k):\n    r.append(1)\n    return old(*a, **k)\nbuiltins.__import__ = new\nimport math\n"), "1050", ["m.py:8:", "'__import__'"]),
    Row("a lower limit of recursion", entry("return x", "import sys\nsys.setrecursionlimit(30)\n"), "1001", ["sys.setrecursionlimit() below 1000"]),
    Row("a limit of recursion that is none", entry("n = 0\nfor v in (0, -1, 'a', 2.5):\n    try:\n        sys.setrecursionlimit(v)\n    except (TypeError, ValueError) as e:\n        n += len(str(e))\nreturn x + n", "import sys\n")),
    Row("a higher limit of recursion", entry("return x + f(3000)", "import sys\nsys.setrecursionlimit(5000)\ndef f(n):\n    return n and f(n - 1)\n"), "5005", ["--max-depth"], code=10),
    Row("functions of torch that are replaced", entry("return nn.Sigmoid()(x) + nn.Tanh()(x) + nn.Conv1d(1, 1, 1, bias=False)(x.view(1, 1, 3)).view(3) + nn.ReLU()(x) + nn.Hardshrink()(x)",
                                                       "import torch, torch.nn.functional as F\nfrom torch import nn\nf = lambda x, *a, **k: x * 10\ntorch.sigmoid = torch.tanh = F.conv1d = F.relu = F.hardshrink = f\n")),
    # What is missing, and what to do
    Row("interpolate of float64 with antialias", entry("return F.interpolate(x.double().view(1, 1, 1, 3), scale_factor=2, mode='bilinear', antialias=True)", "import torch.nn.functional as F\n"), "1001", ["interpolate of float64 with antialias' is not"]),
    Row("interpolate with antialias to one column", entry("return F.interpolate(x.view(1, 1, 3, 1), size=(2, 1), mode='bilinear', antialias=True)", "import torch.nn.functional as F\n"), "1001", ["to one column, of which eager"]),
    Row("a transform into a tensor", entry("return torch.fft.rfft(x, out=torch.fft.rfft(x)).real", "import torch\n"), "1001", ["'torch.fft.rfft(out=…)'"]),
    Row("a transform of windows that are aligned", entry("return torch.stft(x, 2, 1, window=torch.ones(2), center=False, align_to_window=True, return_complex=True).real", "import torch\n"), "1001", ["stft(align_to_window=True)"]),
    *(Row(f"a hint: {name}", entry(f"return x + {call}", f"import {name}\n"), "1001", [hint]) for name, call, hint in (
        ("argparse", "argparse.ArgumentParser().parse_args().n", "--init"),
        ("torch", "torch.nn.utils.spectral_norm(torch.nn.Linear(3, 3))(x)", "remove_spectral_norm()"), ("torch", "torch.optim.SGD([x], lr=1.0).n", "forward pass"))),
    # A refusal names what the program called
    Row("complex into another tensor", entry("return torch.polar(x, x, out=torch.polar(x, x)).real", "import torch\n"), "1001", ["'torch.polar(out=…)'"]),
    Row("writing behind conj()", entry("z = torch.complex(x, x)\nc = z.conj()\nz.mul_(2)\nreturn c.imag * 1", "import torch\n"), "1050", ["its conj()", "z.mul_(2)"]),
    Row("writing to conj()", entry("z = torch.complex(x, x)\nz.conj().mul_(2)\nreturn torch.view_as_real(z)", "import torch\n"), "1050", ["its conj()"]),
    Row("is_conj()", entry("z = torch.complex(x, x)\nreturn x + z.conj().is_conj()", "import torch\n"), "1001", ["'is_conj() of complex numbers'"]),
    Row("a complex number into elements", entry("z = torch.complex(x, x)\nz[0] = 2j\nreturn torch.view_as_real(z)", "import torch\n"), "1050", ["a complex number that is assigned"]),
    Row("complex of halves", entry("return torch.complex(x.half(), x.half()).real", "import torch\n"), "1001", ["'torch.complex of halves'"]),
    Row("--opaque of what is used", entry("return x + no_such.pi", "try:\n    import no_such\nexcept ImportError:\n    pass\n"), "1013", ["'no_such.pi'", "which has neither code nor a model here"], args=["--opaque=no_such"]),
    # What an unknown decorator makes is unknown: the function under it never runs in its place
    Row("a decorated function is called", unknown("return helper(x)", "@no_such.deco\ndef helper(x):\n    return x + 1\n"), "1017", ["m.py:8:", "no_such.deco()"]),
    Row("a decorated function is called for its effect", unknown("helper(x)\nreturn x + 1", "@no_such.deco\ndef helper(x):\n    return x + 1\n"), "1017", ["m.py:8:", "no_such.deco()"]),
    Row("a decorated function is mapped", unknown("return list(map(helper, [x]))[0]", "@no_such.deco\ndef helper(x):\n    return x + 1\n"), "1017", ["no_such.deco()"]),
    Row("a decorated function is unwrapped", unknown("return helper.__wrapped__(x)", "@no_such.deco\ndef helper(x):\n    return x + 1\n"), "1017", ["no_such.deco().__wrapped__"]),
    Row("a decorator with arguments", unknown("return helper(x)", "@no_such.deco(3)\ndef helper(x):\n    return x + 1\n"), "1017", ["no_such.deco()()"]),
    Row("a decorated method", unknown("return A().helper(x)", "class A:\n    @no_such.deco\n    def helper(self, x):\n        return x + 1\n"), "1017", ["no_such.deco()"]),
    Row("a decorated class", unknown("return x + A.n", "@no_such.deco\nclass A:\n    n = 1\n"), "1013", ["no_such.deco().n"]),
    Row("a function decorated twice", unknown("return helper(x)", "import functools\n@functools.lru_cache\n@no_such.deco\ndef helper(x):\n    return x + 1\n"), "10(13|17)", ["no_such.deco()"]),
    Row("a function decorated in a call", unknown("@no_such.deco\ndef helper(x):\n    return x + 1\nreturn helper(x)"), "1017", ["no_such.deco"]),
    Row("a decorator of torch without a model", entry("return helper(x)", "import torch\n@torch.library.triton_op('a::b', mutates_args=())\ndef helper(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n"), "1001", ["torch.library.triton_op()()"]),
    Row("an operator whose implementation is Python", entry("return helper(x)", "import torch\n@torch.library.custom_op('a::b', mutates_args=())\ndef helper(x: torch.Tensor) -> torch.Tensor:\n    return x + 1\n")),
    # What calls of decorated functions run, and what rows of the table are about
    Row("a recursive function", unknown("return x + fact(3)", "def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nno_such.register('fact', fact)\n"), gives=6),
    Row("functions that call each other", unknown("return x + odd(3)", "def odd(n):\n    return n > 0 and even(n - 1)\ndef even(n):\n    return n == 0 or odd(n - 1)\nno_such.register(odd, even)\n"), gives=1),
    Row("a method with a marker", entry("a.tick()\nreturn x + a.n", "from typing_extensions import deprecated\nclass A:\n    n = 0\n    @deprecated('a')\n    def tick(self):\n        self.n += 1\na = A()\n"), "1013", ["typing_extensions.deprecated()"]),
    Row("a function with a marker with arguments", entry("tick()\nreturn x + n", "from typing_extensions import deprecated\nn = 0\n@deprecated('a')\ndef tick():\n    global n\n    n += 1\n"), "1013", ["typing_extensions.deprecated()"]),
    Row("a function that is registered for the end", entry("return x + n", "import atexit\nn = 0\n@atexit.register\ndef save():\n    global n\n    n += 1\nsave()\n"), "1001", ["atexit.register()"]),
    Row("a reducer", entry("return x + copy.copy(C(1)).n", "import copy, copyreg\nclass C:\n    def __init__(self, n):\n        self.n = n\ncopyreg.pickle(C, lambda c: (C, (c.n + 10,)))\n")),
    *(Row(f"os.path.{call} in a try", entry(f"return x + N", f"import os\ntry:\n    os.path.{call}\n    N = 1\nexcept (OSError, TypeError, ValueError):\n    N = 2\n"), "1001", ["os.path." + call.split("(")[0]]) for call in ("getsize('/no/such')", "getmtime('/no/such')", "samefile('/no/such', '/no/such')", "ismount(None)", "realpath('/no/such', strict=True)")),
    Row("a call of os.path that never raises", entry("try:\n    os.path.realpath('/no/such')\nexcept OSError:\n    x = x + 1\nreturn x", "import os\n")),
    *(Row(f"{name} in a try", entry("return x + N", f"import {name.split('.')[0]}\ntry:\n    {name}({value})\n    N = 1\nexcept Exception:\n    N = 2\n"), "1001", [name]) for name, value in (("atexit.register", 3), ("traceback.print_exception", 3))),
    Row("copyreg.pickle in a try", entry("return x + N", "import copyreg\ntry:\n    copyreg.pickle(int, 5)\n    N = 1\nexcept Exception:\n    N = 2\n")),
    Row("a slice that is set", unknown("return x + len(r)", "r = [1, 2, 3]\nr[no_such.n - 3:] = []\n"), "1013", ["no_such.n"]),
    Row("an attribute of tensors", entry("return x.plus()", "import torch\ntry:\n    torch.Tensor.plus = lambda self: self + 1\nexcept TypeError:\n    pass\n"), "1001", ["torch.Tensor.plus"]),
    # What code that something else runs may change
    # Who keeps a function may be told to call it
    Row("a handler of a signal", entry("return x + n", "import signal\nn = 0\ndef h(s, f):\n    global n\n    n += 1\nsignal.signal(signal.SIGUSR1, h)\nsignal.raise_signal(signal.SIGUSR1)\n"), "1001", ["signal.raise_signal"]),
    Row("a handler of a signal at the call", entry("signal.raise_signal(signal.SIGUSR1)\nreturn x + n", "import signal\nn = 0\ndef h(s, f):\n    global n\n    n += 1\nsignal.signal(signal.SIGUSR1, h)\n"), "1001", ["signal.raise_signal"]),
    Row("functions for the end that are called", entry("return x + len(r)", "import atexit\nr = []\natexit.register(lambda: r.append(1))\natexit._run_exitfuncs()\n"), "1001", ["atexit._run_exitfuncs"]),
    # What one call for all positions would answer otherwise
    *(Row(f"flex_attention: {name}", entry(f"q = x.view(1, 1, 3, 1)\nreturn flex_attention(q, q, q, {given})", "import torch\nfrom torch.nn.attention.flex_attention import flex_attention, create_block_mask\nt = torch.ones(3, 3)\ng = torch.tensor([1])\n"),
          "1001", ["not pointwise"]) for name, given in (
        ("a maximum", "lambda s, b, h, i, j: torch.stack([s, s * 0]).max()"), ("a maximum of the score", "lambda s, b, h, i, j: s.max()"),
        ("any of several", "None, create_block_mask(lambda b, h, i, j: (g == j).any() | (i == j), None, None, 3, 3, device='cpu')"))),
    *(Row(f"vmap: {name}", entry(f"return torch.vmap(lambda a: {body}{more})(x)", "import torch\n"), "1001", ["draws random numbers, or decides by data"]) for name, body, more in (
        ("random numbers", "a + torch.rand(())", ""), ("the same random numbers", "a + torch.rand(())", ", randomness='same'"), ("a branch on data", "a if a > 0 else -a", ""))),
    *(Row(f"flex_attention: {name}", entry(f"q = x.view(1, 1, 3, 1)\nreturn flex_attention(q, q, q, lambda s, b, h, i, j: {score})", "import torch\nfrom torch.nn.attention.flex_attention import flex_attention\nt = torch.ones(3, 3)\nn = [0]\n"),
          "1001", [says]) for name, score, says in (
        ("positions one after the other", "s + t[i][j]", "not pointwise"), ("a counter", "(n.append(1), s)[1]", "prints, changes objects"),
        ("a print", "(print('called'), s)[1]", "prints, changes objects"))),
    *(Row(f"vmap: {name}", entry(f"y, n, o = torch.zeros(()), [0], torch.nn.ReLU()\ndef f(a):\n    {body}\n    return a\nreturn torch.vmap(f)(x), y", "import torch\n"), "1001", ["changes objects, or writes in place to what has no batch"]) for name, body in (
        ("a write to what is older", "y.add_(1)"), ("a write of an entry to what is older", "y.add_(a)"), ("a write of an entry to what has no batch", "z = torch.zeros(()); z.add_(a)"),
        ("an element of what has no batch", "z = torch.zeros(2); z[0] = a"), ("a list that grows", "n.append(a)"), ("an attribute", "o.seen = a"), ("a print", "print('called')"),
        ("the whole of what an entry is of", "x.mul_(2)"))),
    *(Row(f"custom_op: {name}", entry("return op(x)", f"import torch\n@torch.library.custom_op('unmodelled_of_tests::{name.replace(' ', '_')}', mutates_args=())\ndef op(x: torch.Tensor) -> {kind}:\n    {body}\n"), "1001", [says]) for name, kind, body, says in (
        ("an argument", "torch.Tensor", "return x", "is an argument or another result, or a view of one"), ("a view of an argument", "torch.Tensor", "return x[1:]", "is an argument or another result, or a view of one"),
        ("two views", "tuple[torch.Tensor, torch.Tensor]", "y = x + 1\n    return y, y[1:]", "is an argument or another result, or a view of one"), ("no tensor", "torch.Tensor", "return 3", "returns no tensor"))),
    Row("a type of an option", entry("return x + len(r)", "import argparse\nr = []\ndef f(v):\n    r.append(v)\np = argparse.ArgumentParser()\np.add_argument('--n', type=f, default='3')\na = p.parse_args([])\n")),
    Row("a type of an option that computes", entry("return x + 1", "import argparse\ndef f(v):\n    return v.lower() in ('yes', 'true')\np = argparse.ArgumentParser()\np.add_argument('--n', type=f, default='no')\np.add_argument('--m', type=int, default=3)\na = p.parse_args([])\n")),
    # Who only reads calls methods
    Row("pprint.pformat of an object", entry("return x + a.n", "import pprint\nclass A:\n    n = 0\n    def __repr__(self):\n        self.n += 1\n        return 'A'\na = A()\npprint.pformat(a)\n")),
    *(Row(f"{call} of an object", entry("return x + a.n", f"import {call.split('.')[0]}\nclass A:\n    def __init__(self):\n        self.n = 0\n    def {method}:\n        self.n += 1\n        return {result}\na = A()\n{call}(a)\n"), "1001", [call])
      for call, method, result in (("sys.getsizeof", "__sizeof__(self)", 1),)),
    Row("a reader of plain data", entry("return x + D['a']", "import json\nclass C:\n    pass\nD = {'a': 1}\njson.dumps(D)\n")),
    # Code that is given as text
    *(Row(f"text: {call}", entry(f"return x + {use}", f"{before}{call}\n"), "1001", [name])
      for name, before, call, use in (
          ("unittest.mock.patch", "import math\nfrom unittest import mock\n", "mock.patch('math.pi', 3).start()", "math.pi"),
          ("unittest.mock.patch.dict", "import os\nfrom unittest import mock\n", "mock.patch.dict('os.environ', {'A': '1'}).start()", "len(os.environ.get('A', ''))"),
          ("runpy.run_module", "import runpy\n", "runpy.run_module('helper')", "1"),
          ("cProfile.run", "import cProfile\n", "cProfile.run('import m; m.r.append(1)')", "1"),
          ("timeit.timeit", "import timeit\nr = []\n", "timeit.timeit('import m; m.r.append(1)')", "len(r)"),
          ("gettext.install", "import gettext\n", "gettext.install('a')", "len(_('abc'))"),
      )),
    # What a branch stores may be what either side names
    *(Row(f"one of two: {use}", unknown(f"return x + {result}", f"{before}if no_such.flag:\n    t = A\nelse:\n    t = B\n{use}\n"), "1013", ["no_such.flag"])
      for before, use, result in (
          ("A = []\nB = []\n", "t.append(3)", "len(A)"), ("A = {}\nB = {}\n", "t['n'] = 5", "len(A)"),
          ("class A:\n    n = 1\nclass B:\n    n = 2\n", "t.n = 5", "A.n"),
          ("import torch\nA = torch.zeros(3)\nB = torch.zeros(3)\n", "t.add_(1)", "A"),
          ("import torch\nA = torch.zeros(3)\nB = torch.zeros(3)\n", "t[0] = 1", "A"),
          ("r = []\ndef A():\n    r.append(1)\ndef B():\n    r.append(2)\n", "t()", "len(r)"),
          ("r = []\ndef A(f):\n    r.append(1)\ndef B(f):\n    r.append(2)\n", "@t\ndef g():\n    pass", "len(r)"),
          ("import torch\nA = torch.manual_seed\ndef B(n):\n    pass\n", "t(5)", "torch.rand(3)"),
      )),
    Row("a part by an unknown index", unknown("return x + len(r[0])", "r = [[], []]\nt = r[no_such.n]\nt.append(1)\n"), "1013", ["no_such.n"]),
    Row("an operator that is given a list", unknown("return x + len(r)", "r = []\nno_such.pipe | r\n"), "1017", ["no_such.pipe"]),
    # Exceptions of calls that are left out, where the program would catch them
    Row("a call that may raise", unknown("try:\n    no_such.setup(3)\n    return x + 1\nexcept Exception:\n    return x + 2"), "1013", ["m.py:6:", "no_such.setup", "m.py:8:"]),
    Row("a call that may raise at import", unknown("return x + N", "try:\n    no_such.setup(3)\n    N = 1\nexcept (KeyError, RuntimeError):\n    N = 2\n"), "1017", ["m.py:3:", "no_such.setup", "m.py:5:"]),
    Row("a call of the library that may raise", entry("return x + N", "import os\ntry:\n    os.stat('/no/such')\n    N = 1\nexcept OSError:\n    N = 2\n"), "1001", ["m.py:3:", "os.stat", "m.py:5:"]),
    Row("a name's call that may raise", entry("try:\n    setup(3)\n    return x + 1\nexcept Exception:\n    return x + 2", "from no_such import setup\n"), "1017", ["m.py:6:", "no_such.setup", "m.py:8:"]),
    Row("a name's call in a try without a class", entry("try:\n    setup(3)\nexcept:\n    x = x + 1\nreturn x", "from no_such import setup\n"), "1017", ["no_such.setup", "m.py:7:"]),
    Row("a name's call in a group", entry("try:\n    setup(3)\nexcept* ValueError:\n    x = x + 1\nreturn x", "from no_such import setup\n"), "1017", ["no_such.setup", "m.py:7:"]),
    Row("a clause without a class", unknown("try:\n    no_such.setup(3)\nexcept:\n    x = x + 1\nreturn x"), "1013", ["no_such.setup", "m.py:7:"]),
    Row("a clause of no known class", unknown("try:\n    no_such.setup(3)\nexcept no_such.Error:\n    x = x + 1\nreturn x"), "1013", ["no_such.setup", "m.py:7:"]),
    Row("an attribute in a try", unknown("try:\n    v = no_such.limit\nexcept AttributeError:\n    x = x + 1\nreturn x"), "1013", ["no_such.limit"]),
    Row("an attribute of the library in a try", unknown("try:\n    v = os.getpid\nexcept AttributeError:\n    x = x + 1\nreturn x", "import os\n").replace("import no_such\n", "")),
    Row("a group", unknown("try:\n    no_such.setup(3)\nexcept* ValueError:\n    x = x + 1\nreturn x"), "1013", ["no_such.setup", "m.py:7:"]),
    Row("a clause of the caller", unknown("try:\n    f()\nexcept ValueError:\n    x = x + 1\nreturn x", "def f():\n    no_such.setup(3)\n"), "1017", ["m.py:3:", "no_such.setup", "m.py:9:"]),
    Row("an outer clause", unknown("try:\n    try:\n        no_such.setup(3)\n    except KeyError:\n        pass\nexcept ValueError:\n    return x + 1\nreturn x"), "1017", ["no_such.setup", "m.py:10:"]),
    Row("a result in a try", unknown("try:\n    v = no_such.setup(3)\nexcept ValueError:\n    v = 1\nreturn x"), "1017", ["no_such.setup", "m.py:7:"]),
    Row("an item in a try", unknown("try:\n    no_such.table['a']\nexcept KeyError:\n    x = x + 1\nreturn x"), "1017", ["no_such.table", "m.py:7:"]),
    Row("suppress", unknown("with suppress(ValueError):\n    no_such.setup(3)\n    x = x + 1\nreturn x", "from contextlib import suppress\n"), "1013", ["no_such.setup", "m.py:6:"]),
    Row("a finally that returns", unknown("try:\n    no_such.setup(3)\n    x = x + 1\nfinally:\n    return x"), "1013", ["no_such.setup"]),
    Row("a finally that may return", unknown("try:\n    no_such.setup(3)\n    x = x + 1\nfinally:\n    if len(x) == 3:\n        return x\nreturn x"), "1013", ["no_such.setup"]),
    Row("a manager that may swallow", unknown("with M():\n    no_such.setup(3)\n    x = x + 1\nreturn x", "class M:\n    def __enter__(self):\n        return 1\n    def __exit__(self, *a):\n        return len(a) == 3\n"), "1013", ["no_such.setup"]),
    Row("a comparison in a try", unknown("return x + N", "try:\n    NEW = no_such.version >= '2.0'\n    N = 1\nexcept TypeError:\n    N = 2\n"), "1013", ["m.py:3:", "no_such.version", "m.py:5:"]),
    Row("a file that is opened in a try", entry("return x + N", "try:\n    open('/no/such')\n    N = 1\nexcept OSError:\n    N = 2\n"), "1050", ["m.py:2:", "'open'", "m.py:4:"]),
    Row("a clause that makes no difference", unknown("try:\n    no_such.setup(3)\nexcept Exception:\n    pass\nreturn x + 1"), gives=1),
    Row("a finally that goes on", unknown("try:\n    no_such.setup(3)\nfinally:\n    x = x + 1\nreturn x"), gives=1),
    Row("a with that goes on", unknown("with torch.no_grad():\n    no_such.setup(3)\nreturn x + 1", "import torch\n"), gives=1),
    Row("a call that never raises", entry("try:\n    os.getpid()\n    return x + 1\nexcept OSError:\n    return x + 2", "import os\n")),
    Row("an import in a try with finally", entry("return x + N", "N = 1\ntry:\n    import no_such\nfinally:\n    print(N)\n"), gives=1),
    # Statements of modules spoil what uses them
    Row("a comparison that is not used", unknown("return x + 1", "NEW = no_such.version >= '2.0'\n"), gives=1),
    Row("a comparison that is used", unknown("return x + 1 if NEW else x", "NEW = no_such.version >= '2.0'\n"), "1013", ["m.py:2:", "no_such.version", "used here", "m.py:6:"]),
    Row("a number that is used", unknown("return x + N", "N = max(no_such.m, 3)\n"), "1013", ["m.py:2:", "no_such.m"]),
    Row("a class that is not used", unknown("return x + 1", "from abc import ABC\nclass E(ABC, no_such.D):\n    pass\n"), gives=1),
    Row("a class that is used", unknown("return x + E().n", "from abc import ABC\nclass E(ABC, no_such.D):\n    pass\n"), "1013", ["m.py:3:", "no_such.D"]),
    Row("a class that others are told of", unknown("return x + len(known)", "known = []\nclass A:\n    def __init_subclass__(cls):\n        known.append(cls)\nclass E(A, no_such.D):\n    pass\n"), "1013", ["no_such.D"]),
    Row("a class body with an effect", unknown("return x + len(known)", "known = []\nclass E(no_such.D):\n    known.append(1)\n"), gives=1),
    Row("a branch of a module", unknown("return x + N", "if no_such.flag:\n    N = 1\nelse:\n    N = 2\n"), "1013", ["m.py:2:", "no_such.flag", "used here", "m.py:9:"]),
    Row("a branch of a module that is not used", unknown("return x + 1 if M else x", "M = True\nif no_such.flag:\n    N = 1\nelse:\n    N = 2\n"), gives=1),
    Row("a branch of a module on a file", entry("return x + 1", "import os\nROOT = None\nif os.access('/no/such', 0):\n    ROOT = '/no/such'\n    def load():\n        return ROOT\nelse:\n    def load():\n        return 3\n")),
    Row("a branch of a module on a file that is used", entry("return x + load()", "import os\nif os.access('/no/such', 0):\n    def load():\n        return 2\nelse:\n    def load():\n        return 3\n"), "1001", ["m.py:2:", "os.access()", "used here", "m.py:11:"]),
    Row("a branch of a module on None", unknown("return x + N", "N = 0\nif no_such.f() is None:\n    N = 1\n"), "1013", ["m.py:3:", "no_such.f()", "used here"]),
    Row("branches of a module in one another", unknown("return x + N", "N = M = K = 0\nif no_such.f():\n    if K:\n        N = 1\n    else:\n        M = 1\n"), "1013", ["no_such.f()", "used here"]),
    Row("a branch in a loop of a module", unknown("return x + N", "N = M = 0\nfor i in range(3):\n    if no_such.flag:\n        M = 1\n    N = i\n"), gives=2),
    Row("a branch of a module that imports", unknown("return x + math.pi", "if no_such.flag:\n    import math\nelse:\n    from no_such import math\n"), "1013", ["no_such.flag", "used here"]),
    Row("a branch of a module with a call", unknown("return x + len(r)", "r = []\nif no_such.flag:\n    r.append(1)\n"), "1013", ["no_such.flag"]),
    Row("a branch of a module with an item", unknown("return x + len(r)", "r = {}\nif no_such.flag:\n    r[1] = 1\n"), "1013", ["no_such.flag"]),
    Row("a branch of a module that raises", unknown("return x", "if no_such.flag:\n    raise ValueError\n"), "1013", ["no_such.flag"]),
    Row("a branch of a module that may leave a name out", unknown("return x + M", "if no_such.flag:\n    N = 1\ntry:\n    N\n    M = 1\nexcept NameError:\n    M = 2\n"), "1013", ["no_such.flag"]),
    Row("a branch of a module in a try", unknown("return x + N", "N = 0\ntry:\n    if no_such.flag:\n        import no_such_either\n    N = 1\nexcept ImportError:\n    N = 2\n"), "1013", ["no_such.flag"]),
    # Calls while modules are imported: what they may change stands aside
    *(Row(f"{what} that is given away{' and used' if refused else ''}", unknown(f"return x + {use}", f"{before}no_such.setup({given})\n"), refused, says or [], gives=gives)
      for what, before, given, use, refused, says, gives in (
          ("a dict", "D = {'a': 1}\n", "D", "1", None, None, 1), ("a dict", "D = {'a': 1}\n", "D", "D['a']", "1017", ["m.py:3:", "no_such.setup", "used here", "m.py:7:"], None),
          ("a list", "L = [1]\n", "L", "1", None, None, 1), ("a list", "L = [1]\n", "a=L", "len(L)", "1017", ["m.py:3:", "no_such.setup", "used here"], None),
          ("a set", "L = {1}\n", "L", "(3 in L)", "1017", ["m.py:3:", "no_such.setup"], None),
          ("an object", "class A:\n    n = 1\na = A()\n", "a", "A.n", None, None, 1), ("an object", "class A:\n    n = 1\na = A()\n", "a", "a.n", "1017", ["m.py:5:", "no_such.setup"], None),
          ("a class", "class A:\n    n = 1\n", "A", "1", None, None, 1), ("a class", "class A:\n    n = 1\n", "A", "A.n", "1017", ["m.py:4:", "no_such.setup"], None),
          ("a class with objects", "class A:\n    n = 1\na = A()\n", "A", "a.n", "1017", ["m.py:5:", "no_such.setup"], None),
          ("a class of a class", "class A:\n    n = 1\nclass B(A):\n    pass\nb = [B()]\n", "A", "b[0].n", "1017", ["no_such.setup"], None),
          ("a class and its registry", "known = []\nclass A:\n    def __init_subclass__(cls):\n        known.append(cls)\nclass B(A):\n    n = 1\n", "B", "known[0].n", "1017", ["no_such.setup"], None),
          ("a class and its registry", "known = []\nclass A:\n    def __init_subclass__(cls):\n        known.append(cls)\nclass B(A):\n    n = 1\n", "B", "len(known)", "1017", ["no_such.setup"], None),
          ("a class that its base knows", "class A:\n    pass\nclass B(A):\n    n = 1\n", "B", "A.__subclasses__()[0].n", "1017", ["no_such.setup"], None),
          ("a tensor", "import torch\nT = torch.ones(3)\nU = T[1:]\n", "T", "U[0]", "1017", ["no_such.setup"], None),
          ("a part", "D = {'a': [1], 'b': 2}\n", "D['a']", "D['b']", None, None, 2), ("a part", "D = {'a': [1], 'b': 2}\n", "D['a']", "len(D['a'])", "1017", ["no_such.setup"], None),
          ("a part of a tuple", "L = [1]\nT = ((L, 2), 3)\n", "L", "T[0][1]", None, None, 2), ("a part of a tuple", "L = [1]\nT = ((L, 2), 3)\n", "L", "len(T[0][0])", "1017", ["no_such.setup"], None),
          ("a default", "L = [1]\ndef f(a=L):\n    return len(a)\n", "L", "f()", "1017", ["no_such.setup"], None), ("a default", "L = [1]\ndef f(a=L):\n    return len(a)\n", "L", "f([1, 2])", None, None, 2),
          ("a key", "class A:\n    pass\na = A()\nD = {a: 1}\n", "a", "len(D)", "1017", ["no_such.setup"], None),
          ("a bound method", "class A:\n    def __init__(self):\n        self.n = 1\n    def inc(self):\n        self.n += 1\na = A()\ninc = a.inc\n", "a", "(inc() is None)", "1017", ["no_such.setup"], None),
          ("a view of a dict", "D = {'a': 1}\nV = D.items()\n", "D", "len(V)", "1017", ["no_such.setup"], None),
          ("an iterator", "L = [1, 2]\nI = iter(L)\n", "L", "next(I)", "1017", ["no_such.setup"], None),
          ("private data of a class", "class A:\n    _r = [1]\n    n = 1\n    def f(self):\n        return len(A._r)\na = A()\n", "A._r", "a.f()", "1017", ["no_such.setup"], None),
          ("private data of a class", "class A:\n    _r = [1]\n    n = 1\n    def f(self):\n        return len(A._r)\na = A()\n", "A._r", "A.n", None, None, 1),
      )),
    Row("a class that is given away as data of one", unknown("return x + len(L)", "L = []\nclass A:\n    __r = L\nno_such.setup(A)\n"), "1017", ["no_such.setup"]),
    Row("a module that is given away and used", unknown("return x + N", "import m\nN = 1\nno_such.setup(m)\n"), "1017", ["m.py:4:", "no_such.setup", "used here", "m.py:8:"]),
    *(Row(f"a module that is given away: {use}", unknown(f"return x + {use}", "import m\nno_such.setup(m)\nimport m\n" + after), refused, ["m.py:3:", "no_such.setup"] if refused else [], gives=gives)
      for use, after, refused, gives in (
          ("1", "", None, 1), ("N", "N = 2\n", None, 2), ("N", "", "1017", None), ("hasattr(m, 'N')", "", "1017", None), ("getattr(m, 'N', 2)", "", "1017", None),
          ("len([1])", "", "1017", None), ("len(globals())", "", "1017", None), ("M", "try:\n    N\n    M = 1\nexcept NameError:\n    M = 2\n", "1017", None),
          ("M", "try:\n    from m import N\n    M = 1\nexcept ImportError:\n    M = 2\n", "1017", None), ("M", "try:\n    m.N\n    M = 1\nexcept AttributeError:\n    M = 2\n", "1017", None),
          ("len(vars(m))", "", "1017", None), ("len(dir(m))", "", "1017", None),
      )),
    Row("a module of all that is given away", unknown("return x + N", "import sys\nN = 1\nno_such.setup(sys.modules['m'])\n"), "1017", ["m.py:4:", "no_such.setup"]),
    *(Row(f"a function that is given away and {name}", unknown(f"return x + {use}", f"{before}def f():\n    {body}\nno_such.call(f)\n"), refused, ["no_such.call"] if refused else [], gives=gives)
      for name, before, body, use, refused, gives in (
          ("sets a global", "n = 1\nm = 2\n", "global n\n    n = 2", "m", None, 2), ("sets a global that is read", "n = 1\n", "global n\n    n = 2", "n", "1017", None),
          ("sets one that may be there", "try:\n    n\nexcept NameError:\n    pass\n", "global n\n    n = 2", "n", "1017", None),
          ("sets any global", "n = 1\n", "globals()['n'] = 2", "n", "1017", None), ("deletes a global", "n = 1\n", "global n\n    del n", "n", "1017", None),
          ("fills a list", "r = []\n", "r.append(1)", "1", None, 1), ("fills a list that is read", "r = []\n", "r.append(1)", "len(r)", "1017", None),
          ("fills a list of a class", "class A:\n    r = []\n    n = 3\n", "A.r.append(1)", "A.n", None, 3), ("sets data of a class", "class A:\n    n = 3\n", "A.n = 4", "A.n", "1017", None),
          ("has annotations", "r = []\n", "r.append(1)", "len(f.__annotations__)", None, 0),
          ("draws", "import torch\n", "torch.rand(3)", "torch.rand(3)", "1017", None), ("draws in place", "import torch\nT = torch.ones(3)\n", "T.clone().uniform_()", "torch.rand(3)", "1017", None),
          ("draws in a function", "import torch\nfrom torch.nn import functional as F\nT = torch.ones(3)\n", "F.gumbel_softmax(T)", "torch.rand(3)", "1017", None),
          ("computes by a function", "import torch\nfrom torch.nn import functional as F\nT = torch.ones(3)\n", "F.gelu(T)", "torch.rand(3) * 0", None, 0),
          ("calls a layer", "import torch\nL = torch.nn.Dropout()\nT = torch.ones(3)\n", "L(T)", "torch.rand(3)", "1017", None),
          ("changes a list of the library", "import sys\n", "sys.path.append('a')", "len(sys.path)", "1017", None),
      )),
    Row("a cell that is given away", unknown("return x + F()", "def make():\n    n = 1\n    def f():\n        nonlocal n\n        n = 2\n    no_such.call(f)\n    return lambda: n\nF = make()\n"), "1017", ["no_such.call"]),
    Row("a cell that is given away and not used", unknown("return x + 1", "def make():\n    n = 1\n    def f():\n        nonlocal n\n        n = 2\n    no_such.call(f)\n    return lambda: n\nF = make()\n"), gives=1),
    Row("a second call reaches what the first was given", unknown("return x + len(L)", "D = {}\nL = []\nno_such.setup(D)\nD['a'] = L\nno_such.run()\n"), "1017", ["no_such.setup"]),
    Row("a result of a call that was given something", unknown("return x + len(L)", "D = {}\nL = []\nv = no_such.setup(D)\nv.append(L)\n"), "1017", ["no_such.setup().append"]),
    Row("a method of what is aside", unknown("return x + len(L)", "D = {}\nL = []\nno_such.setup(D)\nD.setdefault('a', L)\n"), "1017", ["no_such.setup"]),
    # Decorators
    Row("a decorator of a module that is absent", entry("return x + 1", "import no_such\n@no_such.deco\ndef f():\n    return 1\n"), gives=1),
    *(Row(f"{deco} around what is {'used' if refused else 'not used'}", entry(f"return x + {use}", f"{before}@{deco}\ndef f():\n    r.append(1)\n    return 1\n"), refused, ["m.py:", deco.partition("(")[0]] if refused else [], gives=gives)
      for deco, before, use, refused, gives in (
          ("unittest.skip('a')", "import unittest\nr = []\n", "1", None, 1), ("unittest.skip('a')", "import unittest\nr = []\n", "f()", "1001", None), ("unittest.skip('a')", "import unittest\nr = []\n", "len(r)", "1001", None),
          ("ex.submit", "from concurrent.futures import ThreadPoolExecutor\nr = []\nex = ThreadPoolExecutor()\n", "1", None, 1),
          ("no_such.deco", "import no_such\nr = []\n", "f()", "1017", None), ("no_such.deco(a=3)", "import no_such\nr = []\n", "f()", "1017", None), ("no_such.deco(a=3)", "import no_such\nr = []\n", "len(r)", None, 0),
          ("atexit.register", "import atexit\nr = []\n", "len(r)", None, 0),
      )),
    Row("a registration of the program's own", entry("return registry.known['x'](x)", "class Registry:\n    def __init__(self):\n        self.known = {}\n    def register(self, name):\n        def keep(f):\n            self.known[name] = f\n            return f\n        return keep\nregistry = Registry()\n@registry.register('x')\ndef f(x):\n    return x + 1\n")),
    Row("a decorated class of which others know", unknown("return x + known[0].n", "known = []\nclass A:\n    def __init_subclass__(cls):\n        known.append(cls)\n@no_such.deco\nclass B(A):\n    n = 1\n"), "1017", ["m.py:6:", "no_such.deco", "it may change the class that it decorates"]),
    Row("a decorated class that is not used", unknown("return x + A.n", "class A:\n    n = 1\n@no_such.deco\nclass B(A):\n    def f(self):\n        return super().n\n"), gives=1),
    Row("a decorator where its exceptions are caught", entry("return x + N", "try:\n    from no_such import deco\n    @deco\n    def f():\n        return 1\n    N = 1\nexcept ImportError:\n    N = 2\n"), gives=2),
    Row("a decorator that is there where its exceptions are caught", entry("return x + N", "try:\n    from no_such import deco\n    @deco\n    def f():\n        return 1\n    N = 1\nexcept ImportError:\n    N = 2\n"), "1017", ["no_such.deco", "catches here"], args=["--opaque=no_such"]),
    Row("a call where its module is absent", entry("return x + len(D)", "D = {}\ntry:\n    import no_such\n    no_such.setup(D)\nexcept ImportError:\n    pass\n"), gives=0),
    Row("an unknown metaclass", unknown("return x + 1", "class A(metaclass=no_such.M):\n    pass\n"), gives=1),
    Row("an unknown metaclass that is used", unknown("return x + A.n", "class A(metaclass=no_such.M):\n    n = 1\n"), "1013", ["m.py:2:", "no_such.M"]),
    # Of the library
    Row("a handler of signals", entry("return x + 1", "import signal\nn = 0\ndef h(s, f):\n    global n\n    n += 1\nsignal.signal(signal.SIGUSR1, h)\n")),
    Row("filters of warnings", entry("return x + 1", "import warnings\nwarnings.filterwarnings('ignore')\nwarnings.simplefilter('ignore', DeprecationWarning)\n")),
    Row("functions of the library that are given data", entry("return x + len(r)", "import shelve, gc\nr = [1]\ngc.get_referrers(r)\n"), "1001", ["gc.get_referrers"]),
    # Statements that are no calls
    *(Row(f"a statement{'' if refused else ' that is not used'}: {body.rstrip()}", unknown(f"return x + {use}", before + body), refused, ["m.py:", "no_such."] if refused else [], gives=gives)
      for before, body, use, refused, gives in (
          ("D = {}\n", "D[no_such.k] = 1\n", "1", None, 1), ("D = {}\n", "D[no_such.k] = 1\n", "len(D)", "1013", None),
          ("L = [1]\n", "L[no_such.k] = 1\n", "L[0]", "1013", None), ("L = [1, 2]\n", "del L[no_such.k]\n", "len(L)", "1013", None), ("L = [1, 2]\n", "del L[no_such.k]\n", "1", None, 1),
          ("n = 1\n", "n += no_such.k\n", "1", None, 1), ("n = 1\n", "n += no_such.k\n", "n", "1013", None),
          ("L = K = [1]\n", "L += no_such.k\n", "len(K)", "1017", None),
          ("import torch\nT = torch.ones(3)\nU = T[1:]\n", "T += no_such.k\n", "U[0]", "1013", None), ("import torch\nT = torch.ones(3)\n", "T[no_such.k] = 1\n", "T", "1013", None),
          ("r = []\n", "S = {no_such.k, 1}\n", "1", None, 1), ("L = [1]\nD = {}\n", "D[no_such.k] = L\n", "len(L)", "1013", None),
      )),
    Row("__build_class__ that is replaced", entry("return x + len(r)", "import builtins\nr = []\nold = builtins.__build_class__\ndef new(*a, **k):\n    r.append(1)\n    return old(*a, **k)\nbuiltins.__build_class__ = new\nclass A:\n    pass\n"), "1050", ["m.py:8:", "'__build_class__'"]),
    Row("__build_class__ that is replaced where modules are imported", entry("return x + len(r)", "import builtins\nr = []\nold = builtins.__build_class__\ndef new(*a, **k):\n    r.append(1)\n    return old(*a, **k)\nbuiltins.__build_class__ = new\nimport enum\n"), "1050", ["m.py:8:", "'__build_class__'"]),
    Row("a partial of an unknown function", unknown("p(2)\nreturn x + 1", "import functools\np = functools.partial(no_such.f, 1)\np(3)\n"), gives=1),
    Row("a partial of an unknown function that is used", unknown("return x + p(2)", "import functools\np = functools.partial(no_such.f, 1)\n"), "1013", ["no_such.f()"]),
    Row("a command beside calls of its module", entry("return x + torch.rand(3) * 0 + len(r)", "import click, torch\nr = []\n@click.command()\n@click.option('--n')\ndef main(n):\n    torch.manual_seed(3)\n    r.append(n)\nclick.echo('a')\n"), gives=0),
    Row("a command that is called", entry("return x + len(r)", "import click\nr = []\n@click.command()\ndef main():\n    r.append(1)\nmain()\n"), "1017", ["click.command()()"]),
    # What ptc lacks is not what the program did
    Row("a function mode", entry("with Mode():\n    return x + 1", "from torch.overrides import TorchFunctionMode\nclass Mode(TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args, **kwargs or {})\n")),
    Row("a class of tensors that nobody uses", entry("return x + 1", "import torch\nclass Sub(torch.Tensor):\n    size: int\n    def f(self):\n        return 1\nclass Further(Sub):\n    pass\nKINDS = {'a': Further}\n")),
    Row("a class of tensors", entry("return x + issubclass(Further, torch.Tensor) + 2 * isinstance(x, Sub) + Further.size", "import torch\nclass Sub(torch.Tensor):\n    size = 4\nclass Further(Sub):\n    pass\n")),
    Row("a tensor of another class with a __torch_dispatch__", entry("return x + Sub(x)", "import torch\nclass Sub(torch.Tensor):\n    @classmethod\n    def __torch_dispatch__(cls, func, types, args=(), kwargs=None): return func(*args)\n"), "1050", ["'m.Sub', a class derived from torch.Tensor"]),
    Row("what a TorchFunctionMode is asked by a layer of many functions", entry("with Mode():\n    return torch.nn.Bilinear(3, 3, 2)(x, x)", "import torch\nclass Mode(torch.overrides.TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args, **kwargs or {})\n"), "1001", ["inside a TorchFunctionMode"]),
    Row("grad mode inside a TorchFunctionMode", entry("with Mode():\n    with torch.no_grad():\n        return x + 1", "import torch\nclass Mode(torch.overrides.TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args, **kwargs or {})\n"), "1001", ["changing a mode of torch inside a TorchFunctionMode"]),
    Row("truth of a tensor inside a TorchFunctionMode", entry("with Mode():\n    return 1 if x[0] else 2", "import torch\nclass Mode(torch.overrides.TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args, **kwargs or {})\n"), "1001", ["bool() of tensors inside a TorchFunctionMode"]),
    Row("types that a TorchFunctionMode is told", entry("with Mode():\n    return x + 1", "import torch\nclass Mode(torch.overrides.TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None): return func(*args, **kwargs or {}) + len(types)\n"), "1013", ["the types in a call of a TorchFunctionMode"]),
    Row("the text of a tensor of another class", entry("return str(Sub(x))", "import torch\nclass Sub(torch.Tensor):\n    pass\n"), "1001", ["the text of a tensor of a derived class"]),
    Row("a parameter of another class", entry("return torch.nn.Parameter(Sub(x))", "import torch\nclass Sub(torch.Tensor):\n    pass\n"), "1001", ["__new__ of a tensor of a derived class"]),
    Row("copies of a tensor of another class", entry("return copy.copy(Sub(x)), copy.deepcopy(Sub(x))", "import copy, torch\nclass Sub(torch.Tensor):\n    pass\n"), "1001", ["copy.copy of a tensor of a derived class", "copy.deepcopy of a tensor of a derived class"]),
    Row("what makes tensors, given one of another class", entry("return torch.full((2,), Sub(x)[0])", "import torch\nclass Sub(torch.Tensor):\n    pass\n"), "1001", ["torch.full of a tensor of a derived class"]),
    Row("a __torch_function__ asked by a layer of many functions", entry("return torch.nn.LSTM(3, 2)(Sub(x.expand(2, 3)))", "import torch\nclass Sub(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None): return super().__torch_function__(func, types, args, kwargs)\n"), "1001", ["with an object that has a __torch_function__ of its own"]),
    Row("a __torch_function__ that is told of indexing", entry("return Sub(x)[0]", "import torch\nclass Sub(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None): return func is torch.Tensor.__getitem__\n"), "1001", ["torch.Tensor.__getitem__"]),
    Row("a tensor of another class with an attribute, as a result", entry("y = Sub(x)\ny.unit = 'm'\nreturn y", "import torch\nclass Sub(torch.Tensor):\n    pass\n"), "1050", ["a Sub with the attribute 'unit' beside its value"]),
    Row("a tensor of another class, made by object", entry("return x + object.__new__(Sub)", "import torch\nclass Sub(torch.Tensor):\n    pass\n"), "1050", ["'m.Sub', a class derived from torch.Tensor"]),
    Row("a class of maps", entry("return x + list(M(abs, [1]))[0]", "class M(map):\n    pass\n"), "1050", ["derived from map"]),
    Row("defaults by name", entry("return x + f()", "def f(*, a=1):\n    return a\nf.__kwdefaults__ = {'a': 5}\n")),
    Row("a class of modules", entry("return x + m.f() + m.n", "import types\nclass M(types.ModuleType):\n    n = 2\n    def f(self):\n        return len(self.__name__)\nm = M('abc')\n")),
    Row("a module that is made", entry("return x + math.floor(2.5)", "import types\ntypes.ModuleType('math')\nimport math\n")),
    # Names that exist
    Row("names of modules", entry("return x + hasattr(torch, '_foreach_add_') + 2 * hasattr(os.path, 'abspath') + 4 * hasattr(sys, 'implementation')", "import os, sys, torch\n")),
    Row("a guarded import without a model", entry("return x + (sdpa_kernel is None) + 2 * (SDPBackend is None)", "try:\n    from torch.nn.attention import sdpa_kernel, SDPBackend\nexcept ImportError:\n    sdpa_kernel = SDPBackend = None\n")),
    Row("callable values", entry("return x + callable(copyreg.dispatch_table) + 2 * callable(secrets.choice)", "import copyreg, secrets\n")),
    Row("features", entry("return x + __future__.annotations.compiler_flag % 1000 + len(str(__future__.division)) + (__future__.annotations.mandatory is None)", "import __future__\n")),
    Row("a type variable and Final", entry("return x + callable(typing.AnyStr) + 2 * (torch.jit.Final is typing.Final) + 4 * len(typing.AnyStr.__constraints__)", "import torch, typing\n")),
    Row("names of later versions", entry("return x + sum([2 ** i * hasattr(m, n) for i, (m, n) in enumerate(NAMES)])", "import itertools, math, typing, copy, warnings\nNAMES = [(itertools, 'batched'), (math, 'sumprod'), (typing, 'override'), (copy, 'replace'), (warnings, 'deprecated'), (itertools, 'pairwise')]\n")),
    Row("names that only the model has", entry("return x + sum([2 ** i * hasattr(m, n) for i, (m, n) in enumerate(NAMES)])", "import heapq, functools, torch\nNAMES = [(heapq, 'operator'), (torch.functional, 'where'), (torch.special, 'n'), (functools, '_updated'), (torch, '_refuse'), (heapq, 'heappush')]\n")),
    Row("an import of what only the model has", entry("return x + N", "try:\n    from functools import _updated\n    N = 1\nexcept ImportError:\n    N = 2\ntry:\n    import torch.nn._losses\n    N += 4\nexcept ImportError:\n    N += 8\n")),
    Row("a name of a later version that the program gives", entry("return x + itertools.batched(1) + hasattr(itertools, 'batched')", "import itertools\nif not hasattr(itertools, 'batched'):\n    itertools.batched = lambda n: n + 1\n"), gives=3),
    Row("such a name that is deleted", entry("return x + hasattr(itertools, 'batched')", "import itertools\nitertools.batched = 1\nfrom itertools import batched\ndel itertools.batched\n"), gives=0),
    Row("all names of a module", entry("return x + floor(2.5) + (pairwise is not None) + HAS", "from math import *\nfrom itertools import *\ntry:\n    batched\n    HAS = 1\nexcept NameError:\n    HAS = 2\n")),
    Row("an unmodelled name of all", entry("return x + (SimpleQueue is None) + callable(coroutine)", "from types import *\nfrom queue import SimpleQueue\n")),
    Row("a list of all names", entry("return x + len(dir(math))", "import math\n"), "10..", ["'math'"]),
    Row("all variables of a module", entry("return x + len(math.__dict__)", "import math\n"), "10..", ["'math'"]),
    Row("a module of a package after its import", entry("return x + hasattr(xml, 'dom') + 2 * callable(xml.dom.minidom.parse)", "import xml.dom.minidom\n")),
    Row("a module of a package without a model that is absent", entry("return x + 1 if m is None else x", "import importlib\ntry:\n    m = importlib.import_module('xml.no_such')\nexcept ImportError:\n    m = None\n")),
    Row("a module of a package that an import names", entry("return x + hasattr(xml, 'sax')", "import xml\nfrom xml import sax\n")),
    Row("a module of a package without an import", entry("return x + hasattr(xml, 'sax')", "import xml\n"), "10..", ["xml.sax"]),
    # What unknown values are to the modules that keep them
    Row("a default of a dataclass", unknown("return x + C().b", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int = no_such.field(3)\n    b: int = 2\n"), "1013", ["no_such.field()"]),
    Row("an annotation of a dataclass", unknown("return x + C(1).a + len(dataclasses.fields(C))", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: no_such.Array\n    b: no_such.ClassVar = 2\n"), gives=2),
    Row("equality of a dataclass", unknown("return x + (C(no_such.a) == C(no_such.b))", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int\n"), "1013", ["no_such."]),
    Row("text of a dataclass", unknown("return x + len(repr(C(no_such.a)))", "import dataclasses\n@dataclasses.dataclass\nclass C:\n    a: int\n"), "1013", ["no_such.a"]),
    Row("a member of an enumeration", unknown("return x + len(E)", "import enum\nclass E(enum.Enum):\n    A = no_such.a\n    B = no_such.b\n"), "1013", ["no_such.a"]),
    Row("a member of an enumeration that is not used", unknown("return x + 1", "import enum\nclass E(enum.Enum):\n    A = no_such.a\n"), gives=1),
    Row("a method of an abstract class", unknown("return x + C().g()", "import abc\nclass C(abc.ABC):\n    f = no_such.make()\n    def g(self):\n        return 1\n"), "1013", ["no_such.make()"]),
    Row("a method that is written anew", unknown("return x + D().f()", "import abc\nclass C(abc.ABC):\n    f = no_such.make()\nclass D(C):\n    def f(self):\n        return 1\n"), gives=1),
    Row("attributes of a wrapper", unknown("return x + hasattr(f, 'mark')", "import functools\n@functools.wraps(no_such.f)\ndef f():\n    pass\n"), "1013", ["no_such.f"]),
    Row("a wrapper of a known function", entry("return x + f()", "import functools, re\n@functools.wraps(re.match)\ndef f():\n    return 1\n")),
    Row("a cache of results", unknown("return x + f(no_such.g(1)) + f(no_such.g(2))", "import functools\nn = []\n@functools.lru_cache\ndef f(a):\n    n.append(1)\n    return len(n)\n"), "1013", ["no_such.g()"]),
    Row("parameters beside an unknown attribute", entry("return x + len(list(m.parameters()))", "import no_such, torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = no_such.Layer()\nm = M()\n"), "1013", ["no_such.Layer()"]),
    Row("an unknown attribute of a module", entry("return x + m.eval().l(x).sum() * 0 + m.training", "import no_such, torch\nclass M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = no_such.Tokenizer()\n        self.l = torch.nn.Linear(3, 3)\nm = M()\n"), gives=0),
    Row("an unknown context", unknown("with contextlib.ExitStack() as s:\n    s.enter_context(no_such.c())\nreturn x + 1", "import contextlib\n"), "1013", ["no_such.c()"]),
    Row("members of an unknown union", unknown("return x + len(typing.get_args(U))", "import typing\nU = typing.Union[no_such.A, no_such.B]\n"), "1013", ["no_such.A"]),
    Row("an annotation with an unknown union", unknown("return x + f(None)", "import typing\ndef f(a: typing.Optional[no_such.A]):\n    return 1\n"), gives=1),
    Row("annotations with unions of a class without a model", entry("return f(x, 1)", "import datetime, torch\nclass Box: pass\nT = datetime.date | Box | list[datetime.date] | list[Box]\nN = datetime.date | None\ndef f(x, a: T, b: N = None): return x + a\n")),
    Row("a union of a class without a model, asked", entry("return x + isinstance(x, T)", "import datetime\nclass Box: pass\nT = datetime.date | Box | list[Box]\n"), "1001", ["datetime.date[…]"]),
    Row("what a class of the program makes of a union", entry("return x + isinstance(T, int)", "import datetime\nclass Meta(type):\n    def __ror__(cls, other): return 3\nclass Box(metaclass=Meta): pass\nT = datetime.date | Box\n"), "1001", ["datetime.date[…]"]),
    # Files
    Row("a file that is not there", entry("return x + (os.path.exists('/no/such') or os.path.isdir('/no/such') or os.path.isfile('/no/such'))", "import os\n")),
    Row("the file of the program", entry("return x + os.path.exists(__file__)", "import os\n"), "1001", ["os.path.exists()"]),
    Row("a file at a path that is not known", unknown("return x + 1 if HAS else x", "import os\nHAS = os.path.isfile(no_such.path)\n"), "10..", ["os.path.isfile()"]),
    Row("a folder of the user", entry("return x + len(HOME)", "import os\nHOME = os.path.expanduser('~/a')\n"), "1001", ["os.path.expanduser()"]),
    Row("a path below a folder of the user that nobody reads", entry("return x + 1", "import os, torch\nHOME = os.path.join(os.path.expanduser('~'), 'a')\nHUB = os.path.join(torch.hub._get_torch_home(), 'b')\n"), gives=1),
    Row("a folder of the user that is given", entry("return x + len(os.path.expanduser('~/a'))", "import os\n"), gives=4, args=["--env=HOME=/b/"]),
    Row("a dtype without a model", entry("return x + torch.iinfo(torch.uint16).max", "import torch\n"), "10..", ["torch.iinfo(torch.uint16)"]),
    *(Row(f"limits of {name}", entry(f"f = torch.finfo(torch.{name})\n{LIMITS}", "import torch\n"))
      for name in ("float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz", "float8_e8m0fnu")),
    # What libraries ask of torch while they are imported
    Row("names of a module of torch", entry("return x + ('silu' in dir(F)) + 2 * ('no_such' in dir(F))", "import torch.nn.functional as F\n")),
    Row("marks for tracers", entry("return g(f(x))", "import torch\nfrom torch.jit.annotations import BroadcastingList2\n@torch.jit._script_if_tracing\ndef f(x): return x + 1\n@torch.fx.wrap\ndef g(x, size: BroadcastingList2[int] = 3): return x * size\ntorch.fx.wrap('f')\n")),
    Row("operators of a library", entry("return x + 1", "import torch\nlib = torch.library.Library('mine', 'IMPL', 'Meta')\nlib.impl('f', lambda x: x)\n@torch.library.register_fake('mine::g')\ndef g(x): return x\ntorch.ops.load_library('no_such.so')\nP = []\ntorch._C._log_api_usage_once('a')\n"), gives=1),
    Row("an operator of a library, called", entry("return torch.ops.mine.g(x)", "import torch\n"), "1001", ["torch.ops.mine.g"]),
    Row("a union of classes without a model", entry("return f(x)", "import pathlib, torch.utils.data as data\nfrom typing import *\nT = TypeVar('T')\ndef f(x, to: Union[str, pathlib.Path, BinaryIO] = None, *k: Dict[str, Callable[[Union[int, pathlib.Path]], None]], b: Optional[list[Callable[..., int]]] = None): return x + (to is None)\nclass D(data.Dataset[T]): pass\n")),
    Row("the text of a union of classes without a model", entry("return x + len(repr(Union[str, datetime.date]))", "import datetime\nfrom typing import *\n"), "1001", ["datetime.date"]),
    # Modules
    Row("find_spec of what is absent", entry("return x + 1 if HAS else x + 2", "import importlib.util\nHAS = importlib.util.find_spec('no_such_package') is not None\n")),
    Row("find_spec of torch", entry("return x + 1 if find_spec('torch') else x + 2", "from importlib.util import find_spec\n")),
    Row("find_spec below what is absent", entry("try:\n    find_spec('no_such_package.part')\nexcept ModuleNotFoundError:\n    return x + 1\nreturn x", "from importlib.util import find_spec\n")),
    Row("import_module", entry("return x + m.pi", "import importlib\nm = importlib.import_module('math')\n")),
    Row("import_module of what is absent", entry("return x + 1 if m is None else x + 2", "import importlib\ntry:\n    m = importlib.import_module('no_such_package')\nexcept ImportError:\n    m = None\n")),
    Row("a guarded import", entry("return x + HAS", "try:\n    import no_such_package.part\n    HAS = 1\nexcept ImportError:\n    HAS = 2\n")),
    Row("--opaque", entry("return x + HAS", "try:\n    import no_such\n    HAS = 1\nexcept ImportError:\n    HAS = 2\n"), gives=1, args=["--opaque=no_such"]),
    Row("--absent", entry("return x + HAS", "try:\n    import math\n    HAS = 1\nexcept ImportError:\n    HAS = 2\n"), gives=2, args=["--absent=math"]),
    *(Row(f"--absent of a program: {call}", entry("return x + HAS", f"import shutil, subprocess\ntry:\n    HAS = len(({call}) or 'abc')\nexcept FileNotFoundError as e:\n    HAS = e.errno * (e.filename == 'no_such') + 10\n"),
          gives=gives, args=["--absent=program:no_such"])
      for call, gives in (("subprocess.check_output(['no_such', '--version'], text=True)", 12), ("subprocess.run(('no_such',), stdout=subprocess.PIPE)", 12), ("shutil.which('no_such')", 3))),
    *(Row(f"a program that may be there: {call}", entry("return x + HAS", f"import shutil, subprocess\ntry:\n    HAS = bool({call})\nexcept FileNotFoundError:\n    HAS = 2\n"), "1001", [call.partition("(")[0], "--absent=program:"],
          args=["--absent=program:no_such"])
      for call in ("subprocess.check_output(['another'])", "subprocess.run('no_such', shell=True)", "subprocess.check_output(['no_such'], cwd='a')", "subprocess.check_output([*['no_such', 3]])", "shutil.which('another')")),
    Row("--absent of an import without a handler", entry("return x", "import math\n"), "7003", ["ModuleNotFoundError: No module named 'math'"], args=["--absent=math"], code=13),
]


def eager(row):
    if row.gives is not None:
        return X + row.gives
    names = {"__name__": "m"}
    exec(compile(row.source, "m.py", "exec"), names)
    return names["entry"](X.clone())


def check(ptc, folder, row):
    path = folder / "m.py"
    path.write_text(row.source)
    compile_pyc(path, path.with_suffix(".pyc"))
    x = f"x={json.dumps({'$tensor': 'f32[3]', 'values': X.tolist()})}"
    done = batch.run([ptc, "run", "m.pyc", "--entry", "entry", "--input", x, *row.args], cwd=folder, text=True, timeout=120)
    assert "'opaque'" not in done.stderr, done.stderr
    if row.refused is None:
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip() == str(eager(row)), done.stdout
        return

    assert done.returncode == row.code, f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    assert re.search(rf"error: .*\[PTC{row.refused}\]", done.stderr), done.stderr
    for part in row.says:
        assert part in done.stderr, f"{part!r} is not in\n{done.stderr}"


def check_listed(ptc, folder):
    """Output lists modules that are taken for absent, with the line that asked."""
    path = folder / "m.py"
    path.write_text("import importlib.util\ntry:\n    import flash_attn\nexcept ImportError:\n    flash_attn = None\nHAS = importlib.util.find_spec('xformers') is not None\n\n\ndef entry(x):\n    return x + 1\n")
    compile_pyc(path, path.with_suffix(".pyc"))

    def run(*args):
        return subprocess.run([ptc, *args], cwd=folder, capture_output=True, text=True, check=True, timeout=120)

    words = ["m.pyc", "--input", "x=f32[3]"]
    text = run("inspect-graph", *words).stdout
    for name, line in (("flash_attn", 3), ("xformers", 6)):
        assert any(f"'{name}'" in row and f"m.py:{line}" in row for row in text.splitlines()), text
    for output in (json.loads(run("inspect-graph", *words, "--format=json").stdout),):
        rows = [(row["text"].split("'")[1], row["line"]) for row in output["assumptions"]]
        assert rows == [("flash_attn", 3), ("xformers", 6)], output["assumptions"]
    noted = run("inspect-graph", *words, "-v").stderr
    assert "m.py:3" in noted and "'flash_attn'" in noted, noted
    path.write_text("import no_such_module\n\n\ndef entry(x):\n    no_such_module.log(3)\n    return x + 1\n")
    compile_pyc(path, path.with_suffix(".pyc"))
    rows = [(row["text"], row["line"]) for row in json.loads(run("inspect-graph", *words, "--format=json").stdout)["assumptions"]]
    assert rows == [("module 'no_such_module' is not found, and taken to be there", 1), ("what a call of 'no_such_module.log' does is left out", 5)], rows


def main():
    args = runner.options(__doc__).parse_args()
    ptc = Path(args.ptc).resolve()
    cases = [(row.name, lambda folder, row=row: check(ptc, folder, row)) for row in ROWS]
    return runner.run_in_folders([*cases, ("listed", lambda folder: check_listed(ptc, folder))], args)


if __name__ == "__main__":
    sys.exit(main())
