"""What every verb owes the shell: run by manners.test, one assertion per manner."""
import json
import os
import subprocess
import tempfile
from pathlib import Path


def ptc(*args, **env):
    return subprocess.run(["ptc", *args], capture_output=True, text=True,
                          env={**os.environ, **env})


def main():
    ok = ptc("list", "dtypes")
    assert ok.returncode == 0 and ok.stdout.startswith("dtype") and ok.stderr == "", ok

    bad = ptc("list", "nothing")
    assert bad.returncode == 2 and bad.stdout == "" and "[PTC2001]" in bad.stderr, bad

    red = ptc("list", "nothing", "--color=always")
    assert "\x1b[" in red.stderr, red
    assert "\x1b[" not in bad.stderr, bad

    diag = json.loads(ptc("list", "nothing", PTC_FLAGS="--diagnostics-format=json").stderr)
    assert diag["code"] == "PTC2001" and diag["severity"] == "error", diag

    with tempfile.TemporaryDirectory() as folder:
        response = Path(folder, "args")
        response.write_text("dtypes --format json")
        assert json.loads(ptc("list", f"@{response}").stdout)
        missing = ptc("list", f"@{folder}/none")
        assert missing.returncode == 3 and "[PTC3001]" in missing.stderr, missing

    timed = ptc("list", "dtypes", "--help")
    assert timed.returncode == 0 and "Examples:" in timed.stdout and timed.stderr == "", timed


main()
