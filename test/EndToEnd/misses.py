#!/usr/bin/env python3
"""From a miss to a variant: misses are recorded as examples, `ptc compile --add-variants` compiles for them.

    misses.py --ptc PTC [FILTER] [-v]

Each program is compiled from its first call; the others miss, one by one and as a second round, until the library
answers all of them as eager PyTorch does. In as many rounds as there are, the library has the bytes of one that is
compiled from all calls at once. Then what cannot be added to: each refusal has its number.
"""
import json
import sys
import threading
from pathlib import Path

import compiled
from compare import Tolerance, observation_difference
from eager import EagerProgram
from pycs import compile_pyc

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "lib/Runtime")]
import runner  # noqa: E402

TOLERANCE = Tolerance(rtol=1e-5, atol=1e-6)


def t(spec, **more):
    return {"$tensor": spec, **more}


def call(*args, **kwargs):
    return {"args": list(args), "kwargs": kwargs}


# name: source, calls. The first call is the example; each other one misses.
PROGRAMS = {
    "sizes": ("""
def f(x, k=1):
    if k > 3:
        return x.sum() * k
    return x * 2 if x.dim() == 2 else x - 1
""", [call(t("f32[2,3]")), call(t("f32[2,3]"), k=7), call(t("f32[4]")), call(t("f64[2,3]")),
          call(t("f32[2,3]", strides=[1, 2]), k=1)]),
    "nested": ("""
def f(pair, *more, mode="add", opts=None, scale=1.0):
    x, y = pair
    z = x + y if mode == "add" else x * y
    for item in more:
        z = z + item
    if opts is not None and "bias" in opts:
        z = z + opts["bias"]
    return {"z": z if scale > 0.5 else z * scale, "mode": mode}
""", [call({"$tuple": [t("f32[2]"), t("f32[2]")]}),
          call({"$tuple": [t("f32[2]"), t("f32[2]")]}, mode="m\"u\\l\u00e9\n"),
          call({"$tuple": [t("f32[2]"), t("f32[2]")]}, 3, t("f32[2]"), scale=0.1),
          call({"$tuple": [t("f32[2]"), t("f32[2]")]}, 3, t("f32[2]"), scale=0.75),
          call({"$tuple": [t("f32[2]"), t("f32[2]")]}, opts={"bias": t("f32[2]")}),
          call([t("f32[2]"), {"$same": "args[0][0]"}], opts={"$dict": [[1, 2.5], ["$k", None]]})]),
    "shared": ("""
def f(x, y):
    x.add_(1)
    return x + y
""", [call(t("f32[3]"), t("f32[3]")), call(t("f32[3]"), {"$same": "args[0]"})]),
    "state": ("""
import torch
n = 0
def f(x):
    global n
    n += 1
    return x * n if x.dtype == torch.float32 else x - n
""", [call(t("f32[2]")), call(t("i64[2]")), call(t("i32[2]"))]),
}
# "add-variants" of these would be another program.
OTHER = "def f(x, k=1):\n    return x - 1\n"


class World:
    def __init__(self, ptc, folder):
        self.ptc, self.folder = ptc, folder

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    def pyc(self, name, source):
        out = self.folder / f"{name}.pyc"
        compile_pyc(self.write(f"{name}.py", "import torch\n" + source), out)
        return out

    def calls(self, name, calls):
        """One file per call, with values: the examples' contents decide nothing, the calls' do."""
        return [self.write(f"{name}_{i}.json", json.dumps(one) + "\n") for i, one in enumerate(calls)]

    def run(self, *args, code=0):
        got = compiled.execute([str(self.ptc), *map(str, args)], 120)
        if got[0] != code:
            raise AssertionError(f"{args}: exit code {got[0]}, expected {code}\n{got[2]}")
        return got[2]

    def output(self, *args):
        """What it prints on standard output."""
        code, out, err = compiled.execute([str(self.ptc), *map(str, args)], 120)[:3]
        assert code == 0, f"{args}: exit code {code}\n{err}"
        return out

    def compile(self, pyc, out, examples, *more):
        out.parent.mkdir(exist_ok=True)
        given = [word for path in examples for word in ("--example", path)]
        self.run("compile", pyc, "-o", out, *given, *more)
        return out


