#!/usr/bin/env python3
"""Use of compiled programs from a build: examples/make, the installed package with examples/cmake, pkg-config, the
C++ wrapper's header, the Python loader, and memory that calls ask for.

    embedding.py --ptc PTC --build BUILD [-v]
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test"))
import runner  # noqa: E402

EXPECTED = "0 0 1 2 3 4 5 6\n"


def run(*command, cwd=None, env=None, ok=True):
    done = subprocess.run([str(c) for c in command], cwd=cwd, env={**os.environ, **(env or {})},
                          capture_output=True, text=True)
    if ok and done.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}: exit code {done.returncode}\n"
                             f"{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r}, expected {expected!r}")


def make(ptc, build, folder):
    """The example builds, runs, is not built again, and is when the program changes."""
    at = Path(shutil.copytree(ROOT / "examples/make", folder / "make"))
    flags = [f"PTC={ptc}", f"PYTHON={sys.executable}", f"PTC_INCLUDE={ROOT / 'include'}"]
    run("make", *flags, cwd=at)
    equal(run(at / "demo").stdout, EXPECTED)
    equal(run("make", "-q", *flags, cwd=at, ok=False).returncode, 0)
    source = at / "model.py"
    source.write_text(source.read_text().replace("+ 1", "+ 2"))
    later = source.stat().st_mtime + 5
    os.utime(source, (later, later))
    equal(run("make", "-q", *flags, cwd=at, ok=False).returncode, 1)
    run("make", *flags, cwd=at)
    equal(run(at / "demo").stdout, "0 1 2 3 4 5 6 7\n")
    # The same program again, written later: it is compiled once, into the same bytes.
    source.write_text("# as before\n" + source.read_text())
    os.utime(source, (later + 5, later + 5))
    run("make", *flags, cwd=at)
    before = (at / "libmodel.so").stat().st_mtime - 1
    for path in (source, at / "model.pyc"):
        os.utime(path, (before, before))
    equal(run("make", "-q", *flags, cwd=at, ok=False).returncode, 0)
    needed = run("readelf", "-d", at / "libmodel.so").stdout
    libraries = {line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line}
    if not libraries <= {"libc.so.6", "libm.so.6", "libpthread.so.0"}:
        raise AssertionError(f"the library needs {libraries}")
    versions = re.findall(r"GLIBC_([\d.]+)", run("readelf", "-VW", at / "libmodel.so").stdout)
    if not versions or max(tuple(map(int, v.split("."))) for v in versions) > (2, 29):
        raise AssertionError(f"the library needs glibc of {set(versions)}")


def installed(ptc, build, folder):
    """The CMake example builds from the installed package alone."""
    prefix, at = folder / "prefix", folder / "cmake"
    run("cmake", "--install", build, "--prefix", prefix)
    run("cmake", "-S", ROOT / "examples/cmake", "-B", at, f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DPython3_EXECUTABLE={sys.executable}", "-DCMAKE_C_COMPILER=cc")
    run("cmake", "--build", at)
    equal(run(at / "demo").stdout, EXPECTED)
    package = next(prefix.glob("**/ptc.pc")).read_text()
    for part in ("-lptc_rt", "includedir"):
        if part not in package:
            raise AssertionError(f"ptc.pc has no {part}")


def archive(ptc, build, folder):
    """Two programs as archives in one C++ program, through the wrapper."""
    source = "import torch\n\n\ndef entry(x):\n    return x * {n}\n"
    include = ROOT / "include"
    for n in (2, 3):
        (folder / f"times{n}.py").write_text(source.format(n=n))
        run(sys.executable, "-c", f"import py_compile; py_compile.compile('times{n}.py', 'times{n}.pyc')", cwd=folder)
        run(ptc, "compile", f"times{n}.pyc", "--input", "x=f32[2]", "--emit=archive", "-o", f"libtimes{n}.a",
            cwd=folder)
    (folder / "both.cpp").write_text("""
