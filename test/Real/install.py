"""Installs the packages that the models come from into a folder of their own, once for each list.

What pip leaves there is what `ptc` reads: bytecode of the interpreter that runs this, beside its sources.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

PINNED = Path(__file__).resolve().with_name("packages.txt")


def site_packages(build):
    """The folder, made if the list has changed since. Raises what pip says where it cannot."""
    folder = Path(build).resolve() / "real-packages"
    stamp = folder / "installed.txt"
    if stamp.exists() and stamp.read_text() == PINNED.read_text():
        return folder
    new = folder.with_name(f"{folder.name}.{os.getpid()}")
    try:
        done = subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-input", "--target", str(new), "-r", str(PINNED)],
                              capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the packages of {PINNED.name} cannot be installed:\n{done.stderr}")
        (new / stamp.name).write_text(PINNED.read_text())
        shutil.rmtree(folder, ignore_errors=True)
        new.rename(folder)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder
