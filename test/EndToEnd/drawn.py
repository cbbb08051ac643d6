"""Generated modules as native code, against eager PyTorch: for two CPUs, with one thread and with three.

The library for a CPU that this machine is not is made, looked at and not run. What makes modules gives (source of a class
Net, shapes of its arguments by name). "B" in a shape stands for a size that only the run knows; an argument "mask" is of
bool, "number" is one number, the others are of f32.
"""
import copy
import sys
import tempfile
from pathlib import Path

import torch

import compiled  # noqa: F401  (finds notation)
import pycs
from notation import save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "lib/Runtime"))
import batch  # noqa: E402
import machine  # noqa: E402
import ptc_loader  # noqa: E402
import runner  # noqa: E402

CPUS = ["x86-64-v3", "x86-64-v4"]
RUNS = [2, 7, 65]  # values of B
BOUNDS = {torch.bfloat16: 2e-2, torch.float16: 4e-3}  # of differences, relative and absolute; others: 2e-4


def draw(name, shape, generator):
    return torch.rand(shape, generator=generator) > 0.5 if name == "mask" else torch.randn(shape, generator=generator)


def options_of(shapes):
    """--input of each argument."""
    out = []
    for name, shape in shapes.items():
        sizes = ["B in 2..65" if n == "B" else str(n) for n in shape]
        out += ["--input", f"{name}={'bool' if name == 'mask' else 'f32'}[{','.join(sizes)}]"]
    return out


def difference(got, wanted):
    if isinstance(wanted, tuple):
        return next(filter(None, map(difference, got, wanted)), None)
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{got.dtype} {tuple(got.shape)} instead of {wanted.dtype} {tuple(wanted.shape)}"
    if got.numel() > 1 and got.stride() != wanted.stride():
        return f"has strides {got.stride()} instead of {wanted.stride()}"
    if wanted.dtype == torch.bool:
        return None if (got != wanted).float().mean() < 0.01 else "other truth values"
    bound = BOUNDS.get(wanted.dtype, 2e-4)
    if torch.allclose(got.float(), wanted.float(), rtol=bound, atol=bound, equal_nan=True):
        return None
    return f"differs by {(got.float() - wanted.float()).abs().max():.3g}"


def in_double(net, given):
    """What the program gives in double precision, or None where it names types that do not go with it."""
    wide = {name: t.double() if t.is_floating_point() else t for name, t in given.items()}
    try:
        with torch.no_grad():
            return copy.deepcopy(net).double()(**wide)
    except RuntimeError:
        return None


def is_nearer(got, wanted, exact):
    """Whether all results are at least as near to the exact ones as eager's, which rounding has moved further."""
    if exact is None:
        return False
    if isinstance(wanted, tuple):
        return all(map(is_nearer, got, wanted, exact))
    same_kind = got.dtype == wanted.dtype and got.shape == wanted.shape == exact.shape and got.stride() == wanted.stride()
    if not same_kind or not got.is_floating_point():
        return False
    return bool((got.double() - exact).abs().max() <= (wanted.double() - exact).abs().max())


def compare(library, net, shapes, generator, counts=(1, 3)):
    is_dynamic = any("B" in shape for shape in shapes.values())
    for size in RUNS if is_dynamic else [None]:
        given = {name: draw(name, tuple(size if n == "B" else n for n in shape), generator) for name, shape in shapes.items()}
        with torch.no_grad():
            wanted = net(**given)
        for threads in counts:
            model = ptc_loader.Model(library, threads=threads)
            got = model(**given)
            text = difference(got, wanted)
            model.close()
            if text and not is_nearer(got, wanted, in_double(net, given)):
                return f"{threads} threads{f', B = {size}' if is_dynamic else ''}: {text}"
    return None


def make(folder, source, generator):
    """Writes the .pyc and the weights of a program; its module."""
    (folder / "model.py").write_text(source)
    pycs.compile_pyc(folder / "model.py", folder / "model.pyc")
    scope = {}
    exec(compile(source, "model.py", "exec"), scope)
    net = scope["Net"]()
    for p in net.parameters():
        torch.nn.init.normal_(p, generator=generator)
    save_safetensors(folder / "w.safetensors", {k: v.detach() for k, v in net.state_dict().items()})
    return net


def compile_library(ptc, folder, name, options, shapes):
    """(library, None or what ptc said)"""
    library = folder / f"{name}.so"
    command = [ptc, "compile", folder / "model.pyc", "--entry", "Net", "--weights", folder / "w.safetensors",
               *options, "-o", library, *options_of(shapes)]
    made = batch.run(command, timeout=300)
    return library, made.stderr.decode()[:400] if made.returncode else None


def check_instructions(library, plain):
    """Of a library for a CPU that this one is not, which refuses to be opened here: what is wrong, or NotRun.

    `plain` is the library for the first of CPUS. A program of few elements may have nothing that vectors of AVX-512 do better.
    """
    if machine.has_avx512(plain):
        return f"the library for {plain.stem} has instructions of AVX-512"
    has = "" if machine.has_avx512(library) else "no "
    return runner.NotRun(f"no {library.stem} here; its library has {has}instructions of AVX-512, that for {plain.stem} none")


def check_on(ptc, program, seed, targets, counts=(1, 3)):
    """{target: None, what is wrong, or NotRun} of `targets`, which have options of ptc, with so many threads."""
    source, shapes = program
    generator, found = torch.Generator().manual_seed(seed), {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        net = make(folder, source, generator)
        for target, options in targets.items():
            library, said = compile_library(ptc, folder, target, options, shapes)
            if said or target not in CPUS or machine.can_run(target):
                text = said or compare(library, net, shapes, generator, counts)
            else:
                text = check_instructions(library, folder / f"{CPUS[0]}.so")
            found[target] = text if text is None or isinstance(text, runner.NotRun) else f"{text}\n{source}\n{shapes}"
    return found


def seeds_of(args, usual):
    """{name: seed}. Without --seeds, --first and FILTER each of the usual ones has one day of two."""
    first, count = args.first or 1, args.seeds or usual
    names = {f"seed-{seed}": seed for seed in range(first, first + count)}
    every = args.seeds or args.first or args.filter
    return {name: seed for name, seed in names.items() if args.filter in name and (every or runner.is_turn(name, of=2))}


def main(program, doc, usual):
    """Runs seeds of `program`, a function from a seed to (source, shapes)."""
    parser = runner.options(doc)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first", type=int)
    args = parser.parse_args()
    seeds = runner.part_of(args, seeds_of(args, usual).values())
    report, on = runner.Report(args.v), {cpu: ["--cpu", cpu] for cpu in CPUS}
    for seed, outcome in zip(seeds, runner.outcomes(lambda seed: check_on(args.ptc, program(seed), seed, on), seeds, args.j)):
        for cpu in CPUS:
            report.case(f"seed-{seed} on {cpu}", outcome.wrong if outcome.value is None else outcome.value[cpu], outcome.seconds)
    return report.finish()
