#!/usr/bin/env python3
"""Programs for NVIDIA GPUs, on machines without one: what is compiled, and what it asks of the driver.

    on_gpu.py --ptc PTC [FILTER] [--every] [-v]

Programs compile for several GPUs, and their code assembles. test/Device is a driver without a GPU: it has memory that
the host cannot touch, checks each call, and fails where it is told to. Machine code computes nothing there; that numbers
are right is for conformance.py to say. Where libdevice or an assembler is missing (PTC_CUDA, tools/cuda.sh), what needs them is left out and not
counted.
"""
import filecmp
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import compiled
from pycs import compile_pyc
from table import control_cases, model_cases

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LLVM_BIN = Path("/usr/lib/llvm-22/bin")
PROGRAMS = ROOT / "test/EndToEnd/on_gpu/families.py"
EM_CUDA = 190
TOOL_MISSING = 11

sys.path.insert(0, str(PROGRAMS.parent))
import families  # noqa: E402
from products import (NO_DEVICE, USAGE, WITH_WARPGROUPS, check_barriers, check_borders, check_matrix_tiles, check_narrow_tiles, check_shares, check_tf32, check_turns,  # noqa: E402
                      check_weights, equal, gpus_for, kernels_with_maps, ptx_of)

# Examples of control flow that do not run here: all that programs read is 0, and the loop does not end.
NOT_RUN = {"until_tolerance"}

MODELS = ["mlp", "resnet18", "gpt2"]
ADD = "def entry(x):\n    return x + 1\n"
MATH = "def entry(x):\n    return torch.tanh(x)\n"
INTEGERS = "def entry(x):\n    return (x * 3 // 2).cumsum(0), x.flip(0)[x > 2], int(x.sum())\n"
MEMORY = "def entry(x):\n    return (x * torch.tensor([1.0, 2.0, 3.0])).cumsum(0), x[x > 0], x.softmax(0), x.sort()\n"
X = {"args": [{"$tensor": "f32[16]"}]}
ONE_CALL = "with Model(library) as model:\n    model(numpy.ones(16, 'f'))\n"


class World:
    every = False                              # GPU, for each program; otherwise some of them, others on another day

    def __init__(self, ptc, folder):
        self.ptc, self.folder, self.log = ptc, folder, folder / "log"

    def run(self, *args, code=0, **env):
        """(stdout, stderr) of a command."""
        done = subprocess.run(list(map(str, args)), capture_output=True, text=True, timeout=240,
                              env={**os.environ, "NO_COLOR": "1", **env})
        assert done.returncode == code, f"{args}: exit code {done.returncode}, expected {code}\n{done.stdout[-500:]}" \
                                        f"\n{done.stderr[-2000:]}"
        return done.stdout, done.stderr

    def compile(self, source, call, *options, name="libmodel.so", code=0, **env):
        """(the file that is made, what is said)"""
        (self.folder / "model.py").write_text("import torch\n\n\n" + source)
        compile_pyc(self.folder / "model.py", self.folder / "model.pyc")
        (self.folder / "call.json").write_text(json.dumps(call))
        _, said = self.run(self.ptc, "compile", self.folder / "model.pyc", "--example", self.folder / "call.json",
                           *options, "-o", self.folder / name, code=code, **env)
        return self.folder / name, said

    def program(self, name, *options):
        """The library of an entry of on_gpu/families.py."""
        compile_pyc(PROGRAMS, self.folder / "families.pyc")
        (self.folder / "call.json").write_text(json.dumps({"args": families.CALLS[name]}))
        path = self.folder / f"lib{name}.so"
        self.run(self.ptc, "compile", self.folder / "families.pyc", "--entry", name, "--example",
                 self.folder / "call.json", "--target=cuda", *options, "-o", path)
        return path

    def driver(self):
        """The environment of processes that find the driver of the tests."""
        self.log.unlink(missing_ok=True)
        return {"LD_LIBRARY_PATH": str(compiled.driver_folder(self.ptc)), "FAKE_CUDA_LOG": str(self.log)}

    def calls(self):
        """What the driver wrote down."""
        lines = self.log.read_text().splitlines()
        assert not [line for line in lines if line.startswith("WRONG")], "\n".join(lines)
        assert lines[-1] == "end: 0 allocations, 0 graphs, 0 contexts current, 0 retained", "\n".join(lines)
        return lines

    def script(self, text, library, **env):
        """Runs Python that has `Model`, `numpy` and `library`; gives what it prints."""
        head = f"import sys\nsys.path.insert(0, {str(ROOT / 'lib/Runtime')!r})\nimport ctypes, numpy, ptc_loader\n" \
               f"from ptc_loader import Model, PtcError\nlibrary = {str(library)!r}\n"
        out, _ = self.run(sys.executable, "-c", head + textwrap.dedent(text), **{**self.driver(), **env})
        return out


# What is made ------------------------------------------------------------------------------------


def check_cubin(path):
    head = path.read_bytes()[:64]
    equal((head[:4], int.from_bytes(head[18:20], "little")), (b"\x7fELF", EM_CUDA))


def compile_case(world, make, gpu):
    """A library for one GPU, the machine code for the others."""
    kind = "lib" if gpu == "sm_90a" else "cubin"
    out = world.folder / ("libmodel.so" if kind == "lib" else "model.cubin")
    world.run(*make, "--target=cuda", f"--gpu={gpu}", f"--emit={kind}", "-o", out)
    if kind == "cubin":
        return check_cubin(out)
    needed, undefined = needs(world, out)
    assert set(needed) <= {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}, needed       # of glibc
    assert not [name for name in undefined if name.startswith("cu")], undefined


def needs(world, path):
    """(libraries, symbols)"""
    dynamic, _ = world.run(LLVM_BIN / "llvm-readelf", "-d", path)
    symbols, _ = world.run(LLVM_BIN / "llvm-nm", "-D", "-u", path)
    return re.findall(r"Shared library: \[(.*)\]", dynamic), [re.split(r"[@\s]+", line.strip())[1]
                                                              for line in symbols.splitlines()]


