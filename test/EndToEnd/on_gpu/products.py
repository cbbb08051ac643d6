"""What the PTX of programs has: products by matrix instructions, of few rows and by tf32, convolutions, for on_gpu.py. `world` is
its World."""
import re
import sys
import textwrap

import runner
from pycs import compile_pyc

# Those that have no instructions of four warps get the same kernels: they take turns by days.
WITH_WARPGROUPS, WITHOUT = "sm_90a", ["sm_80", "sm_100a"]
USAGE, NO_DEVICE = 2, 12


def equal(found, expected):
    assert found == expected, f"{found!r}\nexpected {expected!r}"


def gpus_for(world, what):
    """The GPUs that `what` is compiled for today, or, with --every, at all."""
    return [WITH_WARPGROUPS, *(WITHOUT if world.every else [runner.turn_of(what, WITHOUT)])]


def ptx_of(world, result, arguments, *options):
    """(GPU, PTX) for some GPUs of a function of x, y, z, w that gives `result`."""
    call = {"args": [{"$tensor": a} for a in arguments]}
    program = f"import torch.nn.functional as F\ndef entry({', '.join('xyzw'[:len(arguments)])}):\n    return {result}\n"
    for gpu in gpus_for(world, f"{result} {arguments}"):
        path, _ = world.compile(program, call, "--target=cuda", "--emit=ptx", f"--gpu={gpu}", *options, name="model.ptx")
        yield gpu, path.read_text()


def kernels_with_maps(text):
    """Texts of kernels whose inputs come by tensor maps."""
    return [kernel for kernel in text.split(".entry ")[1:] if "cp.async.bulk.tensor" in kernel]


def check_matrix_tiles(world):
    """Products of bfloat16 and float16 are by matrix instructions, from memory that is filled by the way, and what is computed
    of them is in the same kernel."""
    conv, before = "F.relu(F.conv2d(x, y, z, padding=1))", "F.linear(x, y.relu())"
    for source, arguments in ((before, ["bf16[256,256]"] * 2), ("x @ y", ["bf16[2048,64]", "bf16[64,2048]"]), ("F.gelu(x.t() @ y.t() + z)", ["bf16[296,512]", "bf16[304,296]", "bf16[304]"]),
                              ("F.linear(x, y, z)", ["f16[32,520]", "f16[500,520]", "f16[500]"]),
                              ("x @ y", ["bf16[7,100,96]", "bf16[7,96,72]"]), (conv, ["bf16[4,64,28,28]", "bf16[64,64,3,3]", "bf16[64]"])):
        for gpu, text in ptx_of(world, source, arguments):
            for part in ("mma.sync.aligned.m16n8k16", "ldmatrix.sync", "cp.async.cg"):
                assert part in text, (source, gpu, part)
            is_mapped = gpu == "sm_90a"
            equal((source, gpu, len(kernels_with_maps(text))), (source, gpu, is_mapped))
            assert ".local" not in text, (source, gpu)
            # A convolution's input gets a border, and both lie along channels; what a product reads is not computed in its kernel.
            equal((source, text.count(".entry")), (source, {conv: 4, before: 2}.get(source, 1) + is_mapped))


