#!/usr/bin/env python3
"""One table of programs on every target, against eager PyTorch: x86-64, cuda, and the reference evaluator (null).

    conformance.py --ptc PTC [FILTER] [--target TARGET]... [--all] [-j N] [-v]

The table: a call of every ATen record, in float32 and another element type of floats each day (spellings.py; --all: in each); products, attention, long sums and
changes of order of sizes around those of tiles; programs of table.py and of on_gpu/families.py; seeds of the generators of products, rows, convolutions and images (epilogues.py, rows.py, convolutions.py, images.py).
Of seeds and programs another part each day; --all or FILTER: all.
Native programs of table.py and seeds are compared on x86-64 by library.py and those scripts, on the reference evaluator
by run.py; here that is done with --all.

Kernels run on a GPU if there is a driver; elsewhere test/Device executes their PTX, looks for accesses out of bounds and
for races, and any is a failure. Programs that draw random numbers are not compared on cuda. Where libdevice is missing
(PTC_CUDA, tools/cuda.sh), cuda is left out.
"""
import collections
import ctypes
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import torch

import compiled
import convolutions
import drawn
import epilogues
import images
import rows
import spellings
from library import LibraryJob
from run import Seen, prepare
from table import HERE, Case, Tolerance, all_cases

sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE / "on_gpu"))
import families  # noqa: E402
import runner  # noqa: E402

TARGETS = ["x86-64", "cuda", "null"]
VERSION = "%d.%d" % sys.version_info[:2]     # those of others give the same graphs: run.py
# Element types of calls, and what results may differ by.
TYPES = {torch.float32: spellings.CLOSE, torch.float64: Tolerance(1e-12, 1e-13), torch.bfloat16: Tolerance(2e-2, 2e-2),
         torch.float16: Tolerance(2e-3, 2e-3)}
# Of sums of hundreds of terms around 0, which eager adds up in another order.
SUMS = {**TYPES, torch.float32: Tolerance(1e-5, 5e-5), torch.float64: Tolerance(1e-12, 1e-11)}
GROUP = 32
GENERATORS = {"epilogue": epilogues.program, "rows": rows.program, "convolutions": convolutions.program, "images": images.program}
SEEDS, DAYS_OF_SEEDS = 60, 10                  # without --all each seed has its day
# Programs of table.py that are neither models nor examples, too: another one of so many each day.
SOME = 12
# Those that once found something are there as well.
FOUND = {"aliasing.view_of_fresh", "conversions.texts_of_floats", "convolutions-53", "sizes.run_time_slice", "tensor_api.fine_print",
         "tensor_api.promotion"}


