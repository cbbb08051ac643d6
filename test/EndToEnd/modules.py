#!/usr/bin/env python3
"""Where modules come from, and what a program's world is: files of bytecode, imports in calls, the environment.

    modules.py --ptc PTC [FILTER] [-j N] [-v]

What can be imported by CPython, too, is, and gives the same value.
"""
import importlib
import importlib.util
import itertools
import json
import os
import py_compile
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

TAG = sys.implementation.cache_tag
PRELUDE = Path(__file__).resolve().parents[2] / "lib/Prelude"
KNOWN = PRELUDE.parent / "Capture/Known"


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = Path(ptc).resolve(), folder

    def write(self, name, source):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source).lstrip())
        return path

    def plain(self, name, source, keep=False):
        """NAME.pyc, without its source if that is not to be kept."""
        path = self.write(name, source)
        py_compile.compile(str(path), cfile=str(path.with_suffix(".pyc")), dfile=path.name, doraise=True)
        if not keep:
            path.unlink()
        return path.with_suffix(".pyc")

    def cached(self, name, source, keep=True, mode=None):
        """What `python -m compileall` makes."""
        path = self.write(name, source)
        py_compile.compile(str(path), doraise=True, invalidation_mode=mode)
        if not keep:
            path.unlink()
        return Path(importlib.util.cache_from_source(str(path)))

    def run(self, *args, code=0):
        done = batch.run([self.ptc, *map(str, args)], cwd=self.folder, text=True, timeout=120)
        assert done.returncode == code, f"{args}: exit code {done.returncode}, expected {code}\n{done.stderr}"
        return done.stdout if code == 0 else done.stderr

    def python(self, call, path=(), environment=None):
        """What CPython prints for repr of a call of what is in model.py, or the class of what it raises."""
        program = f"import model\ntry:\n    print(repr(model.{call}))\nexcept BaseException as e:\n    print(type(e).__name__)\n"
        env = {"PYTHONPATH": os.pathsep.join(map(str, path)), **(environment or {})}
        done = subprocess.run([sys.executable, "-B", "-c", program], cwd=self.folder, capture_output=True, text=True, env=env)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


def check_modules_imported_in_calls(world):
    """Every module of the prelude, imported by the entry alone, with and without torch in the module."""
    names = [".".join(p.relative_to(PRELUDE).with_suffix("").parts).removesuffix(".__init__") for p in sorted(PRELUDE.rglob("*.py"))]
    known = {line.split()[1] for table in KNOWN.glob("*.txt") for line in table.read_text().splitlines() if line.startswith("@m ")}
    names = [n for n in names if n in known]     # others are for the prelude alone
    assert len(names) > 50, names
    for name in names:
        package, _, leaf = name.rpartition(".")
        other = getattr(importlib.import_module(package), leaf, None) if package.startswith("torch") else None
        # What a package has under the name of a module may be a function.
        itself = {"os.path": "posixpath", "_collections_abc": "collections.abc"}.get(name) or (name if other is None or isinstance(other, type(os)) else other.__name__)
        for first in ("", "import torch\n"):
            for body in (f"    import {name}\n    return n + 1\n", f"    import {name} as m\n    return n + 1 if m.__name__ == '{itself}' else 0\n"):
                pyc = world.plain("one.py", f"{first}def entry(n):\n{body}")
                got = world.run("run", pyc, "--input", "n=3")
                assert got.strip() == "4", (name, first, body, got)
    pyc = world.plain("two.py", "def entry(n):\n    import math\n    from statistics import mean\n    return math.pi * n + mean([n, 4])\n")
    assert float(world.run("run", pyc, "--input", "n=2")) == 3.141592653589793 * 2 + 3


