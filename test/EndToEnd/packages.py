#!/usr/bin/env python3
"""Packages that are installed in folders of -I: their files and versions, finders of modules, and which of them are not run.

    packages.py --ptc PTC [FILTER] [-j N] [-v]
"""
import json
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
    for use, named in (("open(HERE / '__init__.py', 'w')", "open"), ("open(HERE / '__init__.py', 'rb')", "open"), ("(HERE / '__init__.py').read_text()", "pathlib.Path.read_text"),
                       ("len(list(os.scandir('/no/such/folder')))", "os.scandir"), ("len(os.listdir('.'))", "os.listdir"), ("HERE.resolve().name", "pathlib.Path.resolve")):
        pyc = world.plain("model.py", f"import os\nfrom plain import HERE\nX = {use}\ndef entry(n):\n    return n if X else 0\n")
        err = world.run("run", pyc, *given, code=1)
        assert named in err, (use, err)
    pyc = world.plain("model.py", "from plain import HERE\nimport os\ndef entry(n):\n    return n + len(os.listdir(HERE))\n")
    assert "os.listdir" in world.run("run", pyc, *given, code=1)


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


def check_packages_that_are_not_run(world):
    """Native packages of -I are there, what their files bind for sure too, and the rest is a refusal that names it."""
    package(world, "numpy", {"__init__.py": "from . import linalg\n__version__ = '1.2.3'\nK = 5\nif len('ab') == 2:\n    L = 6\nM = 1\ndel M\n",
                             "linalg.py": "def norm(x):\n    return x\n", "late.py": "N = 8\n", "core/__init__.py": ""})
    package(world, "PIL", {"__init__.py": "__version__ = '9'\n", "Image.py": "class Resampling:\n    BILINEAR = 2\n"}, "9", "pillow")
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
    for use, named in (("n + len(np.K)", "'numpy.K'"), ("n + len(np.linalg.norm(n))", "numpy.linalg.norm"), ("n + len(Image.Resampling)", "PIL.Image.Resampling"),
                       ("n + hasattr(np, 'L')", "numpy.L"), ("n + hasattr(np, 'M')", "numpy.M"), ("n + ('numpy.core' in sys.modules)", "numpy.core")):
        err = world.run("run", world.plain("model.py", f"import sys, numpy as np\nfrom PIL import Image\ndef entry(n):\n    return {use}\n"), *given, code=1)
        assert named in err and "model.py:4" in err, (use, err)
    for statement, named in (("from numpy import L", "numpy.L"), ("import numpy.no_such", "numpy.no_such"), ("from numpy.no_such import x", "numpy.no_such")):
        err = world.run("run", world.plain("model.py", f"try:\n    {statement}\n    K = 1\nexcept ImportError:\n    K = 2\ndef entry(n):\n    return n + K\n"), *given, code=1)
        assert named in err, (statement, err)
    # A folder of such a name without extension modules is code as any other.
    package(world, "regex", {"__init__.py": "K = 5\n"}, extension=None)
    pyc = world.plain("model.py", "import regex\ndef entry(n):\n    return n + regex.K\n", keep=True)
    assert world.run("run", pyc, *given).strip() == world.python("entry(3)", ("site",)) == "8"


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


CASES = [check_files_of_installed_packages, check_finders_of_the_program, check_packages_that_are_not_run, check_distributions, check_what_was_read]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