def check_program(world, name, gpu):
    compile_pyc(PROGRAMS, world.folder / "families.pyc")
    (world.folder / "call.json").write_text(json.dumps({"args": families.CALLS[name]}))
    compile_case(world, [world.ptc, "compile", world.folder / "families.pyc", "--entry", name, "--example",
                         world.folder / "call.json"], gpu)


def command_of(world, case, verb="compile"):
    pyc = world.folder / "model.pyc"
    compile_pyc(case.source, pyc)
    examples = compiled.write_calls(case.calls, world.folder, case.folder)
    return compiled.command(world.ptc, verb, pyc, case.entry, case.init, case.weights, examples, case.options), examples


def model_named(world, name):
    return next(case for case in model_cases(world.folder / "inputs") if case.name == f"{name}-small")


def check_model(world, name, gpu):
    compile_case(world, command_of(world, model_named(world, name))[0], gpu)


def check_symbolic_sizes(world):
    """Sizes of the run are arguments of kernels."""
    call = {"args": [{"$tensor": "f32[5,4]"}, {"$tensor": "f32[4,3]"}]}
    path, _ = world.compile("def entry(x, y):\n    return (x @ y).softmax(1), x.cumsum(0)\n", call, "--target=cuda",
                            "--dynamic=all")
    for n in (5, 9):
        out = world.script(f"""
            with Model(library) as model:
                print([r.shape for r in model(numpy.ones(({n}, 4), 'f'), numpy.ones((4, 3), 'f'))])
            """, path)
        equal(out, f"[({n}, 3), ({n}, 4)]\n")
    world.calls()


def check_same_bytes(world):
    one, _ = world.compile(INTEGERS, {"args": [{"$tensor": "i64[6]"}]}, "--target=cuda")
    (world.folder / "again").mkdir()
    two, _ = world.compile(INTEGERS, {"args": [{"$tensor": "i64[6]"}]}, "--target=cuda", name="again/libmodel.so")
    assert filecmp.cmp(one, two, shallow=False), "two compilations differ"


def check_cpu_has_nothing(world):
    """What is not for a GPU has no runtime of one."""
    path, _ = world.compile(ADD, X)
    assert b"cuInit" not in path.read_bytes() and "dlopen" not in needs(world, path)[1]


def check_kinds(world):
    """Objects, archives and programs; texts."""
    for kind, name in [("obj", "model.o"), ("archive", "libmodel.a"), ("llvm", "model.ll"), ("asm", "model.s")]:
        world.compile(ADD, X, "--target=cuda", f"--emit={kind}", name=name)
    ptx, _ = world.compile(ADD, X, "--target=cuda", "--gpu=sm_100a", "--emit=ptx", name="model.ptx")
    text = ptx.read_text()
    assert ".target sm_100a" in text and ".visible .entry" in text, text[:500]
    assert world.folder.joinpath("model.o").read_bytes().count(b"cuInit") == 1


def check_null(world):
    """The program of a library for a GPU on the reference evaluator; its plan, too."""
    call = {"args": [{"$tensor": "i64[6]", "values": [1, 5, 2, 4, 3, 0]}]}
    gpu, _ = world.compile(INTEGERS, call, "--target=cuda")
    cpu, _ = world.compile(INTEGERS, call, name="libcpu.so")
    expected, _ = world.run(world.ptc, "run", cpu, "--call", world.folder / "call.json")
    for more in ((), ("--to=plan",)):
        found, _ = world.run(world.ptc, "run", gpu, "--target=null", *more, "--call", world.folder / "call.json")
        equal(found, expected)


# What is said ------------------------------------------------------------------------------------


def check_usage(world):
    for options, said in [(["--target=cuda", "--gpu=sm_70"], "sm_70 not in"), (["--gpu=sm_80"], "is for --target=cuda"),
                          (["--matmul-precision=low"], "low not in"), (["--emit=ptx"], "give --target=cuda"), (["--emit=cubin"], "give --target=cuda"),
                          (["--target=tpu"], "tpu not in")]:
        _, text = world.compile(ADD, X, *options, code=USAGE)
        assert said in text and "PTC2001" in text, text


def check_without_tools(world):
    """No toolkit at all: what needs libdevice is refused, the rest is PTX."""
    nothing = {"PTC_CUDA": str(world.folder)}
    _, text = world.compile(MATH, X, "--target=cuda", code=TOOL_MISSING, **nothing)
    assert "PTC6002" in text and "'tanhf'" in text and "nvidia-nvvm" in text, text
    _, text = world.compile(ADD, X, "--target=cuda", "--emit=cubin", name="m.cubin", code=TOOL_MISSING, **nothing)
    assert "PTC6003" in text, text
    path, text = world.compile(ADD, X, "--target=cuda", "--gpu=sm_90", **nothing)
    assert "PTC6004" in text and "no machine code of sm_90" in text, text
    world.script(ONE_CALL, path)
    assert "load PTX" in world.calls()
    broken = world.folder / "broken"
    bitcode, program = broken / "nvvm/libdevice/libdevice.10.bc", broken / "bin/ptxas"
    for file in (bitcode, program):
        file.parent.mkdir(parents=True)
    bitcode.write_text("no bitcode")
    for text, mode, said in (("exit 0", 0o755, "it writes none"), ("echo no licence; exit 3", 0o755, "no licence"), ("kill -9 $$", 0o755, "ptxas"),
                             ("exit 7", 0o755, "exit code 7"), ("echo $0: no such tool; exit 127", 0o755, "no such tool"),
                             ("echo 'ptxas fatal   : Value sm_90a is not defined'; exit 1", 0o755, "not defined"), ("exit 0", 0o644, "ermission denied")):
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(mode)
        _, text = world.compile(ADD, X, "--target=cuda", name="none.so", code=TOOL_MISSING, PTC_CUDA=str(broken))
        assert "PTC6005" in text and str(program) in text and said in text, (said, text)
    _, text = world.compile(MATH, X, "--target=cuda", name="none.so", code=TOOL_MISSING, PTC_CUDA=str(broken))
    assert "PTC6006" in text and f"{bitcode}' is not libdevice" in text and not (world.folder / "none.so").exists(), text