def check_own_modules_imported_in_calls(world):
    """Code of the user that is imported in a call runs once, or the program is refused."""
    world.plain("pure.py", "K = 3\n\n\ndef twice(x):\n    return 2 * x\n\n\nclass A:\n    k = K\n")
    world.plain("loud.py", "print('loud')\nK = 3\n")
    world.plain("writes.py", "import shared\nshared.values.append(1)\nK = 3\n")
    world.plain("shared.py", "values = []\n")
    world.plain("broken.py", "raise ValueError('broken')\n")
    world.write("n.json", '{"args": [4]}')
    calls = ["--input", "n=3", "--call", "n.json", "--call", "n.json"]
    pure = world.plain("model.py", "def entry(n):\n    from pure import twice, A\n    return twice(n) + A.k\n")
    assert world.run("run", pure, *calls) == "11\n11\n"
    for name in ("loud", "writes", "broken"):
        pyc = world.plain("model.py", f"import shared\ndef entry(n):\n    import {name}\n    return n * {name}.K + len(shared.values)\n")
        err = world.run("run", pyc, *calls, code=1)
        assert "[PTC1018]" in err and f"'{name}'" in err and "model.py:3" in err, err
    state = world.plain("model.py", "count = 0\ndef entry(n):\n    global count\n    count += 1\n    import pure\n    return n * pure.K + count\n")
    assert "[PTC1018]" in world.run("run", state, *calls, code=1)
    # Whether it was there before, and which classes there were, earlier calls say alone.
    world.plain("base.py", "class B:\n    pass\n")
    world.plain("derived.py", "import base\nclass D(base.B):\n    pass\n")
    for asked in ("('derived' in sys.modules)", "len(base.B.__subclasses__())"):
        for body in (f"    m = {asked}\n    import derived\n    return n + m\n", f"    import derived\n    return n + {asked}\n"):
            pyc = world.plain("model.py", f"import sys\nimport base\ndef entry(n):\n{body}")
            err = world.run("run", pyc, *calls, code=1)
            assert "[PTC1002]" in err and "'derived'" in err, err
        pyc = world.plain("model.py", f"import sys\nimport base\nimport derived\ndef entry(n):\n    import derived\n    return n + {asked}\n")
        assert world.run("run", pyc, *calls) == "5\n5\n"
    # What one side imports: what is run before the calls has the limits of all, not of a side.
    pyc = world.plain("model.py", "import torch\ns = 0\nfor a in range(300):\n    for b in range(1000):\n        s += a * b\n"
                      "def entry(x):\n    if x.shape[0] > 5:\n        from pure import K\n        return x * K\n    return x + 1\n")
    assert "variant v1" in world.run("inspect-graph", pyc, "--input", "x=f32[B=2 in 1..8]")
    # What a call imports is imported before the model is built: what is seen of that, and of the call's own writes, is refused.
    world.plain("tensors.py", "import torch\nT = torch.zeros(3)\n")
    for name, source in (("draws", "import torch\nK = torch.randn(3)\n"), ("layer", "import torch\nK = torch.nn.Linear(3, 3).bias.detach()\n"),
                         ("patches", "import math\nmath.pi = 3.0\nK = 1\n"), ("relu", "import torch\ntorch.nn.functional.relu = abs\nK = 1\n"),
                         ("dtype", "import torch\ntorch.set_default_dtype(torch.float64)\nK = 1\n"), ("grads", "import torch\ntorch.set_grad_enabled(False)\nK = 1\n"),
                         ("tf32", "import torch\ntorch.backends.cuda.matmul.allow_tf32 = True\nK = 1\n"),
                         ("looks", "import tensors\nK = tensors.T.clone()\n"), ("sums", "import tensors\nK = float(tensors.T.sum())\n")):
        world.plain(f"{name}.py", source)
        pyc = world.plain("net.py", "import math\nimport torch\nimport tensors\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                          "        self.w = torch.randn(3)\n    def forward(self, x):\n        y = torch.relu(x) * math.pi + self.w\n        tensors.T.add_(1)\n"
                          f"        import {name}\n        return y + {name}.K\n")
        assert "[PTC1018]" in world.run("run", pyc, "--entry", "Net", "--input", "x=f32[3]", code=1), name


def check_caches(world):
    """What plain compileall leaves beside its sources, beside the program and under -I."""
    world.cached("helper.py", "K = 3\n")
    world.cached("deep/pack/__init__.py", "from . import part\n")
    world.cached("deep/pack/part.py", "K = 5\n")
    source = "import helper\nimport pack\ndef entry(n):\n    return n, helper.K, pack.part.K, __name__\n"
    expected = "(3, 3, 5, 'model')"
    words = ["--input", "n=3", "-I", "deep"]
    assert world.run("run", world.plain("model.py", source), *words).strip() == expected
    (world.folder / "model.pyc").unlink()
    cache = world.cached("model.py", source)
    for given in (cache.relative_to(world.folder), "model.py", "model", world.folder / "model.py"):
        assert world.run("run", given, *words).strip() == expected, given
    cache.rename(cache.with_name(f"model.{TAG}.opt-1.pyc"))
    assert world.run("run", f"__pycache__/model.{TAG}.opt-1.pyc", *words).strip() == expected
    assert "[PTC3001]" in world.run("run", "model.py", *words, code=3)
    made = world.run("compile", f"__pycache__/model.{TAG}.opt-1.pyc", *words, "-o", "libm.so", "-MD")
    rule = (world.folder / "libm.so.d").read_text()
    assert made == "" and f"__pycache__/helper.{TAG}.pyc" in rule and "part" in rule, rule


