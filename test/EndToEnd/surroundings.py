#!/usr/bin/env python3
"""What a program sees of the libraries around it: warnings, tracebacks, modules and what they say of themselves, modes.

    surroundings.py --ptc PTC [FILTER] [-j N] [-v]

Either eager's answers, or a refusal by name.
"""
import contextlib
import importlib
import sys
import warnings
from pathlib import Path

import torch

import unmodelled
from pycs import compile_pyc
from unmodelled import Row, entry

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

LIBRARIES = "import warnings\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"


def recorded(call, before="", then="len(w) + len(str(w[0].message)) / 1000 + (w[0].category is UserWarning)"):
    return entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n"
                 f"    {call}\nreturn x + ({then})", LIBRARIES + before)


def raised(call, kind="UserWarning"):
    return entry(f"with warnings.catch_warnings():\n    warnings.simplefilter('error')\n    try:\n        {call}\n"
                 f"    except {kind} as e:\n        return x + len(str(e))\nreturn x - 1", LIBRARIES)


# Calls that eager warns of each time, from Python.
CALLS = {
    "softmax": "F.softmax(x)",
    "log_softmax of a matrix": "F.log_softmax(x.view(1, 3))",
    "nn.Softmax": "nn.Softmax()(x)",
    "mse_loss": "F.mse_loss(x, x[:1])",
    "l1_loss": "F.l1_loss(x, x[:1])",
    "smooth_l1_loss": "F.smooth_l1_loss(x, x[:1])",
    "huber_loss": "F.huber_loss(x, x[:1])",
    "kl_div": "F.kl_div(x, x)",
    "size_average": "F.mse_loss(x, x, size_average=True)",
    "reduce": "nn.L1Loss(reduce=False)(x, x)",
    "elementwise_mean": "F.mse_loss(x, x, reduction='elementwise_mean')",
    "upsample": "F.upsample(x.view(1, 1, 3), scale_factor=2)",
    "upsample_nearest": "F.upsample_nearest(x.view(1, 1, 3), scale_factor=2)",
    "upsample_bilinear": "F.upsample_bilinear(x.view(1, 1, 1, 3), scale_factor=2)",
    "grid_sample": "F.grid_sample(x.view(1, 1, 1, 3), torch.zeros(1, 1, 1, 2))",
    "affine_grid": "F.affine_grid(torch.zeros(1, 2, 3), [1, 1, 2, 2])",
    "affine_grid of one row": "F.affine_grid(torch.zeros(1, 2, 3), [1, 1, 1, 2], align_corners=True)",
    "dropout2d": "F.dropout2d(x.view(1, 1, 3), training=False)",
    "dropout2d of a matrix": "F.dropout2d(x.view(1, 3), training=False)",
    "dropout3d": "F.dropout3d(x.view(1, 1, 3), training=False)",
    "instance_norm": "nn.InstanceNorm1d(5)(x.view(1, 1, 3))",
    "trunc_normal_": "nn.init.trunc_normal_(torch.zeros(2), mean=9.0)",
}
QUIET = {
    "softmax with dim": "F.softmax(x, 0)",
    "equal sizes": "F.mse_loss(x, x)",
    "layers": "nn.Linear(3, 2)(x), nn.LayerNorm(3)(x), nn.Conv1d(1, 1, 3)(x.view(1, 1, 3))",
    "a moment": "x.std()",
    "a transposed matrix": "x.view(1, 3).T",
    "tensor": "torch.tensor([1.0]), torch.as_tensor(x)",
    "masks": "x[x > 1], x.masked_fill(x > 1, 0)",
}
# Those that eager gives once in a process, or for what is known at run time only.
REFUSED = {
    "T of a vector": ("x.T", "x.T of a tensor that is no matrix"),
    "mT of a number": ("x[0].mT", "x.mT of a tensor without dimensions"),
    "tensor of a tensor": ("torch.tensor(x)", "torch.tensor() of a tensor"),
    "new_tensor of a tensor": ("x.new_tensor(x)", "torch.tensor() of a tensor"),
    "std of one number": ("x[:1].std()", "degrees of freedom"),
    "var with a correction": ("x.var(correction=3)", "degrees of freedom"),
    "an index of uint8": ("x[torch.tensor([1, 0, 1], dtype=torch.uint8)]", "indices of uint8"),
    "meshgrid": ("torch.meshgrid(x, x)", "torch.meshgrid without indexing"),
    "cross": ("torch.cross(x, x)", "torch.cross without dim"),
    "an even kernel": ("F.conv1d(x.view(1, 1, 3), torch.zeros(1, 1, 2), padding='same')", "padding='same'"),
    "a number of what requires a gradient": ("float(nn.Parameter(torch.ones(1)))", "requires a gradient"),
    "nested tensors": ("nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2), 1)", "TransformerEncoder"),
}
SHOW = "def show(*args, **kwargs):\n    pass\nwarnings.showwarning = show\n"
OWN = "import warnings\n"
ROWS = [
    *(Row(f"recorded: {name}", recorded(call)) for name, call in CALLS.items()),
    *(Row(f"raised: {name}", raised(call)) for name, call in CALLS.items()),
    *(Row(f"quiet: {name}", recorded(call, then="len(w)")) for name, call in QUIET.items()),
    *(Row(f"refused: {name}", recorded(call, then="len(w)"), r"\d+", [says]) for name, (call, says) in REFUSED.items()),
    *(Row(f"not looked at: {name}", entry(f"{call}\nreturn x + 1", LIBRARIES)) for name, (call, _) in REFUSED.items()),
    Row("raised: a deprecation", raised("torch.jit.script(lambda: 3)", "DeprecationWarning")),
    Row("a warning that is ignored", entry("with warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n    y = F.softmax(x)\nreturn y", LIBRARIES)),
    Row("a recorder without filters", entry("with warnings.catch_warnings(record=True) as w:\n    F.softmax(x)\nreturn x + len(w)", LIBRARIES)),
    Row("a recorder at import", entry("return x + N", LIBRARIES + "with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    F.softmax(torch.ones(2))\nN = len(w)\n")),
    Row("a filter by text", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    warnings.filterwarnings('ignore', '.*dimension choice')\n    F.softmax(x)\n    F.kl_div(x, x)\nreturn x + len(w)", LIBRARIES)),
    Row("the same twice, once for a place", entry("with warnings.catch_warnings(record=True) as w:\n    F.softmax(x)\n    F.softmax(x)\nreturn x + len(w)", LIBRARIES), r"\d+", ["was shown before"]),
    Row("a filter by module", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.filterwarnings('ignore', module='m')\n    F.softmax(x)\nreturn x + len(w)", LIBRARIES), r"\d+", ["a filter of warnings"]),
    Row("the line of a warning of torch", recorded("F.softmax(x)", then="w[0].lineno"), r"\d+", ["warnings.WarningMessage.lineno"]),
    Row("showwarning", entry("F.softmax(x)\nreturn x", LIBRARIES + SHOW), r"\d+", ["warnings.showwarning"]),
    Row("showwarning of x.T", entry("x.T\nreturn x", LIBRARIES + SHOW), r"\d+", ["x.T"]),
    # The program's own warnings
    Row("two lines", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('default')\n    warnings.warn('a')\n    warnings.warn('a')\nreturn x + len(w)", OWN)),
    Row("two turns", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('default')\n    for i in range(3):\n        warnings.warn('a')\nreturn x + len(w)", OWN)),
    Row("two recorders", entry("n = 0\nfor i in range(2):\n    with warnings.catch_warnings(record=True) as w:\n        warnings.warn('a')\n    n += len(w)\nreturn x + n", OWN)),
    Row("by module", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('module')\n    warnings.warn('a')\n    warnings.warn('a')\nreturn x + len(w)", OWN)),
    Row("once", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('once')\n    for i in range(2):\n        warnings.warn('a')\n        warnings.warn('b')\n    warnings.warn('a')\nreturn x + len(w)", OWN)),
    Row("the beginning of a text", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    warnings.filterwarnings('ignore', 'b')\n    warnings.warn('a b')\n    warnings.warn('B a')\nreturn x + len(w)", OWN)),
    Row("a pattern", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.simplefilter('always')\n    warnings.filterwarnings('ignore', r'a\\.b.*c')\n    for text in ('a.b', 'a.b c', 'axb c', 'a.bc'):\n        warnings.warn(text)\nreturn x + sum([len(m.message.args[0]) * 10 ** i for i, m in enumerate(w)])", OWN)),
    Row("alternatives in a pattern", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.filterwarnings('ignore', 'a(b|c)')\n    warnings.warn('ab')\nreturn x + len(w)", OWN)),
    Row("an optional group", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.filterwarnings('ignore', 'd(b|c)?')\n    warnings.warn('ab')\nreturn x + len(w)", OWN)),
    Row("a pattern that begins otherwise", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.filterwarnings('ignore', 'dd[bc]')\n    warnings.warn('ab')\nreturn x + len(w)", OWN)),
    Row("a module", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.filterwarnings('ignore', module='m')\n    warnings.filterwarnings('error', module='other')\n    warnings.warn('a')\nreturn x + len(w)", OWN)),
    Row("a deprecation", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.warn('a', DeprecationWarning)\n    warnings.warn('a', FutureWarning)\nreturn x + len(w)", OWN)),
    Row("the line", entry("with warnings.catch_warnings(record=True) as w:\n    warnings.warn('a')\n    f()\nreturn x + w[0].lineno * 100 + w[1].lineno", OWN + "def f():\n    warnings.warn('b', stacklevel=2)\n")),
    Row("a recorder within another", entry("with warnings.catch_warnings(record=True) as v:\n    with warnings.catch_warnings(record=True) as w:\n        warnings.warn('a')\n    with warnings.catch_warnings():\n        warnings.warn('b')\n        warnings.warn('c')\nreturn x + len(v) * 10 + len(w)", OWN)),
    Row("warn_explicit", entry("with warnings.catch_warnings(record=True) as w:\n    for i in range(2):\n        warnings.warn_explicit('a', UserWarning, 'f.py', 7)\nreturn x + len(w) * 10 + w[0].lineno", OWN)),
    Row("formatwarning", entry("warnings.warn('a')\nreturn x", OWN + "warnings.formatwarning = lambda *a, **k: print('a') or ''\n"), r"\d+", ["warnings.formatwarning"]),
    Row("formatwarning that is not called", entry("return x + 1", OWN + "warnings.formatwarning = lambda *a, **k: ''\n")),
    Row("a warning behind another standard error", entry("f = io.StringIO()\nwith contextlib.redirect_stderr(f):\n    warnings.warn('a')\nreturn x + len(f.getvalue())", OWN + "import contextlib, io\n"), r"\d+", ["the text of a warning"]),
    Row("filters", entry("return x + len(warnings.filters)", OWN), r"\d+", ["warnings.filters"]),
]
ROWS += [
    # Results of torch.return_types
    Row("class of kthvalue", entry("return x + len(str(type(x.kthvalue(1)))) * 100 + x.kthvalue(k=1).n_fields + len(repr(type(torch.aminmax(x))))", LIBRARIES)),
    Row("k of kthvalue that is no int", entry("n = 0\nfor call in (lambda: torch.kthvalue(x, True), lambda: x.kthvalue(True), lambda: torch.kthvalue(x, k=2.0)):\n    try:\n        call()\n    except TypeError as e:\n        n = n * 100 + len(str(e)) + ('position 1' in str(e))\nreturn x + n", LIBRARIES)),
    # Tensors that are given other data stay the objects that they are
    Row("data of a parameter", entry("old = p.data\np.data = x * 2\nold.add_(1)\nreturn (x + p + old.sum() + (p is held[0]) + (held[0] is m.bias) * 10).detach()",
                                     LIBRARIES + "m = nn.Linear(3, 3)\np = m.bias = nn.Parameter(torch.ones(3))\nheld = [p]\n")),
    Row("data of a parameter at import", entry("return (x + p + h[0] * 10 + d[p] * 100).detach()",
                                               LIBRARIES + "p = nn.Parameter(torch.ones(3))\nh, d = [p], {p: 2}\np.data = torch.full((3,), 3.0)\n")),
    Row("data of a tensor, under another name", entry("y = x * 1\nz = y\ny.data = x[:2] + 5\nreturn z.sum() + x + (y is z) + z.shape[0]", LIBRARIES)),
    Row("data and what was given share memory", entry("t = x * 1\np.data = t\nt.add_(10)\nreturn p.detach() + x", LIBRARIES + "p = nn.Parameter(torch.ones(3))\n")),
    Row("data under a branch, in a loop", entry("for i in range(3):\n    if x.sum() > i:\n        p.data = p.data * 2 + x\nreturn h[0].detach() + x", LIBRARIES + "p = nn.Parameter(torch.ones(3))\nh = [p]\n")),
    Row("data of a parameter is that of one object", entry("i, h = id(p), hash(p)\np.data = p.data * 2\nreturn x + (id(p) == i) + (hash(p) == h) * 10", LIBRARIES + "p = nn.Parameter(torch.ones(3))\n")),
    Row("half of a parameter is that of one object", entry("return x + WAS", LIBRARIES + "m = nn.Linear(2, 2)\nnames = {id(p): n for n, p in m.named_parameters()}\nm.half()\nWAS = sum([len(names.get(id(p), '')) for p in m.parameters()])\n")),
    Row("integers as data of a parameter", entry("try:\n    p.data = torch.tensor([1, 2, 3])\nexcept RuntimeError as e:\n    return x + len(str(e))\nreturn x", LIBRARIES + "p = nn.Parameter(torch.ones(3))\n")),
    Row("del of data", entry("y = x * 1\ndel y.data\nreturn x", LIBRARIES), r"\d+", ["deleting torch.Tensor.data"]),
    Row("data of an argument", entry("x.data = x * 2\nreturn x", LIBRARIES), r"\d+", ["torch.Tensor.data of an argument"]),
    Row("data of a view", entry("y = x * 1\ny[:2].data = x\nreturn y", LIBRARIES), r"\d+", ["torch.Tensor.data of what is no parameter"]),
    *(Row(f"{call} where a parameter is held", entry("return x + (h[0].dtype == m.weight.dtype) + (h[0] is m.weight) * 10 + d[m.weight] * 100 + (w.dtype == h[0].dtype) * 1000 + (v.dtype == torch.float32) * 10000",
                                                     LIBRARIES + f"m = nn.Sequential(nn.Linear(3, 2))[0]\nw = m.weight\nh, d, v = [w], {{w: 2}}, w.data\nm.{call}\n"))
      for call in ("half()", "bfloat16()", "double()", "float()", "to(torch.float16)")),
    Row("half() in a call", entry("n = nn.Linear(3, 2)\nw = n.weight\nn.half()\nreturn x + (w is n.weight) + (w.dtype == torch.float16) * 10", LIBRARIES)),
    # Tracebacks
    Row("print_exc to standard error", entry("try:\n    raise ValueError('a')\nexcept ValueError:\n    traceback.print_exc()\n    return x + 1", "import traceback\n")),
    Row("print_exc to standard output", entry("try:\n    raise ValueError('a')\nexcept ValueError:\n    traceback.print_exc(file=sys.stdout)\n    return x + 1", "import sys, traceback\n"), r"\d+", ["traceback.print_exc"]),
    Row("print_exc to memory", entry("f = io.StringIO()\ntry:\n    raise ValueError('a')\nexcept ValueError:\n    traceback.print_exc(file=f)\nreturn x + len(f.getvalue())", "import io, traceback\n"), r"\d+", ["traceback.print_exc"]),
    Row("print_exc behind another standard error", entry("f = io.StringIO()\nwith contextlib.redirect_stderr(f):\n    try:\n        raise ValueError('a')\n    except ValueError:\n        traceback.print_exc()\nreturn x + len(f.getvalue())", "import contextlib, io, traceback\n"), r"\d+", ["traceback.print_exc"]),
    Row("print_stack to standard output", entry("traceback.print_stack(file=sys.stdout)\nreturn x + 1", "import sys, traceback\n"), r"\d+", ["traceback.print_stack"]),
    Row("format_exc", entry("try:\n    raise ValueError('a')\nexcept ValueError:\n    return x + len(traceback.format_exc())", "import traceback\n"), r"\d+", ["traceback.format_exc"]),
    Row("format_exc that is printed", entry("try:\n    raise ValueError('a')\nexcept ValueError:\n    print(traceback.format_exc())\nreturn x", "import traceback\n"), r"\d+", ["traceback.format_exc"]),
    Row("format_exception", entry("try:\n    raise ValueError('a')\nexcept ValueError as e:\n    return x + len(traceback.format_exception(e))", "import traceback\n"), r"\d+", ["traceback.format_exception"]),
    Row("pickle.loads", entry("y = pickle.loads(b'abc')[0]\nreturn x + y", "import pickle\n"), r"\d+", ["m.py:5:", "pickle.loads"]),
    # Deterministic algorithms
    *(Row(f"deterministic: {call}", entry(f"torch.use_deterministic_algorithms(True)\ny = {call}\nreturn x + y.isnan().sum() * 100 + (y != y.new_zeros(1)).sum()", "import torch\n"))
      for call in ("torch.empty(3)", "torch.empty(3, dtype=torch.float16)", "torch.empty_like(x)", "x.new_empty(2)", "torch.empty_strided((2,), (2,))", "torch.Tensor(2)", "torch.empty(2).fill_(3)")),
    *(Row(f"deterministic: {kind}", entry(f"torch.use_deterministic_algorithms(True)\nreturn torch.empty(3, dtype=torch.{kind})", "import torch\n"))
      for kind in ("int8", "uint8", "int16", "int32", "int64", "bool", "float64")),
    Row("deterministic: at import", entry("return x + y.isnan().sum()", "import torch\ntorch.use_deterministic_algorithms(True)\ny = torch.empty(3)\ntorch.use_deterministic_algorithms(False)\n")),
    Row("deterministic: without filling", entry("return torch.empty(3) * 0 + x", "import torch\ntorch.use_deterministic_algorithms(True)\ntorch.utils.deterministic.fill_uninitialized_memory = False\n"), r"\d+", ["torch.utils.deterministic"]),
]


# Beside m.py: a package with one module, and a module.
FILES = {"pk/__init__.py": "from . import sub\n", "pk/sub.py": "W = 1\n", "plain.py": "V = 3\n", "space/inner.py": "U = 2\n"}
MODULES = "import sys, math, json, importlib.util\nimport pk, pk.sub, plain, space.inner\n"
ASKED = ["len(dir(pk.sub))", "len(vars(pk.sub))", "len(vars(pk))", "'__spec__' in vars(pk.sub)", "'__builtins__' in globals()", "len(globals())",
         "hasattr(pk, '__path__')", "hasattr(plain, '__path__')", "hasattr(space, '__path__')", "hasattr(pk.sub, '__builtins__')", "hasattr(pk, '__cached__')",
         "pk.__spec__ is None", "pk.sub.__loader__ is None", "__spec__ is None", "__loader__ is not None", "pk.__path__ is None", "space.__file__ is None",
         "callable(pk.__spec__)", "isinstance(pk.__spec__, type)", "sum([isinstance(v, type) for v in vars(pk.sub).values()])",
         "sum([callable(v) for v in vars(plain).values()])", "sum([n.startswith('__') for n in dir(pk)])", "list(vars(pk)).index('__spec__')",
         "hasattr(json, '__path__')", "len(pk.__name__ + pk.__package__ + pk.sub.__package__ + plain.__package__)"]
UNKNOWN = {"pk.__path__[0]": "pk.__path__", "len(pk.__path__)": "pk.__path__", "len(pk.__spec__.name)": "pk.__spec__", "len(str(pk.__loader__))": "pk.__loader__",
           "len(json.__path__)": "json.__path__", "len(json.__file__)": "json.__file__", "len(sys.path)": "sys.path", "len(sys.path[0])": "sys.path", "bool(sys.path)": "sys.path",
           "len([p for p in sys.path])": "sys.path", "len(str(sys.path))": "sys.path", "len(pk.__builtins__)": "pk.__builtins__", "len(pk.sub.__annotations__)": "__annotations__",
           "len(sys.path.pop())": "sys.path"}
ERRORS = ["__import__('plain.x')", "__import__('math.x')", "__import__('json.nope')", "__import__('pk.nope')", "importlib.util.find_spec('plain.x')",
          "importlib.util.find_spec('math.x')", "importlib.import_module('plain.x.y')"]
ROWS += [
    *(Row(f"module: {ask}", entry(f"return x + ({ask})", MODULES)) for ask in ASKED),
    *(Row(f"module: {ask}", entry(f"return x + {ask}", MODULES), r"\d+", [says]) for ask, says in UNKNOWN.items()),
    *(Row(f"import: {call}", entry("return x, TEXT", MODULES + f"try:\n    {call}\n    TEXT = 'there'\nexcept ImportError as e:\n    TEXT = (type(e).__name__, str(e), e.name)\n")) for call in ERRORS),
    *(Row(f"spec: {name}", entry(f"return x + (importlib.util.find_spec({name!r}) is None)", MODULES)) for name in ("pk.sub", "pk.nope", "plain", "json.decoder", "json.nope", "space.inner")),
    Row("sys.path takes folders", entry("return x + N", "import sys\nN = 1\nif 'folder' not in sys.path:\n    sys.path.insert(0, 'folder')\n    sys.path.append('other')\nsys.path = sys.path + ['c']\nsys.path.extend(['d'])\nN += 'folder' in sys.path\nsys.path.remove('folder')\n")),
]


def eager(row):
    """The program as a module that is imported from the folder."""
    return importlib.import_module("m").entry(unmodelled.X.clone())


@contextlib.contextmanager
def imports_from(folder):
    path = list(sys.path)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path = path
        for name in list(sys.modules):
            if name.split(".")[0] in ("m", "pk", "plain", "space"):
                del sys.modules[name]


def main():
    args = runner.options(__doc__).parse_args()
    ptc = Path(args.ptc).resolve()
    unmodelled.eager = eager

    def check(folder, row):
        for name, source in FILES.items() if "import pk" in row.source else ():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(source)
            compile_pyc(folder / name, (folder / name).with_suffix(".pyc"))
            (folder / name).unlink()
        # What eager does must not depend on the rows before.
        torch.use_deterministic_algorithms(False)
        show = warnings.showwarning
        try:
            with warnings.catch_warnings():
                warnings.resetwarnings()
                warnings.simplefilter("default")
                for kind in (DeprecationWarning, PendingDeprecationWarning):
                    warnings.simplefilter("ignore", kind)
                with imports_from(folder):
                    unmodelled.check(ptc, folder, row)
        finally:
            torch.use_deterministic_algorithms(False)
            warnings.showwarning = show

    return runner.run_in_folders([(row.name, lambda folder, row=row: check(folder, row)) for row in ROWS], args)


if __name__ == "__main__":
    sys.exit(main())
