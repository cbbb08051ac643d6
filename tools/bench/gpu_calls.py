#!/usr/bin/env python3
"""What calls and loads of artefacts cost the caller's thread on an NVIDIA GPU, without Python in between.

    gpu_calls.py FOLDER… [--calls 10000] [--cc cc]      a C compiler and a driver, nothing else

Folders are those that `gpu.py make` and `gpu_models.py make` filled. Each artefact runs in a process of its own, by
gpu_calls.c: loading where the driver's context exists, first and again; calls one by one with the same tensors, then with
other inputs and outputs each time; beside them what the driver takes for a launch and for graphs of empty kernels. The
processor's clock is read twice for each, which is in the figures and is shown.
"""
import argparse
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

import gpu
import gpu_models

ROOT = Path(__file__).resolve().parents[2]


def arguments_of(name):
    """The inputs of an artefact as gpu_calls takes them; None: it is not known."""
    if name in gpu.KERNELS:
        return [f"{gpu.dtype_of(name)}:{','.join(map(str, gpu.sizes_of(shape)))}" for shape in gpu.KERNELS[name][1].values()]
    if name in gpu_models.MODELS:
        return [f"{'i64' if n == 'idx' else 'bf16'}:{','.join(map(str, gpu.sizes_of(shape)))}" for n, shape in gpu_models.MODELS[name][3].items()]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--calls", type=int, default=10000)
    parser.add_argument("--cc", default="cc")
    args = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "gpu_calls"
        sources = [ROOT / "tools/bench/gpu_calls.c", ROOT / "lib/Runtime/Load.c"]
        subprocess.run([args.cc, "-O2", "-I", ROOT / "include", *sources, "-ldl", "-o", program], check=True)
        files = {path.name.split(".")[0]: path for folder in args.folders for path in sorted(folder.glob("*.so*"))}
        for name, path in files.items():
            if (inputs := arguments_of(name)) is None:
                continue
            if path.suffix == ".xz":
                made = Path(folder) / path.stem
                made.write_bytes(lzma.decompress(path.read_bytes()))
                path = made
            print(f"{name}:", flush=True)
            failed += subprocess.run([program, path.resolve(), str(args.calls), *inputs]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
