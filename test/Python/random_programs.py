#!/usr/bin/env python3
"""Random programs without tensors: CPython and `ptc run --python` must print the same.

    random_programs.py --ptc PTC [--seed N] [--count N] [-j N] [-v] [--keep DIR] [--show N]

Each program is a function of a file of PER_FILE programs; what it raises is printed as its result. A
program is named by its seed: `--seed N --count 1` makes it again, `--show N` prints it.
"""
import os
import py_compile
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import batch  # noqa: E402
import runner  # noqa: E402

PER_FILE = 25
HEAD = '''import contextlib, functools, itertools, operator


@contextlib.contextmanager
def scope(name, swallow=()):
    print("enter", name)
    try:
        yield name
    except swallow as error:
        print("swallowed", type(error).__name__)
    finally:
        print("leave", name)


def run(number, program):
    try:
        print(number, program())
    except Exception as error:
        print(number, "raised", type(error).__name__, error, type(error.__context__).__name__)
'''


class Program:
    """Statements over variables whose types are known, so that most of them do not raise, and whose
    values stay small."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines, self.indent, self.names, self.count = [], 1, [], 0
        self.functions, self.in_loop, self.depth = [], 0, 0
        self.vars = {"int": [], "str": [], "list": [], "dict": [], "set": [], "float": [], "tuple": []}
        for kind, known in self.vars.items():
            known.append(self.fresh())
            self.emit(f"{known[0]} = {self.literal(kind)}")

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    def fresh(self, prefix="v"):
        self.count += 1
        return f"{prefix}{self.count}"

    def pick(self, *choices):
        return self.r.choice(choices)

    # Expressions ---------------------------------------------------------------------------------

    def expr(self, kind, depth=2):
        known = self.vars[kind]
        if depth <= 0 or self.r.random() < 0.25:
            return self.r.choice(known) if known and self.r.random() < 0.7 else self.literal(kind)
        return getattr(self, "expr_" + kind)(depth - 1)

    def literal(self, kind):
        r = self.r
        if kind == "int":
            return str(self.pick(0, 1, 2, 3, 7, 10, 255, 2 ** 31, 2 ** 63 - 1, 10 ** 20)) if r.random() < .9 else "True"
        if kind == "float":
            return self.pick("0.0", "-0.0", "1.5", "2.0", "0.1", "1e16", "1e-7", "3.14159", "float('inf')")
        if kind == "str":
            return repr("".join(r.choice("abcXYZ 09_é") for _ in range(r.randrange(6))))
        if kind == "list":
            return "[" + ", ".join(self.literal("int") for _ in range(r.randrange(5))) + "]"
        if kind == "tuple":
            return "(" + "".join(self.literal(self.pick("int", "str")) + ", " for _ in range(r.randrange(4))) + ")"
        if kind == "set":
            return "{" + ", ".join(self.literal("int") for _ in range(r.randrange(1, 5))) + "}"
        return "{" + ", ".join(f"{self.literal('str')}: {self.literal('int')}" for _ in range(r.randrange(4))) + "}"

    def expr_int(self, d):
        i, l = (lambda: self.expr("int", d)), (lambda k: self.expr(k, d))
        form = self.r.randrange(18)
        if form < 5:
            return f"({i()} {self.pick('+', '-', '*', '//', '%', '&', '|', '^')} {i()})"
        if form == 5:
            return f"len({l(self.pick('list', 'str', 'dict', 'set', 'tuple'))})"
        if form == 6:
            return f"({l(self.pick('list', 'tuple'))}[{self.pick('0', '-1', '1', i())}])"
        if form == 7:
            return f"{l('dict')}.get({l('str')}, {i()})"
        if form == 8:
            return f"({i()} if {self.cond(d)} else {i()})"
        if form == 9:
            return f"sum({l('list')})"
        if form == 10:
            return f"{self.pick('max', 'min')}({l('list')}, default={i()})"
        if form == 11:
            return f"({self.pick('-', '~', 'not ')}{i()})"
        if form == 12:
            return f"{self.pick('int', 'round', 'hash')}({l('float')})" if self.r.random() < .5 else f"abs({i()})"
        if form == 13:
            return f"({i()} {self.pick('<<', '>>', '**')} {self.pick('0', '1', '3', '5')})"
        if form == 14:
            return f"{l('str')}.{self.pick('find', 'count', 'rfind')}({l('str')})"
        if form == 15:
            return f"divmod({i()}, {self.pick('3', '-3', '7', i())})[{self.pick(0, 1)}]"
        if form == 16 and self.functions:
            name, args = self.r.choice(self.functions)
            return f"{name}({', '.join(i() for _ in range(args))})"
        return f"functools.reduce({self.pick('operator.add', 'lambda a, b: a - b', 'max')}, {l('list')}, {i()})"

    def fill(self, d, *templates):
        """One of the templates, with an expression for each <kind>."""
        def expression(match):
            kind, _, flat = match[1].partition("-")
            return self.slice(d) if kind == "slice" else self.expr(kind, 0 if flat else d)
        return re.sub(r"<([a-z]+(?:-0)?)>", expression, self.r.choice(templates))

    def expr_float(self, d):
        return self.fill(d, f"(<float> {self.pick('+', '-', '*', '/')} <float>)", f"(<float> + <int-0>)",
                         f"float({self.literal('int')})", f"abs(<float>)", f"(-<float>)", f"round(<float>, {self.pick(0, 1, 3)})",
                         f"(<int> / {self.pick('2', '3', '7.0')})")

    def expr_str(self, d):
        spec = self.pick("", ":>8", ":05d", ":x", ":,", ":+d", ":^9", ":_b", "!r", "!s:<6")
        return self.fill(
            d,
            f"(<str> + <str>)", f"(<str> * {self.pick(0, 2, 3)})", f"<str>.{self.pick('upper', 'title', 'strip', 'swapcase', 'casefold')}()",
            f"str(<{self.pick('int', 'float', 'list', 'dict', 'tuple', 'set')}>)", f"repr(<str>)",
            f"f'{{{self.r.choice(self.vars['int'])}{spec}}}|{{{self.r.choice(self.vars['float'])}{self.pick('', ':.3f', ':10.2e', ':g', ':%')}}}'",
            f"<str>[<slice>]", f"<str>.replace(<str>, <str>)", f"<str>.join([<str>, <str>])",
            f"'%s-%d' % (<str>, <int>)", f"'{{}}:{{!r}}'.format(<int>, <str>)", f"<str>.{self.pick('ljust', 'center', 'zfill')}({self.pick(0, 5, 9)})",
            f"''.join(sorted(<str>))", f"''.join(reversed(<str>))", f"{self.pick('bin', 'hex', 'oct')}(<int>)")

    def slice(self, d):
        part = lambda: self.pick("", "0", "1", "-1", "-2", "3", str(self.r.randrange(-5, 6)))
        return f"{part()}:{part()}" + self.pick("", ":1", ":2", ":-1", ":-2")

    def expr_list(self, d):
        x = self.fresh("x")
        return self.fill(
            d,
            f"(<list> + <list>)", f"(<list> * {self.pick(0, 2)})", f"<list>[<slice>]", f"sorted(<list>, reverse={self.pick(True, False)})",
            f"sorted(<list>, key=lambda {x}: ({x} % 3, -{x}))", f"[{x} + <int-0> for {x} in <list>]",
            f"[{x} for {x} in <list> if {x} % {self.pick(2, 3)}]", f"list(range({self.pick(0, 3, 5)}, {self.pick(7, -4)}, {self.pick(1, 2, -1)}))",
            f"list(map({self.pick('abs', 'int', 'lambda q: q * 2')}, <list>))", f"list(filter({self.pick('None', 'lambda q: q > 1')}, <list>))",
            f"[a - b for a, b in zip(<list>, <list>)]", f"[n * a for n, a in enumerate(<list>, {self.pick(0, 5)})]",
            f"list(<set>)", f"list(<dict>.values())", f"list(itertools.chain(<list>, <list>))",
            f"list(itertools.accumulate(<list>))", f"list(reversed(<list>))", f"[*<list>, <int>]", f"list(itertools.islice(<list>, {self.pick(1, 2, 3)}))")

    def expr_tuple(self, d):
        return self.fill(d, f"(<tuple> + <tuple>)", f"<tuple>[<slice>]", f"tuple(<list>)", f"(<int>, <str>)",
                         f"tuple(sorted(<dict>.items()))", f"(<tuple> * {self.pick(0, 1, 2)})")

    def expr_set(self, d):
        return self.fill(d, f"(<set> {self.pick('|', '&', '-', '^')} <set>)", f"set(<list>)", f"{{<int>, <int>}}",
                         f"{{q % 4 for q in <list>}}", f"<set>.{self.pick('union', 'difference', 'intersection')}(<list>)")

    def expr_dict(self, d):
        return self.fill(d, f"{{<str>: <int>, <str>: <int>}}", f"{{**<dict>, <str>: <int>}}",
                         f"(<dict> | <dict>)", f"{{str(q): q for q in <list>}}",
                         f"dict(zip(<str>, <list>))", f"dict.fromkeys(<str>, <int>)")

    def cond(self, d=1):
        kind = self.pick("int", "int", "str", "float", "list")
        return self.fill(d, f"<{kind}> {self.pick('<', '<=', '==', '!=', '>', '>=')} <{kind}>",
                         f"<int> {self.pick('in', 'not in')} <{self.pick('list', 'set', 'tuple')}>",
                         f"<{self.pick('int', 'list', 'str', 'dict')}>",
                         f"<int-0> < <int-0> <= <int-0>",
                         f"<str> in <{self.pick('dict', 'str')}>",
                         f"isinstance(<{self.pick('int', 'str', 'float')}>, ({self.pick('int', 'str')}, {self.pick('float', 'bool')}))",
                         f"any(q > 2 for q in <list>)", f"not all(<list>)")

    # Statements ----------------------------------------------------------------------------------

    def assign(self, kind=None):
        kind = kind or self.r.choice(list(self.vars))
        known = self.vars[kind]
        name = self.r.choice(known) if known and (self.r.random() < 0.6 or self.depth) else self.fresh()
        bound = {"list": "[:20]", "tuple": "[:9]", "str": "[:40]", "int": " % 10 ** 30"}.get(kind, "")
        self.emit(f"{name} = ({self.expr(kind)}){bound}")
        if name not in known:
            known.append(name)

    def change(self):
        l, d, s = (self.r.choice(self.vars[k]) for k in ("list", "dict", "set"))
        self.emit(self.fill(
            1,
            f"{l}.append(<int>)", f"{l}.insert({self.pick(0, 1, -1)}, <int>)", f"{l}.extend(<list>)", f"{l}.sort()", f"{l}.reverse()",
            f"{l}[{self.pick(0, -1, 1)}] = <int>", f"{l}[{self.pick('', '0', '1', '-2')}:{self.pick('', '1', '-1', '9')}] = <list>" if self.r.random() < .3 else f"{l} += <list>",
            f"print({l}.pop({self.pick('', '0', '-1')}))", f"del {l}[{self.pick('0', '-1', '1:2', '::2')}]", f"{l}.remove(<int>)",
            f"{d}[<str>] = <int>", f"{d}.setdefault(<str>, <int>)", f"{d}.update(<dict>)", f"print({d}.pop(<str>, None))", f"del {d}[<str>]",
            f"{s}.add(<int>)", f"{s}.discard(<int>)", f"{s} {self.pick('|=', '&=', '-=', '^=')} <set>", f"{s}.update(<list>)",
            f"{self.r.choice(self.vars['int'])} {self.pick('+=', '-=', '*=', '//=', '%=')} <int>"))
        self.emit(f"del {l}[20:]")          # loops would double it

    def block(self):
        self.indent += 1
        self.depth += 1
        for _ in range(self.r.randrange(1, 4)):
            self.statement()
        self.indent -= 1
        self.depth -= 1

    def stmt_if(self):
        self.emit(f"if {self.cond()}:")
        self.block()
        if self.r.random() < 0.5:
            self.emit(f"elif {self.cond()}:")
            self.block()
        if self.r.random() < 0.5:
            self.emit("else:")
            self.block()

    def stmt_for(self):
        x = self.fresh("x")
        source = self.pick(f"range({self.pick(2, 4)})", f"{self.expr('list', 1)}[:4]", f"list({self.expr('set', 1)})[:4]")
        self.emit(f"for {x} in {source}:")
        self.vars["int"].append(x)
        self.in_loop += 1
        self.block()
        if self.r.random() < 0.3:
            self.emit(f"    if {self.cond()}:")
            self.emit(f"        {self.pick('break', 'continue')}")
        self.in_loop -= 1
        self.vars["int"].remove(x)
        if self.r.random() < 0.2:
            self.emit("else:")
            self.block()

    def stmt_while(self):
        n = self.fresh("n")
        self.emit(f"{n} = {self.pick(2, 3)}")
        self.emit(f"while {n} > 0" + self.pick("", f" and ({self.cond()})") + ":")
        self.emit(f"    {n} -= 1")
        self.in_loop += 1
        self.block()
        self.in_loop -= 1

    def stmt_try(self):
        self.emit("try:")
        self.block()
        if self.r.random() < 0.4:
            self.emit(f"    raise {self.pick('ValueError', 'KeyError', 'TypeError', 'RuntimeError')}({self.expr('str', 1)})")
        names = self.pick("ValueError", "(KeyError, IndexError)", "Exception", "LookupError", "ArithmeticError", "TypeError")
        self.emit(f"except {names} as error:")
        self.emit("    print(type(error).__name__, error)")
        self.block()
        if self.r.random() < 0.3:
            self.emit("else:")
            self.block()
        if self.r.random() < 0.4:
            self.emit("finally:")
            self.block()

    def stmt_with(self):
        self.emit(f"with scope({self.expr('str', 1)}, {self.pick('()', 'ValueError', '(IndexError, KeyError)', 'Exception')}):")
        self.block()

    def stmt_match(self):
        subject = self.pick(self.expr("int", 1), self.expr("list", 1), self.expr("dict", 1), self.expr("tuple", 1))
        self.emit(f"match {subject}:")
        self.indent += 1
        for pattern in self.r.sample(["0 | 1", "[]", "[a]", "[a, *rest]", "{'a': a}", "int(a) if a > 3", "(a, str(b))", "{}", "None"], 3) + ["_"]:
            self.emit(f"case {pattern}:")
            self.emit(f"    print({pattern!r})")
            self.block()
        self.indent -= 1

    def stmt_function(self):
        """A function of ints: recursive, a closure, with defaults, or a generator behind a sum."""
        name, outer = self.fresh("f"), self.vars
        args = self.r.randrange(3)
        params = [self.fresh("p") for _ in range(args)]
        extra = self.pick("", "", ", *rest", ", **more", ", flag=3", ", *, key=2")
        self.emit(f"def {name}({', '.join(params)}{extra if params else extra.lstrip(', ')}):")
        self.vars = {kind: list(known) for kind, known in outer.items()}
        self.vars["int"] += params
        if self.r.random() < 0.4:
            shared = self.r.choice(outer["int"])
            self.emit(f"    nonlocal {shared}")
            self.emit(f"    {shared} = {self.expr('int', 1)}")
        self.indent += 1
        saved, self.in_loop = self.in_loop, 0
        self.emit(f"x = {self.expr('int')}")
        self.emit(f"if {self.cond()}:")
        self.emit(f"    return {self.expr('int', 1)}")
        if self.r.random() < 0.4:
            self.emit("def numbers():")
            self.emit(f"    for q in {self.expr('list', 1)}:")
            self.emit(f"        yield q {self.pick('+', '*', '-')} x")
            self.emit("    return x")
            self.emit("x = sum(numbers())")
        self.emit(f"return x {self.pick('+', '-', '%')} {self.expr('int', 1)}")
        self.indent -= 1
        self.in_loop, self.vars = saved, outer
        self.functions.append((name, args))

    def stmt_class(self):
        base, derived = self.fresh("A"), self.fresh("B")
        self.emit(f"class {base}:")
        self.emit(f"    shared = {self.expr('int', 1)}")
        self.emit("    def __init__(self, n=1, *rest):")
        self.emit("        self.n, self.rest = n, rest")
        self.emit(f"    def get(self): return self.n {self.pick('+', '*', '-')} self.shared")
        self.emit(f"    def __{self.pick('add', 'sub', 'mul')}__(self, other): return type(self)(self.n + other)")
        self.emit("    def __repr__(self): return f'{type(self).__name__}({self.n!r})'")
        self.emit("    def __eq__(self, other): return isinstance(other, " + base + ") and self.n == other.n")
        if self.r.random() < 0.5:
            self.emit("    def __hash__(self): return hash(self.n)")
        self.emit(f"class {derived}({base}):")
        self.emit("    @property")
        self.emit(f"    def twice(self): return super().get() * {self.pick(2, 3)}")
        self.emit("    @classmethod")
        self.emit(f"    def make(cls, *args): return cls({self.expr('int', 1)}, *args)")
        self.emit(f"    def __len__(self): return {self.pick(0, 2, 'abs(self.n) % 5')}")
        o = self.fresh("o")
        self.emit(f"{o} = {derived}.make(1, 2)")
        self.emit(f"print({o}, {o}.get(), {o}.twice, {o} == {base}({o}.n), bool({o}), len({o}), {o}.rest)")
        self.emit(f"print({self.pick(f'{o} + 1', f'{o} * 2', f'{o} - 3', f'{{{o}: 1}}', f'[{o}, {o}].index({o})', f'{o}.missing', f'sorted([{o}, {o}])')})")

    def guarded(self, statement):
        """Mostly inside a try, so that the program goes on behind what raises."""
        if self.depth > 2 or self.r.random() < 0.2:
            return statement()
        self.emit("try:")
        self.indent += 1
        statement()
        self.indent -= 1
        self.emit("except Exception as error:")
        self.emit("    print(type(error).__name__, error)")

    def statement(self):
        if self.depth > 3 or self.r.random() < 0.45:
            return self.guarded(self.r.choice([self.assign, self.change, self.change]))
        if self.r.random() < 0.15:
            return self.emit(f"print({self.expr(self.r.choice(list(self.vars)))})")
        self.r.choice([self.stmt_if, self.stmt_for, self.stmt_while, self.stmt_try, self.stmt_with, self.stmt_match]
                      + ([self.stmt_function, self.stmt_class] if self.depth == 0 else []))()

    def text(self, number):
        for _ in range(self.r.randrange(4, 10)):
            self.statement()
        shown = ", ".join(f"{v}" for kind in self.vars.values() for v in kind)
        return f"\n\ndef program_{number}():\n" + "\n".join(self.lines) + f"\n    return [{shown}]\n\n\nrun({number}, program_{number})\n"


def python_output(pyc):
    """Of the .pyc: marshal orders the members of set literals."""
    done = subprocess.run([sys.executable, str(pyc)], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"})
    return done.stdout + done.stderr


def sections(text):
    """Output by program: a program's lines end with its number and result."""
    found, lines = {}, []
    for line in text.splitlines():
        lines.append(line)
        head, _, result = line.partition(" ")
        if head.isdigit() and result[:1] in ("[", "r") and int(head) >= 1000000:
            found[int(head)] = lines
            lines = []
    return found, lines