def check_orphans(world):
    """Bytecode in __pycache__ whose source is gone is not imported, as by CPython; where it is all there is, that is said."""
    world.plain("model.py", "import helper\ndef entry(n):\n    return n + helper.K\n")
    world.cached("helper.py", "K = 100\n", keep=False)
    err = world.run("run", "model.pyc", "--input", "n=3", code=1)
    assert "[PTC1019]" in err and "no source" in err and "compileall -b" in err, err
    world.cached("d2/helper.py", "K = 1\n")
    assert world.run("run", "model.pyc", "--input", "n=3", "-I", "d2").strip() == world.python("entry(3)", ("d2",)) == "4"
    world.plain("model.py", "import pkg\ndef entry(n):\n    return n + getattr(pkg, 'K', 2)\n")
    world.cached("pkg/__init__.py", "K = 5\n", keep=False)
    assert world.run("run", "model.pyc", "--input", "n=3").strip() == world.python("entry(3)") == "5"
    # NAME.pyc beside another state of its source: CPython compiles the source.
    world.plain("model.py", "import other\ndef entry(n):\n    return n + other.K\n")
    world.plain("other.py", "K = 2\n", keep=True)
    assert world.run("run", "model.pyc", "--input", "n=3").strip() == world.python("entry(3)") == "5"
    world.write("other.py", "K = 900\n")
    err = world.run("run", "model.pyc", "--input", "n=3", code=1)
    assert "[PTC1019]" in err and "another state" in err and world.python("entry(3)") == "903", err


def check_modules_that_raise(world):
    """What the code of a module raises is caught around the statement that imports it, and the module is tried anew."""
    world.plain("absent.py", "import no_such_package\n")
    world.plain("zero.py", "import torch\n1 / 0\n")
    world.plain("own.py", "raise ImportError('not here')\n")
    world.plain("circle.py", "from model import later\n")
    world.plain("pkg/__init__.py", "")
    world.plain("pkg/bad.py", "raise ValueError(3)\n")
    world.plain("inner.py", "import absent\n")
    program = """
        import contextlib
        log = []
        try:
            import absent
        except ImportError as problem:
            log.append(type(problem).__name__)
        try:
            from absent import thing
        except ImportError:
            thing = None
        try:
            import zero
        except ZeroDivisionError:
            log.append('zero')
        try:
            import zero
        except ArithmeticError:
            log.append('zero again')
        with contextlib.suppress(ImportError):
            import own
            log.append('never')
        try:
            from circle import later
        except ImportError:
            log.append('circle')
        later = 1
        class Holder:
            try:
                import inner
            except ModuleNotFoundError as problem:
                name = problem.name
        def tried():
            try:
                import own
            except:
                return 'own'
        log.append(tried())
        try:
            import pkg.bad
        except ValueError as problem:
            log.append(str(problem))
        import pkg
        log += [hasattr(pkg, 'bad'), thing, Holder.name]
        def entry(n):
            return [n, *log]
    """
    world.plain("model.py", program, keep=True)
    got = world.run("run", "model.pyc", "--entry", "entry", "--input", "n=3").strip()
    assert got == world.python("entry(3)"), got


STATEMENTS = """
    def said(f, *args):
        try:
            return f(*args)
        except BaseException as e:
            return type(e).__name__, str(e).split(" (/")[0].split(" (unknown")[0], getattr(e, "name", None), e.__context__ is None

    def a():
        from lazy import fast, part
        return fast, part.K
    def b():
        from lazy import slow
    def c():
        from . import q
    def d():
        from .q import q
    try:
        from listed import *
    except AttributeError as problem:
        text = str(problem)
    try:
        from odd import *
    except TypeError as problem:
        text += str(problem)
    from deep import *
    from lazy_all import *
    import deep.order
    OUT = [said(f) for f in (a, b, c, d)] + [said(__import__, *args) for args in (("",), (3,), ("math", None, None, (), -1), ("a", {}, None, (), 1))]
    OUT += [text, first, "second" in globals(), "third" in globals(), inner.K, given, deep.order.WAS, hasattr(deep, "order")]
    OUT += [said(__import__, "circle"), __import__("deep.inner", {"__package__": "deep"}, None, (), 0).__name__, __import__("inner", {"__package__": "deep"}, None, (), 1).K]
    def entry(n):
        return n, OUT
"""


def check_statements(world):
    """What import statements ask, in which order, and what they raise."""
    hook = "def __getattr__(name):\n    if name == {!r}:\n        return {}\n    raise AttributeError(name)\n"
    world.plain("lazy/__init__.py", hook.format("fast", 7), keep=True)
    world.plain("lazy/part.py", "K = 2\n", keep=True)
    world.plain("lazy_all.py", "__all__ = ['given']\n" + hook.format("given", 9), keep=True)
    world.plain("listed.py", "__all__ = ['first', 'none', 'second']\nfirst = second = 1\n", keep=True)
    world.plain("odd.py", "__all__ = ['first', 3]\nfirst = 4\n", keep=True)
    world.plain("deep/__init__.py", "__all__ = ['inner']\n", keep=True)
    world.plain("deep/inner.py", "K = 5\n", keep=True)
    world.plain("deep/order.py", "import deep\nWAS = hasattr(deep, 'order')\n", keep=True)
    world.plain("circle.py", "import circle2\nx = 1\n", keep=True)
    world.plain("circle2.py", "from circle import x\n", keep=True)
    world.plain("model.py", STATEMENTS, keep=True)
    got = world.run("run", "model.pyc", "--entry", "entry", "--input", "n=3").strip()
    assert got == world.python("entry(3)"), (got, world.python("entry(3)"))


