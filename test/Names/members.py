#!/usr/bin/env python3
"""Asks objects and classes with a model for attributes: those that CPython and eager PyTorch have, and those that others have.

    members.py --ptc PTC [FILTER] [-j N] [-v] [--every]

Of objects of each kind, and of the classes of each module with a model, hasattr() is asked for every name that dir() gives, for names
that the model has, and for special methods of other classes; where there is one, whether it is callable and whether it is None. What
`ptc` prints must be what CPython 3.11 and eager PyTorch print. The classes of the standard library are asked with the bytecode of the
other versions, too, for names that a class has in any version and those that its model has: what they have is what the tables say
(lib/Capture/Known). A refusal is no answer: it is counted, and the next question asked; there may be so many of them (REFUSED).
A fifth of them is asked by day, all with --every; where many questions in a row are refused, a fifth of the other names.
"""
import ast
import contextlib
import importlib
import io
import os
import py_compile
import sys
import tempfile
import warnings
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd"), str(ROOT / "lib/Capture/Known")]
import batch  # noqa: E402
import pack  # noqa: E402
import runner  # noqa: E402
from pycs import VERSIONS, pyc_for  # noqa: E402
from run import by_ptc  # noqa: E402

BEFORE = """import sys
from dataclasses import dataclass, fields
from contextlib import contextmanager
class Plain:
    "text"
    def method(self): pass
class Slots:
    __slots__ = ("a",)
class Callable:
    def __call__(self): pass
class SubList(list): pass
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(1, 1)
@dataclass
class Data:
    a: int = 1
@contextmanager
def manager(): yield
def function(a, b=1, *, c=2): return a
async def coroutine(): pass
def enclosing():
    z = 1
    return lambda: z
try: 1 / 0
except Exception as e: error, traceback = e, e.__traceback__
""".replace("import sys", "import sys, torch", 1)
OBJECTS = """1 | 1.5 | 1j | 'a' | b'a' | bytearray(b'a') | memoryview(b'a') | [1] | {1: 2} | {1} | frozenset([1]) | (1,) | range(3) | slice(1)
None | ... | NotImplemented | True | type | object | object() | function | (i for i in [1]) | function.__code__ | len | [].append
property() | staticmethod(len) | classmethod(len) | super | super(Plain, Plain()) | int | str | dict | list | tuple
{}.keys() | {}.items() | {}.values() | iter([]) | iter(()) | iter('') | iter({}) | iter(set()) | iter(range(1)) | iter(len, 1)
enumerate([]) | zip() | map(len, []) | filter(None, []) | reversed([]) | reversed({}) | (1).__add__ | list.append | int.real | Plain.method
ValueError('a') | OSError(1, 'a') | KeyError('a') | StopIteration(1) | UnicodeDecodeError('a', b'b', 1, 2, 'c') | AttributeError('a')
NameError('a') | ImportError('a') | SyntaxError('a') | SystemExit(1) | ExceptionGroup('a', [ValueError()]) | ValueError | error
Plain | Plain() | Plain().method | Slots | Slots() | Callable() | SubList | SubList() | Net | Net() | Data | Data(1) | fields(Data)[0]
manager() | traceback | enclosing().__closure__[0]
functools: functools.partial(len) | functools.lru_cache(None)(lambda: 1) | functools.cached_property(len) | functools.singledispatch(lambda x: 1)
functools: functools.partialmethod(len) | functools.reduce
collections: collections.deque() | collections.Counter() | collections.OrderedDict() | collections.defaultdict(int)
collections: collections.namedtuple('A', 'a b')(1, 2) | collections.namedtuple('A', 'a b') | collections.ChainMap() | collections.UserDict()
collections: collections.UserList() | collections.UserString('a')
itertools: itertools.count() | itertools.chain() | itertools.repeat(1)
enum: enum.Enum('E', 'a b').a | enum.Enum('E', 'a b') | enum.IntEnum('E', 'a b').a | enum.Flag('E', 'a b').a | enum.auto()
typing: typing.Optional[int] | typing.List[int] | typing.TypeVar('T') | typing.Union[int, str] | typing.Generic
typing: typing.NewType('N', int) | typing.ParamSpec('P') | typing.Literal[1] | typing.ForwardRef('a')
types: types.SimpleNamespace(a=1) | types.MappingProxyType({}) | types.ModuleType('m') | types.MethodType(len, 1) | type.__or__(int, str)
logging: logging.getLogger('a') | logging.getLogger() | logging.Formatter() | logging.StreamHandler() | logging.NullHandler()
inspect: inspect.signature(function) | inspect.signature(function).parameters['a'] | inspect.Parameter.empty
string: string.Template('$a') | string.Formatter() | string
random: random.Random(1) | random
io: io.StringIO() | io.StringIO
contextlib: contextlib.suppress() | contextlib.ExitStack() | contextlib.nullcontext() | contextlib.closing(sys)
os: os.environ | os.path
warnings: warnings.catch_warnings() | warnings
abc: abc.ABC | abc.ABCMeta | abc.abstractmethod
operator: operator.itemgetter(1) | operator.attrgetter('a') | operator.methodcaller('a')
numbers: numbers.Number | numbers.Integral
json: json.JSONEncoder() | json.JSONDecoder()
copy: copy.Error | copy
textwrap: textwrap.TextWrapper()
torch.ones(2) | torch.ones(2).requires_grad_() | torch.Size([1]) | torch.float32 | torch.device('cpu') | torch.Generator() | torch.strided
torch.nn.Linear(1, 1) | torch.nn.Parameter(torch.ones(1)) | torch.nn.ModuleList() | torch.nn.ModuleDict() | torch.nn.Sequential()
torch.nn.ParameterDict() | torch.nn.ParameterList() | torch.nn.BatchNorm2d(1) | torch.nn.LSTM(1, 1) | torch.nn.Dropout() | torch.nn.LayerNorm(1)
torch.nn.Conv2d(1, 1, 1) | torch.nn.Embedding(1, 1) | torch.nn.MultiheadAttention(1, 1) | torch.nn.TransformerEncoderLayer(1, 1, 1)
torch.finfo(torch.float32) | torch.iinfo(torch.int32) | torch.no_grad() | torch.Tensor | torch.contiguous_format | torch.nn.Parameter
torch.ones(2, 2).max(0) | torch.add | torch.nn.functional.relu | torch.Tensor.add | torch.ones(2).add | torch.nn.Module | torch
torch.nn | torch.autograd | torch.cuda | torch.jit | torch.ones(2).untyped_storage()"""
COMMON = """a name value call iter_ append shape dtype training weight func args __abs__ __add__ __aenter__ __aiter__ __all__ __annotations__
__args__ __await__ __bases__ __bool__ __bytes__ __call__ __class__ __class_getitem__ __closure__ __code__ __complex__ __contains__ __copy__
__dataclass_fields__ __deepcopy__ __defaults__ __del__ __delattr__ __delete__ __delitem__ __dict__ __dir__ __doc__ __enter__ __eq__ __exit__
__file__ __float__ __func__ __get__ __getattr__ __getattribute__ __getitem__ __getnewargs__ __getstate__ __globals__ __hash__ __iadd__
__index__ __init__ __init_subclass__ __instancecheck__ __int__ __ior__ __isabstractmethod__ __iter__ __kwdefaults__ __len__
__length_hint__ __matmul__ __members__ __missing__ __module__ __mro__ __mul__ __name__ __new__ __next__ __objclass__ __or__
__origin__ __path__ __post_init__ __prepare__ __qualname__ __radd__ __reduce__ __reduce_ex__ __repr__ __reversed__ __rmul__ __ror__
__round__ __self__ __set__ __set_name__ __setattr__ __setitem__ __setstate__ __signature__ __sizeof__ __slots__ __spec__ __str__
__subclasses__ __subclasshook__ __text_signature__ __torch_function__ __version__ __weakref__ __wrapped__ _fields cache_clear
no_such_name_anywhere""".split()
ASK = """
for n in {names!r}.split():
    if not hasattr(o, n):
        print(n, "absent")
    else:
        v = getattr(o, n)
        print(n, "None" if v is None else "callable" if callable(v) else "value")
"""
torch.set_num_threads(1)                       # workers are forked
REFUSED = 0.8                                  # of the questions about one object
REFUSED_OF_CLASS = 0.8                         # about a class
REFUSED_OF_VERSION = 150                       # about the classes of a module in one version
# Derived from property here, whose functions the class has then.
NOT_ASKED = {"types.DynamicClassAttribute", "enum.property"}
ALIKE = 16                                     # refusals in a row behind which a fifth of the other names is asked


