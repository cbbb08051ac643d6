"""What `ptc inspect-graph` prints of a program from Python: text, locations, JSON by its schema, a graph by its syntax.

    inspect.test.py ROOT FOLDER
"""
import json
import os
import py_compile
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from schema import check

ROOT, FOLDER = Path(sys.argv[1]), Path(sys.argv[2])
SOURCE = "control.py"
SCHEMA = json.loads((ROOT / "lib/Package/manifest.schema.json").read_text())


def ptc(*args, **kwargs):
    done = subprocess.run(["ptc", *map(str, args)], capture_output=True, text=True, cwd=FOLDER, **kwargs)
    assert done.returncode == 0 and done.stderr == "", done
    return done.stdout


def check_dot(text):
    lines = text.splitlines()
    assert re.fullmatch(r'digraph "[^"]+" \{', lines[0]) and lines[-1] == "}", text
    node = re.compile(r'n(\d+) \[label="(?:[^"\\]|\\.)*"(?:, [a-z]+=[a-z]+)*\];')
    edge = re.compile(r'n(\d+) -> n(\d+) \[label="(?:[^"\\]|\\.)*"\];')
    other = re.compile(r'(?:node|edge) \[.*\];|subgraph cluster\d+ \{|label="(?:[^"\\]|\\.)*";|\}')
    depth, known, edges = 1, set(), 0
    for line in map(str.strip, lines[1:]):
        if found := edge.fullmatch(line):
            assert set(found.groups()) <= known, f"{line}: no such node"
            edges += 1
        elif found := node.fullmatch(line):
            known.add(found[1])
        else:
            assert other.fullmatch(line), line
            depth += line.endswith("{") - (line == "}")
    assert depth == 0 and len(known) > 20 and edges > 20, (depth, len(known), edges)
    for label in ("then", "else", "test", "body", "end 0", "end 1", "variant v0"):
        assert f'label="{label}";' in text, label


def check_text(text):
    """The parts that a reader looks for, in their order."""
    for part in (r"entry Net\(x, limit\) +# control.py:\d+", r"1 loops on data", r"1 prints", r"1 ways to raise",
                 r"state over calls\n  s0: int  attribute 'calls' of a Net", r"variant v0", r"x: f32\[B, 4\]",
                 r"x.shape\[0\] <= 64 +# control\.py:18 declared: B in 1\.\.64",
                 r"= aten.linear\(x, lin.weight, lin.bias\)  : f32\[B, 4\] grad +# control.py:18",
                 r"= loop with .* +# control.py:\d+", r"aten.mul.Tensor\(.*\) .*# control.py:7", r"= if %\d+",
                 r"print f'positive {%\d+}\\n'", r"writes input 0 with %\d+", r"returns \({'h': %\d+, 'n': %\d+}, %\d+\)",
                 r"raises ValueError\(args=\(f'no growth after {%\d+}'\)\)", r"weights\n  lin.bias: f32\[4\] grad"):
        found = re.search(part, text)
        assert found, f"no {part!r} in\n{text}"
        text = text[found.end():]


def check_locations(mlir):
    """Every operation of a variant that is no constant says which line it comes from; inlined calls say from where."""
    aliases = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", mlir, re.M))
    assert re.fullmatch(r"callsite\(#loc\d+ at #loc\d+\)", aliases[re.search(r"aten\.mul\.Tensor.*loc\((#loc\d+)\)", mlir)[1]])
    body = mlir[mlir.index("program.variant"):mlir.index("guard.set")]
    unknown = [line for line in body.splitlines()
               if "arith.constant" not in line      # shared by several lines
               and (found := re.search(r"loc\((#loc\d*)\)$", line)) and aliases[found[1]] == "unknown"]
    assert not unknown, unknown


ASKING = """import sys
import torch


def entry(x):
    if torch.compiler.is_compiling() or torch.jit.is_tracing():
        return x
    return x + 1 if sys.version_info >= (3, 8) else x
"""
SILENT = """import sys
import torch


def entry(x):
    names = {"a": 1, "b": 2}
    with torch.no_grad():
        return x + len(names) if "a" in {"a", "b"} else x
"""
HASHING = """def entry(x):
    for name in {"b", "a"}:
        x = x + len(name)
    return {object(), object()}.pop() is not None, x
"""