def values(spec, seed):
    """A tensor of the notation with values in it, for eager and ptc alike."""
    if not isinstance(spec, dict):
        return [values(v, seed) for v in spec] if isinstance(spec, list) else spec
    if "$tensor" not in spec:
        return {k: values(v, seed + i) for i, (k, v) in enumerate(spec.items())}
    sizes = [int(n) for n in spec["$tensor"].split("[")[1].rstrip("]").split(",") if n]
    count = 1
    for n in sizes:
        count *= n
    return {**spec, "values": [seed + i for i in range(count)]}


def check_program(world, name):
    source, calls = PROGRAMS[name]
    pyc = world.pyc(name, source)
    calls = [values(c, 1 + i) for i, c in enumerate(calls)]
    paths = world.calls(name, calls)
    library = world.compile(pyc, world.folder / "first/libmodel.so", paths[:1], "--entry", "f")
    examples = [paths[0]]
    for n, path in enumerate(paths[1:], 2):
        misses = world.folder / f"{name}_misses_{n}.jsonl"
        record = ("--record-misses", misses, "--call", path, "--call", path)
        world.run("run", library, *record, code=14)
        lines = misses.read_text().splitlines()
        assert len(lines) == 1, f"{path} was recorded as {lines}"
        world.run("run", library, *record, code=14)
        assert misses.read_text().splitlines() == lines, "a call was recorded twice"
        examples.append(misses)
        library = world.compile(pyc, world.folder / f"round{n}/libmodel.so", [misses], "--add-variants", library)
        at_once = world.compile(pyc, world.folder / f"once{n}/libmodel.so", examples, "--entry", "f")
        assert library.read_bytes() == at_once.read_bytes(), f"{n} rounds gave other bytes than one"
        misses.unlink()
        hits = [word for p in paths[:n] for word in ("--call", p)]
        world.run("run", library, "--record-misses", misses, *hits)
        assert not misses.read_text(), "a call that fits was recorded"
        misses.write_text("\n".join(lines) + "\n")
    got = compiled.run(world.ptc, library, [], paths, world.folder / "out.jsonl")
    program = EagerProgram(world.folder / f"{name}.py", "f")
    for one, seen in zip(calls, got.calls, strict=True):
        text = observation_difference(program.observe(one), seen, TOLERANCE)
        assert not text, f"{one}: {text}"


def check_loader(world):
    """The Python loader, on several threads that record into one file."""
    import torch
    import ptc_loader
    source, calls = PROGRAMS["nested"]
    pyc = world.pyc("loaded", source)
    library = world.compile(pyc, world.folder / "libmodel.so", world.calls("loaded", calls[:1]), "--entry", "f")
    misses = world.folder / "misses.jsonl"
    x, y = torch.ones(2), torch.ones(2)
    made = [((x, y),), ((x.double(), y),), ([x, y],), ((x, y), torch.ones(3, 2).t())]
    keywords = [{"mode": "é"}, {"mode": "add"}, {"opts": {"bias": 2, "$x": float("inf")}}, {"scale": 0.25}]

    def work():
        with ptc_loader.Model(str(library)) as model:
            model.record_misses(str(misses))
            for _ in range(5):
                for args, kwargs in zip(made, keywords):
                    try:
                        model(*args, **kwargs)
                    except ptc_loader.NoVariant as miss:
                        assert "not recorded" not in str(miss), miss
                    else:
                        raise AssertionError(f"{args}, {kwargs} has a variant")
            done.append(True)

    done = []
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) == 4, "a thread broke off"
    pair = {"$tuple": [t("f32[2]"), t("f32[2]")]}
    expected = [call(pair, mode="é"), call({"$tuple": [t("f64[2]"), t("f32[2]")]}, mode="add"),
                call([t("f32[2]")] * 2, opts={"$dict": [["bias", 2], ["$x", {"$float": "inf"}]]}),
                call(pair, t("f32[2,3]", strides=[1, 2]), scale=0.25)]
    found = [json.loads(line) for line in misses.read_text().splitlines()]
    key = lambda c: json.dumps(c, sort_keys=True)
    assert sorted(map(key, found)) == sorted(map(key, expected)), found
    new = world.compile(pyc, world.folder / "libnew.so", [misses], "--add-variants", library)
    with ptc_loader.Model(str(new)) as model:
        for args, kwargs in zip(made[:2], keywords):
            torch.testing.assert_close(model(*args, **kwargs)["z"], args[0][0] * args[0][1] if kwargs["mode"] == "é"
                                       else args[0][0] + args[0][1])
        model.record_misses(str(world.folder / "object.jsonl"))
        try:
            model(object())
        except ptc_loader.NoVariant as miss:
            assert "the call is not recorded: object has no form in examples" in str(miss), miss
        try:
            model.record_misses("/nonexistent/x.jsonl")
        except ptc_loader.PtcError as problem:
            assert "cannot be written" in str(problem), problem
        else:
            raise AssertionError("a file that cannot be written was taken")