CLASSES = """
    import abc, dataclasses, enum, typing as t
    from dataclasses import InitVar, KW_ONLY
    def said(f, *args):
        try:
            return f(*args)
        except BaseException as e:
            return type(e).__name__, str(e), repr(e.__cause__), getattr(e, "__notes__", None)
    class A(abc.ABC):
        f = abc.abstractmethod(lambda self: 1)
    class B(A):
        g = abc.abstractmethod(lambda self: 1)
    class C(enum.Enum):
        X = 1
    class D:
        def __set_name__(self, owner, name):
            raise ValueError(name)
    @dataclasses.dataclass
    class E:
        a: "ClassVar[int]" = 1
        b: "t.ClassVar[int]" = 2
        c: "typing.ClassVar" = 3
        d: " InitVar [int]" = 4
        e: "dataclasses . InitVar[int]" = 5
        f: "CV[int]" = 6
        g: "KW_ONLY" = 7
        h: int = 8
        def __post_init__(self, *given):
            self.given = given
    def f():
        pass
    OUT = [said(A), said(B), said(lambda: C.Z), said(type, "T", (), {"d": D()}), [i.name for i in dataclasses.fields(E)], E().given]
    OUT += [said(setattr, *args) for args in ((f, "__name__", 5), (f, "__qualname__", None), (A, "__name__", 5), (C, "__qualname__", 5), (f, "__name__", "q"))]
    OUT += [said(delattr, *args) for args in ((f, "__name__"), (A, "__name__"))]
    OUT += [f.__name__, [said(setattr, c, "a", 1) is None for c in (int, dict, abc.ABC, E)]]
    def entry(n):
        return n, OUT
"""


def check_classes(world):
    """Texts of the program's version, annotations that are text, names that are none."""
    world.plain("model.py", CLASSES, keep=True)
    got = world.run("run", "model.pyc", "--entry", "entry", "--input", "n=3").strip()
    assert got == world.python("entry(3)"), (got, world.python("entry(3)"))


def check_names_of_the_standard_library(world):
    """A file beside the program that has the name of a modelled module of the standard library: it is not ignored."""
    world.plain("model.py", "import statistics\ndef entry(n):\n    return statistics.mean([n, n])\n")
    assert world.run("run", "model.pyc", "--input", "n=3").strip() == "3"
    world.plain("site-packages/statistics.py", "def mean(v):\n    return 42\n")
    assert world.run("run", "model.pyc", "--input", "n=3", "-I", "site-packages").strip() == "3"
    world.plain("statistics.py", "def mean(v):\n    return 42\n")
    err = world.run("run", "model.pyc", "--input", "n=3", code=1)
    assert "statistics.pyc" in err and "another name" in err and "model.py:1" in err, err


def check_up_to_date(world):
    """Bytecode of another state of its source is not taken, by the rules of CPython."""
    modes = py_compile.PycInvalidationMode
    for mode, change, counts in itertools.product(
            (modes.TIMESTAMP, modes.CHECKED_HASH, modes.UNCHECKED_HASH), ("nothing", "time", "size", "text"), (None,)):
        for old in world.folder.rglob("*.py*"):
            if old.is_file():
                old.unlink()
        world.cached("model.py", "def entry(n):\n    return n + 1\n", mode=mode)
        source = world.folder / "model.py"
        stamp = source.stat().st_mtime
        if change == "text":
            source.write_text("def entry(n):\n    return n + 2\n")
        elif change == "size":
            source.write_text("def entry(n):\n    return n + 200\n")
        os.utime(source, (stamp, stamp + 10 if change == "time" else stamp))
        taken = mode == modes.UNCHECKED_HASH or change == "nothing" or \
            (change == "text" and mode == modes.TIMESTAMP) or (change == "time" and mode == modes.CHECKED_HASH)
        eager = world.python("entry(3)")
        where = (mode, change)
        if taken:
            assert world.run("run", "model.py", "--input", "n=3").strip() == eager == "4", where
        else:
            err = world.run("run", "model.py", "--input", "n=3", code=3)
            assert "[PTC3001]" in err and "another state" in err and eager == {"text": "5", "size": "203", "time": "4"}[change], (where, err)
    world.plain("uses.py", "import model\ndef entry(n):\n    return model.entry(n)\n")
    world.cached("model.py", "def entry(n):\n    return n + 1\n")
    assert world.run("run", "uses.pyc", "--input", "n=3").strip() == "4"
    (world.folder / "model.py").write_text("def entry(n):\n    return n + 200\n")
    err = world.run("run", "uses.pyc", "--input", "n=3", code=1)
    assert "[PTC1019]" in err and "another state" in err and "uses.py:1" in err, err


