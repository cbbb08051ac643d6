#!/usr/bin/env python3
"""Asks of every module of the standard library and of torch for every name that any version has, and for one that none has.

    run.py --ptc PTC [FILTER] [--all] [-j N] [-v]

Each module is imported, where an ImportError would be caught and where it would not, and of each name hasattr(),
getattr() with a default, `is None` and callable() are asked, with the
bytecode of each version. Modules with a model are asked for the names that only the model has, too, and packages for their modules before and after
an import of those. What `ptc` prints must be what CPython 3.11 and eager PyTorch print for the same program; of the other
versions, what those answered (fixtures) for some names, and for all what the tables say (lib/Capture/Known). A refusal is no answer: the question after it
is asked next, and the last line but one says how many there were; of each program there may be only some (REFUSED).

Modules that `import torch` does not load take minutes to import; they are compared with --all only.
"""
import ast
import contextlib
import io
import os
import random
import struct
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd"), str(ROOT / "lib/Capture/Known")]
import batch  # noqa: E402
import pack  # noqa: E402
import runner  # noqa: E402
from pycs import VERSIONS, pyc_for  # noqa: E402

PLACE = b"\x03@@@"                              # the text of ask.py, as marshal writes it
PER_CASE = 6000                                 # questions
REFUSED = 8                                     # of one case at most: what neither ptc nor the tables know for certain
NO_SUCH = "no_such_name_anywhere"
SEED = 11
ELSEWHERE = 40                                  # names of torch that each other module of torch with a model is asked for
BEFORE = 4                                      # modules of each package that are asked for before they are imported
LOADED = set(sys.modules)


def with_questions(pyc, questions):
    """The .pyc with the questions as its constant."""
    data = pyc.read_bytes()
    at = data.index(PLACE) - 1
    assert data.count(PLACE) == 1 and data[at] & 0x7F == ord("z"), "the text of ask.py is not where it was"
    text = questions.encode()
    return data[:at] + bytes([ord("u") | data[at] & 0x80]) + struct.pack("<I", len(text)) + text + data[at + 5 :]


def stored_names(path):
    """The names that the code of a module binds, its functions and classes aside."""
    found, nodes = set(), [ast.parse(path.read_text())]
    while nodes:
        for node in ast.iter_child_nodes(nodes.pop()):
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.add(node.name)
                continue
            if isinstance(node, ast.alias):
                found.add((node.asname or node.name).partition(".")[0])
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                found.add(node.id)
            nodes.append(node)
    return found


def model_of(module):
    path = ROOT / "lib/Prelude" / module.replace(".", "/")
    return next((f for f in (path.with_suffix(".py"), path / "__init__.py") if f.is_file()), None)


def own_names(module):
    """What the model of a module has or may have, whatever the tables say; nothing where it has none."""
    file = model_of(module)
    if not file:
        return set()
    found = stored_names(file)
    if module.startswith("torch."):
        found |= set(random.Random(f"{SEED} {module}").sample(sorted(vars(torch)), ELSEWHERE))
    return found


class Module:
    """What a table says of one module: name -> [(mask, answer)]"""

    def __init__(self, path, flags, lines, modules):
        self.path, self.flags, self.rows, self.modules = path, flags, {}, modules
        for kind, _, of_type, since, mask, words in lines:
            if kind in pack.KINDS and not since and (kind in "mcfn" or of_type):
                answer = {"n": "None", "v": "value", "m": "value"}.get(kind, "callable")
                for word in words:
                    self.rows.setdefault(word, []).append((mask, answer))
        self.alias = [(mask, words[0]) for kind, _, _, _, mask, words in lines if kind == "a"]
        self.own = own_names(path)
        self.after_import = {w for kind, _, _, since, _, words in lines if since for w in words}

    def answer(self, name, bit):
        return next((answer for mask, answer in self.rows.get(name, ()) if mask & bit), "absent")

    def questions(self, bit):
        """Names to ask for; of a module that may have other names only those that it has for certain."""
        names = [*sorted({*self.rows, *self.own}), NO_SUCH]
        if self.flags["open"] & bit:
            names = [n for n in names if self.answer(n, bit) != "absent"]
        # Whether a package has its modules depends on what was imported before.
        return [n for n in names if n not in self.after_import and f"{self.path}.{n}" not in self.modules and not (n.startswith("__") and n.endswith("__"))]


def modules_of(table):
    blocks, _ = pack.read([ROOT / f"lib/Capture/Known/{table}.txt"])
    modules = {path for head, path, _, _ in blocks if head == "@m"}
    return [Module(path, flags, lines, modules) for head, path, flags, lines in blocks if head == "@m"]


def by_python(questions):
    """What CPython prints."""
    source = (HERE / "ask.py").read_text().replace('"@@@"', repr(questions))
    done = subprocess.run([sys.executable, "-I", "-S", "-W", "ignore", "-"], input=source, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def by_eager(questions):
    """What this process prints, which has torch; not what the modules print that it imports."""
    source = (HERE / "ask.py").read_text().replace('"@@@"', repr(questions))
    answers = []
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, "ask.py", "exec"), {"__name__": "ask", "print": answers.append})
    return answers


def by_table(version):
    bit = 1 << VERSIONS.index(version)
    known = {m.path: m for m in modules_of("python")}

    def answers(questions):
        for line in questions.split("\n"):
            module, _, name = line.partition(" ")
            yield known[module].answer(name, bit) if name.strip("!") else "imported"

    return lambda questions: list(answers(questions))


def by_fixture(version):
    """Questions, and what the interpreter of the version answered when regenerate.py asked it."""
    words = {"a": "absent", "N": "None", "c": "callable", "v": "value"}
    lines, answers = [], []
    for line in (HERE / "fixtures" / version / "answers.txt").read_text().splitlines():
        module, *rows = line.split()
        lines += [module, *(f"{module} {row[:-2]}" for row in rows)]
        answers += ["imported", *(words[row[-1]] for row in rows)]
    return "\n".join(lines), lambda questions: answers