def check_no_device(world):
    """Verbs and programs where the driver has no device."""
    path, _ = world.compile(ADD, X, "--target=cuda")
    program, _ = world.compile(ADD, X, "--target=cuda", "--emit=exe", name="model")
    call = world.folder / "call.json"
    without = {**world.driver(), "FAKE_CUDA_FAIL": "cuInit:1=100"}
    for command in ([world.ptc, "run", path, "--call", call], [world.ptc, "verify", path],
                    [world.ptc, "bench", path, "--call", call], [program], [program, "--bench"]):
        out, text = world.run(*command, code=NO_DEVICE, **without)
        assert "PTC7005" in text and "finds no GPU" in text, text
        equal(out, "")
    for verb in (["bench", path, "--call", call, "--kernels"], ["explain", path, "--kernels"]):
        _, text = world.run(world.ptc, *verb, code=USAGE, **world.driver())
        assert "PTC2001" in text and "CPU" in text, text
    out, _ = world.run(world.ptc, "explain", path, **without)
    assert "1 kernels of sm_90a" in out, out
    world.run(world.ptc, "inspect-graph", path, "--to=plan", **without)


def check_no_driver(world):
    path, _ = world.compile(ADD, X, "--target=cuda")
    _, text = world.run(world.ptc, "run", path, "--call", world.folder / "call.json", code=NO_DEVICE)
    assert "PTC7005" in text and "libcuda.so.1 cannot be opened" in text, text


def has_driver():
    return subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL('libcuda.so.1')"],
                          capture_output=True).returncode == 0


# What is asked of the driver -----------------------------------------------------------------------


def check_calls(world):
    """One call with arguments of the host, from opening to closing; the second one allocates nothing."""
    path, _ = world.compile(ADD, X, "--target=cuda")
    out = world.script("""
        with Model(library) as model:
            for _ in range(2):
                print(model(numpy.ones(16, 'f')).shape)
        """, path)
    equal(out, "(16,)\n(16,)\n")
    calls = [re.sub(r"launch \S+", "launch", line) for line in world.calls() if not line.startswith("alloc")]
    launch = "launch 1 x 256: memory(64) memory(64)"
    found = [line[:len(launch)] if line.startswith("launch") else line for line in calls]
    equal(found[0][:5], "load ")
    equal(found[-11:-1], ["to device 64", launch, "to host 64", "synchronize",
                          "to device 64", "graph of 1", "graph starts", launch, "to host 64", "synchronize"])
    lines = world.log.read_text().splitlines()
    first = lines.index("to host 64")
    assert not [line for line in lines[first:] if line.startswith("alloc")], "\n".join(lines)


def check_images(world):
    """The image that the device can run."""
    path, _ = world.compile(ADD, X, "--target=cuda", "--gpu=sm_90a")
    for environment, loaded in [({}, "load machine code"), ({"FAKE_CUDA_ARCH": "80"}, "load PTX"),
                                ({"FAKE_CUDA_ARCH": "100"}, "load PTX"), ({"FAKE_CUDA_PTX": "1"}, "load PTX")]:
        world.script(ONE_CALL, path, **environment)
        equal([line for line in world.calls() if line.startswith("load")], [loaded])
    environment = {**world.driver(), "FAKE_CUDA_ARCH": "75"}
    _, text = world.run(world.ptc, "run", path, "--call", world.folder / "call.json", code=NO_DEVICE, **environment)
    assert "no code that this GPU" in text, text


def check_memory_runs_out(world):
    """Each allocation fails once: a status, and the next call works."""
    path, _ = world.compile(MEMORY, {"args": [{"$tensor": "f32[3]"}]}, "--target=cuda")
    failed = again = 0
    for number in range(1, 100):
        out = world.script("""
            arguments = [numpy.ones(3, 'f')]
            for _ in range(3):
                try:
                    with Model(library) as model:
                        try:
                            model(*arguments)
                            print("fine")
                        except PtcError as error:
                            print(error.status)
                            model(*arguments)
                except PtcError as error:
                    print(error.status)
            """, path, FAKE_CUDA_FAIL=f"cuMemAlloc:{number}=2")
        lines = world.calls()
        if "cuMemAlloc fails with 2" not in lines:
            break
        failed += 1
        # Without the workspace of its variants a context is made all the same: the call asks again.
        again += "5" not in out
        equal(sorted(out.split()), ["5", "fine", "fine"] if "5" in out else ["fine"] * 3)
    assert failed > 5 and again <= 3, f"{failed} allocations, {again} made again"


def check_failures(world):
    """A call that the driver ends: a status with its words; state stays as it was, the next call works."""
    path = world.program("Counter")
    failed = {"cuLaunchKernel": 0, "cuMemcpyHtoD": 0, "cuMemcpyDtoH": 0, "cuGraphLaunch": 0}
    for function in failed:
        for number in range(1, 30):
            out = world.script("""
                for _ in range(2):
                    try:
                        with Model(library) as model:
                            for _ in range(4):
                                try:
                                    print(model(numpy.ones(3, 'f'))[1])
                                except PtcError as error:
                                    print(error.status, error)
                            break
                    except PtcError as error:
                        print(error.status)
                """, path, FAKE_CUDA_FAIL=f"{function}:{number}=719").splitlines()
            if f"{function} fails with 719" not in world.calls():
                break
            if out[0] == "8":
                equal(out[1:], ["1", "2", "3", "4"])       # it is not opened
                continue
            failed[function] += 1
            out.remove("8 the device or its driver failed: unspecified launch failure")
            # What fails behind the program's end does so with its state.
            counted = out in (["1", "2", "4"], ["1", "3", "4"], ["2", "3", "4"]) and function == "cuMemcpyDtoH"
            assert out == ["1", "2", "3"] or counted, f"{function} {number}: {out}"
    assert all(failed.values()), failed


