#!/usr/bin/env python3
"""Zip archives and wheels that -I names: what zipimport finds in them, what lies beside modules, damaged ones.

    archives.py --ptc PTC [FILTER] [-j N] [-v]

What CPython imports from the same archive gives the same value.
"""
import py_compile
import random
import shutil
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402
from modules import TAG, World  # noqa: E402

# Code of another version than that which runs this.
OTHER = Path(__file__).resolve().parents[1] / "Python/fixtures" / ("3.13" if sys.version_info[:2] == (3, 14) else "3.14") / "properties.pyc"
FILES = {"__init__.py": "from .part import K\nimport os\nHERE = os.path.basename(__file__), __file__.split('/')[-3:-1]\n", "part.py": "K = 5\ndef where():\n    return __name__\n",
         "deep/__init__.py": "", "deep/leaf.py": "from ..part import K\nL = K + 1\n"}


def archive(world, name, files, kept=("py", "pyc"), front=b"", method=zipfile.ZIP_DEFLATED, folders=False):
    """NAME with bytecode beside sources, as `python -m compileall -b` makes it; `kept`: which of them."""
    out = world.folder / name
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", method) as z:
        for file, text in files.items():
            path = world.write(f"tree-{name}/{file}", text)
            if folders and "/" in file:
                for n in range(1, file.count("/") + 1):
                    folder = "/".join(file.split("/")[:n]) + "/"
                    if folder not in z.namelist():
                        z.writestr(folder, "")
            if not file.endswith(".py"):
                z.write(path, file)
                continue
            made = path.with_suffix(".pyc")
            py_compile.compile(str(path), cfile=str(made), dfile=file, doraise=True)
            if "cache" in kept:
                z.write(made, f"{Path(file).parent}/__pycache__/{Path(file).stem}.{TAG}.pyc".removeprefix("./"))
            if "pyc" in kept:
                z.write(made, file + "c")
            if "py" in kept:
                z.write(path, file)
    out.write_bytes(front + out.read_bytes())
    return out


def same(world, pyc, call, entry, given, path):
    got, want = world.run("run", pyc, "--entry", "entry", *entry, *given).strip(), world.python(call, path)
    assert got == want, (got, want)


PROGRAM = """
    import pkg
    from pkg import deep
    from pkg.deep.leaf import L
    import pkg.part as part
    try:
        import pkg.nothing
        HAS = True
    except ImportError:
        HAS = False
    def entry(n):
        return n + L, pkg.K, pkg.HERE, HAS, part.where(), part.__file__.split("/")[-3:], deep.__package__, hasattr(pkg, "deep")
"""


def check_modules(world):
    """Packages and modules with and without their sources, stored and deflated, behind a program and in a folder of an archive."""
    entry = ["--input", "n=3"]
    pyc = world.plain("model.py", PROGRAM, keep=True)
    files = {f"pkg/{name}": text for name, text in FILES.items()}
    archive(world, "both.zip", files)
    archive(world, "code.zip", files, kept=("pyc",))
    archive(world, "stored.zip", files, method=zipfile.ZIP_STORED)
    archive(world, "front.zip", files, front=b"#!/usr/bin/env python3\n")
    archive(world, "lower.zip", {f"lib/{name}": text for name, text in files.items()})
    archive(world, "cache.zip", files, kept=("py", "cache"))
    for name in ("both.zip", "code.zip", "stored.zip", "front.zip", "lower.zip/lib", "cache.zip"):
        for given in (name, f"./{name}", world.folder / name):
            same(world, pyc, "entry(3)", entry, ["-I", given], (given,))
    # The first of several has it; a module is behind a package.
    world.plain("site/other.py", "K = 1\n")
    archive(world, "two.zip", {"other.py": "K = 2\n", "both.py": "K = 3\n", "both/__init__.py": "K = 4\n"})
    pyc = world.plain("model.py", "import other, both\ndef entry(n):\n    return n, other.K, both.K\n", keep=True)
    for path in (("site", "two.zip"), ("two.zip", "site")):
        same(world, pyc, "entry(3)", entry, [w for p in path for w in ("-I", p)], path)


def check_namespaces(world):
    """Folders without __init__: with entries of their own always, without ones from 3.14 on."""
    pyc = world.plain("model.py", "import space.m\ndef entry(n):\n    return n + space.m.K, space.__file__\n", keep=True)
    archive(world, "own.zip", {"space/m.py": "K = 5\n"}, folders=True)
    same(world, pyc, "entry(3)", ["--input", "n=3"], ["-I", "own.zip"], ("own.zip",))
    archive(world, "none.zip", {"space/m.py": "K = 5\n"})
    if sys.version_info < (3, 14):
        err = world.run("run", pyc, "--input", "n=3", "-I", "none.zip", code=1)
        assert "no entry of the folder" in err and "PTC1019" in err, err


