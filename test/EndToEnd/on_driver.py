#!/usr/bin/env python3
"""What programs for NVIDIA GPUs do with a driver that fails, with memory of both sides, with many kernels.

    on_driver.py --ptc PTC [FILTER] [-v]

By test/Device, a driver without a GPU. Where libdevice is missing (PTC_CUDA, tools/cuda.sh), what needs it is left out
and not counted.
"""
import json
import re
import sys
import tempfile
from pathlib import Path

import on_gpu
from on_gpu import ROOT, X, World, equal, runner

CANNOT_COMPILE = 1

# Tensors of 16 floats by the C interface.
RAW = """
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
HOST, DEVICE = 1, 2
kept, made, lines = [], [], open(os.environ["FAKE_CUDA_LOG"])

def on_device():
    at = ctypes.c_uint64()
    driver.cuMemAlloc_v2(ctypes.byref(at), 64)
    made.append(at)
    return at.value

def tensor(device, data):
    t = DLTensor(data, device, 0, 1, 2, 32, 1, (ctypes.c_int64 * 1)(16), None, 0)
    value = Value(tag=ptc_loader.TENSOR)
    value.as_.tensor = ctypes.pointer(t)
    kept.append(t)
    return value

def call(inputs, outputs):
    lines.read()
    given, results = (Value * len(inputs))(*inputs), (Value * len(outputs))(*outputs)
    status = api.call(context, Invocation(0, 0, given, len(inputs), len(outputs), results, 0, 0))
    places = [(r.as_.tensor.contents.device_type, r.as_.tensor.contents.data) for r in results] if status == 0 else \
        api.last_error(context).contents.text.decode()
    copies = [line.strip() for line in lines.read().splitlines() if line.startswith(("to ", "sync"))]
    return status, places, copies

def close():
    for at in made:
        driver.cuMemFree_v2(at)
    api.context_destroy(context)
    api.model_close(model)
    driver.cuCtxPopCurrent_v2(ctypes.byref(current))
    driver.cuDevicePrimaryCtxRelease_v2(0)
"""


def check_both_sides(world):
    """Arguments and buffers of the host beside those of the device: each is copied once, where it has to be, and what
    overlaps is refused."""
    path, _ = world.compile("def entry(x, y):\n    return x * y, x - y\n", {"args": X["args"] * 2}, "--target=cuda")
    world.script(RAW + """
whole = (ctypes.c_float * 64)()
here = ctypes.addressof(whole)
there, other, third = on_device(), on_device(), on_device()
to, back, wait = "to device 64", "to host 64", "synchronize"

def expect(inputs, outputs, status, places, copies):
    found = call(inputs, outputs)
    assert (found[0], found[2]) == (status, copies), found
    if status:
        assert places in found[1], found
    else:
        for (device, data), (kind, at) in zip(found[1], places, strict=True):
            assert device == kind and at in (data, None), (found, places)

new = lambda device: (device, None)
for _ in range(3):  # new, as a graph, told again
    expect([tensor(HOST, here), tensor(DEVICE, there)], [Value(), Value()], 0, [new(DEVICE), new(DEVICE)], [to, wait])
    expect([tensor(DEVICE, there), tensor(DEVICE, other)], [Value(), Value()], 0, [new(DEVICE), new(DEVICE)], [])
    expect([tensor(HOST, here), tensor(HOST, here + 64)], [Value(), Value()], 0, [new(HOST), new(HOST)], [to, to, back, back, wait])
    expect([tensor(HOST, here), tensor(HOST, here)], [Value(), tensor(DEVICE, there)], 0, [new(HOST), (DEVICE, there)], [to, back, wait])
    expect([tensor(DEVICE, there), tensor(HOST, here)], [tensor(HOST, here + 64), tensor(DEVICE, other)], 0,
           [(HOST, here + 64), (DEVICE, other)], [to, back, wait])
    overlaps = "shares memory with an argument or another result"
    expect([tensor(DEVICE, there), tensor(HOST, here)], [tensor(DEVICE, there), Value()], 1, overlaps, [to, wait])
    expect([tensor(DEVICE, there), tensor(HOST, here)], [Value(), tensor(HOST, here + 32)], 1, overlaps, [to, wait])
    expect([tensor(DEVICE, there), tensor(DEVICE, there)], [tensor(DEVICE, other), tensor(DEVICE, other)], 1, overlaps, [])
    expect([tensor(HOST, here), tensor(HOST, here + 32)], [Value(), Value()], 1, "overlap in part", [to, wait])
close()
""", path)
    world.calls()
    path, _ = world.compile("def entry(x, y):\n    x.add_(y)\n    return x + 1\n", {"args": X["args"] * 2}, "--target=cuda")
    world.script(RAW + """
whole = (ctypes.c_float * 64)(*range(64))
here, there = ctypes.addressof(whole), on_device()
for _ in range(3):
    status, places, copies = call([tensor(HOST, here), tensor(DEVICE, there)], [Value()])
    assert status == 0 and places[0][0] == DEVICE and copies == ["to device 64", "to host 64", "synchronize"], (places, copies)
    status, places, copies = call([tensor(DEVICE, there), tensor(HOST, here)], [tensor(HOST, here + 64)])
    assert (status, places, copies) == (0, [(HOST, here + 64)], ["to device 64", "to host 64", "synchronize"]), (places, copies)
close()
""", path)
    world.calls()