def check_graphs(world):
    """Kernels that come again in the same order are one graph, told what changed; where the driver makes none, they are
    launched one by one."""
    program = "def entry(x, n: int):\n    return x.softmax(1) @ x.t() if n > 0 else x.softmax(0)\n"
    call = {"args": [{"$tensor": "f32[2,300]"}, 1]}
    path, _ = world.compile(program, call, "--target=cuda", "--dynamic", "all", "--explore")
    calls = """
        with Model(library) as model:
            for rows, n in [(2, 1), (2, 1), (2, 1), (2, 0), (40, 1), (40, 0), (40, 0), (2, 1)]:
                print(model(numpy.ones((rows, 300), 'f'), n).shape)
        """
    def run(**env):
        equal(world.script(calls, path, **env).count("("), 8)
        return [re.sub(r"(?<=launch).*|(?<=node).*", "", line) for line in world.calls() if re.match("launch|graph|node", line)]

    plain = run(FAKE_CUDA_FAIL="none:1=1")
    launches = [line for line in plain if line == "launch"]
    assert plain.count("graph starts") >= 5 and 2 <= len([line for line in plain if line.startswith("graph of")]) <= 4, plain
    assert "node" in plain, plain
    for function in ("cuGraphCreate", "cuGraphAddKernelNode", "cuGraphInstantiate"):
        refused = run(FAKE_CUDA_FAIL=f"{function}:1=2")
        equal([line for line in refused if line == "launch"], launches)
        assert refused.count("graph starts") < plain.count("graph starts"), refused


def check_tiles(world):
    """Products and convolutions share what they read, in wide accesses, and keep their sums in registers."""
    for source, arguments in (("x @ y", ["f32[500,300]", "f32[300,700]"]), ("x.t() @ y.t()", ["f32[300,1500]", "f32[700,300]"]),
                              ("x @ y", ["f64[700,300]", "f64[300,700]"]),
                              ("torch.bmm(x, y)", ["f32[40,130,70]", "f32[40,70,90]"]),
                              ("torch.nn.functional.conv2d(x, y, stride=2, dilation=2, groups=3)", ["f32[4,33,57,61]", "f32[96,11,5,5]"])):
        for gpu, text in ptx_of(world, source, arguments):
            for part in ("bar.sync", "ld.shared.v", "fma.rn.f"):
                assert part in text, (source, gpu, part)
            assert ".local" not in text, (source, gpu)


def check_warpgroup_tiles(world):
    """Large products whose inputs lie along the sum are by instructions of four warps where a GPU has them; PTX for others has none."""
    call = {"args": [{"$tensor": f"bf16[{sizes}]"} for sizes in ("2000,520", "2048,520", "2048")]}
    program = "import torch.nn.functional as F\ndef entry(x, y, z):\n    return F.relu(F.linear(x, y, z))\n"
    for gpu in gpus_for(world, program):
        path, _ = world.compile(program, call, "--target=cuda", "--emit=ptx", f"--gpu={gpu}", name="model.ptx")
        text = path.read_text()
        for part, is_there in (("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", gpu == "sm_90a"), ("cp.async.bulk.tensor.2d", gpu == "sm_90a"), ("cp.async.cg", True),
                               ("st.global.v4", True), ("fence.proxy.async", gpu == "sm_90a"), ("mma.sync.aligned.m16n8k16", gpu != "sm_90a")):
            equal((gpu, part, part in text), (gpu, part, is_there))
        assert ".local" not in text, gpu
        equal(text.count(".entry"), 1 + (gpu == "sm_90a"))
    path, _ = world.compile(program, call, "--target=cuda")
    inside = path.read_bytes()
    assert b".target sm_80" in inside and b"mma.sync.aligned" in inside and b"wgmma" not in inside, "the PTX for other GPUs"


def check_mapped_tiles(world):
    """Inputs of products come by tensor maps where they can, whichever way they lie: one thread asks for them, sums stay in
    registers. Where memory is not aligned, or the device has no such maps, another kernel does the same."""
    for source, arguments, rank in (("F.relu(F.linear(x, y, z))", ["bf16[2048,3072]", "bf16[768,3072]", "bf16[768]"], 2),
                                    ("x @ y", ["f16[1000,520]", "f16[520,1032]"], 2), ("x.t() @ y", ["bf16[264,1000]", "bf16[264,1032]"], 2),
                                    ("torch.bmm(x, y.transpose(1, 2))", ["bf16[16,300,72]", "bf16[16,304,72]"], 3),
                                    ("F.relu(F.conv2d(x, y, z, stride=2, padding=1))", ["bf16[64,64,56,56]", "bf16[128,64,3,3]", "bf16[128]"], 4),
                                    ("F.relu(F.conv2d(x, y, z, padding=1))", ["bf16[1,64,56,56]", "bf16[128,64,3,3]", "bf16[128]"], 4),
                                    ("F.conv2d(x, y, stride=2)", ["bf16[64,113,113]", "bf16[128,64,3,3]"], 4),
                                    ("F.linear(x, y)", ["bf16[B in 1..64,256,768]", "bf16[3072,768]"], 2)):
        text = next(text for gpu, text in ptx_of(world, source, arguments) if gpu == WITH_WARPGROUPS)
        kind = ".im2col" if rank == 4 else ".tile"
        for part in (f"cp.async.bulk.tensor.{rank}d.shared::cluster.global{kind}", "griddepcontrol.wait", "griddepcontrol.launch_dependents", "mbarrier.try_wait.parity", "wgmma.mma_async", "st.global.v4"):
            assert part in text, (source, part)
        assert ".local" not in text, source
    program = "def entry(x, y):\n    return x[1:].view(512, 520) @ y if x.dim() == 1 else x @ y\n"
    run = """
        import ctypes
        with Model(library) as model:
            for _ in range(2):
                try:
                    print(model(x, torch.zeros(520, 512, dtype=torch.bfloat16)).shape)
                except PtcError as error:
                    print(str(error).split(":")[0])
        """
    for shape, is_mapped, env in (("512,520", True, {}), (512 * 520 + 1, False, {}), ("512,520", False, {"FAKE_CUDA_PTX": "1"}),
                                  ("512,520", True, {"FAKE_CUDA_FAIL": "cuTensorMapEncodeTiled:1=1"})):
        path, _ = world.compile(program, {"args": [{"$tensor": f"bf16[{shape}]"}, {"$tensor": "bf16[520,512]"}]}, "--target=cuda")
        out = world.script(f"import torch\nx = torch.zeros({shape}, dtype=torch.bfloat16)\n" + textwrap.dedent(run), path, **env)
        ok = "torch.Size([512, 512])\n"
        equal(out, ("the device or its driver failed\n" if "FAKE_CUDA_FAIL" in env else ok) + ok)
        launches = [line for line in world.calls() if line.startswith("launch")]
        equal([bool(re.search("_0_0 ", line)) for line in launches], [is_mapped] * len(launches))
        assert launches and not any("WRONG" in line for line in world.calls()), world.calls()


