#!/usr/bin/env python3
"""Programs that load their own weights: torch.load, safetensors and load_state_dict, against eager.

    checkpoints.py --ptc PTC [FILTER] [-j N] [-v]

Each program runs in eager PyTorch, on the null target and as a library, in a folder that has its files; the library runs where they
are no more.
"""
import contextlib
import json
import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch.utils._pytree import tree_map

from command import World
from compare import Tolerance, difference
from eager import load_module
from notation import decode, save_safetensors

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import runner  # noqa: E402

NET = """
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.b(torch.relu(self.norm(self.a(x))))


"""


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.norm, self.b = torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, 2)


def state(seed=0):
    torch.manual_seed(seed)
    net = Net()
    net.norm.running_mean.uniform_()
    net.norm.running_var.uniform_(0.5, 2)
    return net.state_dict()


def save_state(folder):
    torch.save(state(), folder / "net.pt")


def save_training(folder):
    """As training loops write them: dicts in dicts, lists, numbers, the state of an optimizer."""
    weights = state()
    optimizer = torch.optim.Adam([torch.nn.Parameter(torch.ones(3))])
    torch.save({"epoch": 7, "model": {f"module.{name}": value for name, value in weights.items()}, "best": 0.25, "done": None, "flag": True,
                "optimizer": optimizer.state_dict(), "history": [1, 2.5, "three", (4, 5)], "big": 2**40, "negative": -3,
                "dtype": torch.bfloat16, "device": torch.device("cpu"), "shape": torch.Size([2, 3]), "names": {"a", "b"}}, folder / "net.pt")


def save_extra(folder):
    torch.save({**state(), "_extra_state": {"scale": 2.5}}, folder / "net.pt")


def save_shared(folder):
    """Views of one storage, memory in another order, no elements, no dimensions, other element types."""
    base = torch.randn(4, 6)
    torch.save({"base": base, "row": base[1], "block": base[1:3, 2:5], "t": base.t(), "alone": torch.randn(8, 3)[2:5], "turned": torch.randn(3, 5).t(),
                "none": torch.empty(0, 3), "one": torch.tensor(2.5), "half": torch.randn(5).half(), "brain": torch.randn(5).bfloat16(), "ints": torch.arange(6),
                "bytes": torch.arange(5, dtype=torch.uint8), "bools": torch.tensor([True, False, True, False, True]),
                "parameter": torch.nn.Parameter(torch.randn(3)), "buffer": torch.nn.Parameter(torch.randn(3), requires_grad=False)}, folder / "net.pt")


def save_file(folder):
    save_safetensors(folder / "net.safetensors", state())


@dataclass
class Row:
    name: str
    files: object                     # writes them
    source: str
    code: int = 0                     # of the compilation
    says: list = field(default_factory=list)
    copies: int | None = 0            # operations that run when a context is made; None: as many as there are