def check_world():
    """What a program asked about the world is listed, with answers and reasons; and nothing else."""
    found = {}
    for name, source in (("asking", ASKING), ("silent", SILENT), ("hashing", HASHING)):
        Path(name + ".py").write_text(source)
        py_compile.compile(name + ".py", name + ".pyc", dfile=name + ".py", doraise=True)
        args = [name + ".pyc", "--input", "x=f32[3]"]
        manifest = json.loads(ptc("inspect-graph", *args, "--format=json"))
        check(manifest, SCHEMA, SCHEMA)
        text = ptc("inspect-graph", *args)
        listed = text.partition("answers about the world\n")[2]
        assert len(listed.splitlines()) == len(manifest["world"]), text
        for row in manifest["world"]:
            assert re.search(re.escape(f"  {row['name']} = {row['answer']}  ({row['reason']})") + rf" +# {row['file']}:{row['line']}\n", listed), (row, text)
        for row in manifest["assumptions"]:
            assert re.search(re.escape(row["text"]) + rf" +# {row['file']}:{row['line']}\n", text), (row, text)
        found[name] = manifest
    version = "(%d, %d, 0, 'final', 0)" % sys.version_info[:2]
    assert [(r["name"], r["answer"], r["line"]) for r in found["asking"]["world"]] == [
        ("torch.compiler.is_compiling", "False", 6), ("torch.jit.is_tracing", "False", 6), ("sys.version_info", version, 8)], found["asking"]
    assert found["silent"]["world"] == found["silent"]["assumptions"] == found["asking"]["assumptions"] == [], found["silent"]
    assert [(r["name"], r["answer"], r["line"]) for r in found["hashing"]["world"]] == [("PYTHONHASHSEED", "0", 2)], found["hashing"]
    assert [(r["file"], r["line"]) for r in found["hashing"]["assumptions"]] == [("hashing.py", 4)], found["hashing"]


TEXTS = """def entry(d, \u00f6="\u00e4"):
    return d["schl\u00fcssel"] + 1 if \u00f6 == "\u00e4" else d
"""
INTS = """def entry(x, n, m, d):
    return n + 1, m, type(n).__name__, n % 1000, d["k"] == n + m, n > 5
"""


def check_arguments():
    """Texts that are not ASCII are shown as they are; ints of any size stay ints."""
    for name, source, call in (("texts", TEXTS, {"args": [{"schl\u00fcssel": {"$tensor": "f32[3]"}}, "\u00e4"]}),
                               ("ints", INTS, {"args": [{"$tensor": "f32[3]"}, 2 ** 70, -2 ** 63 - 1, {"k": 2 ** 70 - 2 ** 63 - 1}]})):
        Path(name + ".py").write_text(source, encoding="utf-8")
        Path(name + ".json").write_text(json.dumps(call, ensure_ascii=False), encoding="utf-8")
        py_compile.compile(name + ".py", name + ".pyc", dfile=name + ".py", doraise=True)
    for form in ("text", "json"):
        shown = ptc("inspect-graph", "texts.pyc", "--example", "texts.json", "--format=" + form)
        assert "\\C3" not in shown and "\\u00" not in shown, shown
        assert shown.count("schl\u00fcssel") > 3 and "\u00f6" in shown and "\u00e4" in shown, shown
    check(json.loads(shown), SCHEMA, SCHEMA)
    found = ptc("run", "ints.pyc", "--example", "ints.json")
    n = 2 ** 70
    assert found == repr((n + 1, -2 ** 63 - 1, "int", n % 1000, True, True)) + "\n", found


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / SOURCE).write_text((Path(__file__).parent / "Inputs" / SOURCE).read_text())
    os.chdir(FOLDER)
    py_compile.compile(SOURCE, "control.pyc", dfile=SOURCE, doraise=True)
    save_file({"lin.weight": np.eye(4, dtype=np.float32), "lin.bias": np.ones(4, dtype=np.float32)}, "w.safetensors")
    args = ["control.pyc", "--weights", "w.safetensors", "--input", "x=f32[B in 1..64,4]"]
    check_text(ptc("inspect-graph", *args))
    check_dot(ptc("inspect-graph", *args, "--format=dot"))
    mlir = ptc("inspect-graph", *args, "--format=mlir")
    check_locations(mlir)
    manifest = json.loads(ptc("inspect-graph", *args, "--format=json"))
    check(manifest, SCHEMA, SCHEMA)
    assert [o["raised"] for o in manifest["variants"][0]["outcomes"]] == [False, True], manifest
    check_world()
    check_arguments()
    for broken in ({**manifest, "entry": 3}, {**manifest, "more": 1}, {"entry": "x"}):
        try:
            check(broken, SCHEMA, SCHEMA)
        except AssertionError:
            continue
        raise AssertionError(f"the schema lets {broken} pass")


main()
