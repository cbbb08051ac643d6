#!/usr/bin/env python3
"""Programs that `ptc compile --emit=exe` makes, beside `ptc run` of the library that is made of the same.

    executables.py --ptc PTC [FILTER] [--all] [-v]

What a program prints is what `ptc run` prints; --all also takes the programs of this folder. Programs need libc and
libm, run anywhere with an empty environment, read .npy files however damaged, and end in documented exit codes.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy
import torch

import compiled
from pycs import compile_pyc
from table import all_cases, control_cases, model_cases
from notation import save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

NO_NATIVE_CODE = "[PTC1002]"


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = ptc, folder

    def run(self, *args, code=0):
        """(stdout, stderr) of ptc."""
        return self.execute(self.ptc, *args, code=code)

    def execute(self, *args, code=0, env=None, cwd=None, stdout=subprocess.PIPE):
        done = subprocess.run(list(map(str, args)), stdout=stdout, stderr=subprocess.PIPE, timeout=120, cwd=cwd,
                              env={**os.environ, "NO_COLOR": "1"} if env is None else env)
        out, err = (done.stdout or b"").decode(errors="replace"), done.stderr.decode(errors="replace")
        if done.returncode != code:
            raise AssertionError(f"{args}: exit code {done.returncode}, expected {code}\n{out[-1000:]}\n{err[-2000:]}")
        return out, err

    def source(self, source, *calls):
        """(bytecode, files of the calls)"""
        (self.folder / "model.py").write_text("import torch\n\n\n" + source)
        compile_pyc(self.folder / "model.py", self.folder / "model.pyc")
        paths = [self.folder / f"call_{i}.json" for i in range(len(calls))]
        for path, call in zip(paths, calls):
            path.write_text(json.dumps(call))
        return self.folder / "model.pyc", paths

    def program(self, source, *calls, options=(), name="model"):
        """(the program, files of the calls)"""
        pyc, paths = self.source(source, *calls)
        given = [word for path in paths for word in ("--example", path)]
        self.run("compile", pyc, *given, *options, "--emit=exe", "-o", self.folder / name)
        return self.folder / name, paths


def t(spec, **more):
    return {"$tensor": spec, **more}


def equal(found, expected):
    assert found == expected, f"{found!r}\nexpected {expected!r}"


def errors(text):
    """The lines with numbers."""
    return [line for line in text.splitlines() if "[PTC" in line]


def compare(ptc, case, scratch):
    """None, or how a program differs from `ptc run` of its library, or that there is no program or no library."""
    world = World(ptc, scratch / case.name.replace("/", "_"))
    world.folder.mkdir()
    calls = compiled.write_calls(case.calls, world.folder, case.folder)
    pyc = world.folder / "model.pyc"
    compile_pyc(case.source, pyc)
    options = {"entry": case.entry, "init": case.init, "weights": case.weights, "more": case.options}
    make = compiled.command(ptc, "compile", pyc, examples=calls, **options)
    code, _, err = compiled.execute([*make, "-o", str(world.folder / "libmodel.so")], 120)
    if code:
        return "no library" if case.may_refuse or NO_NATIVE_CODE in err else err
    code, _, err = compiled.execute([*make, "--emit=exe", "-o", str(world.folder / "model")], 120)
    if code:
        return "no program" if NO_NATIVE_CODE in err else err
    again = [word for word in ("--call", calls[0]) * 3]
    theirs = compiled.execute([ptc, "run", str(world.folder / "libmodel.so"), *map(str, again)], 120)
    ours = compiled.execute([str(world.folder / "model"), "--calls", "3"], 120)
    (world.folder / "model").unlink()
    if ours[:2] != theirs[:2]:
        return f"exit code {ours[0]}, expected {theirs[0]}\n{ours[1]}\nexpected\n{theirs[1]}\n{ours[2]}\n{theirs[2]}"
    found, expected = errors(ours[2]), errors(theirs[2])
    return None if found == expected else f"{found}\nexpected {expected}"


def check_models(world):
    for case in model_cases(world.folder / "inputs"):
        wrong = compare(str(world.ptc), case, world.folder)
        assert wrong is None, f"{case.name}: {wrong}"


def check_control(world):
    """What has no native code yet has no library either."""
    without = []
    for case in control_cases():
        wrong = compare(str(world.ptc), case, world.folder)
        without += [case.name] * (wrong == "no library" and not case.may_refuse)
        assert wrong in (None, "no library"), f"{case.name}: {wrong}"
    assert len(without) <= 1, f"no library of {', '.join(without)}"


RESULTS = r'''
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b


def entry(x, n, mode="a"):
    k, m = x.sum().item(), x.argmax().item()
    some = [x] if k > 0 else (1, [n])
    try:
        at = ["a", "b"][m]
    except IndexError as e:
        at = str(e)
    print("sum", k, f"{k:.2f}")
    texts = [f"{k:.3f}|{m!r}", "%s %.2e %d" % (k, k, m), str(k), at, f"{k > 1} it's \"{m}\"", "", f"it's {m}"]
    loop = [1]
    loop.append(loop)
    return texts, some, {"some": some, 2 ** 70: b"a\xff\0", "é\n": x.dtype}, x.device, {1, 2}, -0.0, None, loop, loop, \
        Pair(k, [x > 0]), (x[:0], x.double() * 1e9, x.to(torch.bfloat16)), x.nonzero(), x.shape, mode, set(), (), [], {}
'''


def check_results(world):
    """What Python shows of results of every kind."""
    for values in ([0.0, 2.5, 1.0], [0.0, -1.0, 1e30], [1.0, 0.0, 0.0], [float("nan")] * 3):
        shown = [v if v == v else {"$float": "nan"} for v in values]
        call = {"args": [t("f32[3]", values=shown), 3], "kwargs": {"mode": "é'"}}
        program, paths = world.program(RESULTS, call)
        pyc = world.folder / "model.pyc"
        world.run("compile", pyc, "--example", paths[0], "-o", world.folder / "libmodel.so")
        theirs = world.run("run", world.folder / "libmodel.so", "--call", paths[0])
        equal(world.execute(program), theirs)


STATE = '''
seen = torch.zeros(3)
n = 0


def entry(x):
    global n
    n += 1
    seen.add_(x)
    x.mul_(2)
    print("call", n)
    if n > 3:
        raise ValueError(f"{n} calls")
    return x, seen.clone(), torch.rand(2)
'''


def check_state(world):
    """State goes on from call to call, also behind an exception; arguments do not."""
    call = {"args": [t("f32[3]")], "seed": 5}
    program, (path,) = world.program(STATE, call)
    out, _ = world.execute(program, "--calls", 3)
    first, second, third = (part.splitlines()[1:] for part in out.split("call ")[1:])
    assert first != second != third and first[0].startswith(second[0].split("]")[0]), out
    equal(world.execute(program)[0], "call 1\n" + "\n".join(first) + "\n")
    out, err = world.execute(program, "--calls", 5, code=13)
    assert out.endswith("call 4\ncall 5\n"), out
    equal(errors(err), ["model.py:16: error: ValueError: 4 calls [PTC7003]",
                        "model.py:16: error: ValueError: 5 calls [PTC7003]"])


TWO = "def entry(x, k, pair):\n    y, z = pair['y'], pair['z']\n    return {'r': x + y * k, 's': (z, x @ z)}\n"
TWO_CALL = {"args": [t("f32[2,3]"), 3, {"y": t("f32[3]"), "z": t("f32[3]")}]}


def check_files(world):
    """Tensors of files take the places of the example's, in order; results go to files."""
    program, (path,) = world.program(TWO, TWO_CALL)
    world.run("compile", world.folder / "model.pyc", "--example", path, "-o", world.folder / "libmodel.so")
    rng = numpy.random.default_rng(3)
    arrays = [rng.standard_normal(shape).astype("f4") for shape in ((2, 3), (3,), (3,))]
    files = [world.folder / f"{name}.npy" for name in "xyz"]
    for path, array in zip(files, arrays):
        numpy.save(path, array)
    tensors = world.folder / "given.safetensors"
    save_safetensors(tensors, dict(zip("xyz", map(torch.from_numpy, arrays))))
    x, y, z = ({"$tensor": tensors.name, "name": name} for name in "xyz")
    given = world.folder / "given.json"
    given.write_text(json.dumps({"args": [x, 3, {"y": y, "z": z}]}))
    expected, _ = world.run("run", world.folder / "libmodel.so", "--call", given)
    equal(world.execute(program, *files)[0], expected)
    results = world.folder / "results"
    results.mkdir()
    out, _ = world.execute(program, "--output", results, *files)
    equal((out, sorted(path.name for path in results.iterdir())), ("", ["out0.npy", "out1.npy", "out2.npy"]))
    numpy.testing.assert_allclose(numpy.load(results / "out0.npy"), arrays[0] + arrays[1] * 3, rtol=1e-6)
    numpy.testing.assert_array_equal(numpy.load(results / "out1.npy"), arrays[2])
    numpy.testing.assert_allclose(numpy.load(results / "out2.npy"), arrays[0] @ arrays[2], rtol=1e-4, atol=1e-5)
    help_text, _ = world.execute(program, "--help")
    assert "x: float32[2, 3]" in help_text and "--bench" in help_text, help_text
    for args, code, says in [((*files[:2],), 2, "PTC2001"), ((*files[:2], world.folder / "no.npy"), 3, "PTC3001"),
                             ((files[1], *files[1:]), 14, "PTC7001"), (("--entry", "other"), 2, "PTC3307"),
                             (("--output", world.folder / "gone"), 6, "PTC4001"), (("--x",), 2, "PTC2001")]:
        out, err = world.execute(program, *args, code=code)
        assert says in err and not out, err
    _, err = world.execute(program, files[1], *files[1:], code=14)
    assert "x.ndim is 1, expected 2" in err and "note: " in err and "hint: " in err, err
    with open("/dev/full", "w") as full:
        _, err = world.execute(program, code=6, stdout=full)
    assert "PTC4001" in err, err