def check_rows(world):
    """Softmax, norms and losses are one kernel each, with wide accesses, and rows stay in registers."""
    for source, arguments in (("x.softmax(-1)", ["f32[8192,4096]"]), ("F.layer_norm(x, (768,), y, z)", ["bf16[2048,768]", "bf16[768]", "bf16[768]"]),
                              ("F.layer_norm(x, (32, 66), y, z)", ["f32[7,32,66]", "f32[32,66]", "f32[32,66]"]),
                              ("F.log_softmax(x, 1) * 2", ["f32[128,50256]"]), ("(x - x.mean(1, keepdim=True)) / x.std(1, keepdim=True)", ["f32[300,2000]"]),
                              ("(x.softmax(-1) * y).sum(-1)", ["f16[2000,1000]", "f16[2000,1000]"])):
        for gpu, text in ptx_of(world, source, arguments):
            for part in ("ld.global.v4", "shfl.sync.bfly"):
                assert part in text, (source, gpu, part)
            assert ".local" not in text, (source, gpu)
            equal((source, text.count(".entry")), (source, 1))


def check_attention(world):
    """Attention is one kernel of matrix instructions, scores are never in memory; without them, or with an odd width, it is several.
    Instructions of four warps do it where queries, keys and values lie by rows of 64 or 128, with another kernel for memory that is
    not aligned."""
    for source, arguments, kernels, is_mapped in (
            ("x, y, z, is_causal=True", ["bf16[8,12,256,64]"] * 3, 1, True), ("x, y, z, is_causal=True", ["f16[1,2,300,128]"] * 3, 1, True),
            ("x, y, z, is_causal=True", ["bf16[B in 1..9,3,N in 1..500,64]"] * 3, 1, True),
            ("x, y, z", ["bf16[2,3,77,64]", "bf16[2,3,95,64]", "bf16[2,3,95,128]"], 1, True),
            ("*x.unbind(2), is_causal=True", ["bf16[8,256,3,64]"], 1, True), ("x, y, z", ["bf16[B in 1..9,95,64]"] * 3, 1, True),
            ("x, y, z", ["bf16[2,3,77,64]", "bf16[2,3,95,64]", "bf16[2,3,95,48]"], 1, False),
            ("x, y, z, attn_mask=w", ["bf16[2,3,77,32]"] * 3 + ["bf16[2,1,77,77]"], 1, False),
            ("x, y, z", ["bf16[2,64,40]"] * 3, 3, False), ("x, y, z", ["f32[2,64,64]"] * 3, 3, False)):
        for gpu, text in ptx_of(world, f"F.scaled_dot_product_attention({source})", arguments):
            is_mapped_here = is_mapped and gpu == "sm_90a"
            equal((source, gpu, text.count(".entry") - len(kernels_with_maps(text))), (source, gpu, kernels))
            assert ".local" not in text, (source, gpu)
            if kernels != 1:
                continue
            for part in ("mma.sync.aligned.m16n8k16", "ldmatrix.sync.aligned.m8n8.x4.trans", "cp.async.cg", "ex2.approx"):
                assert part in text, (source, gpu, part)
            for part in ("cp.async.bulk.tensor", "wgmma.mma_async.sync.aligned.m64n128k16", "setmaxnreg.inc", "bar.arrive"):
                equal((source, gpu, part, part in text), (source, gpu, part, is_mapped_here))