ATTENTION = "F.scaled_dot_product_attention({0}, {1}, {2}%s)"
# Calls of sizes around those of tiles, with an element type of floats for each of them.
TILES = [
    ("{0} @ {1}", ["f32[130,70]", "f32[70,90]"], "f32 f64 bf16 f16"),
    ("{0} @ {1}", ["f32[500,40]", "f32[40,700]"], "f32"),
    ("{0} @ {1}", ["f32[300,40]", "f32[40,300]"], "f64"),
    ("{0} @ {1}", ["f32[136,72]", "f32[72,200]"], "bf16 f16"),
    ("{0}.t() @ {1}.t()", ["f32[72,136]", "f32[200,72]"], "f32 bf16"),
    ("{0} @ {1}.t()", ["f32[65,33]", "f32[31,33]"], "f32 bf16 f16"),
    ("F.gelu({0}.t() @ {1}.t() + {2})", ["f32[104,80]", "f32[136,104]", "f32[136]"], "bf16"),
    ("F.linear({0}, {1}, {2})", ["f32[32,264]", "f32[100,264]", "f32[100]"], "f32 f16"),
    ("F.linear({0}, {1})", ["f32[1,300]", "f32[77,300]"], "f32 bf16"),
    ("torch.bmm({0}, {1})", ["f32[3,50,96]", "f32[3,96,72]"], "f32 bf16"),
    ("torch.bmm({0}, {1}.transpose(1, 2))", ["f32[5,34,40]", "f32[5,66,40]"], "bf16 f16"),
    ("F.relu(F.conv2d({0}, {1}, {2}, padding=1))", ["f32[2,64,9,9]", "f32[64,64,3,3]", "f32[64]"], "bf16"),
    ("F.conv2d({0}, {1}, stride=2, dilation=2, groups=3)", ["f32[2,33,17,15]", "f32[48,11,3,3]"], "f32 bf16"),
    ("F.conv2d({0}, {1}, stride=2)", ["f32[3,5,12,12]", "f32[20,5,2,2]"], "f32 f16"),
    (ATTENTION % ", is_causal=True", ["f32[2,2,100,64]"] * 3, "bf16 f16 f32"),
    (ATTENTION % "", ["f32[1,3,77,64]", "f32[1,3,95,64]", "f32[1,3,95,48]"], "bf16"),
    (ATTENTION % ", attn_mask={3}", ["f32[2,2,65,32]"] * 3 + ["f32[2,1,65,65]"], "bf16 f16"),
    (ATTENTION % ", is_causal=True", ["f32[1,1,130,128]"] * 3, "bf16"),
    (ATTENTION % "", ["f32[2,50,40]"] * 3, "bf16 f32"),
    ("{0}.sum()", ["f32[300,1001]"], "f32 bf16"),
    ("{0}.sum(0)", ["f32[1200,70]"], "f32 f64"),
    ("{0}.mean(1)", ["f32[5,3000]"], "f32 f16"),
    ("{0}.softmax(-1)", ["f32[33,1000]"], "f32 bf16"),
    ("F.layer_norm({0}, (768,), {1}, {1})", ["f32[9,768]", "f32[768]"], "f32 bf16"),
    ("F.log_softmax({0}, 1) * 2", ["f32[7,5003]"], "f32"),
    ("{0}.transpose(1, 2).contiguous()", ["f32[3,70,45]"], "f32 bf16"),
    ("{0}.cumsum(1)", ["f32[4,300]"], "f32"),
    ("{0}.logcumsumexp(1)", ["f32[4,300]"], "f32 f64 bf16"),
    ("torch.lgamma({0} * 9)", ["f32[999]"], "f32 f64 bf16"),
    ("torch.digamma({0}.abs() * 9)", ["f32[999]"], "f32 f64"),
    ("torch.erfinv({0} / ({0}.abs() + 0.01))", ["f32[999]"], "f32 f64"),
    ("torch.kthvalue({0}, 3, 1)", ["f32[7,50]"], "f32"),
    ("torch.combinations({0}, 3)", ["f32[9]"], "f32"),
    ("F.ctc_loss({0}.log_softmax(2), {1} % 8 + 1, [30, 20, 25], [6, 5, 6])", ["f32[30,3,10]", "i64[3,6]"], "f32 f64"),
    ("torch.fmod({0} * 9e3, {1} / 7)", ["f32[999]", "f32[999]"], "f32 f64 bf16 f16"),
    ("torch.remainder({0} * 9e3, {1} / 7)", ["f32[999]", "f32[999]"], "f32 f64 bf16 f16"),
    ("({0} * 9e3 % 0.1, ({0} * 1e6).fmod(1e-3), ({0} * 20).round() % 4, torch.remainder(7, {0}))", ["f32[999]"], "f32 f64"),
    ("F.max_pool2d({0}, 3, 2, 1)", ["f32[2,7,21,21]"], "f32 bf16"),
    ("F.cross_entropy({0}, {1})", ["f32[40,500]", "i64[40]"], "f32"),
]
NAMES = {"f32": torch.float32, "f64": torch.float64, "bf16": torch.bfloat16, "f16": torch.float16}


# Where kernels run -------------------------------------------------------------------------------