def check_damaged_files(world):
    """Every cut and every changed byte of a small file ends in an exit code of the table."""
    program, _ = world.program("def entry(x):\n    return x + 1\n", {"args": [t("f32[2,2]")]})
    numpy.save(world.folder / "x.npy", numpy.ones((2, 2), "f4"))
    whole, path = (world.folder / "x.npy").read_bytes(), world.folder / "damaged.npy"
    damaged = [whole[:n] for n in range(len(whole))]
    damaged += [whole[:n] + bytes([whole[n] ^ mask]) + whole[n + 1:] for n in range(len(whole)) for mask in (1, 0xff)]
    for bytes_ in damaged:
        path.write_bytes(bytes_)
        done = subprocess.run([program, path], capture_output=True)
        assert done.returncode in (0, 4, 14), f"exit code {done.returncode} of {bytes_!r}"
        assert not done.returncode == bool(done.stdout), f"{done} of {bytes_!r}"


def check_alone(world):
    """A program needs glibc; it runs elsewhere without an environment, its bytes are the same again."""
    source = "def entry(x):\n    return torch.sin(x).softmax(-1) @ x\n"
    program, (call,) = world.program(source, {"args": [t("f32[64,64]")]})
    listing = subprocess.run(["readelf", "-dlW", program], check=True, capture_output=True, text=True).stdout
    needed = {line.split("[")[1].rstrip("]") for line in listing.splitlines() if "(NEEDED)" in line}
    assert "libc.so.6" in needed and needed <= {"libc.so.6", "libm.so.6", "libpthread.so.0"}, listing
    asked = subprocess.run(["readelf", "-VW", program], check=True, capture_output=True, text=True).stdout
    versions = {tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_([\d.]+)", asked)}
    assert versions and max(versions) <= (2, 29), asked
    assert "[Requesting program interpreter: /lib64/ld-linux-x86-64.so.2]" in listing and "RWE" not in listing, listing
    expected, _ = world.execute(program)
    equal(world.execute(program, env={}, cwd="/")[0], expected)
    equal(world.execute(program, "--threads", 2, env={})[0], expected)
    other = world.folder / "other"
    other.mkdir()
    world.run("compile", world.folder / "model.pyc", "--example", call, "--emit=exe", "-o", other / "model")
    equal((other / "model").read_bytes(), program.read_bytes())
    assert not list(world.folder.glob("*.h")), "a program has no header"
    out, _ = world.run("inspect-graph", program)
    assert "aten.softmax" in out or "softmax" in out, out
    _, err = world.run("run", program, "--call", call, code=2)
    assert "is a program" in err and "PTC2001" in err, err


NET = '''
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)

    def forward(self, x):
        return self.linear(x)
'''


def check_weights(world):
    """Weights are in the program, or in a file that it finds beside itself or is told of."""
    weights = world.folder / "w.safetensors"
    save_safetensors(weights, {"linear.weight": torch.randn(3, 2), "linear.bias": torch.randn(3)})
    call = {"args": [t("f32[5,2]")]}
    embedded, _ = world.program(NET, call, options=("--weights", weights), name="embedded")
    expected, _ = world.execute(embedded)
    external, _ = world.program(NET, call, options=("--weights", weights, "--weights-placement=external"))
    assert (world.folder / "model.weights").exists() and not (world.folder / "embedded.weights").exists()
    equal(world.execute(external, cwd="/")[0], expected)
    moved = (world.folder / "model.weights").rename(world.folder / "moved.weights")
    _, err = world.execute(external, code=3)
    assert "PTC3001" in err and "model.weights" in err and "No such file" in err and "of 'model'" in err.replace(str(external.parent) + "/", ""), err
    equal(world.execute(external, "--weights", moved)[0], expected)
    _, err = world.execute(external, "--weights", weights, code=3)
    assert "it has" in err and "bytes and needs" in err, err
    _, err = world.execute(embedded, "--weights", moved, code=2)
    assert "are not used" in err, err


def check_bench(world):
    """The table is that of `ptc bench`."""
    program, (call,) = world.program("def entry(x):\n    print('x')\n    return x @ x\n", {"args": [t("f32[8,8]")]})
    world.run("compile", world.folder / "model.pyc", "--example", call, "-o", world.folder / "libmodel.so")
    theirs, _ = world.run("bench", world.folder / "libmodel.so", "--call", call, "--samples", 5, "--seconds", 0)
    ours, err = world.execute(program, "--bench", "--calls", 50, "--threads", 2)
    words = lambda text: [[w for w in line.split() if not w[0].isdigit()] for line in text.splitlines()]
    equal(words(ours.replace(str(program), "NAME")), words(theirs.replace(str(world.folder / "libmodel.so"), "NAME")))
    cold, low, mean, median, p90, p95, p99 = map(float, ours.splitlines()[1].split()[:7])
    assert 0 < low <= median <= p90 <= p95 <= p99 and low <= mean and cold > 0 and not err, ours
    out, _ = world.execute(program, "--bench")
    assert out.splitlines()[0] == ours.splitlines()[0], out


# name: options of compile, what is said, exit code, source
REFUSED = {
    "argument weights": (["--input", "x=f32[2]", "--weights-placement=argument"], "PTC2001", 2, None),
    "a header": (["--input", "x=f32[2]", "--header", "m.h"], "PTC2001", 2, None),
    "no folder": (["--input", "x=f32[2]", "-o", "gone/model"], "PTC4001", 6, None),
    "weights in its place": (["--input", "x=f32[2]", "--weights-placement=external", "-o", "m.weights"], "PTC2001", 2,
                             None),
    "a format": (["--input", "x=f32[2]"], "PTC1002", 1, "def entry(x):\n    return f'{x.sum().item():>9.2f}'\n"),
}


def check_refusals(world):
    """What cannot be made is refused by number, and nothing is written."""
    for name, (options, number, code, source) in REFUSED.items():
        pyc, _ = world.source(source or "def entry(x):\n    return x + 1\n")
        before = sorted(world.folder.iterdir())
        place = [] if "-o" in options else ["-o", "model"]
        _, err = world.execute(world.ptc, "compile", pyc, "--emit=exe", *options, *place, code=code, cwd=world.folder)
        assert number in err, f"{name}: {err}"
        equal(sorted(world.folder.iterdir()), before)
    ir = world.folder / "m.mlir"
    world.run("inspect-graph", pyc, "--input", "x=f32[2]", "--format=mlir", "-o", ir)
    _, err = world.run("compile", ir, "--emit=exe", "-o", world.folder / "model", code=2)
    assert "--emit=exe makes a program that makes a call, and there is none" in err, err


def check_call_without_arguments(world):
    program, _ = world.program("def entry():\n    return torch.arange(3)\n")
    equal(world.execute(program)[0], "tensor([0, 1, 2])\n")


def check_every_program(world):
    counts, differ = {"same": 0, "no program": 0, "no library": 0}, []
    for case in all_cases(world.folder / "inputs", ""):
        kind = compare(str(world.ptc), case, world.folder) or "same"
        if kind in counts:
            counts[kind] += 1
        else:
            differ.append(f"{case.name}: {kind}")
    print(counts)
    assert not differ, "\n".join(differ)


CASES = [check_models, check_control, check_results, check_state, check_files, check_damaged_files, check_alone,
         check_weights, check_bench, check_refusals, check_call_without_arguments]


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--all", action="store_true", help="the programs of this folder, too")
    args = parser.parse_args()
    cases = CASES + [check_every_program] * args.all
    return runner.run_checks(cases, World, args)


if __name__ == "__main__":
    sys.exit(main())