def check_versions(world):
    """Of several versions that of the program counts; no other is taken for it."""
    world.plain("model.py", "import helper\ndef entry(n):\n    return n + helper.K\n")
    cache = world.cached("helper.py", "K = 3\n")
    others = [cache.with_name(f"helper.cpython-3{minor}.pyc") for minor in (12, 14, 15)]
    for other in others:
        other.write_bytes(b"of another Python")
    assert world.run("run", "model.pyc", "--input", "n=3").strip() == "6"
    cache.unlink()
    err = world.run("run", "model.pyc", "--input", "n=3", code=1)
    assert "[PTC1019]" in err and "3.12, 3.14, 3.15" in err and "3.11" in err, err
    shutil.rmtree(cache.parent)
    world.write("helper.py", "K = 3\n")
    err = world.run("run", "model.pyc", "--input", "n=3", code=1)
    assert "[PTC1019]" in err and "helper.py" in err and "compileall" in err, err


MODULES = """
import math, sys, types

made = types.ModuleType("made")
made.k = 5
sys.modules["made"] = made


class Lazy(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("a"):
            return name * 2
        raise AttributeError(name)


sys.modules["lazy"] = Lazy("lazy")
import lazy
import made as again
from lazy import ab
import helper


def entry(n):
    try:
        from lazy import bc
    except ImportError as e:
        bc = str(e)[:35]
    return [again is made, ab, lazy.az, hasattr(lazy, "b"), bc, helper.__name__, type(helper).__name__, helper.K,
            sys.implementation.name, sys.implementation.cache_tag, type(sys.implementation) is types.SimpleNamespace,
            "math" in sys.modules, "os" in sys.modules, "no_such" in sys.modules, sys.modules.get("no_such"), sys.modules["math"] is math,
            "sin" in dir(math), "no" in dir(math), sys.modules[__name__].n if hasattr(sys.modules[__name__], "n") else 0,
            int.from_bytes(map(int, [1, 2]), "big")]
"""


def check_modules_of_the_program(world):
    """sys.modules: modules that the program makes, of classes of its own, and in the place of the one that is imported."""
    world.plain("helper.py", "import sys, types\nclass Other(types.ModuleType): pass\nm = Other('other')\nm.K = 7\nsys.modules[__name__] = m\n", keep=True)
    world.plain("model.py", MODULES, keep=True)
    got = world.run("run", "model.pyc", "--input", "n=3").strip()
    assert got == world.python("entry(3)"), (got, world.python("entry(3)"))


def check_folders_of_the_standard_library(world):
    """-I of a standard library: what has a model is not run from there, parts in C that Python code replaces are not asked for."""
    world.plain("lib/_collections_abc.py", "")
    world.plain("lib/re.py", "raise SystemError\n")
    world.plain("lib/json/__init__.py", "raise SystemError\n")
    world.plain("lib/fnmatch.py", "import json, re\ntry:\n    from _stat import *\n    K = 1\nexcept ImportError:\n    K = 2\n"
                "def fnmatch(name, pattern):\n    return re.match(pattern.replace('*', '.*'), name) is not None and K == 2\n")
    world.plain("model.py", "import fnmatch\ndef entry(n):\n    return [fnmatch.fnmatch(t, 'a*c') for t in ('abc', 'b')]\n")
    assert world.run("run", "model.pyc", "--input", "n=3", "-I", "lib").strip() == "[True, False]"
    world.write(f"lib/_C.{TAG}-x86_64-linux-gnu.so", "")
    finder = "importlib.machinery.FileFinder(%r, (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES)).find_spec(%r)"
    world.plain("model.py", "import importlib.machinery, os\ndef entry(n):\n    return [os.path.basename(%s.origin), %s]\n" % (
        finder % ("lib", "_C"), finder % ("lib", "_D")), keep=True)
    got = world.run("run", "model.pyc", "--input", "n=3").strip()
    assert got == world.python("entry(3)"), got