def check(ptc, seeds, folder):
    """seed -> None or what differs, of the programs that ran."""
    source = folder / f"programs_{seeds[0]}.py"
    source.write_text(HEAD + "".join(Program(seed).text(1000000 + seed) for seed in seeds), encoding="utf-8")
    pyc = source.with_suffix(".pyc")
    py_compile.compile(str(source), cfile=str(pyc), dfile=source.name, doraise=True)
    want, rest = sections(python_output(pyc))
    if len(want) != len(seeds):
        return {seeds[0]: "CPython did not run the file: " + "\n".join(rest[-5:])}
    done = batch.run([ptc, "run", "--python", pyc], timeout=120, env={**os.environ, "NO_COLOR": "1"})
    got, rest = sections(done.stdout.decode(errors="replace"))
    seen = {}
    for number, lines in want.items():
        mine, seed = got.get(number), number - 1000000
        seen[seed] = None
        if mine is None:
            seen[seed] = "no result: " + done.stderr.decode(errors="replace")[:300]
            break                             # what follows did not run
        for a, b in zip(lines + ["<end>"], mine + ["<end>"]):
            if a != b:
                at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
                low = max(0, at - 30)
                seen[seed] = f"expected {a[low:at + 90]!r}\n  got      {b[low:at + 90]!r}"
                break
    return seen


def main():
    parser = runner.options(__doc__, ptc=False, pattern=False)
    parser.add_argument("--ptc")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--show", type=int)
    parser.add_argument("--keep", type=Path, help="write the programs there")
    args = parser.parse_args()
    if args.show is not None:
        print(HEAD + Program(args.show).text(1000000 + args.show))
        return 0
    seeds = list(range(args.seed, args.seed + args.count))
    files = [seeds[i:i + PER_FILE] for i in range(0, len(seeds), PER_FILE)]
    print(f"seeds {seeds[0]} to {seeds[-1]}")
    report = runner.Report(args.v)
    with tempfile.TemporaryDirectory() as name:
        folder = args.keep or Path(name)
        folder.mkdir(exist_ok=True)
        found = runner.outcomes(lambda part: check(args.ptc, part, folder), files, args.j)
        for part, outcome in zip(files, found):
            for seed, text in (outcome.value or {part[0]: outcome.wrong}).items():
                report.case(seed, text)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