def answers_of_eager(source):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(source, "ask.py", "exec"), {"__name__": "__main__", "sys": sys})
    return [line.split() for line in out.getvalue().splitlines()]


def is_hidden(module):
    """Has its package something else under its name?"""
    package, _, leaf = module.rpartition(".")
    importlib.import_module(module)
    return package != "" and not isinstance(getattr(importlib.import_module(package), leaf, sys), type(sys))


def value_of(setup):
    scope = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(setup, "ask.py", "exec"), scope)
    return scope["o"]


def names_to_ask(o, more):
    """What can be asked for without effects that differ: attributes that raise something else are left out."""
    found = []
    for name in dict.fromkeys([*dir(o), *more, *COMMON]):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                hasattr(o, name)
        except Exception:
            continue
        if name.isascii() and name.isidentifier() and not name.startswith("_ptc_"):
            found.append(name)
    return found


def check(ptc, setup, more, has_model, every):
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "ask.py")
        names = names_to_ask(value_of(setup), more)
        want = {n: a for n, a in answers_of_eager(setup + ASK.format(names=" ".join(names)))}
        asked, in_a_row, wrong, refused = len(names), 0, [], []
        while names:
            program.write_text(setup + ASK.format(names=" ".join(names)))
            py_compile.compile(str(program), dfile="ask.py", cfile=str(program) + "c", doraise=True)
            done = batch.run([ptc, "run", "--python", str(program) + "c"], env={**os.environ, "NO_COLOR": "1"})
            got, said = [line.split() for line in done.stdout.decode().splitlines()], done.stderr.decode()
            wrong += [f"{n}: {a}, expected {want[n]}" for n, a in got if a != want[n]]
            if done.returncode == 0:
                break
            text = (said.splitlines() or [""])[0]
            if done.returncode != 1 or "[PTC1" not in text:
                return f"exit code {done.returncode} at {names[len(got)]}\n{said[:1000]}"
            if not got and not refused and f":{len(setup.splitlines())}:" in text:
                refused.append(f"the object: {text}")
                break
            refused.append(f"{names[len(got)]} ({want[names[len(got)]]}): {text}")
            names, in_a_row = names[len(got) + 1:], 1 if got else in_a_row + 1
            if in_a_row == ALIKE and not every:
                asked -= len(names)
                names = [n for n in names if runner.is_turn(setup + n)]
                asked += len(names)
    print(*(f"refused: {r}" for r in refused), sep="\n")
    # Of a class without a model nothing but its name is known.
    most = REFUSED if setup.startswith(BEFORE) else REFUSED_OF_CLASS if has_model else 1
    if len(refused) > asked * most:
        wrong.append(f"{len(refused)} of {asked} questions were refused")
    return "\n".join([f"{len(wrong)} answers are wrong", *wrong]) if wrong else None