def check_guarded_imports(world):
    """A module that is there and cannot be used is not absent."""
    world.plain("model.py", "try:\n    import helper\nexcept ImportError:\n    helper = None\ndef entry(n):\n    return n if helper is None else n + 1\n")
    assert world.run("run", "model.pyc", "--input", "n=3").strip() == "3"
    world.write("helper.py", "K = 3\n")
    assert "[PTC1019]" in world.run("run", "model.pyc", "--input", "n=3", code=1)
    (world.folder / "helper.py").unlink()
    for name in (f"helper.{TAG}-x86_64-linux-gnu.so", "helper.abi3.so", "helper.so"):
        path = world.write(name, "")
        done = subprocess.run([world.ptc, "run", "model.pyc", "--input", "n=3"], cwd=world.folder, capture_output=True, text=True)
        assert (done.returncode, done.stdout) != (0, "3\n"), name
        path.unlink()


def check_precedence(world):
    """Two folders of the path, each with a package, a module, a folder without code, or nothing: as CPython."""
    world.plain("model.py", "import thing\nimport thing.part\ndef entry(n):\n    return thing.part.K if hasattr(thing, 'part') else None\n", keep=True)
    world.plain("model.py", "import thing\ndef entry(n):\n    return getattr(thing, 'WHO', 'space')\n", keep=True)
    kinds = ("package", "module", "space", "both", "module and space", "nothing")
    for first, second in itertools.product(kinds, kinds):
        for folder, kind in (("d1", first), ("d2", second)):
            shutil.rmtree(world.folder / folder, ignore_errors=True)
            (world.folder / folder).mkdir()
            if kind in ("package", "both"):
                world.plain(f"{folder}/thing/__init__.py", f"WHO = 'package {folder}'\n")
            if "module" in kind or kind == "both":
                world.plain(f"{folder}/thing.py", f"WHO = 'module {folder}'\n")
            if "space" in kind:
                world.plain(f"{folder}/thing/part.py", f"K = '{folder}'\n")
        expected = None if first == second == "nothing" else world.python("entry(3)", ("d1", "d2"))
        if expected is None:
            continue
        got = world.run("run", "model.pyc", "--input", "n=3", "-I", "d1", "-I", "d2")
        assert got.strip() in (expected, expected.strip("'")), (first, second, got, expected)


def check_namespace_packages(world):
    """Portions of one package in several folders; a package has its modules in its own folder alone."""
    for name, source in {"d1/space/a.py": "K = 1\n", "d2/space/b.py": "from .a import K\nfrom . import a\nL = K + a.K\n", "d2/space/a.py": "K = 9\n",
                         "d1/space/deep/c.py": "K = 100\n", "d2/space/deep/d.py": "K = 1000\n", "d1/real/__init__.py": "", "d2/real/other.py": "K = 5\n"}.items():
        world.plain(name, source)
    source = """
    import space.a, space.b
    from space.deep import c, d
    import space.deep.d as again
    try:
        import real.other
        found = True
    except ImportError:
        found = False

    def entry(n):
        import space
        return n + space.a.K + space.b.L + c.K + d.K + again.K, space.__name__, space.__package__, hasattr(space, '__file__'), found
    """
    world.plain("model.py", source, keep=True)
    expected = world.python("entry(3)", ("d1", "d2"))
    assert world.run("run", "model.pyc", "--input", "n=3", "-I", "d1", "-I", "d2").strip() == expected


def check_class_of_a_module(world):
    """A module that gives itself another class."""
    world.plain("lazy.py", """
        import sys, types
        class Lazy(types.ModuleType):
            n = 5
            def __getattribute__(self, name):
                return 7 if name == "special" else super().__getattribute__(name)
            def __getattr__(self, name):
                if name == "late":
                    return 9
                raise AttributeError(name)
        sys.modules[__name__].__class__ = Lazy
        special, K = 1, 2
    """, keep=True)
    pyc = world.plain("model.py", """
        import lazy, types
        from lazy import special, late
        SEEN = [special, late, lazy.special, lazy.late, lazy.K, lazy.n, type(lazy).__name__, isinstance(lazy, types.ModuleType), isinstance(lazy, lazy.Lazy), hasattr(lazy, "no")]
        copied = __import__("copy").deepcopy((1.5, "a", (2.5, [1])))
        def f(a: list[lazy.Lazy] | None = None, b: type[int] | None = None):
            return a
        def entry(n):
            return n, SEEN, copied
    """, keep=True)
    assert world.run("run", pyc, "--entry", "entry", "--input", "n=3").strip() == world.python("entry(3)")
    pyc = world.plain("model.py", "import no_such\ndef f(a: list[no_such.A] | None = None, b: dict[str, type[no_such.B]] | None = None): return a\ndef entry(n):\n    return n + 1\n")
    assert world.run("run", pyc, "--entry", "entry", "--input", "n=3").strip() == "4"