def check_sources(world):
    """A wheel has sources: what to do is said. Bytecode of another state or version is none."""
    pyc = world.plain("model.py", "import pkg\ndef entry(n):\n    return n + pkg.K\n")
    files = {"pkg/__init__.py": "K = 5\n"}
    archive(world, "pkg-1.0-py3-none-any.whl", files, kept=("py",))
    err = world.run("run", pyc, "--input", "n=3", "-I", "pkg-1.0-py3-none-any.whl", code=1)
    assert "pip install --target FOLDER" in err and "python -m compileall FOLDER" in err and "pkg-1.0-py3-none-any.whl/pkg/__init__.py" in err, err
    out = archive(world, "old.zip", files)
    with zipfile.ZipFile(out) as z:
        members = {info.filename: z.read(info) for info in z.infolist()}
    with zipfile.ZipFile(out, "w") as z:
        for name, data in members.items():
            z.writestr(zipfile.ZipInfo(name, (2001, 2, 3, 4, 5, 6)), data)
    assert "made of another state of 'old.zip/pkg/__init__.py'" in world.run("run", pyc, "--input", "n=3", "-I", "old.zip", code=1)
    with zipfile.ZipFile(out, "w") as z:
        z.write(OTHER, "pkg/__init__.pyc")
    err = world.run("run", pyc, "--input", "n=3", "-I", "old.zip", code=1)
    assert "PTC1019" in err and f"it is of Python {OTHER.parent.name} and the program of" in err, err


def check_resources(world):
    """importlib.resources and importlib.metadata of what is in an archive and in a folder; the system sees no files in archives."""
    files = {"pkg/__init__.py": "K = 5\n", "pkg/data/__init__.py": "", "pkg/data/words.txt": "one\ntwö\n", "pkg/data/plain.txt": "abc\n", "pkg/data/numbers.bin": "\x01\x02",
             "pkg/sub/inner.txt": "deep\n", "some_pkg-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: some-pkg\nVersion: 1.5\n",
             "some_pkg-1.5.dist-info/RECORD": "pkg/__init__.py,,\npkg/data/__init__.py,,\n"}
    archive(world, "lib.zip", files)
    site = world.folder / "site"
    with zipfile.ZipFile(world.folder / "lib.zip") as z:
        z.extractall(site)
    for made in site.rglob("*.pyc"):
        made.unlink()
    subprocess.run([sys.executable, "-m", "compileall", "-q", site], check=True)
    pyc = world.plain("model.py", """
        import importlib.metadata, importlib.resources as resources, os
        import pkg
        from importlib.resources import as_file, files
        from pkg import data
        there = files("pkg")
        words = there / "data" / "words.txt"
        SEEN = [words.read_text(encoding="utf-8"), (there / "data/plain.txt").read_text(), files(data).joinpath("numbers.bin").read_bytes(),
                there.joinpath("data", "words.txt").is_file(), (there / "data").is_dir(), (there / "no.txt").is_file(), there.name,
                sorted(p.name for p in files("pkg.data").iterdir() if p.name.endswith((".txt", ".bin"))), (there / "sub" / "inner.txt").read_text("utf-8"),
                resources.read_text("pkg.data", "words.txt", encoding="utf-8"), resources.read_binary(data, "numbers.bin"), resources.is_resource(data, "plain.txt"),
                resources.is_resource("pkg", "data")]
        with words.open(encoding="utf-8") as file:
            SEEN.append([line for line in file])
        with resources.open_text(data, "plain.txt") as file:
            SEEN.append(file.readline())
        try:
            (there / "no.txt").read_bytes() if IN_ARCHIVE else 1 / 0
        except (FileNotFoundError, ZeroDivisionError):
            SEEN.append("none")
        SEEN.append((importlib.metadata.version("some_pkg"), importlib.metadata.distribution("some-pkg").read_text("RECORD"), importlib.metadata.distribution("some-pkg").name))
        FOUND = os.path.exists(os.path.join(os.path.dirname(pkg.__file__), "data", "words.txt"))
        def entry(n):
            return n + pkg.K, SEEN, FOUND
    """.replace("IN_ARCHIVE", "'.zip' in pkg.__file__"), keep=True)
    for path in ("lib.zip", "site"):
        same(world, pyc, "entry(3)", ["--input", "n=3"], ["-I", path], (path,))
    pyc = world.plain("model.py", "import os, pkg\nX = open(os.path.join(os.path.dirname(pkg.__file__), 'data', 'words.txt'), encoding='utf-8')\ndef entry(n):\n    return n + len(X.read())\n")
    assert "'open'" in world.run("run", pyc, "--input", "n=3", "-I", "lib.zip", code=1)


