"""What `ptc inspect-graph --to=plan` and `ptc explain` print of kernels: text, JSON by its schema, refusals.

    plan.test.py ROOT FOLDER
"""
import json
import os
import py_compile
import re
import subprocess
import sys
from pathlib import Path

from schema import check

ROOT, FOLDER = Path(sys.argv[1]), Path(sys.argv[2])
SCHEMA = json.loads((ROOT / "tools/ptc/kernels.schema.json").read_text())
SOURCE = """import torch


def entry(x, w):
    y = torch.relu(x @ w)
    z = y.exp() * y.t()[:4]
    return z.sum(1), z.flip(0)
"""
INPUTS = ["--input", "x=f32[4,8]", "--input", "w=f32[8,4]"]


def ptc(*args, code=0):
    done = subprocess.run(["ptc", *map(str, args)], capture_output=True, text=True)
    assert done.returncode == code, done
    assert code or not done.stderr, done
    return done.stdout if code == 0 else done.stderr


def check_rows(variant):
    """The product with what follows it, whose result lives until the last kernel that reads it has run."""
    kernels = variant["kernels"]
    assert [kernel["name"] for kernel in kernels] == [f"v0.{i}" for i in range(len(kernels))], kernels
    first = kernels[0]
    assert first["family"] == "gemm" and first["space"] == ["4", "4"] and first["reduced"] == ["8"], first
    names = [(operation["name"], operation["file"], operation["line"]) for operation in first["operations"]]
    assert names[:2] == [("aten.matmul", "plan.py", 5), ("aten.relu", "plan.py", 5)], names
    assert first["flops"] >= 2 * 4 * 4 * 8 and first["bytes_read"] == 2 * 4 * 4 * 8 and first["bytes_written"] == 4 * 16, first
    (place,) = first["places"]
    assert place["kind"] == "arena" and place["bytes"] == "64" and place["first_kernel"] == 0, place
    assert 0 < place["last_kernel"] < len(kernels), place
    assert int(variant["arena_bytes"]) >= int(place["at"]) + 64, variant
    assert "output" in [place["kind"] for kernel in kernels for place in kernel["places"]], kernels
    assert all(kernel["bound"] in ("compute", "memory", "launch") and 0 <= kernel["roofline"] <= 1 for kernel in kernels), kernels


def check_text(text, kernels, hasCode):
    head = re.search(r"^kernel +family +space +flops +read +written +us +bound +roof( +code)? +places +operations$", text, re.M)
    assert head and bool(head[1]) == hasCode, text
    for kernel in kernels:
        (line,) = re.findall(rf"^{re.escape(kernel['name'])} .*$", text, re.M)
        operation = kernel["operations"][-1]
        assert kernel["family"] in line and line.endswith(f"plan.py:{operation['line']}"), line
    assert re.search(r"^each once: \d+ flops, .* bytes read, .* us", text, re.M), text


def check_symbols():
    """Sizes that the run knows have their names; what is predicted is marked."""
    Path("sizes.py").write_text("def entry(x, w):\n    return x @ w\n")
    py_compile.compile("sizes.py", "sizes.pyc", dfile="sizes.py", doraise=True)
    text = ptc("inspect-graph", "sizes.pyc", "--input", "x=f32[B in 4..64,8]", "--input", "w=f32[8,4]", "--to=plan")
    assert re.search(r"^v0\.0 +gemm +Bx4 over 8 .* ~\d", text, re.M), text


def loops_of(name, returned, sizes, cpu="x86-64-v3"):
    """What became of each loop nest of the only kernel of `returned`, an expression of x."""
    Path(f"{name}.py").write_text(f"import torch.nn.functional as F\n\n\ndef entry(x):\n    return {returned}\n")
    py_compile.compile(f"{name}.py", f"{name}.pyc", dfile=f"{name}.py", doraise=True)
    told = json.loads(ptc("explain", f"{name}.pyc", "--input", f"x={sizes}", "--kernels", "--format=json", f"--cpu={cpu}"))
    (kernel,) = told["variants"][0]["kernels"]
    return [loops["form"] for loops in kernel["code"]["loops"]]


def check_windows():
    """Windows over a border are one pass over the input, whatever its layout; rows of a picture are added in vectors."""
    for name, turn in [("plain", ""), ("last", ".permute(0, 3, 1, 2)")]:
        for sizes in ("f32[1,16,20,40]", "f32[B in 2..8,16,20,40]", "f32[2,16,H in 3..20,40]"):
            assert loops_of(name, f"F.max_pool2d(x{turn}, 3, 2, 1)", sizes) == ["vectors"], (name, sizes)
    for mode in ("nearest", "bilinear"):
        forms = loops_of(mode, f"F.interpolate(x, scale_factor=2, mode='{mode}')", "f32[1,3,20,40]")
        assert forms.count("plain loops") == 1 and forms[-1] == "vectors", forms


