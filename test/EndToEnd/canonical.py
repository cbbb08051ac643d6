"""Whether what an entry executes is the same in two .pyc of different Pythons: their canonical code, as `ptc dis` prints it.

A function is compared with all that it can reach: every code object whose name, or an attribute's, stands in its text,
special methods of classes, and what is defined inside. Behind canonical code only what Python itself words or decides
otherwise since depends on the version; that is why run.py still executes a part of those that are equal.
"""
import bisect
import functools
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402

LINE = re.compile(r" *(\d+) +(?:@ )?([A-Z_0-9]+)(?: (?! ; )(.*?))?(?:  ; (\d+):\S*)?$")
HEAD = re.compile(r"code (\S+) ")
JUMP = re.compile(r"-> (\d+)")
CONSTANT = "LOAD_CONST"
# What never raises: nothing shows its line.
SILENT = {CONSTANT, "LOAD_FAST", "STORE_FAST", "RETURN_VALUE", "POP_TOP", "COPY", "SWAP", "POP_EXCEPT", "RETURN_GENERATOR"}
# What class bodies say of themselves since 3.13 and 3.14: (opcode, operand) of an instruction, and of what is in front of it; None is any.
OF_CLASSES = {("STORE_NAME", "__firstlineno__"): (CONSTANT, None), ("STORE_NAME", "__static_attributes__"): (CONSTANT, None),
              ("MAKE_CELL", "__classdict__"): None, ("STORE_DEREF", "__classdict__"): ("LOAD_LOCALS", ""),
              ("STORE_NAME", "__classdictcell__"): ("LOAD_CLOSURE", "__classdict__")}


def without_class_facts(rows):
    out = []
    for row in rows:
        fact = row[1], row[2]
        if fact not in OF_CLASSES:
            out.append(row)
        elif before := OF_CLASSES[fact]:
            opcode, operand = before
            if out and out[-1][1] == opcode and operand in (None, out[-1][2]):
                out.pop()
            else:
                out.append(row)
    return out


def with_slices(rows):
    """Slices of constants, and tuples of them, as 3.14 has them: one constant. `rows` are (index, opcode, operand, line)."""
    out = []
    for index, opcode, operand, line in rows:
        parts = out[-int(operand):] if opcode in ("BUILD_SLICE", "BUILD_TUPLE") and operand != "0" else []
        shown = [row[2] for row in parts if row[1] == CONSTANT and "<code" not in row[2]]
        if parts and len(shown) == len(parts) and (opcode == "BUILD_SLICE" or "slice(" in str(shown)):
            if opcode == "BUILD_SLICE":
                shown = ["slice(" + ", ".join(shown + ["None"] * (3 - len(shown))) + ")"]
            text = shown[0] if opcode == "BUILD_SLICE" else "(" + ", ".join(shown) + ("," if len(shown) == 1 else "") + ")"
            out[-len(parts):] = [(index, CONSTANT, text, line)]
        else:
            out.append((index, opcode, operand, line))
    return out


def normalised(text):
    """The text of a code object without columns and numbers of instructions."""
    head, *lines = text.splitlines()
    head = head.replace("(__classdict__+cell)", "()")
    rows = without_class_facts([(m[1], m[2], m[3] or "", m[4]) for m in map(LINE.fullmatch, lines) if m])
    rows = [(index, opcode, operand, line if opcode not in SILENT else "") for index, opcode, operand, line in with_slices(rows)]
    others = [line for line in lines if line and not LINE.fullmatch(line)]
    # Of a target inside what became one constant: the next one.
    indices = [int(index) for index, *_ in rows]
    place = lambda found: f"-> {bisect.bisect_left(indices, int(found[1]))}"
    jump = lambda operand: JUMP.sub(place, operand)
    if any("…" in operand and "__doc__" not in after[2] for (_, _, operand, _), after in zip(rows, [*rows[1:], (0, "", "", "")])):
        return None                            # a constant that is shown in part
    return "\n".join([head, *others, *(f"{opcode} {jump(operand)} {line}" for _, opcode, operand, line in rows)])


@functools.cache
def code_objects(ptc, pyc):
    """{qualified name: texts of the code objects of that name}"""
    done = batch.run([ptc, "dis", "--canonical", pyc])
    if done.returncode:
        raise RuntimeError(f"{pyc}: {done.stderr.decode()}")
    found = {}
    for text in re.split(r"\n\n(?=code )", done.stdout.decode().rstrip()):
        found.setdefault(HEAD.match(text)[1], []).append(normalised(text))
    return found


def words_in(texts):
    """{qualified name: words in the texts of the code objects of that name}"""
    return {name: set(re.findall(r"\w+", "\n".join(t or "" for t in found))) for name, found in texts.items()}


@functools.cache
def words_of(ptc, pyc):
    return words_in(code_objects(ptc, pyc))


def reachable(texts, entry, words=None):
    """Names of the code objects that calls of the entry may execute, by what their texts name: `words`, where they are known."""
    words = words or words_in(texts)
    # The module defines everything; what it does besides reading names is in its own text. Its lambdas have no names.
    named = set(re.findall(r"^LOAD_(?:NAME|ATTR|METHOD|GLOBAL) (\w+)", "\n".join(t or "" for t in texts["<module>"]), re.M))
    seen, named = {name for name in texts if name.startswith("<")}, named | set(re.split(r"\W", entry))
    while True:
        found = {name for name in texts.keys() - seen
                 if (last := name.rpartition(".")[2]) in named or name.startswith(tuple(f"{s}." for s in seen)) and
                 (last.startswith(("__", "<")) or "<locals>" in name)}
        if not found:
            return seen
        seen |= found
        named |= set().union(*(words[name] for name in found))


def is_same(ptc, pyc, other, entry):
    """Whether calls of `entry` (None: any) execute the same canonical code in both files."""
    files = [(str(ptc), str(file)) for file in (pyc, other)]
    one, two = [code_objects(*file) for file in files]
    names = set().union(*(reachable(code_objects(*file), entry, words_of(*file)) for file in files)) if entry else one.keys() | two.keys()
    return all(one.get(name) == two.get(name) and None not in one.get(name, ()) for name in names)
