#!/usr/bin/env python3
"""What objects, classes and functions say of themselves, and what a program may do to them: questions of questions/.

    texts.py --ptc PTC [FILTER] [-j N] [-v]

A file has blocks: `=== title (refused: N)`, a program, a line `--`, and questions, a line each: expressions, whose repr() is printed,
or, behind `!`, statements. What `ptc` prints must be what CPython 3.11 and eager PyTorch print, addresses aside; what is raised is
printed, too. A refusal is no answer: the question is left out, on both sides, and the others are asked again. There may be N of them.
"""
import contextlib
import io
import os
import py_compile
import re
import sys
import tempfile
import warnings
from pathlib import Path

import torch  # noqa: F401

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import batch  # noqa: E402
import runner  # noqa: E402

EXPRESSION = "try: print({n}, repr(({question})))\nexcept Exception as _e: print({n}, type(_e).__name__, _e)\n"
STATEMENT = "try:\n    {question}\n    print({n}, 'done')\nexcept Exception as _e: print({n}, type(_e).__name__, _e)\n"
torch.set_num_threads(1)                       # workers are forked


def program(setup, questions):
    parts = [setup, ""]
    for n, question in questions:
        form = STATEMENT if question.startswith("!") else EXPRESSION
        parts.append(form.format(n=n, question=question.removeprefix("!").strip()))
    return "\n".join(parts)


def answers(text):
    """number of a question -> what was printed for it"""
    found, last = {}, None
    for line in re.sub(r"0x[0-9a-f]+", "0x", text).splitlines():
        if head := re.match(r"(\d+) (.*)", line):
            last, line = int(head[1]), head[2]
        found[last] = f"{found[last]}\n{line}" if last in found and not head else line
    return found


def answers_of_python(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, "ask.py", "exec"), {"__name__": "__main__"})
    return answers(out.getvalue())


def check(ptc, setup, questions, allowed):
    left, refused = list(enumerate(questions)), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ask.py")
        while True:
            source = program(setup, left)
            path.write_text(source)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                py_compile.compile(str(path), dfile="ask.py", cfile=str(path) + "c", doraise=True)
            done = batch.run([ptc, "run", "--python", str(path) + "c"], env={**os.environ, "NO_COLOR": "1"})
            got, said = answers(done.stdout.decode()), done.stderr.decode()
            if done.returncode == 0:
                break
            text = (said.splitlines() or [""])[0]
            missing = [n for n, _ in left if n not in got]
            if done.returncode != 1 or "[PTC1" not in text or not missing:
                return f"exit code {done.returncode}\n{said[:1000]}"
            refused.append(f"{questions[missing[0]]}: {text}")
            left = [(n, question) for n, question in left if n != missing[0]]
    want = answers_of_python(source)
    wrong = [f"{question}\n  got      {got.get(n)}\n  expected {want.get(n)}" for n, question in left if got.get(n) != want.get(n)]
    print(*(f"refused: {r}" for r in refused), sep="\n")
    if len(refused) != allowed:
        wrong.append(f"{len(refused)} questions were refused, {allowed} are noted")
    return "\n".join(wrong) if wrong else None


def cases(ptc, folder=HERE / "questions"):
    for path in sorted(folder.glob("*.txt")):
        for block in re.split(r"^=== ", path.read_text(), flags=re.M)[1:]:
            head, _, rest = block.partition("\n")
            setup, _, questions = rest.partition("--\n")
            title, allowed = re.fullmatch(r"(.*) \(refused: (\d+)\)", head).groups()
            yield f"{path.stem}: {title}", (ptc, setup, [q for q in questions.splitlines() if q], int(allowed))


def main():
    args = runner.options(__doc__).parse_args()
    return runner.run(list(cases(args.ptc)), check, args)


if __name__ == "__main__":
    sys.exit(main())