def has_gpu():
    """Whether the driver of this machine finds one. Asked elsewhere: it stays in a process."""
    asked = "import ctypes, sys; sys.exit(ctypes.CDLL('libcuda.so.1').cuInit(0))"
    return subprocess.run([sys.executable, "-c", asked], capture_output=True).returncode == 0


def libdevice():
    """The folder that it is in, two levels up as toolkits and packages have it; none: it is not there."""
    named = os.environ.get("PTC_CUDA")
    roots = [named] if named else [os.environ.get(n) for n in ("CUDA_HOME", "CUDA_PATH")] + ["/usr/local/cuda"]
    places = [Path(root, below) for root in roots if root
              for below in ("nvvm/libdevice", "nvidia/cu13/nvvm/libdevice", "nvidia/cuda_nvcc/nvvm/libdevice")]
    return next((place for place in places if (place / "libdevice.10.bc").exists()), None)


def without_gpu(ptc, scratch):
    """Makes processes find the driver that executes, and ptc write PTX alone: nothing else has to be assembled."""
    tools = scratch / "tools/nvvm"
    tools.mkdir(parents=True)
    (tools / "libdevice").symlink_to(libdevice().resolve())
    driver = compiled.driver_folder(ptc)
    os.environ.update(PTC_CUDA=str(scratch / "tools"), LD_LIBRARY_PATH=str(driver), FAKE_CUDA_RACES="1")
    ctypes.CDLL(str(driver / "libcuda.so.1"))  # this process and its workers look where it says no more
    return ("--gpu=sm_80",)


# Programs of examples ------------------------------------------------------------------------------


class TargetJob(LibraryJob):
    """A case, on one target after the other."""
    of_cuda = ()                               # options

    def draws(self):
        return self.has_drawn or "Generator(" in self.case.source.read_text()

    def check_on(self, target, ptc, scratch, limit=120):
        if target == "null":
            return super(LibraryJob, self).check(ptc, VERSION, None, scratch, limit)
        self.target, self.of_target = target, self.of_cuda if target == "cuda" else ()
        path = self.folder / target / "libmodel.so"
        seen = self.make(ptc, VERSION, path, scratch, limit)
        if seen:
            return seen
        got = compiled.run(ptc, path, [], self.calls, path.parent / "out.jsonl", limit=limit)
        if target == "cuda" and self.draws() and got.kind == "ran":
            return Seen("drawn")
        return Seen(*self.judge(got))


def family_cases(folder):
    """Entries of on_gpu/families.py, with tensors drawn for what their calls say."""
    from notation import decode_call
    for name, args in families.CALLS.items():
        if name == "drawn":
            continue
        generator = torch.Generator().manual_seed(3)
        values = [decode_call({"args": [a]}, folder)[0][0] if "values" in a else drawn_tensor(a["$tensor"], generator)
                  for a in args]
        yield Case(f"families.{name}", Path(families.__file__), name, calls=[{"args": values}], folder=folder,
                   tolerance=Tolerance(1e-5, 2e-5) if name != "products" else Tolerance(2e-2, 2e-2))


def drawn_tensor(text, generator):
    """Of `f32[2,3]`."""
    kind, sizes = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()
    shape = [int(n) for n in sizes.split(",")]
    if kind == "bool":
        return torch.rand(shape, generator=generator) > 0.5
    if kind == "i64":
        return torch.randint(0, 9, shape, generator=generator)
    return torch.randn(shape, generator=generator).to(NAMES[kind])


def is_selected(case, every):
    """Of models and examples one of three each day, and fewer of the others."""
    return every or runner.is_turn(case.name, of=SOME if "." in case.name else 3) or case.name.startswith("families") \
        or case.name in FOUND


# Calls of records ----------------------------------------------------------------------------------


@dataclass
class Group:
    """Calls of records that are one program."""
    name: str
    calls: list
    tolerance: Tolerance