def check_borders(world):
    """Zeros around images, and what pools leave out, are no memory: products and windows read what they are around. What lies
    between convolutions has channels last, weights come as convolutions read them, the scale of a norm is computed there."""
    chain = "F.conv2d(F.relu(F.conv2d(x, y, padding=1)), z, stride=2, padding=1)"
    for batch in ("2", "B in 1..64"):
        for gpu, text in ptx_of(world, chain, [f"bf16[{batch},64,28,28]", "bf16[64,64,3,3]", "bf16[128,64,3,3]"]):
            # The first input, given in rows, is turned between zeros; both weights are turned; two products.
            equal((gpu, batch, text.count(".entry") - len(kernels_with_maps(text))), (gpu, batch, 2 + 2 + 2))
            equal((gpu, batch, len([k for k in kernels_with_maps(text) if ".im2col" in k])), (gpu, batch, 2 * (gpu == "sm_90a")))
    for source, arguments in (("F.conv2d(x, y, padding=(2, 1))", ["f32[2,24,39,43]", "f32[48,24,5,3]"]),
                              ("F.max_pool2d(x.to(memory_format=torch.channels_last), 3, 2, 1)", ["bf16[2,64,33,41]"])):
        for gpu, text in ptx_of(world, source, arguments):
            equal((source, gpu, text.count(".entry")), (source, gpu, 1 if "conv" in source else 2))  # the order, the pool
    (world.folder / "net.py").write_text(textwrap.dedent("""
        import torch
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.n, self.b = torch.nn.Conv2d(64, 64, 3, padding=1), torch.nn.BatchNorm2d(64), torch.nn.Conv2d(64, 64, 3, padding=1)
                self.eval()
            def forward(self, x):
                return self.b(self.n(self.a(x)).relu())
        """))
    compile_pyc(world.folder / "net.py", world.folder / "net.pyc")
    weights = world.folder / "net.safetensors"
    world.run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(world.folder)!r}); import net; from safetensors.torch import "
                                    f"save_file; save_file(net.Net().state_dict(), {str(weights)!r})")
    world.run(world.ptc, "compile", world.folder / "net.pyc", "--entry", "Net", "--dtype=bf16", "--weights", weights, "--input",
              "x=bf16[1,64,14,14]", "--target=cuda", "--gpu=sm_90a", "--emit=ptx", "-o", world.folder / "net.ptx")
    text = (world.folder / "net.ptx").read_text()
    # The input is turned between zeros; two products, each in two ways.
    equal((text.count(".entry") - len(kernels_with_maps(text)), len(kernels_with_maps(text))), (2 + 2, 2))


def check_shares(world):
    """Blocks share the sum of a tile where there are few tiles: they add up what they have in each other's shared memory."""
    for source, arguments, blocks in (("F.gelu(F.linear(x, y, z)) + w", ["bf16[49,2000]", "bf16[520,2000]", "bf16[520]", "bf16[49,520]"], 8),
                                      ("F.linear(x, y)", ["f16[128,3072]", "f16[768,3072]"], 4), ("x @ y", ["bf16[2048,512]", "bf16[512,2048]"], 1)):
        for gpu, text in ptx_of(world, source, arguments):
            shared = blocks > 1 and gpu == "sm_90a"
            for part in (f".reqnctapercluster {blocks}, 1, 1", "mapa.shared::cluster", "ld.shared::cluster.v4", "barrier.cluster.arrive", "barrier.cluster.wait"):
                equal((source, gpu, part, part in text), (source, gpu, part, shared))
            assert ".local" not in text, (source, gpu)


def check_weights(world):
    """Weights are laid out by the package where one operation reads them; numbers are eager's, also of a weight that is read
    again, and of a product of a tensor with itself whose groups are not whole."""
    (world.folder / "own.py").write_text(textwrap.dedent("""
        import torch
        import torch.nn.functional as F
        class Chain(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.n, self.b = torch.nn.Conv2d(16, 24, 3, padding=1), torch.nn.BatchNorm2d(24), torch.nn.Conv2d(24, 8, 5, padding=(2, 1), stride=2)
                self.eval()
            def forward(self, x):
                return F.max_pool2d(self.b(self.n(self.a(x)).relu()), 3, 2, 1)
        class Twice(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = torch.nn.Parameter(torch.randn(16, 16, 3, 3) / 12)
            def forward(self, x):
                return F.conv2d(x, self.w, padding=1, groups=2) + self.w
        class Square(torch.nn.Module):
            def forward(self, x):
                return x @ x
        """))
    compile_pyc(world.folder / "own.py", world.folder / "own.pyc")
    for name, sizes in (("Chain", "2,16,13,11"), ("Twice", "16,32,3,3"), ("Square", "100,100")):
        weights, library = world.folder / f"{name}.safetensors", world.folder / f"lib{name}.so"
        world.run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(world.folder)!r}); import own; from safetensors.torch import "
                                        f"save_file; save_file(own.{name}().state_dict(), {str(weights)!r})")
        world.run(world.ptc, "compile", world.folder / "own.pyc", "--entry", name, "--dtype=bf16", "--weights", weights, "--input",
                  f"x=bf16[{sizes}]", "--target=cuda", "-o", library)
        out = world.script(f"""
            sys.path.insert(0, {str(world.folder)!r})
            import own, torch
            from safetensors.torch import load_file
            module = own.{name}().to(torch.bfloat16)
            module.load_state_dict(load_file({str(weights)!r}))
            x = torch.randn({sizes}, generator=torch.Generator().manual_seed(0)).bfloat16()
            with Model(library) as model, torch.no_grad():
                own, eager = model(x).double(), module.double()(x.double())
            print(bool((own - eager).abs().max() <= 0.02 * eager.abs().max()))
            """, library, FAKE_CUDA_PTX="1")
        equal((name, out), (name, "True\n"))