def check_refusals(world):
    source, calls = PROGRAMS["sizes"]
    pyc, other = world.pyc("refused", source), world.pyc("other", OTHER)
    more = world.pyc("several", source + "\ndef g(x, k=1):\n    return x\n")
    net = world.pyc("net", """
class Net(torch.nn.Module):
    def __init__(self, n=2):
        super().__init__()
        self.linear = torch.nn.Linear(2, n)

    def forward(self, x):
        return self.linear(x)
""")
    example, second = world.calls("refused", [calls[0], call(t("f32[5,2]"))])
    old = world.compile(pyc, world.folder / "libold.so", [example])
    stripped = world.compile(pyc, world.folder / "libstripped.so", [example], "--strip-ir")
    f = world.compile(more, world.folder / "libf.so", [example], "--entry", "f")
    nets = world.compile(net, world.folder / "libnet.so", [second], "--init", '{"n": 3}')
    foreign = world.folder / "libforeign.so"
    foreign.write_bytes(Path("/lib/x86_64-linux-gnu/libc.so.6").read_bytes())
    out = world.folder / "libnew.so"
    damaged = world.folder / "libdamaged.so"
    damaged.write_bytes(old.read_bytes().replace(b'"examples":[{"args"', b'"examples":[{"argz"'))
    broken = world.folder / "libbroken.so"
    broken.write_bytes(old.read_bytes().replace(b'{"program":', b'{"program";'))
    ir = world.folder / "ir.mlir"
    world.run("inspect-graph", pyc, "--example", example, "--format=mlir", "-o", ir)
    weights = world.folder / "w.safetensors"
    import torch
    from notation import save_safetensors
    save_safetensors(weights, {"linear.weight": torch.ones(3, 2), "linear.bias": torch.ones(3)})
    weighted = world.compile(net, world.folder / "libweighted.so", [second], "--init", '{"n": 3}',
                             "--weights", weights)
    others = world.folder / "others.safetensors"
    save_safetensors(others, {"linear.weight": torch.ones(3, 2), "linear.bias": torch.zeros(3)})
    add = "--add-variants"
    for args, code, text in [
            ([pyc, add, stripped], 4, "[PTC3350]"), ([pyc, add, foreign], 3, "[PTC3001]"),
            ([pyc, add, broken], 4, "[PTC3350]"), ([pyc, add, damaged], 4, "[PTC3301]"),
            ([pyc, add, world.folder / "libnone.so"], 3, "[PTC3001]"), ([pyc, add, example], 3, "[PTC3001]"),
            ([other, add, old], 2, "another program"), ([ir, add, old], 2, "needs the .pyc"),
            ([old, add, old], 2, "needs the .pyc"),
            ([more, add, f, "--entry", "g"], 2, "the entry 'f', not 'g'"),
            ([net, add, nets, "--init", '{"n": 4}'], 2, "other arguments of the class"),
            ([net, add, nets, "--weights", weights], 2, "the program without --weights"),
            ([net, add, weighted], 2, "give them with --weights"),
            ([net, add, weighted, "--weights", others], 2, "other weights")]:
        err = world.run("compile", *args, "-o", out, code=code)
        assert text in err and "[PTC" in err, f"{args}: {err}"
        assert not out.exists(), f"{args} wrote a library"
    # What is not said is taken from the old library; a module before the entry's name changes nothing.
    world.run("compile", net, add, nets, "-o", out)
    world.run("run", out, "--call", second)
    world.run("compile", net, add, weighted, "--weights", weights, "-o", out)
    world.run("compile", more, add, f, "--entry", "several:f", "-o", out)
    for args, text in [(["run", pyc, "--example", example, "--record-misses", "m.jsonl"], "needs a library"),
                       (["run", old, "--call", example, "--record-misses", "m.json"], "must end in .jsonl")]:
        err = world.run(*args, code=2)
        assert text in err, err
    world.run("run", old, "--call", example, "--record-misses", "/nonexistent/m.jsonl", code=6)