def models():
    """module with a model -> its file"""
    prelude = ROOT / "lib/Prelude"
    for path in sorted(prelude.rglob("*.py")):
        parts = path.relative_to(prelude).with_suffix("").parts
        if parts[0] != "_builtins" and path.name != "embed.py":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def names_of_models():
    """class -> names that its models bind in it, or in self"""
    found = {}
    for _, path in models():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                names = found.setdefault(node.name, set())
                for inner in ast.walk(node):
                    if isinstance(inner, (ast.FunctionDef, ast.ClassDef)):
                        names.add(inner.name)
                    elif isinstance(inner, (ast.Name, ast.Attribute)) and isinstance(inner.ctx, ast.Store):
                        names.add(inner.id if isinstance(inner, ast.Name) else inner.attr)
    return found


def classes_of_models():
    """(package, class) of all that have a model"""
    return {(name.split(".")[0], node.name) for name, path in models() for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ClassDef)}


def classes():
    """(module, name) of each class that a module with a model has in CPython or PyTorch"""
    seen = set()
    for module in ["builtins", *(name for name, _ in models())]:
        try:
            real = importlib.import_module(module)
        except ImportError:
            continue
        for name, cls in sorted(vars(real).items()):
            if isinstance(cls, type) and id(cls) not in seen and not name.startswith("__"):
                seen.add(id(cls))
                yield module, name


