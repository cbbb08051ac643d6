"""What the PTX of programs has: products of few rows and those by tf32, for on_gpu.py. `world` is its World."""
import re

GPUS = ["sm_80", "sm_90a", "sm_100a"]
USAGE = 2


def equal(found, expected):
    assert found == expected, f"{found!r}\nexpected {expected!r}"


def ptx_of(world, result, arguments, *options):
    """(GPU, PTX) for each GPU of a function of x, y, z, w that gives `result`."""
    call = {"args": [{"$tensor": a} for a in arguments]}
    program = f"import torch.nn.functional as F\ndef entry({', '.join('xyzw'[:len(arguments)])}):\n    return {result}\n"
    for gpu in GPUS:
        path, _ = world.compile(program, call, "--target=cuda", "--emit=ptx", f"--gpu={gpu}", *options, name="model.ptx")
        yield gpu, path.read_text()


def check_narrow_tiles(world):
    """Products of few rows, or columns, read each weight once, 16 bytes at a time, whichever way it lies; what is computed of them
    is in the same kernel, and blocks are many."""
    for source, arguments, is_wide, blocks in (
            ("F.relu(F.linear(x, y, z))", ["bf16[1,4096]", "bf16[4096,4096]", "bf16[4096]"], True, 512),
            ("F.linear(x, y, z)", ["f32[8,1024]", "f32[1000,1024]", "f32[1000]"], True, 120), ("x @ y", ["f16[2,512]", "f16[512,4096]"], True, 120),
            ("x @ y + z", ["f32[1,4096]", "f32[4096,4096]", "f32[4096]"], True, 120), ("x @ y", ["f32[4096,512]", "f32[512,3]"], True, 120),
            ("torch.bmm(x, y)", ["bf16[12,4,64]", "bf16[12,64,304]"], True, 60), ("F.linear(x, y)", ["bf16[2,200000]", "bf16[24,200000]"], True, 60),
            ("F.linear(x, y)", ["bf16[3,777]", "bf16[1001,777]"], False, 120), ("x @ y", ["f64[4,300]", "f64[300,700]"], True, 20)):
        for gpu, text in ptx_of(world, source, arguments):
            for part in ("shfl.sync.bfly", "fma.rn.f"):
                assert part in text, (source, gpu, part)
            equal((source, gpu, "ld.global.v" in text), (source, gpu, is_wide))
            for part in (".local", "mma", "cp.async"):
                assert part not in text, (source, gpu, part)
            equal((source, gpu, text.count(".entry")), (source, gpu, 3 if "200000" in arguments[0] else 1))
        program = f"import torch.nn.functional as F\ndef entry({', '.join('xyzw'[:len(arguments)])}):\n    return {source}\n"
        path, _ = world.compile(program, {"args": [{"$tensor": a} for a in arguments]}, "--target=cuda")
        given = ", ".join(f"torch.zeros({a[a.index('['):]}, dtype=torch.{ {'b': 'bfloat16', 'f16': 'float16', 'f32': 'float32', 'f64': 'float64'}[a[0] if a[0] == 'b' else a[:3]]})"
                          for a in arguments)
        world.script(f"import torch\nwith Model(library) as model:\n    model({given})\n", path)
        grids = [int(re.search(r"(\d+) x", line)[1]) for line in world.calls() if line.startswith("launch")]
        assert max(grids) >= blocks, (source, arguments, grids)


def check_tf32(world):
    """--matmul-precision: products of float32 are by matrix instructions of tf32, whose inputs are rounded, if it allows that."""
    rounded = ("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "cvt.rna.tf32.f32")
    for source, arguments in (("F.relu(F.linear(x, y, z))", ["f32[2048,520]", "f32[768,520]", "f32[768]"]), ("x @ y", ["f32[300,500]", "f32[500,700]"]),
                              ("x.t() @ y.t()", ["f32[301,501]", "f32[701,301]"]), ("torch.bmm(x, y)", ["f32[7,100,96]", "f32[7,96,72]"]),
                              ("F.conv2d(x, y, padding=1)", ["f32[4,64,28,28]", "f32[64,64,3,3]"])):
        for precision in ("highest", "high", "medium") if "linear" in source else ("high",):
            for gpu, text in ptx_of(world, source, arguments, f"--matmul-precision={precision}"):
                for part in rounded:
                    equal((source, precision, gpu, part, part in text), (source, precision, gpu, part, precision != "highest"))
                assert ".local" not in text, (source, gpu)
                is_mapped = gpu == "sm_90a" and precision != "highest" and ("linear" in source or ".t()" in source)  # both lie along the sum, or are copied so
                for part in ("cp.async.bulk.tensor.2d", "k8.f32.tf32.tf32", "wgmma.mma_async"):
                    equal((source, precision, gpu, part, part in text), (source, precision, gpu, part, is_mapped))
    for gpu, text in ptx_of(world, "x @ y", ["f64[300,500]", "f64[500,700]"], "--matmul-precision=high"):
        assert "tf32" not in text, gpu
    call = {"args": [{"$tensor": "f32[300,500]"}, {"$tensor": "f32[500,700]"}]}
    path, _ = world.compile("def entry(x, y):\n    return x @ y.t()\n", {"args": [{"$tensor": "f32[600,520]"}, {"$tensor": "f32[700,520]"}]},
                            "--target=cuda", "--matmul-precision=high")
    equal(world.script("with Model(library) as model:\n    print(model(numpy.ones((600, 520), 'f'), numpy.ones((700, 520), 'f')).shape)\n", path),
          "(600, 700)\n")
    equal([bool(re.search("_0_0 ", line)) for line in world.calls() if line.startswith("launch")], [True])
    for options, is_there in ((["--target=cuda", "--matmul-precision=high"], True), (["--target=cuda"], False)):
        path, _ = world.compile("def entry(x, y):\n    return x @ y\n", call, *options)
        equal((options, b'ptc.matmul_precision = "high"' in path.read_bytes()), (options, is_there))
    for asked in ("torch.set_float32_matmul_precision('highest')", "assert torch.get_float32_matmul_precision()",
                  "assert not torch.backends.cuda.matmul.allow_tf32"):
        program = f"def entry(x, y):\n    {asked}\n    return x @ y\n"
        _, text = world.compile(program, call, "--target=cuda", "--matmul-precision=high", code=USAGE)
        assert "PTC2001" in text and "the program itself asks" in text, text
        world.compile(program, call, "--target=cuda")
    program = "def entry(x, y):\n    torch.set_float32_matmul_precision('high')\n    return x @ y\n"
    path, _ = world.compile(program, call, "--target=cuda", "--emit=ptx", name="model.ptx")
    assert "tf32" not in path.read_text(), "what the program sets allows it, and does not ask for it"