FAILING = """
def entry(x, w, h, v, n: int):
    y = (x @ w).softmax(1)
    if n > 0:
        y = y + (h @ v).float().sum()
    k = int(y.sum())
    x.add_(1)
    z = y + torch.rand(1)
    return z, z[1:], x[x > k + 5], n
"""
# By its number, what a failure of the driver may become: where it has another way nothing; out of memory; the device
# failed; no device.
BECOMES = {2: {0, 5, 11}, 719: {0, 8, 11}}


def check_each_failure(world):
    """Each function of the driver fails once at each of its calls: that is at most one status, which says so, and whoever
    comes next finds nothing of it."""
    call = {"args": [*({"$tensor": t} for t in ("f32[B in 1..99,64]", "f32[64,40]", "bf16[512,520]", "bf16[520,512]")), 1]}
    path, _ = world.compile(FAILING, call, "--target=cuda", "--explore")
    sources = "".join((ROOT / "test/Device" / name).read_text() for name in ("Driver.cpp", "Launches.cpp"))
    functions = sorted(set(re.findall(r'MAY_FAIL\("(\w+)"\)', sources)))
    head = f"""
import json, os, torch
log, library = os.environ["FAKE_CUDA_LOG"], {str(path)!r}
h, v = torch.zeros(512, 520, dtype=torch.bfloat16), torch.zeros(520, 512, dtype=torch.bfloat16)

def calls(model, trouble):
    shapes = []
    for rows, n in [(8, 1), (8, 1), (9, 1), (8, 0), (8, 0)]:
        try:
            results = model(torch.ones(rows, 64), torch.ones(64, 40), h, v, n)
            shapes.append([getattr(part, "shape", part) for part in results])
        except PtcError as error:
            trouble.append((error.status, str(error)))
            shapes.append(None)
    return shapes

def life(trouble):
    try:
        with Model(library) as model:
            found = calls(model, trouble)
            if trouble:
                os.environ.pop("FAKE_CUDA_FAIL", None)
                assert calls(model, []) == expected, "behind a failure"
            return found
    except PtcError as error:
        trouble.append((error.status, str(error)))

expected = life([])
assert None not in expected, expected
"""
    once = """
def once(function, code):
    for number in range(1, 1000):
        os.environ["FAKE_CUDA_FAIL"] = f"{function}:{number}={code}"
        before, trouble = os.path.getsize(log), []
        shapes = life(trouble)
        os.environ.pop("FAKE_CUDA_FAIL", None)
        if " fails with " not in open(log).read()[before:]:
            break
        assert len(trouble) <= 1 and (trouble or shapes == expected), (function, number, code, trouble, shapes)
        assert life([]) == expected, (function, number, code, "another model behind it")
        yield (trouble or [(0, "")])[0]
"""
    def statuses(some):
        out = world.script(f"{head}{once}print(json.dumps([[f, code, list(once(f, code))] for f in {some} for code in (2, 719)]))", path)
        for function, code, found in json.loads(out):
            assert found or function == "cuMemcpyDtoD" or "Im2col" in function, f"{function} is not called"
            assert {status for status, _ in found} <= BECOMES[code], (function, code, found)
    no_context = "cuCtxPushCurrent"  # without it, what lies on the device stays there
    statuses([f for f in functions if f != no_context])
    world.calls()
    statuses([no_context])
    assert "WRONG" not in world.log.read_text()
    out = world.script(f"""{head}
with Model(library) as model:
    assert calls(model, []) == expected
    os.environ["FAKE_CUDA_FAIL"] = "*:1+=719"
    trouble = []
    calls(model, trouble)
    life(trouble)
    calls(model, trouble)
    print(*sorted({{status for status, _ in trouble}}), len(trouble))
""", path)
    equal(out, "8 11 11\n")  # each call says so, and a device that does not come back is closed like others
    assert "WRONG" not in world.log.read_text()