LOADS = [
    Row("state dict of a module", save_state, NET + "model = Net()\nmodel.load_state_dict(torch.load('net.pt'))\nmodel.eval()\n"),
    Row("in __init__", save_state, NET + """
class Model(Net):
    def __init__(self):
        super().__init__()
        tell(self.load_state_dict(torch.load("net.pt", map_location=torch.device("cpu"), weights_only=True)))
        self.eval()


model = Model()
"""),
    Row("in a function", save_state, NET + """
def load_model(path):
    net = Net()
    net.load_state_dict(torch.load(path, map_location=lambda storage, where: storage))
    return net.eval()


model = load_model("net.pt")
"""),
    Row("a path of pathlib, if it is there", save_state, "import os\nfrom pathlib import Path\n" + NET + """
path = Path("net.pt")
model = Net().eval()
if path.exists() and os.path.isfile("net.pt") and not os.path.isdir(path):
    model.load_state_dict(torch.load(path))
"""),
    Row("a checkpoint of training", save_training, NET + """
class Config:
    pass


torch.serialization.add_safe_globals([Config])
with torch.serialization.safe_globals([set, Config, Net]):
    tell({Config, set, Net} <= set(torch.serialization.get_safe_globals()))
    saved = torch.load("net.pt", map_location={"cuda:0": "cpu"})
tell([c in torch.serialization.get_safe_globals() for c in (Config, set, Net)])
model = Net()
model.load_state_dict({name.removeprefix("module."): value for name, value in saved["model"].items()})
model.eval()
tell(saved["epoch"], saved["best"], saved["done"], saved["flag"], saved["history"], saved["big"], saved["negative"], sorted(saved))
tell(saved["dtype"], saved["device"], saved["shape"], type(saved["shape"]), sorted(saved["names"]), saved["optimizer"]["param_groups"][0]["lr"])
tell(type(saved["model"]), list(saved["model"])[:2])
"""),
    Row("strict=False, assign=True, other types", save_state, NET + """
saved = torch.load("net.pt")
saved["extra"] = saved.pop("b.bias")
tell(type(saved).__name__, saved._metadata["norm"], len(saved))
model = Net().double()
torch.manual_seed(3)
with torch.no_grad():
    model.b.bias.fill_(0.5)
tell(model.load_state_dict(saved, strict=False))
other = Net()
other.load_state_dict({name: value * 2 for name, value in torch.load("net.pt").items()}, assign=True)
other.eval(), model.eval()


def entry(x):
    return model(x.double()), other(x)
""", copies=None),
    Row("arithmetic on what was loaded", save_state, """
saved = torch.load("net.pt")
w, b = saved["a.weight"], saved["a.bias"]
mean = sum(p.float().mean() for p in saved.values())
both = torch.cat([w, w.flip(0)]).contiguous()
w *= 2


def entry(x):
    return x @ w.t() + b, x @ both.t(), mean, w, saved["a.weight"] is w
""", copies=None),
    Row("views of one storage", save_shared, """
saved = torch.load("net.pt")
base, t = saved["base"], saved["t"]
tell({name: (tuple(v.shape), v.stride(), v.storage_offset(), v.dtype, v.requires_grad, type(v).__name__) for name, v in saved.items()})
base[1, 2] = 40


def entry(x):
    return {name: value.detach() * 1 for name, value in saved.items()}, x @ t[:4].sum(1, keepdim=True).expand(4, 2), saved["row"][2]
""", copies=None),
    Row("state in a call", save_state, NET + """
model = Net()
model.load_state_dict(torch.load("net.pt"))
model.train()


def entry(x):
    y = model(x).sum()
    with torch.no_grad():
        model.a.bias.add_(1)
    return y, model.norm.running_mean.clone(), model.norm.num_batches_tracked.clone(), model.a.bias.detach().clone()
"""),
    Row("safetensors", save_file, "from safetensors.torch import load_file\n" + NET + """
saved = load_file("net.safetensors", device="cpu")
model = Net()
model.load_state_dict(saved)
model.eval()
tell(list(saved))
"""),
    Row("safe_open and load_model", save_file, "from safetensors import safe_open\nfrom safetensors.torch import load_model\n" + NET + """
model = Net()
tell(load_model(model, "net.safetensors"))
model.eval()
with safe_open("net.safetensors", framework="pt", device="cpu") as f:
    tell(f.keys(), f.metadata(), f.get_slice("a.weight").get_shape(), f.get_slice("a.weight").get_dtype())
    rows = f.get_slice("a.weight")[2:4]
    bias = f.get_tensor("a.bias")


def entry(x):
    return model(x), x @ rows.t(), bias
"""),
    Row("tied weights and load_model", lambda folder: save_safetensors(folder / "net.safetensors", {"a.weight": torch.randn(4, 4), "a.bias": torch.randn(4), "b.bias": torch.randn(4)}),
        "from safetensors.torch import load_model\n" + """
class Tied(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = torch.nn.Linear(4, 4), torch.nn.Linear(4, 4)
        self.b.weight = self.a.weight

    def forward(self, x):
        return self.b(torch.relu(self.a(x)))


model = Tied()
tell(load_model(model, "net.safetensors"))
"""),
    Row("extra state", save_extra, NET + """
class Extra(Net):
    scale = 1.0

    def get_extra_state(self):
        return {"scale": self.scale}

    def set_extra_state(self, state):
        self.scale = state["scale"]

    def forward(self, x):
        return super().forward(x) * self.scale


model = Extra().eval()
tell(model.load_state_dict(torch.load("net.pt")))
tell(list(model.state_dict()))
"""),
    Row("load_model and extra state", save_file, "from safetensors.torch import load_model\n" + NET + """
class Extra(Net):
    def get_extra_state(self):
        return 7


try:
    load_model(Extra(), "net.safetensors")
except AttributeError as e:
    tell(str(e))
model = Net().eval()
tell(load_model(model, "net.safetensors"))
"""),
    Row("hooks of state dicts", save_state, NET + """
def renamed(state, prefix, metadata, strict, missing, unexpected, errors):
    tell((len(state), prefix, metadata.get("version"), strict, missing, unexpected, errors))
    for key in list(state):
        state[key.replace("norm", "scale")] = state.pop(key)


class Renamed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.scale, self.b = torch.nn.Linear(4, 8), torch.nn.BatchNorm1d(8), torch.nn.Linear(8, 2)
        handles = [self._register_load_state_dict_pre_hook(renamed), self.b.register_load_state_dict_pre_hook(lambda module, *args: tell((module is self.b, args[1]))),
                   self.register_load_state_dict_post_hook(lambda module, keys: keys.missing_keys.clear()),
                   self.register_state_dict_pre_hook(lambda module, prefix, keep: tell((prefix, keep))),
                   self.a._register_state_dict_hook(lambda module, state, prefix, metadata: state.pop(prefix + "bias") is None or None),
                   self.register_state_dict_post_hook(lambda module, state, prefix, metadata: tell((len(state), metadata)))]
        self.register_state_dict_pre_hook(print).remove()
        handles.append(self._register_load_state_dict_pre_hook(print))
        handles.pop().remove()

    def forward(self, x):
        return self.b(torch.relu(self.scale(self.a(x))))


model = Renamed().eval()
tell(model.load_state_dict({key: value for key, value in torch.load("net.pt").items() if key != "b.bias"}))
with torch.no_grad():
    model.b.bias.fill_(0.5)
tell(list(model.state_dict(prefix="x.")))
model.b.register_load_state_dict_post_hook(lambda module, keys: 1)
model.a.register_state_dict_post_hook(lambda module, state, prefix, metadata: state)
for act in (lambda: model.load_state_dict(torch.load("net.pt")), model.state_dict):
    try:
        act()
    except (AssertionError, RuntimeError) as e:
        tell(str(e))
"""),
]
REFUSED = [
    Row("no such file", lambda folder: None, NET + "model = Net()\nmodel.load_state_dict(torch.load('net.pt'))\n", code=3, says=["m.py:14", "net.pt", "No such file"]),
    Row("a damaged file", lambda folder: (folder / "net.pt").write_bytes(b"PK nothing"), NET + "model = Net()\nmodel.load_state_dict(torch.load('net.pt'))\n",
        code=4, says=["m.py:14", "net.pt"]),
    Row("a module", lambda folder: torch.save(torch.nn.Linear(2, 2), folder / "net.pt"), "model = torch.load('net.pt', weights_only=False)\n",
        code=4, says=["m.py:4", "torch.nn.modules.linear.Linear"]),
    Row("in a call", save_state, "def entry(x):\n    return x + torch.load('net.pt')['b.bias'].sum()\n", code=1, says=["m.py:5", "in a call", "hint: "]),
    Row("other names", save_state, "model = torch.nn.Linear(4, 8)\nmodel.load_state_dict(torch.load('net.pt'))\n", code=13,
        says=["Unexpected key(s) in state_dict", "a.weight"]),
    Row("a safetensors file that is none", lambda folder: (folder / "net.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0notjson!"),
        "from safetensors.torch import load_file\nsaved = load_file('net.safetensors')\ndef entry(x):\n    return x + saved['a']\n", code=4, says=["m.py:5", "net.safetensors"]),
]
CALLS = 2
TELLING = """told = []


def tell(*values):
    told.append(" ".join([str(value) for value in values]))


"""