def check_registers(world):
    """The assembler's log: numbers stay in registers, and matrix instructions of four warps run side by side. A third of the programs a day."""
    tf32 = "--matmul-precision=high"
    programs = (("F.relu(F.linear(x, y, z))", ["bf16[4096,4096]", "bf16[4096,4096]", "bf16[4096]"]),
                ("F.relu(F.linear(x, y, z))", ["f32[2048,520]", "f32[2048,520]", "f32[2048]"], tf32), ("x @ y", ["f32[2048,512]", "f32[512,2048]"], tf32),
                ("F.gelu(F.linear(x, y, z), approximate='tanh')", ["bf16[2048,768]", "bf16[3072,768]", "bf16[3072]"]),
                ("x @ y", ["f16[1000,520]", "f16[520,1032]"]), ("x @ y", ["f32[1000,500]", "f32[500,300]"]),
                ("x @ y", ["bf16[2048,2048]", "bf16[2048,2048]"]), ("torch.bmm(x, y)", ["f32[40,260,500]", "f32[40,500,600]"], tf32),
                ("x @ y", ["f32[2001,1503]", "f32[1503,2001]"], tf32), ("F.conv2d(x, y, padding=1)", ["bf16[64,3,56,56]", "bf16[128,3,7,7]"]),
                ("F.linear(x, y, z)", ["bf16[8,4096]", "bf16[4096,4096]", "bf16[4096]"]), ("x @ y", ["bf16[8,4096]", "bf16[4096,4096]"]),
                ("F.conv2d(x, y, z, padding=1)", ["bf16[64,64,56,56]", "bf16[128,64,3,3]", "bf16[128]"]),
                ("F.scaled_dot_product_attention(x, y, z, is_causal=True)", ["bf16[8,12,256,64]"] * 3),
                ("F.scaled_dot_product_attention(x, y, z)", ["bf16[2,3,300,128]"] * 3),
                ("x.softmax(-1)", ["f32[8192,4096]"]), ("F.layer_norm(x, (768,), y, z)", ["bf16[2048,768]", "bf16[768]", "bf16[768]"]),
                ("F.gelu(x * y + z)", ["bf16[1024,1024]", "bf16[1024]", "bf16[1024]"]))
    for source, arguments, *options in programs if world.every else programs[runner.day() % 3::3]:
        for gpu, text in ptx_of(world, source, arguments, *options):
            ptx = world.folder / "kernels.ptx"
            ptx.write_text(text)
            log = subprocess.run([ptxas(), f"-arch={gpu}", "-O3", "-v", "-o", world.folder / "kernels.cubin", ptx], capture_output=True,
                                 text=True, check=True).stderr
            bodies = {re.match(r"\w+", body)[0]: body for body in text.split(".entry ")[1:]}
            spilled = {name: int(size) for name, size in re.findall(r"entry function '(\w+)'.*\n.*\n *\d+ bytes stack frame, (\d+) bytes spill", log)}
            equal(sorted(spilled), sorted(bodies))
            equal((source, gpu, spilled), (source, gpu, dict.fromkeys(spilled, 0)))
            assert "serialized" not in log and "ignored" not in log, (source, gpu, log)


def check_wide_accesses(world):
    """What is computed of each element reads and writes 16 bytes at a time, where memory lies so."""
    for shapes, wide in ((["f32[1024,1024]", "f32[1024]"], True), (["bf16[1024,1024]", "bf16[1024]"], True), (["f32[1025,1023]", "f32[1023]"], False),
                         (["f32[B in 1..2000,1024]", "f32[1024]"], True), (["bf16[B in 1..2000,N in 1..2000]", "bf16[N in 1..2000]"], True)):
        path, _ = world.compile("def entry(x, y):\n    return x * y + 1\n", {"args": [{"$tensor": s} for s in shapes]}, "--target=cuda",
                                "--emit=ptx", name="model.ptx")
        text = path.read_text()
        equal((shapes, "ld.global.v4" in text, "st.global.v4" in text), (shapes, wide, wide))


def check_long_sums(world):
    """Many blocks share a sum that has few results."""
    for shape, result, blocks in (("4099,4097", "x.sum()", 800), ("8192,300", "x.sum(0)", 200), ("3,100003", "x.prod(1)", 60)):
        path, _ = world.compile(f"def entry(x):\n    return {result}\n", {"args": [{"$tensor": f"f32[{shape}]"}]}, "--target=cuda")
        world.script(f"with Model(library) as model:\n    model(numpy.ones(({shape}), 'f'))\n", path)
        grids = [int(re.search(r"(\d+) x", line)[1]) for line in world.calls() if line.startswith("launch")]
        assert max(grids) >= blocks, (shape, grids)


def check_stream(world):
    """The caller's stream gets all work; what an earlier one still does is waited for. Without a GPU there is none."""
    path, _ = world.compile("def entry(x, w):\n    return (x @ w).softmax(1)\n", {"args": [{"$tensor": "f32[2,3]"}, {"$tensor": "f32[3,2]"}]},
                            "--target=cuda")
    plain, _ = world.compile(ADD, X, name="libplain.so")
    out = world.script(f"""
        import types
        from ptc_loader import DType
        driver, stream = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
        driver.cuStreamCreate(ctypes.byref(stream), 0)
        x, w = numpy.ones((2, 3), "f"), numpy.ones((3, 2), "f")

        class OfGpu:
            is_cuda, device, __dlpack__ = True, "gpu", x.__dlpack__

        with Model(library) as model:
            model(x, w)
            for now in (stream.value, stream.value, 0):
                model.set_stream(now)
                print(model(x, w).shape)
            current = lambda device: types.SimpleNamespace(cuda_stream=stream.value) if device == "gpu" else None
            sys.modules["torch"] = types.SimpleNamespace(cuda=types.SimpleNamespace(current_stream=current), dtype=DType,
                                                         device=DType, Tensor=DType)
            leaves = [ptc_loader._Leaf(OfGpu()), ptc_loader._Leaf(w)]
            model._follow_stream(leaves[1:])
            model._follow_stream(leaves)
            model._follow_stream(leaves)
            del sys.modules["torch"]
            print(model(x, w).shape)
        with Model({str(plain)!r}) as model:
            try:
                model.set_stream(stream.value)
            except PtcError as error:
                print(error.status, error)
        """, path)
    equal(out.splitlines(), ["(2, 2)"] * 4 + ["1 tensors of this program do not lie on a GPU: it has no stream"])
    calls = [line for line in world.calls() if re.match("launch|graph starts|to|sync", line)]
    asked = [i for i, line in enumerate(calls) if line.startswith("to device 24")][::2]
    of_call = [["on a stream" in line for line in calls[a:b] if not line.startswith("launch")] for a, b in zip(asked, [*asked[1:], None])]
    switches = [calls[i - 1] for i in asked]
    equal([set(flags[:-1]) for flags in of_call], [{False}, {True}, {True}, {False}, {True}])
    equal(switches[1:], ["synchronize", "synchronize on a stream", "synchronize on a stream", "synchronize"])


