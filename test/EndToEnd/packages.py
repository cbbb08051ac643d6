#!/usr/bin/env python3
"""Packages that are installed in folders of -I: their files and versions, finders of modules, and which of them are not run.

    packages.py --ptc PTC [FILTER] [-j N] [-v]
"""
import json
import os
import py_compile
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402
from modules import TAG, World  # noqa: E402


def package(world, name, files, version="1.2.3", distribution=None, extension="core/_native.so"):
    """What pip leaves in the folder `site`, with an extension module that nobody can load."""
    for file, source in files.items():
        world.cached(f"site/{name}/{file}", source)
    if extension:
        world.write(f"site/{name}/{extension}", "")
    folder = f"site/{(distribution or name).replace('-', '_')}-{version}.dist-info"
    world.write(f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {distribution or name}\nVersion: {version}\n\nVersion: 0\n")
    world.write(f"{folder}/RECORD", "".join(f"{name}/{file},,\n" for file in files) + "../../bin/tool,,\nalone.py,,\n")


def check_files_of_installed_packages(world):
    """A package that looks into its own folder while it is imported, puts another object in its place, and a finder into sys.meta_path."""
    package(world, "lazy", {
        "__init__.py": """
            import importlib, importlib.abc, importlib.util, os, sys, types
            from pathlib import Path
            HERE = Path(__file__).parent
            class Lazy(types.ModuleType):
                def __init__(self, name, file, names, spec):
                    super().__init__(name)
                    self.names, self.__file__, self.__path__, self.__spec__ = names, file, [os.path.dirname(file)], spec
                def __getattr__(self, name):
                    if name not in self.names:
                        raise AttributeError(name)
                    value = getattr(importlib.import_module("." + self.names[name], self.__name__), name)
                    setattr(self, name, value)
                    return value
            def exported(folder):
                found = {}
                with os.scandir(folder) as entries:
                    for entry in entries:
                        if entry.is_dir():
                            continue
                        with open(os.path.join(folder, entry.name), encoding="utf-8") as file:
                            for line in file.read().splitlines():
                                if line.startswith("class "):
                                    found[line.split()[1].split(":")[0]] = f"models.{entry.name[:-3]}"
                return found
            class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
                asked = []
                def find_spec(self, fullname, path=None, target=None):
                    self.asked.append(fullname)
                    return None
            FINDER = Finder()
            if not any(isinstance(finder, Finder) for finder in sys.meta_path):
                sys.meta_path.append(FINDER)
            try:
                import no_such_backend
                HAS = True
            except ImportError:
                HAS = importlib.util.find_spec("no_such_either") is not None
            with open(HERE / "data.txt") as file:
                LINES = [line for line in file], file.closed, file.mode, file.encoding.lower().replace("-", ""), os.path.basename(file.name)
            SEEN = (os.path.isfile(HERE / "data.txt"), os.path.isdir(HERE), (HERE / "no.txt").exists(), (HERE / "models").is_dir(), LINES, file.closed,
                    sorted(n for n in os.listdir(HERE / "models") if n != "__pycache__"), HERE.name, Path(__file__).name, HAS, Finder.asked[:1])
            sys.modules[__name__] = Lazy(__name__, __file__, {**exported(HERE / "models"), "Late": "models.no"}, __spec__)
        """,
        "models/__init__.py": "",
        "models/bert.py": "def rest():\n    return 1\nclass Bert:\n    size = 5\n",
        "models/gpt.py": "from . import bert\nclass Gpt:\n    # größer\n    size = bert.Bert.size + 1\n"}, extension="")
    world.write("site/lazy/data.txt", "one\ntwo\n\nthree")
    pyc = world.plain("model.py", """
        import sys
        import lazy
        from lazy import Bert, Gpt
        FOUND = Bert.size, Gpt.size, hasattr(lazy, "Nothing"), type(lazy).__name__, sys.modules["lazy"] is lazy, sorted(lazy.names.items())
        def entry(n):
            return n + Gpt.size, FOUND, SEEN
        SEEN = sys.modules["lazy.models.gpt"].bert.rest()
        from lazy.models import bert
    """, keep=True)
    given = ["--entry", "entry", "--input", "n=3", "-I", "site"]
    got, want = world.run("run", pyc, *given).strip(), world.python("entry(3)", ("site",))
    assert got == want, (got, want)
    assert "the files of packages in folders of -I are those that are there now" in world.run("inspect-graph", pyc, *given)
    package(world, "plain", {"__init__.py": "import os\nfrom pathlib import Path\nHERE = Path(__file__).parent\n"}, extension="")
    for use, named in (("open(HERE / '__init__.py', 'w')", "open"), ("open(HERE / '__init__.py', 'rb')", "open"), ("len((HERE / 'no.txt').read_text())", "pathlib.Path.read_text"),
                       ("len(list(os.scandir('/no/such/folder')))", "os.scandir"), ("len(os.listdir('.'))", "os.listdir"), ("(HERE / 'no.txt').resolve().name", "pathlib.Path.resolve")):
        pyc = world.plain("model.py", f"import os\nfrom plain import HERE\nX = {use}\ndef entry(n):\n    return n if X else 0\n")
        err = world.run("run", pyc, *given, code=1)
        assert named in err, (use, err)
    pyc = world.plain("model.py", "from plain import HERE\nimport os\ndef entry(n):\n    return n + len(os.listdir(HERE))\n")
    assert "os.listdir" in world.run("run", pyc, *given, code=1)


def check_code_of_installed_packages(world):
    """Where the code of a package lies, whoever compiled it; its source, and its code run once more."""
    source = "class C:\n    def f(self):\n        return 1\nRUNS = []\nRUNS.append(__name__)\n"
    package(world, "tool", {"__init__.py": source, "part.py": "K = 2\n"}, extension="")
    py_compile.compile(str(world.folder / "site/tool/__init__.py"), dfile="elsewhere.py", doraise=True)
    pyc = world.plain("model.py", """
        import importlib.util, inspect, os, sys, tool
        spec = importlib.util.spec_from_file_location("tool", tool.__file__, submodule_search_locations=[os.path.dirname(tool.__file__)])
        again = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(again)
        def there(path):
            return os.path.basename(os.path.dirname(path)), path == tool.__file__
        SEEN = ([there(p) for p in (inspect.getfile(tool.C.f), inspect.getfile(tool), inspect.getsourcefile(tool.C), inspect.getsourcefile(tool.C.f), again.__file__)],
                inspect.getsource(tool), again is tool, again.C is tool.C, again.C().f(), again.RUNS, again.__name__, again.__package__, len(again.__path__),
                spec.parent, sys.modules["tool"] is tool, os.path.expandvars("a/b"))
        def entry(n):
            return n, SEEN
    """, keep=True)
    given = ["--entry", "entry", "--input", "n=3", "-I", "site"]
    got, want = world.run("run", pyc, *given).strip(), world.python("entry(3)", ("site",))
    assert got == want, (got, want)
    pyc = world.plain("model.py", "import importlib.util as u\ns = u.spec_from_file_location('other', '/no/such.py')\nm = u.module_from_spec(s)\ns.loader.exec_module(m)\ndef entry(n):\n    return n\n")
    assert "/no/such.py" in world.run("run", pyc, *given, code=1)


def check_finders_of_the_program(world):
    """What a finder of the program finds is no module that was imported as CPython would."""
    text = """
        import sys
        class Finder:
            @classmethod
            def find_spec(cls, fullname, path=None, target=None):
                return object() if fullname == "wanted" else None
        sys.meta_path.append(Finder)
        try:
            import WHAT
            HAS = True
        except ImportError:
            HAS = False
        def entry(n):
            return n, HAS
    """
    pyc = world.plain("model.py", text.replace("WHAT", "unwanted"))
    assert world.run("run", pyc, "--entry", "entry", "--input", "n=3").strip() == "(3, False)"
    pyc = world.plain("model.py", text.replace("WHAT", "wanted"))
    assert "sys.meta_path" in world.run("run", pyc, "--entry", "entry", "--input", "n=3", code=1)


def check_enumerations_of_packages(world):
    """Class statements that only name numbers are as good as run; others are what they are of."""
    package(world, "PIL", {"__init__.py": "", "Image.py": """
        from enum import Enum, IntEnum
        import sys
        class Resampling(IntEnum):
            \"\"\"How.\"\"\"
            NEAREST = 0
            BOX = 4
            LOWEST = -1
            SAME = 4
        class Kind(Enum):
            A = 1
            B = 2
        class Computed(IntEnum):
            A = len(sys.argv)
        class WithMethod(IntEnum):
            A = 1
            def f(self):
                return 2
        def text(self):
            return "t"
        class WithText(IntEnum):
            __str__ = text
            A = 1
        class Extended(IntEnum):
            A = 1
        Extended.extra = 5
        class Image:
            pass
    """}, "9", "pillow")
    given = ["--input", "n=4", "-I", "site"]
    pyc = world.plain("model.py", """
        import torch
        from PIL import Image
        from PIL.Image import Kind, Resampling
        class Derived(torch.Tensor):
            pass
        class Own:
            pass
        NAMES = {Resampling.NEAREST: "nearest", Resampling.BOX: "box", Kind.A: "a"}
        BACK = {v: k for k, v in NAMES.items()}
        def entry(n):
            return (NAMES[n], NAMES.get(Kind.A), NAMES.get(Kind.B), BACK["box"].name, str(Resampling(-1)), repr(Kind.B), [m.value for m in Resampling], Image.Resampling is Resampling,
                    Resampling.SAME is Resampling.BOX, Resampling.__module__, Resampling.__qualname__, Resampling.__doc__, isinstance(Resampling.BOX, int), issubclass(Image.Resampling, int),
                    issubclass(Image.Image, Own), issubclass(Image.Image, Derived), {Image.Image: 1, torch.Tensor: 2, Derived: 3}[Derived])
    """, keep=True)
    said = world.run("run", pyc, "--entry", "entry", *given).strip()
    assert said == world.python("entry(4)", ("site",)), said
    assert "classes of package 'PIL' are derived from none of the program's" in world.run("inspect-graph", pyc, "--entry", "entry", *given)
    for use in ("Computed.A", "WithMethod.A", "WithText.A", "Extended.A"):
        err = world.run("run", world.plain("model.py", f"from PIL import Image\nT = {{Image.{use}: 1}}\ndef entry(n):\n    return n + len(T)\n"), *given, code=1)
        assert f"PIL.Image.{use}" in err, err


def check_packages_that_are_not_run(world):
    """Native packages of -I are there, what their files bind for sure too, and the rest is a refusal that names it."""
    package(world, "numpy", {"__init__.py": "from . import linalg\n__version__ = '1.2.3'\nK = 5\nif len('ab') == 2:\n    L = 6\nM = 1\ndel M\n",
                             "linalg.py": "def norm(x):\n    return x\n", "late.py": "N = 8\n", "core/__init__.py": ""})
    package(world, "PIL", {"__init__.py": "__version__ = '9'\n", "Image.py": "class Resampling:\n    BILINEAR = 2\nclass Image:\n    pass\n"}, "9", "pillow")
    given = ["--input", "n=3", "-I", "site"]
    there = """
        import numpy as np, PIL
        from PIL import Image
        from numpy.linalg import norm
        try:
            from numpy import K
            import numpy.late
            HAS = True
        except ImportError:
            HAS = False
        VERSION = tuple([int(x) for x in np.__version__.split('.')]), PIL.__version__
        def f(x: np.ndarray, y: 'Image.Image' = None) -> np.K:
            return x
        def entry(n):
            return f(n), HAS, VERSION, hasattr(np, 'K'), hasattr(Image, 'Resampling'), hasattr(PIL, 'Image'), np is not None, 'numpy' in sys.modules
        import sys
    """
    pyc = world.plain("model.py", there.replace("np.ndarray", "np.K"), keep=True)
    assert world.run("run", pyc, "--entry", "entry", *given).strip() == world.python("entry(3)", ("site",))
    shown = world.run("inspect-graph", pyc, "--entry", "entry", *given)
    for text in ("numpy.__version__ = '1.2.3'", "PIL.__version__ = '9'", "package 'numpy' is taken to be there, and its code is not run"):
        assert text in shown, (text, shown)
    world.run("compile", pyc, "--entry", "entry", *given, "-o", "libm.so", "-MD")
    assert "pillow-9.dist-info/METADATA" in (world.folder / "libm.so.d").read_text()
    for use, named in (("n + len(np.K)", "'numpy.K'"), ("n + len(np.linalg.norm(n))", "numpy.linalg.norm"), ("n + len(Image.Image)", "PIL.Image.Image"),
                       ("n + hasattr(np, 'L')", "numpy.L"), ("n + hasattr(np, 'M')", "numpy.M"), ("n + ('numpy.core' in sys.modules)", "numpy.core")):
        err = world.run("run", world.plain("model.py", f"import sys, numpy as np\nfrom PIL import Image\ndef entry(n):\n    return {use}\n"), *given, code=1)
        assert named in err and "model.py:4" in err, (use, err)
    for statement, named in (("from numpy import L", "numpy.L"), ("import numpy.no_such", "numpy.no_such"), ("from numpy.no_such import x", "numpy.no_such")):
        err = world.run("run", world.plain("model.py", f"try:\n    {statement}\n    K = 1\nexcept ImportError:\n    K = 2\ndef entry(n):\n    return n + K\n"), *given, code=1)
        assert named in err, (statement, err)
    # Classes, by the statement in the code or the stub, are known as such.
    package(world, "scipy", {"__init__.py": "if len('ab') == 2:\n    class ndarray:\n        pass\n    class other:\n        pass\n"})
    world.write("site/scipy/__init__.pyi", "from typing import Any\nclass ndarray(Any):\n    class other: ...\n")
    pyc = world.plain("model.py", """
        import scipy as np
        from typing import Union, get_args
        from PIL import Image
        class Own:
            def __eq__(self, other):
                return 5 if other is None else NotImplemented
        A = np.ndarray
        SEEN = (A == int, A != Own, Own() == A, A == Own(), isinstance(A, Own), A.__name__, A.__module__, hasattr(A, "__qualname__"), A == Image.Resampling,
                Image.Resampling.__module__, len(get_args(Union[A, int, list[A], A, list[A]])), (A,) == (Own(),))
        def entry(n):
            return n, SEEN
    """, keep=True)
    got, want = world.run("run", pyc, "--entry", "entry", *given).strip(), world.python("entry(3)", ("site",))
    assert got == want, (got, want)
    for use, named in (("n + (np.other == int)", "scipy.other"), ("n + len(np.ndarray.__mro__)", "scipy.ndarray.__mro__"), ("n + isinstance(n, np.ndarray)", "scipy.ndarray")):
        err = world.run("run", world.plain("model.py", f"import scipy as np\ndef entry(n):\n    return {use}\n"), *given, code=1)
        assert named in err, (use, err)
    # A folder of such a name without extension modules is code as any other.
    package(world, "regex", {"__init__.py": "K = 5\n"}, extension=None)
    pyc = world.plain("model.py", "import regex\ndef entry(n):\n    return n + regex.K\n", keep=True)
    assert world.run("run", pyc, *given).strip() == world.python("entry(3)", ("site",)) == "8"


def check_models_of_packages(world):
    """regex has a model that stands for it where it is installed: patterns that mean to re what they mean to it."""
    use = """
        try:
            import regex
        except ImportError:
            regex = None
        def entry(n):
            return n if regex is None else USED
    """
    def run(used, code=0, *more):
        pyc = world.plain("model.py", use.rstrip() + f"\n        USED = regex and {used}\n")
        return world.run("run", pyc, "--entry", "entry", "--input", "n=3", *more, code=code)
    asked = "(regex.sub(r'(?P<a>x)+', r'<\\g<a>\\1>', 'axxb'), regex.search('b', 'ab', regex.I).span(), regex.split('-', 'a-b'))"
    assert run(asked).strip() == "3"
    package(world, "regex", {"__init__.py": "from . import _regex\nX = 1\n"}, "2026.11.19", extension="_regex.so")
    inside = "-I", "site"
    assert run(asked, 0, *inside).strip() == "('a<xx>b', (1, 2), ['a', 'b'])"
    for used in (r"regex.search('a{e}', 'b')", r"regex.findall('(?r)a', 'a')", r"regex.search('[[:alpha:]]', 'a')", r"regex.search('[a--b]', 'a')", r"regex.search('\\p{L}', 'a')",
                 r"regex.search('\\B', '')", r"regex.search('a', 'a', regex.V1)", r"regex.search('(?:ab){e<=1}', 'a')", r"regex.search('\\w', '\u0301')", r"regex.search('(', 'a')",
                 r"regex.search('\\s', '\x1c')", r"regex.sub('a', '\\x', 'a')", "regex.escape('a')", "repr(regex.compile('a'))", "regex.compile('a').flags",
                 "regex.search('a', 'a').lastindex", "regex.compile(b'a')", "[m for m in regex.Scanner([])]", "regex.search('i', '\u0131', regex.I)"):
        try:
            said = run(f"[{used}]", 1, *inside)
        except AssertionError as wrong:
            raise AssertionError(f"{used}: {wrong}") from None
        assert "is not supported" in said or "neither code nor a model" in said, (used, said)


def check_distributions(world):
    """Names and versions of what is installed, as importlib.metadata gives them."""
    package(world, "numpy", {"__init__.py": "", "part.py": ""})
    package(world, "some_lib", {"__init__.py": "", "deep/__init__.py": ""}, "2.0.dev1", "Some.Lib-x")
    pyc = world.plain("model.py", """
        import importlib.metadata as m
        def version(name):
            try:
                return m.version(name)
            except m.PackageNotFoundError as e:
                return str(e), e.name, isinstance(e, ImportError)
            except ValueError as e:
                return str(e)
        tops = m.packages_distributions()
        SEEN = [version(n) for n in ("numpy", "NumPy", "some-lib.X", "some__lib_x", "no-such", "")], m.distribution("numpy").name
        SEEN += tuple([tops.get(n) for n in ("some_lib", "alone", "..", "no_such")])
        said = m.metadata("some-lib.X")
        SEEN += (said["Name"], said["version"], said.get("no"), said.get("No", 3), said.get_all("Name"), said.get_all("no", ()), "NAME" in said, "no" in said)
        SEEN += (m.distribution("numpy").metadata["Version"],)
        try:
            m.metadata("no-such")
        except m.PackageNotFoundError as e:
            SEEN += (e.name,)
        m.metadata("torch")
        def entry(n):
            return n, SEEN
    """, keep=True)
    given = ["--entry", "entry", "--input", "n=3", "-I", "site"]
    got, expected = world.run("run", pyc, *given).strip(), world.python("entry(3)", ("site",))
    assert got == expected, (got, expected)
    shown = world.run("inspect-graph", pyc, *given)
    for text in ("importlib.metadata.version('numpy') = '1.2.3'", "importlib.metadata.version('no-such') = None", "importlib.metadata.distributions()"):
        assert text in shown, (text, shown)


def check_what_was_read(world):
    """The manifest and --env-report say of which packages files were read, in which version; the depfile names what that depends on."""
    package(world, "used", {"__init__.py": "from .deep import part\n", "deep/__init__.py": "", "deep/part.py": "K = 3\n"}, "2.0.dev1", "Used-Lib")
    package(world, "idle", {"__init__.py": ""}, "9.9")
    pyc = world.plain("model.py", "import used\n\n\ndef entry(n):\n    return n + used.part.K\n", keep=True)
    given = ["--entry", "entry", "--input", "n=3", "-I", "site"]
    done = subprocess.run([world.ptc, "compile", pyc, *given, "--env-report", "-MD", "-o", "libmodel.so"], cwd=world.folder, capture_output=True, text=True, timeout=120)
    files = [f"site/used/{name}" for name in ("__pycache__/__init__", "deep/__pycache__/__init__", "deep/__pycache__/part")]
    listed = "".join(f"  {name}.{TAG}.pyc\n" for name in files)
    expected = f"Used-Lib 2.0.dev1, 3 files\n{listed}of no package, 2 files\n  {pyc}\n  site/Used_Lib-2.0.dev1.dist-info/METADATA\n"
    assert (done.returncode, done.stderr) == (0, expected), (done.stderr, expected)
    depends = (world.folder / "libmodel.so.d").read_text()
    assert "Used_Lib-2.0.dev1.dist-info/METADATA" in depends and "idle" not in depends, depends
    packages = json.loads(world.run("inspect-graph", "libmodel.so", "--format=json"))["packages"]
    assert packages == [{"name": "Used-Lib", "version": "2.0.dev1"}], packages
    for shown in (world.run("inspect-graph", "libmodel.so"), world.run("inspect-graph", pyc, *given)):
        assert "\npackages\n  Used-Lib 2.0.dev1\n" in shown, shown
    alone = world.plain("alone.py", "def entry(n):\n    return n\n")
    assert json.loads(world.run("inspect-graph", alone, *given, "--format=json"))["packages"] == []


# All that imports leave: functions with defaults and closures, classes of every form, sets whose order has a history, shared and
# recursive containers, large and complex numbers, generators at a yield, before the first and behind the last, refusals that were set aside, caches, files and distributions that were asked for.
LIBRARY = """
    import collections, contextlib, enum, functools, os, re
    from dataclasses import dataclass, field
    import sys
    from importlib.metadata import distribution, version
    import torch
    from torch import nn
    try:
        import absent_module
    except ImportError:
        absent_module = None
    import unknown_native
    VERSION = version("Some-Lib"), distribution("some-lib").read_text("extra.txt"), "model" in sys.modules
    class Hashed:
        asked = 0
        def __hash__(self):
            Hashed.asked += 1
            return 7
        def __eq__(self, other):
            return self is other
    KEY = Hashed()
    BY_OBJECT = {KEY: 1, Hashed(): 2}
    HERE = os.path.dirname(__file__)
    with open(os.path.join(HERE, "data.txt"), encoding="utf-8") as file:
        DATA = file.read()
    @dataclass
    class Config:
        width: int = 3
        names: list = field(default_factory=lambda: ["a"])
    class Colour(enum.Enum):
        RED = 1
        BLUE = "b"
    Point = collections.namedtuple("Point", "x y")
    class Meta(type):
        def __new__(cls, name, bases, space):
            made = super().__new__(cls, name, bases, space)
            REGISTRY[name] = made
            return made
    REGISTRY = {}
    class Base(metaclass=Meta):
        __slots__ = ("one",)
    class Derived(Base):
        def __init__(self, k=2 ** 80):
            self.k = k
    def scaled(by):
        def scale(v, *, offset=1):
            return v * by + offset
        return scale
    double = scaled(2)
    SET = {f"k{n}" for n in range(40)}
    for n in range(0, 40, 3):
        SET.discard(f"k{n}")
    SET.add("last")
    FROZEN, BIG, COMPLEX, RANGE = frozenset(SET), 3 ** 100, 1 - 2j, range(3, 30, 4)
    LOOP = [1]
    LOOP.append(LOOP)
    SHARED = {"a": LOOP, "b": LOOP, b"c": slice(1, 2)}
    ORDERED = collections.OrderedDict(z=1, a=2)
    ORDERED.move_to_end("z")
    COUNTS = collections.Counter("hello")
    PATTERN = re.compile(r"(?P<n>[a-z]+)-\\d")
    @functools.lru_cache(maxsize=None)
    def cached(n):
        return n if n < 2 else cached(n - 1) + cached(n - 2)
    FIB = cached(20)
    COUNTER = 0
    def bump():
        global COUNTER
        COUNTER += 1
        return COUNTER
    ITEMS = iter([5, 6, 7])
    next(ITEMS)
    MADE = unknown_native.thing()
    def decorated():
        @unknown_native.decorator
        def given(n):
            return n
        return given
    DECORATED = decorated()
    def counting(to):
        for n in range(to):
            yield n
    FRESH, BEGUN, SPENT = counting(3), counting(3), counting(1)
    next(BEGUN), list(SPENT)
    NOTED = None
    @contextlib.contextmanager
    def noted(what):
        global NOTED
        NOTED = what
        yield
        NOTED = "done"
    @noted("call")
    def watched():
        return NOTED
    TOTAL = 0
    for n in range(60000):
        TOTAL += n % 7
    class Net(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.lin = nn.Linear(config.width, 2)
        def forward(self, x):
            return self.lin(x)
"""
USER = """
    import some_lib
    from some_lib import parts as p, Config
    from some_lib.parts import *
    import os
    LATER = list(p.FRESH), next(p.BEGUN), list(p.SPENT)
    def entry(n):
        d = some_lib.Derived()
        p.SET.add("more")
        seen = [some_lib.double(n), sorted(some_lib.SET) == sorted(p.SET), list(p.SET), list(some_lib.FROZEN)[:5], some_lib.BIG, some_lib.COMPLEX, list(some_lib.RANGE), d.k,
                some_lib.LOOP[1] is some_lib.LOOP, some_lib.SHARED["a"] is some_lib.SHARED["b"], some_lib.SHARED[b"c"], list(some_lib.ORDERED), some_lib.COUNTS.most_common(2),
                some_lib.PATTERN.match("ab-1")["n"], some_lib.cached(21), some_lib.FIB, p.bump(), p.bump(), next(p.ITEMS), LATER, p.watched(), p.watched(), p.NOTED, some_lib.TOTAL, some_lib.VERSION, some_lib.DATA, Config(), Config.names is None
                if hasattr(Config, "names") else "no names", some_lib.Colour("b"), some_lib.Point(1, 2)._asdict(), sorted(some_lib.REGISTRY), isinstance(d, some_lib.Base), TOTAL, some_lib.absent_module is None,
                [c.__name__ for c in some_lib.Base.__subclasses__()], id(d) != id(some_lib.REGISTRY), hash(some_lib.Point(1, 2)), repr(some_lib.scaled), some_lib.BY_OBJECT[some_lib.KEY], len(some_lib.BY_OBJECT), some_lib.Hashed.asked, __file__ != some_lib.__file__]
        return n, repr(seen)
    def bad(n):
        return n + some_lib.MADE
"""


def check_snapshots(world):
    """PTC_CACHE_DIR: what imports leave is taken from a file while it holds, with the same results, refusals, assumptions and libraries."""
    source = LIBRARY.replace("[a-z]+)-\\\\d", "[a-z]+)-\\d")
    package(world, "some_lib", {"__init__.py": "from .parts import *\nfrom .parts import SET, COUNTER\n", "parts.py": source}, "2.0.dev1", "Some-Lib")
    world.write("site/some_lib/data.txt", "text\n")
    one, two = world.plain("model.py", USER, keep=True), world.plain("other/second.py", USER + "    K = 1\n", keep=True)
    cache = world.folder / "cache"

    def ptc(pyc, *words, on=True, verb="inspect-graph"):
        entry = () if "--entry" in words else ("--entry", "entry")
        env = {**os.environ, **({"PTC_CACHE_DIR": str(cache)} if on else {})}
        done = subprocess.run([world.ptc, verb, pyc, *entry, "--input", "n=3", "-I", "site", "-v", *words], cwd=world.folder, capture_output=True, text=True, timeout=120, env=env)
        return done.returncode, done.stdout, done.stderr

    def files():
        return sorted(cache.glob("*")) if cache.exists() else []

    json_ = ("--format=json",)
    for words, makes in ((json_, 1), (("--entry", "bad"), 0), (("--env-report",), 0), (("--max-steps", "300000"), 0), (("--max-steps", "9000000"), 1)):
        plain = ptc(one, *words, on=False)
        before = len(files())
        assert ptc(one, *words) == plain, words
        assert len(files()) - before == makes, (words, files())
        assert ptc(one, *words) == plain, (words, "from the file")
    code, text, err = ptc(one, on=False, verb="run")
    assert code == 0 and text == ptc(one, verb="run")[1] and "6765" in text, err
    # Another program that begins alike is another one: what it imports can find it by its name.
    assert len(files()) == 2
    assert ptc(two, *json_) == ptc(two, *json_, on=False) == ptc(two, *json_) and len(files()) == 3
    libraries = set()
    for on in (False, True):
        assert ptc(one, "-o", "libmodel.so", on=on, verb="compile")[0] == 0
        libraries.add((world.folder / "libmodel.so").read_bytes())
    assert len(libraries) == 1
    def seen(on=True):
        return ptc(one, *json_, on=on), ptc(one, on=on, verb="run")

    # Where something is another, the imports run.
    for change in (lambda: world.write("site/some_lib/data.txt", "more text\n"), lambda: world.cached("site/some_lib/parts.py", source.replace("60000", "60001")),
                   lambda: world.cached("absent_module.py", "X = 1\n"), lambda: (world.folder / "site/Some_Lib-2.0.dev1.dist-info/METADATA").write_text("Name: Some-Lib\nVersion: 3\n"),
                   lambda: world.write("site/Some_Lib-2.0.dev1.dist-info/extra.txt", "more\n"), lambda: shutil.rmtree(world.folder / "site/some_lib/__pycache__")):
        old = seen()
        change()
        plain = seen(on=False)
        assert plain != old
        assert seen() == plain == seen()
    package(world, "some_lib", {"__init__.py": "from .parts import *\nfrom .parts import SET, COUNTER\n", "parts.py": source}, "2.0.dev1", "Some-Lib")
    # Files that are none of ours, or not whole.
    plain = seen(on=False)
    assert seen() == plain
    for damage in (lambda b: b[: len(b) // 2], lambda b: b[:-1] + bytes([b[-1] ^ 1]), lambda b: b"", lambda b: b"ptc snapshot\n", lambda b: b"nothing"):
        for file in files():
            file.write_bytes(damage(file.read_bytes()))
        assert seen() == plain
    shutil.rmtree(cache)
    cache.write_text("no folder")
    assert seen() == plain


CASES = [check_files_of_installed_packages, check_enumerations_of_packages, check_code_of_installed_packages, check_finders_of_the_program, check_packages_that_are_not_run,
         check_models_of_packages, check_distributions, check_what_was_read, check_snapshots]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
