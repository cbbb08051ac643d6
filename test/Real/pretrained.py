#!/usr/bin/env python3
"""Models that load their own weights from folders and files, by the functions of their libraries, against eager PyTorch.

    pretrained.py --ptc PTC --build BUILD [FILTER] [--every] [-j N] [-v]

The files are made by eager PyTorch. The library that is compiled gives what eager gives, where the files are no more; the depfile names
those that were read. Of the forms of files that one library has, each has its day; --every: all of them.
"""
import itertools
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import torch

from install import site_packages

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "EndToEnd"), str(HERE.parents[1] / "examples")]
import runner  # noqa: E402
from command import World  # noqa: E402
from compare import Tolerance, difference  # noqa: E402
from notation import decode, save_safetensors  # noqa: E402

BERT = """
from transformers import BertConfig, BertModel
config = BertConfig(hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, vocab_size=50, max_position_embeddings=32)
net = BertModel(config)
"""
USE_BERT = """
from transformers import BertModel
model = BertModel.from_pretrained("files").eval()
def entry(x):
    return model(x).last_hidden_state
"""
USE_TIMM = """
import timm
model = timm.create_model("resnet10t", checkpoint_path="files/net.SUFFIX").eval()
def entry(x):
    return model(x)
"""
IDS = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 49]])
IMAGES = torch.linspace(-1, 1, 2 * 3 * 32 * 32).view(2, 3, 32, 32)
HUBCONF = """
import os
import torch
dependencies = ["torch"]
def net(width=4, weights=None):
    made = torch.nn.Linear(3, width)
    if weights is not None:
        made.load_state_dict(torch.load(weights))
    return made
"""


@dataclass
class Row:
    name: str
    make: str              # leaves `files`
    use: str
    x: torch.Tensor
    read: tuple            # what the depfile has
    include: tuple = ()


ROWS = [
    Row("transformers, safetensors", BERT + "net.save_pretrained('files')", USE_BERT, IDS, ("files/config.json", "files/model.safetensors")),
    Row("transformers, several safetensors", BERT + "net.save_pretrained('files', max_shard_size='40KB')", USE_BERT, IDS,
        ("files/config.json", "files/model.safetensors.index.json", "files/model-00001-of-00003.safetensors", "files/model-00003-of-00003.safetensors")),
    Row("transformers, pytorch_model.bin", BERT + "config.save_pretrained('files'); torch.save(net.state_dict(), 'files/pytorch_model.bin')", USE_BERT, IDS,
        ("files/config.json", "files/pytorch_model.bin")),
    Row("timm, a checkpoint", "import timm, os\nos.mkdir('files')\ntorch.save(timm.create_model('resnet10t').state_dict(), 'files/net.pth')",
        USE_TIMM.replace("SUFFIX", "pth"), IMAGES, ("files/net.pth",)),
    Row("timm, safetensors", "import timm, os\nfrom safetensors.torch import save_file\nos.mkdir('files')\n"
        "save_file(timm.create_model('resnet10t').state_dict(), 'files/net.safetensors')", USE_TIMM.replace("SUFFIX", "safetensors"), IMAGES, ("files/net.safetensors",)),
    Row("torch.hub, a folder", f"import os, py_compile\nos.mkdir('files')\nopen('files/hubconf.py', 'w').write({HUBCONF!r})\npy_compile.compile('files/hubconf.py', doraise=True)\n"
        "torch.save(torch.nn.Linear(3, 2).state_dict(), 'files/net.pt')",
        "import torch\nmodel = torch.hub.load('files', 'net', source='local', width=2, weights='files/net.pt')\ndef entry(x):\n    return model(x)\n",
        torch.tensor([[1.0, 2.0, 3.0]]), ("files/net.pt",), ("files",)),
]

EAGER = """
import gc
import sys
gc.disable()
sys.dont_write_bytecode = True
sys.path[:0] = PATHS
sys.path.insert(1, SITE)
import torch
import eager
kept = eager.declare_operators()
for source in SOURCES:
    torch.manual_seed(0)
    exec(compile(source, "<row>", "exec"), {"__name__": "__main__", "torch": torch})
"""
WANT = "\nwith torch.no_grad():\n    torch.save(entry(torch.load('x.pt')), 'want.pt')\n"


def run_eager(folder, site, *sources):
    """One after the other in one process: importing a library takes seconds."""
    values = {"PATHS": [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")], "SITE": str(site), "SOURCES": sources}
    text = re.sub("|".join(values), lambda found: repr(values[found[0]]), EAGER)
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


def check(row, folder, ptc, site):
    """What is wrong, or None."""
    world = World(ptc, folder)
    torch.save(row.x, folder / "x.pt")
    save_safetensors(folder / "x.safetensors", {"x": row.x})
    run_eager(folder, site, row.make, row.use + WANT)
    pyc = world.program(row.use)
    given = ["--entry", "entry", "--input", "x=@x.safetensors", *(word for path in (*row.include, site) for word in ("-I", str(path)))]
    world.run("compile", pyc, *given, "-MD", "-o", "libm.so")
    depfile = (folder / "libm.so.d").read_text()
    missing = [name for name in row.read if name not in depfile]
    shutil.rmtree(folder / "files")
    world.call("call.json", {"args": [{"$tensor": "x.safetensors", "name": "x"}]})
    world.run("run", "libm.so", "--call", "call.json", "--save", "out.json")
    import json
    got = decode(json.loads((folder / "out.json").read_text())["result"], folder)
    wrong = difference(torch.load(folder / "want.pt"), got, Tolerance(2e-4, 2e-5))
    return f"{missing} not in\n{depfile}" if missing else wrong or None


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--every", action="store_true", help="every form of files, not that of the day alone")
    args = parser.parse_args()
    site = site_packages(args.build)
    by_library = itertools.groupby(ROWS, lambda row: row.name.partition(",")[0])
    rows = ROWS if args.every or args.filter else [runner.turn_of(library, list(rows)) for library, rows in by_library]

    def one(row, folder):
        wrong = check(row, Path(folder), args.ptc, site)
        assert wrong is None, wrong
    return runner.run_in_folders([(row.name, lambda folder, row=row: one(row, folder)) for row in rows], args)


if __name__ == "__main__":
    sys.exit(main())
