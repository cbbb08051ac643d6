#!/usr/bin/env python3
"""`ptc bench`, `ptc verify` and `ptc run --threads` on libraries.

What `bench` prints is there, and goes where the time goes. `verify` runs native code: of libraries that carry the IR of
another program it finds the call, the state or the guard that differs.

    artefact_verbs.py --ptc PTC [FILTER] [-v]
"""
import json
import math
import struct
import subprocess
import sys
import time
from pathlib import Path

import compiled
from pycs import compile_pyc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = ptc, folder

    def run(self, *args, code=0):
        """(stdout, stderr)"""
        got = compiled.execute([str(self.ptc), *map(str, args)], 120)
        if got[0] != code:
            raise AssertionError(f"{args}: exit code {got[0]}, expected {code}\n{got[1][-2000:]}\n{got[2]}")
        return got[1:]

    def library(self, name, source, calls, *options):
        """(library, path of the first call)"""
        at = self.folder / name
        at.mkdir()
        (at / "model.py").write_text("import torch\n" + source)
        compile_pyc(at / "model.py", at / "model.pyc")
        paths = []
        for i, call in enumerate(calls):
            paths.append(at / f"{i}.json")
            paths[-1].write_text(json.dumps(call))
        given = [word for path in paths for word in ("--example", path)]
        self.run("compile", at / "model.pyc", *given, *options, "-o", at / "libmodel.so")
        return at / "libmodel.so", paths[0]


def settled(measure, holds, tries=6):
    """What `measure` gives as soon as it `holds`: times of a busy machine are wrong now and then, those of a wrong program
    always."""
    for _ in range(tries):
        measured = measure()
        if holds(measured):
            return measured
    raise AssertionError(f"{tries} times: the last was {measured}")


def check_bench(world):
    """Guards of many arguments cost more than those of one, kernels of much work more than both."""
    few = world.library("few", "def f(x):\n    return x + 1\n", [{"args": [{"$tensor": "f32[2]"}]}])
    names = [f"x{i}" for i in range(24)]
    many = world.library("many", f"def f({', '.join(names)}):\n    return x0 + 1\n",
                         [{"args": [{"$tensor": "f32[2,3,4,5]"}] * 24}])
    large = world.library("large", "def f(x):\n    return x @ x\n", [{"args": [{"$tensor": "f32[256,256]"}]}])
    words = {name: ["bench", library, "--call", call, "--samples", "20", "--seconds", "0.05"]
             for name, (library, call) in {"few": few, "many": many, "large": large}.items()}

    def measure():
        return {name: json.loads(world.run(*line, "--json")[0])[0] for name, line in words.items()}

    def holds(rows):
        times = rows["large"]["split"]
        return (rows["many"]["split"]["guards"] > 2 * rows["few"]["split"]["guards"] and times["kernels"] > 100 * times["guards"]
                and 0.2 < sum(times.values()) / rows["large"]["latency_us"]["median"] < 5)

    for name, row in settled(measure, holds).items():
        assert list(row["latency_us"]) == ["min", "mean", "median", "p90", "p95", "p99"], row
        assert list(row["split"]) == ["guards", "dispatch", "kernels"], row
        ordered = [row["latency_us"][k] for k in ("min", "median", "p90", "p95", "p99")]
        assert ordered == sorted(ordered) and row["calls"] >= 20 and row["variation"] >= 0, row
        assert all(0 <= part < 1e6 for part in row["split"].values()), row
        assert row["split"]["guards"] > 0 and row["split"]["kernels"] > 0, row
        text, _ = world.run(*words[name])
        head, numbers, empty, second, parts = text.splitlines()
        assert "variation" in head and numbers.split()[7].endswith("%") and not empty, text
        assert second.split()[:3] == ["guards", "dispatch", "kernels"] and len(parts.split()) == 4, text
    out, _ = world.run("bench", few[0], "--samples", "20", "--seconds", "0.05", "--json")
    assert json.loads(out), out                # of the example that it was compiled from
    out, _ = world.run("bench", few[0], "--call", few[1], "--against", "eager", "--samples", "20",
                       "--seconds", "0.05", "--json")
    mine, eager = json.loads(out)
    assert mine["split"] and eager["split"] is None and eager["name"] == "eager", out


LAYERS = """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(96, 64), torch.nn.Linear(64, 8)
    def forward(self, x, n: int):
        for _ in range(n):
            x = torch.tanh(self.first(x) @ self.first.weight)
        return torch.softmax(self.second(self.first(x)), 1)
"""


