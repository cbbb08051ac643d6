"""What every verb owes the shell: run by manners.test, one function per manner.

    manners.test.py SOURCE_FOLDER SCRATCH_FOLDER
"""
import json
import os
import py_compile
import re
import shutil
import subprocess
import sys
from pathlib import Path

INPUTS, SCRATCH = Path(sys.argv[1], "Inputs").resolve(), Path(sys.argv[2])
IR, CALLS = str(INPUTS / "branch.mlir"), str(INPUTS / "branch.calls.jsonl")


def ptc(*args, cwd=None, **env):
    return subprocess.run(["ptc", *map(str, args)], capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, **env})


def check_streams():
    ok = ptc("list", "dtypes")
    assert ok.returncode == 0 and ok.stdout.startswith("dtype") and ok.stderr == "", ok
    bad = ptc("list", "nothing")
    assert bad.returncode == 2 and bad.stdout == "" and "[PTC2001]" in bad.stderr, bad
    ran = ptc("run", IR, "--call", CALLS)
    assert ran.returncode == 13 and "ValueError" in ran.stderr and "ValueError" not in ran.stdout, ran
    silent = ptc("inspect-graph", IR, "-o", SCRATCH / "silent.txt")
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "", ""), silent


def check_colour():
    assert "\x1b[" in ptc("list", "nothing", "--color=always").stderr
    for args, env in ((["--color=never"], {}), ([], {}), ([], {"NO_COLOR": "1"})):
        assert "\x1b[" not in ptc("list", "nothing", *args, **env).stderr
    assert "\x1b[" in ptc("list", "nothing", "--color=always", NO_COLOR="1").stderr


def check_json_diagnostics():
    diag = json.loads(ptc("list", "nothing", PTC_FLAGS="--diagnostics-format=json").stderr)
    assert diag["code"] == "PTC2001" and diag["severity"] == "error", diag
    miss = ptc("run", IR, "--input", "x=f32[4]", "--input", "k=0", "--diagnostics-format=json")
    lines = [json.loads(line) for line in miss.stderr.splitlines()]
    assert [line["code"] for line in lines] == ["PTC7001"] and miss.returncode == 14, miss
    kinds = [a["kind"] for a in lines[0]["attachments"]]
    assert kinds == ["note", "hint"] and lines[0]["attachments"][0]["location"]["line"] == 4, lines


def check_response_files():
    response = SCRATCH / "args"
    response.write_text("dtypes --format json")
    assert json.loads(ptc("list", f"@{response}").stdout)
    missing = ptc("list", f"@{SCRATCH}/none")
    assert missing.returncode == 3 and "[PTC3001]" in missing.stderr, missing


def check_verbosity():
    out = SCRATCH / "v.txt"
    quiet = [ptc("inspect-graph", IR, "-o", out, *flags).stderr for flags in ([], ["-v"], ["-vv"], ["-v", "-q"])]
    assert quiet[0] == "" and quiet[3] == "", quiet
    assert re.match(r"\[1/\d+\] read\n", quiet[1]) and "branch.mlir" not in quiet[1], quiet[1]
    assert f"read {IR}\n" in quiet[2], quiet[2]
    timed = ptc("inspect-graph", IR, "-o", out, "--timing").stderr
    assert re.search(r"^timing: normalise +\d+\.\d+ ms$", timed, re.M), timed


def check_depfiles():
    out, deps = SCRATCH / "out dir" / "m.txt", SCRATCH / "deps.mk"
    out.parent.mkdir(exist_ok=True)
    ok = ptc("inspect-graph", IR, "--example", CALLS, "-o", out, "-MD", "-MF", deps, "-MT", "tar get", "-MP")
    assert ok.returncode == 0, ok
    text = deps.read_text()
    assert text.startswith("tar\\ get: \\\n") and f"\n{CALLS}:\n" in text and f"\n{IR}:\n" in text, text
    (SCRATCH / "Makefile").write_text(f"tar\\ get:\n\techo made\ninclude {deps}\n")
    make = subprocess.run(["make", "-n", "tar get"], cwd=SCRATCH, capture_output=True, text=True) if have("make") else None
    assert make is None or make.returncode == 0, make


