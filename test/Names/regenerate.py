#!/usr/bin/env python3
"""Writes fixtures/3.NN/ask.pyc with the interpreter that runs it: python3.NN regenerate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "EndToEnd"))
from pycs import compile_pyc  # noqa: E402

out = HERE / "fixtures" / ("%d.%d" % sys.version_info[:2])
out.mkdir(parents=True, exist_ok=True)
compile_pyc(HERE / "ask.py", out / "ask.pyc")