def check_options(world):
    """How sizes are treated stays as it was, unless something else is asked for."""
    source, calls = PROGRAMS["sizes"]
    pyc = world.pyc("options", source)
    a, b, c = world.calls("options", [calls[0], call(t("f32[4,3]")), call(t("f32[9,3]"))])
    old = world.compile(pyc, world.folder / "libold.so", [a], "--dynamic=none")
    new = world.compile(pyc, world.folder / "libnew.so", [b], "--add-variants", old)
    world.run("run", new, "--call", a, "--call", b)
    world.run("run", new, "--call", c, code=14)
    new = world.compile(pyc, world.folder / "libnew.so", [b], "--add-variants", old, "--dynamic=auto")
    world.run("run", new, "--call", a, "--call", b, "--call", c)
    declared = world.folder / "declared"
    declared.mkdir()
    words = ["--input", "x=f32[B in 2..64,3]"]
    old = world.compile(pyc, declared / "libold.so", [], *words)
    world.run("run", old, "--call", c)
    new = world.compile(pyc, declared / "libnew.so", world.calls("declared", [calls[1]]), "--add-variants", old)
    world.run("run", new, "--call", c)
    at_65 = world.calls("large", [call(t("f32[65,3]"))])[0]
    world.run("run", new, "--call", at_65, code=14)


def check_malformed(world):
    """What no example can be like is not recorded, and the miss says why; what is recorded can be compiled for."""
    pyc = world.pyc("malformed", "def f(x, opts=None, /, *more, k, l=2):\n    return x\n")
    x = t("f32[2,3]")
    library = world.compile(pyc, world.folder / "libm.so", world.calls("good", [call(x, k=1)]))
    bad = {"'x' has no value and no default": call(k=1), "'k' has no value and no default": call(x, 2, 3)}
    for i, (why, one) in enumerate(bad.items()):
        misses = world.folder / f"bad{i}.jsonl"
        err = world.run("run", library, "--call", world.calls(f"bad{i}", [one])[0], "--record-misses", misses, code=14)
        assert f"not recorded: {why}" in err and not misses.read_text(), (err, misses.read_text())
    good = [call(t("f32[2,3,4]"), k=1), call(t("i64[2,3]"), k=1), call(None, k=1), call(x, 1, 2, 3, k="t"), call(t("f32[0,3]"), k={"$float": "nan"}),
            call(t("c64[2,3]"), k=3), call([x], {"$set": [1]}, k=None), call({"$dtype": "float32"}, k={"$device": "cuda:0"})]
    misses = world.folder / "good.jsonl"
    for path in world.calls("miss", good):
        world.run("run", library, "--call", path, "--record-misses", misses, code=14)
    assert len(misses.read_text().splitlines()) == len(good), misses.read_text()
    world.compile(pyc, world.folder / "libnew.so", [misses], "--add-variants", library)
    err = world.run("run", library, "--call", world.calls("rank", [call(t(f"f32[{','.join('1' * 65)}]"), k=1)])[0], code=4)
    assert "[PTC3308]" in err, err
    pyc = world.pyc("twice", "def f(x, k=1):\n    return x\n")
    library = world.compile(pyc, world.folder / "libt.so", world.calls("t", [call(x)]))
    misses = world.folder / "twice.jsonl"
    err = world.run("run", library, "--call", world.calls("twice", [call(x, x=1)])[0], "--record-misses", misses, code=14)
    assert "not recorded: 'x' has two values" in err and not misses.read_text(), err