#include "ptc/Runtime/ptc.hpp"
#include "times2.h"
#include "times3.h"
#include <cstdio>
int main() {
  float x[] = {1, 2}, y[2];
  for (const ptc_api *api : {times2_ptc_v1(), times3_ptc_v1()}) {
    ptc::Context context{ptc::Model(api)};
    ptc::Tensor<float> in(x, {2}), out(y, {2});
    std::vector<ptc_value> results = {out.value()};
    context.call(0, {in.value()}, results);
    std::printf("%g %g\\n", y[0], y[1]);
  }
}
""")
    run("c++", "-std=c++17", "-I", include, "-I.", "both.cpp", "libtimes2.a", "libtimes3.a", "-o", "both", "-lm",
        "-pthread", cwd=folder)
    equal(run(folder / "both").stdout, "2 4\n3 6\n")


ALLOCATIONS = """
#include "ptc/Runtime/ptc.h"
#include <stdio.h>
#include <stdlib.h>
static unsigned long allocations, aligned_bytes;
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_memalign(size_t, size_t);
void *malloc(size_t n) { return ++allocations, __libc_malloc(n); }
void *calloc(size_t n, size_t each) { return ++allocations, __libc_calloc(n, each); }
void *aligned_alloc(size_t to, size_t n) { return ++allocations, aligned_bytes += n, __libc_memalign(to, n); }
"""

COUNTED = ALLOCATIONS + """
#include "temporaries.h"
static float x[64 * 64], y[64 * 64];
static unsigned long count(ptc_context *context, int64_t rows, int64_t columns) {
  int64_t sizes[] = {rows, columns};
  DLTensor given = {x, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, sizes, NULL, 0}, made = given;
  made.data = y;
  ptc_value in = ptc_of_tensor(&given), out = ptc_of_tensor(&made);
  unsigned long before = allocations;
  if (ptc_call(context, 0, &in, 1, &out, 1) != ptc_status_ok)
    abort();
  return allocations - before;
}
int main(void) {
  ptc_model *model;
  ptc_context *context;
  for (int i = 0; i < 64 * 64; ++i)
    x[i] = (float)(i * 37 % 101);
  if (ptc_model_open(temporaries_ptc_v1(), NULL, &model) != ptc_status_ok ||
      ptc_context_create(model, &context) != ptc_status_ok)
    return 1;
  unsigned long first = count(context, 50, 40), second = 0;
  for (int i = 0; i < 10; ++i)
    second += count(context, 50, 40) + count(context, 8, 33);
  unsigned long third = count(context, 64, 64), fourth = 0;
  for (int i = 0; i < 10; ++i)
    fourth += count(context, 64, 64);
  printf("%d %lu %d %lu\\n", first > 0, second, third > 0, fourth);
  return 0;
}
"""


def temporaries(ptc, build, folder):
    """Kernels whose temporary memory has a size of the run, and blocks of data, allocate for new sizes only."""
    (folder / "temporaries.py").write_text("""
import torch


def entry(x):
    order = torch.sort(x, 0)[0].softmax(1)
    for i in range(3):
        order = torch.sort(order + x, 1)[0].cumsum(0)
    n = int((x > -1).sum())
    return order + torch.arange(n).sum()
""")
    run(sys.executable, "-c", "import py_compile; py_compile.compile('temporaries.py', 'temporaries.pyc')", cwd=folder)
    run(ptc, "compile", "temporaries.pyc", "--input", "x=f32[5,4]", "--dynamic", "all", "-o", "libtemporaries.so",
        cwd=folder)
    (folder / "main.c").write_text(COUNTED)
    run("cc", "-I", ROOT / "include", "-I.", "main.c", "-L.", "-ltemporaries", "-Wl,-rpath,$ORIGIN", "-o", "main", cwd=folder)
    equal(run(folder / "main").stdout, "1 0 1 0\n")


TURNS = ALLOCATIONS + """
#include "turns.h"
static float x[1000];
static unsigned long call(ptc_context *context) {
  int64_t sizes[] = {1000};
  DLTensor given = {x, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, sizes, NULL, 0};
  ptc_value in = ptc_of_tensor(&given), out = {0};
  unsigned long before = allocations;
  if (ptc_call(context, 0, &in, 1, &out, 1) != ptc_status_ok || *(float *)out.as.tensor->data != 9945)
    abort();
  return allocations - before;
}
int main(void) {
  ptc_model *model;
  ptc_context *context;
  ptc_counters counters;
  for (int i = 0; i < 1000; ++i)
    x[i] = (float)(i * 37 % 1000);
  if (ptc_model_open(turns_ptc_v1(), NULL, &model) != ptc_status_ok ||
      ptc_context_create(model, &context) != ptc_status_ok)
    return 1;
  aligned_bytes = 0;
  call(context);
  unsigned long first = aligned_bytes;
  ptc_get_counters(context, 0, &counters);
  for (int i = 0; i < 5; ++i)
    call(context);
  printf("%lu %d %d\\n", call(context), first < 100000, counters.workspace_bytes < 100000);
  return 0;
}
"""


def turns(ptc, build, folder):
    """What a turn of a loop makes of sizes that data decide serves the next one, and the next call."""
    (folder / "turns.py").write_text("""
import torch


def entry(x):
    while x.sum() > 9950.0:
        x = x[x > x.min()]
    return x.sum()