def check_device_arguments(world):
    """Tensors of the device: nothing is copied or waited for, and results stay there."""
    path, _ = world.compile(ADD, X, "--target=cuda")
    out = world.script("""
        import os
        from ptc_loader import Api, DLTensor, Invocation, Value
        driver, artefact = ctypes.CDLL("libcuda.so.1"), ctypes.CDLL(library)
        artefact.model_ptc_v1.restype = ctypes.POINTER(Api)
        api = artefact.model_ptc_v1().contents
        model, context, current = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        assert api.model_open(None, ctypes.byref(model)) == 0
        assert api.context_create(model, ctypes.byref(context)) == 0
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(current), 0)
        driver.cuCtxPushCurrent_v2(current)

        os.environ["FAKE_CUDA_FAIL"] = "cuCtxPushCurrent:1=719"  # it is current

        def tensor(device, data):
            sizes = (ctypes.c_int64 * 1)(16)
            return DLTensor(data, device, 0, 1, 2, 32, 1, sizes, None, 0)

        def on_device():
            at = ctypes.c_uint64()
            driver.cuMemAlloc_v2(ctypes.byref(at), 64)
            return at.value

        kept = []

        def value(t):
            kept.append(t)
            made = Value(tag=ptc_loader.TENSOR)
            made.as_.tensor = ctypes.pointer(t)
            return made

        def call(argument, out):
            given, result = (Value * 1)(value(argument)), (Value * 1)(out)
            status = api.call(context, Invocation(0, 0, given, 1, 1, result, 0, 0))
            return status, result[0].as_.tensor.contents if status == 0 else None

        here, there, other = (ctypes.c_float * 16)(), on_device(), on_device()
        x = tensor(2, there)
        status, result = call(x, Value())
        print(status, result.device_type, result.data not in (there, other))
        status, result = call(x, value(tensor(2, other)))
        print(status, result.device_type, result.data == other)
        status, result = call(x, value(tensor(1, ctypes.addressof(here))))
        print(status, result.device_type, result.data == ctypes.addressof(here))
        status, result = call(result, Value())
        print(status, result.device_type)
        y = tensor(2, other)
        y.device_id = 1
        print(call(x, value(y))[0], call(y, Value())[0])
        for memory in (there, other):
            driver.cuMemFree_v2(ctypes.c_uint64(memory))
        api.context_destroy(context)
        del os.environ["FAKE_CUDA_FAIL"]
        api.model_close(model)
        driver.cuCtxPopCurrent_v2(ctypes.byref(current))
        driver.cuDevicePrimaryCtxRelease_v2(0)
        """, path)
    equal(out.splitlines(), ["0 2 True", "0 2 True", "0 1 True", "0 1", "1 2"])
    copies = [line.split()[0] if line.startswith("launch") else line for line in world.calls()
              if re.match("launch|to|sync", line)]
    opened, refused = ["synchronize"], ["synchronize"]
    to_host = ["launch", "to host 64", "synchronize"]
    equal(copies, [*opened, "launch", "launch", *to_host, "to device 64", *to_host, *refused])


def check_views(world):
    """A result that is a view, in a buffer of the host: copied on the device, then brought."""
    path, _ = world.compile("def entry(x):\n    y = x + 1\n    return y, y[4:12]\n", X, "--target=cuda")
    out = world.script("""
        import os
        from ptc_loader import Api, DLTensor, Invocation, Value
        artefact = ctypes.CDLL(library)
        artefact.model_ptc_v1.restype = ctypes.POINTER(Api)
        api, model, context = artefact.model_ptc_v1().contents, ctypes.c_void_p(), ctypes.c_void_p()
        assert api.model_open(None, ctypes.byref(model)) == 0
        assert api.context_create(model, ctypes.byref(context)) == 0
        numbers = [numpy.ones(16, 'f'), numpy.ones(8, 'f')]
        sizes = [(ctypes.c_int64 * 1)(array.size) for array in numbers]
        tensors = [DLTensor(n.ctypes.data, 1, 0, 1, 2, 32, 1, s, None, 0) for n, s in zip(numbers, sizes)]
        values = (Value * 3)()
        for value, tensor in zip((values[0], values[2]), tensors):
            value.tag, value.as_.tensor = ptc_loader.TENSOR, ctypes.pointer(tensor)
        outputs = (Value * 2)(Value(), values[2])
        print(api.call(context, Invocation(0, 0, values, 1, 2, outputs, 0, 0)), numbers[1].tolist())
        os.environ["FAKE_CUDA_FAIL"] = "cuMemcpyDtoD:1=719"
        for _ in range(2):
            print(api.call(context, Invocation(0, 0, values, 1, 2, outputs, 0, 0)))
        api.context_destroy(context)
        api.model_close(model)
        """, path, FAKE_CUDA_PTX="1")
    equal(out, f"0 {[2.0] * 8}\n8\n0\n")
    assert "to host 32" in world.calls()


def check_results(world):
    """Results on the host: views lie in what they show, in memory that the caller gives; a text shows what nothing else does."""
    path, _ = world.compile("def entry(x):\n    y = x.cuda() * 2\n    return y, y[1:3], y[2:], f'{x + 1}'\n",
                            {"args": [{"$tensor": "f32[4]", "values": [1, 2, 3, 4]}]}, "--target=cuda")
    world.run(world.ptc, "run", path, "--call", world.folder / "call.json", "--save", world.folder / "out.json",
              FAKE_CUDA_PTX="1", **world.driver())
    saved = compiled.decode_call(json.loads((world.folder / "out.json").read_text()), world.folder)
    equal([r.tolist() for r in saved["result"][:3]], [[2, 4, 6, 8], [4, 6], [6, 8]])
    equal(saved["result"][3], "tensor([2., 3., 4., 5.])")
    equal(sorted(saved["aliases"]), [("result[0]", "result[1]"), ("result[0]", "result[2]"), ("result[1]", "result[2]")])


def check_runs(world, case):
    """No memory of the device is touched on the host, every call is as the driver takes it, and nothing is left."""
    make, examples = command_of(world, case)
    world.run(*make, "--target=cuda", "-o", world.folder / "libmodel.so")
    calls = [word for path in examples for word in ("--call", path)]
    done = subprocess.run(list(map(str, [world.ptc, "run", world.folder / "libmodel.so", *calls])), capture_output=True,
                          text=True, timeout=60, env={**os.environ, **world.driver()})
    assert done.returncode in (0, compiled.RAISED), f"exit code {done.returncode}\n{done.stderr[-1000:]}"
    assert any(line.startswith("launch") for line in world.calls())