def check_bench_kernels(world):
    """Each kernel of the call with its time: work that takes long takes long there, and a call is its kernels."""
    import torch
    from notation import save_safetensors
    weights = world.folder / "w.safetensors"
    save_safetensors(weights, {"first.weight": torch.randn(64, 96), "first.bias": torch.randn(64),
                               "second.weight": torch.randn(8, 64), "second.bias": torch.randn(8)})
    calls = [{"args": [t("f32[256,96]"), 3]}, {"args": [t("f32[256,96]"), 0]}]
    for name, placed in (("embedded", []), ("external", ["--weights-placement=external"])):
        library, call = world.library(name, LAYERS, calls, "--entry", "Net", "--weights", weights, "--cpu=x86-64-v3", *placed)
        for more in ([], ["--weights", weights]):  # of eager: the library's, or a state dict
            out, _ = world.run("bench", library, "--call", call, "--against", "eager", "--samples", "20", "--seconds", "0.05",
                               "--json", *more)
            assert [row["name"] for row in json.loads(out)][1] == "eager", out
        words = ["bench", library, "--call", call, "--samples", "20", "--seconds", "0.05", "--kernels"]
        for threads in (1, 3):
            def holds(row):
                times = [kernel["measured"]["us"] for kernel in row["kernels"]]
                return (row["kernels"][0]["family"] == "gemm"
                        and 0.3 * row["timed_call_us"] < sum(times) <= row["timed_call_us"] * 1.05)

            line = [*words, "--json", "--threads", threads]
            rows = settled(lambda: json.loads(world.run(*line)[0])[0], holds)["kernels"]
            times = [kernel["measured"]["us"] for kernel in rows]
            assert times == sorted(times, reverse=True), rows
            assert {kernel["measured"]["runs"] for kernel in rows} <= {1, 3}, rows
            assert "rows" in [kernel["family"] for kernel in rows], rows
            for kernel in rows:
                assert kernel["code"] and kernel["operations"], kernel
                time = kernel["measured"]
                assert abs(time["ratio"] * kernel["predicted_us"] - time["us"]) < 1e-6 * max(time["us"], 1), kernel
        text, _ = world.run(*words)
        assert f"kernels of {library}" in text and "elsewhere" in text and "GFLOP/s" in text, text
        assert len([line for line in text.splitlines() if line.startswith(("v0.", "v1."))]) == len(rows), text
    stripped, call = world.library("no_ir", "def f(x):\n    return x + 1\n", ONE, "--strip-ir")
    _, err = world.run("bench", stripped, "--call", call, "--kernels", code=4)
    assert "[PTC3350]" in err, err
    junk = world.folder / "junk.weights"
    junk.write_bytes(b"junk\n")
    for file in (junk, weights, world.folder):  # where nobody reads a state dict
        _, err = world.run("bench", library, "--call", call, "--samples", "2", "--seconds", "0.01", "--weights", file, code=2)
        assert "is no .weights file" in err, err
    other, _ = world.library("other_weights", LAYERS, calls[1:], "--entry", "Net", "--weights", weights, "--weights-placement=external", "--cpu=x86-64-v3")
    packed = other.with_suffix(".weights")
    packed.write_bytes(packed.read_bytes() + bytes(64))
    _, err = world.run("bench", library, "--call", call, "--kernels", "--weights", packed, code=3)
    assert "[PTC3" in err, err


def check_typical_sizes(world):
    """What is timed is the code of the library, which was made for the sizes that are typical."""
    at = world.folder / "typical"
    at.mkdir()
    (at / "model.py").write_text("import torch\ndef f(x):\n    return torch.softmax(x * 2, 1)\n")
    compile_pyc(at / "model.py", at / "model.pyc")
    world.run("compile", at / "model.pyc", "--input", "x=f32[N=700 in 1..4096,96]", "-o", at / "libmodel.so")
    (at / "call.json").write_text(json.dumps({"args": [t("f32[700,96]")]}))
    told, _ = world.run("explain", at / "libmodel.so", "--kernels", "--format=json")
    timed, _ = world.run("bench", at / "libmodel.so", "--call", at / "call.json", "--samples", "2", "--seconds", "0.01", "--kernels", "--json")
    predicted = [kernel["predicted_us"] for kernel in json.loads(timed)[0]["kernels"]]
    expected = [kernel["predicted_us"] for variant in json.loads(told)["variants"] for kernel in variant["kernels"]]
    assert sorted(predicted) == sorted(expected), (predicted, expected)