NET = """
    import torch
    from torch import nn
    class Net(nn.Module):
        def __init__(self, config, extra=()):
            super().__init__()
            self.config, self.extra = config, extra
        def forward(self, x):
            return x * self.config.width + sum(layer.n for layer in self.config.layers), [e.n for e in self.extra]
    class Local:
        class Inner:
            def __init__(self, n):
                self.n = n
"""
CONFIG = """
    from dataclasses import dataclass, field
    @dataclass
    class Config:
        width: int = 4
        layers: list = field(default_factory=list)
    class Layer:
        def __init__(self, n):
            self.n = n
"""


def check_arguments_made_by_calls(world):
    """{"$call": …} in the arguments of a class: objects of other modules and of the program's own, in each other and in lists."""
    world.cached("site/conf/__init__.py", "")
    world.cached("site/conf/parts.py", CONFIG)
    pyc = world.plain("model.py", NET, keep=True)
    layers = [{"$call": "conf.parts:Layer", "args": [3]}, {"$call": "conf.parts:Layer", "kwargs": {"n": 4}}]
    init = json.dumps({"config": {"$call": "conf.parts:Config", "kwargs": {"width": 5, "layers": layers}}, "extra": {"$tuple": [{"$call": "Local.Inner", "args": [7]}]}})
    given = ["--entry", "Net", "--init", init, "-I", "site"]
    world.run("compile", pyc, *given, "--input", "x=f32[2]", "-o", "libnet.so")
    call = json.dumps({"args": [{"$tensor": "f32[2]", "values": [1, 2]}]})
    (world.folder / "call.json").write_text(call)
    assert world.run("run", "libnet.so", "--call", "call.json").strip() == "(tensor([12., 17.]), [7])"
    more = ["compile", pyc, "--add-variants", "libnet.so", "--input", "x=f32[3]", "-o", "libmore.so", "-I", "site"]
    world.run(*more)
    assert world.run("run", "libmore.so", "--call", "call.json").strip() == "(tensor([12., 17.]), [7])"
    assert "other arguments of the class" in world.run(*more, "--entry", "Net", "--init", init.replace("5", "6"), code=2)


def check_variants_of_changed_files(world):
    """--add-variants compiles old examples anew: a module or a checkpoint that is not what it was is named."""
    import torch
    source = "import torch\nimport part\nW = torch.load('net.pt')\ndef entry(x):\n    return x * part.K + W['w']\n"
    torch.save({"w": torch.ones(2)}, world.folder / "net.pt")
    world.plain("part.py", "K = 4\n")
    pyc = world.plain("model.py", source)
    world.run("compile", pyc, "--input", "x=f32[2]", "-o", "libnet.so")
    more = ["compile", pyc, "--add-variants", "libnet.so", "--input", "x=f32[1]", "-o", "libmore.so"]
    world.run(*more)
    torch.save({"w": torch.ones(2) * 2}, world.folder / "net.pt")
    assert "'libnet.so': it was compiled from another content of 'net.pt'" in world.run(*more, code=2)
    torch.save({"w": torch.ones(2)}, world.folder / "net.pt")
    world.run(*more)
    world.plain("part.py", "K = 5\n")
    assert "'libnet.so': it was compiled from another content of 'part.pyc'" in world.run(*more, code=2)