def with_type(call, dtype):
    """The same call on floats of another type; none: it has none, or eager does not take it."""
    if dtype == torch.float32:
        return call
    if not any(t.dtype == torch.float32 for t in call.tensors):
        return None
    made = object.__new__(spellings.Call)
    made.__dict__.update(vars(call))
    made.tensors = [t.to(dtype) if t.dtype == torch.float32 else t for t in call.tensors]
    return made if made.eager() else None


def call_groups(build):
    """A call of each record, under its first spelling; those that draw random numbers by themselves."""
    calls, _ = spellings.find_calls(build, "")
    _, records = spellings.aten_table.load(build / "include/ptc/Dialect/Aten/IR/AtenOps.json")
    random = {record.name for record in records if "OpFlag::Random" in record.flags()}
    first = {}
    for call in calls:
        if call.record not in spellings.MAY_REFUSE:
            first.setdefault(call.record, call)
    for dtype in TYPES:
        kind = str(dtype).removeprefix("torch.")
        typed = [c for c in (with_type(call, dtype) for call in first.values()) if c]
        for name, is_random in (("records", False), ("random", True)):
            made = [call for call in typed if (call.record in random) == is_random]
            for at in range(0, len(made), GROUP):
                yield Group(f"{name}-{kind}-{at // GROUP}", made[at:at + GROUP], TYPES[dtype])


def tile_groups():
    """Calls of TILES, by element type."""
    generator = torch.Generator().manual_seed(11)
    for kind, dtype in NAMES.items():
        made = []
        for expression, specs, kinds in TILES:
            if kind in kinds.split():
                call = object.__new__(spellings.Call)
                call.expression = expression.replace("F.", "torch.nn.functional.")
                call.name = f"{expression} of {', '.join(specs)}"
                call.record = next(iter(spellings.AS_RECORDED))  # elements are as they are drawn here
                call.tensors = [drawn_tensor(spec.replace("f32", kind), generator) for spec in specs]
                made.append(call)
        for at in range(0, len(made), 8):
            yield Group(f"tiles-{kind}-{at // 8}", made[at:at + 8], SUMS[dtype])


def without_code(seen, calls):
    """Calls that the target has no code for: the diagnostics name their lines."""
    head = spellings.PRELUDE.count("\n") + 3   # the line of the first one
    lines = {int(n) for n in re.findall(r"group\.py:(\d+):\d+: error:", seen.text)}
    return [call for k, call in enumerate(calls) if head + k in lines]


