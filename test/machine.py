"""What this machine's CPU can run; nothing else in the tests asks for its features.

PTC_TEST_HIDE=avx512 makes a machine one without AVX-512, for PyTorch as well: what a test does there is tested on a
machine that has it. suites.py puts `environment` into effect; a script alone does with what it is started with.
"""
import functools
import os
import re
import subprocess
from pathlib import Path

OBJDUMP = Path("/usr/lib/llvm-22/bin/llvm-objdump")
V3 = {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}
# Names of --cpu to what /proc/cpuinfo calls their features.
NEEDS = {"x86-64-v3": V3, "x86-64-v4": V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}
HIDDEN = {"": None, "avx512": re.compile("avx512|avx10|amx")}
# In disassembly, what only AVX-512 has: instructions behind the prefix EVEX (0x62 is nothing else in 64 bits), masks.
AVX512 = re.compile(r"^ *[0-9a-f]+:\s+(?:6[457] )*62 |%k[0-7]\b", re.M)


def hidden():
    """The pattern of features to do without, or None."""
    return HIDDEN[os.environ.get("PTC_TEST_HIDE", "")]


@functools.cache
def features():
    flags = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.M)[1].split()
    return {flag for flag in flags if not (hidden() and hidden().match(flag))}


def can_run(cpu):
    """Whether code for that CPU of NEEDS runs here."""
    return NEEDS[cpu] <= features()


def environment():
    """What makes other programs do without the hidden features."""
    return {"ATEN_CPU_CAPABILITY": "avx2", "ONEDNN_MAX_CPU_ISA": "AVX2"} if hidden() else {}


def has_avx512(library):
    """Whether its code has instructions that only CPUs with AVX-512 run."""
    done = subprocess.run([OBJDUMP, "-d", library], capture_output=True, text=True, check=True)
    assert "<ptc_" in done.stdout, f"no code of {library} is shown"
    return bool(AVX512.search(done.stdout))