def check_depfile_options():
    """Standard streams are no files; an option that would have no effect is refused."""
    text = SCRATCH / "streams.txt"
    pyc = SCRATCH / "m.pyc"
    py_compile.compile(str(INPUTS / "control.py"), str(pyc), doraise=True)
    assert ptc("dis", pyc, "-o", text).returncode == 0
    folder = SCRATCH / "streams"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    nameless = ptc("dis", pyc, "-MD", cwd=folder)
    assert nameless.returncode == 2 and "-MF" in nameless.stderr and not list(folder.iterdir()), nameless
    piped = subprocess.run(["ptc", "dis", "-", "-o", "d.txt", "-MD"], cwd=folder, input=pyc.read_bytes(), capture_output=True)
    assert piped.returncode == 0 and (folder / "d.txt.d").read_text() == "d.txt:\n", piped
    silent = ptc("explain", IR, "-MD", cwd=folder)
    assert silent.returncode == 2 and "-MT" in silent.stderr, silent
    named = ptc("explain", IR, "-MD", "-MF", folder / "e.d", "-MT", "e")
    assert named.returncode == 0 and IR in (folder / "e.d").read_text(), named
    for option in (["-MP"], ["-MT", "t"]):
        alone = ptc("dis", pyc, *option)
        assert alone.returncode == 2 and "[PTC2001]" in alone.stderr and alone.stdout == "", alone