def check_group(group, targets, ptc, scratch):
    """{target: (wrong by call, calls that were compared, those without native code)}"""
    found, calls = {}, list(group.calls)
    for target in targets:
        wrong, left_out, work, drawn_calls = {}, [], [calls], 0
        while work:
            part = work.pop()
            seen = check_calls(part, group.tolerance, target, ptc, scratch)
            refused = []
            if seen.verdict == "no native code":
                refused = part if len(part) == 1 else without_code(seen, part)
            if refused:                        # the same for all targets with native code
                left_out += refused
                work += [rest] if (rest := [c for c in part if c not in refused]) else []
            elif seen.verdict == "drawn":
                drawn_calls += len(part)
            elif seen.verdict != "ok":
                if len(part) == 1:
                    wrong[part[0].name] = f"{seen.verdict}: {seen.text}\n{part[0].expression}"
                else:
                    work += [part[:len(part) // 2], part[len(part) // 2:]]
        found[target] = wrong, len(calls) - len(left_out) - drawn_calls, [call.name for call in left_out]
    return found


def check_calls(calls, tolerance, target, ptc, scratch):
    with tempfile.TemporaryDirectory(dir=scratch) as name:
        folder = Path(name)
        case = spellings.case_of(calls, folder, "group")
        case.tolerance = tolerance
        return TargetJob(case, folder).check_on(target, ptc, folder)


# Seeds of generators ---------------------------------------------------------------------------------


def check_seed(name, seed, targets, ptc):
    """{target: what is wrong, or None}"""
    kinds = {"x86-64": ["--cpu", drawn.CPUS[0]], "cuda": ["--target=cuda", *TargetJob.of_cuda]}
    return drawn.check_on(ptc, GENERATORS[name](seed), seed, {t: kinds[t] for t in targets if t in kinds}, counts=[1])


# -----------------------------------------------------------------------------------------------------


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--target", choices=TARGETS, action="append", help="default: all")
    parser.add_argument("--all", action="store_true", help="every program, on every target")
    args = parser.parse_args()
    targets = args.target or TARGETS
    report, kinds = runner.Report(args.v), collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if "cuda" in targets and not libdevice():
            print("left out: cuda, which needs libdevice (tools/cuda.sh gets it)")
            targets = [t for t in targets if t != "cuda"]
        if "cuda" in targets and not has_gpu():
            TargetJob.of_cuda = without_gpu(args.ptc, scratch)
        of_programs = targets if args.all else [t for t in targets if t == "cuda"]
        check_table(args, targets, of_programs, scratch, (report, kinds))
    print(", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))
    return report.finish()


def is_of_today(name, every):
    """Groups of calls in float32, and of the other element types one for each place in the list."""
    kind, dtype, place = name.split("-")
    others = [str(t).removeprefix("torch.") for t in TYPES if t != torch.float32]
    return every or dtype not in others or dtype == runner.turn_of(f"{kind} {place}", others)


def work_of(args, targets, of_programs, scratch, report):
    """(name, function that gives {target: Seen, or what check_group gives})"""
    every = args.all or args.filter
    for group in [*call_groups(Path(args.ptc).resolve().parents[1]), *tile_groups()]:
        if args.filter in group.name and is_of_today(group.name, every):
            yield group.name, lambda group=group: check_group(group, targets, args.ptc, scratch)
    if not of_programs:
        return
    for kind in GENERATORS:
        for seed in range(1, SEEDS + 1):
            name = f"{kind}-{seed}"
            if args.filter in name and (every or name in FOUND or runner.is_turn(name, of=DAYS_OF_SEEDS)):
                yield name, lambda kind=kind, seed=seed: check_seed(kind, seed, of_programs, args.ptc)
    cases = [*all_cases(scratch), *family_cases(scratch)]
    cases = [c for c in cases if args.filter in c.name and is_selected(c, every)]
    for job in prepare(cases, scratch, args.j, report, TargetJob):
        yield job.case.name, lambda job=job: {t: job.check_on(t, args.ptc, scratch) for t in of_programs}


def check_table(args, targets, of_programs, scratch, counts):
    report, kinds = counts
    work = list(work_of(args, targets, of_programs, scratch, report))
    for (name, _), outcome in zip(work, runner.outcomes(lambda one: one[1](), work, args.j)):
        if outcome.value is None:
            report.case(name, outcome.wrong)
            continue
        for target, seen in outcome.value.items():
            tell(f"{name} on {target}", seen, report, kinds)


def tell(name, seen, report, kinds):
    """Of a program: a Seen; of a seed: what is wrong; of a group: what check_group gives."""
    if isinstance(seen, tuple):
        wrong, ran, left_out = seen
        kinds["calls"] += ran
        kinds["calls without native code"] += len(left_out)
        if left_out and report.verbose:
            print(f"{name}: no native code of {', '.join(left_out)}")
        for call, text in wrong.items():
            report.case(f"{name}: {call}", text)
        if ran and not wrong:
            report.case(name, None)
    elif isinstance(seen, Seen) and seen.verdict in ("no native code", "drawn"):
        kinds[seen.verdict] += 1
    elif isinstance(seen, Seen):
        report.case(name, None if seen.verdict == "ok" else f"{seen.verdict}: {seen.text}")
    else:
        report.case(name, seen)


if __name__ == "__main__":
    sys.exit(main())