WORLD = """
import os

try:
    import math
    HAS = 1.0
except ImportError:
    HAS = 2.0
try:
    import no_such
    THERE = 4.0
except ImportError:
    THERE = 8.0
try:
    import flash_attn
except ImportError:
    flash_attn = None
import extra
import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x + extra.ZERO + HAS + THERE + float(os.environ.get("SCALE", "16")) + (64.0 if self.training else 128.0)
"""


def check_world(world):
    """What was said of modules, variables and the mode goes with the library, and is shown of it."""
    pyc = world.pyc("world", WORLD)
    a, b = world.calls("world", [values(call(t(spec)), 0) for spec in ("f32[2,3]", "f32[2]")])
    further = world.pyc("further/extra", "ZERO = 0.0\n").parent
    said = ["--absent=math", "--opaque=no_such", "--env=SCALE=32", "--eval", "-I", further]
    old = world.compile(pyc, world.folder / "libold.so", [a], "--dynamic=none", "--entry=Net", *said)
    new = world.compile(pyc, world.folder / "libnew.so", [b], "--add-variants", old)
    again = world.compile(pyc, world.folder / "libagain.so", [b], "--add-variants", new, *said)
    for library, example in ((old, a), (new, a), (new, b), (again, b)):
        printed = world.output("run", library, "--call", example)
        assert "166." in printed and "167." in printed, printed
        world.run("verify", library, "--example", example)
    out = world.folder / "libout.so"
    for option in ("--absent=json", "--opaque=json", "--env=SCALE=33", "--train", f"-I{world.folder}"):
        err = world.run("compile", pyc, "--add-variants", old, option, "-o", out, code=2)
        assert "it was compiled from" in err and "[PTC" in err, err
        assert not out.exists(), f"{option} wrote a library"
    # The same of the program and of its library, in text, in the manifest and in the library itself.
    words = [pyc, "--example", a, "--dynamic=none", "--entry=Net", *said]
    texts = [world.output("inspect-graph", *given) for given in (words, [old])]
    shown = [text[text.index("\nassumptions\n"):] for text in texts]
    assert shown[0] == shown[1], shown
    for part in ("'math'", "'flash_attn'", "os.environ['SCALE']"):
        assert part in shown[1], shown[1]
    manifests = [json.loads(world.output("inspect-graph", *given, "--format=json")) for given in (words, [old])]
    bytes_of = old.read_bytes()
    begin = bytes_of.index(b'{\n  "entry"')
    manifests.append(json.JSONDecoder().raw_decode(bytes_of[begin:bytes_of.index(b"\0", begin)].decode())[0])
    for manifest in manifests:
        assert [(row["text"].split("'")[1], row["line"]) for row in manifest["assumptions"]] == [("math", 6), ("flash_attn", 16)], manifest["assumptions"]
        assert [(row["name"], row["answer"]) for row in manifest["world"]] == [("os.environ['SCALE']", "'32'")], manifest["world"]


def main():
    args = runner.options(__doc__).parse_args()
    cases = {name: lambda world, name=name: check_program(world, name) for name in PROGRAMS}
    cases |= {"loader": check_loader, "refusals": check_refusals, "options": check_options, "malformed": check_malformed, "world": check_world}
    return runner.run_in_folders([(name, lambda folder, case=case: case(World(Path(args.ptc), folder))) for name, case in cases.items()],
                                 args)


if __name__ == "__main__":
    sys.exit(main())