def by_import(version):
    """What a version prints of modules that it has imported: a package may have something else under the name."""
    answers = by_table(version)

    def expected(questions):
        return ["value" if answer == "absent" else answer for answer in answers(questions)]
    return expected


def by_ptc(ptc, pyc, questions, most=REFUSED):
    """(answers, None for each refusal), and what the refusals said."""
    answers, refusals = [], []
    lines = questions.split("\n")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "ask.pyc")
        while len(answers) < len(lines):
            rest = lines[len(answers):]
            again = " " in rest[0]               # its module has to be imported once more
            text = "\n".join([rest[0].partition(" ")[0], *rest] if again else rest)
            program.write_bytes(with_questions(pyc, text))
            done = batch.run([ptc, "run", "--python", program], env={**os.environ, "NO_COLOR": "1"})
            said = done.stderr.decode()
            answers += done.stdout.decode().splitlines()[again:]
            if done.returncode == 0:
                assert len(answers) == len(lines), f"{len(lines)} questions, {len(answers)} answers"
                break
            assert done.returncode == 1 and "[PTC1" in said, \
                f"{lines[len(answers)]}: exit code {done.returncode}\n{said[:1000]}"
            refusals.append(f"{lines[len(answers)]}: {said.splitlines()[0]}")
            answers.append(None)
            assert len(refusals) <= most, "too many refusals:\n" + "\n".join(refusals)
    return answers, refusals


def check(ptc, version, questions, expected, scratch, most=REFUSED):
    pyc = pyc_for(HERE / "ask.py", version, HERE / "fixtures", scratch)
    got, refusals = by_ptc(ptc, pyc, questions, most)
    if most == REFUSED:
        with open(scratch / "refusals", "a") as file:
            file.writelines(f"{version} {r}\n" for r in refusals)
    want = expected(questions)
    wrong = [f"{q}: {a}, expected {w}" for q, a, w in zip(questions.split("\n"), got, want, strict=True)
             if a is not None and a != w]
    return "\n".join([f"{len(wrong)} answers are wrong", *wrong[:20]]) if wrong else None


def parts(modules, bit):
    """Questions about modules, some thousand at a time."""
    lines = []
    for module in modules:
        lines += [module.path, *(f"{module.path} {name}" for name in module.questions(bit))]
        if len(lines) > PER_CASE:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


def submodules(modules, bit):
    """package -> its modules, by their own names."""
    found = {}
    for module in modules:
        package, _, name = module.path.rpartition(".")
        if package and is_asked(module, bit):
            found.setdefault(package, []).append(name)
    return found


def after_import(packages):
    """Questions about the modules of packages that were imported by themselves."""
    return "\n".join(line for package, names in packages.items() for name in names
                     for line in (f"{package}.{name}", package, f"{package} {name}"))


def check_before(ptc, packages, scratch):
    """A module that nobody has imported is no attribute of its package; that somebody has may be unknown."""
    wrong = []
    for package, names in packages.items():
        asked = random.Random(f"{SEED} {package}").sample(names, min(BEFORE, len(names)))
        questions = "\n".join([package, *(f"{package} {name}" for name in asked)])
        found = check(ptc, VERSIONS[0], questions, by_python, scratch, most=BEFORE)
        wrong += [f"{package}: {found}"] if found else []
    return "\n".join(wrong) or None


def is_asked(module, bit):
    """What cannot be imported here, or does something when it is, has no names in the table."""
    return module.flags["in"] & bit and module.rows and not any(mask & bit for mask, _ in module.alias)


def cases(ptc, scratch, everything):
    for version in VERSIONS:
        bit = 1 << VERSIONS.index(version)
        modules = [m for m in modules_of("python") if is_asked(m, bit)]
        expected = by_python if bit == 1 else by_table(version)
        yield f"python {version}, imports", (ptc, version, "\n".join(f"{m.path} !" for m in modules), expected, scratch)
        packages = submodules(modules, bit)
        yield f"python {version}, modules of packages", (ptc, version, after_import(packages), by_import(version), scratch)
        if bit > 1:
            yield f"python {version}, answers of its interpreter", (ptc, version, *by_fixture(version), scratch)
        if bit == 1:
            yield f"python {version}, modules that are not imported", (check_before, ptc, packages, scratch)
        for n, questions in enumerate(parts(modules, bit)):
            yield f"python {version}, part {n}", (ptc, version, questions, expected, scratch)
    modules = [m for m in modules_of("torch") if is_asked(m, 1) and (everything or m.path in LOADED)]
    yield "torch, imports", (ptc, VERSIONS[0], "\n".join(f"{m.path} !" for m in modules), by_eager, scratch)
    for n, questions in enumerate(parts(modules, 1)):
        yield f"torch, part {n}", (ptc, VERSIONS[0], questions, by_eager, scratch)


def check_case(first, *rest):
    return first(*rest) if callable(first) else check(first, *rest)


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--all", action="store_true", help="also modules that an import of torch does not load")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        (scratch / VERSIONS[0]).mkdir()
        code = 1
        with contextlib.redirect_stdout(io.StringIO()) as summary:
            code = runner.run(list(cases(args.ptc, scratch, args.all)), check_case, args)
        refusals = (scratch / "refusals").read_text().splitlines() if (scratch / "refusals").exists() else []
        print(*(f"refused: {r}" for r in (refusals if args.v else refusals[:10])), sep="\n")
        print(f"{len(refusals)} questions were refused")
        print(summary.getvalue(), end="")
    return code


if __name__ == "__main__":
    sys.exit(main())