def graft(library, other):
    """`library` with the IR of `other`: native code that is wrong."""
    objcopy = "/usr/lib/llvm-22/bin/llvm-objcopy"
    ir, out = library.parent / "other.ir", library.parent / "libgrafted.so"
    subprocess.run([objcopy, f"--dump-section=.ptc.ir={ir}", other, library.parent / "copy.so"], check=True)
    subprocess.run([objcopy, f"--update-section=.ptc.ir={ir}", library, out], check=True)
    return out


def t(spec):
    return {"$tensor": spec}


# name: source, calls
RIGHT = {
    "branches": ("""
def f(x, k, mode="a"):
    if k > 3:
        return x * k
    return {"r": x.sum(0), "m": (mode, k / 2)} if x.dim() > 1 else x[:2] - k
""", [{"args": [t("f32[2,3]"), 1]}, {"args": [t("f32[2,3]"), 9]}, {"args": [t("f64[5]"), 2], "kwargs": {"mode": "b"}}]),
    "state": ("""
n, seen = 0, torch.zeros(3)
def f(x):
    global n
    n += 1
    seen.add_(x)
    x.mul_(2)
    return x * n, seen.clone()
""", [{"args": [t("f32[3]")]}]),
    "types": ("""
def f(a, b, c, d):
    return a @ a, torch.softmax(b, -1), (c.bitwise_and(3), c // 2), d.exp()
""", [{"args": [t("f16[4,4]"), t("bf16[3,5]"), t("i32[7]"), t("f64[2]")]}]),
    "mixed": ("""
total = torch.zeros(3, dtype=torch.float64)
def f(x, n):
    y = x * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + 1e-6).to(x.dtype)
    for _ in range(n):
        y = torch.softmax((y + 1).half().float() * 3, -1).double() if y.sum() < 50 else y / 2
    total.add_(y.sum(0))
    return y, total.clone()
""", [{"args": [t("f64[5,3]"), 0]}, {"args": [t("f64[5,3]"), 2]}]),
    "raises": ("""
def f(x, k):
    if x.sum() > k:
        raise ValueError(f"more than {k}")
    return torch.rand(3) + x, k * k * k * k
""", [{"args": [t("f32[3]"), 2]}, {"args": [t("f32[3]"), -100]}, {"args": [t("f32[3]"), 1000000]}]),
}
ONE = [{"args": [t("f32[4]")]}]
NUMBER = [{"args": [t("f32[4]"), 1]}, {"args": [t("f32[4]"), 9]}]
BRANCH = "def f(x, k):\n    if k > {}:\n        return x + 1\n    return x + 2\n"
# name: native source and calls, source and calls of the IR, what verify says
WRONG = {
    "result": ("def f(x):\n    return x * 3\n", ONE, "def f(x):\n    return x * 2\n", ONE, "example 0"),
    "later": ("n = 0\ndef f(x):\n    global n\n    n = n * 2 + 1\n    return x * n\n", ONE,
              "n = 0\ndef f(x):\n    global n\n    n = n + 1\n    return x * n\n", ONE, "random 0.0"),
    "written": ("def f(x):\n    x.add_(2)\n    return 1\n", ONE, "def f(x):\n    x.add_(1)\n    return 1\n", ONE, "example 0"),
    "double": ("def f(x):\n    return x.double() * (1 + 1e-7), x[:2] * 2\n", ONE, "def f(x):\n    return x.double(), x[:2] * 2\n", ONE, "example 0"),
    "guard": (BRANCH.format(200), NUMBER[:1], BRANCH.format(3), NUMBER[:1], "the library took it as v0"),
    "variant": (BRANCH.format(3), NUMBER[::-1], BRANCH.format(3), NUMBER, "the library takes v"),
}


def most_threads(*command):
    """How many threads a command has at most, and what it prints."""
    most = 0
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, text=True) as process:
        while process.poll() is None:
            try:
                status = Path(f"/proc/{process.pid}/status").read_text()
            except OSError:                    # it has just ended
                continue
            most = max([most, *(int(line.split()[1]) for line in status.splitlines() if line.startswith("Threads"))])
            time.sleep(0.002)
        assert process.returncode == 0, command
        return most, process.stdout.read()