def check_random_numbers(world):
    """Kernels draw from the default generator, one behind the other; permutations and other generators are the host's."""
    path = world.program("drawn")
    out = world.script("""
        with Model(library) as model:
            some, dropped, flags = model(numpy.ones(4, 'f'))
            print([r.shape for r in some], dropped.shape, flags.dtype)
            model(numpy.ones(4, 'f'))
        """, path)
    equal(out, "[(4,), (5,), (2, 3), (3,), (2,)] (4,) float16\n")
    assert {"to device 40", "to device 8"} <= set(world.calls())
    # A permutation of 5 takes 12 words of a stream.
    drawn = [line.removeprefix("launch ") for line in world.calls() if line.startswith("launch ptc_draw")]
    one, half, most = (struct.unpack("q", struct.pack("d", v))[0] for v in (1.0, 0.5, 0.75))
    memory = r"memory\(\d+\)"
    expected = [f"ptc_draw_0 1 x 256: {memory} 4 3 0 0 {one}", f"ptc_draw_1 1 x 256: {memory} 6 3 4 0 {one}",
                f"ptc_draw_2 1 x 256: {memory} 3 3 5 0 5", f"ptc_draw_3 1 x 256: {memory} 4 3 6 {most} 4 {memory} 0",
                f"ptc_draw_4 2 x 256: {memory} 300 3 7 {half} 0"]
    for line, pattern in zip(drawn, 2 * expected, strict=True):
        assert re.fullmatch(pattern, line), f"{line}\n{pattern}"


def check_numbers_of_gpu(world):
    """What the null target draws of a program for a GPU is what eager CUDA draws, also in the eyes of verify."""
    seed = "    torch.manual_seed(0)\n"
    source = f"def entry(x):\n{seed}    y = torch.rand(2, 2)\n{seed}    return y * x, torch.randn(4)\n"
    path, _ = world.compile(source, {"args": [{"$tensor": "f32[1]", "values": [1]}]}, "--target=cuda")
    out, _ = world.run(world.ptc, "run", path, "--target=null", "--call", world.folder / "call.json")
    for number in (0.3990, 0.5167, 0.0249, 0.9401, -0.9247, -0.4253, -2.6438, 0.1452):  # on cuda, after manual_seed(0)
        assert f"{number:.4f}" in out, out
    world.run(world.ptc, "verify", path, "--target=null")


# ---------------------------------------------------------------------------------------------------


def ptxas():
    """Path; null: it is not there."""
    folder = os.environ.get("PTC_CUDA")
    found = [p for p in (Path(folder or "/", below) for below in ("bin/ptxas", "nvidia/cu13/bin/ptxas")) if folder and p.exists()]
    return found[0] if found else shutil.which("ptxas")


def tools(ptc, folder):
    """(whether libdevice is there, whether an assembler is)"""
    world, found = World(ptc, folder), []
    for source, kind in ((MATH, "ptx"), (ADD, "cubin")):
        try:
            world.compile(source, X, "--target=cuda", f"--emit={kind}", name="probe")
            found.append(True)
        except AssertionError as missing:
            if f"exit code {TOOL_MISSING}," not in str(missing):
                raise
            found.append(False)
    return found


LONG = {"attention": 0, "borders": 1, "mapped_tiles": 0, "weights": 1}     # without --every and FILTER each on one day of two


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--every", action="store_true", help="every program for every GPU")
    args = parser.parse_args()
    World.every = args.every
    with tempfile.TemporaryDirectory() as folder:
        libdevice, assembler = tools(args.ptc, Path(folder))
    plain = [check_cpu_has_nothing, check_usage, check_without_tools, check_no_device, check_calls, check_null,
             check_device_arguments, check_views, check_results, check_barriers, check_same_bytes, check_tiles, check_matrix_tiles, check_narrow_tiles, check_tf32, check_warpgroup_tiles, check_mapped_tiles, check_turns, check_borders, check_shares, check_weights, check_rows, check_attention, check_wide_accesses, check_long_sums, *([] if has_driver() else [check_no_driver])]
    with_math = [check_symbolic_sizes, check_memory_runs_out, check_failures, check_graphs, check_stream,
                 check_random_numbers, check_numbers_of_gpu]
    checks = [(f.__name__.removeprefix("check_"), f, ()) for f in plain + (with_math if libdevice else [])]
    if assembler:
        checks += [(f.__name__.removeprefix("check_"), f, ()) for f in (check_images, check_kinds)]
    if libdevice and ptxas():
        checks.append(("registers", check_registers, ()))
    if libdevice:
        with_folder = [c for c in control_cases() if c.name not in NOT_RUN and not c.may_refuse]
        checks += [(f"runs-{c.name}", check_runs, (c,)) for c in with_folder]
        checks += [(f"runs-{m}", lambda world, m=m: check_runs(world, model_named(world, m)), ())
                   for m in MODELS]
    if libdevice and assembler:
        checks += [(f"{name}-{gpu}", check_program, (name, gpu)) for name in families.CALLS for gpu in gpus_for(World, name)]
        checks += [(f"{name}-{gpu}", check_model, (name, gpu)) for name in MODELS for gpu in gpus_for(World, name)]
    else:
        print(f"left out: what needs {' and '.join(['libdevice'] * (not libdevice) + ['an assembler'] * (not assembler))}"
              " (tools/cuda.sh gets them)")
    return runner.run_in_folders([(name, lambda folder, f=f, more=more: f(World(args.ptc, folder), *more)) for name, f, more in checks
                                  if args.every or args.filter or LONG.get(name) in (None, runner.day() % 2)], args)


if __name__ == "__main__":
    sys.exit(main())