def check_pairs():
    """Long sums of products of bfloat16 are dots of pairs where the CPU has an instruction for them."""
    for sizes in ("bf16[64,512]", "bf16[B in 2..64,512]"):
        assert loops_of("pairs", "F.linear(x, x)", sizes, "znver4") == ["dots"], sizes
        for cpu in ("znver4", "x86-64-v4"):
            ptc("compile", "pairs.pyc", "--input", f"x={sizes}", f"--cpu={cpu}", "--emit=asm", "-o", "pairs.s")
            assert ("vdpbf16ps" in Path("pairs.s").read_text()) == (cpu == "znver4"), (sizes, cpu)


def check_code(variant):
    """Each kernel of a library has code, and code that is no vectors says why."""
    forms = set()
    for kernel in variant["kernels"]:
        assert kernel["code"]["function"].startswith("ptc_" + kernel["family"]), kernel
        for loops in kernel["code"]["loops"]:
            forms.add(loops["form"])
            assert bool(loops["why"]) == (loops["form"] == "plain loops"), loops
    assert forms & {"panels", "dots"} and "vectors" in forms, forms


def check_refusals():
    for words, said in [(("explain", "plan.pyc", *INPUTS, "--cpu=abacus", "--kernels"), "abacus"),
                        (("inspect-graph", "plan.pyc", *INPUTS, "--cpu=abacus", "--to=plan"), "abacus"),
                        (("explain", "plan.pyc", *INPUTS, "--measure"), "--kernels"),
                        (("explain", "plan.mlir", "--kernels", "--measure"), "first example"),
                        (("explain", "plan.pyc", *INPUTS, "--guards", "--format=json"), "--format=json")]:
        err = ptc(*words, code=2)
        assert said in err and "[PTC2001]" in err, err


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    os.chdir(FOLDER)
    Path("plan.py").write_text(SOURCE)
    py_compile.compile("plan.py", "plan.pyc", dfile="plan.py", doraise=True)
    plan = json.loads(ptc("inspect-graph", "plan.pyc", *INPUTS, "--to=plan", "--format=json", "--cpu=x86-64-v3"))
    check(plan, SCHEMA, SCHEMA)
    assert "256 bits" in plan["machine"], plan["machine"]
    (variant,) = plan["variants"]
    check_rows(variant)
    check_text(ptc("inspect-graph", "plan.pyc", *INPUTS, "--to=plan", "--cpu=x86-64-v3"), variant["kernels"], False)
    check_symbols()

    # A library has the plan of the CPU that it was compiled for.
    ptc("compile", "plan.pyc", *INPUTS, "--cpu=x86-64-v3", "-o", "libplan.so")
    assert json.loads(ptc("inspect-graph", "libplan.so", "--to=plan", "--format=json")) == plan
    explained = json.loads(ptc("explain", "libplan.so", "--kernels", "--format=json"))
    check(explained, SCHEMA, SCHEMA)
    check_code(explained["variants"][0])
    text = ptc("explain", "libplan.so", "--kernels")
    check_text(text, explained["variants"][0]["kernels"], True)
    assert ptc("inspect-graph", "plan.pyc", *INPUTS, "--format=mlir", "-o", "plan.mlir") == ""
    assert ptc("explain", "plan.mlir", "--kernels", "--cpu=x86-64-v3") == text
    assert json.loads(ptc("explain", "plan.pyc", *INPUTS, "--kernels", "--format=json", "--cpu=x86-64-v3")) == explained

    remarks = ptc("explain", "plan.pyc", *INPUTS, "--fusion", "--cpu=x86-64-v3")
    assert len(remarks.splitlines()) <= len(plan["fusion"]) and plan["fusion"], remarks
    for row in plan["fusion"]:
        assert row["text"] in remarks and row["operations"][0]["name"].startswith("aten."), (row, remarks)
    assert re.search(r"^aten\.\w+.* plan\.py:5: goes on with what computes operand 0", remarks, re.M), remarks
    short = ptc("explain", "plan.pyc", *INPUTS, "--cpu=x86-64-v3")
    assert f"{len(variant['kernels'])} kernels (--kernels)" in short and "guards (--guards)" in short and "(--fusion)" in short, short

    # Times are of this machine.
    for target in (["plan.pyc", *INPUTS], ["libplan.so", "--cpu=x86-64-v3"]):
        measured = json.loads(ptc("explain", *target, "--kernels", "--measure", "--format=json"))
        check(measured, SCHEMA, SCHEMA)
        rows = measured["measured"]
        assert sorted(row["name"] for row in rows) == [kernel["name"] for kernel in measured["variants"][0]["kernels"]], rows
        assert all(row["measured"]["runs"] == 1 and row["measured"]["us"] >= 0 for row in rows), rows
    assert re.search(r"^all kernels: .* of the call; predicted .* us; elsewhere .* us$",
                     ptc("explain", "libplan.so", "--kernels", "--measure"), re.M)
    check_windows()
    check_pairs()
    check_refusals()
    for broken in ({**plan, "machine": 3}, {**plan, "more": 1}, {"machine": "x"}):
        try:
            check(broken, SCHEMA, SCHEMA)
        except AssertionError:
            continue
        raise AssertionError(f"the schema lets {broken} pass")


main()