def check_threads(world):
    """`--threads` of run and of programs: so many work at a call, and give the same."""
    source = "def f(x):\n    for _ in range(6):\n        x = torch.tanh(x @ x)\n    return x\n"
    library, call = world.library("wide", source, [{"args": [t("f32[1024,1024]")]}])
    program = library.parent / "model"
    world.run("compile", library.parent / "model.pyc", "--example", call, "--emit=exe", "-o", program)
    for command in ([world.ptc, "run", library, "--call", call], [program]):
        (few, expected), (more, got) = most_threads(*command), most_threads(*command, "--threads", "3")
        assert more == few + 2 and got == expected, f"{command}: {more} threads, {few} without"
    pyc = library.parent / "model.pyc"
    for words, said in [((pyc, "--example", call, "--threads", 2), "needs a library"),
                        ((library, "--call", call, "--threads", 0), "--threads"),
                        ((library, "--call", call, "--threads", 65), "--threads")]:
        _, err = world.run("run", *words, code=2)
        assert said in err and "[PTC2001]" in err, err


def check_verify(world):
    """Right libraries agree with eager on what they were compiled from and on random calls."""
    for name, (source, calls) in RIGHT.items():
        library, _ = world.library(name, source, calls)
        out, _ = world.run("verify", library, "--json")
        report = json.loads(out)
        agreed = [call["call"] for call in report["calls"] if call["outcome"] == "agrees"]
        assert all(f"example {i}" in agreed for i in range(len(calls))), f"{name}: {out}"
        assert len(agreed) >= 4 * len(calls), f"{name}: {out}"
        assert any(guard["outcome"] == "refused" for guard in report["guards"]), f"{name}: {out}"
        world.run("verify", library, "--target", "null")


def check_variants_of_attention(world):
    """Heads that are as wide as the values in one variant only, of queries whose number the run knows."""
    source = "def f(q, k, v):\n    return torch.nn.functional.scaled_dot_product_attention(q, k, v)\n"
    calls = [{"args": [t(f"f32[1,2,{n},{width}]"), t(f"f32[1,2,7,{width}]"), t("f32[1,2,7,8]")]} for n, width in ((5, 8), (33, 16))]
    library, _ = world.library("attention", source, calls)
    world.run("verify", library)


def check_wrong_code(world):
    for name, (native, native_calls, source, calls, said) in WRONG.items():
        library, _ = world.library(f"{name}_native", native, native_calls)
        other, _ = world.library(f"{name}_ir", source, calls)
        grafted = graft(library, other)
        given = ["--example", other.parent / "0.json"]
        out, err = world.run("verify", grafted, *given, code=8)
        assert said in err and "[PTC7010]" in err, f"{name}: {out}\n{err}"
        world.run("verify", grafted, *given, "--target", "null")
        world.run("verify", library)
    _, err = world.run("verify", grafted, *given, "--bisect", code=8)
    assert "the native code differs" in err, err