def check_too_much(world):
    """Memory that kernels need on their way is added up by more than 64 bits."""
    program = "def entry(x):\n    return torch.nn.functional.scaled_dot_product_attention(x, x, x)\n"
    call = {"args": [{"$tensor": f"f32[1,1,{2 ** 24},1]"}]}
    _, said = world.compile(program, call, "--target=cuda", code=CANNOT_COMPILE)
    assert "more memory than any GPU has" in said and "PTC1002" in said, said
    call = {"args": [{"$tensor": "f32[N in 1..4000,M in 1..4000]"}]}
    path, _ = world.compile("def entry(x):\n    return x.sort(1)\n", call, "--target=cuda", "--emit=llvm", name="model.ll")
    assert "call { i64, i1 } @llvm.umul.with.overflow.i64" in path.read_text(), "sizes of the run"


def check_many_sequences(world):
    """Kernels that come alone are graphs, too, but leave those of several alone, however many there are. A loop does not wait
    for its end until it starts."""
    def graphs(program, arguments, call, *options):
        path, _ = world.compile(program, {"args": arguments}, "--target=cuda", *options)
        world.script(f"""
            with Model(library) as model:
                for _ in range(3):
                    model(numpy.ones(16, "f"), {call})
            """, path)
        return [int(line.split()[-1]) for line in world.calls() if line.startswith("graph of")]
    alone = "".join(f"    s += float((x * {i}.5)[0])\n" for i in range(20))
    sizes = graphs(f"def entry(x, y):\n    s = 0.0\n{alone}    return y.cumsum(0).softmax(0) + s\n", X["args"] * 2, "numpy.ones(16, 'f')")
    assert len([size for size in sizes if size > 1]) == 1, sizes
    loop = "def entry(x, n):\n    for _ in range(int(n)):\n        x = x * 2 + 1\n    return x\n"
    sizes = graphs(loop, [*X["args"], {"$tensor": "i64[]", "values": [4]}], "numpy.array(2500)")
    assert sizes.count(1024) == 1, sizes


def main():
    args = runner.options(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        libdevice, _ = on_gpu.tools(args.ptc, Path(folder))
    checks = [check_both_sides, *([check_each_failure, check_too_much, check_many_sequences] if libdevice else [])]
    if not libdevice:
        print("left out: what needs libdevice (tools/cuda.sh gets it)")
    return runner.run_checks(checks, World, args)


if __name__ == "__main__":
    sys.exit(main())