def program(row):
    entry = "entry" if "def entry" in row.source else "model"
    return TELLING + row.source.lstrip("\n") + f"\n\ndef call(x):\n    return {entry}(x), told\n"


def outcomes(world, file, *more):
    """What calls of a program or library give: result and texts, decoded."""
    calls = [word for n in range(CALLS) for word in ("--call", f"call{n}.json")]
    world.run("run", file, *calls, *more, "--save", "out.jsonl")
    lines = (world.folder / "out.jsonl").read_text().splitlines()
    return [decode(json.loads(line)["result"], world.folder) for line in lines]


def check_load(ptc, row, folder):
    """What is wrong, or None."""
    row.files(folder)
    world = World(ptc, folder)
    pyc = world.program(program(row))
    torch.manual_seed(5)
    inputs = [torch.randn(3, 4) for _ in range(CALLS)]
    save_safetensors(folder / "x.safetensors", {f"x{n}": x for n, x in enumerate(inputs)})
    for n in range(CALLS):
        world.call(f"call{n}.json", {"args": [{"$tensor": "x.safetensors", "name": f"x{n}"}]})
    with contextlib.chdir(folder):
        module = load_module(folder / "m.py")
        want = [tree_map(lambda v: v.detach().clone() if isinstance(v, torch.Tensor) else v, module.call(x)) for x in inputs]
    entry = ("--entry", "call")
    got = {"null": outcomes(world, pyc, *entry, "--example", "call0.json")}
    world.run("verify", pyc, *entry, "--example", "call0.json")
    world.run("compile", pyc, *entry, "--example", "call0.json", "-o", "libm.so")
    text = world.run("inspect-graph", pyc, *entry, "--example", "call0.json")[0]
    for path in folder.glob("net.*"):
        path.unlink()
    got["library"] = outcomes(world, "libm.so")
    for kind, results in got.items():
        wrong = difference(want, results, Tolerance(1e-5, 1e-6))
        if wrong:
            return f"{kind}: {wrong}"
    once = re.search(r"^once per context\n(.*?)\n\n", text, re.S | re.M)
    made = len(re.findall(r"= aten\.", once[1])) if once else 0
    return None if row.copies in (made, None) else f"{made} operations when a context is made, {row.copies} expected"


def check_refused(ptc, row, folder):
    row.files(folder)
    world = World(ptc, folder)
    out, err = world.run("compile", world.program(row.source.lstrip("\n")), "--input", "x=f32[3,4]", "-o", "libm.so", code=row.code)
    missing = [word for word in row.says if word not in err]
    left = [name for name in world.files() if name.startswith("libm")]
    return f"{missing} not in\n{err}" if missing else f"left behind: {left}" if left else None


def check(job):
    ptc, row = job
    with tempfile.TemporaryDirectory() as folder:
        return (check_refused if row.code else check_load)(ptc, row, Path(folder))


def run(check, rows, words):
    """Checks each row with `ptc`, as the script's arguments ask for; `words`: its documentation. The exit code."""
    args = runner.options(words).parse_args()
    jobs = [(args.ptc, row) for row in rows if args.filter in row.name]
    report = runner.Report(args.v)
    for (_, row), outcome in zip(jobs, runner.outcomes(check, jobs, args.j, limit=300)):
        report.case(row.name, outcome.wrong)
    return report.finish()


if __name__ == "__main__":
    sys.exit(run(check, [*LOADS, *REFUSED], __doc__))