def check_large_weights(world):
    """Offsets beyond 2^31 bytes. The file of weights has holes: rows that are not written are zero."""
    rows, width = 540_000, 1024
    at = world.folder / "large"
    at.mkdir()
    (at / "model.py").write_text(f"""from torch import nn


class Entry(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding({rows}, {width})
        self.head = nn.Linear({width}, 2)

    def forward(self, i):
        return self.head(self.table(i))
""")
    compile_pyc(at / "model.py", at / "model.pyc")
    sizes = {"table.weight": [rows, width], "head.weight": [2, width], "head.bias": [2]}
    begins, end, header = {}, 0, {}
    for name, shape in sizes.items():
        begins[name], end = end, end + 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [begins[name], end]}
    text = json.dumps(header).encode()
    with open(at / "w.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        first = file.tell()
        file.truncate(first + end)
        for row in (1, rows - 1):
            file.seek(first + begins["table.weight"] + 4 * width * row)
            file.write(struct.pack(f"{width}f", *[row % 1000] * width))
        file.seek(first + begins["head.weight"])
        file.write(struct.pack(f"{2 * width + 2}f", *[1 / width] * width, *[-2 / width] * width, 0, 0.5))
    call = at / "call.json"
    call.write_text(json.dumps({"args": [{"$tensor": "i64[3]", "values": [1, 2, rows - 1]}]}))
    library = at / "libmodel.so"
    world.run("compile", at / "model.pyc", "--entry", "Entry", "--weights", at / "w.safetensors", "--example", call, "-o", library)
    world.run("run", library, "--call", call, "--save", at / "result.json")
    library.unlink()
    from safetensors.torch import load_file
    (result,) = load_file(at / "result.safetensors").values()
    assert result.tolist() == [[1, -1.5], [0, 0.5], [999, 0.5 - 2 * 999]], result


def check_weight_file(world, library, call, other):
    """Whoever reads the file of weights beside a library says the same of one that is damaged, another one (`other`) or missing; the null target reads it, too."""
    packed = library.with_suffix(".weights")
    whole = packed.read_bytes()
    ones = call.with_name("ones.json")
    ones.write_text(json.dumps({"args": [{"$tensor": "f32[5,2]", "values": [1.0] * 10}]}))
    few = ["--samples=2", "--seconds=0"]
    readers = [["run", library, "--call", ones], ["run", library, "--call", ones, "--target=null"], ["verify", library],
               ["verify", library, "--target=null"], ["bench", library, *few], ["bench", library, "--kernels", *few],
               ["bench", library, "--against=eager", *few], ["explain", library, "--kernels", "--measure"]]
    assert world.run(*readers[0])[0] == world.run(*readers[1])[0] != ""
    changed = bytearray(whole)
    changed[4096] ^= 1
    for bytes_, why in ((changed, "its bytes are not those that were compiled"), (whole[:-1], "it is cut short"), (whole[:4100], "it is cut short"),
                        (whole[:10], "it is cut short"), (other, "it has the weights of another artefact"), (None, "No such file or directory")):
        packed.unlink()
        if bytes_ is not None:
            packed.write_bytes(bytes_)
        for words in readers:
            _, err = world.run(*words, code=3)
            assert f"cannot read '{packed}'" in err and why in err and "PTC3001" in err, (words, err)
    packed.write_bytes(whole)


def check_verify_refusals(world):
    source = """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)
    def forward(self, x):
        return self.linear(x)
"""
    import torch
    from notation import save_safetensors
    weights = world.folder / "w.safetensors"
    save_safetensors(weights, {"linear.weight": torch.randn(3, 2), "linear.bias": torch.randn(3)})
    other = world.folder / "other.safetensors"
    save_safetensors(other, {"linear.weight": torch.randn(3, 2), "linear.bias": torch.randn(3)})
    library, call = world.library("net", source, [{"args": [t("f32[5,2]")]}], "--weights", weights)
    world.run("verify", library, "--weights", weights)
    world.run("verify", library, "--weights", other, code=8)
    # The file of weights beside the library, which lies elsewhere.
    apart, _ = world.library("apart", source, [{"args": [t("f32[5,2]")]}], "--weights", weights, "--weights-placement", "external")
    another, _ = world.library("another", source, [{"args": [t("f32[5,2]")]}], "--weights", other, "--weights-placement", "external")
    check_weight_file(world, apart, call, another.with_suffix(".weights").read_bytes())
    packed = next(apart.parent.glob("*.weights")).rename(world.folder / "elsewhere.weights")
    world.run("verify", apart, "--weights", packed)
    # Without the files that it was made of: by its own bytes, of a CPU's and of a GPU's code.
    weights.rename(world.folder / "moved.safetensors")
    world.run("verify", library)
    bytes_ = library.read_bytes()
    for row, other, exit_code, text in ((b'"name":"linear.bias","offset":', b'"name":"linear.bium","offset":', 2, "a part of the weight 'linear.bias'"),
                                        (b'"name":"linear.bias","offset":', b'"name":"linear.bias","offse_":', 4, "names no weight or no place")):
        assert bytes_.count(row) == 1
        library.write_bytes(bytes_.replace(row, other))
        _, err = world.run("verify", library, code=exit_code)
        assert text in err, err
    library.write_bytes(bytes_)
    _, err = world.run("verify", library.parent / "model.pyc", "--example", call, "--target", "native", code=2)
    assert "is the code of a library" in err, err
    stripped, call = world.library("stripped", "def f(x):\n    return x\n", ONE, "--strip-ir")
    _, err = world.run("verify", stripped, "--example", call, code=4)
    assert "[PTC3350]" in err, err


def main():
    return runner.run_checks(CASES, World, runner.options(__doc__).parse_args())


CASES = [check_bench, check_bench_kernels, check_typical_sizes, check_threads, check_verify, check_variants_of_attention, check_wrong_code,
         check_verify_refusals, check_large_weights]

if __name__ == "__main__":
    sys.exit(main())