def check_barriers(world):
    """Without any one of its barriers a product by matrix instructions has a race, which the driver finds. The first one is for
    tiles before this one, of which there are none."""
    path, _ = world.compile("def entry(x, y):\n    return x @ y\n", {"args": [{"$tensor": "bf16[136,200]"}, {"$tensor": "bf16[200,72]"}]},
                            "--target=cuda")
    env = {"FAKE_CUDA_PTX": "1", "FAKE_CUDA_RACES": "1", **world.driver()}
    world.run(world.ptc, "run", path, "--call", world.folder / "call.json", **env)
    whole = path.read_bytes()
    barriers = list(re.finditer(rb"bar\.sync \t0;", whole))
    assert len(barriers) >= 4, len(barriers)
    for barrier in barriers[1:]:
        path.write_bytes(whole[:barrier.start()] + b" " * len(barrier[0]) + whole[barrier.end():])
        _, said = world.run(world.ptc, "run", path, "--call", world.folder / "call.json", code=NO_DEVICE, **env)
        assert "PTX line" in said and "shared memory" in said, said


def check_turns(world):
    """What is read across the memory that is written goes through shared memory, whatever the run knows of sizes."""
    for sizes in ("6,70,45", "B in 1..400,70,45", "B in 1..9,N in 2..4000,M in 2..4000"):
        for gpu, text in ptx_of(world, "x.transpose(1, 2).contiguous() + 1", [f"f32[{sizes}]"]):
            equal((gpu, sizes, text.count(".entry"), "st.shared" in text), (gpu, sizes, 1, True))
        source = "def entry(x):\n    return x.transpose(1, 2).contiguous() + 1\n"
        path, _ = world.compile(source, {"args": [{"$tensor": f"f32[{sizes}]"}]}, "--target=cuda", name="libturn.so")
        out = world.script(f"""
            with Model(library) as model:
                for shape in {[(6, 70, 45)] + [(3, 70, 45), (9, 70, 45)] * ("B" in sizes) + [(1, 2, 300), (2, 31, 2)] * ("M" in sizes)}:
                    x = numpy.random.rand(*shape).astype("f")
                    assert (numpy.asarray(model(x)) == x.transpose(0, 2, 1) + 1).all(), shape
            print("same")
            """, path, FAKE_CUDA_PTX="1", FAKE_CUDA_RACES="1")
        equal((sizes, out), (sizes, "same\n"))


def check_narrow_tiles(world):
    """Products of few rows, or columns, read each weight once, 16 bytes at a time, whichever way it lies; what is computed of them
    is in the same kernel, and blocks are many."""
    runs = []
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
        path, _ = world.compile(program, {"args": [{"$tensor": a} for a in arguments]}, "--target=cuda", name=f"lib{len(runs)}.so")
        given = ", ".join(f"torch.zeros({a[a.index('['):]}, dtype=torch.{ {'b': 'bfloat16', 'f16': 'float16', 'f32': 'float32', 'f64': 'float64'}[a[0] if a[0] == 'b' else a[:3]]})"
                          for a in arguments)
        runs.append((f"with Model({str(path)!r}) as model:\n    model({given})\n", blocks, source, arguments))
    world.script("import torch\n" + "".join(text for text, *_ in runs), None)
    launches = "\n".join(world.calls()).split("load machine code")[1:]
    equal(len(launches), len(runs))
    for (_, blocks, *what), lines in zip(runs, launches):
        grids = [int(grid) for grid in re.findall(r"^launch \S+ (\d+) x", lines, re.M)]
        assert max(grids) >= blocks, (what, grids)


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