def check_places_in_libraries(world):
    """Code says that it is of the source that it was found beside, as CPython makes it say; what is refused there names the program's line."""
    bad = "import tkinter\ndef f(x):\n    return g(x)\ndef g(x):\n    return x + tkinter.Tk().n\n"
    path = world.write("built/parts/bad.py", bad)
    cached = world.folder / f"site/parts/__pycache__/bad.{TAG}.pyc"
    cached.parent.mkdir(parents=True)
    world.write("site/parts/__init__.py", "")
    py_compile.compile(str(path), cfile=str(cached), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    shutil.copy(path, world.folder / "site/parts/bad.py")
    world.cached("site/parts/__init__.py", "")
    model = "from parts.bad import f\ndef entry(x):\n    y = x + 1\n    return f(y)\ndef name():\n    return f.__code__.co_filename\n"
    pyc = world.plain("model.py", model, keep=True)
    given = ["-I", "site", "--input", "x=f32[2]"]
    for cache in ({}, {"PTC_CACHE_DIR": str(world.folder)}, {"PTC_CACHE_DIR": str(world.folder)}):
        done = subprocess.run([world.ptc, "inspect-graph", pyc, "--entry", "entry", *given], cwd=world.folder, capture_output=True, text=True, env={**os.environ, **cache})
        assert done.returncode == 1 and f"{world.folder}/site/parts/bad.py:5:" in done.stderr and "built" not in done.stderr, done.stderr
        assert "model.py:4:" in done.stderr and "called from here" in done.stderr, done.stderr
        assert done.stderr.count("called from here") == 1, done.stderr
    assert world.run("run", pyc, "--entry", "name", "-I", "site").strip() == world.python("name()", [world.folder / "site"])


def check_what_imports_may_raise(world):
    """An import of what is there goes on past what nobody follows in its code, which is assumed; not where more than ImportErrors is caught."""
    world.plain("site/part.py", "import difflib\nclass C:\n    made = difflib.ndiff('a', 'b')\n    member = made.known_to_nobody\nLOW = difflib.get_close_matches('a', ['b']) + 1\nK = 4\n")
    source = "try:\n    import part\n    K = part.K\nexcept {}:\n    K = 2\ndef entry(n):\n    return n + K\n"
    given = ["--entry", "entry", "--input", "n=3", "-I", "site"]
    # What ends the import of a module that cannot be loaded is caught with the ImportErrors of one that is missing; who raises it again does not catch.
    named = "(ImportError, RuntimeError, AttributeError, OSError)"
    programs = [source.format(caught) for caught in ("ImportError", "ModuleNotFoundError", "(ImportError, ModuleNotFoundError)", named, named.replace("Import", "ModuleNotFound"))]
    programs.append("def load():\n    try:\n        import part\n    except Exception as e:\n        raise e\n    return part\n" + source.format(named).replace("import part", "part = load()"))
    for program in programs:
        pyc = world.plain("model.py", program)
        assert world.run("run", pyc, *given).strip() == "7", program
        assert "installed with all that it needs" in world.run("inspect-graph", pyc, *given), program
    for caught in ("Exception", "(ImportError, TypeError)", "AttributeError"):
        err = world.run("run", world.plain("model.py", source.format(caught)), *given, code=1)
        assert "difflib" in err, (caught, err)


ENVIRONMENT = """
import os


def kind(f, *args):
    try:
        return f(*args)
    except BaseException as e:
        return type(e).__name__, str(e)


K = int(os.environ.get('NO_SUCH', '3'))


def entry(n):
    env = os.environ
    out = [n * K, env.get('A'), os.getenv('A'), os.getenv('NO', 7), 'A' in env, 'NO' in env, 5 if env['A'] == '1' else 6,
           kind(env.__getitem__, 'NO'), kind(env.get, 3), kind(os.getenv, 3), kind(env.__setitem__, 'B', 2), kind(env.__contains__, 2),
           sorted([k for k in env if k in ('A', 'B')]), env.setdefault('C', 'c'), env.pop('D', 'none'), bool(env)]
    env['E'] = 'e'
    out += [env['E'], 'E' in list(env), os.getenv('E'), isinstance(env, dict), kind(env.__delitem__, 'NO')]
    del env['A']
    out += ['A' in env, env.get('A', 'gone'), {k: v for k, v in env.items() if k in ('A', 'B', 'C')}]
    env['A'] = '1'
    del env['C'], env['E']
    return out
"""


def check_environment(world):
    """Variables are those of --env, as facts about the world that are listed; never the ones ptc runs with."""
    pyc = world.plain("model.py", ENVIRONMENT, keep=True)
    words = ["--entry", "entry", "--input", "n=3", "--env", "A=0", "--env", "B=x=y", "--env", "A=1"]
    expected = world.python("entry(3)", environment={"A": "1", "B": "x=y"})
    assert world.run("run", pyc, *words).strip() == expected
    assert world.run("run", "--python", world.plain("script.py", "import os\nprint(os.environ.get('A'), os.environ.get('PATH'))\n"), "--env", "A=1") == "1 None\n"
    shown = world.run("inspect-graph", pyc, *words)
    for text in ("os.environ['NO_SUCH'] = None", "os.environ['A'] = '1'", "os.environ['NO'] = None", "os.environ = ("):
        assert text in shown, (text, shown)
    for bad in ("A", "=1", ""):
        assert "[PTC2001]" in world.run("run", pyc, "--input", "n=3", "--env", bad, code=2)
    small = world.plain("small.py", "import os\n\n\ndef entry(n):\n    return n + len(os.environ.get('SCALE', ''))\n")
    world.run("compile", small, "--input", "n=3", "--env", "SCALE=abc", "-o", "libsmall.so")
    assert world.run("run", "libsmall.so", "--input", "n=3").strip() == "6"
    assert b"os.environ['SCALE']" in (world.folder / "libsmall.so").read_bytes(), "the manifest says nothing of it"


CASES = [check_modules_imported_in_calls, check_own_modules_imported_in_calls, check_caches, check_orphans, check_modules_that_raise, check_statements, check_classes,
         check_names_of_the_standard_library, check_up_to_date, check_versions,
         check_modules_of_the_program, check_folders_of_the_standard_library, check_guarded_imports, check_precedence, check_namespace_packages, check_environment, check_class_of_a_module, check_arguments_made_by_calls, check_what_imports_may_raise]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