def check_full_disk():
    if not Path("/dev/full").exists():
        return
    for args in (["list", "dtypes"], ["explain", IR], ["inspect-graph", IR], ["dis", SCRATCH / "m.pyc"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(["ptc", *map(str, args)], stdout=full, stderr=subprocess.PIPE, text=True)
        assert done.returncode == 6 and "[PTC4001]" in done.stderr, (args, done)


def check_outputs():
    """What is no file is not replaced; a file that may not grow is not written."""
    (SCRATCH / "f.py").write_text("def entry(x):\n    return x + 1\n")
    pyc, pipe = SCRATCH / "f.pyc", SCRATCH / "pipe"
    py_compile.compile(str(SCRATCH / "f.py"), str(pyc), doraise=True)
    options = ["--input", "x=f32[3]"]
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    for emit in ("lib", "obj", "archive", "exe"):
        done = ptc("compile", pyc, *options, "--emit", emit, "-o", pipe)
        assert done.returncode == 6 and "[PTC4001]" in done.stderr and pipe.is_fifo(), (emit, done)
    temporary = SCRATCH / "temporary"
    temporary.mkdir(exist_ok=True)
    small = SCRATCH / "small.so"
    small.unlink(missing_ok=True)
    for blocks in range(0, 400, 25):
        command = f'ulimit -f {blocks}; exec ptc compile {pyc} {" ".join(options)} -o {small}'
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True,
                              env={**os.environ, "TMPDIR": str(temporary)})
        assert not list(temporary.iterdir()), (blocks, list(temporary.iterdir()))
        if done.returncode == 0:
            break
        assert done.returncode == 6 and "[PTC4001]" in done.stderr, (blocks, done)
        assert not list(SCRATCH.glob("small.so*")), blocks
    assert blocks and done.returncode == 0, done


def have(tool):
    return any(Path(folder, tool).exists() for folder in os.environ["PATH"].split(os.pathsep))


def check_same_bytes():
    """The same input gives the same bytes, wherever and however it is run, and an equal file is not touched."""
    results = set()
    other = SCRATCH / "elsewhere"
    other.mkdir(exist_ok=True)
    for form in ("text", "mlir", "json", "dot"):
        results = set()
        for n, (cwd, env) in enumerate(((SCRATCH, {}), (other, {}), (SCRATCH, {"LANG": "tr_TR.UTF-8", "LC_ALL": "de_DE.UTF-8", "TZ": "UTC+5"}))):
            out = SCRATCH / f"same{n}.{form}"
            assert ptc("inspect-graph", IR, "--format", form, "-o", out, cwd=cwd, **env).returncode == 0
            results.add(out.read_bytes())
        assert len(results) == 1, form
    before = out.stat().st_mtime_ns
    assert ptc("inspect-graph", IR, "--format", form, "-o", out).returncode == 0
    assert out.stat().st_mtime_ns == before, "an identical file was written again"
    left = [p.name for p in SCRATCH.rglob("*") if "tmp" in p.name]
    assert not left, left


def check_dump():
    """One file per phase, and a script that makes the same again."""
    dump, again = SCRATCH / "dump", SCRATCH / "again"
    first = ptc("inspect-graph", IR, "--from=capture", f"--dump={dump}")
    names = sorted(p.name for p in dump.iterdir())
    assert names == ["0-capture.mlir", "1-normalise.mlir", "cmd"], names
    replay = subprocess.run(["sh", dump / "cmd"], capture_output=True, text=True, cwd="/")
    assert replay.stdout == first.stdout and replay.returncode == 0, replay
    stopped = ptc("inspect-graph", IR, "--to=capture", f"--dump={again}")
    assert stopped.returncode == 0 and not (again / "1-normalise.mlir").exists()
    resumed = ptc("inspect-graph", dump / "1-normalise.mlir", "--from=normalise", "--format=mlir")
    assert resumed.stdout == (dump / "1-normalise.mlir").read_text()


def check_help():
    verbs = ptc("--help").stdout
    for verb in ("run", "inspect-graph", "verify", "explain", "dis", "asm", "list"):
        shown = ptc(verb, "--help")
        assert shown.returncode == 0 and shown.stderr == "" and verb in verbs, shown
        examples = shown.stdout[shown.stdout.index("Examples:"):]
        assert examples.count(f"  ptc {verb} ") >= 1, examples
    mlir = ptc("--help-mlir")
    assert mlir.returncode == 0 and "--mlir-print-ir-after-all" in mlir.stdout and mlir.stderr == "", mlir
    printed = ptc("inspect-graph", IR, "-o", SCRATCH / "p.txt", "--mlir-print-ir-after-all")
    assert "IR Dump After" in printed.stderr and printed.returncode == 0, printed
    wrong = ptc("inspect-graph", IR, "--mlir-nothing")
    assert wrong.returncode == 2 and "--help-mlir" in wrong.stderr, wrong
    assert ptc().returncode == 2 and ptc("--version").stdout.startswith("ptc ")


def check_save():
    """The result format that the documentation promises."""
    one = SCRATCH / "one.json"
    call = SCRATCH / "call.json"
    call.write_text('{"args": [{"$tensor": "f32[3]", "values": [1, -2, 3]}, 0]}')
    assert ptc("run", IR, "--call", call, "--save", one).returncode == 0
    saved = json.loads(one.read_text())
    assert list(saved) == ["result", "stdout", "raised", "inputs", "aliases"], saved
    assert saved["raised"] is None and saved["stdout"].startswith("positive 1.0"), saved
    tensor = saved["result"]["$tuple"][0]
    assert tensor == {"$tensor": "one.safetensors", "name": "result.0"} and (SCRATCH / "one.safetensors").exists(), saved
    assert saved["inputs"]["x"]["$tensor"] == "one.safetensors", saved
    assert ptc("run", IR, "--call", CALLS, "--save", SCRATCH / "many.jsonl").returncode == 13
    lines = [json.loads(line) for line in (SCRATCH / "many.jsonl").read_text().splitlines()]
    assert [line["raised"] and line["raised"]["type"] for line in lines] == [None, "ValueError", None], lines
    assert set(lines[1]["raised"]) == {"type", "text", "file", "line"}, lines


def main():
    SCRATCH.mkdir(parents=True, exist_ok=True)
    for name, check in list(globals().items()):
        if name.startswith("check_"):
            check()


main()
