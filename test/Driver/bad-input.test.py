"""Each row: arguments, exit code, diagnostic, a part of its text. Run by bad-input.test."""
import subprocess
import sys
import tempfile
from pathlib import Path

IR = str(Path(sys.argv[1], "Inputs/branch.mlir"))


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = {"notation.json": '{"args": [{"$tensor": "q8[2]"}]}', "syntax.json": "{",
                 "keys.json": '{"arguments": []}', "short.json": '{"args": [{"$tensor": "f32[3]", "values": [1, 2]}]}',
                 "few.json": '{"args": [{"$tensor": "f32[3]"}]}', "bad.mlir": "module {", "empty.mlir": "module {}"}
        for file, text in files.items():
            (folder / file).write_text(text)
        out = folder / "out.json"
        save = ["--save", str(out)]
        rows = [
            (["run", str(folder / "none.mlir")], 3, "PTC3001", "No such file"),
            (["run", IR, "--call", str(folder / "none.json")], 3, "PTC3001", "none.json"),
            (["run", IR, "--call", str(folder / "syntax.json")], 4, "PTC3301", "syntax.json:1:2: error"),
            (["run", IR, "--call", str(folder / "keys.json")], 4, "PTC3301", "'arguments' is none of args"),
            (["run", IR, "--call", str(folder / "notation.json")], 4, "PTC3301", "no element type is called 'q8'"),
            (["run", IR, "--call", str(folder / "short.json")], 4, "PTC3301", "2 values for 3 elements"),
            (["run", IR, "--call", str(folder / "few.json")], 4, "PTC3303", "'k'"),
            (["run", IR, "--input", "x"], 2, "PTC3302", "NAME=SPEC"),
            (["run", IR, "--input", "x=f32[3"], 2, "PTC3302", "lacks the closing ]"),
            (["run", IR, "--input", "x=f32[B in 9..3]"], 2, "PTC3302", "has no sizes"),
            (["run", IR, "--input", "x=f32[9B]"], 2, "PTC3302", "is no dimension"),
            (["run", IR, "--init", "{"], 2, "PTC3304", "expected a name in double quotes, found the end of the text, at character 2"),
            (["run", IR, "--weights", str(folder / "w.bin")], 4, "PTC3200", "must end in"),
            (["run", str(folder / "bad.mlir")], 4, "PTC3350", "bad.mlir"),
            (["run", str(folder / "empty.mlir")], 4, "PTC3350", "no program.entry"),
            (["inspect-graph", IR, "-o", str(folder / "no/such/x")], 6, "PTC4001", "x"),
            (["inspect-graph", IR, "-MD"], 2, "PTC2001", "-MF"),
        ]
        for args, code, number, text in rows:
            done = subprocess.run(["ptc", *args, *(save if args[0] == "run" else [])],
                                  capture_output=True, text=True)
            what = f"{args}: {done}"
            assert done.returncode == code, what
            assert f"[{number}]" in done.stderr and text in done.stderr, what
            assert not out.exists(), what


main()