class Tables:
    """What the tables say of the classes of the standard library in a version."""
    WORDS = {"n": "None", "v": "value", "m": "value"}

    def __init__(self):
        blocks, _ = pack.read([ROOT / "lib/Capture/Known/python.txt"])
        self.modules = {path: lines for head, path, _, lines in blocks if head == "@m"}
        self.classes = {path: (flags, lines) for head, path, flags, lines in blocks if head == "@c"}

    def named(self, module, bit):
        """name -> path of the classes that a module has"""
        return {word: target or f"{module}.{word}" for kind, target, _, since, mask, words in self.modules.get(module, ())
                if kind == "c" and mask & bit and not since for word in words
                if not word.startswith("_") and f"{module}.{word}" not in NOT_ASKED}

    def line(self, path, bit, link="b"):
        """A class and those that it is derived from, or of which it is an instance; None: they are not all known."""
        found, left = [], [path]
        while left:
            path = left.pop(0)
            flags, lines = self.classes.get(path, ({"in": 0, "open": 1}, ()))
            if not flags["in"] & bit or flags["open"] & bit:
                return None
            if path not in found:
                found.append(path)
                left += [w for kind, _, _, _, mask, words in lines if kind == link and mask & bit for w in words]
        return found

    def members(self, path, bit):
        """name -> answer of a class itself, those of its bases among them; None: not known."""
        bases = self.line(path, bit)
        metas = [w for base in bases or () for kind, _, _, _, mask, words in self.classes[base][1] if kind == "t" and mask & bit
                 for w in words] + ["builtins.type"]
        line = [*(bases or ()), *(c for meta in metas for c in self.line(meta, bit) or ())]
        if not bases:
            return None
        found = {}
        for base in line:
            for kind, _, of_type, _, mask, words in self.classes[base][1]:
                if kind in pack.KINDS and kind != "s" and mask & bit:
                    for word in words:
                        is_member = of_type != "enum.property" or word not in ("name", "value")    # those have instances alone
                        found.setdefault(word, self.WORDS.get(kind, "callable") if is_member else "absent")
        return found

    def names(self, path):
        """What any version has."""
        return {w for n in range(len(VERSIONS)) for base in self.line(path, 1 << n) or ()
                for kind, _, _, _, _, words in self.classes[base][1] if kind in pack.KINDS for w in words}


def check_version(ptc, version, module, tables, own):
    bit = 1 << VERSIONS.index(version)
    lines, want = [], []
    for name, path in sorted(tables.named(module, bit).items()):
        members = tables.members(path, bit)
        if members is None:
            continue
        lines.append(f"{module}:{name}")
        want.append("class")
        for asked in sorted(tables.names(path) | own.get(name, set()) | {"no_such_name_anywhere"}):
            if not (asked.startswith("__") and asked.endswith("__")) and not asked.startswith("_ptc_"):
                lines.append(f"{module}:{name} {asked}")
                want.append(members.get(asked, "absent"))
    if not lines:
        return None
    with tempfile.TemporaryDirectory() as scratch:
        pyc = pyc_for(HERE / "ask.py", version, HERE / "fixtures", Path(scratch))
        got, refusals = by_ptc(ptc, pyc, "\n".join(lines), REFUSED_OF_VERSION)
    print(*(f"refused: {r}" for r in refusals), sep="\n")
    wrong = [f"{q}: {a}, expected {w}" for q, a, w in zip(lines, got, want, strict=True) if a is not None and a != w]
    return "\n".join([f"{len(wrong)} answers are wrong", *wrong[:20]]) if wrong else None


def check_case(first, *rest):
    return first(*rest) if callable(first) else check(first, *rest)


def cases(ptc, every):
    own = names_of_models()
    for line in OBJECTS.splitlines():
        head, colon, rest = line.partition(": ")
        module = head if colon and head.isidentifier() else ""
        for expression in (rest if module else line).split(" | "):
            setup = BEFORE + (f"import {module}\n" if module else "") + f"o = {expression}\n"
            more = own.get(type(value_of(setup)).__name__, ())
            if every or runner.is_turn(expression):
                yield f"object {expression}", (ptc, setup, sorted(more), True, every)
    modelled = classes_of_models()
    for module, name in classes():
        if is_hidden(module):
            continue
        if every or runner.is_turn(name):
            setup = f"import {module}\no = {module}.{name}\n"
            # Classes are exported by other modules than their own; of the names of those in C++ there are others.
            packages = {where.split(".")[0] for where in (module, value_of(setup).__module__)} - {"torch" if module == "torch._C" else ""}
            has_model = any([(package, name) in modelled for package in packages])
            yield f"class {module}.{name}", (ptc, setup, sorted(own.get(name, ())), has_model, every)
    tables = Tables()
    for module, _ in models():
        for version in VERSIONS[1:] if every else [runner.turn_of(module, VERSIONS[1:])]:
            if tables.named(module, 1 << VERSIONS.index(version)):
                yield f"classes of {module} ({version})", (check_version, ptc, version, module, tables, own)


def main():
    parser = runner.options(__doc__)
    parser.add_argument("--every", action="store_true", help="all, not those of a day")
    args = parser.parse_args()
    return runner.run(list(cases(args.ptc, args.every)), check_case, args)


if __name__ == "__main__":
    sys.exit(main())