def check_what_was_read(world):
    """--env-report lists members, depfiles have the archive; a snapshot holds while its members do."""
    files = {"pkg/__init__.py": "from importlib.resources import files\nT = files(__name__).joinpath('data.txt').read_text()\nN = sum(i % 7 for i in range(90000))\nclass Own: pass  # without one there is no snapshot\n", "pkg/data.txt": "text\n",
             "pkg/unused.py": "", "pkg-1.5.dist-info/METADATA": "Metadata-Version: 2.1\nName: pkg\nVersion: 1.5\n", "pkg-1.5.dist-info/RECORD": "pkg/__init__.py,,\n"}
    archive(world, "lib.zip", files)
    pyc = world.plain("model.py", "import pkg\ndef entry(n):\n    return n + pkg.N, pkg.T\n")
    given = ["--input", "n=3", "-I", "lib.zip", "-v"]
    done = subprocess.run([world.ptc, "compile", pyc, *given, "--env-report", "-MD", "-o", "libm.so"], cwd=world.folder, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    for text in ("pkg 1.5, 2 files", "lib.zip/pkg/__init__.pyc", "lib.zip/pkg/data.txt", "the archives of -I are those that are there now"):
        assert text in done.stderr, (text, done.stderr)
    assert "unused" not in done.stderr
    depfile = (world.folder / "libm.so.d").read_text()
    assert "lib.zip\n" in depfile and "lib.zip/" not in depfile, depfile
    again = subprocess.run([world.ptc, "compile", pyc, "--add-variants", "libm.so", *given, "-o", "libm.so"], cwd=world.folder, capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    cache = world.folder / "cache"

    def seen(on=True):
        done = subprocess.run([world.ptc, "run", pyc, *given], cwd=world.folder, capture_output=True, text=True, timeout=120, env={"PTC_CACHE_DIR": str(cache)} if on else {})
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    assert seen() == seen() == seen(on=False) and len(list(cache.glob("*"))) == 1
    old = seen()
    archive(world, "lib.zip", {**files, "pkg/data.txt": "more\n"})
    assert old != seen() == seen() == seen(on=False)


def check_damaged(world):
    """Archives that are none, cut, damaged, encrypted, or larger than they may be are typed errors."""
    pyc = world.plain("model.py", "import pkg\ndef entry(n):\n    return n + pkg.K\n")
    whole = archive(world, "whole.zip", {"pkg/__init__.py": "K = 5\n" * 50}, kept=("pyc",)).read_bytes()
    broken = world.folder / "broken.zip"

    def outcome(data):
        broken.write_bytes(data)
        done = subprocess.run([world.ptc, "run", pyc, "--input", "n=3", "-I", "broken.zip"], cwd=world.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode in (0, 1, 3, 4), (done.returncode, done.stderr)
        assert done.returncode == 0 or "PTC" in done.stderr, done.stderr
        assert done.returncode or done.stdout == "8\n", done.stdout
        return done.returncode, done.stderr

    assert outcome(whole) == (0, "")
    for data, code, text in ((b"", 3, "not a zip archive"), (b"no archive at all", 3, "not a zip archive"), (whole[: len(whole) // 2], 3, "cut short"), (b"PK\5\6", 3, "not a zip archive")):
        got, err = outcome(data)
        assert got == code and text in err, (got, err)
    at = whole.index(b"PK\1\2")

    def changed(offset, form, value):
        data = bytearray(whole)
        struct.pack_into(form, data, at + offset, value)
        return outcome(bytes(data))

    for offset, form, value, code, text in ((16, "<I", 1, 1, "its sum is another"), (24, "<I", 300 << 20, 3, "more than 256 MiB"), (24, "<I", 200 << 20, 1, "not as long as the directory says"),
                                            (24, "<I", 4000, 1, "damaged"), (8, "<H", 1, 1, "encrypted"), (10, "<H", 14, 1, "compressed in another way"), (42, "<I", 1 << 30, 3, "outside the file"),
                                            (20, "<I", 1 << 20, 3, "truncated")):
        got, err = changed(offset, form, value)
        assert got == code and text in err, (offset, value, got, err)
    with zipfile.ZipFile(broken, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("pkg/__init__.py", b"\0" * (300 << 20))
    got, err = outcome(broken.read_bytes())
    assert got == 3 and "256 MiB" in err, (got, err)
    with zipfile.ZipFile(broken, "w") as z:
        z.writestr("pkg/__init__.py", "")
        z.filelist.append(z.filelist[0])
    got, err = outcome(broken.read_bytes())
    assert got == 3 and "occurs twice" in err, (got, err)
    draw = random.Random(7)
    for _ in range(150):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 1, 2, 5))):
            data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        outcome(bytes(data[: draw.choice((len(data), len(data), draw.randrange(len(data))))]))
    shutil.rmtree(world.folder / "site", ignore_errors=True)


CASES = [check_modules, check_namespaces, check_sources, check_resources, check_what_was_read, check_damaged]


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


if __name__ == "__main__":
    sys.exit(main())