""")
    run(sys.executable, "-c", "import py_compile; py_compile.compile('turns.py', 'turns.pyc')", cwd=folder)
    run(ptc, "compile", "turns.pyc", "--input", "x=f32[5]", "--dynamic", "all", "-o", "libturns.so", cwd=folder)
    (folder / "main.c").write_text(TURNS)
    run("cc", "-I", ROOT / "include", "-I.", "main.c", "-L.", "-lturns", "-Wl,-rpath,$ORIGIN", "-o", "main", cwd=folder)
    equal(run(folder / "main").stdout, "0 1 1\n")


REFUSED = """
#include "refused.h"
#include <stdio.h>
#include <stdlib.h>
static size_t most = (size_t)-1;
void *aligned_alloc(size_t alignment, size_t bytes) {
  void *memory = NULL;
  return bytes > most || posix_memalign(&memory, alignment, bytes) ? NULL : memory;
}
enum { ROWS = 64, KEYS = 90000, WIDTH = 4 };
static float q[4 * ROWS * WIDTH], k[4 * KEYS * WIDTH], y[4 * ROWS * WIDTH];
static DLTensor tensor(float *data, int64_t *sizes) {
  DLTensor made = {data, {kDLCPU, 0}, 4, {kDLFloat, 32, 1}, sizes, NULL, 0};
  return made;
}
int main(void) {
  ptc_model *model;
  ptc_context *context;
  int64_t rows[] = {1, 4, ROWS, WIDTH}, keys[] = {1, 4, KEYS, WIDTH};
  DLTensor a = tensor(q, rows), b = tensor(k, keys), c = tensor(y, rows);
  ptc_value in[] = {ptc_of_tensor(&a), ptc_of_tensor(&b)};
  for (int i = 0; i < 4 * KEYS * WIDTH; ++i)
    k[i] = 3;
  if (ptc_model_open(refused_ptc_v1(), NULL, &model) != ptc_status_ok)
    return 1;
  for (int threads = 1; threads <= 3; threads += 2) {
    if (ptc_context_create(model, &context) != ptc_status_ok)
      return 1;
    ptc_set_threads(context, threads);
    for (int pass = 0; pass < 2; ++pass) {
      most = pass % 2 ? (size_t)-1 : 1u << 21;
      ptc_value out = ptc_of_tensor(&c);
      y[0] = 0;
      ptc_status status = ptc_call(context, 0, in, 2, &out, 1);
      printf("%d %g ", status, status == ptc_status_ok ? y[0] : 0.0);
    }
    ptc_context_destroy(context);
  }
  return 0;
}
"""


def refused(ptc, build, folder):
    """Without memory for the temporaries of a kernel that threads share a call ends with its status, and the next one
    runs."""
    (folder / "refused.py").write_text("""
import torch.nn.functional as F


def entry(q, k):
    return F.scaled_dot_product_attention(q, k, k)
""")
    run(sys.executable, "-c", "import py_compile; py_compile.compile('refused.py', 'refused.pyc')", cwd=folder)
    run(ptc, "compile", "refused.pyc", "--input", "q=f32[1,4,Q in 2..1000000,4]", "--input", "k=f32[1,4,K in 2..1000000,4]",
        "-o", "librefused.so", cwd=folder)
    (folder / "main.c").write_text(REFUSED)
    run("cc", "-rdynamic", "-I", ROOT / "include", "-I.", "main.c", "-L.", "-lrefused", "-Wl,-rpath,$ORIGIN", "-o", "main", cwd=folder)
    equal(run(folder / "main").stdout, "5 0 0 3 " * 2)


def loader(ptc, build, folder):
    """The Python loader on nested arguments, results and errors."""
    import torch
    sys.path.insert(0, str(ROOT / "lib/Runtime"))
    import ptc_loader
    (folder / "nested.py").write_text("""
import torch


def entry(pair, *, mode="add"):
    x, y = pair
    z = x + y if mode == "add" else x * y
    return {"z": z * 2, "list": [x - y, None], "n": 3}
""")
    run(sys.executable, "-c", "import py_compile; py_compile.compile('nested.py', 'nested.pyc')", cwd=folder)
    pair = '{"$tuple": [{"$tensor": "f32[2,3]"}, {"$tensor": "f32[2,3]"}]}'
    (folder / "a.json").write_text('{"args": [%s]}' % pair)
    (folder / "b.json").write_text('{"args": [%s], "kwargs": {"mode": "mul"}}' % pair)
    run(ptc, "compile", "nested.pyc", "--example", "a.json", "--example", "b.json", "-o", "libnested.so", cwd=folder)
    x, y = torch.randn(2, 3), torch.randn(2, 3)
    with ptc_loader.Model(str(folder / "libnested.so")) as model:
        got = model((x, y))
        torch.testing.assert_close(got["z"], (x + y) * 2, rtol=0, atol=0)
        torch.testing.assert_close(got["list"][0], x - y, rtol=0, atol=0)
        equal((got["list"][1], got["n"]), (None, 3))
        torch.testing.assert_close(model((x, y), mode="mul")["z"], x * y * 2, rtol=0, atol=0)
        for bad in ((x, y.double()), (x, y[:1]), (x,), [x, y]):
            try:
                model(bad)
            except ptc_loader.NoVariant:
                continue
            raise AssertionError(f"{bad} was taken")


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--build", required=True, type=Path)
    args = parser.parse_args()
    build = args.build.resolve()
    return runner.run_in_folders([(case.__name__, lambda folder, case=case: case(Path(args.ptc), build, folder))
                                  for case in (make, installed, archive, temporaries, turns, refused, loader)], args)


if __name__ == "__main__":
    sys.exit(main())
